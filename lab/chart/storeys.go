package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// storey is a set of layers of a plan that do not lie above each other, and the box around them on
// the ground in metres.
type storey struct {
	layers                   []int
	west, south, east, north float64
	height                   float64 // mean of its layers, by area
	cells                    []bool
	area                     int
}

// rasterSide is the number of samples along the longer side of a plan when layers are compared: parts with an
// overlap below a sample count as beside each other.
const rasterSide = 256

// storeys groups the layers of a plan, lowest first: each goes to the first storey where it has room. All meshes of a plan are
// drawn by the same storeys. Time O(rows · edges) at worst.
func storeys(p *plan.Plan) []storey {
	box := lattice.EmptyBox()
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			box = box.Union(p.Layers[l].Domains[d].Box())
		}
	}
	if box.IsEmpty() {
		return nil
	}
	w, h := box.Size()
	pitch := max(float64(max(w, h))/rasterSide, 1)
	var all []storey
	for l := range p.Layers {
		if s := layerOf(p, l, box, pitch); len(p.Layers[l].Domains) > 0 {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b storey) int { return cmp.Compare(a.height, b.height) })
	var out []storey
	for _, s := range all {
		k := slices.IndexFunc(out, func(o storey) bool { return !o.under(&s) })
		if k < 0 {
			out = append(out, s)
			continue
		}
		out[k].join(&s)
	}
	return out
}

// layerOf samples a layer at the middles of squares of a pitch.
func layerOf(p *plan.Plan, l int, box lattice.Box, pitch float64) storey {
	w, h := box.Size()
	columns, rows := int(float64(w)/pitch)+1, int(float64(h)/pitch)+1
	s := storey{layers: []int{l}, cells: make([]bool, columns*rows), west: math.Inf(1), south: math.Inf(1), east: math.Inf(-1), north: math.Inf(-1)}
	heights, corners := 0.0, 0
	for d := range p.Layers[l].Domains {
		domain := &p.Layers[l].Domains[d]
		b := domain.Box()
		x0, y0 := ground(p.Frame, b.Min)
		x1, y1 := ground(p.Frame, b.Max)
		s.west, s.south = min(s.west, x0), min(s.south, y0)
		s.east, s.north = max(s.east, x1), max(s.north, y1)
		for _, ring := range domain.Heights {
			for _, z := range ring {
				heights += float64(z)
				corners++
			}
		}
		for row := range rows {
			y := float64(box.Min.Y) + (float64(row)+0.5)*pitch
			for _, in := range inside(domain.Polygon, y) {
				first := int(math.Ceil((in[0]-float64(box.Min.X))/pitch - 0.5))
				last := int(math.Floor((in[1]-float64(box.Min.X))/pitch - 0.5))
				for c := max(first, 0); c <= min(last, columns-1); c++ {
					if k := row*columns + c; !s.cells[k] {
						s.cells[k] = true
						s.area++
					}
				}
			}
		}
	}
	if corners > 0 {
		s.height = heights / float64(corners)
	}
	return s
}

func ground(f lattice.Frame, p lattice.Point) (x, y float64) {
	return float64(f.East+int64(p.X)) * lattice.Unit, float64(f.North+int64(p.Y)) * lattice.Unit
}

// inside returns the spans of a horizontal that are in a polygon; y is between lattice points, or near enough.
func inside(poly lattice.Polygon, y float64) [][2]float64 {
	var xs []float64
	for _, ring := range poly.Rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (float64(a.Y) <= y) != (float64(b.Y) <= y) {
				t := (y - float64(a.Y)) / (float64(b.Y) - float64(a.Y))
				xs = append(xs, float64(a.X)+float64(t*(float64(b.X)-float64(a.X))))
			}
		}
	}
	slices.Sort(xs)
	var out [][2]float64
	for i := 0; i+1 < len(xs); i += 2 {
		out = append(out, [2]float64{xs[i], xs[i+1]})
	}
	return out
}

// under reports whether s and o share more than a fiftieth of the smaller one.
func (s *storey) under(o *storey) bool {
	shared := 0
	for i, in := range o.cells {
		if in && s.cells[i] {
			shared++
		}
	}
	return shared > min(s.area, o.area)/50
}

func (s *storey) join(o *storey) {
	s.layers = append(s.layers, o.layers...)
	s.west, s.south = min(s.west, o.west), min(s.south, o.south)
	s.east, s.north = max(s.east, o.east), max(s.north, o.north)
	for i, in := range o.cells {
		s.cells[i] = s.cells[i] || in
	}
	s.area += o.area
}

package ground

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// unknown is the area of a face that nothing is known of yet.
const unknown = -1

// narrowest is [Narrowest] in lattice units.
const narrowest = Narrowest * lattice.UnitsPerMetre

// face is a part of a domain that no border between areas goes through.
type face struct {
	lattice.Polygon
	area int
}

// faces are the faces of a domain. Adjacent faces have the same points along their common edges.
type faces []face

// divide returns the faces of a ground, each with its area.
func (w *work) divide(g *divide.Ground) (faces, error) {
	own := w.plain
	if w.keep {
		own = g.Area
	}
	box := g.Box()
	inputs := [][]lattice.Ring{g.Rings}
	var areas, patches []int // of each input behind the first
	for a := range w.at {
		if rings := w.border(a, box, w.reach[g.Layer]); len(rings) > 0 {
			inputs, areas = append(inputs, rings), append(areas, a)
		}
	}
	for i := range w.paint {
		if w.paint[i].box.Overlaps(box) {
			inputs, patches = append(inputs, w.paint[i].rings), append(patches, i)
		}
	}
	if len(patches) == 0 && len(areas) <= 1 {
		// Nothing of another area is near.
		if len(areas) == 1 {
			own = uint8(areas[0])
		}
		return faces{{g.Polygon, int(own)}}, nil
	}
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil, err
	}
	var fs faces
	for _, in := range windings(a) {
		edges := int32(0) // a label of its own for every edge, so that all corners stay
		for _, o := range a.Outlines(func(v overlay.Winding) bool { return slices.Equal(v, in) },
			func(_, _ lattice.Point, _ overlay.Winding) int32 { edges++; return edges }) {
			f := face{o.Polygon, unknown}
			for k := len(patches) - 1; k >= 0 && f.area == unknown; k-- {
				if in[1+len(areas)+k] > 0 {
					f.area = int(w.paint[patches[k]].area)
				}
			}
			if f.area == unknown && len(w.at) == 0 {
				f.area = int(own)
			}
			if f.area == unknown {
				f.area = w.showing(g, &f, areas, in[1:])
			}
			fs = append(fs, f)
		}
	}
	fs.handOver(int(own))
	return fs, nil
}

// windings lists the winding numbers of all places of the ground, in order.
func windings(a *overlay.Arrangement) []overlay.Winding {
	var all []overlay.Winding
	a.Polygons(func(v overlay.Winding) bool {
		if v[0] > 0 {
			if i, found := slices.BinarySearchFunc(all, v, slices.Compare[overlay.Winding]); !found {
				all = slices.Insert(all, i, slices.Clone(v))
			}
		}
		return false
	})
	return all
}

// showing returns the area of the highest floor in a face, among the floors of the ground's storey that cover
// a part of the face; of floors at equal height, the later area.
func (w *work) showing(g *divide.Ground, f *face, areas []int, in overlay.Winding) int {
	p, ok := inside(f.Rings)
	if !ok {
		return unknown
	}
	z := float64(w.heights.At(g.Layer, g.Domain, p))
	const same = 8 // units: both of two floors that are as near to each other show
	found, highest := unknown, 0.0
	for k, a := range areas {
		if in[k] <= 0 || w.tops[a] == nil {
			continue
		}
		h, ok := w.tops[a].HeightBelow(float64(p.X), float64(p.Y), z+w.storey, 1)
		if ok && h >= z-w.storey && (found == unknown || h >= highest-same) {
			found, highest = a, h
		}
	}
	return found
}

// inside returns a place well inside of a polygon: the middle of the largest of its triangles. ok is false
// where the polygon is too narrow to have an inner place.
func inside(rings []lattice.Ring) (p lattice.Point, ok bool) {
	var corners []lattice.Point
	for _, r := range rings {
		corners = append(corners, r...)
	}
	largest := int64(0)
	for _, t := range overlay.Triangulate(rings) {
		a, b, c := corners[t[0]], corners[t[1]], corners[t[2]]
		middle := lattice.Point{X: third(a.X, b.X, c.X), Y: third(a.Y, b.Y, c.Y)}
		if area := lattice.Orient(a, b, c); area > largest &&
			lattice.Orient(a, b, middle) > 0 && lattice.Orient(b, c, middle) > 0 && lattice.Orient(c, a, middle) > 0 {
			p, largest, ok = middle, area, true
		}
	}
	return p, ok
}

// third returns the mean of three coordinates, rounded down.
func third(a, b, c int32) int32 { return int32(math.Floor((float64(a) + float64(b) + float64(c)) / 3)) }

// handOver gives every face that is too narrow or has no area to the area with the longest common border,
// else to own.
func (fs faces) handOver(own int) {
	type edge struct{ a, b lattice.Point }
	at := map[edge]int{} // looked up only
	bare := make([]bool, len(fs))
	var left []int
	for i := range fs {
		around := 0.0
		for _, ring := range fs[i].Rings {
			for k, a := range ring {
				b := ring[(k+1)%len(ring)]
				around += a.Distance(b)
				at[edge{a, b}] = i
			}
		}
		if fs[i].area == unknown || float64(fs[i].Area2()) < narrowest*around {
			bare[i] = true
			left = append(left, i)
		}
	}
	for len(left) > 0 {
		given := map[int]int{} // looked up only
		for _, i := range left {
			border := map[int]float64{} // looked up in the order of the ring
			best := unknown
			for _, ring := range fs[i].Rings {
				for k, a := range ring {
					b := ring[(k+1)%len(ring)]
					if o, ok := at[edge{b, a}]; ok && !bare[o] {
						border[fs[o].area] += a.Distance(b)
						if best == unknown || border[fs[o].area] > border[best] {
							best = fs[o].area
						}
					}
				}
			}
			if best != unknown {
				given[i] = best
			}
		}
		if len(given) == 0 {
			break
		}
		rest := left[:0]
		for _, i := range left {
			if area, ok := given[i]; ok {
				fs[i].area, bare[i] = area, false
			} else {
				rest = append(rest, i)
			}
		}
		left = rest
	}
	for _, i := range left {
		if fs[i].area == unknown {
			fs[i].area = own
		}
	}
}

// sections returns each area's part of the ground, and the largest area. A ground of a single area has no sections.
func (fs faces) sections() (sections []divide.Section, most uint8) {
	var area2 [256]float64
	for i := range fs {
		area2[fs[i].area] += float64(fs[i].Area2())
	}
	count := 0
	for a := range area2 {
		if area2[a] > 0 {
			count++
		}
		if area2[a] > area2[most] {
			most = uint8(a)
		}
	}
	if count <= 1 {
		return nil, most
	}
	for a, rings := range fs.rings() {
		if len(rings) > 0 {
			sections = append(sections, divide.Section{Of: a, Rings: rings})
		}
	}
	return sections, most
}

package draw

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

func itoa(i int) string { return strconv.Itoa(i) }

// PlanOptions say how a plan looks. The zero value fills the floors by layer and draws walls, seams and
// other chains in colours of their own.
type PlanOptions struct {
	// Opacity of the floors, above 0 to 1; 0 is 0.35, a negative value leaves them out.
	Opacity float64
	// Lift is how far above the floor the plan is drawn, in metres; 0 is 0.05, negative is none.
	Lift float64
}

var (
	terrainColor = Color{70, 140, 60, 255}
	tileColor    = Color{120, 120, 130, 255}
)

// Plan draws the domains of a plan: walls strong, chains in the colour of their kind.
func Plan(p *plan.Plan, opt PlanOptions) List {
	if p == nil {
		return List{}
	}
	var list List
	opacity := lift(opt.Opacity, 0.35)
	for l := range p.Layers {
		layer := &p.Layers[l]
		floor := newSurface(p.Frame, &layer.Floor, lift(opt.Lift, 0.05))
		fill := hues[l%len(hues)]
		fill.A = uint8(255 * min(opacity, 1))
		for d := range layer.Domains {
			domain := &layer.Domains[d]
			if fill.A > 0 {
				list.fillPolygon(floor, domain.Polygon, fill)
			}
			for r, ring := range domain.Rings {
				for i, a := range ring {
					line := Line{Color: borderColor, Width: borderWidth, Bias: overlayBias}
					if r < len(domain.Edges) && i < len(domain.Edges[r]) && domain.Edges[r][i] != plan.Wall {
						line.Color, line.Width = chainColor(p, domain.Edges[r][i]), seamWidth
					}
					line.P = floor.line(floor.stand(a), floor.stand(ring[(i+1)%len(ring)]))
					list.Lines = append(list.Lines, line)
				}
			}
		}
	}
	return list
}

func chainColor(p *plan.Plan, id plan.ChainID) Color {
	if id < 0 || int(id) >= len(p.Chains) {
		return faultColor
	}
	switch p.Chains[id].Kind {
	case plan.Terrain:
		return terrainColor
	case plan.TileCut:
		return tileColor
	case plan.MarkCut:
		return linkColor
	default:
		return seamColor
	}
}

// stand puts a point of a border on the floor: at its height there, or at the nearest height within a few
// units, because borders end at rounded positions.
func (s *surface) stand(p lattice.Point) lattice.Vertex {
	const far, near = 1e18, 4
	z, _ := s.sampler.HeightBelow(float64(p.X), float64(p.Y), far, near)
	return lattice.Vertex{Point: p, Z: int32(z)}
}

// fillPolygon fills a polygon with holes: it is cut into strips at the heights of all its points, a strip is
// a row of trapezoids, and each is draped. O(n·k) trapezoids for n points and k edges across a strip: quick
// for domains, and only for pictures.
func (l *List) fillPolygon(floor *surface, poly lattice.Polygon, fill Color) {
	for _, trapezoid := range trapezoids(poly) {
		pieces, _ := floor.cut(trapezoid)
		floor.emit(pieces, func(a, b, c geom.Vec) {
			l.Triangles = append(l.Triangles, Triangle{P: [3]geom.Vec{a, b, c}, Fill: fill, Bias: overlayBias})
		})
	}
}

// trapezoids cuts a polygon along horizontals. The pieces are convex, counter-clockwise and cover the polygon.
func trapezoids(poly lattice.Polygon) [][]corner {
	type edge struct{ low, high lattice.Point }
	var edges []edge
	var cuts []int32
	for _, ring := range poly.Rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			cuts = append(cuts, a.Y)
			switch {
			case a.Y < b.Y:
				edges = append(edges, edge{a, b})
			case a.Y > b.Y:
				edges = append(edges, edge{b, a})
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.low.Y, b.low.Y) })

	var out [][]corner
	var active []edge
	next := 0
	for k := range max(len(cuts)-1, 0) {
		low, high := cuts[k], cuts[k+1]
		active = slices.DeleteFunc(active, func(e edge) bool { return e.high.Y <= low })
		for ; next < len(edges) && edges[next].low.Y <= low; next++ {
			active = append(active, edges[next])
		}
		at := func(e edge, y int32) float64 {
			t := (float64(y) - float64(e.low.Y)) / (float64(e.high.Y) - float64(e.low.Y))
			return float64(e.low.X) + t*(float64(e.high.X)-float64(e.low.X))
		}
		// Edges do not cross inside of a strip: in its middle their order is right for both ends.
		slices.SortStableFunc(active, func(a, b edge) int {
			return cmp.Compare(at(a, low)+at(a, high), at(b, low)+at(b, high))
		})
		for i := 0; i+1 < len(active); i += 2 {
			l, r := active[i], active[i+1]
			out = append(out, []corner{
				{at(l, low), float64(low)},
				{at(r, low), float64(low)},
				{at(r, high), float64(high)},
				{at(l, high), float64(high)},
			})
		}
	}
	return out
}

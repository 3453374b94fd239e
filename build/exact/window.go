package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/soup"
)

// A tile of a level is a window on the floor. The triangles around the window go through all stages up to the erosion, and the
// window then cuts the places of the agent's centre. The sides of a window are lattice lines, so rounding moves no cut. Later
// stages see a smaller floor, whose edges along the window stay where they are: the tile beyond ends at the same places.

// Halo returns how far around a window, in lattice units, [Inside] needs the triangles of a level. A place is free by the floor
// and the obstacles within the radius. Floor reaches over a gap, and arcs stand off a corner by [OffsetTolerance]. The rest is for
// rounding and for the margins of the search for barren triangles.
func Halo(agent geom.Agent) int32 {
	const rest = 512 // an eighth of a metre
	return int32(math.Ceil((agent.Radius+agent.MaxGap+OffsetTolerance)*lattice.UnitsPerMetre)) + rest
}

// Inside returns all parts of the floor of s inside a window, a plan in the frame of s. The window is in this frame, too. s
// holds the triangles that meet the window grown by [Halo]. Edges along the window are walls of the plan: the caller knows
// the window. A window without floor gives a plan without layers. Options about parts to keep, and Starts, have no effect. Time
// as for [Extract].
func Inside(ctx context.Context, s *soup.Soup, agent geom.Agent, opt floorplan.Options, w lattice.Box) (*plan.Plan, error) {
	opt.Keep, opt.Starts, opt.KeepAll, opt.KeepArea = nil, nil, true, 0
	if err := agent.Validate(); err != nil {
		return nil, err
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	p := &plan.Plan{Frame: s.Frame, Agent: agent}
	// Beyond the triangles nothing is cut, and far corners may be off the lattice.
	low := lattice.Point{X: max(w.Min.X, -2*windowMargin), Y: max(w.Min.Y, -2*windowMargin)}
	high := lattice.Point{X: min(w.Max.X, s.Size.X+2*windowMargin), Y: min(w.Max.Y, s.Size.Y+2*windowMargin)}
	if low.X >= high.X || low.Y >= high.Y || !slices.ContainsFunc(s.Triangles, func(t soup.Triangle) bool { return t.Walkable }) {
		return p, nil
	}
	e := newExtraction(s, agent)
	e.window = &window{lattice.Box{Min: low, Max: high}}
	p, err := e.run(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	p.Agent = agent
	for l := range p.Layers {
		e.window.clipFloor(&p.Layers[l].Floor)
	}
	return p, nil
}

// LeastWidth returns the least mean width, in lattice units, of a part of the floor for an agent: twice its area by the length of its border.
// Along a window narrower outlines stay, because only their continuation tells.
func LeastWidth(agent geom.Agent) float64 {
	if agent.Radius*lattice.UnitsPerMetre <= 1 {
		return leastIsland
	}
	return leastWidth
}

// windowMargin is how far beyond the triangles, in units, a window may reach: no floor reaches farther.
const windowMargin = hairs

// window cuts the floor of a tile, in the frame of the extraction. A nil window cuts nothing.
type window struct{ lattice.Box }

// ring returns the border of the window.
func (w *window) ring() lattice.Ring {
	return lattice.Ring{w.Min, {X: w.Max.X, Y: w.Min.Y}, w.Max, {X: w.Min.X, Y: w.Max.Y}}
}

// clip returns the parts of polygons in the window.
func (w *window) clip(polygons []lattice.Polygon) ([]lattice.Polygon, error) {
	if w == nil {
		return polygons, nil
	}
	var meets []lattice.Ring
	var out []lattice.Polygon
	for _, p := range polygons {
		switch b := p.Box(); {
		case w.Contains(b.Min) && w.Contains(b.Max):
			out = append(out, p)
		case w.Overlaps(b):
			meets = append(meets, p.Rings...)
		}
	}
	if len(meets) == 0 {
		return out, nil
	}
	cut, err := overlay.Intersection(meets, []lattice.Ring{w.ring()})
	out = append(out, cut...)
	slices.SortStableFunc(out, func(p, q lattice.Polygon) int { return p.Rings[0][0].Compare(q.Rings[0][0]) })
	return out, err
}

// along reports whether an edge lies on the border of the window.
func (w *window) along(a, b lattice.Point) bool {
	return w != nil && (a.X == b.X && (a.X == w.Min.X || a.X == w.Max.X) || a.Y == b.Y && (a.Y == w.Min.Y || a.Y == w.Max.Y))
}

// meets reports whether an outline has an edge along the window.
func (w *window) meets(o *overlay.Outline) bool {
	for _, ring := range o.Rings {
		for i, a := range ring {
			if w.along(a, ring[(i+1)%len(ring)]) {
				return true
			}
		}
	}
	return false
}

// label changes the label of edges along the window.
func (w *window) label(outlines []overlay.Outline, from, to int32) {
	if w == nil {
		return
	}
	for i := range outlines {
		for r, ring := range outlines[i].Rings {
			labels := outlines[i].Labels[r]
			for k, a := range ring {
				if labels[k] == from && w.along(a, ring[(k+1)%len(ring)]) {
					labels[k] = to
				}
			}
		}
	}
}

// clipFloor cuts a height surface at the window. A place on the border keeps its height to within a unit.
func (w *window) clipFloor(t *lattice.TIN) {
	out := lattice.TIN{Error: t.Error}
	number := map[uint32]uint32{} // looked up only: of a vertex that stays
	made := map[lattice.Vertex]uint32{}
	corner := func(c clipCorner) uint32 {
		if c.vertex < 0 {
			k, ok := made[c.at]
			if !ok {
				k = uint32(len(out.Vertices))
				made[c.at] = k
				out.Vertices = append(out.Vertices, c.at)
			}
			return k
		}
		k, ok := number[uint32(c.vertex)]
		if !ok {
			k = uint32(len(out.Vertices))
			number[uint32(c.vertex)] = k
			out.Vertices = append(out.Vertices, c.at)
		}
		return k
	}
	var ring, next []clipCorner
	cuts := false
	for _, tri := range t.Triangles {
		ring = ring[:0]
		for _, v := range tri {
			ring = append(ring, clipCorner{t.Vertices[v], int64(v)})
		}
		whole := true
		for side := range 4 {
			var all bool
			next, all = w.clipSide(ring, next[:0], side)
			ring, next = next, ring
			whole = whole && all
		}
		cuts = cuts || !whole
		for k := 2; k < len(ring); k++ {
			if lattice.Orient(ring[0].at.Point, ring[k-1].at.Point, ring[k].at.Point) > 0 {
				out.Triangles = append(out.Triangles, [3]uint32{corner(ring[0]), corner(ring[k-1]), corner(ring[k])})
			}
		}
	}
	if cuts {
		out.Error++
	}
	*t = out
}

// clipCorner is a corner of a clipped triangle, and its vertex in the surface, -1 for a new vertex.
type clipCorner struct {
	at     lattice.Vertex
	vertex int64
}

// clipSide appends the part of a convex ring on the inner side of one side of the window to out, and reports whether all of the ring
// is there.
func (w *window) clipSide(ring, out []clipCorner, side int) ([]clipCorner, bool) {
	depth := func(v *lattice.Vertex) int64 { // inside of the side
		switch side {
		case 0:
			return int64(v.X) - int64(w.Min.X)
		case 1:
			return int64(w.Max.X) - int64(v.X)
		case 2:
			return int64(v.Y) - int64(w.Min.Y)
		}
		return int64(w.Max.Y) - int64(v.Y)
	}
	all := true
	for i := range ring {
		c, o := &ring[i], &ring[(i+1)%len(ring)]
		here, there := depth(&c.at), depth(&o.at)
		all = all && here >= 0
		if here >= 0 {
			out = append(out, *c)
		}
		if here > 0 && there < 0 || here < 0 && there > 0 {
			// Both triangles at an edge get the same point, whatever its direction.
			if c.at.Compare(o.at.Point) > 0 {
				c, o, here, there = o, c, there, here
			}
			t := float64(here) / float64(here-there)
			at := lattice.Vertex{Point: lattice.Point{
				X: rounded(float64(c.at.X) + float64(t*(float64(o.at.X)-float64(c.at.X)))),
				Y: rounded(float64(c.at.Y) + float64(t*(float64(o.at.Y)-float64(c.at.Y)))),
			}, Z: rounded(float64(c.at.Z) + float64(t*(float64(o.at.Z)-float64(c.at.Z))))}
			switch side {
			case 0:
				at.X = w.Min.X
			case 1:
				at.X = w.Max.X
			case 2:
				at.Y = w.Min.Y
			default:
				at.Y = w.Max.Y
			}
			out = append(out, clipCorner{at, -1})
		}
	}
	return out, all
}

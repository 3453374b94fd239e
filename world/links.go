package world

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// linksOf returns the links of a connection: one for each way.
func (s *sheet) linksOf(e Connect) ([]navmesh.Link, error) {
	q := s.index.NewQuery()
	reach := max(s.mesh.Agent.Radius+s.mesh.Agent.MaxClimb, leastReach)
	var ends [2]query.Position
	var at [2]lattice.Vertex
	for i, p := range [2]geom.Vec{e.From, e.To} {
		name := [2]string{"From", "To"}[i]
		if !p.IsFinite() {
			return nil, fmt.Errorf("%s is %v, must be finite", name, p)
		}
		pos, ok := q.Locate(p)
		if !ok {
			pos, ok = q.Nearest(p, reach)
		}
		if !ok {
			return nil, fmt.Errorf("%s %v: %w (within %.2f m)", name, p, errOffBase, reach)
		}
		ends[i] = pos
		at[i].Point, at[i].Z, _ = s.mesh.Frame.FromWorld(pos.Point)
	}
	if e.Kind == navmesh.Boundary || e.Kind > navmesh.Boundary {
		return nil, fmt.Errorf("the kind %d is no kind of link that joins places", e.Kind)
	}
	cost := e.Cost
	if cost == 0 {
		cost = ends[0].Point.Sub(ends[1].Point).Len()
	}
	if !(cost >= 0) || math.IsInf(cost, 1) {
		return nil, fmt.Errorf("the cost is %g, must be finite and not below 0", cost)
	}
	link := func(a, b int) navmesh.Link {
		return navmesh.Link{
			From: ends[a].Ref, To: ends[b].Ref, Start: [2]lattice.Vertex{at[a], at[a]}, End: [2]lattice.Vertex{at[b], at[b]},
			Kind: e.Kind, Flags: e.Kind.Flag(), Cost: float32(cost), Clearance: navmesh.Unbounded,
		}
	}
	list := []navmesh.Link{link(0, 1)}
	if e.BothWays {
		list = append(list, link(1, 0))
	}
	return list, nil
}

// leastReach is the least distance, in metres, at which the ends of a connection find the floor.
const leastReach = 0.01

// parts returns the links of a composed mesh that stand for a link of the base: for every pair of pieces at its ends the
// stretch that starts in the one and ends in the other. Stretches without lattice points of the pieces go.
func parts(list []navmesh.Link, l *navmesh.Link, from, to []end) []navmesh.Link {
	for i := range from {
		a, b, ok := from[i].ring.ClipConvex(l.Start[0].Point, l.Start[1].Point, reach)
		if !ok {
			continue
		}
		for k := range to {
			c, d, ok := to[k].ring.ClipConvex(l.End[0].Point, l.End[1].Point, reach)
			low, high := max(a, c), min(b, d)
			if !ok || low > high || low == high && a < b && l.Start[0] != l.Start[1] {
				continue
			}
			out := *l
			out.From, out.To = from[i].ref, to[k].ref
			if shorten(&out, low, high, from[i].ring, to[k].ring) {
				list = append(list, out)
			}
		}
	}
	return list
}

// end is a piece that a link may start or end in.
type end struct {
	ref  navmesh.Ref
	ring lattice.Ring
}

// shorten shortens a link to what is between two positions along the link, with its ends at lattice points of two convex rings.
// An end may be beside a ring by more than rounding, along a side that is nearly parallel to the link. Further positions are then
// tried, each twice as far inside, up to the middle.
func shorten(l *navmesh.Link, low, high float64, from, to lattice.Ring) bool {
	starts, ends := l.Start, l.End
	least := 1 / max(1, starts[0].Distance(starts[1].Point), ends[0].Distance(ends[1].Point))
	middle := low + (high-low)/2
	for k := range 2 {
		for inside := 0.0; ; inside = max(least, 2*inside) {
			t := min(low+inside, middle)
			if k > 0 {
				t = max(high-inside, middle)
			}
			var a, b bool
			l.Start[k], a = placeOn(starts, t, from)
			l.End[k], b = placeOn(ends, t, to)
			if a && b {
				break
			}
			if t == middle {
				return false
			}
		}
	}
	return true
}

// placeOn returns the lattice point of a convex ring beside a position along a segment; ok is false if there is none.
func placeOn(s [2]lattice.Vertex, t float64, ring lattice.Ring) (at lattice.Vertex, ok bool) {
	mix := func(a, b int32) int32 {
		return int32(math.Floor(float64(a) + float64(t*float64(int64(b)-int64(a))) + 0.5))
	}
	at = lattice.Vertex{Point: lattice.Point{X: mix(s[0].X, s[1].X), Y: mix(s[0].Y, s[1].Y)}, Z: mix(s[0].Z, s[1].Z)}
	at.Point, ok = into(at.Point, ring)
	return at, ok
}

// into returns a point of a convex ring: p, or a neighbour of p on the lattice.
func into(p lattice.Point, ring lattice.Ring) (lattice.Point, bool) {
	if ring.Locate(p) != lattice.Outside {
		return p, true
	}
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			q := lattice.Point{X: p.X + dx, Y: p.Y + dy}
			if ring.Locate(q) != lattice.Outside {
				return q, true
			}
		}
	}
	return p, false
}

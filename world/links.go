package world

import (
	"cmp"
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
	ends := clips(to, l.End)
	for _, a := range clips(from, l.Start) {
		for _, b := range ends {
			low, high := max(a.low, b.low), min(a.high, b.high)
			if low > high || low == high && a.low < a.high && l.Start[0] != l.Start[1] {
				continue
			}
			out := *l
			out.From, out.To = a.ref, b.ref
			if shorten(&out, low, high, a.ring, b.ring) {
				list = append(list, out)
			}
		}
	}
	return list
}

// clip is the stretch of a segment in a piece, as positions along the segment.
type clip struct {
	*end
	low, high float64
}

// clips returns the stretches of a segment in pieces. A point beside all pieces by no more than the rounding of their sides is in the piece next
// to it, as for an index.
func clips(pieces []end, s [2]lattice.Vertex) (list []clip) {
	for i := range pieces {
		if low, high, ok := pieces[i].ring.ClipConvex(s[0].Point, s[1].Point, reach); ok {
			list = append(list, clip{&pieces[i], low, high})
		}
	}
	p := s[0].Point
	if len(list) > 0 || p != s[1].Point {
		return list
	}
	for i := range pieces {
		q, ok := into(p, pieces[i].ring)
		if !ok {
			continue
		}
		if len(list) > 0 {
			if o, _ := into(p, list[0].ring); cmp.Or(cmp.Compare(p.Distance2(q), p.Distance2(o)), q.Compare(o)) >= 0 {
				continue
			}
		}
		list = append(list[:0], clip{&pieces[i], 0, 1})
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

// into returns a point of a convex ring: p, or else the nearest of its neighbours on the lattice, or a corner nearer than reach. An index chooses the
// same point.
func into(p lattice.Point, ring lattice.Ring) (at lattice.Point, ok bool) {
	if ring.Locate(p) != lattice.Outside {
		return p, true
	}
	at = p
	least := uint64(math.MaxUint64)
	for _, d := range [8][2]int32{{1, 0}, {0, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		q := lattice.Point{X: p.X + d[0], Y: p.Y + d[1]}
		if d2 := p.Distance2(q); d2 < least && ring.Locate(q) != lattice.Outside {
			at, least = q, d2
		}
	}
	if at != p {
		return at, true
	}
	least = reach * reach
	for _, q := range ring {
		if d2 := p.Distance2(q); d2 < least {
			at, least = q, d2
		}
	}
	return at, at != p
}

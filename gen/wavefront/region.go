package wavefront

import (
	"github.com/meadow-nav/meadow/gen/internal/cdt"
	"github.com/meadow-nav/meadow/lattice"
)

// seed is where a region may start: beside an exposed edge, which leaves vertex v and has a mark.
type seed struct{ v, mark int32 }

// exposed returns the half-edge of a seed, or -1 if what is beside it has been claimed.
func (w *work) exposed(s seed) int32 {
	first := w.Edge[s.v]
	for e := first; ; {
		if w.H[e].Mark == s.mark && w.Inside[e/3] {
			return e
		}
		if e = w.CCW(e); e == first || e < 0 {
			return -1
		}
	}
}

// grow places a region beside half-edge e and grows it from event to event. The result is the box
// of its fronts; the region is what is connected to e of the unclaimed space in the interior of
// the box.
//
// At the start the box has the extent of the edge. All fronts grow, and the one with the closest
// event goes first. Where it meets its event it stops for good, because a box that has grown has
// the same events and more.
func (w *work) grow(e int32) box {
	a, b := w.P[w.H[e].V], w.P[w.Head(e)]
	d := away(a, b)
	au, av := turned(d, a)
	bu, bv := turned(d, b)
	var fronts box
	fronts[(d+2)%4], fronts[(d+1)%4], fronts[(d+3)%4] = -min(au, bu), av, -bv
	fronts[d] = min(au, bu)
	fronts[d] = w.sweep(e/3, fronts, d, max(au, bu, min(au, bu)+1))

	event := [4]int64{never, never, never, never}
	var stopped [4]bool
	for range 4 {
		best, distance := -1, int64(0)
		for k := range event {
			if stopped[k] {
				continue
			}
			// Only an event that is closer than the closest one so far is of interest.
			limit := event[k]
			if best >= 0 {
				limit = min(limit, fronts[k]+distance)
			}
			at := w.sweep(e/3, fronts, k, limit)
			if at < limit {
				event[k] = at
			}
			if best < 0 || at-fronts[k] < distance {
				best, distance = k, at-fronts[k]
			}
		}
		fronts[best] += distance
		stopped[best] = true
	}
	return fronts
}

// away returns the direction nearest to the left normal of the segment from a to b.
func away(a, b lattice.Point) int {
	dx, dy := b.Sub(a)
	switch {
	case max(dx, -dx) >= max(dy, -dy) && dx > 0:
		return north
	case max(dx, -dx) >= max(dy, -dy):
		return south
	case dy > 0:
		return west
	}
	return east
}

// collect finds the triangles that the region in b is a part of and the walls along it.
func (w *work) collect(start int32, b box) {
	s := b.span(east)
	w.forget()
	w.triangles, w.contacts = w.triangles[:0], w.contacts[:0]
	w.seen(start)
	todo := append(w.todo[:0], start)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w.triangles = append(w.triangles, t)
		for k := range int32(3) {
			e := 3*t + k
			h := w.H[e]
			if h.Mark == cdt.Free && w.visited[h.Opp/3] == w.stamp {
				continue
			}
			if !w.enters(s, e) {
				continue
			}
			if h.Mark != cdt.Free {
				w.contacts = append(w.contacts, contact{e, h.V, w.Head(e)})
			} else {
				w.seen(h.Opp / 3)
				todo = append(todo, h.Opp/3)
			}
		}
	}
	w.todo = todo
}

// contact is an edge that the region lies along: its half-edge with the region on the left, and
// where that runs from and to.
type contact struct{ e, from, to int32 }

// enters tells whether the edge of e has a point in the interior of s.
func (w *work) enters(s span, e int32) bool {
	a, b := w.P[w.H[e].V], w.P[w.Head(e)]
	_, ok := s.enters(int64(a.X), int64(a.Y), int64(b.X), int64(b.Y))
	return ok
}

// restart returns one of the collected triangles that has a point in the interior of b, a part of
// the box that they were collected for.
func (w *work) restart(b box) (t int32, ok bool) {
	s := b.span(east)
	for _, t := range w.triangles {
		for k := range int32(3) {
			if w.enters(s, 3*t+k) {
				return t, true
			}
		}
	}
	// No edge enters b: it is in the interior of one triangle.
	corner := lattice.Point{X: int32(-b[west]), Y: int32(-b[south])}
	for _, t := range w.triangles {
		if w.covers(t, corner) {
			return t, b[east] > -b[west] && b[north] > -b[south]
		}
	}
	return 0, false
}

// covers tells whether p lies in triangle t or on its border.
func (w *work) covers(t int32, p lattice.Point) bool {
	for k := range int32(3) {
		if e := 3*t + k; lattice.Orient(w.P[w.H[e].V], w.P[w.Head(e)], p) < 0 {
			return false
		}
	}
	return true
}

// crossing is where front d meets the line from p to q, p and q on different sides of it: the lattice point
// on the front nearest to the exact place on the left of the line.
func crossing(d int, at int64, p, q lattice.Point) (c lattice.Point, exact bool) {
	pu, pv := turned(d, p)
	qu, qv := turned(d, q)
	rise := qv - pv
	var v int64
	if du := qu - pu; du > 0 {
		v = pv - floorDiv(-rise*(at-pu), du) // up, the free side
	} else {
		v = pv + floorDiv(rise*(pu-at), -du)
	}
	c = turnedBack(d, at, v)
	return c, lattice.Orient(p, q, c) == 0
}

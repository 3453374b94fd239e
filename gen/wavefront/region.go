package wavefront

import (
	"github.com/meadow-nav/meadow/gen/internal/growth"
	"github.com/meadow-nav/meadow/lattice"
)

// grow places a region beside half-edge e and grows it from event to event. The result is the box
// of its fronts; the region is what is connected to e of the unclaimed space in the interior of
// the box.
//
// At the start the box has the extent of the edge. All fronts grow, and the one with the closest
// event goes first. Where it meets its event it stops for good, because a box that has grown has
// the same events and more.
func grow(w *growth.World, e int32) growth.Box {
	a, b := w.Ends(e)
	d := away(a, b)
	au, av := growth.Turned(d, a)
	bu, bv := growth.Turned(d, b)
	var fronts growth.Box
	fronts[(d+2)%4], fronts[(d+1)%4], fronts[(d+3)%4] = -min(au, bu), av, -bv
	fronts[d] = min(au, bu)
	fronts[d] = w.Sweep(e/3, fronts, d, max(au, bu, min(au, bu)+1))

	event := [4]int64{growth.Never, growth.Never, growth.Never, growth.Never}
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
			at := w.Sweep(e/3, fronts, k, limit)
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
		return growth.North
	case max(dx, -dx) >= max(dy, -dy):
		return growth.South
	case dy > 0:
		return growth.West
	}
	return growth.East
}

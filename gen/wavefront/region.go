package wavefront

import (
	"github.com/meadow-nav/meadow/gen/internal/growth"
	"github.com/meadow-nav/meadow/lattice"
)

// maxRetreats is how often a region retreats from a tip before it stops at the next one.
const maxRetreats = 16

// grow places a region beside half-edge e and grows it from event to event. The result is the box
// of its fronts; the region is what is connected to e of the unclaimed space in the interior of
// the box.
func grow(w *growth.World, e int32) growth.Box {
	g := growing{World: w, e: e}
	for d := range g.limit {
		g.limit[d] = growth.Never
	}
	for range maxRetreats {
		box, tip, d := g.attempt(true)
		if tip < 0 || !g.retreat(tip, d) {
			return box
		}
	}
	box, _, _ := g.attempt(false)
	return box
}

// growing is a region on its way.
type growing struct {
	*growth.World
	e     int32
	limit [4]int64 // how far a front may go after retreats
}

// attempt grows all fronts, and the one with the closest event goes first. Where it meets its event it stops for good, because a box that has grown has
// the same events and more. At a tip it gives up.
//
// At the start the box has the extent of the edge.
func (g *growing) attempt(tips bool) (box growth.Box, tip int32, dir int) {
	a, b := g.Ends(g.e)
	d := away(a, b)
	au, av := growth.Turned(d, a)
	bu, bv := growth.Turned(d, b)
	var fronts growth.Box
	fronts[(d+2)%4], fronts[(d+1)%4], fronts[(d+3)%4] = -min(au, bu), min(av, g.limit[(d+1)%4]), min(-bv, g.limit[(d+3)%4])
	fronts[d] = min(au, bu)
	first := g.Sweep(g.e/3, fronts, d, min(g.limit[d], max(au, bu, min(au, bu)+1)))
	if tips && g.isTip(first, d) {
		return fronts, first.Notch, d
	}
	fronts[d] = first.At

	event := [4]growth.Event{{Notch: -1}, {Notch: -1}, {Notch: -1}, {Notch: -1}}
	for k := range event {
		event[k].At = g.limit[k]
	}
	var stopped [4]bool
	for range 4 {
		best, distance := -1, int64(0)
		for k := range event {
			if stopped[k] {
				continue
			}
			// Only an event that is closer than the closest one so far is of interest.
			limit := event[k].At
			if best >= 0 {
				limit = min(limit, fronts[k]+distance)
			}
			at := g.Sweep(g.e/3, fronts, k, limit)
			if at.At < limit {
				event[k] = at
			}
			if best < 0 || at.At-fronts[k] < distance {
				best, distance = k, at.At-fronts[k]
			}
		}
		if tips && g.isTip(event[best], best) && fronts[best]+distance == event[best].At {
			return fronts, event[best].Notch, best
		}
		fronts[best] += distance
		stopped[best] = true
	}
	return fronts, -1, 0
}

func (g *growing) isTip(e growth.Event, d int) bool {
	if e.Notch < 0 {
		return false
	}
	ahead, along := g.Behind(e.Notch, d)
	return ahead && !along
}

// retreat limits the fronts beside front d to the place of the tip that it met.
func (g *growing) retreat(tip int32, d int) bool {
	p, _ := g.Ends(tip)
	_, v := growth.Turned(d, p)
	a, b := g.Ends(g.e)
	_, av := growth.Turned(d, a)
	_, bv := growth.Turned(d, b)
	lo, hi := min(av, bv), max(av, bv)
	left, right := (d+1)%4, (d+3)%4
	lo, hi = max(lo, -g.limit[right]), min(hi, g.limit[left])
	if v-lo > hi-v {
		g.limit[left] = v
	} else {
		g.limit[right] = -v
	}
	return true
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

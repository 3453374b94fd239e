package wavefront

import (
	"github.com/meadow-nav/meadow/gen/internal/growth"
	"github.com/meadow-nav/meadow/lattice"
)

// maxRetreats is how often a region retreats beside a notch; from then on it stops at every one.
const maxRetreats = 16

// region is a region on its way.
type region struct {
	*growth.World
	e        int32 // the half-edge that it was seeded beside
	box      growth.Box
	fronts   [4]front
	retreats int
}

// front is what a region knows of one of its fronts.
type front struct {
	event   growth.Event // the closest one known
	stopped bool
	// why a front has stopped: it has come to a notch, or retreated to it, or neither: walls closed in on it when the region
	// was seen.
	why   reason
	notch lattice.Point
	seen  growth.Box
}

type reason uint8

const (
	closedIn reason = iota
	cameTo
	retreatedTo
)

// unknown is the event of a front of which nothing is known.
var unknown = growth.Event{At: growth.Never, Notch: -1}

// grow places a region beside half-edge e and grows it from event to event. The result is the box
// of its fronts; the region is what is connected to e of the unclaimed space in the interior of
// the box.
//
// At the start the box has the extent of the edge. All fronts grow, and the one with the closest
// event goes first. Where it meets its event it stops, because a box that has grown has the same
// events and more; it goes on when the region has retreated from what stopped it.
func grow(w *growth.World, e int32) growth.Box {
	r := region{World: w, e: e}
	for d := range r.fronts {
		r.fronts[d].event = unknown
	}
	r.start()
	for {
		d := r.closest()
		if d < 0 && !r.reopen() {
			return r.box
		}
		if d >= 0 {
			r.advance(d, r.fronts[d].event)
		}
	}
}

// start makes the box of the seed: as wide as its edge, and as far ahead as the edge goes, or to a
// notch before that.
func (r *region) start() {
	a, b := r.Ends(r.e)
	d := away(a, b)
	au, av := growth.Turned(d, a)
	bu, bv := growth.Turned(d, b)
	r.box[(d+2)%4], r.box[(d+1)%4], r.box[(d+3)%4] = -min(au, bu), av, -bv
	r.box[d] = min(au, bu)
	for !r.fronts[d].stopped {
		event := r.Sweep(r.e/3, r.box, d, max(au, bu, min(au, bu)+1))
		if event.Notch < 0 {
			r.box[d] = event.At
			return
		}
		r.advance(d, event)
	}
}

// closest returns the front with the closest event, -1 if all have stopped.
func (r *region) closest() int {
	best, distance := -1, int64(0)
	for d := range r.fronts {
		f := &r.fronts[d]
		if f.stopped {
			continue
		}
		// Only an event that is closer than the closest one so far is of interest.
		limit := f.event.At
		if best >= 0 {
			limit = min(limit, r.box[d]+distance)
		}
		event := r.Sweep(r.e/3, r.box, d, limit)
		if event.At < limit {
			f.event = event
		}
		if best < 0 || event.At-r.box[d] < distance {
			best, distance = d, event.At-r.box[d]
		}
	}
	return best
}

// reopen lets the fronts grow that walls had closed in on when the region was smaller. It returns
// false if there are none.
func (r *region) reopen() bool {
	any := false
	for d := range r.fronts {
		if f := &r.fronts[d]; f.why == closedIn && f.seen != r.box {
			f.stopped, f.event = false, unknown
			any = true
		}
	}
	return any
}

// advance moves front d to its event, and stops it there unless another cut from the notch is better than the front.
func (r *region) advance(d int, event growth.Event) {
	r.box[d] = event.At
	f := &r.fronts[d]
	f.stopped, f.why, f.seen = true, closedIn, r.box
	if event.Notch < 0 {
		return
	}
	f.notch, _ = r.Ends(event.Notch)
	f.why = cameTo
	if r.retreats == maxRetreats {
		return
	}
	cuts := r.CutsFrom(event.Notch, d)
	along, across := max(cuts[1], cuts[3]), max(cuts[0], cuts[2])
	sharp := r.Sharp(event.Notch, d)
	if along < across || cuts.Best() < 0 && sharp != 0 {
		r.retreat(d, sharp)
	}
}

// retreat draws the front to the left or to the right of front d back to the notch that d has come to, and leaves the larger part of the
// seed in the region. Front d goes on, but for a region that has a sharp notch at its corner.
func (r *region) retreat(d, sharp int) {
	r.retreats++
	p := r.fronts[d].notch
	_, v := growth.Turned(d, p)
	a, b := r.Ends(r.e)
	_, av := growth.Turned(d, a)
	_, bv := growth.Turned(d, b)
	left, right := (d+1)%4, (d+3)%4
	lo, hi := max(min(av, bv), -r.box[right]), min(max(av, bv), r.box[left])
	side := right
	if v-lo > hi-v {
		side, r.box[left] = left, v
	} else {
		r.box[right] = -v
	}
	for k := range r.fronts {
		if k != d && !r.justified(k) {
			r.fronts[k].stopped, r.fronts[k].event = false, unknown
		}
	}
	f := &r.fronts[side]
	f.stopped, f.why, f.notch = true, retreatedTo, p
	if sharp == 0 || (sharp > 0) != (side == left) {
		r.fronts[d].stopped, r.fronts[d].event = false, unknown
	}
}

// justified tells whether the notch that stopped front k is still one that the region has on it.
func (r *region) justified(k int) bool {
	f := r.fronts[k]
	if f.why == closedIn || !r.box.Touches(k, f.notch) {
		return false
	}
	_, v := growth.Turned(k, f.notch)
	return f.why == retreatedTo || -r.box[(k+3)%4] < v && v < r.box[(k+1)%4]
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

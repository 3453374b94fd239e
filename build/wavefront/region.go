package wavefront

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/growth"
)

// maxRetreats is how often a region retreats beside a notch; from then on the region stops at every notch.
const maxRetreats = 16

// region is a region in growth.
type region struct {
	*growth.World
	e        int32 // the seed's half-edge
	ahead    int   // the direction away from e
	box      growth.Box
	fronts   [4]front
	retreats int
}

// front is the state of one front of a region.
type front struct {
	stopped bool
	why     reason
	notch   lattice.Point // that it stopped at
	seen    growth.Box    // the region when the front stopped
}

// reason is why a front has stopped.
type reason uint8

// The reasons.
const (
	closedIn    reason = iota // walls left no part of it
	cameTo                    // a notch
	retreatedTo               // back at a notch met by the front beside it
)

// grow places a region beside half-edge e and grows it from event to event. The result is the box of the
// region's fronts; the region is the part of the unclaimed space inside the box that is connected to e.
//
// At the start the box is as wide as the edge. Then the fronts take turns: first the front away from the
// edge, then the fronts beside it, then the front behind. Each front goes to its event and stops there,
// because a larger box has at least the same events; a front goes on when a retreat of the region frees it
// from its event.
func grow(w *growth.World, e int32) growth.Box {
	a, b := w.Ends(e)
	r := region{World: w, e: e, ahead: growth.Away(a, b)}
	r.box = seed(a, b, r.ahead)
	w.TraceSeed(r.box)
	for r.next() || r.reopen() {
		w.TraceGrown(r.box)
	}
	return r.box
}

// seed returns the first box of a region beside the edge from a to b: as wide as the edge, without height, at
// the rear end of the edge.
func seed(a, b lattice.Point, ahead int) (s growth.Box) {
	au, av := growth.Turned(ahead, a)
	bu, bv := growth.Turned(ahead, b)
	s[ahead], s[(ahead+1)%4], s[(ahead+2)%4], s[(ahead+3)%4] = min(au, bu), av, -min(au, bu), -bv
	return s
}

// next moves the next front to its event. The result is false if all have stopped.
func (r *region) next() bool {
	for _, turn := range [...]int{0, 1, 3, 2} {
		if d := (r.ahead + turn) % 4; !r.fronts[d].stopped {
			r.advance(d, r.Sweep(r.e/3, r.box, d, growth.Never))
			return true
		}
	}
	return false
}

// reopen restarts the fronts that walls closed in while the region was smaller. The result is false if none
// was closed in.
func (r *region) reopen() bool {
	again := false
	for d := range r.fronts {
		if f := &r.fronts[d]; f.why == closedIn && f.seen != r.box {
			f.stopped = false
			again = true
		}
	}
	return again
}

// advance moves front d to its event. It stops there, unless a cut from the notch across the front is worth
// more than a cut along it.
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

// retreat draws a front beside front d back to d's notch: the front whose retreat leaves the larger part of
// the seed's edge in the region. Front d goes on. Only where the notch is sharp and the region not on its
// side does d stop too: the notch is at the corner of the region, and no cut makes a small angle with it.
// Fronts whose obstacle is now outside the region go on as well.
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
			r.fronts[k].stopped = false
		}
	}
	f := &r.fronts[side]
	f.stopped, f.why, f.notch = true, retreatedTo, p
	if sharp == 0 || (sharp > 0) != (side == left) {
		r.fronts[d].stopped = false
	}
}

// justified reports whether the notch that stopped front k still is on the region.
func (r *region) justified(k int) bool {
	f := r.fronts[k]
	if f.why == closedIn || !r.box.Touches(k, f.notch) {
		return false
	}
	_, v := growth.Turned(k, f.notch)
	return f.why == retreatedTo || -r.box[(k+3)%4] < v && v < r.box[(k+1)%4]
}

package growth

import (
	"context"

	"github.com/meadow-nav/meadow/build/gen"
)

// event will happen to a region when fronts have come far enough, unless they stop before.
type event struct {
	turn   int64
	kind   uint8
	region int32
	at     int32 // the half-edge, or the visit of the triangle
}

// The kinds of event. A step forbidden by a notch, a wall or an overlap does not reach anything, so reach is
// the last.
const (
	notch uint8 = iota
	wall
	overlap
	reach
)

// before is the order of events: by turn, then by kind, and in the same order on every machine.
func (e event) before(f event) bool {
	switch {
	case e.turn != f.turn:
		return e.turn < f.turn
	case e.kind != f.kind:
		return e.kind < f.kind
	case e.region != f.region:
		return e.region < f.region
	}
	return e.at < f.at
}

// turnOf returns the turn of an event for the present fronts. The turn may only grow over time, because
// fronts only stop.
func (r *Round) turnOf(e event) int64 {
	switch e.kind {
	case notch:
		return r.holds(e.region, r.w.H[e.at].V)
	case overlap:
		return r.overlapsBefore(e.at)
	}
	return r.meets(e.region, e.at)
}

// overlapsBefore returns the first turn after which the region of a visit overlaps, in the triangle, a region
// that came there earlier. Later regions check for themselves.
func (r *Round) overlapsBefore(v int32) int64 {
	first, gap, at := never, never, r.visits[v]
	for u := at.before; u >= 0; u = r.visits[u].before {
		if other := r.visits[u].region; !r.apart(at.region, other, gap) {
			if turn := r.overlap(at.region, other, at.triangle, first); turn < first {
				first, gap = turn, 2*(turn/r.period+1)
			}
		}
	}
	return first
}

// apart reports whether a gap of more than a width was between regions i and j at first: then their boxes do not
// meet within half as many passes. It only saves time, where many regions come to a long wall.
func (r *Round) apart(i, j int32, width int64) bool {
	f, g := &r.regions[i].fronts, &r.regions[j].fronts
	return -f[East].at-g[West].at > width || -f[West].at-g[East].at > width ||
		-f[North].at-g[South].at > width || -f[South].at-g[North].at > width
}

// GrowByEvents grows all regions until none can, from event to event: the result equals [Round.GrowBySteps]
// with steps of one lattice unit, in time independent of the number of steps. Regions and triangles that meet
// cost O(log n) each.
func (r *Round) GrowByEvents(ctx context.Context) error {
	r.period = 4 * int64(len(r.regions))
	for v := range r.visits {
		r.announce(int32(v))
	}
	for n := 0; len(r.events) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := r.pop()
		if e.kind == reach && r.visited(e.region, r.w.H[e.at].Opp/3) {
			continue
		}
		now := e.turn
		if e.turn = r.turnOf(e); e.turn != now {
			r.push(e)
			continue
		}
		id := int32(now % r.period / 4)
		if e.kind == reach {
			r.reaching = append(r.reaching[:0], e)
			for len(r.events) > 0 && r.events[0].turn == now {
				r.reaching = append(r.reaching, r.pop())
			}
			if r.step(id, now) {
				continue
			}
		} else {
			r.reaching = append(r.reaching[:0], e)
		}
		r.stop(id, now)
		for _, e := range r.reaching {
			e.turn = r.turnOf(e)
			r.push(e)
		}
	}
	return nil
}

// stop stops the front of the turn if it is still before the turn.
func (r *Round) stop(id int32, turn int64) {
	for d := range 4 {
		if f := &r.regions[id].fronts[d]; f.own == turn%r.period {
			f.at += turn / r.period
			f.stopped = true
			if t := r.w.trace.to; t != nil {
				t.Trace(gen.Event{Kind: gen.Stopped, Region: r.regions[id].name, Front: directions[d], Time: turn / r.period})
			}
		}
	}
}

// step tries the step of a turn at which region id reaches the edges in r.reaching, and everything connected
// behind them. If nothing there forbids the step, the region takes these triangles.
func (r *Round) step(id int32, turn int64) bool {
	r.flood = r.flood[:0]
	r.w.forget()
	for _, e := range r.reaching {
		if t := r.w.H[e.at].Opp / 3; r.turnOf(e) == turn && !r.visited(id, t) && !r.w.seen(t) {
			r.flood = append(r.flood, t)
		}
	}
	for i := 0; i < len(r.flood); i++ {
		t := r.flood[i]
		for v := r.first[t]; v >= 0; v = r.visits[v].before {
			if r.overlap(id, r.visits[v].region, t, turn+1) <= turn {
				return false
			}
		}
		for e := 3 * t; e < 3*t+3; e++ {
			if r.blocks(e) && r.meets(id, e) <= turn || r.isNotch(e) && r.holds(id, r.w.H[e].V) <= turn {
				return false
			}
			if r.w.free(e) && r.meets(id, e) <= turn {
				if o := r.w.H[e].Opp / 3; !r.visited(id, o) && !r.w.seen(o) {
					r.flood = append(r.flood, o)
				}
			}
		}
	}
	v := len(r.visits)
	r.commit(id)
	for ; v < len(r.visits); v++ {
		r.announce(int32(v))
	}
	for _, e := range r.reaching {
		if t := r.w.H[e.at].Opp / 3; !r.visited(e.region, t) {
			e.turn = r.turnOf(e)
			r.push(e)
		}
	}
	return true
}

// announce adds the future events of a visit's region in its triangle.
func (r *Round) announce(v int32) {
	id, t := r.visits[v].region, r.visits[v].triangle
	r.foresee(event{kind: overlap, region: id, at: v})
	for e := 3 * t; e < 3*t+3; e++ {
		if r.blocks(e) {
			r.foresee(event{kind: wall, region: id, at: e})
		}
		if r.isNotch(e) {
			r.foresee(event{kind: notch, region: id, at: e})
		}
		if r.w.free(e) && !r.visited(id, r.w.H[e].Opp/3) {
			r.foresee(event{kind: reach, region: id, at: e})
		}
	}
}

// foresee adds an event at its turn.
func (r *Round) foresee(e event) {
	e.turn = r.turnOf(e)
	r.push(e)
}

// push and pop keep r.events a binary heap. Events that never happen are not kept.
func (r *Round) push(e event) {
	if e.turn == never {
		return
	}
	h := append(r.events, e)
	i := len(h) - 1
	for i > 0 && h[i].before(h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	r.events = h
}

func (r *Round) pop() event {
	h := r.events
	top, n := h[0], len(h)-1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	r.events = h
	return top
}

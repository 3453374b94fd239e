package growth

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Turns are numbered through all passes: front f has turn k·period + f.own in pass k. While only the turns
// determine the fronts, all events of a region are predictable: the first turn at which some sums of fronts
// pass some bounds.
//
// Sums are of the kind in [lattice.Orient] for points in the frame, so they fit an int64; parts may wrap
// around and back.
const (
	already int64 = -1            // has happened
	never   int64 = math.MaxInt64 // cannot happen, as fronts are now
	passes  int64 = 1 << 33       // after so many every front has left the frame
)

// after returns the first turn after which front f is beyond bound.
func (r *Round) after(f *front, bound int64) int64 {
	switch {
	case f.at > bound:
		return already
	case f.stopped:
		return never
	}
	return (bound-f.at)*r.period + f.own
}

// afterBoth returns the first turn after which a·f + b·g is more than bound, for a, b ≥ 0.
func (r *Round) afterBoth(a int64, f *front, b int64, g *front, bound int64) int64 {
	sum, rate := a*f.at+b*g.at-bound, int64(0)
	if sum > 0 {
		return already
	}
	if f.stopped {
		a = 0
	}
	if g.stopped {
		b = 0
	}
	if rate = a + b; rate == 0 {
		return never
	}
	whole := -sum / rate
	if whole > passes {
		return never
	}
	sum += whole * rate
	if f.own > g.own {
		f, g, a, b = g, f, b, a
	}
	if sum+a > 0 {
		return whole*r.period + f.own
	}
	return whole*r.period + g.own
}

// beyond returns the first turn after which the box with x fronts from fx and y fronts from fy has a point to
// the left of the line from p to q.
func (r *Round) beyond(p, q lattice.Point, fx, fy *[4]front) int64 {
	dx, dy := q.Sub(p)
	px, py := int64(p.X), int64(p.Y)
	x, y := East, North
	if dy > 0 {
		x, px = West, -px
	}
	if dx < 0 {
		y, py = South, -py
	}
	dx, dy = max(dx, -dx), max(dy, -dy)
	return r.afterBoth(dy, &fx[x], dx, &fy[y], dy*px+dx*py)
}

// bounds returns the limits that the fronts of a box must exceed to meet the box around p and q.
func bounds(p, q lattice.Point) Box {
	return Box{int64(min(p.X, q.X)), int64(min(p.Y, q.Y)), -int64(max(p.X, q.X)), -int64(max(p.Y, q.Y))}
}

// afterAll returns the first turn after which every front is beyond its bound.
func (r *Round) afterAll(f *[4]front, b Box) int64 {
	last := already
	for d := range f {
		last = max(last, r.after(&f[d], b[d]))
	}
	return last
}

// meets returns the first turn after which the interior of the box of region id has a point of the
// edge of e.
func (r *Round) meets(id, e int32) int64 {
	p, q := r.w.Ends(e)
	f := &r.regions[id].fronts
	last := r.afterAll(f, bounds(p, q))
	if last == never || p.X == q.X || p.Y == q.Y {
		return last
	}
	return max(last, r.beyond(p, q, f, f), r.beyond(q, p, f, f))
}

// holds returns the first turn after which the interior of the box of region id has vertex v.
func (r *Round) holds(id, v int32) int64 {
	p := r.w.P[v]
	return r.afterAll(&r.regions[id].fronts, bounds(p, p))
}

// overlap returns the first turn after which regions i and j overlap in triangle t, where both have a part:
// in t a region is the inside of its box. Turns from limit on need not be exact.
//
// Two convex sets are separate iff a side of one of them separates them. The corner of the common box that is
// farthest beyond a side of the triangle is the nearer of the two fronts in x and in y. The corner is beyond
// when all four pairs of fronts are.
func (r *Round) overlap(i, j, t int32, limit int64) int64 {
	f, g := &r.regions[i].fronts, &r.regions[j].fronts
	last := already
	for d := range f {
		if last = max(last, r.afterBoth(1, &f[d], 1, &g[(d+2)%4], 0)); last >= limit {
			return last
		}
	}
	a, b := r.w.Ends(3 * t)
	c := r.w.P[r.w.Apex(3*t)]
	box := bounds(a, b)
	for d, at := range bounds(c, c) {
		box[d] = min(box[d], at)
	}
	if last = max(last, r.afterAll(f, box), r.afterAll(g, box)); last >= limit {
		return last
	}
	for e := 3 * t; e < 3*t+3; e++ {
		p, q := r.w.Ends(e)
		if p.X == q.X || p.Y == q.Y {
			continue
		}
		last = max(last, r.beyond(p, q, f, f), r.beyond(p, q, f, g), r.beyond(p, q, g, f), r.beyond(p, q, g, g))
	}
	return last
}

// free tells whether the space goes on behind half-edge e.
func (w *World) free(e int32) bool { return w.H[e].Mark == cdt.Free }

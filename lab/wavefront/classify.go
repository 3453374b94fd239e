package wavefront

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/growth"
)

// order is the order of the categories; an edge goes into the first that applies.
var order = [4]int{growth.North, growth.South, growth.East, growth.West}

// edge is a straight piece of an obstruction or a region, with unclaimed space to its left.
type edge struct{ a, b lattice.Point }

// edges lists the exposed edges of obstructions and regions, by the places of their ends, without vertices in the middle of a straight piece.
func edges(w *growth.World) (all []edge) {
	follows := map[int32]bool{} // half-edges that continue another one straight on
	next := func(e int32) int32 {
		for e = cdt.Next(e); w.H[e].Mark == cdt.Free; {
			e = cdt.Next(w.H[e].Opp)
		}
		return e
	}
	exposed := func(e int32) bool { return w.H[e].Mark != cdt.Free && w.Inside[e/3] }
	straight := func(e, f int32) bool {
		a, b := w.Ends(e)
		_, c := w.Ends(f)
		return lattice.Orient(a, b, c) == 0 && lattice.Dot(b, a, c) < 0
	}
	for e := range int32(len(w.H)) {
		if exposed(e) {
			if f := next(e); straight(e, f) {
				follows[f] = true
			}
		}
	}
	for e := range int32(len(w.H)) {
		if !exposed(e) || follows[e] {
			continue
		}
		a, b := w.Ends(e)
		for f := next(e); follows[f]; f = next(f) {
			_, b = w.Ends(f)
		}
		all = append(all, edge{a, b})
	}
	slices.SortFunc(all, func(e, f edge) int { return cmp.Or(e.a.Compare(f.a), e.b.Compare(f.b)) })
	return all
}

// faces reports whether the normal of the edge points to the seed's side.
func (e edge) faces(seed lattice.Point) bool { return lattice.Orient(e.a, e.b, seed) > 0 }

// category returns the first category that applies to the edge: an arc of 90° around an axis, as seen from the seed.
func (e edge) category(seed lattice.Point) int {
	for _, d := range order {
		if e.inArc(seed, d) {
			return d
		}
	}
	return order[0] // the edge goes through the seed
}

// inArc reports whether the edge has a point in the arc around direction d: ahead of the seed, and at most as far to the
// side as ahead.
func (e edge) inArc(seed lattice.Point, d int) bool {
	au, av := from(seed, d, e.a)
	bu, bv := from(seed, d, e.b)
	if au > 0 && max(av, -av) <= au || bu > 0 && max(bv, -bv) <= bu {
		return true
	}
	// Both ends are outside: the edge crosses the arc if it crosses both its rays, so one is enough.
	s, t := av-au, bv-bu // above 0 to the left of the ray u = v
	if s == t || s > 0 == (t > 0) && s != 0 && t != 0 {
		return false
	}
	// u at the crossing is (au·t − bu·s)/(t − s).
	if num := float64(au)*float64(t) - float64(float64(bu)*float64(s)); t > s {
		return num > 0
	} else {
		return num < 0
	}
}

// from returns where p is from the seed in the frame turned so that direction d points to the east.
func from(seed lattice.Point, d int, p lattice.Point) (u, v int64) {
	su, sv := growth.Turned(d, seed)
	u, v = growth.Turned(d, p)
	return u - su, v - sv
}

// The cases of an edge against the front of its category, figures 7.1 and 7.2.
const (
	parallel = iota
	inward
	away
)

// slope returns the case of the edge against the front of direction d. An edge slopes inward if the vertex nearer to the
// front is also nearer to the middle of the front, and intrudes; otherwise an end of the front comes to the edge first.
func (e edge) slope(seed lattice.Point, d int) int {
	nu, nv := from(seed, d, e.a)
	fu, fv := from(seed, d, e.b)
	if nu == fu {
		return parallel
	}
	if nu > fu {
		nv, fv = fv, nv
	}
	if nv >= 0 && fv > nv || nv <= 0 && fv < nv {
		return inward
	}
	return away
}

// event is a place that a region may grow to.
type event struct {
	at       lattice.Point
	distance float64 // of the edge's closest point from the seed, squared
	later    int     // 1 and 2 for the ends of an edge behind its closest point
}

// events appends the events of the edge against the front of direction d.
func (e edge) events(list []event, seed lattice.Point, d int) []event {
	closest, distance := e.closest(seed)
	near, far := e.a, e.b
	if seed.Distance2(far) < seed.Distance2(near) {
		near, far = far, near
	}
	switch e.slope(seed, d) {
	case parallel:
		return append(list, event{closest, distance, 0})
	case inward:
		return append(list, event{near, float64(seed.Distance2(near)), 0})
	}
	list = append(list, event{closest, distance, 0})
	if closest != near {
		list = append(list, event{near, distance, 1}, event{far, distance, 2})
	}
	return list
}

// closest returns the point of the edge closest to the seed, rounded towards the seed, and its distance squared. All
// coordinates are relative to the seed, so that rounding does not depend on the place in the world.
func (e edge) closest(seed lattice.Point) (p lattice.Point, distance float64) {
	ax, ay := e.a.Sub(seed)
	dx, dy := e.b.Sub(e.a)
	t := min(1, max(0, float64(lattice.Dot(e.a, e.b, seed))/float64(e.a.Distance2(e.b))))
	x := float64(ax) + float64(t*float64(dx))
	y := float64(ay) + float64(t*float64(dy))
	p = lattice.Point{X: seed.X + int32(math.Trunc(x)), Y: seed.Y + int32(math.Trunc(y))}
	return p, float64(x*x) + float64(y*y)
}

// classify looks at all edges and returns the events of those that face the seed, the closest first.
func classify(all []edge, seed lattice.Point) (list []event) {
	for _, e := range all {
		if e.faces(seed) {
			list = e.events(list, seed, e.category(seed))
		}
	}
	slices.SortStableFunc(list, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.later, b.later))
	})
	return list
}

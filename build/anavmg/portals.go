package anavmg

import (
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// mend makes the free space of vertex n convex between the constrained edges e1 and e2. It returns false on
// failure, which would contradict the package's proof.
func (w *work) mend(n, e1, e2 int32) bool {
	f, from, to := w.closest(n, e1, e2)
	cone := cone{w.P[n], from, to}
	switch {
	case f.v >= 0:
		w.counts["vertex-vertex"]++
		return w.connect(n, f.v)
	case w.H[f.at.half].Mark < int32(len(w.Walls)):
		if w.toEdge(n, cone, f.at) {
			w.counts["vertex-edge"]++
			return true
		}
		w.counts["crowded"]++
	default:
		w.counts["vertex-portal"]++
	}
	return w.toEnds(n, cone, f.at) || w.toView(n, cone, f.at)
}

// cone is a closed area of interest.
type cone struct {
	at       lattice.Point
	from, to vector // counter-clockwise, less than 180° apart
}

// has tells whether p is in the cone.
func (c cone) has(p lattice.Point) bool {
	x, y := p.Sub(c.at)
	d := vector{x, y}
	return cross(c.from, d) >= 0 && cross(d, c.to) >= 0
}

// connect makes a portal, unless something blocks it.
func (w *work) connect(u, v int32) bool {
	if w.Connect(u, v, int32(len(w.Walls)+len(w.portals))) != cdt.Clear {
		return false
	}
	w.portals = append(w.portals, portal{from: u, to: v})
	w.tell(gen.Cut, u, v)
	return true
}

// toEnds connects n to the ends of its closest edge: to the nearest visible end in the cone, or to both ends
// if none is in the cone and both are visible.
func (w *work) toEnds(n int32, c cone, at sight) bool {
	u, v := w.H[at.half].V, w.Head(at.half)
	if w.P[v].Distance2(c.at) < w.P[u].Distance2(c.at) {
		u, v = v, u
	}
	inU, inV := c.has(w.P[u]), c.has(w.P[v])
	if inU && w.connect(n, u) || inV && w.connect(n, v) {
		return true
	}
	if inU || inV || !w.sees(n, u, at.half) || !w.sees(n, v, at.half) {
		return false
	}
	return w.connect(n, u) && w.connect(n, v)
}

// sees tells whether n sees vertex v, which is an end of the half-edge half.
func (w *work) sees(n, v, half int32) bool {
	b := w.Sees(n, w.P[v], half)
	return b == cdt.Clear || b.Vertex == v
}

// toView connects n to the vertices that bound its view of the edge, which n surely sees: to one if it is in
// the cone, to both otherwise. The angle between the two is below 180°, and so is the angle from each to the
// notch's edge on its side.
func (w *work) toView(n int32, c cone, at sight) bool {
	u, v := at.right, at.left
	if w.P[v].Distance2(c.at) < w.P[u].Distance2(c.at) {
		u, v = v, u
	}
	switch {
	case c.has(w.P[u]):
		return w.connect(n, u)
	case c.has(w.P[v]):
		return w.connect(n, v)
	}
	return w.connect(n, u) && w.connect(n, v)
}

// dispense removes the unnecessary portals in the order of their making: the angles at both ends stay convex
// without them. The two convex cells become one convex cell.
func (w *work) dispense() {
	half := make([]int32, len(w.portals))
	for e, h := range w.H {
		if i := h.Mark - int32(len(w.Walls)); i >= 0 {
			half[i] = int32(e)
		}
	}
	for i := range w.portals {
		if w.portals[i].gone {
			continue
		}
		e := half[i]
		if w.needed(e) || w.needed(w.H[e].Opp) || w.near > 0 && w.bridge(e) {
			w.counts["portals"]++
			continue
		}
		w.Release(e)
		w.portals[i].gone = true
		w.tell(gen.Released, w.portals[i].from, w.portals[i].to)
		w.counts["dispensable"]++
	}
}

// needed tells whether the free space at the start of e would not be convex without e.
func (w *work) needed(e int32) bool {
	prev, next := w.CW(e), w.CCW(e)
	for w.H[prev].Mark == cdt.Free {
		prev = w.CW(prev)
	}
	for w.H[next].Mark == cdt.Free {
		next = w.CCW(next)
	}
	v := w.H[e].V
	return cross(w.vector(v, w.Head(prev)), w.vector(v, w.Head(next))) < 0 && !w.nearlyConvex(prev, next)
}

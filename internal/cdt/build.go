package cdt

import "github.com/meadow-nav/meadow/geom/lattice"

// New returns the Delaunay triangulation of points, whose coordinates are within
// ±[lattice.MaxCoord]. Point i becomes vertex ids[i]; equal points become the same vertex.
func New(points []lattice.Point) (t *Triangulation, ids []int32) {
	n := len(points)
	lo, hi := bounds(points)
	t = &Triangulation{
		P:      make([]lattice.Point, 4, 4+n+n/4),
		H:      make([]Half, 0, 6*(n+n/4)+12),
		Edge:   make([]int32, 4+n, 4+n+n/4),
		Inside: make([]bool, 0, 2*(n+n/4)+4),
	}
	for i := range t.Edge {
		t.Edge[i] = -1
	}
	t.P[0] = lattice.Point{X: lo.X - 1, Y: lo.Y - 1}
	t.P[1] = lattice.Point{X: hi.X + 1, Y: lo.Y - 1}
	t.P[2] = lattice.Point{X: hi.X + 1, Y: hi.Y + 1}
	t.P[3] = lattice.Point{X: lo.X - 1, Y: hi.Y + 1}
	t.P = append(t.P, points...)
	t.Inside = append(t.Inside, false)
	t.H = append(t.H, Half{Opp: -1, Mark: Free}, Half{Opp: -1, Mark: Free}, Half{Opp: -1, Mark: Free})
	s := t.grow(0)
	t.put(0, 0, 1, 2)
	t.put(s, 0, 2, 3)
	t.join(2, s, Free)

	ids = make([]int32, n)
	at := int32(0)
	for _, k := range alongCurve(points, lo, hi) {
		i := k.item
		v := i + 4
		e, zeros := t.Locate(points[i], at)
		switch zeros {
		case 0:
			t.splitTriangle(e, v)
		case 1:
			t.splitEdge(e, v)
		default:
			v = t.H[e].V
		}
		ids[i] = v
		at = t.Edge[v]
	}
	return t, ids
}

func bounds(points []lattice.Point) (lo, hi lattice.Point) {
	if len(points) == 0 {
		return
	}
	lo, hi = points[0], points[0]
	for _, p := range points {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	return lo, hi
}

// Locate walks from the triangle of half-edge from to a triangle with p in it. zeros counts the edges of the
// triangle through p: for 1 the returned half-edge is on this edge, for 2 it starts at p. Outside the box the
// result is -1.
//
// The walk crosses an edge with p behind it; of two such edges the walk takes either at random. So the walk does not
// circle for long where walls keep triangles from being Delaunay. It ends: after as many steps as triangles,
// all triangles are searched.
func (t *Triangulation) Locate(p lattice.Point, from int32) (at int32, zeros int) {
	e, crossed := from, int32(-1) // p is known to be on this side of the half-edge that was crossed
walk:
	for range len(t.Inside) {
		t.locateAround = t.locateAround*1664525 + 1013904223
		if t.locateAround>>31 == 1 {
			e = Next(e)
		}
		for range 3 {
			if e != crossed && lattice.Orient(t.P[t.H[e].V], t.P[t.Head(e)], p) < 0 {
				if t.H[e].Opp < 0 {
					return -1, 0
				}
				e = t.H[e].Opp
				crossed = e
				continue walk
			}
			e = Next(e)
		}
		at, zeros, _ = t.place(p, e)
		return at, zeros
	}
	return t.find(p)
}

// find looks for p as [Triangulation.Locate] does, in all triangles.
func (t *Triangulation) find(p lattice.Point) (at int32, zeros int) {
	for s := int32(0); int(s) < len(t.H); s += 3 {
		if at, zeros, in := t.place(p, s); in {
			return at, zeros
		}
	}
	return -1, 0
}

// place tells where in the triangle of half-edge e the point p lies, if it does.
func (t *Triangulation) place(p lattice.Point, e int32) (at int32, zeros int, in bool) {
	var o [3]int64
	for k := range o {
		if o[k] = lattice.Orient(t.P[t.H[e].V], t.P[t.Head(e)], p); o[k] < 0 {
			return -1, 0, false
		}
		e = Next(e)
	}
	for k := range o {
		switch {
		case o[k] == 0 && o[(k+2)%3] == 0:
			return e, 2, true
		case o[k] == 0 && o[(k+1)%3] != 0:
			return e, 1, true
		}
		e = Next(e)
	}
	return e, 0, true
}

// splitTriangle puts vertex v into the triangle of e.
func (t *Triangulation) splitTriangle(e, v int32) {
	s := e - e%3
	a, b, c := t.H[s].V, t.H[s+1].V, t.H[s+2].V
	hb, hc := t.H[s+1], t.H[s+2]
	s1, s2 := t.grow(s/3), t.grow(s/3)
	t.put(s, a, b, v)
	t.put(s1, b, c, v)
	t.put(s2, c, a, v)
	t.join(s1, hb.Opp, hb.Mark)
	t.join(s2, hc.Opp, hc.Mark)
	t.join(s+1, s1+2, Free)
	t.join(s1+1, s2+2, Free)
	t.join(s2+1, s+2, Free)
	t.stack = append(t.stack[:0], s, s1, s2)
	t.legalizeAround()
}

// splitEdge puts vertex v on the edge of e. Both parts keep the edge's mark.
func (t *Triangulation) splitEdge(e, v int32) {
	f := t.H[e].Opp
	e1, e2, f1, f2 := Next(e), Prev(e), Next(f), Prev(f)
	b, c, a, d := t.H[e1].V, t.H[e2].V, t.H[f1].V, t.H[f2].V
	mark := t.H[e].Mark
	he1, hf1 := t.H[e1], t.H[f1]
	// e's triangle becomes a, v, c and f's b, v, d; the new ones are v, b, c and v, a, d.
	n, m := t.grow(e/3), t.grow(f/3)
	t.put(n, v, b, c)
	t.put(m, v, a, d)
	t.join(n+1, he1.Opp, he1.Mark)
	t.join(m+1, hf1.Opp, hf1.Mark)
	t.H[e1].V, t.H[f1].V = v, v
	t.Edge[a], t.Edge[b], t.Edge[v] = e, f, e1
	t.join(e1, n+2, Free)
	t.join(f1, m+2, Free)
	t.join(e, m, mark)
	t.join(f, n, mark)
	t.stack = append(t.stack[:0], e2, n+1, f2, m+1)
	t.legalizeAround()
}

// add makes a vertex at p that is not in use yet.
func (t *Triangulation) add(p lattice.Point) int32 {
	t.P = append(t.P, p)
	t.Edge = append(t.Edge, -1)
	return int32(len(t.P) - 1)
}

// Split puts a new vertex at p, strictly inside the edge of e. Both parts keep the edge's mark.
func (t *Triangulation) Split(e int32, p lattice.Point) int32 {
	v := t.add(p)
	t.splitEdge(e, v)
	return v
}

// Insert puts a new vertex at p, in the triangle of half-edge in or on one of the triangle's edges. An edge
// through p must not be constrained.
func (t *Triangulation) Insert(in int32, p lattice.Point) int32 {
	v := t.add(p)
	for e, k := in, 0; k < 3; e, k = Next(e), k+1 {
		if lattice.Orient(t.P[t.H[e].V], t.P[t.Head(e)], p) == 0 {
			t.splitEdge(e, v)
			return v
		}
	}
	t.splitTriangle(in, v)
	return v
}

// Dent moves a constrained edge into the triangle of its half-edge e, over a new vertex at p strictly inside
// the triangle. The space behind the moved edge is not Inside any more.
func (t *Triangulation) Dent(e int32, p lattice.Point) int32 {
	v, mark := t.add(p), t.H[e].Mark
	s, n := e-e%3, int32(len(t.H))
	out := [3]int32{s, n, n + 3}[e-s] // where splitTriangle leaves e; flips do not pass a mark
	t.splitTriangle(e, v)
	t.Inside[out/3] = false
	t.setMark(Next(out), mark)
	t.setMark(Prev(out), mark)
	t.setMark(out, Free)
	return v
}

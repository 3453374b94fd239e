package cdt

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

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
	for _, i := range order(points, lo, hi) {
		v := int32(i) + 4
		e, zeros := t.locate(points[i], at)
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

// order returns the order of insertion: rounds of doubling size, so that no arrangement of points is
// slow, and within a round along a Hilbert curve, so that each point is near the one before.
func order(points []lattice.Point, lo, hi lattice.Point) []int {
	type keyed struct {
		key   uint64
		index int
	}
	w, h := hi.Sub(lo)
	shift := 0
	for max(w, h)>>shift >= 1<<curveBits {
		shift++
	}
	lastRound := 0
	for 64<<lastRound < len(points) {
		lastRound++
	}
	keys := make([]keyed, len(points))
	for i, p := range points {
		x, y := p.Sub(lo)
		// A multiplicative hash is a fair enough coin: each zero bit moves the point a round ahead.
		coin, round := uint64(i)*0x9E3779B97F4A7C15>>32, lastRound
		for round > 0 && coin&1 == 0 {
			coin >>= 1
			round--
		}
		keys[i] = keyed{uint64(round)<<(2*curveBits) | hilbert(uint64(x>>shift), uint64(y>>shift)), i}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	})
	result := make([]int, len(keys))
	for i, k := range keys {
		result[i] = k.index
	}
	return result
}

// curveBits is the order of the Hilbert curve.
const curveBits = 24

// hilbert returns the place of the cell x, y on the Hilbert curve of order curveBits.
func hilbert(x, y uint64) uint64 {
	var d uint64
	for s := uint64(1) << (curveBits - 1); s > 0; s >>= 1 {
		var rx, ry uint64
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += s * s * ((3 * rx) ^ ry)
		if ry == 0 {
			if rx == 1 {
				x, y = s-1-x&(s-1), s-1-y&(s-1)
			}
			x, y = y, x
		}
		x, y = x&(s-1), y&(s-1)
	}
	return d
}

// locate walks from the triangle of half-edge e to the one that p lies in. zeros counts the edges
// of that triangle that p lies on: with 1 the returned half-edge is that edge, with 2 it starts at p.
func (t *Triangulation) locate(p lattice.Point, e int32) (at int32, zeros int) {
	from := int32(-1) // the half-edge that was crossed: p is known to be on this side of it
	for {
		// The walk ends in any Delaunay triangulation; starting at changing edges keeps it short.
		t.locateAround = t.locateAround*1664525 + 1013904223
		if t.locateAround>>31 == 1 {
			e = Next(e)
		}
		var o [3]int64
		moved := false
		for k := range o {
			if e != from {
				o[k] = lattice.Orient(t.P[t.H[e].V], t.P[t.Head(e)], p)
				if o[k] < 0 {
					from = t.H[e].Opp
					e = from
					moved = true
					break
				}
			} else {
				o[k] = 1
			}
			e = Next(e)
		}
		if moved {
			continue
		}
		for k := range o {
			if o[k] == 0 {
				if o[(k+1)%3] == 0 {
					return Next(e), 2
				}
				if o[(k+2)%3] == 0 {
					return e, 2
				}
				return e, 1
			}
			e = Next(e)
		}
		return e, 0
	}
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

// splitEdge puts vertex v on the edge of e. Both parts of the edge keep its mark.
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

// Split puts a new vertex at p, which lies exactly on the edge of e and is not one of its ends.
// Both parts of the edge keep its mark.
func (t *Triangulation) Split(e int32, p lattice.Point) int32 {
	v := t.add(p)
	t.splitEdge(e, v)
	return v
}

// Insert puts a new vertex at p, which lies in the triangle of half-edge in or on one of its edges.
// An edge that it lies on must not be constrained.
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

// Dent moves a constrained edge into the triangle of its half-edge e: it will run over a new vertex
// at p, which lies strictly inside of that triangle. What the edge has passed is not Inside any more.
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

// Package cdt is the constrained Delaunay triangulation for generators. It answers visibility questions,
// takes new edges and new points during the work, and finds every fault of a domain with its place.
//
// Source: incremental Delaunay triangulation by edge flips, Lawson, Software for C1 surface
// interpolation, in Mathematical Software III (1977); insertion order by Amenta, Choi and Rote,
// Incremental constructions con BRIO, Proc. Symp. Computational Geometry (2003); removal and
// retriangulation of the triangles that a constraint crosses as in Anglada, An improved incremental
// algorithm for constructing restricted Delaunay triangulations, Computers & Graphics 21 (1997);
// constraints in random order by Shewchuk and Brown, Fast segment insertion and incremental
// construction of constrained Delaunay triangulations, Computational Geometry 48 (2015).
//
// Idea: the points are inserted into a box one unit larger than they are, nearly in the order of a
// space-filling curve. A constraint removes the triangles in its way; the two polygons left and right of it
// are filled ear by ear, each made Delaunay at once by flips. Points, and the walls of a domain that are no
// edges yet, come in rounds of doubling size: nearly as good as a random order against bad arrangements, and
// much better for the memory.
//
// Guarantees:
//  1. every triangle is counter-clockwise with positive area, and together they fill the box
//     exactly (TestTriangulationIsValid, TestLongWall);
//  2. every edge that is not constrained is locally Delaunay after [New] and [Triangulation.Connect]
//     (TestTriangulationIsDelaunay);
//  3. the triangulation does not change under translation of its points (TestTranslation);
//  4. where no four points lie on a circle, it does not depend on the order of points and rings
//     (TestOrderOfPoints); else the numbers of the points decide;
//  5. [FromDomain] reports the first fault in the order of the rings (TestFirstFault);
//  6. [Triangulation.Locate] ends and finds, also among constraints (TestLocate).
//
// Degenerate cases: repeated points become one vertex; collinear and cocircular points need nothing special,
// all predicates are exact; a constraint through a vertex is reported, not moved.
//
// Cost: O(n log n) expected for any n points; O(k) for a constraint across k triangles and the following
// flips, a few for each triangle in all measurements (BenchmarkFromDomain). All walls of a domain cross O(n
// log n) triangles expected, whatever their arrangement.
//
// Departures: the polygons beside a constraint are filled by ears in place of a recursion on Delaunay points.
// The polygons are weakly visible from the constraint, so ears need no search, and putting ears back in
// rounds takes few flips, also on smooth curves.
package cdt

import (
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Free is the mark of an edge that is not constrained.
const Free int32 = -1

// Half is a half-edge: half-edges 3t, 3t+1 and 3t+2 run counter-clockwise around triangle t.
type Half struct {
	V    int32 // the first vertex
	Opp  int32 // the other half of its edge, -1 on the border of the box
	Mark int32 // Free, or the mark of a constrained edge; the same for both halves
}

// Triangulation is a triangulation of a box.
type Triangulation struct {
	P      []lattice.Point // the vertices; the first four are the corners of the box
	H      []Half
	Edge   []int32 // a half-edge that starts at the vertex, -1 for a vertex that is not in use
	Inside []bool  // whether the triangle is a part of the domain, see [FromDomain]

	stack        []int32
	left, right  []border
	filling      filling
	free         []int32
	locateAround uint32
}

// Next returns the next half-edge around the triangle of e.
func Next(e int32) int32 {
	if e%3 == 2 {
		return e - 2
	}
	return e + 1
}

// Prev returns the previous half-edge around the triangle of e.
func Prev(e int32) int32 {
	if e%3 == 0 {
		return e + 2
	}
	return e - 1
}

// CCW returns the next half-edge counter-clockwise around the vertex that e starts at.
func (t *Triangulation) CCW(e int32) int32 { return t.H[Prev(e)].Opp }

// CW returns the next half-edge clockwise around the vertex that e starts at.
func (t *Triangulation) CW(e int32) int32 { return Next(t.H[e].Opp) }

// Head returns the vertex at the end of e.
func (t *Triangulation) Head(e int32) int32 { return t.H[Next(e)].V }

// Apex returns the vertex of e's triangle that is not on e.
func (t *Triangulation) Apex(e int32) int32 { return t.H[Prev(e)].V }

// setMark marks both halves of an edge.
func (t *Triangulation) setMark(e, mark int32) {
	t.H[e].Mark = mark
	if o := t.H[e].Opp; o >= 0 {
		t.H[o].Mark = mark
	}
}

// Release makes the edge of e unconstrained. The triangulation is unchanged.
func (t *Triangulation) Release(e int32) { t.setMark(e, Free) }

// join makes a and b the two halves of an edge.
func (t *Triangulation) join(a, b, mark int32) {
	t.H[a].Opp, t.H[a].Mark = b, mark
	if b >= 0 {
		t.H[b].Opp, t.H[b].Mark = a, mark
	}
}

// put writes triangle slot s with the vertices a, b, c, leaving its neighbours to join.
func (t *Triangulation) put(s, a, b, c int32) {
	t.H[s].V, t.H[s+1].V, t.H[s+2].V = a, b, c
	t.Edge[a], t.Edge[b], t.Edge[c] = s, s+1, s+2
}

// grow appends an empty triangle with the same Inside as triangle like and returns its first half-edge.
func (t *Triangulation) grow(like int32) int32 {
	s := int32(len(t.H))
	t.H = append(t.H, Half{Opp: -1, Mark: Free}, Half{Opp: -1, Mark: Free}, Half{Opp: -1, Mark: Free})
	t.Inside = append(t.Inside, t.Inside[like])
	return s
}

// flip replaces the edge of e, which runs from a to b in the triangle a, b, c and borders on the
// triangle b, a, d, by an edge from d to c. The quadrilateral must be strictly convex.
func (t *Triangulation) flip(e int32) {
	f := t.H[e].Opp
	e1, e2, f1, f2 := Next(e), Prev(e), Next(f), Prev(f)
	a, b, c, d := t.H[e].V, t.H[f].V, t.H[e2].V, t.H[f2].V
	he1, he2, hf1, hf2 := t.H[e1], t.H[e2], t.H[f1], t.H[f2]
	t.H[e].V, t.H[e1].V, t.H[e2].V = d, c, a
	t.H[f].V, t.H[f1].V, t.H[f2].V = c, d, b
	t.join(e1, he2.Opp, he2.Mark)
	t.join(e2, hf1.Opp, hf1.Mark)
	t.join(f1, hf2.Opp, hf2.Mark)
	t.join(f2, he1.Opp, he1.Mark)
	t.Edge[a], t.Edge[b], t.Edge[c], t.Edge[d] = e2, f2, f, e
}

// inCircle tells whether d lies strictly inside the circle through the counter-clockwise a, b, c.
//
// Seen from d, the determinant is the sum of three terms, a squared distance below 2⁶³ times twice the area
// of a triangle in a box 2³¹ wide, at most 2⁶². The sum fits 128 bits with a sign.
func inCircle(a, b, c, d lattice.Point) bool {
	hi, lo := mul(a.Distance2(d), lattice.Orient(d, b, c))
	h, l := mul(b.Distance2(d), lattice.Orient(d, c, a))
	lo, carry := bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, carry)
	h, l = mul(c.Distance2(d), lattice.Orient(d, a, b))
	lo, carry = bits.Add64(lo, l, 0)
	hi, _ = bits.Add64(hi, h, carry)
	return int64(hi) > 0 || hi == 0 && lo > 0
}

// mul returns a·b in two's complement of 128 bits.
func mul(a uint64, b int64) (hi, lo uint64) {
	hi, lo = bits.Mul64(a, uint64(b))
	if b < 0 {
		hi -= a
	}
	return hi, lo
}

// illegal tells whether the edge of e may be flipped and is not locally Delaunay.
func (t *Triangulation) illegal(e int32) bool {
	h := t.H[e]
	if h.Mark != Free || h.Opp < 0 {
		return false
	}
	return inCircle(t.P[h.V], t.P[t.H[Next(e)].V], t.P[t.H[Prev(e)].V], t.P[t.H[Prev(h.Opp)].V])
}

// legalizeAround flips until the triangles around a new vertex are Delaunay: t.stack holds the edges opposite
// the vertex, each in the triangle with the vertex as its apex.
func (t *Triangulation) legalizeAround() {
	for len(t.stack) > 0 {
		e := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if !t.illegal(e) {
			continue
		}
		f := t.H[e].Opp
		t.flip(e)
		t.stack = append(t.stack, Prev(e), Next(f))
	}
}

// legalize flips until every edge on t.stack, and every edge that the flips touch, is locally Delaunay.
func (t *Triangulation) legalize() {
	for len(t.stack) > 0 {
		e := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if !t.illegal(e) {
			continue
		}
		f := t.H[e].Opp
		t.flip(e)
		t.stack = append(t.stack, Next(e), Prev(e), Next(f), Prev(f))
	}
}

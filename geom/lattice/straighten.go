package lattice

import (
	"math"
	"slices"
)

// Straightening of the borders of a free space, all together, into the free space.
//
// Source: the problem is from L. Guibas, J. Hershberger, J. Mitchell and J. Snoeyink, "Approximating polygons
// and subdivisions with minimum-link paths", International Journal of Computational Geometry and Applications
// 3 (1993), 383-415, with free vertices, as here; the shortest path through a graph of shortcuts is from H.
// Imai and M. Iri, "Polygonal approximations of a curve", Computational Morphology (1988), 71-86.
//
// Idea: the new border consists of pieces of lines that touch the old border: lines of its edges, chords over
// receding parts, and tangents of corners that stick out. Consecutive lines are joined where they meet: a mitre
// around a corner of an obstacle, or the end of one line on the other in a corner of the free space. A join is
// allowed if the lost area is within the tolerance, and if the join is nowhere more than half as far from the
// replaced part as from another part of the border. So no two joins meet, every ring is on its own, and the
// best sequence of lines is a shortest path in a graph without cycles. A corner with more than 180° of free
// space costs a region of any convex decomposition; the other corners and the lost area only decide between
// sequences with equally many.
//
// Input: rings without crossings, with the free space on their left: the polygons of one layer. They may
// touch in vertices.
//
// Guarantees:
//  1. The new free space is a subset of the old one: TestStraightenIsSubset.
//  2. No lost place is farther than the tolerance from the remaining free space, and no point of the new
//     border is farther than twice the tolerance, at corners, from the old border: both up to rounding by two
//     units: TestStraightenStaysInTheBand.
//  3. Valid polygons stay valid, each ring with its orientation, and no ring changes sides of another;
//     corners of more than 180° do not increase in number: TestStraightenKeepsPolygonsValid.
//  4. Fixed edges stay, and vertices where the input touches itself; walls stay on their lines:
//     TestStraightenKeepsFixedEdges.
//  5. A passage keeps at least a third of its width: TestStraightenKeepsPassages.
//  6. Of all sequences of these lines the result is the best: TestStraightenIsBest. Around discs it has at most
//     one corner more than the minimum: TestStraightenRoundObstacles.
//  7. The same rings give the same result anywhere in the frame. Floats are taken of differences only, and
//     decide distances and costs, never validity: TestStraightenDoesNotDependOnTranslation.
//
// Degenerate cases: a ring keeps its longest edge, or a piece of the edge, whatever its size. A ring of three
// points, and a ring with an edge of no length, comes back unchanged. Below a tolerance of a unit, vertices in the
// middle of straight runs go, and hardly any others. Where the input crosses itself, rings come back unchanged.
//
// Cost: O(n·w²) for n points and windows of w points, those that a line or a join may pass over; w is a few where
// the tolerance is below the length of most edges, and at most 24. Memory O(n + m·w) for rings of m points.
//
// Departures: Guibas and others count links, which is not the cost here, and find fewer, as their lines need not
// touch the border; here a wall's border stays on the wall.

// Border is a ring of the border of a free space, with the free space on its left.
type Border struct {
	Ring Ring
	// Fixed marks the edges that must stay, edge i from point i to the next; it may be nil or shorter.
	Fixed []bool
}

// Straight is a border with fewer corners.
type Straight struct {
	Ring Ring
	// From gives for each edge the border edge on whose line it lies, and -1 for other lines.
	From []int
}

// Straighten returns the borders with fewer corners, none moved out of the free space: the head of the file
// lists the guarantees. tolerance is in lattice units.
func Straighten(borders []Border, tolerance float64) []Straight {
	return StraightenOn(1, borders, tolerance)
}

// StraightenOn is [Straighten] on up to jobs goroutines, one per core for 0. The result is the same for any number.
func StraightenOn(jobs int, borders []Border, tolerance float64) []Straight {
	s := newStraightener(borders, tolerance)
	for b := range borders {
		s.findChains(b)
	}
	s.shortenAll(jobs)
	s.undoConflicts()
	out := make([]Straight, len(borders))
	for c := range s.chains {
		ch := &s.chains[c]
		o := &out[ch.border]
		o.Ring, o.From = append(o.Ring, ch.points...), append(o.From, ch.from...)
	}
	for b := range out {
		out[b] = s.withoutStraight(b, out[b])
	}
	return out
}

// withoutStraight returns o without repeated points and points in the middle of a straight run, except points
// that must stay.
func (s *straightener) withoutStraight(b int, o Straight) Straight {
	n := len(o.Ring)
	for k := 0; k < n && n > 3; {
		before, p, after := o.Ring[(k+n-1)%n], o.Ring[k], o.Ring[(k+1)%n]
		if p != after && (s.stays[p] || s.isFixed(b, o.From[k]) || s.isFixed(b, o.From[(k+n-1)%n]) ||
			Orient(before, p, after) != 0 || Dot(p, before, after) > 0) {
			k++
			continue
		}
		o.Ring = slices.Delete(o.Ring, k, k+1)
		o.From = slices.Delete(o.From, k, k+1)
		n--
		k = max(k-1, 0)
	}
	return o
}

func (s *straightener) isFixed(b, e int) bool { return e >= 0 && s.fixed(b, e) }

// vec is a point or a direction relative to the first point of a chain.
type vec struct{ x, y float64 }

func (a vec) sub(b vec) vec              { return vec{a.x - b.x, a.y - b.y} }
func (a vec) along(u vec, s float64) vec { return vec{a.x + float64(s*u.x), a.y + float64(s*u.y)} }
func (a vec) dot(b vec) float64          { return float64(a.x*b.x) + float64(a.y*b.y) }
func (a vec) cross(b vec) float64        { return float64(a.x*b.y) - float64(a.y*b.x) }
func (a vec) length() float64            { return math.Sqrt(a.dot(a)) }
func (a vec) nearest(p, q vec) (vec, float64) {
	d := q.sub(p)
	l := d.dot(d)
	s := 0.0
	if l > 0 {
		s = min(max(a.sub(p).dot(d)/l, 0), 1)
	}
	x := p.along(d, s)
	v := a.sub(x)
	return x, v.dot(v)
}

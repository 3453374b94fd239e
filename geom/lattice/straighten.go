package lattice

import (
	"math"
	"slices"
)

// Straightening of the borders of a free space, all together, into the free space.
//
// Source: the problem is that of L. Guibas, J. Hershberger, J. Mitchell and J. Snoeyink, "Approximating
// polygons and subdivisions with minimum-link paths", International Journal of Computational Geometry and
// Applications 3 (1993), 383-415, whose vertices are free, as ours are; the shortest way through a graph of
// shortcuts is that of H. Imai and M. Iri, "Polygonal approximations of a curve", Computational Morphology
// (1988), 71-86.
//
// Idea: the new border is made of pieces of lines that touch the old one: those of its edges, chords over
// what lies back, and tangents of corners that stick out. Two lines one after the other are joined where
// they meet: a mitre around a corner of an obstacle, or the end of one on the other in a corner of the free
// space. A join is allowed when what it gives up is within the tolerance, and when it is nowhere more than
// half as far from what it replaces as from another part of the border. So no two joins meet, every ring is on
// its own, and the best sequence of lines is a shortest path in a graph without cycles. A corner with more than
// 180° of free space costs a region of any convex decomposition; other corners and the area given up only
// decide between sequences that have as many of these.
//
// Input: rings with the free space on their left that do not cross: those of the polygons of one layer.
// They may touch in vertices.
//
// Guarantees:
//  1. The new free space is a subset of the old one: TestStraightenIsSubset.
//  2. No place that is given up is farther from the free space that is left than the tolerance, and no point
//     of the new border farther from the old one than twice the tolerance, as corners come about: both but
//     for a rounding of two units: TestStraightenStaysInTheBand.
//  3. Valid polygons stay valid, each ring with its orientation, and no ring changes sides of another; there
//     are never more corners of more than 180° than before: TestStraightenKeepsPolygonsValid.
//  4. Fixed edges stay, and vertices where the input touches itself; walls stay on their lines:
//     TestStraightenKeepsFixedEdges.
//  5. A passage keeps a third of its width: TestStraightenKeepsPassages.
//  6. Of all sequences of these lines the result is the best: TestStraightenIsBest. Around discs it has at most
//     one corner more than any polygon must have: TestStraightenRoundObstacles.
//  7. The same rings give the same result wherever in the frame they are: floats are taken of differences only,
//     and decide what is within the tolerance and what costs less, never what is valid:
//     TestStraightenDoesNotDependOnTranslation.
//
// Degenerate cases: a ring keeps its longest edge, or a piece of that, whatever its size. A ring of three
// points, and one with an edge of no length, comes back as it is. Below a tolerance of a unit, vertices in the
// middle of straight runs go, and next to nothing else. Where the input crosses itself, rings come back as they are.
//
// Cost: O(n·w²) for n points and windows of w points, those that a line or a join may pass over; w is a few where
// the tolerance is below the length of most edges, and at most 24. Memory O(n + m·w) for rings of m points.
//
// Departures: Guibas and others count links, which is not what costs, and find fewer of them, as their lines need
// not touch the border; here a wall's border stays on the wall.

// Border is a ring of the border of a free space that is on its left.
type Border struct {
	Ring Ring
	// Fixed names the edges that must stay, edge i from point i to the next; it may be nil or shorter.
	Fixed []bool
}

// Straight is a border with fewer corners.
type Straight struct {
	Ring Ring
	// From tells for each edge which edge of the border its line is that of, and -1 for lines of no edge.
	From []int
}

// Straighten returns the borders with fewer corners, of which none has moved out of the free space: see the
// head of the file for what it guarantees. tolerance is in lattice units.
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

// withoutStraight returns o without points that repeat, or lie in the middle of a straight run, but for
// those that must stay.
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

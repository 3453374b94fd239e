package route

// The funnel: the shortest path through a row of portals.
//
// Source: D. T. Lee and F. P. Preparata, Euclidean shortest paths in the presence of rectilinear barriers, Networks 14
// (1984), section 2; B. Chazelle, A theorem on polygon cutting with applications, FOCS 1982.
//
// Idea: The shortest paths from the start to the two ends of a portal share a piece up to the apex. Then they part into
// two chains that bend outwards: the funnel. The next portal has new ends. A new end drops the points of its side that
// it sees past, from the outside in, and joins the chain. An end that sees past its whole chain moves the apex along
// the opposite chain. Every point joins once and leaves at most once.
//
// Input: portals in walking order with Left and Right as the walker sees them. The ends of neighbouring portals span a
// convex quadrilateral; start and goal are in the regions before the first and behind the last portal. All are lattice
// points.
//
// Guarantees:
//  1. The path is the shortest of all through the portals in this order (TestFunnelAgainstBruteForce).
//  2. The path is taut: every interior point is a portal end that the path turns around, towards the end's side, or
//     passes straight (TestFunnelIsTaut).
//  3. No point follows itself (TestFunnelDegenerate).
//  4. The way back has the same points, in reverse (TestFunnelIsSymmetric).
//
// Degenerate cases: a portal of width zero is a point to pass through. A repeated end changes nothing. Start or goal on
// a portal or at its end is allowed, and start may be the goal. Collinear points are decided exactly: points that the
// path passes straight may or may not be among the bends.
//
// Cost: time O(n) amortised, space O(n).
//
// Departures: the paper works on a triangulation, where neighbouring portals share an end. Between two portals of a
// convex region the triangulation is two triangles; adding the left end first and the right end second is equivalent.

import (
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Gate is a portal as seen by a walker on the way through: Left and Right are its ends.
type Gate struct{ Left, Right lattice.Point }

// Bend is a point of a path and the index of its gate: -1 for the start and the number of gates for the goal.
type Bend struct {
	lattice.Point
	Gate int
}

// funnel is the memory of query.Query.Funnel.
type funnel struct {
	chain []Bend // the left chain from low up to apex, outermost first, then the right chain to high
	Path  []Bend // from the start to the apex
}

// Pull returns the shortest path from start to goal through gates, see query.Query.Funnel. The result is valid until
// the next call.
func (f *funnel) Pull(start, goal lattice.Point, gates []Gate) []Bend {
	// Each side grows by at most one point for every gate and one for the goal.
	need := 2*len(gates) + 3
	if cap(f.chain) < need {
		f.chain = make([]Bend, need+need/2)
	}
	chain := f.chain[:cap(f.chain)]
	apex := len(gates) + 1
	low, high := apex, apex
	chain[apex] = Bend{start, -1}
	path := append(f.Path[:0], chain[apex])

	for i := 0; i <= len(gates); i++ {
		g := Gate{goal, goal}
		if i < len(gates) {
			g = gates[i]
		}
		if l := g.Left; l != chain[low].Point {
			for low < apex && lattice.Orient(chain[low+1].Point, chain[low].Point, l) <= 0 {
				low++
			}
			if low == apex {
				// l sees past the whole left chain, and may see past right points too.
				for apex < high && seesPast(chain[apex].Point, chain[apex+1].Point, l, -1) {
					apex++
					path = append(path, chain[apex])
				}
				low = apex
			}
			if l != chain[low].Point {
				low--
				chain[low] = Bend{l, i}
			}
		}
		if i == len(gates) {
			break // the path to the goal is the left chain now
		}
		if r := g.Right; r != chain[high].Point {
			for high > apex && lattice.Orient(chain[high-1].Point, chain[high].Point, r) >= 0 {
				high--
			}
			if high == apex {
				for apex > low && seesPast(chain[apex].Point, chain[apex-1].Point, r, 1) {
					apex--
					path = append(path, chain[apex])
				}
				high = apex
			}
			if r != chain[high].Point {
				high++
				chain[high] = Bend{r, i}
			}
		}
	}
	for i := apex - 1; i >= low; i-- {
		path = append(path, chain[i])
	}
	// The goal may have joined as the end of a gate; a lone start is the goal, too.
	if last := &path[len(path)-1]; last.Gate >= 0 {
		last.Gate = len(gates)
	}
	f.Path = path
	return path
}

// seesPast reports whether the way from apex to p goes over the first point of a chain: p is on the other side of the
// ray through first (side -1: right, 1: left), or on the ray and not before first.
func seesPast(apex, first, p lattice.Point, side int64) bool {
	o := lattice.Orient(apex, first, p) * side
	return o > 0 || o == 0 && lattice.Dot(apex, first, p) >= lattice.Dot(apex, first, first)
}

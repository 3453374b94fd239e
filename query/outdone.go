package query

// Views and corners that shorter ways lead past.
//
// Source: S.-Q. Xin and G.-J. Wang, Improving Chen and Han's algorithm on the discrete geodesic problem, ACM
// Transactions on Graphics 28 (2009), section 4: windows are filtered by the ends of their edge.
//
// Idea: A corner has one shortest way to it, whatever side it comes by. Whoever crosses a portal where a view does may
// as well come over an end of the portal and along it. The way through the view is the longer one everywhere if it is at
// the place that is farthest from the end: towards that, the straight way from the root grows by at most as much as the
// way along the portal. Then no shortest path goes through the view.
//
// Input: lengths of ways to corners that the search has found, whether or not they are the shortest.
//
// Guarantees:
//  1. No node of a shortest path is left out: the other way is shorter by more than rounding (TestAgainstOracle,
//     TestLinksAgainstOracle, TestRegionsWithinAgainstOracle).
//  2. What is left out is outdone (TestOutdoneViews).
//
// Degenerate cases: ways that are equally long outdo none.
//
// Cost: two square roots for a view. On open ground with hundreds of obstacles the search takes up half the nodes.
//
// Departures: the paper has vertices of triangles, whose ways are final in a second filter; here they need not be.

import "math"

// outdoneBy is by how much a way has to be longer than another one to be left out, in lattice units. Rounding is far
// less: the sums of a thousand lengths below 2³¹ are right to 2⁻¹².
const outdoneBy = 1.0 / 1024

// outdone reports whether ways over an end of portal p are shorter than all that lead through view v of it. toLeft and
// toRight are the lengths of the straight ways to the ends, +Inf for one that is out of sight.
func (s *intervalSearch) outdone(v *view, p *portal, toLeft, toRight float64) bool {
	left, right := s.wayTo(p.leftTurn), s.wayTo(p.rightTurn)
	// A way that is straight to an end is not shorter over it.
	return left < toLeft && s.outdoneOver(left, p, v, v.right, toRight, true) ||
		right < toRight && s.outdoneOver(right, p, v, v.left, toLeft, false)
}

// wayTo returns the length of the shortest way to a corner that is known, +Inf where none is.
func (s *intervalSearch) wayTo(turn int32) float64 {
	if turn == noTurn {
		return math.Inf(1)
	}
	return s.visit(turn).least()
}

// outdoneOver is outdone for one end of the portal, the left one or the right one, which a way of length g leads to. far
// bounds the view on the other side; toFar is the length of the way to the other end, +Inf if it is out of sight.
func (s *intervalSearch) outdoneOver(g float64, p *portal, v *view, far direction, toFar float64, left bool) bool {
	r := &s.roots[v.root]
	nx, ny := sub(p.right, r.at)
	ex, ey := sub(p.left, p.right)
	if left {
		nx, ny, ex, ey = nx+ex, ny+ey, -ex, -ey
	}
	along := length(ex, ey)
	if math.IsInf(toFar, 1) {
		// The ray along far meets the portal there.
		part := -beside(far, nx, ny) / beside(far, ex, ey)
		part = min(max(part, 0), 1)
		toFar = r.g + length(nx+float64(part*ex), ny+float64(part*ey))
		along *= part
	}
	return g+along < toFar-outdoneBy
}

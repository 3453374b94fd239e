package exact

// Views and corners that shorter ways lead past.
//
// Source: S.-Q. Xin and G.-J. Wang, Improving Chen and Han's algorithm on the discrete geodesic problem, ACM
// Transactions on Graphics 28 (2009), section 4: windows are filtered by the ends of their edge.
//
// Idea: A corner has one shortest way, whatever side the way passes. Instead of crossing a portal through a view, a way
// may go over an end of the portal and along the portal. Suppose the way through the view is longer at the place of the
// view farthest from the end. Towards this place, the straight way from the root grows by at most as much as the way
// along the portal. Hence the way through the view is longer everywhere, and no shortest path goes through the view.
//
// Input: lengths of known ways to corners, not necessarily the shortest.
//
// Guarantees:
//  1. No node of a shortest path is left out: the other way is shorter by more than rounding (TestAgainstOracle,
//     TestLinksAgainstOracle, TestRegionsWithinAgainstOracle).
//  2. Every omitted view is outdone (TestOutdoneViews).
//
// Degenerate cases: ways of equal length do not outdo each other.
//
// Cost: two square roots for a view. On open ground with hundreds of obstacles the search expands half the nodes.
//
// Departures: the second filter of the paper uses final ways of triangle vertices; here the ways need not be final.

import (
	"math"

	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// outdoneBy is the excess length above which another way outdoes a way, in lattice units. Rounding is far less: the
// sums of a thousand lengths below 2³¹ are right to 2⁻¹².
const outdoneBy = 1.0 / 1024

// outdone reports whether ways over an end of portal p are shorter than all ways through view v of p. toLeft and
// toRight are the lengths of the straight ways to the ends, +Inf for a hidden end.
func (s *Tree) outdone(v *view, p *index.Portal, toLeft, toRight float64) bool {
	left, right := s.wayTo(p.LeftTurn), s.wayTo(p.RightTurn)
	// If the way to an end is straight, the detour over the end is not shorter.
	return left < toLeft && s.outdoneOver(left, p, v, v.Right, toRight, true) ||
		right < toRight && s.outdoneOver(right, p, v, v.Left, toLeft, false)
}

// wayTo returns the length of the shortest known way to a corner, +Inf without one.
func (s *Tree) wayTo(turn int32) float64 {
	if turn == index.NoTurn {
		return math.Inf(1)
	}
	return s.visit(turn).least()
}

// outdoneOver is outdone for the left or right end of the portal, with a way of length g to this end. far bounds the
// view on the other side; toFar is the length of the way to the other end, +Inf if hidden.
func (s *Tree) outdoneOver(g float64, p *index.Portal, v *view, far index.Direction, toFar float64, left bool) bool {
	r := &s.Roots[v.Root]
	nx, ny := index.Sub(p.Right, r.At)
	ex, ey := index.Sub(p.Left, p.Right)
	if left {
		nx, ny, ex, ey = nx+ex, ny+ey, -ex, -ey
	}
	along := index.Length(ex, ey)
	if math.IsInf(toFar, 1) {
		// The ray along far meets the portal there.
		part := -index.Beside(far, nx, ny) / index.Beside(far, ex, ey)
		part = floats.Part(part)
		toFar = r.g + index.Length(nx+float64(part*ex), ny+float64(part*ey))
		along *= part
	}
	return g+along < toFar-outdoneBy
}

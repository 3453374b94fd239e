package index

// Rough portals: where rounding might make ways on a changed Index shorter than on its base.
//
// Idea: obstacles only take floor. Pieces are rounded, however, and may stick out of their region of the base. Let R be
// a region of the base, P a piece of R, and e a portal from R to R'. The pocket of P at e is the part of P beyond e's
// line. P is smooth at e if its pocket meets e's line within e, lies in R', and not beyond another side of R. A way between
// places of the changed Index then has a counterpart on the base that is no longer:
//
//   - In a pocket, the way stays as it is. Pockets are floor of R', joined to R along e.
//   - Elsewhere in pieces of R, each point moves to the nearest point of R. R is convex; hence no distance grows. Points
//     of R stay, and a way leaves a pocket through e, that is through R. Hence the counterpart is in one piece.
//   - Two pieces of different regions meet at portals of the base. A point there is in R, in R', or in the pocket of one in
//     the region of the other. Hence the point stays.
//
// Each passage of a rough portal costs at most two detours to e and back: four times growth, because points of pieces on
// a portal lie within growth of the portal. A shortest way crosses a convex piece once, and thus passes a side twice at
// most.
//
// Input: pieces that an [Editor] accepts.
//
// Guarantees: without rough portals, no way is shorter than on the base; with n of them, by at most n·RoughLoss
// (TestEditedWaysAreNoShorter).
//
// Degenerate cases: a portal whose points are exactly on the base's portal has no pocket.
//
// Cost: O(k) for each side of a new piece on a portal, k corners of the piece.

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

const (
	// RoughLoss bounds the length that ways lose at a rough portal, in lattice units.
	RoughLoss = 8 * growth
	// PieceLoss bounds the distance of a piece's points from their counterparts on the base, to the base and back.
	PieceLoss = 2 * growth
)

// RoughSide is a side of a piece on a rough portal.
type RoughSide struct {
	A, B  lattice.Point
	piece uint32
}

// smoothen forgets the rough sides of a piece.
func (w *work) smoothen(r uint32) {
	if piece := &w.e.pieces[r-w.e.limit]; piece.rough {
		piece.rough = false
		w.next.Rough = slices.DeleteFunc(slices.Clone(w.next.Rough), func(s RoughSide) bool { return s.piece == r })
	}
}

// roughen finds the sides of a piece where the piece is rough.
func (w *work) roughen(r, base uint32) {
	e := w.e
	w.smoothen(r)
	ring := w.next.Region(r).Ring
	for i, s := range e.pieces[r-e.limit].sides {
		if s < 0 {
			continue
		}
		p := e.base.Portal(e.numbers[s])
		if offPortal(ring, i, p) && !e.smooth(base, ring, p) {
			e.pieces[r-e.limit].rough = true
			w.next.Rough = append(slices.Clip(w.next.Rough), RoughSide{ring[i].Point, ring[following(i, len(ring))].Point, r})
		}
	}
}

// offPortal reports whether an end of side i is off the line of a portal.
func offPortal(ring []lattice.Vertex, i int, p *Portal) bool {
	return lattice.Orient(p.Right, p.Left, ring[i].Point) != 0 || lattice.Orient(p.Right, p.Left, ring[following(i, len(ring))].Point) != 0
}

// smooth reports whether the pocket of a ring at a portal meets the portal's line within the portal, and lies in the
// region behind.
func (e *Editor) smooth(base uint32, ring []lattice.Vertex, p *Portal) bool {
	for i := range ring {
		a, b := ring[i].Point, ring[following(i, len(ring))].Point
		beyondA, beyondB := lattice.Orient(p.Right, p.Left, a) < 0, lattice.Orient(p.Right, p.Left, b) < 0
		if beyondA && (!e.base.Contains(p.To, a) || e.beyondOthers(base, p, a)) {
			return false
		}
		if beyondA != beyondB {
			right, left := lattice.Orient(a, b, p.Right), lattice.Orient(a, b, p.Left)
			if right > 0 && left > 0 || right < 0 && left < 0 {
				return false
			}
		}
	}
	return true
}

// beyondOthers reports whether a point is beyond a portal of a region that is not on the line of portal p.
func (e *Editor) beyondOthers(base uint32, p *Portal, at lattice.Point) bool {
	portals := e.base.PortalsOf(e.base.Region(base))
	for i := range portals {
		o := &portals[i]
		if lattice.Orient(o.Right, o.Left, at) < 0 && (lattice.Orient(p.Right, p.Left, o.Right) != 0 || lattice.Orient(p.Right, p.Left, o.Left) != 0) {
			return true
		}
	}
	return false
}

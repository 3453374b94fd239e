package growth

import (
	"github.com/meadow-nav/meadow/gen/internal/cdt"
	"github.com/meadow-nav/meadow/lattice"
)

// isNotch tells whether the unclaimed angle that the triangle of half-edge e is a part of, at the
// vertex that e starts at, is more than 180°.
func (w *World) isNotch(e int32) bool {
	r, l := w.wedge(e)
	return r >= 0 && (r == l || lattice.Orient(w.P[w.H[e].V], w.P[r], w.P[l]) < 0)
}

// wedge returns the vertices at the far ends of the edges that bound the unclaimed angle at the start of e,
// counter-clockwise from r to l. They are -1 where all around is unclaimed.
func (w *World) wedge(e int32) (r, l int32) {
	right := e
	for w.H[right].Mark == cdt.Free {
		right = w.CW(right)
		if right == e {
			return -1, -1
		}
	}
	left := cdt.Prev(e)
	for w.H[left].Mark == cdt.Free {
		left = cdt.Prev(w.H[left].Opp)
	}
	return w.Head(right), w.H[left].V
}

// Cuts is what cuts from a notch along the axes come to: in the direction of a front, and from there
// counter-clockwise. A cut that leaves a notch on either side has -1, and any other
// the smallest angle that it makes: 0 for none, 1 for a right one, 2 for 180°.
type Cuts [4]float64

// Best returns the best of the cuts.
func (c Cuts) Best() float64 { return max(c[0], c[1], c[2], c[3]) }

// CutsFrom returns what cuts from the notch that half-edge e starts at come to, for front d. Where more than one of them leaves no
// notch, the angle at the edge that it would end on counts as well.
//
// A cut leaves no notch if its opposite is behind the notch, in the angle of less than 180° that is not unclaimed.
// So one axis has such a cut if that angle has one of its directions; there is none in a corner sharper than 90° that
// lies between the axes.
func (w *World) CutsFrom(e int32, d int) (cuts Cuts) {
	n := w.notchAt(e, d)
	good := 0
	for k := range cuts {
		cuts[k] = -1
		if n.lv >= 0 && n.rv <= 0 && (n.lv > 0 || n.lu < 0) && (n.rv < 0 || n.ru < 0) {
			cuts[k] = min(openness(n.lu, n.lv), openness(n.ru, -n.rv))
			good++
		}
		n = notch4{n.rv, -n.ru, n.lv, -n.lu}
	}
	if good > 1 {
		for k := range cuts {
			if cuts[k] >= 0 {
				cuts[k] = min(cuts[k], w.ending(w.H[e].V, (d+k)%4))
			}
		}
	}
	return cuts
}

// Sharp tells whether all that is behind the notch that e starts at lies between the axes ahead of front d: 1 for left of the
// direction of the front, -1 for right of it, 0 if it does not.
func (w *World) Sharp(e int32, d int) int {
	n := w.notchAt(e, d)
	switch {
	case n.ru <= 0 || n.lu <= 0:
		return 0
	case n.rv > 0 && n.lv > 0:
		return 1
	case n.rv < 0 && n.lv < 0:
		return -1
	}
	return 0
}

// notch4 is a notch by the directions of the edges on the right and on the left of its unclaimed angle.
type notch4 struct{ ru, rv, lu, lv int64 }

func (w *World) notchAt(e int32, d int) notch4 {
	r, l := w.wedge(e)
	pu, pv := Turned(d, w.P[w.H[e].V])
	ru, rv := Turned(d, w.P[r])
	lu, lv := Turned(d, w.P[l])
	return notch4{ru - pu, rv - pv, lu - pu, lv - pv}
}

// openness returns how wide the angle between the u axis and the point u, v is, v at least 0: 0 to 2, and 1 for a right one.
func openness(u, v int64) float64 { return 1 - float64(u)/float64(max(u, -u)+v) }

// ending returns how wide the smaller angle is between a cut from vertex v in direction d and the edge that it would end on.
func (w *World) ending(v int32, d int) float64 {
	_, pv := Turned(d, w.P[v])
	b := w.Shoot(v, TurnedBack(d, w.bounds[d], pv))
	if b.Edge < 0 {
		return 1
	}
	from, to := w.Ends(b.Edge)
	fu, fv := Turned(d, from)
	tu, tv := Turned(d, to)
	return openness(max(fu-tu, tu-fu), max(fv-tv, tv-fv))
}

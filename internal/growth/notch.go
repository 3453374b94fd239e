package growth

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// isNotch tells whether the unclaimed angle that the triangle of half-edge e is a part of, at the
// vertex that e starts at, is more than 180°.
func (w *World) isNotch(e int32) bool {
	r, l := w.wedge(e)
	return r >= 0 && (r == l || lattice.Orient(w.P[w.H[e].V], w.P[r], w.P[l]) < 0)
}

// wedge returns the vertices at the far ends of the edges that bound the unclaimed angle at the start of e,
// counter-clockwise from r to l. They are -1 if everything around is unclaimed.
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

// Cuts holds the worth of cuts from a notch along the axes: in the direction of a front first, and from there
// counter-clockwise. A cut that leaves a notch on either side has -1. Any other has the smallest of its
// angles, from 0 for none over 1 for a right angle to 2 for 180°; a hundredth of that if it is long beside
// another cut; and [joins] more if it ends at another notch and leaves none there either.
type Cuts [4]float64

const (
	// joins is the extra worth of a cut between two notches: it saves a cut.
	joins = 4
	// A cut is long beside another without an angle below wide (45°) if it is more than long times the other's
	// length: more cells have a long cut as a side, and with a parallel cut nearby they are slivers. Shorter
	// cuts are better for this, but longer cuts give more neighbours.
	wide, long = 0.5, 8
)

// Best returns the best of the cuts.
func (c Cuts) Best() float64 { return max(c[0], c[1], c[2], c[3]) }

// CutsFrom returns the worth of cuts from the notch at the start of half-edge e, for front d. It follows the
// cuts only if there is a choice.
func (w *World) CutsFrom(e int32, d int) (cuts Cuts) {
	n := w.notchAt(e, d)
	good := 0
	for k := range cuts {
		if cuts[k] = n.ahead(); cuts[k] >= 0 {
			good++
		}
		n = n.turned()
	}
	if good < 2 {
		return cuts
	}
	var lengths [4]float64
	shortest := math.Inf(1) // among cuts without small angles
	for k := range cuts {
		if cuts[k] < 0 {
			continue
		}
		end := w.ending(w.H[e].V, (d+k)%4)
		lengths[k] = end.length
		if cuts[k] = min(cuts[k], end.open); cuts[k] >= wide {
			shortest = min(shortest, end.length)
		}
		if end.joins {
			cuts[k] += joins
		}
	}
	for k := range cuts {
		if 0 <= cuts[k] && cuts[k] < joins && lengths[k] > long*shortest {
			cuts[k] /= 100
		}
	}
	return cuts
}

// Sharp reports whether everything behind the notch at the start of e lies between the axes ahead of front d: 1 for left
// of the direction of the front, -1 for right, 0 if not. No single cut along an axis is enough for such a notch.
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

// angle is the directions of the edges on the right and on the left of the unclaimed angle at a
// vertex, which is more than 180°, in a turned frame.
type angle struct{ ru, rv, lu, lv int64 }

// notchAt returns the notch that half-edge e starts at in the frame of front d.
func (w *World) notchAt(e int32, d int) angle {
	r, l := w.wedge(e)
	pu, pv := Turned(d, w.P[w.H[e].V])
	ru, rv := Turned(d, w.P[r])
	lu, lv := Turned(d, w.P[l])
	return angle{ru - pu, rv - pv, lu - pu, lv - pv}
}

// turned returns the notch in the frame of the next direction.
func (n angle) turned() angle { return angle{n.rv, -n.ru, n.lv, -n.lu} }

// ahead returns the smaller of the two angles between the notch and a cut along the u axis, -1 if one is more
// than 180°: if the opposite of the cut is not behind the notch.
func (n angle) ahead() float64 {
	if n.lv < 0 || n.rv > 0 || n.lv == 0 && n.lu > 0 || n.rv == 0 && n.ru > 0 {
		return -1
	}
	return min(openness(n.lu, n.lv), openness(n.ru, -n.rv))
}

// openness returns the width of the angle between the u axis and the point u, v, for v at least 0: from 0 to
// 2, and 1 for a right angle. It is the length of the way around a square in place of a circle.
func openness(u, v int64) float64 { return 1 - float64(u)/float64(max(u, -u)+v) }

// ending is where a cut ends.
type ending struct {
	open   float64 // the width of its smaller angle with the edge at its end
	length float64
	joins  bool // it ends at a notch, and leaves none there
}

// ending returns where a cut from vertex v in direction d would end.
func (w *World) ending(v int32, d int) ending {
	pu, pv := Turned(d, w.P[v])
	b := w.Shoot(v, TurnedBack(d, w.bounds[d], pv))
	if b.Vertex >= 0 {
		u, _ := Turned(d, w.P[b.Vertex])
		e, _ := w.Into(b.Vertex, w.P[v])
		return ending{1, float64(u - pu), w.isNotch(e) && w.notchAt(e, (d+2)%4).ahead() >= 0}
	}
	if b.Edge < 0 {
		return ending{open: 1} // not reached: edges are all around the unclaimed space
	}
	from, to := w.Ends(b.Edge)
	fu, fv := Turned(d, from)
	tu, tv := Turned(d, to)
	part := float64(pv-fv) / float64(tv-fv)
	return ending{
		open:   openness(max(fu-tu, tu-fu), max(fv-tv, tv-fv)),
		length: float64(fu-pu) + float64(float64(tu-fu)*part),
	}
}

package anavmg

import "github.com/meadow-nav/meadow/internal/cdt"

// ring is a ring of the domain: n walls from the wall first on. Its points and walls are counted around it
// without end; wall i starts at point i.
type ring struct{ first, n int32 }

// wall returns the number of wall i.
func (r ring) wall(i int32) int32 { return r.first + i%r.n }

// rings calls f for all rings of the domain.
func (w *work) rings(f func(r ring)) {
	end := int32(len(w.Corner))
	for first := int32(0); first < end; {
		r := ring{first: first}
		for first+r.n < end && w.Walls[first+r.n].Ring == w.Walls[first].Ring {
			r.n++
		}
		first += r.n
		f(r)
	}
}

// strings calls f for all strings of notches: the notches between the walls i and j, none if i is j. Where
// the ring has only notches, as that of a convex obstacle has, i and j are the same wall, a turn apart.
func (r ring) strings(w *work, f func(i, j int32)) {
	start := int32(0)
	for start < r.n && w.inString(r, start+r.n) {
		start++
	}
	if start == r.n {
		f(r.n, 2*r.n)
		return
	}
	start += r.n
	for i := start; i < start+r.n; {
		j := i + 1
		for w.inString(r, j) {
			j++
		}
		f(i, j-1)
		i = j
	}
}

// inString tells whether point i ≥ 1 of a ring is a notch that may be given up: and no other point touches
// it.
func (w *work) inString(r ring, i int32) bool {
	p, v, q := w.Corner[r.wall(i-1)], w.Corner[r.wall(i)], w.Corner[r.wall(i+1)]
	if cross(w.vector(p, v), w.vector(v, q)) >= 0 {
		return false
	}
	walls := 0
	for e, first := w.Edge[v], true; first || e != w.Edge[v]; e, first = w.CCW(e), false {
		if w.H[e].Mark != cdt.Free {
			walls++
		}
	}
	return walls == 2
}

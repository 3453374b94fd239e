package anavmg

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// ignore marks the notches to ignore (section 4.3): Ramer, Douglas and Peucker's algorithm simplifies strings
// of notches, and each removed notch counts as convex.
func (w *work) ignore(distance float64) {
	w.rings(func(r ring) {
		r.strings(w, func(i, j int32) {
			line := lattice.Line{Closed: j-i == r.n}
			for k := i + 1; k <= j; k++ {
				line.Points = append(line.Points, w.P[w.Corner[r.wall(k)]])
			}
			kept := lattice.Simplify([]lattice.Line{line}, distance)[0].Kept
			for k := range line.Points {
				if len(kept) > 0 && kept[0] == k {
					kept = kept[1:]
					continue
				}
				w.passed[w.Corner[r.wall(i+1+int32(k))]] = true
				w.counts["passed"]++
			}
		})
	})
}

// reconnect ties loose obstacles, whose notches are all ignored, to the rest: a face with a clockwise border
// is the outside of a loose obstacle. All notches of such a face become real, until no face is loose.
func (w *work) reconnect(ctx context.Context) error {
	for {
		again := false
		for _, c := range w.cells() {
			if area2(c) > 0 {
				continue
			}
			loose := map[lattice.Point]bool{}
			for _, k := range c.Corners {
				loose[k.Point] = true
			}
			for _, v := range w.Corner {
				if loose[w.P[v]] && w.passed[v] {
					w.passed[v] = false
					w.counts["passed"]--
					again = true
				}
			}
		}
		if !again {
			return nil
		}
		if err := w.mendAll(ctx); err != nil {
			return err
		}
	}
}

// nearlyConvex reports whether the vertex where the constrained edges e and f start is near the line between
// its neighbours: within the distance for published cells. Ignored notches do not count as neighbours: around
// a pillar of many points every single angle is next to nothing.
func (w *work) nearlyConvex(e, f int32) bool {
	if w.near == 0 {
		return false
	}
	p, q := w.P[w.neighbour(e)], w.P[w.neighbour(f)]
	return lattice.SegmentDistance2(w.P[w.H[e].V], p, q).CompareInt(w.near) <= 0
}

// neighbour returns the first vertex along e and the walls after e that is not ignored.
func (w *work) neighbour(e int32) int32 {
	start := w.H[e].V
	for {
		v := w.Head(e)
		if v == start || v >= w.firstNew || !w.passed[v] || w.H[e].Mark >= int32(len(w.Walls)) {
			return v
		}
		next := w.CCW(w.H[e].Opp)
		for w.H[next].Mark == cdt.Free {
			next = w.CCW(next)
		}
		other := w.CW(w.H[e].Opp)
		for w.H[other].Mark == cdt.Free {
			other = w.CW(other)
		}
		if next != other {
			return v // a portal ends here
		}
		e = next
	}
}

// bridge reports whether both sides of e are the same face: without e an obstacle would be loose.
func (w *work) bridge(e int32) bool {
	for at := w.follow(e); at != e; at = w.follow(at) {
		if at == w.H[e].Opp {
			return true
		}
	}
	return false
}

// countConcave counts the concave corners of cells.
func (w *work) countConcave() {
	for e, h := range w.H {
		if h.Mark == cdt.Free || !w.Inside[e/3] {
			continue
		}
		f := w.follow(int32(e))
		if v := w.H[f].V; cross(w.vector(h.V, v), w.vector(v, w.Head(f))) < 0 {
			w.counts["concave"]++
		}
	}
}

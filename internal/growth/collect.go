package growth

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// collect finds the triangles of the region in b and the walls along it.
func (w *World) collect(start int32, b Box) {
	s := b.span(East)
	w.forget()
	w.triangles, w.contacts = w.triangles[:0], w.contacts[:0]
	w.seen(start)
	todo := append(w.todo[:0], start)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w.Looks += 3
		w.triangles = append(w.triangles, t)
		for k := range int32(3) {
			e := 3*t + k
			h := w.H[e]
			if h.Mark == cdt.Free && w.visited[h.Opp/3] == w.stamp {
				continue
			}
			if !w.enters(s, e) {
				continue
			}
			if h.Mark != cdt.Free {
				w.contacts = append(w.contacts, contact{e, h.V, w.Head(e)})
			} else {
				w.seen(h.Opp / 3)
				todo = append(todo, h.Opp/3)
			}
		}
	}
	w.todo = todo
}

// contact is an edge along the region: its half-edge with the region on the left, and the ends of the
// half-edge.
type contact struct{ e, from, to int32 }

// enters tells whether the edge of e has a point in the interior of s.
func (w *World) enters(s span, e int32) bool {
	a, b := w.P[w.H[e].V], w.P[w.Head(e)]
	_, ok := s.enters(int64(a.X), int64(a.Y), int64(b.X), int64(b.Y))
	return ok
}

// restart returns a collected triangle with a point in the interior of b, a part of the box at collection.
func (w *World) restart(b Box) (t int32, ok bool) {
	s := b.span(East)
	for _, t := range w.triangles {
		for k := range int32(3) {
			if w.enters(s, 3*t+k) {
				return t, true
			}
		}
	}
	// No edge enters b: the box is in the interior of one triangle.
	corner := lattice.Point{X: int32(-b[West]), Y: int32(-b[South])}
	for _, t := range w.triangles {
		if w.covers(t, corner) {
			return t, b[East] > -b[West] && b[North] > -b[South]
		}
	}
	return 0, false
}

// covers tells whether p lies in triangle t or on its border.
func (w *World) covers(t int32, p lattice.Point) bool {
	for k := range int32(3) {
		if e := 3*t + k; lattice.Orient(w.P[w.H[e].V], w.P[w.Head(e)], p) < 0 {
			return false
		}
	}
	return true
}

package growth

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// maxTightened is how often the fronts of a region are drawn back to places where corners can be
// made before the region is given up for a smaller one.
const maxTightened = 8

// tighten draws fronts back until every corner of the region on a wall or chain can be a lattice point, and
// stores the region's walls in w.contacts. It returns false for an empty region.
func (w *World) tighten(start int32, b *Box) bool {
	for range maxTightened {
		w.collect(start, *b)
		d, at, ok := w.obstacle(*b)
		if !ok {
			return true
		}
		w.Counts["tightened"]++
		b[d] = at
		if b[d] <= -b[(d+2)%4] {
			return false
		}
		if start, ok = w.restart(*b); !ok {
			return false
		}
	}
	return false
}

// obstacle returns a front that meets one of the contacts where no corner can be made, and how far
// the front may reach instead.
func (w *World) obstacle(b Box) (d int, at int64, found bool) {
	for _, c := range w.contacts {
		p, q := w.P[c.from], w.P[c.to]
		for d := range 4 {
			if !b.meets(d, p, q) {
				continue
			}
			corner, exact := crossing(d, b[d], p, q)
			if exact || w.dents(c.e) && w.fits(c.e, corner, w.H[c.e].Mark) {
				continue
			}
			// The lattice points on the edge are evenly spaced; the inner end is the last resort.
			pu, _ := Turned(d, p)
			qu, _ := Turned(d, q)
			inner, step := min(pu, qu), max(pu, qu)-min(pu, qu)
			dx, dy := q.Sub(p)
			step /= lattice.GCD(dx, dy)
			return d, inner + (b[d]-inner)/step*step, true
		}
	}
	return 0, 0, false
}

// dents reports whether nothing behind the edge of e could notice its move.
func (w *World) dents(e int32) bool {
	m := w.H[e].Mark
	return m < w.cut && w.Walls[m].Chain == plan.Wall
}

// fits reports whether wall m may be led over p, beside its half-edge e: p lies strictly inside the triangle
// there, at most two units from the original wall, and the corners of the wall stay in order.
func (w *World) fits(e int32, p lattice.Point, m int32) bool {
	if !w.covers(e/3, p) || w.touches(e/3, p) {
		return false
	}
	from, to := w.P[w.Walls[m].From], w.P[w.Walls[m].To]
	along := lattice.Dot(from, to, p)
	return lattice.Dot(from, to, w.P[w.H[e].V]) < along && along < lattice.Dot(from, to, w.P[w.Head(e)]) &&
		lattice.LineDistance2(p, from, to).CompareInt(4) <= 0
}

// touches tells whether p lies on the line of an edge of triangle t.
func (w *World) touches(t int32, p lattice.Point) bool {
	for k := range int32(3) {
		if e := 3*t + k; lattice.Orient(w.P[w.H[e].V], w.P[w.Head(e)], p) == 0 {
			return true
		}
	}
	return false
}

// half returns the half-edge from vertex u to vertex v.
func (w *World) half(u, v int32) (int32, bool) {
	first := w.Edge[u]
	for e := first; ; {
		if w.Head(e) == v {
			return e, true
		}
		if e = w.CCW(e); e == first || e < 0 {
			return 0, false
		}
	}
}

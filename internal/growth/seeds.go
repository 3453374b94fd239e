package growth

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// vertexAt makes p, which was located at half-edge e, a vertex of the unclaimed space and returns it, or
// -1 if p is not strictly inside of unclaimed space.
func (w *World) vertexAt(p lattice.Point, e int32, on int) int32 {
	if on == atVertex || !w.Inside[e/3] || on == onEdge && w.H[e].Mark != cdt.Free {
		return -1
	}
	return w.note(w.Insert(e, p), cdt.Free)
}

// Cut tells whether the edge of e was made by growth: it is a front of a claimed region, in contrast
// to an edge of the domain.
func (w *World) Cut(e int32) bool { return w.H[e].Mark == w.cut }

// Stretch is a free stretch: a straight piece of border with unclaimed space to its left, by the vertices at
// its ends. It stays valid while vertices are made.
type Stretch struct{ from, to int32 }

// Stretches returns the free stretches of claimed regions if cut is true, otherwise those of the
// domain's edges, in the order of the places where they start.
func (w *World) Stretches(cut bool) (all []Stretch) {
	for e, h := range w.H {
		e := int32(e)
		if !w.free(e) && w.Inside[e/3] && w.Cut(e) == cut && !w.extends(w.previous(e), e) {
			all = append(all, Stretch{h.V, w.Head(w.last(e))})
		}
	}
	return w.sorted(all)
}

// Fresh returns the free stretches of regions that were claimed since it was called before, or since
// the first round was made, in the same order. It does not look at the rest of the world.
func (w *World) Fresh() (all []Stretch) {
	for _, s := range w.fresh {
		for v := s.from; v != s.to; {
			// Others may have come to lie along a part of it.
			e, ok := w.leaving(v, w.P[s.to])
			if !ok || !w.Cut(e) {
				break
			}
			v = w.Head(e)
			if !w.Inside[e/3] {
				continue
			}
			for before := w.previous(e); w.extends(before, e); before = w.previous(e) {
				e = before
			}
			all = append(all, Stretch{w.H[e].V, w.Head(w.last(e))})
		}
	}
	w.fresh = w.fresh[:0]
	return slices.Compact(w.sorted(all))
}

// expose notes the edges of claimed triangles that unclaimed space is behind.
func (w *World) expose(triangles []int32) {
	if !w.noting {
		return
	}
	for _, t := range triangles {
		for e := 3 * t; e < 3*t+3; e++ {
			if o := w.H[e].Opp; o >= 0 && w.Inside[o/3] {
				w.fresh = append(w.fresh, Stretch{w.Head(e), w.H[e].V})
			}
		}
	}
}

// sorted sorts stretches by the places of their ends.
func (w *World) sorted(all []Stretch) []Stretch {
	slices.SortFunc(all, func(s, t Stretch) int {
		return cmp.Or(w.P[s.from].Compare(w.P[t.from]), w.P[s.to].Compare(w.P[t.to]))
	})
	return all
}

// last returns the last half-edge of the stretch that half-edge e is a part of.
func (w *World) last(e int32) int32 {
	for next := w.next(e); w.extends(e, next); next = w.next(next) {
		e = next
	}
	return e
}

// next returns the half-edge that follows e along the border of the unclaimed space.
func (w *World) next(e int32) int32 {
	for e = cdt.Next(e); w.free(e); {
		e = cdt.Next(w.H[e].Opp)
	}
	return e
}

// previous returns the half-edge that precedes e along the border of the unclaimed space.
func (w *World) previous(e int32) int32 {
	for e = cdt.Prev(e); w.free(e); {
		e = cdt.Prev(w.H[e].Opp)
	}
	return e
}

// extends tells whether half-edge f goes on straight where e ends, and is of the same kind.
func (w *World) extends(e, f int32) bool {
	p, q := w.Ends(e)
	_, s := w.Ends(f)
	return w.Cut(e) == w.Cut(f) && lattice.Orient(p, q, s) == 0 && lattice.Dot(q, p, s) < 0
}

// Place is the place of a seed: a square, and a choice of side for walls through the square. It stays valid
// through other claims.
type Place struct {
	box    Box
	vertex int32 // the lower left corner, or where the edge beside the square begins
	to     int32 // a vertex in the direction of that edge, -1 for none
	mark   int32 // of that edge
	dir    int   // the direction away from that edge
	v      int64 // where the square is along it, in the frame of dir
}

// At returns the place to the north-east of a vertex.
func (w *World) At(vertex int32, size int64) Place {
	x, y := int64(w.P[vertex].X), int64(w.P[vertex].Y)
	return Place{box: Box{x + size, y + size, -x, -y}, vertex: vertex, to: -1}
}

// Between returns the stretch from a vertex to another, which must be a straight piece of border with unclaimed space
// to its left.
func Between(from, to int32) Stretch { return Stretch{from, to} }

// PlaceAt makes p a vertex and returns the place to its north-east. It returns false where p is not strictly inside the
// unclaimed space. The search for p starts at a corner of the box.
func (w *World) PlaceAt(p lattice.Point, size int64) (place Place, ok bool) {
	if !w.bounds.holds(p) {
		return Place{}, false
	}
	e, on := w.locate(p, w.Edge[w.Corner[0]])
	v := w.vertexAt(p, e, on)
	if v < 0 {
		return Place{}, false
	}
	return w.At(v, size), true
}

// Middle returns the place beside the middle of a stretch.
func (w *World) Middle(s Stretch, size int64) (p Place, ok bool) {
	e, ok := w.leaving(s.from, w.P[s.to])
	if !ok {
		return p, false
	}
	d := Away(w.P[s.from], w.P[s.to])
	// In a frame in which the unclaimed space is to the east, the stretch runs down.
	fu, fv := Turned(d, w.P[s.from])
	tu, tv := Turned(d, w.P[s.to])
	low := tv + max(0, fv-tv-size)/2/size*size // whole squares from the end
	at := low                                  // where the stretch is farthest to the west
	if fu < tu {
		high := min(low+size, fv)
		low, at = high-size, high
	}
	u := tu + lattice.FloorDiv((fu-tu)*(at-tv), fv-tv)
	p = Place{dir: d, v: low, to: s.to}
	if at != low {
		p.v = at - 1
	}
	p.box[d], p.box[(d+1)%4], p.box[(d+2)%4], p.box[(d+3)%4] = u+size, low+size, -u, -low
	// The edge that the square is at may be any of the stretch.
	for !w.ends(e, p) {
		e = w.next(e)
	}
	p.vertex, p.mark = w.H[e].V, w.H[e].Mark
	return p, true
}

// ends tells whether half-edge e ends at the square of p or behind it.
func (w *World) ends(e int32, p Place) bool {
	_, v := Turned(p.dir, w.P[w.Head(e)])
	return v <= p.v
}

// Start returns the unclaimed triangle in which the region of a place starts, and the square of the place. It returns
// false where the place has been claimed.
func (w *World) Start(p Place) (t int32, b Box, ok bool) {
	t, ok = w.start(p)
	return t, p.box, ok
}

// start returns the unclaimed triangle in which the region of a place starts.
func (w *World) start(p Place) (t int32, ok bool) {
	at := w.P[p.vertex]
	if p.to < 0 {
		e, along := w.Into(p.vertex, lattice.Point{X: at.X + 1, Y: at.Y + 1})
		if along && !w.Inside[e/3] {
			e = w.H[e].Opp
		}
		return e / 3, w.Inside[e/3]
	}
	for v := p.vertex; ; {
		e, ok := w.along(v, p)
		if !ok {
			return 0, false
		}
		if w.ends(e, p) {
			return e / 3, w.Inside[e/3]
		}
		v = w.Head(e)
	}
}

// along returns the half-edge by which the edge of a place, which others may have divided and moved, leaves
// vertex v.
func (w *World) along(v int32, p Place) (e int32, ok bool) {
	if p.mark == w.cut {
		e, ok = w.leaving(v, w.P[p.to])
		return e, ok && !w.free(e)
	}
	_, at := Turned(p.dir, w.P[v])
	first := w.Edge[v]
	for e := first; ; {
		if w.H[e].Mark == p.mark {
			if _, head := Turned(p.dir, w.P[w.Head(e)]); head < at {
				return e, true
			}
		}
		if e = w.CCW(e); e == first || e < 0 {
			return 0, false
		}
	}
}

// Away returns the direction nearest to the left normal of the segment from a to b; of two, North or South.
func Away(a, b lattice.Point) int {
	dx, dy := b.Sub(a)
	switch {
	case max(dx, -dx) >= max(dy, -dy) && dx > 0:
		return North
	case max(dx, -dx) >= max(dy, -dy):
		return South
	case dy > 0:
		return West
	}
	return East
}

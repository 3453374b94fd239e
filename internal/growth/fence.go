package growth

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// fence makes the corners and the fronts of the region in b, with walls w.contacts, into vertices and edges
// of the triangulation. It returns a half-edge with the region on its left; ok is false if a corner has no
// room after others were made. The finished part stays in any case, as a cut through the unclaimed space.
func (w *World) fence(b Box) (inside int32, ok bool) {
	// The ends of every front, in the order of a walk around the region.
	var first, last [4]int32
	for d := range 4 {
		first[d], last[d] = -1, -1
	}
	// Corners of the box that no wall cuts off come first, while the region's triangles are known.
	var free [4]bool
	for d := range 4 {
		free[d] = true
		p := b.corner(d)
		for _, c := range w.contacts {
			free[d] = free[d] && lattice.Orient(w.P[c.from], w.P[c.to], p) > 0
		}
	}
	for _, c := range w.contacts {
		p, q := w.P[c.from], w.P[c.to]
		from, to := c.from, c.to
		for d := range 4 {
			// The contact crosses front d of the box, inward or outward, at the end of the front.
			pu, _ := Turned(d, p)
			qu, _ := Turned(d, q)
			v := int32(-1)
			switch {
			case b.Touches(d, w.P[from]) && pu > qu:
				v = from
			case b.Touches(d, w.P[to]) && pu < qu:
				v = to
			case !b.meets(d, p, q):
				continue
			default:
				if v = w.cornerOn(d, b[d], from, to); v < 0 {
					return 0, false
				}
			}
			if pu > qu {
				from, last[d] = v, v
			} else {
				to, first[d] = v, v
			}
		}
	}
	near := 3 * w.triangles[0]
	for d := range 4 {
		if !free[d] {
			continue
		}
		v, ok := w.place(b.corner(d), near)
		if !ok {
			return 0, false
		}
		near = w.Edge[v]
		last[d], first[(d+1)%4] = v, v
	}
	inside = -1
	for d := range 4 {
		if first[d] < 0 || last[d] < 0 || first[d] == last[d] {
			continue
		}
		if !w.front(first[d], last[d]) {
			return 0, false
		}
		inside, _ = w.leaving(first[d], w.P[last[d]])
	}
	if inside < 0 {
		if len(w.contacts) == 0 {
			return 0, false
		}
		inside, ok = w.half(w.contacts[0].from, w.contacts[0].to)
		return inside, ok
	}
	return inside, true
}

// leaving returns the half-edge at vertex u in the direction of p.
func (w *World) leaving(u int32, p lattice.Point) (int32, bool) {
	first := w.Edge[u]
	for e := first; ; {
		if h := w.P[w.Head(e)]; lattice.Orient(w.P[u], h, p) == 0 && lattice.Dot(w.P[u], h, p) > 0 {
			return e, true
		}
		if e = w.CCW(e); e == first || e < 0 {
			return 0, false
		}
	}
}

// cornerOn makes the corner where front d meets the edge from u to v. Without room it returns -1.
func (w *World) cornerOn(d int, at int64, u, v int32) int32 {
	e, ok := w.half(u, v)
	if !ok || !crosses(d, at, w.P[u], w.P[v]) {
		return -1
	}
	p, exact := crossing(d, at, w.P[u], w.P[v])
	m := w.H[e].Mark
	if exact {
		return w.note(w.Split(e, p), m)
	}
	if !w.dents(e) || !w.fits(e, p, m) {
		return -1
	}
	return w.note(w.Dent(e, p), m)
}

// note remembers that vertex v, the newest, was constructed on an edge with mark m.
func (w *World) note(v, m int32) int32 {
	on := plan.NoEdge
	if m != cdt.Free && m < w.cut {
		on = w.Walls[m].EdgeID
	}
	w.on = append(w.on, on)
	return v
}

// place makes p a vertex, unless p is one. The search starts at half-edge e.
func (w *World) place(p lattice.Point, e int32) (v int32, ok bool) {
	e, on := w.locate(p, e)
	switch {
	case on == atVertex:
		return w.H[e].V, true
	case on == onEdge && w.H[e].Mark != cdt.Free:
		m := w.H[e].Mark
		return w.note(w.Split(e, p), m), true
	case !w.Inside[e/3]:
		return 0, false
	}
	return w.note(w.Insert(e, p), cdt.Free), true
}

// The possible places of a point.
const (
	inTriangle = iota
	onEdge
	atVertex
)

// locate walks from half-edge e to a triangle with p in it, and returns one of its half-edges: the edge
// through p, or a half-edge that starts at p.
//
// The walk crosses an edge with p on its other side. Of two such edges it crosses a random one, so that it
// ends in every triangulation, Delaunay or not.
func (w *World) locate(p lattice.Point, e int32) (at int32, on int) {
	for {
		w.turn = w.turn*1664525 + 1013904223
		if w.turn>>31 == 1 {
			e = cdt.Prev(e) // otherwise the edge after the crossed edge would always be first
		}
		moved := false
		var o [3]int64
		for k := range o {
			if o[k] = lattice.Orient(w.P[w.H[e].V], w.P[w.Head(e)], p); o[k] < 0 {
				e = w.H[e].Opp
				moved = true
				break
			}
			e = cdt.Next(e)
		}
		if moved {
			continue
		}
		for k := range o {
			switch {
			case o[k] == 0 && o[(k+2)%3] == 0:
				return e, atVertex
			case o[k] == 0 && o[(k+1)%3] != 0:
				return e, onEdge
			}
			e = cdt.Next(e)
		}
		return e, inTriangle
	}
}

// front constrains the segment from vertex u to vertex v, which is parallel to an axis, piece by piece
// between the vertices on it. Pieces that are already constrained stay unchanged.
func (w *World) front(u, v int32) bool {
	for to := v; u != v; {
		switch stop := w.Connect(u, to, w.cut); {
		case stop == cdt.Clear:
			u, to = to, v
		case stop.Vertex >= 0:
			to = stop.Vertex
		case w.H[stop.Edge].V == u && w.Head(stop.Edge) == to:
			u, to = to, v
		default:
			return false
		}
	}
	return true
}

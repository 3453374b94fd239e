package cuts

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Cut cuts straight from vertex u to vertex v, through everything between, and reports whether it arrived. If
// it stops, its finished part stays.
func (d *Domain) Cut(u, v int32) bool {
	start, end := d.P[u], d.P[v]
	last := cdt.Free // the last wall passed: passing it again would only follow it
	for at := u; at != v; {
		next := d.step(at, end, &last)
		if next < 0 || lattice.Dot(start, end, d.P[next]) <= lattice.Dot(start, end, d.P[at]) {
			d.Refused++
			return false
		}
		if d.leaves(at, next) && !d.join(at, next) {
			d.Refused++
			return false
		}
		at = next
	}
	return true
}

// step returns the vertex that a cut from vertex at towards end comes to next, or -1.
func (d *Domain) step(at int32, end lattice.Point, last *int32) int32 {
	e, along := d.Into(at, end)
	if along {
		return d.Head(e)
	}
	b := d.Shoot(at, end)
	if b.Vertex >= 0 {
		return b.Vertex
	}
	mark := d.H[b.Edge].Mark
	if mark == d.mark {
		return d.cross(d.P[at], end, b.Edge)
	}
	if !d.nearEnd(d.P[at], end, b.Edge) {
		if mark != *last {
			*last = mark
			if v := d.construct(d.P[at], end, b.Edge); v >= 0 {
				return v
			}
		}
		d.Led++
	}
	return d.nearerEnd(d.P[at], end, b.Edge)
}

// leaves tells whether the way from vertex at to another leads into the domain.
func (d *Domain) leaves(at, to int32) bool {
	e, along := d.Into(at, d.P[to])
	return d.Inside[e/3] || along && d.Inside[d.H[e].Opp/3]
}

// join cuts from vertex u to vertex v, over vertices that lie in between. It tells whether nothing else
// was in the way.
func (d *Domain) join(u, v int32) bool {
	for to := v; u != v; {
		switch b := d.Connect(u, to, d.mark); {
		case b == cdt.Clear:
			u, to = to, v
		case b.Vertex >= 0:
			to = b.Vertex
		case d.H[b.Edge].V == u && d.Head(b.Edge) == to, d.H[b.Edge].V == to && d.Head(b.Edge) == u:
			u, to = to, v
		default:
			return false
		}
	}
	return true
}

// nearerEnd returns the end of the edge of e that is nearer to the edge's crossing with the segment from
// start to end, in the direction of end.
func (d *Domain) nearerEnd(start, end lattice.Point, e int32) int32 {
	u, v := d.H[e].V, d.Head(e)
	if c, ok := lattice.LineIntersection(start, end, d.P[u], d.P[v]); ok && c.Distance2(d.P[v]) < c.Distance2(d.P[u]) {
		u, v = v, u
	}
	for _, w := range [...]int32{u, v} {
		if lattice.Dot(start, end, d.P[w]) > 0 {
			return w
		}
	}
	return -1
}

// nearEnd tells whether the segment from start to end crosses the edge of e nearer than Snap to one of its ends.
func (d *Domain) nearEnd(start, end lattice.Point, e int32) bool {
	if d.Snap <= 0 {
		return false
	}
	u, v := d.P[d.H[e].V], d.P[d.Head(e)]
	c, ok := lattice.LineIntersection(start, end, u, v)
	return ok && min(c.Distance(u), c.Distance(v)) < d.Snap
}

// cross makes a vertex where the segment from start to end crosses the cut at half-edge e: on the cut, or
// beside it, the cut then bends by a unit.
func (d *Domain) cross(start, end lattice.Point, e int32) int32 {
	u, v := d.H[e].V, d.Head(e)
	c, ok := lattice.LineIntersection(start, end, d.P[u], d.P[v])
	if !ok {
		return -1
	}
	o := lattice.Orient(d.P[u], d.P[v], c)
	if o == 0 {
		if c == d.P[u] {
			return u
		}
		if c == d.P[v] {
			return v
		}
		return d.note(d.Split(e, c), d.mark)
	}
	if o < 0 {
		e = d.H[e].Opp
		u, v = v, u
	}
	if a := d.P[d.Apex(e)]; lattice.Orient(d.P[v], a, c) <= 0 || lattice.Orient(a, d.P[u], c) <= 0 {
		return d.nearerEnd(start, end, e)
	}
	d.Release(e)
	w := d.note(d.Insert(e, c), cdt.Free)
	d.join(u, w)
	d.join(w, v)
	return w
}

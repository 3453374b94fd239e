package cdt

import "github.com/meadow-nav/meadow/geom/lattice"

// Block is an obstacle of a segment. At most one field is set.
type Block struct {
	Vertex int32 // a vertex in the interior of the segment, or -1
	Edge   int32 // a half-edge of a constrained edge that the segment crosses, or -1
}

// Clear is the Block of a segment that nothing stops.
var Clear = Block{-1, -1}

// leave returns the half-edge by which the segment from u to p leaves the star of u: the edge
// opposite u, counter-clockwise as seen from u. Where p lies in the direction of an edge of u, it
// returns that edge and along is true.
func (t *Triangulation) leave(u int32, p lattice.Point) (e int32, along bool) {
	first := t.Edge[u]
	e = first
	pu := t.P[u]
	a := lattice.Orient(pu, t.P[t.Head(e)], p)
	for {
		if a == 0 && lattice.Dot(pu, t.P[t.Head(e)], p) > 0 {
			return e, true
		}
		n := t.CCW(e)
		b := lattice.Orient(pu, t.P[t.Head(n)], p)
		if a > 0 && b < 0 {
			return Next(e), false
		}
		e, a = n, b
		if e == first {
			// Not reached: the triangles around u leave no direction out.
			return -1, false
		}
	}
}

// Sees walks along the segment from vertex u to the point p, which lies in the closed triangle of half-edge
// in, and reports the first obstacle before p.
func (t *Triangulation) Sees(u int32, p lattice.Point, in int32) Block {
	if e := in - in%3; t.H[e].V == u || t.H[e+1].V == u || t.H[e+2].V == u {
		return Clear
	}
	e, along := t.leave(u, p)
	if along {
		return Block{Vertex: t.Head(e), Edge: -1}
	}
	for {
		h := t.H[e]
		if h.Mark != Free {
			return Block{-1, e}
		}
		f := h.Opp
		if f/3 == in/3 {
			return Clear
		}
		w := t.Apex(f)
		switch o := lattice.Orient(t.P[u], p, t.P[w]); {
		case o == 0:
			return Block{w, -1}
		case o > 0:
			e = Next(f)
		default:
			e = Prev(f)
		}
	}
}

// Shoot walks from vertex u towards the point p, anywhere in the box, and reports the first vertex or
// constrained edge on the way, p included.
func (t *Triangulation) Shoot(u int32, p lattice.Point) Block {
	e, along := t.leave(u, p)
	if along {
		return Block{Vertex: t.Head(e), Edge: -1}
	}
	for {
		h := t.H[e]
		if h.Mark != Free {
			return Block{-1, e}
		}
		if h.Opp < 0 {
			return Clear
		}
		f := h.Opp
		w := t.Apex(f)
		switch o := lattice.Orient(t.P[u], p, t.P[w]); {
		case o == 0:
			return Block{w, -1}
		case o > 0:
			e = Next(f)
		default:
			e = Prev(f)
		}
	}
}

// Into returns the half-edge at vertex u whose triangle contains the direction to p (p differs from u) or, if
// along is true, the half-edge in this direction.
func (t *Triangulation) Into(u int32, p lattice.Point) (e int32, along bool) { return t.leave(u, p) }

// Connect constrains the segment from vertex u to vertex v with a mark. If something stops the segment, it
// reports the obstacle and changes nothing. An existing constrained edge from u to v is reported as
// Block.Edge.
func (t *Triangulation) Connect(u, v, mark int32) Block {
	e, along := t.leave(u, t.P[v])
	if along {
		switch {
		case t.Head(e) != v:
			return Block{t.Head(e), -1}
		case t.H[e].Mark != Free:
			return Block{-1, e}
		}
		t.setMark(e, mark)
		return Clear
	}
	// Collect the borders of the polygons to the right and to the left, and the crossed triangles.
	t.free = append(t.free[:0], e/3*3)
	t.right = append(t.right[:0], border{from: Prev(e)})
	t.left = append(t.left[:0], border{from: Next(e)})
	for {
		h := t.H[e]
		if h.Mark != Free {
			return Block{-1, e}
		}
		f := h.Opp
		t.free = append(t.free, f/3*3)
		w := t.Apex(f)
		if w == v {
			t.right = append(t.right, border{from: Next(f)})
			t.left = append(t.left, border{from: Prev(f)})
			break
		}
		switch o := lattice.Orient(t.P[u], t.P[v], t.P[w]); {
		case o == 0:
			return Block{w, -1}
		case o > 0:
			t.left = append(t.left, border{from: Prev(f)})
			e = Next(f)
		default:
			t.right = append(t.right, border{from: Next(f)})
			e = Prev(f)
		}
	}
	for i, j := 0, len(t.left)-1; i < j; i, j = i+1, j-1 {
		t.left[i], t.left[j] = t.left[j], t.left[i]
	}
	t.load(t.right)
	t.load(t.left)
	created := append(t.stack[:0], t.free...)
	below := t.fill(t.right, v)
	above := t.fill(t.left, u)
	t.join(below, above, mark)
	t.stack = created
	for _, s := range created {
		t.stack = append(t.stack, s+1, s+2)
	}
	t.legalize()
	return Clear
}

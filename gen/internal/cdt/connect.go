package cdt

import "github.com/meadow-nav/meadow/lattice"

// Block says what stops a segment. At most one of its fields is set.
type Block struct {
	Vertex int32 // a vertex in the interior of the segment, or -1
	Edge   int32 // a half-edge of a constrained edge that the segment crosses, or -1
}

// Clear is the Block of a segment that nothing stops.
var Clear = Block{-1, -1}

// border is an edge of the polygon beside a new constraint.
type border struct {
	from, opp, mark int32
	half            int32 // the half-edge that borders on it in the end
}

// scanned is a vertex on the stack of the ear scan with the edge that leads to it from the vertex
// below: the half-edge on its other side, or ^i for border i.
type scanned struct{ v, link int32 }

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

// Sees walks along the segment from vertex u to the point p, which lies in the closed triangle of
// half-edge in, and reports what stops it before it comes there.
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

// Shoot walks from vertex u towards the point p, which lies anywhere in the box, and reports the
// vertex or the constrained edge that it comes to first, p itself included.
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

// Into returns the half-edge whose triangle has the direction from vertex u to p, p elsewhere, in
// it or, where along is true, the half-edge that runs in that direction.
func (t *Triangulation) Into(u int32, p lattice.Point) (e int32, along bool) { return t.leave(u, p) }

// Connect constrains the segment from vertex u to vertex v with a mark. When something stops the
// segment, it reports what, and the triangulation is unchanged. A constrained edge that runs from
// u to v already is reported as Block.Edge.
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

// load completes a chain whose border.from holds the half-edge of the old triangle.
func (t *Triangulation) load(chain []border) {
	for i := range chain {
		h := t.H[chain[i].from]
		chain[i] = border{from: h.V, opp: h.Opp, mark: h.Mark, half: chain[i].from}
	}
	// An edge may border on the polygon with both sides. Its old halves lead to each other: leave
	// there the number of the border that stands for them.
	for i := range chain {
		t.H[chain[i].half].Opp = ^int32(i) - 1
	}
	for i := range chain {
		if o := chain[i].opp; o >= 0 && t.H[o].Opp < -1 {
			chain[i].opp = t.H[o].Opp
		}
	}
}

// fill triangulates the polygon whose counter-clockwise border is chain, closed by an edge from
// the vertex last back to its first vertex, and returns the half-edge of that edge. It uses the
// triangles on t.free.
//
// Every point of the chain sees the closing edge, because the old triangles reach it. In such a
// polygon an ear at the top of the scan is empty: the scan of Graham, which is right only for
// polygons like this one.
func (t *Triangulation) fill(chain []border, last int32) int32 {
	t.scan = append(t.scan[:0], scanned{v: chain[0].from})
	for i := range chain {
		c := scanned{v: last, link: ^int32(i)}
		if i+1 < len(chain) {
			c.v = chain[i+1].from
		}
		for len(t.scan) > 1 {
			a, b := t.scan[len(t.scan)-2], t.scan[len(t.scan)-1]
			if lattice.Orient(t.P[a.v], t.P[b.v], t.P[c.v]) <= 0 {
				break
			}
			s := t.free[len(t.free)-1]
			t.free = t.free[:len(t.free)-1]
			t.put(s, a.v, b.v, c.v)
			t.attach(s, b.link, chain)
			t.attach(s+1, c.link, chain)
			c.link = s + 2
			t.scan = t.scan[:len(t.scan)-1]
		}
		t.scan = append(t.scan, c)
	}
	for i := range chain {
		if o := chain[i].opp; o < -1 {
			t.join(chain[i].half, chain[^(o+1)].half, chain[i].mark)
		}
	}
	return t.scan[len(t.scan)-1].link
}

// attach joins the new half-edge s to what link stands for.
func (t *Triangulation) attach(s, link int32, chain []border) {
	if link >= 0 {
		t.join(s, link, Free)
		return
	}
	b := &chain[^link]
	b.half = s
	if b.opp >= -1 {
		t.join(s, b.opp, b.mark)
	}
}

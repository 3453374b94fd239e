package optimal

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// pass is where the border comes through a vertex: the part's inside is on the left of the way from
// the pass before to the pass after. A vertex where rings touch has several.
type pass struct{ vertex, prev, next int32 }

// diagonal is a segment between two vertices inside of the part that meets no other vertex.
type diagonal struct{ u, v int32 }

// part is a connected part of a domain and, after solve, its minimum.
type part struct {
	at     []lattice.Point // of every vertex
	of     []int32         // the vertex of the triangulation that a vertex is
	passes []pass
	here   [][]int32 // the passes of a vertex

	holes     int // rings of passes, less one
	notches   int
	diagonals []diagonal // those with a notch at one end at least, by their vertices

	best  int // the number of cells
	cells [][]int32
	steps int // of the search
}

// partsOf returns the connected parts of dom, in the order of its triangles.
func partsOf(dom *cdt.Domain) []*part {
	of := make([]*part, len(dom.Inside))
	var parts []*part
	var todo []int32
	for t := range of {
		if !dom.Inside[t] || of[t] != nil {
			continue
		}
		p := &part{}
		parts = append(parts, p)
		of[t] = p
		for todo = append(todo, int32(t)); len(todo) > 0; {
			last := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, h := range dom.H[3*last : 3*last+3] {
				if h.Mark == cdt.Free && of[h.Opp/3] == nil {
					of[h.Opp/3] = p
					todo = append(todo, h.Opp/3)
				}
			}
		}
	}
	done := make([]bool, len(dom.H))
	numbers := map[*part]map[int32]int32{} // of every part: the vertices of the triangulation
	for e := range dom.H {
		if p := of[e/3]; p != nil && dom.H[e].Mark != cdt.Free && !done[e] {
			if numbers[p] == nil {
				numbers[p] = map[int32]int32{}
			}
			p.walk(dom, int32(e), done, numbers[p])
			p.holes++
		}
	}
	for _, p := range parts {
		p.holes--
		p.findDiagonals(dom)
	}
	return parts
}

// walk adds the ring of passes with the half-edge e, a wall with the part on its left, and numbers its
// vertices.
func (p *part) walk(dom *cdt.Domain, e int32, done []bool, number map[int32]int32) {
	first := int32(len(p.passes))
	for !done[e] {
		done[e] = true
		n := int32(len(p.passes))
		v, known := number[dom.H[e].V]
		if !known {
			v = int32(len(p.at))
			number[dom.H[e].V] = v
			p.at, p.of, p.here = append(p.at, dom.P[dom.H[e].V]), append(p.of, dom.H[e].V), append(p.here, nil)
		}
		p.passes = append(p.passes, pass{v, n - 1, n + 1})
		p.here[v] = append(p.here[v], n)
		// The next wall is the first clockwise around the end of this wall.
		for e = cdt.Next(e); dom.H[e].Mark == cdt.Free; {
			e = cdt.Next(dom.H[e].Opp)
		}
	}
	last := int32(len(p.passes) - 1)
	p.passes[first].prev, p.passes[last].next = last, first
}

// point returns where a pass is.
func (p *part) point(i int32) lattice.Point { return p.at[p.passes[i].vertex] }

// reflex tells whether there is more than 180° of the part at a pass.
func (p *part) reflex(i int32) bool {
	k := p.passes[i]
	return lattice.Orient(p.point(k.prev), p.at[k.vertex], p.point(k.next)) < 0
}

// passOf returns the pass at vertex u with the direction of q between its walls, or -1.
func (p *part) passOf(u int32, q lattice.Point) int32 {
	for _, i := range p.here[u] {
		if lattice.StrictlyInCone(q, p.point(p.passes[i].prev), p.at[u], p.point(p.passes[i].next)) {
			return i
		}
	}
	return -1
}

// findDiagonals fills in the notches and the diagonals at them.
func (p *part) findDiagonals(dom *cdt.Domain) {
	for i := range p.passes {
		if p.reflex(int32(i)) {
			p.notches++
		}
	}
	for u := range int32(len(p.at)) {
		for v := range u {
			from := p.passOf(u, p.at[v])
			if from < 0 {
				continue
			}
			to := p.passOf(v, p.at[u])
			if to < 0 || !p.reflex(from) && !p.reflex(to) {
				continue
			}
			if dom.Shoot(p.of[u], p.at[v]).Vertex == p.of[v] {
				p.diagonals = append(p.diagonals, diagonal{v, u})
			}
		}
	}
}

// portals returns the sides that two cells share, each once.
func portals(cells []plan.Cell) [][2]lattice.Point {
	seen := map[[2]lattice.Point]bool{}
	var all [][2]lattice.Point
	for _, c := range cells {
		for i, k := range c.Corners {
			s := [2]lattice.Point{k.Point, c.Corners[(i+1)%len(c.Corners)].Point}
			if seen[[2]lattice.Point{s[1], s[0]}] {
				all = append(all, s)
			}
			seen[s] = true
		}
	}
	return all
}

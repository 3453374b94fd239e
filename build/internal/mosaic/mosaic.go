// Package mosaic is the planar map of finished cells: which cells lie on either side of every piece of
// border, also where a corner of one is in the middle of a side of another. The package merges cells and cuts
// them anew, and judges the effect on their shape.
//
// Idea: sides of cells are matched with each other, the few that end in the middle of others line by line.
// Then each pair of neighbours has a single edge, because two convex cells without overlap meet in a segment.
// Every step is first planned on the rings of the new cells. It is made only if the rings are convex, no
// sharper than the old cells and not more often near-degenerate.
//
// Guarantees, for cells that satisfy the generators' promises:
//  1. the cells satisfy them after every step too, by exact signs, and cover the very same part of
//     the plane: borders are not moved, and new corners on edges of the domain lie exactly on them (TestLaws
//     in build/cleanup);
//  2. a step makes no more cells, no more near-degenerate cells (see [shape.Limits]), and no smaller least
//     angle among its cells (TestLaws in build/cleanup). After [Map.FewestFirst] angles may shrink down to
//     its floor (TestFewestFirst);
//  3. the counts of faces and vertices are right after every step (TestBookkeeping);
//  4. after [Map.Thin], no step makes more thin cells, and a thin cell stays only where no merge and no other cut
//     removes the cell; see widen.go (TestThinCellsGo). Only here, and only where the generator allows it, a corner that was made
//     beside a wall for a cut may go with the cut; the cells then reach the wall again.
//
// Cost: O(n log n) for n corners; taking an edge away relabels the smaller of two cells.
package mosaic

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// none is the twin of a half on the border of the domain, and the face of a removed half.
const none int32 = -1

// half is one side of an edge. The halves of a face form a counter-clockwise ring.
type half struct {
	v          int32 // the first vertex
	twin       int32
	next, prev int32
	face       int32
}

// face is a cell, or a former cell.
type face struct {
	first int32 // one of its halves, none for a removed face
	size  int32 // halves
	inner int32 // halves with a neighbour behind, all different
	wide  int32 // neighbours behind edges that are not narrow
}

// Map is a decomposition that steps can change.
type Map struct {
	P       []lattice.Point
	on      []plan.EdgeID
	corners []int32 // of every vertex: the cells with a corner there
	h       []half
	f       []face
	cells   int
	limits  shape.Limits
	floor   shape.Corner // below this no corner gets sharper
	thin    int64        // cells narrower than this are thin
	drops   bool         // corners on walls may go with the cuts that end in them
	joints  bool         // cuts may end inside of the sides of other cells

	// widening makes thin cells count, too, when steps are judged.
	widening bool
	walls    walls

	// Scratch of one step.
	union  []side
	pieces [2][]side
	points []lattice.Point
	delta  []int8
}

// turns reports whether a face turns at the start of half e.
func (m *Map) turns(e int32) bool {
	return lattice.Orient(m.P[m.h[m.h[e].prev].v], m.P[m.h[e].v], m.P[m.head(e)]) != 0
}

// head returns the vertex at the end of half e.
func (m *Map) head(e int32) int32 { return m.h[m.h[e].next].v }

// isWide reports whether the edge of e is not narrow.
func (m *Map) isWide(e int32) bool { return m.wide(m.h[e].v, m.head(e)) }

func (m *Map) wide(u, v int32) bool {
	return shape.Root(m.P[u].Distance2(m.P[v])) >= m.limits.NarrowWidth
}

// Cells returns the number of cells.
func (m *Map) Cells() int { return m.cells }

// link makes b follow a.
func (m *Map) link(a, b int32) { m.h[a].next, m.h[b].prev = b, a }

// count adds by to the counts of e's face for e.
func (m *Map) count(e, by int32) {
	f := &m.f[m.h[e].face]
	f.size += by
	if m.h[e].twin != none {
		f.inner += by
		if m.isWide(e) {
			f.wide += by
		}
	}
}

// merge removes the edge of half e: the face with more halves takes over the other.
func (m *Map) merge(e int32) (kept, gone int32) {
	t := m.h[e].twin
	kept, gone = m.h[e].face, m.h[t].face
	p, q := m.h[e].v, m.h[t].v
	if m.f[gone].size > m.f[kept].size {
		kept, gone = gone, kept
	}
	for _, x := range [...]int32{e, m.h[e].next, t, m.h[t].next} {
		if m.turns(x) {
			m.corners[m.h[x].v]--
		}
	}
	m.count(e, -1)
	m.count(t, -1)
	ep, en, tp, tn := m.h[e].prev, m.h[e].next, m.h[t].prev, m.h[t].next
	m.link(ep, tn)
	m.link(tp, en)
	k, g := &m.f[kept], &m.f[gone]
	k.size, k.inner, k.wide = k.size+g.size, k.inner+g.inner, k.wide+g.wide
	from := tn // the run of halves that belongs to the face that goes
	if kept == m.h[t].face {
		from = en
	}
	for x := from; m.h[x].face == gone; x = m.h[x].next {
		m.h[x].face = kept
	}
	m.f[kept].first = ep
	m.f[gone] = face{first: none}
	m.h[e].face, m.h[t].face = none, none
	m.cells--
	for _, x := range [...]int32{tn, en} {
		if m.turns(x) {
			m.corners[m.h[x].v]++
		}
	}
	m.smooth(p, tn)
	m.smooth(q, en)
	return kept, gone
}

// smooth removes vertex v, where half x starts, if v is not a corner of the domain and a single straight edge
// passes through it.
func (m *Map) smooth(v, x int32) {
	p := m.h[x].prev
	if m.h[x].v != v || m.turns(x) {
		return
	}
	t, s := m.h[x].twin, m.h[p].twin
	switch {
	case t == none && s == none:
		if m.on[v] == plan.NoEdge {
			return
		}
	case t == none || s == none || m.h[t].next != s:
		return
	}
	m.pass(x)
}

// pass takes away the vertex where half x starts and which no other edge has. Half p before takes the place of both, and
// the twin t of x that of their twins.
func (m *Map) pass(x int32) {
	p := m.h[x].prev
	t, s := m.h[x].twin, m.h[p].twin
	around := [...]int32{p, x, m.h[x].next, t, s, none}
	if t != none {
		around[5] = m.h[s].next
	}
	turning := func(by int32) {
		for _, y := range around {
			if y != none && m.h[y].face != none && m.turns(y) {
				m.corners[m.h[y].v] += by
			}
		}
	}
	turning(-1)
	m.count(p, -1)
	m.count(x, -1)
	m.link(p, m.h[x].next)
	m.f[m.h[p].face].first = p
	m.h[x].face = none
	if t != none {
		m.count(t, -1)
		m.count(s, -1)
		m.link(t, m.h[s].next)
		m.f[m.h[t].face].first = t
		m.h[s].face = none
		m.h[p].twin, m.h[t].twin = t, p
		m.count(t, 1)
	}
	m.count(p, 1)
	turning(1)
}

// chord divides the face of halves a and b by an edge from the start of a to the start of b. It returns the
// half from a to b and the new face, on the left of that half.
func (m *Map) chord(a, b int32) (e, made int32) {
	u, v := m.h[a].v, m.h[b].v
	f := m.h[a].face
	for _, x := range [...]int32{a, b} {
		if m.turns(x) {
			m.corners[m.h[x].v]--
		}
	}
	e = int32(len(m.h))
	t := e + 1
	made = int32(len(m.f))
	ap, bp := m.h[a].prev, m.h[b].prev
	m.h = append(m.h, half{v: u, twin: t, face: f}, half{v: v, twin: e, face: f})
	m.f = append(m.f, face{first: e})
	m.cells++
	m.link(ap, e)
	m.link(e, b)
	m.link(bp, t)
	m.link(t, a)
	m.f[f].first = t
	m.count(t, 1)
	m.h[e].face = made
	m.count(e, 1)
	for x := b; x != e; x = m.h[x].next {
		m.count(x, -1)
		m.h[x].face = made
		m.count(x, 1)
	}
	for _, x := range [...]int32{a, b, e, t} {
		if m.turns(x) {
			m.corners[m.h[x].v]++
		}
	}
	return e, made
}

// vertex makes a vertex without cells.
func (m *Map) vertex(p lattice.Point, on plan.EdgeID) int32 {
	m.P = append(m.P, p)
	m.on = append(m.on, on)
	m.corners = append(m.corners, 0)
	return int32(len(m.P) - 1)
}

// split puts a new vertex at p, a lattice point between the ends of the edge of e and exactly on it.
// Half e keeps the first part; the second is returned.
func (m *Map) split(e int32, p lattice.Point, on plan.EdgeID) int32 {
	v := m.vertex(p, on)
	t := m.h[e].twin
	m.count(e, -1)
	if t != none {
		m.count(t, -1)
	}
	x := int32(len(m.h))
	m.h = append(m.h, half{v: v, twin: none, face: m.h[e].face})
	m.link(x, m.h[e].next)
	m.link(e, x)
	if t != none {
		y := x + 1
		m.h = append(m.h, half{v: v, twin: e, face: m.h[t].face})
		m.link(y, m.h[t].next)
		m.link(t, y)
		m.h[e].twin, m.h[x].twin, m.h[t].twin = y, t, x
		m.count(t, 1)
		m.count(y, 1)
	}
	m.count(e, 1)
	m.count(x, 1)
	return x
}

// Result returns the cells in the order of their making.
func (m *Map) Result() []plan.Cell {
	total := 0
	for i := range m.f {
		if m.f[i].first != none {
			total += int(m.f[i].size)
		}
	}
	all := make([]plan.Corner, 0, total)
	cells := make([]plan.Cell, 0, m.cells)
	for i := range m.f {
		first := m.f[i].first
		if first == none {
			continue
		}
		begin := len(all)
		for e := first; ; {
			if v := m.h[e].v; m.turns(e) || !m.passed(e) {
				all = append(all, plan.Corner{Point: m.P[v], On: m.on[v]})
			}
			if e = m.h[e].next; e == first {
				break
			}
		}
		cells = append(cells, plan.Cell{Corners: all[begin:len(all):len(all)]})
	}
	return cells
}

// passed reports whether a straight corner exists only because a neighbour ends there.
func (m *Map) passed(e int32) bool {
	return m.h[e].twin != none || m.h[m.h[e].prev].twin != none
}

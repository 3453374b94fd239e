// Package faces is the planar map of the walls of a triangulated domain and a generator's diagonals:
// diagonals needed for convexity are found, others removed one by one, and the remaining faces walked around.
//
// Guarantees, as long as only diagonals that are not [Map.Needed] are taken away:
//  1. faces with angles of at most 180° keep such angles: the faces of a triangulation stay convex
//     (TestDissolve);
//  2. every question and every step takes constant time, however many edges a vertex has
//     (BenchmarkFan).
//
// Every vertex of a domain has at least two walls, so removing a diagonal never leaves a vertex inside a
// face. A vertex added in the interior keeps two edges for the same reason (TestInnerVertices).
package faces

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Map is the set of present edges, linked in a circle around each vertex.
type Map struct {
	dom     *cdt.Domain
	ccw, cw []int32 // of a present half-edge: the next around its start
	gone    []bool
}

// New returns the map of all edges of dom, which must not change any more.
func New(dom *cdt.Domain) *Map {
	n := len(dom.H)
	around := make([]int32, 2*n)
	m := &Map{dom: dom, ccw: around[:n:n], cw: around[n:], gone: make([]bool, n)}
	for e := range dom.H {
		// On the border of the box, which is no part of the domain, the circle is open.
		next := dom.CCW(int32(e))
		m.ccw[e] = next
		if next >= 0 {
			m.cw[next] = int32(e)
		}
	}
	return m
}

// Diagonals returns one half-edge of every unconstrained edge inside of the domain, the lower one,
// in the order of their numbers.
func (m *Map) Diagonals() []int32 {
	var all []int32
	for e, h := range m.dom.H {
		if h.Mark == cdt.Free && int32(e) < h.Opp && m.dom.Inside[e/3] {
			all = append(all, int32(e))
		}
	}
	return all
}

// Needed reports whether removing the edge of e would leave an angle of more than 180° at one of its ends.
func (m *Map) Needed(e int32) bool { return m.neededAt(e) || m.neededAt(m.dom.H[e].Opp) }

// neededAt reports whether convexity needs e at its start. The angles on either side of e are at most 180°
// each, so their sum is more than 180° exactly when the edge after e lies to the right of the edge before; or
// both are the same edge, opposite to e, and removing e would leave a loose end.
func (m *Map) neededAt(e int32) bool {
	d := m.dom
	return m.cw[e] == m.ccw[e] || lattice.Orient(d.P[d.H[e].V], d.P[d.Head(m.cw[e])], d.P[d.Head(m.ccw[e])]) < 0
}

// Remove takes the edge of e away.
func (m *Map) Remove(e int32) {
	for _, h := range [...]int32{e, m.dom.H[e].Opp} {
		m.cw[m.ccw[h]], m.ccw[m.cw[h]] = m.cw[h], m.ccw[h]
		m.gone[h] = true
	}
}

// Dissolve removes the diagonals that convexity does not need, in their order, and returns the number of
// remaining ones.
func (m *Map) Dissolve(diagonals []int32) (kept int) {
	for _, e := range diagonals {
		if m.Needed(e) {
			kept++
		} else {
			m.Remove(e)
		}
	}
	return kept
}

// Segments returns the diagonals that are still present.
func (m *Map) Segments(diagonals []int32) [][2]lattice.Point {
	var all [][2]lattice.Point
	for _, e := range diagonals {
		if !m.gone[e] {
			all = append(all, [2]lattice.Point{m.dom.P[m.dom.H[e].V], m.dom.P[m.dom.Head(e)]})
		}
	}
	return all
}

// Cells returns the faces inside of the domain, in the order of their first half-edge. on returns the domain
// edge on which a vertex was constructed.
func (m *Map) Cells(on func(v int32) plan.EdgeID) []plan.Cell {
	d := m.dom
	done := make([]bool, len(d.H))
	total, faces := 0, 0
	for e := range d.H {
		if d.Inside[e/3] && !m.gone[e] {
			total++
		}
	}
	corners := make([]plan.Corner, 0, total)
	var begins []int
	for e := range d.H {
		if done[e] || m.gone[e] || !d.Inside[e/3] {
			continue
		}
		begins = append(begins, len(corners))
		faces++
		for at := int32(e); !done[at]; at = m.cw[d.H[at].Opp] {
			done[at] = true
			v := d.H[at].V
			corners = append(corners, plan.Corner{Point: d.P[v], On: on(v)})
		}
	}
	begins = append(begins, len(corners))
	cells := make([]plan.Cell, faces)
	for i := range cells {
		cells[i].Corners = corners[begins[i]:begins[i+1]:begins[i+1]]
	}
	return cells
}

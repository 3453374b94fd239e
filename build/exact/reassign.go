package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/internal/cut"
)

// A whole sheet goes to another layer where one corner of the sheet lies over another floor. Then the whole border of
// the sheet is a seam. Shorter seams are found layer by layer, with the triangles of the other layers fixed. The best
// triangles for a layer are a least cut of the graph of triangles, since a seam costs its length.
//
// Source: Y. Boykov, O. Veksler and R. Zabih, Fast approximate energy minimization via graph cuts, PAMI 23 (2001): the
// expansion move.

// seamCorner is the cost of a link between layers besides its length, in units: a seam of many edges has many corners.
const seamCorner = 1024

// reassign moves triangles to other layers for as long as seams get shorter.
func (e *extraction) reassign(over lists) {
	const sweeps = 4
	m := e.movesOf(over)
	idle := 0 // layers in a row without a move
	for l := range int32(sweeps * e.layers) {
		if m.expand(l % int32(e.layers)) {
			idle = 0
		} else if idle++; idle == e.layers {
			return
		}
	}
}

// moves is the graph of triangles with the costs of seams, and scratch.
type moves struct {
	*extraction
	over   lists
	pairs  [][2]int32 // of linked triangles, in the order of the first links
	first  []int32    // of the ways of each triangle
	ways   []way
	node   []int32 // by triangle, unassigned for triangles that stay
	movers []int32
	graph  cut.Graph
}

// way is all links between a triangle and another, with their cost as a seam.
type way struct {
	to   int32
	cost int64
}

// movesOf gathers the links of triangles by pairs.
func (e *extraction) movesOf(over lists) *moves {
	n := len(e.layer)
	m := &moves{extraction: e, over: over, first: make([]int32, n+1), node: make([]int32, n)}
	counts := func(l *link) bool {
		return l.from != l.to && e.layer[l.from] != unassigned && e.layer[l.to] != unassigned
	}
	var linked [][2]int32
	var costs []int64
	for l := range e.allLinks() {
		if counts(&l) {
			linked = append(linked, [2]int32{l.from, l.to})
			costs = append(costs, int64(l.a.Distance(l.b.Point))+seamCorner)
		}
	}
	byTriangle := listed(n, linked)
	isFirst := make([]bool, len(linked))
	seen := m.node // where in m.ways the way to a triangle is, if the way belongs to the triangle at hand
	m.ways = make([]way, 0, len(byTriangle.Items))
	for t := range int32(n) {
		start := int32(len(m.ways))
		m.first[t] = start
		for _, k := range byTriangle.Of(t) {
			o := linked[k][0] + linked[k][1] - t
			cost := costs[k]
			if at := seen[o]; at >= start && int(at) < len(m.ways) && m.ways[at].to == o {
				m.ways[at].cost += cost
				continue
			}
			seen[o] = int32(len(m.ways))
			m.ways = append(m.ways, way{o, cost})
			isFirst[k] = true // for both of its triangles, or neither
		}
	}
	m.first[n] = int32(len(m.ways))
	for k, p := range linked {
		if isFirst[k] {
			m.pairs = append(m.pairs, p)
		}
	}
	for i := range m.node {
		m.node[i] = unassigned
	}
	return m
}

// of returns the ways of a triangle.
func (m *moves) of(t int32) []way { return m.ways[m.first[t]:m.first[t+1]] }

// expand moves triangles to a layer where seams get shorter, and reports whether any triangle moved.
func (m *moves) expand(to int32) bool {
	// Only triangles that movable triangles link to a seam have a reason to move.
	m.movers = m.movers[:0]
	reach := func(t int32) {
		if m.node[t] != unassigned || m.layer[t] == to || !m.fits(t, to, m.over) {
			return
		}
		m.node[t] = int32(len(m.movers))
		m.movers = append(m.movers, t)
	}
	for _, p := range m.pairs {
		if m.layer[p[0]] != m.layer[p[1]] {
			reach(p[0])
			reach(p[1])
		}
	}
	for i := 0; i < len(m.movers); i++ {
		for _, w := range m.of(m.movers[i]) {
			reach(w.to)
		}
	}
	if len(m.movers) == 0 {
		return false
	}
	m.graph.Reset(len(m.movers))
	const never = math.MaxInt64 / 4
	for i, t := range m.movers {
		u := int32(i)
		// Of two triangles over each other at least one stays: the later one in the search.
		if slices.ContainsFunc(m.over.Of(t), func(o int32) bool { return m.node[o] != unassigned && m.node[o] < u }) {
			m.graph.Sink(u, never)
		}
		for _, w := range m.of(t) {
			switch v, beyond := m.node[w.to], m.layer[w.to]; {
			case beyond == to:
				m.graph.Source(u, w.cost)
			case v == unassigned && beyond == m.layer[t]:
				m.graph.Sink(u, w.cost)
			case v < u: // another layer, or not its turn
			case beyond == m.layer[t]:
				m.graph.Edge(u, v, w.cost, w.cost)
			default: // a seam already, which only goes if both move
				m.graph.Source(v, w.cost)
				m.graph.Edge(v, u, w.cost, 0)
			}
		}
	}
	changed := false
	for i, moves := range m.graph.Cut() {
		t := m.movers[i]
		m.node[t] = unassigned
		if moves {
			m.layer[t] = to
			changed = true
		}
	}
	return changed
}

// fits reports whether a triangle lies over no triangle of a layer.
func (e *extraction) fits(t, layer int32, over lists) bool {
	return e.layer[t] != unassigned && !slices.ContainsFunc(over.Of(t), func(o int32) bool { return e.layer[o] == layer })
}

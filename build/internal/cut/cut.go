// Package cut finds the cheapest way to part a graph in two.
//
// Source: R. K. Ahuja and J. B. Orlin, Distance-directed augmenting path algorithms for maximum flow and parametric
// maximum flow problems, Naval Research Logistics 38 (1991); the edges between the nodes still within reach of the source
// and the rest are a least cut: L. R. Ford and D. R. Fulkerson, Maximal flow through a network, Canadian Journal of
// Mathematics 8 (1956).
//
// Idea: Each node has a level, its least distance to the sink in arcs. Flow goes down from level to level; a node without
// a way down is raised above its lowest remaining neighbour. Once the last node leaves a level, all nodes above have lost
// the sink. The nodes then within reach of the source are one side of a least cut, and the smallest such side.
//
// Input: numbered nodes and the costs of parting them, in whole numbers.
//
// Guarantees:
//  1. No other division costs less (TestAgainstAllDivisions, TestAgainstPlainFlow).
//  2. Of all divisions of least cost, Cut finds the one with the fewest nodes beside the source, so the answer does
//     not depend on the order of edges (TestAgainstAllDivisions, TestAgainstPlainFlow).
//
// Degenerate cases: nodes without edges, and graphs in which nothing is worth a cut, are on the side of the sink.
//
// Cost: O(n² m) for n nodes and m edges at worst, on graphs of floors near O(m); memory O(n + m).
package cut

import "slices"

// Graph is a flow network between a source and a sink that have no number. The zero Graph has no nodes.
type Graph struct {
	first []int32 // of each node, its first arc, none for -1
	arcs  []arc   // an edge is two arcs, 2i and 2i+1
	// source and sink are the costs of parting a node from them.
	source, sink []int64

	level, next []int32 // of each node, and its first arc that may lead down
	count       []int32 // of the nodes on each level
	queue       []int32
	way         []step
}

// step is a node on a way, the arc to it and the flow that can be sent so far.
type step struct {
	node, arc int32
	flow      int64
}

type arc struct {
	to, next int32
	left     int64 // capacity
}

const none = -1

// New returns a graph of n nodes without edges.
func New(n int) *Graph {
	g := new(Graph)
	g.Reset(n)
	return g
}

// Reset returns the graph to n nodes without edges, and keeps its memory.
func (g *Graph) Reset(n int) {
	g.arcs = g.arcs[:0]
	for _, list := range []*[]int32{&g.first, &g.level, &g.next} {
		*list = slices.Grow((*list)[:0], n)[:n]
	}
	for i := range g.first {
		g.first[i] = none
	}
	for _, costs := range []*[]int64{&g.source, &g.sink} {
		*costs = slices.Grow((*costs)[:0], n)[:n]
		clear(*costs)
	}
}

// Source adds to the cost of putting node v beside the sink.
func (g *Graph) Source(v int32, cost int64) { g.source[v] += cost }

// Sink adds to the cost of putting node v beside the source.
func (g *Graph) Sink(v int32, cost int64) { g.sink[v] += cost }

// Edge adds cost for u beside the source and v beside the sink, and back for the reverse.
func (g *Graph) Edge(u, v int32, cost, back int64) {
	g.arcs = append(g.arcs, arc{v, g.first[u], cost}, arc{u, g.first[v], back})
	g.first[u], g.first[v] = int32(len(g.arcs)-2), int32(len(g.arcs)-1)
}

// Cut reports for each node whether it is beside the source. The graph is used up until the next [Graph.Reset].
func (g *Graph) Cut() []bool {
	for v := range g.first {
		direct := min(g.source[v], g.sink[v])
		g.source[v] -= direct
		g.sink[v] -= direct
	}
	g.levels()
	copy(g.next, g.first)
	for v := range g.first {
		for g.source[v] > 0 && g.send(int32(v)) {
		}
	}
	return g.beside()
}

// levels finds how far each node is from the sink.
func (g *Graph) levels() {
	g.queue = g.queue[:0]
	for v := range g.level {
		g.level[v] = none
		if g.sink[v] > 0 {
			g.level[v] = 0
			g.queue = append(g.queue, int32(v))
		}
	}
	for i := 0; i < len(g.queue); i++ {
		v := g.queue[i]
		for k := g.first[v]; k != none; k = g.arcs[k].next {
			if to := g.arcs[k].to; g.level[to] == none && g.arcs[k^1].left > 0 {
				g.level[to] = g.level[v] + 1
				g.queue = append(g.queue, to)
			}
		}
	}
	g.count = append(g.count[:0], make([]int32, len(g.first)+1)...)
	for _, l := range g.level {
		if l != none {
			g.count[l]++
		}
	}
}

// send sends some flow from a node on to the sink along a shortest way, and reports whether any arrived.
func (g *Graph) send(from int32) bool {
	g.way = append(g.way[:0], step{from, none, g.source[from]})
	for g.level[from] != none {
		at := g.way[len(g.way)-1]
		level := g.level[at.node]
		if level == 0 && g.sink[at.node] > 0 {
			sent := min(at.flow, g.sink[at.node])
			g.sink[at.node] -= sent
			g.source[from] -= sent
			for _, s := range g.way[1:] {
				g.arcs[s.arc].left -= sent
				g.arcs[s.arc^1].left += sent
			}
			return true
		}
		k := g.next[at.node]
		for k != none && (g.arcs[k].left <= 0 || g.level[g.arcs[k].to] != level-1 || level == 0) {
			k = g.arcs[k].next
		}
		if g.next[at.node] = k; k != none {
			g.way = append(g.way, step{g.arcs[k].to, k, min(at.flow, g.arcs[k].left)})
			continue
		}
		// A dead end: the node is now farther from the sink, and the node before it searches again.
		if !g.raise(at.node) {
			return false
		}
		if len(g.way) > 1 {
			g.way = g.way[:len(g.way)-1]
		}
	}
	return false
}

// raise lifts a node without a way down to its present level. It reports false if the old level is now empty: then
// all nodes above have lost the sink.
func (g *Graph) raise(v int32) bool {
	old, level := g.level[v], int32(len(g.first))
	for k := g.first[v]; k != none; k = g.arcs[k].next {
		if l := g.level[g.arcs[k].to]; g.arcs[k].left > 0 && l != none {
			level = min(level, l+1)
		}
	}
	g.next[v] = g.first[v]
	g.level[v] = level
	if level == int32(len(g.first)) {
		g.level[v] = none // farther than any way could be
	} else {
		g.count[level]++
	}
	if g.count[old]--; g.count[old] > 0 {
		return true
	}
	for u, l := range g.level {
		if l > old {
			g.count[l]--
			g.level[u] = none
		}
	}
	return false
}

// beside reports for each node whether the source still reaches it.
func (g *Graph) beside() []bool {
	reached := make([]bool, len(g.first))
	g.queue = g.queue[:0]
	for v := range reached {
		if g.source[v] > 0 {
			reached[v] = true
			g.queue = append(g.queue, int32(v))
		}
	}
	for i := 0; i < len(g.queue); i++ {
		for k := g.first[g.queue[i]]; k != none; k = g.arcs[k].next {
			if a := &g.arcs[k]; a.left > 0 && !reached[a.to] {
				reached[a.to] = true
				g.queue = append(g.queue, a.to)
			}
		}
	}
	return reached
}

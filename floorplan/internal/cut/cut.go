// Package cut finds the cheapest way to part a graph in two.
//
// Source: Y. Dinitz, Algorithm for solution of a problem of maximum flow in networks with power estimation,
// Soviet Mathematics Doklady 11 (1970); that the edges between what a maximal flow still reaches and the rest are a
// least cut: L. R. Ford and D. R. Fulkerson, Maximal flow through a network, Canadian Journal of Mathematics 8 (1956).
//
// Idea: As long as the sink can be reached through edges with capacity left, flow is sent along all shortest ways
// at once. What the source then reaches is one side of a least cut, and the smallest of all that are.
//
// Input: numbered nodes and what it costs to part them, in whole numbers.
//
// Guarantees:
//  1. No other division costs less (TestAgainstAllDivisions).
//  2. Of all divisions at that cost the one with the fewest nodes beside the source is found, so that the answer does
//     not depend on the order of edges (TestAgainstAllDivisions).
//
// Degenerate cases: nodes without edges, and graphs in which nothing is worth a cut, are on the side of the sink.
//
// Cost: O(n² m) for n nodes and m edges at worst, on graphs of floors near O(m); memory O(n + m).
package cut

// Graph is a flow network between a source and a sink that have no number. The zero Graph has no nodes.
type Graph struct {
	first []int32 // of each node, its first arc, none for -1
	arcs  []arc   // an edge is two arcs, 2i and 2i+1
	// source and sink say what it costs to part a node from them.
	source, sink []int64

	level, next []int32
	queue       []int32
	way         []step
}

// step is a node on a way, the arc that leads to it and how much can be sent so far.
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
	g := &Graph{first: make([]int32, n), source: make([]int64, n), sink: make([]int64, n), level: make([]int32, n), next: make([]int32, n)}
	for i := range g.first {
		g.first[i] = none
	}
	return g
}

// Source adds to what it costs to have node v beside the sink.
func (g *Graph) Source(v int32, cost int64) { g.source[v] += cost }

// Sink adds to what it costs to have node v beside the source.
func (g *Graph) Sink(v int32, cost int64) { g.sink[v] += cost }

// Edge adds what it costs to have u beside the source and v beside the sink, and what it costs the other way around.
func (g *Graph) Edge(u, v int32, cost, back int64) {
	g.arcs = append(g.arcs, arc{v, g.first[u], cost}, arc{u, g.first[v], back})
	g.first[u], g.first[v] = int32(len(g.arcs)-2), int32(len(g.arcs)-1)
}

// Cut returns which nodes are beside the source. The graph is used up.
func (g *Graph) Cut() []bool {
	for v := range g.first {
		direct := min(g.source[v], g.sink[v])
		g.source[v] -= direct
		g.sink[v] -= direct
	}
	for g.levels() {
		copy(g.next, g.first)
		for v := range g.first {
			for g.source[v] > 0 {
				sent := g.send(int32(v), g.source[v])
				if sent == 0 {
					break
				}
				g.source[v] -= sent
			}
		}
	}
	beside := make([]bool, len(g.first))
	for v, l := range g.level {
		beside[v] = l != none
	}
	return beside
}

// levels finds how far nodes are from the source, and reports whether the sink is reached: then it looks no farther
// than that.
func (g *Graph) levels() bool {
	g.queue = g.queue[:0]
	for v := range g.level {
		g.level[v] = none
		if g.source[v] > 0 {
			g.level[v] = 0
			g.queue = append(g.queue, int32(v))
		}
	}
	for i := 0; i < len(g.queue); i++ {
		v := g.queue[i]
		if g.sink[v] > 0 {
			return true // all that is as near as that is known
		}
		for k := g.first[v]; k != none; k = g.arcs[k].next {
			if a := &g.arcs[k]; a.left > 0 && g.level[a.to] == none {
				g.level[a.to] = g.level[v] + 1
				g.queue = append(g.queue, a.to)
			}
		}
	}
	return false
}

// send sends up to a flow from a node on to the sink along a shortest way, and returns how much arrived.
func (g *Graph) send(from int32, flow int64) int64 {
	way := append(g.way[:0], step{from, none, flow})
	defer func() { g.way = way }()
	for len(way) > 0 {
		at := way[len(way)-1]
		if g.sink[at.node] > 0 {
			sent := min(at.flow, g.sink[at.node])
			g.sink[at.node] -= sent
			for _, s := range way[1:] {
				g.arcs[s.arc].left -= sent
				g.arcs[s.arc^1].left += sent
			}
			return sent
		}
		k := g.next[at.node]
		for k != none && (g.arcs[k].left <= 0 || g.level[g.arcs[k].to] != g.level[at.node]+1) {
			k = g.arcs[k].next
		}
		g.next[at.node] = k
		if k != none {
			way = append(way, step{g.arcs[k].to, k, min(at.flow, g.arcs[k].left)})
			continue
		}
		// A dead end: the one before goes on with its next arc.
		way = way[:len(way)-1]
		if len(way) > 0 {
			last := &g.next[way[len(way)-1].node]
			*last = g.arcs[*last].next
		}
	}
	return 0
}

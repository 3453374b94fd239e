package metric

import "math"

// network is the flow network of a mesh: a node for every region, one for all sources and one for all sinks; an arc
// each way for every common edge, with its width as capacity.
//
// Source: E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power estimation, Soviet
// Math. Doklady 11 (1970). While the sink can be reached, the nodes are put in layers by their distance from the
// source. A blocking flow is then sent from layer to layer. Capacities are integers, in lattice units, and the flow is
// exact. Time O(R²·E), in planar meshes far less.
type network struct {
	source, sink int
	first        []int32 // of every node its first arc, none at the end
	arcs         []arc   // arc i and arc i^1 are the two directions of one edge
	layer        []int32
	at           []int32 // of every node the next arc to try
}

type arc struct {
	to   int32
	next int32 // the next arc of the same node
	left int64 // remaining capacity
}

// plenty exceeds the total width of all common edges of a mesh.
const plenty = math.MaxInt64 / 4

func newNetwork(v *view, sources, sinks []bool) *network {
	n := len(v.next)
	g := &network{source: n, sink: n + 1, first: make([]int32, n+2), layer: make([]int32, n+2), at: make([]int32, n+2)}
	for i := range g.first {
		g.first[i] = none
	}
	for r := range v.next {
		for _, a := range v.next[r] {
			if a.to > r {
				g.join(r, a.to, a.width, a.width)
			}
		}
	}
	for r := range n {
		if sources[r] {
			g.join(g.source, r, plenty, 0)
		}
		if sinks[r] {
			g.join(r, g.sink, plenty, 0)
		}
	}
	return g
}

func (g *network) join(a, b int, there, back int64) {
	g.arcs = append(g.arcs, arc{int32(b), g.first[a], there}, arc{int32(a), g.first[b], back})
	g.first[a], g.first[b] = int32(len(g.arcs)-2), int32(len(g.arcs)-1)
}

// maximum sends as much flow as possible from source to sink.
func (g *network) maximum() int64 {
	var sum int64
	for g.layers() {
		copy(g.at, g.first)
		for {
			sent := g.send()
			if sent == 0 {
				break
			}
			sum += sent
		}
	}
	return sum
}

// layers numbers the nodes by their distance from the source, and reports whether the sink was reached.
func (g *network) layers() bool {
	for i := range g.layer {
		g.layer[i] = none
	}
	g.layer[g.source] = 0
	order := []int32{int32(g.source)}
	for i := 0; i < len(order); i++ {
		for a := g.first[order[i]]; a != none; a = g.arcs[a].next {
			if to := g.arcs[a].to; g.arcs[a].left > 0 && g.layer[to] == none {
				g.layer[to] = g.layer[order[i]] + 1
				order = append(order, to)
			}
		}
	}
	return g.layer[g.sink] != none
}

// send sends flow along one path from layer to layer, and returns the amount; 0 if no path is left. The path is kept in
// an explicit list: recursion would be as deep as the mesh is long.
func (g *network) send() int64 {
	var path []int32
	node := g.source
	for node != g.sink {
		a := g.at[node]
		for a != none && !(g.arcs[a].left > 0 && g.layer[g.arcs[a].to] == g.layer[node]+1) {
			a = g.arcs[a].next
		}
		g.at[node] = a
		if a != none {
			path = append(path, a)
			node = int(g.arcs[a].to)
			continue
		}
		if len(path) == 0 {
			return 0
		}
		// A dead end: back by one, and past the arc into the dead end.
		last := path[len(path)-1]
		path = path[:len(path)-1]
		node = int(g.arcs[last^1].to)
		g.at[node] = g.arcs[last].next
	}
	least := int64(plenty)
	for _, a := range path {
		least = min(least, g.arcs[a].left)
	}
	for _, a := range path {
		g.arcs[a].left -= least
		g.arcs[a^1].left += least
	}
	return least
}

// cut counts the common edges from nodes still reachable from the source to the rest, after maximum.
func (g *network) cut(v *view) int {
	n := 0
	for r := range v.next {
		for _, a := range v.next[r] {
			if g.layer[r] != none && g.layer[a.to] == none {
				n++
			}
		}
	}
	return n
}

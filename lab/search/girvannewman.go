package search

import "context"

// GirvanNewman divides a graph into clusters. A count of 0 or less leaves their number to the modularity; otherwise division
// stops at count clusters, or at the number of components if larger. The result is made for [NewOverview]. Errors: the context's.
//
// Source: M. Girvan and M. E. J. Newman, Community structure in social and biological networks, PNAS 99 (2002);
// betweenness after U. Brandes, A faster algorithm for betweenness centrality, Journal of Mathematical Sociology 25
// (2001). Brand, section 4.4.4, proposes it for hierarchies over a mesh.
//
// Idea: The betweenness of an edge is the number of shortest paths through it, over all pairs of nodes, where equally short
// paths share one count. Edges between clusters have the most. So the edge with the highest is taken out, again and again;
// the remaining components are the clusters.
//
// Input: any Graph. Directions, costs and repetitions of edges do not count.
//
// Guarantees:
//  1. Betweenness agrees with its definition (TestBetweenness).
//  2. Clusters are connected and have numbers in the order of their first nodes; nodes without edges are in none
//     (TestClusteringsAreValid).
//  3. Of all steps, the one with the highest modularity is the result, the first of equals (TestGirvanNewmanKnown).
//
// Degenerate cases: of edges with equal betweenness, up to rounding, the first by its nodes goes.
//
// Cost: O(n m) for each edge that is taken out, for the n nodes and m edges of its component: for graphs of some hundreds of
// nodes. For larger graphs use [Louvain].
func GirvanNewman(ctx context.Context, g *Graph, count int) ([]int32, error) {
	t := newTies(g)
	b := newBetweenness(t)
	whole := make([]int32, t.nodes())
	best := t.parts(whole, b.out)
	most := t.modularity(best, 1)
	for n := range int32(t.nodes()) {
		b.from(n)
	}
	for range t.ends {
		if count > 0 && clusters(best) >= count {
			return best, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cut := b.highest()
		b.remove(cut)
		of := t.parts(whole, b.out)
		switch q := t.modularity(of, 1); {
		case count > 0:
			best = of
		case q > most+1e-12: // more than rounding
			best, most = of, q
		}
	}
	return best, nil
}

// clusters is their number.
func clusters(of []int32) int {
	n := int32(0)
	for _, c := range of {
		n = max(n, c+1)
	}
	return int(n)
}

// betweenness of the edges of a graph, from which edges are taken out.
type betweenness struct {
	*ties
	score []float64 // of each edge
	out   []bool

	// Data of the search from one node: distances, numbers of shortest paths, and the counts carried back along them.
	distance []int32
	paths    []float64
	carried  []float64
	order    []int32
}

func newBetweenness(t *ties) *betweenness {
	n := t.nodes()
	return &betweenness{
		ties: t, score: make([]float64, len(t.ends)), out: make([]bool, len(t.ends)),
		distance: make([]int32, n), paths: make([]float64, n), carried: make([]float64, n),
	}
}

// from adds the shares of all shortest paths from a node, each pair of nodes half from either end.
func (b *betweenness) from(root int32) {
	b.search(root)
	for i := len(b.order) - 1; i > 0; i-- {
		v := b.order[i]
		for _, e := range b.at(v) {
			if u := b.other(e, v); !b.out[e] && b.distance[u] == b.distance[v]-1 {
				share := b.paths[u] / b.paths[v] * (1 + b.carried[v])
				b.score[e] += share / 2
				b.carried[u] += share
			}
		}
	}
}

// search finds the nodes of the component of a root in the order of their distances, which are counted from 1, and
// how many shortest paths lead to each.
func (b *betweenness) search(root int32) {
	clear(b.distance)
	b.order = append(b.order[:0], root)
	b.distance[root], b.paths[root], b.carried[root] = 1, 1, 0
	for i := 0; i < len(b.order); i++ {
		u := b.order[i]
		for _, e := range b.at(u) {
			if b.out[e] {
				continue
			}
			v := b.other(e, u)
			if b.distance[v] == 0 {
				b.distance[v], b.paths[v], b.carried[v] = b.distance[u]+1, 0, 0
				b.order = append(b.order, v)
			}
			if b.distance[v] == b.distance[u]+1 {
				b.paths[v] += b.paths[u]
			}
		}
	}
}

// highest returns the first edge that no other exceeds by more than rounding.
func (b *betweenness) highest() int32 {
	best := int32(-1)
	for e := range int32(len(b.ends)) {
		if !b.out[e] && (best < 0 || b.score[e] > b.score[best]*(1+1e-9)) {
			best = e
		}
	}
	return best
}

// remove takes an edge out and counts anew in its component; no other has changed.
func (b *betweenness) remove(edge int32) {
	b.search(b.ends[edge][0])
	component := append([]int32(nil), b.order...)
	b.out[edge] = true
	for _, n := range component {
		for _, e := range b.at(n) {
			b.score[e] = 0
		}
	}
	for _, n := range component {
		b.from(n)
	}
}

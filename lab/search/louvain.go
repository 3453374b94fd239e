package search

import "slices"

// Louvain divides a graph into clusters in nearly linear time. The higher the resolution, the smaller the clusters: 1
// means modularity by its definition, and so do values of 0 or less. The result is made for [NewOverview].
//
// Source: V. D. Blondel, J.-L. Guillaume, R. Lambiotte and E. Lefebvre, Fast unfolding of communities in large
// networks, Journal of Statistical Mechanics (2008); the resolution after J. Reichardt and S. Bornholdt, Statistical
// mechanics of community detection, Physical Review E 74 (2006).
//
// Idea: Each node moves to the cluster of the neighbour that raises the modularity most, as long as any does. Then each
// cluster becomes a node, edges between clusters one heavy edge, and all begins again, until nothing moves.
//
// Input: any Graph. Directions, costs and repetitions of edges do not count.
//
// Guarantees:
//  1. Clusters are connected and have numbers in the order of their first nodes; nodes without edges are in none
//     (TestClusteringsAreValid).
//  2. The modularity is at least that of one cluster per component (TestLouvainRaisesModularity).
//  3. The same clusters every time (TestClusteringsAreValid).
//
// Degenerate cases: of clusters that raise the modularity equally, a node stays where it is, or takes the lowest number.
//
// Cost: O(m) for a round over all edges; some rounds on each of about log n levels, and O(m log m) for sorting.
//
// Departures: nodes are visited by number, so nothing is random. Moves can leave a cluster in pieces, which
// become clusters of their own at the end.
func Louvain(g *Graph, resolution float64) []int32 {
	if !(resolution > 0) {
		resolution = 1
	}
	t := newTies(g)
	w := level0(t)
	of := make([]int32, t.nodes())
	for n := range of {
		of[n] = int32(n)
	}
	for {
		moved := w.settle(resolution)
		for n := range of {
			of[n] = w.of[of[n]]
		}
		if !moved {
			break
		}
		w = w.shrink()
	}
	return t.parts(of, nil)
}

// weighted is a level of Louvain: an undirected graph with weighted edges.
type weighted struct {
	first  []int32
	to     []int32
	weight []float64
	loop   []float64 // twice the weight inside of each node
	degree []float64 // of each node, with its loop
	total  float64   // of all degrees
	of     []int32   // cluster of each node
	sum    []float64 // of the degrees in each cluster
}

// level0 is the graph itself.
func level0(t *ties) *weighted {
	w := &weighted{first: t.first, loop: make([]float64, t.nodes())}
	for n := range int32(t.nodes()) {
		for _, e := range t.at(n) {
			w.to = append(w.to, t.other(e, n))
			w.weight = append(w.weight, 1)
		}
	}
	w.begin()
	return w
}

// begin puts each node into a cluster of its own.
func (w *weighted) begin() {
	n := len(w.loop)
	w.degree, w.of = make([]float64, n), make([]int32, n)
	for u := range n {
		w.degree[u] = w.loop[u]
		for i := w.first[u]; i < w.first[u+1]; i++ {
			w.degree[u] += w.weight[i]
		}
		w.total += w.degree[u]
		w.of[u] = int32(u)
	}
	w.sum = slices.Clone(w.degree)
}

// mostRounds bounds the rounds of a level, which could go on for small gains.
const mostRounds = 50

// settle moves nodes until none gains by it, numbers the clusters that are left, and reports whether any node moved.
func (w *weighted) settle(resolution float64) bool {
	towards := make([]float64, len(w.loop)) // weight from the node to each cluster
	var near []int32
	any := false
	for round := 0; round < mostRounds; round++ {
		moved := false
		for u := range w.of {
			near = near[:0]
			for i := w.first[u]; i < w.first[u+1]; i++ {
				c := w.of[w.to[i]]
				if towards[c] == 0 {
					near = append(near, c)
				}
				towards[c] += w.weight[i]
			}
			own := w.of[u]
			w.sum[own] -= w.degree[u]
			gain := func(c int32) float64 { return towards[c] - resolution*w.sum[c]*w.degree[u]/w.total }
			best, most := own, gain(own)
			for _, c := range near {
				// More than rounding; of equal gains the lowest cluster wins.
				if q := gain(c); q > most+1e-9 || q > most-1e-9 && best != own && c < best {
					best, most = c, q
				}
			}
			w.sum[best] += w.degree[u]
			if best != own {
				w.of[u], moved, any = best, true, true
			}
			for _, c := range near {
				towards[c] = 0
			}
		}
		if !moved {
			break
		}
	}
	w.number()
	return any
}

// number gives the clusters that have nodes the numbers from 0 up, in the order of their first nodes.
func (w *weighted) number() {
	number := make([]int32, len(w.of))
	count := int32(0)
	for i, c := range w.of {
		if number[c] == 0 {
			count++
			number[c] = count
		}
		w.of[i] = number[c] - 1
	}
}

// shrink makes each cluster a node.
func (w *weighted) shrink() *weighted {
	count := int(slices.Max(w.of)) + 1
	members := make([][]int32, count)
	for u, c := range w.of {
		members[c] = append(members[c], int32(u))
	}
	s := &weighted{first: make([]int32, 1, count+1), loop: make([]float64, count)}
	towards := make([]float64, count)
	var near []int32
	for c := range members {
		near = near[:0]
		for _, u := range members[c] {
			s.loop[c] += w.loop[u]
			for i := w.first[u]; i < w.first[u+1]; i++ {
				d := w.of[w.to[i]]
				if int(d) == c {
					s.loop[c] += w.weight[i]
					continue
				}
				if towards[d] == 0 {
					near = append(near, d)
				}
				towards[d] += w.weight[i]
			}
		}
		for _, d := range near {
			s.to = append(s.to, d)
			s.weight = append(s.weight, towards[d])
			towards[d] = 0
		}
		s.first = append(s.first, int32(len(s.to)))
	}
	s.begin()
	return s
}

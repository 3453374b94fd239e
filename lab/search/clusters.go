package search

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/internal/unionfind"
)

// ties is an undirected graph, the view of clusterings: an edge wherever the graph has one in either direction, each once,
// none from a node to itself.
type ties struct {
	ends  [][2]int32 // of each edge, the smaller first, in rising order
	first []int32    // rows of edges by node
	edge  []int32
}

// newTies leaves out directions, costs and repetitions. Time O(m log m).
func newTies(g *Graph) *ties {
	t := &ties{}
	for u := range int32(g.Nodes()) {
		targets, _ := g.From(u)
		for _, v := range targets {
			if u != v {
				t.ends = append(t.ends, [2]int32{min(u, v), max(u, v)})
			}
		}
	}
	slices.SortFunc(t.ends, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	t.ends = slices.Compact(t.ends)
	t.first = make([]int32, g.Nodes()+1)
	for _, e := range t.ends {
		t.first[e[0]+1]++
		t.first[e[1]+1]++
	}
	for n := range g.Nodes() {
		t.first[n+1] += t.first[n]
	}
	next := slices.Clone(t.first)
	t.edge = make([]int32, 2*len(t.ends))
	for i, e := range t.ends {
		for _, n := range e {
			t.edge[next[n]] = int32(i)
			next[n]++
		}
	}
	return t
}

// nodes is their number.
func (t *ties) nodes() int { return len(t.first) - 1 }

// at returns the edges at a node.
func (t *ties) at(n int32) []int32 { return t.edge[t.first[n]:t.first[n+1]] }

// other returns the end of an edge that is not n.
func (t *ties) other(edge, n int32) int32 { return t.ends[edge][0] + t.ends[edge][1] - n }

// parts numbers the connected parts of clusters by their first nodes; nodes without edges get -1. Edges in out join
// nothing; a nil out is empty.
func (t *ties) parts(of []int32, out []bool) []int32 {
	f := unionfind.New(t.nodes())
	for i, e := range t.ends {
		if of[e[0]] == of[e[1]] && (out == nil || !out[i]) {
			f.Union(e[0], e[1])
		}
	}
	number := make([]int32, t.nodes())
	count := int32(0)
	for n := range int32(t.nodes()) {
		switch root := f.Find(n); {
		case len(t.at(n)) == 0:
			number[n] = -1
		case root == n:
			number[n] = count
			count++
		default:
			number[n] = number[root] // roots are the smallest of their sets
		}
	}
	return number
}

// modularity is the share of edges inside clusters, less resolution times the expected share for random edges between nodes
// of the same degrees: 0 for one cluster, near 1 for many nearly separate ones, 0 for a graph without edges. Nodes with
// edges must be in clusters. Source: M. E. J. Newman and M. Girvan, Finding and evaluating community structure in networks,
// Physical Review E 69 (2004).
func (t *ties) modularity(of []int32, resolution float64) float64 {
	if len(t.ends) == 0 {
		return 0
	}
	ends := make([]float64, slices.Max(of)+1)
	inside := 0.0
	for _, e := range t.ends {
		ends[of[e[0]]]++
		ends[of[e[1]]]++
		if of[e[0]] == of[e[1]] {
			inside++
		}
	}
	m := float64(len(t.ends))
	q := inside / m
	for _, d := range ends {
		q -= resolution * (d / (2 * m)) * (d / (2 * m))
	}
	return q
}

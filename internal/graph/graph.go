// Package graph is a directed graph in compressed rows that knows nothing but numbers: nodes are 0..n-1, edges have a cost.
package graph

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// Edge is one directed edge.
type Edge struct {
	From, To int32
	Cost     float64 // not negative, finite
}

// Graph is a directed graph in compressed rows: the edges that leave node n are the elements first[n] to
// first[n+1] of target and cost.
type Graph struct {
	first  []int32 // nodes+1 elements
	target []int32
	cost   []float64

	once     sync.Once
	backward *Graph
}

// New returns the graph with the nodes 0..nodes-1 and the given edges. Edges from the same node keep their
// order; several edges between two nodes and edges from a node to itself are allowed. The errors of all
// faulty edges are joined. Time and space O(nodes + edges).
func New(nodes int, edges []Edge) (*Graph, error) {
	if nodes < 0 || nodes >= math.MaxInt32 {
		return nil, fmt.Errorf("graph: %d nodes, want 0 to %d", nodes, math.MaxInt32-1)
	}
	if len(edges) > math.MaxInt32 {
		return nil, fmt.Errorf("graph: %d edges, want at most %d", len(edges), math.MaxInt32)
	}
	var faults []error
	for i, e := range edges {
		if e.From < 0 || int(e.From) >= nodes || e.To < 0 || int(e.To) >= nodes {
			faults = append(faults, fmt.Errorf("graph: edge %d from %d to %d: the graph has %d nodes", i, e.From, e.To, nodes))
		}
		// Written to refuse NaN as well.
		if !(e.Cost >= 0) || math.IsInf(e.Cost, 1) {
			faults = append(faults, fmt.Errorf("graph: edge %d from %d to %d: cost %v, want a finite number ≥ 0", i, e.From, e.To, e.Cost))
		}
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	g := &Graph{
		first:  make([]int32, nodes+1),
		target: make([]int32, len(edges)),
		cost:   make([]float64, len(edges)),
	}
	for _, e := range edges {
		g.first[e.From+1]++
	}
	for n := range nodes {
		g.first[n+1] += g.first[n]
	}
	next := append([]int32(nil), g.first[:nodes]...)
	for _, e := range edges {
		i := next[e.From]
		next[e.From]++
		g.target[i], g.cost[i] = e.To, e.Cost
	}
	return g, nil
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.first) - 1 }

// Edges returns the number of edges.
func (g *Graph) Edges() int { return len(g.target) }

// From returns the targets and the costs of the edges of node n, which must exist. The slices are the graph's
// own and must not be changed.
func (g *Graph) From(n int32) (targets []int32, costs []float64) {
	lo, hi := g.first[n], g.first[n+1]
	return g.target[lo:hi:hi], g.cost[lo:hi:hi]
}

// Sum returns the sum of the costs of the cheapest edges along a path.
func (g *Graph) Sum(path []int32) float64 {
	sum := 0.0
	for i := 1; i < len(path); i++ {
		least := math.Inf(1)
		targets, costs := g.From(path[i-1])
		for k, t := range targets {
			if t == path[i] {
				least = min(least, costs[k])
			}
		}
		sum += least
	}
	return sum
}

// Reversed returns the graph with every edge turned around. It is made once, on first use, in time
// and space O(nodes + edges).
func (g *Graph) Reversed() *Graph {
	g.once.Do(func() {
		n := g.Nodes()
		r := &Graph{
			first:  make([]int32, n+1),
			target: make([]int32, len(g.target)),
			cost:   make([]float64, len(g.cost)),
		}
		for _, t := range g.target {
			r.first[t+1]++
		}
		for v := range n {
			r.first[v+1] += r.first[v]
		}
		next := append([]int32(nil), r.first[:n]...)
		for v := range int32(n) {
			targets, costs := g.From(v)
			for k, t := range targets {
				i := next[t]
				next[t]++
				r.target[i], r.cost[i] = v, costs[k]
			}
		}
		g.backward = r
	})
	return g.backward
}

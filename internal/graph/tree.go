package graph

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
)

// tree holds the memory of Dijkstra's search from one node to all others. Node v of the tree is node first+v of the graph.
type tree struct {
	first int32
	open  pq.Heap
	cost  []float64
	done  []bool
	found []int32 // in the order of their cost
}

func newTree(first int32, n int) *tree {
	t := &tree{first: first, cost: make([]float64, n), done: make([]bool, n)}
	for i := range t.cost {
		t.cost[i] = math.Inf(1)
	}
	return t
}

// grow writes the cost of the cheapest path from root to every node that a path reaches.
func (t *tree) grow(g *Graph, root int32, costs []float64) {
	touched := append(t.found[:0], root)
	t.open.Reset()
	t.cost[root] = 0
	t.open.Push(0, root)
	for t.open.Len() > 0 {
		v := t.open.Pop().ID
		if t.done[v] {
			continue
		}
		t.done[v] = true
		costs[v] = t.cost[v]
		targets, lengths := g.From(t.first + v)
		for i, u := range targets {
			u -= t.first
			if c := t.cost[v] + lengths[i]; c < t.cost[u] {
				if math.IsInf(t.cost[u], 1) {
					touched = append(touched, u)
				}
				t.cost[u] = c
				t.open.Push(c, u)
			}
		}
	}
	for _, v := range touched {
		t.cost[v], t.done[v] = math.Inf(1), false
	}
	t.found = touched
}

// AllCosts returns the costs of cheapest paths between the nodes from first up to end, +Inf between nodes without a path. No edge
// leads from these nodes to others. The cost from a to b is at (a-first)·n + b-first, for n = end-first. The error is the error of ctx.
// Time O(n·(n + m) log n) for the m edges of these nodes.
func AllCosts(ctx context.Context, g *Graph, first, end int) ([]float64, error) {
	n := end - first
	costs := make([]float64, n*n)
	for i := range costs {
		costs[i] = math.Inf(1)
	}
	t := newTree(int32(first), n)
	for a := range n {
		if a%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("graph: all costs: %w", ctx.Err())
		}
		t.grow(g, int32(a), costs[a*n:(a+1)*n])
	}
	return costs, nil
}

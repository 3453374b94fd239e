package search

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
)

// tree is the memory of Dijkstra's search for all that it comes to.
type tree struct {
	open   pq.Heap
	cost   []float64
	parent []int32
	done   []bool
	found  []int32 // in the order of their cost
}

func newTree(n int) *tree {
	t := &tree{cost: make([]float64, n), parent: make([]int32, n), done: make([]bool, n)}
	for i := range t.cost {
		t.cost[i] = math.Inf(1)
	}
	return t
}

// grow searches from root as far as goOn says, asked once for every node.
func (t *tree) grow(g *Graph, root int32, goOn func(v int32) bool) {
	touched := append(t.found[:0], root)
	t.open.Reset()
	t.cost[root], t.parent[root] = 0, root
	t.open.Push(0, root)
	for t.open.Len() > 0 {
		v := t.open.Pop().ID
		if t.done[v] {
			continue
		}
		t.done[v] = true
		if !goOn(v) {
			continue
		}
		targets, costs := g.From(v)
		for i, u := range targets {
			if c := t.cost[v] + costs[i]; c < t.cost[u] {
				if math.IsInf(t.cost[u], 1) {
					touched = append(touched, u)
				}
				t.cost[u], t.parent[u] = c, v
				t.open.Push(c, u)
			}
		}
	}
	for _, v := range touched {
		t.cost[v], t.done[v] = math.Inf(1), false
	}
	t.found = touched
}

// AllCosts returns the costs of cheapest paths between all nodes of a graph, +Inf where there is none: that from a to
// b at a·n+b for n nodes. The error is that of ctx. Time O(n·(n + m) log n) for m edges.
func AllCosts(ctx context.Context, g *Graph) ([]float64, error) {
	n := g.Nodes()
	costs := make([]float64, n*n)
	for i := range costs {
		costs[i] = math.Inf(1)
	}
	t := newTree(n)
	for a := range n {
		if a%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("search: all costs: %w", ctx.Err())
		}
		row := costs[a*n : (a+1)*n]
		t.grow(g, int32(a), func(v int32) bool {
			row[v] = t.cost[v]
			return true
		})
	}
	return costs, nil
}

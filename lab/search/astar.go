package search

import (
	"context"

	"github.com/meadow-nav/meadow/internal/pq"
)

// A*.
//
// Source: P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination
// of minimum cost paths, IEEE Transactions on Systems Science and Cybernetics 4 (1968); Brand,
// section 7.1, algorithm 17.
//
// Idea: Nodes are taken up in the order of f = g + h, the cost of the way to them and the estimate
// of the rest. Where the estimate is good the search is drawn to the goal. When the goal is the
// next, no other way can be cheaper.
//
// Input: any Graph, an admissible Estimate.
//
// Guarantees:
//  1. With an admissible estimate the path is a cheapest one (TestAllAgree, TestAStarInconsistent).
//  2. With a consistent estimate no node is taken up twice (TestAStarExpandsOnce).
//  3. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Dijkstra, which it equals for a nil Estimate.
//
// Cost: O((n + m) log m) time for the n nodes with f below the cost of the path and their m edges,
// if the estimate is consistent; exponential in the worst case if it is only admissible.
//
// Departures: a closed node with a new cheaper way is opened again, where algorithm 17 leaves it, so a merely
// admissible estimate does no harm; stale entries stay in the heap and are skipped.
type AStar struct {
	graph    *Graph
	estimate Estimate
	labels   labels
	open     pq.Heap
	path     []int32
	last     []float64 // for Between, made on first use: the cost of an end at each node, else +Inf
}

// NewAStar returns a searcher on g. The estimate must be admissible; nil stands for zero.
func NewAStar(g *Graph, e Estimate) *AStar {
	return &AStar{graph: g, estimate: orZero(e), labels: newLabels(g.Nodes())}
}

// Path implements [Search].
func (s *AStar) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	s.labels.begin()
	s.open.Reset()
	gen := s.labels.gen
	at := s.labels.at
	h := s.estimate(from, to)
	at[from] = label{h: h, parent: from, stamp: gen}
	s.open.Push(h, from)
	expanded := 0
	for s.open.Len() > 0 {
		u := s.open.Pop().ID
		if at[u].stamp != gen {
			continue // an older entry of a node that has been taken up
		}
		at[u].stamp = gen | 1
		if u == to {
			s.path = s.labels.path(s.path, to)
			return Result{Nodes: s.path, Cost: at[to].g, Expanded: expanded, Busiest: expanded}, nil
		}
		if expanded++; expanded%checkEvery == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		targets, costs := s.graph.From(u)
		for i, v := range targets {
			g := at[u].g + costs[i]
			l := &at[v]
			switch {
			case l.stamp|1 != gen|1:
				l.h = s.estimate(v, to)
			case g >= l.g:
				continue
			}
			l.g, l.parent, l.stamp = g, u, gen
			s.open.Push(g+l.h, v)
		}
	}
	return none(expanded, 0), nil
}

package search

import (
	"context"

	"github.com/meadow-nav/meadow/internal/pq"
)

// Dijkstra's algorithm.
//
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1
// (1959); Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes,
// section 7.1.3, takes it as A* without an estimate.
//
// Idea: Nodes are taken up in the order of their cost from the start. No edge has a negative cost,
// so the cost of a node is final when it is taken up.
//
// Input: any Graph.
//
// Guarantees:
//  1. The path is a cheapest one, and if the Result has no path, none exists (TestDijkstraAgainstBellmanFord).
//  2. The nodes are joined by edges whose costs sum to Cost (TestAllAgree).
//  3. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: start = goal gives the single node at cost 0; edges of cost 0, parallel edges and edges
// from a node to itself need no care; of equally cheap paths the graph and the order of package pq decide,
// the same on every machine.
//
// Cost: O((n + m) log m) time for the n nodes and m edges that are no farther than the goal.
//
// Departures: stale entries stay in the heap and are skipped, instead of being moved up.
type Dijkstra struct {
	graph  *Graph
	labels labels
	open   pq.Heap
	path   []int32
}

// NewDijkstra returns a searcher on g.
func NewDijkstra(g *Graph) *Dijkstra {
	return &Dijkstra{graph: g, labels: newLabels(g.Nodes())}
}

// Path implements [Search].
func (s *Dijkstra) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	s.labels.begin()
	s.open.Reset()
	gen := s.labels.gen
	at := s.labels.at
	at[from] = label{parent: from, stamp: gen}
	s.open.Push(0, from)
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
			if l := &at[v]; l.stamp|1 != gen|1 || g < l.g {
				*l = label{g: g, parent: u, stamp: gen}
				s.open.Push(g, v)
			}
		}
	}
	return none(expanded, 0), nil
}

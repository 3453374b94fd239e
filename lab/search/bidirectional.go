package search

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
)

// Bidirectional A* with exact stopping.
//
// Source: W. Pijls and H. Post, Yet another bidirectional algorithm for finding the shortest path,
// Econometric Institute Report EI 2009-10 (NBA*). Brand, section 7.3.1, searches from both sides and
// stops at the first node that both have reached, which is not exact;
// see ParallelPublished.
//
// Idea: One A* runs from the start, another from the goal against the edges. Each node is expanded by the
// first side to take it up. Every node known to both gives a path, and the cheapest path is the bound; a node
// is rejected if its cost plus the least remaining cost of the other side reaches the bound. A side with
// nothing left below the bound ends the search.
//
// Input: any Graph, a consistent Estimate.
//
// Guarantees:
//  1. The path is a cheapest one (TestAllAgree).
//  2. No node is expanded twice (TestBidirectionalExpandsOnce).
//  3. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Dijkstra. Where there is no path, the side with the smaller surroundings
// ends the search (TestNoPathEndsEarly).
//
// Cost: O((n + m) log m) time for the n nodes expanded and their m edges; twice the memory of A*, and
// the reversed graph.
//
// Departures: the next side is the one with fewer open nodes (Pohl's cardinality rule), in turn if they have
// equally many; a heap may hold stale entries, so a side's least f is taken from its last node.
type Bidirectional struct {
	graph    *Graph
	estimate Estimate
	side     [2]half
	path     []int32
}

// half is one direction of a Bidirectional.
type half struct {
	graph  *Graph
	labels labels
	open   pq.Heap
	least  float64 // no open node of this side has a smaller f
}

// NewBidirectional returns a searcher on g. The estimate must be consistent; nil stands for zero.
func NewBidirectional(g *Graph, e Estimate) *Bidirectional {
	s := &Bidirectional{graph: g, estimate: orZero(e)}
	for i, g := range [2]*Graph{g, g.Reversed()} {
		s.side[i].graph = g
		s.side[i].labels = newLabels(g.Nodes())
	}
	return s
}

// toGoal is the estimate of side d, from node n to the end that the side searches for.
func (s *Bidirectional) toGoal(d int, n, from, to int32) float64 {
	if d == 0 {
		return s.estimate(n, to)
	}
	return s.estimate(from, n)
}

// Path implements [Search].
func (s *Bidirectional) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	whole := s.estimate(from, to)
	for d, root := range [2]int32{from, to} {
		a := &s.side[d]
		a.labels.begin()
		a.open.Reset()
		a.labels.at[root] = label{h: whole, parent: root, stamp: a.labels.gen}
		a.open.Push(whole, root)
		a.least = whole
	}
	best, meet := math.Inf(1), int32(-1)
	if from == to {
		best, meet = 0, from
	}
	expanded, d := 0, 1
	for s.side[0].open.Len() > 0 && s.side[1].open.Len() > 0 {
		if s.side[0].open.Min().Key >= best || s.side[1].open.Min().Key >= best {
			break // the side would reject the rest
		}
		d = 1 - d
		if s.side[1-d].open.Len() < s.side[d].open.Len() {
			d = 1 - d
		}
		a, b := &s.side[d], &s.side[1-d]
		item := a.open.Pop()
		u := item.ID
		if a.labels.closed(u) || b.labels.closed(u) {
			continue
		}
		a.least = max(a.least, item.Key)
		at, gen := a.labels.at, a.labels.gen
		at[u].stamp = gen | 1
		if meet >= 0 && at[u].g+b.least-s.toGoal(1-d, u, from, to) >= best {
			continue // rejected: the other side cannot reach it cheaply enough
		}
		if expanded++; expanded%checkEvery == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		targets, costs := a.graph.From(u)
		for i, v := range targets {
			g := at[u].g + costs[i]
			l := &at[v]
			switch {
			case l.stamp|1 != gen|1:
				l.h = s.toGoal(d, v, from, to)
			case g >= l.g || l.stamp != gen:
				continue
			}
			l.g, l.parent, l.stamp = g, u, gen
			if b.labels.known(v) && g+b.labels.at[v].g < best {
				best, meet = g+b.labels.at[v].g, v
			}
			if !b.labels.closed(v) && g+l.h < best {
				a.open.Push(g+l.h, v)
			}
		}
	}
	if meet < 0 {
		return none(expanded, 0), nil
	}
	s.path = s.side[0].labels.join(s.path, &s.side[1].labels, meet)
	return Result{Nodes: s.path, Cost: best, Expanded: expanded, Busiest: expanded}, nil
}

package search

import (
	"context"
	"fmt"
	"math"
)

// Between returns a cheapest path from any of some nodes to any of others, and its Cost includes the costs of both
// ends. It serves starts and goals that are no nodes of the graph. The estimate is for the rest of the way from a node,
// the cost of its end included, and must be admissible; nil means zero, and the searcher's own estimate is not used.
// Errors: as for Path, and a cost that is negative or NaN. Without ends on one side no path exists.
func (s *AStar) Between(ctx context.Context, from, to []End, rest func(node int32) float64) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if rest == nil {
		rest = nothing
	}
	for _, list := range [2][]End{from, to} {
		for _, e := range list {
			if err := begin(ctx, s.graph, e.Node, e.Node); err != nil {
				return Result{}, err
			}
			if !(e.Cost >= 0) {
				return Result{}, fmt.Errorf("search: cost %v at node %d, want a number ≥ 0", e.Cost, e.Node)
			}
		}
	}
	if s.last == nil {
		s.last = make([]float64, s.graph.Nodes())
		for i := range s.last {
			s.last[i] = math.Inf(1)
		}
	}
	for _, e := range to {
		s.last[e.Node] = min(s.last[e.Node], e.Cost)
	}
	r, err := s.between(ctx, from, rest)
	for _, e := range to {
		s.last[e.Node] = math.Inf(1)
	}
	return r, err
}

// between is Between with the costs of the ends of ways in s.last.
func (s *AStar) between(ctx context.Context, from []End, rest func(node int32) float64) (Result, error) {
	s.labels.begin()
	s.open.Reset()
	gen, at := s.labels.gen, s.labels.at
	for _, e := range from {
		if l := &at[e.Node]; l.stamp != gen || e.Cost < l.g {
			*l = label{g: e.Cost, h: rest(e.Node), parent: e.Node, stamp: gen}
			s.open.Push(l.g+l.h, e.Node)
		}
	}
	best, last := math.Inf(1), int32(-1)
	expanded := 0
	for s.open.Len() > 0 && s.open.Min().Key < best {
		u := s.open.Pop().ID
		if at[u].stamp != gen {
			continue // an older entry of a node that has been taken up
		}
		at[u].stamp = gen | 1
		if cost := at[u].g + s.last[u]; cost < best {
			best, last = cost, u
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
				l.h = rest(v)
			case g >= l.g:
				continue
			}
			l.g, l.parent, l.stamp = g, u, gen
			s.open.Push(g+l.h, v)
		}
	}
	if last < 0 {
		return none(expanded, 0), nil
	}
	s.path = s.labels.path(s.path, last)
	return Result{Nodes: s.path, Cost: best, Expanded: expanded, Busiest: expanded}, nil
}

// nothing is the estimate of the rest that knows nothing.
func nothing(int32) float64 { return 0 }

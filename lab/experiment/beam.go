package experiment

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lab/search"
)

// A search that gives up.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section 8.2:
// the words about the search of the game Overlord, with a Manhattan distance, a bounded open list and a cap on flooded nodes.
//
// Idea: A* with an estimate that promises too much, so that the search runs straight at the goal. A full open list loses
// its worst node. After so many expanded nodes the search ends without a path.
//
// Input: a graph on columns of a uniform grid, with costs in spacings; a list of at least one node; a cap of at least one.
//
// Guarantees:
//  1. A path is a chain of edges from start to goal, with the cost of its edges (TestBeamPaths).
//  2. No search expands more nodes than its cap, and no open list holds more than its bound (TestBeamKeepsItsBounds, TestBeamStepByStep).
//  3. Without bounds, a path is found wherever A* finds one (TestBeamPaths).
//
// Degenerate cases: a start that is the goal is a path of one node.
//
// Cost: O(c·w) for a cap of c nodes and a list of w, because the list is not sorted.
//
// Departures: the source names neither bound. The list of the source hashes its nodes; ours is read through, with the
// same first node. The newest of equal nodes is first.
type beam struct {
	graph   *search.Graph
	columns [][2]int32
	width   int // of the open list
	cap     int // of expanded nodes

	at     []beamLabel
	stamp  uint32
	open   []int32
	widest int // longest open list so far
	path   []int32
}

// beamLabel is the data of a node in a search.
type beamLabel struct {
	g, f   float64
	parent int32
	stamp  uint32 // of the search that reached the node
	closed bool
}

// newBeam returns a searcher.
func newBeam(g *search.Graph, columns [][2]int32, width, most int) *beam {
	return &beam{graph: g, columns: columns, width: width, cap: most, at: make([]beamLabel, g.Nodes())}
}

// Path implements [search.Search].
func (s *beam) Path(ctx context.Context, from, to int32) (search.Result, error) {
	if err := ctx.Err(); err != nil {
		return search.Result{}, err
	}
	s.stamp++
	s.at[from] = beamLabel{f: s.estimate(from, to), parent: from, stamp: s.stamp}
	s.open = append(s.open[:0], from)
	expanded := 0
	for len(s.open) > 0 {
		first := s.pick(func(a, b float64) bool { return a <= b })
		u := s.open[first]
		s.open = slices.Delete(s.open, first, first+1)
		s.at[u].closed = true
		if u == to {
			return search.Result{Nodes: s.way(to), Cost: s.at[to].g, Expanded: expanded, Busiest: expanded}, nil
		}
		if expanded == s.cap {
			break
		}
		expanded++
		targets, costs := s.graph.From(u)
		for k, v := range targets {
			s.reach(u, v, to, s.at[u].g+costs[k])
		}
	}
	return search.Result{Cost: math.Inf(1), Expanded: expanded, Busiest: expanded}, nil
}

// reach notes a way to node v over node u.
func (s *beam) reach(u, v, to int32, g float64) {
	l := &s.at[v]
	known := l.stamp == s.stamp
	if known && (l.closed || g >= l.g) {
		return
	}
	*l = beamLabel{g: g, f: g + s.estimate(v, to), parent: u, stamp: s.stamp}
	if known && slices.Contains(s.open, v) {
		return
	}
	if len(s.open) == s.width {
		worst := s.pick(func(a, b float64) bool { return a > b })
		if s.at[s.open[worst]].f <= l.f {
			return
		}
		s.open = slices.Delete(s.open, worst, worst+1)
	}
	s.open = append(s.open, v)
	s.widest = max(s.widest, len(s.open))
}

// pick returns the place in the open list of the node that comes before all others.
func (s *beam) pick(before func(a, b float64) bool) int {
	best := 0
	for k, n := range s.open {
		if before(s.at[n].f, s.at[s.open[best]].f) {
			best = k
		}
	}
	return best
}

// estimate is the Manhattan distance, which is too much for diagonal ways.
func (s *beam) estimate(a, b int32) float64 {
	p, q := s.columns[a], s.columns[b]
	return math.Abs(float64(p[0]-q[0])) + math.Abs(float64(p[1]-q[1]))
}

// way returns the nodes from the start to a node.
func (s *beam) way(to int32) []int32 {
	s.path = append(s.path[:0], to)
	for n := to; s.at[n].parent != n; {
		n = s.at[n].parent
		s.path = append(s.path, n)
	}
	slices.Reverse(s.path)
	return s.path
}

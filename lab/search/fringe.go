package search

import (
	"context"
	"math"
)

// FringeOptions are the choices of a Fringe search.
type FringeOptions struct {
	// Relax is by how much the threshold of a pass exceeds the least f in the list, in units of
	// cost: Brand's CostRelaxation. Default 0: no more is taken up than A* would. Below 0 counts as 0.
	Relax float64
	// Published searches as algorithm 18 does: the first path is the answer, and a closed node stays closed. By
	// default the path is a cheapest one.
	Published bool
}

// Fringe Search with cost relaxation.
//
// Source: Y. Björnsson, M. Enzenberger, R. Holte and J. Schaeffer, Fringe search: beating A* at
// pathfinding on game maps, CIG 2005; Brand, section 7.2, algorithm 18.
//
// Idea: The open nodes are in a list without order. A pass takes up nodes with f up to a threshold and leaves
// the others, with newly found nodes, for the next pass; its threshold is the least f left, plus the
// relaxation. Visiting a node in vain costs less than keeping a heap, and the relaxation takes up more nodes
// per pass.
//
// Input: any Graph; a consistent Estimate for the published form, an admissible one for the other.
//
// Guarantees:
//  1. By default the path is a cheapest one (TestFringeExact).
//  2. As published, with relaxation 0, the path is a cheapest one (TestFringePublishedWithoutRelaxation).
//  3. As published, the path costs at most Passes × Relax more than a cheapest one; if a path exists, one is
//     found (TestFringePublishedBound). Each pass may add one relaxation to the error of closed costs: a node
//     is closed with f ≤ least f + Relax, and the least f is as wrong as the costs closed before.
//  4. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Dijkstra.
//
// Cost: O(m + v) for m edges followed and v visits of list elements; v is at most open nodes × passes,
// and there are at most as many passes as different values of f, plus corrections.
//
// Departures: algorithm 18 sets the threshold to the smaller of the old and the new threshold, starting from
// infinity, and states that it never falls; here it is set to the larger. The least f is kept up to date
// while the next list is filled, which saves a scan; a correction of a node that waits in the present pass
// can make it too small, at the price of an idle pass. By default: a closed node with a cheaper way is opened
// again (as Björnsson and others do), nodes that cannot lead to a path cheaper than the known one are
// dropped, and the search ends when the least f reaches the path's cost.
type Fringe struct {
	fringe
	options FringeOptions
	path    []int32
}

// NewFringe returns a searcher on g. A nil estimate stands for zero.
func NewFringe(g *Graph, e Estimate, o FringeOptions) *Fringe {
	s := &Fringe{fringe: newFringe(g, e, o.Relax), options: o}
	return s
}

// Path implements [Search].
func (s *Fringe) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	s.begin(from, to)
	var found bool
	var err error
	if s.options.Published {
		found, err = s.untilGoal(ctx)
	} else {
		found, err = s.untilProved(ctx)
	}
	if err != nil {
		return Result{}, err
	}
	if !found {
		return none(s.expanded, s.passes), nil
	}
	s.path = s.labels.path(s.path, to)
	return Result{Nodes: s.path, Cost: s.labels.at[to].g, Expanded: s.expanded, Busiest: s.expanded, Passes: s.passes}, nil
}

// fringe is the state of a fringe search in one direction.
type fringe struct {
	graph      *Graph
	estimate   Estimate
	relax      float64
	turned     bool // searches from the goal against the edges
	reopens    bool // takes closed nodes up again that it finds a cheaper way to
	labels     labels
	now, later []int32 // no node is in both, or twice in one
	goal       int32
	least      float64 // no node in later has a smaller f
	threshold  float64
	expanded   int
	passes     int
}

func newFringe(g *Graph, e Estimate, relax float64) fringe {
	if !(relax > 0) { // NaN as well
		relax = 0
	}
	return fringe{graph: g, estimate: orZero(e), relax: relax, labels: newLabels(g.Nodes())}
}

// rest is the estimate between node n and the goal.
func (s *fringe) rest(n int32) float64 {
	if s.turned {
		return s.estimate(s.goal, n)
	}
	return s.estimate(n, s.goal)
}

// begin puts the root into the list.
func (s *fringe) begin(root, goal int32) {
	s.goal, s.expanded, s.passes = goal, 0, 0
	s.labels.begin()
	h := s.rest(root)
	s.labels.at[root] = label{h: h, parent: root, stamp: s.labels.gen}
	s.now, s.later = s.now[:0], append(s.later[:0], root)
	s.least, s.threshold = h, 0
}

// nextPass turns the lists around and sets the threshold.
func (s *fringe) nextPass() {
	s.passes++
	s.now, s.later = s.later, s.now[:0]
	s.threshold = max(s.threshold, s.least+s.relax)
	s.least = math.Inf(1)
}

// leave puts node n with the given f off to the next pass.
func (s *fringe) leave(n int32, f float64) {
	s.later = append(s.later, n)
	s.least = min(s.least, f)
}

// untilGoal is the published search; it ends when the goal is closed.
func (s *fringe) untilGoal(ctx context.Context) (bool, error) {
	at, gen := s.labels.at, s.labels.gen
	for len(s.later) > 0 {
		s.nextPass()
		for _, u := range s.now {
			if f := at[u].g + at[u].h; f > s.threshold {
				s.leave(u, f)
				continue
			}
			at[u].stamp = gen | 1
			if u == s.goal {
				return true, nil
			}
			if s.follow(u); s.expanded%checkEvery == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
		}
	}
	return false, nil
}

// follow takes the edges of node u, now closed. Closed nodes stay closed, unless the search reopens nodes with a new
// cheaper way.
func (s *fringe) follow(u int32) {
	s.expanded++
	at, gen := s.labels.at, s.labels.gen
	targets, costs := s.graph.From(u)
	for i, v := range targets {
		g := at[u].g + costs[i]
		l := &at[v]
		switch {
		case l.stamp|1 != gen|1: // new
			*l = label{g: g, h: s.rest(v), parent: u, stamp: gen}
			s.leave(v, g+l.h)
		case g >= l.g:
		case l.stamp == gen: // a correction; the node is in a list
			l.g, l.parent = g, u
			s.least = min(s.least, g+l.h)
		case s.reopens: // closed
			l.g, l.parent, l.stamp = g, u, gen
			s.leave(v, g+l.h)
		}
	}
}

// untilProved is the exact search: it ends when no open node can lead to a cheaper path.
func (s *fringe) untilProved(ctx context.Context) (bool, error) {
	at, gen := s.labels.at, s.labels.gen
	best := math.Inf(1)
	if at[s.goal].stamp == gen {
		best = 0 // the root is the goal
	}
	for len(s.later) > 0 && s.least < best {
		s.nextPass()
		for _, u := range s.now {
			f := at[u].g + at[u].h
			if f > s.threshold && f < best {
				s.leave(u, f)
				continue
			}
			at[u].stamp = gen | 1
			if f >= best {
				continue
			}
			if s.expanded++; s.expanded%checkEvery == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			targets, costs := s.graph.From(u)
			for i, v := range targets {
				g := at[u].g + costs[i]
				l := &at[v]
				fresh := l.stamp|1 != gen|1
				if !fresh && g >= l.g {
					continue
				}
				h := l.h
				if fresh {
					h = s.rest(v)
				}
				if g+h >= best {
					continue
				}
				waits := l.stamp == gen
				*l = label{g: g, h: h, parent: u, stamp: gen}
				switch {
				case v == s.goal:
					best = g
					l.stamp = gen | 1
				case waits:
					s.least = min(s.least, g+h)
				default:
					s.leave(v, g+h)
				}
			}
		}
	}
	return best < math.Inf(1), nil
}

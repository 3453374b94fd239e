package search

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// Parallel Bidirectional Search, as published.
//
// Source: Brand, section 7.3.1, algorithm 19.
//
// Idea: One fringe search runs from the start, another from the goal against the edges, each on its own goroutine with
// its own memory. They share only the marks of closed nodes. The first to close a node already closed by the other
// stops both. Of the nodes known to both by then, the path goes through the one with the cheapest way from both sides.
//
// Input: any Graph, a consistent Estimate that may be called from two goroutines.
//
// Guarantees:
//  1. If a path exists, one is found (TestPublishedComplete).
//  2. The path costs at most 2C − e + 2 Relax, where C is the cost of a cheapest one and e the estimate from start to goal
//     (TestPublishedBound). A side's list always has a node of a cheapest path with an exact label, so its least f is at most
//     C, and closed nodes have f ≤ C + Relax. At the node where they collide that holds for both sides, and the two estimates
//     sum to e at least.
//  3. On maps of rooms without ways around paths are less than 0.25 % longer than the shortest, as published
//     (TestPublishedLengths).
//  4. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: start = goal gives the single node. A side without nodes stops the other: no path.
//
// Determinism: none. The meeting node depends on the speeds of both sides, and with it the path and its cost.
// ParallelFringe and Parallel are the forms with a fixed cost; PathInTurn is the same every time (TestInTurn).
//
// Cost: that of two Fringe searches of about half the radius, and one look at each open node at the end; two labels and
// two marks per node. The second goroutine starts with each search, which takes some microseconds.
//
// Reading: algorithm 19 is a drawing; the text leaves two things open. The text says that the path loses nodes near the collision
// that "will now no longer be discovered": so all discovered nodes count, not just the node of the collision. And all other nodes
// have with certainty "been processed correctly", only around the collision is correction lost: so a closed node is opened again
// when a cheaper way is found, as in Björnsson and others, though not in algorithm 18. docs/algorithms/search.md has the results
// of other readings.
//
// Departures: the marks are two arrays, one per side, so a side never waits to write; they carry the number
// of the search and are never cleared. For simultaneous collisions Brand takes the node nearest to half the
// estimate; here both nodes are among the nodes known to both sides.
type ParallelPublished struct {
	side    [2]collider
	search  uint32 // number of this search, the value of valid marks
	stop    flag
	ctx     context.Context
	wait    sync.WaitGroup
	reverse func() // the goroutine of side 1
	path    []int32
}

// collider is one side of a ParallelPublished.
type collider struct {
	_ apart
	fringe
	mark  []atomic.Uint32
	hit   int32 // the node of this side's collision, or -1
	place int   // of the next node in now
	err   error
	_     apart
}

// NewParallelPublished returns a searcher on g. The estimate must be consistent; nil stands for
// zero. Relax is the threshold's relaxation as in [FringeOptions]; Brand takes 5 on grids of cells
// of size 1.
func NewParallelPublished(g *Graph, e Estimate, relax float64) *ParallelPublished {
	s := &ParallelPublished{}
	for d, g := range [2]*Graph{g, g.Reversed()} {
		s.side[d].fringe = newFringe(g, e, relax)
		s.side[d].turned, s.side[d].reopens = d == 1, true
		s.side[d].mark = make([]atomic.Uint32, g.Nodes())
	}
	s.reverse = func() {
		defer s.wait.Done()
		s.run(1)
	}
	return s
}

// Path implements [Search].
func (s *ParallelPublished) Path(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, false)
}

// PathInTurn is Path on one goroutine, where the sides close a node each in turn, as on cores that are equally
// fast. The path is the same every time.
func (s *ParallelPublished) PathInTurn(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, true)
}

func (s *ParallelPublished) find(ctx context.Context, from, to int32, inTurn bool) (Result, error) {
	if err := begin(ctx, s.side[0].graph, from, to); err != nil {
		return Result{}, err
	}
	if from == to {
		s.path = append(s.path[:0], from)
		return Result{Nodes: s.path}, nil
	}
	if s.search == math.MaxUint32 {
		for d := range s.side {
			for i := range s.side[d].mark {
				s.side[d].mark[i].Store(0)
			}
		}
		s.search = 0
	}
	s.search++
	s.ctx = ctx
	s.stop.Store(false)
	for d, ends := range [2][2]int32{{from, to}, {to, from}} {
		a := &s.side[d]
		a.begin(ends[0], ends[1])
		// Marked before the other side starts: whichever side reaches the other's root collides.
		a.mark[ends[0]].Store(s.search)
		a.hit, a.err, a.place = -1, nil, 0
	}
	if inTurn {
		for d := 0; !s.advance(d, 1); {
			d = 1 - d
		}
	} else {
		s.wait.Add(1)
		go s.reverse()
		s.run(0)
		s.wait.Wait()
	}
	s.ctx = nil

	a, b := &s.side[0], &s.side[1]
	for d := range s.side {
		if s.side[d].err != nil {
			return Result{}, s.side[d].err
		}
	}
	expanded, passes := a.expanded+b.expanded, a.passes+b.passes
	if a.hit < 0 && b.hit < 0 {
		r := none(expanded, passes)
		r.Busiest = max(a.expanded, b.expanded)
		return r, nil
	}
	s.path = a.labels.join(s.path, &b.labels, s.cheapest())
	return Result{
		Nodes: s.path, Cost: a.graph.Sum(s.path), Expanded: expanded, Busiest: max(a.expanded, b.expanded), Passes: passes,
	}, nil
}

// cheapest returns the node with the cheapest way from both sides. A node known to both is a collision node, or open on
// at least one side.
func (s *ParallelPublished) cheapest() int32 {
	best, meet := math.Inf(1), int32(-1)
	for d := range s.side {
		a, b := &s.side[d], &s.side[1-d]
		for _, list := range [3][]int32{{a.hit}, a.now[a.place:], a.later} {
			for _, v := range list {
				if v < 0 || !b.labels.known(v) {
					continue
				}
				if both := a.labels.at[v].g + b.labels.at[v].g; both < best {
					best, meet = both, v
				}
			}
		}
	}
	return meet
}

// run searches with side d until it collides, has nothing left, or is stopped.
func (s *ParallelPublished) run(d int) {
	s.advance(d, math.MaxInt)
	s.stop.Store(true)
}

// advance continues side d for a number of closed nodes, and reports whether before that it collided, ran out of
// nodes, or was stopped.
func (s *ParallelPublished) advance(d, nodes int) bool {
	a, b := &s.side[d], &s.side[1-d]
	at, gen := a.labels.at, a.labels.gen
	for nodes > 0 {
		if a.place == len(a.now) {
			if len(a.later) == 0 {
				return true
			}
			a.nextPass()
			a.place = 0
		}
		u := a.now[a.place]
		a.place++
		if f := at[u].g + at[u].h; f > a.threshold {
			a.leave(u, f)
			continue
		}
		if s.stop.Load() {
			a.place-- // still open
			return true
		}
		at[u].stamp = gen | 1
		// First mark, then look: of two sides that close a node at the same time at least one
		// sees the other's mark.
		a.mark[u].Store(s.search)
		if b.mark[u].Load() == s.search {
			a.hit = u
			return true
		}
		if a.follow(u); a.expanded%checkEvery == 0 && s.ctx.Err() != nil {
			a.err = s.ctx.Err()
			return true
		}
		nodes--
	}
	return false
}

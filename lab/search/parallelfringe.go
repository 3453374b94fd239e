package search

import (
	"context"
	"math"
)

// Parallel Bidirectional Search with fringes, exact.
//
// Source: Brand, sections 7.3.1 and 7.5: two fringe searches towards each other, made optimal by going
// on after they have met, with the cost of the path found as the bound. The rules by which a side leaves a node
// to the other are those of Pijls and Post (see Bidirectional), carried over to lists without order.
//
// Idea: Each side is a Fringe search that opens closed nodes again when a cheaper way to them is found. Every
// node that both sides know gives a path; the cheapest is the bound. A side publishes the least f of its list at
// the start of a pass: no unknown way of the side is better, so the other side leaves out nodes with a provably
// final label, and nodes whose rest cannot be cheap enough.
//
// Input: any Graph, a consistent Estimate that may be called from two goroutines.
//
// Guarantees:
//  1. The path is a cheapest one (TestAllAgree, TestAllAgreeOnGrids, TestParallelFringeRelaxations). On a cheapest path let i
//     be the first node that waits at side A, with an exact label, and j the last that waits at side B. While i is before j:
//     side A follows i, and then the next node waits; or leaves it out because of f ≥ bound, or because g + F − h ≥ bound for
//     the least f of side B, F, and the estimate h from the start, where i is farther from the goal than j and j's f is F at
//     least: then the bound is the cost of the path; or because B's label of i has g + h ≤ F, no more than j's f: then it is
//     exact, and so is the sum of both, of which whichever side came second has made the bound.
//  2. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Bidirectional.
//
// Determinism: the cost is always the same, up to rounding. Which of several equally cheap paths is
// taken, and how many nodes are expanded, depends on how fast each side runs; not with PathInTurn (TestInTurn).
//
// Cost: as two exact Fringe searches that share the nodes of one; memory as Parallel, with lists in place of
// heaps.
//
// Departures: Brand stops one side at the collision "to prevent race-conditions"; here both go on, because
// their shared data is atomic.
type ParallelFringe struct {
	duel
	side    [2]fringePartner
	reverse func() // the goroutine of side 1
}

// fringePartner is one side of a ParallelFringe. The other side reads least, way and mark only.
type fringePartner struct {
	shared
	fringe
	place int // of the next node in now
	err   error
	_     apart
}

// NewParallelFringe returns a searcher on g. The estimate must be consistent; nil stands for zero. Relax is as in
// [FringeOptions].
func NewParallelFringe(g *Graph, e Estimate, relax float64) *ParallelFringe {
	s := &ParallelFringe{}
	for d, g := range [2]*Graph{g, g.Reversed()} {
		s.side[d].fringe = newFringe(g, e, relax)
		s.side[d].turned = d == 1
		s.side[d].shared = newShared(g.Nodes())
	}
	s.reverse = func() {
		defer s.wait.Done()
		s.run(1)
	}
	return s
}

// Path implements [Search].
func (s *ParallelFringe) Path(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, false)
}

// PathInTurn is Path on one goroutine, where the sides take up a node each in turn, as on cores that are equally
// fast. Path and counts are the same every time.
func (s *ParallelFringe) PathInTurn(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, true)
}

func (s *ParallelFringe) find(ctx context.Context, from, to int32, inTurn bool) (Result, error) {
	if err := begin(ctx, s.side[0].graph, from, to); err != nil {
		return Result{}, err
	}
	if from == to {
		s.path = append(s.path[:0], from)
		return Result{Nodes: s.path}, nil
	}
	s.duel.begin(ctx)
	for d, ends := range [2][2]int32{{from, to}, {to, from}} {
		a := &s.side[d]
		before := a.labels.gen
		a.fringe.begin(ends[0], ends[1])
		a.shared.begin(a.labels.gen < before)
		a.err, a.place = nil, 0
		a.shared.least.store(a.fringe.least)
		a.publish(ends[0], 0, a.labels.gen, true)
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

	expanded, busiest, passes := 0, 0, 0
	for d := range s.side {
		if s.side[d].err != nil {
			return Result{}, s.side[d].err
		}
		expanded += s.side[d].expanded
		busiest = max(busiest, s.side[d].expanded)
		passes += s.side[d].passes
	}
	if s.meet < 0 {
		r := none(expanded, passes)
		r.Busiest = busiest
		return r, nil
	}
	s.path = s.side[0].labels.join(s.path, &s.side[1].labels, s.meet)
	return Result{Nodes: s.path, Cost: s.best.load(), Expanded: expanded, Busiest: busiest, Passes: passes}, nil
}

// run searches with side d until no open node can lead to a cheaper path, or it is stopped.
func (s *ParallelFringe) run(d int) {
	s.advance(d, math.MaxInt)
	s.stop.Store(true)
}

// advance continues side d for a number of followed nodes. It reports whether, before that, no open node could lead
// to a cheaper path, or the side was stopped.
func (s *ParallelFringe) advance(d, nodes int) bool {
	a, b := &s.side[d], &s.side[1-d]
	at, gen := a.labels.at, a.labels.gen
	theirs := b.labels.gen // set before the goroutines started
	for nodes > 0 {
		if a.place == len(a.now) {
			least := a.fringe.least
			if len(a.later) == 0 || least >= s.best.load() {
				return true
			}
			a.nextPass()
			a.place = 0
			a.shared.least.store(least)
		}
		u := a.now[a.place]
		a.place++
		f, bound := at[u].g+at[u].h, s.best.load()
		if f > a.threshold && f < bound {
			a.leave(u, f)
			continue
		}
		if s.stop.Load() {
			return true
		}
		at[u].stamp = gen | 1
		if f >= bound {
			continue
		}
		known := b.mark[u].Load() == theirs
		if known || bound < math.Inf(1) {
			h := b.rest(u)
			their := b.shared.least.load()
			if at[u].g+their-h >= bound || known && b.cost(u)+h <= their {
				continue // rejected, or the other side has the cheapest rest
			}
		}
		if a.expanded++; a.expanded%checkEvery == 0 && s.ctx.Err() != nil {
			a.err = s.ctx.Err()
			return true
		}
		s.follow(d, u)
		nodes--
	}
	return false
}

// follow takes the edges of node u of side d.
func (s *ParallelFringe) follow(d int, u int32) {
	a, b := &s.side[d], &s.side[1-d]
	at, gen, theirs := a.labels.at, a.labels.gen, b.labels.gen
	from, bound := at[u].g, s.best.load()
	targets, costs := a.graph.From(u)
	for i, v := range targets {
		g, l := from+costs[i], &at[v]
		fresh := l.stamp|1 != gen|1
		if !fresh && g >= l.g {
			continue
		}
		h := l.h
		if fresh {
			h = a.rest(v)
		}
		if g+h >= bound {
			continue
		}
		waits := l.stamp == gen
		*l = label{g: g, h: h, parent: u, stamp: gen}
		a.publish(v, g, gen, fresh)
		if waits {
			a.fringe.least = min(a.fringe.least, g+h)
		} else {
			a.leave(v, g+h)
		}
		if b.mark[v].Load() == theirs {
			if both := g + b.cost(v); both < s.best.load() {
				s.offer(both, v)
				bound = s.best.load()
			}
		}
	}
}

package search

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
)

// Parallel Bidirectional Search, exact.
//
// Source: L. H. O. Rios and L. Chaimowicz, PNBA*: a parallel bidirectional heuristic search algorithm,
// ENIA 2011, on top of Pijls and Post (see Bidirectional). Brand, section 7.5, proposes to go on with
// one side after the collision, with the cost of the path found as the bound; here both go on.
//
// Idea: Bidirectional with each side on its own goroutine. A side reads the other's costs, done nodes and
// least f; both lower one bound. A side that has nothing left below the bound stops both.
//
// Input: any Graph, a consistent Estimate that may be called from two goroutines.
//
// Guarantees:
//  1. The path is a cheapest one (TestAllAgree, TestAllAgreeOnGrids). Each side publishes the cost of a way
//     before it reads the other's, so at least one side sees both; a node counts as done only when its edges
//     have been followed, so no edge is skipped by both; an old value of the other side's least f is too
//     small, which rejects less.
//  2. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Bidirectional. Two sides may expand the same node at the same time.
//
// Determinism: the cost is always the same, up to rounding. Which of several equally cheap paths is
// taken, and how many nodes are expanded, depends on how fast each side runs.
//
// Cost: about as Bidirectional on two cores; 12 bytes more per node and side for the shared data. The second
// goroutine starts with each search, which takes some microseconds.
//
// Departures: a relaxed edge leads to a node of the other side as well, which is then skipped when
// it comes out of the heap.
type Parallel struct {
	duel
	estimate Estimate
	side     [2]partner
	from, to int32
	reverse  func() // the goroutine of side 1
}

// partner is one side of a Parallel. The other side reads least, way and mark only.
type partner struct {
	shared   // marks are the stamps of labels, but closed only after the edges were followed
	graph    *Graph
	labels   labels
	open     pq.Heap
	expanded int
	err      error
	_        apart
}

// NewParallel returns a searcher on g. The estimate must be consistent; nil stands for zero.
func NewParallel(g *Graph, e Estimate) *Parallel {
	s := &Parallel{estimate: orZero(e)}
	for d, g := range [2]*Graph{g, g.Reversed()} {
		a := &s.side[d]
		a.graph, a.labels = g, newLabels(g.Nodes())
		a.shared = newShared(g.Nodes())
	}
	s.reverse = func() {
		defer s.wait.Done()
		s.run(1)
	}
	return s
}

// Path implements [Search].
func (s *Parallel) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.side[0].graph, from, to); err != nil {
		return Result{}, err
	}
	if from == to {
		s.path = append(s.path[:0], from)
		return Result{Nodes: s.path}, nil
	}
	s.duel.begin(ctx)
	s.from, s.to = from, to
	whole := s.estimate(from, to)
	for d, root := range [2]int32{from, to} {
		a := &s.side[d]
		a.begin()
		a.least.store(whole)
		a.reach(root, label{h: whole, parent: root, stamp: a.labels.gen})
		a.open.Push(whole, root)
	}
	s.wait.Add(1)
	go s.reverse()
	s.run(0)
	s.wait.Wait()
	s.ctx = nil

	expanded, busiest := 0, 0
	for d := range s.side {
		if s.side[d].err != nil {
			return Result{}, s.side[d].err
		}
		expanded += s.side[d].expanded
		busiest = max(busiest, s.side[d].expanded)
	}
	if s.meet < 0 {
		r := none(expanded, 0)
		r.Busiest = busiest
		return r, nil
	}
	s.path = s.side[0].labels.join(s.path, &s.side[1].labels, s.meet)
	return Result{Nodes: s.path, Cost: s.best.load(), Expanded: expanded, Busiest: busiest}, nil
}

// begin forgets the last search.
func (a *partner) begin() {
	before := a.labels.gen
	a.labels.begin()
	a.shared.begin(a.labels.gen < before)
	a.open.Reset()
	a.expanded, a.err = 0, nil
}

// reach sets the label of a node and lets the other side know the cost.
func (a *partner) reach(n int32, l label) {
	fresh := !a.labels.known(n)
	a.labels.at[n] = l
	a.publish(n, l.g, l.stamp, fresh)
}

// rest is the estimate of side d from node n to the end that the side searches for.
func (s *Parallel) rest(d int, n int32) float64 {
	if d == 0 {
		return s.estimate(n, s.to)
	}
	return s.estimate(s.from, n)
}

// run searches with side d until no open node can lead to a cheaper path, or it is stopped.
func (s *Parallel) run(d int) {
	defer s.stop.Store(true)
	a, b := &s.side[d], &s.side[1-d]
	at, gen := a.labels.at, a.labels.gen
	theirs := b.labels.gen // set before the goroutines started
	for a.open.Len() > 0 && !s.stop.Load() {
		item := a.open.Pop()
		if item.Key >= s.best.load() {
			return
		}
		u := item.ID
		if at[u].stamp != gen || b.mark[u].Load() == theirs|1 {
			continue
		}
		if item.Key > a.least.load() {
			a.least.store(item.Key)
		}
		at[u].stamp = gen | 1
		best := s.best.load()
		if best < math.Inf(1) && at[u].g+b.least.load()-s.rest(1-d, u) >= best {
			a.mark[u].Store(gen | 1)
			continue // rejected: the other side cannot reach it cheaply enough
		}
		if a.expanded++; a.expanded%checkEvery == 0 && s.ctx.Err() != nil {
			a.err = s.ctx.Err()
			return
		}
		s.follow(d, u)
		a.mark[u].Store(gen | 1)
	}
}

// follow takes the edges of node u of side d.
func (s *Parallel) follow(d int, u int32) {
	a, b := &s.side[d], &s.side[1-d]
	at, gen, theirs := a.labels.at, a.labels.gen, b.labels.gen
	from := at[u].g
	targets, costs := a.graph.From(u)
	for i, v := range targets {
		g, l := from+costs[i], at[v]
		switch {
		case l.stamp|1 != gen|1:
			l.h = s.rest(d, v)
		case g >= l.g || l.stamp != gen:
			continue
		}
		a.reach(v, label{g: g, h: l.h, parent: u, stamp: gen})
		if b.mark[v].Load()|1 == theirs|1 {
			if both := g + b.cost(v); both < s.best.load() {
				s.offer(both, v)
			}
		}
		if g+l.h < s.best.load() {
			a.open.Push(g+l.h, v)
		}
	}
}

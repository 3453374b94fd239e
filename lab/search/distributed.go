package search

import (
	"context"
	"math"
	"sync/atomic"
)

// Distributed Fringe Search.
//
// Source: Brand, section 7.3.2, algorithm 20, figures 65 to 69.
//
// Idea: The list of a Fringe search is divided among workers, each with a goroutine and a list of its own for the
// next pass. Workers go in pairs with a common array: the first fills it from the middle downwards and the second
// upwards. To give both the same number of nodes in the next pass, it suffices to move the middle. Between the
// passes one worker does so, and moves nodes between arrays whose lengths differ by more than eight.
//
// Input: any Graph; a consistent Estimate that may be called from several goroutines.
//
// Guarantees:
//  1. If a path exists, one is found (TestDistributedComplete).
//  2. The nodes are joined by edges whose costs sum to Cost (TestDistributedComplete).
//  3. No node is expanded twice (TestDistributedExpandsOnce).
//  4. The path of a single worker, or of PathInTurn, is the same every time (TestDistributedAlone).
//  5. Division, balance and reseeding of the lists are as published (TestDistributedStepByStep).
//  6. No allocation after the memory has grown (TestNoAllocations).
//
// The length of the path is not bounded: a node keeps the first way found by any worker.
//
// Degenerate cases: start = goal gives the single node. Passes with fewer nodes than workers leave some idle. More
// workers than cores slow each other down at the end of passes.
//
// Determinism: none with two workers or more, but for PathInTurn. If several workers reach a node in the same pass, their speeds
// decide which opens it, and with it the path and its cost.
//
// Cost: as Fringe, over the workers, and a meeting of all workers twice a pass. Memory: one label and one
// claim per node, and two arrays of two elements per node and pair.
//
// Departures: an atomic claim lets a single worker open a node, where Brand lets several open it at the same time
// with separate costs; so one label per node is enough, parents are kept, and the path needs no further search.
// Waiting for the slowest worker spins, as with Brand, but gives way to other goroutines after a while. Figure 65
// shows worker 1 to read towards the lower end; the same here.
type Distributed struct {
	graph    *Graph
	estimate Estimate
	relax    float64
	reseed   bool
	workers  []worker
	pairs    []pair
	labels   []label
	claim    []atomic.Uint32 // number of the search that opened a node
	search   uint32
	goal     int32
	now      int // which array of a pair is read; the other is written

	threshold float64
	done      bool // no more passes
	found     bool
	passes    int
	busiest   int // the sum over passes of the busiest worker's expansions

	gate gate
	crew *crew
	ctx  context.Context
	err  error
	path []int32
}

// DistributedOptions are the choices of a Distributed search.
type DistributedOptions struct {
	// Workers is the number of goroutines: 1, or an even number up to 64; odd numbers are rounded up. Default 2.
	Workers int
	// Relax is as in [FringeOptions]. Brand takes 5.
	Relax float64
	// Reseed hands the most promising node of each worker to the next after every pass in which all had some: Brand's
	// Cyclic Reseeding, which he found not to pay.
	Reseed bool
}

const (
	// mostWorkers bounds the memory, which is per worker.
	mostWorkers = 64
	// skew is by how much the arrays of two pairs may differ: Brand found 8 by experiment.
	skew = 8
)

// pair is the two arrays of a pair of workers: one with the nodes of this pass, one for the next.
type pair struct {
	nodes [2][]int32
	_     apart
}

// worker is the state written by one worker. Between passes worker 0 writes all states.
type worker struct {
	_          apart
	read, last int     // reads nodes read, read+step … before last
	write      int     // the next free place
	least      float64 // no node that was written has a smaller f
	best       int     // the place of the node with the smallest f
	expanded   int
	before     int // expanded before the pass
	found      bool
	_          apart
}

// NewDistributed returns a searcher on g. The estimate must be consistent; nil stands for zero.
func NewDistributed(g *Graph, e Estimate, o DistributedOptions) *Distributed {
	n := o.Workers
	if n == 0 {
		n = 2
	}
	n = min(max(n, 1), mostWorkers)
	if n > 1 {
		n += n & 1
	}
	s := &Distributed{
		graph: g, estimate: orZero(e), reseed: o.Reseed,
		workers: make([]worker, n), pairs: make([]pair, (n+1)/2),
		labels: make([]label, g.Nodes()), claim: make([]atomic.Uint32, g.Nodes()),
	}
	if o.Relax > 0 { // not NaN
		s.relax = o.Relax
	}
	for i := range s.pairs {
		for k := range s.pairs[i].nodes {
			// Each worker may come to hold all nodes, on its side of the middle.
			s.pairs[i].nodes[k] = make([]int32, 2*g.Nodes()+2)
		}
	}
	s.crew = newCrew(n, s.run)
	s.gate.all = int32(n)
	return s
}

// Path implements [Search].
func (s *Distributed) Path(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, false)
}

// PathInTurn is Path on one goroutine, where in each pass the workers take up their nodes one after the other. Path and counts
// are the same every time.
func (s *Distributed) PathInTurn(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, true)
}

func (s *Distributed) find(ctx context.Context, from, to int32, inTurn bool) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	if s.search == math.MaxUint32 {
		for i := range s.claim {
			s.claim[i].Store(0)
		}
		s.search = 0
	}
	s.search++
	s.ctx, s.goal, s.err = ctx, to, nil
	s.threshold, s.done, s.found, s.passes, s.busiest = 0, false, false, 0, 0
	for w := range s.workers {
		a := &s.workers[w]
		a.expanded, a.before, a.found = 0, 0, false
		s.empty(w)
	}
	h := s.estimate(from, to)
	s.labels[from] = label{h: h, parent: from}
	s.claim[from].Store(s.search)
	s.put(0, from, h)
	s.share()
	if inTurn {
		for !s.done {
			for w := range s.workers {
				s.pass(w)
			}
			s.share()
		}
	} else {
		s.crew.run()
	}
	s.ctx = nil
	if s.err != nil {
		return Result{}, s.err
	}
	expanded := 0
	for w := range s.workers {
		expanded += s.workers[w].expanded
	}
	if !s.found {
		r := none(expanded, s.passes)
		r.Busiest = s.busiest
		return r, nil
	}
	l := labels{at: s.labels}
	s.path = l.path(s.path, to)
	// A label has the first of several edges between two nodes.
	return Result{Nodes: s.path, Cost: s.graph.Sum(s.path), Expanded: expanded, Busiest: s.busiest, Passes: s.passes}, nil
}

// run is worker w: a pass, a meeting, and so on, until worker 0 ends the search.
func (s *Distributed) run(w int) {
	for !s.done {
		s.pass(w)
		if w == 0 {
			s.gate.gather()
			s.share()
			s.gate.open()
		} else {
			s.gate.arrive()
		}
	}
}

// pass takes up the nodes of worker w.
func (s *Distributed) pass(w int) {
	a := &s.workers[w]
	nodes, step := s.pairs[w/2].nodes[s.now], side(w)
	for ; a.read != a.last; a.read += step {
		u := nodes[a.read]
		l := &s.labels[u]
		if f := l.g + l.h; f > s.threshold {
			s.put(w, u, f)
			continue
		}
		if u == s.goal {
			a.found = true
			return
		}
		a.expanded++
		targets, costs := s.graph.From(u)
		for i, v := range targets {
			old := s.claim[v].Load()
			if old == s.search || !s.claim[v].CompareAndSwap(old, s.search) {
				continue
			}
			g, h := l.g+costs[i], s.estimate(v, s.goal)
			s.labels[v] = label{g: g, h: h, parent: u}
			s.put(w, v, g+h)
		}
	}
}

// side is worker w's direction of filling its array.
func side(w int) int { return 2*(w&1) - 1 }

// middle is the first place of a worker in the array of its pair.
func (s *Distributed) middle(w int) int {
	n := len(s.pairs[0].nodes[0]) / 2
	return n - 1 + w&1
}

// empty lets worker w begin to write.
func (s *Distributed) empty(w int) {
	a := &s.workers[w]
	a.write = s.middle(w)
	a.least, a.best = math.Inf(1), a.write
}

// put gives worker w a node for the next pass.
func (s *Distributed) put(w int, n int32, f float64) {
	a := &s.workers[w]
	s.pairs[w/2].nodes[1-s.now][a.write] = n
	if f < a.least {
		a.least, a.best = f, a.write
	}
	a.write += side(w)
}

package search

import (
	"math"
	"runtime"
	"sync/atomic"
)

// share prepares the next pass while all workers wait: results, threshold, and division of the nodes.
func (s *Distributed) share() {
	least, nodes, idle, busiest := math.Inf(1), 0, false, 0
	for w := range s.workers {
		a := &s.workers[w]
		s.found = s.found || a.found
		least = min(least, a.least)
		nodes += s.count(w)
		idle = idle || s.count(w) == 0
		busiest = max(busiest, a.expanded-a.before)
		a.before = a.expanded
	}
	s.busiest += busiest
	if s.ctx.Err() != nil {
		s.err = s.ctx.Err()
	}
	if s.done = s.found || nodes == 0 || s.err != nil; s.done {
		return
	}
	if s.reseed && !idle {
		s.cycle()
	}
	if len(s.pairs) > 1 {
		s.level()
	}
	s.passes++
	s.threshold = max(s.threshold, least+s.relax)
	s.now = 1 - s.now
	for p := range s.pairs {
		s.split(p)
	}
	for w := range s.workers {
		s.empty(w)
	}
}

// count is the number of nodes that worker w has written.
func (s *Distributed) count(w int) int { return (s.workers[w].write - s.middle(w)) * side(w) }

// cycle hands the most promising node of each worker to the next. All workers have one.
func (s *Distributed) cycle() {
	last := len(s.workers) - 1
	place := func(w int) *int32 { return &s.pairs[w/2].nodes[1-s.now][s.workers[w].best] }
	carried := *place(last)
	for w := range s.workers {
		p := place(w)
		carried, *p = *p, carried
	}
}

// level moves nodes from the pair with most to the pair with fewest until they differ by no more than the
// skew: from the outer end of the longer side to the inner end of the shorter.
func (s *Distributed) level() {
	for {
		most, fewest := 0, 0
		for p := range s.pairs {
			if s.pairCount(p) > s.pairCount(most) {
				most = p
			}
			if s.pairCount(p) < s.pairCount(fewest) {
				fewest = p
			}
		}
		more := s.pairCount(most) - s.pairCount(fewest)
		if more <= skew {
			return
		}
		for range more / 2 {
			from, to := s.longer(most, 1), s.longer(fewest, -1)
			a, b := &s.workers[from], &s.workers[to]
			a.write -= side(from)
			s.pairs[fewest].nodes[1-s.now][b.write] = s.pairs[most].nodes[1-s.now][a.write]
			b.write += side(to)
		}
	}
}

// pairCount is the number of nodes that the workers of pair p have written.
func (s *Distributed) pairCount(p int) int { return s.count(2*p) + s.count(2*p+1) }

// longer is the worker of pair p that has written more, or fewer for sign -1.
func (s *Distributed) longer(p, sign int) int {
	if sign*s.count(2*p+1) > sign*s.count(2*p) {
		return 2*p + 1
	}
	return 2 * p
}

// split lets each worker of pair p read half of the nodes written by both, away from the place where they
// part. A worker without a partner reads all.
func (s *Distributed) split(p int) {
	w := 2 * p
	a := &s.workers[w]
	from := a.write + 1 // the lowest place in use
	if w+1 == len(s.workers) {
		a.read, a.last = s.middle(w), from-1
		return
	}
	b := &s.workers[w+1]
	part := from + (b.write-from)/2
	a.read, a.last = part-1, from-1
	b.read, b.last = part, b.write
}

// gate holds workers until worker 0 has seen all of them and opens.
type gate struct {
	_       apart
	waiting atomic.Int32
	_       apart
	round   atomic.Uint32
	_       apart
	all     int32
}

// patience is how often a worker looks before it gives way to other goroutines. A pass takes some microseconds.
const patience = 200

// gather waits until all but the caller have arrived.
func (g *gate) gather() {
	for i := 0; g.waiting.Load() != g.all-1; i++ {
		if i > patience {
			runtime.Gosched()
		}
	}
	g.waiting.Store(0)
}

// open lets waiting workers go on.
func (g *gate) open() { g.round.Add(1) }

// arrive waits for the gate to be opened.
func (g *gate) arrive() {
	round := g.round.Load()
	g.waiting.Add(1)
	for i := 0; g.round.Load() == round; i++ {
		if i > patience {
			runtime.Gosched()
		}
	}
}

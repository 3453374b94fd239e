package search

import (
	"context"
	"sync"
	"sync/atomic"
)

// crew runs a function on several goroutines at once; the caller's is number 0. The others start with each
// run, which takes some microseconds, and nothing is left behind.
type crew struct {
	wait  sync.WaitGroup
	start []func() // the goroutines 1 and up
	first func(int)
}

// newCrew returns a crew of n that runs f with the numbers 0..n-1.
func newCrew(n int, f func(w int)) *crew {
	c := &crew{first: f}
	for w := 1; w < n; w++ {
		c.start = append(c.start, func() {
			defer c.wait.Done()
			f(w)
		})
	}
	return c
}

// run returns when all are done.
func (c *crew) run() {
	c.wait.Add(len(c.start))
	for _, f := range c.start {
		go f()
	}
	c.first(0)
	c.wait.Wait()
}

// errand is a path to be found by any worker.
type errand struct {
	from, to int32
	done     bool
	nodes    []int32 // nil without a path
	err      error
}

// errands are paths to find by several workers, each with its own searcher and memory. The result is the same
// for any division of work.
type errands struct {
	jobs    []errand
	last    []errand // the previous round
	next    atomic.Int32
	workers []runner
	ctx     context.Context
}

// runner is a worker of errands.
type runner struct {
	_        apart
	search   *Fringe
	memory   []int32 // of the paths found
	expanded int     // in the round
	_        apart
}

// newErrands returns the errands of n workers, without any.
func newErrands(g *Graph, e Estimate, relax float64, n int) *errands {
	s := &errands{workers: make([]runner, n)}
	for w := range s.workers {
		s.workers[w].search = NewFringe(g, e, FringeOptions{Relax: relax})
	}
	return s
}

// begin forgets all errands and results.
func (s *errands) begin(ctx context.Context) {
	s.ctx = ctx
	s.jobs = s.jobs[:0]
	for w := range s.workers {
		s.workers[w].memory = s.workers[w].memory[:0]
	}
}

// along makes the paths between successive points the errands. Those of the round before are not run again.
func (s *errands) along(points []int32) {
	s.last, s.jobs = s.jobs, s.last[:0]
	for i := 1; i < len(points); i++ {
		j := errand{from: points[i-1], to: points[i]}
		for _, old := range s.last {
			if old.from == j.from && old.to == j.to {
				j = old
				break
			}
		}
		s.jobs = append(s.jobs, j)
	}
	s.next.Store(0)
	for w := range s.workers {
		s.workers[w].expanded = 0
	}
}

// work does errands as worker w until there are none.
func (s *errands) work(w int) {
	a := &s.workers[w]
	for {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.jobs) {
			return
		}
		j := &s.jobs[i]
		if j.done {
			continue
		}
		r, err := a.search.Path(s.ctx, j.from, j.to)
		j.done, j.err = true, err
		a.expanded += r.Expanded
		if r.Found() {
			at := len(a.memory)
			a.memory = append(a.memory, r.Nodes...)
			j.nodes = a.memory[at:len(a.memory):len(a.memory)]
		}
	}
}

// err returns the first error of an errand.
func (s *errands) err() error {
	for i := range s.jobs {
		if s.jobs[i].err != nil {
			return s.jobs[i].err
		}
	}
	return nil
}

// expanded counts the nodes expanded in the round, by all workers and by the busiest.
func (s *errands) expanded() (all, busiest int) {
	for w := range s.workers {
		all += s.workers[w].expanded
		busiest = max(busiest, s.workers[w].expanded)
	}
	return all, busiest
}

package search

import "context"

// Parallel Hierarchy Search.
//
// Source: Brand, section 7.3.3, algorithms 21 and 22, figures 70 to 75.
//
// Idea: A way through the overview says which clusters to cross. Paths between their anchors are found by several workers
// at once, each short and so cheap. Anchors may be off the course, so the middles of these paths are the next stops: the
// paths between successive middles are found next, and put together they are the answer. A middle that cannot be reached
// is left out, and after two rounds a plain search takes over.
//
// Input: any Graph; an admissible Estimate that may be called from several goroutines; an Overview.
//
// Guarantees:
//  1. If a path exists and the overview has a way for it, a path is found (TestHierarchyComplete).
//  2. Where the overview has no way, there is no search below (TestHierarchyEndsEarly).
//  3. The nodes are joined by edges whose costs sum to Cost (TestHierarchyComplete).
//  4. The same path for any number of workers, every time (TestHierarchyDoesNotDependOnWorkers).
//  5. No allocation after the memory has grown (TestNoAllocations).
//
// How long the path is, is not bounded. Doors that the overview shows as open, though they are closed, make most of the
// published 20 to 45 % (TestHierarchyLosesByClosedDoors).
//
// Degenerate cases: start = goal gives the single node; start and goal in one cluster, or in adjacent
// clusters, use a plain search. The path may come to a node twice.
//
// Cost: that of the short searches, divided among the workers; a searcher per worker.
//
// Departures: workers take the next path to find by an atomic counter, where Brand has a critical section.
type ParallelHierarchy struct {
	graph   *Graph
	guide   guide
	plain   *Fringe
	errands *errands
	crew    *crew
	points  []int32
	path    []int32
}

// HierarchyOptions are the choices of a ParallelHierarchy search.
type HierarchyOptions struct {
	// Workers is the number of goroutines, 1 to 64. Default 2.
	Workers int
	// Relax is the relaxation of the exact Fringe searches between points, see [FringeOptions].
	Relax float64
}

// rounds is how often points are left out before a plain search takes over; Brand found more to be rare.
const rounds = 2

// NewParallelHierarchy returns a searcher on g that is led by o. The estimate must be admissible; nil stands for zero.
// Errors: an overview of another graph.
func NewParallelHierarchy(g *Graph, e Estimate, o *Overview, opt HierarchyOptions) (*ParallelHierarchy, error) {
	n := opt.Workers
	if n == 0 {
		n = 2
	}
	n = min(max(n, 1), mostWorkers)
	s := &ParallelHierarchy{graph: g, errands: newErrands(g, e, opt.Relax, n)}
	var err error
	if s.guide, err = newGuide(o, g.Nodes(), orZero(e)); err != nil {
		return nil, err
	}
	s.plain = s.errands.workers[0].search
	s.crew = newCrew(n, s.errands.work)
	return s, nil
}

// Path implements [Search].
func (s *ParallelHierarchy) Path(ctx context.Context, from, to int32) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	if from == to {
		return s.plain.Path(ctx, from, to)
	}
	way, err := s.guide.way(ctx, from, to)
	if err != nil {
		return Result{}, err
	}
	if !way.Found() {
		return none(way.Expanded, 0), nil
	}
	// The anchors: of all clusters on the way but the first and the last.
	s.points = append(s.points[:0], from)
	for _, c := range way.Nodes[1:max(len(way.Nodes)-1, 1)] {
		if a := s.guide.Anchor[c]; a != s.points[len(s.points)-1] && a != to {
			s.points = append(s.points, a)
		}
	}
	s.points = append(s.points, to)
	s.errands.begin(ctx)
	expanded, busiest := way.Expanded, way.Expanded
	count := func() {
		all, most := s.errands.expanded()
		expanded, busiest = expanded+all, busiest+most
	}
	if len(s.points) > 2 {
		if err := s.connect(); err != nil {
			return Result{}, err
		}
		s.halve()
		count()
	}
	for range rounds {
		if len(s.points) == 2 {
			break
		}
		if err := s.connect(); err != nil {
			return Result{}, err
		}
		count()
		if s.join() {
			return Result{Nodes: s.path, Cost: s.graph.Sum(s.path), Expanded: expanded, Busiest: busiest}, nil
		}
	}
	r, err := s.plain.Path(ctx, from, to)
	r.Expanded, r.Busiest = r.Expanded+expanded, r.Busiest+busiest
	r.Passes = 0
	return r, err
}

// connect looks for paths between successive points.
func (s *ParallelHierarchy) connect() error {
	s.errands.along(s.points)
	s.crew.run()
	return s.errands.err()
}

// halve makes the middles of the paths the points.
func (s *ParallelHierarchy) halve() {
	from, to := s.points[0], s.points[len(s.points)-1]
	s.points = append(s.points[:0], from)
	for i := range s.errands.jobs {
		nodes := s.errands.jobs[i].nodes
		if nodes == nil {
			continue
		}
		if m := nodes[len(nodes)/2]; m != s.points[len(s.points)-1] && m != to {
			s.points = append(s.points, m)
		}
	}
	s.points = append(s.points, to)
}

// join makes the paths one, or leaves out the points that could not be reached and returns false.
func (s *ParallelHierarchy) join() bool {
	s.path = append(s.path[:0], s.points[0])
	whole, last := true, len(s.points)-1
	kept := s.points[:1]
	for i := range s.errands.jobs {
		j := &s.errands.jobs[i]
		if j.nodes != nil {
			s.path = append(s.path, j.nodes[1:]...)
		} else {
			whole = false
		}
		if j.nodes != nil || i+1 == last {
			kept = append(kept, j.to)
		}
	}
	s.points = kept
	return whole
}

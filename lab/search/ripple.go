package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Parallel Ripple Search.
//
// Source: Brand, section 7.5, figure 78, an untested proposal; S. Brand and R. Bidarra, Multi-core scalable
// and efficient pathfinding with Parallel Ripple Search, Computer Animation and Virtual Worlds 23 (2012).
//
// Idea: Besides the searches from start and goal, others start at anchors at equal distances along the way through the
// overview, each on its own goroutine. They grow like ripples; a node belongs to the first ripple that closes it. Where
// two meet there is a path between their roots. As soon as a chain of met ripples joins start and goal, all stop, and
// inside each ripple of the chain the path from one meeting to the next is searched.
//
// Input: a symmetric Graph: each edge has a reverse edge at the same cost, because ripples are crossed both with their
// edges and against them; a consistent Estimate that may be called from several goroutines; an Overview.
//
// Guarantees:
//  1. If a path exists and the overview has a way for it, a path is found (TestRippleComplete): a ripple without
//     nodes has met all its possible neighbours.
//  2. The nodes are joined by edges whose costs sum to Cost (TestRippleComplete).
//  3. Where the overview has no way, there is no search below (TestHierarchyEndsEarly).
//  4. No allocation after the memory has grown (TestNoAllocations).
//
// How long the path is, is not bounded.
//
// Degenerate cases: start = goal gives the single node; where the way is too short for anchors, start and goal
// are alone, as in ParallelPublished except for their meeting node. An anchor that is cut off meets nobody and
// does no harm.
//
// Determinism: none with two ripples or more, as for ParallelPublished, but for PathInTurn (TestRippleStepByStep).
//
// Cost: a label per node and ripple, a claim per node.
//
// Departures: the proposal leaves open how far ripples go on after they have met: here until start and goal are
// joined, so several meetings of two ripples are possible; the cheapest is kept. Between meetings the path is a
// cheapest one, found by the workers at once.
type Ripple struct {
	graph    *Graph
	guide    guide
	estimate Estimate
	ripples  []ripple
	owner    []atomic.Uint64 // number of the search, and of the ripple that closed a node
	search   uint64
	live     int // ripples of this search; the last is that of the goal
	from, to int32
	ctx      context.Context

	mutex  sync.Mutex       // guards what follows
	meet   []meeting        // of each two ripples, live × live
	group  unionfind.Forest // ripples that have met, as a forest
	active []bool
	stop   flag

	flood   *crew // runs the ripples
	errands *errands
	finish  *crew // does the errands
	chain   chain
	points  []int32
	path    []int32
}

// ripple is the state written by one ripple.
type ripple struct {
	_ apart
	fringe
	place int // of the next node in now
	err   error
	_     apart
}

// meeting is the cheapest known path between the roots of two ripples: its cost, +Inf without one, and the meeting node.
type meeting struct {
	cost float64
	node int32
}

// RippleOptions are the choices of a Ripple search.
type RippleOptions struct {
	// Ripples is their number with those of start and goal, 2 to 64, each on a goroutine. Default 4.
	Ripples int
	// Relax is as in [FringeOptions].
	Relax float64
}

// NewRipple returns a searcher on g, which must be symmetric, with o as its guide. The estimate must be consistent; nil stands
// for zero. Errors: an edge without a reverse edge, an overview of another graph.
func NewRipple(g *Graph, e Estimate, o *Overview, opt RippleOptions) (*Ripple, error) {
	if err := symmetric(g); err != nil {
		return nil, fmt.Errorf("%w, ripples need one", err)
	}
	n := opt.Ripples
	if n == 0 {
		n = 4
	}
	n = min(max(n, 2), mostWorkers)
	s := &Ripple{
		graph: g, estimate: orZero(e), ripples: make([]ripple, n), owner: make([]atomic.Uint64, g.Nodes()),
		meet: make([]meeting, n*n), group: unionfind.New(n), active: make([]bool, n),
		errands: newErrands(g, e, opt.Relax, n), chain: newChain(n),
	}
	var err error
	if s.guide, err = newGuide(o, g.Nodes(), s.estimate); err != nil {
		return nil, err
	}
	for r := range s.ripples {
		s.ripples[r].fringe = newFringe(g, func(n, _ int32) float64 { return s.rest(r, n) }, opt.Relax)
	}
	s.flood, s.finish = newCrew(n, s.run), newCrew(n, s.errands.work)
	return s, nil
}

// symmetric returns an error for an edge that has no edge back at the same cost.
func symmetric(g *Graph) error {
	r := g.Reversed()
	for n := range int32(g.Nodes()) {
		out, costs := g.From(n)
		in, back := r.From(n)
		for i, t := range out {
			found := len(out) == len(in) && in[i] == t && back[i] == costs[i]
			for k := 0; k < len(in) && !found; k++ {
				found = in[k] == t && back[k] == costs[i]
			}
			if !found {
				return fmt.Errorf("search: the edge from node %d to %d at cost %v has none back", n, t, costs[i])
			}
		}
	}
	return nil
}

// rest is the estimate of ripple r from node n: those of start and goal grow towards each other, the
// others towards the nearer of the two.
func (s *Ripple) rest(r int, n int32) float64 {
	switch {
	case r == 0:
		return s.estimate(n, s.to)
	case r == s.live-1:
		return s.estimate(s.from, n)
	}
	return min(s.estimate(s.from, n), s.estimate(n, s.to))
}

// Path implements [Search].
func (s *Ripple) Path(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, false)
}

// PathInTurn is Path on one goroutine, where the ripples take up a node each in turn. Path and counts are the same every time.
func (s *Ripple) PathInTurn(ctx context.Context, from, to int32) (Result, error) {
	return s.find(ctx, from, to, true)
}

func (s *Ripple) find(ctx context.Context, from, to int32, inTurn bool) (Result, error) {
	if err := begin(ctx, s.graph, from, to); err != nil {
		return Result{}, err
	}
	if from == to {
		s.path = append(s.path[:0], from)
		return Result{Nodes: s.path}, nil
	}
	way, err := s.guide.way(ctx, from, to)
	if err != nil {
		return Result{}, err
	}
	if !way.Found() {
		return none(way.Expanded, 0), nil
	}
	s.from, s.to, s.ctx = from, to, ctx
	s.roots(way)
	if inTurn {
		s.turns()
	} else {
		s.flood.run()
	}
	expanded, busiest, passes := way.Expanded, 0, 0
	for r := range s.live {
		if s.ripples[r].err != nil {
			return Result{}, s.ripples[r].err
		}
		expanded += s.ripples[r].expanded
		busiest = max(busiest, s.ripples[r].expanded)
		passes += s.ripples[r].passes
	}
	if s.group.Find(0) != s.group.Find(int32(s.live-1)) {
		r := none(expanded, passes)
		r.Busiest = way.Expanded + busiest
		return r, nil
	}
	if err := s.join(inTurn); err != nil {
		return Result{}, err
	}
	all, most := s.errands.expanded()
	return Result{
		Nodes: s.path, Cost: s.graph.Sum(s.path),
		Expanded: expanded + all, Busiest: way.Expanded + busiest + most, Passes: passes,
	}, nil
}

// roots begins a ripple at start and goal and at anchors at equal distances along the way.
func (s *Ripple) roots(way Result) {
	s.points = append(s.points[:0], s.from)
	between := len(s.ripples) - 2
	gone, k := 0.0, 1
	for i := 1; i < len(way.Nodes)-1 && k <= between; i++ {
		gone += s.guide.Graph.Sum(way.Nodes[i-1 : i+1])
		if gone < way.Cost*float64(k)/float64(between+1) {
			continue
		}
		for k <= between && gone >= way.Cost*float64(k)/float64(between+1) {
			k++
		}
		if a := s.guide.Anchor[way.Nodes[i]]; !slices.Contains(s.points, a) && a != s.to {
			s.points = append(s.points, a)
		}
	}
	s.points = append(s.points, s.to)
	s.live = len(s.points)
	s.search++
	s.stop.Store(false)
	for i := range s.live * s.live {
		s.meet[i] = meeting{math.Inf(1), -1}
	}
	for r, root := range s.points {
		a := &s.ripples[r]
		a.err, a.place = nil, 0
		a.begin(root, s.to)
		s.group[r], s.active[r] = int32(r), true
		// Before any ripple starts: a ripple that runs out of nodes has met all others within its reach.
		s.owner[root].Store(s.search<<8 | uint64(r))
	}
}

// run lets ripple r grow until start and goal are joined, or nothing is left.
func (s *Ripple) run(r int) {
	if r < s.live {
		s.advance(r, math.MaxInt)
	}
}

// turns lets the ripples take up a node each in turn.
func (s *Ripple) turns() {
	var done [mostWorkers]bool
	for left := s.live; left > 0; {
		for r := range s.live {
			if !done[r] && s.advance(r, 1) {
				done[r] = true
				left--
			}
		}
	}
}

// advance lets ripple r take up a number of nodes. It reports whether, before that, start and goal were joined, or nothing
// was left.
func (s *Ripple) advance(r, nodes int) bool {
	a := &s.ripples[r]
	at, gen := a.labels.at, a.labels.gen
	mine := s.search<<8 | uint64(r)
	for nodes > 0 {
		if a.place == len(a.now) {
			if len(a.later) == 0 {
				s.exhaust(r)
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
			return true
		}
		at[u].stamp = gen | 1
		nodes--
		// The label is written before the claim, so whoever sees the claim may read the label.
		old := s.owner[u].Load()
		if old != mine && (old>>8 == s.search || !s.owner[u].CompareAndSwap(old, mine)) {
			s.collide(r, int(s.owner[u].Load()&0xff), u)
			continue
		}
		if a.follow(u); a.expanded%checkEvery == 0 && s.ctx.Err() != nil {
			a.err = s.ctx.Err()
			s.stop.Store(true)
			return true
		}
	}
	return false
}

// collide notes that ripple r has come to node u, closed by ripple q.
func (s *Ripple) collide(r, q int, u int32) {
	cost := s.ripples[r].labels.at[u].g + s.ripples[q].labels.at[u].g
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if m := &s.meet[min(r, q)*s.live+max(r, q)]; cost < m.cost {
		*m = meeting{cost, u}
	}
	s.group.Union(int32(r), int32(q))
	if s.group.Find(0) == s.group.Find(int32(s.live-1)) {
		s.stop.Store(true)
	}
}

// exhaust notes that ripple r has no nodes left, and stops all when all ripples joined with the start, or
// with the goal, have none left: then no path exists.
func (s *Ripple) exhaust(r int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.active[r] = false
	for _, end := range [2]int32{0, int32(s.live - 1)} {
		left := false
		for q := range int32(s.live) {
			left = left || s.active[q] && s.group.Find(q) == s.group.Find(end)
		}
		if !left {
			s.stop.Store(true)
		}
	}
}

// join puts the path together: from the start through its ripple to a meeting, through other ripples from meeting to
// meeting, and through that of the goal.
func (s *Ripple) join(inTurn bool) error {
	chain := s.chain.cheapest(s.meet, s.live)
	s.points = s.points[:0]
	for i := 1; i < len(chain); i++ {
		r, q := chain[i-1], chain[i]
		s.points = append(s.points, s.meet[min(r, q)*s.live+max(r, q)].node)
	}
	s.errands.begin(s.ctx)
	s.errands.along(s.points)
	switch {
	case len(s.points) == 1:
	case inTurn:
		s.errands.work(0)
	default:
		s.finish.run()
	}
	if err := s.errands.err(); err != nil {
		return err
	}
	s.path = s.ripples[0].labels.path(s.path, s.points[0])
	for i := range s.errands.jobs {
		s.path = append(s.path, s.errands.jobs[i].nodes[1:]...)
	}
	last := s.points[len(s.points)-1]
	s.path = s.ripples[s.live-1].labels.appendTo(s.path[:len(s.path)-1], last)
	return nil
}

// chain finds the cheapest chain of ripples.
type chain struct {
	cost   []float64
	before []int
	done   []bool
	list   []int
}

func newChain(n int) chain {
	return chain{cost: make([]float64, n), before: make([]int, n), done: make([]bool, n), list: make([]int, 0, n)}
}

// cheapest returns the ripples from the first to the last of n by the costs between their roots: Dijkstra's algorithm on a matrix.
// They must be joined.
func (c *chain) cheapest(meet []meeting, n int) []int {
	for r := range n {
		c.cost[r], c.before[r], c.done[r] = math.Inf(1), -1, false
	}
	c.cost[0] = 0
	for range n {
		r := -1
		for q := range n {
			if !c.done[q] && (r < 0 || c.cost[q] < c.cost[r]) {
				r = q
			}
		}
		c.done[r] = true
		for q := range n {
			if m := meet[min(r, q)*n+max(r, q)]; c.cost[r]+m.cost < c.cost[q] {
				c.cost[q], c.before[q] = c.cost[r]+m.cost, r
			}
		}
	}
	c.list = c.list[:0]
	for r := n - 1; r >= 0; r = c.before[r] {
		c.list = append(c.list, r)
	}
	slices.Reverse(c.list)
	return c.list
}

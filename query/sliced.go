package query

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Search is a search for a shortest path that runs in slices under its owner's control. A Search belongs to one
// goroutine at a time and has memory of its own, some 32 bytes for every corner that paths turn around. Searches do not
// disturb each other nor any Query. After the first few paths nothing is allocated.
//
//	s := ix.NewSearch()
//	err := s.Begin(start, goal)
//	for !s.Advance(200) {
//		// do something else
//	}
//	path := s.Path()
//
// The path equals the path of [Query.PartialPath], bit by bit, for any slicing. On an Index made by [Index.Prepare] the
// path has equal length, but the search does not use the preparation.
type Search struct {
	// Epsilon is as in [Query]. A Search over uneven ground is done when its path is proved to cost at most 1+Epsilon
	// times the least cost.
	Epsilon float64
	// Whole looks for ways to the goal itself only, as [Query.Path]: a goal off the mesh is an [ErrOffMesh], and an
	// unreachable goal has no path.
	Whole bool

	q        *Query
	from, to index.Place
	complete bool // the path leads to the goal itself
	state    searchState
	expanded int
	last     int32 // node of the corridor search at the goal
	seen     bool  // the interval search found the goal
}

// searchState is the state of a Search.
type searchState uint8

const (
	idle       searchState = iota // not begun, or cancelled
	looking                       // for the shortest path
	inCorridor                    // for a corridor: before refining, or if the interval search cannot see the goal
	refining                      // for the cheapest path over uneven ground
	found                         // the shortest path is known
	missed                        // no path exists
)

// NewSearch returns an idle Search with memory of its own.
func (ix *Index) NewSearch() *Search { return &Search{q: ix.NewQuery()} }

// ready returns s, or an idle Search for nil. A zero Search asks the empty mesh.
func (s *Search) ready() *Search {
	if s == nil {
		s = new(Search)
	}
	if s.q == nil {
		s.q = new(Query).ready()
	}
	return s
}

// Use makes s ask another Index, and keeps the memory of s. Any search in progress is dropped.
func (s *Search) Use(ix *Index) {
	s = s.ready()
	s.Cancel()
	s.q.Use(ix)
}

// Begin begins a search and drops any earlier search of s. Ends and errors are as for [Query.PartialPath]; after an
// error s is idle.
func (s *Search) Begin(start, goal geom.Vec) error {
	s = s.ready()
	s.Cancel()
	from, err := s.q.snap("start", start)
	if err != nil {
		return err
	}
	return s.begin(from, goal)
}

// BeginAt is Begin for a known start: a position returned by a query of the same mesh. Any other position gives
// [ErrOffMesh].
func (s *Search) BeginAt(start Position, goal geom.Vec) error {
	s = s.ready()
	s.Cancel()
	from, err := stand(s.q.ix, start)
	if err != nil {
		return err
	}
	return s.begin(from, goal)
}

func (s *Search) begin(from index.Place, goal geom.Vec) error {
	q := s.q
	s.seen, s.expanded = false, 0
	to, complete := index.Place{}, true
	var err error
	if s.Whole {
		if to, err = q.snap("goal", goal); err == nil && !q.ix.Connected(from.Region, to.Region) {
			s.state = missed
			return nil
		}
	} else {
		to, complete, err = q.goalFrom(from, goal)
	}
	if err != nil {
		return err
	}
	s.from, s.to, s.complete = from, to, complete
	q.way.Direct(from.Region)
	q.one.Over = false
	if q.ix.Ground.Uneven {
		q.Epsilon = s.Epsilon
		epsilon, _, err := q.effort()
		if err != nil {
			return err
		}
		switch {
		case q.cheap.Begin(q.own.gates, from, to, epsilon):
			s.state = refining
		case q.corridor.Begin(q.ix, &q.way, from, to):
			s.refine()
		default:
			s.state = inCorridor
		}
		return nil
	}
	if from.Region == to.Region && !q.ix.HasShortcuts() || q.one.Begin(q.ix, &q.own.landmarks, &q.way, from, to) {
		s.state = found
	} else {
		s.state = looking
	}
	return nil
}

// refine continues from a corridor to the cheapest path.
func (s *Search) refine() {
	s.q.cheap.BeginWith(&s.q.way)
	s.state = refining
}

// Cancel ends the search without a path and keeps its memory.
func (s *Search) Cancel() { s.ready().state = idle }

// Done reports whether the search has finished or is idle.
func (s *Search) Done() bool {
	s = s.ready()
	return s.state != looking && s.state != inCorridor && s.state != refining
}

// Advance expands at most the given number of nodes and reports whether the search has finished. On an unsound mesh a
// search ends after a number of nodes in proportion to the size of the mesh. Every node takes time O(m + log n) for a
// region with m portals, or for the m portals of the regions around a corner.
func (s *Search) Advance(nodes int) (done bool) {
	s = s.ready()
	q := s.q
	for nodes > 0 && !s.Done() {
		var n int
		var end bool
		switch s.state {
		case looking:
			if n, end = q.one.Advance(nodes); !end {
				break
			}
			if !math.IsInf(q.one.Best, 1) {
				s.state, s.seen = found, true
			} else if q.way.Direct(s.from.Region); q.corridor.Begin(q.ix, &q.way, s.from, s.to) {
				s.state = found
			} else {
				s.state = inCorridor
			}
		case inCorridor:
			if n, s.last, end = q.corridor.Advance(nodes); !end {
				break
			}
			s.state = missed
			if s.last != index.None {
				s.state = found
				q.corridor.Trace(s.last, s.from.Region, &q.way)
				if q.ix.Ground.Uneven {
					s.refine()
				}
			}
		case refining:
			if n, end = q.cheap.Advance(nodes); end {
				s.state = found
			}
		}
		nodes -= n
		s.expanded += n
	}
	return s.Done()
}

// Expanded returns the number of nodes that the search has expanded.
func (s *Search) Expanded() int { return s.ready().expanded }

// Path returns the best path so far; valid until the next question to s. When s is done, the path is the
// shortest. Before, Path returns the shortest known path to the goal, see Bound for its quality. If no path to the goal
// is known, the path is not Complete and leads to the place nearest to the goal, seen from above, of all places looked
// at. While s is idle the path has no points. Time O(n) for the n nodes of the search, as long as no way to the goal is known.
func (s *Search) Path() Path { return s.PathIn(s.ready().q) }

// PathIn is [Search.Path] in the memory of another Query: the path stays valid until the next question to that Query,
// whatever s does. The Query then asks the Index of s.
func (s *Search) PathIn(in *Query) Path {
	s, in = s.ready(), in.ready()
	q := s.q
	in.Use(q.own)
	to, complete, ok := s.trace()
	if !ok {
		return Path{Expanded: s.expanded}
	}
	proved := math.Inf(1)
	if q.ix.Ground.Uneven {
		proved = q.cheap.Bound()
	}
	if q.one.Over {
		proved = 0
	}
	if !s.Done() {
		proved = s.Bound() * lattice.UnitsPerMetre
	}
	if in != q {
		in.way.Copy(&q.way)
	}
	in.proved = proved
	path := in.pullTight(s.from, to, s.expanded)
	path.Complete = complete
	return path
}

// trace fills the way of s.q with the way of [Search.Path], and returns its end; ok is false without a way.
func (s *Search) trace() (to index.Place, complete, ok bool) {
	q := s.q
	to, complete = s.to, s.complete
	switch uneven := q.ix.Ground.Uneven; {
	case s.state == idle || s.state == missed || uneven && s.state == inCorridor:
		return to, false, false
	case uneven:
		q.cheap.Lay(&q.way)
	case s.seen || s.state == looking && !math.IsInf(q.one.Best, 1):
		q.one.Trace(&q.way)
	case !s.Done():
		to, complete = q.one.TraceNearest(&q.way), false
	}
	return to, complete, true
}

// Gates returns the number of portals and links on the path that [Search.Path] returns. Time as for Path, without the
// path's points.
func (s *Search) Gates() int {
	s = s.ready()
	if _, _, ok := s.trace(); !ok {
		return 0
	}
	return len(s.q.way.Crossed) + len(s.q.way.Legs) - 1
}

// Bound returns a lower bound in metres of the shortest path's cost, up to rounding. The bound rises as s advances. A
// Complete Path of equal cost is the shortest. While s is idle, Bound is 0.
func (s *Search) Bound() float64 {
	s = s.ready()
	q := s.q
	switch s.state {
	case looking:
		least, ok := q.one.Bound()
		if !ok {
			break // a corridor search follows
		}
		return least * lattice.Unit * q.ix.Ground.Metre
	case refining:
		return q.cheap.Bound() * lattice.Unit
	case idle:
		return 0
	case found:
		return s.Path().LowerBound
	case missed:
		return math.Inf(1)
	}
	if q.ix.Ground.Uneven {
		return 0
	}
	return q.one.ToGoal(s.from.At) * lattice.Unit * q.ix.Ground.Metre
}

package query

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// ErrNotShared reports a [SharedSearch] on an Index that needs a search for each start, see [Index.Shares].
var ErrNotShared = errors.New("query: ways of this index differ from their ways back")

// SharedSearch finds the shortest paths from many starts to a common goal. It is a single search and runs in slices. The search begins
// at the goal and meets the starts, as [Query.ToMany] does from a start. A SharedSearch belongs to one goroutine at a
// time and has memory of its own, as much as a [Search].
//
// Every path has the cost of [Query.Path], up to rounding. Among equally short paths another may be chosen.
type SharedSearch struct {
	q      *Query
	goal   index.Place
	starts []met
	open   bool // to more starts
	done   bool
}

// met is a start of a SharedSearch.
type met struct {
	place index.Place
	goal  int32 // number of the start among the goals of the search; none if the start has no floor nearby
	p     geom.Vec
}

// Shares reports whether a [SharedSearch] can serve the Index. An Index with open links, or with area costs that differ,
// needs a search for each start.
func (ix *Index) Shares() bool {
	geo := ix.ready().geo
	return !geo.HasHops() && !geo.HasShortcuts() && !geo.Ground.Uneven
}

// IsEven reports whether all ground of the Index costs the same, and a straight way over free floor is then a cheapest way on foot.
// Time O(1).
func (ix *Index) IsEven() bool { return !ix.ready().geo.Ground.Uneven }

// NewSharedSearch returns a SharedSearch with memory of its own.
func (ix *Index) NewSharedSearch() *SharedSearch { return &SharedSearch{q: ix.NewQuery()} }

// ready returns s, or an empty SharedSearch for nil. A zero SharedSearch asks the empty mesh.
func (s *SharedSearch) ready() *SharedSearch {
	if s == nil {
		s = new(SharedSearch)
	}
	if s.q == nil {
		s.q = new(Query).ready()
	}
	return s
}

// Use makes s ask another Index, and keeps the memory of s. Any search in progress is dropped.
func (s *SharedSearch) Use(ix *Index) {
	s = s.ready()
	s.Cancel()
	s.q.Use(ix)
}

// Cancel ends the search without paths and keeps its memory.
func (s *SharedSearch) Cancel() {
	s = s.ready()
	s.starts, s.open, s.done = s.starts[:0], false, false
	s.q.many.Begin(s.q.ix.RegionLimit())
}

// Begin begins a search for paths to a goal, and drops any earlier search of s. Ends are as for [Query.Path]. The errors
// are a goal off the mesh, and [ErrNotShared].
func (s *SharedSearch) Begin(goal geom.Vec) error {
	s = s.ready()
	s.Cancel()
	if !s.q.own.Shares() {
		return ErrNotShared
	}
	to, err := s.q.snap("goal", goal)
	if err != nil {
		return err
	}
	s.goal, s.open = to, true
	return nil
}

// Add adds a start and returns its index, counted from 0. A start off the mesh is an error of its path only. After the
// first Advance, and before Begin, Add returns -1 and adds nothing.
func (s *SharedSearch) Add(start geom.Vec) int {
	s = s.ready()
	q, m := s.q, &s.q.many
	if !s.open {
		return index.None
	}
	at, ok := q.snapped(start)
	if !ok {
		s.starts = append(s.starts, met{goal: index.None, p: start})
		return len(s.starts) - 1
	}
	s.starts = append(s.starts, met{place: at, goal: int32(len(m.Goals)), p: start})
	m.Add(q.ix, at, q.ix.Connected(at.Region, s.goal.Region))
	return len(s.starts) - 1
}

// Advance does at most the given number of units of work and reports whether the search has finished. A unit is an
// expanded node, see [Search.Advance], or the time of one.
func (s *SharedSearch) Advance(units int) (work int, done bool) {
	s = s.ready()
	if s.open {
		s.open = false
		s.q.many.BeginAll(&s.q.one.Tree, s.q.ix, s.goal)
	}
	work, s.done = s.q.many.AdvanceAll(units)
	return work, s.done
}

// Expanded returns the number of nodes that the search has expanded for starts whose paths are known.
func (s *SharedSearch) Expanded() int { return s.ready().q.many.Expanded }

// Gates returns the number of portals on the path of a start, 0 for a start without a path. Time O(n) for n portals.
func (s *SharedSearch) Gates(start int) int {
	s = s.ready()
	if g := s.meeting(start); g != nil && g.Root != index.None {
		s.q.one.Tree.Trace(&s.q.way, g.Root, g.View, g.In)
		return len(s.q.way.Crossed)
	}
	return 0
}

// meeting returns a start as a goal of the search; nil for a start off the mesh or out of range.
func (s *SharedSearch) meeting(start int) *exact.Goal {
	if s.open || start < 0 || start >= len(s.starts) || s.starts[start].goal == index.None {
		return nil
	}
	return &s.q.many.Goals[s.starts[start].goal]
}

// PathIn returns the shortest path from a start, by the index that Add returned, in the memory of a Query: the path stays
// valid until the next question to that Query, which then asks the Index of s. Before the search has finished, the path
// may be longer than the shortest, or missing. The errors are an index out of range, and a start off the mesh.
//
// On a mesh with faults the search may miss a start. PathIn then looks for a way by A*, as [Query.Path] does.
func (s *SharedSearch) PathIn(in *Query, start int) (Path, error) {
	s, in = s.ready(), in.ready()
	if start < 0 || start >= len(s.starts) {
		return Path{}, fmt.Errorf("query: shared search: start %d of %d", start, len(s.starts))
	}
	q, from := s.q, &s.starts[start]
	if from.goal == index.None {
		return Path{}, q.offMesh("start", from.p)
	}
	in.Use(q.own)
	g := s.meeting(start)
	expanded := q.many.Expanded
	if g == nil || !g.Joined || !s.done && g.Root == index.None {
		return Path{Expanded: expanded}, nil
	}
	in.proved = math.Inf(1)
	if !s.done || q.many.Over {
		in.proved = 0
	}
	if g.Root == index.None {
		in.proved = 0
		if !in.corridor.Begin(q.ix, &in.way, from.place, s.goal) {
			n, last, _ := in.corridor.Advance(math.MaxInt)
			if expanded += n; last == index.None {
				return Path{Expanded: expanded}, nil
			}
			in.corridor.Trace(last, from.place.Region, &in.way)
		}
	} else {
		q.one.Tree.Trace(&in.way, g.Root, g.View, g.In)
		in.way.TurnAround(q.ix, g.In)
	}
	return in.pullTight(from.place, s.goal, expanded), nil
}

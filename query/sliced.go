package query

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// Search is a search for a shortest path that goes on for as long as its owner likes and then waits.
// It has memory of its own, some 32 bytes for every corner of the mesh that paths turn around, and belongs to one goroutine
// at a time; Searches do not disturb each other nor any Query. After the first few paths nothing
// is allocated.
//
//	s := ix.NewSearch()
//	err := s.Begin(start, goal)
//	for !s.Advance(200) {
//		// do something else
//	}
//	path := s.Path()
//
// The path is that of [Query.PartialPath], bit by bit, however it is sliced; on an Index that [Index.Prepare]
// made it is as long, but found without what was prepared.
type Search struct {
	// OnlyBends and Epsilon are as in [Query]. A Search over uneven ground is done when its path is proved to cost at
	// most 1+Epsilon times as much as the cheapest.
	OnlyBends bool
	Epsilon   float64

	q        *Query
	from, to place
	complete bool // the path leads to the goal itself
	state    searchState
	expanded int
	last     int32 // where the corridor search found the goal
	seen     bool  // the interval search found it
}

// searchState is what a Search does.
type searchState uint8

const (
	idle       searchState = iota // it has not begun, or was cancelled
	looking                       // for the shortest path
	inCorridor                    // for a corridor, as the interval search cannot see the goal, or to begin with
	refining                      // for the cheapest path over uneven ground
	found                         // the shortest path is known
	missed                        // there is none
)

// NewSearch returns a Search that is idle.
func (ix *Index) NewSearch() *Search { return &Search{q: ix.NewQuery()} }

// Begin begins a search. Whatever s was searching for is forgotten. The ends are those of
// [Query.PartialPath], and so are the errors, after which s is idle.
func (s *Search) Begin(start, goal geom.Vec) error {
	s.Cancel()
	from, err := s.q.snap("start", start)
	if err != nil {
		return err
	}
	return s.begin(from, goal)
}

// BeginAt is Begin for a start that is known: a position that a query of this mesh has returned. The error
// is [ErrOffMesh] if it is not a position of this mesh.
func (s *Search) BeginAt(start Position, goal geom.Vec) error {
	s.Cancel()
	from, err := s.q.ix.stand(start)
	if err != nil {
		return err
	}
	return s.begin(from, goal)
}

func (s *Search) begin(from place, goal geom.Vec) error {
	q := s.q
	to, complete, err := q.goalFrom(from, goal)
	if err != nil {
		return err
	}
	s.from, s.to, s.complete, s.seen, s.expanded = from, to, complete, false, 0
	q.direct(from.region)
	q.interval.over = false
	if q.ix.ground.uneven {
		q.Epsilon = s.Epsilon
		if _, _, err := q.effort(); err != nil {
			return err
		}
		if s.state = inCorridor; q.beginCorridor(from, to) {
			s.refine()
		}
		return nil
	}
	if from.region == to.region && !q.ix.hasShortcuts() || q.beginShortest(from, to) {
		s.state = found
	} else {
		s.state = looking
	}
	return nil
}

// refine goes on from a corridor to the cheapest path.
func (s *Search) refine() {
	epsilon, _, _ := s.q.effort()
	s.q.beginCheapest(s.from, s.to, epsilon)
	s.state = refining
}

// Cancel ends the search without a path. Its memory is kept.
func (s *Search) Cancel() { s.state = idle }

// Done reports whether nothing is left to do.
func (s *Search) Done() bool {
	return s.state != looking && s.state != inCorridor && s.state != refining
}

// Advance takes up nodes, at most as many as given, and reports whether nothing is left to do. On a mesh that is not
// sound a search ends after a number of nodes in proportion to the size of the mesh. Every node
// takes time O(m + log n) for a region with m portals, or for the m of the regions around a corner.
func (s *Search) Advance(nodes int) (done bool) {
	q := s.q
	for nodes > 0 && !s.Done() {
		var n int
		var end bool
		switch s.state {
		case looking:
			if n, end = q.advanceShortest(nodes); !end {
				break
			}
			if !math.IsInf(q.interval.best, 1) {
				s.state, s.seen = found, true
			} else if q.direct(s.from.region); q.beginCorridor(s.from, s.to) {
				s.state = found
			} else {
				s.state = inCorridor
			}
		case inCorridor:
			if n, s.last, end = q.advanceCorridor(nodes); !end {
				break
			}
			s.state = missed
			if s.last != none {
				s.state = found
				q.crossed = q.crossed[:0]
				q.traceCorridor(s.last, s.from.region)
				if q.ix.ground.uneven {
					s.refine()
				}
			}
		case refining:
			if n, end = q.advanceCheapest(nodes); end {
				s.state = found
			}
		}
		nodes -= n
		s.expanded += n
	}
	return s.Done()
}

// Path returns the best path so far; its slices are valid until s is asked again. When s is done it is the
// shortest one. Before, it is the shortest known to the goal, if there is one, which Bound says more of; else
// it is not Complete and leads to the place that the search has come to that is nearest to the goal,
// seen from above. It has no points while s is idle. Time O(n) for the n nodes that the search has made, as
// long as it has no way to the goal.
func (s *Search) Path() Path {
	q := s.q
	q.OnlyBends = s.OnlyBends
	to, complete := s.to, s.complete
	q.proved = math.Inf(1)
	switch uneven := q.ix.ground.uneven; {
	case s.state == idle || s.state == missed:
		return Path{Expanded: s.expanded}
	case uneven && s.state == inCorridor:
		return Path{Expanded: s.expanded}
	case uneven:
		q.proved = q.boundCheapest()
		q.layGates(q.cheap.sequence, q.cheap.bestIn)
	case s.seen || s.state == looking && !math.IsInf(q.interval.best, 1):
		q.crossed = q.crossed[:0]
		q.traceShortest()
	case !s.Done():
		to, complete = q.traceNearest(), false
	}
	if q.interval.over {
		q.proved = 0
	}
	if !s.Done() {
		q.proved = s.Bound() * lattice.UnitsPerMetre
	}
	path := q.pullTight(s.from, to, s.expanded)
	path.Complete = complete
	return path
}

// Bound returns a cost in metres that the shortest path is known not to be below, up to rounding: it rises
// as s goes on. Where a Complete Path costs no more than that, it is the shortest. It is 0 while s is
// idle.
func (s *Search) Bound() float64 {
	q := s.q
	w := &q.interval
	switch s.state {
	case looking:
		least := w.best
		if least = min(least, w.heap.least()); math.IsInf(least, 1) {
			break // a corridor is to be looked for
		}
		return least * lattice.Unit * q.ix.ground.metre
	case refining:
		return q.boundCheapest() * lattice.Unit
	case idle:
		return 0
	case found:
		return s.Path().LowerBound
	case missed:
		return math.Inf(1)
	}
	if q.ix.ground.uneven {
		return 0
	}
	return q.toGoal(s.from.at) * lattice.Unit * q.ix.ground.metre
}

// traceNearest fills q.crossed and q.legs with the way to the place nearest to the goal that an interval
// search has come to, and returns that place.
func (q *Query) traceNearest() place {
	ix, s := q.ix, &q.interval
	best := math.Inf(1)
	var end place
	gx, gy := float64(s.goal.X), float64(s.goal.Y)
	for i := range s.roots {
		r := &s.roots[i]
		if d := distance(r.at, s.goal); d < best {
			best, s.bestRoot, s.bestView = d, int32(i), none
			switch {
			case r.hop != none:
				end = place{region: ix.hops[r.hop].to, at: r.at}
			case r.portal != none:
				end = place{region: ix.portals[r.portal].to, at: r.at}
			default:
				end = place{region: s.startSet[0], at: r.at}
			}
		}
	}
	for i := range s.views {
		v := &s.views[i]
		x, y := q.nearestSeen(v, gx, gy)
		if d := length(x-gx, y-gy); d < best {
			at := ix.roundInto(ix.portals[v.portal].to, x, y)
			best, s.bestRoot, s.bestView = d, v.root, int32(i)
			end = place{region: ix.portals[v.portal].to, at: at}
		}
	}
	end.z = ix.heightAt(end.region, float64(end.at.X), float64(end.at.Y))
	s.bestIn = end.region
	q.crossed = q.crossed[:0]
	q.traceShortest()
	q.legs[0].bent = false // rounding may have moved the end out of sight
	return end
}

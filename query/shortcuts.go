package query

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// Links that cost less than their length.
//
// If every hop costs at least its length, a search may estimate the rest of a way by the straight distance to the goal.
// Other hops are shortcuts. For each first and last shortcut the least cost of a chain of shortcuts, with straight ways
// in between, is precomputed (R. W. Floyd, Algorithm 97, Communications of the ACM 5 (1962)). For a goal every shortcut
// then has a least rest from its start on. The estimate is the smallest of the straight distance and the ways to the
// shortcuts with their rests. The estimate never exceeds the truth and never falls along a way by more than the way's
// cost. Hence the first way out of the queue is final, as without links.

// toGoal returns the least cost of a way from a point to the goal, or to the nearest of many.
func (q *Query) toGoal(at lattice.Point) float64 {
	s := &q.interval
	if s.many {
		return q.toGoals(at)
	}
	least := plane.Distance(at, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, plane.Distance(at, c.At)+c.Rest)
	}
	return least * s.scale
}

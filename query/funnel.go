package query

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Gate is a portal as seen by a walker on the way through: Left and Right are its ends.
type Gate = route.Gate

// Bend is a point of a path and the index of its gate: -1 for the start and the number of gates for the goal.
type Bend = route.Bend

// Funnel returns the shortest path from start to goal through gates, given in walking order. The path is taut: every
// interior point is an end of a gate that the path bends around. Time O(n) amortised, space O(n). The result belongs to
// q and is valid until the next question to q. Reference: Lee and Preparata, Networks 14 (1984). The restart variant
// common in games is shorter to write but can be quadratic.
func (q *Query) Funnel(start, goal lattice.Point, gates []Gate) []Bend {
	q = q.ready()
	return q.way.Funnel.Pull(start, goal, gates)
}

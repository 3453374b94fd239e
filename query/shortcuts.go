package query

import (
	"math"

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

// maxShortcuts bounds the number of shortcuts for a table of all chains; with more shortcuts, estimates are scaled.
const maxShortcuts = 96

// boundShortcuts finds the hops cheaper than their length, and the least cost of their chains: chains[i·k+j] is the
// least cost from the start of the first, i, over any others to the end of the last, j. Time O(k³) for k shortcuts.
func (ix *geometry) boundShortcuts() {
	ix.scale = 1
	for i := range ix.hops {
		h := &ix.hops[i]
		if d := plane.Distance(h.start, h.end); h.cost < d {
			ix.shortcuts = append(ix.shortcuts, int32(i))
			ix.scale = min(ix.scale, h.cost/d)
		}
	}
	k := len(ix.shortcuts)
	if k > maxShortcuts {
		ix.shortcuts = nil
		return
	}
	ix.scale = 1
	// First from the end of each shortcut to the end of each other.
	c := make([]float64, k*k)
	for i := range k {
		for j := range k {
			if i != j {
				to := &ix.hops[ix.shortcuts[j]]
				c[i*k+j] = plane.Distance(ix.hops[ix.shortcuts[i]].end, to.start) + to.cost
			}
		}
	}
	for via := range k {
		for i := range k {
			for j := range k {
				c[i*k+j] = min(c[i*k+j], c[i*k+via]+c[via*k+j])
			}
		}
	}
	for i := range k {
		for j := range k {
			c[i*k+j] += ix.hops[ix.shortcuts[i]].cost
		}
	}
	ix.chains = c
}

// shortcut is the start of a shortcut, and the least rest of a way from its start over the shortcut to the goal.
type shortcut struct {
	at   lattice.Point
	rest float64
}

// aimShortcuts appends the shortcuts that may pay on the way to a goal. Time O(k²) for k shortcuts.
func (ix *geometry) aimShortcuts(list []shortcut, goal lattice.Point) []shortcut {
	k := len(ix.shortcuts)
	for i, h := range ix.shortcuts {
		rest := math.Inf(1)
		for j, last := range ix.shortcuts {
			rest = min(rest, ix.chains[i*k+j]+plane.Distance(ix.hops[last].end, goal))
		}
		if at := ix.hops[h].start; rest < plane.Distance(at, goal) {
			list = append(list, shortcut{at, rest})
		}
	}
	return list
}

// toGoal returns the least cost of a way from a point to the goal, or to the nearest of many.
func (q *Query) toGoal(at lattice.Point) float64 {
	s := &q.interval
	if s.many {
		return q.toGoals(at)
	}
	least := plane.Distance(at, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, plane.Distance(at, c.at)+c.rest)
	}
	return least * s.scale
}

package query

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// Links that are cheaper than they are long.
//
// A search may estimate what is left by the straight distance to the goal as long as no hop is cheaper
// than it is long. The others are shortcuts: the least that the way over a chain of them can cost,
// with straight ways in between, is known beforehand for each first and last one (R. W. Floyd,
// Algorithm 97, Communications of the ACM 5 (1962)). For a goal that leaves for each shortcut the least
// rest from its start on, and the estimate is the smallest of the straight distance and the ways to the
// shortcuts with their rests. It never exceeds the truth, and along a way it never falls by more than
// what the way costs, so that what comes out of the queue first is final, as without links.

// maxShortcuts bounds the shortcuts of which all chains are known; with more, estimates are scaled.
const maxShortcuts = 96

// boundShortcuts finds the hops that are cheaper than they are long, and the least cost of chains of
// them: chains[i·k+j] is that of ways from the start of shortcut i over it, and over any others, to the
// end of shortcut j, the last one. Time O(k³) for k shortcuts.
func (ix *Index) boundShortcuts() {
	ix.scale = 1
	for i := range ix.hops {
		h := &ix.hops[i]
		if d := distance(h.start, h.end); h.cost < d {
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
	// First from the end of each to the end of each other.
	c := make([]float64, k*k)
	for i := range k {
		for j := range k {
			if i != j {
				to := &ix.hops[ix.shortcuts[j]]
				c[i*k+j] = distance(ix.hops[ix.shortcuts[i]].end, to.start) + to.cost
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

// shortcut is the start of one and the least rest of a way from there over it to the goal.
type shortcut struct {
	at   lattice.Point
	rest float64
}

// aimShortcuts appends the shortcuts that may pay on the way to a goal. Time O(k²) for k shortcuts.
func (ix *Index) aimShortcuts(list []shortcut, goal lattice.Point) []shortcut {
	k := len(ix.shortcuts)
	for i, h := range ix.shortcuts {
		rest := math.Inf(1)
		for j, last := range ix.shortcuts {
			rest = min(rest, ix.chains[i*k+j]+distance(ix.hops[last].end, goal))
		}
		if at := ix.hops[h].start; rest < distance(at, goal) {
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
	least := distance(at, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, distance(at, c.at)+c.rest)
	}
	return least * s.scale
}

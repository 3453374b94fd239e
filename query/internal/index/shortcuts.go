package index

// Links that cost less than their length.
//
// If every hop costs at least its length, a search may estimate the rest of a way by the straight distance to the goal.
// Other hops are shortcuts. For each first and last shortcut the least cost of a chain of shortcuts, with straight ways
// in between, is precomputed (R. W. Floyd, Algorithm 97, Communications of the ACM 5 (1962)). For a goal every shortcut
// then has a least rest from its start on. The estimate is the smallest of the straight distance and the ways to the
// shortcuts with their rests. The estimate never exceeds the truth and never falls along a way by more than the way's
// cost. Hence the first way out of the queue is final, as without links.

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// MaxShortcuts bounds the number of shortcuts for a table of all chains; with more shortcuts, estimates are scaled.
const MaxShortcuts = 96

// boundShortcuts finds the hops cheaper than their length, and the least cost of their chains: chains[i·k+j] is the
// least cost from the start of the first, i, over any others to the end of the last, j. Time O(k³) for k shortcuts.
func (ix *Index) boundShortcuts() {
	ix.Scale = 1
	for i := range ix.Hops {
		h := &ix.Hops[i]
		if d := Distance(h.Start, h.End); h.Cost < d {
			ix.Shortcuts = append(ix.Shortcuts, int32(i))
			ix.Scale = min(ix.Scale, h.Cost/d)
		}
	}
	k := len(ix.Shortcuts)
	if k > MaxShortcuts {
		ix.Shortcuts = nil
		return
	}
	ix.Scale = 1
	// First from the end of each shortcut to the end of each other.
	c := make([]float64, k*k)
	for i := range k {
		for j := range k {
			if i != j {
				to := &ix.Hops[ix.Shortcuts[j]]
				c[i*k+j] = Distance(ix.Hops[ix.Shortcuts[i]].End, to.Start) + to.Cost
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
			c[i*k+j] += ix.Hops[ix.Shortcuts[i]].Cost
		}
	}
	ix.chains = c
}

// Shortcut is the start of a shortcut, and the least rest of a way from its start over the shortcut to the goal.
type Shortcut struct {
	At   lattice.Point
	Rest float64
}

// AimShortcuts appends the shortcuts that may pay on the way to a goal. Time O(k²) for k shortcuts.
func (ix *Index) AimShortcuts(list []Shortcut, goal lattice.Point) []Shortcut {
	k := len(ix.Shortcuts)
	for i, h := range ix.Shortcuts {
		rest := math.Inf(1)
		for j, last := range ix.Shortcuts {
			rest = min(rest, ix.chains[i*k+j]+Distance(ix.Hops[last].End, goal))
		}
		if at := ix.Hops[h].Start; rest < Distance(at, goal) {
			list = append(list, Shortcut{at, rest})
		}
	}
	return list
}

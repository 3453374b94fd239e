package steer

import "github.com/meadow-nav/meadow/geom"

// Combining forces.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, sections 2.3
// and 6.1: forces are summed, and obstacles have priorities. C. Reynolds, Steering Behaviors for Autonomous Characters, 1999,
// has both ways of combining.
//
// Idea: By weight, each force takes part in one sum with one limit. By priority, forces spend a budget one after the other: the
// first ones have what they want, and the rest gets what is left.
//
// Guarantees:
//  1. No result is longer than the limit (TestCombined).
//  2. By priority, a force that fills the limit silences all forces behind it (TestPriority).
//
// Degenerate cases: forces that are not finite count as none; a limit of 0, below 0 or NaN gives no force.
//
// Cost: O(n) for n forces.
//
// Departures: the source gives neither weights nor an order; see [Parameters].

// Part is a force of a weighted sum.
type Part struct {
	Force  geom.Vec
	Weight float64
}

// Sum returns the weighted sum of forces, at most as long as the limit.
func Sum(limit float64, parts ...Part) geom.Vec {
	var sum geom.Vec
	for i := range parts {
		sum = sum.Add(level(parts[i].Force.Scale(parts[i].Weight)))
	}
	return atMost(level(sum), limit)
}

// Priority returns the sum of forces in the order of their importance: each takes from the limit what its length comes to, the
// last one up to what is left.
func Priority(limit float64, forces ...geom.Vec) geom.Vec {
	var sum geom.Vec
	for _, f := range forces {
		f = atMost(level(f), limit)
		sum = sum.Add(f)
		limit -= f.Norm()
	}
	return sum
}

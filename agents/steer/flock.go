package steer

import "github.com/meadow-nav/meadow/geom"

// Flocking.
//
// Source: S. Brand, thesis, 2009, section 2.3 and figure 4, after C. Reynolds, Flocks, Herds, and Schools, 1987.
//
// Idea: Separation steers away from each neighbour, more from nearer ones. Alignment turns to the mean direction of the
// neighbours. Cohesion pulls to their mean place. Leaders weigh more, and the slowest member sets the speed.
//
// Input: neighbours in view, see [View.Seen], in an order that is the same in every replay.
//
// Guarantees:
//  1. The force of separation points away from the neighbours and grows as they come nearer (TestSeparation).
//  2. Aligned movers come to one direction, and a leader of great weight turns the others (TestAlignment).
//  3. Cohesion pulls to the weighted mean place (TestCohesion).
//  4. Separation and cohesion leave movers at a distance where both cancel out (TestNaturalDistance).
//  5. The slowest member sets the speed (TestSlowest).
//
// Degenerate cases: without neighbours there is no force. Two movers at one place part along x, by the order of their ids.
// Neighbours that stand have no direction.
//
// Cost: O(n) for n neighbours.
//
// Departures: the source gives no formulas: separation is linear in the gap between bodies, cohesion in the distance.

// Separation returns the force away from mates whose bodies are within a reach in metres of the mover's body. A mate that
// touches counts with all of the strength, and the strength bounds the sum.
func Separation(m *Mover, mates []Mate, reach, strength float64) geom.Vec {
	var sum geom.Vec
	for i := range mates {
		away, d := apart(m.At, mates[i].At, m.ID, mates[i].ID)
		sum = sum.Add(away.Scale(strength * nearness(d-m.Radius-mates[i].Radius, reach)))
	}
	return atMost(level(sum), strength)
}

// Alignment returns the force that turns the mover to the weighted mean direction of its mates, with all of the strength for
// the opposite direction. The length of the force is linear in the difference of the directions.
func Alignment(m *Mover, mates []Mate, strength float64) geom.Vec {
	var sum geom.Vec
	for i := range mates {
		sum = sum.Add(flat(level(mates[i].Velocity)).Scale(mates[i].weight()))
	}
	want := flat(level(sum))
	if want == (geom.Vec{}) {
		return want
	}
	return atMost(want.Sub(m.Heading()).Scale(strength/2), strength)
}

// Cohesion returns the force towards the weighted mean place of the mates: all of the strength at a reach in metres and
// beyond, less nearer.
func Cohesion(m *Mover, mates []Mate, reach, strength float64) geom.Vec {
	var sum geom.Vec
	weights := 0.0
	for i := range mates {
		w := mates[i].weight()
		sum = sum.Add(level(mates[i].At.Sub(m.At)).Scale(w))
		weights += w
	}
	if !(weights > 0) || !(reach > 0) {
		return geom.Vec{}
	}
	return atMost(level(sum.Scale(strength/(weights*reach))), strength)
}

// Slowest returns the speed in metres a second that the mover and all mates can keep up.
func Slowest(m *Mover, mates []Mate) float64 {
	speed := m.Speed
	for i := range mates {
		speed = min(speed, mates[i].Speed)
	}
	return max(speed, 0)
}

func (m *Mate) weight() float64 {
	if !isAbove(m.Weight) {
		return 1
	}
	return m.Weight
}

package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Seeking, fleeing, arriving.
//
// Source: S. Brand, thesis, 2009, section 2.3 (attractors, repulsors) and 5.2.2 (braking near the magnet); C. Reynolds,
// Steering Behaviors for Autonomous Characters, 1999.
//
// Idea: A behaviour knows the velocity that it wants, and its force turns the velocity of the mover into the wanted one.
// Arriving wants no more speed than the brakes can take away before the goal.
//
// Guarantees:
//  1. A mover that arrives stops at its goal and does not pass it by more than a centimetre (TestArrive).
//  2. Seeking comes nearer in a straight line, fleeing goes away (TestSeekAndFlee).
//
// Degenerate cases: a mover at the place that it flees goes on as it faces, and else along x.
//
// Cost: O(1).
//
// Departures: the source gives no formula; the speed of arriving is the root of twice the brakes times the distance.

// Seek returns the force towards a place at full speed.
func Seek(m *Mover, goal geom.Vec) geom.Vec {
	return m.towards(flat(level(goal.Sub(m.At))).Scale(m.Speed))
}

// Flee returns the force away from a place within a reach in metres, and none beyond.
func Flee(m *Mover, from geom.Vec, reach float64) geom.Vec {
	away := level(m.At.Sub(from))
	d := away.Norm()
	if !(d < reach) {
		return geom.Vec{}
	}
	if d == 0 {
		if away = m.Heading(); away == (geom.Vec{}) {
			away = geom.Vec{X: 1}
		}
	}
	return m.towards(flat(away).Scale(m.Speed))
}

// Arrive returns the force towards a place where the mover comes to rest.
func Arrive(m *Mover, goal geom.Vec) geom.Vec {
	way := level(goal.Sub(m.At))
	d := way.Norm()
	// Half of the brakes: the other half is for the delay of the response.
	// A fourth of the inverse response per metre is the most that does not swing over the goal.
	speed := min(m.Speed, math.Sqrt(m.Push*d), d/(4*response))
	return m.towards(flat(way).Scale(speed))
}

package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Mover is a traveller as behaviours see it. Behaviours return forces: horizontal accelerations in metres a second squared.
type Mover struct {
	// ID tells two movers at one place apart.
	ID uint64
	// At is the centre, in metres.
	At geom.Vec
	// Velocity is in metres a second; its height does not count.
	Velocity geom.Vec
	// Facing is the horizontal unit vector of the face; zero is the direction of the velocity.
	Facing geom.Vec
	// Radius in metres, 0 or more.
	Radius float64
	// Speed is the highest speed in metres a second; Push the largest force.
	Speed, Push float64
}

// Mate is another traveller near by.
type Mate struct {
	ID           uint64
	At, Velocity geom.Vec
	Radius       float64
	// Speed is the highest speed of the mate in metres a second.
	Speed float64
	// Weight is the importance of the mate for [Alignment] and [Cohesion]; leaders have more than others. 0 counts as 1.
	Weight float64
}

// Heading returns the horizontal unit vector of the mover's facing; zero for a mover that stands and faces nothing.
func (m *Mover) Heading() geom.Vec {
	if m.Facing != (geom.Vec{}) {
		return m.Facing
	}
	return flat(m.Velocity)
}

// Drive returns the velocity after a force has acted for a time in seconds: the force up to Push, the velocity up to Speed.
// A force that is not finite counts as none.
func (m *Mover) Drive(force geom.Vec, seconds float64) geom.Vec {
	force = atMost(level(force), m.Push)
	return atMost(level(m.Velocity).Add(force.Scale(seconds)), m.Speed)
}

// towards returns the force that brings the mover to a velocity within its response time.
func (m *Mover) towards(want geom.Vec) geom.Vec {
	return atMost(want.Sub(level(m.Velocity)).Scale(1/response), m.Push)
}

// level returns v without its height, and zero for a v that is not finite.
func level(v geom.Vec) geom.Vec {
	v.Y = 0
	if !v.IsFinite() {
		return geom.Vec{}
	}
	return v
}

// atMost returns v, or the vector of the same direction and of the largest length.
func atMost(v geom.Vec, most float64) geom.Vec {
	if !(most > 0) {
		return geom.Vec{}
	}
	if l := v.Norm(); l > most {
		return v.Scale(most / l)
	}
	return v
}

// left returns the horizontal unit vector to the left of another one, seen from above.
func left(h geom.Vec) geom.Vec { return geom.Vec{X: h.Z, Z: -h.X} }

// apart returns the unit vector from b to a and their distance, seen from above. Two travellers at one place are apart along
// x, by the order of their ids.
func apart(a, b geom.Vec, one, other uint64) (away geom.Vec, d float64) {
	v := level(a.Sub(b))
	if d = v.Norm(); d > 0 {
		return v.Scale(1 / d), d
	}
	if one < other {
		return geom.Vec{X: -1}, 0
	}
	return geom.Vec{X: 1}, 0
}

// nearness returns 1 at no distance and 0 at the reach and beyond.
func nearness(d, reach float64) float64 {
	if !(d < reach) {
		return 0
	}
	return min(max(1-d/reach, 0), 1)
}

// isAbove reports whether a number is above 0 and finite.
func isAbove(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

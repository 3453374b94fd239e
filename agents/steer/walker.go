package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Following directly.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section
// 5.2.2, option 3: the route is followed as it is, and the turning of the figure is smoothed.
//
// Idea: The place is a length along the route, which grows by speed times time. The figure turns towards its direction, within
// its limit.
//
// Guarantees:
//  1. The place is on the route and never goes back; the steps are as long as speed and time say
//     (TestWalkerKeepsToTheRoute).
//  2. The heading turns by at most Turn times the time, the short way around (TestWalkerTurns).
//
// Degenerate cases: a route of a single point ends at once; points twice in a row take no time; steps of no or negative time
// or speed stand still. A turn by exactly half a circle is to the left.
//
// Cost: O(log n) a step.
//
// Departures: none; the source gives no algorithm for the turning.

// Walker follows a route directly.
type Walker struct {
	Route *Route
	// Turn is how fast the heading turns, in radians a second; 0 is at once.
	Turn float64
	// Along is the distance covered, in metres.
	Along float64
	// Heading is the horizontal unit vector of the figure's facing; zero before the first move.
	Heading geom.Vec
}

// Done reports whether the goal is reached.
func (w *Walker) Done() bool { return w.Along >= w.Route.Length() }

// Step walks for a time in seconds, at a speed in metres a second, and returns the place.
func (w *Walker) Step(seconds, speed float64) geom.Vec {
	if d := float64(seconds * speed); d > 0 {
		w.Along = min(w.Along+d, w.Route.Length())
	}
	want := w.Route.Direction(w.Along)
	switch {
	case w.Turn <= 0 || w.Heading == (geom.Vec{}):
		w.Heading = want
	case seconds > 0:
		w.Heading = turned(w.Heading, want, w.Turn*seconds)
	}
	return w.Route.At(w.Along)
}

// turned returns a horizontal unit vector turned towards another one by at most an angle, up to half a circle.
func turned(from, to geom.Vec, most float64) geom.Vec {
	if to == (geom.Vec{}) {
		return from
	}
	// Seen from above, with north at -z, counter-clockwise is positive.
	cross, dot := float64(from.Z*to.X)-float64(from.X*to.Z), float64(from.X*to.X)+float64(from.Z*to.Z)
	sin, cos := geom.Sincos(min(max(most, 0), math.Pi))
	if dot >= cos {
		return to
	}
	if cross < 0 {
		sin = -sin
	}
	return flat(geom.Vec{X: float64(from.X*cos) + float64(from.Z*sin), Z: float64(from.Z*cos) - float64(from.X*sin)})
}

package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Following a magnet.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section
// 5.2.2, option 2 and figure 48.
//
// Idea: A traveller driven by physics is pulled towards a point of the route ahead. The distance ahead is linear in
// the speed, up to a limit, so a blocked traveller is pulled to a place within reach; where the route turns sharply
// ahead the magnet comes nearer. Close to the magnet the traveller brakes.
//
// Input: a route, and where the traveller is and how fast.
//
// Guarantees:
//  1. The magnet is on the route, between Least and Most ahead of the traveller's place along it, seen from above, or
//     at the goal. The traveller's place never goes back (TestMagnetRunsAhead).
//  2. A standing traveller has its magnet Least ahead (TestMagnetOfTheBlocked).
//  3. A traveller of the defaults comes to the goal: where nothing is in its way (TestMagnetLeadsToTheGoal), and along the
//     shortest paths of the test levels, sliding along their walls (TestPulledTravellersArrive in navgraph).
//
// Degenerate cases: a route of a single point has its magnet there. A traveller at NaN counts as at its last place
// along the route.
//
// Cost: O(log n + k) for k points of the route within Most.
//
// Departures: the source gives the dependencies but no numbers; the defaults are ours. How far ahead the magnet is goes with
// the cosine of the sharpest turn that is ahead: all the way for none, half the way for a right angle. The magnet keeps to
// no floor but the route's: as the source says, who is pulled over an edge falls.

// Magnet pulls a traveller along a route. Each setting is 0 for its default, or above 0.
type Magnet struct {
	Route *Route
	// Look is how far ahead the magnet is, in seconds of the traveller's speed; 0 is 0.6.
	Look float64
	// Least and Most bound how far ahead it is, in metres along the route seen from above: a magnet straight
	// overhead would not pull. 0 is 0.3 and 4.
	Least, Most float64
	// Brake is the distance of the magnet in metres below which the traveller slows down; 0 is 0.6.
	Brake float64
	// Speed is the traveller's highest speed in metres a second, 0 is 3; Push the highest acceleration in metres a
	// second squared, 0 is 12.
	Speed, Push float64
	// Along is where the traveller is along the route, in metres.
	Along float64
}

// response is the time in seconds in which a traveller without limits would reach its desired speed.
const response = 0.1

func or(v, zero float64) float64 {
	if !(v > 0) {
		return zero
	}
	return v
}

// Point returns the magnet for a traveller at p with a speed in metres a second, and moves Along to where it is.
func (m *Magnet) Point(p geom.Vec, speed float64) geom.Vec {
	least, most := or(m.Least, 0.3), or(m.Most, 4)
	most = max(most, least)
	if p.IsFinite() {
		// No farther than the magnet may be: the route may come by here again later.
		m.Along = m.Route.Nearest(p, m.Along, m.Route.ahead(m.Along, most))
	}
	ahead := min(max(or(m.Look, 0.6)*max(speed, 0), least), most)
	if math.IsNaN(ahead) {
		ahead = least
	}
	sharp := m.Route.sharpest(m.Along, m.Route.ahead(m.Along, ahead))
	ahead = max(ahead*(1+sharp)/2, least)
	return m.Route.At(m.Route.ahead(m.Along, ahead))
}

// Pull returns the acceleration in metres a second squared, horizontal, of a traveller at p with a velocity in metres a
// second: towards the magnet, less at the desired speed, against its direction when too fast.
func (m *Magnet) Pull(p, velocity geom.Vec) geom.Vec {
	velocity.Y = 0
	at := m.Point(p, velocity.Norm())
	way := at.Sub(p)
	way.Y = 0
	want := flat(way).Scale(or(m.Speed, 3) * min(way.Norm()/or(m.Brake, 0.6), 1))
	pull := want.Sub(velocity).Scale(1 / response)
	if f, most := pull.Norm(), or(m.Push, 12); f > most {
		pull = pull.Scale(most / f)
	}
	return pull
}

// Done reports whether the traveller at p is within a distance of the goal, seen from above, with no more than that of the
// route before it.
func (m *Magnet) Done(p geom.Vec, within float64) bool {
	length := m.Route.Length()
	return m.Route.ahead(m.Along, within) >= length && m.Route.At(length).DistXZ(p) <= within
}

package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Whiskers.
//
// Source: S. Brand, thesis, 2009, section 2.3 and figure 3; C. Reynolds, Not Bumping Into Things, 1988.
//
// Idea: Whiskers are rays ahead of the mover. A whisker that meets an obstacle to the left pushes to the right, and the other way
// around: across the heading, more the nearer the obstacle is. All samples of the whiskers are merged into a single force.
// A vehicle brakes as well, and harder for what suddenly appears.
//
// Input: walls answer rays, see [Walls]. Other travellers are discs, grown by the mover's radius as the walls of a mesh are.
//
// Guarantees:
//  1. The force is across the heading, opposite to the side of the obstacle, and grows with nearness (TestWhiskers).
//  2. Obstacles on both sides at equal distances cancel out; one straight ahead is passed on the right (TestWhiskers).
//  3. A mover with whiskers of each layout passes standing discs without touching them (TestWhiskersPass).
//  4. Brakes stop a vehicle before the obstacle if its tyres can, and never reverse it. Brakes are harder for what appears
//     than for the same obstacle seen all the time (TestBrake).
//
// Degenerate cases: a mover that faces nothing has no whiskers. A root of a whisker behind a wall senses contact.
//
// Cost: a ray and O(n) for n other travellers, for each whisker.
//
// Departures: figure 3 shows layouts without numbers, and the text gives no formula: nearness is linear along a whisker, and
// samples are added up to the strength.

// Walls answers rays. Package query's walls are [OnMesh].
type Walls interface {
	// Ray returns the free share of the straight way between two places, 1 without a wall, and the horizontal unit vector
	// from the wall to its free side.
	Ray(from, to geom.Vec) (free float64, normal geom.Vec)
}

// OnMesh is the walls of a mesh, for rays near a position of the mesh.
type OnMesh struct {
	Query *query.Query
	At    query.Position
}

// Ray walks over the mesh from the position to the start of the ray, and from there to its end. A start that a wall hides is
// blocked at once.
func (o *OnMesh) Ray(from, to geom.Vec) (float64, geom.Vec) {
	start := o.At
	if from != start.Point {
		ray, err := o.Query.Raycast(start, from)
		if err != nil || ray.Hit {
			return 0, ray.Normal
		}
		start = ray.End
	}
	ray, err := o.Query.Raycast(start, to)
	if err != nil {
		return 0, geom.Vec{}
	}
	return ray.Fraction, ray.Normal
}

// Whisker is a ray in the frame of a mover, ahead and to the left.
type Whisker struct {
	// Side is how far to the left of the centre the whisker begins, in metres.
	Side float64
	// Ahead and Left are its direction, a unit vector; Length is in metres.
	Ahead, Left, Length float64
}

// Fan returns n whiskers from the centre, evenly spread over an angle in radians: a layout of figure 3.
func Fan(n int, angle, length float64) []Whisker {
	list := make([]Whisker, max(n, 0))
	for i := range list {
		sin, cos := geom.Sincos(angle * across(i, n))
		list[i] = Whisker{Ahead: cos, Left: sin, Length: length}
	}
	return list
}

// Parallel returns n whiskers straight ahead, evenly spread over a width in metres: a layout of figure 3.
func Parallel(n int, width, length float64) []Whisker {
	list := make([]Whisker, max(n, 0))
	for i := range list {
		list[i] = Whisker{Side: width * across(i, n), Ahead: 1, Length: length}
	}
	return list
}

// OneAndTwo returns a single whisker straight ahead and two shorter ones at an angle in radians to both sides: a layout of
// figure 3.
func OneAndTwo(length, short, angle float64) []Whisker {
	sin, cos := geom.Sincos(angle)
	return []Whisker{
		{Ahead: 1, Length: length},
		{Ahead: cos, Left: sin, Length: short},
		{Ahead: cos, Left: -sin, Length: short},
	}
}

// across returns the place of the i-th of n things, from half to minus half.
func across(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return 0.5 - float64(i)/float64(n-1)
}

// Sample is what a whisker felt.
type Sample struct {
	// Clear is the free length of the whisker in metres, Near 0 at its tip and 1 at its root.
	Clear, Near float64
	// Away is the horizontal unit vector across the heading, away from the obstacle; zero without one.
	Away geom.Vec
	// Ahead says that the obstacle is in the way of the body, were it to go straight on.
	Ahead bool
}

// headOn is how far, as a sine, an obstacle counts as straight ahead.
const headOn = 1e-9

// Feel appends a sample for each whisker to a list. No walls is nil.
func Feel(list []Sample, m *Mover, whiskers []Whisker, walls Walls, mates []Mate) []Sample {
	h := m.Heading()
	if h == (geom.Vec{}) {
		return list
	}
	l := left(h)
	for i := range whiskers {
		w := &whiskers[i]
		root := m.At.Add(l.Scale(w.Side))
		dir := h.Scale(w.Ahead).Add(l.Scale(w.Left))
		free, side := 1.0, 0.0
		if walls != nil {
			var normal geom.Vec
			if free, normal = walls.Ray(root, root.Add(dir.Scale(w.Length))); free < 1 {
				if side = -normal.Dot(l); math.Abs(side) <= headOn {
					side = w.Left + w.Side
				}
			}
		}
		for k := range mates {
			o := &mates[k]
			if o.ID == m.ID {
				continue
			}
			t, ok := meets(root, dir, o.At, m.Radius+o.Radius)
			if ok && t < free*w.Length {
				free = t / w.Length
				side = level(o.At.Sub(m.At)).Dot(l)
			}
		}
		s := Sample{Clear: float64(free * w.Length), Near: 1 - free}
		if free < 1 {
			s.Ahead = math.Abs(float64(s.Clear*w.Left)+w.Side) <= m.Radius
			// To the right where nothing speaks for a side: away from the left.
			if s.Away = l.Scale(-1); side < -headOn {
				s.Away = l
			}
		}
		list = append(list, s)
	}
	return list
}

// meets returns the distance along a ray at which it enters a disc; 0 from inside of it.
func meets(from, dir, centre geom.Vec, radius float64) (float64, bool) {
	to := level(centre.Sub(from))
	along := to.Dot(dir)
	gap := to.Dot(to) - float64(radius*radius)
	if gap <= 0 {
		return 0, along > 0
	}
	d := float64(along*along) - gap
	if along <= 0 || d < 0 {
		return 0, false
	}
	return along - math.Sqrt(d), true
}

// Avoid merges samples into a single force across the heading: each counts with its nearness, and the strength bounds the sum.
func Avoid(samples []Sample, strength float64) geom.Vec {
	var sum geom.Vec
	for i := range samples {
		sum = sum.Add(samples[i].Away.Scale(strength * samples[i].Near))
	}
	return atMost(level(sum), strength)
}

// Clear returns the free way straight ahead in metres: the least of the samples in the way of the body, and the given reach
// where there are none.
func Clear(samples []Sample, reach float64) float64 {
	for i := range samples {
		if samples[i].Ahead {
			reach = min(reach, samples[i].Clear)
		}
	}
	return reach
}

// easy is the part of the brakes, as its inverse, that a vehicle does not use yet: it brakes later.
const easy = 4

// Brake returns the force that stops a vehicle within its free way ahead, clear metres of a reach. Before is the free way a
// step of the given seconds ago: what is nearer than the vehicle's own motion explains has appeared suddenly, and doubles the
// force at most. Push bounds the force, and the force never reverses the vehicle.
func Brake(m *Mover, clear, before, reach, seconds float64) geom.Vec {
	v := level(m.Velocity)
	speed := v.Norm()
	if !(clear < reach) || !(reach > 0) || speed == 0 || !(seconds > 0) {
		return geom.Vec{}
	}
	force := m.Push
	if clear > 0 {
		expected := max(before-float64(speed*seconds), 0)
		surprise := min(max(expected-clear, 0)/reach, 1)
		force = min(float64(speed*speed)/(2*clear)*(1+surprise), m.Push)
		if force < m.Push/easy {
			return geom.Vec{}
		}
	}
	return v.Scale(-min(force, speed/seconds) / speed)
}

package steer

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Physics of spheres.
//
// Source: S. Brand, thesis, 2009, section 2.3: travellers are spheres that push each other out of the way and slide along
// walls; polygons marked as impassable hold them.
//
// Idea: Forces are sums and means, and not all of them are valid. A step over the mesh makes them so: it slides along walls, and
// its exact decisions let nobody through. Spheres that overlap part, the lighter one more.
//
// Input: a mesh eroded by the mover's radius, so the centre may go anywhere on it. Impassable ground is ground that the
// query's filter closes, see [query.Filter].
//
// Guarantees:
//  1. The centre never leaves the mesh nor enters closed ground, whatever the velocity (TestPhysicsHolds).
//  2. A mover that runs into a wall at a slant slides on (TestSlide).
//  3. Two spheres that overlap touch after a push, and their common centre of mass stays (TestPush).
//
// Degenerate cases: a velocity that is not finite stands still. Spheres at one place part along x, by the order of their ids.
// A mass of 0 counts as 1; a mass of +Inf does not move.
//
// Cost: a move over the mesh; O(1) a push.
//
// Departures: spheres are discs with equal heights: mates on other storeys are not neighbours.

// Slide moves a mover over the mesh by its velocity for a time in seconds, along walls where walls are in the way. The result
// has the new position, the real velocity, and whether a wall took part of the velocity. The error is [query.ErrOffMesh] for a
// position of another mesh, and a step to beyond the frame of the mesh.
func Slide(q *query.Query, at query.Position, velocity geom.Vec, seconds float64) (query.Position, geom.Vec, bool, error) {
	step := level(level(velocity).Scale(seconds))
	move, err := q.MoveAlongSurface(at, at.Point.Add(step))
	if err != nil || step == (geom.Vec{}) {
		return at, geom.Vec{}, false, err
	}
	if move.Arrived {
		return move.End, level(velocity), false, nil
	}
	return move.End, level(move.End.Point.Sub(at.Point).Scale(1 / seconds)), true, nil
}

// Ball is a sphere to be pushed.
type Ball struct {
	ID           uint64
	At           geom.Vec
	Radius, Mass float64
}

// Push returns how far two overlapping spheres have to move until they touch, horizontally: each by the other's share of the
// mass. Spheres that do not overlap stay. Steps of [Slide] make the moves, so pushed spheres stay on the mesh.
func Push(a, b *Ball) (ofA, ofB geom.Vec) {
	away, d := apart(a.At, b.At, a.ID, b.ID)
	depth := a.Radius + b.Radius - d
	if !isAbove(depth) {
		return geom.Vec{}, geom.Vec{}
	}
	share := 0.5
	switch heavyA, heavyB := a.Mass > maxMass, b.Mass > maxMass; {
	case heavyA && heavyB:
		return geom.Vec{}, geom.Vec{}
	case heavyA:
		share = 0
	case heavyB:
		share = 1
	default:
		one, other := or(a.Mass, 1), or(b.Mass, 1)
		share = other / (one + other)
	}
	return away.Scale(depth * share), away.Scale(-depth * (1 - share))
}

// maxMass in kilograms is the mass beyond which a sphere does not move.
const maxMass = 1e12

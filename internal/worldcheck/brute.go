package worldcheck

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/world"
)

// The judge of places.
//
// Source: the definition of an obstacle in package world; distances between points and polygons are textbook material.
//
// Idea: An obstacle blocks a place where its solid meets the upright cylinder of the agent's radius from MaxClimb to
// Height above the floor. The judge cuts the solid at both heights, and measures the horizontal distance between the
// place and the part in between. A margin around radius and heights divides places into blocked, free and unsure. An
// obstacle may take places within arcs metres of a blocked place, whose floor may be higher or lower. Triangles over uneven
// floor may take places of floor up to a step higher or lower, see [Checker.heightStep].
//
// Input: a place on a floor, and a solid with finite coordinates.
//
// Guarantees: a place that counts as blocked or free is so for every rounding and every arc within the margin
// (TestJudgeOfPlaces).
//
// Degenerate cases: nothing of the solid between the heights is an infinite distance. A point agent is never surely
// blocked: its margin is larger than its radius.
//
// Cost: O(n) for a solid of n corners or triangles.
//
// Departures: none.

// verdict is the judgement of a place.
type verdict int8

const (
	unsure verdict = iota
	blocked
	free
)

// margin is for rounding to the lattice, and for heights of floors between their vertices, in metres. Footprints go
// around corners with straight sides, up to arcs metres beyond the radius.
const (
	margin = 0.004
	arcs   = 0.05
)

// slack returns how far beyond an agent's radius a solid may take floor, in metres: around a cylinder a sixteenth of both radii
// together, 10 cm at most, where the sixteenth is more than arcs.
func slack(agent geom.Agent, s world.Solid) float64 {
	if c, ok := s.(world.Cylinder); ok {
		return min(max(arcs, (c.Radius+agent.Radius)/16), 2*arcs)
	}
	return arcs
}

// spot is a place with the lowest and the highest floor around, as far as an obstacle may take floor.
type spot struct {
	geom.Vec
	low, high float64
}

// levelSpot returns a place on level floor.
func levelSpot(at geom.Vec) spot { return spot{at, at.Y, at.Y} }

// judge tells whether a solid blocks an agent with its feet at a place.
func judge(agent geom.Agent, s world.Solid, at spot) verdict {
	switch {
	case distance(s, at.Vec, at.low+agent.MaxClimb-margin, at.high+agent.Height+margin) > agent.Radius+slack(agent, s)+margin:
		return free
	case distance(s, at.Vec, at.Y+agent.MaxClimb+margin, at.Y+agent.Height-margin) < agent.Radius-margin:
		return blocked
	}
	return unsure
}

// contains tells whether a place is inside of a solid: free stands for outside.
func contains(s world.Solid, at geom.Vec) verdict {
	if distance(s, at, at.Y-margin, at.Y+margin) > 2*margin+arcs {
		return free
	}
	const steps = 8
	for i := range steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		side := at.Add(geom.Vec{X: 2 * margin * cos, Z: 2 * margin * sin})
		for _, y := range [2]float64{-margin, margin} {
			if distance(s, side, at.Y+y, at.Y+y) > 0 {
				return unsure
			}
		}
	}
	return blocked
}

// distance returns the horizontal distance from a place to the part of a solid between two heights: 0 inside, +Inf where
// nothing of the solid is there.
func distance(s world.Solid, at geom.Vec, low, high float64) float64 {
	switch s := s.(type) {
	case world.Box:
		if apart(s.Base.Y, s.Base.Y+s.Size.Y, low, high) {
			return math.Inf(1)
		}
		local := turned(at.Sub(s.Base), -s.Yaw)
		return math.Hypot(max(0, math.Abs(local.X)-s.Size.X/2), max(0, math.Abs(local.Z)-s.Size.Z/2))
	case world.Cylinder:
		if apart(s.Base.Y, s.Base.Y+s.Height, low, high) {
			return math.Inf(1)
		}
		return max(0, at.DistXZ(s.Base)-s.Radius)
	case world.Prism:
		if apart(s.Bottom, s.Top, low, high) {
			return math.Inf(1)
		}
		return toPolygon(s.Outline, at)
	case world.TriangleMesh:
		return toTriangles(s, at, low, high)
	}
	return math.Inf(1)
}

func apart(bottom, top, low, high float64) bool { return bottom > high || top < low }

// turned turns a vector counter-clockwise around the upward axis.
func turned(v geom.Vec, yaw float64) geom.Vec {
	sin, cos := math.Sincos(yaw)
	return geom.Vec{X: v.X*cos + v.Z*sin, Y: v.Y, Z: v.Z*cos - v.X*sin}
}

// toPolygon returns the horizontal distance to a simple polygon.
func toPolygon(ring []geom.Vec, at geom.Vec) float64 {
	nearest, inside := math.Inf(1), false
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		nearest = min(nearest, toSegment(a, b, at))
		if (a.Z > at.Z) != (b.Z > at.Z) && at.X < a.X+(at.Z-a.Z)*(b.X-a.X)/(b.Z-a.Z) {
			inside = !inside
		}
	}
	if inside {
		return 0
	}
	return nearest
}

// toSegment returns the horizontal distance to a segment.
func toSegment(a, b, at geom.Vec) float64 {
	x, z := b.X-a.X, b.Z-a.Z
	t := 0.0
	if n := x*x + z*z; n > 0 {
		t = min(1, max(0, ((at.X-a.X)*x+(at.Z-a.Z)*z)/n))
	}
	return math.Hypot(at.X-a.X-t*x, at.Z-a.Z-t*z)
}

// toTriangles returns the distance to triangles, or 0 within a closed mesh. Inside is where an upward ray passes
// triangles an odd number of times; open meshes have no inside.
func toTriangles(m world.TriangleMesh, at geom.Vec, low, high float64) float64 {
	at = turned(at.Sub(m.At), -m.Yaw)
	low, high = low-m.At.Y, high-m.At.Y
	nearest, above := math.Inf(1), 0
	for _, t := range m.Triangles {
		ring := []geom.Vec{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
		if y, ok := heightOver(ring, at); ok && y > low {
			above++
		}
		if ring = cut(cut(ring, low, 1), high, -1); len(ring) > 0 {
			nearest = min(nearest, toPolygon(ring, at))
		}
	}
	if above%2 == 1 && isClosed(m) {
		return 0
	}
	return nearest
}

// heightOver returns the height of a triangle over a place.
func heightOver(t []geom.Vec, at geom.Vec) (y float64, ok bool) {
	side := func(a, b geom.Vec) float64 { return (b.X-a.X)*(at.Z-a.Z) - (b.Z-a.Z)*(at.X-a.X) }
	u, v, w := side(t[1], t[2]), side(t[2], t[0]), side(t[0], t[1])
	sum := u + v + w
	if sum == 0 || u*sum < 0 || v*sum < 0 || w*sum < 0 {
		return 0, false
	}
	return (u*t[0].Y + v*t[1].Y + w*t[2].Y) / sum, true
}

// cut returns the part of a convex polygon above a height, for a sign of 1, or below, for a sign of -1.
func cut(ring []geom.Vec, height, sign float64) []geom.Vec {
	var out []geom.Vec
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		da, db := sign*(a.Y-height), sign*(b.Y-height)
		if da >= 0 {
			out = append(out, a)
		}
		if da > 0 && db < 0 || da < 0 && db > 0 {
			out = append(out, a.Lerp(b, da/(da-db)))
		}
	}
	return out
}

// isClosed reports whether every edge has as many triangles in one direction as in the other.
func isClosed(m world.TriangleMesh) bool {
	edges := map[[2]geom.Vec]int{}
	for _, t := range m.Triangles {
		for i := range t {
			a, b := m.Vertices[t[i]], m.Vertices[t[(i+1)%3]]
			edges[[2]geom.Vec{a, b}]++
			edges[[2]geom.Vec{b, a}]--
		}
	}
	for _, n := range edges {
		if n != 0 {
			return false
		}
	}
	return true
}

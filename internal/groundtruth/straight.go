package groundtruth

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/gaps"
	"github.com/meadow-nav/meadow/level"
)

// leg is the longest part of a walk for which faces are gathered at once, in metres.
const leg = 1.0

// heightSlack is the distance in metres beyond a step within which a floor is looked for under a given place:
// meshes keep heights within 5 cm of the level.
const heightSlack = 0.1

// Ending tells how a walk ended.
type Ending struct {
	Cause    Cause    // None where the walk arrived
	At       geom.Vec // the last place on the floor
	Triangle int      // the floor under the last place, or the triangle in the way; -1 for none
}

// Walk follows the floor straight from one place to another, seen from above, with the agent's height and climb
// but without its radius. The walk starts on the floor nearest in height to from. Time O(l·k) for a length of l
// metres and k triangles around a metre of the walk.
func (j *Judge) Walk(from geom.Vec, x, z float64) Ending {
	at, last := from, -1
	for {
		dx, dz := x-at.X, z-at.Z
		left := math.Hypot(dx, dz)
		if left == 0 {
			return Ending{None, at, last}
		}
		d := [2]float64{dx / left, dz / left}
		length := min(left, leg)
		w := j.step(at, d, length)
		if w.cause != None {
			return Ending{w.cause, geom.Vec{X: at.X + w.r*d[0], Y: w.z, Z: at.Z + w.r*d[1]}, j.triangle(w.triangle)}
		}
		last = j.triangle(w.triangle)
		if length == left {
			return Ending{None, geom.Vec{X: x, Y: w.z, Z: z}, last}
		}
		at = geom.Vec{X: at.X + length*d[0], Y: w.z, Z: at.Z + length*d[1]}
	}
}

// step walks from a place in a direction, as far as length at most.
func (j *Judge) step(at geom.Vec, d [2]float64, length float64) way {
	g := &j.gather
	j.collectAlong(at.X, at.Z, at.Y, d, length)
	g.every = g.every[:0]
	for i := range g.faces {
		g.every = append(g.every, int32(i))
	}
	return j.pastCorner(func(aside, reach float64) way {
		j.cut(d, g.every, aside, reach)
		start := j.standing(d, at.Y)
		if start < 0 {
			return way{NoFloor, 0, at.Y, -1}
		}
		return j.follow(d, start, at.Y, reach)
	}, length)
}

// standing returns the floor at the begin of a way that is nearest to a height, -1 for none. Between floors that touch, the place
// belongs to the floor that begins first. A floor that another of them hides is none. A way along a crack between floors that
// touch meets neither, and a floor beneath the crack is none.
func (j *Judge) standing(d [2]float64, height float64) int {
	floors := j.gather.floors
	begins := func(s *slice) bool {
		return s.r0 <= gaps.Hair && s.r1 > max(s.r0, 0) && math.Abs(s.at(max(s.r0, 0))-height) <= j.agent.MaxClimb+heightSlack
	}
	best, off := -1, math.Inf(1)
	for i := range floors {
		s := &floors[i]
		if !begins(s) {
			continue
		}
		from := max(s.r0, 0)
		hidden := slices.ContainsFunc(floors, func(t slice) bool {
			above := t.at(from) - s.at(from)
			return begins(&t) && t.r0 <= from && t.r1 > from && above > slack && above < j.agent.Height-slack
		})
		o := math.Abs(s.at(from) - height)
		// Of equally near floors, the floor that goes on farther.
		if !hidden && (o < off-slack || o < off+slack && s.r1 > floors[best].r1) {
			best, off = i, o
		}
	}
	if best < 0 {
		return -1
	}
	const ahead = 5 * gaps.Hair // a way out of a floor has left the floor there
	x, z, under := ahead*d[0]-j.gather.aside*d[1], ahead*d[1]+j.gather.aside*d[0], floors[best].at(ahead)
	if slices.ContainsFunc(j.gather.faces, func(f near) bool {
		h := f.ah + f.ax*x + f.az*z
		return f.floor && math.Abs(h-height) < off-slack && h > under+slack && f.near(x, z, gaps.Hair)
	}) {
		return -1
	}
	return best
}

// Heights calls visit with the height of each floor within reach metres of a place, seen from above, at the point
// of the floor nearest to the place. A pocket between bridges has no height of its own: its border's lowest and highest heights are visited
// as well. The order is that of the level's triangles around the place.
func (j *Judge) Heights(at geom.Vec, reach float64, visit func(height float64)) {
	g := &j.gather
	j.collect(at.X, at.Z, at.Y, reach)
	for i := range g.faces {
		f := &g.faces[i]
		if !f.floor {
			continue
		}
		pocket := j.faces[f.index].pocket
		if h, ok := f.heightAt(0, 0); ok {
			visit(h)
			if pocket != nil {
				visit(pocket[0])
				visit(pocket[1])
			}
			continue
		}
		best := math.Inf(1)
		var x, z float64
		for k := range 3 {
			l := (k + 1) % 3
			t := nearestOn(f.x[k], f.z[k], f.x[l], f.z[l], 0, 0)
			px, pz := f.x[k]+t*(f.x[l]-f.x[k]), f.z[k]+t*(f.z[l]-f.z[k])
			if d := math.Hypot(px, pz); d < best {
				best, x, z = d, px, pz
			}
		}
		if best <= reach {
			visit(f.ah + f.ax*x + f.az*z)
			if pocket != nil {
				visit(pocket[0])
				visit(pocket[1])
			}
		}
	}
}

// bridgeOff is the part of a step by which a bridge over a gap may be higher or lower than the straight way from edge to edge, as docs/algorithms/exact.md
// states.
const bridgeOff = 16

// Lenient returns two judges for an agent whose climb, height and slope are eased by a few millimetres and a few milliradians. Treads may be a
// quarter as long as else, and the look beside edges is a quarter as long. Who passes beneath a bridge, or steps onto it, has a sixteenth of a step
// more. Directions are closer together. The first judge has more bridges, and the second has fewer. Whoever claims that a place is not walkable asks
// both.
func Lenient(lvl *level.Level, agent geom.Agent) [2]*Judge {
	eased := agent
	eased.MaxClimb, eased.Height, eased.MaxSlope = agent.MaxClimb+tolerance, agent.Height-tolerance, agent.MaxSlope+tolerance
	js := second(lvl, agent, eased, leastLook)
	for _, j := range js {
		j.tread, j.above = leastTread, eased.MaxClimb/bridgeOff
	}
	return js
}

// Strict returns two judges whose limits are tighter by as much as the limits of [Lenient] are eased, and who look past corners of half a millimetre
// only. Whoever claims that a place is walkable asks both.
func Strict(lvl *level.Level, agent geom.Agent) [2]*Judge {
	tight := agent
	tight.MaxClimb, tight.Height, tight.MaxSlope = max(0, agent.MaxClimb-tolerance), agent.Height+tolerance, agent.MaxSlope-tolerance
	js := second(lvl, agent, tight, gaps.Hair)
	for _, j := range js {
		j.corner = strictCorner
	}
	return js
}

// leastLook is how far beside an edge, in metres, the lenient judge looks for the floors that say what the edge is. Between this and a hair a
// lattice may or may not have the strip under a post along the edge, and the gap before the next floor.
const leastLook = gaps.Hair / 4

// turns is the number of radians for each metre of tolerance by which edges that run along each other may turn: rounding turns an edge of 2.5 cm by
// a hundredth.
const turns = 2

// second returns judges for an agent, over the bridges of another agent whose widest gap and climb are a little larger, and a little smaller. A
// bridge is floor for some and in the way of others, so neither limit is the easier one. A steep patch that is floor ends bridges, so the judge with
// more bridges has fewer patches.
func second(lvl *level.Level, agent, walker geom.Agent, look float64) (js [2]*Judge) {
	for i, off := range [2]float64{tolerance, -tolerance} {
		steps := agent
		steps.MaxClimb, steps.MaxGap = max(0, agent.MaxClimb+off), max(0, agent.MaxGap+off)
		js[i] = newJudge(lvl, walker, steps, max(0, agent.MaxClimb-off), gaps.Options{Ease: float64(turns * off), Look: look})
		js[i].look(closer)
	}
	return js
}

// nearestOn returns the parameter, 0 to 1, of the point of the segment from a to b that is nearest to p.
func nearestOn(ax, az, bx, bz, px, pz float64) float64 {
	dx, dz := bx-ax, bz-az
	square := dx*dx + dz*dz
	if square == 0 {
		return 0
	}
	return min(max(((px-ax)*dx+(pz-az)*dz)/square, 0), 1)
}

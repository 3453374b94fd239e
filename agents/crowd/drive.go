package crowd

import "math"

// Vehicles: agents with a turning circle.
//
// Source: ours; the target inside of both turning circles is the case that L. E. Dubins, On Curves of Minimal Length with a Constraint on
// Average Curvature, 1957, leaves to longer curves. K-turns are those of drivers.
//
// Idea: A vehicle moves along its heading, forwards or back, and turns its heading by at most the length of the move over the radius of
// its turning circle. Of a few curvatures a vehicle takes the curvature whose free arc ends nearest to the next bend. The vehicle
// brakes early enough to stop within the free part of the arc. Where the bend is inside of the turning circle, or the way ahead is blocked
// by a wall or by somebody who stands, the vehicle backs up, and turns the heading towards the bend meanwhile.
//
// Input: the frozen state of the neighbours, the walls near by, the preferred velocity and the next bend.
//
// Guarantees:
//  1. A move is along the heading, and the heading turns by no more than the length of the move over the radius, but for the rounding of
//     places to the lattice (TestTurningCircle).
//  2. Vehicles keep to the floor and apart from others like all agents, because standing still keeps to all hard half-planes, and a
//     shorter move to all bounds of a longer one (TestTurningCircle, TestVehiclesAmongWalkers).
//  3. A vehicle brakes before a wall and before its goal by no more than its acceleration (TestVehicleBrakes). For somebody who
//     steps into its way it stops at once.
//
// Degenerate cases: a vehicle without a way has the heading of the first way. Pushes count along the heading only. A vehicle in a place
// without room for a K-turn gives its goal up, like any agent.
//
// Cost: O(k) for k neighbours and walls, seven arcs of eight chords each.
//
// Departures: no lateral grip; the smallest circle is the same at any speed.

const (
	// arcs is the number of chords of an arc that is looked ahead.
	arcChords = 8
	// leastAhead and mostAhead in metres bound the length of an arc.
	leastAhead, mostAhead = 2.0, 15.0
	// blockedAhead in metres is the free length below which a vehicle backs up.
	blockedAhead = 0.2
	// backSpeed is the greatest speed backwards, as a part of the speed.
	backSpeed = 0.4
	// wideAround in metres bounds the distance from a corner at which a vehicle goes around it.
	wideAround = 1.2
	// clearance in metres is the distance between bodies that vehicles keep in their plans.
	clearance = 0.08
)

// turns are the curvatures a vehicle chooses from, in parts of the greatest one, to the right.
var turns = [...]float64{0, 0.5, -0.5, 1, -1, 0.2, -0.2}

// ahead returns the length of the arcs a vehicle looks along, at its speed.
func (a *agent) arcLength() float64 {
	brake := float64(a.speed*a.speed) / (2 * a.push)
	return min(max(leastAhead, a.turn+brake+a.radius), mostAhead)
}

// steered returns a heading after a turn over a length, with a curvature to the right. The turn is never greater than length times
// curvature: it is twice the arc tangent of its half.
func steered(heading plane, length, curvature float64) plane {
	t := length * curvature / 2
	t2 := float64(t * t)
	cos, sin := (1-t2)/(1+t2), 2*t/(1+t2)
	e, _ := heading.turned(plane{cos, sin}).unit()
	return e
}

// along returns how far in metres an arc is free, its end there, and whether the end is at a wall or at somebody who stands. A gear of -1
// goes back.
func (a *agent) along(near []neighbour, curvature, gear, length, speed float64) (free float64, end plane, fixed bool) {
	chord := length / arcChords
	from := a.at()
	p, e := from, a.heading
	wait := chord / max(speed, a.speed/4)
	for k := range arcChords {
		dir := e.scale(gear)
		step := chord
		for i := range a.walls {
			step = a.walls[i].freeBefore(p, dir, step)
		}
		if step < chord {
			return free + step, p.add(dir.scale(step)), true
		}
		next := p.add(dir.scale(chord))
		for i := range near {
			n := &near[i]
			at := n.rel.add(n.vel.scale(wait * float64(k+1)))
			bodies := a.radius + n.radius + clearance
			rel := at.sub(next.sub(from))
			// Somebody who is nearer now than at the end of the chord is not in the way.
			if d2 := rel.norm2(); d2 < float64(bodies*bodies) && d2 < n.d2 {
				return free, p, n.standing || n.vel.norm2() < float64(n.speed*n.speed)/100
			}
		}
		free += chord
		p, e = next, steered(e, chord, curvature*gear)
	}
	return free, p, false
}

// target returns the place a vehicle steers to, and whether the vehicle has a target.
func (a *agent) target(length float64) (plane, bool) {
	dir, speed := a.want.unit()
	if speed == 0 {
		return plane{}, false
	}
	if a.goal.kind != toVelocity && !a.held && a.dir != (plane{}) && a.next < len(a.path) {
		if a.next+1 == len(a.path) || a.leapsFrom(a.next) {
			return a.bend, true
		}
		// A bend is at a corner: a vehicle goes wide around it.
		on, _ := ground2(a.path[a.next+1]).sub(a.bend).unit()
		out, l := a.dir.sub(on).unit()
		if l == 0 {
			return a.bend, true
		}
		wide := min(a.turn/2, wideAround)
		room := 2 * wide
		for i := range a.walls {
			room = a.walls[i].freeBefore(a.bend, out, room)
		}
		return a.bend.add(out.scale(min(wide, room/2))), true
	}
	return a.at().add(dir.scale(length)), true
}

// steer chooses gear, curvature and speed of a vehicle.
func (a *agent) steer(near []neighbour, dt float64) (curvature, speed float64) {
	length := a.arcLength()
	to, wants := a.target(length)
	if !wants {
		return 0, 0
	}
	most := 1 / a.turn
	rel := to.sub(a.at())
	ahead, right := rel.dot(a.heading), a.heading.det(rel)
	side := 1.0
	if right < 0 {
		side = -1
	}
	off := abs(right) - a.turn
	from := float64(ahead*ahead) + float64(off*off)
	inside := from < float64(0.96*a.turn*a.turn)
	wish := a.want.norm()
	if a.back > 0 {
		// Backwards, away from the bend, and round towards it; or round to the side that was chosen when something was in the way.
		if a.side != 0 {
			side = a.side
		}
		free, _, _ := a.along(near, -side*most, -1, max(a.back, 2*blockedAhead), wish)
		// Well out of the circle, for room for the brakes on the way ahead.
		aligned := ahead > 0 && abs(right) < ahead/4 && from > float64(1.3*a.turn*a.turn)
		if free > blockedAhead/2 && (!aligned || a.side != 0) {
			return -side * most, -min(backSpeed*a.speed, wish, math.Sqrt(2*a.push*free))
		}
		a.back = 0
	}
	best, free, fixed := math.Inf(1), 0.0, false
	for k := range turns {
		by := turns[k] * most
		f, end, at := a.along(near, by, 1, length, wish)
		far := end.sub(to).norm()
		// The arc passes its target: its nearest place counts.
		if d := rel.norm(); f > d && d < length {
			_, end, _ = a.along(nil, by, 1, min(d, f), wish)
			far = min(far, end.sub(to).norm())
		}
		if cost := far + (length-f)/2 + float64(0.05*abs(turns[k])); cost < best {
			best, free, fixed, curvature = cost, f, at, by
		}
	}
	switch {
	case free < blockedAhead && fixed:
		a.back, a.side = max(a.turn/2, 2*a.radius), side
		if abs(right) < ahead/4 {
			a.side = 1 // two that meet head-on pass on the right
		}
	case inside && ahead < a.turn:
		a.back, a.side = max(a.turn, 2*a.radius), 0
	}
	room := max(free-blockedAhead/2, 0)
	return curvature, min(wish, math.Sqrt(2*a.push*room))
}

// drive moves a vehicle.
func (w *worker) drive(c *Crowd, a *agent, near []neighbour, dt float64) {
	was := a.vel.dot(a.heading)
	if a.heading == (plane{}) {
		a.heading = a.dir
		if a.heading == (plane{}) {
			a.vel = plane{}
			return
		}
	}
	curvature, speed := 0.0, 0.0
	if a.state == Walking && !a.paused {
		curvature, speed = a.steer(near, dt)
	}
	change := float64(a.push * dt)
	speed = min(max(speed, was-change), was+change) + a.knock.dot(a.heading)
	gear := a.heading
	if speed < 0 {
		gear = a.heading.scale(-1)
	}
	length := abs(speed)
	for i := range w.solver.halves[:w.solver.hard] {
		h := &w.solver.halves[i]
		if along := h.n.dot(gear); float64(along*length) > h.c {
			length = max(h.c/along, 0)
		}
	}
	from := a.at()
	w.straight(c, a, gear.scale(length), dt)
	moved := a.at().sub(from).dot(gear)
	a.vel = gear.scale(max(moved, 0) / dt)
	if speed < 0 {
		a.back = max(a.back-moved, 0)
		curvature = -curvature
	}
	if moved > 0 {
		a.heading = steered(a.heading, moved, curvature)
	}
}

package crowd

import "math"

// Avoiding others.
//
// Source: J. van den Berg, S. Guy, M. Lin, D. Manocha, Reciprocal n-Body Collision Avoidance, 2011 (ORCA), for the soft
// half-planes and the linear programs; D. Zhou, Z. Wang, S. Bandyopadhyay, M. Schwager, Fast, On-line Collision Avoidance
// for Dynamic Vehicles Using Buffered Voronoi Cells, 2017, for the hard ones.
//
// Idea: An agent chooses the velocity nearest to its preferred one in an intersection of half-planes. Soft half-planes look
// ahead for the horizon and share the turn with the other agent. Hard half-planes bound the very next step: to each near
// agent the step may use its share of the gap between both, to each near wall all of the gap. The shares of two agents add up
// to one, so bodies stay apart whatever both choose. Standing still is within all hard half-planes, so the hard
// part has an answer at all times. Where the soft part has none, the answer is the velocity with the least break.
//
// Input: the frozen state of the neighbours, nearest first, then by id; the walls near by; the preferred velocity.
//
// Guarantees:
//  1. Two agents who are apart before a step are apart after it, whatever the rounding of places to the lattice does:
//     steps that round towards somebody in contact are not made (TestNobodyOverlaps, TestBottleneck). Steps down beside a head and up
//     beside feet are not made either, see worker.clears (TestNobodyStepsOnHeads of agents/scenario).
//  2. The centre never leaves the mesh (TestNobodyLeavesTheMesh).
//  3. The answer is the same for both agents of a mirrored pair: exact head-on meetings are passed on the right
//     (TestHeadOn).
//
// Degenerate cases: agents at one place part along x by the order of their ids. Agents who overlap come no nearer, and drift
// apart.
//
// Cost: O(k) expected for k half-planes by the incremental program, O(k²) where the soft part has no answer.
//
// Departures: shares are not always halves, see share. Walls are hard half-planes of one step in place of velocity obstacles of
// the horizon: the centre may walk along the wall of an eroded mesh.

// half is a half-plane of velocities: n·v ≤ c, for a unit normal.
type half struct {
	n plane
	c float64
}

const (
	// slack in metres keeps bodies apart although places are rounded to the lattice.
	slack = 0.0006
	// away in metres is the distance to walls steps leave, for the same reason.
	away = 0.001
	// partIn is the time in seconds in which overlapping agents part; deeper than deep in metres, at no less than partSpeed
	// in metres a second for both together, and each at no more than partFast, however slow it walks.
	partIn, deep, partSpeed, partFast = 0.4, 0.005, 2.0, 1.5
	// tiny is the rounding of the linear programs in metres a second.
	tiny = 1e-9
)

// share returns the part of a turn, and of the gap, that belongs to an agent beside another one. The shares of both agents of a
// pair add up to 1. Ranks decide first, then who goes ahead, then claims.
func share(rank int32, hold bool, claim claim, other *neighbour) (turn, gap float64) {
	switch {
	case hold && !other.hold:
		return 0, 0.5
	case other.hold && !hold:
		return 1, 0.5
	case rank > other.rank:
		return 0.2, 0.8
	case rank < other.rank:
		return 0.8, 0.2
	case other.ahead > 0:
		return 1, 0.2
	case other.ahead < 0:
		return 0, 0.8
	case claim.before(other.claim):
		return 0, 0.8
	case other.claim.before(claim):
		return 1, 0.2
	}
	return 0.5, 0.5
}

// outranks reports whether another agent makes way for one that has a rank, or holds on.
func outranks(hold bool, rank int32, n *neighbour) bool {
	if hold != n.hold {
		return hold
	}
	return rank > n.rank
}

// rank orders agents who meet: the higher one goes first.
func (a *agent) rank() int32 {
	if a.waits() {
		return 2*a.priority - 1
	}
	return 2 * a.priority
}

// solver holds the half-planes of an agent, the hard ones first.
type solver struct {
	halves []half
	hard   int
	lines  []half // scratch of the relaxed program
	// touching are the directions to those in contact.
	touching []plane
	parts    bool  // whether the agent overlaps another one
	parting  plane // the way off those the agent overlaps, zero without any
}

// bound adds the hard half-plane to a near agent.
func (s *solver) bound(a *agent, rank int32, n *neighbour, dt float64) {
	d := math.Sqrt(n.d2)
	dir := n.rel
	if d > 0 {
		dir = n.rel.scale(1 / d)
	}
	_, gap := share(rank, a.holdsOn(), a.claim, n)
	free := d - a.radius - n.radius - slack
	if free < 0 {
		s.touching = append(s.touching, dir)
	}
	s.halves = append(s.halves, half{dir, max(free, 0) * gap / dt})
}

// turn adds the soft half-plane to an agent.
func (s *solver) turn(a *agent, self int32, rank int32, n *neighbour, horizon, dt float64) {
	turn, _ := share(rank, a.holdsOn(), a.claim, n)
	reach := a.radius + n.radius
	if upon := reach - deep; upon > 0 && n.d2 < float64(upon*upon) && !a.holdsOn() {
		// Both do all of the work, for the other one may have a wall behind.
		turn = 1
	}
	if turn == 0 {
		return
	}
	if n.ahead > 0 {
		s.stayBehind(a, n)
	}
	if n.d2 <= reach*reach {
		dir, d := n.rel.unit()
		if d == 0 {
			dir = plane{1, 0}
			if self > n.index {
				dir.x = -1
			}
		}
		over := reach - d + slack
		part := over / partIn
		if over > deep {
			part = min(over/dt, max(part, partSpeed))
			s.parts = true
			s.parting = s.parting.sub(dir.scale(over))
		}
		s.halves = append(s.halves, half{dir, -turn * part})
		return
	}
	v := a.vel.sub(n.vel)
	w := v.sub(n.rel.scale(1 / horizon))
	w2, along := w.norm2(), w.dot(n.rel)
	var u plane // from v to the nearest velocity without a collision
	var out plane
	if along < 0 && float64(along*along) > float64(reach*reach)*w2 {
		dir, l := w.unit()
		u, out = dir.scale(reach/horizon-l), dir.scale(-1)
	} else {
		leg := math.Sqrt(n.d2 - float64(reach*reach))
		var dir plane
		// About head-on, both agents pass on the right: seen from above, with x to the east and z to the south.
		if side := n.rel.det(w); side > 0 || side > -headOn*math.Sqrt(n.d2*w2) {
			dir = plane{float64(n.rel.x*leg) - float64(n.rel.z*reach), float64(n.rel.x*reach) + float64(n.rel.z*leg)}
			dir = dir.scale(1 / n.d2)
			out = plane{dir.z, -dir.x}
		} else {
			dir = plane{float64(n.rel.x*leg) + float64(n.rel.z*reach), float64(n.rel.z*leg) - float64(n.rel.x*reach)}
			dir = dir.scale(1 / n.d2)
			out = plane{-dir.z, dir.x}
		}
		u = dir.scale(v.dot(dir)).sub(v)
	}
	point := a.vel.add(u.scale(turn))
	s.halves = append(s.halves, half{out, out.dot(point)})
}

// headOn is the sine of the angle within which meetings count as head-on.
const headOn = 0.05

// wall adds the hard half-plane of a wall, if the next step may reach it: for a place in front of the wall.
func (s *solver) wall(at plane, w *wall, step, dt float64) {
	d := w.a.sub(at).dot(w.out)
	if d > step+away || d < -10*away {
		return
	}
	if t := at.sub(w.a).dot(plane{w.out.z, -w.out.x}); t < 0 || t > w.length {
		// Beside the end of the wall the half-plane would close free floor. The exact step still sees the wall.
		return
	}
	s.halves = append(s.halves, half{w.out, max(d-away, 0) / dt})
}

// solve returns the velocity nearest to the preferred one, of at most a speed.
func (s *solver) solve(want plane, speed float64) plane {
	v := want.upTo(speed)
	failed := -1
	for i := range s.halves {
		h := &s.halves[i]
		if h.n.dot(v) <= h.c+tiny {
			continue
		}
		next, ok := onBorder(s.halves[:i], h, speed, want, plane{})
		if !ok {
			failed = i
			break
		}
		v = next
	}
	if failed >= 0 {
		v = s.relax(v, max(failed, s.hard), speed)
	}
	// Whatever rounding did, the hard half-planes hold: all contain 0.
	shrink := 1.0
	for i := range s.halves[:s.hard] {
		h := &s.halves[i]
		if along := h.n.dot(v); along > h.c+tiny {
			shrink = min(shrink, h.c/along)
		}
	}
	if shrink < 1 {
		v = v.scale(shrink)
	}
	return v
}

// onBorder returns the velocity on the border of a half-plane, within the others and the speed, that is nearest to the
// preferred one, or farthest along a direction where the direction is not zero.
func onBorder(halves []half, h *half, speed float64, want, along plane) (plane, bool) {
	room := float64(speed*speed) - float64(h.c*h.c)
	if room < 0 {
		return plane{}, false
	}
	from, dir := h.n.scale(h.c), plane{-h.n.z, h.n.x}
	high := math.Sqrt(room)
	low := -high
	for i := range halves {
		o := &halves[i]
		slope, left := o.n.dot(dir), o.c-o.n.dot(from)
		if math.Abs(slope) <= 1e-12 {
			if left < -tiny {
				return plane{}, false
			}
			continue
		}
		if t := left / slope; slope > 0 {
			high = min(high, t)
		} else {
			low = max(low, t)
		}
		if low > high {
			return plane{}, false
		}
	}
	var t float64
	switch d := along.dot(dir); {
	case along == plane{}:
		t = min(max(want.dot(dir), low), high)
	case d > 0:
		t = high
	default:
		t = low
	}
	return from.add(dir.scale(t)), true
}

// relax returns the velocity that breaks the soft half-planes from the first least, and keeps to the hard ones.
func (s *solver) relax(v plane, first int, speed float64) plane {
	worst := 0.0
	for i := first; i < len(s.halves); i++ {
		h := &s.halves[i]
		if h.n.dot(v)-h.c <= worst+tiny {
			continue
		}
		s.lines = append(s.lines[:0], s.halves[:s.hard]...)
		for j := s.hard; j < i; j++ {
			// Velocities that break the half-plane j no more than i.
			o := &s.halves[j]
			n, l := o.n.sub(h.n).unit()
			if l <= 1e-9 {
				continue
			}
			s.lines = append(s.lines, half{n, (o.c - h.c) / l})
		}
		down := h.n.scale(-1)
		if best, ok := lowest(s.lines, speed, down); ok {
			v = best
		}
		worst = h.n.dot(v) - h.c
	}
	return v
}

// lowest returns the velocity of at most a speed within half-planes that is farthest along a direction.
func lowest(halves []half, speed float64, along plane) (plane, bool) {
	v := along.scale(speed)
	for i := range halves {
		h := &halves[i]
		if h.n.dot(v) <= h.c+tiny {
			continue
		}
		next, ok := onBorder(halves[:i], h, speed, plane{}, along)
		if !ok {
			return v, false
		}
		v = next
	}
	return v, true
}

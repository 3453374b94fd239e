package crowd

import "math"

// Claims on a way.
//
// Source: ours, after the priorities that are inherited in K. Okumura, M. Machida, X. Defago, Y. Tamura, Priority
// Inheritance with Backtracking for Iterative Multi-agent Path Finding, 2019.
//
// Idea: A walker without progress behind agents of another direction claims its way. Claims have an order. Of two walkers that
// meet the lower one gives way, and walks aside or back. Whoever gives way hands the claim on to the agents in its own way, a
// few agents far; who has a turn at a door goes on by a free way of its own. A jam opens for its highest claim, and walkers of the same stream follow.
//
// Input: the frozen claims and directions of the nearest agents.
//
// Agents on each other, and riders with others in their way, have urgent claims, first of all.
//
// Guarantees: two walkers who meet in a corridor one agent wide pass: one of them goes back (TestSqueeze). A jam of many
// directions dissolves (TestJamDissolves). Agents on each other part in a second, though others are behind them (TestPartInADeadEnd). Riders
// land among walkers who wait for their link, and walkers in corners come out (TestNobodyIsStuckAtLadders and
// TestNobodyIsStuckInCorners of agents/scenario).
//
// Degenerate cases: a claim handed on does not come back to its walker, and ends after mostHops. Unyielding, paused and
// riding agents give no way. Walkers of one stream make no claims on each other: the one ahead goes first, unless both face each other
// (TestWalkersWhoFaceEachOther).
//
// Cost: O(k) for k neighbours.

// claim is the right of a blocked walker to have others leave its way.
type claim struct {
	// key orders claims, the highest first; 0 is no claim. hops is the number of agents who handed the claim on.
	key  uint64
	hops uint8
}

// before reports whether a claim goes before another one.
func (c claim) before(o claim) bool {
	return c.key > o.key || c.key == o.key && c.key > 0 && c.hops < o.hops
}

// urgent are the bits of keys that go before all others.
const urgent = 0xffff << 48

func (c claim) isUrgent() bool { return c.key&urgent == urgent }

const (
	// blockedAfter is the time in seconds without progress after which a walker claims its way. Slow and wide walkers wait longer: until
	// they could have walked their own diameter.
	blockedAfter = 0.6
	// plainAfter is the time in seconds without progress after which a claim is for the way itself: the direction a walker chooses
	// among others may lead into a wall.
	plainAfter = 3.0
	// goesAfter is the time in seconds without progress after which a walker who gives way goes on by its own way, if the floor there is free: a corner
	// may have no other way out.
	goesAfter = 1.8
	// claimLasts in seconds is how long a claim outlasts its cause.
	claimLasts = 2.0
	// insistsFor in seconds is how long a walker without progress claims a way, and then waits for other claims.
	insistsFor = 4.0
	// mostHops bounds how often a claim is handed on.
	mostHops = 6
	// claimReach in radii is the distance between bodies where others begin to give way, and giveReach the distance where
	// they end.
	claimReach, giveReach = 0.7, 1.6
	// wedged in metres is the distance between bodies from which on both may be wedged between walls, side by side.
	wedged = 0.02
	// givingSpeed is the speed of those who give way, as a part of their own.
	givingSpeed = 0.7
)

// claimKey returns the key of an agent's claims: the bits of the id, mixed: no part of the ids is always first.
func claimKey(id ID) uint64 {
	h := (uint64(id) + 1) * 0x9e3779b97f4a7c15
	h ^= h >> 31
	h *= 0x94d049bb133111eb
	h ^= h >> 29
	return h | 1
}

// give updates the claim of an agent, and returns the velocity it wants: changed where the claim of another one goes first.
// An agent on another one claims its way off, parting, before all others.
func (a *agent) give(near []neighbour, want, parting plane, dt float64) plane {
	held := a.claim
	self := claimKey(a.id)
	a.claim = claim{}
	a.shove, _ = want.unit()
	if a.state == Walking && !a.waits() && held.hops == 0 {
		if a.since >= max(blockedAfter, 2*a.radius/a.speed) && !a.queues && a.insists() && a.opposed(near) || held.key != 0 && a.obeyed(near, self) {
			a.insist = claimLasts
		}
		if a.insist > 0 {
			// The way counts: the wish of a walker among others may lead into a wall.
			a.claim.key = self
			if a.since >= plainAfter {
				a.shove = a.dir
			}
		}
	}
	a.insist = max(a.insist-dt, 0)
	if parting != (plane{}) {
		a.claim = claim{key: self | urgent}
		a.shove, _ = parting.unit()
		return want
	}
	if a.holdsOn() {
		return want
	}
	var by *neighbour
	for k := range near {
		n := &near[k]
		if n.claim.key == 0 || n.claim.key|urgent == self|urgent || n.claim.hops >= mostHops {
			continue
		}
		if n.claim.hops == 0 && !n.claim.isUrgent() && (a.together(n) || n.ahead != 0 && !a.faces(n)) {
			continue
		}
		d, reach := math.Sqrt(n.d2), claimReach*a.radius
		if n.claim.key == held.key {
			reach = giveReach * a.radius
		}
		// The agent is in the way of the claim, or beside it in contact: a wall may be on the other side.
		along := 0.4 * d
		if d-a.radius-n.radius <= wedged && a.goal.kind != toVelocity {
			along = -0.2 * d
		}
		if d-a.radius-n.radius > reach || n.shove.dot(n.rel) > -along {
			continue
		}
		if next := (claim{n.claim.key, n.claim.hops + 1}); next.before(a.claim) {
			a.claim, by = next, n
		}
	}
	if by == nil {
		return want
	}
	if dir, l := want.unit(); l > 0 && a.state == Walking && a.goal.kind != toVelocity && (a.holds || a.since >= goesAfter) && a.goesOn(near, dir, by) {
		a.shove = dir
		return want
	}
	aside := plane{-by.shove.z, by.shove.x}
	if by.shove.det(by.rel) > 0 {
		aside = aside.scale(-1)
	}
	if a.goal.kind == toVelocity {
		// A member of a formation gives way as far as the walls leave room aside, and else back: the formation goes on.
		aside = aside.scale(a.roomTo(aside) / max(a.radius, 0.1))
		a.shove, _ = by.shove.scale(0.6).add(aside).unit()
	} else {
		base, _ := by.shove.scale(0.6).add(aside).unit()
		a.shove = a.roomy(base, by)
	}
	return a.shove.scale(givingSpeed * a.speed)
}

// goesOn reports whether an agent makes room for another one by its own way: comes no nearer, and has nothing in front.
func (a *agent) goesOn(near []neighbour, dir plane, by *neighbour) bool {
	if dir.dot(by.rel) > 0 || by.shove.dot(dir) < 0 || a.roomTo(dir) < max(a.radius, 0.1) {
		return false
	}
	for k := range near {
		n := &near[k]
		d := math.Sqrt(n.d2)
		if d-a.radius-n.radius <= claimReach*a.radius && dir.dot(n.rel) > 0.3*d {
			return false
		}
	}
	return true
}

// insists reports whether a walker may begin to claim its way: always at first, and then from time to time. A claim that has opened
// nothing is in the way of those of others, who may be wedged between the walker and a wall.
func (a *agent) insists() bool {
	if a.since < insistsFor {
		return true
	}
	turn := a.since + float64(claimKey(a.id)>>32)/(1<<32)*2*insistsFor
	return math.Mod(turn, 2*insistsFor) < insistsFor
}

// roomy returns the direction near another one in which walls leave an agent room to step aside, away from the neighbour.
func (a *agent) roomy(base plane, by *neighbour) plane {
	best, most := base, 0.0
	for _, turn := range fan {
		e := base.turned(turn)
		if e.dot(by.rel) > 0 {
			continue
		}
		if score := a.roomTo(e) * (1 + turn.x); score > most {
			best, most = e, score
		}
	}
	return best
}

// opposed reports whether an agent of no common stream stands in the way of a walker.
func (a *agent) opposed(near []neighbour) bool {
	for k := range near {
		n := &near[k]
		d := math.Sqrt(n.d2)
		if n.ahead != 0 || a.together(n) {
			continue
		}
		if gap := d - a.radius - n.radius; gap <= claimReach*a.radius && a.dir.dot(n.rel) > 0.3*d || gap <= wedged && a.dir.dot(n.rel) > -0.2*d {
			return true
		}
	}
	return false
}

// obeyed reports whether somebody ahead gives way to the claim of an agent.
func (a *agent) obeyed(near []neighbour, key uint64) bool {
	for k := range near {
		n := &near[k]
		if n.claim.key == key && n.claim.hops > 0 && math.Sqrt(n.d2)-a.radius-n.radius <= giveReach*a.radius && n.rel.dot(a.dir) > 0 {
			return true
		}
	}
	return false
}

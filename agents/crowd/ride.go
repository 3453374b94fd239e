package crowd

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Riding links.
//
// Source: ours.
//
// Idea: A link carries one agent at a time, in both directions together. Links that come nearer to each other than two bodies count as one
// link: a ladder up and the same ladder down, neighbouring places to drop from, ladders that cross. So riders never meet, and never
// wait for each other on their way. Riders wait for walkers in their way, who make room; a waiting rider claims the way, and others behind
// make room, too. Agents who want the same link next stay away from its end.
//
// Input: the places of the riders and the rest of their ways, the next link of a walker.
//
// Guarantees: riders touch nobody, neither walkers nor riders (TestRiders, TestRidersOfManyLinks of agents/scenario), and come to the ends of
// their links through a crowd (TestNobodyIsStuckAtLadders of agents/scenario).
//
// Degenerate cases: a link shorter than a tenth of a second's walk takes as long. A rider without floor at the end of its link stays there.
//
// Cost: O(r) for an agent at the beginning of a link, with r riders in all.

// landing in metres is the room that waiting agents leave at the end of a link.
const landing = 0.8

// linkAhead returns the next link of a way, and the metres to the beginning of the link. A link far enough ahead to leave
// riders room to land is nil.
func (a *agent) linkAhead() (*jump, float64) {
	if len(a.jumps) == 0 {
		return nil, 0
	}
	left, from := 0.0, a.at()
	for i := a.next; i < len(a.path); i++ {
		to := ground2(a.path[i])
		left += to.sub(from).norm()
		if left >= 2*a.radius+landing {
			break
		}
		if j := a.jumpFrom(i); j != nil {
			return j, left
		}
		from = to
	}
	return nil, 0
}

// busy reports whether another agent rides a link, or rides a link that crosses the first.
func (c *Crowd) busy(a *agent, j *jump) bool {
	for _, o := range c.riders {
		if o != a && o.crosses(a, j) {
			return true
		}
	}
	return false
}

// crosses reports whether the rest of a rider's way comes nearer to a link than its body and that of another agent, who is to ride
// the link. The heights both pass count as a whole.
func (a *agent) crosses(o *agent, j *jump) bool {
	at, to := a.pos.Point, a.leap.to
	if a.leap.from == j.from && a.leap.to == j.to || a.leap.from == j.to && a.leap.to == j.from {
		return true
	}
	if min(at.Y, to.Y) >= max(j.from.Y, j.to.Y)+o.height || min(j.from.Y, j.to.Y) >= max(at.Y, to.Y)+a.height {
		return false
	}
	bodies := a.radius + o.radius + slack
	return apart2(ground2(at), ground2(to), ground2(j.from), ground2(j.to)) < float64(bodies*bodies)
}

// apart2 returns the square of the distance of two segments, from a to b and from p to q.
func apart2(a, b, p, q plane) float64 {
	d, e := b.sub(a), q.sub(p)
	if den := d.det(e); den != 0 {
		t, s := p.sub(a).det(e)/den, p.sub(a).det(d)/den
		if t >= 0 && t <= 1 && s >= 0 && s <= 1 {
			return 0
		}
	}
	return min(beside2(a, p, q), beside2(b, p, q), beside2(p, a, b), beside2(q, a, b))
}

// beside2 returns the square of the distance of a point from the segment from a to b.
func beside2(p, a, b plane) float64 {
	d := b.sub(a)
	t := 0.0
	if l2 := d.norm2(); l2 > 0 {
		t = min(max(p.sub(a).dot(d)/l2, 0), 1)
	}
	return p.sub(a.add(d.scale(t))).norm2()
}

// shortestRide is the time in seconds a link takes at least.
const shortestRide = 0.1

// begin takes an agent onto the link at its next bend, if the link is free.
func (c *Crowd) begin(a *agent) bool {
	for _, j := range a.jumps {
		if j.bend != a.next {
			continue
		}
		if c.busy(a, &j) {
			return false
		}
		c.riders = append(c.riders, a)
		a.leap, a.link, a.done = j, j.link+1, 0
		a.state = OnLink
		a.vel, a.want = plane{}, plane{}
		a.tell(EventLink, NoReason, j.link)
		return true
	}
	return false
}

// leaveLink frees the link an agent is on.
func (c *Crowd) leaveLink(a *agent) {
	if a.link == 0 {
		return
	}
	c.riders = slices.DeleteFunc(c.riders, func(o *agent) bool { return o == a })
	a.link = 0
	if a.state == OnLink {
		a.state = Walking
	}
}

// ride moves an agent along its link. The agent waits while others are in the way, and lands when the end of the link is free.
func (c *Crowd) ride(a *agent, dt float64) {
	a.claim = claim{}
	if a.paused {
		return
	}
	length := max(a.leap.to.Sub(a.leap.from).Norm(), shortestRide*a.speed)
	done := min(a.done+a.speed*dt/length, 1)
	if done < 1 {
		if next := a.leap.from.Lerp(a.leap.to, done); !c.blocked(a, next) {
			a.done, a.pos.Point = done, next
		}
		return
	}
	q := c.workers[0].on(c, a)
	pos, ok := q.Locate(a.leap.to)
	if !ok {
		pos, ok = q.Nearest(a.leap.to, 1)
	}
	if !ok || c.occupied(a, pos) {
		return
	}
	link := a.link - 1
	a.state = Walking
	c.leaveLink(a)
	a.stand(pos)
	a.turnTo(max(min(a.leap.bend+2, len(a.path)-1), 0))
	a.measure()
	a.tell(EventLanded, NoReason, link)
}

// blocked reports whether others touch an agent on a link at its next place, and not less than before, and asks the others to make
// room.
func (c *Crowd) blocked(a *agent, next geom.Vec) bool {
	pos, at, in := a.pos, plane{next.X, next.Z}, false
	pos.Point = next
	for _, o := range c.standsNear(a, pos) {
		r, was, is := o.radius+a.radius, o.at().sub(a.at()).norm2(), o.at().sub(at).norm2()
		if is >= r*r || is >= was && o.overlaps(a) {
			continue
		}
		in = true
		c.sendAway(a, o, at)
	}
	return in
}

// overlaps reports whether the bodies of two agents are beside each other, by their heights.
func (a *agent) overlaps(o *agent) bool {
	return a.pos.Point.Y < o.pos.Point.Y+o.height && o.pos.Point.Y < a.pos.Point.Y+a.height
}

// sendAway asks o to go away from a place where a wants to be. An agent who walks stays, unless the rider a
// keeps the agent's link.
func (c *Crowd) sendAway(a, o *agent, at plane) {
	a.claim = claim{key: claimKey(a.id) | urgent}
	a.shove, _ = o.at().sub(at).unit()
	if o.paused || o.unyielding {
		return
	}
	away, d := o.at().sub(at).unit()
	if d == 0 {
		away = plane{1, 0}
	}
	switch {
	case o.standing():
		o.knock = away.scale(o.speed)
	case o.awaits(a):
		o.knock = away.scale(2 * o.speed) // against its own wish
	}
}

// awaits reports whether an agent is about to take a link a rider keeps from it.
func (a *agent) awaits(rider *agent) bool {
	if a.state != Walking {
		return false
	}
	j, _ := a.linkAhead()
	return j != nil && rider.crosses(a, j)
}

// occupied reports whether others stand where an agent would land, and asks those without a wish to move to make room.
func (c *Crowd) occupied(a *agent, pos query.Position) bool {
	at, taken := plane{pos.Point.X, pos.Point.Z}, false
	for _, o := range c.standsNear(a, pos) {
		taken = true
		c.sendAway(a, o, at)
	}
	return taken
}

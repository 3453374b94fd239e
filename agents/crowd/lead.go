package crowd

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Led agents.
//
// Source: ours.
//
// Idea: A caller may know better than a path where an agent should walk, as the leader of a formation does. The caller gives the
// preferred velocity. Avoidance and the floor's border work as for every agent.
//
// A led agent who knows the narrow doors of its way takes turns at them like agents with goals: see Doors.
//
// Guarantees: a led agent keeps its velocity on free floor, and stays on the floor and apart from others (TestLead). Two
// streams of led agents get through a door one agent wide (TestLedTakeTurns).
//
// Degenerate cases: a velocity above the agent's speed counts as the speed. A led agent who lost its floor is stuck until
// the floor is back.
//
// Cost: O(1) a call.

// Lead makes an agent walk by a velocity in metres a second until the next call that gives a goal. The vertical part of
// the velocity is ignored. A led agent has no way: it takes no links, never arrives and loses no patience, and takes turns at
// doors only by LeadOn. The error is an unknown id, or a velocity that is not finite.
func (c *Crowd) Lead(id ID, velocity geom.Vec) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	if !velocity.IsFinite() {
		return fmt.Errorf("crowd: agent %d: a velocity of %v is not finite", id, velocity)
	}
	velocity.Y = 0
	if a.goal.kind == toVelocity && (a.state == Walking || a.state == OnLink) {
		a.goal.at = velocity
		return nil
	}
	if err := c.send(id, goal{kind: toVelocity, at: velocity}); err != nil {
		return err
	}
	a.asked = 0
	if a.state != OnLink {
		a.state = Walking
	}
	return nil
}

// Doors are the narrow parts of a way, where agents cannot pass each other. The zero Doors are of a way without any.
type Doors struct{ passages []passage }

// Doors returns the narrow doors of a way for an agent of the Crowd: by its radius, on its floor. The bends of the way are
// on the floor; bends without a straight walk between, as the ends of a link, have no doors between. The
// error is an unknown id.
func (c *Crowd) Doors(id ID, way []geom.Vec) (Doors, error) {
	like, err := c.agent(id)
	if err != nil {
		return Doors{}, err
	}
	w := &c.workers[0]
	a := agent{id: id, radius: like.radius, height: like.height, ground: like.ground, rule: like.rule, path: way}
	a.turnTo(min(1, len(way)))
	a.measure()
	var regions []navmesh.Ref
	for i := 0; i+1 < len(way); i++ {
		pos, ok := w.on(c, &a).Locate(way[i])
		if !ok {
			continue
		}
		ray, err := w.on(c, &a).Raycast(pos, way[i+1])
		if err != nil || ray.Hit {
			continue
		}
		for _, r := range ray.Regions {
			if n := len(regions); n == 0 || regions[n-1] != r {
				regions = append(regions, r)
			}
		}
	}
	w.findDoors(c, &a, regions)
	return Doors{a.passages}, nil
}

// Meet makes a led agent take turns at the doors of its way, until the next call that gives a goal. Agents of one party, a
// number above 0 of the caller's, do not let each other through where they stand. The errors are an unknown id, and an agent
// that is not led.
func (c *Crowd) Meet(id ID, d Doors, party uint64) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	if a.goal.kind != toVelocity {
		return fmt.Errorf("crowd: agent %d: not led", id)
	}
	c.leaveDoors(a)
	a.party = party
	a.passages, a.nextPassage, a.held = append(a.passages[:0], d.passages...), 0, false
	return nil
}

// LeadOn is [Crowd.Lead] for an agent who meets the doors of a way: left is the length of the way that remains, in metres
// seen from above. An agent waits aside before a door while others come, whatever the velocity is. The error is that of Lead,
// or a length that is not finite.
func (c *Crowd) LeadOn(id ID, velocity geom.Vec, left float64) error {
	if math.IsNaN(left) || math.IsInf(left, 0) {
		return fmt.Errorf("crowd: agent %d: a way of %v m", id, left)
	}
	if err := c.Lead(id, velocity); err != nil {
		return err
	}
	a, _ := c.agent(id)
	a.left = left
	return nil
}

// Floor returns the floor an agent walks on: by its radius and its rule. The error is an unknown id.
func (c *Crowd) Floor(id ID) (*query.Index, error) {
	a, err := c.agent(id)
	if err != nil {
		return nil, err
	}
	return c.grounds[a.ground].rules[a.rule], nil
}

// led returns the velocity a led agent walks by.
func (a *agent) led() plane {
	v := plane{a.goal.at.X, a.goal.at.Z}.upTo(a.speed)
	a.dir, _ = v.unit()
	return v
}

// strive counts for how long others keep a led agent from walking: then the agent claims a way, see agent.give.
func (a *agent) strive(dt float64) {
	if want2 := a.want.norm2(); want2 > a.speed*a.speed/16 && a.vel.dot(a.want) < want2/4 && !a.held {
		a.since += dt
	} else {
		a.since = 0
	}
}

// together reports whether two agents are led together: they make no claims on each other.
func (a *agent) together(n *neighbour) bool { return a.party > 0 && a.party == n.party }

// ledSight is the time in seconds for which a led agent looks ahead: the place of the agent is near.
const ledSight = 1.5

// sightAt returns how far ahead in metres an agent chooses its direction at a speed.
func (a *agent) sightAt(speed float64) float64 {
	if a.goal.kind == toVelocity {
		return min(sight, ledSight*speed)
	}
	return max(sight, float64(sightBodies*a.radius)-lessSight)
}

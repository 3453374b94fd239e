package crowd

import (
	"fmt"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Led agents.
//
// Source: ours.
//
// Idea: A caller that knows better than a path where an agent should walk, such as the leader of a formation, gives the
// preferred velocity. Avoidance and the floor's border work as for every agent.
//
// Guarantees: a led agent keeps its velocity on free floor, and stays on the floor and apart from others (TestLead).
//
// Degenerate cases: a velocity above the agent's speed counts as the speed. A led agent that lost its floor is stuck until
// the floor is back.
//
// Cost: O(1) a call.

// Lead makes an agent walk by a velocity in metres a second until the next call that gives a goal. The vertical part of
// the velocity is ignored. A led agent has no way: it takes no links and no turns at doors, never arrives and loses no
// patience. The error is an unknown id, or a velocity that is not finite.
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

// Floor returns the floor that an agent walks on: by its radius and its rule. The error is an unknown id.
func (c *Crowd) Floor(id ID) (*query.Index, error) {
	a, err := c.agent(id)
	if err != nil {
		return nil, err
	}
	return c.grounds[a.ground].rules[a.rule], nil
}

// led returns the velocity that a led agent walks by.
func (a *agent) led() plane {
	v := plane{a.goal.at.X, a.goal.at.Z}.upTo(a.speed)
	a.dir, _ = v.unit()
	return v
}

// ledSight is the time in seconds for which a led agent looks ahead: the place of the agent is near.
const ledSight = 1.5

// sightAt returns how far ahead in metres an agent chooses its direction at a speed.
func (a *agent) sightAt(speed float64) float64 {
	if a.goal.kind == toVelocity {
		return min(sight, ledSight*speed)
	}
	return max(sight, sightBodies*a.radius)
}

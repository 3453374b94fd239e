package crowd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/agents/internal/state"
	"github.com/meadow-nav/meadow/query"
)

// Saved crowds: the agents by rising id with all a later step reads, and the doors by their keys.

// saved is the form of saved crowds.
var saved = state.Form{Magic: "MDWCROWD", Version: 6, Most: 1 << 31, Err: errSaved}

// errSaved reports bytes that are not a saved crowd.
var errSaved = errors.New("crowd: not a saved crowd")

// coder codes the fields of a crowd.
type coder struct{ *state.Coder }

func (k coder) plane(v *plane) { k.Finite(&v.x); k.Finite(&v.z) }
func (k coder) pos(p *query.Position) {
	state.Integer(k.Coder, &p.Ref)
	k.Vec(&p.Point)
}

func (k coder) agent(a *agent) {
	state.Integer(k.Coder, &a.id)
	k.Finite(&a.radius)
	k.Finite(&a.height)
	k.Finite(&a.speed)
	k.Finite(&a.push)
	state.Integer(k.Coder, &a.priority)
	k.Truth(&a.unyielding)
	k.Truth(&a.paused)
	state.Integer(k.Coder, &a.ground)
	state.Integer(k.Coder, &a.rule)
	k.pos(&a.pos)
	k.plane(&a.vel)
	k.plane(&a.want)
	k.plane(&a.knock)
	k.plane(&a.dir)
	k.plane(&a.bend)
	k.plane(&a.out)
	k.Finite(&a.toBend)
	k.Truth(&a.queues)
	state.Integer(k.Coder, &a.claim.key)
	state.Integer(k.Coder, &a.claim.hops)
	k.plane(&a.shove)
	k.Finite(&a.insist)
	k.Truth(&a.parts)
	k.Some(&a.turn)
	k.plane(&a.heading)
	k.Some(&a.back)
	k.Finite(&a.side)
	state.Integer(k.Coder, &a.state)
	state.Integer(k.Coder, &a.reason)
	state.Integer(k.Coder, &a.goal.kind)
	k.Vec(&a.goal.at)
	state.List(k.Coder, &a.goal.places, 24, k.Vec)
	state.Integer(k.Coder, &a.goal.other)
	k.Finite(&a.goal.within)
	state.Integer(k.Coder, &a.asked)
	state.List(k.Coder, &a.path, 24, k.Vec)
	state.Integer(k.Coder, &a.next)
	state.List(k.Coder, &a.jumps, 64, k.jump)
	k.Finite(&a.rest)
	k.Truth(&a.whole)
	k.Truth(&a.leg)
	state.List(k.Coder, &a.passages, 40, func(p *passage) {
		state.List(k.Coder, &p.doors, 64, func(d *door) {
			k.door(&d.key)
			k.Truth(&d.up)
			state.Integer(k.Coder, &d.lanes)
			k.Finite(&d.at)
			k.plane(&d.here)
			k.plane(&d.axis)
		})
		k.Finite(&p.before)
		k.Finite(&p.behind)
		k.plane(&p.in)
		k.plane(&p.axis)
	})
	state.Integer(k.Coder, &a.nextPassage)
	k.Truth(&a.holds)
	k.Truth(&a.held)
	state.Integer(k.Coder, &a.heldSince)
	state.Integer(k.Coder, &a.freed)
	k.Finite(&a.left)
	state.Integer(k.Coder, &a.party)
	k.Finite(&a.least)
	k.Finite(&a.since)
	k.pos(&a.wallsAt)
	k.Truth(&a.wallsKnown)
	k.Finite(&a.wallsReach)
	state.Integer(k.Coder, &a.link)
	k.Finite(&a.done)
	k.jump(&a.leap)
}

func (k coder) door(d *doorKey) {
	state.Integer(k.Coder, &d.ground)
	state.Integer(k.Coder, &d.a)
	state.Integer(k.Coder, &d.b)
}

// traffic codes the doors in the order of their keys.
func (k coder) traffic(c *Crowd) {
	var keys []doorKey
	for key := range c.doors {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b doorKey) int {
		return cmp.Or(cmp.Compare(a.ground, b.ground), cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	state.List(k.Coder, &keys, 64, func(key *doorKey) {
		k.door(key)
		t := c.traffic(*key)
		for way := range t.inside {
			state.Integer(k.Coder, &t.inside[way])
			state.Integer(k.Coder, &t.since[way])
			state.Integer(k.Coder, &t.asked[way])
			state.Integer(k.Coder, &t.first[way])
			state.Integer(k.Coder, &t.kept[way])
			k.Finite(&t.tail[way])
			k.Finite(&t.soon[way])
			state.Integer(k.Coder, &t.told[way])
			state.Integer(k.Coder, &t.able[way])
		}
	})
}

func (k coder) jump(j *jump) {
	state.Integer(k.Coder, &j.bend)
	state.Integer(k.Coder, &j.link)
	k.Vec(&j.from)
	k.Vec(&j.to)
}

func (k coder) crowd(c *Crowd) {
	state.Integer(k.Coder, &c.steps)
	state.Integer(k.Coder, &c.opt.Budget)
	k.Finite(&c.opt.Horizon)
	state.Integer(k.Coder, &c.opt.Neighbours)
	k.Finite(&c.opt.Patience)
	state.List(k.Coder, &c.agents, 400, func(a **agent) {
		if *a == nil {
			*a = new(agent)
		}
		k.agent(*a)
	})
	k.traffic(c)
}

// Save writes the state of a Crowd, without floor, rules and events. Equal crowds give equal bytes.
func (c *Crowd) Save(out io.Writer) error {
	return saved.Write(out, c.fields)
}

func (c *Crowd) fields(k *state.Coder) { coder{k}.crowd(c) }

// Restore replaces the state of a Crowd by a saved one. The Crowd stands on the floor of the saved Crowd and knows its rules: then
// the Crowd goes on with the bits of the saved one. Agents whose region is not in the floor are placed anew. After an error the
// Crowd is as before.
func (c *Crowd) Restore(in io.Reader) error {
	r := &Crowd{grounds: c.grounds, filters: c.filters, doors: map[doorKey]*traffic{}}
	err := saved.Read(in, r.fields)
	if err != nil {
		return err
	}
	if r.opt, err = r.opt.check(); err != nil {
		return err
	}
	for i, a := range r.agents {
		if i > 0 && r.agents[i-1].id >= a.id {
			return fmt.Errorf("%w: agent %d is out of order", errSaved, a.id)
		}
		if err := r.fits(a); err != nil {
			return err
		}
	}
	r.opt.Jobs = c.opt.Jobs
	for _, a := range r.agents {
		a.turnTo(a.next)
		c.wake(a)
		if a.link > 0 {
			r.riders = append(r.riders, a)
		}
	}
	c.opt, c.agents, c.steps, c.riders, c.doors = r.opt, r.agents, r.steps, r.riders, r.doors
	c.events = c.events[:0]
	return nil
}

// fits checks the values of a saved agent.
func (c *Crowd) fits(a *agent) error {
	switch {
	case a.ground < 0 || int(a.ground) >= len(c.grounds) || a.rule < 0 || int(a.rule) >= len(c.filters):
		return fmt.Errorf("crowd: agent %d: its mesh or its rule is not known here", a.id)
	case !(a.radius >= 0 && a.radius <= c.grounds[a.ground].radius) || !(a.height > 0 && a.height < 1000) ||
		!(a.speed > 0 && a.speed <= MaxSpeed) || a.turn > MaxTurn || !(a.push > 0 && !math.IsInf(a.push, 0)) || a.next < 0 || a.next > len(a.path) ||
		a.freed < 0 || a.nextPassage < 0 || a.nextPassage > len(a.passages) || (a.holds || a.held) && a.nextPassage == len(a.passages) ||
		int(a.state) >= len(stateNames) || int(a.reason) >= len(reasonNames) || a.goal.kind > toVelocity || a.link < 0 ||
		(a.state == OnLink) != (a.link > 0) || !(a.wallsReach >= 0 && a.wallsReach <= 3*MaxSpeed*MaxStep) || a.goal.kind == toNearest && len(a.goal.places) == 0 || a.done < 0 || a.done > 1:
		return fmt.Errorf("%w: agent %d has a value out of range", errSaved, a.id)
	}
	for _, j := range a.jumps {
		if j.bend < 0 || j.bend+1 >= len(a.path) || j.link < 0 {
			return fmt.Errorf("%w: agent %d has a link out of range", errSaved, a.id)
		}
	}
	return nil
}

// wake places a restored agent on the floor and finds its walls.
func (c *Crowd) wake(a *agent) {
	w := &c.workers[0]
	if a.state == OnLink {
		return
	}
	q := w.on(c, a)
	if _, err := q.Raycast(a.pos, a.pos.Point); err != nil {
		if pos, ok := q.Nearest(a.pos.Point, rescue); ok {
			a.pos, a.wallsKnown = pos, false
		} else {
			c.giveUp(a, FloorGone)
		}
	}
	if a.wallsKnown {
		w.gatherWalls(c, a)
	}
}

// Hash returns a hash of the state of all agents, to compare two runs with.
func (c *Crowd) Hash() uint64 {
	return state.Hash(c.fields)
}

package scenario

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/density"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// PlayOptions say how a cast is played. The zero value is usable.
type PlayOptions struct {
	Crowd  crowd.Options
	Groups group.Options
	// Clock, unless nil, tells the time around the steps of the crowd.
	Clock func() time.Duration
	// Each, unless nil, is called after every step. An error ends the play.
	Each func(Frame) error
}

// Frame is a step of a play. Its lists are valid until the next step.
type Frame struct {
	Step  int    // from 1
	Seen  []Seen // of all actors, in their order
	Spent time.Duration
	// Floor is another floor than in the step before, after changes of the world; else nil.
	Floor *query.Index
	Hash  func() uint64 // of the crowd and its groups
	// Groups are the groups of the crowd, nil without any.
	Groups *group.Groups
}

// Play moves a cast with a [crowd.Crowd] on a mesh, from the first step to the last. The changes of the scenario act on a world over
// the mesh. The error is that of ctx, of a change, of an agent that the crowd refuses, or of Each.
func Play(ctx context.Context, c *Cast, ix *query.Index, opt PlayOptions) error {
	p := player{cast: c, seen: make([]Seen, len(c.Actors)), retry: make([]int32, len(c.Actors)), floor: ix}
	var err error
	if p.crowd, err = crowd.New(opt.Crowd, ix); err != nil {
		return err
	}
	if err = p.form(opt.Groups); err != nil {
		return err
	}
	if len(c.Scenario.Changes) > 0 || c.Scenario.Density.Every > 0 {
		if p.world, err = world.New(ctx, ix.Mesh(), world.Options{}); err != nil {
			return err
		}
	}
	if d := c.Scenario.Density; d.Every > 0 {
		if p.density, err = density.New(p.world, density.Options{Cell: d.Cell, Most: d.Most}); err != nil {
			return err
		}
	}
	for step := range c.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		frame := Frame{Step: step + 1, Seen: p.seen, Hash: p.hash, Groups: p.groups}
		changed, err := p.change(ctx, step)
		if err != nil {
			return err
		}
		if changed {
			frame.Floor = p.floor
		}
		if err := p.enter(step); err != nil {
			return err
		}
		if opt.Clock != nil {
			frame.Spent = -opt.Clock()
		}
		if p.density != nil && step%max(1, int(c.Scenario.Density.Every/c.Dt+0.5)) == 0 {
			if changed, err = p.watch(ctx); err != nil {
				return err
			}
			if changed {
				frame.Floor = p.floor
			}
		}
		if err := p.step(); err != nil {
			return err
		}
		if opt.Clock != nil {
			frame.Spent += opt.Clock()
		}
		if err := p.look(step); err != nil {
			return err
		}
		if opt.Each != nil {
			if err := opt.Each(frame); err != nil {
				return err
			}
		}
	}
	return nil
}

// retryAfter is the time in seconds between giving a goal up and another try: others or the world may have cleared the way.
const retryAfter = 2.0

// player is the state of Play.
type player struct {
	cast    *Cast
	crowd   *crowd.Crowd
	world   *world.World // nil without changes
	density *density.Map // nil without density
	floor   *query.Index
	changes int // made so far
	seen    []Seen
	waiting []int   // agents whose place is not free, or whose time has not come
	retry   []int32 // the step in which an agent that gave up tries again, 0 for none
	begun   bool

	groups  *group.Groups // nil without a source of groups
	parties []party
	partyOf []int // by actor, -1 for none
}

// change makes the changes before a step.
func (p *player) change(ctx context.Context, step int) (changed bool, err error) {
	var boxes []geom.Box
	everywhere := false
	for list := p.cast.Scenario.Changes; p.changes < len(list) && list[p.changes].At <= (float64(step)+0.001)*p.cast.Dt; p.changes++ {
		made, err := p.world.Apply(ctx, list[p.changes].Edit)
		if err != nil {
			return false, fmt.Errorf("scenario: line %d: %w", list[p.changes].Line, err)
		}
		boxes, changed = append(boxes, made.Boxes...), true
		everywhere = everywhere || len(made.Ends) > 0 // a link may shorten ways everywhere
	}
	if !changed {
		return false, nil
	}
	p.floor = p.world.Now().Index()
	if everywhere {
		boxes = nil // everything may have changed
	}
	if err := p.crowd.Use(boxes, p.floor); err != nil {
		return false, err
	}
	return true, nil
}

// watch makes the density of the crowd cost.
func (p *player) watch(ctx context.Context) (changed bool, err error) {
	made, err := p.density.Watch(ctx, p.crowd)
	if err != nil || made.Sequence == 0 {
		return false, err
	}
	p.floor = p.world.Now().Index()
	return true, nil
}

// enter adds the agents whose time has come and whose place is free.
func (p *player) enter(step int) error {
	if !p.begun {
		p.begun = true
		for i := range p.cast.Actors {
			p.waiting = append(p.waiting, i)
		}
	}
	rest := p.waiting[:0]
	for _, i := range p.waiting {
		a := &p.cast.Actors[i]
		if a.Enter > step || a.Enter > 0 && !p.isFree(a) {
			rest = append(rest, i)
			continue
		}
		err := p.crowd.Add(crowd.Spec{
			ID: crowd.ID(a.ID), At: a.At, Radius: a.Radius, Height: a.Height, Speed: a.Speed, Acceleration: a.Acceleration, Priority: a.Priority,
			TurnRadius: a.Turn,
		})
		if err == nil {
			p.seen[i] = Seen{At: a.At, State: Walking}
			if p.partyOf[i] < 0 {
				err = p.aim(i)
			}
		}
		if err != nil {
			return fmt.Errorf("scenario: line %d: %w", p.cast.Scenario.Sources[a.Source].Line, err)
		}
	}
	p.waiting = rest
	if step == 0 {
		return p.setOut()
	}
	return nil
}

// isFree reports whether nobody stands at an actor's start.
func (p *player) isFree(a *Actor) bool {
	for k := range p.seen {
		b := &p.cast.Actors[k]
		if p.seen[k].State != Absent && a.At.DistXZ(p.seen[k].At) < a.Radius+b.Radius && math.Abs(a.At.Y-p.seen[k].At.Y) < min(a.Height, b.Height) {
			return false
		}
	}
	return true
}

// aim sends an actor to its next goal.
func (p *player) aim(i int) error {
	a := &p.cast.Actors[i]
	if p.partyOf[i] >= 0 {
		if id, in := p.groups.Of(crowd.ID(a.ID)); in {
			return p.groups.Goal(id, a.Goals[int(p.seen[i].Goals)%len(a.Goals)])
		}
	}
	if len(a.Choice) > 0 {
		return p.crowd.GoalNearest(crowd.ID(a.ID), a.Choice)
	}
	return p.crowd.Goal(crowd.ID(a.ID), a.Goals[int(p.seen[i].Goals)%len(a.Goals)])
}

// isThere reports whether an actor is at its goal.
func (p *player) isThere(i int) bool {
	a, s := &p.cast.Actors[i], &p.seen[i]
	if p.partyOf[i] >= 0 {
		return p.atGoal(i)
	}
	for _, g := range a.Choice {
		if s.At.DistXZ(g) <= p.cast.Arrive+a.Reach {
			return true
		}
	}
	return len(a.Choice) == 0 && s.At.DistXZ(a.Goals[int(s.Goals)%len(a.Goals)]) <= p.cast.Arrive+a.Reach
}

// look reads the agents after a step, and tells those at their goals where to go.
func (p *player) look(step int) error {
	next := 0
	for agent := range p.crowd.Agents() {
		for next < len(p.seen) && p.cast.Actors[next].ID != uint64(agent.ID) {
			next++
		}
		if next == len(p.seen) {
			return errors.New("scenario: the crowd has an agent that is not of the cast")
		}
		s := &p.seen[next]
		if s.At = agent.At; s.State == Done {
			continue
		}
		switch agent.State {
		case crowd.Waiting:
			s.State = Waiting
		case crowd.Stuck:
			s.State = GivenUp
			if p.retry[next] == 0 {
				p.retry[next] = int32(step + 1 + int(retryAfter/p.cast.Dt))
			}
		case crowd.OnLink:
			s.State = OnLink
		default:
			s.State = Walking
		}
		if p.retry[next] != 0 && int(p.retry[next]) <= step {
			p.retry[next] = 0
			if err := p.aim(next); err != nil {
				return err
			}
		}
	}
	if err := p.lookAtGroups(step); err != nil {
		return err
	}
	for i := range p.seen {
		s, a := &p.seen[i], &p.cast.Actors[i]
		if s.State == Absent || s.State == Done || s.State == OnLink || !p.isThere(i) {
			continue
		}
		s.Goals++
		var err error
		switch {
		case p.partyOf[i] >= 0 && (a.Then == Again || int(s.Goals) < len(a.Goals)):
			s.State = Walking // until the others are there
		case a.Then == Again || int(s.Goals) < len(a.Goals):
			s.State, err = Walking, p.aim(i)
		case a.Then == Leave:
			s.State, err = Absent, p.crowd.Remove(crowd.ID(a.ID))
		default:
			s.State = Done
		}
		if err != nil {
			return err
		}
	}
	return p.goOn()
}

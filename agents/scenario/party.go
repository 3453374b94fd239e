package scenario

import (
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/group"
)

// Groups of a play.
//
// The members of a source of groups are led by a [group.Groups] to one goal after the other. A member is at the goal when its
// group has arrived and the member is near enough. Members that are then too far away come singly. The group
// sets out for the next goal when all its members have reached the one before.

// party is the group of a source.
type party struct {
	source  int
	members []int // in Cast.Actors
	leg     int   // goals that all members have reached
}

// form finds the groups of the cast.
func (p *player) form(opt group.Options) error {
	p.partyOf = make([]int, len(p.cast.Actors))
	for i := range p.partyOf {
		a := &p.cast.Actors[i]
		if p.partyOf[i] = -1; p.cast.Scenario.Sources[a.Source].Entry != Group {
			continue
		}
		if n := len(p.parties); n == 0 || p.parties[n-1].source != a.Source {
			p.parties = append(p.parties, party{source: a.Source})
		}
		last := &p.parties[len(p.parties)-1]
		last.members = append(last.members, i)
		p.partyOf[i] = len(p.parties) - 1
	}
	if len(p.parties) == 0 {
		return nil
	}
	var err error
	p.groups, err = group.New(opt, p.crowd)
	return err
}

// setOut forms all groups, and sends them to their first goals.
func (p *player) setOut() error {
	for k := range p.parties {
		if err := p.gather(k); err != nil {
			return err
		}
	}
	return nil
}

// gather forms the group of a party of all members on the floor, and sends it to its next goal.
func (p *player) gather(k int) error {
	x := &p.parties[k]
	src := &p.cast.Scenario.Sources[x.source]
	spec := group.Spec{ID: group.ID(k + 1), Formation: src.Formation, Leader: src.Leader, Spacing: src.Spacing}
	for _, i := range x.members {
		if p.seen[i].State == Absent {
			continue
		}
		id := crowd.ID(p.cast.Actors[i].ID)
		spec.Members = append(spec.Members, id)
		if _, in := p.groups.Of(id); !in {
			continue
		}
		if err := p.groups.Leave(id); err != nil {
			return err
		}
	}
	// The group of the leg before is empty, or that of others that came late.
	if _, err := p.groups.Group(spec.ID); err == nil {
		if err := p.groups.Disband(spec.ID); err != nil {
			return err
		}
	}
	if len(spec.Members) == 0 {
		return nil
	}
	if err := p.groups.Form(spec); err != nil {
		return err
	}
	goals := p.cast.Actors[x.members[0]].Goals
	return p.groups.Goal(spec.ID, goals[x.leg%len(goals)])
}

// step leads the groups and moves the crowd.
func (p *player) step() error {
	if p.groups != nil {
		if err := p.groups.Step(p.cast.Dt); err != nil {
			return err
		}
	}
	return p.crowd.Step(p.cast.Dt)
}

// hash returns a hash of the crowd and its groups.
func (p *player) hash() uint64 {
	h := p.crowd.Hash()
	if p.groups != nil {
		h = h*0x100000001b3 ^ p.groups.Hash()
	}
	return h
}

// lookAtGroups reads the events of the groups: members of a group that has arrived and who are not near enough come singly, and a stuck
// group tries again later.
func (p *player) lookAtGroups(step int) error {
	if p.groups == nil {
		return nil
	}
	for _, e := range p.groups.Events() {
		if e.Kind != group.EventArrived && e.Kind != group.EventStuck {
			continue
		}
		g, err := p.groups.Group(e.ID)
		if err != nil {
			continue // the group has joined another one since
		}
		for _, id := range g.Members {
			i := int(id) - 1
			if e.Kind == group.EventStuck {
				p.retry[i] = int32(step + 1 + int(retryAfter/p.cast.Dt))
				continue
			}
			if p.nearGoal(i) || p.isBack(i) {
				continue
			}
			if err := p.groups.Leave(id); err != nil {
				return err
			}
			if err := p.aim(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// isBack reports whether a member has reached the goal of its party's leg.
func (p *player) isBack(i int) bool { return int(p.seen[i].Goals) > p.parties[p.partyOf[i]].leg }

// nearGoal reports whether a member is near enough to the goal of its group.
func (p *player) nearGoal(i int) bool {
	a := &p.cast.Actors[i]
	return p.seen[i].At.DistXZ(a.Goals[int(p.seen[i].Goals)%len(a.Goals)]) <= p.cast.Arrive+a.Reach
}

// atGoal reports whether a member has reached its goal: with its group, or singly.
func (p *player) atGoal(i int) bool {
	if p.isBack(i) || !p.nearGoal(i) {
		return false
	}
	id, in := p.groups.Of(crowd.ID(p.cast.Actors[i].ID))
	if !in {
		return true
	}
	g, err := p.groups.Group(id)
	return err == nil && g.State == group.Arrived
}

// goOn sends the parties on whose members are all at their goal.
func (p *player) goOn() error {
	for k := range p.parties {
		x := &p.parties[k]
		left, back := 0, 0
		for _, i := range x.members {
			if p.seen[i].State != Absent && p.seen[i].State != Done {
				left++
				if p.isBack(i) {
					back++
				}
			}
		}
		if left == 0 || back < left {
			continue
		}
		x.leg++
		if err := p.gather(k); err != nil {
			return err
		}
	}
	return nil
}

package group

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
)

// Leading a group.
//
// Source: S. Brand, thesis, 2009, sections 2.3 and 2.4.
//
// Idea: Each step moves the head of the section on, gives each member its place in the section, and gives the crowd the
// velocity of each member: along the corridor, and to its place by the pull. The slowest member sets the speed. Where the
// section is narrow, the head goes slower, and nobody at the choke has to go faster than the slowest. The head waits for
// members that are behind, unless others hold a door meanwhile. A member out of sight of its place walks to the place by a path of its own.
//
// Input: the places of the members before the step.
//
// Guarantees:
//  1. The head goes no faster than the slowest member (TestSlowestSetsTheSpeed).
//  2. A group that passes a door is together again behind it (TestThroughADoor).
//  3. A corridor that a change of the floor cuts is planned anew (TestClosedDoor).
//  4. The same calls give the same bits, also from a saved form (TestReplay, TestRestore, TestRestoreOften).
//
// Degenerate cases: agents that are removed from the crowd leave their group. A group in parts without a way to each other
// plans from the nearest to their middle.
//
// Cost: O(n log n) a step for n members, with some straight walks for each; a search for a member that loses sight of its
// place, and each second after.

const (
	// lag in metres is how far behind its place a member in rows may be before the head goes slower, and lagMost the
	// distance at which the head stands; inStep and inStepMost are the same in a formation.
	lag, lagMost       = 1.0, 3.0
	inStep, inStepMost = 0.02, 1.0
	// lookOn in metres is how far before the head a formation must fit.
	lookOn = 2.0
	// regroup in seconds is the time for which a formation must fit before it is taken up again.
	regroup = 1.0
	// near in metres is the distance from its place at which a member stands still when the group does.
	near = 0.05
	// lookEvery is the number of steps between looks for groups to join.
	lookEvery = 8
	// slow is the part of a speed that counts as progress.
	slow = 0.25
	// Members go on singly after blockedFor seconds without progress, for scatterFor seconds, to a goal that lies scatterTo
	// metres before the head.
	blockedFor, scatterFor, scatterTo = 2.0, 6.0, 10.0
	// mostJams is the number of attempts by single members after which a group gives its goal up.
	mostJams = 8
	// staleMost is the time in seconds without a shorter way left after which a group gives its goal up.
	staleMost = 90.0
	// manyFloors bounds the number of floors that are kept.
	manyFloors = 64
	// chase in metres is how far the agent that a group follows moves before the group plans anew.
	chase = 0.5
)

// Step leads all groups for a step of the crowd, of a time in seconds above 0 and at most MaxStep. The crowd makes the step
// itself, afterwards. The error is a time out of range; nothing has changed then.
func (s *Groups) Step(dt float64) error {
	if !(dt > 0 && dt <= MaxStep) {
		return fmt.Errorf("group: a step of %v s, must be above 0 and at most %g", dt, MaxStep)
	}
	s.events = s.events[:0]
	if len(s.floors) > manyFloors {
		s.floors = nil
	}
	for _, g := range s.groups {
		s.refresh(g, dt)
	}
	s.groups = slices.DeleteFunc(s.groups, func(g *group) bool {
		if len(g.members) == 0 {
			s.tell(g.id, EventEmpty, 0)
		}
		return len(g.members) == 0
	})
	for _, g := range s.groups {
		s.advance(g, dt)
	}
	s.split()
	if s.steps%lookEvery == 0 {
		s.join()
	}
	slices.SortStableFunc(s.events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	s.steps++
	return nil
}

func (s *Groups) tell(id ID, kind EventKind, other ID) {
	s.events = append(s.events, Event{id, kind, other})
}

// floorOf returns the floor of an agent.
func (s *Groups) floorOf(m *member) *floor {
	ix, err := s.crowd.Floor(m.id)
	if err != nil {
		return nil
	}
	for _, f := range s.floors {
		if f.ix == ix {
			return f
		}
	}
	f := &floor{ix: ix, q: ix.NewQuery(), radius: ix.Mesh().Agent.Radius}
	s.floors = append(s.floors, f)
	return f
}

// refresh reads the members from the crowd, and drops those that are gone.
func (s *Groups) refresh(g *group, dt float64) {
	gone := func(m member) bool {
		_, err := s.crowd.Agent(m.id)
		return err != nil
	}
	g.leader = g.leader && len(g.members) > 0 && !gone(g.members[0])
	g.members = slices.DeleteFunc(g.members, gone)
	s.read(g)
	g.calm = max(g.calm-dt, 0)
}

// read sets all that a group derives from its members.
func (s *Groups) read(g *group) {
	g.room, g.pullOpen = s.opt.Room, s.opt.Pull
	g.area, g.slowest, g.largest = 0, math.Inf(1), -1
	was := g.floor
	for k := range g.members {
		m := &g.members[k]
		last, floor := m.agent.At, s.floorOf(m)
		m.agent, _ = s.crowd.Agent(m.id)
		if floor != m.floor || last != m.agent.At {
			m.floor = floor
			m.at, _ = floor.locate(m.agent.At)
		}
		_, area := g.share(m)
		g.area += area
		g.slowest = min(g.slowest, m.agent.Speed)
		if m.agent.Radius > g.largest {
			g.largest, g.floor = m.agent.Radius, m.floor
		}
	}
	// A new group has no corridor, and a restored one stands on the floor of the saved one.
	if len(g.members) > 0 && was != nil && was.ix != g.floor.ix {
		s.reconsider(g)
	}
}

// reconsider looks whether a group on other floor can go on.
func (s *Groups) reconsider(g *group) {
	g.way.forget()
	g.known = false
	if g.planned {
		tail, _ := g.way.back(g.floor, g.head, g.area)
		g.planned = !g.way.cutOff(g.floor, tail, g.way.length())
	}
	if g.state == Stuck && g.kind != toNothing {
		g.state, g.planned = Walking, false
	}
}

// advance moves a group on.
func (s *Groups) advance(g *group, dt float64) {
	if g.kind == toAgent {
		s.chase(g)
	}
	if g.state != Walking || g.scatters(dt) {
		return
	}
	if !g.planned {
		if !s.plan(g) {
			s.end(g, Stuck, EventStuck)
			return
		}
	} else {
		g.project()
	}
	g.arrange(dt)
	g.tailWas, _ = g.way.back(g.floor, g.head, g.area)
	g.areaWas = g.way.area(g.floor, g.tailWas, g.head)
	g.least = g.way.narrowest(g.floor, g.tailWas, g.head)
	g.hasten(dt)
	wide := g.way.width(g.floor, g.head)
	for k := range g.members {
		s.leadOne(g, &g.members[k], wide, dt)
	}
	if s.scatter(g, dt) {
		return
	}
	end := g.end()
	g.head = min(g.head+float64(g.speed*dt), end)
	if g.head < end-near {
		return
	}
	g.late += dt
	if there := g.there(); there || g.late >= s.opt.Patience {
		if g.way.whole {
			s.end(g, Arrived, EventArrived)
		} else {
			s.end(g, Stuck, EventStuck)
		}
	}
}

// scatters counts the time for which the members of a blocked group go on singly.
func (g *group) scatters(dt float64) bool {
	if g.scatter == 0 {
		return false
	}
	g.scatter = max(g.scatter-dt, 0)
	g.planned = false
	return true
}

// scatter finds out whether a group is blocked: the head waits, and no member behind its place comes nearer. The members
// then go on singly for a while, as all agents of the crowd do: single agents take turns at doors and step aside. After some
// attempts without progress the group gives its goal up.
func (s *Groups) scatter(g *group, dt float64) bool {
	// Members that make way for each other move without coming nearer: the way that is left counts too.
	if rest := g.end() - g.head; rest < g.rest-lagMost {
		g.jams, g.rest, g.stale = 0, rest, 0
	} else if g.kind != toAgent && rest > 0 {
		g.stale += dt
	}
	if g.stale >= staleMost {
		s.end(g, Stuck, EventStuck)
		return true
	}
	held := 1.0
	moves := g.speed >= slow*g.slowest || g.head >= g.end()-near
	for k := range g.members {
		m := &g.members[k]
		v := m.agent.Velocity
		if m.agent.Held {
			held = 0.25 // waits before doors end
		}
		if m.apart {
			moves = moves || v.Norm() >= slow*m.agent.Speed
		} else if m.station-m.along > inStep {
			moves = moves || v.Dot(g.way.direction(m.along)) >= slow*m.agent.Speed
		}
	}
	if moves {
		g.blocked = max(g.blocked-dt, 0)
		return false
	}
	if g.blocked += held * dt; g.blocked < blockedFor {
		return false
	}
	g.blocked, g.scatter = 0, scatterFor
	if g.jams++; g.jams == mostJams {
		s.end(g, Stuck, EventStuck)
		return true
	}
	to := g.way.point(min(g.head+scatterTo, g.way.length()))
	for k := range g.members {
		g.members[k].away, g.members[k].apart, g.members[k].met = 0, false, false
		_ = s.crowd.Goal(g.members[k].id, to)
	}
	return true
}

// end returns the last place of the head.
func (g *group) end() float64 { return max(g.way.length()-g.distance, 0) }

func (s *Groups) end(g *group, state State, kind EventKind) {
	g.state = state
	g.halt(s.crowd)
	s.tell(g.id, kind, 0)
}

// there reports whether all members are at their places.
func (g *group) there() bool {
	for k := range g.members {
		if m := &g.members[k]; m.slot.DistXZ(m.agent.At) > max(1.2*m.agent.Radius, 2*near) {
			return false
		}
	}
	return true
}

// chase keeps the goal of a group that follows an agent.
func (s *Groups) chase(g *group) {
	a, err := s.crowd.Agent(g.other)
	if err != nil {
		g.kind = toNothing
		s.end(g, Stuck, EventStuck)
		return
	}
	far := 0.0
	if g.planned {
		far = g.way.point(g.head).DistXZ(a.At)
	}
	if g.goal.DistXZ(a.At) > max(chase, far/8) {
		g.goal = a.At
		g.state, g.planned, g.late = Walking, false, 0
	}
}

// plan finds the corridor of a group: from the last member of those that are together, on the floor of the largest.
func (s *Groups) plan(g *group) bool {
	var places []geom.Vec
	middle := geom.Vec{}
	for k := range g.members {
		if pos, ok := g.floor.locate(g.members[k].agent.At); ok {
			places = append(places, pos.Point)
			middle = middle.Add(pos.Point)
		}
	}
	if len(places) == 0 {
		return false
	}
	middle = middle.Scale(1 / float64(len(places)))
	start := slices.MinFunc(places, func(a, b geom.Vec) int { return cmp.Compare(a.Distance(middle), b.Distance(middle)) })
	if fan, err := g.floor.q.ToMany(context.Background(), g.goal, places); err == nil {
		costs := slices.Clone(fan.Costs)
		reached := slices.DeleteFunc(slices.Sorted(slices.Values(costs)), func(c float64) bool { return math.IsInf(c, 0) })
		if len(reached) > 0 {
			most, best := reached[len(reached)/2]+s.opt.Behind, -1.0
			for i, c := range costs {
				if c <= most && c > best {
					start, best = places[i], c
				}
			}
		}
	}
	path, clearance, err := s.search(g.floor, start, g.goal, g.area)
	if err != nil || len(path.Points) == 0 {
		return false
	}
	g.clearance = clearance
	deep := 0.0
	for k := range g.members {
		deep = max(deep, g.slot(k, len(g.members)).Back)
	}
	side := math.Sqrt(g.area)
	g.way.follow(g.floor, path, max(side, deep)+1, max(1.25*side, 2*g.half()+g.gap()))
	g.planned, g.known, g.late = true, false, 0
	g.head = 0
	for k := range g.members {
		m := &g.members[k]
		m.along, m.apart, m.met, m.way = g.way.nearest(m.agent.At, 0, g.way.length()), false, false, 0
		g.beside(m)
		g.head = max(g.head, m.along)
	}
	g.head = min(g.head, g.end())
	g.arrange(0)
	shift := 0.0
	for k := range g.members {
		shift += g.members[k].along - g.members[k].station
	}
	g.head = min(max(g.head+shift/float64(len(g.members)), 0), g.end())
	return true
}

// project finds the members along the corridor.
func (g *group) project() {
	for k := range g.members {
		m := &g.members[k]
		from, to, length := max(m.along-2*lag, 0), m.along+2*lag, g.way.length()
		at := g.way.nearest(m.agent.At, from, to)
		if m.apart || at < from+near && from > 0 || at > to-near && to < length {
			// The member was put elsewhere.
			at = g.way.nearest(m.agent.At, 0, length)
		}
		m.along = at
		g.beside(m)
	}
}

func (g *group) beside(m *member) {
	p := g.way.place(g.floor, m.along)
	d := m.agent.At.Sub(p.at)
	m.beside = float64(d.X*p.right.X) + float64(d.Z*p.right.Z)
	m.front = m.along - max(m.beside-p.wide, p.left-m.beside, 0)
}

// arrange gives the members their slots: in formation where it fits, and in rows elsewhere.
func (g *group) arrange(dt float64) {
	g.formed = false
	if g.formation != Loose {
		fits := g.form(min(g.head+lookOn, g.way.length()))
		fits = g.form(g.head) && fits
		if fits {
			g.loose = max(g.loose-dt, 0)
		} else {
			g.loose = regroup
		}
		g.formed = g.loose == 0
	}
	if !g.formed {
		g.rows(g.head)
	}
}

// hasten sets the speed of the head, which stands at its end.
func (g *group) hasten(dt float64) {
	g.speed = min(g.slowest, (g.end()-g.head)/dt)
	free, most := inStep, inStepMost
	if !g.formed {
		free, most = lag, lagMost
		g.speed *= min(g.least/g.way.width(g.floor, g.head), 1)
	}
	// Nobody waits inside of a door for a member that waits before another one: groups would wait for each other.
	inside := slices.ContainsFunc(g.members, func(m member) bool { return m.agent.Holds })
	for k := range g.members {
		m := &g.members[k]
		if m.agent.Held && inside {
			continue
		}
		behind := m.station - m.along
		if m.apart {
			behind = max(behind, m.way-lagMost)
		}
		g.speed = min(g.speed, g.slowest*max(1-(behind-free)/(most-free), 0))
	}
}

// leadOne gives the crowd the velocity of a member.
func (s *Groups) leadOne(g *group, m *member, wide, dt float64) {
	m.strong = g.pull(m.station)
	flow := g.speed
	if !g.formed {
		flow = min(g.speed*wide/g.way.width(g.floor, m.station), g.slowest)
	}
	to := m.slot.Sub(m.agent.At)
	to.Y = 0
	v := g.way.direction(m.station).Scale(flow).Add(to.Scale(m.strong))
	if !m.floor.sees(m.at, m.slot) {
		// Along the corridor, the slot may come in sight.
		v = geom.Vec{}
		ahead := m.station - m.along
		for _, on := range [...]float64{ahead / 2, min(max(ahead, -pitch), pitch)} {
			p := g.way.point(m.along + on)
			if d := p.Sub(m.agent.At); math.Abs(ahead) < lagMost && d.Norm() > near && m.floor.sees(m.at, p) {
				d.Y = 0
				v = d.Unit().Scale(m.agent.Speed)
				break
			}
		}
		if v == (geom.Vec{}) {
			s.part(g, m, dt)
			return
		}
	} else if flow == 0 && to.Norm() < near {
		v = geom.Vec{}
	}
	if m.apart {
		m.apart, m.met = false, false
	}
	m.way = 0
	if n := v.Norm(); n > m.agent.Speed {
		v = v.Scale(m.agent.Speed / n)
	}
	// The head waits for a member behind by more than lag: a member who keeps up is there, or a little behind.
	switch {
	case m.station-m.along <= (lag+lagMost)/2 && !s.far(m):
		m.away = 0
	case m.agent.Held:
		m.away += dt / 4
	default:
		m.away += dt
	}
	// The member was in the crowd when the step began.
	_ = s.crowd.LeadOn(m.id, v, g.way.length()-m.along)
	if m.met {
		return
	}
	if !g.known {
		g.doors, _ = s.crowd.Doors(g.widest(), g.way.points)
		g.known = true
	}
	_ = s.crowd.Meet(m.id, g.doors, uint64(g.id)+1)
	m.met = true
}

// widest returns the member on whose floor the way is.
func (g *group) widest() crowd.ID {
	for k := range g.members {
		if g.members[k].floor == g.floor {
			return g.members[k].id
		}
	}
	return g.members[0].id
}

// part sends a member out of sight of its place to the place, by a path of its own.
func (s *Groups) part(g *group, m *member, dt float64) {
	far := m.slot.DistXZ(m.agent.At)
	if !m.apart || m.sent.Distance(m.slot) > max(lag, far/4) {
		m.sent = m.slot
		_ = s.crowd.Goal(m.id, m.slot)
	}
	if !m.apart || math.Floor(m.away+dt) != math.Floor(m.away) {
		path, err := m.floor.q.Path(context.Background(), m.agent.At, m.slot)
		m.way = path.Cost
		if err != nil || !path.Complete {
			m.way = math.MaxFloat64
		}
	}
	m.apart = true
	m.away += dt
}

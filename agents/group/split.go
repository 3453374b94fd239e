package group

import (
	"math"
	"slices"
)

// Groups that split and join.
//
// Source: ours.
//
// Idea: Members that are far behind their places by the length of the way, or cut off, or that do not come near for the time
// of Options.Patience, go on as a group of their own with the same goal. Groups with the same goal join when a member of
// one sees a member of the other near by.
//
// Guarantees: members behind a closed door go on as a group of their own, and join when they meet again (TestSplitAndJoin).
//
// Degenerate cases: where all members are far from their places, the group plans anew. The part of the leader, or else the
// part that is not behind, keeps the number of the group. Groups that have split wait before they join.
//
// Cost: O(n) a step to split; O(n·m) for groups of n and m members with the same goal, every eighth step.

const (
	// apartFor in seconds is the time for which groups that split do not join.
	apartFor = 3.0
	// awayFor in seconds is the time for which a member is far behind before it is left.
	awayFor = 1.0
)

// left reports whether a member is to be left behind.
func (s *Groups) left(m *member) bool {
	return m.away >= s.opt.Patience || m.away >= awayFor && s.far(m)
}

func (s *Groups) far(m *member) bool {
	return max(m.way, m.slot.DistXZ(m.agent.At)) > s.opt.Behind
}

// split makes groups of the members that are left behind.
func (s *Groups) split() {
	for _, g := range s.groups[:len(s.groups):len(s.groups)] {
		if g.state != Walking || !g.planned || !slices.ContainsFunc(g.members, func(m member) bool { return s.left(&m) }) {
			continue
		}
		var with, without []member
		for _, m := range g.members {
			if s.left(&m) || m.away > 0 && s.far(&m) {
				without = append(without, m)
			} else {
				with = append(with, m)
			}
		}
		for i := range without {
			without[i].away, without[i].way, without[i].apart, without[i].met = 0, 0, false, false
		}
		g.calm = apartFor
		if len(with) == 0 {
			g.members, g.planned = without, false
			continue
		}
		if g.leader && s.left(&g.members[0]) {
			with, without = without, with
		}
		id := s.groups[len(s.groups)-1].id + 1
		if id == math.MaxUint64 {
			g.members = append(with, without...)
			continue
		}
		n := &group{
			id: id, members: without, formation: g.formation, slots: slices.Clone(g.slots), spacing: g.spacing,
			kind: g.kind, goal: g.goal, other: g.other, distance: g.distance, state: Walking, calm: apartFor,
			jams: g.jams, rest: g.rest, stale: g.stale,
		}
		g.members, g.planned = with, false
		s.read(n)
		s.read(g)
		s.groups = append(s.groups, n)
		s.tell(g.id, EventSplit, id)
	}
}

// join makes one group of groups with the same goal that are near each other.
func (s *Groups) join() {
	for i := 0; i < len(s.groups); i++ {
		for k := i + 1; k < len(s.groups); k++ {
			a, b := s.groups[i], s.groups[k]
			if !a.sameGoal(b) || a.calm > 0 || b.calm > 0 || a.state != Walking && b.state != Walking || !s.meet(a, b) {
				continue
			}
			a.members = append(a.members, b.members...)
			a.state, a.planned, a.late, a.scatter = Walking, false, 0, 0
			a.jams, a.rest, a.stale = min(a.jams, b.jams), max(a.rest, b.rest), min(a.stale, b.stale)
			s.read(a)
			s.groups = slices.Delete(s.groups, k, k+1)
			s.tell(a.id, EventJoined, b.id)
			k--
		}
	}
}

// sameGoal reports whether two groups go to the same place.
func (g *group) sameGoal(o *group) bool {
	const same = 0.5
	if g.kind == toNothing || g.kind != o.kind {
		return false
	}
	if g.kind == toAgent {
		return g.other == o.other && g.distance == o.distance
	}
	return g.goal.Distance(o.goal) <= same
}

// meet reports whether members of two groups are near each other and in sight.
func (s *Groups) meet(a, b *group) bool {
	for i := range a.members {
		for k := range b.members {
			m, n := &a.members[i], &b.members[k]
			if m.agent.At.Distance(n.agent.At) <= s.opt.Reach && m.floor.sees(m.at, n.agent.At) {
				return true
			}
		}
	}
	return false
}

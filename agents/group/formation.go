package group

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Formations.
//
// Source: ours; S. Brand, thesis, 2009, section 2.4, for the corridor that formations bend along.
//
// Idea: A slot is a distance behind the head of the section and a distance to the right of the way: a formation turns
// with its corridor. A slot that falls off the floor, or behind a wall, moves to the last place in sight of the path. Where
// moved slots come too close to others, the corridor is too narrow for the formation: the members walk in rows, see
// section.go, until the formation has fitted for a while.
//
// Input: the corridor, and the members in the order of their slots.
//
// Guarantees:
//  1. On open floor every member keeps within a tolerance of its slot (TestFormations).
//  2. Every slot is on the floor (TestSlotsAreOnTheFloor).
//
// Degenerate cases: members beyond the last own slot line up behind it. A circle of one member is its middle.
//
// Cost: O(n) a step for n members, O(n·k) for k moved slots.

// Formation is the order in which a group walks.
type Formation uint8

// The formations.
const (
	Loose  Formation = iota // in rows that fill the section
	Line                    // side by side
	Column                  // one behind the other
	Wedge                   // the first member ahead, the others behind on both sides
	Circle                  // around the first member with a leader, else around the middle
	Own                     // by Spec.Slots
)

var formationNames = [...]string{"loose", "line", "column", "wedge", "circle", "own"}

func (f Formation) String() string {
	if int(f) < len(formationNames) {
		return formationNames[f]
	}
	return fmt.Sprintf("Formation(%d)", uint8(f))
}

// FormationOf returns the formation with a name, as String gives it; ok is false for another name.
func FormationOf(name string) (f Formation, ok bool) {
	k := slices.Index(formationNames[:], name)
	return Formation(max(k, 0)), k >= 0
}

// Extent returns how far in metres a member of a group at its goal may be from the goal: n members of a radius in a formation,
// with a spacing as in [Spec]. In rows it is the side of a square of the area of the section.
func (f Formation) Extent(n int, radius, spacing float64) float64 {
	g := group{formation: f, spacing: spacing, largest: radius}
	far := float64(2 * max(radius, leastRadius) * math.Sqrt(float64(n)*DefaultRoom))
	for k := range n {
		s := g.slot(k, n)
		far = max(far, math.Hypot(s.Back, s.Right))
	}
	return far + radius
}

// Slot is a place in a formation: metres behind the head of the section, and to the right of the way.
type Slot struct{ Back, Right float64 }

// slot returns the slot of the k-th of n members.
func (g *group) slot(k, n int) Slot {
	d := g.gap()
	switch g.formation {
	case Line:
		if g.leader {
			// The leader is in the middle.
			return Slot{0, d * float64((k+1)/2) * float64(1-2*(k%2))}
		}
		return Slot{0, d * (float64(k) - float64(n-1)/2)}
	case Column:
		return Slot{d * float64(k), 0}
	case Wedge:
		row := float64((k + 1) / 2)
		return Slot{d * row, d * row * float64(1-2*(k%2))}
	case Circle:
		ring, i := n, k
		if g.leader {
			ring, i = n-1, k-1
		}
		if ring < 1 {
			return Slot{}
		}
		radius := 0.0
		if ring > 1 {
			sin, _ := geom.SincosDegrees(180 / float64(ring))
			radius = d / (2 * sin)
		}
		if g.leader {
			radius = max(radius, d)
			if k == 0 {
				return Slot{radius, 0}
			}
		}
		sin, cos := geom.SincosDegrees(360 * float64(i) / float64(ring))
		return Slot{radius * (1 - cos), radius * sin}
	case Own:
		if k < len(g.slots) {
			return g.slots[k]
		}
		last := Slot{}
		for _, s := range g.slots {
			last.Back = max(last.Back, s.Back)
		}
		return Slot{last.Back + float64(d*float64(k-len(g.slots)+1)), 0}
	}
	return Slot{}
}

// gap returns the distance between neighbours of a formation.
func (g *group) gap() float64 {
	if g.spacing > 0 {
		return g.spacing
	}
	return 3 * max(g.largest, 0.1)
}

// half returns the greatest distance of a slot from the way.
func (g *group) half() float64 {
	half := 0.0
	for k := range g.members {
		s := g.slot(k, len(g.members))
		half = max(half, s.Right, -s.Right)
	}
	return half
}

// form gives the members their slots for the head at a place, and reports whether the formation fits there.
func (g *group) form(head float64) bool {
	n, half := len(g.members), g.half()
	g.moved = g.moved[:0]
	for k := range g.members {
		m := &g.members[k]
		s := g.slot(k, n)
		m.station = max(head-s.Back, 0)
		p := g.way.place(g.floor, m.station)
		// The middle of the formation is beside the way where the way is near a wall.
		middle := 0.0
		if low, high := p.left+half, p.wide-half; low > high {
			middle = (p.left + p.wide) / 2
		} else {
			middle = min(max(0, low), high)
		}
		g.stand(m, p, min(max(middle+s.Right, p.left), p.wide))
		asked := p.at.Add(p.right.Scale(middle + s.Right))
		if head-s.Back < 0 || m.slot.DistXZ(asked) > g.gap()/2 {
			g.moved = append(g.moved, k)
		}
	}
	for _, k := range g.moved {
		m := &g.members[k]
		for i := range g.members {
			if o := &g.members[i]; i != k && m.slot.DistXZ(o.slot) < m.agent.Radius+o.agent.Radius {
				return false
			}
		}
	}
	return true
}

// stand puts the slot of a member beside a place of the corridor, or as far there as the place sees.
func (g *group) stand(m *member, p place, off float64) {
	m.slot = p.at.Add(p.right.Scale(off))
	if !p.ok {
		m.slot = p.at
		return
	}
	ray, err := g.floor.q.Raycast(p.from, m.slot)
	if err == nil {
		m.slot = ray.End.Point
	}
}

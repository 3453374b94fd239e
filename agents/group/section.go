package group

import (
	"cmp"
	"math"
	"slices"
)

// The moving section of a corridor.
//
// Source: S. Brand, thesis, 2009, section 2.4 and figure 6.
//
// Idea: A group stands in a section of its corridor of constant area: the squares around its members side by side, times a
// factor for room. The section moves on with its head, and is short where the corridor is wide, and long at chokes. Members
// stand in rows across the corridor, from the head back, in the order in which they come; a row takes the part of the section
// that is the share of its members. At a choke a row is a single member: the members fall in line.
//
// Attractors pull each member to its place in its row, harder where the corridor narrows ahead: by the ratio of the widths.
//
// Input: the corridor, the distance of the head, and the distances of the members along the corridor.
//
// Guarantees:
//  1. The area of the section is constant, and the section is longer at chokes (TestSection).
//  2. The pull is greater before chokes (TestPull).
//  3. The order of calls and of members with equal distances changes nothing but by their order in the group (TestReplay).
//
// Degenerate cases: a corridor with less area than the group needs is filled by all rows in proportion.
//
// Cost: O(n log n + l) a step, for n members and a section of l metres.
//
// Departures: the source gives no numbers and no rows; its members spread by flocking alone.

const (
	// ahead in metres is how far before a place the pull looks for chokes.
	ahead = 3.0
	// mostPull is the greatest factor of the pull at a choke.
	mostPull = 4.0
)

// share returns the area of a member in its section, and the side of the square.
func (g *group) share(m *member) (side, area float64) {
	side = float64(2 * max(m.agent.Radius, leastRadius) * math.Sqrt(g.room))
	return side, float64(side * side)
}

// rows gives the members places in rows for the head at a place.
func (g *group) rows(head float64) {
	n := len(g.members)
	g.order = g.order[:0]
	for k := range n {
		g.order = append(g.order, k)
	}
	slices.SortFunc(g.order, func(i, k int) int {
		if g.leader && (i == 0 || k == 0) {
			return cmp.Compare(i, k)
		}
		return cmp.Or(cmp.Compare(g.members[k].front, g.members[i].front), cmp.Compare(i, k))
	})
	scale := 1.0
	if _, missing := g.way.back(g.floor, head, g.area); missing > 0 {
		scale = max(g.area-missing, 0) / g.area
	}
	s := head
	for first := 0; first < n; {
		// The row, as many members as fit.
		wide := g.way.width(g.floor, s)
		across, area := 0.0, 0.0
		last := first
		for ; last < n; last++ {
			side, a := g.share(&g.members[g.order[last]])
			if last > first && across+side/2 > wide {
				break
			}
			across += side
			area += a
		}
		row := g.order[first:last]
		slices.SortFunc(row, func(i, k int) int {
			return cmp.Or(cmp.Compare(g.members[i].beside, g.members[k].beside), cmp.Compare(i, k))
		})
		middle, _ := g.way.back(g.floor, s, area*scale/2)
		s, _ = g.way.back(g.floor, s, area*scale)
		p := g.way.place(g.floor, middle)
		body := g.floor.body()
		whole, left := p.wide-p.left+body, p.left-body/2
		taken := 0.0
		for _, k := range row {
			m := &g.members[k]
			side, _ := g.share(m)
			m.station = middle
			off := left + float64(whole*((taken+side/2)/across))
			taken += side
			g.stand(m, p, min(max(off, p.left), p.wide))
		}
		first = last
	}
}

// pull returns the strength of the attractor at a place of the corridor, in 1/s.
func (g *group) pull(station float64) float64 {
	here := g.way.width(g.floor, station)
	least := g.way.narrowest(g.floor, station, station+ahead)
	return g.pullOpen * min(max(here/least, 1), mostPull)
}

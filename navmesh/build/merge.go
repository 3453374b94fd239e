package build

import (
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh/internal/planar"
	"github.com/meadow-nav/meadow/plan"
)

// Merging across layers, section 6.2.4 of the thesis: a portal between two layers is not essential
// when the regions on both sides of it make a convex one. Where it is clearly safe the two become
// one region of one of the layers:
//
//   - the union is convex by exact predicates, both are ground of the same kind in the same marks, and the portal is
//     the whole side of both;
//   - the part that changes its layer overlaps no region there, and keeps a distance from those
//     that border on neither of the two, so that floors at other heights are not touched;
//   - the layer that it comes to has no other floor there, or the very same, and gets the floor that
//     the part brings along: the highest triangle at a point stays the right one everywhere.
//
// What keeps a pair from being merged is never repaired; the portal stays.

// keepOff is the distance that a region which changes its layer keeps from the regions there, in
// lattice units. Its floor is cut along its border and rounded, and may stand out by less.
const keepOff = 2

// merger merges the pieces of a join.
type merger struct {
	*join
	parent   []int32   // the piece that a piece has become a part of, itself for the others
	contacts [][]int32 // the contacts of every piece that is not a part of another
	dead     []bool    // contacts inside of a merged piece, or joined to another contact
	index    *planar.Index
	floors   []*groundwork // of every layer, made when needed
}

// mergeSeams merges what can be merged and numbers the pieces and contacts anew.
func (j *join) mergeSeams() {
	m := &merger{
		join: j, parent: make([]int32, len(j.pieces)), contacts: make([][]int32, len(j.pieces)),
		dead: make([]bool, len(j.contacts)), floors: make([]*groundwork, len(j.floors)),
	}
	boxes := make([]lattice.Box, len(j.pieces))
	for i := range j.pieces {
		m.parent[i] = int32(i)
		boxes[i] = lattice.BoxOf(j.pieces[i].points...)
	}
	for i, c := range j.contacts {
		m.contacts[c.p] = append(m.contacts[c.p], int32(i))
		m.contacts[c.q] = append(m.contacts[c.q], int32(i))
	}
	// A merged piece may make another pair convex, so the seams are gone through until nothing
	// happens. Their order decides, and it depends on the plan and the cells alone.
	for again := true; again; {
		again = false
		for i := range j.contacts {
			if m.isSeam(i) && !m.dead[i] {
				if m.index == nil {
					m.index = planar.NewIndex(boxes)
				}
				again = m.merge(m.root(j.contacts[i].p), m.root(j.contacts[i].q)) || again
			}
		}
	}
	m.straighten()
	m.renumber()
}

// isSeam reports whether contact i lies on a chain between two layers.
func (m *merger) isSeam(i int) bool {
	c := m.join.contacts[i].chain
	return c != plan.Wall && m.plan.Chains[c].Kind == plan.Seam
}

// root returns the piece that i is a part of.
func (m *merger) root(i int32) int32 {
	for m.parent[i] != i {
		m.parent[i] = m.parent[m.parent[i]]
		i = m.parent[i]
	}
	return i
}

// area returns what kind of ground a piece is.
func (m *merger) area(i int32) uint8 { return m.domains[m.pieces[i].domain].Area }

// shared returns the contacts between two pieces in their order along the border of p, with their
// ends as seen from there.
func (m *merger) shared(p, q int32) (list []int32, ends [][2]lattice.Point) {
	type meeting struct {
		contact int32
		a, b    lattice.Point
	}
	var all []meeting
	for _, i := range m.contacts[p] {
		c := &m.join.contacts[i]
		switch {
		case m.dead[i]:
		case m.root(c.p) == p && m.root(c.q) == q:
			all = append(all, meeting{i, c.a, c.b})
		case m.root(c.p) == q && m.root(c.q) == p:
			all = append(all, meeting{i, c.b, c.a})
		}
	}
	// Convex pieces meet on one line, where the order of points is the order along it.
	slices.SortFunc(all, func(x, y meeting) int {
		if c := x.a.Compare(y.a); x.a.Compare(x.b) < 0 {
			return c
		} else {
			return -c
		}
	})
	for _, x := range all {
		list = append(list, x.contact)
		ends = append(ends, [2]lattice.Point{x.a, x.b})
	}
	return list, ends
}

// merge merges two pieces if it is safe, and reports whether it did.
func (m *merger) merge(p, q int32) bool {
	if p == q || m.area(p) != m.area(q) || !slices.Equal(m.domains[m.pieces[p].domain].Marks, m.domains[m.pieces[q].domain].Marks) {
		return false
	}
	list, ends := m.shared(p, q)
	for i := 1; i < len(ends); i++ {
		if ends[i-1][1] != ends[i][0] {
			return false // something is lost between them
		}
	}
	union, slivers := unite(m.pieces[p].points, m.pieces[q].points, ends[0][0], ends[len(ends)-1][1], m.isWall(p, q))
	if union == nil {
		return false
	}
	// The smaller part moves, if it can.
	if lattice.Ring(m.pieces[p].points).Area2() < lattice.Ring(m.pieces[q].points).Area2() {
		p, q = q, p
	}
	if !m.move(q, p, slivers) {
		p, q = q, p
		if !m.move(q, p, slivers) {
			return false
		}
	}
	// Where the border of the floor passes a bend may have gone.
	gained := lattice.Ring(union).Area2() - lattice.Ring(m.pieces[p].points).Area2() - lattice.Ring(m.pieces[q].points).Area2()
	m.report.LostArea -= squareMetres(gained)
	m.parent[q] = p
	m.pieces[p].parts = slices.Concat(m.pieces[p].all(), m.pieces[q].all())
	m.pieces[p].points = union
	for _, i := range list {
		m.dead[i] = true
		m.report.MergedSeams++
	}
	var rest []int32
	for _, i := range append(m.contacts[p], m.contacts[q]...) {
		if !m.dead[i] {
			rest = append(rest, i)
		}
	}
	m.contacts[p], m.contacts[q] = rest, nil
	return true
}

// isWall returns a test of the edges of p and q: an edge is wall if no third piece meets p or q anywhere along the edge.
func (m *merger) isWall(p, q int32) func(from, to lattice.Point) bool {
	return func(from, to lattice.Point) bool {
		for _, i := range slices.Concat(m.contacts[p], m.contacts[q]) {
			c := &m.join.contacts[i]
			r, s := m.root(c.p), m.root(c.q)
			inside := (r == p || r == q) && (s == p || s == q)
			if !m.dead[i] && !inside && lattice.OnSegment(c.a, from, to) && lattice.OnSegment(c.b, from, to) {
				return false
			}
		}
		return true
	}
}

// bend is how far, in lattice units, a wall may bend at a seam's end and still count as straight:
// the end was rounded to the lattice, and the wall's line need not pass a lattice point there.
const bend = 1

// unite returns the union of two convex polygons that share the side of p from a to b, nil when it
// is not convex. Where the union goes straight on at a or b there is no corner any more. Where both edges at a or b are
// wall, straight is also a border that bends inwards by no more than rounding: the bend goes, and the sliver between
// the bend and the straight line is gained. A portal on either edge would lie beside the straight line, wherever it ends.
func unite(p, q []lattice.Point, a, b lattice.Point, isWall func(from, to lattice.Point) bool) (out []lattice.Point, slivers []lattice.Ring) {
	var union []lattice.Point
	for _, part := range []struct {
		ring     []lattice.Point
		from, to lattice.Point
	}{{p, b, a}, {q, a, b}} {
		from, to := slices.Index(part.ring, part.from), slices.Index(part.ring, part.to)
		if from < 0 || to < 0 {
			return nil, nil // the side goes on behind the other piece
		}
		for i := from; i != to; i = (i + 1) % len(part.ring) {
			union = append(union, part.ring[i])
		}
	}
	n := len(union)
	for i, v := range union {
		if v == a || v == b {
			before, after := union[(i+n-1)%n], union[(i+1)%n]
			turn := lattice.Orient(before, v, after)
			if turn == 0 {
				continue
			}
			if turn < 0 && isWall(before, v) && isWall(v, after) && lattice.SegmentDistance2(v, before, after).CompareInt(bend*bend) <= 0 {
				slivers = append(slivers, lattice.Ring{before, after, v})
				continue
			}
		}
		out = append(out, v)
	}
	if fault, _ := planar.Fault(out); fault != "" {
		return nil, nil
	}
	return out, slivers
}

// move moves piece x to the layer of piece to, which it is about to become a part of, and reports
// whether that is safe. The two gain slivers, which no other piece of the layer may cover.
func (m *merger) move(x, to int32, slivers []lattice.Ring) bool {
	source, target := m.pieces[x].layer, m.pieces[to].layer
	if source == target {
		return m.unclaimed(slivers, target, x, to)
	}
	ring := m.pieces[x].points
	box := lattice.BoxOf(ring...)
	box = box.Extend(lattice.Point{X: box.Min.X - keepOff, Y: box.Min.Y - keepOff})
	box = box.Extend(lattice.Point{X: box.Max.X + keepOff, Y: box.Max.Y + keepOff})
	near := map[int32]bool{x: true, to: true} // what borders on the two
	for _, i := range slices.Concat(m.contacts[x], m.contacts[to]) {
		if c := &m.join.contacts[i]; !m.dead[i] {
			near[m.root(c.p)], near[m.root(c.q)] = true, true
		}
	}
	free := true
	m.index.Each(box, func(i int) bool {
		y := m.root(int32(i))
		switch other := m.pieces[y].points; {
		case m.pieces[y].layer != target || y == x || y == to:
		case near[y]:
			free = !planar.Overlap(ring, other)
		default:
			free = !planar.Near(ring, other, keepOff)
		}
		return free
	})
	return free && m.unclaimed(slivers, target, x, to) && m.moveFloor(ring, source, target)
}

// unclaimed reports whether no piece of a layer but x and to covers any part of the slivers.
func (m *merger) unclaimed(slivers []lattice.Ring, layer, x, to int32) bool {
	free := true
	for _, ring := range slivers {
		m.index.Each(lattice.BoxOf(ring...), func(i int) bool {
			y := m.root(int32(i))
			free = m.pieces[y].layer != layer || y == x || y == to || !planar.Overlap(ring, m.pieces[y].points)
			return free
		})
		if !free {
			return false
		}
	}
	return true
}

// straighten joins the contacts on a straight stretch between two pieces across a seam, and takes
// the corners between them out of both: vertices that have nothing but portals around them and
// that nobody needs.
func (m *merger) straighten() {
	for i := range m.join.contacts {
		if m.dead[i] || !m.isSeam(i) {
			continue
		}
		p, q := m.root(m.join.contacts[i].p), m.root(m.join.contacts[i].q)
		list, ends := m.shared(p, q)
		for k := len(list) - 1; k > 0; k-- {
			if ends[k-1][1] != ends[k][0] {
				continue
			}
			for _, piece := range []int32{p, q} {
				at := func(v lattice.Point) bool { return v == ends[k][0] }
				m.pieces[piece].points = slices.DeleteFunc(slices.Clone(m.pieces[piece].points), at)
			}
			ends[k-1][1] = ends[k][1]
			m.dead[list[k]] = true
			c := &m.join.contacts[list[k-1]]
			c.a, c.b = ends[k-1][0], ends[k-1][1]
			if m.root(c.p) != p {
				c.a, c.b = c.b, c.a
			}
		}
	}
}

// renumber drops the pieces that have become parts of others and the contacts inside of them.
func (m *merger) renumber() {
	number := make([]int32, len(m.pieces))
	var pieces []piece
	for i := range m.pieces {
		if m.parent[i] == int32(i) {
			number[i] = int32(len(pieces))
			pieces = append(pieces, m.pieces[i])
		}
	}
	var contacts []contact
	for i, c := range m.join.contacts {
		if m.dead[i] {
			continue
		}
		c.p, c.q = number[m.root(c.p)], number[m.root(c.q)]
		c.pe, c.qe = edgeAt(pieces[c.p].points, c.pe, c.a, c.b), edgeAt(pieces[c.q].points, c.qe, c.b, c.a)
		contacts = append(contacts, c)
	}
	m.join.pieces, m.join.contacts = pieces, contacts
}

// edgeAt returns the edge of a convex ring that the stretch from a to b lies on; guess is looked at
// first.
func edgeAt(ring []lattice.Point, guess int32, a, b lattice.Point) int32 {
	n := int32(len(ring))
	for k := range n {
		e := (guess + k) % n
		from, to := ring[e], ring[(e+1)%n]
		if lattice.OnSegment(a, from, to) && lattice.OnSegment(b, from, to) && from.Distance2(a) < from.Distance2(b) {
			return e
		}
	}
	return guess
}

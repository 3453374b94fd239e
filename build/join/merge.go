package join

import (
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Merging across layers, section 6.2.4 of the thesis: a portal between two layers is not essential if the union of the
// regions on both sides is convex. Where merging is clearly safe, the two become one region of one of the layers:
//
//   - the union is convex by exact predicates, both are equal ground in the same marks, and the portal is the whole
//     side of both;
//   - the part that changes its layer overlaps no region there. A distance from regions that border on neither of the
//     two leaves floors at other heights untouched;
//   - the target layer has no other floor there, or exactly the same, and gets the floor of the part: the highest
//     triangle at a point stays the right one everywhere;
//   - the moved floor, cut along the part and rounded, reaches all corners of the part.
//
// If a pair makes no convex region, recut.go looks for another cut of the pair and its neighbours; else the portal
// stays.

// keepOff is the distance, in lattice units, between a region that changes its layer and the regions there. The moved
// floor is cut along its border and rounded, and may stand out by less.
const keepOff = 2

// merger merges the pieces of a join.
type merger struct {
	*join
	group    unionfind.Forest // pieces that were merged or cut anew together
	live     [][]int32        // by the first piece of a group, the group's current pieces
	gone     []bool           // pieces merged into others
	contacts [][]int32        // the contacts of every current piece
	recut    []bool           // pieces that were cut anew
	changed  []int            // clock of the last change of each piece
	clock    int
	dead     []bool // contacts inside a merged piece, or joined to another contact
	index    *planar.Index
	floors   []*groundwork // of every layer, made on first use
}

// mergeSeams merges pieces across seams as far as possible and renumbers the pieces and contacts.
func (j *join) mergeSeams() {
	if !slices.ContainsFunc(j.contacts, func(c contact) bool { return c.chain != plan.Wall && mergeable(j.plan.Chains[c.chain].Kind) }) {
		return
	}
	m := newMerger(j)
	// A merged piece may make another pair convex; the loop repeats until no merge happens. The order of the seams
	// decides, and depends only on the plan and the cells.
	for again := true; again; {
		again = false
		for i := 0; i < len(j.contacts); i++ {
			if m.isSeam(i) && !m.dead[i] {
				again = m.merge(j.contacts[i].p, j.contacts[i].q) || again
			}
		}
		again = again || m.recutSeams()
	}
	m.straighten()
	m.renumber()
}

func newMerger(j *join) *merger {
	n := len(j.pieces)
	m := &merger{
		join: j, group: unionfind.New(n), live: make([][]int32, n), gone: make([]bool, n), recut: make([]bool, n),
		changed: make([]int, n), contacts: make([][]int32, n),
		dead: make([]bool, len(j.contacts)), floors: make([]*groundwork, len(j.floors)),
	}
	each := make([]int32, n)
	for i := range each {
		each[i] = int32(i)
		m.live[i] = each[i : i+1 : i+1]
	}
	for i, c := range j.contacts {
		m.contacts[c.p] = append(m.contacts[c.p], int32(i))
		m.contacts[c.q] = append(m.contacts[c.q], int32(i))
	}
	return m
}

// mergeable reports whether regions on both sides of a chain may become one: a cut between tiles is a seam, too.
func mergeable(kind plan.ChainKind) bool { return kind == plan.Seam || kind == plan.TileCut }

// isSeam reports whether contact i lies on a chain between two layers, or joins two pieces of a domain that are now in
// two layers.
func (m *merger) isSeam(i int) bool {
	c := &m.join.contacts[i]
	if c.chain == plan.Wall {
		return m.pieces[c.p].layer != m.pieces[c.q].layer
	}
	return mergeable(m.plan.Chains[c.chain].Kind)
}

// regroup joins pieces into one group; only the pieces in left remain.
func (m *merger) regroup(pieces, left []int32) {
	to := m.group.Find(pieces[0])
	live := m.live[to]
	for _, p := range pieces[1:] {
		if from := m.group.Find(p); from != to {
			m.group[from] = to
			live = slices.Concat(live, m.live[from])
			m.live[from] = nil
		}
	}
	m.live[to] = slices.DeleteFunc(slices.Clone(live), func(p int32) bool {
		m.gone[p] = slices.Contains(pieces, p) && !slices.Contains(left, p)
		return m.gone[p]
	})
}

// each calls f with every piece that may lie in a box, with some pieces more than once, until f returns false.
func (m *merger) each(box lattice.Box, f func(p int32) bool) {
	if m.index == nil {
		// Merged and recut pieces lie where the first pieces of their groups lay.
		boxes := make([]lattice.Box, len(m.pieces))
		for i := range m.pieces {
			boxes[i] = lattice.EmptyBox()
			for _, c := range m.pieces[i].all() {
				boxes[i] = boxes[i].Union(lattice.BoxOf(c.points...))
			}
		}
		m.index = planar.NewIndex(boxes)
	}
	m.index.Each(box, func(i int) bool {
		for _, p := range m.live[m.group.Find(int32(i))] {
			if !f(p) {
				return false
			}
		}
		return true
	})
}

// area returns the kind of ground of a piece.
func (m *merger) area(i int32) uint8 { return m.domains[m.pieces[i].domain].Area }

// shared returns the contacts between two pieces in their order along the border of p, with their ends as seen from p.
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
		case c.p == p && c.q == q:
			all = append(all, meeting{i, c.a, c.b})
		case c.p == q && c.q == p:
			all = append(all, meeting{i, c.b, c.a})
		}
	}
	// Convex pieces meet on one line, where the order of points is the order along the line.
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

// merge merges two pieces if safe, and reports success.
func (m *merger) merge(p, q int32) bool {
	if p == q || !m.alike(p, q) {
		return false
	}
	list, ends := m.shared(p, q)
	for i := 1; i < len(ends); i++ {
		if ends[i-1][1] != ends[i][0] {
			return false // a gap lies between them
		}
	}
	union, slivers := unite(m.pieces[p].points, m.pieces[q].points, ends[0][0], ends[len(ends)-1][1], m.isWall(p, q))
	if union == nil || slices.ContainsFunc(slivers, func(s lattice.Ring) bool { return m.stepAt(s[2], p, q) }) {
		return false
	}
	// The smaller part moves, if possible.
	if lattice.Ring(m.pieces[p].points).Area2() < lattice.Ring(m.pieces[q].points).Area2() {
		p, q = q, p
	}
	if !m.move(q, p, slivers) {
		p, q = q, p
		if !m.move(q, p, slivers) {
			return false
		}
	}
	// The border of the floor may have lost a bend.
	gained := lattice.Ring(union).Area2() - lattice.Ring(m.pieces[p].points).Area2() - lattice.Ring(m.pieces[q].points).Area2()
	m.report.LostArea -= lattice.SquareMetres(gained)
	m.regroup([]int32{p, q}, []int32{p})
	m.pieces[p].parts = together(m.pieces[p].all(), m.pieces[q].all())
	m.pieces[p].points = union
	m.changed[p] = m.clock
	for _, i := range list {
		m.dead[i] = true
		m.report.MergedSeams++
	}
	var rest []int32
	for _, i := range slices.Concat(m.contacts[p], m.contacts[q]) {
		if m.dead[i] {
			continue
		}
		c := &m.join.contacts[i]
		if c.p == q {
			c.p = p
		}
		if c.q == q {
			c.q = p
		}
		rest = append(rest, i)
	}
	m.contacts[p], m.contacts[q] = rest, nil
	return true
}

// together returns the union of the cells of two pieces: pieces that were cut anew together have common cells.
func together(a, b []part) []part {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.ContainsFunc(a, func(o part) bool { return &o.points[0] == &c.points[0] }) {
			out = append(out, c)
		}
	}
	return out
}

// alike reports whether two pieces are ground of the same kind in the same marks.
func (m *merger) alike(p, q int32) bool {
	return m.area(p) == m.area(q) && slices.Equal(m.domains[m.pieces[p].domain].Marks, m.domains[m.pieces[q].domain].Marks)
}

// isWall returns a test of the edges of some pieces: an edge is wall if no other piece meets one of the pieces anywhere
// along the edge.
func (m *merger) isWall(pieces ...int32) func(from, to lattice.Point) bool {
	return func(from, to lattice.Point) bool {
		for _, p := range pieces {
			for _, i := range m.contacts[p] {
				c := &m.join.contacts[i]
				inside := slices.Contains(pieces, c.p) && slices.Contains(pieces, c.q)
				if !m.dead[i] && !inside && lattice.OnSegment(c.a, from, to) && lattice.OnSegment(c.b, from, to) {
					return false
				}
			}
		}
		return true
	}
}

// bend is the maximum inward bend of a straight wall at a seam's end, in lattice units: the end was rounded to the
// lattice, and the wall's line need not pass a lattice point there.
const bend = 1

// unite returns the union of two convex polygons with the common side of p from a to b; nil if the union is not convex.
// Where the union goes straight on at a or b, the corner disappears. Where both edges at a or b are wall, an inward
// bend within rounding also counts as straight: the bend disappears, and the union gains the sliver between the bend
// and the straight line. A portal on either edge would lie beside the straight line, wherever the portal ends.
func unite(p, q []lattice.Point, a, b lattice.Point, isWall func(from, to lattice.Point) bool) (out []lattice.Point, slivers []lattice.Ring) {
	var union []lattice.Point
	for _, part := range []struct {
		ring     []lattice.Point
		from, to lattice.Point
	}{{p, b, a}, {q, a, b}} {
		from, to := slices.Index(part.ring, part.from), slices.Index(part.ring, part.to)
		if from < 0 || to < 0 {
			return nil, nil // the side extends beyond the other piece
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

// move moves piece x to the layer of piece to before their merge, and reports whether the move is safe. The union gains
// slivers, which no other piece of the layer may cover.
func (m *merger) move(x, to int32, slivers []lattice.Ring) bool {
	source, target := m.pieces[x].layer, m.pieces[to].layer
	if source == target {
		return m.unclaimed(slivers, target, x, to)
	}
	ring := m.pieces[x].points
	if !m.roomy(ring, target, []int32{x, to}) || !m.unclaimed(slivers, target, x, to) {
		return false
	}
	brought, ok := m.canMoveFloor(ring, source, target)
	if ok {
		m.moveFloor(target, &brought)
	}
	return ok
}

// roomy reports whether a part of some pieces has room in a layer. The part overlaps no other region there, and keeps
// off all regions but the neighbours of the pieces. The part meets a neighbour only at contacts.
func (m *merger) roomy(ring []lattice.Point, layer int32, pieces []int32) bool {
	box := lattice.BoxOf(ring...)
	box = box.Extend(lattice.Point{X: box.Min.X - keepOff, Y: box.Min.Y - keepOff})
	box = box.Extend(lattice.Point{X: box.Max.X + keepOff, Y: box.Max.Y + keepOff})
	near := map[int32]bool{} // neighbours of the pieces
	for _, p := range pieces {
		for _, i := range m.contacts[p] {
			if c := &m.join.contacts[i]; !m.dead[i] {
				near[c.p], near[c.q] = true, true
			}
		}
	}
	free := true
	m.each(box, func(y int32) bool {
		switch other := m.pieces[y].points; {
		case m.pieces[y].layer != layer || slices.Contains(pieces, y):
		case near[y]:
			free = !planar.Overlap(ring, other) && m.tied(ring, y, pieces)
		default:
			free = !planar.Near(ring, other, keepOff)
		}
		return free
	})
	return free
}

// tied reports whether some pieces have a contact with piece y wherever a part of the pieces shares a stretch of border
// with y. In one layer a stretch without a contact would be a missing portal.
func (m *merger) tied(ring []lattice.Point, y int32, pieces []int32) bool {
	other := m.pieces[y].points
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		for k, d := range other {
			c := other[(k+1)%len(other)] // from c to d, against the direction of y
			if lattice.SegmentContact(a, b, c, d) != lattice.Overlap || lattice.Dot(a, b, c) > lattice.Dot(a, b, d) {
				continue
			}
			from, to := a, b
			if lattice.OnSegment(c, a, b) {
				from = c
			}
			if lattice.OnSegment(d, a, b) {
				to = d
			}
			if !slices.ContainsFunc(pieces, func(p int32) bool { return m.meet(p, y, from, to) }) {
				return false
			}
		}
	}
	return true
}

// unclaimed reports whether no piece of a layer, other than the given pieces, covers any part of the slivers.
func (m *merger) unclaimed(slivers []lattice.Ring, layer int32, pieces ...int32) bool {
	free := true
	for _, ring := range slivers {
		m.each(lattice.BoxOf(ring...), func(y int32) bool {
			free = m.pieces[y].layer != layer || slices.Contains(pieces, y) || !planar.Overlap(ring, m.pieces[y].points)
			return free
		})
		if !free {
			return false
		}
	}
	return true
}

// straighten joins the contacts on a straight stretch between two pieces, across a seam or beside a recut piece. The
// corners between the contacts are removed from both pieces. These vertices have portals all around, and no region
// needs them.
func (m *merger) straighten() {
	for i := range m.join.contacts {
		p, q := m.join.contacts[i].p, m.join.contacts[i].q
		if m.dead[i] || !m.isSeam(i) && !m.recut[p] && !m.recut[q] {
			continue
		}
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
			if c.p != p {
				c.a, c.b = c.b, c.a
			}
		}
	}
}

// renumber drops merged pieces and the contacts inside them.
func (m *merger) renumber() {
	var left []int32
	for i := range m.pieces {
		if !m.gone[i] {
			left = append(left, int32(i))
		}
	}
	// Recut pieces may have moved to other domains.
	slices.SortStableFunc(left, func(p, q int32) int { return int(m.pieces[p].domain) - int(m.pieces[q].domain) })
	number := make([]int32, len(m.pieces))
	pieces := make([]piece, len(left))
	for k, i := range left {
		number[i], pieces[k] = int32(k), m.pieces[i]
	}
	var contacts []contact
	for i, c := range m.join.contacts {
		if m.dead[i] {
			continue
		}
		c.p, c.q = number[c.p], number[c.q]
		c.pe, c.qe = edgeAt(pieces[c.p].points, c.pe, c.a, c.b), edgeAt(pieces[c.q].points, c.qe, c.b, c.a)
		contacts = append(contacts, c)
	}
	m.join.pieces, m.join.contacts = pieces, contacts
}

// edgeAt returns the edge of a convex ring with the stretch from a to b, testing guess first.
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

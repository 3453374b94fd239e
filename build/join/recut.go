package join

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/shape"
)

// Local repair at seams, section 6.2.4 of the thesis: where layers meet, cells of both sides are cut anew.
//
// Idea: pieces at a seam form one polygon in the plan: two pieces on its two sides and a neighbour, or all pieces
// around an end of its portal. Often the polygon needs fewer convex pieces than its parts in the two layers have. A
// T-joint is a point with portals all around. Such a point lies inside the polygon and is no corner there; hence a new
// cut removes the point, as in the thesis.
//
// A step replaces at most mostPieces pieces by fewer, or by as many without T-joints. No step makes more thin pieces.
// Every new piece belongs to one layer; the parts from other layers move there under the conditions of a merge. No step
// makes new points: cuts run between corners.

// mostPieces is the maximum number of pieces cut anew together.
const mostPieces = 4

// thinShare is the ratio of the agent's radius to the width below which a piece is thin.
const thinShare = 10

// recutSeams cuts pieces at seams anew for fewer pieces, or as many with fewer T-joints, and reports success. Groups
// without a change since the last call are left out.
func (m *merger) recutSeams() (some bool) {
	since := m.clock
	m.clock++
	for i := 0; i < len(m.join.contacts); i++ {
		if !m.isSeam(i) || m.dead[i] {
			continue
		}
		c := m.join.contacts[i]
		groups := [][]int32{m.around(c.p, c.a), m.around(c.p, c.b)}
		for _, p := range [...]int32{c.p, c.q} {
			for _, k := range m.contacts[p] {
				o := &m.join.contacts[k]
				if r := o.p + o.q - p; r != c.p && r != c.q {
					groups = append(groups, []int32{c.p, c.q, r})
				}
			}
		}
		for _, g := range groups {
			isNew := slices.ContainsFunc(g, func(p int32) bool { return m.changed[p] >= since })
			if isNew && len(g) <= mostPieces && m.cutAnew(g) {
				some = true
				break // the contact may be gone
			}
		}
	}
	return some
}

// around returns the pieces reached from a piece over contacts at a point.
func (m *merger) around(from int32, at lattice.Point) []int32 {
	list := []int32{from}
	for i := 0; i < len(list) && i <= mostPieces; i++ {
		for _, k := range m.contacts[list[i]] {
			c := &m.join.contacts[k]
			if other := c.p + c.q - list[i]; lattice.OnSegment(at, c.a, c.b) && !slices.Contains(list, other) {
				list = append(list, other)
			}
		}
	}
	return list
}

// cutAnew replaces pieces by fewer, or by as many without T-joints, and reports success.
func (m *merger) cutAnew(pieces []int32) bool {
	thin := 0
	for i, p := range pieces {
		if !m.alike(p, pieces[0]) {
			return false
		}
		for _, q := range pieces[:i] {
			if p == q || planar.Overlap(m.pieces[p].points, m.pieces[q].points) {
				return false // overlapping pieces
			}
		}
		if m.isThin(m.pieces[p].points) {
			thin++
		}
	}
	ring, slivers, joints, ok := m.outline(pieces)
	if !ok || len(ring) > mostCorners {
		return false
	}
	most := len(pieces) - 1
	if joints > 0 {
		most++
	}
	for n := 1; n <= most; n++ {
		way, ok := divide(ring, n)
		if !ok {
			continue
		}
		after := 0
		for _, r := range way.rings {
			if m.isThin(r) {
				after++
			}
		}
		if after <= thin && m.replace(pieces, way.rings, slivers) {
			return true
		}
	}
	return false
}

// isThin reports whether a ring is narrower than a tenth of the agent's radius.
func (m *merger) isThin(ring []lattice.Point) bool {
	return shape.IsThin(ring, int64(math.Round(max(m.plan.Agent.Radius, 0)*lattice.UnitsPerMetre/thinShare)))
}

// outline returns the common border of some pieces, the slivers gained where a wall bends by rounding, and the number
// of points inside. ok is false if the pieces have more than one border, or meet without a contact.
func (m *merger) outline(pieces []int32) (ring []lattice.Point, slivers []lattice.Ring, inside int, ok bool) {
	type way struct{ from, to lattice.Point }
	var ways []way
	owner := map[way]int32{}
	for _, p := range pieces {
		points := m.pieces[p].points
		for i, a := range points {
			b := points[(i+1)%len(points)]
			stops := []lattice.Point{a, b}
			for _, q := range pieces {
				for _, v := range m.pieces[q].points {
					if q != p && v != a && v != b && lattice.OnSegment(v, a, b) {
						stops = append(stops, v)
					}
				}
			}
			slices.SortFunc(stops, func(v, w lattice.Point) int { return cmp.Compare(a.Distance2(v), a.Distance2(w)) })
			stops = slices.Compact(stops)
			for k := 1; k < len(stops); k++ {
				w := way{stops[k-1], stops[k]}
				if _, twice := owner[w]; twice {
					return nil, nil, 0, false
				}
				owner[w] = p
				ways = append(ways, w)
			}
		}
	}
	next := map[lattice.Point]lattice.Point{}
	met, points := map[lattice.Point]bool{}, map[lattice.Point]bool{}
	var start lattice.Point
	for i := len(ways) - 1; i >= 0; i-- {
		w := ways[i]
		points[w.from] = true
		if q, inner := owner[way{w.to, w.from}]; inner {
			if !m.meet(owner[w], q, w.from, w.to) {
				return nil, nil, 0, false
			}
			met[w.from], met[w.to] = true, true
			continue
		}
		if _, twice := next[w.from]; twice {
			return nil, nil, 0, false // the border touches itself
		}
		next[w.from] = w.to
		start = w.from
	}
	for v := start; ; {
		ring = append(ring, v)
		if v = next[v]; v == start || len(ring) > len(next) {
			break
		}
	}
	if len(ring) != len(next) {
		return nil, nil, 0, false
	}
	inside = len(points) - len(ring)
	isWall := m.isWall(pieces...)
	for i := 0; i < len(ring); i++ {
		n := len(ring)
		before, v, after := ring[(i+n-1)%n], ring[i], ring[(i+1)%n]
		if met[v] && turn(ring, i) < 0 && isWall(before, v) && isWall(v, after) &&
			lattice.SegmentDistance2(v, before, after).CompareInt(bend*bend) <= 0 && !m.stepAt(v, pieces...) {
			slivers = append(slivers, lattice.Ring{before, after, v})
			ring = slices.Delete(ring, i, i+1)
			i--
		}
	}
	return ring, slivers, inside, true
}

// meet reports whether two pieces have a contact that covers the stretch from a to b.
func (m *merger) meet(p, q int32, a, b lattice.Point) bool {
	return slices.ContainsFunc(m.contacts[p], func(i int32) bool {
		c := &m.join.contacts[i]
		return c.p+c.q-p == q && lattice.OnSegment(a, c.a, c.b) && lattice.OnSegment(b, c.a, c.b)
	})
}

// moving is the floor of a part of a piece on its way to another layer.
type moving struct {
	target int32
	floor  lattice.TIN
}

// home is the layer and domain of a new piece.
type home struct {
	layer, domain int32
	moves         []moving
}

// replace replaces pieces by new pieces with the given rings. The result reports whether every new piece found a layer
// with room for the parts that move there.
func (m *merger) replace(pieces []int32, rings [][]lattice.Point, slivers []lattice.Ring) bool {
	homes := make([]home, len(rings))
	for i, r := range rings {
		var ok bool
		if homes[i], ok = m.homeOf(r, pieces, slivers); !ok {
			return false
		}
	}
	list, sides, ok := m.reassigned(pieces, rings)
	if !ok {
		return false
	}
	for _, h := range homes {
		for _, x := range h.moves {
			m.moveFloor(x.target, &x.floor)
		}
	}
	var parts []part
	var gained int64
	for _, p := range pieces {
		parts = together(parts, m.pieces[p].all())
		gained -= lattice.Ring(m.pieces[p].points).Area2()
		for _, i := range m.contacts[p] {
			if c := &m.join.contacts[i]; !m.dead[i] && slices.Contains(pieces, c.p) && slices.Contains(pieces, c.q) {
				m.dead[i] = true
			}
		}
	}
	for k, i := range list {
		c := &m.join.contacts[i]
		if slices.Contains(pieces, c.p) {
			c.p = pieces[sides[k]]
		} else {
			c.q = pieces[sides[k]]
		}
	}
	lists := make([][]int32, len(rings))
	for k, i := range list {
		lists[sides[k]] = append(lists[sides[k]], i)
	}
	for k, r := range rings {
		gained += lattice.Ring(r).Area2()
		p := pieces[k]
		var below []part
		for _, c := range parts {
			if planar.Overlap(c.points, r) {
				below = append(below, c)
			}
		}
		m.pieces[p] = piece{domain: homes[k].domain, layer: homes[k].layer, points: withoutStraight(r), parts: below}
		m.contacts[p] = lists[k]
		m.recut[p], m.changed[p] = true, m.clock
	}
	for k, r := range rings {
		for l, o := range rings[:k] {
			m.addContact(pieces[k], pieces[l], r, o)
		}
	}
	for _, p := range pieces[len(rings):] {
		m.contacts[p] = nil
	}
	m.regroup(pieces, pieces[:len(rings)])
	m.report.LostArea -= lattice.SquareMetres(gained)
	m.report.RecutSeams++
	return true
}

// addContact records the contact of two new pieces along a common cut.
func (m *merger) addContact(p, q int32, ring, other []lattice.Point) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		k := slices.Index(other, b)
		if k < 0 || other[(k+1)%len(other)] != a {
			continue
		}
		n := int32(len(m.join.contacts))
		m.join.contacts = append(m.join.contacts, contact{p: p, q: q, a: a, b: b, chain: plan.Wall})
		m.dead = append(m.dead, false)
		m.contacts[p], m.contacts[q] = append(m.contacts[p], n), append(m.contacts[q], n)
	}
}

// reassigned returns the contacts of some pieces with others, and for each contact the ring with the contact on its
// border. The rings replace the pieces; ok is false for a contact on no border.
func (m *merger) reassigned(pieces []int32, rings [][]lattice.Point) (list []int32, sides []int, ok bool) {
	for _, p := range pieces {
		for _, i := range m.contacts[p] {
			c := &m.join.contacts[i]
			a, b := c.a, c.b
			if m.dead[i] || slices.Contains(pieces, c.p) && slices.Contains(pieces, c.q) {
				continue
			}
			if c.q == p {
				a, b = b, a
			}
			side := slices.IndexFunc(rings, func(r []lattice.Point) bool {
				r = withoutStraight(r)
				e := edgeAt(r, 0, a, b)
				from, to := r[e], r[(int(e)+1)%len(r)]
				return lattice.OnSegment(a, from, to) && lattice.OnSegment(b, from, to) && from.Distance2(a) < from.Distance2(b)
			})
			if side < 0 {
				return nil, nil, false
			}
			list, sides = append(list, i), append(sides, side)
		}
	}
	return list, sides, true
}

// homeOf returns the layer for a ring over some pieces: a layer with room for the parts from other layers, and among
// these the layer with most of the ring.
func (m *merger) homeOf(ring []lattice.Point, pieces []int32, slivers []lattice.Ring) (h home, ok bool) {
	type share struct {
		layer, domain int32
		area, most    float64
	}
	var shares []share
	for _, p := range pieces {
		x := &m.pieces[p]
		common := area(clip(floats(x.points), ring))
		k := slices.IndexFunc(shares, func(s share) bool { return s.layer == x.layer })
		if k < 0 {
			k = len(shares)
			shares = append(shares, share{layer: x.layer, most: -1})
		}
		s := &shares[k]
		s.area += common
		if common > s.most {
			s.most, s.domain = common, x.domain
		}
	}
	slices.SortFunc(shares, func(s, t share) int { return cmp.Or(cmp.Compare(t.area, s.area), cmp.Compare(s.layer, t.layer)) })
next:
	for _, s := range shares {
		h = home{layer: s.layer, domain: s.domain}
		if !m.unclaimed(slivers, s.layer, pieces...) {
			continue
		}
		for _, p := range pieces {
			x := &m.pieces[p]
			if x.layer == s.layer || !planar.Overlap(x.points, ring) {
				continue
			}
			part := common(x.points, ring)
			if len(part) < 3 || !m.roomy(part, s.layer, pieces) {
				continue next
			}
			floor, ok := m.canMoveFloor(part, x.layer, s.layer)
			if !ok {
				continue next
			}
			h.moves = append(h.moves, moving{s.layer, floor})
		}
		return h, true
	}
	return h, false
}

// common returns the intersection of two convex polygons, with corners rounded to the lattice.
func common(p, q []lattice.Point) []lattice.Point {
	contains := true
	for _, v := range p {
		contains = contains && inside(v, q)
	}
	if contains {
		return p
	}
	var points []lattice.Point
	for _, v := range clip(floats(p), q) {
		points = append(points, v.round())
	}
	return lattice.Hull(points)
}

package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Half of all covered triangles in dense stacks of floors are hidden by several covers together. An overlay of all covers would
// find every crossing between the covers, only to leave nothing.
//
// Source: none, this is subtraction of convex polygons from a convex polygon, piece by piece.
//
// Idea: the ring is one convex piece. Each cover, the largest first, takes its part off every piece that it meets, and leaves
// the convex pieces outside of its edges. The ring is hidden when no piece is left.
//
// Input: a convex ring and convex covers, counter-clockwise.
//
// Guarantees: a ring is hidden iff nothing of the ring is outside of the covers, but for hairs of an eighth of a unit: TestHidden. A ring
// is buried iff the same holds for its part inside of another ring: TestBuried.
//
// Degenerate cases: where the pieces are many, the answer is no, and the overlay decides.
//
// Cost: O(c p) for c covers and p pieces, mostly comparisons of boxes.

// remainder is the part of a ring that no cover has taken off yet, in convex pieces.
type remainder struct {
	pieces, next []convexPiece
	free         [][]point2 // memory of pieces that are gone
	order        []int32
	areas        []int64 // of the covers, twice
}

type convexPiece struct {
	corners   []point2
	low, high point2
}

// point2 is a place in the plan, not rounded.
type point2 struct{ x, y float64 }

// most is with how many pieces at hand the overlay decides.
const most = 256

// hidden reports whether convex covers hide all of a convex ring.
func (m *remainder) hidden(ring lattice.Ring, covers []lattice.Ring) bool {
	m.order = m.order[:0]
	for i := range covers {
		m.order = append(m.order, int32(i))
	}
	m.sortBySize(covers)
	m.begin(m.cornersOf(ring))
	for _, i := range m.order {
		if len(m.pieces) == 0 || len(m.pieces) > most {
			break
		}
		m.take(covers[i], covers[i].Box())
	}
	return m.end()
}

// sortBySize puts the larger covers first in the order, and then those with smaller numbers.
func (m *remainder) sortBySize(covers []lattice.Ring) {
	if len(m.order) < 2 {
		return
	}
	m.areas = m.areas[:0]
	for i := range covers {
		m.areas = append(m.areas, covers[i].Area2())
	}
	slices.SortFunc(m.order, func(i, k int32) int {
		if m.areas[i] != m.areas[k] {
			return cmp.Compare(m.areas[k], m.areas[i])
		}
		return cmp.Compare(i, k)
	})
}

// buried reports whether convex covers, which have the boxes, hide the part of a convex ring that is inside of another convex ring.
func (m *remainder) buried(ring, inside lattice.Ring, covers []lattice.Ring, boxes []lattice.Box) bool {
	own := ring.Box()
	m.order = m.order[:0]
	for i := range boxes {
		if boxes[i].Overlaps(own) {
			m.order = append(m.order, int32(i))
		}
	}
	for i := range ring {
		corner := ring[i : i+1]
		if holds(inside, corner) && !slices.ContainsFunc(m.order, func(k int32) bool { return boxes[k].Contains(corner[0]) && holds(covers[k], corner) }) {
			return false
		}
	}
	if len(m.order) > 0 && holds(covers[m.order[0]], ring) {
		return true // the first cover takes all of it off
	}
	corners := m.cornersOf(ring)
	a := inside[len(inside)-1]
	for _, b := range inside {
		in, out := m.split(corners, a, b)
		if out != nil {
			m.free = append(m.free, out)
		}
		if corners, a = in, b; len(in) == 0 {
			return true
		}
	}
	m.begin(corners)
	for _, i := range m.order {
		if len(m.pieces) == 0 || len(m.pieces) > most {
			break
		}
		m.take(covers[i], boxes[i])
	}
	return m.end()
}

// begin makes a convex polygon the only piece, unless the polygon is a hair.
func (m *remainder) begin(corners []point2) {
	m.next = m.next[:0]
	m.add(corners)
	m.pieces, m.next = m.next, m.pieces
}

// cornersOf returns the corners of a ring, in memory for a piece.
func (m *remainder) cornersOf(ring lattice.Ring) []point2 {
	corners := m.corners()
	for _, p := range ring {
		corners = append(corners, point2{float64(p.X), float64(p.Y)})
	}
	return corners
}

// end gives back the memory of the pieces, and reports whether there were none.
func (m *remainder) end() bool {
	none := len(m.pieces) == 0
	for _, p := range m.pieces {
		m.free = append(m.free, p.corners)
	}
	m.pieces = m.pieces[:0]
	return none
}

// take takes a convex cover, which has the box, off all pieces.
func (m *remainder) take(c lattice.Ring, b lattice.Box) {
	low, high := point2{float64(b.Min.X), float64(b.Min.Y)}, point2{float64(b.Max.X), float64(b.Max.Y)}
	m.next = m.next[:0]
	for _, p := range m.pieces {
		if p.high.x <= low.x || high.x <= p.low.x || p.high.y <= low.y || high.y <= p.low.y {
			m.next = append(m.next, p)
			continue
		}
		rest := p.corners
		a := c[len(c)-1]
		for _, q := range c {
			var out []point2
			if rest, out = m.split(rest, a, q); len(out) > 0 {
				m.add(out)
			}
			if a = q; len(rest) == 0 {
				break
			}
		}
		if len(rest) > 0 {
			m.free = append(m.free, rest)
		}
	}
	m.pieces, m.next = m.next, m.pieces
}

// corners returns memory for the corners of a piece.
func (m *remainder) corners() []point2 {
	if n := len(m.free); n > 0 {
		c := m.free[n-1][:0]
		m.free = m.free[:n-1]
		return c
	}
	return make([]point2, 0, 12)
}

// add adds a piece, unless the piece is a hair.
func (m *remainder) add(corners []point2) {
	if hair(corners) {
		m.free = append(m.free, corners)
		return
	}
	p := convexPiece{corners, corners[0], corners[0]}
	for _, c := range corners[1:] {
		p.low = point2{min(p.low.x, c.x), min(p.low.y, c.y)}
		p.high = point2{max(p.high.x, c.x), max(p.high.y, c.y)}
	}
	m.next = append(m.next, p)
}

// hair reports whether a convex polygon is on average narrower than an eighth of a unit.
func hair(corners []point2) bool {
	const width = 1.0 / 8
	area2, around := 0.0, 0.0
	o := corners[0]
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		area2 += float64((p.x-o.x)*(q.y-o.y)) - float64((p.y-o.y)*(q.x-o.x))
		around += math.Abs(q.x-p.x) + math.Abs(q.y-p.y)
	}
	return area2 <= float64(width*around)
}

// split divides a convex polygon by the line from a to b into the parts on the left and on the right. The memory of the polygon is
// used again.
func (m *remainder) split(corners []point2, a, b lattice.Point) (left, right []point2) {
	dx, dy := b.Sub(a)
	x, y, ax, ay := float64(dx), float64(dy), float64(a.X), float64(a.Y)
	side := func(p point2) float64 { return float64(x*(p.y-ay)) - float64(y*(p.x-ax)) }
	outside, inside := false, false
	for _, p := range corners {
		d := side(p)
		outside, inside = outside || d < 0, inside || d > 0
	}
	switch {
	case !outside:
		return corners, nil
	case !inside:
		return nil, corners
	}
	left, right = m.corners(), m.corners()
	p := corners[len(corners)-1]
	d := side(p)
	for _, q := range corners {
		e := side(q)
		if (d < 0) != (e < 0) {
			t := d / (d - e)
			at := point2{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))}
			left, right = append(left, at), append(right, at)
		}
		if e >= 0 {
			left = append(left, q)
		} else {
			right = append(right, q)
		}
		p, d = q, e
	}
	m.free = append(m.free, corners)
	return left, right
}

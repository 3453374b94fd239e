package footprint

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// An outline with fewer corners, around the outline of a mesh.
//
// Idea: a side between two left turns goes, and its neighbours are made longer until they meet. Every remaining side stays on
// its line, so the outline only grows, and sides that are worth a corner stay exact. A corner remembers how far it may be from
// the outline that counts.
//
// Source: the simplification of convex polygons by removal of sides, as in the circumscribing polygons of A. Aggarwal, J. S.
// Chang and C. K. Yap, Minimum area circumscribing polygons, The Visual Computer 1 (1985), but from the cheapest side on.

// sharpener shortens one ring.
type sharpener struct {
	sides []side
	most  float64
}

// side is a side of a ring, on the line through its first two ends.
type side struct {
	x, y, dx, dy float64 // the line, dx and dy of length 1
	cx, cy       float64 // the corner that the side starts at
	err          float64 // how far the corner may be from the outline that counts
	prev, next   int32
	gone         bool
}

// sharpened returns a ring around a ring, and no farther from the outline that counts than most lattice units. The ring may
// have been grown by a radius, then the arcs around corners are the outline that counts; else the ring is.
func sharpened(r lattice.Ring, radius, most float64) lattice.Ring {
	n := int32(len(r))
	s := sharpener{sides: make([]side, n), most: most}
	for i := range s.sides {
		a, b := r[i], r[(i+1)%len(r)]
		dx, dy := b.Sub(a)
		length := a.Distance(b)
		s.sides[i] = side{
			x: float64(a.X), y: float64(a.Y), dx: float64(dx) / length, dy: float64(dy) / length,
			cx: float64(a.X), cy: float64(a.Y), prev: (int32(i) + n - 1) % n, next: (int32(i) + 1) % n,
		}
	}
	for i := range s.sides {
		a, b := &s.sides[s.sides[i].prev], &s.sides[i]
		// The corner of two tangents is beyond the arc by the radius over the cosine of half the turn, less the radius.
		half := math.Sqrt(max(0, (1+float64(a.dx*b.dx)+float64(a.dy*b.dy))/2))
		b.err = min(radius/max(half, 0.5)-radius, most)
	}
	left := n
	for limit := most / 16; limit <= most; limit *= 2 {
		const rounds = 8 // each but the last drops a good part of the sides
		for before, round := left+1, 0; left < before && round < rounds; round++ {
			before = left
			at := s.first()
			for range before {
				if left > 3 && s.drop(at, limit) {
					left--
				}
				at = s.sides[at].next
			}
		}
	}
	out := make(lattice.Ring, 0, left)
	at := s.first()
	for range left {
		p, ok := pointAt(s.sides[at].cx, s.sides[at].cy)
		if !ok {
			return r
		}
		if len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
		at = s.sides[at].next
	}
	return out
}

// first returns the first side that is left.
func (s *sharpener) first() int32 {
	i := int32(0)
	for s.sides[i].gone {
		i++
	}
	return i
}

// drop removes a side between two left turns, of a right angle at most, if the corner in its place is no farther off than a
// limit. The side still knows the next one.
func (s *sharpener) drop(i int32, limit float64) bool {
	b := &s.sides[i]
	a, c := &s.sides[b.prev], &s.sides[b.next]
	cross := func(p, q *side) float64 { return float64(p.dx*q.dy) - float64(p.dy*q.dx) }
	turn := cross(a, c)
	dot := func(p, q *side) float64 { return float64(p.dx*q.dx) + float64(p.dy*q.dy) }
	if !(cross(a, b) > 0 && cross(b, c) > 0 && turn > 0 && dot(a, b) >= 0 && dot(b, c) >= 0) {
		return false
	}
	along := (float64((c.x-a.x)*c.dy) - float64((c.y-a.y)*c.dx)) / turn
	x, y := a.x+float64(along*a.dx), a.y+float64(along*a.dy)
	off := max(b.err, c.err) + math.Abs(float64((x-b.x)*b.dy)-float64((y-b.y)*b.dx))
	if !(off <= limit) {
		return false
	}
	b.gone = true
	a.next, c.prev = b.next, b.prev
	c.cx, c.cy, c.err = x, y, off
	return true
}

package quadtree

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// wall is an edge of the domain.
//
// Squares start at points of the domain's box and are at most 2³¹ wide: coordinates differ from those
// of a wall's ends by at most 2³¹, the ends from each other by less. Every product below fits an int64,
// and so does the difference of two.
type wall struct{ p, q lattice.Point }

// wallsOf returns all edges of d.
func wallsOf(d *plan.Domain) []wall {
	all := make([]wall, 0, d.Len())
	for _, r := range d.Rings {
		for i, p := range r {
			all = append(all, wall{p, r[(i+1)%len(r)]})
		}
	}
	return all
}

// side returns twice the area of the triangle of p, q and x, y.
func side(p, q lattice.Point, x, y int64) int64 {
	dx, dy := q.Sub(p)
	return dx*(y-int64(p.Y)) - dy*(x-int64(p.X))
}

// enters tells whether l meets the inside of s. Of a wall and a square that do not meet, a side of the
// square or the line of the wall separates one from the other.
func (l wall) enters(s square) bool {
	p, q := l.p, l.q
	if int64(max(p.X, q.X)) <= s.x || int64(min(p.X, q.X)) >= s.x+s.side ||
		int64(max(p.Y, q.Y)) <= s.y || int64(min(p.Y, q.Y)) >= s.y+s.side {
		return false
	}
	dx, dy := q.Sub(p)
	corner := side(p, q, s.x, s.y)
	return corner+max(0, dx*s.side)+max(0, -dy*s.side) > 0 && corner+min(0, dx*s.side)+min(0, -dy*s.side) < 0
}

// The place right above and right of a corner is decided as if the corner were moved to the right by ε and up
// by ε², for an arbitrarily small ε: the moved corner is on no wall.

// crossesEast tells whether the way from right above and right of x0, y to the same at x1, y crosses l.
func (l wall) crossesEast(x0, x1, y int64) bool {
	p, q := l.p, l.q
	if p.Y > q.Y {
		p, q = q, p
	}
	if int64(p.Y) > y || int64(q.Y) <= y {
		return false
	}
	// A corner on the wall is on its right: the wall moves by less than ε up to the height of ε².
	return (side(p, q, x0, y) > 0) != (side(p, q, x1, y) > 0)
}

// crossesNorth tells whether the way from right above and right of x, y0 to the same at x, y1 crosses l.
func (l wall) crossesNorth(x, y0, y1 int64) bool {
	p, q := l.p, l.q
	if p.X > q.X {
		p, q = q, p
	}
	if int64(p.X) > x || int64(q.X) <= x {
		return false
	}
	return above(p, q, x, y0) != above(p, q, x, y1)
}

// above tells whether right above and right of x, y is above the wall from p to the right to q. From a
// corner on the wall, a wall that rises passes above ε².
func above(p, q lattice.Point, x, y int64) bool {
	s := side(p, q, x, y)
	return s > 0 || s == 0 && q.Y <= p.Y
}

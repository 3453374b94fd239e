package exact

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// footprint returns the plan of the piece as a counter-clockwise ring, moved out by some units in both coordinates.
// Moved out by one, upright pieces have an area, too. The result is nil without an area.
func (p *piece) footprint(out int32) lattice.Ring {
	var corners [2 * len(p.v)]lattice.Point
	switch r := p.outline(corners[:0]); {
	case out > 0:
		return movedOut(r, out)
	case len(r) < 3:
		return nil
	default:
		return slices.Clone(r)
	}
}

// outline appends the plan of the piece, as of [hull].
func (p *piece) outline(to []lattice.Point) lattice.Ring {
	var points [len(p.v)]lattice.Point
	for i := range p.n {
		points[i] = lattice.Point{X: rounded(p.v[i].x), Y: rounded(p.v[i].y)}
	}
	return hull(points[:p.n], to)
}

// hull is [lattice.Hull] for few points, in memory of the caller with room for twice as many. The hull of points on a
// line is the two ends, the hull of one point is the point.
func hull(points, to []lattice.Point) []lattice.Point {
	for i, p := range points {
		k := i
		for ; k > 0 && p.Compare(points[k-1]) < 0; k-- {
			points[k] = points[k-1]
		}
		points[k] = p
	}
	n := len(points)
	if n == 3 && len(to) == 0 { // as most pieces
		switch o := lattice.Orient(points[0], points[1], points[2]); {
		case o > 0:
			return append(to, points[0], points[1], points[2])
		case o < 0:
			return append(to, points[0], points[2], points[1])
		}
	}
	for pass := range 2 { // the lower side from west to east, then the upper side back
		start := len(to)
		for i := range n {
			p := points[i]
			if pass > 0 {
				p = points[n-1-i]
			}
			for len(to) >= start+2 && lattice.Orient(to[len(to)-2], to[len(to)-1], p) <= 0 {
				to = to[:len(to)-1]
			}
			if len(to) == start || to[len(to)-1] != p {
				to = append(to, p)
			}
		}
		if len(to) > 1 {
			to = to[:len(to)-1]
		}
	}
	return to
}

// square lists the corners of a square counter-clockwise.
var square = [4][2]int32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}

// movedOut returns the places within out units, in both coordinates, of a convex ring from [hull]. Each corner of the
// ring moves by a corner of the square. Along edges towards one square corner, corners move by the square corner
// before.
func movedOut(convex []lattice.Point, out int32) lattice.Ring {
	return appendMovedOut(make(lattice.Ring, 0, len(convex)+4), convex, out)
}

// appendMovedOut appends the corners of [movedOut] to a ring.
func appendMovedOut(ring lattice.Ring, convex []lattice.Point, out int32) lattice.Ring {
	n := len(convex)
	i := 0
	for k, by := range square {
		towards := square[(k+1)%4]
		for {
			p := convex[i%n]
			ring = append(ring, lattice.Point{X: clamp(p.X + out*by[0]), Y: clamp(p.Y + out*by[1])})
			dx, dy := convex[(i+1)%n].Sub(p)
			dx, dy = dx*int64(towards[0]), dy*int64(towards[1])
			if dx >= 0 && dy >= 0 && dx+dy > 0 {
				i++
			}
			if dx <= 0 || dy <= 0 {
				break // an edge along an axis goes on with the next corner of the square
			}
		}
	}
	return ring
}

package planar

import "github.com/meadow-nav/meadow/lattice"

// Fault says what keeps a closed polyline from being the border of a region, and at which of
// its points: fewer than three points, a repeated point, a right turn, a turn back on itself, more
// than one turn around, no area. The empty string means that the polyline is convex, simple,
// counter-clockwise and of positive area. Corners in the middle of a straight side are allowed.
// It is exact and takes time O(n).
func Fault(ring []lattice.Point) (fault string, at int) {
	n := len(ring)
	if n < 3 {
		return "fewer than three corners", 0
	}
	// A closed polyline that never turns right nor back goes around its inside once for every time
	// that its direction passes east, so counting the passages tells a star from a polygon.
	rounds := 0
	straight := true
	for i := range n {
		a, b, c := ring[i], ring[(i+1)%n], ring[(i+2)%n]
		if a == b {
			return "a repeated corner", i
		}
		turn := lattice.Orient(a, b, c)
		if turn < 0 {
			return "not convex", (i + 1) % n
		}
		if turn == 0 && lattice.Dot(b, a, c) > 0 {
			return "turns back on itself", (i + 1) % n
		}
		straight = straight && turn == 0
		if pointsDown(a, b) && !pointsDown(b, c) {
			rounds++
		}
	}
	if straight {
		return "no area", 0
	}
	if rounds != 1 {
		return "winds around itself more than once", 0
	}
	return "", 0
}

// Overlap reports whether two convex polygons, counter-clockwise, share a point inside of both.
// Two that do not are separated by the line through a side of one of them. Time O(mn), and O(m+n)
// where a side that separates is found early.
func Overlap(p, q []lattice.Point) bool { return !separates(p, q) && !separates(q, p) }

// separates reports whether a side of p has all of q on its right or on its line.
func separates(p, q []lattice.Point) bool {
	for i, a := range p {
		b := p[(i+1)%len(p)]
		apart := true
		for _, c := range q {
			if lattice.Orient(a, b, c) > 0 {
				apart = false
				break
			}
		}
		if apart {
			return true
		}
	}
	return false
}

// Near reports whether two convex polygons overlap or come within distance of each other.
// Time O(mn).
func Near(p, q []lattice.Point, distance uint64) bool {
	for i, a := range p {
		b := p[(i+1)%len(p)]
		for j, c := range q {
			if lattice.SegmentsDistance2(a, b, c, q[(j+1)%len(q)]).CompareInt(distance*distance) <= 0 {
				return true
			}
		}
	}
	return Overlap(p, q) // one inside of the other
}

// pointsDown reports whether the direction from a to b is in the lower half of the circle of
// directions: from west, included, to east, excluded.
func pointsDown(a, b lattice.Point) bool {
	return b.Y < a.Y || b.Y == a.Y && b.X < a.X
}

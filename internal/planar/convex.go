package planar

import "github.com/meadow-nav/meadow/geom/lattice"

// Fault describes the first fault of a closed polyline as the border of a region, with the index of the point: fewer
// than three points, a repeated point, a right turn, a turn back on itself, more than one turn around, no area. The
// empty string means that the polyline is convex, simple, counter-clockwise and of positive area. Corners in the middle
// of a straight side are allowed. The test is exact and takes time O(n).
func Fault(ring []lattice.Point) (fault string, at int) {
	n := len(ring)
	if n < 3 {
		return "fewer than three corners", 0
	}
	// A closed polyline without right turns or reversals goes around its inside once for every time that its direction
	// passes east; counting the passages tells a star from a polygon.
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

// Overlap reports whether two convex polygons, counter-clockwise, have a common inner point. Two convex polygons
// without a common inner point are separated by the line through a side of one of them. Time O(mn), and O(m+n) if a
// separating side is found early.
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

// Near reports whether two convex polygons overlap or come within distance of each other. Time O(mn).
func Near(p, q []lattice.Point, distance uint64) bool {
	for i, a := range p {
		b := p[(i+1)%len(p)]
		for j, c := range q {
			if lattice.SegmentsDistance2(a, b, c, q[(j+1)%len(q)]).CompareInt(distance*distance) <= 0 {
				return true
			}
		}
	}
	return Overlap(p, q) // one inside the other
}

// pointsDown reports whether the direction from a to b is in the lower half of the circle of
// directions: from west, included, to east, excluded.
func pointsDown(a, b lattice.Point) bool {
	return b.Y < a.Y || b.Y == a.Y && b.X < a.X
}

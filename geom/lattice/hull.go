package lattice

import "slices"

// Hull returns the corners of the convex hull of points, counter-clockwise from the smallest: nil for
// fewer than three different points, the two ends for points on a line. It sorts points. Time O(n log n).
//
// Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, Information
// Processing Letters 9 (1979).
func Hull(points []Point) Ring {
	sortPoints(points)
	points = slices.Compact(points)
	n := len(points)
	if n < 3 {
		return nil
	}
	ring := append(make(Ring, 0, n+1), points[0])
	for _, p := range points[1:] { // the lower side from west to east
		ring = turned(ring, 1, p)
	}
	for upper, i := len(ring), n-2; i >= 0; i-- { // then the upper side back
		ring = turned(ring, upper, points[i])
	}
	return ring[:len(ring)-1]
}

// turned appends a point to a chain, without the points before it where the chain would not turn left; the first
// ones stay.
func turned(chain Ring, first int, p Point) Ring {
	n := len(chain)
	for n > first && Orient(chain[n-2], chain[n-1], p) <= 0 {
		n--
	}
	return append(chain[:n], p)
}

// sortPoints sorts points; most hulls have few.
func sortPoints(points []Point) {
	const few = 24
	if len(points) > few {
		slices.SortFunc(points, Point.Compare)
		return
	}
	for i := 1; i < len(points); i++ {
		p := points[i]
		k := i
		for ; k > 0 && (p.X < points[k-1].X || p.X == points[k-1].X && p.Y < points[k-1].Y); k-- {
			points[k] = points[k-1]
		}
		points[k] = p
	}
}

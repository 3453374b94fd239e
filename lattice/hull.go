package lattice

import "slices"

// Hull returns the corners of the convex hull of points, counter-clockwise from the smallest: nil for
// fewer than three different points, the two ends for points on a line. It sorts points. Time O(n log n).
//
// Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, Information
// Processing Letters 9 (1979).
func Hull(points []Point) Ring {
	slices.SortFunc(points, Point.Compare)
	points = slices.Compact(points)
	if len(points) < 3 {
		return nil
	}
	var ring Ring
	for range 2 { // the lower side from west to east, then the upper side back
		start := len(ring)
		for _, p := range points {
			for len(ring) >= start+2 && Orient(ring[len(ring)-2], ring[len(ring)-1], p) <= 0 {
				ring = ring[:len(ring)-1]
			}
			ring = append(ring, p)
		}
		ring = ring[:len(ring)-1]
		slices.Reverse(points)
	}
	return ring
}

package lattice

import "math"

// ClipConvex returns the part of the segment from a to b inside a convex counter-clockwise ring, borders included, as positions
// from 0 at a to 1 at b. A side beside the segment, at a small angle, counts as slack units farther out, because its ends may
// be rounded; the places between are at most slack units from the ring. The positions are rounded, and ok is decided by them.
// By M. Cyrus and J. Beck, Computers & Graphics 3 (1978). Time O(n).
func (r Ring) ClipConvex(a, b Point, slack float64) (from, to float64, ok bool) {
	const small = 1.0 / 8 // sine of a small angle
	to = 1
	length := a.Distance(b)
	for i, p := range r {
		q := r[(i+1)%len(r)]
		// Inside on the left: the distances of both ends, times the length of the side.
		at, end := float64(Orient(p, q, a)), float64(Orient(p, q, b))
		if at >= 0 && end >= 0 {
			continue
		}
		if side := p.Distance(q); math.Abs(at-end) < small*side*length {
			at, end = at+float64(slack*side), end+float64(slack*side)
		}
		switch {
		case at < 0 && end < 0:
			return 0, 0, false
		case at < 0:
			from = max(from, at/(at-end))
		case end < 0:
			to = min(to, at/(at-end))
		}
	}
	return from, to, from <= to
}

package detail

// try fills the hole of the star by a fan, and reports whether all of its triangles turn left and stay
// within the limit.
//
// Proof of the cover: over a place lie as many left-turning triangles as their common boundary winds around the
// place. The boundary of the fan is the boundary of the old triangles, which cover the hole once; on a border
// it lacks the triangle of the vertex and the ends of the border, covered by the old ones. So the new triangles
// cover the rest once, and nothing else.
//
// Proof of the bounds: the intersection of an old and a new triangle is convex, and both surfaces are linear on
// it, so the difference is extreme at its corners. Corners are neighbours, with difference 0; the vertex, if it is
// still in the hole; and where an edge from the vertex to a neighbour crosses a new edge. The original is as far
// from the new surface as from the old one, plus the difference of the two. So the lower bound of a new triangle
// is the least sum of an old triangle's lower bound and the difference at a corner of their intersection, and
// likewise for the upper bound. Pairs that touch only in the corner count too, which never narrows the bounds.
func (s *star) try(apex int, limit int32) bool {
	k := s.k
	f := &s.trial
	f.apex = apex
	var ring [maxRing]int // neighbours from the apex on
	for j := range k {
		n := apex + j
		if n >= k {
			n -= k
		}
		ring[j] = n
	}
	ca := &s.cross[apex]
	for j := 1; j < k-1; j++ {
		p, q := ring[j], ring[j+1]
		if ca[p]+s.cross[p][q]-ca[q] <= 0 {
			return false
		}
	}
	f.cost, f.longest = 0, 0
	for j := 2; j < k-1; j++ {
		dx, dy := s.x[ring[j]]-s.x[apex], s.y[ring[j]]-s.y[apex]
		f.longest = max(f.longest, uint64(dx*dx)+uint64(dy*dy))
	}
	if s.flat {
		f.low, f.high = [maxRing]int32{}, [maxRing]int32{}
		return true
	}
	// Neighbours are on the right of the line from the apex to the vertex where ca is positive, then
	// on its left.
	for j := 1; j < k-1; j++ {
		p, q := ring[j], ring[j+1]
		low, high := s.low[p], s.high[p]
		if ca[p] > 0 {
			low = min(low, s.low[ring[j-1]], s.low[apex])
			high = max(high, s.high[ring[j-1]], s.high[apex])
		}
		if ca[q] < 0 {
			low = min(low, s.low[q], s.low[ring[k-1]])
			high = max(high, s.high[q], s.high[ring[k-1]])
		}
		f.low[j], f.high[j] = low, high
		if ca[p] >= 0 && ca[q] <= 0 && s.cross[p][q] >= 0 {
			// The vertex is in this triangle of the fan.
			down, up, ok := scaled(s.determinant(apex, q, p), ca[p]+s.cross[p][q]-ca[q])
			if !ok || !f.widen(j, s.lowest+down, s.highest+up, limit) {
				return false
			}
		}
	}
	if s.open && !s.pastBorder(&ring, limit) {
		return false
	}
	for i := 1; i < k; i++ {
		n := ring[i]
		low, high := min(s.low[n], s.low[ring[i-1]]), max(s.high[n], s.high[ring[i-1]])
		// On the right, edges to the neighbours farther on lie between; on the left, edges to the neighbours before.
		step, end := 1, k
		if ca[n] < 0 {
			step, end = -1, 0
		}
		for j := i + step; j != end; j += step {
			m := ring[j]
			if ca[m] == 0 || (ca[m] > 0) != (step > 0) {
				break
			}
			den := s.cross[n][m] - s.cross[n][apex]
			o, p, q := n, apex, m
			if den < 0 {
				den, p, q = -den, m, apex
			}
			down, up, ok := scaled(s.determinant(o, p, q), den)
			if !ok || j > 1 && !f.widen(j-1, low+down, high+up, limit) || j < k-1 && !f.widen(j, low+down, high+up, limit) {
				return false
			}
		}
	}
	for j := 1; j < k-1; j++ {
		low, high := f.low[j], f.high[j]
		if low < -limit || high > limit {
			return false
		}
		f.cost = max(f.cost, -low, high)
	}
	return true
}

// pastBorder adds the new border of a vertex on the border to the bounds: the edges from the vertex to all
// neighbours except its ends cross the border edge, unless the vertex is on it. If the apex is an end of the
// border edge, the edge counts among the apex's edges.
func (s *star) pastBorder(ring *[maxRing]int, limit int32) bool {
	last := s.k - 1
	apex := ring[0]
	if apex == 0 || apex == last || s.cross[0][last] == 0 {
		return true
	}
	j := last - apex
	for i := range s.k {
		n := ring[i]
		if n == 0 || n == last {
			continue
		}
		low, high := min(s.low[n], s.low[n-1]), max(s.high[n], s.high[n-1])
		den := s.cross[n][last] - s.cross[n][0]
		o, p, q := n, 0, last
		if den < 0 {
			den, p, q = -den, last, 0
		}
		down, up, ok := scaled(s.determinant(o, p, q), den)
		if !ok || !s.trial.widen(j, low+down, high+up, limit) {
			return false
		}
	}
	return true
}

// determinant returns the determinant of three neighbours: six times the volume of their tetrahedron with the
// vertex, and the numerator of all differences.
func (s *star) determinant(o, p, q int) wide {
	cpq, cqo, cop := s.cross[p][q], s.cross[q][o], s.cross[o][p]
	if s.narrow {
		n := s.z[o]*cpq + s.z[p]*cqo + s.z[q]*cop
		return wide{uint64(n >> 63), uint64(n)}
	}
	return product(s.z[o], cpq).plus(product(s.z[p], cqo)).plus(product(s.z[q], cop))
}

// widen adds the bounds at a place to the bounds of triangle j, and reports whether they stay within the
// limit.
func (f *fan) widen(j int, low, high, limit int32) bool {
	f.low[j], f.high[j] = min(f.low[j], low), max(f.high[j], high)
	return f.low[j] >= -limit && f.high[j] <= limit
}

package lattice

// Ring is a closed polyline; the last point does not repeat the first.
type Ring []Point

// Polygon is a connected piece of the plane: Rings[0] is its counter-clockwise outer ring, the
// others are clockwise holes. Walking along any ring, the inside is on the left.
type Polygon struct{ Rings []Ring }

// Area2 returns twice the signed area of r, positive when r is counter-clockwise. It is exact for every
// simple ring of a frame. The area is at most the frame's, so the result fits, and intermediate sums that
// wrap wrap back. A ring that winds around more than the area of the frame in total may wrap.
func (r Ring) Area2() int64 {
	var sum int64
	for i := range r {
		sum += Orient(r[0], r[i], r[(i+1)%len(r)])
	}
	return sum
}

// Area2 returns twice the area of p.
func (p Polygon) Area2() int64 {
	var sum int64
	for _, r := range p.Rings {
		sum += r.Area2()
	}
	return sum
}

// Len returns the number of points in all rings.
func (p Polygon) Len() int {
	n := 0
	for _, r := range p.Rings {
		n += len(r)
	}
	return n
}

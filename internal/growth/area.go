package growth

// corner is a point of a region that need not be on the lattice.
type corner struct{ x, y float64 }

// Area returns the area of the region in b around triangle start, in lattice units squared up to rounding.
//
// Time O(k·m) for k triangles of the region, m of whose edges are walls.
func (w *World) Area(start int32, b Box) float64 {
	w.collect(start, b)
	// From the corner of the box on, so rounding does not depend on the place in the world.
	width, height := float64(b[East]+b[West]), float64(b[North]+b[South])
	at := func(v int32) corner {
		return corner{float64(int64(w.P[v].X) + b[West]), float64(int64(w.P[v].Y) + b[South])}
	}
	ring := append(w.ring[:0], corner{0, 0}, corner{width, 0}, corner{width, height}, corner{0, height})
	spare := w.spare
	for _, c := range w.contacts {
		ring, spare = clip(spare[:0], ring, at(c.from), at(c.to)), ring
	}
	w.ring, w.spare = ring, spare
	if len(ring) == 0 {
		return 0
	}
	sum, o := 0.0, ring[0]
	for i := 2; i < len(ring); i++ {
		p, q := ring[i-1], ring[i]
		sum += float64((p.x-o.x)*(q.y-o.y)) - float64((p.y-o.y)*(q.x-o.x))
	}
	return sum / 2
}

// clip appends to out the part of the convex ring to the left of the line from a to b.
func clip(out, ring []corner, a, b corner) []corner {
	left := func(c corner) float64 {
		return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
	}
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		s, t := left(p), left(q)
		if s >= 0 {
			out = append(out, p)
		}
		if s > 0 && t < 0 || s < 0 && t > 0 {
			f := s / (s - t)
			out = append(out, corner{p.x + float64(f*(q.x-p.x)), p.y + float64(f*(q.y-p.y))})
		}
	}
	return out
}

package growth

import "github.com/meadow-nav/meadow/lattice"

// corner is a point of a region that need not be on the lattice.
type corner struct{ x, y float64 }

// Area returns the area that the region in b that triangle start is a part of would have, in lattice units squared up
// to rounding. It is the same on every machine.
//
// Time O(k·m) for k triangles of the region, m of whose edges are walls.
func (w *World) Area(start int32, b Box) float64 {
	w.collect(start, b)
	east, north, west, south := float64(b[East]), float64(b[North]), -float64(b[West]), -float64(b[South])
	ring := append(w.ring[:0], corner{west, south}, corner{east, south}, corner{east, north}, corner{west, north})
	spare := w.spare
	for _, c := range w.contacts {
		ring, spare = clip(spare[:0], ring, w.P[c.from], w.P[c.to]), ring
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

// clip appends to out what of the convex ring is to the left of the line from a to b.
func clip(out, ring []corner, a, b lattice.Point) []corner {
	ax, ay := float64(a.X), float64(a.Y)
	dx, dy := float64(b.X)-ax, float64(b.Y)-ay
	left := func(c corner) float64 { return float64(dx*(c.y-ay)) - float64(dy*(c.x-ax)) }
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

package erode

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// inside is the distance from the border of a region, in units, at which its height is taken: at the border the layer
// may have the height of another floor.
const inside = 4

// height returns the height of the floor of a region at a point: of the layer's heights there, the nearest to the
// height by the region's corners.
func (s *surface) height(region int32, p lattice.Point) float64 {
	r := &s.regions[region]
	guess := r.guess(p)
	floor := s.heights[r.layer]
	best, off := guess, math.Inf(1)
	middle := r.middle()
	x, y := float64(p.X), float64(p.Y)
	if away := math.Hypot(middle.x-x, middle.y-y); away > inside {
		x, y = x+float64((middle.x-x)*(inside/away)), y+float64((middle.y-y)*(inside/away))
	}
	for limit, reach := math.Inf(1), float64(inside); ; {
		z, ok := floor.HeightBelow(x, y, limit, reach)
		if !ok || z > limit {
			return best
		}
		if d := math.Abs(z - guess); d < off {
			best, off = z, d
		}
		limit, reach = z-lattice.UnitsPerMetre/16, 0
	}
}

// middle returns the mean of the corners.
func (r *region) middle() place {
	var m place
	for _, p := range r.ring {
		m.x, m.y = m.x+float64(p.X), m.y+float64(p.Y)
	}
	n := float64(len(r.ring))
	return place{m.x / n, m.y / n}
}

// guess returns the height of a region at a point by a fan of triangles from its first corner.
func (r *region) guess(p lattice.Point) float64 {
	n := len(r.ring)
	for i := 1; i+1 < n; i++ {
		a, b, c := r.ring[0], r.ring[i], r.ring[i+1]
		area2 := lattice.Orient(a, b, c)
		if area2 <= 0 || lattice.Orient(a, c, p) > 0 && i+2 < n {
			continue
		}
		wb, wc := float64(lattice.Orient(a, p, c))/float64(area2), float64(lattice.Orient(a, b, p))/float64(area2)
		za := float64(r.z[0])
		z := za + float64(wb*(float64(r.z[i])-za)) + float64(wc*(float64(r.z[i+1])-za))
		return min(max(z, float64(slices.Min(r.z))), float64(slices.Max(r.z)))
	}
	return float64(r.z[0])
}

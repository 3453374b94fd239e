package exact

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// joinedConvex returns convex rings that cover the same places. Two rings with a common edge become one ring if the
// union is convex, as the two triangles of a square. Many rings stay as they are. The result reuses the slice.
func joinedConvex(rings []lattice.Ring) []lattice.Ring {
	const most = 64 // the time is quadratic
	if len(rings) > most {
		return rings
	}
	for i := 0; i < len(rings); i++ {
		for k := i + 1; k < len(rings); {
			both := glued(rings[i], rings[k])
			if both == nil {
				k++
				continue
			}
			rings[i] = both
			rings = slices.Delete(rings, k, k+1)
		}
	}
	return rings
}

// glued returns the convex union of two rings on the two sides of a common edge, nil if none exists.
func glued(a, b lattice.Ring) lattice.Ring {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		k := slices.Index(b, q)
		if k < 0 || b[(k+1)%len(b)] != p {
			continue
		}
		// The rest of the first ring is on the left of the edge, the rest of the second on the right. The union may
		// turn back at the two ends of the edge.
		atP := lattice.Orient(a[(i+len(a)-1)%len(a)], p, b[(k+2)%len(b)])
		atQ := lattice.Orient(b[(k+len(b)-1)%len(b)], q, a[(i+2)%len(a)])
		if atP < 0 || atQ < 0 {
			return nil
		}
		ring := make(lattice.Ring, 0, len(a)+len(b)-2)
		if atQ > 0 {
			ring = append(ring, q)
		}
		for n := 2; n < len(a); n++ {
			ring = append(ring, a[(i+n)%len(a)])
		}
		if atP > 0 {
			ring = append(ring, p)
		}
		for n := 2; n < len(b); n++ {
			ring = append(ring, b[(k+n)%len(b)])
		}
		return ring
	}
	return nil
}

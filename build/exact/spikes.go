package exact

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// withoutSpikes cuts off dead ends nowhere wider than [blunt]. An agent's centre has no use for dead ends. After a
// hand-over the tip of a dead end lies over no floor of the new layer.
func withoutSpikes(o overlay.Outline) overlay.Outline {
	for r := range o.Rings {
		for k := 0; k < len(o.Rings[r]) && len(o.Rings[r]) > 3; {
			if !isSpike(&o, r, k) {
				k++
				continue
			}
			o.Labels[r][(k+len(o.Rings[r])-1)%len(o.Rings[r])] = wall
			// The edges before and behind may be a spike now, so their tips are tested again.
			o.Rings[r], o.Labels[r] = slices.Delete(o.Rings[r], k, k+1), slices.Delete(o.Labels[r], k, k+1)
			k = max(k-1, 0)
		}
	}
	return o
}

// isSpike reports whether the corner k of ring r is the tip of a dead end.
func isSpike(o *overlay.Outline, r, k int) bool {
	ring, labels := o.Rings[r], o.Labels[r]
	before := (k + len(ring) - 1) % len(ring)
	a, tip, b := ring[before], ring[k], ring[(k+1)%len(ring)]
	if lattice.Orient(a, tip, b) <= 0 || lattice.Dot(tip, a, b) <= 0 || labels[k] == beyond || labels[before] == beyond {
		return false
	}
	// An edge that lies wholly near the other goes with the tip. The other edge, a wall, then leads to the far end of
	// the lost edge.
	goesIn := labels[k] == wall && lattice.SegmentDistance2(a, tip, b).CompareInt(blunt*blunt) <= 0
	goesOut := labels[before] == wall && lattice.SegmentDistance2(b, a, tip).CompareInt(blunt*blunt) <= 0
	if !goesIn && !goesOut {
		return false
	}
	// The border must stay simple: no other part of the border may lie in the cut, touch the tip, or run along the cut.
	for i, other := range o.Rings {
		for j, p := range other {
			switch next := other[(j+1)%len(other)]; {
			case p == tip && (i != r || j != k), p == a && next == b, p == b && next == a:
				return false
			case p != a && p != tip && p != b &&
				lattice.Orient(a, tip, p) >= 0 && lattice.Orient(tip, b, p) >= 0 && lattice.Orient(b, a, p) >= 0:
				return false
			}
		}
	}
	return true
}

package dasfv

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// checked returns new obstacles with their IDs, or the first fault among them.
func (w *World) checked(rings []lattice.Ring) ([]*obstacle, error) {
	var fresh []*obstacle
	for i, ring := range rings {
		if len(ring) < 3 || len(ring) > MaxCorners {
			return nil, fmt.Errorf("dasfv: obstacle %d has %d corners, must be 3 to %d", i, len(ring), MaxCorners)
		}
		for _, p := range ring {
			if !reaches(lattice.BoxOf(p)) {
				return nil, fmt.Errorf("dasfv: obstacle %d: the corner %v is out of reach: coordinates must be within ±%d units", i, p, MaxReach)
			}
		}
		hull := lattice.Hull(slices.Clone(ring))
		if len(hull) != len(ring) || hull.Area2() != max(ring.Area2(), -ring.Area2()) {
			return nil, fmt.Errorf("dasfv: obstacle %d at %v is not strictly convex", i, ring[0])
		}
		o := &obstacle{id: w.obstacle + ID(i), ring: hull, box: hull.Box()}
		if at, near := o.cramped(); near {
			return nil, fmt.Errorf("dasfv: obstacle %d is too thin at %v: a slanted edge keeps more than %d units away from other corners", i, at, Apart)
		}
		if at, near := w.rim(o); near {
			return nil, fmt.Errorf("dasfv: obstacle %d has a slanted edge within %d units of the rim of the floor at %v", i, Apart, at)
		}
		for _, other := range w.obstacles {
			if at, near := o.near(other); near {
				return nil, fmt.Errorf("dasfv: obstacle %d at %v is within %d units of the standing obstacle %d, and one of the edges there is slanted", i, at, Apart, other.id)
			}
		}
		for k, other := range fresh {
			if at, near := o.near(other); near {
				return nil, fmt.Errorf("dasfv: obstacle %d at %v is within %d units of obstacle %d, and one of the edges there is slanted", i, at, Apart, k)
			}
		}
		fresh = append(fresh, o)
	}
	return fresh, nil
}

// cramped tells whether a corner of o is near a slanted edge of o that does not end there.
func (o *obstacle) cramped() (at lattice.Point, near bool) {
	for i := range o.ring {
		a, b := o.edge(i)
		for _, p := range o.ring {
			if o.slanted(i) && p != a && p != b && close2(p, p, a, b) {
				return p, true
			}
		}
	}
	return at, false
}

// near tells whether an edge of o is near an edge of another obstacle, one of the two slanted.
func (o *obstacle) near(other *obstacle) (at lattice.Point, near bool) {
	if !o.box.Overlaps(widened(other.box, Apart)) {
		return at, false
	}
	for i := range o.ring {
		a, b := o.edge(i)
		for j := range other.ring {
			c, d := other.edge(j)
			if (o.slanted(i) || other.slanted(j)) && close2(a, b, c, d) {
				return a, true
			}
		}
	}
	return at, false
}

// rim tells whether a slanted edge of o is near the border of the floor.
func (w *World) rim(o *obstacle) (at lattice.Point, near bool) {
	floor := obstacle{ring: ringOf(w.floor), box: w.floor}
	return o.near(&floor)
}

// close2 tells whether two segments are at most Apart units from each other.
func close2(a, b, c, d lattice.Point) bool {
	return lattice.SegmentsDistance2(a, b, c, d).CompareInt(Apart*Apart) <= 0
}

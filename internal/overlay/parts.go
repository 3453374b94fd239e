package overlay

import (
	"errors"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// An offset adds to polygons a rectangle beside every edge and a sector at every convex corner. Callers with
// borders that belong to no polygon, because they overlap, can add the parts one by one:
// TestPartsMakeTheOffset.

var errOutside = errors.New("overlay: offset leaves the frame")

// Beside returns the rectangle within the distance of the edge from a to b on its right, counter-clockwise.
// The Distance must be above 0, and a and b must differ.
func (o Offset) Beside(a, b lattice.Point) (lattice.Ring, error) {
	m := mover{offset: o, distance: o.Distance, at: a}
	right := direction(a, b).right()
	m.touch(right)
	m.at = b
	m.touch(right)
	if m.outside {
		return nil, errOutside
	}
	return append(m.out, b, a), nil
}

// Corner returns the sector at v within the distance, between the normals to the right of the edges from prev to v
// and from v to next, which turn left by at most half a turn. It is counter-clockwise, with the joins of o in place
// of an arc. The Distance must be above 0, and the points must differ.
func (o Offset) Corner(prev, v, next lattice.Point) (lattice.Ring, error) {
	in, out := direction(prev, v), direction(v, next)
	m := mover{offset: o, distance: o.Distance, at: v}
	m.touch(in.right())
	m.join(in, out, 0)
	m.touch(out.right())
	if m.outside {
		return nil, errOutside
	}
	return append(slices.Compact(m.out), v), nil
}

// Convex returns the outline of the places within the distance of a convex ring: counter-clockwise, with a left turn at
// every corner, and nil where rounding leaves no area. The ring is counter-clockwise and does not repeat points; two
// points are a segment, one point is a point. The Distance must be above 0. Time O(n log n) for n corners of the outline.
func (o Offset) Convex(r lattice.Ring) (lattice.Ring, error) {
	m := mover{offset: o, distance: o.Distance, out: make(lattice.Ring, 0, 2*len(r)+8)}
	if len(r) == 1 {
		m.at = r[0]
		east, west := vector{1, 0}, vector{-1, 0}
		m.join(east, west, 0)
		m.join(west, east, 0)
	} else {
		for i, v := range r {
			m.at = v
			m.join(direction(r[(i+len(r)-1)%len(r)], v), direction(v, r[(i+1)%len(r)]), 0)
		}
	}
	if m.outside {
		return nil, errOutside
	}
	if out := lattice.Hull(m.out); len(out) > 2 {
		return out, nil
	}
	return nil, nil
}

package repair

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Obstacles amid a region.
//
// Idea: convex obstacles away from all lines and from each other cross nothing, and no rounding bends anything. The arrangement is
// then known: the border of the region, and a hole for each obstacle. Most obstacles of a world stand like that.
//
// Guarantees: the rings are those of the arrangement (TestHolesAreTheArrangement).
//
// Cost: O(n·m + m²) for n sides near the region and m corners of obstacles.

const (
	// clearance is the least distance, in lattice units, between lines that do not bend each other: a point bends the lines
	// through its unit square.
	clearance = 2
	// mostHoles and mostCorners bound the obstacles and their corners: the arrangement sorts, and is quicker with many.
	mostHoles, mostCorners = 8, 24
)

// holes finds the border of a region with obstacles amid the region, if that is all there is.
func (a *arrangement) holes(r *Region, outlines []Outline) (rings []ring, ok bool) {
	if len(outlines) > mostHoles {
		return nil, false
	}
	g := r.groundwork()
	var boxes [mostHoles]lattice.Box
	a.hot = a.hot[:0]
	for i := range outlines {
		o := &outlines[i]
		if o.Kind != Obstacle && o.Kind != Foreign || len(o.Rings) != 1 || len(o.Rings[0]) > mostCorners {
			return nil, false
		}
		hole := o.Rings[0]
		box := lattice.BoxOf(hole...)
		for _, other := range boxes[:i] {
			if box.Overlaps(other) {
				return nil, false
			}
		}
		// The boxes of two obstacles are farther apart than either is from its own.
		boxes[i] = lattice.Box{
			Min: lattice.Point{X: box.Min.X - clearance, Y: box.Min.Y - clearance}, Max: lattice.Point{X: box.Max.X + clearance, Y: box.Max.Y + clearance},
		}
		if !g.around(hole, box, boxes[i]) || !isRound(hole) {
			return nil, false
		}
		if o.Kind == Obstacle {
			for _, p := range hole {
				a.hot = append(a.hot, keyOf(p))
			}
		}
	}
	slices.Sort(a.hot)
	a.merge(g.keys)
	n := 1
	outer := a.ring(0)
	for i := range g.own {
		s := &g.segments[i]
		outer.vertices, outer.labels = append(outer.vertices, a.vertex(s.a)), append(outer.labels, s.label)
	}
	for i := range outlines {
		if outlines[i].Kind != Obstacle {
			continue
		}
		hole, out := outlines[i].Rings[0], a.ring(n)
		n++
		for k := range hole {
			// Backwards from the first point on: the floor is on the left.
			p := hole[0]
			if k > 0 {
				p = hole[len(hole)-k]
			}
			out.vertices, out.labels = append(out.vertices, a.vertex(p)), append(out.labels, Wall)
		}
	}
	return a.rings[:n], true
}

// ring returns ring i of the memory, empty.
func (a *arrangement) ring(i int) *ring {
	if i == len(a.rings) {
		a.rings = append(a.rings, ring{})
	}
	r := &a.rings[i]
	r.vertices, r.labels = r.vertices[:0], r.labels[:0]
	return r
}

// merge makes points of the hot points and of others, both sorted.
func (a *arrangement) merge(others []uint64) {
	a.keys, a.points = a.keys[:0], a.points[:0]
	hot := a.hot
	for len(hot) > 0 || len(others) > 0 {
		var k uint64
		if len(others) == 0 || len(hot) > 0 && hot[0] < others[0] {
			k, hot = hot[0], hot[1:]
		} else {
			k, others = others[0], others[1:]
		}
		a.keys, a.points = append(a.keys, k), append(a.points, pointOf(k))
	}
}

// isRound reports whether a ring is convex and counter-clockwise, and every corner is clear of all sides but its own.
func isRound(ring lattice.Ring) bool {
	n := len(ring)
	if n < 3 {
		return false
	}
	a := ring[n-1]
	for i, b := range ring {
		dx, dy := b.Sub(a)
		least := clearance * (max(dx, -dx) + max(dy, -dy))
		for k := range n - 2 {
			j := i + 1 + k
			if j >= n {
				j -= n
			}
			if x, y := ring[j].Sub(a); dx*y-dy*x < least {
				return false
			}
		}
		a = b
	}
	return true
}

// around reports whether a ring with its box is inside of the region, clear of all lines.
func (g *groundwork) around(ring lattice.Ring, box, reach lattice.Box) bool {
	for i := range g.segments {
		s := &g.segments[i]
		if i >= g.own && !s.box.Overlaps(reach) {
			continue
		}
		dx, dy := s.b.Sub(s.a)
		least := clearance * (max(dx, -dx) + max(dy, -dy))
		// The corner of the box nearest to the line from its left.
		nearest := lattice.Point{X: box.Min.X, Y: box.Max.Y}
		if dy > 0 {
			nearest.X = box.Max.X
		}
		if dx > 0 {
			nearest.Y = box.Min.Y
		}
		if x, y := nearest.Sub(s.a); dx*y-dy*x >= least {
			continue
		}
		left, right := true, i >= g.own
		for _, p := range ring {
			x, y := p.Sub(s.a)
			off := dx*y - dy*x
			left, right = left && off >= least, right && off <= -least
		}
		if !left && !right {
			return false
		}
	}
	return true
}

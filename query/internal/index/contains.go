package index

import "github.com/meadow-nav/meadow/geom/lattice"

// coreOf returns a box inside region r, whose bounding box is b. The core starts as the largest box between the middle
// of the region and b; then each side moves out as far as possible. A region too thin for a core has an empty core. Time
// O(n) for n corners.
func (ix *Index) coreOf(r uint32, b box) lattice.Box {
	ring := ix.Ring(r)
	middle := ix.Region(r).Center
	core := lattice.Box{Min: middle, Max: middle}
	if !inRing(ring, middle) {
		return lattice.EmptyBox()
	}
	low, high := lattice.Point{X: b.Low[0], Y: b.Low[1]}, lattice.Point{X: b.High[0], Y: b.High[1]}
	for _, bound := range [5]lattice.Box{
		{Min: low, Max: high},
		{Min: lattice.Point{X: low.X, Y: middle.Y}, Max: middle},
		{Min: lattice.Point{X: middle.X, Y: low.Y}, Max: middle},
		{Min: middle, Max: lattice.Point{X: high.X, Y: middle.Y}},
		{Min: middle, Max: lattice.Point{X: middle.X, Y: high.Y}},
	} {
		// Sides that the bound leaves at the middle stay.
		bound = bound.Union(core)
		if c := towards(core, bound, partWithin(ring, core, bound)); boxWithin(ring, c) {
			core = c
		}
	}
	return core
}

// partWithin returns how far the sides of a box in a ring can move towards a larger box, as a part of the way, less a
// billionth for rounding. Each edge limits the corner of the box nearest to the edge.
func partWithin(ring []lattice.Vertex, from, to lattice.Box) float64 {
	part := 1.0
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		dx, dy := b.Sub(a)
		p, q := lattice.Point{X: from.Min.X, Y: from.Max.Y}, lattice.Point{X: to.Min.X, Y: to.Max.Y}
		if dy > 0 {
			p.X, q.X = from.Max.X, to.Max.X
		}
		if dx > 0 {
			p.Y, q.Y = from.Min.Y, to.Min.Y
		}
		if over := -lattice.Orient(a, b, q); over > 0 {
			room := float64(lattice.Orient(a, b, p))
			part = min(part, room/(room+float64(over)))
		}
		a = b
	}
	return part * (1 - 1e-9)
}

// towards moves the sides of a box towards those of a larger box by a part of the way, rounded towards the first.
func towards(from, to lattice.Box, part float64) lattice.Box {
	between := func(a, b int32) int32 { return a + int32(float64(part*float64(int64(b)-int64(a)))) }
	return lattice.Box{
		Min: lattice.Point{X: between(from.Min.X, to.Min.X), Y: between(from.Min.Y, to.Min.Y)},
		Max: lattice.Point{X: between(from.Max.X, to.Max.X), Y: between(from.Max.Y, to.Max.Y)},
	}
}

// boxWithin reports whether a convex ring contains a box: whether it contains the corners.
func boxWithin(ring []lattice.Vertex, b lattice.Box) bool {
	return inRing(ring, b.Min) && inRing(ring, b.Max) &&
		inRing(ring, lattice.Point{X: b.Min.X, Y: b.Max.Y}) && inRing(ring, lattice.Point{X: b.Max.X, Y: b.Min.Y})
}

// Contains reports exactly whether p is in region r or on its border.
func (ix *Index) Contains(r uint32, p lattice.Point) bool {
	return ix.Region(r).Core.Contains(p) || ix.within(r, p)
}

// inCore reports whether a place is in the core of region r, at least inwards from the sides of the core.
func (ix *Index) inCore(r uint32, x, y, inwards float64) bool {
	c := &ix.Region(r).Core
	return float64(c.Min.X)+inwards <= x && x <= float64(c.Max.X)-inwards && float64(c.Min.Y)+inwards <= y && y <= float64(c.Max.Y)-inwards
}

// within is contains without the quick test of the core.
func (ix *Index) within(r uint32, p lattice.Point) bool { return inRing(ix.Ring(r), p) }

// inRing reports whether a point is in a convex ring or on its border.
func inRing(ring []lattice.Vertex, p lattice.Point) bool {
	// The orientation of each edge and p is the product of the vectors from p to its ends.
	x, y := ring[len(ring)-1].Sub(p)
	for i := range ring {
		nx, ny := ring[i].Sub(p)
		if x*ny-y*nx < 0 {
			return false
		}
		x, y = nx, ny
	}
	return true
}

// measure finds the centre, the core and the heights of a piece. The core is a box between the centre and the bounding
// box, found by fewer steps than by [Index.coreOf].
func (r *Region) measure() {
	first := r.Ring[0]
	low, high := first.Point, first.Point
	var x, y int64
	for _, v := range r.Ring {
		low.X, low.Y = min(low.X, v.X), min(low.Y, v.Y)
		high.X, high.Y = max(high.X, v.X), max(high.Y, v.Y)
		x, y = x+int64(v.X), y+int64(v.Y)
		r.Low, r.High = min(r.Low, v.Z), max(r.High, v.Z)
	}
	n := int64(len(r.Ring))
	r.Center = lattice.Point{X: int32(x / n), Y: int32(y / n)}
	r.Core = lattice.EmptyBox()
	const whole = 16
	for from, to := 0, whole; from < to; {
		by := int64(from+to+1) / 2
		between := func(a, b int32) int32 { return a + int32((int64(b)-int64(a))*by/whole) }
		box := lattice.Box{
			Min: lattice.Point{X: between(r.Center.X, low.X), Y: between(r.Center.Y, low.Y)},
			Max: lattice.Point{X: between(r.Center.X, high.X), Y: between(r.Center.Y, high.Y)},
		}
		if boxWithin(r.Ring, box) {
			r.Core, from = box, int(by)
		} else {
			to = int(by) - 1
		}
	}
}

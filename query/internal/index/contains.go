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

// boxWithin reports whether a convex ring contains a box: whether each edge has the corner nearest to it on its left.
func boxWithin(ring []lattice.Vertex, b lattice.Box) bool {
	from := ring[len(ring)-1].Point
	for i := range ring {
		to := ring[i].Point
		dx, dy := to.Sub(from)
		corner := lattice.Point{X: b.Min.X, Y: b.Max.Y}
		if dy > 0 {
			corner.X = b.Max.X
		}
		if dx > 0 {
			corner.Y = b.Min.Y
		}
		if x, y := corner.Sub(from); dx*y-dy*x < 0 {
			return false
		}
		from = to
	}
	return true
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

// measure finds the centre, the core and the heights of a piece. The core is the largest box between the centre and the
// bounding box: the first step of [Index.coreOf].
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
	// Rounding may have put the mean outside. The part of partWithin is less than the way to any edge, and each side of the box is rounded
	// towards the middle, so the box needs no test.
	if middle, whole := (lattice.Box{Min: r.Center, Max: r.Center}), (lattice.Box{Min: low, Max: high}); inRing(r.Ring, r.Center) {
		r.Core = towards(middle, whole, partWithin(r.Ring, middle, whole))
	}
}

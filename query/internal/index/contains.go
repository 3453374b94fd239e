package index

import "github.com/meadow-nav/meadow/geom/lattice"

// coreOf returns a box inside region r, whose bounding box is b. The core starts as the largest box between the middle
// of the region and b; then each side moves out as far as possible. A region too thin for a core has an empty core.
func (ix *Index) coreOf(r uint32, b box) lattice.Box {
	// towards moves the sides of c towards the sides of b, by the parts by/whole.
	const whole = 1 << 16
	towards := func(c lattice.Box, by [4]int64) lattice.Box {
		between := func(c, b int32, by int64) int32 { return c + int32((int64(b)-int64(c))*by/whole) }
		return lattice.Box{
			Min: lattice.Point{X: between(c.Min.X, b.Low[0], by[0]), Y: between(c.Min.Y, b.Low[1], by[1])},
			Max: lattice.Point{X: between(c.Max.X, b.High[0], by[2]), Y: between(c.Max.Y, b.High[1], by[3])},
		}
	}
	// The region is convex and contains a box if it contains the corners of the box.
	within := func(b lattice.Box) bool {
		return ix.within(r, b.Min) && ix.within(r, b.Max) &&
			ix.within(r, lattice.Point{X: b.Min.X, Y: b.Max.Y}) && ix.within(r, lattice.Point{X: b.Max.X, Y: b.Min.Y})
	}
	middle := ix.Region(r).Center
	core := lattice.Box{Min: middle, Max: middle}
	if !within(core) {
		return lattice.EmptyBox()
	}
	for _, sides := range [5][4]int64{{1, 1, 1, 1}, {0: 1}, {1: 1}, {2: 1}, {3: 1}} {
		best := core
		for low, high := int64(0), int64(whole+1); high-low > 1; {
			by := (low + high) / 2
			if c := towards(core, [4]int64{by * sides[0], by * sides[1], by * sides[2], by * sides[3]}); within(c) {
				low, best = by, c
			} else {
				high = by
			}
		}
		core = best
	}
	return core
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
func (ix *Index) within(r uint32, p lattice.Point) bool {
	ring := ix.Ring(r)
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

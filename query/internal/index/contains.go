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
		if inRing(r.Ring, box.Min) && inRing(r.Ring, box.Max) &&
			inRing(r.Ring, lattice.Point{X: box.Min.X, Y: box.Max.Y}) && inRing(r.Ring, lattice.Point{X: box.Max.X, Y: box.Min.Y}) {
			r.Core, from = box, int(by)
		} else {
			to = int(by) - 1
		}
	}
}

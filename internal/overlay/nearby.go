package overlay

import "github.com/meadow-nav/meadow/geom/lattice"

// Nearby returns rings with the same winding numbers in a box, and with few corners. Edges that meet the box stay. Runs of other edges become
// shorter runs around the box on the same side. An overlay in the box then costs what lies in the box.
func Nearby(rings []lattice.Ring, b lattice.Box) []lattice.Ring {
	return Shortened(rings, func(p lattice.Point) int { return Beyond(p, b) })
}

// Beyond tells the sides of a box that a point is beyond, a bit for each. A segment between two points beyond the same side does not meet
// the box.
func Beyond(p lattice.Point, b lattice.Box) int {
	c := 0
	if p.X < b.Min.X {
		c |= 1
	}
	if p.X > b.Max.X {
		c |= 2
	}
	if p.Y < b.Min.Y {
		c |= 4
	}
	if p.Y > b.Max.Y {
		c |= 8
	}
	return c
}

// Shortened is [Nearby] for any convex zone, given the sides of the zone that a point is beyond.
func Shortened(rings []lattice.Ring, beyond func(p lattice.Point) int) []lattice.Ring {
	out := make([]lattice.Ring, 0, len(rings))
	for _, r := range rings {
		if n := shortened(r, beyond); len(n) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// shortened is Shortened for one ring, nil if the ring does not matter.
func shortened(r lattice.Ring, beyond func(p lattice.Point) int) lattice.Ring {
	all, none := -1, true
	for _, p := range r {
		c := beyond(p)
		all &= c
		none = none && c == 0
	}
	switch {
	case all != 0:
		return nil
	case none:
		return r
	}
	var out lattice.Ring
	for _, p := range r {
		c := beyond(p)
		for n := len(out); n > 1 && c&beyond(out[n-1])&beyond(out[n-2]) != 0; n-- {
			out = out[:n-1]
		}
		out = append(out, p)
	}
	return out
}

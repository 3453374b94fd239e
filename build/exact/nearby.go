package exact

import "github.com/meadow-nav/meadow/geom/lattice"

// nearby returns rings with the same winding numbers in a box, seen from above, and with few corners. Edges that meet
// the box stay. Runs of other edges become shorter runs around the box on the same side.
func nearby(rings []lattice.Ring, b *box3) []lattice.Ring {
	out := make([]lattice.Ring, 0, len(rings))
	for _, r := range rings {
		if n := shortened(r, b); len(n) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// shortened is nearby for one ring, nil if the ring does not matter in the box.
func shortened(r lattice.Ring, b *box3) lattice.Ring {
	all, none := 15, true
	for _, p := range r {
		c := outside(p, b)
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
		c := outside(p, b)
		for n := len(out); n > 1 && c&outside(out[n-1], b)&outside(out[n-2], b) != 0; n-- {
			out = out[:n-1]
		}
		out = append(out, p)
	}
	return out
}

// outside tells the sides of a box that a point is beyond, a bit for each. A segment between two points beyond the same
// side does not meet the box.
func outside(p lattice.Point, b *box3) int {
	c := 0
	if p.X < b.Low[0] {
		c |= 1
	}
	if p.X > b.High[0] {
		c |= 2
	}
	if p.Y < b.Low[1] {
		c |= 4
	}
	if p.Y > b.High[1] {
		c |= 8
	}
	return c
}

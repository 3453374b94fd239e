package exact

import "github.com/meadow-nav/meadow/geom/lattice"

// nearby returns rings with the same winding numbers in a box, seen from above, and with few corners. Edges that meet
// the box stay. Runs of other edges become shorter runs around the box on the same side.
func nearby(rings []lattice.Ring, b *box3) []lattice.Ring {
	return shortenedAll(rings, func(p lattice.Point) int { return outside(p, b) })
}

// nearTriangle is [nearby] for a zone.
func nearTriangle(rings []lattice.Ring, z *zone) []lattice.Ring {
	return shortenedAll(rings, z.outside)
}

func shortenedAll(rings []lattice.Ring, outside func(p lattice.Point) int) []lattice.Ring {
	out := make([]lattice.Ring, 0, len(rings))
	for _, r := range rings {
		if n := shortened(r, outside); len(n) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// shortened is nearby for one ring, nil if the ring does not matter. A segment between two points beyond the same side does not matter.
func shortened(r lattice.Ring, outside func(p lattice.Point) int) lattice.Ring {
	all, none := -1, true
	for _, p := range r {
		c := outside(p)
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
		c := outside(p)
		for n := len(out); n > 1 && c&outside(out[n-1])&outside(out[n-2]) != 0; n-- {
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

// zone is a triangle and the places within a distance of its sides, seen from above.
type zone struct {
	box   box3
	v     [3]lattice.Point // counter-clockwise
	least [3]float64       // the least cross product of a place in the zone with each side
}

func zoneOf(t *[3]lattice.Vertex, by int32) zone {
	z := zone{box: boxOf(t[:]...).Grown(by), v: [3]lattice.Point{t[0].Point, t[1].Point, t[2].Point}}
	for i, p := range z.v {
		z.least[i] = -float64(by) * p.Distance(z.v[next3[i]])
	}
	return z
}

// outside tells the sides of the zone that a point is beyond, a bit for each.
func (z *zone) outside(p lattice.Point) int {
	c := outside(p, &z.box)
	for i, v := range z.v {
		if float64(lattice.Orient(v, z.v[next3[i]], p)) < z.least[i] {
			c |= 16 << i
		}
	}
	return c
}

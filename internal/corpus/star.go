package corpus

import (
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// star returns a star-shaped outer ring whose points are between radius and a tenth more of it, or
// far out, with a hole of the same kind in some cells of a grid inside.
func star(r *rand.Rand, points, holes int) lattice.Polygon {
	cells := 1
	for cells*cells < holes {
		cells++
	}
	const cell = 1 << 12
	// The square of cells·cell units fits inside of the circle of this radius, with some room.
	radius := int32(cells*cell*3/4) + cell
	perRing := max(points/(holes+1), 5)
	p := lattice.Polygon{Rings: []lattice.Ring{starRing(r, lattice.Point{}, radius, 4*radius, points-perRing*holes)}}
	places := r.Perm(cells * cells)
	for _, k := range places[:holes] {
		center := lattice.Point{
			X: int32(k%cells)*cell + cell/2 - int32(cells)*cell/2,
			Y: int32(k/cells)*cell + cell/2 - int32(cells)*cell/2,
		}
		hole := starRing(r, center, cell/16, cell/2-1, perRing)
		slices.Reverse(hole)
		p.Rings = append(p.Rings, hole)
	}
	return p
}

// starRing returns a counter-clockwise ring around center of about n points between the two distances in the
// larger coordinate. It winds once, always to the left as seen from the center, so it is simple.
func starRing(r *rand.Rand, center lattice.Point, least, most int32, n int) lattice.Ring {
	n = max(n, 4)
	directions := make([]lattice.Point, 0, n+4)
	for range n {
		directions = append(directions, lattice.Point{X: jitter(r, least), Y: jitter(r, least)})
	}
	// Four directions that leave no half-turn without a point.
	directions = append(directions, lattice.Point{X: least, Y: least}, lattice.Point{X: -least, Y: least},
		lattice.Point{X: -least, Y: -least}, lattice.Point{X: least, Y: -least})
	for i, d := range directions {
		size := max(d.X, -d.X, d.Y, -d.Y)
		if size == 0 {
			d, size = lattice.Point{X: 1}, 1
		}
		length := least + r.Int32N(1+(most-least)/20)
		if r.IntN(8) == 0 {
			length = least + r.Int32N(most-least+1)
		}
		directions[i] = lattice.Point{
			X: int32(int64(d.X) * int64(length) / int64(size)),
			Y: int32(int64(d.Y) * int64(length) / int64(size)),
		}
	}
	slices.SortFunc(directions, compareTurn)
	ring := make(lattice.Ring, 0, len(directions))
	for _, d := range directions {
		if len(ring) > 0 && compareTurn(directionOf(ring[len(ring)-1], center), d) == 0 {
			continue
		}
		ring = append(ring, lattice.Point{X: center.X + d.X, Y: center.Y + d.Y})
	}
	return ring
}

func directionOf(p, center lattice.Point) lattice.Point {
	return lattice.Point{X: p.X - center.X, Y: p.Y - center.Y}
}

// compareTurn orders directions counter-clockwise, beginning east.
func compareTurn(p, q lattice.Point) int {
	upper := func(d lattice.Point) int {
		if d.Y > 0 || d.Y == 0 && d.X > 0 {
			return 0
		}
		return 1
	}
	if a, b := upper(p), upper(q); a != b {
		return a - b
	}
	switch o := lattice.Orient(lattice.Point{}, p, q); {
	case o > 0:
		return -1
	case o < 0:
		return 1
	}
	return 0
}

// comb returns a long room with slits of one unit's width from below and from above, and holes
// one unit wide, all of random depth.
func comb(r *rand.Rand, points, holes int) lattice.Polygon {
	const pitch, depth = 16, 1 << 14
	teeth := int32(max((points-4*holes-4)/8, holes, 1))
	width := (teeth + 1) * pitch
	var below, above lattice.Ring // the slits, from west to east and from east to west
	for k := range teeth {
		x := (k+1)*pitch + jitter(r, 4)
		top := 1 + r.Int32N(depth)
		below = append(below, lattice.Point{X: x, Y: 0}, lattice.Point{X: x + jitter(r, 1), Y: top},
			lattice.Point{X: x + 2, Y: top - r.Int32N(2)}, lattice.Point{X: x + 3, Y: 0})
	}
	for k := teeth - 1; k >= 0; k-- {
		x := (k+1)*pitch + jitter(r, 4)
		bottom := 2*depth + 4 + r.Int32N(depth)
		above = append(above, lattice.Point{X: x + 1, Y: 4 * depth}, lattice.Point{X: x, Y: bottom},
			lattice.Point{X: x, Y: 4 * depth})
	}
	outer := append(lattice.Ring{{X: 0, Y: 0}}, below...)
	outer = append(outer, lattice.Point{X: width, Y: 0}, lattice.Point{X: width, Y: 4 * depth})
	outer = append(outer, above...)
	outer = append(outer, lattice.Point{X: 0, Y: 4 * depth})
	p := lattice.Polygon{Rings: []lattice.Ring{outer}}
	for _, k := range r.Perm(int(teeth))[:holes] {
		x := (int32(k)+1)*pitch + jitter(r, 4)
		bottom := int32(depth + 2)
		top := bottom + 1 + r.Int32N(depth)
		p.Rings = append(p.Rings, lattice.Ring{{X: x, Y: bottom}, {X: x, Y: top}, {X: x + 1, Y: top}, {X: x + 1, Y: bottom}})
	}
	return p
}

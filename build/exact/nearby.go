package exact

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// nearby returns rings with the same winding numbers in a box, seen from above, and with few corners. Edges that meet
// the box stay. Runs of other edges become shorter runs around the box on the same side.
func nearby(rings []lattice.Ring, b *box3) []lattice.Ring {
	return overlay.Shortened(rings, func(p lattice.Point) int { return outside(p, b) })
}

// wallsNear returns a new list of the walls that may meet a box, seen from above.
func wallsNear(walls []upright, b *box3) (near []upright) {
	for _, w := range walls {
		if outside(w.a, b)&outside(w.b, b) == 0 {
			near = append(near, w)
		}
	}
	return near
}

// ringsNear returns the rings of the free part of a triangle, without some whose boxes do not meet a box, seen from above. The winding numbers in
// the box are those of all rings.
func (e *extraction) ringsNear(t int32, b *box3) []lattice.Ring {
	x := e.exposed[t]
	if x.sides == nil {
		return e.rings(t)
	}
	plan := *b
	plan.Low[2], plan.High[2] = 0, 0
	var near []lattice.Ring
	for _, k := range x.sides.tree.IDs(&plan, nil) {
		near = append(near, x.sides.rings[k].ring)
	}
	return near
}

// nearTriangle is [nearby] for a zone.
func nearTriangle(rings []lattice.Ring, z *zone) []lattice.Ring {
	return overlay.Shortened(rings, z.outside)
}

// outside tells the sides of a box that a point is beyond, a bit for each. A segment between two points beyond the same
// side does not meet the box.
func outside(p lattice.Point, b *box3) int {
	return overlay.Beyond(p, lattice.Box{Min: lattice.Point{X: b.Low[0], Y: b.Low[1]}, Max: lattice.Point{X: b.High[0], Y: b.High[1]}})
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

package footprint

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// place is a place over or beside the point in question, not rounded: from the point in the plan, and a height.
type place struct{ x, y, z float64 }

// meshBlocks is [Footprint.Blocks] for a mesh: a triangle, clipped to the heights of the body, is nearer than the radius,
// or the solid winds around the lower end of the body.
func (f *Footprint) meshBlocks(at lattice.Point, height float64) bool {
	m := f.shape.mesh
	low, high := height+float64(f.climb), height+float64(f.height)
	if f.volume {
		low, high = height, height
	}
	windings := 0
	for i := range m.triangles {
		t := &m.triangles[i]
		zl, zh := heightsOf(t)
		if float64(zh) < low {
			continue
		}
		if w := windingAround(t, at); w != 0 && m.closed {
			p := planeOf(t)
			z := p.height(at)
			if z > low {
				windings += w
			}
			if f.volume && z == low {
				return true
			}
		}
		if f.volume || float64(zl) >= high || float64(zh) <= low {
			continue
		}
		upright := lattice.Orient(t[0].Point, t[1].Point, t[2].Point) == 0 // and has no inside from above
		if far, inside := nearest(t, at, low, high); far < f.radius || inside && !upright {
			return true
		}
	}
	return windings != 0
}

// windingAround returns how often a triangle winds around a point from above. A point on the side of two triangles counts for
// one of them.
func windingAround(t *[3]lattice.Vertex, at lattice.Point) int {
	n := 0
	for k := range t {
		a, b := t[k].Point, t[(k+1)%3].Point
		switch {
		case a.Y <= at.Y && b.Y > at.Y && lattice.Orient(a, b, at) > 0:
			n++
		case a.Y > at.Y && b.Y <= at.Y && lattice.Orient(a, b, at) < 0:
			n--
		}
	}
	return n
}

// nearest returns the distance, from above, of a point and the part of a triangle strictly between two heights, and whether
// the point is strictly inside the part from above.
func nearest(t *[3]lattice.Vertex, at lattice.Point, low, high float64) (far float64, inside bool) {
	part := make([]place, 0, 8)
	for i := range t {
		dx, dy := t[i].Sub(at)
		part = append(part, place{float64(dx), float64(dy), float64(t[i].Z)})
	}
	part = clipped(clipped(part, low, 1), high, -1)
	far = math.Inf(1)
	left, right := 0, 0
	for i, a := range part {
		b := part[(i+1)%len(part)]
		ex, ey := b.x-a.x, b.y-a.y
		switch side := float64(a.x*b.y) - float64(a.y*b.x); {
		case ex == 0 && ey == 0: // a corner at an end of the heights is there twice
		case side > 0:
			left++
		case side < 0:
			right++
		default:
			left, right = -len(part), -len(part)
		}
		along := 0.0
		if l2 := float64(ex*ex) + float64(ey*ey); l2 > 0 {
			along = min(max(-(float64(a.x*ex)+float64(a.y*ey))/l2, 0), 1)
		}
		x, y := a.x+float64(along*ex), a.y+float64(along*ey)
		far = min(far, math.Sqrt(float64(x*x)+float64(y*y)))
	}
	return far, left > 2 && right == 0 || right > 2 && left == 0
}

// clipped returns the part of a convex polygon above a height, for an up of 1, or below it, for -1.
func clipped(part []place, height, up float64) []place {
	out := make([]place, 0, len(part)+1)
	for i, a := range part {
		b := part[(i+1)%len(part)]
		da, db := float64(up*(a.z-height)), float64(up*(b.z-height))
		if da >= 0 {
			out = append(out, a)
		}
		if (da >= 0) != (db >= 0) {
			s := da / (da - db)
			out = append(out, place{a.x + float64(s*(b.x-a.x)), a.y + float64(s*(b.y-a.y)), height})
		}
	}
	return out
}

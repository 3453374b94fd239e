package raster

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// polygon is a convex polygon in space, the part of a triangle inside of an upright box. Clipping
// a triangle by four planes gives at most seven vertices.
type polygon struct {
	n int
	v [8]point3
}

type point3 [3]float64

func polygonOf(t *[3]lattice.Vertex) polygon {
	p := polygon{n: 3}
	for i, v := range t {
		p.v[i] = point3{float64(v.X), float64(v.Y), float64(v.Z)}
	}
	return p
}

// slab returns the part of p with lo ≤ coordinate ≤ hi along the axis. Points on the border belong to the
// slab, so an upright triangle along a border is in both sides.
func (p *polygon) slab(axis int, lo, hi float64) polygon {
	q := p.cut(axis, lo, 1)
	return q.cut(axis, hi, -1)
}

// cut returns the part of p with sign · (coordinate - at) ≥ 0.
func (p *polygon) cut(axis int, at, sign float64) polygon {
	var q polygon
	if p.n == 0 {
		return q
	}
	prev := &p.v[p.n-1]
	dPrev := sign * (prev[axis] - at)
	for i := range p.n {
		cur := &p.v[i]
		d := sign * (cur[axis] - at)
		if (d < 0) != (dPrev < 0) {
			t := dPrev / (dPrev - d)
			var x point3
			for k := range x {
				x[k] = prev[k] + float64(t*(cur[k]-prev[k]))
			}
			x[axis] = at
			q.v[q.n] = x
			q.n++
		}
		if d >= 0 {
			q.v[q.n] = *cur
			q.n++
		}
		prev, dPrev = cur, d
	}
	return q
}

// span returns the least and the greatest coordinate along the axis.
func (p *polygon) span(axis int) (lo, hi float64) {
	lo, hi = p.v[0][axis], p.v[0][axis]
	for i := 1; i < p.n; i++ {
		lo, hi = min(lo, p.v[i][axis]), max(hi, p.v[i][axis])
	}
	return lo, hi
}

// planEnds returns the ends of an upright polygon, or a segment, seen from above.
func (p *polygon) planEnds() (a, b point3) {
	a, b = p.v[0], p.v[0]
	for _, v := range p.v[1:p.n] {
		if v[0] < a[0] || v[0] == a[0] && v[1] < a[1] {
			a = v
		}
		if v[0] > b[0] || v[0] == b[0] && v[1] > b[1] {
			b = v
		}
	}
	return a, b
}

// area returns the plan area of p, positive for a polygon that faces up.
func (p *polygon) area() float64 {
	sum := 0.0
	for i := 2; i < p.n; i++ {
		a, b, c := &p.v[0], &p.v[i-1], &p.v[i]
		sum += float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
	}
	return sum / 2
}

// heights returns the vertical extent of p, widened to whole units.
func (p *polygon) heights() (lo, hi int32) {
	l, h := p.span(2)
	return int32(math.Floor(l)), int32(math.Ceil(h))
}

// planar is a point of the plane in lattice units before it is rounded.
type planar struct{ x, y float64 }

func (p planar) round() lattice.Point {
	return lattice.Point{X: int32(math.Floor(p.x + 0.5)), Y: int32(math.Floor(p.y + 0.5))}
}

// plane is the supporting plane of a triangle that is not upright, as height over the plane.
type plane struct{ x, y, z, dx, dy float64 }

func planeOf(t *[3]lattice.Vertex) plane {
	n := soup.Normal(*t)
	nz := float64(n[2])
	return plane{
		float64(t[0].X), float64(t[0].Y), float64(t[0].Z),
		-float64(n[0]) / nz, -float64(n[1]) / nz,
	}
}

// at returns the height above (x, y).
func (p plane) at(x, y float64) float64 {
	return p.z + float64(p.dx*(x-p.x)) + float64(p.dy*(y-p.y))
}

// covers reports whether (x, y) is in the closed plan of t, which faces up.
func covers(t *[3]lattice.Vertex, p lattice.Point) bool {
	return lattice.Orient(t[0].Point, t[1].Point, p) >= 0 &&
		lattice.Orient(t[1].Point, t[2].Point, p) >= 0 &&
		lattice.Orient(t[2].Point, t[0].Point, p) >= 0
}

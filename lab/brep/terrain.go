package brep

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// Terrain is how thick the prisms below the triangles of a terrain are, in metres.
const Terrain = 1.0 / 16

// upwards is the least upward component of the normal of terrain. Steeper faces are upright walls after rounding.
const upwards = 1.0 / 1024

// facesUp reports whether all triangles face up.
func (r *recogniser) facesUp(g []int) bool {
	for _, t := range g {
		if n, _ := r.normal(t); n[2] <= upwards {
			return false
		}
	}
	return true
}

// terrain adds a prism below each triangle, which is [Terrain] thick.
func (r *recogniser) terrain(g []int) {
	const depth = int64(Terrain * lattice.UnitsPerMetre)
	r.prisms(g, func(top solid.Plane) solid.Plane { return top.Moved(-depth).Opposite() }, true)
}

// prisms adds a prism below each triangle, down to a plane. Prisms of neighbours share the very planes between them.
func (r *recogniser) prisms(g []int, bottom func(top solid.Plane) solid.Plane, terrain bool) {
	for _, t := range g {
		n, _ := r.normal(t)
		c := r.corners(t)
		top, ok := solid.FromFloat(n, r.at[c[0]])
		if !ok {
			continue
		}
		m := materialOf(r.lvl, r.tris[t].Material)
		s := shape{planes: []solid.Plane{top, bottom(top)}, terrain: terrain}
		for k := range 3 {
			a, b := r.at[c[k]], r.at[c[(k+1)%3]]
			// From the smaller end, so the planes of neighbours are opposite to the last bit.
			turned := slices.Compare(a[:], b[:]) > 0
			if turned {
				a, b = b, a
			}
			x, y := b[0]-a[0], b[1]-a[1]
			length := math.Sqrt(float64(x*x) + float64(y*y))
			p, ok := solid.FromFloat([3]float64{y / length, -x / length, 0}, a)
			if !ok {
				continue
			}
			if turned {
				p = p.Opposite()
			}
			s.planes = append(s.planes, p)
		}
		for range s.planes {
			s.names = append(s.names, m)
		}
		r.shapes = append(r.shapes, s)
	}
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// prism adds an upright solid between two heights over an outline that is convex, counter-clockwise from above.
func (m *maker) prism(outline []geom.Vec, low, high float64) {
	n := len(outline)
	var vertices []geom.Vec
	bottom, top := make([]int, n), make([]int, n)
	var faces [][]int
	for i, p := range outline {
		vertices = append(vertices, at(p.X, low, p.Z), at(p.X, high, p.Z))
		bottom[n-1-i], top[i] = 2*i, 2*i+1
		j := (i + 1) % n
		faces = append(faces, []int{2 * i, 2 * j, 2*j + 1, 2*i + 1})
	}
	m.add(vertices, append(faces, bottom, top)...)
}

// hexagons: columns of basalt at heights of a step and more, which touch, or leave slits of 1 to 17 cm.
func (m *maker) hexagons() {
	const side = 1.2
	for i := range 12 {
		for j := range 12 {
			centre := at(side*1.5*float64(i), 0, side*math.Sqrt(3)*(float64(j)+0.5*float64(i%2)))
			r, high := side*of(m, 1, 1, 0.995, 0.98, 0.93), of(m, 0.2, 0.4, 0.6, 0.9, 1.5, 3)
			var outline []geom.Vec
			for k := range 6 {
				outline = append(outline, polar(centre, r, -math.Pi/3*float64(k), 0))
			}
			m.prism(outline, -1, high)
		}
	}
}

// domes: humps of rings on a floor, which cross each other, and arches of turned blocks.
func (m *maker) domes() {
	m.box(at(0, -0.5, 0), at(44, 0.5, 44), lean{})
	for range 8 {
		centre, r, high := at(m.between(-15, 15), 0, m.between(-15, 15)), m.between(0.5, 4), m.between(0.2, 1.6)
		m.sheet(24, 6, func(u, v float64) geom.Vec {
			up, out := geom.Sincos(math.Pi / 2 * v)
			return polar(centre, r*out, -2*math.Pi*u, high*up)
		})
	}
	for range 6 {
		centre, yaw := at(m.between(-15, 15), 0, m.between(-15, 15)), m.angle()
		add := m.placed(centre, yaw)
		for k := range 12 {
			t := math.Pi * (float64(k) + 0.5) / 12
			up, out := geom.Sincos(t)
			add(at(2*out, 2.2*up-0.3, 0), at(0.7, 0.6, 1), lean{pitch: t + math.Pi/2})
		}
	}
}

// wedges: turned wedges of all slopes on a floor, which cross each other.
func (m *maker) wedges() {
	m.box(at(20, -0.5, 20), at(44, 0.5, 44), lean{})
	for range 60 {
		foot, yaw := at(m.between(2, 38), 0, m.between(2, 38)), m.angle()
		long, half, high := m.between(1, 5), m.between(0.5, 2), m.between(0.2, 3)
		if m.rng.IntN(4) == 0 {
			high = long // exactly 45°
		}
		place := func(x, y, z float64) geom.Vec {
			z, x = turn(z, x, yaw)
			return foot.Add(at(x, y, z))
		}
		m.block([4]geom.Vec{place(0, 0, half), place(long, 0, half), place(long, 0, -half), place(0, 0, -half)},
			[4]geom.Vec{place(0, 0, half), place(long, high, half), place(long, high, -half), place(0, 0, -half)})
	}
}

// trench: a winding trench in rough ground, with planks across and posts of eight sides.
func (m *maker) trench() {
	const side, depth = 50, 1.8
	steep := m.between(0.3, 2.5)
	bend := func(z float64) float64 { sin, _ := geom.Sincos(0.2 * z); return -6 * sin }
	m.ground(side, side, side, func(x, z float64) float64 {
		off := math.Abs(x - bend(z))
		a, _ := geom.Sincos(0.9 * x)
		_, b := geom.Sincos(1.1 * z)
		return depth*(min(1, max(0, off-1.2)/steep)-1) + 0.15*a*b
	})
	for range 8 {
		z := m.between(-22, 22)
		m.box(at(bend(z), m.between(-0.15, 0.3), z), at(m.between(4, 8), 0.08, m.between(0.6, 1.8)), lean{yaw: m.between(-0.3, 0.3)})
	}
	for range 25 {
		m.drum(at(m.between(-23, 23), -2, m.between(-23, 23)), 0.2, 4.5, 8, 0)
	}
}

// patchwork: a floor of patches that are tessellated apart: corners of one lie on sides of the next or miss them by up to a
// millimetre, patches overlap, and stand up to 4 cm higher. Walls cross them anywhere.
func (m *maker) patchwork() {
	h := m.hills(3, of(m, 0, 0, 1.5))
	for i := range 6 {
		for j := range 6 {
			x, z, lift := 6*float64(i), 6*float64(j), of(m, 0, 0, 0, 0.001, 0.01, 0.04)
			loose, over := of(m, 0, 0, 0.0002, 0.001), of(m, 0, 0, 0.002, 0.3)
			n := m.count(1, 7)
			m.sheet(n, m.count(1, 7), func(u, v float64) geom.Vec {
				px, pz := x+(6+over)*u+m.between(-loose, loose), z+(6+over)*v+m.between(-loose, loose)
				return at(px, h(px, pz)+lift, pz)
			})
		}
	}
	for range 30 {
		m.box(at(m.between(1, 35), -1, m.between(1, 35)), at(m.between(0.1, 0.4), of(m, 1.3, 2, 3.5), m.between(1, 6)), lean{yaw: of(m, 0, math.Pi/2, m.angle())})
	}
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// curves: roads of a kit of straight, curved and rising pieces with kerbs and pavements, a helix among them. Each piece begins at the end of
// the last but for millimetres, some lie over others, and columns stand under the high ones.
func (m *maker) curves() {
	m.box(at(0, -0.5, 0), at(60, 0.4, 60), lean{})
	for k := range 4 {
		where, yaw := at(m.between(-12, 12), m.between(-0.15, 0.05), m.between(-12, 12)), m.angle()
		wide, kerb, pavement := m.between(1.6, 3.5), m.between(0.05, 0.2), m.between(0.15, 0.9)
		half := wide/2 + pavement
		// Around the cross section, from the lower left corner on: places across and heights.
		section := [][2]float64{{-half, -0.2}, {-half, kerb}, {-wide / 2, kerb}, {-wide / 2, 0}, {wide / 2, 0}, {wide / 2, kerb}, {half, kerb}, {half, -0.2}, {-half, -0.2}}
		bend, rise := 1/(half+m.between(1, 4)), m.between(0.06, 0.12)
		for range m.count(7, 12) {
			long, turns, climbs := of(m, 2.0, 3, 4), bend, rise
			if k > 0 { // only the first road goes on as a helix
				turns, climbs = bend*of(m, 0.0, 0, 1, -1, 0.5), of(m, 0, 0, 0, rise, -rise, 3*rise)
			}
			end := func(s, across float64) (x, z float64) {
				x = s
				if turns != 0 {
					sin, cos := geom.Sincos(turns * s)
					x, z = sin/turns, (1-cos)/turns
				}
				sin, cos := geom.Sincos(turns * s)
				return turn(x-across*sin, z+across*cos, yaw)
			}
			m.sheet(m.count(2, 8), len(section)-1, func(u, v float64) geom.Vec {
				c := section[int(math.Round(v*float64(len(section)-1)))]
				x, z := end(long*u, c[0])
				return where.Add(at(x, long*u*climbs+c[1], z))
			})
			if where.Y > 1 {
				m.drum(at(where.X, 0, where.Z), m.between(0.15, 0.3), where.Y-0.2, m.count(6, 12), 0)
			}
			x, z := end(long+m.normal(0.004), m.normal(0.002))
			where = where.Add(at(x, max(long*climbs, -where.Y-0.1)+m.normal(0.002), z))
			yaw += turns*long + m.normal(0.001)
		}
	}
}

// cuts: a floor with plateaus and pits as solids leave them that were cut from each other. Each face was split along some of the lines, so corners of
// one face lie on sides of the next. Some faces are slivers, and all places are rounded to millimetres.
func (m *maker) cuts() {
	m.box(at(0, -1.6, 0), at(26, 1, 26), lean{})
	faces := [][][2]float64{{{-12, -12}, {-12, 12}, {12, 12}, {12, -12}}}
	var plateaus [][][2]float64
	split := func(some float64) {
		sin, cos := geom.Sincos(of(m, 0, math.Pi/2, m.angle(), m.angle()))
		off := m.between(-10, 10)
		var next [][][2]float64
		for _, f := range faces {
			sides := [2][][2]float64{f}
			if m.between(0, 1) < some {
				sides = divided(f, [3]float64{cos, sin, off})
			}
			for _, s := range sides {
				if len(s) > 2 {
					next = append(next, s)
				}
			}
		}
		faces = next
	}
	for range 5 {
		split(0.8)
	}
	plateaus = faces
	millimetres := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	for _, p := range plateaus {
		high := of(m, 0, 0, 0, m.between(0, 0.3), m.between(0.2, 1), -0.4)
		sx, sz := of(m, 0, 0, m.normal(0.1)), of(m, 0, 0, m.normal(0.1))
		place := func(c [2]float64) geom.Vec {
			y := high + sx*(c[0]-p[0][0]) + sz*(c[1]-p[0][1])
			return at(millimetres(c[0]), millimetres(max(y, -0.5)), millimetres(c[1]))
		}
		faces = [][][2]float64{p}
		for range m.count(30, 60) {
			split(0.6)
		}
		for _, f := range faces {
			var top []geom.Vec
			var all []int
			for i, c := range f {
				top, all = append(top, place(c)), append(all, i)
			}
			m.add(top, all)
		}
		for i, c := range p { // the sides of the solid, down into the ground
			a, b := place(c), place(p[(i+1)%len(p)])
			m.add([]geom.Vec{a, at(a.X, -0.7, a.Z), at(b.X, -0.7, b.Z), b}, []int{0, 1, 2, 3})
		}
	}
	for range 14 {
		x, z := m.between(-11, 11), m.between(-11, 11)
		m.box(at(x, -0.6, z), at(m.between(0.1, 3), m.between(0.7, 3.5), m.between(0.1, 0.5)), lean{yaw: of(m, 0, math.Pi/2, m.angle())})
	}
}

// divided returns the parts of a convex polygon on both sides of a line: where a place times the first two numbers is the third.
func divided(f [][2]float64, line [3]float64) (sides [2][][2]float64) {
	out := func(c [2]float64) float64 { return line[0]*c[0] + line[1]*c[1] - line[2] }
	for i, c := range f {
		d := f[(i+1)%len(f)]
		a, b := out(c), out(d)
		for k, sign := range [2]float64{1, -1} {
			if sign*a >= 0 {
				sides[k] = append(sides[k], c)
			}
			if (a < 0) != (b < 0) && a != 0 {
				t := a / (a - b)
				sides[k] = append(sides[k], [2]float64{c[0] + t*(d[0]-c[0]), c[1] + t*(d[1]-c[1])})
			}
		}
	}
	return sides
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// scan: rooms as a depth camera sees them: one bumpy sheet over floor, furniture and walls, with noise of a centimetre, and holes.
func (m *maker) scan() {
	const n = 88
	side := m.between(8, 14)
	noise := m.between(0.002, 0.02)
	type hump struct{ x, z, wide, deep, high float64 }
	var humps []hump
	for range 14 {
		humps = append(humps, hump{m.between(-0.5, 0.5) * side, m.between(-0.5, 0.5) * side, m.between(0.1, 0.9), m.between(0.1, 0.9), of(m, 0.1, 0.25, 0.45, 0.75, 0.9, 1.8)})
	}
	h := func(x, z float64) float64 {
		y := 0.0
		for _, p := range humps {
			if math.Abs(x-p.x) < p.wide && math.Abs(z-p.z) < p.deep {
				y = max(y, p.high)
			}
		}
		if max(math.Abs(x), math.Abs(z)) > side/2-0.2 || math.Abs(x-side/8) < 0.08 && math.Abs(z) > 0.6 {
			y = 2.4
		}
		return y
	}
	var vertices []geom.Vec
	var faces [][]int
	for j := range n + 1 {
		for i := range n + 1 {
			x, z := (float64(i)/n-0.5)*side, (float64(j)/n-0.5)*side
			vertices = append(vertices, at(x+m.normal(noise/2), h(x, z)+m.normal(noise), z+m.normal(noise/2)))
			if d := j*(n+1) + i; i > 0 && j > 0 && m.between(0, 1) > 0.01 {
				a, b, c := d-n-2, d-n-1, d-1
				faces = append(faces, []int{a, c, b}, []int{b, c, d})
			}
		}
	}
	m.add(vertices, faces...)
}

// detail: ground in squares of three finenesses, whose borders miss each other by up to decimetres, with skirts that hang from some.
func (m *maker) detail() {
	h := m.hills(8, m.between(1, 5))
	const squares, side = 6, 8.0
	for j := range squares {
		for i := range squares {
			n := of(m, 2, 4, 8, 12)
			x0, z0 := (float64(i)-squares/2)*side, (float64(j)-squares/2)*side
			skirt := m.between(0, 1) < 0.5
			place := func(u, v float64) geom.Vec {
				x, z := x0+u*side, z0+v*side
				return at(x, h(x, z), z)
			}
			m.sheet(n, n, place)
			if !skirt {
				continue
			}
			deep := m.between(0.1, 1)
			for _, edge := range []func(u float64) geom.Vec{
				func(u float64) geom.Vec { return place(u, 1) }, func(u float64) geom.Vec { return place(1-u, 0) },
				func(u float64) geom.Vec { return place(1, 1-u) }, func(u float64) geom.Vec { return place(0, u) },
			} {
				m.sheet(n, 1, func(u, v float64) geom.Vec { return edge(u).Sub(at(0, deep*v, 0)) })
			}
		}
	}
	m.stones(20, squares*side/2, h)
}

// hollows: the surface around a smooth field in space, by tetrahedra: caves, arches and overhangs of many small triangles.
func (m *maker) hollows() {
	const n, high, cell = 16, 6, 1.0
	type wave struct{ x, y, z, phase float64 }
	var waves []wave
	for range 6 {
		waves = append(waves, wave{m.between(-0.8, 0.8), m.between(-0.9, 0.9), m.between(-0.8, 0.8), m.angle()})
	}
	rise := m.between(0.3, 0.9)
	field := func(p geom.Vec) float64 { // positive in rock
		f := 1 - rise*p.Y
		for _, w := range waves {
			sin, _ := geom.Sincos(w.x*p.X + w.y*p.Y + w.z*p.Z + w.phase)
			f += 0.55 * sin
		}
		return f
	}
	corner := func(k int) geom.Vec { return at(float64(k&1), float64(k>>1&1), float64(k>>2&1)) }
	for z := range n {
		for x := range n {
			for y := range high {
				base := at(float64(x)-n/2, float64(y)-2, float64(z)-n/2)
				for _, t := range [6][4]int{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}} {
					var p [4]geom.Vec
					for i, k := range t {
						p[i] = base.Add(corner(k)).Scale(cell)
					}
					m.tetrahedron(p, field)
				}
			}
		}
	}
	m.box(at(0, -2.3, 0), at(n, 0.3, n), lean{})
}

// tetrahedron adds the surface where a field vanishes in a tetrahedron, with its front to the negative side.
func (m *maker) tetrahedron(p [4]geom.Vec, field func(geom.Vec) float64) {
	var in, out []geom.Vec
	for _, v := range p {
		if field(v) > 0 {
			in = append(in, v)
		} else {
			out = append(out, v)
		}
	}
	var cuts []geom.Vec
	for _, a := range in {
		for _, b := range out {
			f, g := field(a), field(b)
			cuts = append(cuts, a.Add(b.Sub(a).Scale(f/(f-g))))
		}
	}
	if len(cuts) == 4 {
		cuts[2], cuts[3] = cuts[3], cuts[2]
	}
	if len(cuts) < 3 {
		return
	}
	face := []int{0, 1, 2, 3}[:len(cuts)]
	if normal := cuts[1].Sub(cuts[0]).Cross(cuts[2].Sub(cuts[0])); normal.Dot(out[0].Sub(in[0])) < 0 {
		for i := range len(face) / 2 {
			face[i], face[len(face)-1-i] = face[len(face)-1-i], face[i]
		}
	}
	m.add(cuts, face)
}

// decals: floors drawn several times, millimetres over each other or in one plane: puddles, posters, markings and mats, some upside down.
func (m *maker) decals() {
	m.box(at(0, -0.4, 0), at(24, 0.4, 24), lean{})
	m.box(at(5, 0, 4), at(8, m.between(0.2, 0.5), 7), lean{})
	slope := m.between(0, 0.5)
	ramp := func(u, v float64) geom.Vec { return at(-10+8*u, 2*slope*u, -8+6*v) }
	m.sheet(1, 1, ramp)
	for range 120 {
		n, r := m.count(3, 9), m.between(0.2, 2)
		where := at(m.between(-11, 11), of(m, 0, 0.001, 0.003, 0.01, 0.02), m.between(-11, 11))
		var outline []geom.Vec
		face := make([]int, n)
		turned := m.angle()
		for i := range n {
			outline = append(outline, polar(where, r*m.between(0.7, 1), turned-2*math.Pi*float64(i)/float64(n), 0))
			face[i] = i
		}
		if m.between(0, 1) < 0.25 {
			for i := range n / 2 {
				face[i], face[n-1-i] = face[n-1-i], face[i]
			}
		}
		m.add(outline, face)
	}
	for range 6 {
		low, lift := m.between(0, 0.6), m.between(0, 0.004)
		m.sheet(1, 1, func(u, v float64) geom.Vec { return ramp(low+(1-low)*u*0.9, low+(1-low)*v*0.9).Add(at(0, lift, 0)) })
	}
	for range 8 {
		x, z, yaw := m.between(-10, 10), m.between(-10, 10), m.angle()
		m.box(at(x, 0, z), at(m.between(1, 3), 2.5, 0.1), lean{yaw: yaw})
		m.box(at(x, 1, z), at(0.8, 1, 0.1+of(m, 0, 0.001, 0.004)), lean{yaw: yaw})
	}
}

// maze: walls of sheets without thickness on a grid. Their ends miss each other by millimetres or centimetres, and some hover over the floor.
func (m *maker) maze() {
	const n, cell = 11, 2.0
	m.sheet(n, n, func(u, v float64) geom.Vec { return at((u-0.5)*n*cell, 0, (v-0.5)*n*cell) })
	off := func() float64 { return of(m, 0, 0, 0, m.normal(0.001), m.normal(0.01), m.normal(0.06)) }
	wall := func(x, z, dx, dz float64) {
		low, high := of(m, 0, 0, -0.3, off(), 0.3), m.between(0.95, 3)
		a, b := at(x+off(), low, z+off()), at(x+dx+off(), low, z+dz+off())
		m.sheet(1, 1, func(u, v float64) geom.Vec { return a.Add(b.Sub(a).Scale(u)).Add(at(0, high*v, 0)) })
	}
	for j := range n {
		for i := range n {
			x, z := (float64(i)-n/2)*cell, (float64(j)-n/2)*cell
			if m.between(0, 1) < 0.45 {
				wall(x, z, cell, 0)
			}
			if m.between(0, 1) < 0.45 {
				wall(x, z, 0, cell)
			}
		}
	}
	for range 10 {
		m.box(at(m.between(-9, 9), 0, m.between(-9, 9)), at(m.between(1, 3), of(m, 0.2, 0.4, 0.9), m.between(1, 3)), lean{yaw: of(m, 0, m.angle())})
	}
}

// pipes: pipes of hand to body width along the axes at all heights, with bends, on a floor with plinths and a walk above.
func (m *maker) pipes() {
	m.box(at(0, -0.3, 0), at(28, 0.3, 20), lean{})
	for range 10 {
		m.box(at(m.between(-12, 12), 0, m.between(-8, 8)), at(m.between(0.5, 3), m.between(0.1, 0.6), m.between(0.5, 3)), lean{})
	}
	deck := m.between(2.2, 3)
	m.box(at(0, deck, 0), at(24, 0.1, 1.8), lean{})
	for k := range int(deck / 0.25) {
		m.box(at(12.3+0.28*float64(k), 0, 0), at(0.3, deck-0.25*float64(k), 1.4), lean{})
	}
	for range 16 {
		radius, sides := m.between(0.03, 0.4), m.count(5, 12)
		where := at(m.between(-11, 11), of(m, radius, radius, m.between(0, 2.4)), m.between(-8, 8))
		for range m.count(2, 4) {
			way := of(m, at(1, 0, 0), at(-1, 0, 0), at(0, 0, 1), at(0, 0, -1), at(0, 1, 0))
			end := where.Add(way.Scale(m.between(1, 7)))
			end.X, end.Y, end.Z = max(-13, min(end.X, 13)), min(end.Y, 4), max(-9, min(end.Z, 9))
			m.tube(where, end, radius, sides)
			m.ball(end, radius*1.2, sides, 4)
			where = end
		}
	}
}

// tube adds the mantle of a cylinder between the middles of its ends.
func (m *maker) tube(a, b geom.Vec, radius float64, sides int) {
	along := b.Sub(a).Unit()
	across := along.Cross(at(0, 1, 0))
	if across.Dot(across) < 0.01 {
		across = at(1, 0, 0)
	}
	across = across.Unit()
	up := across.Cross(along)
	m.sheet(1, sides, func(u, v float64) geom.Vec {
		sin, cos := geom.Sincos(2 * math.Pi * v)
		return a.Add(b.Sub(a).Scale(u)).Add(across.Scale(radius * cos)).Add(up.Scale(radius * sin))
	})
}

// plan: walls drawn from a plan at any angle, each a box that runs into others, with doors, and slabs whose heights differ by centimetres.
func (m *maker) plan() {
	m.box(at(0, -0.5, 0), at(26, 0.4, 26), lean{yaw: m.normal(0.3)})
	for j := range 4 {
		for i := range 4 {
			m.box(at(float64(i)*6-9, -0.2, float64(j)*6-9), at(6+m.normal(0.01), 0.2+of(m, 0, 0, m.between(0, 0.03), m.between(0, 0.3)), 6+m.normal(0.01)), lean{yaw: m.normal(0.002)})
		}
	}
	for range 24 {
		x, z, yaw := m.between(-10, 10), m.between(-10, 10), of(m, 0, math.Pi/2, math.Pi/4, m.angle())
		thick, left, right, door := m.between(0.06, 0.4), m.between(0.5, 4), m.between(0.5, 4), m.between(0.7, 1.6)
		add := m.placed(at(x, -0.1, z), yaw)
		add(at(-door/2-left/2, 0, 0), at(left, 2.7, thick), lean{})
		add(at(door/2+right/2, 0, 0), at(right, 2.7, thick), lean{})
		add(at(0, m.between(1.9, 2.3), 0), at(door+0.2, 0.4, thick), lean{})
		add(at(0, 0, 0), at(door, 0.1+m.between(0.01, 0.15), thick*m.between(0.5, 1.2)), lean{})
	}
}

// vaults: bays under arches whose sides come down to the floor, a storey above on the vaults, round columns and stairs of blocks.
func (m *maker) vaults() {
	const bays = 4
	side, high := m.between(3.5, 5), m.between(2.2, 3.2)
	far := bays * side / 2
	m.box(at(0, -0.4, 0), at(2*far+8, 0.4, 2*far+8), lean{})
	m.box(at(0, high, 0), at(2*far, 0.25, 2*far), lean{})
	n := m.count(4, 8)
	low := m.between(0, 1.2)
	for j := range bays {
		for i := range bays {
			x0, z0 := float64(i)*side-far, float64(j)*side-far
			m.sheet(n, n, back(func(u, v float64) geom.Vec { // seen from below
				arch := func(t float64) float64 { return math.Sqrt(max(0, 1-(2*t-1)*(2*t-1))) }
				return at(x0+u*side, low+(high-low-0.02)*max(arch(u), arch(v)), z0+v*side)
			}))
			m.drum(at(x0, 0, z0), m.between(0.2, 0.5), high, m.count(6, 12), 0)
		}
	}
	rise := m.between(0.15, 0.3)
	steps := int((high+0.25)/rise) + 1
	for k := range steps {
		m.box(at(far+0.2+0.3*float64(k), 0, 0), at(0.4, (high+0.25)*float64(steps-k)/float64(steps), 2), lean{})
	}
}

// garage: two halves of parking decks half a storey apart, ramps between them, low ceilings with beams, columns, kerbs and cars.
func (m *maker) garage() {
	storey, wide, long := m.between(2.3, 3), m.between(7, 9), 24.0
	for k := range 3 {
		for half := range 2 {
			x, y := (float64(half)-0.5)*(wide+5), storey*(float64(k)+float64(half)/2)
			m.box(at(x, y-0.25, 0), at(wide, 0.25, long), lean{})
			for b := range 4 {
				m.box(at(x, y-0.25-m.between(0.1, 0.4), (float64(b)-1.5)*6), at(wide, 0.4, 0.3), lean{})
				m.box(at(x+(float64(half)-0.5)*wide*0.9, y, (float64(b)-1.5)*6), at(0.35, storey-0.3, 0.35), lean{})
			}
			for c := range 5 {
				z := (float64(c) - 2) * 4.4
				m.box(at(x, y, z+1.6), at(1.8, 0.1, 0.15), lean{})
				if m.between(0, 1) < 0.5 {
					add := m.placed(at(x+m.normal(0.2), y, z), m.normal(0.05)+math.Pi/2)
					add(at(0, 0.25, 0), at(4, 0.6, 1.7), lean{})
					add(at(0.2, 0.85, 0), at(2, 0.55, 1.5), lean{})
				}
			}
			if next := k + half; next < 3 { // up to the other half
				from, to := x+(0.5-float64(half))*wide, -x-(0.5-float64(half))*wide
				z := (float64(half) - 0.5) * (long - 4)
				thick := m.between(0, 0.3)
				var low, top [4]geom.Vec
				for i, s := range [4][2]float64{{min(from, to), 2}, {max(from, to), 2}, {max(from, to), -2}, {min(from, to), -2}} {
					top[i] = at(s[0], y, z+s[1])
					if s[0] == to {
						top[i].Y += storey / 2
					}
					low[i] = top[i].Sub(at(0, thick, 0))
				}
				m.block(low, top)
			}
		}
	}
}

// foliage: uneven ground with crossed cards of grass, leaves that hover and lean, and bushes of cards, none of any thickness.
func (m *maker) foliage() {
	h := m.hills(7, 2)
	m.ground(36, 30, 30, h)
	card := func(foot, across, up geom.Vec) {
		m.sheet(1, 1, func(u, v float64) geom.Vec { return foot.Add(across.Scale(u - 0.5)).Add(up.Scale(v)) })
	}
	for range 220 {
		x, z := m.between(-17, 17), m.between(-17, 17)
		wide, high, yaw := m.between(0.2, 1.2), m.between(0.1, 1.4), m.angle()
		for k := range m.count(1, 3) {
			dx, dz := turn(wide, 0, yaw+math.Pi/3*float64(k))
			card(at(x, h(x, z)-0.05, z), at(dx, 0, dz), at(m.normal(0.1)*high, high, m.normal(0.1)*high))
		}
	}
	for range 160 {
		x, z := m.between(-17, 17), m.between(-17, 17)
		dx, dz := turn(m.between(0.1, 0.6), 0, m.angle())
		card(at(x, h(x, z)+m.between(-0.05, 0.8), z), at(dx, m.normal(0.05), dz), at(dz, m.normal(0.2), -dx))
	}
	for range 8 {
		x, z := m.between(-16, 16), m.between(-16, 16)
		m.drum(at(x, h(x, z)-0.3, z), m.between(0.15, 0.5), 5, m.count(5, 9), 0)
	}
}

// askew: a station of rooms from a kit, turned by one odd angle, each piece placed by itself with its own rounding, some mirrored.
func (m *maker) askew() {
	yaw, grid := m.angle(), of(m, 1e-3, 2.5e-4, 1e-2)
	snap := func(v float64) float64 { return math.Round(v/grid) * grid }
	const side = 4.0
	piece := func(x, y, z float64, mirrored bool, shape func(put func(x, y, z float64) geom.Vec)) {
		shape(func(px, py, pz float64) geom.Vec {
			if mirrored {
				px = -px
			}
			wx, wz := turn(x+px, z+pz, yaw)
			return at(snap(wx), snap(y+py), snap(wz))
		})
	}
	for j := range 6 {
		for i := range 6 {
			x, z := (float64(i)-2.5)*side, (float64(j)-2.5)*side
			y := of(m, 0, 0, 0, 0.3, 1.2)
			n := m.count(1, 4)
			piece(x, y, z, m.between(0, 1) < 0.3, func(put func(x, y, z float64) geom.Vec) {
				m.sheet(n, n, func(u, v float64) geom.Vec { return put(side*(u-0.5), 0, side*(v-0.5)) })
				for k := range 4 {
					a, b := turn(side/2, side/2, math.Pi/2*float64(k))
					c, d := turn(side/2, -side/2, math.Pi/2*float64(k))
					switch m.count(0, 3) {
					case 0: // a wall
						m.sheet(1, 1, func(u, v float64) geom.Vec { return put(a+(c-a)*u, 2.5*v, b+(d-b)*u) })
					case 1: // a ramp down to the level of the ground
						m.sheet(1, 1, func(u, v float64) geom.Vec {
							return put((a+(c-a)*u)*(1-0.4*v), -y*(1-v), (b+(d-b)*u)*(1-0.4*v))
						})
					}
				}
			})
		}
	}
	m.box(at(0, -0.25, 0), at(8*side, 0.25, 8*side), lean{})
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// cafe: rooms with tables, chairs, carpets of millimetres over each other, thresholds and a bar behind a step.
func (m *maker) cafe() {
	m.box(at(0, -0.3, 0), at(24, 0.3, 16), lean{})
	for _, x := range []float64{-12, -4, 4, 12} { // walls with a door each, over a threshold
		door, wide := m.between(-5, 5), m.between(0.9, 1.6)
		m.box(at(x, 0, (door-wide/2-8)/2), at(0.15, 2.8, 8+door-wide/2), lean{})
		m.box(at(x, 0, (door+wide/2+8)/2), at(0.15, 2.8, 8-door-wide/2), lean{})
		m.box(at(x, 2.1, door), at(0.15, 0.7, wide), lean{})
		m.box(at(x, -0.01, door), at(m.between(0.1, 0.3), m.between(0.02, 0.05), wide), lean{})
	}
	for range 9 {
		m.box(at(m.between(-10, 10), -0.002, m.between(-6, 6)), at(m.between(1, 4), m.between(0.004, 0.02), m.between(1, 3)), lean{yaw: m.angle()})
	}
	for range 14 {
		add := m.placed(at(m.between(-11, 11), 0, m.between(-7, 7)), m.angle())
		long, wide := m.between(0.7, 1.8), m.between(0.6, 0.9)
		add(at(0, 0.71, 0), at(long, 0.03, wide), lean{})
		for _, s := range [4][2]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
			add(at(s[0]*(long/2-0.05), 0, s[1]*(wide/2-0.05)), at(0.05, 0.71, 0.05), lean{})
		}
		for k := range m.count(1, 4) {
			side := float64(1 - 2*(k&1))
			x, z := (float64(k/2)-0.5)*0.6, side*(wide/2+m.between(-0.1, 0.4))
			add(at(x, 0.43, z), at(0.42, 0.04, 0.42), lean{yaw: m.normal(0.3)})
			add(at(x, 0.45, z+side*0.19), at(0.4, 0.45, 0.03), lean{roll: side * 0.1})
			for _, s := range [4][2]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
				add(at(x+0.17*s[0], 0, z+0.17*s[1]), at(0.035, 0.44, 0.035), lean{})
			}
		}
	}
	m.box(at(8, 0, -6.5), at(7.8, m.between(0.1, 0.2), 3), lean{})
	m.box(at(8, 0, -4.9), at(5, 1.1, 0.5), lean{})
	m.box(at(8, 1.1, -4.9), at(5.2, 0.05, 0.8), lean{})
}

// sewer: round tunnels that cross, each a shell open at its ends, with water, ledges along the sides and planks over the water.
func (m *maker) sewer() {
	for k := range 5 {
		long, radius := m.between(14, 30), m.between(1.3, 2.2)
		where, yaw := at(m.between(-6, 6), m.between(-0.5, 0.5)*float64(k%2), m.between(-6, 6)), m.angle()
		slope := m.normal(0.04)
		sides := m.count(8, 20)
		place := func(along, across, up float64) geom.Vec {
			x, z := turn(along, across, yaw)
			return where.Add(at(x, up+slope*along, z))
		}
		m.sheet(6, sides, func(u, v float64) geom.Vec { // seen from within
			sin, cos := geom.Sincos(2*math.Pi*v + math.Pi/2)
			return place(long*(u-0.5), radius*cos, radius*(1+sin))
		})
		water := m.between(0.1, 0.4) * radius
		half := math.Sqrt(2*radius*water - water*water)
		m.sheet(1, 1, func(u, v float64) geom.Vec { return place(long*(u-0.5), 2*half*(v-0.5), water) })
		add := m.placed(where, -yaw)
		for _, s := range []float64{-1, 1} {
			wide, high := m.between(0.3, 0.8), water+m.between(0, 0.4)
			add(at(0, 0, s*(radius*0.9-wide/2)), at(long*m.between(0.5, 1), high, wide), lean{pitch: math.Atan(slope)})
		}
		for range 3 {
			add(at(m.between(-0.4, 0.4)*long, water+m.between(0, 0.2), 0), at(m.between(0.3, 1), 0.06, 2*half), lean{yaw: m.normal(0.2)})
		}
	}
	m.box(at(0, -0.2, 0), at(5, 0.4, 5), lean{yaw: m.angle()})
}

// boulders: rough balls from a foot to a house, over and in each other on open ground.
func (m *maker) boulders() {
	h := m.hills(7, 2)
	m.ground(40, 24, 24, h)
	for range 60 {
		x, z, r := m.between(-18, 18), m.between(-18, 18), math.Pow(m.between(0.6, 1.6), 3)
		m.ball(at(x, h(x, z)+r*m.between(-0.8, 0.3), z), r, m.count(6, 12), m.count(4, 8))
	}
}

// escalators: two storeys with moving stairs between balustrades, comb plates over gaps of centimetres, and lifts beside sills.
func (m *maker) escalators() {
	high := m.between(3, 4.2)
	m.box(at(0, -0.3, 0), at(30, 0.3, 20), lean{})
	m.box(at(-10, high-0.3, 0), at(10, 0.3, 20), lean{})
	for k := range 3 {
		z := -6 + 5*float64(k) + m.between(-0.5, 0.5)
		wide, slope := m.between(0.6, 1.2), geom.Degrees(m.between(27, 35))
		sin, cos := geom.Sincos(slope)
		run := high / sin * cos
		n := int(high/0.2) + 1
		gap := m.between(0.002, 0.06)
		for i := range n {
			y := high * float64(i+1) / float64(n+1)
			m.box(at(-5+gap+run*(1-(float64(i)+0.5)/float64(n)), y-0.25, z), at(run/float64(n)-0.004, 0.25, wide), lean{})
		}
		m.box(at(-5+gap/2-0.3, high-0.02, z), at(0.6, 0.03, wide), lean{})
		m.box(at(-5+gap+run+0.5, -0.01, z), at(1, 0.02+m.between(0, 0.02), wide), lean{})
		for _, s := range []float64{-1, 1} {
			m.box(at(-5+run/2-sin*0.5, 0, z+s*(wide/2+0.1)), at(high/sin+1, 1, 0.12), lean{pitch: -slope})
		}
	}
	for k := range 3 { // lifts: a cabin at some height in a shaft with two doors
		x, sill := -11+2.8*float64(k), m.between(0.005, 0.08)
		y := of(m, 0, high, high+m.normal(0.05), m.between(0, high))
		m.box(at(x, y-0.1, -8+sill), at(1.6, 0.1, 1.8), lean{})
		for _, s := range []float64{-1, 1} {
			m.box(at(x+s*0.85, 0, -8), at(0.1, high+2.6, 2), lean{})
		}
		m.box(at(x, 0, -9), at(1.8, high+2.6, 0.1), lean{})
	}
	for range 8 {
		m.drum(at(m.between(-14, 14), 0, m.between(-9, 9)), m.between(0.15, 0.4), high, m.count(6, 16), 0)
	}
}

// docks: pontoons that float a little askew beside each other, gangways that lie on quays, boats, bollards and steps in a wall.
func (m *maker) docks() {
	m.box(at(0, -3, -9), at(36, 4, 8), lean{})
	m.sheet(4, 4, func(u, v float64) geom.Vec { return at(40*(u-0.5), -0.6, 30*(v-0.3)) })
	for k := range 3 {
		x := -12 + 11*float64(k) + m.between(-1, 1)
		y := m.between(-0.3, 0.5)
		long := m.between(3, 6)
		rise := 1 - y
		m.box(at(x, (y+1)/2-0.04, -5+long/2-0.4), at(m.between(0.9, 1.8), 0.08, math.Hypot(long, rise)), lean{roll: math.Atan2(rise, long)})
		for i := range 5 {
			z := -5 + long - 0.5 + (3+m.between(0.005, 0.12))*float64(i)
			m.box(at(x+m.normal(0.05), y-0.5+m.normal(0.04), z+1), at(2.4, 0.5, 3), lean{m.normal(0.02), m.normal(0.01), m.normal(0.01)})
			if m.rng.IntN(2) == 0 {
				m.drum(at(x+of(m, -1.0, 1), y-0.1, z+m.between(0, 2)), m.between(0.08, 0.2), m.between(0.3, 0.6), 8, 0)
			}
			if m.rng.IntN(2) == 0 { // a boat: an open shell
				side := of(m, -1.0, 1)
				hull, bow := m.between(0.5, 1.1), m.between(2, 4)
				m.sheet(8, 6, func(u, v float64) geom.Vec {
					sin, cos := geom.Sincos(math.Pi * v)
					wide := hull * (1 - (2*u-1)*(2*u-1)*0.8)
					return at(x+side*(1.3+hull)+cos*-wide, y+0.2-sin*0.6, z+bow*(u-0.5)+1)
				})
			}
		}
	}
	for k := range 9 { // steps down in the quay
		m.box(at(-16+0.3*float64(k), 0.8-0.2*float64(k)-0.2, -4.6), at(0.3, 0.2, 1), lean{})
	}
}

// girders: beams with flanges that cross at a few heights, plates laid over them, columns, and slanting braces.
func (m *maker) girders() {
	m.box(at(0, -0.3, 0), at(30, 0.3, 24), lean{})
	beam := func(a, b geom.Vec, high, wide float64) {
		d := b.Sub(a)
		flat := math.Hypot(d.X, d.Z)
		by := lean{yaw: math.Atan2(-d.Z, d.X), pitch: math.Atan2(d.Y, flat)}
		middle, long := a.Add(b).Scale(0.5), math.Hypot(flat, d.Y)
		m.box(middle, at(long, 0.02, wide), by)
		m.box(middle.Add(at(0, 0.02, 0)), at(long, high-0.04, 0.02), by)
		m.box(middle.Add(at(0, high-0.02, 0)), at(long, 0.02, wide), by)
	}
	for storey := range 3 {
		y := 2.6*float64(storey) + m.between(0, 0.4)
		for k := range 5 {
			high, wide := m.between(0.15, 0.5), m.between(0.1, 0.7)
			s := -10 + 5*float64(k) + m.between(-1, 1)
			beam(at(s, y, -10), at(s+m.normal(0.5), y, 10), high, wide)
			beam(at(-13, y+m.between(-0.3, 0.3), s*0.9), at(13, y+m.between(-0.3, 0.3), s*0.9+m.normal(0.5)), high, wide)
		}
		for range 7 {
			m.box(at(m.between(-10, 10), y+m.between(0.2, 0.6), m.between(-8, 8)), at(m.between(1, 5), m.between(0.02, 0.2), m.between(0.8, 3)), lean{m.angle(), m.normal(0.03), m.normal(0.03)})
		}
		for range 3 {
			x, z := m.between(-9, 9), m.between(-8, 8)
			beam(at(x, y, z), at(x+m.between(2, 5), y+2.6, z+m.normal(1)), 0.2, m.between(0.15, 1.2))
		}
	}
	for range 12 {
		x, z := m.between(-12, 12), m.between(-10, 10)
		m.box(at(x, 0, z), at(0.3, m.between(2, 8), 0.3), lean{})
	}
}

// ruins: walls with broken tops, slabs that lean on each other, fallen columns, stairs without some steps, heaps of bricks.
func (m *maker) ruins() {
	h := m.hills(5, 0.8)
	m.ground(36, 24, 24, h)
	for range 10 {
		x, z, yaw := m.between(-15, 15), m.between(-15, 15), of(m, 0, math.Pi/2, m.angle())
		add := m.placed(at(x, h(x, z)-0.5, z), yaw)
		for k := range m.count(3, 9) { // stones of one wall, each to its own height
			add(at(0.6*float64(k), 0, m.normal(0.01)), at(0.6, m.between(0.6, 3.5), 0.5), lean{})
		}
	}
	for range 14 {
		x, z := m.between(-15, 15), m.between(-15, 15)
		m.box(at(x, h(x, z)+m.between(-0.1, 1), z), at(m.between(1, 4), m.between(0.15, 0.4), m.between(0.8, 3)), lean{m.angle(), m.normal(0.35), m.normal(0.2)})
	}
	for range 8 {
		x, z, r := m.between(-15, 15), m.between(-15, 15), m.between(0.3, 0.6)
		if m.rng.IntN(2) == 0 {
			m.log(at(x, h(x, z)+r*0.8, z), r, m.between(1, 6), m.count(8, 16))
			continue
		}
		m.drum(at(x, h(x, z)-0.1, z), r, m.between(0.3, 4), m.count(8, 16), of(m, 0, 0.1))
	}
	for range 3 {
		x, z := m.between(-12, 12), m.between(-12, 12)
		add := m.placed(at(x, h(x, z), z), m.angle())
		for k := range 14 {
			if m.rng.IntN(5) > 0 {
				add(at(0.3*float64(k), 0.2*float64(k)-0.2, 0), at(0.31, 0.4, 1.4), lean{yaw: m.normal(0.02), pitch: m.normal(0.02), roll: m.normal(0.04)})
			}
		}
		add(at(5.2, 2.4, 0), at(2, 0.3, 2.4), lean{roll: m.normal(0.05)})
	}
	for range 160 {
		x, z := m.between(-16, 16), m.between(-16, 16)
		m.box(at(x, h(x, z)+m.between(-0.1, 0.2), z), at(m.between(0.2, 0.6), m.between(0.1, 0.3), m.between(0.1, 0.3)), lean{m.angle(), m.normal(0.3), m.normal(0.3)})
	}
}

// roads: strips of road a centimetre over rolling ground, with markings over them, kerbs, kinks, crossings and a flyover.
func (m *maker) roads() {
	h := m.hills(5, 2.5)
	m.ground(48, 32, 32, h)
	for k := range 5 {
		yaw, offset, wide := m.angle(), m.between(-12, 12), m.between(2, 5)
		lift := of(m, 0.005, 0.01, 0.03, 0.15)
		bend := m.between(-3, 3)
		pieces := m.count(16, 40)
		strip := func(from, to, over float64) {
			m.sheet(pieces, 1, func(u, v float64) geom.Vec {
				sin, _ := geom.Sincos(3 * u)
				x, z := turn(40*(u-0.5), offset+bend*sin+from+(to-from)*v, yaw)
				y := h(x, z)
				if k == 4 { // the flyover
					y = math.Max(y, 4-math.Abs(u-0.5)*14)
				}
				return at(x, y+over, z)
			})
		}
		strip(-wide/2, wide/2, lift)
		strip(-0.08, 0.08, lift+0.002)
		if k%2 == 0 { // kerbs and pavements
			strip(wide/2, wide/2+m.between(0.6, 2), lift+m.between(0.08, 0.2))
			strip(-wide/2-m.between(0.6, 2), -wide/2, lift+m.between(0.08, 0.2))
		}
	}
	for range 20 {
		x, z := m.between(-20, 20), m.between(-20, 20)
		m.drum(at(x, h(x, z)-0.2, z), m.between(0.06, 0.4), m.between(0.21, 3), m.count(5, 12), 0)
	}
}

// greebles: plates covered with small boxes, plates and pipes of centimetres to knee height, on a slope and on the level.
func (m *maker) greebles() {
	for k := range 3 {
		yaw, slope := m.angle(), of(m, 0, 0, geom.Degrees(m.between(5, 30)))
		where := at(9*float64(k)-9, m.between(-0.3, 0.3), m.between(-1, 1))
		add := func(at0, size geom.Vec, by lean) {
			x, y := turn(at0.X, at0.Y, slope)
			by.pitch += slope
			m.placed(where, yaw)(at(x, y, at0.Z), size, by)
		}
		add(at(0, -0.2, 0), at(10, 0.2, 10), lean{})
		for range 160 {
			high := math.Pow(m.between(0.1, 1), 3) * 0.6
			add(at(m.between(-5, 5), -0.02, m.between(-5, 5)), at(m.between(0.05, 1.2), high+0.02, m.between(0.05, 1.2)), lean{yaw: of(m, 0, 0, m.angle())})
		}
		for range 12 {
			add(at(m.between(-4, 4), m.between(0.02, 0.5), m.between(-4, 4)), at(m.between(1, 4), m.between(0.02, 0.15), m.between(0.02, 0.15)), lean{yaw: of(m, 0, math.Pi/2, m.angle())})
		}
	}
}

// corrugated: sheets in waves from finer than a foot to wider than a body, flat, aslope, over and beside each other.
func (m *maker) corrugated() {
	m.box(at(0, -0.5, 0), at(34, 0.4, 26), lean{})
	for range 9 {
		long, deep := m.between(0.08, 1.6), m.between(0.02, 0.4)
		n, sides := m.count(4, 12), m.count(4, 10)
		across := m.between(2, 7)
		slope := of(m, 0, geom.Degrees(m.between(5, 35)))
		where, yaw := at(m.between(-13, 13), m.between(-0.1, 1.2), m.between(-9, 9)), m.angle()
		m.sheet(n*sides, 2, func(u, v float64) geom.Vec {
			sin, _ := geom.Sincos(2 * math.Pi * u * float64(n))
			x, y := turn(long*float64(n)*(u-0.5), deep/2*sin, slope)
			z := across * (v - 0.5)
			z, x = turn(z, x, yaw)
			return where.Add(at(x, y, z))
		})
	}
	for range 10 {
		m.box(at(m.between(-14, 14), -0.2, m.between(-10, 10)), at(m.between(0.4, 3), m.between(0.3, 2), m.between(0.4, 3)), lean{yaw: m.angle()})
	}
}

// limits: steps, ceilings, ramps, doors and gaps at the very limits of usual agents, or millimetres beside them.
func (m *maker) limits() {
	m.box(at(0, -0.5, 0), at(40, 0.5, 30), lean{})
	near := func(v float64) float64 { return v + of(m, 0, 0, 0.003, -0.003, 0.02, -0.02) }
	for k := range 6 {
		z := -12 + 4.5*float64(k)
		add := m.placed(at(-12, 0, z), m.normal(0.3)*float64(k%2))
		add(at(0, 0, 0), at(3, near(of(m, 0.4, 0.5, 0.9)), 3), lean{})
		y := near(of(m, 0.8, 0.9, 1.0))
		add(at(3+near(0), 0, 0), at(3, y, 3), lean{})
		add(at(6+near(of(m, 0.2, 0.25, 0.3, 0.45)), 0, 0), at(3, y+of(m, 0, 0.1, -0.3), 3), lean{})
		add(at(12.5, 0, 0), at(3, 0.4, 3), lean{})
		add(at(12.5, 0.4+near(of(m, 1.8, 2.0)), 0), at(3, 0.2, 3), lean{})
	}
	for k := range 6 { // ramps of two triangles, with exact coordinates
		x, z, run := 6.0, -12+4.5*float64(k), 2.0
		rise := run * of(m, 1.0, 1, 0.99, 1.01, 0.5, 0.75)
		wide := near(of(m, 0.6, 1.2, 2))
		m.add([]geom.Vec{at(x, 0, z), at(x+run, rise, z), at(x+run, rise, z+wide), at(x, 0, z+wide)}, []int{0, 3, 2, 1})
		m.box(at(x+run+1.5+near(of(m, 0, 0, 0.2, 0.45)), rise-0.3, z+wide/2), at(3, 0.3, 3), lean{})
	}
	for k := range 8 { // doors as wide as agents
		x := -17 + 4*float64(k)
		m.box(at(x, 0, 14), at(4-near(of(m, 0.6, 0.8, 1.2)), 3, 0.4), lean{})
		m.drum(at(x, 0, -14), near(of(m, 0.3, 0.6)), near(of(m, 0.4, 0.9, 1.8)), m.count(6, 24), 0)
	}
}

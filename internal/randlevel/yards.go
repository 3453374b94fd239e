package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// skatepark: quarter pipes, banks, funboxes and rails on one sheet of ground; curves are flat pieces.
func (m *maker) skatepark() {
	m.sheet(9, 7, func(u, v float64) geom.Vec { return at(32*(u-0.5), 0, 24*(v-0.5)) })
	for range 6 { // quarter pipes with a deck behind
		where, yaw := at(m.between(-12, 12), 0, m.between(-8, 8)), m.angle()
		radius, width, steps := m.between(0.8, 2.2), m.between(2, 8), m.count(4, 14)
		up := m.between(0.5, 1) * math.Pi / 2
		deck := 0.0
		curve := func(u float64) (float64, float64) {
			sin, cos := geom.Sincos(up * u)
			return radius * sin, radius * (1 - cos)
		}
		place := func(x, y, z float64) geom.Vec {
			z, x = turn(z, x, yaw)
			return where.Add(at(x, y, z))
		}
		m.sheet(steps, 1, func(u, v float64) geom.Vec {
			x, y := curve(u)
			return place(x, y, width*(v-0.5))
		})
		deck, top := curve(1)
		add := m.placed(where, yaw)
		add(at(deck+0.6, 0, 0), at(1.2, top, width), lean{})
		add(at(deck-0.02, top-0.03, 0), at(0.06, 0.06, width), lean{}) // coping
	}
	for range 7 { // boxes between two wedges
		add := m.placed(at(m.between(-13, 13), 0, m.between(-9, 9)), m.angle())
		high, long, wide := m.between(0.2, 1.1), m.between(1, 4), m.between(1, 3)
		add(geom.Vec{}, at(long, high, wide), lean{})
		for _, side := range []float64{-1, 1} {
			slope := geom.Degrees(m.between(10, 50))
			sin, cos := geom.Sincos(slope)
			length := high / sin
			// A wedge is a plate whose upper edge lies on the box's upper edge.
			add(at(side*(long/2+length*cos/2-0.1*sin/2), high/2-0.1*cos, 0), at(length, 0.1, wide), lean{pitch: -side * slope})
		}
	}
	for range 6 { // rails
		add := m.placed(at(m.between(-13, 13), 0, m.between(-9, 9)), m.angle())
		high := m.between(0.2, 1)
		add(at(0, high, 0), at(4, 0.05, 0.05), lean{pitch: m.normal(0.1)})
		add(at(-1.8, 0, 0), at(0.05, high, 0.05), lean{})
		add(at(1.8, 0, 0), at(0.05, high, 0.05), lean{})
	}
}

// warehouse: rows of shelves with pallets, a mezzanine of a grate with stairs, a dock with a ramp, open containers.
func (m *maker) warehouse() {
	const wide, long = 36, 24
	m.box(at(0, -0.2, 0), at(wide, 0.2, long), lean{})
	for _, w := range [][4]float64{{0, -long / 2, wide, 0.3}, {0, long / 2, wide, 0.3}, {-wide / 2, 0, 0.3, long}, {wide / 2, 0, 0.3, long}} {
		m.box(at(w[0], -0.2, w[1]), at(w[2], 6, w[3]), lean{})
	}
	aisle := m.between(1.1, 3)
	for z := -long/2 + 1.5; z < 2; z += 1.1 + aisle {
		for i := range 5 {
			x := -16 + 2.9*float64(i)
			for _, dx := range []float64{0, 2.8} {
				for _, dz := range []float64{-0.5, 0.5} {
					m.box(at(x+dx, 0, z+dz), at(0.1, 4.5, 0.1), lean{})
				}
			}
			for k := range 4 {
				y := 0.1 + 1.4*float64(k)
				m.box(at(x+1.4, y, z), at(2.8, 0.08, 1.1), lean{})
				if m.rng.IntN(3) > 0 {
					m.box(at(x+m.between(0.8, 2), y+0.08, z), at(m.between(0.5, 1.2), m.between(0.3, 1.2), m.between(0.5, 1)), lean{yaw: m.normal(0.1)})
				}
			}
		}
	}
	// The grate's bars are 5 to 12 cm wide with gaps of 2 to 9 cm.
	bar, gap := m.between(0.05, 0.12), m.between(0.02, 0.09)
	for x := 2.0; x < 16; x += bar + gap {
		m.box(at(x, 2.9, 8), at(bar, 0.06, 6), lean{})
	}
	for i := range 5 {
		m.box(at(2+3.4*float64(i), 0, 5.2), at(0.15, 2.96, 0.15), lean{})
	}
	steps := m.count(12, 20)
	rise := 2.96 / float64(steps)
	for k := range steps { // open stairs of planks
		m.box(at(2-0.28*float64(steps-k), rise*float64(k+1)-0.04, 9), at(m.between(0.22, 0.3), 0.04, 1.2), lean{})
	}
	for range 5 { // containers without an end
		add := m.placed(at(m.between(0, 15), 0, m.between(-9, 2)), m.angle())
		for _, w := range [][6]float64{{0, 0.02, 0, 4, 0.1, 2.2}, {0, 2.3, 0, 4, 0.1, 2.2}, {0, 0.02, -1.1, 4, 2.4, 0.06}, {0, 0.02, 1.1, 4, 2.4, 0.06}, {-2, 0.02, 0, 0.06, 2.4, 2.2}} {
			add(at(w[0], w[1], w[2]), at(w[3], w[4], w[5]), lean{})
		}
		add(at(2.4, -0.1, 0), at(0.9, 0.1, 2), lean{pitch: -geom.Degrees(m.between(5, 20))})
	}
	for range 25 { // pallets, some in stacks
		x, z, yaw := m.between(-3, 16), m.between(-10, 4), m.angle()
		for k := range m.count(1, 4) {
			for j := range 5 {
				m.placed(at(x, 0.14*float64(k), z), yaw)(at(0, 0.1, -0.48+0.24*float64(j)), at(1.2, 0.03, 0.16), lean{})
			}
			m.placed(at(x, 0.14*float64(k), z), yaw)(geom.Vec{}, at(1.1, 0.1, 0.1), lean{})
		}
	}
}

// castle: walls with merlons and walks, round towers with winding stairs, gates under round arches.
func (m *maker) castle() {
	h := m.hills(5, 1.5)
	m.ground(56, 28, 28, h)
	half, high := m.between(12, 17), m.between(3.5, 5)
	for side := range 4 {
		add := m.placed(at(0, 0, 0), math.Pi/2*float64(side))
		door := m.between(1.4, 3)
		for _, s := range []float64{-1, 1} {
			length := half - door/2
			add(at(s*(door/2+length/2), -2, half), at(length, high+2, 2.2), lean{})
			for x := door/2 + 0.5; x < half-2; x += 1.4 {
				add(at(s*x, high, half+0.95), at(0.7, 1.1, 0.3), lean{})
			}
		}
		arch := m.count(4, 9)
		for k := range arch { // an arch of blocks over the gate
			sin, cos := geom.Sincos(math.Pi * (float64(k) + 0.5) / float64(arch))
			add(at(cos*(door/2+0.2), high-0.9-door/2+sin*door/2, half), at(0.5, 0.5, 2.2), lean{roll: 0})
		}
		add(at(0, high-0.4, half), at(door+0.6, 0.4, 2.2), lean{})
		n := int(high/0.25) + 1
		for k := range n { // stairs along the wall to the walk
			add(at(half-3-0.3*float64(k), -2, half-1.6), at(0.3, 2+high-high/float64(n)*float64(k), 1), lean{})
		}
	}
	for corner := range 4 {
		x, z := half*float64(1-2*(corner&1)), half*float64(1-(corner&2))
		radius, sides := m.between(2.6, 3.6), of(m, 8, 12, 20)
		top := high + m.between(1, 3)
		centre := at(x, 0, z)
		for k := range sides { // a ring of wall with a door and slits
			from, part := 2*math.Pi*float64(k)/float64(sides), 2*math.Pi/float64(sides)
			low := -2.0
			if k == 0 {
				low = 2.2
			}
			m.ringBlock(centre, radius-0.4, radius, from, from+part, low, top)
			if k%2 == 0 {
				m.ringBlock(centre, radius-0.3, radius, from, from+part, top, top+0.9)
			}
		}
		m.drum(at(x, -2, z), 0.35, top+2, 7, 0)
		steps := int(top/0.22) + 1
		for k := range steps {
			from := 0.3 * float64(k)
			y := h(x, z) + (top-h(x, z))*float64(k+1)/float64(steps)
			m.ringBlock(centre, 0.3, radius-0.35, from, from+0.32, y-0.3, y)
		}
	}
	for range 12 { // a keep of boxes, crates and carts
		m.box(at(m.between(-8, 8), -1, m.between(-8, 8)), at(m.between(0.4, 4), m.between(1.2, 4), m.between(0.4, 4)), lean{yaw: m.angle()})
	}
}

// canyon: cliffs along a stream with bridges of planks that sag, ledges and fallen logs.
func (m *maker) canyon() {
	h := m.hills(6, 2)
	deep, wide := m.between(3, 7), m.between(4, 7)
	bend, _ := geom.Sincos(m.angle())
	middle := func(x float64) float64 {
		sin, _ := geom.Sincos(0.2*x + bend)
		return 3 * sin
	}
	ground := func(x, z float64) float64 {
		away := math.Abs(z - middle(x))
		return h(x, z) - deep*min(1, max(0, (wide-away)/1.5))
	}
	m.ground(48, 64, 64, ground)
	for k := range 4 { // each bridge has its own stretch of the stream
		x := 12*float64(k) - 18 + m.between(-4, 4)
		z := middle(x)
		from, to := z-wide-1, z+wide+1
		a, b := ground(x, from)+0.1, ground(x, to)+0.1
		plank, gap, sag := m.between(0.15, 0.4), m.between(0.01, 0.12), m.between(0, 1.2)
		n := int((to - from) / (plank + gap))
		for k := range n {
			t := (float64(k) + 0.5) / float64(n)
			y := a + (b-a)*t - 4*sag*t*(1-t)
			m.box(at(x+m.normal(0.03), y-0.06, from+(to-from)*t), at(m.between(1.2, 1.6), 0.06, plank),
				lean{yaw: m.normal(0.03), roll: -math.Atan2(b-a-4*sag*(1-2*t), to-from) + m.normal(0.03)})
		}
		for _, side := range []float64{-0.8, 0.8} { // ropes
			for k := range 8 {
				t := (float64(k) + 0.5) / 8
				y := a + (b-a)*t - 4*sag*t*(1-t)
				m.box(at(x+side, y+1.05, from+(to-from)*t), at(0.05, 0.05, (to-from)/8+0.05), lean{roll: -math.Atan2(b-a-4*sag*(1-2*t), to-from)})
			}
		}
	}
	for range 12 { // ledges on the cliffs
		x := m.between(-20, 20)
		z := middle(x) + of(m, -1.0, 1)*(wide-0.7)
		m.box(at(x, ground(x, z)+m.between(-1, 1), z), at(m.between(1, 5), 0.3, m.between(0.6, 2)), lean{yaw: m.normal(0.4), roll: m.normal(0.1)})
	}
	for range 10 { // logs, half sunk
		x, z := m.between(-20, 20), m.between(-18, 18)
		m.log(at(x, ground(x, z), z), m.between(0.15, 0.5), m.between(1.5, 6), m.count(5, 10))
	}
	m.stones(40, 20, ground)
}

// log adds a cylinder that lies.
func (m *maker) log(where geom.Vec, radius, length float64, sides int) {
	yaw := m.angle()
	m.sheet(1, sides, func(u, v float64) geom.Vec {
		up, across := geom.Sincos(2 * math.Pi * v)
		x, z := turn(length*(u-0.5), -radius*across, yaw)
		return where.Add(at(x, radius*up, z))
	})
}

// cave: two height fields, floor and ceiling, that meet in places, with pillars of rock and a slab of water.
func (m *maker) cave() {
	floor, room := m.hills(9, 2.5), m.hills(8, 3)
	mid := m.between(1, 2.5)
	m.ground(44, 60, 60, floor)
	ceiling := func(u, v float64) geom.Vec {
		x, z := 44*(u-0.5), 44*(v-0.5)
		return at(x, floor(x, z)+mid+room(x, z), z)
	}
	m.sheet(50, 50, back(ceiling))
	for range 30 {
		x, z := m.between(-20, 20), m.between(-20, 20)
		y := floor(x, z)
		m.drum(at(x, y-1, z), m.between(0.1, 1), m.between(1, 4), m.count(3, 9), of(m, 0, 0.3))
	}
	for range 8 { // planks over holes and pools
		x, z := m.between(-18, 18), m.between(-18, 18)
		m.box(at(x, floor(x, z)+m.between(-0.1, 0.4), z), at(m.between(2, 6), 0.1, m.between(0.4, 1.4)), lean{m.angle(), m.normal(0.1), m.normal(0.05)})
	}
	m.stones(50, 20, floor)
}

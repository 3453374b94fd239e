package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// office: three storeys around a stairwell of free treads, with tables on thin legs, chairs and partitions.
func (m *maker) office() {
	const high = 3.2
	for storey := range 3 {
		y := high * float64(storey)
		if storey == 0 {
			m.box(at(15, -0.3, 10), at(30, 0.3, 20), lean{})
		} else { // slabs around the stairwell
			m.box(at(11, y-0.2, 10), at(22, 0.2, 20), lean{})
			m.box(at(26, y-0.2, 4), at(8, 0.2, 8), lean{})
			m.box(at(26, y-0.2, 17), at(8, 0.2, 6), lean{})
			m.box(at(28.5, y-0.2, 11), at(3, 0.2, 6), lean{})
		}
		for desk := range 7 {
			add := m.placed(at(1.5+3*float64(desk)+m.between(0, 0.8), y, m.between(2, 17)), of(m, 0, 0, m.between(0, 0.3)))
			add(at(0, 0.7, 0), at(1.6, 0.04, 0.8), lean{})
			for leg := range 4 {
				add(at(1.5*float64(leg%2)-0.75, 0, 0.7*float64(leg/2)-0.35), at(0.04, 0.7, 0.04), lean{})
			}
			add(at(0, 0.43, 0.7), at(0.44, 0.04, 0.44), lean{})
			add(at(0, 0.5, 0.9), at(0.44, 0.6, 0.04), lean{})
		}
		for wall := range 3 {
			m.box(at(7*float64(wall)+6, y, 10), at(0.12, 3, m.between(4, 8)), lean{})
		}
		if storey == 2 {
			continue
		}
		treads := m.count(8, 10)
		rise := high / 2 / float64(treads)
		for k := range treads {
			up := float64(k+1) * rise
			m.box(at(22.6, y+up-0.1, 8.3+0.28*float64(k)), at(1.2, 0.1, 0.32), lean{})
			m.box(at(24.4, y+high/2+up-0.1, 10.9-0.28*float64(k)), at(1.2, 0.1, 0.32), lean{})
		}
		m.box(at(24, y+high/2-0.12, 11.4), at(4, 0.12, 1.2), lean{})
		m.box(at(24.4, y+high-0.14, 8.2), at(4.8, 0.14, 0.6), lean{})
	}
}

// roofs: turned houses under gables of 20° to a tenth above 45°, each with a stair of blocks along its side.
func (m *maker) roofs() {
	m.box(at(20, -0.5, 15), at(60, 0.5, 50), lean{})
	for range 6 {
		middle, yaw := at(m.between(0, 40), 0, m.between(0, 30)), m.angle()
		wide, deep, eaves := m.between(3, 6), m.between(3, 6), m.between(2.5, 4)
		sin, cos := geom.Sincos(geom.Degrees(of(m, 20, 30, 44.9, 45, 45.1)))
		ridge := eaves + deep*sin/cos
		place := func(x, y, z float64) geom.Vec {
			z, x = turn(z, x, yaw)
			return middle.Add(at(x, y, z))
		}
		m.box(middle, at(2*wide, eaves, 2*deep), lean{yaw: yaw})
		const over = 0.4 // how far the roof leans out
		for _, side := range []float64{-1, 1} {
			x := side * (wide + over)
			low := deep + over
			m.add([]geom.Vec{place(-x, eaves-0.3, side*low), place(x, eaves-0.3, side*low), place(x, ridge, 0), place(-x, ridge, 0)}, []int{0, 1, 2, 3})
			gable := side * wide
			m.add([]geom.Vec{place(gable, eaves, side*deep), place(gable, eaves, -side*deep), place(gable, ridge-0.2, 0)}, []int{0, 1, 2})
		}
		add := m.placed(middle, yaw)
		steps := int(eaves / 0.18)
		for k := range steps {
			add(at(wide+0.7, 0, 0.3*float64(k)-deep), at(1.2, eaves*float64(k+1)/float64(steps), 0.3), lean{})
		}
	}
}

// decks: three slabs on round pillars, joined by ramps of 15°, 30° and 45° without thickness.
func (m *maker) decks() {
	const high = 2.8
	m.box(at(20, -0.4, 12), at(56, 0.4, 28), lean{})
	// ramp adds a ramp that ends at x on a deck, between two z.
	ramp := func(x, y, z0, z1, toward float64) {
		sin, cos := geom.Sincos(geom.Degrees(of(m, 15.0, 30, 45)))
		run := toward * high * cos / sin
		low, top := at(x+run, y-high, 0), at(x, y, 0)
		if toward < 0 {
			z0, z1 = z1, z0
		}
		m.add([]geom.Vec{top.Add(at(0, 0, z0)), top.Add(at(0, 0, z1)), low.Add(at(0, 0, z1)), low.Add(at(0, 0, z0))}, []int{0, 1, 2, 3})
	}
	for deck := range 3 {
		y := high * float64(deck+1)
		m.box(at(20, y-0.3, 12), at(of(m, 28.0, 28, 32), 0.3, 24), lean{})
		ramp(34, y, 4, 8, 1)
		ramp(6, y, 14, 18, -1)
		for k := range 15 {
			m.drum(at(8+6*float64(k%5), y-high, 4+8*float64(k/5)), m.between(0.15, 0.4), high, 12, 0)
		}
	}
}

// scaffold: three levels of planks on poles, with ladders of free steps; planks are missing.
func (m *maker) scaffold() {
	const high = 2.0
	m.box(at(12, -0.3, 8), at(32, 0.3, 20), lean{})
	plank, gap := m.between(0.25, 0.4), of(m, 0.005, 0.03, 0.08)
	for deck := range 3 {
		y := high * float64(deck+1)
		for bay := range 8 {
			if m.rng.Float64() < 0.15 {
				continue
			}
			for k := range 4 {
				m.box(at(1.5+3*float64(bay), y-0.04, 3+(plank+gap)*float64(k)), at(2.98, 0.04, plank), lean{})
			}
		}
		for pole := range 9 {
			for _, z := range []float64{2.8, 3 + 4*(plank+gap)} {
				m.box(at(3*float64(pole), y-high, z), at(0.05, high, 0.05), lean{})
			}
			m.box(at(3*float64(pole), y, 2.8), at(0.04, 1, 0.04), lean{})
		}
		m.box(at(12, y+0.98, 2.8), at(24, 0.04, 0.04), lean{})
		const steps = 8
		for k := range steps {
			m.box(at(2+0.35*float64(k)+8*float64(deck%2), y-high+high*float64(k+1)/steps-0.03, 3.2+4*(plank+gap)), at(0.3, 0.03, 0.8), lean{})
		}
	}
	for range 30 {
		m.box(at(m.between(0, 24), 0, m.between(6, 15)), at(m.between(0.1, 2), m.between(0.05, 1.2), m.between(0.1, 1)), lean{yaw: m.angle()})
	}
}

// station: two platforms beside a track, and trains whose sills stand 5 to 30 cm from the platforms, with seats in two rows.
func (m *maker) station() {
	for _, z := range []float64{0, 9} {
		m.box(at(0, -1, z), at(80, 1, 6), lean{})
	}
	m.box(at(0, -1.6, 4.5), at(80, 0.5, 3), lean{})
	for car := range 3 {
		x, gap, sill := -24+24*float64(car), m.between(0.05, 0.3), of(m, -0.03, 0, 0.07, 0.2)
		wide := 3 - 2*gap
		for _, y := range []float64{sill - 0.1, 2.6} {
			m.box(at(x, y, 4.5), at(23, 0.1, wide), lean{})
		}
		for _, side := range []float64{-1, 1} {
			for _, from := range []float64{-11.4, -6, -3, 3, 6, 11.4} {
				m.box(at(x+from, sill, 4.5+side*wide/2), at(2.4, 2.6-sill, 0.08), lean{})
			}
			for seat := range 9 {
				m.box(at(x+2*float64(seat)-8, sill, 4.5+side*0.75), at(0.6, 0.8, m.between(0.5, 0.9)), lean{})
			}
		}
	}
	for k := range 12 {
		m.box(at(6.5*float64(k)-38, 0, -1), at(0.4, 3.2, 0.4), lean{yaw: math.Pi / 4})
	}
	const steps = 20
	for k := range steps {
		m.box(at(0.28*float64(k)-46, -0.17*float64(steps-k)-0.2, 0), at(0.28, 0.2, 4), lean{})
	}
	m.box(at(-52, -4.6, 0), at(13, 1, 8), lean{})
}

// market: stalls under slanted awnings whose edges come down to between a metre and more than a body's height, with crates.
func (m *maker) market() {
	h := m.hills(3, 0.8)
	m.ground(40, 20, 20, h)
	for stall := range 25 {
		middle := at(7*float64(stall%5)-14+m.between(-1, 1), 0, 7*float64(stall/5)-14+m.between(-1, 1))
		middle.Y = h(middle.X, middle.Z)
		add := m.placed(middle, m.angle())
		add(at(0, of(m, 1.4, 1.9, 2.0, 2.3), 0), at(m.between(3, 5), of(m, 0.01, 0.05), m.between(2, 4)), lean{pitch: m.normal(0.25), roll: m.normal(0.1)})
		for _, x := range []float64{-1.3, 1.3} {
			add(at(x, -0.3, -0.9), at(0.08, 2.5, 0.08), lean{})
		}
		add(at(0, -0.3, 0), at(2, of(m, 0.9, 1.1, 1.25), 0.7), lean{})
		for range 6 {
			size := m.between(0.2, 0.7)
			add(at(m.between(-2, 2), -0.1, m.between(-2, 2)), at(size, of(m, 0.2, 0.4, 0.7), size), lean{yaw: m.angle()})
		}
	}
}

package randlevel

import (
	"github.com/meadow-nav/meadow/geom"
)

// slabs: a field of slabs and ramps at heights a step apart, with gaps of 2 to 60 cm between them; some are turned a little.
func (m *maker) slabs() {
	m.box(at(20, -6, 20), at(46, 1, 46), lean{})
	for x := 0.0; x < 32; {
		wide := m.between(1.5, 5)
		for z := 0.0; z < 32; {
			long := m.between(1.5, 5)
			high := of(m, 0, 0, 0, 0.1, 0.2, 0.3, 0.45, -0.2, 0.85, 1.2)
			switch m.count(0, 9) {
			case 0, 1:
				end := high + of(m, -1.0, 1)*long*of(m, 0.3, 0.6, 0.999, 1)
				m.add([]geom.Vec{at(x, high, z), at(x, end, z+long), at(x+wide, end, z+long), at(x+wide, high, z)}, []int{0, 1, 2, 3})
			default:
				yaw := of(m, 0, 0, 0, m.between(-0.2, 0.2))
				m.box(at(x+wide/2, high-0.5, z+long/2), at(wide, 0.5, long), lean{yaw: yaw})
			}
			z += long + of(m, 0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.44, 0.46, 0.6)
		}
		x += wide + of(m, 0, 0.02, 0.1, 0.2, 0.3, 0.44, 0.6)
	}
}

// modules: a station of square rooms from a kit, each a floor of two triangles with walls of one face. Neighbours overlap by
// a few millimetres or miss each other by two, and stand at heights a step apart.
func (m *maker) modules() {
	const side = 6.0
	wall := func(a, b geom.Vec) {
		m.add([]geom.Vec{a.Add(at(0, -0.2, 0)), a.Add(at(0, 2.8, 0)), b.Add(at(0, 2.8, 0)), b.Add(at(0, -0.2, 0))}, []int{0, 1, 2, 3})
	}
	for room := range 25 {
		if m.rng.Float64() < 0.15 {
			continue
		}
		corner := at(side*float64(room/5), of(m, 0, 0, 0, 0.3, 0.6), side*float64(room%5))
		long := side + of(m, 0, 0.001, 0.003, -0.002)
		m.add([]geom.Vec{corner, corner.Add(at(0, 0, long)), corner.Add(at(long, 0, long)), corner.Add(at(long, 0, 0))}, []int{0, 1, 2, 3})
		m.box(corner.Add(at(side/2, 2.6, side/2)), at(side, 0.4, side), lean{})
		corners := [4]geom.Vec{corner, corner.Add(at(side, 0, 0)), corner.Add(at(side, 0, side)), corner.Add(at(0, 0, side))}
		for k := range 4 {
			if m.rng.Float64() < 0.45 {
				a, b := corners[k], corners[(k+1)%4]
				open := of(m, 0, 1.2, 1.5, 2.5) / side / 2 // half of the door
				along := b.Sub(a)
				wall(a, a.Add(along.Scale(0.5-open)))
				wall(a.Add(along.Scale(0.5+open)), b)
			}
		}
		for range m.count(0, 5) { // things that stand about, sunk by a centimetre
			where := corner.Add(at(m.between(0.5, side-0.5), -0.01, m.between(0.5, side-0.5)))
			size := m.between(0.06, 1)
			m.box(where, at(size, of(m, 0.06, 0.21, 0.51, 0.9, 0.92, 2, 2.7), size*m.between(0.5, 1)), lean{yaw: m.angle()})
		}
	}
}

// house: storeys of slabs with a stairwell of two flights, walls with doors, railings of posts, and furniture. Some stand askew.
func (m *maker) house() {
	const thick, flight, run = 0.2, 1.3, 4.2
	wide, long, high := m.between(12, 18), m.between(9, 14), m.between(2.8, 3.4)
	add := m.placed(geom.Vec{}, of(m, 0, m.between(0, 1.5)))
	// span adds a box between two corners.
	span := func(x0, y0, z0, x1, y1, z1 float64) {
		add(at((x0+x1)/2, y0, (z0+z1)/2), at(x1-x0, y1-y0, z1-z0), lean{})
	}
	span(-8, -0.3, -8, wide+8, 0, long+8)
	storeys, steps := m.count(2, 4), m.count(14, 20)
	half := steps / 2
	rise, tread := high/float64(steps), run/float64(half)
	const well = 1 + 2*flight + 0.1 // the far side of the stairwell
	for storey := range storeys {
		y := float64(storey) * high
		top := y + high - thick
		if storey > 0 {
			span(0, y-thick, 0, 1, y, long)
			span(1+run+1.2, y-thick, 0, wide, y, long)
			span(1, y-thick, well, 1+run+1.2, y, long)
			span(1, y-thick, 0, 1+run+1.2, y, 1)
			for x := 1.0; x < 1+run; x += 0.13 {
				span(x, y, well, x+0.04, y+1, well+0.04)
			}
			span(1, y+0.95, well, 1+run, y+1.02, well+0.04)
		}
		door := m.between(1, 2)
		left := m.between(7, wide-door-1)
		span(0, y, 0, left, top, thick)
		span(left+door, y, 0, wide, top, thick)
		span(left, y+2.2, 0, left+door, top, thick)
		span(0, y, long-thick, wide, top, long)
		span(0, y, 0, thick, top, long)
		span(wide-thick, y, 0, wide, top, long)
		across, gap := m.between(7, wide-3), m.between(1, long-3)
		span(across, y, 0, across+0.15, top, gap)
		span(across, y, gap+1.4, across+0.15, top, long)
		for range m.count(2, 6) {
			size := m.between(0.4, 1.6)
			add(at(m.between(6.5, wide-1), y, m.between(4, long-1)), at(size, of(m, 0.4, 0.5, 0.75, 0.9, 1.8), size/2), lean{yaw: m.angle()})
		}
		if storey == storeys-1 {
			continue
		}
		for i := range half {
			x := 1 + float64(i)*tread
			span(x, of(m, y, y+float64(i)*rise), 1, x+tread, y+float64(i+1)*rise, 1+flight)
		}
		landing := y + float64(half)*rise
		span(1+run, landing-0.15, 1, 1+run+1.2, landing, well)
		for i := range steps - half {
			x := 1 + run - float64(i)*tread
			span(x-tread, landing+float64(i)*rise, 1+flight+0.1, x, landing+float64(i+1)*rise, well)
		}
	}
	roof := float64(storeys) * high
	span(0, roof-thick, 0, wide, roof, long)
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// framed returns a function that turns coordinates of a part into a place: turned by yaw about the part's origin.
func framed(origin geom.Vec, yaw float64) func(x, y, z float64) geom.Vec {
	return func(x, y, z float64) geom.Vec {
		z, x = turn(z, x, yaw)
		return origin.Add(at(x, y, z))
	}
}

// bowl: a part of a bowl of seats as sheets, treads whose edges overhang, aisles with half steps, and mouths that lead through the rows to a walk beneath.
func (m *maker) bowl() {
	rows, depth, rise := m.count(8, 13), m.between(0.7, 0.95), m.between(0.25, 0.5)
	inner, first, nose := m.between(7, 11), m.between(0.3, 1.2), of(m, 0, m.between(0.01, 0.04))
	facets := m.count(2, 5)
	middle := at(0, 0, -inner-4)
	m.box(at(0, -0.4, 0), at(44, 0.4, 40), lean{})
	row := func(k int) (radius, height float64) { return inner + depth*float64(k), first + rise*float64(k) }
	outer, top := row(rows)
	ring := func(n int, r0, y0, r1, y1, from, to float64) {
		m.sheet(1, n, func(u, v float64) geom.Vec { return polar(middle, r0+(r1-r0)*u, from+(to-from)*v, y0+(y1-y0)*u) })
	}
	const sectors = 4
	for s := range sectors {
		from := math.Pi * (0.2 + 0.6*float64(s)/sectors)
		to := from + 0.6*math.Pi/sectors
		aisle := m.between(0.9, 1.4) / inner
		low := m.count(2, 4)         // the row in which the mouth begins
		high := low + m.count(2, 4)  // and the first above
		mouth := m.between(1.4, 2.2) // metres
		left := (from+aisle+to)/2 - mouth/2/outer
		right := left + mouth/outer
		_, floor := row(low)
		floor -= rise * of(m, 1, 1, 0.5)
		for k := range rows {
			r, y := row(k)
			for part, span := range [3][2]float64{{from, left}, {left, right}, {right, to}} {
				if part == 1 && s%2 == 0 && k >= low && k < high {
					continue
				}
				ring(facets, r-nose, y, r+depth, y, span[0], span[1])
				ring(facets, r, y-rise, r-of(m, 0, nose), y, span[0], span[1])
			}
			m.ringBlock(middle, r-depth/2, r+0.02, from, from+aisle, y-rise-0.1, y-rise/2+of(m, 0, 0.002, -0.002)) // half a step
			for i := range 6 {                                                                                     // seats as plates on a foot
				t := from + aisle + (to-from-aisle)*(float64(i)+0.5)/6
				if m.between(0, 1) < 0.5 && !(s%2 == 0 && t > left-0.05 && t < right+0.05) {
					m.box(polar(middle, r+depth-0.25, t, y), at(0.4, of(m, 0.38, 0.42, 0.45), 0.42), lean{yaw: -t})
				}
			}
		}
		if s%2 == 0 {
			r0, _ := row(low)
			r1, y1 := row(high)
			ring(2, r0-0.01, floor, outer+2, floor, left, right)
			for _, t := range [2]float64{left, right} { // walls along the mouth
				m.ringBlock(middle, r0, outer, t-0.05/outer, t+0.05/outer, floor-0.2, floor+m.between(0.9, 1.2)+rise*float64(high-low))
			}
			m.ringBlock(middle, r1, r1+0.1, left, right, max(floor+m.between(1.7, 2.3), y1-rise), y1+0.9) // a wall over the mouth
			for k := range int(math.Ceil(floor / 0.18)) {                                                 // steps down behind the bowl
				r := outer + 2 + 0.3*float64(k)
				m.ringBlock(middle, r-0.02, r+0.3, left, right, -0.1, floor-0.18*float64(k+1))
			}
		}
	}
	front := first - rise + m.between(0, 1)
	for k := range 12 { // walls behind the last row and before the first
		from, to := math.Pi*(0.2+0.05*float64(k)), math.Pi*(0.25+0.05*float64(k))
		if k%6 > 1 {
			m.ringBlock(middle, outer, outer+0.15, from, to, top-rise, top+0.9)
		}
		if k%3 > 0 {
			m.ringBlock(middle, inner-0.12, inner, from, to, -0.2, front)
		}
	}
	for range 4 {
		m.box(polar(middle, inner-m.between(1, 3), m.between(0.3, 0.7)*math.Pi, 0), at(1, m.between(0.1, 0.6), 1), lean{yaw: m.angle()})
	}
}

// helicoid: two ramps of a car park wind around one axis, over each other. The decks fall sideways, and the kerbs have vertices of their own. Steel plates cover
// the joints, and slabs lead onto the ramps.
func (m *maker) helicoid() {
	inner := m.between(4, 6)
	outer, rise, turns := inner+m.between(3, 4.5), m.between(4.6, 5.6), m.between(1.2, 2.2)
	fall, way := m.between(-0.05, 0.05), of(m, -1.0, 1)
	m.box(at(0, -0.5, 0), at(2*outer+14, 0.5, 2*outer+14), lean{})
	for ramp := range 2 {
		start := math.Pi * float64(ramp)
		place := func(r, t, y float64) geom.Vec {
			return polar(geom.Vec{}, r, start+way*t, rise*t/(2*math.Pi)+fall*(r-inner)+y)
		}
		sweep := func(n int, r0, y0, r1, y1, from, to float64) {
			f := func(u, v float64) geom.Vec { return place(r0+(r1-r0)*u, from+(to-from)*v, y0+(y1-y0)*u) }
			if way < 0 {
				f = back(f)
			}
			m.sheet(1, n, f)
		}
		total, pieces := 2*math.Pi*turns, m.count(4, 7)
		joint := m.between(0.002, 0.04) / inner
		for k := range pieces {
			from, to := total*float64(k)/float64(pieces), total*float64(k+1)/float64(pieces)-joint
			n := m.count(5, 12)
			sweep(n, inner, 0, outer, 0, from, to)
			sweep(n, outer, -0.25, inner, -0.25, from, to)
			if m.between(0, 1) < 0.6 { // a plate over the joint
				sweep(1, inner+0.4, m.between(0.003, 0.008), outer-0.4, m.between(0.003, 0.008), to-0.1/inner, to+0.1/inner)
			}
		}
		kerb, wide, n := m.between(0.08, 0.2), m.between(0.15, 0.5), m.count(30, 60)
		for _, side := range [2]float64{0, 1} {
			r0 := inner + (outer-inner-wide)*side
			sweep(n, r0+0.02, kerb, r0+wide-0.02, kerb, 0, total)
			sweep(n, r0, -0.02, r0+0.02, kerb, 0, total)
			sweep(n, r0+wide-0.02, kerb, r0+wide, -0.02, 0, total)
		}
		wall := m.count(20, 40)
		sweep(wall, outer-0.01, 1, outer+0.15, 1, 0, total)
		sweep(wall, outer-0.012, -0.25, outer-0.01, 1, 0, total)
		sweep(wall, outer+0.15, 1, outer+0.151, -0.25, 0, total)
		for _, end := range [2]float64{0, total} { // slabs at both ends
			p, sin, cos := place((inner+outer)/2, end, 0), 0.0, 0.0
			sin, cos = geom.Sincos(start + way*end)
			out := 2.5 * way * of(m, 1.0, 1.01)
			if end == 0 {
				out = -out
			}
			m.box(p.Add(at(-sin*out, -0.2+m.normal(0.01), cos*out)), at(outer-inner+m.normal(0.1), 0.2, 5), lean{yaw: -(start + way*end)})
		}
	}
	m.drum(at(0, 0, 0), inner-0.3, rise*turns+3, m.count(12, 40), 0)
	for k := range 8 {
		m.drum(polar(geom.Vec{}, outer+0.3, math.Pi/4*float64(k), 0), 0.2, rise*turns+2, 8, 0)
	}
}

// playground: decks on posts with slides as troughs, straight and in a helix, ladders of rungs, nets, half sunken tyres, mats with bevelled edges, beams and
// stumps on a lawn.
func (m *maker) playground() {
	h := m.hills(4, of(m, 0.0, 0.3, 0.8))
	m.ground(26, 13, 13, h)
	for k := range 3 {
		x, z, high := 7.5*float64(k)-7.5, m.between(-4, 4), m.between(0.9, 2.3)
		origin, yaw := at(x, h(x, z)+high, z), m.angle()
		add, place := m.placed(origin, yaw), framed(origin, yaw)
		side := m.between(1.6, 2.4)
		for i := range 9 { // planks
			w := side / 9
			add(at((float64(i)-4)*w, -0.04, 0), at(w-m.between(0.002, 0.012), 0.04, side), lean{})
		}
		for i := range 4 {
			sx, sz := side/2*float64(i%2*2-1), side/2*float64(i/2*2-1)
			add(at(sx, -high-0.3, sz), at(0.1, high+0.3+m.between(0.9, 2.2), 0.1), lean{})
		}
		section := [][2]float64{{-0.32, 0.25}, {-0.3, 0.25}, {-0.27, 0.02}, {-0.1, -0.01}, {0.1, -0.01}, {0.27, 0.02}, {0.3, 0.25}, {0.32, 0.25}}
		slope := math.Tan(geom.Degrees(m.between(25, 44)))
		if k == 0 { // a slide in a helix around a post
			r, turns := m.between(0.8, 1.3), high/slope/(2*math.Pi)
			m.sheet(m.count(16, 30), len(section)-1, func(u, v float64) geom.Vec {
				c := section[int(math.Round(v*float64(len(section)-1)))]
				sin, cos := geom.Sincos(u * turns * 2 * math.Pi / r)
				return place(side/2+(r-c[0])*sin, c[1]-u*high, r-(r-c[0])*cos)
			})
			add(at(side/2, -high-0.2, r), at(0.12, high+1.2, 0.12), lean{})
		} else {
			run := high / slope
			m.sheet(m.count(2, 9), len(section)-1, func(u, v float64) geom.Vec {
				c := section[int(math.Round(v*float64(len(section)-1)))]
				ease := u - 0.08*u*(1-u)
				return place(side/2-0.05+run*u, c[1]-high*ease*0.96+0.003, c[0])
			})
		}
		step := m.between(0.22, 0.36)
		for i := range int(high / step) { // a ladder that leans
			y := -high + step*float64(i+1)
			m.tube(place(-side/2-(-y)*0.3, y, -0.4), place(-side/2-(-y)*0.3, y, 0.4), of(m, 0.015, 0.025, 0.04), 6)
		}
		for i := range 7 { // a net
			a := float64(i)/6 - 0.5
			m.tube(place(a*side, 0, side/2), place(a*side, -high, side/2+0.8), 0.012, 4)
			m.tube(place(-side/2, (a-0.5)*high, side/2+0.8*(0.5-a)), place(side/2, (a-0.5)*high, side/2+0.8*(0.5-a)), 0.012, 4)
		}
		m.bevelled(place(0.5, -high-0.01, -2.6), at(3, m.between(0.02, 0.06), 1.5), 0.015, yaw)
	}
	for range 6 { // tyres, half in the ground
		x, z, yaw := m.between(-11, 11), m.between(-11, 11), m.angle()
		place := framed(at(x, h(x, z)+m.between(-0.15, 0.05), z), yaw)
		r, thick := m.between(0.25, 0.4), m.between(0.08, 0.14)
		lies := m.between(0, 1) < 0.5
		m.sheet(10, 6, func(u, v float64) geom.Vec {
			sin, cos := geom.Sincos(2 * math.Pi * u)
			s, c := geom.Sincos(2 * math.Pi * v)
			if lies {
				return place((r+thick*c)*sin, thick*s+0.1, (r+thick*c)*cos)
			}
			return place((r+thick*c)*cos, (r+thick*c)*sin, thick*s)
		})
	}
	for range 3 { // beams on blocks, and boards that rock
		x, z := m.between(-10, 10), m.between(-10, 10)
		add := m.placed(at(x, h(x, z), z), m.angle())
		add(at(0, -0.1, 0), at(0.2, 0.45, 0.2), lean{})
		add(at(0, 0.35, 0), at(m.between(2, 3.5), 0.06, m.between(0.1, 0.3)), lean{pitch: m.normal(0.12)})
	}
	for i := range 9 { // stumps in a curve
		t := 0.3 * float64(i)
		p := polar(at(2, 0, 2), 5, t, 0)
		m.drum(at(p.X, h(p.X, p.Z)-0.2, p.Z), m.between(0.12, 0.28), 0.2+m.between(0.05, 0.6), 9, 0)
	}
	x, z := m.between(-8, 8), m.between(-8, 8)
	m.drum(at(x, h(x, z)+m.between(0.03, 0.2), z), m.between(0.8, 1.4), 0.06, 20, 0)
}

// tracks: rails on sleepers in a bed of ballast with stones, a crossing of boards between the rails, and platforms whose slabs overhang and carry a strip
// of studs a few millimetres high.
func (m *maker) tracks() {
	m.box(at(0, -1.2, 0), at(30, 0.4, 20), lean{})
	bed, shoulder := m.between(-0.55, -0.3), m.between(0.2, 0.5)
	noise := m.between(0, 0.04)
	var ballast [41][13]float64
	for i := range ballast {
		for j := range ballast[i] {
			ballast[i][j] = m.normal(noise)
		}
	}
	m.sheet(40, 12, func(u, v float64) geom.Vec { // the bed
		z := 7 * (v - 0.5)
		y := min(bed, bed-(math.Abs(z)-2.6)*shoulder*2)
		return at(28*(u-0.5), y+ballast[int(math.Round(u*40))][int(math.Round(v*12))], z)
	})
	rail := func(yaw, offset float64) {
		// Around a rail, from the left end of its foot on: places across and heights.
		profile := [][2]float64{{-0.07, 0}, {-0.07, 0.012}, {-0.01, 0.03}, {-0.01, 0.11}, {-0.035, 0.12}, {-0.035, 0.145}, {-0.025, 0.15}, {0.025, 0.15}, {0.035, 0.145}, {0.035, 0.12}, {0.01, 0.11}, {0.01, 0.03}, {0.07, 0.012}, {0.07, 0}}
		lift := bed + 0.05
		bend := m.normal(0.0005) // of a curve so wide that pieces of 7 m are flat
		m.sheet(4, len(profile)-1, func(u, v float64) geom.Vec {
			c := profile[int(math.Round(v*float64(len(profile)-1)))]
			x := 28 * (u - 0.5)
			x, z := turn(x, offset+c[0]+bend*x*x, yaw)
			return at(max(-14.3, min(x, 14.3)), lift+c[1], z)
		})
	}
	second := m.between(0.03, 0.12) * of(m, -1.0, 1)
	for _, yaw := range [2]float64{0, second} {
		rail(yaw, -0.75)
		rail(yaw, 0.75)
	}
	for i := range 44 {
		x := 0.63*float64(i) - 13.6
		m.box(at(x, bed-0.12+m.normal(0.01), m.normal(0.02)), at(0.25, 0.17, of(m, 2.5, 2.5, 3.4)), lean{m.normal(0.02), m.normal(0.01), m.normal(0.005)})
	}
	x, boards := m.between(-8, 8), m.between(2, 4) // the crossing
	level, gap := bed+0.2+of(m, 0, -0.01, 0.01, -0.05), m.between(0.04, 0.09)
	for k := range 3 {
		from := -0.71 + gap + (1.42-2*gap)*float64(k)/3
		m.box(at(x, level-0.1+m.normal(0.003), from+0.23), at(boards, 0.1, 0.46-m.between(0.002, 0.012)), lean{})
	}
	for _, s := range [2]float64{-1, 1} {
		z0, z1 := s*(0.79+gap), s*m.between(3, 3.6)
		m.block([4]geom.Vec{at(x-boards/2, level-0.5, max(z0, z1)), at(x+boards/2, level-0.5, max(z0, z1)), at(x+boards/2, level-0.5, min(z0, z1)), at(x-boards/2, level-0.5, min(z0, z1))},
			[4]geom.Vec{at(x-boards/2, level+m.normal(0.005), max(z0, z1)), at(x+boards/2, level+m.normal(0.005), max(z0, z1)), at(x+boards/2, level, min(z0, z1)), at(x-boards/2, level, min(z0, z1))})
	}
	for _, s := range [2]float64{-1, 1} { // platforms
		edge, high := m.between(1.75, 3), of(m, 0, 0.2, 0.45)
		over := m.between(0.03, 0.2)
		for k := range 5 {
			long := 5.2 + of(m, 0.0, 0.004, -0.006, -0.03)
			px := 5.2 * (float64(k) - 2)
			if math.Abs(px-x) < 2.6+boards/2 {
				m.box(at(px, -1, s*(edge+4.4)), at(long, 1+high, 3.6), lean{})
				m.block([4]geom.Vec{at(px-2.6, -1, s*(edge+1.1)+1.5), at(px+2.6, -1, s*(edge+1.1)+1.5), at(px+2.6, -1, s*(edge+1.1)-1.5), at(px-2.6, -1, s*(edge+1.1)-1.5)},
					[4]geom.Vec{
						at(px-2.6, high+min(0, s*(high-level)), s*(edge+1.1)+1.5), at(px+2.6, high+min(0, s*(high-level)), s*(edge+1.1)+1.5),
						at(px+2.6, high+min(0, -s*(high-level)), s*(edge+1.1)-1.5), at(px-2.6, high+min(0, -s*(high-level)), s*(edge+1.1)-1.5),
					})
				continue
			}
			m.box(at(px, -1, s*(edge+over+2.5)), at(long, 0.94+high, 5), lean{})
			m.box(at(px, high-0.08+m.normal(0.002), s*(edge+0.3)), at(long, 0.08, 0.6), lean{})
			m.box(at(px, high-0.06, s*(edge+3.1+0.003)), at(long, 0.06, 5), lean{})
			lift := m.between(0.003, 0.006)
			m.box(at(px, high-0.02, s*(edge+0.85)), at(long, 0.02+lift, 0.4), lean{})
			for i := range 5 {
				m.drum(at(px-2.2+1.1*float64(i), high, s*(edge+0.85)), 0.02, lift+0.005, 6, 0)
			}
		}
		for k := range 4 {
			m.box(at(6*float64(k)-9, -1, s*(edge+m.between(1.2, 3))), at(0.2, 4, 0.2), lean{yaw: m.angle()})
		}
	}
}

// bleachers: stands of foot boards and seat boards on a frame, with gaps between them, aisles of boards at half the rise, rails, braces beneath, and stands
// that are pushed together.
func (m *maker) bleachers() {
	h := m.hills(3, of(m, 0.0, 0.0, 0.4))
	m.ground(30, 10, 10, h)
	for stand := range 2 {
		rows, rise, run := m.count(4, 8), m.between(0.18, 0.42), m.between(0.6, 0.78)
		if stand == 1 {
			run = m.between(0.25, 0.6)
		}
		foot, seat, over := m.between(0.22, 0.5), m.between(0.22, 0.3), m.between(0.25, 0.45)
		thick, long := m.between(0.03, 0.06), m.between(6, 10)
		origin, yaw := at(0, h(0, 0), 9*float64(stand)-7), m.between(-0.4, 0.4)
		add, place := m.placed(origin, yaw), framed(origin, yaw)
		aisle := m.between(-long/4, long/4)
		for k := range rows {
			y, z := rise*float64(k+1), run*float64(k)
			if stand == 0 || k > 0 {
				add(at(0, y-thick, z), at(long, thick, foot), lean{})
			}
			for _, s := range [2]float64{-1, 1} { // seats to the left and right of the aisle
				end := s * long / 2
				add(at((end+aisle+s*0.6)/2, y+over-thick, z+foot/2+m.between(-0.02, 0.05)), at(math.Abs(end-aisle-s*0.6), thick, seat), lean{})
			}
			add(at(aisle, y-rise/2-thick, z-run/2), at(1.1, thick, of(m, 0.25, 0.3)), lean{})
			for i := range 4 { // the frame
				x := (float64(i) - 1.5) * long / 3.2
				add(at(x, -0.4, z), at(0.05, y+0.4-thick, 0.05), lean{})
				m.tube(place(x, 0, z), place(x, y-thick, z+run), 0.02, 5)
			}
		}
		top, behind := rise*float64(rows), run*float64(rows-1)+foot/2+0.05
		for i := range 6 {
			add(at((float64(i)-2.5)*long/5, 0, behind), at(0.04, top+1, 0.04), lean{})
		}
		add(at(0, top+1, behind), at(long, 0.04, 0.04), lean{})
		for _, s := range [2]float64{-1, 1} {
			m.tube(place(s*long/2, rise+0.95, 0), place(s*long/2, top+0.95, behind), 0.02, 6)
			m.tube(place(s*long/2, rise+0.5, 0), place(s*long/2, top+0.5, behind), 0.02, 6)
		}
		for k := range 3 { // a heap of planks beneath
			for i := range 4 {
				add(at(long/2+1.2+m.normal(0.1), 0.05*float64(k)+of(m, 0, 0.001), 0.22*float64(i)), at(m.between(2, 3), 0.05, 0.2), lean{yaw: m.normal(0.05) + float64(k%2)*0.3})
			}
		}
	}
}

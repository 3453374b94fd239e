package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// tiles: a floor of tiles with bevelled edges and joints of millimetres, each a little higher or lower than its neighbours,
// with kerbs between fields of tiles.
func (m *maker) tiles() {
	side, joint, bevel := m.between(0.6, 1.4), m.between(0.001, 0.012), m.between(0.005, 0.03)
	n := int(15 / side)
	step := m.between(0, 0.25)
	for i := range n {
		for j := range n {
			y := m.normal(0.003) + step*float64(i*3/n+j*2/n)
			if m.rng.IntN(30) == 0 {
				continue // a tile is missing
			}
			x, z := (side+joint)*float64(i), (side+joint)*float64(j)
			m.bevelled(at(x, y-0.1, z), at(side, 0.1, side), bevel, m.normal(0.004))
		}
	}
	m.box(at(7.5, -0.35, 7.5), at(17, 0.2, 17), lean{})
	for range 8 {
		m.bevelled(at(m.between(1, 14), -0.1, m.between(1, 14)), at(m.between(0.3, 2), m.between(0.2, 2.5), m.between(0.3, 2)), 0.04, m.angle())
	}
}

// bevelled adds a box that stands on the middle of its lower face, with upper edges cut at 45°, turned about the vertical.
func (m *maker) bevelled(where, size geom.Vec, bevel, yaw float64) {
	var corners []geom.Vec
	for level := range 3 {
		in, y := 0.0, 0.0
		switch level {
		case 1:
			y = size.Y - bevel
		case 2:
			in, y = bevel, size.Y
		}
		for _, s := range [4][2]float64{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
			x, z := s[0]*(size.X/2-in), s[1]*(size.Z/2-in)
			z, x = turn(z, x, yaw)
			corners = append(corners, where.Add(at(x, y, z)))
		}
	}
	faces := [][]int{{0, 3, 2, 1}, {8, 9, 10, 11}}
	for ring := range 2 {
		for i := range 4 {
			a, b := 4*ring+i, 4*ring+(i+1)%4
			faces = append(faces, []int{a, b, b + 4, a + 4})
		}
	}
	m.add(corners, faces...)
}

// treads: stairs of free treads with nosings, straight and around a newel post, with handrails on thin posts, between decks.
func (m *maker) treads() {
	m.box(at(0, -0.3, 0), at(34, 0.3, 26), lean{})
	for range 4 { // straight flights up to a deck
		add := m.placed(at(m.between(-12, 8), 0, m.between(-9, 9)), m.angle())
		n, rise, going := m.count(8, 16), m.between(0.15, 0.21), m.between(0.24, 0.32)
		thick, nosing, wide := m.between(0.03, 0.07), m.between(-0.04, 0.05), m.between(0.9, 2)
		for k := range n {
			add(at(going*float64(k), rise*float64(k+1)-thick, 0), at(going+nosing, thick, wide), lean{})
			if k%3 == 0 {
				for _, s := range []float64{-1, 1} {
					add(at(going*float64(k), rise*float64(k+1), s*(wide/2-0.04)), at(0.04, 0.9, 0.04), lean{})
				}
			}
		}
		length := math.Hypot(going, rise) * float64(n)
		for _, s := range []float64{-1, 1} {
			add(at(going*float64(n-1)/2, rise*float64(n+1)/2+0.9, s*(wide/2-0.04)), at(length, 0.05, 0.05), lean{pitch: math.Atan2(rise, going)})
		}
		add(at(going*float64(n)+1.3+nosing/2, rise*float64(n)-0.2, 0), at(2.6, 0.2, wide+2), lean{})
	}
	for range 3 { // wedges around a post
		middle := at(m.between(-14, 14), 0, m.between(-10, 10))
		n, rise, each := m.count(12, 24), m.between(0.17, 0.23), geom.Degrees(m.between(18, 30))
		inner, outer, thick := 0.08, m.between(0.8, 1.6), m.between(0.03, 0.08)
		overlap := m.between(-0.02, 0.15) * each
		begin := m.angle()
		for k := range n {
			var quad [2][4]geom.Vec
			for level := range 2 {
				y := rise*float64(k+1) - thick*float64(1-level)
				from, to := begin-each*float64(k), begin-each*float64(k+1)-overlap
				quad[level] = [4]geom.Vec{polar(middle, inner, from, y), polar(middle, outer, from, y), polar(middle, outer, to, y), polar(middle, inner, to, y)}
			}
			m.block(quad[0], quad[1])
		}
		m.drum(middle, 0.1, rise*float64(n)+1, 8, 0)
		m.box(polar(middle, outer+0.9, begin-each*(float64(n)+0.5), rise*float64(n)-0.1), at(1.8, 0.1, 1.8), lean{yaw: -(begin - each*(float64(n)+0.5))})
	}
}

// grates: catwalks of bars across each other, from open to nearly closed, at two heights, with railings and a stair of grates.
func (m *maker) grates() {
	m.box(at(0, -0.4, 0), at(30, 0.4, 24), lean{})
	panel := func(at0, size geom.Vec, yaw float64) {
		add := m.placed(at0, yaw)
		bar, pitch, high := m.between(0.02, 0.08), m.between(0.09, 0.2), m.between(0.02, 0.05)
		for x := -size.X/2 + bar/2; x < size.X/2; x += pitch {
			add(at(x, -high, 0), at(bar, high, size.Z), lean{})
		}
		for _, z := range []float64{-size.Z / 2, 0, size.Z / 2} {
			add(at(0, -high-m.between(0, 0.02), z), at(size.X, high, 0.06), lean{})
		}
		for _, s := range []float64{-1, 1} {
			add(at(0, 1, s*(size.Z/2)), at(size.X, 0.05, 0.05), lean{})
			for _, x := range []float64{-0.5, 0, 0.5} {
				add(at(x*size.X*0.98, 0, s*(size.Z/2)), at(0.05, 1, 0.05), lean{})
			}
		}
	}
	y := m.between(2.2, 3)
	for k := range 3 {
		panel(at(-9+8*float64(k), y, -6), at(m.between(6, 8), 0, m.between(1, 2.4)), m.normal(0.05))
		panel(at(-6+6*float64(k), y+m.between(-0.3, 0.3), 2), at(5.5, 0, m.between(1, 2.4)), m.angle())
	}
	n := 12
	for k := range n { // the stair: treads of three bars
		for b := range 3 {
			m.box(at(-13.5+0.28*float64(k)-3, y*float64(k+1)/float64(n)-0.04, -6+0*float64(b)+0.45*float64(b-1)), at(0.27, 0.04, 0.3), lean{})
		}
	}
}

// ropebridge: bridges of planks that hang between cliffs, over a river bed with stones, with ropes as thin boxes.
func (m *maker) ropebridge() {
	h := m.hills(6, 1)
	m.ground(44, 30, 30, func(x, z float64) float64 {
		return h(x, z) - 6/(1+math.Pow(z/5, 8))
	})
	m.stones(30, 14, func(x, z float64) float64 { return h(x, z) - 6/(1+math.Pow(z/5, 8)) })
	for range 4 {
		x := m.between(-16, 16)
		long, wide, sag := m.between(11, 15), m.between(0.8, 1.8), m.between(0.2, 1.6)
		plank, gap := m.between(0.12, 0.4), m.between(0.01, 0.2)
		y0, y1 := h(x, -long/2)+0.05, h(x, long/2)+0.05
		place := func(z float64) (float64, float64) {
			t := z/long + 0.5
			slope := ((y1 - y0) - 4*sag*(1-2*t)) / long
			return y0 + (y1-y0)*t - 4*sag*t*(1-t), math.Atan(slope)
		}
		for z := -long / 2; z < long/2; z += plank + gap {
			y, tilt := place(z)
			m.box(at(x+m.normal(0.02), y-0.05, z), at(wide*m.between(0.9, 1.1), 0.05, plank), lean{roll: -tilt, yaw: m.normal(0.03)})
		}
		for _, s := range []float64{-1, 1} {
			for z := -long / 2; z < long/2; z += 1 {
				y, tilt := place(z + 0.5)
				m.box(at(x+s*wide*0.6, y+0.9, z+0.5), at(0.04, 0.04, 1.02), lean{roll: -tilt})
			}
		}
	}
}

// logs: cylinders that lie on the ground and on each other, trunks with roots, and cones of branches above.
func (m *maker) logs() {
	h := m.hills(7, 1.5)
	m.ground(36, 36, 36, h)
	lying := func(where geom.Vec, radius, length, yaw, pitch float64, sides int) {
		m.sheet(sides, 1, func(u, v float64) geom.Vec {
			sin, cos := geom.Sincos(-2 * math.Pi * u)
			x, y := turn((v-0.5)*length, radius*cos, pitch)
			z := radius * sin
			z, x = turn(z, x, yaw)
			return where.Add(at(x, y, z))
		})
	}
	for range 25 {
		x, z := m.between(-15, 15), m.between(-15, 15)
		r := m.between(0.1, 0.9)
		lying(at(x, h(x, z)+r*m.between(-0.3, 1), z), r, m.between(1, 7), m.angle(), m.normal(0.1), m.count(6, 14))
	}
	for range 14 {
		x, z := m.between(-15, 15), m.between(-15, 15)
		foot := at(x, h(x, z)-0.3, z)
		m.drum(foot, m.between(0.15, 0.5), 5, m.count(5, 9), 0)
		for range 4 {
			d := m.angle()
			lying(polar(foot, 0.6, d, 0.3), m.between(0.06, 0.2), 1.4, -d, -0.25, 6)
		}
		m.ball(foot.Add(at(0, 4.5, 0)), m.between(1, 2), 7, 4)
	}
}

// terraces: fields in steps along the contours of a hill, with retaining walls that lean, and stairs between fields.
func (m *maker) terraces() {
	steps, rise := m.count(5, 9), m.between(0.15, 1.3)
	sides := m.count(20, 48)
	waves := [3]float64{m.between(0, 0.3), m.between(0, 0.2), m.between(0, 0.1)}
	phase := [3]float64{m.angle(), m.angle(), m.angle()}
	outline := func(r, t float64) float64 {
		f := 1.0
		for k := range waves {
			sin, _ := geom.Sincos(float64(k+2)*t + phase[k])
			f += waves[k] * sin / 2
		}
		return r * f
	}
	wide, batter := m.between(1.4, 2.2), m.between(-0.02, 0.3)
	m.box(at(0, -0.5, 0), at(46, 0.5, 46), lean{})
	for k := range steps {
		out := 3 + wide*float64(steps-k)
		in := out - wide
		y := rise * float64(k+1)
		if k == steps-1 {
			in = 0.01
		}
		tilt := m.normal(0.02)
		m.sheet(sides, 1, func(u, v float64) geom.Vec { // the field
			t := -2 * math.Pi * u
			r := outline(in+batter*rise+(out-in-batter*rise)*(1-v), t)
			return polar(geom.Vec{}, r, -t, y+tilt*v)
		})
		m.sheet(sides, 1, func(u, v float64) geom.Vec { // its wall
			t := -2 * math.Pi * u
			return polar(geom.Vec{}, outline(out+batter*rise*(1-v), t), t, y-rise*(1-v))
		})
	}
	for range 6 { // stairs down the walls
		d := m.angle()
		for k := range steps {
			r := outline(3+wide*float64(steps-k), d)
			n := int(rise/0.2) + 1
			for s := range n {
				high := rise * float64(n-s) / float64(n+1)
				m.box(polar(geom.Vec{}, r+0.28*float64(s)+0.1, d, rise*float64(k)), at(0.3, high, 1.1), lean{yaw: -d})
			}
		}
	}
}

// pyramid: stepped pyramids with stairs cut into their sides, and passages through them below slabs of their own.
func (m *maker) pyramid() {
	m.box(at(0, -0.5, 0), at(44, 0.5, 40), lean{})
	for p := range 3 {
		middle := at(-12+12*float64(p), 0, m.between(-6, 6))
		add := m.placed(middle, of(m, 0, m.angle()))
		base, rise, n := m.between(8, 11), m.between(0.3, 1.4), m.count(4, 8)
		depth := base / float64(2*n+2)
		passage := m.between(1, 1.8)
		for k := range n {
			side := base - 2*depth*float64(k)
			y := rise * float64(k)
			if y < 2.3 { // a passage along x through the lower steps
				half := (side - passage) / 2
				for _, s := range []float64{-1, 1} {
					add(at(0, y, s*(passage+half)/2), at(side, rise, half), lean{})
				}
			} else {
				add(at(0, y, 0), at(side, rise, side), lean{})
			}
		}
		for k := range 2 * n { // the stair, half of a step each
			add(at(-base/2+depth*(float64(k)-0.5)/2-0.02, 0, base/4), at(depth/2+0.04, rise*float64(k+1)/2, 1.3), lean{})
		}
		for range 6 {
			add(at(m.normal(base/3), 0, m.normal(base/3)), at(0.5, m.between(0.2, rise*float64(n)), 0.5), lean{yaw: m.angle()})
		}
	}
	m.stones(20, 16, func(x, z float64) float64 { return 0 })
}

// mall: storeys with round openings, triangulated as fans with long slivers, escalators through the openings and columns.
func (m *maker) mall() {
	high := m.between(3.2, 4.5)
	m.box(at(0, -0.3, 0), at(36, 0.3, 28), lean{})
	sides := m.count(10, 40)
	rx, rz := m.between(5, 9), m.between(4, 7)
	for storey := 1; storey <= 2; storey++ {
		y := high * float64(storey)
		// A ring between the opening and the outline of the storey, above and below.
		ring := func(u, v, y float64) geom.Vec {
			sin, cos := geom.Sincos(2 * math.Pi * u)
			reach := min(18/max(math.Abs(cos), 1e-9), 14/max(math.Abs(sin), 1e-9))
			return at(rx*cos+(reach*cos-rx*cos)*v, y, rz*sin+(reach*sin-rz*sin)*v)
		}
		m.sheet(sides, 1, back(func(u, v float64) geom.Vec { return ring(u, v, y) }))
		m.sheet(sides, 1, func(u, v float64) geom.Vec { return ring(u, v, y-0.4) })
		m.sheet(sides, 1, func(u, v float64) geom.Vec { return ring(u, 0, y-0.4*v) })
		for k := range sides { // a parapet with gaps
			if k%5 == 0 {
				continue
			}
			a, b := ring(float64(k)/float64(sides), 0.02, y), ring(float64(k+1)/float64(sides), 0.02, y)
			m.block([4]geom.Vec{a, b, b.Add(at(0.05, 0, 0.05)), a.Add(at(0.05, 0, 0.05))},
				[4]geom.Vec{a.Add(at(0, 1.1, 0)), b.Add(at(0, 1.1, 0)), b.Add(at(0.05, 1.1, 0.05)), a.Add(at(0.05, 1.1, 0.05))})
		}
		slope := geom.Degrees(m.between(25, 35))
		sin, cos := geom.Sincos(slope)
		for k := range 2 { // escalators: a ramp with balustrades, or moving steps
			side := float64(2*k - 1)
			run := high * cos / sin
			add := m.placed(at(-rx+0.3+run/2*0, y-high, side*1.2), 0)
			if k == 0 {
				add(at(run/2, high/2-0.3*cos, 0), at(high/sin, 0.3, 1), lean{pitch: slope})
			} else {
				n := int(high / 0.21)
				for s := range n {
					add(at(run*(float64(s)+0.5)/float64(n), high*float64(s)/float64(n)-0.1, 0), at(run/float64(n)+0.01, high/float64(n)+0.1, 1), lean{})
				}
			}
			for _, e := range []float64{-0.55, 0.55} {
				add(at(run/2, high/2, e), at(high/sin, 0.9, 0.08), lean{pitch: slope})
			}
			add(at(run+0.8, high-0.3, 0), at(1.8, 0.3, 1.4), lean{})
		}
	}
	for range 12 {
		t := m.angle()
		m.drum(polar(geom.Vec{}, m.between(11, 13.5), t, 0), m.between(0.2, 0.5), 3*high, m.count(6, 16), 0)
	}
}

// street: a road with kerbs, dropped kerbs, traffic islands, cars with bodies of sheets, lamps, benches and a subway stair.
func (m *maker) street() {
	camber := m.between(0, 0.15)
	m.sheet(20, 8, func(u, v float64) geom.Vec { // the road
		return at(40*(u-0.5), -camber*4*(v-0.5)*(v-0.5), 8*(v-0.5))
	})
	kerb := m.between(0.08, 0.2)
	for _, s := range []float64{-1, 1} {
		for k := range 10 {
			x := -18 + 4*float64(k)
			if m.rng.IntN(3) > 0 {
				m.box(at(x, -camber-0.2, s*4.15), at(4, camber*0+kerb+0.2, 0.3), lean{})
				m.box(at(x, -camber-0.2, s*5.8), at(3.995, kerb+0.2, 3), lean{})
			} else { // a dropped kerb
				m.box(at(x, -camber-0.2, s*5.8), at(4, kerb+0.2, 3), lean{})
				m.box(at(x, -camber-0.16, s*4.2), at(4, 0.2, 0.62), lean{roll: -s * math.Atan2(kerb, 0.6)})
			}
			if m.rng.IntN(2) == 0 {
				m.drum(at(x+m.between(-1, 1), -camber, s*4.7), 0.07, 5, 6, 0)
			} else {
				add := m.placed(at(x, kerb-camber, s*6), m.normal(0.2))
				add(at(0, 0.4, 0), at(1.5, 0.05, 0.4), lean{})
				add(at(-0.6, 0, 0), at(0.06, 0.4, 0.4), lean{})
				add(at(0.6, 0, 0), at(0.06, 0.4, 0.4), lean{})
			}
		}
	}
	for range 6 { // cars: a body whose section swells, on wheels
		where, yaw := at(m.between(-17, 17), m.between(-0.02, 0.02), m.between(-3, 3)), m.normal(0.3)
		long, high := m.between(3.6, 5), m.between(1.3, 1.9)
		m.sheet(14, 6, func(u, v float64) geom.Vec {
			sin, cos := geom.Sincos(math.Pi * u)
			bump := high * (0.35 + 0.65*math.Pow(sin, 3))
			s, c := geom.Sincos(math.Pi * v)
			x, y, z := -long/2*cos, 0.18+bump*s*0.9, -0.85*c
			z, x = turn(z, x, yaw)
			return where.Add(at(x, y, z))
		})
		add := m.placed(where, yaw)
		for k := range 4 {
			add(at(long*0.3*float64(2*(k%2)-1), 0, 0.7*float64(2*(k/2)-1)), at(0.6, 0.6, 0.2), lean{})
		}
	}
	for range 3 {
		m.drum(at(m.between(-15, 15), -0.05, 0), m.between(0.5, 1.3), 0.05+kerb, m.count(8, 24), 0)
	}
	n := 14
	for k := range n { // the stair down
		m.box(at(-21+0.0*float64(k)-0.28*float64(k)-0.2, -0.2*float64(k+1)-3.2, 0), at(0.3, 3.2, 2), lean{})
	}
	m.box(at(-26.5, -0.2*float64(n)-0.3, 0), at(4, 0.3, 5), lean{})
	m.box(at(-20.3, -3.4, 0), at(0.6, 3.3, 4), lean{})
}

// ship: decks with sheer and camber in a hull of sheets, hatches with coamings, ladder stairs, masts and cargo.
func (m *maker) ship() {
	long, beam := m.between(24, 34), m.between(7, 10)
	sheer, camber := m.between(0.3, 1.6), m.between(0, 0.25)
	half := func(u float64) float64 { // of the beam, by the way along
		return beam / 2 * math.Pow(max(1-math.Pow(2*u-1, 4), 0.02), 0.7)
	}
	deck := func(y float64) func(u, v float64) geom.Vec {
		return func(u, v float64) geom.Vec {
			w := 2*v - 1
			return at(long*(u-0.5), y+sheer*(2*u-1)*(2*u-1)-camber*w*w, half(u)*w)
		}
	}
	n := m.count(10, 24)
	low := m.between(2.2, 2.8)
	m.sheet(n, 4, deck(0))
	// The upper deck has a hatch: sheets before, behind and beside it.
	upper := deck(low)
	part := func(u0, u1, v0, v1 float64) {
		m.sheet(max(int(float64(n)*(u1-u0)), 1), 2, func(u, v float64) geom.Vec { return upper(u0+(u1-u0)*u, v0+(v1-v0)*v) })
		m.sheet(max(int(float64(n)*(u1-u0)), 1), 2, back(func(u, v float64) geom.Vec {
			return upper(u0+(u1-u0)*u, v0+(v1-v0)*v).Sub(at(0, 0.12, 0))
		}))
	}
	part(0, 0.4, 0, 1)
	part(0.6, 1, 0, 1)
	part(0.4, 0.6, 0, 0.3)
	part(0.4, 0.6, 0.7, 1)
	for side := range 2 { // the hull with bulwarks
		w := float64(side)
		m.sheet(n, 4, func(u, v float64) geom.Vec {
			p := deck(-1+(low+2)*v)(u, w)
			return p
		})
	}
	for _, s := range [][4]float64{{0, -1, 0.2 * long, 0.15}, {0, 1, 0.2 * long, 0.15}, {-0.1 * long, 0, 0.15, 0.4 * beam}, {0.1 * long, 0, 0.15, 0.4 * beam}} {
		m.box(at(s[0], low-0.2, s[1]*0.2*beam), at(s[2], m.between(0.3, 0.9), s[3]), lean{})
	}
	steps := m.count(8, 12)
	for k := range steps { // from the lower deck up through the hatch
		m.box(at(-1.5+0.24*float64(k), low*float64(k+1)/float64(steps)-0.05, 0), at(0.26, 0.05, 1), lean{})
	}
	for _, x := range []float64{-0.3, 0.25} {
		m.drum(at(x*long, 0, 0), 0.25, 9, 10, 0)
	}
	for range 14 {
		u, v := m.between(0.1, 0.9), m.between(0.2, 0.8)
		p := of(m, deck(0), upper)(u, v)
		m.box(p.Sub(at(0, 0.1, 0)), at(m.between(0.4, 1.2), m.between(0.3, 1.2), m.between(0.4, 1.2)), lean{yaw: m.angle(), pitch: m.normal(0.03)})
	}
}

// crawl: rooms with ceilings about as high as an agent: ducts, pipes below the ceiling, beams, and floors a height apart.
func (m *maker) crawl() {
	m.box(at(0, -0.3, 0), at(26, 0.3, 22), lean{})
	for i := range 4 {
		for j := range 3 {
			y := 2 + of(m, -0.2, -0.01, -0.001, 0, 0.001, 0.01, 0.1, 0.5)
			add := m.placed(at(-9.5+6.3*float64(i), 0, -7+7*float64(j)), of(m, 0, 0, m.normal(0.2)))
			add(at(0, y, 0), at(m.between(4, 6.2), m.between(0.05, 0.4), m.between(4, 6.8)), lean{pitch: of(m, 0, 0, m.normal(0.03))})
			for range 3 { // beams and pipes below
				add(at(m.between(-2, 2), y-m.between(0.02, 0.4), 0), at(0.2, 0.4, 6), lean{yaw: of(m, 0, math.Pi/2, m.angle())})
			}
			for range 2 {
				add(at(m.between(-2, 2), 0, m.between(-2, 2)), at(m.between(0.4, 2), m.between(0.02, 0.7), m.between(0.4, 2)), lean{yaw: m.angle()})
			}
			if m.rng.IntN(2) == 0 {
				n := 10
				for k := range n {
					add(at(-3.4+0.28*float64(k), 0, 3.2), at(0.3, y*float64(k+1)/float64(n)+0.02, 0.9), lean{})
				}
			}
		}
	}
	m.stones(10, 9, func(x, z float64) float64 { return 0 })
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// shingles: houses whose roofs are rows of tiles that lie on each other like scales, with ridge caps, chimneys, dormers and gutters, and stairs up to the
// eaves.
func (m *maker) shingles() {
	m.box(at(0, -0.5, 0), at(34, 0.5, 16), lean{})
	for k := range 2 {
		slope := geom.Degrees(of(m, m.between(8, 20), m.between(20, 35), m.between(35, 44)))
		sin, cos := geom.Sincos(slope)
		rows, columns := m.count(6, 9), m.count(7, 11)
		wide, show, thick := m.between(0.28, 0.6), m.between(0.25, 0.5), m.between(0.008, 0.03)
		lift := thick / (show + 0.1) * of(m, 1.0, 1.3) // each row lies on the one below
		eaves := m.between(0.5, 2.2)
		origin, yaw := at(15*float64(k)-7.5, 0, 0), m.normal(0.3)
		add, place := m.placed(origin, yaw), framed(origin, yaw)
		long, half := wide*float64(columns), show*float64(rows)*cos
		for _, side := range [2]float64{-1, 1} {
			for r := range rows {
				for c := range columns {
					if m.between(0, 1) < 0.03 { // a tile is missing
						continue
					}
					x := (float64(c)-float64(columns-1)/2)*wide + wide/2*float64(r%2) + m.normal(0.003)
					s0 := show*float64(r) + m.normal(0.005) // from the eaves up, along the slope
					s1 := s0 + show + 0.1
					point := func(dx, s, up float64) geom.Vec {
						z, y := half-s*cos, eaves+s*sin+(s-s0)*-lift*cos+thick+up+m.normal(0.0008)
						return place(side*(x+dx), y, side*z)
					}
					w := wide/2 - m.between(0, 0.004)
					m.block([4]geom.Vec{point(-w, s0, -thick), point(w, s0, -thick), point(w, s1, -thick), point(-w, s1, -thick)},
						[4]geom.Vec{point(-w, s0, 0), point(w, s0, 0), point(w, s1, 0), point(-w, s1, 0)})
				}
			}
			add(at(0, eaves-0.1, side*(half+0.07)), at(long, 0.1, 0.12), lean{}) // the gutter
			m.add([]geom.Vec{place(-side*long/2, eaves-0.05, side*half), place(side*long/2, eaves-0.05, side*half), place(side*long/2, eaves-0.05+half*sin/cos, 0), place(-side*long/2, eaves-0.05+half*sin/cos, 0)}, []int{0, 1, 2, 3})
		}
		ridge := eaves + half*sin/cos
		for c := range columns { // caps over the ridge, each over the next
			x := (float64(c) - float64(columns-1)/2) * wide
			m.sheet(1, 4, func(u, v float64) geom.Vec {
				s, co := geom.Sincos(math.Pi * (1 - v))
				return place(x+(u-0.45)*wide*1.15, ridge+0.11*s-0.02*u, -0.13*co)
			})
		}
		add(at(m.between(-long, long)/3, eaves, m.between(-0.6, 0.6)*half), at(0.6, ridge-eaves+0.7, 0.5), lean{})
		add(at(0, 0, 0), at(long-0.3, eaves-0.1, 2*half-0.5), lean{})
		dx, dz := m.between(-long, long)/4, half*0.5
		add(at(dx, eaves, dz), at(1.1, half*0.5*sin/cos+m.between(0.1, 0.7), 0.9), lean{}) // a dormer with a flat roof
		n := int(math.Ceil(eaves / 0.19))
		for i := range n {
			top := (eaves + 0.05) * float64(i+1) / float64(n)
			add(at(long/4, 0, half+0.1+0.28*float64(n-i)), at(1.6, top, 0.3), lean{})
		}
	}
}

// cabins: cabins of round logs that cross at the corners, floors of boards with gaps, a porch with half logs as steps, a road of logs and fences of rails
// that lie on each other.
func (m *maker) cabins() {
	h := m.hills(4, of(m, 0.1, 0.5))
	m.ground(24, 12, 12, h)
	log := func(a, b geom.Vec, r float64) {
		sides := 8
		m.tube(a, b, r, sides)
		for end, p := range [2]geom.Vec{a, b} { // its ends
			along := b.Sub(a).Unit()
			across := along.Cross(at(0, 1, 0)).Unit()
			up := across.Cross(along)
			vertices, face := []geom.Vec{}, []int{}
			for i := range sides {
				s, c := geom.Sincos(2 * math.Pi * float64(i) / float64(sides))
				vertices = append(vertices, p.Add(across.Scale(r*c)).Add(up.Scale(r*s)))
				if end == 0 {
					face = append(face, sides-1-i)
				} else {
					face = append(face, i)
				}
			}
			m.add(vertices, face)
		}
	}
	for k := range 2 {
		x, z := 11*float64(k)-5.5, m.between(-2, 2)
		base := math.Max(h(x, z), max(h(x+2, z), h(x-2, z))) + m.between(0.05, 0.35)
		origin, yaw := at(x, base, z), m.angle()
		add, place := m.placed(origin, yaw), framed(origin, yaw)
		r, a, b := m.between(0.1, 0.17), m.between(1.8, 2.6), m.between(1.6, 2.2)
		door := m.between(0.9, 1.3)
		for i := range int(2.1 / (2 * r * 0.92)) {
			y := r + float64(i)*2*r*0.92
			log(place(-a-0.3, y, -b), place(a+0.3, y, -b), r)
			if y < 1.9 {
				log(place(-a-0.3, y, b), place(-door/2, y, b), r)
				log(place(door/2, y, b), place(a+0.3, y, b), r)
			} else {
				log(place(-a-0.3, y, b), place(a+0.3, y, b), r)
			}
			log(place(-a, y+r*0.92, -b-0.3), place(-a, y+r*0.92, b+0.3), r)
			log(place(a, y+r*0.92, -b-0.3), place(a, y+r*0.92, b+0.3), r)
		}
		if m.between(0, 1) < 0.5 { // a sill across the door
			log(place(-a, 0, b), place(a, 0, b), r)
		}
		n := m.count(9, 14)
		for i := range n { // the floor of boards
			w := 2 * a / float64(n)
			add(at((float64(i)+0.5)*w-a, m.normal(0.003)-0.03, 0.4), at(w-m.between(0.001, 0.015), 0.03, 2*b+m.between(0.9, 1.1)), lean{yaw: m.normal(0.002), roll: m.normal(0.002)})
		}
		for i := range 3 { // half logs before the porch
			y, zz := -0.16*float64(i+1), b+1.1+0.3*float64(i)
			m.sheet(1, 6, func(u, v float64) geom.Vec {
				s, c := geom.Sincos(math.Pi * v)
				return place(1.4*(u-0.5), y-0.16*s, zz+0.16*c)
			})
			add(at(0, y-0.002, zz), at(1.4, 0.002, 0.32), lean{})
		}
		add(at(m.between(-1, 1), 0, m.between(-1, 0)), at(1, 0.7, 0.6), lean{yaw: m.angle()})
		sin, cos := geom.Sincos(m.angle())
		for i := range 14 { // a road of logs on the ground
			d := 3.6 + 0.24*float64(i)
			px, pz := x+cos*d, z+sin*d
			if max(math.Abs(px), math.Abs(pz)) < 11 {
				y, rr := h(px, pz)+m.normal(0.02), m.between(0.09, 0.13)
				log(at(px-sin*1.1, y, pz+cos*1.1), at(px+sin*1.1, y+m.normal(0.02), pz-cos*1.1), rr)
			}
		}
	}
	for i := range 8 { // a fence in a zigzag
		x0, x1 := 2.4*float64(i)-9.6, 2.4*float64(i+1)-9.6
		for k := range 3 {
			y := 0.15 + 0.3*float64(k) + 0.1*float64(i%2)
			p, q := at(x0, 0, 9.5+0.7*float64(i%2)), at(x1, 0, 9.5+0.7*float64((i+1)%2))
			p.Y, q.Y = h(p.X, p.Z)+y, h(q.X, q.Z)+y
			m.tube(p, q, m.between(0.04, 0.07), 5)
		}
	}
}

// raised: a room of computers on panels of 60 cm that stand on pedestals over a slab. Panels are missing, lie askew or a millimetre high, some have slots; racks,
// trays of cables, cables on the floor, and ramps with a lip.
func (m *maker) raised() {
	m.box(at(0, -0.5, 0), at(16, 0.3, 14), lean{})
	void := 0.0
	deep := m.between(0.06, 0.195) // the thickness of panels and the room below them
	const side, n = 0.6, 13
	joint := m.between(0.001, 0.004)
	for i := range n {
		for j := range n {
			x, z := side*(float64(i)-n/2), side*(float64(j)-n/2)
			if m.between(0, 1) < 0.15 {
				m.drum(at(x, -0.2, z), 0.04, m.between(0.05, 0.19), 6, 0)
			}
			switch m.count(0, 20) {
			case 0, 1: // missing
				void++
			case 2: // lifted at a side, or askew on the others
				m.box(at(x, of(m, -0.03, 0.001, 0.002), z), at(side, 0.03, side), lean{m.normal(0.1), m.normal(0.06), m.normal(0.02)})
			case 3: // slots
				for k := range 6 {
					m.box(at(x+(float64(k)-2.5)*side/6, -0.03, z), at(side/6-m.between(0.01, 0.04), 0.03, side-0.04), lean{})
				}
				for _, s := range [2]float64{-1, 1} {
					m.box(at(x, -0.03, z+s*(side/2-0.02)), at(side, 0.03, 0.04-joint), lean{})
				}
			default:
				m.box(at(x, -min(deep, 0.04)+of(m, 0, 0, 0.0005, 0.001, -0.002), z), at(side-joint, min(deep, 0.04), side-joint), lean{yaw: of(m, 0, 0, m.normal(0.0005))})
			}
		}
	}
	half := side * n / 2
	for k := range 3 { // racks
		for i := range 5 {
			if m.between(0, 1) < 0.8 {
				m.box(at(side*(float64(i)-3), 0, 2.4*float64(k)-2.4+m.normal(0.005)), at(side-0.002, 2, m.between(0.8, 1.1)), lean{})
			}
		}
		m.box(at(0, m.between(1.75, 2.3), 2.4*float64(k)-1.2), at(2*half, 0.05, 0.3), lean{})
	}
	for range 8 { // cables and mats
		x, z, yaw := m.between(-3, 3), m.between(-3.5, 3.5), m.angle()
		for range 4 {
			nx, nz := turn(1, 0, yaw)
			high := m.between(0.001, 0.012)
			m.box(at(x+nx/2, of(m, 0, -0.0005), z+nz/2), at(1.02, high, m.between(0.004, 0.03)), lean{yaw: -yaw})
			x, z, yaw = x+nx, z+nz, yaw+m.normal(0.5)
		}
		m.box(at(x, of(m, 0, 0.001), z), at(m.between(0.4, 1.5), m.between(0.001, 0.004), m.between(0.4, 1)), lean{yaw: m.angle()})
	}
	for k := range 2 { // ramps with a lip
		x, lip, wide := of(m, -2.0, 0, 2), m.between(0.002, 0.03), m.between(1, 2)
		s := float64(2*k - 1)
		end := s * (half + m.between(1, 2.4))
		a, b := s*(half-joint), end
		if s < 0 {
			a, b = b, a
		}
		y := func(z float64) float64 {
			if z == end {
				return -0.2 + lip
			}
			return of(m, 0, 0.002, -0.002, 0.005)
		}
		ya, yb := y(a), y(b)
		m.block([4]geom.Vec{at(x-wide/2, -0.25, b), at(x+wide/2, -0.25, b), at(x+wide/2, -0.25, a), at(x-wide/2, -0.25, a)},
			[4]geom.Vec{at(x-wide/2, yb, b), at(x+wide/2, yb, b), at(x+wide/2, ya, a), at(x-wide/2, ya, a)})
	}
	m.box(at(0, -0.2, half+2.6), at(14, 2.8, 0.2), lean{})
	m.box(at(half+0.3, -0.2, 0), at(0.5, m.between(0.2, 0.6), 2*half), lean{})
}

// winders: closed stairs that turn on wedge-shaped treads, with risers that lean under overhanging nosings, strings, a carpet of millimetres over the
// treads with rods in the corners, newel posts and a door ajar over a threshold at the foot.
func (m *maker) winders() {
	m.box(at(0, -0.3, 0), at(24, 0.3, 20), lean{})
	for stair := range 4 {
		origin, yaw := at(10*float64(stair%2)-6, 0, 9*float64(stair/2)-6), m.angle()
		rise, going, wide := m.between(0.16, 0.22), m.between(0.2, 0.28), m.between(0.85, 1.3)
		nose, thick := m.between(0.015, 0.045), m.between(0.02, 0.045)
		add, place := m.placed(origin, yaw), framed(origin, yaw)
		runner, pile := wide*m.between(0.5, 0.8), m.between(0.001, 0.006)
		top := 0.0
		// tread adds a tread between two lines, the first of which is its front, with riser and carpet.
		tread := func(a, b, c, d [2]float64, n float64) { // front left, front right, back right, back left
			low := top
			top += rise
			lift := func(p, q [2]float64, by float64) [2]float64 { // from p, away from q
				dx, dz := p[0]-q[0], p[1]-q[1]
				l := math.Sqrt(dx*dx + dz*dz)
				if l < 1e-9 {
					return p
				}
				return [2]float64{p[0] + dx/l*by, p[1] + dz/l*by}
			}
			fa, fb := lift(a, d, n), lift(b, c, n)
			solid := func(q [4][2]float64, low, high float64) {
				var l, h [4]geom.Vec
				for i, p := range q {
					l[i], h[i] = place(p[0], low, p[1]), place(p[0], high, p[1])
				}
				m.block(l, h)
			}
			solid([4][2]float64{fa, fb, c, d}, top-thick, top)
			ra, rb := lift(a, d, n*of(m, 0, 0.5)), lift(b, c, n*of(m, 0, 0.5))
			m.add([]geom.Vec{place(a[0], low, a[1]), place(b[0], low, b[1]), place(rb[0], top-thick, rb[1]), place(ra[0], top-thick, ra[1])}, []int{0, 1, 2, 3})
			part := (1 - runner/wide) / 2
			between := func(p, q [2]float64, t float64) [2]float64 {
				return [2]float64{p[0] + (q[0]-p[0])*t, p[1] + (q[1]-p[1])*t}
			}
			p, q, r, s := between(fa, fb, part), between(fa, fb, 1-part), between(d, c, 1-part), between(d, c, part)
			m.add([]geom.Vec{place(p[0], top+pile, p[1]), place(q[0], top+pile, q[1]), place(r[0], top+pile, r[1]), place(s[0], top+pile, s[1])}, []int{0, 1, 2, 3})
			u, v := lift(p, s, pile), lift(q, r, pile)
			m.add([]geom.Vec{place(u[0], top-thick, u[1]), place(v[0], top-thick, v[1]), place(q[0], top+pile, q[1]), place(p[0], top+pile, p[1])}, []int{0, 1, 2, 3})
			if m.between(0, 1) < 0.5 { // a rod
				e, f := lift(s, p, -0.01), lift(r, q, -0.01)
				m.tube(place(e[0], top+pile, e[1]), place(f[0], top+pile, f[1]), 0.006, 5)
			}
		}
		first, last, turns := m.count(3, 6), m.count(3, 6), m.count(3, 4)
		for k := range first {
			x := going * float64(k)
			tread([2]float64{x, -wide / 2}, [2]float64{x, wide / 2}, [2]float64{x + going, wide / 2}, [2]float64{x + going, -wide / 2}, nose)
		}
		// The winders turn by a quarter about the corner at the newel post, their lines aim at or beside it.
		x0, post := going*float64(first), 0.06
		corner := [2]float64{x0 + post, wide / 2}
		edge := func(k int) (inside, outside [2]float64) {
			t := math.Pi / 2 * float64(k) / float64(turns)
			sin, cos := geom.Sincos(t)
			reach := wide / max(sin, cos)
			return [2]float64{corner[0] - post*cos + post*0.2, corner[1] - post*sin*0.2}, [2]float64{corner[0] + reach*sin, corner[1] - reach*cos}
		}
		for k := range turns {
			i0, o0 := edge(k)
			i1, o1 := edge(k + 1)
			tread(o0, i0, i1, o1, nose)
		}
		for k := range last {
			z := wide/2 + going*float64(k)
			tread([2]float64{corner[0] + wide, z}, [2]float64{corner[0], z}, [2]float64{corner[0], z + going}, [2]float64{corner[0] + wide, z + going}, nose)
		}
		add(at(corner[0], 0, corner[1]), at(2*post, top+1, 2*post), lean{})
		landing := wide/2 + going*float64(last)
		add(at(corner[0]+wide/2, top+rise-0.15+of(m, 0, 0.003), landing+1), at(wide+0.6, 0.15, 2+2*nose), lean{})
		long := going * float64(first)
		add(at(long/2, 0, -wide/2-0.03), at(long, rise*float64(first)+0.1, 0.05), lean{})
		add(at(long/2-0.05, rise*float64(first)*0.4, wide/2+0.02), at(math.Hypot(long, rise*float64(first)), 0.25, 0.04), lean{pitch: math.Atan2(rise, going)})
		// A door ajar before the foot, over a threshold with bevels.
		doorX := -m.between(1, 1.6)
		m.bevelled(place(doorX, -0.001, 0), at(0.14, m.between(0.012, 0.03), 1), 0.008, yaw)
		for _, s := range [2]float64{-1, 1} {
			add(at(doorX, 0, s*m.between(0.9, 1)), at(0.1, 2.4, 1), lean{})
		}
		add(at(doorX, m.between(1.95, 2.2), 0), at(0.1, 0.3, 1.2), lean{})
		open := m.between(0.4, 1.6)
		sin, cos := geom.Sincos(open)
		add(at(doorX-0.43*sin, of(m, 0.005, 0.035), -0.45+0.43*cos), at(0.04, 1.9, 0.86), lean{yaw: -open})
		m.box(place(doorX-1, 0, 0), at(m.between(0.5, 1.2), m.between(0.004, 0.02), 0.6), lean{yaw: yaw + m.normal(0.1)})
	}
}

package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

func at(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }

// village: houses of boxes with an upper floor, stairs, roofs of 35° and furniture, on hills with stones.
func (m *maker) village() {
	h := m.hills(8, 4)
	m.ground(60, 60, 60, h)
	for range 10 {
		x, z := m.between(-24, 24), m.between(-24, 24)
		y := math.Inf(-1)
		for i := range 9 {
			y = max(y, h(x+3*float64(i%3-1), z+3*float64(i/3-1)))
		}
		add := m.placed(at(x, y+0.1, z), m.angle())
		add(at(0, -2, 0), at(6, 2, 5), lean{}) // base
		for _, w := range [][6]float64{        // walls and the lintel of the door
			{-2.9, 0, 0, 0.2, 2.6, 5},
			{2.9, 0, 0, 0.2, 2.6, 5},
			{0, 0, -2.4, 6, 2.6, 0.2},
			{-2, 0, 2.4, 2, 2.6, 0.2},
			{1.7, 0, 2.4, 2.6, 2.6, 0.2},
			{-0.3, 2.1, 2.4, 1.5, 0.5, 0.2},
		} {
			add(at(w[0], w[1], w[2]), at(w[3], w[4], w[5]), lean{})
		}
		add(at(0, 2.6, -0.8), at(6, 0.2, 3.4), lean{}) // upper floor
		for k := range 13 {
			rise := 0.4
			if k == 0 {
				rise = 0.2
			}
			add(at(-2.4+0.3*float64(k), 0.2*float64(k), 1.6), at(0.31, rise, 1), lean{})
		}
		add(at(-1.55, 2.6, 0), at(3.9, 0.15, 6), lean{pitch: geom.Degrees(35)})
		add(at(1.55, 4.9, 0), at(3.9, 0.15, 6), lean{pitch: -geom.Degrees(35)})
		for k := range 4 { // steps before the door
			add(at(-0.3, -0.25*float64(k+1), 2.6+0.3*float64(k)), at(1.2, 0.25, 0.3), lean{})
		}
		for range 6 {
			add(at(m.between(-2.4, 2.4), 0, m.between(-2, 1)), at(m.between(0.3, 1), m.between(0.2, 1), m.between(0.3, 1)), lean{yaw: m.angle()})
		}
	}
	m.stones(80, 28, h)
}

// stones scatters rough balls over a height field.
func (m *maker) stones(n int, reach float64, h func(x, z float64) float64) {
	for range n {
		x, z := m.between(-reach, reach), m.between(-reach, reach)
		m.ball(at(x, h(x, z), z), m.between(0.15, 1.2), 6, 4)
	}
}

// helix: a ramp in a helix with a parapet and pillars that pierce it, around a turned core.
func (m *maker) helix() {
	turns, rise := m.count(3, 6), m.between(2.4, 3.4)
	inner := m.between(3, 5)
	outer := inner + m.between(3, 5)
	n := of(m, 24, 40, 72)
	place := func(r, u, y float64) geom.Vec {
		return polar(geom.Vec{}, r, -2*math.Pi*u*float64(turns), rise*u*float64(turns)+y)
	}
	floor := func(u, v float64) geom.Vec { return place(inner+(outer-inner)*v, u, 0) }
	m.sheet(n*turns, m.count(1, 3), floor)
	m.sheet(n*turns, 1, back(func(u, v float64) geom.Vec { return floor(u, v).Sub(at(0, 0.3, 0)) }))
	m.sheet(n*turns, 1, func(u, v float64) geom.Vec { return place(outer, u, 1.1*v) })
	for t := range turns {
		for k := range 7 {
			m.drum(polar(geom.Vec{}, (inner+outer)/2, 2*math.Pi*float64(k)/7, rise*float64(t)), 0.25, rise*1.2, 8, 0)
		}
	}
	m.box(at(0, -0.5, 0), at(2*outer+8, 0.5, 2*outer+8), lean{})
	m.box(geom.Vec{}, at(inner*1.2, rise*float64(turns), inner*1.2), lean{yaw: m.between(0, 1)})
}

// stadium: rings of seats around an oval field, with stairs of blocks in eight aisles and crates on the rows.
func (m *maker) stadium() {
	rows, depth, rise := m.count(10, 20), m.between(0.6, 0.9), m.between(0.25, 0.45)
	const a, b, sides = 20, 14, 48
	m.box(at(0, -0.5, 0), at(2*a+2*float64(rows)*depth+6, 0.5, 2*b+2*float64(rows)*depth+6), lean{})
	oval := func(out, direction, y float64) geom.Vec {
		sin, cos := geom.Sincos(direction)
		return at((a+out)*cos, y, (b+out)*sin)
	}
	for k := range rows {
		out, y := depth*float64(k), rise*float64(k+1)
		m.sheet(sides, 1, func(u, v float64) geom.Vec { return oval(out+depth*v, -2*math.Pi*u, y) })
		m.sheet(sides, 1, func(u, v float64) geom.Vec { return oval(out, -2*math.Pi*u, y-rise*(1-v)) })
	}
	for k := range 8 {
		t := math.Pi / 4 * float64(k)
		for j := range 2 * rows {
			p := oval(float64(j)*depth/2, t, 0)
			m.box(p, at(depth/2+0.05, rise*float64(j+1)/2+0.02, 1.2), lean{yaw: -math.Atan2(p.Z, p.X)})
		}
	}
	for range 40 {
		t, row := m.angle(), float64(m.count(0, rows-1))
		m.box(oval((row+0.5)*depth, t, rise*(row+1)), at(0.4, 0.45, 0.4), lean{yaw: -t})
	}
}

// mine: tubes of rock that cross at random, with a flat floor, their fronts outwards and inwards, and stones.
func (m *maker) mine() {
	for k := range 9 {
		x, z, yaw, y := m.between(-20, 20), m.between(-20, 20), m.angle(), of(m, 0, 0, 0, 2.2, -3.1)
		radius, length, slope := m.between(1.6, 2.6), m.between(15, 40), m.between(-0.15, 0.15)
		m.sheet(int(length), 12, func(u, v float64) geom.Vec {
			along, around := (u-0.5)*length, 2*math.Pi*v
			wave, _ := geom.Sincos(5*around + 20*u)
			rough, _ := geom.Sincos(70*u + float64(k))
			r := radius * (1 + 0.12*wave + 0.08*rough)
			side, up := geom.Sincos(around)
			along, across := turn(along, r*side, yaw)
			return at(x+along, y+slope*(u-0.5)*length+max(r*up, -0.55*radius), z+across)
		})
	}
	for range 60 {
		m.ball(at(m.between(-20, 20), m.between(-2, 1), m.between(-20, 20)), m.between(0.2, 0.9), 5, 3)
	}
}

// voxels: hills of blocks of 1 × 0.5 × 1 m with tunnels and beams; faces between blocks are left out.
func (m *maker) voxels() {
	const side, low = 28, -8
	type block struct{ x, y, z int }
	var all [side][40][side]bool
	set := func(b block, to bool) {
		if b.x >= 0 && b.x < side && b.z >= 0 && b.z < side && b.y >= low && b.y-low < len(all[0]) {
			all[b.x][b.y-low][b.z] = to
		}
	}
	has := func(b block) bool {
		return b.x >= 0 && b.x < side && b.z >= 0 && b.z < side && b.y >= low && b.y-low < len(all[0]) && all[b.x][b.y-low][b.z]
	}
	h := m.hills(6, 7)
	for x := range side {
		for z := range side {
			for y := low; y < int(math.Floor(2*h(float64(x), float64(z)))); y++ {
				set(block{x, y, z}, true)
			}
		}
	}
	for range 14 {
		x, y, z, across := m.count(2, side-3), m.count(-4, 4), m.count(2, side-3), m.rng.IntN(2)
		for i := range 12 * 2 * 5 {
			along, wide, up := i/10, i/5%2, i%5
			set(block{x + along*(1-across) + wide*across, y + up, z + along*across + wide*(1-across)}, false)
		}
	}
	for range 8 {
		x, y, z := m.count(2, side-3), m.count(0, 6), m.count(2, side-3)
		for i := range 8 * 2 {
			set(block{x + i/2, y, z + i%2}, true)
		}
	}
	faces := []struct {
		to     block
		corner [4]block
	}{
		{block{0, 1, 0}, [4]block{{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}},
		{block{0, -1, 0}, [4]block{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}},
		{block{1, 0, 0}, [4]block{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}},
		{block{-1, 0, 0}, [4]block{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}},
		{block{0, 0, 1}, [4]block{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}},
		{block{0, 0, -1}, [4]block{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}},
	}
	for x := range side {
		for y := low; y-low < len(all[0]); y++ {
			for z := range side {
				for _, f := range faces {
					if !has(block{x, y, z}) || has(block{x + f.to.x, y + f.to.y, z + f.to.z}) {
						continue
					}
					var v []geom.Vec
					for _, c := range f.corner {
						v = append(v, at(float64(x+c.x), float64(y+c.y)/2, float64(z+c.z)))
					}
					m.add(v, []int{0, 1, 2, 3})
				}
			}
		}
	}
}

// junk: boxes that lean a little and drums through each other, over and under rough ground.
func (m *maker) junk() {
	h := m.hills(5, 2)
	m.ground(24, 17, 13, func(x, z float64) float64 { return h(x, z) / 2 })
	for range 70 {
		m.box(at(m.between(-11, 11), m.between(-1, 2.5), m.between(-11, 11)),
			at(m.between(0.1, 4), of(m, 0.05, 0.2, 0.5, 1), m.between(0.1, 4)), lean{m.angle(), m.normal(0.25), m.normal(0.25)})
	}
	for range 30 {
		m.drum(at(m.between(-11, 11), m.between(-1, 1), m.between(-11, 11)), m.between(0.1, 0.8), m.between(0.3, 3), of(m, 5, 8, 16), of(m, 0, 0.2))
	}
}

// normal draws about a normal distribution around 0: a sum of draws, because rand.NormFloat64 uses logarithms.
func (m *maker) normal(deviation float64) float64 {
	sum := 0.0
	for range 12 {
		sum += m.between(-0.5, 0.5)
	}
	return sum * deviation
}

// curvedStairs: stairs of blocks along rings with a rail of round bars, landings, on a floor that is drawn twice and
// once more 2 mm higher.
func (m *maker) curvedStairs() {
	m.box(at(0, -0.3, 0), at(24, 0.3, 24), lean{})
	m.box(at(0, -0.3, 0), at(24, 0.3, 24), lean{})
	m.box(at(3, -0.298, 2), at(10, 0.3, 9), lean{yaw: 0.3})
	for range 5 {
		centre := at(m.between(-8, 8), 0, m.between(-8, 8))
		radius, width, steps := m.between(1.2, 3), m.between(1, 2), m.count(10, 22)
		rise, from, part := m.between(0.12, 0.2), m.angle(), m.between(0.12, 0.2)
		for i := range steps {
			a, top := from+part*float64(i), rise*float64(i+1)
			m.ringBlock(centre, radius, radius+width, a, a+part, top-0.12, top)
			m.drum(polar(centre, radius+width-0.05, a, top), 0.03, 1, 6, 0)
		}
		end := from + part*float64(steps)
		m.box(polar(centre, radius+width/2, end+0.3, rise*float64(steps)-0.12), at(3, 0.12, 3), lean{yaw: -end})
	}
}

// ringBlock adds a block between two radii, two directions and two heights.
func (m *maker) ringBlock(centre geom.Vec, inner, outer, from, to, low, high float64) {
	ring := func(y float64) [4]geom.Vec {
		return [4]geom.Vec{polar(centre, inner, to, y), polar(centre, outer, to, y), polar(centre, outer, from, y), polar(centre, inner, from, y)}
	}
	m.block(ring(low), ring(high))
}

// fences: rows of pickets on hills, as high as a step, a hair less, a hair more, or any height.
func (m *maker) fences() {
	h := m.hills(6, of(m, 0.0, 1, 3))
	m.ground(40, 40, 40, h)
	for range 16 {
		x, z, yaw := m.between(-15, 15), m.between(-15, 15), m.angle()
		high := of(m, 0.9, 0.9, 0.899, 0.901, m.between(0.2, 1.6))
		for k := range m.count(4, 20) {
			along, across := turn(0.4*float64(k), 0, yaw)
			y := h(x+along, z+across)
			m.box(at(x+along, y-0.3, z+across), at(0.12, high+0.3, 0.04), lean{yaw: -yaw + m.between(-0.1, 0.1)})
		}
	}
	m.stones(20, 18, h)
}

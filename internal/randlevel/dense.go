package randlevel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// dense are the kinds that crowd detail into a fixed space. [Dense] makes them with more detail.
var dense = []string{"gratings", "weave", "cobbles", "pebbles", "shelves", "pipework", "hedges", "rocks", "statues"}

// DenseKinds lists the kinds that [Dense] makes.
func DenseKinds() []string { return append([]string(nil), dense...) }

// Dense returns the level of a dense kind and a seed with factor times as much detail in the same space. It panics if no dense kind has the
// name. A level of factor 1 has hundreds to thousands of triangles.
func Dense(kind string, seed uint64, factor int) *level.Level {
	for i, k := range kinds {
		for _, name := range dense {
			if k.name == kind && name == kind {
				m := maker{
					rng:    rand.New(rand.NewPCG(seed, uint64(i))),
					lvl:    &level.Level{Name: fmt.Sprintf("%s %d, %d times", kind, seed, factor)},
					factor: factor,
				}
				k.make(&m)
				return m.lvl
			}
		}
	}
	panic("randlevel: no dense kind " + kind)
}

// many returns n, times the factor of a dense level.
func (m *maker) many(n int) int { return n * max(m.factor, 1) }

// steps adds steps of blocks from the floor up to a height, along X from a place.
func (m *maker) steps(foot geom.Vec, height, wide float64) {
	n := int(math.Ceil(height / 0.2))
	for k := range n {
		top := height * float64(k+1) / float64(n)
		m.box(foot.Add(at(0.3*float64(k), 0, 0)), at(0.32, top, wide), lean{})
	}
}

// gratings: walkways of bars a few centimetres apart on cross bars, above a floor, with a stair and a landing.
func (m *maker) gratings() {
	m.box(at(0, -0.4, 0), at(16, 0.4, 12), lean{})
	high := m.between(1.9, 2.6)
	m.steps(at(-7.5, 0, 0), high, 1.5)
	from := -7.5 + 0.3*math.Ceil(high/0.2)
	m.box(at(from+0.5, high-0.2, 0), at(1.2, 0.2, 3), lean{})
	for k := range 2 {
		add := m.placed(at(from+1.1+2.4*float64(k), 0, 0), 0)
		long, wide, bars := 2.4, m.between(1.5, 2.5), m.many(m.count(24, 40))
		pitch, deep := long/float64(bars), m.between(0.02, 0.04)
		bar, cross := pitch*m.between(0.2, 0.6), m.many(m.count(4, 8))
		for i := range bars {
			add(at((float64(i)+0.5)*pitch, high-deep, 0), at(bar, deep, wide), lean{})
		}
		for i := range cross {
			z := ((float64(i)+0.5)/float64(cross) - 0.5) * wide
			add(at(long/2, high-deep-m.between(0, 0.01), z), at(long, deep, m.between(0.008, 0.02)), lean{})
		}
	}
}

// weave: mats and nets of strips in two directions that cross at random heights, on a floor and across a gap between two platforms.
func (m *maker) weave() {
	m.box(at(0, -0.4, 0), at(18, 0.4, 10), lean{})
	mat := func(middle geom.Vec, side, low, high float64) {
		n := m.many(m.count(14, 20))
		wide := side / float64(n) * m.between(0.15, 0.8)
		for i := range n {
			by := ((float64(i)+0.5)/float64(n) - 0.5) * side
			m.box(middle.Add(at(by, m.between(low, high), 0)), at(wide, 0.01, side), lean{pitch: m.normal(0.02)})
			m.box(middle.Add(at(0, m.between(low, high), by)), at(side, 0.01, wide), lean{roll: m.normal(0.02)})
		}
	}
	mat(at(-5, 0, 0), m.between(3, 5), 0.02, m.between(0.03, 0.25))
	high := m.between(1, 1.6)
	m.steps(at(-0.5, 0, 3), high, 1.5)
	m.box(at(2.2, high-0.3, 1.5), at(2, 0.3, 5), lean{})
	m.box(at(8, high-0.3, 1.5), at(2, 0.3, 5), lean{})
	mat(at(5.1, high, 1.5), 3.9, -0.06, m.between(-0.05, 0.05))
}

// cobbles: a street of rounded stones with gaps between them, each of its own height, beside a kerb.
func (m *maker) cobbles() {
	m.box(at(0, -0.4, 0), at(9, 0.4, 9), lean{})
	n := int(math.Sqrt(float64(m.many(m.count(120, 240)))))
	side := 7.0 / float64(n)
	for i := range n {
		for j := range n {
			where := at(-3.5+side*(float64(i)+0.5), -0.02, -3.5+side*(float64(j)+0.5))
			size := side * m.between(0.8, 1)
			m.bevelled(where, at(size, m.between(0.04, 0.12), size), side*0.1, m.normal(0.05))
		}
	}
	m.box(at(0, 0, 4), at(9, 0.15, 1), lean{})
}

// pebbles: hills with stones, from gravel to boulders, in and on the ground and each other.
func (m *maker) pebbles() {
	h := m.hills(5, 0.6)
	m.ground(12, 10, 10, h)
	for range m.many(m.count(50, 90)) {
		x, z, radius := m.between(-5, 5), m.between(-5, 5), 0.03*math.Exp(m.between(0, 2.5))
		m.ball(at(x, h(x, z)+m.between(-0.5, 0.8)*radius, z), radius, m.count(5, 9), m.count(3, 5))
	}
}

// shelves: shelves of boards with books and boxes, and some fallen on the floor.
func (m *maker) shelves() {
	m.box(at(0, -0.4, 0), at(10, 0.4, 9), lean{})
	for row := range 3 {
		z := -2.8 + 2.8*float64(row)
		for board := range 4 {
			y := 0.1 + 0.4*float64(board)
			m.box(at(0, y, z), at(6, 0.03, 0.35), lean{})
			n := m.many(m.count(8, 14))
			for i := range n {
				x, wide := -2.9+5.8*(float64(i)+0.5)/float64(n), 5.8/float64(n)
				m.box(at(x, y+0.03, z+m.normal(0.02)), at(wide*m.between(0.5, 1), m.between(0.15, 0.33), m.between(0.15, 0.3)), lean{pitch: m.normal(0.03)})
			}
		}
	}
	for range m.many(8) {
		m.box(at(m.between(-4, 4), 0, m.between(-4, 4)), at(m.between(0.1, 0.4), m.between(0.02, 0.2), m.between(0.1, 0.4)), lean{yaw: m.angle(), pitch: m.normal(0.1)})
	}
}

// pipework: tubes in three directions through each other, at all heights, in a hall.
func (m *maker) pipework() {
	m.box(at(0, -0.4, 0), at(14, 0.4, 14), lean{})
	for range m.many(m.count(10, 16)) {
		radius, x, y, z := m.between(0.02, 0.25), m.between(-5, 5), m.between(0, 2.8), m.between(-5, 5)
		a, b := at(-5.5, y, z), at(5.5, y, z)
		switch m.count(0, 4) {
		case 0, 1:
			a, b = at(x, y, -5.5), at(x, y, 5.5)
		case 2:
			a, b = at(x, 0, z), at(x, 3, z)
		}
		for k := range 6 {
			m.tube(a.Add(b.Sub(a).Scale(float64(k)/6)), a.Add(b.Sub(a).Scale(float64(k+1)/6)), radius, m.count(6, 12))
		}
	}
}

// hedges: bushes of leaves without any thickness that hover at every angle, on a lawn.
func (m *maker) hedges() {
	h := m.hills(4, 0.4)
	m.ground(14, 12, 12, h)
	for range 4 {
		x, z := m.between(-5, 5), m.between(-5, 5)
		for range m.many(m.count(40, 70)) {
			from := at(x+m.normal(0.5), h(x, z)+math.Abs(m.normal(0.6)), z+m.normal(0.5))
			across, up := at(m.normal(0.1), m.normal(0.1), m.normal(0.1)), at(m.normal(0.1), m.normal(0.1), m.normal(0.1))
			m.sheet(1, 1, func(u, v float64) geom.Vec { return from.Add(across.Scale(u)).Add(up.Scale(v)) })
		}
	}
}

// rocks: boulders of many small triangles, as from a sculptor's brush, on a plain.
func (m *maker) rocks() {
	m.box(at(0, -0.4, 0), at(14, 0.4, 14), lean{})
	for k := range 4 {
		x, z := (float64(k%2)-0.5)*7+m.normal(0.5), (float64(k/2)-0.5)*7+m.normal(0.5)
		m.boulder(at(x, m.between(-0.3, 0.2), z), m.between(0.5, 2), m.between(0.05, 0.5), m.many(1))
	}
}

// boulder adds a closed body whose radius swings with the direction, of 240 triangles times the detail.
func (m *maker) boulder(middle geom.Vec, radius, rough float64, detail int) {
	const waves = 8
	rows := int(math.Round(10 * math.Sqrt(float64(detail))))
	around := 6 * rows / 5
	var way [waves]geom.Vec
	var phase [waves]float64
	for i := range waves {
		way[i], phase[i] = at(m.normal(2), m.normal(2), m.normal(2)), m.angle()
	}
	place := func(row, k int) geom.Vec {
		y, out := turn(-1, 0, math.Pi*float64(row)/float64(rows))
		d := polar(geom.Vec{}, math.Abs(out), 2*math.Pi*float64(k)/float64(around), y)
		swing := 0.0
		for i := range waves {
			sin, _ := geom.Sincos(d.Dot(way[i]) + phase[i])
			swing += sin / waves
		}
		return middle.Add(d.Scale(radius * (1 + rough*swing)))
	}
	vertices := []geom.Vec{place(0, 0), place(rows, 0)}
	var faces [][]int
	for row := 1; row < rows; row++ {
		for k := range around {
			vertices = append(vertices, place(row, k))
			a, b := 2+(row-1)*around+k, 2+(row-1)*around+(k+1)%around
			if row == 1 {
				faces = append(faces, []int{0, a, b})
			} else {
				faces = append(faces, []int{a - around, a, b, b - around})
			}
			if row == rows-1 {
				faces = append(faces, []int{1, b, a})
			}
		}
	}
	m.add(vertices, faces...)
}

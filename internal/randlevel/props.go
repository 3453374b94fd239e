package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// statues: a court with statues, draped figures and boulders of many small triangles, as from a scanner or a sculptor's brush: folds that
// overhang, twist and run into the ground, on plinths or on the floor itself.
func (m *maker) statues() {
	side := m.between(9, 14)
	m.box(at(0, -0.3, 0), at(side, 0.3, side), lean{})
	for k := range m.count(2, 4) {
		x, z := (float64(k%2)-0.5)*side*0.45, (float64(k/2)-0.5)*side*0.45
		y := 0.0
		if m.between(0, 1) < 0.5 { // a plinth
			y = of(m, 0.15, 0.3, 0.45, 0.8)
			m.box(at(x, 0, z), at(m.between(0.8, 2), y, m.between(0.8, 2)), lean{yaw: m.angle()})
		}
		m.figure(at(x, y-m.between(0, 0.1), z))
	}
}

// figure adds a closed body around an upright axis, whose radius swings with the direction and the height.
func (m *maker) figure(foot geom.Vec) {
	const columns, waves = 26, 6
	rows := m.many(12)
	high, wide := m.between(0.5, 2.8), m.between(0.25, 1.1)
	rough, twist, bow := m.between(0.05, 0.6), m.between(-3, 3), m.between(-0.3, 0.3)
	var around, along, phase [waves]float64
	for i := range waves {
		around[i], along[i], phase[i] = float64(m.count(0, 9)), m.between(0, 9), m.angle()
	}
	var vertices []geom.Vec
	var faces [][]int
	for j := range rows + 1 {
		t := float64(j) / float64(rows)
		body := math.Sqrt(max(0, t*(1-t)) * 4)
		for i := range columns {
			direction := 2 * math.Pi * float64(i) / columns
			swing := 0.0
			for k := range waves {
				sin, _ := geom.Sincos(around[k]*direction + along[k]*2*math.Pi*t + phase[k])
				swing += sin / waves
			}
			radius := max(0.02, wide*(body*(1-rough)+rough*(0.5+swing)))
			p := polar(foot, radius, direction+twist*t, high*t)
			vertices = append(vertices, p.Add(at(bow*t*t, 0.08*high*swing, 0)))
			if a, b := j*columns+i, j*columns+(i+1)%columns; j > 0 {
				faces = append(faces, []int{a - columns, a, b}, []int{a - columns, b, b - columns})
			}
		}
	}
	lid := func(row int, up bool) {
		for i := 2; i < columns; i++ {
			f := []int{row * columns, row*columns + i - 1, row*columns + i}
			if up {
				f[1], f[2] = f[2], f[1]
			}
			faces = append(faces, f)
		}
	}
	lid(0, false)
	lid(rows, true)
	m.add(vertices, faces...)
}

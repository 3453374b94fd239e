// Package floortest tests the duties of all extractors: scenes, and laws for them.
package floortest

import (
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Scene builds small levels for tests, in metres.
type Scene struct{ level.Level }

// Triangle adds a triangle.
func (s *Scene) Triangle(a, b, c geom.Vec) {
	n := uint32(len(s.Vertices))
	s.Vertices = append(s.Vertices, a, b, c)
	s.Triangles = append(s.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial})
}

// Quad adds a rectangle as two triangles, counter-clockwise seen from its front.
func (s *Scene) Quad(a, b, c, d geom.Vec) {
	s.Triangle(a, b, c)
	s.Triangle(a, c, d)
}

// Floor adds a horizontal rectangle at a height, over ground coordinates.
func (s *Scene) Floor(x0, y0, x1, y1, h float64) {
	s.Quad(geom.FromGround(x0, y0, h), geom.FromGround(x1, y0, h), geom.FromGround(x1, y1, h), geom.FromGround(x0, y1, h))
}

// Box adds a closed box over ground coordinates.
func (s *Scene) Box(x0, y0, h0, x1, y1, h1 float64) { s.Turned(x0, y0, h0, x1, y1, h1, 1, 0) }

// Turned adds a box turned about its centre by the angle with the given cosine and sine.
func (s *Scene) Turned(x0, y0, h0, x1, y1, h1, cos, sin float64) {
	mx, my := (x0+x1)/2, (y0+y1)/2
	at := func(x, y, h float64) geom.Vec {
		x, y = x-mx, y-my
		return geom.FromGround(mx+x*cos-y*sin, my+x*sin+y*cos, h)
	}
	x := [4]float64{x0, x1, x1, x0}
	y := [4]float64{y0, y0, y1, y1}
	for i := range 4 {
		j := (i + 1) % 4
		s.Quad(at(x[i], y[i], h0), at(x[j], y[j], h0), at(x[j], y[j], h1), at(x[i], y[i], h1))
	}
	s.Quad(at(x0, y0, h1), at(x1, y0, h1), at(x1, y1, h1), at(x0, y1, h1))
	s.Quad(at(x0, y0, h0), at(x0, y1, h0), at(x1, y1, h0), at(x1, y0, h0))
}

// Wall adds an upright rectangle without thickness.
func (s *Scene) Wall(x0, y0, x1, y1, h0, h1 float64) {
	s.Quad(geom.FromGround(x0, y0, h0), geom.FromGround(x1, y1, h0), geom.FromGround(x1, y1, h1), geom.FromGround(x0, y0, h1))
}

// Shuffle reorders the triangles.
func (s *Scene) Shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(s.Triangles), func(i, j int) { s.Triangles[i], s.Triangles[j] = s.Triangles[j], s.Triangles[i] })
}

// RandomScene scatters turned boxes, ramps and slabs over a floor.
func RandomScene(seed uint64, size float64, boxes int) *Scene {
	r := rand.New(rand.NewPCG(seed, 2))
	s := &Scene{Level: level.Level{Name: "random scene"}}
	s.Floor(0, 0, size, size, 0)
	for range boxes {
		x, y := r.Float64()*size, r.Float64()*size
		w, d := 0.2+r.Float64()*3, 0.2+r.Float64()*3
		h0 := 0.0
		if r.IntN(3) == 0 {
			h0 = r.Float64() * 3
		}
		h1 := h0 + 0.05 + r.Float64()*2.5
		cos, sin := 1.0, 0.0
		if r.IntN(2) == 0 {
			// A Pythagorean pair keeps the corners the same on every machine.
			cos, sin = 0.8, 0.6
		}
		s.Turned(x-w/2, y-d/2, h0, x+w/2, y+d/2, h1, cos, sin)
		if r.IntN(4) == 0 { // a ramp up to the box
			s.Quad(geom.FromGround(x-0.8, y-d/2-h1*1.5, 0), geom.FromGround(x+0.8, y-d/2-h1*1.5, 0),
				geom.FromGround(x+0.8, y-d/2, h1), geom.FromGround(x-0.8, y-d/2, h1))
		}
	}
	return s
}

// Agent is who the laws are tested for.
var Agent = geom.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}

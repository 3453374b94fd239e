package brep

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// scene builds levels of solids for tests, in metres of the world.
type scene struct{ level.Level }

// box adds a box, given its middle, half its size along its own axes, and the axes.
func (s *scene) box(middle geom.Vec, half [3]float64, axes [3]geom.Vec, material int32) {
	var sol level.Solid
	n := uint32(len(s.Vertices))
	for i := range 8 {
		v := middle
		for k := range 3 {
			v = v.Add(axes[k].Scale(half[k] * float64(2*(i>>k&1)-1)))
		}
		s.Vertices = append(s.Vertices, v)
	}
	for k := range 3 {
		for _, side := range []float64{-1, 1} {
			normal := axes[k].Scale(side)
			sol.Planes = append(sol.Planes, level.Plane{Normal: normal, Offset: normal.Dot(middle) + half[k], Material: material})
			// The corners of this side, counter-clockwise.
			a, b := uint32(1)<<((k+1)%3), uint32(1)<<((k+2)%3)
			base := uint32(0)
			if side > 0 {
				base = 1 << k
			} else {
				a, b = b, a
			}
			q := [4]uint32{base, base | a, base | a | b, base | b}
			s.Triangles = append(s.Triangles,
				level.Triangle{A: n + q[0], B: n + q[1], C: n + q[2], Material: material},
				level.Triangle{A: n + q[0], B: n + q[2], C: n + q[3], Material: material})
		}
	}
	s.Solids = append(s.Solids, sol)
}

var upright = [3]geom.Vec{{X: 1}, {Z: -1}, {Y: 1}}

// block adds a box along the axes, over ground coordinates.
func (s *scene) block(x0, y0, h0, x1, y1, h1 float64) {
	m := geom.FromGround((x0+x1)/2, (y0+y1)/2, (h0+h1)/2)
	s.box(m, [3]float64{(x1 - x0) / 2, (y1 - y0) / 2, (h1 - h0) / 2}, upright, level.NoMaterial)
}

// turned returns axes that are turned by a random rotation.
func turned(r *rand.Rand) [3]geom.Vec {
	for {
		a := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		b := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		if c := a.Cross(b); c.Norm() > 0.1 {
			a = a.Unit()
			c = c.Unit()
			return [3]geom.Vec{a, c.Cross(a), c}
		}
	}
}

// about returns axes turned about the vertical.
func about(angle float64) [3]geom.Vec {
	sin, cos := math.Sincos(angle)
	return [3]geom.Vec{geom.FromGround(cos, sin, 0), geom.FromGround(-sin, cos, 0), geom.FromGround(0, 0, 1)}
}

// leaning returns axes turned about the vertical and a little out of it.
func leaning(r *rand.Rand, by float64) [3]geom.Vec {
	a := about(r.Float64() * 2 * math.Pi)
	sin, cos := math.Sincos(by * (2*r.Float64() - 1))
	return [3]geom.Vec{a[0].Scale(cos).Add(a[2].Scale(sin)), a[1], a[2].Scale(cos).Sub(a[0].Scale(sin))}
}

// scattered returns a scene of boxes: upright, turned about the vertical, leaning by little, by very little, and freely
// turned. Some lie on each other or on the grid.
func scattered(seed uint64, boxes int) *scene {
	r := rand.New(rand.NewPCG(seed, 77))
	s := &scene{level.Level{Name: "scattered", Materials: []level.Material{{Name: "a"}, {Name: "b"}}}}
	side := 2 * math.Sqrt(float64(boxes))
	s.block(0, 0, -1, side, side, 0)
	for range boxes {
		half := [3]float64{0.1 + r.Float64()*1.5, 0.1 + r.Float64()*1.5, 0.05 + r.Float64()}
		at := geom.FromGround(r.Float64()*side, r.Float64()*side, r.Float64()*2)
		axes := upright
		switch r.IntN(6) {
		case 0: // on a grid, where faces meet
			for k := range half {
				half[k] = math.Ceil(half[k]*2) / 2
			}
			at = geom.Vec{X: math.Round(at.X), Y: math.Round(at.Y*2) / 2, Z: math.Round(at.Z)}
		case 1:
			axes = about(r.Float64() * 2 * math.Pi)
		case 2:
			axes = about(math.Pi / 8 * float64(r.IntN(16)))
			at = geom.Vec{X: math.Round(at.X), Y: half[2], Z: math.Round(at.Z)}
		case 3:
			axes = leaning(r, 0.3)
		case 4:
			axes = leaning(r, 1e-6) // upright in somebody's opinion
			at.Y = half[2]
		case 5:
			axes = turned(r)
		}
		s.box(at, half, axes, int32(r.IntN(2)))
	}
	return s
}

// inside returns how deep a place is in a solid, in metres; negative outside.
func inside(s *level.Solid, at geom.Vec) float64 {
	depth := math.Inf(1)
	for _, p := range s.Planes {
		depth = min(depth, p.Offset-p.Normal.Dot(at))
	}
	return depth
}

// local returns a place in the units of a frame.
func local(f lattice.Frame, at geom.Vec) [3]float64 {
	x, y, h := f.Local(at)
	return [3]float64{x, y, h}
}

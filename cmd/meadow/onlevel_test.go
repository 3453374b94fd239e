package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// soup is a level of random triangles, some of them without area, upright or alike.
func soup(rng *rand.Rand, n int) *level.Level {
	at := func() geom.Vec {
		return geom.Vec{X: float64(rng.IntN(9)), Y: float64(rng.IntN(5)), Z: float64(rng.IntN(9))}
	}
	lvl := &level.Level{}
	for range n {
		i := uint32(len(lvl.Vertices))
		a := at()
		lvl.Vertices = append(lvl.Vertices, a, a.Add(at().Scale(0.25)), a.Add(at().Scale(0.25)))
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: i, B: i + 1, C: i + 2, Material: level.NoMaterial})
	}
	return lvl
}

// TestNearestAgainstSamples compares the distance to a triangle with that to many points on it.
func TestNearestAgainstSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const steps = 40
	for range 300 {
		lvl := soup(rng, 1)
		a, b, c := lvl.Vertices[0], lvl.Vertices[1], lvl.Vertices[2]
		p := geom.Vec{X: rng.Float64() * 12, Y: rng.Float64() * 6, Z: rng.Float64() * 12}
		got := p.Distance(nearestInTriangle(p, a, b, c))
		best := math.Inf(1)
		for i := range steps + 1 {
			for j := range steps + 1 - i {
				q := a.Add(b.Sub(a).Scale(float64(i) / steps)).Add(c.Sub(a).Scale(float64(j) / steps))
				best = min(best, p.Distance(q))
			}
		}
		spacing := (b.Distance(a) + c.Distance(a)) / steps
		if got > best+1e-9 || got < best-spacing {
			t.Fatalf("triangle %v %v %v, point %v: distance %g, samples say %g", a, b, c, p, got, best)
		}
	}
}

// TestGridAgainstAllTriangles asks a grid and the plain loop over all triangles the same.
func TestGridAgainstAllTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 10, 200} {
		lvl := soup(rng, n)
		g := newTriangleGrid(lvl)
		for range 200 {
			p := geom.Vec{X: rng.Float64()*12 - 1, Y: rng.Float64() * 6, Z: rng.Float64()*12 - 1}
			const reach = 1.5
			want := math.Inf(1)
			for i := range lvl.Triangles {
				a, b, c := g.corners(int32(i))
				want = min(want, p.Distance(nearestInTriangle(p, a, b, c)))
			}
			if got := g.nearest(p, reach); want <= reach && got != want {
				t.Fatalf("%d triangles, %v: nearest %g, want %g", n, p, got, want)
			}
		}
	}
}

func TestAbove(t *testing.T) {
	lvl := &level.Level{
		Vertices: []geom.Vec{{}, {X: 4}, {Z: -4}, {Y: 2}, {X: 4, Y: 2}, {Y: 6, Z: -4}},
		Triangles: []level.Triangle{
			{A: 0, B: 1, C: 2}, // level, at 0
			{A: 3, B: 4, C: 5}, // rises to the north from 2
			{A: 5, B: 4, C: 3}, // the same from below
			{A: 0, B: 1, C: 3}, // upright
		},
	}
	g := newTriangleGrid(lvl)
	for _, tt := range []struct {
		at   geom.Vec
		want []float64
	}{
		{geom.Vec{X: 1, Z: -1}, []float64{0, 3, 3}},
		{geom.Vec{X: 3.5, Z: -3.5}, nil},
		{geom.Vec{X: -1, Z: 1}, nil},
	} {
		if got := g.above(tt.at); !slices.Equal(got, tt.want) {
			t.Errorf("above %v: %v, want %v", tt.at, got, tt.want)
		}
	}
}

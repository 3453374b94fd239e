package bsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// volume returns the volume enclosed by faces, and fails unless every edge has an opposite edge.
func volume(t *testing.T, faces []polygon) float64 {
	t.Helper()
	edges := map[[2]geom.Vec]int{}
	sum := 0.0
	for _, f := range faces {
		for i, a := range f.corners {
			b := f.corners[(i+1)%len(f.corners)]
			edges[[2]geom.Vec{a, b}]++
			edges[[2]geom.Vec{b, a}]--
			sum += f.corners[0].Dot(a.Cross(b)) / 6
		}
	}
	for e, n := range edges {
		if n != 0 {
			t.Fatalf("edge %v is there %d times more than its opposite", e, n)
		}
	}
	return sum
}

func TestHullTable(t *testing.T) {
	cube := box(0, 0, 0, 64, 64, 64)
	with := func(more ...plane) []plane { return append(slices.Clone(cube), more...) }
	diagonal := geom.Vec{X: 1, Y: 1}
	for _, c := range []struct {
		name   string
		planes []plane
		faces  int
		volume float64
	}{
		{"cube", cube, 6, 64 * 64 * 64},
		{"far from the middle", box(65472, -65536, 65472, 65536, -65472, 65536), 6, 64 * 64 * 64},
		{"thin", box(0, 0, 0, 64, 64, 0.125), 6, 64 * 64 * 0.125},
		{"as large as the world", box(-65536, -65536, -65536, 65536, 65536, 65536), 6, math.Pow(131072, 3)},
		{"a plane twice", with(cube[3]), 6, 64 * 64 * 64},
		{"a plane farther out", with(plane{geom.Vec{Z: 1}, 65}), 6, 64 * 64 * 64},
		{"a bevel along an edge", with(through(diagonal, geom.Vec{X: 64, Y: 64})), 6, 64 * 64 * 64},
		{"a bevel in a corner", with(through(geom.Vec{X: 1, Y: 2, Z: 3}, geom.Vec{X: 64, Y: 64, Z: 64})), 6, 64 * 64 * 64},
		{"a bevel that is a little inside", with(through(diagonal, geom.Vec{X: 64, Y: 64 - 0.01})), 6, 64 * 64 * 64},
		{"a corner less", with(through(diagonal, geom.Vec{X: 64, Y: 32})), 7, 64 * (64*64 - 32*32/2)},
		{"half", with(through(diagonal, geom.Vec{X: 64})), 5, 64 * 64 * 64 / 2},
		{"the wedge and its bevels", with(through(diagonal, geom.Vec{X: 64}), through(geom.Vec{X: 1, Y: -1}, geom.Vec{X: 64}), through(geom.Vec{X: -1, Y: 1}, geom.Vec{Y: 64})), 5, 64 * 64 * 64 / 2},
		{
			"an eight-sided pyramid: eight planes in a point",
			[]plane{
				{geom.Vec{Z: -1}, 0},
				through(geom.Vec{X: 1, Z: 1}, geom.Vec{Z: 64}),
				through(geom.Vec{X: -1, Z: 1}, geom.Vec{Z: 64}),
				through(geom.Vec{Y: 1, Z: 1}, geom.Vec{Z: 64}),
				through(geom.Vec{Y: -1, Z: 1}, geom.Vec{Z: 64}),
				through(geom.Vec{X: 3, Y: 3, Z: 4}, geom.Vec{Z: 64}),
				through(geom.Vec{X: -3, Y: 3, Z: 4}, geom.Vec{Z: 64}),
				through(geom.Vec{X: 3, Y: -3, Z: 4}, geom.Vec{Z: 64}),
				through(geom.Vec{X: -3, Y: -3, Z: 4}, geom.Vec{Z: 64}),
			},
			9, 64.0 / 3 * (128*128 - 2*(128.0/3)*(128.0/3)), // a square less its corners, of 128/3 along each side
		},
		{"no end above", cube[:5], 0, 0},
		{"no plane", nil, 0, 0},
		{"one plane", cube[:1], 0, 0},
		{"a slab", cube[4:], 0, 0},
		{"flat", with(plane{geom.Vec{Z: 1}, 0}), 0, 0},
		{"inside out", box(64, 64, 64, 0, 0, 0), 0, 0},
		{"nothing left", with(plane{geom.Vec{Z: 1}, -1}), 0, 0},
		{"thinner than the slack", with(plane{geom.Vec{Z: 1}, slack / 2}), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h huller
			for range 2 { // the second time in the leftovers of the first
				faces := h.polygons(c.planes)
				if len(faces) != c.faces {
					t.Fatalf("%d faces, want %d: %v", len(faces), c.faces, faces)
				}
				if got := volume(t, faces); math.Abs(got-c.volume) > 1e-9*c.volume {
					t.Errorf("volume %g, want %g", got, c.volume)
				}
			}
		})
	}
}

// float32s rounds planes as files do.
func float32s(planes []plane) []plane {
	out := slices.Clone(planes)
	for i, p := range out {
		n := geom.Vec{X: float64(float32(p.normal.X)), Y: float64(float32(p.normal.Y)), Z: float64(float32(p.normal.Z))}
		l := n.Norm()
		out[i] = plane{n.Scale(1 / l), float64(float32(p.offset)) / l}
	}
	return out
}

// TestHullsOfRandomBrushes makes boxes at any place, cut by planes of any direction that leave the
// middle, as an author might.
func TestHullsOfRandomBrushes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var h huller
	for range 5000 {
		middle := geom.Vec{X: float64(rng.IntN(8192) - 4096), Y: float64(rng.IntN(8192) - 4096), Z: float64(rng.IntN(4096) - 2048)}
		half := [3]float64{float64(16 + rng.IntN(256)), float64(16 + rng.IntN(256)), float64(16 + rng.IntN(256))}
		planes := box(middle.X-half[0], middle.Y-half[1], middle.Z-half[2], middle.X+half[0], middle.Y+half[1], middle.Z+half[2])
		whole := 8 * half[0] * half[1] * half[2]
		for range rng.IntN(6) {
			n := geom.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
			planes = append(planes, through(n, middle.Add(n.Scale(8+200*rng.Float64()))))
		}
		planes = float32s(planes)
		rng.Shuffle(len(planes), func(i, k int) { planes[i], planes[k] = planes[k], planes[i] })
		faces := h.polygons(planes)
		if len(faces) < 4 {
			t.Fatalf("%d faces of %v", len(faces), planes)
		}
		for _, f := range faces {
			for _, v := range f.corners {
				for _, p := range planes {
					if d := p.distance(v); d > weldDistance {
						t.Fatalf("corner %v is %g in front of %v", v, d, p)
					}
				}
				if d := math.Abs(planes[f.plane].distance(v)); d > weldDistance {
					t.Fatalf("corner %v is %g from its plane", v, d)
				}
			}
		}
		got := 0.0
		if wellShaped(h.corners) {
			got = volume(t, faces)
		} else {
			for _, f := range faces {
				for i, a := range f.corners {
					got += f.corners[0].Dot(a.Cross(f.corners[(i+1)%len(f.corners)])) / 6
				}
			}
		}
		if got < 0 || got > whole*(1+1e-3) {
			t.Fatalf("volume %g of at most %g", got, whole)
		}
	}
}

// wellShaped reports whether no two corners are nearly in one place.
func wellShaped(corners []geom.Vec) bool {
	for i, a := range corners {
		for _, b := range corners[:i] {
			if a.Distance(b) < 1 {
				return false
			}
		}
	}
	return true
}

// TestHullIgnoresOrder permutes planes: the corners stay within the welding distance.
func TestHullIgnoresOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	planes := append(box(0, 0, 0, 64, 48, 32), through(geom.Vec{X: 1, Y: 2, Z: 3}, geom.Vec{X: 60, Y: 40, Z: 30}), through(geom.Vec{X: -1, Y: 1}, geom.Vec{X: 8, Y: 40}))
	var first, h huller
	want := len(first.polygons(planes))
	for range 100 {
		mixed := slices.Clone(planes)
		rng.Shuffle(len(mixed), func(i, k int) { mixed[i], mixed[k] = mixed[k], mixed[i] })
		if got := len(h.polygons(mixed)); got != want || len(h.corners) != len(first.corners) {
			t.Fatalf("%d faces and %d corners, want %d and %d", got, len(h.corners), want, len(first.corners))
		}
		for _, c := range h.corners {
			if !slices.ContainsFunc(first.corners, func(d geom.Vec) bool { return c.Distance(d) < 1e-9 }) {
				t.Fatalf("corner %v is none of %v", c, first.corners)
			}
		}
	}
}

func TestSnap(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 1: 1, 1.01: 1, 0.99: 1, -0.001: 0, 0.13: 0.125, 0.1875: 0.1875, 5.02: 5.02, -7.51: -7.5,
	} {
		if got := snap(x); got != want || math.Signbit(got) && got == 0 {
			t.Errorf("snap(%g) = %g, want %g", x, got, want)
		}
	}
}

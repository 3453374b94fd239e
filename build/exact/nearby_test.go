package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestNearTriangle verifies that rings keep their winding numbers in a triangle, and that edges left out are far from the triangle.
func TestNearTriangle(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		point := func() lattice.Point {
			return lattice.Point{X: int32(rng.IntN(200) - 100), Y: int32(rng.IntN(200) - 100)}
		}
		r := make(lattice.Ring, 3+rng.IntN(20))
		for i := range r {
			r[i] = point()
		}
		v := [3]lattice.Vertex{{Point: point()}, {Point: point()}, {Point: point()}}
		triangle := lattice.Ring{v[0].Point, v[1].Point, v[2].Point}
		if triangle.Area2() < 1000 {
			continue
		}
		z := zoneOf(&v, touching)
		near := nearTriangle([]lattice.Ring{r}, &z)
		before += len(r)
		for _, n := range near {
			after += len(n)
		}
		a, err := overlay.Arrange([]lattice.Ring{r}, near, []lattice.Ring{triangle})
		if err != nil {
			t.Fatal(err)
		}
		if differ := a.Polygons(func(w overlay.Winding) bool { return w[2] > 0 && w[0] != w[1] }); len(differ) > 0 {
			t.Fatalf("seed %d: other winding numbers at %v", seed, differ[0].Rings[0])
		}
		for i, p := range triangle {
			q := triangle[(i+1)%3]
			for k, a := range r {
				b := r[(k+1)%len(r)]
				near := lattice.SegmentDistance2(a, p, q).CompareInt(touching*touching) <= 0 || lattice.SegmentDistance2(p, a, b).CompareInt(touching*touching) <= 0
				if near && z.outside(a)&z.outside(b) != 0 {
					t.Fatalf("seed %d: edge %v to %v counts as far from the triangle", seed, a, b)
				}
			}
		}
	}
	if after > before*8/10 {
		t.Errorf("%d of %d corners are left", after, before)
	}
}

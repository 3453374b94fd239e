package overlay_test

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestNearby verifies that rings keep their winding numbers in a box, whatever is left out elsewhere.
func TestNearby(t *testing.T) {
	b := lattice.BoxOf(lattice.Point{X: -20, Y: -15}, lattice.Point{X: 25, Y: 30})
	box := lattice.Ring{{X: -20, Y: -15}, {X: 25, Y: -15}, {X: 25, Y: 30}, {X: -20, Y: 30}}
	before, after := 0, 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 4))
		r := make(lattice.Ring, 3+rng.IntN(20))
		for i := range r {
			r[i] = lattice.Point{X: int32(rng.IntN(200) - 100), Y: int32(rng.IntN(200) - 100)}
		}
		near := overlay.Nearby([]lattice.Ring{r}, b)
		before += len(r)
		for _, n := range near {
			after += len(n)
		}
		a, err := overlay.Arrange([]lattice.Ring{r}, near, []lattice.Ring{box})
		if err != nil {
			t.Fatal(err)
		}
		if differ := a.Polygons(func(w overlay.Winding) bool { return w[2] > 0 && w[0] != w[1] }); len(differ) > 0 {
			t.Fatalf("seed %d: other winding numbers at %v", seed, differ[0].Rings[0])
		}
	}
	if after > before*9/10 {
		t.Errorf("%d of %d corners are left", after, before)
	}
}

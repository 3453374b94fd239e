package overlay

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestJobsDoNotMatter verifies that an arrangement of many segments is the same on any number of goroutines: edges with
// crossings everywhere, and edges that mostly meet in one point, where cells cannot be divided.
func TestJobsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for name, rings := range map[string][]lattice.Ring{
		"scattered": triangles(rng, 6000, 60000, 900),
		"a fan":     append(triangles(rng, 5600, 60000, 300), fan(rng, 60, 30000)...),
	} {
		n := 0
		for _, r := range rings {
			n += len(r)
		}
		if n < manySegments+manySegments/100 {
			t.Fatalf("%s: %d segments are too few for several goroutines", name, n)
		}
		half := len(rings) / 2
		want, err := ArrangeOn(1, rings[:half], rings[half:])
		if err != nil {
			t.Fatal(err)
		}
		if len(want.points) < n/2 {
			t.Errorf("%s: only %d points", name, len(want.points))
		}
		for _, jobs := range []int{0, 3} {
			got, err := ArrangeOn(jobs, rings[:half], rings[half:])
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s on %d goroutines: %d points and %d edges, or others, want %d and %d", name, jobs,
					len(got.points), len(got.edges), len(want.points), len(want.edges))
			}
		}
	}
}

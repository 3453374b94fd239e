package lattice_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestStraightenJobs verifies that borders come out the same on any number of goroutines: a square with 196 rough
// obstacles, some as near to each other as the tolerance.
func TestStraightenJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	const side, pitch, tolerance = 14, 4000, 300
	edge := int32(side * pitch)
	borders := []lattice.Border{{Ring: lattice.Ring{{X: 0, Y: 0}, {X: edge, Y: 0}, {X: edge, Y: edge}, {X: 0, Y: edge}}}}
	for k := range int32(side * side) {
		const n = 16
		ring := make(lattice.Ring, n)
		for i := range ring {
			angle, radius := -2*math.Pi*float64(i)/n, 1500+400*rng.Float64()
			ring[i] = lattice.Point{
				X: k%side*pitch + pitch/2 + int32(radius*math.Cos(angle)), Y: k/side*pitch + pitch/2 + int32(radius*math.Sin(angle)),
			}
		}
		borders = append(borders, lattice.Border{Ring: ring})
	}
	want := lattice.Straighten(borders, tolerance)
	corners := 0
	for _, s := range want {
		corners += len(s.Ring)
	}
	if corners > 14*side*side {
		t.Errorf("%d corners are left: nothing was straightened", corners)
	}
	for _, jobs := range []int{0, 2, 3} {
		if got := lattice.StraightenOn(jobs, borders, tolerance); !reflect.DeepEqual(got, want) {
			t.Errorf("on %d goroutines the borders come out different", jobs)
		}
	}
}

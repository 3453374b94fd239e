package verify_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/metric/verify"
)

// TestFloorDifference compares floors whose difference is known on paper: in one frame and in two, side by side, over each
// other, and in other layers.
func TestFloorDifference(t *testing.T) {
	var origin lattice.Frame
	elsewhere := lattice.Frame{East: 1000, North: -777, Up: 5000}
	for name, test := range map[string]struct {
		a, b    *plan.Plan
		only    [2]float64
		largest float64
	}{
		"the same":      {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), [2]float64{}, 0},
		"another frame": {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(elsewhere, [5]int32{0, 0, 9, 9, 0}), [2]float64{}, 0},
		"beside":        {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(elsewhere, [5]int32{2, 0, 11, 9, 0}), [2]float64{18, 18}, 18},
		"inside":        {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(origin, [5]int32{2, 2, 4, 4, 0}), [2]float64{77, 0}, 77},
		"a step apart":  {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(elsewhere, [5]int32{0, 0, 9, 9, 1}), [2]float64{}, 0},
		"a storey":      {floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(elsewhere, [5]int32{0, 0, 9, 9, 3}), [2]float64{81, 81}, 81},
		"other layers": {
			floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}, [5]int32{0, 0, 3, 3, 3}),
			floortest.Squares(origin, [5]int32{0, 0, 3, 3, 3}, [5]int32{0, 0, 5, 9, 0}, [5]int32{5, 0, 8, 9, 0}),
			[2]float64{9, 0},
			9,
		},
	} {
		d, err := verify.Floors(t.Context(), test.a, test.b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if math.Abs(d[0].Area-test.only[0]) > 1e-9 || math.Abs(d[1].Area-test.only[1]) > 1e-9 || math.Abs(d.Largest().Area-test.largest) > 1e-9 {
			t.Errorf("%s: %g and %g, the largest piece %g, want %v and %g", name, d[0].Area, d[1].Area, d.Largest().Area, test.only, test.largest)
		}
	}
	if _, err := verify.Floors(t.Context(), floortest.Squares(origin, [5]int32{0, 0, 9, 9, 0}), floortest.Squares(lattice.Frame{East: 1 << 40}, [5]int32{})); err == nil {
		t.Error("floors that are too far apart are compared")
	}
}

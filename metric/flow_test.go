package metric

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestFigure68 rebuilds figure 6.8 of the source: "a simple level" with "two unique paths to the goal", the second of which
// is not optimal, and a maximum total flow of 14.8. The text keeps the caption but not the widths, so the level here has
// every kind of widths: two corridors between the rooms of the start and of the goal, which are 14.8 wide together, behind
// a door that both paths share. A wide door does not matter. A narrower door is the penalty that the first path leaves to
// the second.
func TestFigure68(t *testing.T) {
	const figure = 14.8
	for _, c := range []struct{ first, second, door, flow float64 }{
		{7.4, 7.4, 20, figure},
		{8, 6.8, 20, figure},
		{10, 4.8, 20, figure},
		{4.8, 10, 20, figure},
		{12.3, 2.5, 20, figure},
		{8, 6.8, figure, figure},
		{8, 6.8, 12, 12},
		{8, 6.8, 5, 5},
	} {
		// The way through the second corridor is longer: the start and the goal are in line with the first.
		const gap, height = 3, 24
		top := c.first + gap
		border := lattice.Ring{}
		border = append(border, ring(0, 0, 4, 0)...)
		border = append(border, ring(4, 0, 8, 0, 12, 0, 16, 0, 16, height, 12, height, 12, top+c.second, 8, top+c.second, 8, height, 4, height)...)
		border = append(border, ring(4, c.door, 0, c.door)...)
		mesh := floor(t, lattice.Frame{},
			[]lattice.Polygon{{Rings: []lattice.Ring{border, reversed(box(8, c.first, 12, top))}}},
			[][]lattice.Ring{{
				box(0, 0, 4, c.door), box(4, 0, 8, height), box(8, 0, 12, c.first), box(8, top, 12, top+c.second), box(12, 0, 16, height),
			}})
		start, goal := geom.Vec{X: 1, Z: -1}, geom.Vec{X: 15, Z: -1}
		r := measure(t, mesh, Options{Start: &start, Goal: &goal})
		const exact = 4 * lattice.Unit // the widths are rounded to the lattice
		if b := float64(r.Bottleneck.Value); math.Abs(b-min(c.first, c.door)) > exact {
			t.Errorf("%+v: the bottleneck of the best path is %v", c, b)
		}
		if f := r.Flow; math.Abs(float64(f.Published)-c.flow) > exact || math.Abs(float64(f.Value)-c.flow) > exact {
			t.Errorf("%+v: the source's procedure gives %v, the true maximum is %v", c, f.Published, f.Value)
		}
		paths := 2
		if c.door < c.first {
			paths = 1 // the first path takes all of the door
		}
		if r.Flow.Paths != paths {
			t.Errorf("%+v: %d paths contribute, want %d", c, r.Flow.Paths, paths)
		}
	}
}

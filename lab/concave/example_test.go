package concave_test

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/concave"
)

// An L of two convex cells is a single region for a bound of a metre.
func ExampleMerge() {
	const m = lattice.UnitsPerMetre
	cell := func(points ...lattice.Point) (c plan.Cell) {
		for _, p := range points {
			c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
		return c
	}
	cells := []plan.Cell{
		cell(lattice.Point{}, lattice.Point{X: 2 * m}, lattice.Point{X: 2 * m, Y: m}, lattice.Point{Y: m}),
		cell(lattice.Point{Y: m}, lattice.Point{X: m, Y: m}, lattice.Point{X: m, Y: 2 * m}, lattice.Point{Y: 2 * m}),
	}
	for _, bound := range []float64{0.5, 1} {
		res, err := concave.Merge(context.Background(), cells, concave.Options{Bound: bound})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, r := range res.Regions {
			fmt.Printf("%v m: cells %v, %.3f m deep\n", bound, r.Cells, r.Concavity())
		}
	}
	// Output:
	// 0.5 m: cells [0], 0.000 m deep
	// 0.5 m: cells [1], 0.000 m deep
	// 1 m: cells [0 1], 0.707 m deep
}

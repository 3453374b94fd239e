package anavmg_test

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// The three forms of convexity relaxation around an obstacle of twelve corners.
func ExampleOptions() {
	metres := func(xy ...int32) lattice.Ring {
		ring := gentest.Ring(xy...)
		for i := range ring {
			ring[i].X, ring[i].Y = ring[i].X*lattice.UnitsPerMetre/10, ring[i].Y*lattice.UnitsPerMetre/10
		}
		return ring
	}
	room := gentest.Domain(
		metres(0, 0, 100, 0, 100, 100, 0, 100),
		metres(56, 50, 55, 47, 53, 45, 50, 44, 47, 45, 45, 47, 44, 50, 45, 53, 47, 55, 50, 56, 53, 55, 55, 53),
	)
	for _, opt := range []anavmg.Options{{}, {ConvexDistance: 0.25}, {ConvexDistance: 0.25, Published: true}} {
		res, err := anavmg.Generator{Options: opt}.Decompose(context.Background(), gen.Input{Domain: room})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d cells, %d concave corners, %.2f m² lost\n", len(res.Cells), res.Report.Counts["concave"], lattice.SquareMetres(res.Report.Lost))
	}
	// Output:
	// 12 cells, 0 concave corners, 0.00 m² lost
	// 4 cells, 0 concave corners, 0.26 m² lost
	// 4 cells, 8 concave corners, 0.00 m² lost
}

package meadow_test

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// One mesh, made for a point, and what is left of it for others: corridors are less than 4 m wide.
func ExampleMesh_Widen() {
	ctx := context.Background()
	lvl, err := levelgen.Generate("maze", levelgen.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	point, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: meadow.PointRadius})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, radius := range []float64{0.4, 0.8, 2} {
		wide, err := point.Widen(ctx, radius, meadow.WidenOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%g m: %.0f m²\n", radius, wide.Area())
	}
	// Output:
	// 0.4 m: 624 m²
	// 0.8 m: 341 m²
	// meadow: no room for the radius of 2 m on a mesh for 0 m
}

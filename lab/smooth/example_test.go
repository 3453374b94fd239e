package smooth_test

import (
	"fmt"
	"log"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/smooth"
)

// A way up a ramp and around the corner above it: bumps at crossed edges, corners at turns.
func ExampleSmoother() {
	at := func(x, y, z int32) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z}
	}
	edges := []smooth.Edge{
		{Left: at(1000, 500, 0), Right: at(1000, -500, 0)},
		{Left: at(2000, 500, 600), Right: at(2000, -500, 600)},
		{Left: at(2500, 500, 600), Right: at(3500, 500, 600)},
	}
	var s smooth.Smoother
	for _, p := range s.Smooth(at(0, 0, 0), at(2600, 2000, 600), edges, smooth.Options{}) {
		fmt.Printf("%.0f %.0f %.0f, corner %v\n", p.X, p.Y, p.Z, p.Corner)
	}
	// Output:
	// 0 0 0, corner true
	// 1000 200 0, corner false
	// 2000 400 600, corner false
	// 2500 500 600, corner true
	// 2600 2000 600, corner true
}

// A curve that stays out of the corner it would cut, as a predicate of the caller's says.
func ExampleSpline() {
	way := []geom.Vec{{}, {X: 4}, {X: 4, Z: 4}}
	outside := func(a, b geom.Vec) bool { return a.X >= 4 && b.X >= 4 || a.Z <= 0 && b.Z <= 0 }
	var s smooth.Spline
	for _, free := range []func(a, b geom.Vec) bool{nil, outside} {
		samples, err := s.Through(way, smooth.SplineOptions{Kind: smooth.BSpline, Degree: 2, Free: free})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(samples), samples[len(samples)/2].Curve)
	}
	// Output:
	// 33 (3.000, 0.000, 1.000)
	// 3 (4.000, 0.000, 0.000)
}

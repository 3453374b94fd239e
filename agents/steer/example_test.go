package steer_test

import (
	"fmt"
	"log"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
)

// Two seconds of a walk at a metre and a half a second.
func ExampleWalker() {
	var route steer.Route
	if err := route.Set([]geom.Vec{{}, {X: 2}, {X: 2, Z: -2}}); err != nil {
		log.Fatal(err)
	}
	w := steer.Walker{Route: &route}
	for range 4 {
		fmt.Println(w.Step(0.5, 1.5), w.Heading)
	}
	// Output:
	// (0.750, 0.000, 0.000) (1.000, 0.000, 0.000)
	// (1.500, 0.000, 0.000) (1.000, 0.000, 0.000)
	// (2.000, 0.000, -0.250) (0.000, 0.000, -1.000)
	// (2.000, 0.000, -1.000) (0.000, 0.000, -1.000)
}

// A traveller behind a magnet: its own physics add up the magnet's pull.
func ExampleMagnet() {
	var route steer.Route
	if err := route.Set([]geom.Vec{{}, {X: 6}, {X: 6, Z: -6}}); err != nil {
		log.Fatal(err)
	}
	m := steer.Magnet{Route: &route}
	var p, v geom.Vec
	const dt = 1.0 / 30
	for !m.Done(p, 0.1) {
		v = v.Add(m.Pull(p, v).Scale(dt))
		p = p.Add(v.Scale(dt))
	}
	fmt.Println(p.Distance(geom.Vec{X: 6, Z: -6}) < 0.1)
	// Output:
	// true
}

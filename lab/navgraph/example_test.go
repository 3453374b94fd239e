package navgraph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// A path on the graph of midpoints, pulled tight in its corridor.
func Example() {
	ctx := context.Background()
	lvl, err := levelgen.Generate("bridge", levelgen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)})
	if err != nil {
		log.Fatal(err)
	}
	g, err := navgraph.New(mesh.Index(), navgraph.Options{Kind: navgraph.Midpoints})
	if err != nil {
		log.Fatal(err)
	}
	q := mesh.NewQuery()
	start, _ := q.Locate(geom.Vec{X: -30, Y: 0.125})
	goal, _ := q.Locate(geom.Vec{X: 30, Y: 0.125})

	route, err := g.NewFinder().Path(ctx, start, goal)
	if err != nil {
		log.Fatal(err)
	}
	path, err := q.Through(start, goal, route.Exits)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(route.Found, len(route.Regions) == len(route.Exits)+1, path.Length <= route.Cost)
	fmt.Printf("%.1f m\n", path.Length)
	// Output:
	// true true true
	// 60.0 m
}

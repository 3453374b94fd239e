// Firstpath builds the mesh of a level, asks it for a path and prints the corners.
//
//	go run ./examples/firstpath testdata/ramp.obj
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/meadow-nav/meadow"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: firstpath LEVEL")
	}
	ctx := context.Background()
	lvl, err := meadow.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	// Any two places on the mesh would do; here those nearest to two corners of the level.
	q := mesh.NewQuery()
	box := lvl.Bounds()
	start, _ := q.Nearest(box.Min, math.Inf(1))
	goal, _ := q.Nearest(box.Max, math.Inf(1))
	path, err := q.Path(ctx, start.Point, goal.Point)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d regions, %.2f m\n", mesh.RegionCount(), path.Length)
	for _, p := range path.Surface() {
		fmt.Println(p)
	}
}

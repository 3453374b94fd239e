package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/query/service"
)

// Four walkers ask for ways: three to one place, which share a search, and one who is in a hurry.
func Example() {
	floor := &level.Level{
		Name:      "floor",
		Vertices:  []geom.Vec{{X: 0, Z: 0}, {X: 20, Z: 0}, {X: 20, Z: -20}, {X: 0, Z: -20}},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}},
	}
	mesh, err := meadow.Build(context.Background(), floor, meadow.Agent{Radius: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	s, err := service.New(mesh.Index(), service.Options{})
	if err != nil {
		log.Fatal(err)
	}
	exit := geom.Vec{X: 18, Z: -18}
	for i, at := range []geom.Vec{{X: 3, Z: -3}, {X: 6, Z: -2}, {X: 18, Z: -10}} {
		if _, err := s.Submit(service.Request{Start: at, Goal: exit, ID: uint64(i)}); err != nil {
			log.Fatal(err)
		}
	}
	late, err := s.Submit(service.Request{Start: exit, Goal: geom.Vec{X: 2, Z: -18}, ID: 3, HeadStart: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("without units:", len(s.Tick(0)))
	for _, a := range s.Tick(1000) {
		fmt.Printf("walker %d: %.1f m, %d sharers, %d ticks\n", a.ID, a.Path.Length, a.Sharers, a.Ticks)
	}
	fmt.Println("cancelled after the answer:", s.Cancel(late))
	// Output:
	// without units: 0
	// walker 0: 21.2 m, 3 sharers, 2 ticks
	// walker 1: 20.0 m, 3 sharers, 2 ticks
	// walker 2: 8.0 m, 3 sharers, 2 ticks
	// walker 3: 16.0 m, 1 sharers, 2 ticks
	// cancelled after the answer: false
}

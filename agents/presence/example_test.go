package presence_test

import (
	"context"
	"fmt"
	"log"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// A shot in the demo level: who hears it, who sees it, and who bumps into whom.
func Example() {
	ctx := context.Background()
	lvl, err := levelgen.Generate("demo", levelgen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.4})
	if err != nil {
		log.Fatal(err)
	}
	start, goal := levelgen.DemoWalk()
	set := presence.New(mesh.Index())
	for _, o := range []presence.Object{
		{ID: 1, At: start, Radius: 0.4, Height: 1.8, Sight: 50},
		{ID: 2, At: start.Add(geom.Vec{X: 0.7}), Radius: 0.4, Height: 1.8, Sight: 50},
		{ID: 3, At: goal, Radius: 0.4, Height: 1.8, Hearing: 20}, // sharp ears
	} {
		if err := set.Add(o); err != nil {
			log.Fatal(err)
		}
	}
	r := set.Publish().NewReader()
	fmt.Println(r.Collisions())
	notices, err := r.Notice(ctx, presence.Event{At: start.Add(geom.Vec{X: 1}), Sound: 30, Light: 100})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range notices {
		fmt.Printf("agent %d: seen %v, heard %v after %.1f m\n", n.ID, n.Seen, n.Heard, n.Walk)
	}
	// Output:
	// [{1 2}]
	// agent 1: seen true, heard true after 1.0 m
	// agent 2: seen true, heard true after 0.3 m
}

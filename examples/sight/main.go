// Sight draws what an agent sees, hears and knows on a generated level: the picture of docs/algorithms/presence.md.
//
//	go run ./examples/sight docs/images/sight.png
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

var (
	light  = draw.Color{R: 246, G: 190, B: 70, A: 235}
	seen   = draw.Color{R: 40, G: 140, B: 70, A: 255}
	heard  = draw.Color{R: 60, G: 110, B: 200, A: 255}
	others = draw.Color{R: 130, G: 130, B: 130, A: 255}
	viewer = draw.Color{R: 200, G: 50, B: 40, A: 255}
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: sight PICTURE.png")
	}
	picture, err := sight(context.Background())
	if err == nil {
		err = os.WriteFile(os.Args[1], picture, 0o600)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// sight places 200 agents in a level of rooms and draws what one of them notices.
func sight(ctx context.Context) ([]byte, error) {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 4})
	if err != nil {
		return nil, err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(9, 1))
	q := mesh.NewQuery()
	set := presence.New(mesh.Index())
	for id := presence.ID(1); id <= 200; id++ {
		at, ok := q.RandomPoint(rng)
		if !ok {
			return nil, errors.New("no place on the mesh")
		}
		if err := set.Add(presence.Object{ID: id, At: at.Point, Radius: 0.3, Height: 1.8}); err != nil {
			return nil, err
		}
	}
	bounds := mesh.Bounds()
	middle, ok := q.Nearest(bounds.Center(), bounds.Size().Norm())
	if !ok {
		return nil, errors.New("no floor near the middle")
	}
	r := set.Publish().NewReader()
	gaze := presence.Gaze{At: middle.Point, Eye: 1.7, Heading: geom.Vec{X: 1, Z: -0.4}, View: geom.Degrees(150), Range: 60}
	pieces, err := r.SeenFloor(gaze)
	if err != nil {
		return nil, err
	}
	sightings, err := r.Look(gaze)
	if err != nil {
		return nil, err
	}
	colors := map[presence.ID]draw.Color{}
	notices, err := r.Notice(ctx, presence.Event{At: middle.Point, Sound: 12})
	if err != nil {
		return nil, err
	}
	for _, n := range notices {
		colors[n.ID] = heard
	}
	for _, s := range sightings {
		colors[s.ID] = seen
	}
	fmt.Printf("%d agents in sight, %d within a walk of 12 m\n", len(sightings), len(notices))

	list := draw.Mesh(mesh.Mesh, draw.MeshOptions{Opacity: 0.25})
	for _, p := range pieces {
		for i := 2; i < len(p.Outline); i++ {
			list.Triangles = append(list.Triangles, draw.Triangle{P: [3]geom.Vec{p.Outline[0], p.Outline[i-1], p.Outline[i]}, Fill: light, Bias: 0.1})
		}
	}
	for i := range r.View().Len() {
		o, _ := r.View().At(i)
		color, ok := colors[o.ID]
		if !ok {
			color = others
		}
		list.Points = append(list.Points, draw.Point{P: o.At, Color: color, Radius: 8, OnTop: true})
	}
	list.Points = append(list.Points, draw.Point{P: middle.Point, Color: viewer, Radius: 10, OnTop: true})
	var out bytes.Buffer
	if err := png.Write(&out, &list, draw.View{Width: 1200, Height: 900, ScaleBar: true}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Groups draws a group that walks through a door, at three moments: its section is short in the halls, and long at the door.
//
//	go run ./examples/groups docs/images/groups.png
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: groups FILE.png")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// the group: sixteen agents, and the largest leads.
const (
	id      = 1
	members = 16
	dt      = 1.0 / 20
)

var colors = [...]draw.Color{{R: 52, G: 110, B: 190, A: 255}, {R: 214, G: 118, B: 40, A: 255}, {R: 60, G: 140, B: 80, A: 255}}

// run walks the group and draws it into a file.
func run(ctx context.Context, file string) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{Seed: 1})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, geom.Agent{Radius: 0.4})
	if err != nil {
		return err
	}
	c, err := crowd.New(crowd.Options{}, mesh.Index())
	if err != nil {
		return err
	}
	spec := group.Spec{ID: id, Leader: true}
	for i := range members {
		agent := crowd.Spec{ID: crowd.ID(i), At: geom.Vec{X: -8 - float64(i/4), Z: 1 - float64(i%4)}, Radius: 0.25}
		if i == 0 {
			agent.Radius, agent.Speed = 0.4, 1.2
		}
		if err := c.Add(agent); err != nil {
			return err
		}
		spec.Members = append(spec.Members, agent.ID)
	}
	groups, err := group.New(group.Options{}, c)
	if err != nil {
		return err
	}
	if err := groups.Form(spec); err != nil {
		return err
	}
	if err := groups.Goal(id, geom.Vec{X: 10.5, Z: 0.5}); err != nil {
		return err
	}
	list := draw.Level(lvl, draw.LevelOptions{OneSided: true, Color: draw.Color{R: 236, G: 234, B: 230, A: 255}})
	ground := draw.Mesh(mesh.Mesh, draw.MeshOptions{Opacity: 0.12})
	list.Append(&ground)
	// The first moment is at once after the start, the next ones are when the head is so far behind the door.
	for k, head := range []float64{-4.5, 2, 10} {
		if err := walk(groups, c, head); err != nil {
			return err
		}
		if err := add(&list, groups, c, colors[k]); err != nil {
			return err
		}
		g, err := groups.Group(id)
		if err != nil {
			return err
		}
		fmt.Printf("section of %.2f m², %.2f m long, at least %.2f m wide\n", g.Area, g.Head-g.Tail, g.Least)
	}
	var out bytes.Buffer
	view := draw.View{Width: 1200, ScaleBar: true, Focus: geom.Box{Min: geom.Vec{X: -12, Z: -8}, Max: geom.Vec{X: 12, Y: 1, Z: 8}}}
	if err := png.Write(&out, &list, view); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// walk steps until the middle of the section's front is at an x.
func walk(groups *group.Groups, c *crowd.Crowd, x float64) error {
	for range 4000 {
		if err := groups.Step(dt); err != nil {
			return err
		}
		if err := c.Step(dt); err != nil {
			return err
		}
		cuts, err := groups.Section(id)
		if err != nil {
			return err
		}
		if len(cuts) > 0 && cuts[0][0].Lerp(cuts[0][1], 0.5).X >= x {
			return nil
		}
	}
	return errors.New("the group does not come through the door")
}

// add draws the section and the members of the group.
func add(list *draw.List, groups *group.Groups, c *crowd.Crowd, color draw.Color) error {
	cuts, err := groups.Section(id)
	if err != nil {
		return err
	}
	pale := color
	pale.A = 70
	lift := geom.Vec{Y: 0.1}
	for i := 1; i < len(cuts); i++ {
		a, b, c, d := cuts[i-1][0].Add(lift), cuts[i-1][1].Add(lift), cuts[i][1].Add(lift), cuts[i][0].Add(lift)
		list.Triangles = append(list.Triangles,
			draw.Triangle{P: [3]geom.Vec{a, b, c}, Fill: pale, Bias: 2}, draw.Triangle{P: [3]geom.Vec{a, c, d}, Fill: pale, Bias: 2})
	}
	all, err := groups.Members(id)
	if err != nil {
		return err
	}
	for _, m := range all {
		a, err := c.Agent(m.ID)
		if err != nil {
			return err
		}
		var ring []geom.Vec
		for k := range 25 {
			sin, cos := geom.SincosDegrees(float64(k) * 15)
			ring = append(ring, a.At.Add(geom.Vec{X: a.Radius * cos, Y: 0.2, Z: a.Radius * sin}))
		}
		list.Lines = append(list.Lines,
			draw.Line{P: ring, Color: color, Width: 2.5, OnTop: true},
			draw.Line{P: []geom.Vec{a.At, m.Slot}, Color: color, Width: 1, OnTop: true})
	}
	return nil
}

// Stages draws every stage from the demo level to a path, as docs/how-it-works.md shows them.
//
//	go run ./examples/stages docs/images/stages
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

var (
	red   = draw.Color{R: 214, G: 78, B: 66, A: 255}
	green = draw.Color{R: 110, G: 178, B: 122, A: 255}
	white = draw.Color{R: 255, G: 255, B: 255, A: 255}
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: stages FOLDER")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// run draws all stages into a folder.
func run(ctx context.Context, folder string) error {
	lvl, err := levelgen.Generate("demo", levelgen.Options{})
	if err != nil {
		return err
	}
	// A point has no radius, so that its floor ends at the walls themselves.
	everywhere, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius}, KeepAll: true})
	if err != nil {
		return err
	}
	reached, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius}})
	if err != nil {
		return err
	}
	floor, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{})
	if err != nil {
		return err
	}
	generator := best.Generator{Rivals: []gen.Generator{hertelmehlhorn.Generator{}, anavmg.Generator{}}}
	cells, err := gen.DecomposePlan(ctx, generator, floor.Plan, 0, 0)
	if err != nil {
		return err
	}
	mesh, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: generator})
	if err != nil {
		return err
	}
	start, goal := levelgen.DemoWalk()
	path, err := mesh.NewQuery().Path(ctx, start, goal)
	if err != nil {
		return err
	}

	solid := draw.Level(lvl, draw.LevelOptions{Materials: true})
	washed := ground(lvl)
	yard := geom.EmptyBox().Extend(geom.FromGround(-12, -9, 0)).Extend(geom.FromGround(12, 12, 5))
	tower := geom.EmptyBox().Extend(geom.FromGround(-4, 5, 2)).Extend(geom.FromGround(10, 12, 9))
	stages := []struct {
		name  string
		focus geom.Box
		lists []draw.List
	}{
		{"level", geom.Box{}, []draw.List{solid}},
		{"floor", geom.Box{}, []draw.List{washed, painted(everywhere.Plan, red, 0), painted(reached.Plan, green, 0.1)}},
		{"border", yard, []draw.List{washed, painted(reached.Plan, red, 0), painted(floor.Plan, green, 0.1)}},
		{"plan", geom.Box{}, []draw.List{washed, draw.Plan(floor.Plan, draw.PlanOptions{Opacity: 0.8})}},
		{"cells", yard, []draw.List{washed, painted(floor.Plan, green, 0.05), cuts(floor.Plan, cells), notches(floor.Plan)}},
		{"mesh", yard, []draw.List{washed, draw.Mesh(mesh.Mesh, draw.MeshOptions{Opacity: 0.85})}},
		{"links", tower, []draw.List{washed, draw.Mesh(mesh.Mesh, draw.MeshOptions{ColorBy: draw.ByLayer, Opacity: 0.85, Seams: true})}},
		{"path", geom.Box{}, []draw.List{solid, draw.Mesh(mesh.Mesh, draw.MeshOptions{}), draw.Path(path.Surface(), draw.PathOptions{})}},
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for i, s := range stages {
		var list draw.List
		for k := range s.lists {
			list.Append(&s.lists[k])
		}
		view := draw.View{Yaw: geom.Degrees(30), Tilt: geom.Degrees(50), Width: 1000, Height: 720, Focus: s.focus}
		var picture bytes.Buffer
		if err := png.Write(&picture, &list, view); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d-%s.png", i+1, s.name)), picture.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// ground draws a level pale, so that overlays stand out, and leaves out the faces that look down.
func ground(lvl *level.Level) draw.List {
	return draw.Level(lvl, draw.LevelOptions{Materials: true, Wash: 0.75, OneSided: true})
}

// painted draws a plan in one colour.
func painted(p *plan.Plan, color draw.Color, lift float64) draw.List {
	list := draw.Plan(p, draw.PlanOptions{Opacity: 1, Lift: lift})
	for i := range list.Triangles {
		list.Triangles[i].Fill = color
		list.Triangles[i].Bias += lift // two heights of one floor differ by less
	}
	return list
}

// cuts draws the edges of cells, on the floor of their layers.
func cuts(p *plan.Plan, cells [][]gen.Result) draw.List {
	pieces := plan.Plan{Frame: p.Frame}
	for l, domains := range cells {
		layer := plan.Layer{Floor: p.Layers[l].Floor}
		for d := range domains {
			for _, cell := range domains[d].Cells {
				var ring lattice.Ring
				for _, c := range cell.Corners {
					ring = append(ring, c.Point)
				}
				layer.Domains = append(layer.Domains, plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}})
			}
		}
		pieces.Layers = append(pieces.Layers, layer)
	}
	list := draw.Plan(&pieces, draw.PlanOptions{Opacity: -1, Lift: 0.06})
	for i := range list.Lines {
		list.Lines[i].Color, list.Lines[i].Width = white, 2
	}
	return list
}

// anywhere is farther than any height is from another, in lattice units.
const anywhere = 1e12

// notches marks the corners of the domains of a plan at which the floor has an angle above 180°.
func notches(p *plan.Plan) draw.List {
	var list draw.List
	for l := range p.Layers {
		heights := lattice.NewSampler(&p.Layers[l].Floor)
		for d := range p.Layers[l].Domains {
			for _, ring := range p.Layers[l].Domains[d].Rings {
				for i, at := range ring {
					before, after := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
					if lattice.Orient(before, at, after) >= 0 {
						continue
					}
					z, _ := heights.HeightBelow(float64(at.X), float64(at.Y), anywhere, anywhere)
					list.Points = append(list.Points, draw.Point{P: p.Frame.ToWorld(at, int32(z)), Color: red, Radius: 5, Bias: 0.4})
				}
			}
		}
	}
	return list
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/view"
)

// viewCmd writes the live page of a mesh.
type viewCmd struct {
	Mesh  string `arg:"" placeholder:"MESH" help:"Mesh file."`
	Level string `placeholder:"LEVEL" help:"Show this level beneath the mesh."`
	levelFlags
	Out string `short:"o" required:"" placeholder:"FILE" help:"Page to write: .html."`

	From *point `and:"path" placeholder:"X,Y,Z" help:"Start of the path on the page (default: the ends of a long way)." group:"Path"`
	To   *point `and:"path" placeholder:"X,Y,Z" help:"Goal of the path on the page." group:"Path"`
}

// Run reads, draws and writes.
func (c *viewCmd) Run(e *env) error {
	if ext := strings.ToLower(filepath.Ext(c.Out)); ext != ".html" && ext != ".htm" {
		return fmt.Errorf("%s: unsupported page; supported: .html", c.Out)
	}
	if err := writable(c.Out, c.Mesh, c.Level); err != nil {
		return err
	}
	mesh, err := e.loadMesh(c.Mesh)
	if err != nil {
		return err
	}
	var lvl *level.Level
	if c.Level != "" {
		in, err := c.openInput(c.Level, false)
		if err != nil {
			return err
		}
		if lvl = in.level; lvl == nil {
			return fmt.Errorf("%s: a map has no triangles to show; build its mesh and show the mesh alone", c.Level)
		}
	}
	start, goal, ok := farPlaces(mesh)
	if c.From != nil {
		start, goal, ok = geom.Vec(*c.From), geom.Vec(*c.To), true
	}
	var walked []geom.Vec
	if ok {
		path, err := mesh.NewQuery().Path(e.ctx, start, goal)
		if err != nil {
			return inFile(c.Mesh, err)
		}
		walked = path.Surface()
	}
	name := filepath.Base(c.Mesh)
	page := view.Page{
		Context: e.ctx, Title: name, Mesh: mesh.Mesh, Level: lvl, Path: ok, Start: start, Goal: goal,
		Facts: []view.Fact{
			{Name: "mesh", Value: fmt.Sprintf("%s, %s", count(mesh.RegionCount(), "region"), count(len(mesh.Tiles), "tile"))},
			{Name: "floor", Value: fmt.Sprintf("%.1f m²", mesh.Area())},
			{Name: "parts", Value: count(mesh.Components, "component")},
			{Name: "links", Value: count(len(mesh.Links), "link")},
			{Name: "agent", Value: fmt.Sprintf("radius %v m, height %v m", mesh.Agent.Radius, mesh.Agent.Height)},
		},
		Alt: "The mesh " + name,
	}
	if lvl != nil {
		page.Facts = append([]view.Fact{{Name: "level", Value: filepath.Base(c.Level) + ", " + count(len(lvl.Triangles), "triangle")}}, page.Facts...)
	}
	scene := &draw.List{}
	if lvl != nil {
		scene = levelList(lvl)
	}
	over, way := draw.Mesh(mesh.Mesh, draw.MeshOptions{Seams: true}), draw.Path(walked, draw.PathOptions{})
	scene.Append(&over, &way)
	if page.Picture, err = stillPicture(scene); err != nil {
		return err
	}
	return e.write(c.Out, func(w io.Writer) error { return view.Write(w, page) })
}

// farPlaces returns two places far apart in the part of the mesh with the most regions; ok is false for a mesh without floor.
func farPlaces(mesh *meadow.Mesh) (start, goal geom.Vec, ok bool) {
	regions := make([]int, mesh.Components)
	for i := range mesh.Tiles {
		for _, r := range mesh.Tiles[i].Regions {
			regions[r.Component]++
		}
	}
	if len(regions) == 0 {
		return geom.Vec{}, geom.Vec{}, false
	}
	most := slices.Max(regions)
	var places []geom.Vec
	for i := range mesh.Tiles {
		t := &mesh.Tiles[i]
		for r, region := range t.Regions {
			if regions[region.Component] < most {
				continue
			}
			if at, ok := mesh.Center(navmesh.MakeRef(i, r, t.Generation)); ok {
				places = append(places, at)
			}
		}
	}
	farthest := func(from geom.Vec) geom.Vec {
		return slices.MaxFunc(places, func(a, b geom.Vec) int { return cmp.Compare(a.Distance(from), b.Distance(from)) })
	}
	start = farthest(places[0])
	goal = farthest(start)
	q := mesh.NewQuery()
	for _, end := range []*geom.Vec{&start, &goal} {
		at, ok := q.Nearest(*end, 4*mesh.Agent.Height)
		if !ok {
			return geom.Vec{}, geom.Vec{}, false
		}
		*end = at.Point
	}
	return start, goal, true
}

// stillPicture draws the picture for browsers that cannot show a page's scene.
func stillPicture(scene *draw.List) ([]byte, error) {
	var out bytes.Buffer
	err := png.Write(&out, scene, draw.View{Yaw: geom.Degrees(obliqueYaw), Tilt: geom.Degrees(obliqueTilt), Width: 880, Height: 560})
	return out.Bytes(), err
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/view"
)

// demoCmd shows the whole way on a level that needs no file.
type demoCmd struct {
	Folder string `default:"meadow-demo" placeholder:"FOLDER" help:"Folder for the files, made if it is not there (default ${default})."`
	JSON   bool   `help:"Print the build's report and the path as JSON."`
}

// demoKind is the level that the demo builds.
const demoKind = "demo"

// demo is the content of the page.
type demo struct {
	Level       *level.Level
	Mesh        *meadow.Mesh
	Report      meadow.Report
	Path        query.Path
	Start, Goal geom.Vec
	QueryTime   time.Duration
	Program     string // how the user calls this program
	Folder      string
	Seconds     float64 // everything
}

// Run builds, walks, draws and writes.
func (c *demoCmd) Run(e *env) error {
	if info, err := os.Stat(c.Folder); err == nil && !info.IsDir() {
		return fmt.Errorf("%s: is not a folder", c.Folder)
	}
	start := time.Now()
	lvl, err := levelgen.Generate(demoKind, levelgen.Options{})
	if err != nil {
		return err
	}
	bar := newProgress(e.stderr)
	defer bar.stop()
	tell := bar.callback()
	mesh, err := meadow.BuildWith(e.ctx, lvl, meadow.FloorOptions{Progress: tell}, meadow.MeshOptions{Progress: tell})
	bar.stop()
	if err != nil {
		return err
	}
	d := &demo{Level: lvl, Mesh: mesh, Report: mesh.Report(), Program: program(), Folder: c.Folder}
	if err := d.walk(e); err != nil {
		return err
	}
	size, err := d.write(e, start)
	if err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Build buildReport `json:"build"`
			Path  pathReport  `json:"path"`
		}{shortReport(d.Report, 0, size), reportPath(mesh, wayOf(d.Path))})
	}
	d.print(e.stdout)
	return nil
}

// walk finds the highest place on the mesh, the place farthest from it, and the path between them.
func (d *demo) walk(e *env) error {
	q := d.Mesh.NewQuery()
	// Regions are large, and the top may be in the middle of one: try their corners, and the vertices of the floor inside.
	var places []geom.Vec
	add := func(v lattice.Vertex) {
		if at, ok := q.Nearest(d.Mesh.Frame.ToWorld(v.Point, v.Z), d.Mesh.Agent.Radius); ok {
			places = append(places, at.Point)
		}
	}
	for i := range d.Mesh.Tiles {
		t := &d.Mesh.Tiles[i]
		for _, v := range t.Vertices {
			add(v)
		}
		for _, l := range t.Layers {
			for _, v := range l.Floor.Vertices {
				add(v)
			}
		}
	}
	if len(places) == 0 {
		return fmt.Errorf("the mesh of the bundled level is empty")
	}
	d.Goal = slices.MaxFunc(places, func(a, b geom.Vec) int { return cmp.Compare(a.Y, b.Y) })
	d.Start = slices.MaxFunc(places, func(a, b geom.Vec) int {
		return cmp.Compare(a.Distance(d.Goal), b.Distance(d.Goal))
	})
	// The first query allocates its memory, so the reported time is the best of a few.
	for range 10 {
		began := time.Now()
		path, err := q.Path(e.ctx, d.Start, d.Goal)
		if err != nil {
			return err
		}
		if took := time.Since(began); d.QueryTime == 0 || took < d.QueryTime {
			d.QueryTime = took
		}
		d.Path = path.Clone()
	}
	return nil
}

// write makes the folder and its files, and returns the size of the mesh.
func (d *demo) write(e *env, start time.Time) (size int64, err error) {
	png, vector, err := d.pictures(e)
	if err != nil {
		return 0, err
	}
	still, err := stillPicture(sceneOf(d.Level, d.Mesh, d.Path.Surface()))
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(d.Folder, 0o777); err != nil {
		return 0, err
	}
	if err := e.writeLevel(d.file("demo.glb"), d.Level); err != nil {
		return 0, err
	}
	if size, err = e.writeMesh(d.file("demo.mesh"), d.Mesh); err != nil {
		return 0, err
	}
	for _, f := range []struct {
		name string
		fill func(io.Writer) error
	}{
		{"meadow-demo.png", func(w io.Writer) error { _, err := w.Write(png); return err }},
		{"meadow-demo.svg", func(w io.Writer) error { _, err := w.Write(vector); return err }},
		{"meadow-demo.html", func(w io.Writer) error { return view.WriteBench(w, d.page(e, still), view.Begin{Kind: demoKind}) }},
	} {
		if err := e.write(d.file(f.name), f.fill); err != nil {
			return 0, err
		}
	}
	d.Seconds = time.Since(start).Seconds()
	return size, nil
}

// page is the live page of the demo. It shows this mesh at once, and builds the level by itself as soon as all of Meadow has started on the page.
func (d *demo) page(e *env, still []byte) view.Page {
	r := d.Report
	return view.Page{
		Context: e.ctx,
		Title:   "A level, its mesh, a path",
		Mesh:    d.Mesh.Mesh,
		Level:   d.Level,
		Facts: []view.Fact{
			{Name: "level", Value: fmt.Sprintf("“%s”, made by rule: %s", r.Level, count(r.Triangles, "triangle"))},
			{Name: "floor", Value: fmt.Sprintf("%.1f m² in %s, joined at %s", r.Area, count(r.Layers, "layer"), count(r.Seams, "seam"))},
			{Name: "mesh", Value: fmt.Sprintf("%s, %s, %s", count(r.Regions, "region"), count(r.Portals, "portal"), count(r.Vertices, "vertex"))},
			{Name: "agent", Value: fmt.Sprintf("radius %v m, height %v m", r.Agent.Radius, r.Agent.Height)},
			{Name: "built in", Value: fmt.Sprintf("%.2f s: extract %.2f, decompose %.2f, link %.2f",
				r.Seconds.Total, r.Seconds.Extract, r.Seconds.Decompose, r.Seconds.Link)},
			{Name: "first path", Value: fmt.Sprintf("%.2f m from (%s) to (%s), %s, %s, found in %v, the shortest there is",
				d.Path.Length, xyz(d.Start), xyz(d.Goal), count(len(d.Path.Points), "point"), count(len(d.Path.Regions()), "region"),
				d.QueryTime.Round(time.Microsecond))},
		},
		Notes:   d.Commands(),
		Path:    true,
		Start:   d.Start,
		Goal:    d.Goal,
		Picture: still,
		Alt:     "The level with its navigation mesh and a path from end to end",
		Files: []view.File{
			{Name: "meadow-demo.png", Text: "the picture as PNG"},
			{Name: "meadow-demo.svg", Text: "the picture as SVG"},
			{Name: "demo.glb", Text: "the level as GLB"},
			{Name: "demo.mesh", Text: "the mesh"},
		},
	}
}

// pictures draws the scene both ways at once.
func (d *demo) pictures(e *env) (png, vector []byte, err error) {
	scene := sceneOf(d.Level, d.Mesh, d.Path.Surface())
	view := draw.View{Yaw: geom.Degrees(obliqueYaw), Tilt: geom.Degrees(obliqueTilt)}
	var files [2]bytes.Buffer
	writers := [2]func(io.Writer, *draw.List, draw.View) error{pictureWriter(".png"), pictureWriter(".svg")}
	err = par.For(e.ctx, len(writers), len(writers), func(i int) error {
		return writers[i](&files[i], scene, view)
	})
	return files[0].Bytes(), files[1].Bytes(), err
}

func (d *demo) file(name string) string { return filepath.Join(d.Folder, name) }

// Commands are suggestions to try next, as the user would type them.
func (d *demo) Commands() []string {
	mesh := d.file("demo.mesh")
	return []string{
		fmt.Sprintf("%s path %s --from %s --to %s", d.Program, mesh, xyz(d.Goal), xyz(d.Start)),
		fmt.Sprintf("%s build %s -o wide.mesh --radius 0.8", d.Program, d.file("demo.glb")),
		fmt.Sprintf("%s check %s", d.Program, mesh),
		fmt.Sprintf("%s gen maze -o maze.obj --seed 7", d.Program),
	}
}

func (d *demo) print(w io.Writer) {
	r := d.Report
	fmt.Fprintf(w, "level   %s, a bundled level made by rule: %s\n", r.Level, count(r.Triangles, "triangle"))
	fmt.Fprintf(w, "mesh    %s, %s, %s, %.1f m² in %.2f s\n",
		count(r.Regions, "region"), count(r.Portals, "portal"), count(r.Layers, "layer"), r.Area, r.Seconds.Total)
	fmt.Fprintf(w, "path    %.2f m through %s, the shortest there is, found in %v\n",
		d.Path.Length, count(len(d.Path.Regions()), "region"), d.QueryTime.Round(time.Microsecond))
	fmt.Fprintf(w, "files   %s: meadow-demo.html, meadow-demo.png, meadow-demo.svg, demo.glb, demo.mesh (%.2f s in all)\n", d.Folder, d.Seconds)
	fmt.Fprintln(w, "next")
	for _, command := range d.Commands() {
		fmt.Fprintf(w, "  %s\n", command)
	}
}

// xyz writes a point in the form of the flags.
func xyz(v geom.Vec) string { return fmt.Sprintf("%.2f,%.2f,%.2f", v.X, v.Y, v.Z) }

// program is the name by which this program was called, as far as known: "go run" builds into a separate
// folder below the temporary one.
func program() string {
	if strings.HasPrefix(os.Args[0], os.TempDir()) && strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/meadow"
	}
	return os.Args[0]
}

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/world"
)

// viewCmd shows a level, a map, a mesh or a world in a browser: by a server on this machine, or as a page in a file.
type viewCmd struct {
	File  string `arg:"" optional:"" placeholder:"FILE" help:"Level, 2D map, mesh or world to show (default: an empty page, to drop files on)."`
	Level string `placeholder:"LEVEL" help:"Show this level beneath the mesh."`
	levelFlags
	Out string `short:"o" placeholder:"FILE" help:"Write a page that needs no server, .html: of a mesh to ask, of a level to build."`

	From *point `and:"path" placeholder:"X,Y,Z" help:"Start of the path on the page of a mesh (default: the ends of a long way)." group:"Path"`
	To   *point `and:"path" placeholder:"X,Y,Z" help:"Goal of the path on the page of a mesh." group:"Path"`

	Port   int    `placeholder:"N" help:"Port of the server (default: any free one)." group:"Server"`
	Open   bool   `help:"Open the page in the system's browser." group:"Server"`
	Listen string `default:"127.0.0.1" placeholder:"ADDRESS" help:"Address of this machine to listen at; any other than the default lets other machines in (default ${default})." group:"Server"`
}

// Run writes a page, or serves one until Ctrl-C.
func (c *viewCmd) Run(e *env) error {
	if c.File == "" && c.Level != "" {
		return errors.New("--level needs a mesh")
	}
	if c.Out == "" {
		if c.From != nil {
			return errors.New("--from and --to need --out=FILE")
		}
		return c.serve(e)
	}
	switch {
	case c.File == "":
		return errors.New("--out needs a file to show")
	case c.Port != 0 || c.Open || c.Listen != loopback:
		return errors.New("--out writes a page without a server: --port, --open and --listen have no use")
	}
	if ext := strings.ToLower(filepath.Ext(c.Out)); ext != ".html" && ext != ".htm" {
		return fmt.Errorf("%s: unsupported page; supported: .html", c.Out)
	}
	if err := writable(c.Out, c.File, c.Level); err != nil {
		return err
	}
	kind, err := kindOf(c.File)
	switch {
	case err != nil:
		return err
	case kind == "level":
		return c.writeLevelPage(e)
	}
	mesh, err := c.shownMesh(e, kind)
	if err != nil {
		return err
	}
	lvl, err := c.levelBelow()
	if err != nil {
		return err
	}
	return c.writeMeshPage(e, mesh, lvl)
}

// kindOf tells a mesh and a saved world from a level or map by the first bytes of a file.
func kindOf(path string) (string, error) {
	isMesh, err := isMeshFile(path)
	if err != nil || !isMesh {
		return "level", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	if world.IsSaved(head[:n]) {
		return "world", nil
	}
	return "mesh", nil
}

// shownMesh reads the mesh to show.
func (c *viewCmd) shownMesh(e *env, kind string) (*meadow.Mesh, error) {
	if kind == "mesh" {
		return e.loadMesh(c.File)
	}
	w, err := meadow.LoadWorld(e.ctx, c.File)
	if err != nil {
		return nil, err
	}
	return meadow.Wrap(w.Now().Mesh()), nil
}

// levelBelow reads the level beneath the mesh, if one is named.
func (c *viewCmd) levelBelow() (*level.Level, error) {
	if c.Level == "" {
		return nil, nil
	}
	in, err := c.openInput(c.Level, false)
	if err != nil {
		return nil, err
	}
	if in.level == nil {
		return nil, fmt.Errorf("%s: a map has no triangles to show; build its mesh and show the mesh alone", c.Level)
	}
	return in.level, nil
}

// writeLevelPage writes a page that builds the level, with the files of the level inside.
func (c *viewCmd) writeLevelPage(e *env) error {
	if c.Level != "" || c.From != nil {
		return fmt.Errorf("%s: is no mesh; --level, --from and --to need one", c.File)
	}
	if (c.levelFlags != levelFlags{Scale: c.Scale, Units: c.Units, Up: c.Up}) {
		return errors.New("of the flags of a level, a page without a server takes --scale, --units and --up; convert the level first, or leave out --out")
	}
	in, err := c.openInput(c.File, false)
	if err != nil {
		return err
	}
	in.tell(e.stderr, c.File)
	scale, err := c.scale()
	if err != nil {
		return err
	}
	begin := view.Begin{Scale: scale, Up: upOf(c.Up)}
	if begin.File, begin.Data, begin.Parts, err = filesOf(c.File, scale, c.Up); err != nil {
		return inFile(c.File, err)
	}
	name := filepath.Base(c.File)
	page := view.Page{Context: e.ctx, Title: name, Alt: "The level " + name}
	if page.Picture, err = stillPicture(in.list()); err != nil {
		return err
	}
	return e.write(c.Out, func(w io.Writer) error { return view.WriteBench(w, page, begin) })
}

// upOf returns the axis as pages name it.
func upOf(a meshio.Axis) string {
	if a == meshio.Default {
		return ""
	}
	text, _ := a.MarshalText()
	return string(text)
}

// filesOf reads a level or map and the files that it names.
func filesOf(path string, scale float64, up meshio.Axis) (name string, data []byte, parts []view.Part, err error) {
	name = filepath.Base(path)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", nil, nil, err
	}
	defer root.Close()
	if data, err = os.ReadFile(path); err != nil {
		return "", nil, nil, err
	}
	read := &recorder{path: path, below: root.FS()}
	if meadow.IsMap(path) {
		_, err = flat.Decode(bytes.NewReader(data), name, flat.Options{Scale: scale, Files: read, Shapes: true})
	} else {
		_, err = meshio.Open(read, name, meshio.Options{Scale: scale, Up: up})
	}
	if err != nil {
		return "", nil, nil, err
	}
	for _, f := range read.files {
		part, err := fs.ReadFile(read.below, f)
		if err != nil {
			return "", nil, nil, err
		}
		parts = append(parts, view.Part{Name: f, Data: part})
	}
	return name, data, parts, nil
}

// recorder has the file at a path by its name, and notes which other files are opened below its folder.
type recorder struct {
	path  string
	below fs.FS
	files []string
}

// Open opens the file, or a file below.
func (r *recorder) Open(name string) (fs.File, error) {
	if name == filepath.Base(r.path) {
		return os.Open(r.path)
	}
	f, err := r.below.Open(name)
	if err == nil && !slices.Contains(r.files, name) {
		r.files = append(r.files, name)
	}
	return f, err
}

// writeMeshPage writes the page of a mesh, with a path.
func (c *viewCmd) writeMeshPage(e *env, mesh *meadow.Mesh, lvl *level.Level) error {
	start, goal, ok := farPlaces(mesh)
	if c.From != nil {
		start, goal, ok = geom.Vec(*c.From), geom.Vec(*c.To), true
	}
	var walked []geom.Vec
	if ok {
		path, err := mesh.NewQuery().Path(e.ctx, start, goal)
		if err != nil {
			return inFile(c.File, err)
		}
		walked = path.Surface()
	}
	name := filepath.Base(c.File)
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
	picture, err := stillPicture(scene)
	if err != nil {
		return err
	}
	page.Picture = picture
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

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
	worldscript "github.com/meadow-nav/meadow/world/script"
)

// worldCmd changes a mesh by a script, or measures changes.
type worldCmd struct {
	Input  string `arg:"" placeholder:"MESH|LEVEL|MAP" help:"Mesh file, or level file: ${formats}; or a 2D map: ${maps}."`
	Script string `required:"" xor:"task" placeholder:"FILE" help:"Script of changes, questions and expectations; exit status 1 if an expectation fails. See docs/world.md."`
	Bench  int    `required:"" xor:"task" placeholder:"N" help:"Make N random changes, and measure each together with the first path beside it."`
	Seed   uint64 `default:"1" placeholder:"N" help:"With --bench: seed of the random changes (default ${default})."`
	JSON   bool   `help:"Print a summary as JSON."`

	Wider []number `sep:"none" placeholder:"M" help:"Radius of a wider agent, whose mesh changes too; may be repeated. A script asks for its paths behind the command radius."`

	agentFlags
	levelFlags
	floorFlags
}

// scriptReport is the output of --script with --json.
type scriptReport struct {
	Commands     int             `json:"commands"`
	Changes      int             `json:"changes"`
	Expectations int             `json:"expectations"`
	Failures     []failureReport `json:"failures"`
	Things       int             `json:"things"`
	Regions      int             `json:"regions"`
	Area         float64         `json:"area_m2"`
}

type failureReport struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Run reads the mesh, or builds the mesh of the level, and does the task.
func (c *worldCmd) Run(e *env) error {
	if c.Script == "" && c.Bench == 0 || c.Bench < 0 || c.Bench > maxBench {
		return fmt.Errorf("--bench is %d, must be 1 to %d", c.Bench, maxBench)
	}
	var commands worldscript.Script
	if c.Script != "" {
		var err error
		if commands, err = c.readScript(); err != nil {
			return err
		}
	}
	base, err := c.base(e)
	if err != nil {
		return err
	}
	var opt world.Options
	for _, radius := range c.Wider {
		wide, err := base.Widen(e.ctx, float64(radius), meadow.WidenOptions{})
		if err != nil {
			return inFile(c.Input, fmt.Errorf("--wider %g: %w", float64(radius), err))
		}
		opt.Wider = append(opt.Wider, wide.Mesh)
	}
	w, err := world.New(e.ctx, base.Mesh, opt)
	if err != nil {
		return inFile(c.Input, err)
	}
	if c.Script == "" {
		return c.bench(e, base.Mesh, opt, w)
	}
	return c.run(e, worldscript.Runner{World: w, Base: base.Mesh, Options: opt}, commands)
}

// base loads a mesh, or builds one.
func (c *worldCmd) base(e *env) (*meadow.Mesh, error) {
	return e.meshOf(c.Input, c.agentFlags, c.levelFlags, c.floorFlags)
}

// readScript reads the script and checks its pictures. Files that the script names are in the script's folder.
func (c *worldCmd) readScript() (worldscript.Script, error) {
	text, err := readFile(c.Script)
	if err != nil {
		return nil, err
	}
	folder, err := os.OpenRoot(filepath.Dir(c.Script))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	commands, err := worldscript.Parse(bytes.NewReader(text), folder.FS())
	if err != nil {
		return nil, inFile(c.Script, err)
	}
	for _, command := range commands {
		do, ok := command.Do.(worldscript.Render)
		if !ok {
			continue
		}
		err := writable(do.File, c.Input, c.Script)
		switch {
		case !filepath.IsLocal(do.File):
			err = fmt.Errorf("%s: not in the current folder", do.File)
		case pictureWriter(do.File) == nil:
			err = fmt.Errorf("%s: unsupported picture; supported: .svg, .png", do.File)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", c.Script, command.Line, err)
		}
	}
	return commands, nil
}

// run runs a script.
func (c *worldCmd) run(e *env, r worldscript.Runner, commands worldscript.Script) error {
	if !c.JSON {
		r.Out = e.stdout
	}
	r.Render = func(_ context.Context, file string, p worldscript.Picture) error { return e.drawWorld(file, p) }
	report, err := r.Run(e.ctx, commands)
	if err != nil {
		return inFile(c.Script, err)
	}
	if c.JSON {
		now := r.World.Now()
		mesh := now.Mesh()
		out := scriptReport{
			Commands: report.Commands, Changes: report.Changes, Expectations: report.Expectations, Failures: []failureReport{},
			Things: len(now.Things()), Regions: mesh.RegionCount(), Area: round4(mesh.Area()),
		}
		for _, f := range report.Failures {
			out.Failures = append(out.Failures, failureReport{f.Line, f.Text})
		}
		if err := writeJSON(e.stdout, out); err != nil {
			return err
		}
	} else {
		printFailures(e.stdout, report)
	}
	if n := len(report.Failures); n > 0 {
		return no("%s: %d of %s failed; line %d: %s", c.Script, n, count(report.Expectations, "expectation"), report.Failures[0].Line, report.Failures[0].Text)
	}
	return nil
}

func printFailures(w io.Writer, r worldscript.Report) {
	for _, f := range r.Failures {
		fmt.Fprintf(w, "failed: %v\n", f)
	}
	fmt.Fprintf(w, "%s, %s, %s, %d failed\n", count(r.Commands, "command"), count(r.Changes, "change"), count(r.Expectations, "expectation"), len(r.Failures))
}

// drawWorld draws the mesh of a snapshot, what stands on it, and the last change.
func (e *env) drawWorld(file string, p worldscript.Picture) error {
	now := p.Now.Mesh()
	list := draw.Mesh(now, draw.MeshOptions{Seams: true})
	changes := draw.Changes(now, p.Before.Mesh(), p.Change.Boxes)
	standing := draw.Solids(surfacesOf(p.Now.Things()), draw.Color{})
	list.Append(&changes, &standing)
	write := pictureWriter(file)
	if write == nil {
		return errors.New("unsupported picture")
	}
	return e.write(file, func(w io.Writer) error { return write(w, &list, draw.View{}) })
}

// surfacesOf returns the surfaces of all obstacles.
func surfacesOf(things []world.Thing) []draw.Solid {
	var list []draw.Solid
	for _, t := range things {
		if p, ok := t.(world.Put); ok {
			list = append(list, surfaceOf(p.Solid))
		}
	}
	return list
}

// sidesOfCylinder is the number of sides of a drawn cylinder.
const sidesOfCylinder = 24

// surfaceOf returns the surface of a solid: of upright solids the walls and the outline of the top.
func surfaceOf(s world.Solid) draw.Solid {
	switch s := s.(type) {
	case world.Box:
		var ring []geom.Vec
		for _, c := range [4][2]float64{{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}} {
			ring = append(ring, s.Base.Add(turn(geom.Vec{X: c[0] * s.Size.X, Z: c[1] * s.Size.Z}, s.Yaw)))
		}
		return upright(ring, s.Base.Y, s.Base.Y+s.Size.Y)
	case world.Cylinder:
		var ring []geom.Vec
		for i := range sidesOfCylinder {
			ring = append(ring, s.Base.Add(turn(geom.Vec{X: s.Radius}, 2*math.Pi*float64(i)/sidesOfCylinder)))
		}
		return upright(ring, s.Base.Y, s.Base.Y+s.Height)
	case world.Prism:
		return upright(s.Outline, s.Bottom, s.Top)
	case world.TriangleMesh:
		out := draw.Solid{Triangles: s.Triangles}
		for _, v := range s.Vertices {
			out.Vertices = append(out.Vertices, s.At.Add(turn(v, s.Yaw)))
		}
		return out
	}
	return draw.Solid{}
}

// turn turns a vector counter-clockwise around the upward axis.
func turn(v geom.Vec, yaw float64) geom.Vec {
	sin, cos := math.Sincos(yaw)
	return geom.Vec{X: v.X*cos + v.Z*sin, Y: v.Y, Z: v.Z*cos - v.X*sin}
}

// upright returns the surface of a prism over a simple outline.
func upright(ring []geom.Vec, bottom, top float64) draw.Solid {
	var s draw.Solid
	n := int32(len(ring))
	for _, y := range [2]float64{bottom, top} {
		for _, p := range ring {
			s.Vertices = append(s.Vertices, geom.Vec{X: p.X, Y: y, Z: p.Z})
		}
	}
	for i := range n {
		k := (i + 1) % n
		s.Triangles = append(s.Triangles, [3]int32{i, k, n + k}, [3]int32{i, n + k, n + i})
	}
	for _, t := range ears(ring) {
		s.Triangles = append(s.Triangles, [3]int32{n + t[0], n + t[1], n + t[2]})
	}
	return s
}

// ears cuts a simple polygon into triangles, seen from above: a corner without another corner in its triangle goes first.
// Where rounding leaves none, the rest goes as a fan. Time O(n³) for n corners.
func ears(ring []geom.Vec) [][3]int32 {
	side := func(a, b, c int32) float64 {
		p, q, r := ring[a], ring[b], ring[c]
		return (q.Z-p.Z)*(r.X-p.X) - (q.X-p.X)*(r.Z-p.Z) // above 0 for a turn to the left
	}
	left := make([]int32, len(ring))
	area := 0.0
	for i := range left {
		left[i] = int32(i)
		area += side(0, int32(i), int32((i+1)%len(ring)))
	}
	if area < 0 {
		slices.Reverse(left)
	}
	isEar := func(a, b, c int32) bool {
		return side(a, b, c) > 0 && !slices.ContainsFunc(left, func(p int32) bool {
			return p != a && p != b && p != c && side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0
		})
	}
	var out [][3]int32
	for len(left) > 2 {
		ear := 1
		for i := range left {
			if isEar(left[(i+len(left)-1)%len(left)], left[i], left[(i+1)%len(left)]) {
				ear = i
				break
			}
		}
		out = append(out, [3]int32{left[(ear+len(left)-1)%len(left)], left[ear], left[(ear+1)%len(left)]})
		left = slices.Delete(left, ear, ear+1)
	}
	return out
}

// marksCalled lists the names by which the marks of a mesh open and close.
func marksCalled(m *navmesh.Mesh) []string {
	var names []string
	for _, k := range m.Marks {
		if k.Flags == 0 {
			continue
		}
		if k.Name != "" {
			names = append(names, k.Name)
		} else {
			names = append(names, k.Kind)
		}
	}
	return names
}

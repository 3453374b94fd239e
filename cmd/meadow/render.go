package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// renderCmd draws a mesh or a level.
type renderCmd struct {
	Input string `arg:"" placeholder:"MESH|LEVEL|MAP" help:"Mesh file, or level file: ${formats}; or a 2D map: ${maps}."`
	Out   string `short:"o" required:"" placeholder:"FILE" help:"Picture to write: .svg or .png."`

	Level string `placeholder:"LEVEL" help:"Draw this level beneath the mesh."`
	levelFlags

	View   string  `default:"top" enum:"top,oblique" placeholder:"VIEW" help:"top or oblique (default ${default})." group:"View"`
	Yaw    *number `placeholder:"DEG" help:"Turn the camera around the vertical (default: 0 from the top, 30 oblique)." group:"View"`
	Tilt   *number `placeholder:"DEG" help:"Tilt the camera away from straight down, 0 to 89 (default: 0 from the top, 50 oblique)." group:"View"`
	Pixels pixels  `placeholder:"WxH" help:"Size of the picture in pixels; one of both, as in 800x or x600, follows the shape (default 1600x1200)." group:"View"`
	Color  string  `default:"region" enum:"region,component,layer,area" placeholder:"BY" help:"Colour a mesh by region, component, layer or area (default ${default})." group:"View"`
	Labels bool    `help:"Write the number of every region into it, and the names of its markers." group:"View"`

	From *point `and:"path" placeholder:"X,Y,Z" help:"Start of the path to draw." group:"Path"`
	To   *point `and:"path" placeholder:"X,Y,Z" help:"Goal of the path to draw." group:"Path"`

	passFlags
	graphFlags
}

// pixels is a picture's size in pixels, 0 for a side that follows from the other.
type pixels struct{ width, height int }

// Decode reads "800x600", "800x", "x600" or "800".
func (s *pixels) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "WxH")
	if err != nil {
		return err
	}
	*s = pixels{}
	w, h, _ := strings.Cut(word, "x")
	for i, text := range []string{w, h} {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("invalid size %q; want pixels, as in 800x600", word)
		}
		if i == 0 {
			s.width = n
		} else {
			s.height = n
		}
	}
	if *s == (pixels{}) {
		return fmt.Errorf("invalid size %q; want pixels, as in 800x600", word)
	}
	return nil
}

// colors are the values of --color.
var colors = map[string]draw.ColorBy{
	"region": draw.ByRegion, "component": draw.ByComponent, "layer": draw.ByLayer, "area": draw.ByArea,
}

// Run reads, draws and writes.
func (c *renderCmd) Run(e *env) error {
	write := pictureWriter(c.Out)
	if write == nil {
		return fmt.Errorf("%s: unsupported picture; supported: .svg, .png", c.Out)
	}
	if t := c.Tilt; t != nil && (*t < 0 || *t >= 90) {
		return fmt.Errorf("--tilt is %g, must be 0 to below 90 degrees", float64(*t))
	}
	if err := writable(c.Out, c.Input, c.Level); err != nil {
		return err
	}
	list, legend, err := c.list(e)
	if err != nil {
		return err
	}
	if err := list.Legend(c.view(), legend); err != nil {
		return err
	}
	if c.Labels {
		camera, err := draw.NewCamera(list, c.view())
		if err != nil {
			return err
		}
		if kept := len(camera.Legible(list.Labels)); kept < len(list.Labels) {
			fmt.Fprintf(e.stderr, "labels: %d of %d have room; a larger --pixels shows more\n", kept, len(list.Labels))
		}
	}
	return e.write(c.Out, func(w io.Writer) error { return write(w, list, c.view()) })
}

// list draws the input. The legend explains the colours of areas.
func (c *renderCmd) list(e *env) (list *draw.List, legend []draw.Entry, err error) {
	if c.From == nil && !c.plain() {
		return nil, nil, errors.New("--graph, --spline and --follow need a path: --from and --to")
	}
	isMesh, err := isMeshFile(c.Input)
	if err != nil {
		return nil, nil, err
	}
	if !isMesh {
		if c.From != nil || c.Level != "" {
			return nil, nil, fmt.Errorf("%s: not a mesh; --from, --to and --level need a mesh", c.Input)
		}
		in, err := c.openInput(c.Input, false)
		if err != nil {
			return nil, nil, err
		}
		in.tell(e.stderr, c.Input)
		return in.list(), nil, nil
	}
	mesh, err := e.loadMesh(c.Input)
	if err != nil {
		return nil, nil, err
	}
	list = &draw.List{}
	if c.Level != "" {
		in, err := c.openInput(c.Level, false)
		if err != nil {
			return nil, nil, err
		}
		list = in.list()
	}
	over := draw.Mesh(mesh.Mesh, draw.MeshOptions{ColorBy: colors[c.Color], Labels: c.Labels, Seams: true})
	list.Append(&over)
	if c.Color == "area" {
		legend = draw.Areas(mesh.Mesh)
	}
	if c.From != nil {
		wide, err := c.widened(e.ctx, mesh)
		if err != nil {
			return nil, nil, inFile(c.Input, err)
		}
		q, ix, err := c.query(e.ctx, wide)
		if err != nil {
			return nil, nil, inFile(c.Input, err)
		}
		way, err := c.find(e, c.Method, q, ix, geom.Vec(*c.From), geom.Vec(*c.To))
		if err != nil {
			return nil, nil, inFile(c.Input, err)
		}
		if !way.path.Complete {
			return nil, nil, no("%s: no path from %v to %v, nothing is drawn", c.Input, geom.Vec(*c.From), geom.Vec(*c.To))
		}
		if !c.plain() {
			beside := draw.Path(way.exact.Surface(), draw.PathOptions{Color: exactPath})
			list.Append(&beside)
		}
		walked := draw.Path(way.points, draw.PathOptions{})
		list.Append(&walked)
	}
	return list, legend, nil
}

func (c *renderCmd) view() draw.View {
	yaw, tilt := 0.0, 0.0
	if c.View == "oblique" {
		yaw, tilt = obliqueYaw, obliqueTilt
	}
	if c.Yaw != nil {
		yaw = float64(*c.Yaw)
	}
	if c.Tilt != nil {
		tilt = float64(*c.Tilt)
	}
	return draw.View{Yaw: geom.Degrees(yaw), Tilt: geom.Degrees(tilt), Width: c.Pixels.width, Height: c.Pixels.height}
}

// exactPath is the colour of the exact path beside another.
var exactPath = draw.Color{R: 38, G: 84, B: 160, A: 255}

// The oblique view, in degrees.
const obliqueYaw, obliqueTilt = 30, 50

// levelList draws a level with a view into rooms: ceilings are seen from behind. Without the author's colours
// every material would be white, and invisible on white paper.
func levelList(lvl *level.Level) *draw.List {
	coloured := slices.ContainsFunc(lvl.Materials, func(m level.Material) bool {
		return m.Color != [4]float32{1, 1, 1, 1}
	})
	list := draw.Level(lvl, draw.LevelOptions{Materials: coloured, OneSided: true})
	return &list
}

// sceneOf draws a level, the mesh on it and a path.
func sceneOf(lvl *level.Level, mesh *meadow.Mesh, path []geom.Vec) *draw.List {
	list := levelList(lvl)
	over := draw.Mesh(mesh.Mesh, draw.MeshOptions{Seams: true})
	walked := draw.Path(path, draw.PathOptions{})
	list.Append(&over, &walked)
	return list
}

// pictureWriter returns the writer for pictures of path's extension, or nil.
func pictureWriter(path string) func(io.Writer, *draw.List, draw.View) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg":
		return func(w io.Writer, l *draw.List, v draw.View) error { return svg.Write(w, l, v) }
	case ".png":
		return func(w io.Writer, l *draw.List, v draw.View) error { return png.Write(w, l, v) }
	}
	return nil
}

// isMeshFile tells a mesh from a level by its first bytes.
func isMeshFile(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return meadow.IsMesh(head[:n]), nil
}

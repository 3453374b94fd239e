package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/heightmap"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/navmesh"
)

// levelFlags say how the numbers of a level file are meant.
type levelFlags struct {
	Scale *number     `placeholder:"X" help:"Metres per unit of the level file, or per cell of a grid (default 1; .bsp, .pk3 and .map of brushes: 1/32)." group:"Level" rare:""`
	Units string      `placeholder:"UNIT" help:"Unit of the level file in place of --scale: mm, cm, in, ft or m." group:"Level" completion-predictor:"units"`
	Up    meshio.Axis `placeholder:"AXIS" help:"Axis that points up in the level file: x, y or z (default y; .bsp, .pk3, .3mf and .map of brushes: z)." group:"Level" completion-predictor:"axes"`

	MapCell  number `placeholder:"M" help:"Height map: distance of neighbouring samples (default 1)." group:"Level" rare:""`
	MapStep  number `placeholder:"M" help:"Height map: height of one step of a sample (default 1 for 8 bits, 1/256 for 16)." group:"Level" rare:""`
	MapBase  number `placeholder:"M" help:"Height map: height of a sample of 0 (default 0)." group:"Level" rare:""`
	MapRGB   string `name:"map-rgb" placeholder:"RULE" help:"Height map with heights as colours: terrarium or mapbox." group:"Level" rare:""`
	MapWidth int    `placeholder:"N" help:"Raw height map: samples in a row (default: it is square)." group:"Level" rare:""`

	BSP       string `name:"bsp" placeholder:"NAME" help:".pk3: the level to take (default: the only one)." group:"Level" rare:""`
	BSPDrawn  bool   `name:"bsp-drawn" help:".bsp, .pk3: take drawn surfaces instead of surfaces that stop players." group:"Level" rare:""`
	BSPNoClip bool   `name:"bsp-no-clip" help:".bsp, .pk3: leave out brushes that stop only players." group:"Level" rare:""`
	BSPHidden bool   `name:"bsp-hidden" help:".bsp, .pk3: keep faces that border no place inside the level." group:"Level" rare:""`
	BSPPatch  number `name:"bsp-patch" placeholder:"X" help:".bsp, .pk3: how far triangles may be from curved surfaces, in units of the file (default 2)." group:"Level" rare:""`

	Curves number `placeholder:"M" help:"2D map: how far lines may be from the curves that they stand for (default 0.01)." group:"Level" rare:""`
	LDtk   string `name:"ldtk" placeholder:"NAME" help:".ldtk: the level to take (default: all)." group:"Level" rare:""`

	MaxBytes     int64 `placeholder:"N" help:"Refuse files of more bytes, including the files they name (default 268435456)." group:"Level" rare:""`
	MaxTriangles int   `placeholder:"N" help:"Refuse levels of more triangles, maps of more points (default 2097152)." group:"Level" rare:""`

	Outward bool `help:"Turn the faces of closed solids outward and neighbouring faces alike, whatever the file says." group:"Level" rare:""`
}

// scale returns the metres per unit, 0 for the format's default.
func (f levelFlags) scale() (float64, error) {
	if f.Units != "" {
		metres, ok := level.UnitOf(strings.ToLower(f.Units))
		switch {
		case !ok:
			return 0, fmt.Errorf("--units is %q, want mm, cm, in, ft or m", f.Units)
		case f.Scale != nil:
			return 0, errors.New("--units and --scale both say how long a unit is; give one")
		}
		return metres, nil
	}
	if f.Scale == nil {
		return 0, nil
	}
	if *f.Scale <= 0 {
		return 0, fmt.Errorf("--scale is %g, must be above 0", float64(*f.Scale))
	}
	return float64(*f.Scale), nil
}

// loadMesh reads a mesh file. For faults of single regions or portals, loadMesh prints one line that names the affected
// answers.
func (e *env) loadMesh(path string) (*meadow.Mesh, error) {
	mesh, err := meadow.Load(path)
	if err != nil {
		return nil, err
	}
	e.tellFaults(path, mesh)
	return mesh, nil
}

// tellFaults prints one line for faults of single regions or portals.
func (e *env) tellFaults(path string, mesh *meadow.Mesh) {
	if text := navmesh.Summary(mesh.Warnings()); text != "" {
		fmt.Fprintf(e.stderr, "warning: %s: %s; meadow check lists all faults\n", path, text)
	}
}

// limits returns the bounds on input. Limits above the defaults promise more memory than [memoryLimit], and then the
// collector works as usual.
func (f levelFlags) limits() (level.Limits, error) {
	if f.MaxBytes < 0 || f.MaxTriangles < 0 {
		return level.Limits{}, fmt.Errorf("--max-bytes is %d and --max-triangles %d, must be above 0", f.MaxBytes, f.MaxTriangles)
	}
	if (f.MaxBytes > level.DefaultBytes || f.MaxTriangles > level.DefaultTriangles) && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	return level.Limits{Bytes: f.MaxBytes, Triangles: f.MaxTriangles}, nil
}

// readFile reads a small text file, and refuses an endless one.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 1 << 26
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s: more than %d bytes", path, most)
	}
	return data, err
}

// open reads a level file; its errors name the file.
func (f levelFlags) open(path string) (*level.Level, error) {
	if meadow.IsMap(path) {
		return nil, fmt.Errorf("%s: is a 2D map, and not a level", path)
	}
	scale, err := f.scale()
	if err != nil {
		return nil, err
	}
	limits, err := f.limits()
	if err != nil {
		return nil, err
	}
	bspOptions := bsp.Options{Map: f.BSP, NoClip: f.BSPNoClip, Hidden: f.BSPHidden, PatchTolerance: float64(f.BSPPatch)}
	if f.BSPDrawn {
		bspOptions.Surfaces = bsp.Drawn
	}
	var rgb heightmap.RGB
	if err := rgb.UnmarshalText([]byte(f.MapRGB)); err != nil {
		return nil, fmt.Errorf("--map-rgb: %w", err)
	}
	lvl, err := meadow.OpenWith(path, meshio.Options{
		Scale:  scale,
		Up:     f.Up,
		Limits: limits,
		Heightmap: heightmap.Options{
			CellSize:     float64(f.MapCell),
			HeightScale:  float64(f.MapStep),
			HeightOffset: float64(f.MapBase),
			Width:        f.MapWidth,
			RGB:          rgb,
		},
		BSP: bspOptions,
	})
	if err != nil {
		return nil, inFile(path, err)
	}
	if f.Outward {
		lvl.TurnOutward()
	}
	return lvl, nil
}

// inFile puts the path in front of an error without it.
func inFile(path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// writable fails early if no file can be created at path, or if path is one of the inputs: a typing error
// must not cost a level, nor the minutes of a build.
func writable(path string, inputs ...string) error {
	dir := filepath.Dir(path)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: folder %s does not exist", path, dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", path, dir)
	}
	out, err := os.Stat(path)
	if err != nil {
		return nil // to be created; creating it will show whether it works
	}
	if out.IsDir() {
		return fmt.Errorf("%s: is a folder", path)
	}
	for _, input := range inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, out) {
			return fmt.Errorf("%s: is the input, and would be overwritten", path)
		}
	}
	return nil
}

// meshEnds are the ends of names of mesh files: Meadow's own, and those of other systems, see [meadow.Mesh.WriteFor].
var meshEnds = []string{".mesh", ".nav", ".navmesh", ".mset", ".bin", ".glb", ".gltf"}

// meshFile fails early if path cannot be created, is an input, or does not have the name of a mesh file: a mesh in level.obj is
// most often an error of typing.
func meshFile(path string, inputs ...string) error {
	if err := writable(path, inputs...); err != nil {
		return err
	}
	if info, err := os.Stat(path); slices.Contains(meshEnds, strings.ToLower(filepath.Ext(path))) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s: is no name of a mesh file; end it with .mesh, or with %s for another system", path, strings.Join(meshEnds[3:], ", "))
}

// write makes a whole file of fill's output, or none. A program that is being stopped gets no further than
// the next piece.
func (e *env) write(path string, fill func(io.Writer) error) error {
	return e.writeAll(atomicfile.File{Path: path, Fill: fill})
}

// writeAll is write for files that belong together: all of them, or none.
func (e *env) writeAll(files ...atomicfile.File) error {
	files = slices.Clone(files)
	for i, f := range files {
		files[i].Fill = func(w io.Writer) error {
			if err := e.ctx.Err(); err != nil {
				return err
			}
			return f.Fill(stoppable{e, w})
		}
	}
	return atomicfile.WriteAll(files...)
}

// stoppable is a writer that fails once the program is being stopped.
type stoppable struct {
	e *env
	w io.Writer
}

func (s stoppable) Write(b []byte) (int, error) {
	if err := s.e.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(b)
}

// writeLevel writes lvl in the format of path's extension.
func (e *env) writeLevel(path string, lvl *level.Level) error {
	return meshio.Save(e.writeAll, path, lvl)
}

// writeMesh writes a mesh and returns the file's size.
func (e *env) writeMesh(path string, mesh *meadow.Mesh) (size int64, err error) {
	err = e.write(path, func(w io.Writer) error {
		c := &countWriter{w: w}
		err := mesh.WriteFor(c, path)
		size = c.n
		return err
	})
	return size, err
}

// countWriter counts the bytes written.
type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

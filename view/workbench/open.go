package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/view/gallery"
	"github.com/meadow-nav/meadow/world"
)

var openRequests = map[string]handler{"open": open, "generate": generate, "kinds": kinds, "examples": examples}

// Opening is the value of the request open. The bytes of the request are those of the files, one after another; the first file is the
// level, map or mesh, the others are named in it.
type Opening struct {
	Files []struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	} `json:"files"`
	// Scale is the length of the file's unit in metres, 0 for the default of the format. Up is x, y or z, empty for the format's own.
	Scale float64 `json:"scale"`
	Up    string  `json:"up"`
}

// Opened is the answer to open and generate. The bytes of the reply are a scene.
type Opened struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"` // level, map, mesh or world
	Triangles int      `json:"triangles"`
	Notes     []string `json:"notes"`
	Warnings  []string `json:"warnings"`
	Hints     []Hint   `json:"hints"`
}

// open reads the files of a request as a mesh, a map or a level.
func open(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var o Opening
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	if len(o.Files) == 0 {
		return Reply{}, errors.New("open: no file")
	}
	files, rest := memory{}, r.Body
	for _, f := range o.Files {
		name := path.Clean(strings.ReplaceAll(f.Name, `\`, "/"))
		if f.Size < 0 || f.Size > len(rest) {
			return Reply{}, fmt.Errorf("%s: has %d bytes, and %d are left", f.Name, f.Size, len(rest))
		}
		if !fs.ValidPath(name) || name == "." {
			return Reply{}, fmt.Errorf("%q is not the name of a file", f.Name)
		}
		files[name], rest = rest[:f.Size], rest[f.Size:]
	}
	name := path.Clean(strings.ReplaceAll(o.Files[0].Name, `\`, "/"))
	data := files[name]
	reply, err := b.openAs(ctx, name, data, files, o)
	if err == nil {
		b.origin.files, b.origin.scale, b.origin.up = files, o.Scale, o.Up
	}
	return reply, err
}

// openAs reads a file as what its content says.
func (b *Bench) openAs(ctx context.Context, name string, data []byte, files memory, o Opening) (Reply, error) {
	if world.IsSaved(data) {
		w, err := world.Read(ctx, bytes.NewReader(data))
		if err != nil {
			return Reply{}, fmt.Errorf("%s: %w", name, err)
		}
		return b.ShowMesh(name, "world", meadow.Wrap(w.Now().Mesh()), nil)
	}
	if meadow.IsMesh(data) {
		mesh, err := readMesh(name, data)
		if err != nil {
			return Reply{}, err
		}
		return b.ShowMesh(name, "mesh", mesh, nil)
	}
	axis, err := AxisOf(o.Up)
	if err != nil {
		return Reply{}, err
	}
	if flat.Holds(name, data) {
		m, err := flat.Decode(bytes.NewReader(data), name, flat.Options{Scale: o.Scale, Files: files, Shapes: true, Limits: b.Limits})
		if err != nil {
			return Reply{}, fmt.Errorf("%s: %w", name, err)
		}
		return b.ShowMap(name, m)
	}
	lvl, err := meshio.Open(files, name, meshio.Options{Scale: o.Scale, Up: axis, Limits: b.Limits})
	if err != nil {
		return Reply{}, err
	}
	return b.ShowLevel(name, lvl, o.Scale, axis)
}

func readMesh(name string, data []byte) (*meadow.Mesh, error) {
	mesh, err := meadow.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return mesh, nil
}

// AxisOf reads the axis of [Opening].
func AxisOf(up string) (meshio.Axis, error) {
	axis, ok := map[string]meshio.Axis{"": meshio.Default, "x": meshio.X, "y": meshio.Y, "z": meshio.Z}[up]
	if !ok {
		return axis, fmt.Errorf("up is %q, must be x, y or z", up)
	}
	return axis, nil
}

// pack makes the scene of the bench, without the triangles of a level of the name that the page knows.
func (b *Bench) pack(known string) ([]byte, error) { return b.kept.Pack(b.source(), known) }

// generate makes a level by its kind.
func generate(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	var o struct {
		Kind      string  `json:"kind"`
		Seed      uint64  `json:"seed"`
		Size      float64 `json:"size"`
		Storeys   int     `json:"storeys"`
		Steepness float64 `json:"steepness"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	lvl, err := levelgen.Generate(o.Kind, levelgen.Options{Seed: o.Seed, Size: o.Size, Storeys: o.Storeys, Steepness: o.Steepness})
	if err != nil {
		return Reply{}, err
	}
	next := b.fresh(o.Kind)
	next.level, next.origin = lvl, origin{level: lvl}
	return b.exchange(next, "level", nil, nil)
}

// kinds lists the levels that generate makes.
func kinds(*Bench, context.Context, Request, Tell) (Reply, error) {
	type kind struct {
		Name        string     `json:"name"`
		Description string     `json:"description"`
		Size        [3]float64 `json:"size"` // default, least, most
		Storeys     [3]int     `json:"storeys"`
		Steepness   [3]float64 `json:"steepness"`
	}
	list := []kind{}
	for _, k := range levelgen.Kinds() {
		list = append(list, kind{
			k.Name, k.Description,
			[3]float64{k.Size, k.MinSize, k.MaxSize},
			[3]int{k.Storeys, k.MinStoreys, k.MaxStoreys},
			[3]float64{k.Steepness, k.MinSteepness, k.MaxSteepness},
		})
	}
	return Reply{Answer: list}, nil
}

// examples lists the examples of the page with their code.
func examples(*Bench, context.Context, Request, Tell) (Reply, error) {
	return Reply{Answer: gallery.List()}, nil
}

package workbench

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/gltfmesh"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/scene"
)

var exportRequests = map[string]handler{"export": export, "scene": whole}

// Exporting is the value of the request export. The view counts for pictures: angles in radians as in draw.View, the path in metres.
type Exporting struct {
	Format string    `json:"format"` // mesh, detour, meshglb, levelglb, svg or project
	Yaw    float64   `json:"yaw"`
	Tilt   float64   `json:"tilt"`
	Width  int       `json:"width"`
	Height int       `json:"height"`
	Path   []float64 `json:"path"` // x, y, z of its points
}

// Exported is the answer to export. The bytes of the reply are the file.
type Exported struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// stem is the name of what is open, without folders and extension.
func (b *Bench) stem() string {
	name := path.Base(b.name)
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	if name == "" || name == "." || name == "/" {
		return "level"
	}
	return name
}

// export writes the mesh as it is now, with all changes, or the level, in a format.
func export(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var e Exporting
	if err := read(r, &e); err != nil {
		return Reply{}, err
	}
	formats := map[string]struct {
		suffix, kind string
		level        bool // in place of a mesh
		write        func(w io.Writer) error
	}{
		"mesh": {".mesh", "application/octet-stream", false, func(w io.Writer) error {
			if b.now() == b.mesh.Mesh {
				return b.mesh.Write(w)
			}
			return meadow.Wrap(b.now()).Write(w)
		}},
		"detour":   {".bin", "application/octet-stream", false, func(w io.Writer) error { return detour.Write(w, b.now()) }},
		"meshglb":  {"-mesh.glb", "model/gltf-binary", false, func(w io.Writer) error { return gltfmesh.Write(w, b.now()) }},
		"levelglb": {".glb", "model/gltf-binary", true, func(w io.Writer) error { return meshio.Encode(w, b.level, meshio.GLB) }},
		"svg":      {".svg", "image/svg+xml", false, func(w io.Writer) error { return b.picture(w, e) }},
		"project":  {"-project.zip", "application/zip", false, func(w io.Writer) error { return b.project(w) }},
	}
	f, ok := formats[e.Format]
	switch {
	case !ok:
		return Reply{}, fmt.Errorf("export: format %q, want one of %s", e.Format, strings.Join(slices.Sorted(maps.Keys(formats)), ", "))
	case f.level && b.level == nil:
		return Reply{}, errNoLevel
	case !f.level && b.mesh == nil:
		return Reply{}, errNoMesh
	}
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	var out sink
	if err := f.write(&out); err != nil {
		return Reply{}, err
	}
	return Reply{Exported{b.stem() + f.suffix, f.kind}, out}, nil
}

// picture draws level, mesh and path.
func (b *Bench) picture(w io.Writer, e Exporting) error {
	if len(e.Path)%3 != 0 || len(e.Path) > 1<<20 {
		return errors.New("export: the path must have three numbers a point")
	}
	var list draw.List
	add := func(more draw.List) {
		list.Triangles = append(list.Triangles, more.Triangles...)
		list.Lines = append(list.Lines, more.Lines...)
		list.Points = append(list.Points, more.Points...)
	}
	if b.level != nil {
		add(draw.Level(b.level, draw.LevelOptions{OneSided: true, Materials: true, Wash: 0.5}))
	}
	add(draw.Mesh(b.now(), draw.MeshOptions{}))
	var points []geom.Vec
	for i := 0; i+2 < len(e.Path); i += 3 {
		points = append(points, geom.Vec{X: e.Path[i], Y: e.Path[i+1], Z: e.Path[i+2]})
	}
	add(draw.Path(points, draw.PathOptions{}))
	return svg.Write(w, &list, draw.View{Yaw: e.Yaw, Tilt: e.Tilt, Width: e.Width, Height: e.Height})
}

// project writes a folder in an archive: meadow.yaml, and the level with all edits. `meadow build` makes the same mesh of it.
func (b *Bench) project(w io.Writer) error {
	files := memory{}
	var name string
	switch {
	case b.floor == nil:
		return errors.New("export: a mesh without its level is no project")
	case b.origin.files != nil && len(b.origin.items) == 0:
		name = path.Clean(strings.ReplaceAll(b.name, `\`, "/"))
		maps.Copy(files, b.origin.files)
	case b.level.Ground != nil:
		return errors.New("export: the level has grounds of its own, which the project's level file cannot hold with edits")
	default:
		name = b.stem() + ".obj"
		if err := meshio.Save(func(list ...meshio.File) error {
			for _, f := range list {
				var out sink
				if err := f.Fill(&out); err != nil {
					return err
				}
				files[f.Path] = out
			}
			return nil
		}, name, b.level); err != nil {
			return err
		}
	}
	files["meadow.yaml"] = b.yaml(name)
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// yaml returns the project file of the last build, of a level file.
func (b *Bench) yaml(name string) []byte {
	s := b.settings
	var out bytes.Buffer
	set := func(key string, v *float64) {
		if v != nil {
			fmt.Fprintf(&out, "%s: %s\n", key, strconv.FormatFloat(*v, 'g', -1, 64))
		}
	}
	set("radius", s.Radius)
	set("height", s.Height)
	set("climb", s.Climb)
	set("slope", s.Slope)
	set("gap", s.Gap)
	set("simplify", s.Simplify)
	set("detail", s.Detail)
	if s.Extractor != "" {
		fmt.Fprintf(&out, "extractor: %s\n", s.Extractor)
	}
	if s.Generator != "" {
		fmt.Fprintf(&out, "generator: %s\n", s.Generator)
	}
	switch {
	case s.KeepAll:
		out.WriteString("keep: [all]\n")
	case s.KeepArea > 0:
		fmt.Fprintf(&out, "keep: [%q]\n", "area>"+strconv.FormatFloat(s.KeepArea, 'g', -1, 64))
	}
	if s.ConvexDistance > 0 {
		set("convex-distance", &s.ConvexDistance)
	}
	if s.Cleanup {
		out.WriteString("cleanup: true\n")
	}
	if len(b.origin.items) == 0 && b.origin.scale > 0 {
		set("scale", &b.origin.scale)
	}
	if len(b.origin.items) == 0 && b.origin.up != "" {
		fmt.Fprintf(&out, "up: %s\n", b.origin.up)
	}
	fmt.Fprintf(&out, "\nmeshes:\n  - {level: %q, out: %q}\n", name, b.stem()+".mesh")
	return out.Bytes()
}

// whole is the scene as it is now, with the level and all changes: for a page of its own.
func whole(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var ends struct {
		From  *ask.Point `json:"from"`
		To    *ask.Point `json:"to"`
		Reach float64    `json:"reach"`
	}
	if err := read(r, &ends); err != nil {
		return Reply{}, err
	}
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	src := b.source()
	if src.Level != nil && len(b.changing.things) > 0 {
		src.Level = withThings(src.Level, b.changing.things)
	}
	if ends.From != nil && ends.To != nil && !math.IsNaN(ends.Reach) {
		path, err := b.asked.Path(ctx, *ends.From, *ends.To, ends.Reach)
		if err != nil {
			return Reply{}, err
		}
		src.Path = &path
	}
	body, err := scene.Pack(src)
	return Reply{Body: body}, err
}

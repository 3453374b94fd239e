package meshio

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/heightmap"
)

// sample is a level with everything that the formats support.
func sample() *level.Level {
	return &level.Level{
		Name:     "sample",
		Vertices: []geom.Vec{{X: 1}, {X: 3}, {X: 3, Y: 1, Z: -2}, {X: 1, Z: -2}},
		Triangles: []level.Triangle{
			{A: 0, B: 1, C: 2, Material: 0},
			{A: 0, B: 2, C: 3, Material: 0},
		},
		Materials: []level.Material{{Name: "stone", Color: [4]float32{0.5, 0.5, 0.5, 1}}},
		Objects:   []level.Object{{Name: "floor", Count: 2}},
		Markers:   []level.Marker{{Name: "gate", Kind: "door", Hull: []geom.Vec{{X: 1}, {X: 2}, {X: 2, Y: 2}}}},
	}
}

// writer returns a function that writes into files.
func writer(files fstest.MapFS) func(...File) error {
	return func(list ...File) error {
		for _, f := range list {
			var b bytes.Buffer
			if err := f.Fill(&b); err != nil {
				return err
			}
			files[f.Path] = &fstest.MapFile{Data: b.Bytes()}
		}
		return nil
	}
}

// save returns the files of Save.
func save(t testing.TB, names ...string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	write := writer(files)
	for _, name := range names {
		if err := Save(write, name, sample()); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestSaveAndOpen(t *testing.T) {
	files := save(t, "maps/sample.obj", "maps/sample.glb", "maps/sample.stl", "maps/sample.PLY")
	if len(files) != 5 || files["maps/sample.mtl"] == nil {
		t.Errorf("%d files", len(files))
	}
	for name := range files {
		if strings.HasSuffix(name, ".mtl") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got, err := Open(files, name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := sample()
			switch FormatOf(name) {
			case STL, PLY:
				want.Materials, want.Objects, want.Markers = nil, nil, nil
				for i := range want.Triangles {
					want.Triangles[i].Material = level.NoMaterial
				}
			case OBJ:
				got.Vertices = got.Vertices[:len(want.Vertices)] // behind them are the corners of the marker
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSniff opens the same files under names without meaning.
func TestSniff(t *testing.T) {
	files := save(t, "a.obj", "a.glb", "a.stl", "a.ply")
	files["a.ascii"] = &fstest.MapFile{Data: []byte("solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 -1\nendloop\nendfacet\nendsolid\n")}
	files["a.json"] = &fstest.MapFile{Data: []byte(" {\n\"asset\": {\"version\": \"2.0\"}}")}
	files["a.picture"] = &fstest.MapFile{Data: []byte("\x89PNG\r\n\x1a\n")}
	files["a.text"] = &fstest.MapFile{Data: []byte("# comment\n\no house\n")}
	files["a.map"] = &fstest.MapFile{Data: []byte("IBSP\x2e\x00\x00\x00")}
	files["a.pak"] = &fstest.MapFile{Data: []byte("PK\x03\x04")}
	files["a.note"] = &fstest.MapFile{Data: []byte("very important notes\n")}
	files["a.empty"] = &fstest.MapFile{}
	files["a.comments"] = &fstest.MapFile{Data: []byte("# a\n#b\n")}
	for name, want := range map[string]Format{
		"a.obj": OBJ, "a.glb": GLB, "a.stl": STL, "a.ply": PLY, "a.ascii": STL, "a.json": GLTF, "a.picture": PNG, "a.text": OBJ, "a.map": BSP, "a.pak": PK3,
		"a.note": Unknown, "a.empty": Unknown, "a.comments": Unknown,
	} {
		if got := Sniff(files[name].Data); got != want {
			t.Errorf("Sniff(%s) = %v, want %v", name, got, want)
		}
	}
	files["level"] = files["a.glb"]
	if lvl, err := Open(files, "level", Options{}); err != nil || len(lvl.Triangles) != 2 {
		t.Errorf("a GLB without extension: %v, %v", lvl, err)
	}
	files["wrong.obj"] = files["a.ply"]
	if lvl, err := Open(files, "wrong.obj", Options{Format: PLY}); err != nil || len(lvl.Triangles) != 2 {
		t.Errorf("a PLY with the wrong extension and the right format: %v, %v", lvl, err)
	}
}

func TestUnitsAndAxes(t *testing.T) {
	// A ramp in a Z-up file in centimetres: east is X, north is Y, up is Z.
	files := fstest.MapFS{"ramp.obj": {Data: []byte("v 0 0 0\nv 100 0 0\nv 100 200 50\nf 1 2 3\ng marker:door:x\nf 1 2 3\n")}}
	for _, c := range []struct {
		name string
		opt  Options
		want []geom.Vec
	}{
		{"as it is", Options{}, []geom.Vec{{}, {X: 100}, {X: 100, Y: 200, Z: 50}}},
		{"Y up", Options{Up: Y}, []geom.Vec{{}, {X: 100}, {X: 100, Y: 200, Z: 50}}},
		{"Z up", Options{Up: Z}, []geom.Vec{{}, {X: 100}, {X: 100, Y: 50, Z: -200}}},
		{"X up", Options{Up: X}, []geom.Vec{{}, {Y: 100}, {X: -200, Y: 100, Z: 50}}},
		{"scaled", Options{Scale: 0.5}, []geom.Vec{{}, {X: 50}, {X: 50, Y: 100, Z: 25}}},
		{"both", Options{Scale: 0.25, Up: Z}, []geom.Vec{{}, {X: 25}, {X: 25, Y: 12.5, Z: -50}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lvl, err := Open(files, "ramp.obj", c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, lvl.Vertices); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, lvl.Markers[0].Hull); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestQuakeUnits opens a map with the format's own unit and axes, and with others.
func TestQuakeUnits(t *testing.T) {
	files := os.DirFS(filepath.Join("..", "bsp", "testdata"))
	for _, c := range []struct {
		opt  Options
		want geom.Box
		up   geom.Vec // normal of the lid, plane 5 of the second solid
		lid  float64
	}{
		{Options{BSP: bsp.Options{Hidden: true}}, geom.Box{Min: geom.Vec{X: -0.5, Y: -0.5, Z: -16.5}, Max: geom.Vec{X: 16.5, Y: 8.5, Z: 0.5}}, geom.Vec{Y: 1}, 8.5},
		{Options{Scale: 1, Up: Z, BSP: bsp.Options{Hidden: true}}, geom.Box{Min: geom.Vec{X: -16, Y: -16, Z: -528}, Max: geom.Vec{X: 528, Y: 272, Z: 16}}, geom.Vec{Y: 1}, 272},
		{Options{Scale: 1, Up: Y, BSP: bsp.Options{Hidden: true}}, geom.Box{Min: geom.Vec{X: -16, Y: -16, Z: -16}, Max: geom.Vec{X: 528, Y: 528, Z: 272}}, geom.Vec{Z: 1}, 272},
		{Options{}, geom.Box{Min: geom.Vec{X: -0.5, Z: -16.5}, Max: geom.Vec{X: 16.5, Y: 8, Z: 0.5}}, geom.Vec{Y: 1}, 8.5}, // faces stay whole
	} {
		lvl, err := Open(files, "room.bsp", c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := lvl.Bounds(); got != c.want {
			t.Errorf("%+v: bounds %v, want %v", c.opt, got, c.want)
		}
		if p := lvl.Solids[1].Planes[5]; p.Normal != c.up || p.Offset != c.lid {
			t.Errorf("%+v: the lid is %+v", c.opt, p)
		}
	}
	if _, err := Open(files, "room.bsp", Options{Scale: 1e308}); err == nil || !strings.Contains(err.Error(), "is not finite after scaling") {
		t.Errorf("a huge scale: %v", err)
	}
}

// TestTurnsDoNotMirror checks that the three axes keep their handedness.
func TestTurnsDoNotMirror(t *testing.T) {
	for _, up := range []Axis{Default, X, Y, Z} {
		x, y, z := up.toY(geom.Vec{X: 1}), up.toY(geom.Vec{Y: 1}), up.toY(geom.Vec{Z: 1})
		if x.Cross(y) != z {
			t.Errorf("%v up mirrors", up)
		}
		if top := map[Axis]geom.Vec{Default: y, X: x, Y: y, Z: z}[up]; top != (geom.Vec{Y: 1}) {
			t.Errorf("%v up points along %v", up, top)
		}
	}
}

func TestHeightmap(t *testing.T) {
	files := fstest.MapFS{"hill.r16": {Data: []byte{0, 0, 0, 1, 0, 0, 0, 0}}}
	lvl, err := Open(files, "hill.r16", Options{Up: Z, Heightmap: heightmap.Options{CellSize: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if v := lvl.Vertices[1]; v != (geom.Vec{X: 2, Y: 1}) {
		t.Errorf("vertex 1 at %v", v)
	}
}

func TestErrors(t *testing.T) {
	files := save(t, "a.glb")
	files["bad.obj"] = &fstest.MapFile{Data: []byte("v 0 0 0\nf 1 2 3\n")}
	files["notes.txt"] = &fstest.MapFile{Data: []byte("hello\n")}
	files["boat.fbx"] = &fstest.MapFile{Data: []byte("Kaydara FBX Binary")}
	files["dir.obj/x"] = &fstest.MapFile{}
	files["far.obj"] = &fstest.MapFile{Data: []byte("v 0 0 0\nv 1e300 0 0\nv 0 0 1\nf 1 2 3\n")}
	files["farmarker.obj"] = &fstest.MapFile{Data: []byte("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\ng marker:a:b\nf 1 2 3\n")}
	for _, c := range []struct {
		name string
		opt  Options
		want string
	}{
		{"gone.obj", Options{}, "open gone.obj: file does not exist"},
		{"bad.obj", Options{}, "bad.obj: obj: line 2: face vertex 2 of 1"},
		{"dir.obj", Options{}, "dir.obj: meshio: a folder, not a file"},
		{"notes.txt", Options{}, `notes.txt: meshio: unsupported format ".txt"; supported: obj, gltf, glb, stl, ply, png, raw, bsp, pk3, off, 3mf, tiff, asc, r32, map`},
		{"boat.fbx", Options{}, `boat.fbx: meshio: not read: FBX: export glTF (.glb), or convert it: Blender, FBX2glTF`},
		{"a.glb", Options{Scale: -1}, "a.glb: meshio: scale of -1, must be above 0"},
		{"a.glb", Options{Scale: math.NaN()}, "a.glb: meshio: scale of NaN, must be above 0"},
		{"a.glb", Options{Scale: math.Inf(1)}, "a.glb: meshio: scale of +Inf, must be above 0"},
		{"a.glb", Options{Up: 9}, "a.glb: meshio: unknown up axis 9"},
		{"a.glb", Options{Format: 99}, "a.glb: meshio: unknown format 99"},
		{"a.glb", Options{Limits: level.Limits{Triangles: 1}}, "a.glb: gltf: node 0: mesh 0, primitive 0: accessor 1: with 6 more elements, accessors have more than 6 in all"},
		{"far.obj", Options{Scale: 1e10}, "far.obj: meshio: vertex 1 at (1000000000000000052504760255204420248704468581108159154915854115111802457988908195786371375080447854045104307355301715219125450145600.000, 0.000, 0.000) is not finite after scaling by 1e+10"},
	} {
		_, err := Open(files, c.name, c.opt)
		if err == nil || err.Error() != c.want && c.name != "far.obj" || !strings.HasPrefix(err.Error(), c.want[:30]) {
			t.Errorf("Open(%s)\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
	if _, err := Open(files, "gone.obj", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestSaveErrors(t *testing.T) {
	full := errors.New("disk full")
	fail := func(...File) error { return full }
	for name, want := range map[string]string{
		"a":      `meshio: cannot write extension "" of a; supported: .obj, .glb, .stl, .ply`,
		"a.gltf": "meshio: a.gltf: glTF is written as .glb only",
		"a.obj":  "disk full",
		"a.stl":  "disk full",
	} {
		if err := Save(fail, name, sample()); err == nil || err.Error() != want {
			t.Errorf("Save(%s): %v, want %s", name, err, want)
		}
	}
	if err := Encode(io.Discard, sample(), PNG); err == nil || err.Error() != "meshio: cannot write png files; supported: obj, glb, stl, ply" {
		t.Errorf("Encode PNG: %v", err)
	}
	files := save(t, `maps\sample.obj`)
	if lvl, err := Open(fstest.MapFS{"sample.obj": files[`maps\sample.obj`], "sample.mtl": files[`maps\sample.mtl`]}, "sample.obj", Options{}); err != nil || len(lvl.Warnings) > 0 {
		t.Errorf("library of a Windows path: %v, %v", lvl, err)
	}
}

func TestText(t *testing.T) {
	for f := Unknown; f <= PK3; f++ {
		var g Format
		text, _ := f.MarshalText()
		if err := g.UnmarshalText(text); err != nil || g != f {
			t.Errorf("%v comes back as %v, %v", f, g, err)
		}
	}
	for a := Default; a <= Z; a++ {
		var b Axis
		text, _ := a.MarshalText()
		if err := b.UnmarshalText(text); err != nil || b != a {
			t.Errorf("%v comes back as %v, %v", a, b, err)
		}
	}
	var o struct {
		Format Format
		Up     Axis
	}
	if err := json.Unmarshal([]byte(`{"Format": "GLB", "Up": "Z"}`), &o); err != nil || o.Format != GLB || o.Up != Z {
		t.Errorf("%+v, %v", o, err)
	}
	if err := json.Unmarshal([]byte(`{"Format": "", "Up": ""}`), &o); err != nil || o.Format != Unknown || o.Up != Default {
		t.Errorf("%+v, %v", o, err)
	}
	if err := o.Up.UnmarshalText([]byte("w")); err == nil {
		t.Error("axis w was taken")
	}
	if err := o.Format.UnmarshalText([]byte("w")); err == nil {
		t.Error("format w was taken")
	}
	if s := Format(77).String() + Axis(77).String(); s != "format 77axis 77" {
		t.Errorf("%q", s)
	}
}

// TestRealLevels opens every OBJ level, compares the triangle count with its description, and passes it
// through every format.
func TestRealLevels(t *testing.T) {
	dir := filepath.Dir(reallevels.Path(t, "nav_test.obj"))
	for name, triangles := range map[string]int{
		"nav_test.obj": 1612, "dungeon.obj": 10133, "undulating.obj": 5202, "oa_shouse.obj": 34667, "sthelens.obj": 281496,
	} {
		t.Run(name, func(t *testing.T) {
			lvl, err := Open(os.DirFS(dir), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(lvl.Triangles) != triangles {
				t.Errorf("%d triangles, want %d", len(lvl.Triangles), triangles)
			}
			if triangles > 100_000 {
				return
			}
			files := fstest.MapFS{}
			write := writer(files)
			for _, out := range []string{"a.obj", "a.glb", "a.stl", "a.ply"} {
				if err := Save(write, out, lvl); err != nil {
					t.Fatal(err)
				}
				again, err := Open(files, out, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(again.Triangles) != triangles {
					t.Errorf("%s: %d triangles", out, len(again.Triangles))
				}
				if out == "a.ply" && !slices.Equal(again.Triangles, withoutMaterials(lvl.Triangles)) {
					t.Errorf("%s: other triangles", out)
				}
			}
		})
	}
}

func withoutMaterials(triangles []level.Triangle) []level.Triangle {
	out := slices.Clone(triangles)
	for i := range out {
		out[i].Material = level.NoMaterial
	}
	return out
}

package workbench_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/gltfmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/workbench"
)

// items are an obstacle, a door and a jump on the plate of the tests.
var items = workbench.Editing{Items: []workbench.Item{
	{ID: "a", Kind: "obstacle", Name: "wall", At: [3]float64{5, -0.1, 5}, Size: [3]float64{1, 2, 4}, Yaw: 0.3},
	{ID: "b", Kind: "door", Name: "gate", At: [3]float64{2, -0.2, 5}, Size: [3]float64{1, 2, 1}},
	{ID: "d", Kind: "jump", At: [3]float64{3.5, -0.2, 2}, Size: [3]float64{1, 1.2, 1}, To: &ask.Point{7, -0.2, 8}, OneWay: true},
	{ID: "c", Kind: "grass", Name: "lawn", At: [3]float64{8, -0.2, 3}, Size: [3]float64{1.5, 1, 1.5}, Yaw: 1},
}}

// plate returns a bench with the plate of the tests, built with the items.
func plate(t *testing.T, e workbench.Editing) *workbench.Bench {
	t.Helper()
	data, err := os.ReadFile("testdata/plate.obj")
	if err != nil {
		t.Fatal(err)
	}
	b := workbench.New()
	do(t, b, "open", file("plate.obj", data), data, nil)
	do(t, b, "edit", e, nil, nil)
	do(t, b, "build", map[string]any{"radius": 0.3, "climb": 0.2}, nil, nil)
	return b
}

// TestEdits: an obstacle takes floor, a marker is a mark that closes, and without the items the mesh is as before, to the last byte.
func TestEdits(t *testing.T) {
	plain, b := plate(t, workbench.Editing{}), plate(t, items)
	before, with := do(t, plain, "save", nil, nil, nil), do(t, b, "save", nil, nil, nil)
	if bytes.Equal(before, with) {
		t.Fatal("the items change nothing")
	}
	var doors []workbench.Door
	do(t, b, "doors", nil, nil, &doors)
	if len(doors) != 3 || doors[0].Name != "gate" || doors[1].Name != "lawn" || doors[2].Name != "jump" {
		t.Errorf("the doors are %+v", doors)
	}
	var path walk
	do(t, b, "path", map[string]any{"from": []float64{5, 0, 1}, "to": []float64{5, 0, 9}, "reach": 1}, nil, &path)
	if !path.Complete || path.Length < 8.2 {
		t.Errorf("the path through the obstacle is %v m", path.Length)
	}
	do(t, b, "edit", workbench.Editing{}, nil, nil)
	do(t, b, "build", map[string]any{"radius": 0.3, "climb": 0.2}, nil, nil)
	if after := do(t, b, "save", nil, nil, nil); !bytes.Equal(before, navBytes(t, after, before)) {
		t.Error("without the items the mesh is another one than before")
	}
	for want, it := range map[string]workbench.Item{
		"size": {ID: "a", Kind: "obstacle"}, "kind": {ID: "a", Size: [3]float64{1, 1, 1}}, "without a colon": {ID: "a", Kind: "door:x", Size: [3]float64{1, 1, 1}},
		"no way is of kind": {ID: "a", Kind: "door", To: &ask.Point{}, Size: [3]float64{1, 1, 1}}, "and no end": {ID: "a", Kind: "jump", OneWay: true, Size: [3]float64{1, 1, 1}},
		"a corner is at (999999999.500": {ID: "a", Kind: "jump", To: &ask.Point{1e9}, Size: [3]float64{1, 1, 1}},
		"name":                          {ID: "a", Kind: "door", Name: "a\nv 1", Size: [3]float64{1, 1, 1}}, "a corner": {ID: "a", Kind: "door", At: [3]float64{1e9}, Size: [3]float64{1, 1, 1}},
	} {
		if _, err := try(t, b, "edit", workbench.Editing{Items: []workbench.Item{it}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
	if _, err := try(t, workbench.New(), "edit", workbench.Editing{}, nil); err == nil {
		t.Error("an edit without a level is no error")
	}
}

// TestPlaceToPlace: an item with two places becomes a link of its kind, in both directions unless the item leads one way; ways of one name do not meet
// each other's ends. The project of a page with them is that of TestProject.
func TestPlaceToPlace(t *testing.T) {
	at := func(x, z float64) [3]float64 { return [3]float64{x, -0.2, z} }
	size, end := [3]float64{1.2, 1.2, 1.2}, ask.Point(at(8, 8))
	other := ask.Point(at(8, 2))
	b := plate(t, workbench.Editing{Items: []workbench.Item{
		{ID: "a", Kind: "teleporter", Name: "hole", At: at(2, 2), Size: size, To: &end, OneWay: true},
		{ID: "b", Kind: "climb", Name: "hole", At: at(2, 8), Size: size, To: &other},
	}})
	for _, tt := range []struct {
		from, to ask.Point
		links    int
	}{{ask.Point(at(2, 2)), end, 1}, {end, ask.Point(at(2, 2)), 0}} {
		var path walk
		do(t, b, "path", map[string]any{"from": tt.from, "to": tt.to, "reach": 1}, nil, &path)
		if !path.Complete || path.Links != tt.links {
			t.Errorf("from %v to %v: %+v, want %d links", tt.from, tt.to, path, tt.links)
		}
	}
	mesh, err := navfile.Decode(do(t, b, "save", nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, l := range mesh.Links {
		kinds = append(kinds, fmt.Sprintf("%v of %s", l.Kind, mesh.Marks[l.Mark-1].Name))
	}
	if want := []string{"teleporter of hole", "climb of hole 2", "climb of hole 2"}; !slices.Equal(kinds, want) {
		t.Errorf("the links are %q, want %q", kinds, want)
	}
}

// TestTurnedAlike: a turned box leads paths the same way round as an obstacle of the level and as a crate.
func TestTurnedAlike(t *testing.T) {
	at, size := [3]float64{5, -0.1, 5}, [3]float64{0.4, 2, 5}
	ask := map[string]any{"from": []float64{4, 0, 2}, "to": []float64{6.5, 0, 7}, "reach": 1}
	for _, yaw := range []float64{0.5, -0.5} {
		var built, changed walk
		do(t, plate(t, workbench.Editing{Items: []workbench.Item{{ID: "a", Kind: "obstacle", At: at, Size: size, Yaw: yaw}}}), "path", ask, nil, &built)
		b := plate(t, workbench.Editing{})
		do(t, b, "change", workbench.Changing{Things: []workbench.Thing{{ID: "a", At: at, Size: size, Yaw: yaw}}}, nil, nil)
		do(t, b, "path", ask, nil, &changed)
		if !built.Complete || !changed.Complete || math.Abs(built.Length-changed.Length) > 0.1 {
			t.Errorf("turned by %v the path is %v m around the obstacle, and %v m around the crate", yaw, built.Length, changed.Length)
		}
	}
}

// navBytes returns a mesh file with the record of another, whose times differ.
func navBytes(t *testing.T, data, record []byte) []byte {
	t.Helper()
	m, err := navfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	other, err := navfile.Decode(record)
	if err != nil {
		t.Fatal(err)
	}
	m.Record = other.Record
	out, err := navfile.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// unpack writes the files of an archive into a folder.
func unpack(t *testing.T, data []byte, folder string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(f.Name)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProject: the saved project builds with the command to the mesh of the page, to the last bit: with edits, without, and for a level that was made.
func TestProject(t *testing.T) {
	command := filepath.Join(t.TempDir(), "meadow")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", command, "github.com/meadow-nav/meadow/cmd/meadow").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for name, b := range map[string]*workbench.Bench{"items": plate(t, items), "file": plate(t, workbench.Editing{}), "made": built(t, "halls")} {
		t.Run(name, func(t *testing.T) {
			want := do(t, b, "save", nil, nil, nil)
			folder := t.TempDir()
			var e workbench.Exported
			unpack(t, do(t, b, "export", workbench.Exporting{Format: "project"}, nil, &e), folder)
			if text, err := exec.CommandContext(t.Context(), command, "build", folder).CombinedOutput(); err != nil {
				t.Fatalf("meadow build: %v: %s", err, text)
			}
			made, err := filepath.Glob(filepath.Join(folder, "*.mesh"))
			if err != nil || len(made) != 1 {
				t.Fatalf("meshes %v: %v", made, err)
			}
			got, err := os.ReadFile(made[0])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(navBytes(t, got, want), want) {
				t.Errorf("the command makes another mesh than the page")
			}
		})
	}
}

// TestExports: each file reads back as what it was made of, with the crate that has been dropped.
func TestExports(t *testing.T) {
	b := plate(t, items)
	var made workbench.Changed
	do(t, b, "change", workbench.Changing{Things: []workbench.Thing{box("crate", [3]float64{8, 0, 8})}}, nil, &made)
	get := func(format string) []byte {
		var e workbench.Exported
		data := do(t, b, "export", workbench.Exporting{Format: format, Tilt: 0.7, Width: 400, Path: []float64{1, 0, 1, 9, 0, 9}}, nil, &e)
		if len(data) == 0 || !strings.HasPrefix(e.Name, "plate") || e.Type == "" {
			t.Errorf("%s: %d bytes as %+v", format, len(data), e)
		}
		return data
	}
	mesh, err := meadow.Read(bytes.NewReader(get("mesh")))
	if err != nil || mesh.RegionCount() != made.Regions {
		t.Fatalf("the mesh has %d regions, want %d: %v", mesh.RegionCount(), made.Regions, err)
	}
	glb, err := gltfmesh.Read(bytes.NewReader(get("meshglb")))
	if err != nil || glb.Area() != mesh.Area() {
		t.Errorf("the mesh as glTF: %v", err)
	}
	set, err := detour.Read(bytes.NewReader(get("detour")))
	if err != nil || set.Area() < 0.99*mesh.Area() || set.Area() > 1.01*mesh.Area() {
		t.Errorf("the set of Detour has %v m², want %v: %v", set.Area(), mesh.Area(), err)
	}
	data := get("levelglb")
	lvl, err := meadow.OpenFS(fstest.MapFS{"level.glb": {Data: data}}, "level.glb")
	if err != nil || len(lvl.Markers) != 4 || len(lvl.Triangles) < 12 {
		t.Errorf("the level as glTF has %d triangles and the markers %+v: %v", len(lvl.Triangles), lvl.Markers, err)
	}
	if n := lvl.TurnOutward(); n != 0 {
		t.Errorf("%d triangles of the obstacle look inward", n)
	}
	if text := get("svg"); !bytes.Contains(text, []byte("<svg")) || !bytes.Contains(text, []byte("path")) {
		t.Error("the picture is no SVG")
	}
	// A page of its own shows the crate and a barrel as triangles, with faces that look outward.
	_, before := floor(t, do(t, b, "scene", map[string]any{}, nil, nil))
	barrel := workbench.Thing{ID: "barrel", Shape: "cylinder", At: [3]float64{8, 0, 6}, Size: [3]float64{0.5, 1, 0.5}}
	do(t, b, "change", workbench.Changing{Things: []workbench.Thing{box("crate", [3]float64{8, 0, 8}), barrel}}, nil, &made)
	if _, after := floor(t, do(t, b, "scene", map[string]any{}, nil, nil)); after != before+2*14+2*16 {
		t.Errorf("the scene has %d triangles with a barrel, and %d without", after, before)
	}
	for want, c := range map[string]struct {
		b      *workbench.Bench
		format string
	}{"no mesh": {workbench.New(), "mesh"}, "want one of": {b, "docx"}, "no level": {workbench.New(), "levelglb"}} {
		if _, err := try(t, c.b, "export", workbench.Exporting{Format: c.format}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", c.format, err, want)
		}
	}
}

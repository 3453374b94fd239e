package meadow_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/terrain"
	"github.com/meadow-nav/meadow/query"
)

// folder writes files into a folder of their own, and returns it.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stripes is a picture of 8 × 8 pixels: a diagonal border between red and green, with a blue pond in the green.
func stripes(t *testing.T) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for y := range 8 {
		for x := range 8 {
			c := color.NRGBA{0, 255, 0, 255}
			switch {
			case x < y:
				c = color.NRGBA{255, 0, 0, 255}
			case x >= 5 && x < 7 && y >= 1 && y < 3:
				c = color.NRGBA{0, 0, 255, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const maskRules = `terrain: 1
groups: [{name: road}, {name: grass}, {name: pond}]
methods:
  - {name: walk, on: [road, grass]}
  - {name: swim, on: pond}
paint:
  - mask: mask.png
    legend: {red: road, lime: grass, blue: pond}
`

// areaAt is the name of the ground at a place of a mesh.
func areaAt(mesh *meadow.Mesh, at query.Position) string {
	_, region, ok := mesh.Mesh.Region(at.Ref)
	if !ok {
		return "no region"
	}
	return mesh.Areas[region.Area]
}

// TestTerrainMaskReachesTheMesh: the region around the middle of every pixel is of the pixel's area.
func TestTerrainMaskReachesTheMesh(t *testing.T) {
	dir := folder(t, map[string][]byte{"rules.yaml": []byte(maskRules), "mask.png": stripes(t)})
	rules, err := meadow.OpenTerrain(filepath.Join(dir, "rules.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	floor := square(0, 0, 16) // pixels of 2 m
	mesh, err := meadow.BuildWith(t.Context(), floor, meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.4}, Terrain: rules}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if floor.Ground != nil {
		t.Error("the caller's level was changed")
	}
	names := []string{"ground", "road", "grass", "pond"}
	if strings.Join(mesh.Areas, " ") != strings.Join(names, " ") {
		t.Fatalf("areas %q", mesh.Areas)
	}
	q := mesh.NewQuery()
	for y := range 8 {
		for x := range 8 {
			want := "grass"
			switch {
			case x < y:
				want = "road"
			case x >= 5 && x < 7 && y >= 1 && y < 3:
				want = "pond"
			}
			at := meadow.Vec{X: float64(x)*2 - 7, Z: float64(y)*2 - 7}
			pos, ok := q.Locate(at)
			if !ok {
				t.Fatalf("no region at %v", at)
			}
			if got := areaAt(mesh, pos); got != want {
				t.Errorf("pixel (%d, %d) is %s, want %s", x, y, got, want)
			}
		}
	}
}

func TestTerrainApply(t *testing.T) {
	l := square(0, 0, 4)
	l.Materials = []level.Material{{Name: "grass_01"}}
	l.Triangles[1].Material = 0
	report, err := meadow.AutoTerrain().Apply(l)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Ground.Names[l.Ground.Of(1)]; got != "grass" || l.Ground.Of(0) != 0 || len(report.Rows) != 2 {
		t.Errorf("the second triangle is %s; %+v", got, report.Rows)
	}
	if err := l.Validate(); err != nil {
		t.Error(err)
	}
	l.Triangles[0].A = 9
	if _, err := meadow.AutoTerrain().Apply(l); err == nil {
		t.Error("a level with faults is taken")
	}
}

func TestTerrainOfMap(t *testing.T) {
	const town = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"highway": "primary"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[9,0],[9,2],[0,2],[0,0]]]}},
		{"type": "Feature", "properties": {"landuse": "meadow"}, "geometry": {"type": "Polygon", "coordinates": [[[0,2],[9,2],[9,6],[0,6],[0,2]]]}}]}`
	m, err := flat.Decode(strings.NewReader(town), "town.geojson", flat.Options{Shapes: true})
	if err != nil {
		t.Fatal(err)
	}
	rules := meadow.AutoTerrain()
	if _, err := rules.ApplyMap(m); err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{Terrain: rules}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if faults := mesh.Validate(); len(faults) > 0 {
		t.Fatal(faults)
	}
	q := mesh.NewQuery()
	for _, c := range []struct {
		at   meadow.Vec
		want string
	}{{meadow.Vec{X: 4, Z: -1}, "road"}, {meadow.Vec{X: 4, Z: -4}, "grass"}} {
		pos, ok := q.Locate(c.at)
		if !ok {
			t.Fatalf("no region at %v", c.at)
		}
		if got := areaAt(mesh, pos); got != c.want {
			t.Errorf("at %v: %s, want %s", c.at, got, c.want)
		}
	}
}

func TestOpenTerrainErrors(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"bad.yaml": []byte("terrain: 1\nplane: x\n"),
		"up.yaml":  []byte("terrain: 1\ngroups: [{name: a}]\npaint:\n  - {mask: ../mask.png, legend: {red: a}}\n"),
		"bow.yaml": []byte("terrain: 1\ngroups: [{name: a}]\npaint:\n  - {map: bow.poly, legend: {a: a}}\n"),
		"bow.poly": []byte("0 0\n4 4\n"),
	})
	if _, err := meadow.OpenTerrain(filepath.Join(dir, "none.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := meadow.OpenTerrain(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	faults := (*terrain.Faults)(nil)
	if _, err := meadow.OpenTerrain(filepath.Join(dir, "bad.yaml")); !errors.As(err, &faults) || faults.List[0].Place != (terrain.Place{Line: 2, Column: 1}) {
		t.Errorf("a key that is not known: %v", err)
	}
	for file, want := range map[string]string{"up.yaml": `paint "../mask.png"`, "bow.yaml": `paint "bow.poly": poly: line 1: the ring from here has 2 points`} {
		rules, err := meadow.OpenTerrain(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rules.Apply(square(0, 0, 4)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

// What names say of the ground of a level, and who may cross it.
func ExampleAutoTerrain() {
	l := square(0, 0, 10)
	l.Materials = []level.Material{{Name: "tex_grass_01.dds"}, {Name: "SidewalkConcreteB"}}
	l.Triangles[0].Material, l.Triangles[1].Material = 0, 1
	rules := meadow.AutoTerrain()
	report, err := rules.Apply(l)
	if err != nil {
		fmt.Println(err)
		return
	}
	users := rules.Rules.Users()
	for _, row := range report.Rows {
		fmt.Printf("%s: %s, for who may %s\n", row.Name, l.Ground.Names[row.Area], users[row.Area])
	}
	// Output:
	// tex_grass_01.dds: grass, for who may walk or track or cycle or amphibious or fly
	// SidewalkConcreteB: sidewalk, for who may walk or cycle or fly
}

package meadow_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/flat"
)

// One floor gives the bytes that a build from the level gives, for every method and in any order.
func TestFloorGivesTheMeshOfABuild(t *testing.T) {
	race.Skip(t)
	lvl := generate(t, "carpark")
	opt := meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.5}}
	floor, err := meadow.FindFloor(t.Context(), lvl, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"", "wavefront", "delaunay", "wavefront"} {
		want, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{Generator: generator(t, method), Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		got, err := floor.Mesh(t.Context(), meadow.MeshOptions{Generator: generator(t, method), Seed: 7, Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(t, got), encode(t, want)) {
			t.Errorf("%q: the mesh of the floor is another one", method)
		}
		a, b := got.Report(), want.Report()
		if a.Generator != b.Generator || a.Extractor != b.Extractor || a.Agent != b.Agent || a.Regions != b.Regions || a.Level != b.Level || a.Triangles != b.Triangles {
			t.Errorf("%q: reports differ:\n%+v\n%+v", method, a, b)
		}
		if s := a.Seconds; s.Extract <= 0 || s.Total != s.Extract+s.Decompose+s.Link {
			t.Errorf("%q: seconds %+v", method, s)
		}
	}
}

// A floor may be decomposed by many goroutines at once.
func TestFloorIsShared(t *testing.T) {
	floor, err := meadow.FindFloor(t.Context(), generate(t, "stairs"), meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	methods := []string{"anavmg", "wavefront", "delaunay", "trapezoid"}
	files := make([][2][]byte, len(methods))
	for round := range 2 {
		var all sync.WaitGroup
		for i, method := range methods {
			all.Go(func() {
				mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{Generator: generator(t, method)})
				if err != nil {
					t.Error(err)
					return
				}
				files[i][round] = encode(t, mesh)
			})
		}
		all.Wait()
	}
	for i, f := range files {
		if len(f[0]) == 0 || !bytes.Equal(f[0], f[1]) {
			t.Errorf("%s: the second mesh is another one", methods[i])
		}
	}
}

func TestFloorOfMap(t *testing.T) {
	m, err := flat.Decode(strings.NewReader("type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"), "ring.map", flat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floor, err := meadow.FloorOfMap(t.Context(), m, meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := meadow.BuildMap(t.Context(), m, meadow.FloorOptions{}, meadow.MeshOptions{Generator: generator(t, "trapezoid")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := floor.Mesh(t.Context(), meadow.MeshOptions{Generator: generator(t, "trapezoid")})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, got), encode(t, want)) || got.Report().Extractor != "flat" {
		t.Errorf("the mesh of the floor is another one: %+v", got.Report())
	}
}

func TestFloorErrors(t *testing.T) {
	if _, err := meadow.FindFloor(t.Context(), nil, meadow.FloorOptions{}); err == nil {
		t.Error("no level has a floor")
	}
	wall := square(0, 0, 10)
	for i, v := range wall.Vertices {
		wall.Vertices[i] = meadow.Vec{X: v.X, Y: v.Z}
	}
	if _, err := meadow.FindFloor(t.Context(), wall, meadow.FloorOptions{}); err == nil {
		t.Error("a wall has a floor")
	}
	if _, err := meadow.FloorOfMap(t.Context(), nil, meadow.FloorOptions{}); err == nil {
		t.Error("no map has a floor")
	}
	if _, err := meadow.FindFloor(t.Context(), square(0, 0, 10), meadow.FloorOptions{KeepArea: -1}); err == nil {
		t.Error("a negative area is taken")
	}
	floor, err := meadow.FindFloor(t.Context(), square(0, 0, 10), meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []meadow.MeshOptions{{Jobs: -1}, {ConvexDistance: -1}, {Generator: generator(t, "delaunay"), ConvexDistance: 1}} {
		if _, err := floor.Mesh(t.Context(), opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}

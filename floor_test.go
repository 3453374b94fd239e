package meadow_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/flat"
)

// One floor gives the bytes that a build from the level gives, for every method and in any order.
func TestFloorGivesTheMeshOfABuild(t *testing.T) {
	lvl := generate(t, "carpark")
	opt := meadow.Options{Agent: meadow.Agent{Radius: 0.5}, Seed: 7}
	floor, err := meadow.FindFloor(t.Context(), lvl, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"", "wavefront", "delaunay", "wavefront"} {
		opt.Method = method
		want, err := meadow.BuildWith(t.Context(), lvl, opt)
		if err != nil {
			t.Fatal(err)
		}
		// The agent is the floor's, whatever the options say.
		got, err := floor.Mesh(t.Context(), meadow.Options{Method: method, Seed: 7, Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(t, got), encode(t, want)) {
			t.Errorf("%q: the mesh of the floor is another one", method)
		}
		a, b := got.Report(), want.Report()
		if a.Method != b.Method || a.Extract != b.Extract || a.Agent != b.Agent || a.Regions != b.Regions || a.Level != b.Level || a.Triangles != b.Triangles {
			t.Errorf("%q: reports differ:\n%+v\n%+v", method, a, b)
		}
		if s := a.Seconds; s.Extract <= 0 || s.Total != s.Extract+s.Decompose+s.Link {
			t.Errorf("%q: seconds %+v", method, s)
		}
	}
}

// A floor may be decomposed by many goroutines at once.
func TestFloorIsShared(t *testing.T) {
	floor, err := meadow.FindFloor(t.Context(), generate(t, "stairs"), meadow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	methods := []string{"anavmg", "wavefront", "delaunay", "trapezoid"}
	files := make([][2][]byte, len(methods))
	for round := range 2 {
		var all sync.WaitGroup
		for i, method := range methods {
			all.Go(func() {
				mesh, err := floor.Mesh(t.Context(), meadow.Options{Method: method})
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
	floor, err := meadow.FloorOfMap(m, meadow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := meadow.BuildMap(t.Context(), m, meadow.Options{Method: "trapezoid"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := floor.Mesh(t.Context(), meadow.Options{Method: "trapezoid"})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, got), encode(t, want)) || got.Report().Extract != "flat" {
		t.Errorf("the mesh of the floor is another one: %+v", got.Report())
	}
}

func TestFloorErrors(t *testing.T) {
	if _, err := meadow.FindFloor(t.Context(), nil, meadow.Options{}); err == nil {
		t.Error("no level has a floor")
	}
	wall := square(0, 0, 10)
	for i, v := range wall.Vertices {
		wall.Vertices[i] = meadow.Vec{X: v.X, Y: v.Z}
	}
	if _, err := meadow.FindFloor(t.Context(), wall, meadow.Options{}); err == nil {
		t.Error("a wall has a floor")
	}
	if _, err := meadow.FloorOfMap(nil, meadow.Options{}); err == nil {
		t.Error("no map has a floor")
	}
	if _, err := meadow.FindFloor(t.Context(), square(0, 0, 10), meadow.Options{KeepArea: -1}); err == nil {
		t.Error("a negative area is taken")
	}
	floor, err := meadow.FindFloor(t.Context(), square(0, 0, 10), meadow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []meadow.Options{{Method: "none"}, {ConvexDistance: -1}, {Method: "delaunay", ConvexDistance: 1}} {
		if _, err := floor.Mesh(t.Context(), opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}

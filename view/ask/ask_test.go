package ask_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/view/ask"
)

func arch(t *testing.T) (*meadow.Mesh, *ask.Session) {
	t.Helper()
	lvl, err := levelgen.Generate("arch", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := navfile.Encode(mesh.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	session, err := ask.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return mesh, session
}

// TestPathIsTheQuerys: a session's path is that of a query on the same mesh, and its places are the ends.
func TestPathIsTheQuerys(t *testing.T) {
	mesh, session := arch(t)
	box := mesh.Bounds()
	start, goal := box.Min, box.Max
	got, err := session.Path(t.Context(), ask.Point{start.X, start.Y, start.Z}, ask.Point{goal.X, goal.Y, goal.Z}, 10)
	if err != nil {
		t.Fatal(err)
	}
	vec := func(p ask.Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }
	q := mesh.NewQuery()
	want, err := q.Path(t.Context(), vec(got.Start.Point), vec(got.Goal.Point))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Complete || got.Length != want.Length || got.Expanded != want.Expanded || len(got.Surface) != 3*len(want.Surface()) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i, r := range want.Regions() {
		if got.Regions[i] != r.Index() {
			t.Errorf("region %d of the path is %d, want %d", i, got.Regions[i], r.Index())
		}
	}
	if got.Goal.Region != got.Regions[len(got.Regions)-1] && !slices.Contains(got.Regions, got.Goal.Region) {
		t.Errorf("the goal is in region %d, the path in %v", got.Goal.Region, got.Regions)
	}
}

// TestPlacesAndSteps: places off the mesh are not found, whatever their numbers; a step ends where a wall is.
func TestPlacesAndSteps(t *testing.T) {
	mesh, session := arch(t)
	for _, p := range []ask.Point{{1e6, 0, 0}, {math.NaN(), 0, 0}, {0, math.Inf(1), 0}} {
		if at := session.At(p, 0.5); at.Found {
			t.Errorf("%v is at %+v", p, at)
		}
		path, err := session.Path(t.Context(), p, ask.Point{}, 0.5)
		if err != nil || path.Complete || path.Start.Found {
			t.Errorf("a path from %v: %+v, %v", p, path, err)
		}
		if at := session.Step(p, ask.Point{}, 0.5); at.Found {
			t.Errorf("a step from %v leads to %+v", p, at)
		}
	}
	low := mesh.Bounds().Min
	at := session.At(ask.Point{low.X, low.Y, low.Z}, 3)
	if !at.Found || at.Wall < 0 || at.Wall > 0.01 {
		t.Fatalf("the corner of the floor: %+v", at)
	}
	if stay := session.Step(at.Point, ask.Point{low.X - 5, low.Y, low.Z - 5}, 1); !stay.Found || math.Hypot(stay.Point[0]-at.Point[0], stay.Point[2]-at.Point[2]) > 0.01 {
		t.Errorf("a step through the wall leads from %v to %+v", at.Point, stay)
	}
	step := session.Step(at.Point, ask.Point{at.Point[0] + 0.5, at.Point[1], at.Point[2]}, 1)
	if d := step.Point[0] - at.Point[0]; math.Abs(d-0.5) > 0.01 {
		t.Errorf("a step of half a metre is %.3f m long", d)
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := ask.Open([]byte("no mesh")); err == nil {
		t.Error("a session on no mesh")
	}
}

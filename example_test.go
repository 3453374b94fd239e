package meadow_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// From a file to a path.
func Example() {
	ctx := context.Background()
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)})
	if err != nil {
		log.Fatal(err)
	}
	q := mesh.NewQuery()
	path, err := q.Path(ctx, meadow.Vec{X: 1, Y: 0, Z: -3}, meadow.Vec{X: 20, Y: 3, Z: -3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("complete: %v, about %.0f m, ends at %v\n", path.Complete, path.Length, path.Points[len(path.Points)-1])
	// Output: complete: true, about 23 m, ends at (20.000, 3.000, -3.000)
}

// A level need not come from a file.
func ExampleBuild() {
	floor := &level.Level{
		Name:      "floor",
		Vertices:  []geom.Vec{{X: 0, Z: 0}, {X: 8, Z: 0}, {X: 8, Z: -6}, {X: 0, Z: -6}},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}},
	}
	mesh, err := meadow.Build(context.Background(), floor, meadow.Agent{Radius: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	path, err := mesh.NewQuery().Path(context.Background(), meadow.Vec{X: 1, Z: -1}, meadow.Vec{X: 4, Z: -5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f m\n", path.Length)
	// Output: 5.0 m
}

// Options say which parts of the floor stay, and how the floor is divided.
func ExampleBuildWith() {
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.BuildWith(context.Background(), lvl, meadow.FloorOptions{
		Agent: meadow.Agent{Radius: 0.5, MaxSlope: meadow.Degrees(20)}, // the ramp has 27 degrees
		Keep:  []meadow.Vec{{X: 20, Y: 3}},
	}, meadow.MeshOptions{Cleanup: true})
	if err != nil {
		log.Fatal(err)
	}
	r := mesh.Report()
	fmt.Printf("%d region on the platform, %d part of the floor left out\n", r.Regions, len(r.Dropped))
	// Output: 1 region on the platform, 1 part of the floor left out
}

// A mesh is stored and read again; Save and Load do the same with files.
func ExampleMesh_Write() {
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(context.Background(), lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := mesh.Write(&file); err != nil {
		log.Fatal(err)
	}
	again, err := meadow.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.RegionCount() == mesh.RegionCount(), len(again.Validate()), "faults")
	// Output: true 0 faults
}

// The floor is found once; several generators divide the same floor.
func ExampleFindFloor() {
	ctx := context.Background()
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	floor, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range []gen.Generator{anavmg.Generator{}, hertelmehlhorn.Generator{}} {
		mesh, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: g})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.0f m², %d faults\n", mesh.Report().Generator, mesh.Area(), len(mesh.Validate()))
	}
	// Output:
	// anavmg: 142 m², 0 faults
	// hertelmehlhorn: 142 m², 0 faults
}

// Save writes a mesh to a file, and Load reads the file: in a game, the mesh is built once and loaded by every player.
func ExampleLoad() {
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(context.Background(), lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "meadow")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "ramp.mesh")
	if err := mesh.Save(file); err != nil {
		log.Fatal(err)
	}
	loaded, err := meadow.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.RegionCount() == mesh.RegionCount(), loaded.Agent == mesh.Agent)
	// Output: true true
}

// Nearest finds the place on the mesh next to a place off the mesh.
func ExampleMesh_NewQuery() {
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(context.Background(), lvl, meadow.Agent{Radius: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	q := mesh.NewQuery()
	outside := meadow.Vec{X: -3, Y: 0, Z: -3}
	if _, on := q.Locate(outside); on {
		log.Fatal("the place is on the mesh")
	}
	place, ok := q.Nearest(outside, 10)
	fmt.Printf("%v, %.1f m away\n", ok, place.Point.Dist(outside))
	// Output: true, 3.5 m away
}

// One search finds the ways to many goals, and the nearest goal.
func ExampleMesh_NewQuery_manyGoals() {
	ctx := context.Background()
	lvl, err := meadow.Open("testdata/ramp.obj")
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	q := mesh.NewQuery()
	start := meadow.Vec{X: 1, Z: -3}
	goals := []meadow.Vec{{X: 20, Y: 3, Z: -3}, {X: 3, Z: -3}, {X: 1, Z: -2}}
	fan, err := q.ToMany(ctx, start, goals)
	if err != nil {
		log.Fatal(err)
	}
	for i, cost := range fan.Costs {
		fmt.Printf("goal %d: %.1f m\n", i, cost)
	}
	nearest, path, err := q.NearestOf(ctx, start, goals)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("nearest: goal %d, %.1f m\n", nearest, path.Length)
	// Output:
	// goal 0: 23.2 m
	// goal 1: 2.0 m
	// goal 2: 1.0 m
	// nearest: goal 2, 1.0 m
}

// A map in two dimensions has a floor too: the drawn area, less the radius of the agent, 0.4 m by default.
func ExampleBuildMap() {
	ctx := context.Background()
	text := "type octile\nheight 5\nwidth 7\nmap\n.......\n...@...\n...@...\n...@...\n...@...\n"
	m, err := flat.Decode(strings.NewReader(text), "wall.map", flat.Options{}) // or meadow.OpenMap, for a file
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.BuildMap(ctx, m, meadow.FloorOptions{}, meadow.MeshOptions{})
	if err != nil {
		log.Fatal(err)
	}
	path, err := mesh.NewQuery().Path(ctx, meadow.Vec{X: 1.5, Z: 4.5}, meadow.Vec{X: 5.5, Z: 4.5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d m² of floor, %.2f m around the wall\n", int(mesh.Area()), path.Length)
	// Output: 18 m² of floor, 9.65 m around the wall
}

// Terrain takes the kinds of ground from the names of materials.
func ExampleFloorOptions_terrain() {
	lvl := &level.Level{
		Name:      "crossing",
		Vertices:  []geom.Vec{{X: 0, Z: 0}, {X: 8, Z: 0}, {X: 8, Z: -6}, {X: 0, Z: -6}, {X: 16, Z: 0}, {X: 16, Z: -6}},
		Materials: []level.Material{{Name: "grass_03"}, {Name: "asphalt_wet"}},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2}, {A: 0, B: 2, C: 3}, {A: 1, B: 4, C: 5, Material: 1}, {A: 1, B: 5, C: 2, Material: 1}},
	}
	mesh, err := meadow.BuildWith(context.Background(), lvl, meadow.FloorOptions{Terrain: meadow.AutoTerrain()}, meadow.MeshOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range mesh.Report().Grounds {
		fmt.Printf("%s: %.0f m²\n", g.Name, g.Area)
	}
	// Output:
	// road: 40 m²
	// grass: 40 m²
}

// chosen is a generator of our own: few regions for domains with holes, ANavMG for the others.
type chosen struct{}

func (chosen) Name() string { return "chosen" }

func (chosen) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if len(in.Domain.Rings) > 1 {
		return best.Generator{}.Decompose(ctx, in)
	}
	return anavmg.Generator{}.Decompose(ctx, in)
}

// A generator of your own is a field of the options. Package gen says what it must promise.
func ExampleMeshOptions() {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 4})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.BuildWith(context.Background(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{Generator: chosen{}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mesh.Report().Generator, len(mesh.Validate()), "faults")
	// Output: chosen 0 faults
}

// An index can be prepared, which takes time once; paths are as long, and found sooner.
func ExampleMesh_Index_prepared() {
	ctx := context.Background()
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 4})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	prepared, err := mesh.Index().Prepare(ctx)
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	search, fast := mesh.NewQuery(), prepared.NewQuery()
	from, _ := search.RandomPoint(rng)
	to, _ := search.RandomPoint(rng)
	path, err := search.PathBetween(ctx, from, to)
	if err != nil {
		log.Fatal(err)
	}
	same, err := fast.PathBetween(ctx, from, to)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(path.Complete, math.Abs(path.Length-same.Length) < 1e-9*path.Length)
	// Output: true true
}

// A door is closed for everybody who asks the index that was made for it.
func ExampleMesh_Index() {
	ctx := context.Background()
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	open := mesh.Index()
	doors, err := mesh.MarksCalled("door")
	if err != nil {
		log.Fatal(err)
	}
	closed, err := open.With(query.Filter{Closed: doors})
	if err != nil {
		log.Fatal(err)
	}
	for _, ix := range []*query.Index{open, closed} {
		path, err := ix.NewQuery().Path(ctx, meadow.Vec{X: -8}, meadow.Vec{X: 8})
		if err != nil {
			log.Fatal(err)
		}
		for i, c := range path.Crossings {
			if i > 0 {
				fmt.Print(", ")
			}
			fmt.Printf("%s %q", mesh.Marks[c.Mark].Kind, mesh.Marks[c.Mark].Name)
		}
		fmt.Println()
	}
	// Output:
	// carpet "runner", door "halls"
	// ladder "gallery ladder", drop "gallery edge"
}

// A door is a marker: a kind, a name, and two corners of its volume in the level. Here a button beside the way opens the
// gate: while the gate is shut, an agent goes to the button first, and waits there.
func ExampleBuild_doors() {
	ctx := context.Background()
	lvl := corridor()
	at := func(x, y, h float64) geom.Vec { return geom.FromGround(x, y, h) }
	lvl.Markers = append(lvl.Markers,
		level.Volume("door", "gate", at(9, 0, 0), at(10, 4, 2)),
		level.Volume("button", "panel", at(2, 3, 0), at(3, 4, 2)),
		level.Volume("door to=0", "turnstile", at(14, 0, 0), at(15, 4, 2)))
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		log.Fatal(err)
	}
	gate, err := mesh.MarksCalled("gate")
	if err != nil {
		log.Fatal(err)
	}
	shut, err := mesh.Index().With(query.Filter{Closed: gate})
	if err != nil {
		log.Fatal(err)
	}
	from, to := at(1, 1, 0), at(12, 2, 0)
	path, err := shut.NewQuery().Path(ctx, from, to)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("through the shut gate:", path.Complete)
	if path, err = shut.NewQuery().Path(ctx, from, at(2.5, 3.25, 0)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("to the %s: %.1f m\n", mesh.Marks[path.Crossings[0].Mark].Name, path.Length)
	if path, err = mesh.NewQuery().Path(ctx, at(2.5, 3.25, 0), to); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("through the gate: %.1f m\n", path.Length)
	if path, err = mesh.NewQuery().Path(ctx, at(18, 2, 0), to); err != nil {
		log.Fatal(err)
	}
	fmt.Println("against the turnstile:", path.Complete)
	// Output:
	// through the shut gate: false
	// to the panel: 2.7 m
	// through the gate: 9.6 m
	// against the turnstile: false
}

// corridor is a floor of 20 by 4 m.
func corridor() *level.Level {
	lvl := &level.Level{Name: "corridor"}
	for _, c := range [4][2]float64{{0, 0}, {20, 0}, {20, 4}, {0, 4}} {
		lvl.Vertices = append(lvl.Vertices, geom.FromGround(c[0], c[1], 0))
	}
	lvl.Triangles = []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}}
	return lvl
}

package meadow_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

// rts is the world of examples/terrain/rts.yaml, with its rules.
func rts(t *testing.T) (*level.Level, *meadow.Terrain) {
	t.Helper()
	lvl, err := levelgen.Generate("rts", levelgen.Options{Size: 128})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := meadow.OpenTerrain("examples/terrain/rts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return lvl, rules
}

func TestTerrainOfMesh(t *testing.T) {
	race.Skip(t)
	ctx := context.Background()
	lvl, rules := rts(t)
	for _, extract := range catalog.Extractors() {
		floor, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{Terrain: rules, Extractor: extractor(t, extract)})
		if err != nil {
			t.Fatalf("%s: %v", extract, err)
		}
		for _, method := range []string{"best", "anavmg", "wavefront"} {
			mesh, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: generator(t, method)})
			if err != nil {
				t.Fatalf("%s, %s: %v", extract, method, err)
			}
			checkValid(t, mesh)
			if want := []string{"ground", "road", "bridge", "ford", "river", "mud", "grass", "rock"}; !slices.Equal(mesh.Areas, want) {
				t.Fatalf("%s, %s: areas %v", extract, method, mesh.Areas)
			}
			m2 := make([]float64, len(mesh.Areas))
			tile := &mesh.Tiles[0]
			for r := range tile.Regions {
				var ring lattice.Ring
				for _, v := range tile.RegionCorners(r) {
					ring = append(ring, tile.Vertices[v].Point)
				}
				m2[tile.Regions[r].Area] += lattice.SquareMetres(ring.Area2())
			}
			// Two roads along the river, two across it and the river itself, all as wide as they are drawn.
			if road := m2[1]; math.Abs(road-2750) > 0.03*2750 || m2[0] > 1 || m2[2] < 80 || m2[3] < 60 || m2[5] < 300 {
				t.Errorf("%s, %s: %.0f m²", extract, method, m2)
			}
			if i, ok := mesh.Method("amphibious"); !ok || mesh.Methods[i].Costs[4] != 1.5 || !math.IsInf(float64(mesh.Methods[i].Costs[0]), 1) || mesh.Methods[i].Speeds[1] != 8 {
				t.Errorf("%s, %s: methods %+v", extract, method, mesh.Methods)
			}
			if len(mesh.Crossings) != 4 || !slices.ContainsFunc(mesh.Links, func(l navmesh.Link) bool { return l.Kind == navmesh.Boundary }) {
				t.Errorf("%s, %s: crossings %+v, %d links", extract, method, mesh.Crossings, len(mesh.Links))
			}
		}
	}
	if lvl.Ground != nil {
		t.Error("the level has got a ground")
	}
}

// Ground that a level has already divides its floor; rules for other areas than these are refused.
func TestTerrainAndGround(t *testing.T) {
	race.Skip(t)
	ctx := context.Background()
	lvl, rules := rts(t)
	if _, err := rules.Apply(lvl); err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(mesh.Areas) != 8 || mesh.Methods != nil || mesh.Links != nil {
		t.Errorf("areas %v, methods %v, %d links", mesh.Areas, mesh.Methods, len(mesh.Links))
	}
	if _, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Terrain: meadow.AutoTerrain()}, meadow.MeshOptions{}); err == nil || !strings.HasPrefix(err.Error(), "meadow: terrain: the rules know the areas ground, road, sidewalk") {
		t.Errorf("error %v", err)
	}
	floor, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{Terrain: rules})
	if err != nil {
		t.Fatal(err)
	}
	if mesh, err = floor.Mesh(ctx, meadow.MeshOptions{}); err != nil || len(mesh.Methods) != 4 {
		t.Errorf("a mesh of the floor has methods %v, error %v", mesh.Methods, err)
	}
	// What rules warn of is told in the report.
	bare := *lvl
	bare.Ground = nil
	if mesh, err = meadow.BuildWith(ctx, &bare, meadow.FloorOptions{Terrain: rules}, meadow.MeshOptions{}); err != nil || !slices.ContainsFunc(mesh.Report().Warnings, func(w string) bool {
		return strings.Contains(w, `no method may use its`)
	}) {
		t.Errorf("warnings %v, error %v", mesh.Report().Warnings, err)
	}
}

// A level whose materials say what the ground is, a mesh of it, and the way of a car.
func ExampleTerrain() {
	lvl, err := levelgen.Generate("rts", levelgen.Options{Size: 128})
	if err != nil {
		panic(err)
	}
	rules, err := meadow.OpenTerrain("examples/terrain/rts.yaml")
	if err != nil {
		panic(err)
	}
	mesh, err := meadow.BuildWith(context.Background(), lvl, meadow.FloorOptions{Terrain: rules}, meadow.MeshOptions{})
	if err != nil {
		panic(err)
	}
	wheels, err := mesh.Index().Method("wheels")
	if err != nil {
		panic(err)
	}
	roads, err := mesh.Index().With(wheels)
	if err != nil {
		panic(err)
	}
	path, err := roads.NewQuery().Path(context.Background(), meadow.Vec{X: 32, Y: 2.5, Z: -10}, meadow.Vec{X: 32, Y: 2.5, Z: -118})
	if err != nil {
		panic(err)
	}
	for _, g := range path.Grounds {
		fmt.Printf("%.0f m on %s\n", g.Length, mesh.AreaName(g.Area))
	}
	// Output:
	// 34 m on road
	// 19 m on bridge
	// 54 m on road
}

package tiles

import (
	"context"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

func generate(t testing.TB, kind string, opt levelgen.Options) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	return lvl
}

var plain = floorplan.Options{KeepAll: true, Simplify: -1, Detail: -1}

// wholeMesh builds a level in one piece.
func wholeMesh(t testing.TB, lvl *level.Level, agent geom.Agent, opt floorplan.Options) *navmesh.Mesh {
	t.Helper()
	ctx := context.Background()
	p, err := exact.Extract(ctx, lvl, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	results, err := gen.DecomposePlan(ctx, best.Generator{}, p, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := join.Build(ctx, p, gen.CellsOf(results), join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tiledMesh builds a level in tiles.
func tiledMesh(t testing.TB, lvl *level.Level, agent geom.Agent, opt floorplan.Options, size float64) (*navmesh.Mesh, int) {
	t.Helper()
	ctx := context.Background()
	c, err := Cut(ctx, lvl, Options{Size: size, Agent: agent, Floor: opt, Generator: best.Generator{}})
	if err != nil {
		t.Fatal(err)
	}
	var all []*Tile
	for _, e := range c.Tiles() {
		made, err := c.Build(ctx, e.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Decode(made.Encode())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read)
	}
	j, err := Join(all, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := join.Build(ctx, j.Plan, j.Cells, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, len(all)
}

func TestTry(t *testing.T) {
	for _, kind := range []string{"rooms", "stairs", "tower", "spiral", "bridge", "carpark", "catwalks", "slots", "rough", "stairwell", "maze", "terrain"} {
		lvl := generate(t, kind, levelgen.Options{Seed: 2})
		for _, radius := range []float64{0.3, geom.PointRadius} {
			agent := geom.Agent{Radius: radius}.WithDefaults()
			w := wholeMesh(t, lvl, agent, plain)
			for _, size := range []float64{4.7, 16, 1000} {
				m, n := tiledMesh(t, lvl, agent, plain, size)
				faults := m.Validate()
				t.Logf("%s r %g size %g: %d tiles, area %.6f / %.6f (%.2g), parts %d / %d, regions %d / %d, faults %d/%d", kind, agent.Radius, size, n, m.Area(), w.Area(), math.Abs(m.Area()-w.Area()), m.Components, w.Components, len(m.Tiles[0].Regions), len(w.Tiles[0].Regions), len(faults), len(w.Validate()))
				for i, f := range faults {
					if i < 3 {
						t.Log(f)
					}
				}
			}
		}
	}
}

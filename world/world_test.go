package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

func build(t testing.TB, l *level.Level, radius float64) *meadow.Mesh {
	t.Helper()
	m, err := meadow.Build(context.Background(), l, meadow.Agent{Radius: radius})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Random changes leave a mesh without faults, which a new world with the same things has too.
func TestRandomChanges(t *testing.T) {
	race.Skip(t)
	kinds := []string{"demo", "stairs", "spiral", "tower", "rough", "catwalks", "halls"}
	seeds := uint64(1)
	if slow.Enabled() {
		kinds = append(kinds, "carpark", "random", "ramps", "bridge", "terrain", "pillars", "highrise", "city")
		seeds = 5
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			for seed := range seeds {
				randomChanges(t, kind, seed, 60, nil)
			}
		})
	}
	// So many that regions are cut block by block.
	t.Run("crowd", func(t *testing.T) { randomChanges(t, "catwalks", 1, 240, nil) })
	for _, g := range []gen.Generator{best.Generator{}, anavmg.Generator{}} {
		t.Run(g.Name(), func(t *testing.T) { randomChanges(t, "stairs", 1, 60, g) })
	}
}

func randomChanges(t *testing.T, kind string, seed uint64, steps int, g gen.Generator) {
	ctx := context.Background()
	l, err := levelgen.Generate(kind, levelgen.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	m := build(t, l, 0.2+0.2*float64(seed))
	w, err := meadow.NewWorld(ctx, m, meadow.WorldOptions{Generator: g})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	q := m.NewQuery()
	var ids []world.ID
	n := 0
	for step := range steps {
		var e world.Edit
		if len(ids) > 0 && rng.IntN(5) < 2 {
			k := rng.IntN(len(ids))
			e = world.Take{ID: ids[k]}
			ids = append(ids[:k], ids[k+1:]...)
		} else {
			at, ok := q.RandomPoint(rng)
			if !ok {
				return
			}
			id := world.ID(fmt.Sprint("crate", n))
			n++
			ids = append(ids, id)
			var s world.Solid
			at.Point.Y += rng.Float64() - 0.5
			if rng.IntN(2) == 0 {
				s = world.Box{Base: at.Point, Size: geom.Vec{X: 0.1 + 2*rng.Float64(), Y: 1, Z: 0.1 + 2*rng.Float64()}, Yaw: rng.Float64() * 6}
			} else {
				s = world.Cylinder{Base: at.Point, Radius: 0.05 + rng.Float64(), Height: 2}
			}
			e = world.Put{ID: id, Solid: s}
			if rng.IntN(4) == 0 {
				e = world.Paint{ID: id, Solid: s, Brush: world.Brush{Set: 512, Priority: rng.IntN(3)}}
			}
		}
		if _, err := w.Apply(ctx, e); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if step%20 < 19 {
			continue
		}
		mesh := w.Now().Mesh()
		if f := mesh.Validate(); len(f) > 0 {
			t.Errorf("seed %d step %d: %v", seed, step, f[0])
			return
		}
		sameRegions(t, w.Now())
	}
	t.Log(len(ids), "things", m.RegionCount(), w.Now().Mesh().RegionCount())
	// The same things in one change of a new world.
	fresh, err := meadow.NewWorld(ctx, m, meadow.WorldOptions{Generator: g})
	if err != nil {
		t.Fatal(err)
	}
	var all []world.Edit
	for _, e := range w.Now().Things() {
		all = append(all, e)
	}
	if _, err := fresh.Apply(ctx, all...); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fresh.Now().Mesh(), w.Now().Mesh()) {
		t.Errorf("seed %d: the world made anew differs", seed)
	}
	for _, id := range ids {
		if _, err := w.Apply(ctx, world.Take{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := w.Now().Mesh(), m.Mesh; a.RegionCount() != b.RegionCount() || len(a.Tiles[0].Portals) != len(b.Tiles[0].Portals) {
		t.Errorf("%d regions, base %d", a.RegionCount(), b.RegionCount())
	}
}

// sameRegions: the regions that Refs lists have the corners of the mesh's regions, in the same order.
func sameRegions(t *testing.T, s *world.Snapshot) {
	t.Helper()
	mesh, refs := s.Mesh(), s.Refs()
	if len(refs) != mesh.RegionCount() {
		t.Fatalf("%d Refs for %d regions", len(refs), mesh.RegionCount())
	}
	n := 0
	for i := range mesh.Tiles {
		tile := &mesh.Tiles[i]
		for k := range tile.Regions {
			ring, corners := s.Index().Corners(nil, refs[n]), tile.RegionCorners(k)
			for c := range max(len(ring), len(corners)) {
				if c >= len(ring) || c >= len(corners) || ring[c].Point != tile.Vertices[corners[c]].Point {
					t.Fatalf("region %d: corner %d of %v is not that of the mesh", n, c, ring)
				}
			}
			n++
		}
	}
}

// TestZeroSnapshots asks zero snapshots and a zero world: all answer as one empty world.
func TestZeroSnapshots(t *testing.T) {
	zero, none := new(world.Snapshot), (*world.Snapshot)(nil)
	now := new(world.World).Now()
	if zero.Index() != none.Index() || now.Mesh() != zero.Mesh() {
		t.Error("zero snapshots are snapshots of several worlds")
	}
	if zero.Mesh().RegionCount() != 0 || len(zero.Things()) > 0 || zero.Sequence() != 0 {
		t.Errorf("a zero snapshot has %d regions, things %v and sequence %d", zero.Mesh().RegionCount(), zero.Things(), zero.Sequence())
	}
}

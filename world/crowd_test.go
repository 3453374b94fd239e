package world_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// turned returns a level of one square floor, turned and sloped.
func turned(side, yaw, slope float64) *level.Level {
	l := flat(side)
	sin, cos := math.Sincos(yaw)
	for i, v := range l.Vertices {
		l.Vertices[i] = geom.Vec{X: float64(v.X*cos) - float64(v.Z*sin), Y: float64(v.X * slope), Z: float64(v.X*sin) + float64(v.Z*cos)}
	}
	return l
}

// crowdEdit draws a change of a crowd: things come, move and go, some of them all in one corner.
func crowdEdit(rng *rand.Rand, m *meadow.Mesh, ids []world.ID, n int) (world.Edit, []world.ID) {
	if k := rng.IntN(len(ids) + 1); k < len(ids) && rng.IntN(5) < 2 {
		id := ids[k]
		ids[k] = ids[len(ids)-1]
		return world.Take{ID: id}, ids[:len(ids)-1]
	}
	at, _ := m.NewQuery().RandomPoint(rng)
	if rng.IntN(3) == 0 {
		box := m.Bounds()
		corner := geom.Vec{X: box.Min.X + 0.3*box.Size().X, Z: box.Min.Z + 0.3*box.Size().Z}
		at, _ = m.NewQuery().Nearest(corner.Add(geom.Vec{X: 6 * rng.Float64(), Z: 6 * rng.Float64()}), 100)
	}
	var s world.Solid = world.Cylinder{Base: at.Point.Add(geom.Vec{Y: -1}), Radius: 0.2 + rng.Float64(), Height: 4}
	if rng.IntN(3) == 0 {
		size := geom.Vec{X: 0.1 + 9*rng.Float64()*rng.Float64(), Y: 4, Z: 0.1 + 9*rng.Float64()*rng.Float64()}
		s = world.Box{Base: at.Point.Add(geom.Vec{Y: -1}), Size: size, Yaw: rng.Float64() * 6}
	}
	id := world.ID(fmt.Sprint(n))
	ids = append(ids, id)
	switch rng.IntN(8) {
	case 0:
		return world.Paint{ID: id, Solid: s, Brush: world.Brush{Set: 512, Priority: rng.IntN(3)}}, ids
	case 1:
		return world.Paint{ID: id, Solid: s, Brush: world.Brush{Area: fmt.Sprint("area", rng.IntN(3)), Priority: rng.IntN(3)}}, ids
	}
	return world.Put{ID: id, Solid: s}, ids
}

// TestCrowdHasNoHistory lets crowds in one region grow and shrink: the mesh has no fault, and is the one of a world that gets
// the same things in one change.
func TestCrowdHasNoHistory(t *testing.T) {
	race.Skip(t)
	ctx := context.Background()
	for i, l := range []*level.Level{flat(70), turned(90, 0.3, 0), turned(60, 1, 0.1), turned(15, 0.3, 0)} {
		m := build(t, l, 0.4)
		if n := m.RegionCount(); n != 1 {
			t.Fatalf("level %d: %d regions", i, n)
		}
		w, err := world.New(ctx, m.Mesh, world.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(17, uint64(i)))
		var ids []world.ID
		for step := range 160 {
			var e world.Edit
			if step >= 120 && len(ids) > 0 { // most of them go again
				e, ids = world.Take{ID: ids[0]}, ids[1:]
			} else {
				e, ids = crowdEdit(rng, m, ids, step)
			}
			if _, err := w.Apply(ctx, e); err != nil {
				t.Fatalf("level %d, step %d: %v", i, step, err)
			}
			if step%10 < 9 {
				continue
			}
			mesh := w.Now().Mesh()
			if f := mesh.Validate(); len(f) > 0 {
				t.Fatalf("level %d, step %d: %v", i, step, f[0])
			}
			anew, err := world.New(ctx, m.Mesh, world.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all []world.Edit
			for _, thing := range w.Now().Things() {
				all = append(all, thing)
			}
			if _, err := anew.Apply(ctx, all...); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(anew.Now().Mesh(), mesh) {
				t.Fatalf("level %d, step %d: the mesh of %d things depends on their history", i, step, len(all))
			}
		}
	}
}

// TestCrowdIsLocal lets columns come, move and go among many in one region: a change tells of few regions in a small box, and
// all other regions keep their Refs.
func TestCrowdIsLocal(t *testing.T) {
	race.Skip(t)
	const side, columns = 120, 500
	ctx := context.Background()
	m := build(t, flat(side), 0.6)
	w, err := world.New(ctx, m.Mesh, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(17, 8))
	var all []world.Edit
	for i := range columns {
		all = append(all, world.Put{ID: world.ID(fmt.Sprint(i)), Solid: column(rng, side)})
	}
	first, err := w.Apply(ctx, all...)
	if err != nil {
		t.Fatal(err)
	}
	refs := map[navmesh.Ref]bool{}
	for _, r := range first.Fresh {
		refs[r] = true
	}
	if len(refs) < 2*columns {
		t.Fatalf("%d regions among %d columns", len(refs), columns)
	}
	most, largest := 0, 0.0
	for i := range 150 {
		solid := column(rng, side)
		e := [3]world.Edit{world.Put{ID: "one", Solid: solid}, world.Move{ID: "one", Solid: solid}, world.Take{ID: "one"}}[i%3]
		change, err := w.Apply(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range change.Stale {
			if !refs[r] {
				t.Fatalf("change %d: %v is stale, and was not there", i, r)
			}
			delete(refs, r)
		}
		for _, r := range change.Fresh {
			refs[r] = true
		}
		most = max(most, len(change.Stale)+len(change.Fresh))
		if i%3 != 1 { // a column that moves changes floor in two places
			for _, b := range change.Boxes {
				largest = max(largest, b.Size().X, b.Size().Z)
			}
		}
		ix := w.Now().Index()
		for r := range refs {
			if _, _, ok := ix.HeightRange(r); !ok {
				t.Fatalf("change %d: region %v is gone, and the change does not tell", i, r)
			}
		}
	}
	if most > 200 || largest > side/2 {
		t.Errorf("a change tells of up to %d regions of %d, in a box of up to %.1f m", most, len(refs), largest)
	}
	t.Logf("up to %d regions of %d, in up to %.1f m", most, len(refs), largest)
}

// TestCrowdCosts counts the bytes that a change allocates among few columns in one region and among many: no work, and no copy,
// grows with the crowd.
func TestCrowdCosts(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates too")
	}
	const side = 160
	ctx := context.Background()
	m := build(t, flat(side), 0.6)
	cost := func(columns int) float64 {
		w, err := world.New(ctx, m.Mesh, world.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(17, 9))
		var all []world.Edit
		for i := range columns {
			all = append(all, world.Put{ID: world.ID(fmt.Sprint(i)), Solid: column(rng, side)})
		}
		if _, err := w.Apply(ctx, all...); err != nil {
			t.Fatal(err)
		}
		rng = rand.New(rand.NewPCG(17, 10))
		change := func() {
			for _, e := range []world.Edit{world.Put{ID: "one", Solid: column(rng, side)}, world.Move{ID: "one", Solid: column(rng, side)}, world.Take{ID: "one"}} {
				if _, err := w.Apply(ctx, e); err != nil {
					t.Fatal(err)
				}
			}
		}
		const rounds = 40
		for range rounds {
			change() // what a first change prepares is there for the next
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range rounds {
			change()
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / rounds
	}
	few, many := cost(40), cost(1200)
	if many > 2*few {
		t.Errorf("a round of changes allocates %.0f bytes among 40 columns, %.0f among 1200", few, many)
	}
	t.Logf("%.0f bytes among 40 columns, %.0f among 1200", few, many)
}

package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// flat returns a level of one square floor.
func flat(side float64) *level.Level {
	return &level.Level{
		Vertices:  []geom.Vec{{}, {X: side}, {X: side, Z: side}, {Z: side}},
		Triangles: []level.Triangle{{A: 0, B: 2, C: 1, Material: level.NoMaterial}, {A: 0, B: 3, C: 2, Material: level.NoMaterial}},
	}
}

// column returns a column in a square floor.
func column(rng *rand.Rand, side float64) world.Solid {
	at := geom.Vec{X: rng.Float64() * side, Z: rng.Float64() * side}
	return world.Cylinder{Base: at, Radius: 0.5, Height: 3}
}

// BenchmarkCrowd lets one column come, move and go among columns that stand in one region, and asks for a short path beside
// the column after each change. An operation is one change and its path.
func BenchmarkCrowd(b *testing.B) {
	const side = 200
	ctx := context.Background()
	m := build(b, flat(side), 0.6)
	if n := m.RegionCount(); n != 1 {
		b.Fatalf("%d regions", n)
	}
	for _, columns := range []int{50, 200, 1000, 3000} {
		b.Run(fmt.Sprint(columns), func(b *testing.B) {
			w, err := world.New(ctx, m.Mesh, world.Options{})
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var all []world.Edit
			for i := range columns {
				all = append(all, world.Put{ID: world.ID(fmt.Sprint(i)), Solid: column(rng, side)})
			}
			if _, err := w.Apply(ctx, all...); err != nil {
				b.Fatal(err)
			}
			q := w.Now().NewQuery()
			var path query.Path
			var times []time.Duration
			b.ReportAllocs()
			found, i := 0, 0
			var solid world.Solid
			for b.Loop() {
				at := column(rng, side)
				edits := [3]world.Edit{world.Put{ID: "one", Solid: at}, world.Move{ID: "one", Solid: at}, world.Take{ID: "one"}}
				if i%3 < 2 {
					solid = at
				}
				begin := time.Now()
				if _, err := w.Apply(ctx, edits[i%3]); err != nil {
					b.Fatal(err)
				}
				q.Use(w.Now().Index())
				p := solid.(world.Cylinder).Base
				path, err = q.Path(ctx, p.Add(geom.Vec{X: -3}), p.Add(geom.Vec{X: 3}))
				times = append(times, time.Since(begin))
				if err == nil && path.Complete {
					found++
				}
				i++
			}
			if found < i/2 {
				b.Errorf("%d paths of %d", found, i)
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, "p99-µs")
		})
	}
}

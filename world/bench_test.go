package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// BenchmarkApply lets one obstacle come and go, or move by its own size, at random places.
func BenchmarkApply(b *testing.B) {
	ctx := context.Background()
	for _, kind := range []string{"pillars", "tower", "terrain", "city"} {
		l, err := levelgen.Generate(kind, levelgen.Options{Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		benchmarkApply(ctx, b, kind, l)
	}
}

func benchmarkApply(ctx context.Context, b *testing.B, name string, l *level.Level) {
	m := build(b, l, 0.6)
	q := m.NewQuery()
	rng := rand.New(rand.NewPCG(1, 1))
	places, asides := make([]geom.Vec, 500), make([]geom.Vec, 500)
	for i := range places {
		at, ok := q.RandomPoint(rng)
		if !ok {
			b.Fatal("no floor")
		}
		ray, err := q.Raycast(at, at.Point.Add(geom.Vec{X: 2}))
		if err != nil {
			b.Fatal(err)
		}
		places[i], asides[i] = at.Point, ray.End.Point
	}
	crate := func(at geom.Vec) world.Solid { return world.Cylinder{Base: at, Radius: 1, Height: 2} }
	for _, c := range []struct {
		name string
		step func(at, aside geom.Vec) []world.Edit
	}{
		{"in and out", func(at, aside geom.Vec) []world.Edit {
			return []world.Edit{world.Put{ID: "crate", Solid: crate(at)}, world.Take{ID: "crate"}}
		}},
		{"in, two moves, out", func(at, aside geom.Vec) []world.Edit {
			return []world.Edit{
				world.Put{ID: "crate", Solid: crate(at)},
				world.Move{ID: "crate", Solid: crate(aside)},
				world.Move{ID: "crate", Solid: crate(at)},
				world.Take{ID: "crate"},
			}
		}},
	} {
		b.Run(fmt.Sprintf("%s: %s", name, c.name), func(b *testing.B) {
			w, err := world.New(ctx, m.Mesh, world.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			i, cut := 0, 0
			for b.Loop() {
				for _, e := range c.step(places[i%len(places)], asides[i%len(places)]) {
					change, err := w.Apply(ctx, e)
					if err != nil {
						b.Fatal(err)
					}
					cut += len(change.Boxes)
				}
				i++
			}
			if cut < 2*i {
				b.Errorf("%d obstacles changed %d regions: at least two each", i, cut)
			}
			b.ReportMetric(float64(cut)/float64(i), "regions/op")
		})
	}
}

// BenchmarkDoors closes and opens the marks of halls one by one, in worlds of one to three radii. Medians suffer less from other
// processes than means.
func BenchmarkDoors(b *testing.B) {
	ctx := context.Background()
	l, err := levelgen.Generate("halls", levelgen.Options{Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	base := build(b, l, 0.4)
	var wider []*navmesh.Mesh
	for _, radius := range []float64{0.45, 0.6} {
		m, err := base.Widen(ctx, radius, meadow.WidenOptions{})
		if err != nil {
			b.Fatal(err)
		}
		wider = append(wider, m.Mesh)
	}
	names := []string{}
	for _, m := range base.Mesh.Marks {
		names = append(names, m.Name)
	}
	for radii := 1; radii <= 3; radii++ {
		for _, name := range names {
			b.Run(fmt.Sprintf("%d radii/%s", radii, name), func(b *testing.B) {
				w, err := world.New(ctx, base.Mesh, world.Options{Wider: wider[:radii-1]})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				var times []float64
				for b.Loop() {
					for _, e := range []world.Edit{world.Close{Mark: name}, world.Open{Mark: name}} {
						begin := time.Now()
						if _, err := w.Apply(ctx, e); err != nil {
							b.Fatal(err)
						}
						times = append(times, float64(time.Since(begin).Nanoseconds()))
					}
				}
				slices.Sort(times)
				b.ReportMetric(times[len(times)/2], "median-ns")
			})
		}
	}
}

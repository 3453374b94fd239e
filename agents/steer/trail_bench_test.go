package steer_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/query"
)

// realIndex returns the index of a real level, or skips.
func realIndex(tb testing.TB, name string) *query.Index {
	tb.Helper()
	l, err := meadow.Open(reallevels.Path(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: 0.4})
	if err != nil {
		tb.Fatal(err)
	}
	return m.Index()
}

// journey is a path between two random places.
type journey struct {
	start query.Position
	bends []geom.Vec
	goal  geom.Vec
	long  float64
}

// journeys returns random journeys of at least 5 m without links.
func journeys(tb testing.TB, q *query.Query, n int) []journey {
	tb.Helper()
	rng := rand.New(rand.NewPCG(19, 1))
	var list []journey
	for tries := 0; len(list) < n; tries++ {
		if tries > 200*n {
			tb.Fatal("no journeys")
		}
		start, _ := q.RandomPoint(rng)
		goal, _ := q.RandomPoint(rng)
		path, err := q.PathBetween(context.Background(), start, goal)
		if err != nil {
			tb.Fatal(err)
		}
		linked := false
		for _, x := range path.Crossings {
			linked = linked || x.Link >= 0
		}
		if !path.Complete || linked || path.Length < 5 {
			continue
		}
		list = append(list, journey{start, append([]geom.Vec(nil), path.Points...), goal.Point, path.Length})
	}
	return list
}

// stride is the length of a step: 1.4 m/s at 20 steps a second.
const stride = 0.07

// BenchmarkFollow measures a step of an agent that only follows its path, on the mesh: by the bends of a path, by a corridor,
// and by a route without a mesh. Each reports how far the walk is off the path's length.
func BenchmarkFollow(b *testing.B) {
	for _, name := range []string{"nav_test.obj", "sthelens.obj"} {
		ix := realIndex(b, name)
		q := ix.NewQuery()
		list := journeys(b, q, 64)
		b.Run(name+"/trail", func(b *testing.B) { followTrail(b, q, list) })
		flat := ix.NewQuery()
		flat.Flat = true
		b.Run(name+"/trail-flat", func(b *testing.B) { followTrail(b, flat, list) })
		b.Run(name+"/corridor", func(b *testing.B) { followCorridor(b, q, list) })
		b.Run(name+"/route", func(b *testing.B) {
			var r steer.Route
			w := steer.Walker{Route: &r}
			k := 0
			b.ReportAllocs()
			for b.Loop() {
				if w.Done() {
					if err := r.Set(list[k%len(list)].bends); err != nil {
						b.Fatal(err)
					}
					w.Along = 0
					k++
				}
				w.Step(0.05, 1.4)
			}
		})
	}
}

func followTrail(b *testing.B, q *query.Query, list []journey) {
	b.ReportAllocs()
	var t steer.Trail
	var at query.Position
	k, arrived := 0, true
	walked, long, bumps := 0.0, 0.0, 0
	for b.Loop() {
		if arrived {
			j := &list[k%len(list)]
			k++
			long += j.long
			t, at = steer.Trail{Bends: j.bends}, j.start
		}
		var p steer.Progress
		var err error
		if at, p, err = t.Step(q, at, stride); err != nil {
			b.Fatal(err)
		}
		if p.Bumped {
			bumps++
		}
		walked += p.Walked
		arrived = p.Arrived
	}
	if bumps > 0 || long < walked-0.01*float64(k) {
		b.Fatalf("%d bumps, walked %g of %g", bumps, walked, long)
	}
}

func followCorridor(b *testing.B, q *query.Query, list []journey) {
	b.ReportAllocs()
	var c query.Corridor
	var corners []query.Corner
	k, arrived := 0, true
	for b.Loop() {
		if arrived {
			b.StopTimer()
			j := &list[k%len(list)]
			k++
			c.Reset(j.start)
			if err := c.Plan(context.Background(), q, j.goal); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		var err error
		if corners, err = c.Corners(q, corners[:0], 2); err != nil {
			b.Fatal(err)
		}
		at := c.Position().Point
		way := corners[0].Point.Sub(at)
		d := math.Hypot(way.X, way.Z)
		if err := c.MovePosition(q, at.Add(way.Scale(min(1, stride/max(d, 1e-9))))); err != nil {
			b.Fatal(err)
		}
		arrived = corners[0].Target && d <= stride
	}
}

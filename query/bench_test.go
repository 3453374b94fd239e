package query

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// benchWorlds are worlds of doubling side: scattered obstacles, where many corners matter, and a dense maze with few
// ways through.
var benchWorlds = []struct {
	name    string
	density float64
}{{"scattered", 0.1}, {"dense", 0.35}}

// benchSides are the sides of the worlds in cells of a metre.
var benchSides = []int{32, 64, 128, 256}

// benchEach runs f on every world with pairs of connected points.
func benchEach(b *testing.B, f func(b *testing.B, q *Query, asked []pair)) {
	for _, w := range benchWorlds {
		for _, side := range benchSides {
			b.Run(fmt.Sprintf("%s/%d", w.name, side), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(uint64(side), 1))
				g := newGrid(b, rng, side, side, w.density, rectangles, lattice.Frame{})
				q := NewIndex(g.mesh).NewQuery()
				var asked []pair
				for _, p := range pairs(rng, g, 1000) {
					path, err := q.Path(context.Background(), p.start, p.goal)
					if err != nil {
						b.Fatal(err)
					}
					if path.Complete && len(asked) < 64 {
						asked = append(asked, p)
					}
				}
				b.ReportAllocs()
				f(b, q, asked)
				b.ReportMetric(float64(q.ix.RegionLimit()), "regions")
			})
		}
	}
}

// benchPath runs a search over all pairs and checks the sum of lengths against the shortest paths, with ratio as
// tolerance.
func benchPath(b *testing.B, find func(*Query, context.Context, geom.Vec, geom.Vec) (Path, error), ratio float64) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		ctx := context.Background()
		want := 0.0
		for _, p := range asked {
			path, _ := q.Path(ctx, p.start, p.goal)
			want += path.Length
			_, _ = find(q, ctx, p.start, p.goal)
		}
		expanded, sum, n := 0, 0.0, 0
		for b.Loop() {
			i := n % len(asked)
			path, err := find(q, ctx, asked[i].start, asked[i].goal)
			if err != nil || !path.Complete {
				b.Fatal(err)
			}
			expanded += path.Expanded
			if n < len(asked) {
				sum += path.Length
			}
			n++
		}
		if n >= len(asked) && (sum < want*(1-1e-9) || sum > want*ratio) {
			b.Fatalf("the lengths sum to %v, those of the shortest paths to %v", sum, want)
		}
		b.ReportMetric(float64(expanded)/float64(n), "expanded/op")
	})
}

func BenchmarkPath(b *testing.B) { benchPath(b, (*Query).Path, 1+1e-9) }

// BenchmarkPrepared asks a prepared Index.
func BenchmarkPrepared(b *testing.B) {
	benchPath(b, func(q *Query, ctx context.Context, start, goal geom.Vec) (Path, error) {
		if q.own.prepared == nil {
			ix, err := q.own.Prepare(ctx)
			if err != nil {
				return Path{}, err
			}
			q.own, q.ix = ix, ix.geo
		}
		return q.Path(ctx, start, goal)
	}, 1+1e-9)
}

// BenchmarkPathsAtOnce asks the same paths from 1, 2, 4 … 64 goroutines on one mesh. An op is a path: time per op falls
// as long as cores are free.
func BenchmarkPathsAtOnce(b *testing.B) {
	rng := rand.New(rand.NewPCG(64, 1))
	g := newGrid(b, rng, 64, 64, 0.25, rectangles, lattice.Frame{})
	ix := NewIndex(g.mesh)
	asked := pairs(rng, g, 256)
	for workers := 1; workers <= 64; workers *= 2 {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			queries := make([]*Query, workers)
			for i := range queries {
				queries[i] = ix.NewQuery()
			}
			ctx := context.Background()
			var next atomic.Int64
			var wg sync.WaitGroup
			var failed atomic.Bool
			b.ResetTimer()
			for _, q := range queries {
				wg.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						p := asked[i%int64(len(asked))]
						if _, err := q.Path(ctx, p.start, p.goal); err != nil {
							failed.Store(true)
						}
					}
				})
			}
			wg.Wait()
			if failed.Load() {
				b.Fatal("a path failed")
			}
		})
	}
}

func BenchmarkAStarPath(b *testing.B) { benchPath(b, (*Query).AStarPath, 1.05) }

func BenchmarkLocate(b *testing.B) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		n := 0
		for b.Loop() {
			p := asked[n%len(asked)].start
			if pos, ok := q.Locate(p); !ok || pos.Point.Distance(p) > 0.001 {
				b.Fatalf("%v is at %v", p, pos)
			}
			n++
		}
	})
}

func BenchmarkNearest(b *testing.B) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		n := 0
		for b.Loop() {
			p := asked[n%len(asked)].start.Add(geom.Vec{Y: 0.5})
			if pos, ok := q.Nearest(p, 2); !ok || math.Abs(pos.Point.Distance(p)-0.5) > 0.001 {
				b.Fatalf("%v is nearest to %v", pos, p)
			}
			n++
		}
	})
}

func BenchmarkNewIndex(b *testing.B) {
	for _, side := range benchSides {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(side), 1))
			m := newGrid(b, rng, side, side, 0.25, rectangles, lattice.Frame{}).mesh
			b.ReportAllocs()
			for b.Loop() {
				if ix := NewIndex(m); ix.geo.RegionLimit() != m.RegionCount() {
					b.Fatalf("%d regions of %d", ix.geo.RegionLimit(), m.RegionCount())
				}
			}
			b.ReportMetric(float64(m.RegionCount()), "regions")
		})
	}
}

// benchFrom runs f from the places of all starts, with the goals as targets.
func benchFrom(b *testing.B, f func(q *Query, from Position, to geom.Vec) bool) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		var from []Position
		for _, p := range asked {
			pos, ok := q.Locate(p.start)
			if !ok {
				b.Fatalf("%v is not on the mesh", p.start)
			}
			from = append(from, pos)
		}
		n := 0
		for b.Loop() {
			if i := n % len(asked); !f(q, from[i], asked[i].goal) {
				b.Fatalf("from %v to %v", from[i], asked[i].goal)
			}
			n++
		}
	})
}

func BenchmarkRaycast(b *testing.B) {
	benchFrom(b, func(q *Query, from Position, to geom.Vec) bool {
		ray, err := q.Raycast(from, to)
		return err == nil && ray.Hit == (ray.Fraction < 1)
	})
}

// BenchmarkMoveAlongSurface moves half a metre towards goals at any distance.
func BenchmarkMoveAlongSurface(b *testing.B) {
	benchFrom(b, func(q *Query, from Position, to geom.Vec) bool {
		way := to.Sub(from.Point)
		move, err := q.MoveAlongSurface(from, from.Point.Add(way.Scale(0.5/max(way.Norm(), 0.5))))
		return err == nil && move.End.Point.Distance(from.Point) < 0.6
	})
}

func BenchmarkDistanceToWall(b *testing.B) {
	benchFrom(b, func(q *Query, from Position, _ geom.Vec) bool {
		w, err := q.DistanceToWall(from, math.Inf(1))
		return err == nil && w.Found
	})
}

func BenchmarkRandomPoint(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	benchFrom(b, func(q *Query, _ Position, _ geom.Vec) bool {
		pos, ok := q.RandomPoint(rng)
		return ok && pos.Ref != 0
	})
}

func BenchmarkRandomPointInCircle(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	benchFrom(b, func(q *Query, from Position, _ geom.Vec) bool {
		pos, err := q.RandomPointInCircle(from, 3, rng)
		return err == nil && pos.Point.Distance(from.Point) < 3.001
	})
}

// BenchmarkEdit cuts a hole into a region, and makes the region whole again, at random places.
func BenchmarkEdit(b *testing.B) {
	for _, side := range benchSides {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(side), 1))
			ix := NewIndex(newGrid(b, rng, side, side, 0.25, rectangles, lattice.Frame{}).mesh)
			numbers := portalNumbers(ix.geo)
			var changes [][]Replacement
			for range 256 {
				r := rng.Uint32N(uint32(ix.geo.RegionLimit()))
				changes = append(changes, []Replacement{{Base: r, Cells: drawCells(rng, ix.geo, numbers, r)}}, []Replacement{{Base: r, Whole: true}})
			}
			e := NewEditor(ix)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if _, _, err := e.Apply(changes[n%len(changes)]); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}

// BenchmarkPathOnChanged asks an Index that an Editor has made, far from its change.
func BenchmarkPathOnChanged(b *testing.B) {
	benchPath(b, func(q *Query, ctx context.Context, start, goal geom.Vec) (Path, error) {
		if !q.ix.Changed {
			now, _, err := NewEditor(q.own).Apply([]Replacement{{Base: 0, Whole: true}})
			if err != nil {
				return Path{}, err
			}
			q.Use(now)
		}
		return q.Path(ctx, start, goal)
	}, 1+1e-9)
}

package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// BenchmarkToMany finds the lengths to various numbers of goals, in one search and one by one.
func BenchmarkToMany(b *testing.B) {
	for _, w := range benchWorlds {
		for _, goals := range []int{2, 4, 16, 64} {
			rng := rand.New(rand.NewPCG(64, 1))
			g := newGrid(b, rng, 128, 128, w.density, rectangles, lattice.Frame{})
			q := NewIndex(g.mesh).NewQuery()
			var sets [][]geom.Vec
			for range 16 {
				var set []geom.Vec
				for _, p := range pairs(rng, g, goals+1) {
					set = append(set, p.start)
				}
				sets = append(sets, set)
			}
			name := fmt.Sprintf("%s/%d", w.name, goals)
			b.Run(name+"/at once", func(b *testing.B) {
				b.ReportAllocs()
				n, expanded := 0, 0
				for b.Loop() {
					set := sets[n%len(sets)]
					fan, err := q.ToMany(b.Context(), set[0], set[1:])
					if err != nil || len(fan.Costs) != goals {
						b.Fatal(fan, err)
					}
					expanded += fan.Expanded
					n++
				}
				b.ReportMetric(float64(expanded)/float64(n), "expanded/op")
			})
			b.Run(name+"/one by one", func(b *testing.B) {
				n, expanded := 0, 0
				for b.Loop() {
					set := sets[n%len(sets)]
					for _, goal := range set[1:] {
						path, err := q.Path(b.Context(), set[0], goal)
						if err != nil {
							b.Fatal(err)
						}
						expanded += path.Expanded
					}
					n++
				}
				b.ReportMetric(float64(expanded)/float64(n), "expanded/op")
			})
		}
	}
}

// BenchmarkSearch is BenchmarkPath in slices of 32 nodes.
func BenchmarkSearch(b *testing.B) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		s := q.own.NewSearch()
		n, slices := 0, 0
		for b.Loop() {
			p := asked[n%len(asked)]
			if err := s.Begin(p.start, p.goal); err != nil {
				b.Fatal(err)
			}
			for !s.Advance(32) {
				slices++
			}
			if path := s.Path(); !path.Complete {
				b.Fatal(path)
			}
			n++
		}
		b.ReportMetric(float64(slices)/float64(n), "slices/op")
	})
}

// BenchmarkPartialPath asks for unreachable goals beside the mesh, as far away as the mesh is wide.
func BenchmarkPartialPath(b *testing.B) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		n := 0
		for b.Loop() {
			p := asked[n%len(asked)]
			path, err := q.PartialPath(b.Context(), p.start, p.goal.Scale(-1))
			if err != nil || path.Complete || len(path.Points) == 0 {
				b.Fatal(path, err)
			}
			n++
		}
	})
}

// BenchmarkCorridorStep walks along corridors: a move, the next corners, a look ahead.
func BenchmarkCorridorStep(b *testing.B) {
	benchEach(b, func(b *testing.B, q *Query, asked []pair) {
		var c Corridor
		var corners []Corner
		n, plans := 0, 0
		for b.Loop() {
			if n%100 == 0 {
				p := asked[plans%len(asked)]
				plans++
				from, ok := q.Locate(p.start)
				if c.Reset(from); !ok {
					b.Fatal(p)
				}
				if err := c.Plan(b.Context(), q, p.goal); err != nil {
					b.Fatal(err)
				}
			}
			var err error
			if corners, err = c.Corners(q, corners[:0], 3); err != nil {
				b.Fatal(err)
			}
			way := corners[0].Point.Sub(c.Position().Point)
			step := way.Scale(min(1, 0.1/max(math.Hypot(way.X, way.Z), 1e-9)))
			if err := c.MovePosition(q, c.Position().Point.Add(step)); err != nil {
				b.Fatal(err)
			}
			if err := c.OptimizeVisibility(q, corners[len(corners)-1].Point, 10); err != nil {
				b.Fatal(err)
			}
			n++
		}
	})
}

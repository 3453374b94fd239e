package search_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

// sample is a query of the published kind, two connected free cells, with the result of A*.
type sample struct {
	from, to int32
	cost     float64
}

// samples draws queries on one random octile world of 200 × 200 cells until every class of paths
// has some, and returns them by class.
func samples(tb testing.TB, seed uint64, per int) (*search.Graph, search.Estimate, [5][]sample) {
	tb.Helper()
	grid, err := search.RandomGrid(200, 200, seed)
	if err != nil {
		tb.Fatal(err)
	}
	g, e, err := grid.Graph()
	if err != nil {
		tb.Fatal(err)
	}
	var by [5][]sample
	s := search.NewAStar(g, e)
	n := uint64(g.Nodes())
	next := seed
	// A full-period linear congruence of 64 bits: the same pairs everywhere.
	draw := func() int32 {
		next = next*6364136223846793005 + 1442695040888963407
		return int32(next >> 33 % n)
	}
	for range 4000 {
		from, to := draw(), draw()
		r := find(tb, s, from, to)
		if c := search.ClassOf(len(r.Nodes)); r.Found() && len(by[c]) < per {
			by[c] = append(by[c], sample{from, to, r.Cost})
		}
	}
	return g, e, by
}

// BenchmarkOctile has the searchers side by side on octile worlds by class of path (Brand, figures
// 57, 76 and 77), with nodes expanded per query and the cost above that of A*.
func BenchmarkOctile(b *testing.B) {
	g, e, by := samples(b, 1, 40)
	all := exact(g, e)
	sure := len(all)
	all = append(all, published(g, e)...)
	for c, queries := range by {
		if len(queries) == 0 {
			continue
		}
		for k, s := range all {
			b.Run(search.PathClass(c).String()+"/"+s.name, func(b *testing.B) {
				b.ReportAllocs()
				expanded, cost, want, n := 0, 0.0, 0.0, 0
				for i := 0; b.Loop(); i++ {
					q := queries[i%len(queries)]
					r, err := s.Path(context.Background(), q.from, q.to)
					if err != nil {
						b.Fatal(err)
					}
					if !r.Found() || k < sure && math.Abs(r.Cost-q.cost) > 1e-9*q.cost {
						b.Fatalf("from %d to %d: cost %v, A* %v", q.from, q.to, r.Cost, q.cost)
					}
					expanded, cost, want, n = expanded+r.Expanded, cost+r.Cost, want+q.cost, n+1
				}
				b.ReportMetric(float64(expanded)/float64(n), "nodes/op")
				b.ReportMetric(100*(cost/want-1), "%longer")
			})
		}
	}
}

// BenchmarkRelaxation is Brand's figure 57: fringe search by relaxation.
func BenchmarkRelaxation(b *testing.B) {
	g, e, by := samples(b, 1, 20)
	for _, relax := range []struct {
		name string
		by   float64
	}{{"0", 0}, {"1", 1}, {"5", 5}, {"20", 20}, {"80", 80}} {
		for _, form := range []string{"exact", "published"} {
			s := search.NewFringe(g, e, search.FringeOptions{Relax: relax.by, Published: form == "published"})
			b.Run(relax.name+"/"+form, func(b *testing.B) {
				expanded, cost, want, n := 0, 0.0, 0.0, 0
				for b.Loop() {
					for _, queries := range by {
						for _, q := range queries {
							r, err := s.Path(context.Background(), q.from, q.to)
							if err != nil || !r.Found() {
								b.Fatal(err)
							}
							expanded, cost, want, n = expanded+r.Expanded, cost+r.Cost, want+q.cost, n+1
						}
					}
				}
				if form == "exact" && math.Abs(cost-want) > 1e-9*want {
					b.Fatalf("total cost %v, A* %v", cost, want)
				}
				b.ReportMetric(float64(expanded)/float64(n), "nodes/query")
				b.ReportMetric(100*(cost/want-1), "%longer")
			})
		}
	}
}

// BenchmarkPreparation measures the preparation of an unchanging graph, on chambers, per node.
func BenchmarkPreparation(b *testing.B) {
	w, _ := chambers(b, 200, 1)
	nodes := float64(w.graph.Nodes())
	b.Run("contraction", func(b *testing.B) {
		var c *search.Contraction
		for b.Loop() {
			c = contract(b, w.graph)
		}
		b.ReportMetric(float64(c.Bytes())/nodes, "B/node")
		b.ReportMetric(float64(c.Shortcuts())/nodes, "shortcuts/node")
	})
	b.Run("landmarks", func(b *testing.B) {
		var m *search.Landmarks
		for b.Loop() {
			m = landmarks(b, w.graph, 8)
		}
		b.ReportMetric(float64(m.Bytes())/nodes, "B/node")
	})
	b.Run("louvain", func(b *testing.B) {
		var of []int32
		for b.Loop() {
			of = search.Louvain(w.graph, 1)
		}
		b.ReportMetric(float64(slices.Max(of)+1), "clusters")
	})
	small, _ := chambers(b, 24, 1)
	b.Run("girvan-newman of 576 nodes", func(b *testing.B) {
		var of []int32
		for b.Loop() {
			var err error
			if of, err = search.GirvanNewman(b.Context(), small.graph, 0); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(slices.Max(of)+1), "clusters")
	})
}

// BenchmarkPrepared compares the prepared searchers on the same queries.
func BenchmarkPrepared(b *testing.B) {
	g, e, by := samples(b, 1, 40)
	all := []named{
		{"a*", search.NewAStar(g, e)},
		{"a*, 8 landmarks", search.NewAStar(g, landmarks(b, g, 8).Estimate(e))},
		{"parallel fringe, 8 landmarks", search.NewParallelFringe(g, landmarks(b, g, 8).Estimate(e), 5)},
		{"contraction", contract(b, g).NewClimber()},
	}
	for c, queries := range by {
		if len(queries) == 0 {
			continue
		}
		for _, s := range all {
			b.Run(search.PathClass(c).String()+"/"+s.name, func(b *testing.B) {
				expanded, n := 0, 0
				for i := 0; b.Loop(); i++ {
					q := queries[i%len(queries)]
					r, err := s.Path(context.Background(), q.from, q.to)
					if err != nil || math.Abs(r.Cost-q.cost) > 1e-9*q.cost {
						b.Fatalf("from %d to %d: cost %v, A* %v, error %v", q.from, q.to, r.Cost, q.cost, err)
					}
					expanded, n = expanded+r.Expanded, n+1
				}
				b.ReportMetric(float64(expanded)/float64(n), "nodes/op")
			})
		}
	}
}

package search_test

import (
	"context"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/search"
)

// sample is a query of the published kind: two free cells that are joined, and what A* found.
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

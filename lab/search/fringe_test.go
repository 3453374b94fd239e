package search_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
)

// eachQuery calls f for some pairs of nodes of many random worlds with the cost of a cheapest path.
func eachQuery(t *testing.T, worlds uint64, f func(w world, from, to int32, want float64)) {
	t.Helper()
	for seed := range worlds {
		w := randomWorld(t, seed)
		n := int32(w.graph.Nodes())
		for k := range int32(4) {
			from, to := (k*7)%n, (k*13+5)%n
			f(w, from, to, w.bellmanFord(from)[to])
		}
	}
}

func TestFringeExact(t *testing.T) {
	race.Skip(t)
	for _, relax := range []float64{0, 1, 5, 1e9, -3, math.NaN(), math.Inf(1)} {
		eachQuery(t, 600, func(w world, from, to int32, want float64) {
			r := find(t, search.NewFringe(w.graph, w.estimate, search.FringeOptions{Relax: relax}), from, to)
			if !w.same(r.Cost, want) {
				t.Fatalf("%s: relaxation %v: from %d to %d: cost %v, want %v", w.name, relax, from, to, r.Cost, want)
			}
			w.checkPath(t, "fringe", r, from, to)
		})
	}
}

func TestFringePublishedWithoutRelaxation(t *testing.T) {
	eachQuery(t, 2000, func(w world, from, to int32, want float64) {
		r := find(t, search.NewFringe(w.graph, w.estimate, search.FringeOptions{Published: true}), from, to)
		if !w.same(r.Cost, want) {
			t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, want)
		}
		w.checkPath(t, "fringe", r, from, to)
	})
}

func TestFringePublishedBound(t *testing.T) {
	race.Skip(t)
	longer := 0
	for _, relax := range []float64{0.5, 2, 5, 100} {
		eachQuery(t, 1000, func(w world, from, to int32, want float64) {
			o := search.FringeOptions{Relax: relax, Published: true}
			r := find(t, search.NewFringe(w.graph, w.estimate, o), from, to)
			if r.Found() != (want < math.Inf(1)) {
				t.Fatalf("%s: relaxation %v: from %d to %d: found %t, cost %v", w.name, relax, from, to, r.Found(), want)
			}
			if bound := want + float64(r.Passes)*relax; r.Cost > bound+1e-9 {
				t.Fatalf("%s: relaxation %v: from %d to %d: cost %v, bound %v", w.name, relax, from, to, r.Cost, bound)
			}
			if r.Found() && r.Cost > want+1e-9 {
				longer++
			}
			w.checkPath(t, "fringe", r, from, to)
		})
	}
	if longer == 0 {
		t.Error("the relaxation never cost anything: the bound was not tested")
	}
}

func TestParallelFringeRelaxations(t *testing.T) {
	for _, relax := range []float64{0.5, 1, 3, 50, 1e9, -3, math.NaN(), math.Inf(1)} {
		eachQuery(t, 500, func(w world, from, to int32, want float64) {
			r := find(t, search.NewParallelFringe(w.graph, w.estimate, relax), from, to)
			if !w.same(r.Cost, want) {
				t.Fatalf("%s: relaxation %v: from %d to %d: cost %v, want %v", w.name, relax, from, to, r.Cost, want)
			}
			w.checkPath(t, "parallel fringe", r, from, to)
		})
	}
}

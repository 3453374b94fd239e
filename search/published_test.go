package search_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/search"
)

func TestPublishedComplete(t *testing.T) {
	eachQuery(t, 2000, func(w world, from, to int32, want float64) {
		r := find(t, search.NewParallelPublished(w.graph, w.estimate, 5), from, to)
		if r.Found() != (want < math.Inf(1)) {
			t.Fatalf("%s: from %d to %d: found %t, cost %v", w.name, from, to, r.Found(), want)
		}
		w.checkPath(t, "published", r, from, to)
	})
}

func TestPublishedBound(t *testing.T) {
	longer := 0
	for _, relax := range []float64{0, 1, 5} {
		eachQuery(t, 1000, func(w world, from, to int32, want float64) {
			r := find(t, search.NewParallelPublished(w.graph, w.estimate, relax), from, to)
			e := 0.0
			if w.estimate != nil {
				e = w.estimate(from, to)
			}
			if bound := 2*want - e + float64(r.Passes)*relax; r.Found() && r.Cost > bound+1e-9 {
				t.Fatalf("%s: relaxation %v: from %d to %d: cost %v, bound %v", w.name, relax, from, to, r.Cost, bound)
			}
			if r.Found() && r.Cost > want+1e-9 {
				longer++
			}
		})
	}
	if longer == 0 {
		t.Error("stopping early never cost anything: the bound was not tested")
	}
}

package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
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
			s := search.NewParallelPublished(w.graph, w.estimate, relax)
			r := find(t, s, from, to)
			if from%2 == 0 {
				r = find(t, inTurn{s.PathInTurn}, from, to)
			}
			e := 0.0
			if w.estimate != nil {
				e = w.estimate(from, to)
			}
			if bound := 2*want - e + 2*relax; r.Found() && r.Cost > bound+1e-9 {
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

// TestPublishedLengths: on chambers without ways around, paths are less than 0.25 % longer than the shortest, as published.
func TestPublishedLengths(t *testing.T) {
	race.Skip(t)
	longer, all := 0.0, 0.0
	for seed := range uint64(3) {
		c, err := search.RandomChambers(200, 200, 0, seed)
		if err != nil {
			t.Fatal(err)
		}
		g, e, err := c.Graph()
		if err != nil {
			t.Fatal(err)
		}
		s, a := search.NewParallelPublished(g, e, 5), search.NewAStar(g, e)
		r := rand.New(rand.NewPCG(seed, 77))
		for range 30 {
			from, to := int32(r.IntN(g.Nodes())), int32(r.IntN(g.Nodes()))
			if shortest := find(t, a, from, to); shortest.Found() {
				all += shortest.Cost
				longer += find(t, inTurn{s.PathInTurn}, from, to).Cost - shortest.Cost
			}
		}
	}
	if all < 1000 || longer > 0.0025*all {
		t.Errorf("paths of %v in all are longer by %v", all, longer)
	}
}

// inTurn is a parallel searcher on one goroutine.
type inTurn struct {
	find func(ctx context.Context, from, to int32) (search.Result, error)
}

func (s inTurn) Path(ctx context.Context, from, to int32) (search.Result, error) {
	return s.find(ctx, from, to)
}

// TestInTurn: in turn, the exact form is exact, the published form finds every existing path, both repeat their results, and
// no side expands more than one node more than the other.
func TestInTurn(t *testing.T) {
	eachQuery(t, 1500, func(w world, from, to int32, want float64) {
		exact, fast := search.NewParallelFringe(w.graph, w.estimate, 2), search.NewParallelPublished(w.graph, w.estimate, 2)
		for _, s := range []search.Search{inTurn{exact.PathInTurn}, inTurn{fast.PathInTurn}} {
			r := find(t, s, from, to)
			if r.Found() != (want < math.Inf(1)) || r.Cost < want-1e-9 {
				t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, want)
			}
			if 2*r.Busiest > r.Expanded+1 {
				t.Fatalf("%s: from %d to %d: %d of %d nodes by one side", w.name, from, to, r.Busiest, r.Expanded)
			}
			w.checkPath(t, "in turn", r, from, to)
			path := slices.Clone(r.Nodes)
			if again := find(t, s, from, to); !slices.Equal(again.Nodes, path) || again.Expanded != r.Expanded {
				t.Fatalf("%s: from %d to %d: %v, then %v", w.name, from, to, path, again.Nodes)
			}
		}
		if r := find(t, inTurn{exact.PathInTurn}, from, to); !w.same(r.Cost, want) {
			t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, want)
		}
	})
}

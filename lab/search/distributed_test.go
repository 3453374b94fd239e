package search_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
)

// distributions are options of all kinds.
var distributions = []search.DistributedOptions{
	{},
	{Workers: 1},
	{Workers: 2, Relax: 5},
	{Workers: 3, Relax: 1, Reseed: true},
	{Workers: 4, Relax: 5},
	{Workers: 4, Relax: math.Inf(1), Reseed: true},
	{Workers: 7, Relax: math.NaN()},
}

func TestDistributedComplete(t *testing.T) {
	worlds := uint64(100)
	if race.Enabled {
		worlds = 20 // the plain run tests the results
	}
	for _, o := range distributions {
		eachQuery(t, worlds, func(w world, from, to int32, want float64) {
			r := find(t, search.NewDistributed(w.graph, w.estimate, o), from, to)
			if r.Found() != (want < math.Inf(1)) || r.Cost < want-1e-9 {
				t.Fatalf("%s: %+v: from %d to %d: found %t, cost %v of %v", w.name, o, from, to, r.Found(), r.Cost, want)
			}
			w.checkPath(t, "distributed", r, from, to)
		})
	}
}

// distributedOnGrid runs f with searchers of all kinds on a grid large enough to balance lists.
func distributedOnGrid(t *testing.T, f func(o search.DistributedOptions, w world, s *search.Distributed)) {
	t.Helper()
	grid, err := search.RandomGrid(70, 60, 9)
	if err != nil {
		t.Fatal(err)
	}
	g, e, err := grid.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range distributions {
		f(o, world{name: "grid", graph: g, estimate: e}, search.NewDistributed(g, e, o))
	}
}

func TestDistributedExpandsOnce(t *testing.T) {
	distributedOnGrid(t, func(o search.DistributedOptions, w world, s *search.Distributed) {
		exact := search.NewAStar(w.graph, w.estimate)
		pairs := int32(6)
		if race.Enabled {
			pairs = 2 // the plain run tests the results
		}
		for k := range pairs {
			from, to := (k*977)%4200, (k*1613+2400)%4200
			want, got := find(t, exact, from, to), find(t, s, from, to)
			if got.Found() != want.Found() || got.Cost < want.Cost-1e-9 {
				t.Fatalf("%+v: from %d to %d: cost %v of %v", o, from, to, got.Cost, want.Cost)
			}
			if got.Expanded > w.graph.Nodes() {
				t.Fatalf("%+v: %d nodes expanded", o, got.Expanded)
			}
			w.checkPath(t, "distributed", got, from, to)
		}
	})
}

func TestDistributedAlone(t *testing.T) {
	distributedOnGrid(t, func(o search.DistributedOptions, w world, s *search.Distributed) {
		turn := search.Search(inTurn{s.PathInTurn})
		if o.Workers == 1 {
			turn = s
		}
		first := find(t, turn, 5, 4100)
		path := slices.Clone(first.Nodes)
		find(t, s, 4000, 17)
		if again := find(t, turn, 5, 4100); !slices.Equal(again.Nodes, path) || again.Expanded != first.Expanded {
			t.Errorf("%+v: %v, then %v", o, path, again.Nodes)
		}
	})
}

package search_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
)

// named is a searcher with its name.
type named struct {
	name string
	search.Search
}

// exact are all searchers that promise a cheapest path.
func exact(g *search.Graph, e search.Estimate) []named {
	c, err := search.NewContraction(context.Background(), g)
	if err != nil {
		panic(err) // the context is not done
	}
	return append(flooding(g, e), named{"contraction hierarchy", c.NewClimber()})
}

// flooding returns the searchers without preparation.
func flooding(g *search.Graph, e search.Estimate) []named {
	return []named{
		{"dijkstra", search.NewDijkstra(g)},
		{"a*", search.NewAStar(g, e)},
		{"bidirectional", search.NewBidirectional(g, e)},
		{"bidirectional, no estimate", search.NewBidirectional(g, nil)},
		{"fringe", search.NewFringe(g, e, search.FringeOptions{})},
		{"fringe, relaxation 5", search.NewFringe(g, e, search.FringeOptions{Relax: 5})},
		{"parallel", search.NewParallel(g, e)},
		{"parallel, no estimate", search.NewParallel(g, nil)},
		{"parallel fringe", search.NewParallelFringe(g, e, 5)},
		{"parallel fringe, no relaxation", search.NewParallelFringe(g, e, 0)},
		{"parallel fringe, no estimate", search.NewParallelFringe(g, nil, 5)},
	}
}

// published are the searchers whose paths are only nearly cheapest.
func published(g *search.Graph, e search.Estimate) []named {
	return []named{
		{"fringe as published", search.NewFringe(g, e, search.FringeOptions{Relax: 5, Published: true})},
		{"parallel as published", search.NewParallelPublished(g, e, 5)},
		{"distributed, 2 workers", search.NewDistributed(g, e, search.DistributedOptions{Relax: 5})},
		{"distributed, 4 workers", search.NewDistributed(g, e, search.DistributedOptions{Workers: 4, Relax: 5, Reseed: true})},
	}
}

// guided are the searchers that an overview leads, of clusters of a hundred nodes each; ripples only where the graph is
// symmetric.
func guided(t testing.TB, g *search.Graph, e search.Estimate) []named {
	t.Helper()
	of := make([]int32, g.Nodes())
	for i := range of {
		of[i] = int32(i) / 100
	}
	o, err := search.NewOverview(g, of)
	if err != nil {
		t.Fatal(err)
	}
	list := []named{{"hierarchy", newHierarchy(t, g, e, o, search.HierarchyOptions{Relax: 2})}}
	if s, err := search.NewRipple(g, e, o, search.RippleOptions{Relax: 5}); err == nil {
		list = append(list, named{"ripple", s})
	}
	return list
}

func find(t testing.TB, s search.Search, from, to int32) search.Result {
	t.Helper()
	r, err := s.Path(t.Context(), from, to)
	if err != nil {
		t.Fatalf("from %d to %d: %v", from, to, err)
	}
	return r
}

func TestDijkstraAgainstBellmanFord(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(500) {
		w := randomWorld(t, seed)
		s := search.NewDijkstra(w.graph)
		for from := range int32(w.graph.Nodes()) {
			want := w.bellmanFord(from)
			for to, c := range want {
				if r := find(t, s, from, int32(to)); !w.same(r.Cost, c) {
					t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, c)
				}
			}
		}
	}
}

func TestAllAgree(t *testing.T) {
	worlds := uint64(1200)
	if race.Enabled {
		worlds = 120 // the plain run tests the results
	}
	for seed := range worlds {
		w := randomWorld(t, seed)
		all := exact(w.graph, w.estimate)
		n := int32(w.graph.Nodes())
		for k := range int32(6) {
			from, to := (k*7)%n, (k*13+5)%n
			want := w.bellmanFord(from)[to]
			for _, s := range all {
				r := find(t, s, from, to)
				if !w.same(r.Cost, want) {
					t.Fatalf("%s: %s: from %d to %d: cost %v, want %v", w.name, s.name, from, to, r.Cost, want)
				}
				w.checkPath(t, s.name, r, from, to)
			}
		}
	}
}

// TestAllAgreeOnGrids searches worlds large enough for the sides to meet far from both ends.
func TestAllAgreeOnGrids(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(4) {
		grid, err := search.RandomGrid(60, 50, seed)
		if err != nil {
			t.Fatal(err)
		}
		g, e, err := grid.Graph()
		if err != nil {
			t.Fatal(err)
		}
		w := world{name: "grid", graph: g}
		all := exact(g, e)
		for k := range int32(30) {
			from, to := (k*977)%3000, (k*1613+2400)%3000
			want := find(t, all[0], from, to).Cost
			for _, s := range all[1:] {
				r := find(t, s, from, to)
				if !w.same(r.Cost, want) {
					t.Fatalf("grid %d: %s: from %d to %d: cost %v, want %v", seed, s.name, from, to, r.Cost, want)
				}
				w.checkPath(t, s.name, r, from, to)
			}
		}
	}
}

// TestAStarInconsistent uses an estimate that is exact for every third node and 0 for the others.
func TestAStarInconsistent(t *testing.T) {
	for seed := range uint64(300) {
		w := randomWorld(t, seed)
		n := int32(w.graph.Nodes())
		exactCost := make([][]float64, n)
		for from := range n {
			exactCost[from] = w.bellmanFord(from)
		}
		s := search.NewAStar(w.graph, func(a, b int32) float64 {
			if a%3 != 0 {
				return 0
			}
			return exactCost[a][b]
		})
		for from := range n {
			to := (from*5 + 3) % n
			if r := find(t, s, from, to); !w.same(r.Cost, exactCost[from][to]) {
				t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, exactCost[from][to])
			}
		}
	}
}

// expandsOnce fails if the searcher expands more nodes than the graph has.
func expandsOnce(t *testing.T, make func(w world) search.Search) {
	t.Helper()
	for seed := range uint64(1000) {
		w := randomWorld(t, seed)
		if !w.whole {
			continue // rounding makes an estimate slightly inconsistent
		}
		s := make(w)
		n := w.graph.Nodes()
		for k := range 4 {
			if r := find(t, s, int32(k%n), int32((k*11+3)%n)); r.Expanded > n {
				t.Fatalf("%s: %d nodes expanded", w.name, r.Expanded)
			}
		}
	}
}

func TestAStarExpandsOnce(t *testing.T) {
	expandsOnce(t, func(w world) search.Search { return search.NewAStar(w.graph, w.estimate) })
}

func TestBidirectionalExpandsOnce(t *testing.T) {
	expandsOnce(t, func(w world) search.Search { return search.NewBidirectional(w.graph, w.estimate) })
}

// TestNoPathEndsEarly asks for a node that nothing leads to: the goal's side is empty at once.
func TestNoPathEndsEarly(t *testing.T) {
	var edges []search.Edge
	for i := range int32(1000) {
		edges = append(edges, search.Edge{From: i, To: (i + 1) % 1000, Cost: 1})
	}
	g, err := search.NewGraph(1001, edges)
	if err != nil {
		t.Fatal(err)
	}
	if r := find(t, search.NewBidirectional(g, nil), 0, 1000); r.Found() || r.Expanded > 2 {
		t.Fatalf("got %+v", r)
	}
	if r := find(t, search.NewAStar(g, nil), 0, 1000); r.Found() || r.Expanded != 1000 {
		t.Fatalf("got %+v", r)
	}
}

func TestPathErrors(t *testing.T) {
	g, err := search.NewGraph(3, []search.Edge{{From: 0, To: 1, Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range slices.Concat(exact(g, nil), published(g, nil), guided(t, g, nil)) {
		for _, bad := range [][2]int32{{-1, 0}, {0, -1}, {3, 0}, {0, 3}} {
			if _, err := s.Path(t.Context(), bad[0], bad[1]); !errors.Is(err, search.ErrNode) {
				t.Errorf("%s: %v: error %v", s.name, bad, err)
			}
		}
		if _, err := s.Path(done, 0, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: error %v", s.name, err)
		}
		if r := find(t, s, 2, 2); len(r.Nodes) != 1 || r.Nodes[0] != 2 || r.Cost != 0 {
			t.Errorf("%s: from 2 to 2: %+v", s.name, r)
		}
	}
}

// countdown is a context that is done after its error has been asked for a number of times.
type countdown struct {
	context.Context
	asked atomic.Int32
	last  int32
}

func (c *countdown) Err() error {
	if c.asked.Add(1) > c.last {
		return context.Canceled
	}
	return nil
}

// TestCancelled stops searches on their way, and checks that the searcher works afterwards.
func TestCancelled(t *testing.T) {
	grid, err := search.RandomGrid(80, 80, 3)
	if err != nil {
		t.Fatal(err)
	}
	clear(grid.Blocked)
	g, _, err := grid.Graph()
	if err != nil {
		t.Fatal(err)
	}
	sure := len(flooding(g, nil))
	for i, s := range slices.Concat(flooding(g, nil), published(g, nil), guided(t, g, nil)) {
		if _, err := s.Path(&countdown{Context: t.Context(), last: 3}, 0, 6399); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", s.name, err)
		}
		if r := find(t, s, 0, 79); len(r.Nodes) < 80 || r.Cost < 79 || i < sure && r.Cost > 79 {
			t.Errorf("%s: after cancellation: %d nodes, cost %v", s.name, len(r.Nodes), r.Cost)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	race.Skip(t)
	grid, err := search.RandomGrid(40, 40, 5)
	if err != nil {
		t.Fatal(err)
	}
	g, e, err := grid.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range slices.Concat(exact(g, e), published(g, e), guided(t, g, e)) {
		k := int32(0)
		// The first call of AllocsPerRun warms up with the same pairs as the measurement.
		round := func() {
			for k = range 10 {
				if _, err := s.Path(context.Background(), (k*977)%1600, (k*1613+900)%1600); err != nil {
					t.Error(err)
				}
			}
		}
		// The needs of sides on two goroutines depend on their speeds, so growth may take several rounds.
		got := 1.0
		for try := 0; got > 0 && try < 10; try++ {
			got = testing.AllocsPerRun(5, round)
		}
		if got != 0 {
			t.Errorf("%s: %v allocations in 10 searches", s.name, got)
		}
	}
}

package search_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

// betweenEnds are some starts and goals in a world, some of them out of reach, twice the same, or both.
func betweenEnds(seed uint64, n int32) (ends [2][]search.End) {
	for d := range ends {
		for k := range int32(seed%4) + 1 {
			ends[d] = append(ends[d], search.End{Node: (k*7 + int32(seed) + 3*int32(d)) % n, Cost: float64((k*5 + int32(seed)) % 11)})
		}
	}
	return ends
}

// TestBetween compares paths between several ends, with and without an estimate, with the cheapest of all pairs.
func TestBetween(t *testing.T) {
	for seed := range uint64(600) {
		w := randomWorld(t, seed)
		ends := betweenEnds(seed, int32(w.graph.Nodes()))
		s := search.NewAStar(w.graph, nil)
		want := math.Inf(1)
		for _, a := range ends[0] {
			cost := w.bellmanFord(a.Node)
			for _, b := range ends[1] {
				want = min(want, a.Cost+cost[b.Node]+b.Cost)
			}
		}
		guided := func(n int32) float64 {
			least := math.Inf(1)
			for _, e := range ends[1] {
				least = min(least, w.estimate(n, e.Node)+e.Cost)
			}
			return least
		}
		rests := []func(int32) float64{nil}
		if w.estimate != nil {
			rests = append(rests, guided)
		}
		for _, rest := range rests {
			r, err := s.Between(t.Context(), ends[0], ends[1], rest)
			if err != nil || !w.same(r.Cost, want) || r.Found() != !math.IsInf(want, 1) {
				t.Fatalf("%s: between %v and %v: cost %v, want %v, error %v", w.name, ends[0], ends[1], r.Cost, want, err)
			}
			if !r.Found() {
				continue
			}
			first, last := r.Nodes[0], r.Nodes[len(r.Nodes)-1]
			r.Cost -= leastAt(ends[0], first) + leastAt(ends[1], last)
			w.whole = false // the difference is rounded
			w.checkPath(t, "between", r, first, last)
		}
		// Each search forgets the goals of the last.
		if r, err := s.Between(t.Context(), ends[0], nil, nil); err != nil || r.Found() {
			t.Fatalf("%s: to nowhere: %+v, %v", w.name, r, err)
		}
	}
}

// leastAt returns the least cost of the ends at a node.
func leastAt(ends []search.End, node int32) float64 {
	least := math.Inf(1)
	for _, e := range ends {
		if e.Node == node {
			least = min(least, e.Cost)
		}
	}
	return least
}

func TestBetweenRefuses(t *testing.T) {
	g, err := search.NewGraph(2, []search.Edge{{From: 0, To: 1, Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := search.NewAStar(g, nil)
	ok := []search.End{{Node: 0}}
	for _, bad := range [][]search.End{{{Node: -1}}, {{Node: 2}}, {{Node: 0, Cost: -1}}, {{Node: 0, Cost: math.NaN()}}} {
		if _, err := s.Between(t.Context(), ok, bad, nil); err == nil {
			t.Errorf("to %v: no error", bad)
		}
		if _, err := s.Between(t.Context(), bad, ok, nil); err == nil {
			t.Errorf("from %v: no error", bad)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Between(stopped, ok, ok, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if r, err := s.Between(t.Context(), ok, ok, nil); err != nil || len(r.Nodes) != 1 || r.Cost != 0 {
		t.Errorf("from a node to itself: %+v, %v", r, err)
	}
}

func TestBetweenAllocatesNothing(t *testing.T) {
	grid, err := search.RandomGrid(40, 40, 5)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := grid.Graph()
	if err != nil {
		t.Fatal(err)
	}
	s := search.NewAStar(g, nil)
	from, to := []search.End{{Node: 0}, {Node: 5, Cost: 2}}, []search.End{{Node: 1590}, {Node: 1599, Cost: 1}}
	if n := testing.AllocsPerRun(10, func() {
		if _, err := s.Between(context.Background(), from, to, nil); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

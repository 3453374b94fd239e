package search_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
)

// contract returns the hierarchy of a graph.
func contract(t testing.TB, g *search.Graph) *search.Contraction {
	t.Helper()
	c, err := search.NewContraction(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestContractionAgainstDijkstra asks for all pairs of nodes, of graphs with and without directions.
func TestContractionAgainstDijkstra(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(400) {
		w := randomWorld(t, seed)
		if seed%2 == 0 {
			w = symmetric(t, seed)
		}
		s := contract(t, w.graph).NewClimber()
		for from := range int32(w.graph.Nodes()) {
			for to, want := range w.bellmanFord(from) {
				r := find(t, s, from, int32(to))
				if !w.same(r.Cost, want) {
					t.Fatalf("%s: from %d to %d: cost %v, want %v", w.name, from, to, r.Cost, want)
				}
				w.checkPath(t, "contraction", r, from, int32(to))
			}
		}
	}
}

// TestContractionOnChambers compares with A* in chambers, where the hierarchy has many levels.
func TestContractionOnChambers(t *testing.T) {
	race.Skip(t)
	w, _ := chambers(t, 90, 3)
	c := contract(t, w.graph)
	s, a := c.NewClimber(), search.NewAStar(w.graph, w.estimate)
	climbed, flooded := 0, 0
	for k := range int32(200) {
		from, to := (k*977)%8100, (k*1613+5400)%8100
		want, got := find(t, a, from, to), find(t, s, from, to)
		if math.Abs(want.Cost-got.Cost) > 1e-9*(1+want.Cost) && want.Found() || want.Found() != got.Found() {
			t.Fatalf("from %d to %d: cost %v, want %v", from, to, got.Cost, want.Cost)
		}
		w.checkPath(t, "contraction", got, from, to)
		climbed, flooded = climbed+got.Expanded, flooded+want.Expanded
	}
	if climbed*5 > flooded {
		t.Errorf("%d nodes expanded, A* expands %d", climbed, flooded)
	}
	if per := c.Bytes() / w.graph.Nodes(); per < 16 || per > 200 {
		t.Errorf("%d bytes per node", per)
	}
}

// TestContractionBetween compares paths between several ends, some of them out of reach, with the cheapest of all pairs.
func TestContractionBetween(t *testing.T) {
	for seed := range uint64(600) {
		w := randomWorld(t, seed)
		n := int32(w.graph.Nodes())
		s := contract(t, w.graph).NewClimber()
		var ends [2][]search.End
		for d := range ends {
			for k := range int32(seed%4) + 1 {
				ends[d] = append(ends[d], search.End{Node: (k*7 + int32(seed) + 3*int32(d)) % n, Cost: float64((k*5 + int32(seed)) % 11)})
			}
		}
		want := math.Inf(1)
		for _, a := range ends[0] {
			cost := w.bellmanFord(a.Node)
			for _, b := range ends[1] {
				want = min(want, a.Cost+cost[b.Node]+b.Cost)
			}
		}
		r, err := s.Between(t.Context(), ends[0], ends[1])
		if err != nil || !w.same(r.Cost, want) {
			t.Fatalf("%s: between %v and %v: cost %v, want %v, error %v", w.name, ends[0], ends[1], r.Cost, want, err)
		}
		if !r.Found() {
			continue
		}
		least := [2]float64{math.Inf(1), math.Inf(1)}
		for d, node := range [2]int32{r.Nodes[0], r.Nodes[len(r.Nodes)-1]} {
			for _, e := range ends[d] {
				if e.Node == node {
					least[d] = min(least[d], e.Cost)
				}
			}
		}
		r.Cost -= least[0] + least[1]
		w.whole = false // the difference is rounded
		w.checkPath(t, "between", r, r.Nodes[0], r.Nodes[len(r.Nodes)-1])
	}
}

func TestContractionBetweenRefuses(t *testing.T) {
	g, err := search.NewGraph(2, []search.Edge{{From: 0, To: 1, Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := contract(t, g).NewClimber()
	ok := []search.End{{Node: 0}}
	for _, bad := range [][]search.End{{{Node: -1}}, {{Node: 2}}, {{Node: 0, Cost: -1}}, {{Node: 0, Cost: math.NaN()}}} {
		if _, err := s.Between(t.Context(), ok, bad); err == nil {
			t.Errorf("to %v: no error", bad)
		}
		if _, err := s.Between(t.Context(), bad, ok); err == nil {
			t.Errorf("from %v: no error", bad)
		}
	}
	if r, err := s.Between(t.Context(), ok, nil); err != nil || r.Found() {
		t.Errorf("to nowhere: %+v, %v", r, err)
	}
}

func TestContractionEndsEarly(t *testing.T) {
	var edges []search.Edge
	for i := range int32(1000) {
		if i%500 != 499 {
			edges = append(edges, search.Edge{From: i, To: i + 1, Cost: 1}, search.Edge{From: i + 1, To: i, Cost: 1})
		}
	}
	g, err := search.NewGraph(1000, edges)
	if err != nil {
		t.Fatal(err)
	}
	c := contract(t, g)
	if r := find(t, c.NewClimber(), 3, 997); r.Found() || r.Expanded != 0 || c.Connected(3, 997) {
		t.Errorf("got %+v", r)
	}
	if !c.Connected(0, 499) || !c.Connected(500, 999) {
		t.Error("islands are not connected")
	}
}

// TestContractionIsTheSameAgain compares paths and counts of two hierarchies of the same graph.
func TestContractionIsTheSameAgain(t *testing.T) {
	w, _ := chambers(t, 60, 5)
	a, b := contract(t, w.graph), contract(t, w.graph)
	if a.Shortcuts() != b.Shortcuts() || a.Shortcuts() == 0 || a.Bytes() != b.Bytes() {
		t.Fatalf("%d and %d shortcuts, %d and %d bytes", a.Shortcuts(), b.Shortcuts(), a.Bytes(), b.Bytes())
	}
	x, y := a.NewClimber(), b.NewClimber()
	for k := range int32(100) {
		from, to := (k*977)%3600, (k*1613+2400)%3600
		p, q := find(t, x, from, to), find(t, y, from, to)
		if p.Cost != q.Cost || p.Expanded != q.Expanded || !slices.Equal(p.Nodes, q.Nodes) {
			t.Fatalf("from %d to %d: %+v and %+v", from, to, p, q)
		}
	}
}

func TestContractionCancelled(t *testing.T) {
	w, _ := chambers(t, 60, 5)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.NewContraction(done, w.graph); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestBusiest checks that no goroutine is said to do more than all, or nothing where something was done.
func TestBusiest(t *testing.T) {
	race.Skip(t)
	w, _ := chambers(t, 60, 1)
	all := slices.Concat(exact(w.graph, w.estimate), published(w.graph, w.estimate), guided(t, w.graph, w.estimate))
	for k := range int32(20) {
		from, to := (k*977)%3600, (k*1613+2400)%3600
		for i, s := range all {
			r := find(t, s, from, to)
			if r.Busiest > r.Expanded || r.Busiest == 0 && r.Expanded > 0 || i < 3 && r.Busiest != r.Expanded {
				t.Fatalf("%s: from %d to %d: %d of %d nodes by the busiest", s.name, from, to, r.Busiest, r.Expanded)
			}
		}
	}
}

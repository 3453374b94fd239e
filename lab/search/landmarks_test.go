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

func landmarks(t testing.TB, g *search.Graph, count int) *search.Landmarks {
	t.Helper()
	m, err := search.NewLandmarks(t.Context(), g, count)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLandmarksAreConsistent compares the estimate with the costs of all pairs of nodes and along all edges.
func TestLandmarksAreConsistent(t *testing.T) {
	for seed := range uint64(300) {
		w := randomWorld(t, seed)
		if seed%3 == 0 {
			w = symmetric(t, seed)
		}
		m := landmarks(t, w.graph, 1+int(seed%6))
		if again := landmarks(t, w.graph, 1+int(seed%6)); !slices.Equal(m.Nodes(), again.Nodes()) {
			t.Fatalf("%s: landmarks %v, then %v", w.name, m.Nodes(), again.Nodes())
		}
		e := m.Estimate(w.estimate)
		n := int32(w.graph.Nodes())
		for from := range n {
			cost := w.bellmanFord(from)
			for to := range n {
				if h := e(from, to); !(h >= 0) || h > cost[to]+1e-9 {
					t.Fatalf("%s: from %d to %d: estimate %v, cost %v", w.name, from, to, h, cost[to])
				}
			}
			if e(from, from) != 0 {
				t.Fatalf("%s: from %d to itself: estimate %v", w.name, from, e(from, from))
			}
		}
		for _, edge := range w.edges {
			for to := range n {
				if e(edge.From, to) > edge.Cost+e(edge.To, to)+1e-9 {
					t.Fatalf("%s: edge %+v: estimates %v and %v of %d", w.name, edge, e(edge.From, to), e(edge.To, to), to)
				}
			}
		}
	}
}

// TestLandmarksHelp compares the expanded nodes of A* among chambers, and its costs.
func TestLandmarksHelp(t *testing.T) {
	race.Skip(t)
	w, _ := chambers(t, 100, 4)
	m := landmarks(t, w.graph, 8)
	plain, helped := search.NewAStar(w.graph, w.estimate), search.NewAStar(w.graph, m.Estimate(w.estimate))
	sum, less := 0, 0
	for k := range int32(60) {
		from, to := (k*977)%10000, (k*1613+5400)%10000
		a, b := find(t, plain, from, to), find(t, helped, from, to)
		if a.Found() != b.Found() || a.Found() && math.Abs(a.Cost-b.Cost) > 1e-9*a.Cost {
			t.Fatalf("from %d to %d: cost %v with landmarks, %v without", from, to, b.Cost, a.Cost)
		}
		if a.Found() {
			sum, less = sum+a.Expanded, less+b.Expanded
		}
	}
	if less*2 > sum {
		t.Errorf("%d nodes expanded with landmarks, %d without", less, sum)
	}
	if want := 8 * 8 * w.graph.Nodes(); m.Bytes() != want {
		t.Errorf("%d bytes, want %d", m.Bytes(), want)
	}
}

func TestLandmarksDegenerate(t *testing.T) {
	empty, err := search.NewGraph(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := landmarks(t, empty, 3); len(m.Nodes()) != 0 {
		t.Errorf("landmarks %v of no nodes", m.Nodes())
	}
	islands, err := search.NewGraph(5, []search.Edge{{From: 0, To: 1, Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := landmarks(t, islands, 99)
	if e := m.Estimate(nil); len(m.Nodes()) != 5 || e(0, 1) != 1 || !math.IsInf(e(1, 0), 1) || !math.IsInf(e(2, 3), 1) {
		t.Errorf("%d landmarks, estimates %v %v %v", len(m.Nodes()), e(0, 1), e(1, 0), e(2, 3))
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.NewLandmarks(done, islands, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestAllAgreeWithLandmarks has all searchers use the estimate, which is infinite where no path exists.
func TestAllAgreeWithLandmarks(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(600) {
		w := randomWorld(t, seed)
		e := landmarks(t, w.graph, 1+int(seed%4)).Estimate(w.estimate)
		w.whole = false // differences of costs are rounded
		n := int32(w.graph.Nodes())
		all := append(flooding(w.graph, e), published(w.graph, e)...)
		sure := len(flooding(w.graph, e))
		for k := range int32(4) {
			from, to := (k*7)%n, (k*13+5)%n
			want := w.bellmanFord(from)[to]
			for i, s := range all {
				r := find(t, s, from, to)
				if r.Found() != (want < math.Inf(1)) || i < sure && !w.same(r.Cost, want) {
					t.Fatalf("%s: %s: from %d to %d: cost %v, want %v", w.name, s.name, from, to, r.Cost, want)
				}
				w.checkPath(t, s.name, r, from, to)
			}
		}
	}
}

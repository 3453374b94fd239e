package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// twoWay returns a random graph whose edges go both ways, in several parts, with edges of cost 0 and edges twice.
func twoWay(t *testing.T, rng *rand.Rand, nodes, edges int) *Graph {
	t.Helper()
	var list []Edge
	for range edges {
		a, b := int32(rng.IntN(nodes)), int32(rng.IntN(nodes))
		if nodes > 10 && a%7 == 0 != (b%7 == 0) {
			continue // another part
		}
		cost := float64(rng.IntN(10)) + float64(rng.IntN(2))*rng.Float64()
		list = append(list, Edge{a, b, cost}, Edge{b, a, cost})
	}
	g, err := NewGraph(nodes, list)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHubLabelsAgainstDijkstra compares costs and paths of all pairs of nodes.
func TestHubLabelsAgainstDijkstra(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	joined, apart := 0, 0
	for round := range 40 {
		nodes := 1 + rng.IntN(60)
		g := twoWay(t, rng, nodes, rng.IntN(4*nodes))
		h, err := NewHubLabels(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		all, err := AllCosts(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		d := NewDijkstra(g)
		for a := range int32(nodes) {
			for b := range int32(nodes) {
				want, err := d.Path(t.Context(), a, b)
				if err != nil {
					t.Fatal(err)
				}
				path := h.AppendPath(nil, a, b)
				if got := all[int(a)*nodes+int(b)]; want.Nodes == nil != math.IsInf(got, 1) || want.Nodes != nil && math.Abs(got-want.Cost) > 1e-12*(1+want.Cost) {
					t.Fatalf("graph %d, %d to %d: all costs say %v, want %v", round, a, b, got, want.Cost)
				}
				if want.Nodes == nil {
					apart++
					if got := h.Cost(a, b); !math.IsInf(got, 1) || path != nil {
						t.Fatalf("graph %d, %d to %d: cost %v by %v, but no path", round, a, b, got, path)
					}
					continue
				}
				joined++
				if got := h.Cost(a, b); math.Abs(got-want.Cost) > 1e-12*(1+want.Cost) {
					t.Fatalf("graph %d, %d to %d: cost %v, want %v", round, a, b, got, want.Cost)
				}
				if path[0] != a || path[len(path)-1] != b || math.Abs(g.sum(path)-want.Cost) > 1e-12*(1+want.Cost) {
					t.Fatalf("graph %d, %d to %d: path %v of cost %v, want %v of %v", round, a, b, path, g.sum(path), want.Nodes, want.Cost)
				}
			}
		}
	}
	if joined < 1000 || apart < 1000 {
		t.Errorf("only %d pairs joined, %d apart", joined, apart)
	}
}

// TestHubLabelsRefuse has edges that go one way, or at another price back, and a context that is done.
func TestHubLabelsRefuse(t *testing.T) {
	for _, edges := range [][]Edge{{{0, 1, 1}}, {{0, 1, 1}, {1, 0, 2}}} {
		g, err := NewGraph(2, edges)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewHubLabels(t.Context(), g); err == nil || !strings.Contains(err.Error(), "edge from node 0 to 1") {
			t.Errorf("%v: %v", edges, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	g := twoWay(t, rand.New(rand.NewPCG(1, 1)), 20, 40)
	if _, err := NewHubLabels(ctx, g); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := AllCosts(ctx, g); !errors.Is(err, context.Canceled) {
		t.Errorf("all costs, cancelled: %v", err)
	}
}

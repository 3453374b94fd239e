package graph_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/lab/search"
)

// TestAllCostsAgainstDijkstra compares all pairs of nodes of random graphs, with edges of cost 0, parallel ones and
// several parts.
func TestAllCostsAgainstDijkstra(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	joined, apart := 0, 0
	for round := range 30 {
		nodes := 1 + rng.IntN(40)
		var edges []graph.Edge
		for range rng.IntN(3 * nodes) {
			edges = append(edges, graph.Edge{int32(rng.IntN(nodes)), int32(rng.IntN(nodes)), float64(rng.IntN(10)) * rng.Float64()})
		}
		g, err := graph.New(nodes, edges)
		if err != nil {
			t.Fatal(err)
		}
		all, err := graph.AllCosts(t.Context(), g, 0, g.Nodes())
		if err != nil {
			t.Fatal(err)
		}
		d := search.NewDijkstra(g)
		for a := range int32(nodes) {
			for b := range int32(nodes) {
				want, err := d.Path(t.Context(), a, b)
				if err != nil {
					t.Fatal(err)
				}
				got := all[int(a)*nodes+int(b)]
				if want.Nodes == nil {
					apart++
					want.Cost = math.Inf(1)
				} else {
					joined++
				}
				if got != want.Cost {
					t.Fatalf("graph %d, %d to %d: %v, want %v", round, a, b, got, want.Cost)
				}
			}
		}
	}
	if joined < 1000 || apart < 1000 {
		t.Errorf("only %d pairs joined, %d apart", joined, apart)
	}
	g, err := graph.New(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := graph.AllCosts(ctx, g, 0, g.Nodes()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

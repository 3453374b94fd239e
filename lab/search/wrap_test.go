package search

import (
	"math"
	"testing"
)

// TestGenerationsWrap runs searches over the point where the numbers of searches start again, with
// labels and marks of all early numbers lying about.
func TestGenerationsWrap(t *testing.T) {
	var edges []Edge
	for i := range int32(49) {
		edges = append(edges, Edge{From: i, To: i + 1, Cost: 1}, Edge{From: i + 1, To: i, Cost: 1})
	}
	g, err := NewGraph(51, edges)
	if err != nil {
		t.Fatal(err)
	}
	dijkstra, parallel, published := NewDijkstra(g), NewParallel(g, nil), NewParallelPublished(g, nil, 0)
	lists := NewParallelFringe(g, nil, 2)
	round := func() {
		for k := range int32(6) {
			for _, s := range []Search{dijkstra, parallel, published, lists} {
				if r, err := s.Path(t.Context(), k, 49-k); err != nil || r.Cost != float64(49-2*k) {
					t.Fatalf("%T: cost %v, error %v", s, r.Cost, err)
				}
				if r, err := s.Path(t.Context(), k, 50); err != nil || r.Found() {
					t.Fatalf("%T: found %v, error %v", s, r.Nodes, err)
				}
			}
		}
	}
	round()
	dijkstra.labels.gen = math.MaxUint32 - 5
	published.search = math.MaxUint32 - 3
	for d := range 2 {
		parallel.side[d].labels.gen = math.MaxUint32 - 5
		published.side[d].labels.gen = math.MaxUint32 - 5
		lists.side[d].labels.gen = math.MaxUint32 - 5
	}
	round()
	if dijkstra.labels.gen > 100 || parallel.side[1].labels.gen > 100 || lists.side[1].labels.gen > 100 || published.search > 100 {
		t.Error("the numbers of searches did not start again")
	}
}

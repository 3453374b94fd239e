package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

// world is a graph with a consistent estimate.
type world struct {
	name     string
	graph    *search.Graph
	edges    []search.Edge
	estimate search.Estimate
	whole    bool // all costs and estimates are whole numbers: sums are exact
}

// randomWorld returns a graph of one of five kinds: directed, often disconnected, with edges of cost 0,
// parallel edges, edges from a node to itself, and many equally cheap paths.
func randomWorld(t testing.TB, seed uint64) world {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	n := 1 + r.IntN(40)
	m := r.IntN(4 * n)
	w := world{whole: true}
	kind := seed % 5
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range n {
		xs[i], ys[i] = float64(r.IntN(12)), float64(r.IntN(12))
		if kind == 4 {
			xs[i], ys[i] = 12*r.Float64(), 12*r.Float64()
		}
	}
	euclid := search.Euclid(xs, ys)
	manhattan := func(a, b int32) float64 { return math.Abs(xs[a]-xs[b]) + math.Abs(ys[a]-ys[b]) }
	for range m {
		e := search.Edge{From: int32(r.IntN(n)), To: int32(r.IntN(n))}
		switch kind {
		case 0: // small costs, many ties and zeros
			e.Cost = float64(r.IntN(3))
		case 1: // costs of any size
			e.Cost = float64(r.IntN(1000))
		case 2: // lengths of streets, estimate sharp
			e.Cost = manhattan(e.From, e.To)
		case 3: // lengths of streets with penalties
			e.Cost = manhattan(e.From, e.To) + float64(r.IntN(2)*r.IntN(9))
		case 4: // lengths, rounded
			e.Cost = euclid(e.From, e.To) * (1 + float64(r.IntN(2)))
		}
		w.edges = append(w.edges, e)
		if kind >= 2 && r.IntN(3) > 0 {
			w.edges = append(w.edges, search.Edge{From: e.To, To: e.From, Cost: e.Cost})
		}
	}
	switch kind {
	case 2, 3:
		w.estimate = manhattan
	case 4:
		w.estimate, w.whole = euclid, false
	}
	w.name = fmt.Sprintf("seed %d, kind %d, %d nodes, %d edges", seed, kind, n, len(w.edges))
	g, err := search.NewGraph(n, w.edges)
	if err != nil {
		t.Fatalf("%s: %v", w.name, err)
	}
	w.graph = g
	return w
}

// same reports whether two costs are equal, up to rounding where costs are not whole.
func (w world) same(a, b float64) bool {
	return a == b || !w.whole && math.Abs(a-b) <= 1e-12*(1+math.Abs(a))
}

// bellmanFord is the oracle: the costs from one node to all, by relaxing every edge until nothing
// changes.
func (w world) bellmanFord(from int32) []float64 {
	cost := make([]float64, w.graph.Nodes())
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	cost[from] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range w.edges {
			if c := cost[e.From] + e.Cost; c < cost[e.To] {
				cost[e.To], changed = c, true
			}
		}
	}
	return cost
}

// checkPath fails if the nodes are not a path in the graph whose cheapest edges add up to the result's cost.
func (w world) checkPath(t *testing.T, who string, r search.Result, from, to int32) {
	t.Helper()
	if !r.Found() {
		if !math.IsInf(r.Cost, 1) {
			t.Fatalf("%s: %s: no path, cost %v", w.name, who, r.Cost)
		}
		return
	}
	if r.Nodes[0] != from || r.Nodes[len(r.Nodes)-1] != to {
		t.Fatalf("%s: %s: path %v does not lead from %d to %d", w.name, who, r.Nodes, from, to)
	}
	sum := 0.0
	for i := 1; i < len(r.Nodes); i++ {
		best := math.Inf(1)
		targets, costs := w.graph.From(r.Nodes[i-1])
		for k, v := range targets {
			if v == r.Nodes[i] {
				best = min(best, costs[k])
			}
		}
		sum += best
	}
	if !w.same(r.Cost, sum) {
		t.Fatalf("%s: %s: cost %v, the edges of %v sum to %v", w.name, who, r.Cost, r.Nodes, sum)
	}
}

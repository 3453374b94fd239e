package prepared

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/meadow-nav/meadow/internal/graph"
)

// TestStepsAgainstDijkstra follows the steps between all pairs of nodes, on grids with gaps, where many ways are equally long, and on
// random graphs in several parts, some with a node of hundreds of edges. The sums are the distances.
func TestStepsAgainstDijkstra(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 1))
	apart := 0
	for world := range 40 {
		n := 2 + rng.IntN(400)
		var edges []graph.Edge
		join := func(a, b int, cost float64) {
			edges = append(edges, graph.Edge{From: int32(a), To: int32(b), Cost: cost}, graph.Edge{From: int32(b), To: int32(a), Cost: cost})
		}
		for a := range n {
			switch {
			case world%2 == 0:
				if a%12 > 0 && rng.IntN(5) > 0 {
					join(a-1, a, 1)
				}
				if a >= 12 && rng.IntN(5) > 0 {
					join(a-12, a, 1)
				}
			case world%4 == 1 && a > 0:
				join(0, a, 100+rng.Float64())
				fallthrough
			default:
				for b := range a {
					if b > 0 && rng.IntN(n) < 2 {
						join(a, b, 1+rng.Float64())
					}
				}
			}
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		s, err := makeSteps(t.Context(), g, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := makeSteps(t.Context(), g, s.bytes()-1); !errors.Is(err, ErrNoRoom) {
			t.Errorf("%d nodes without room: %v", n, err)
		}
		jobs := runtime.GOMAXPROCS(1)
		again, err := makeSteps(t.Context(), g, math.MaxInt)
		runtime.GOMAXPROCS(jobs)
		if err != nil || !bytes.Equal(s.bits, again.bits) {
			t.Errorf("%d nodes: other steps by one goroutine: %v", n, err)
		}
		all, err := graph.AllCosts(t.Context(), g, 0, g.Nodes())
		if err != nil {
			t.Fatal(err)
		}
		for i := range int32(n) {
			for k := range i {
				a, b, sum := i, k, 0.0
				for a != b && !math.IsInf(sum, 1) {
					if a < b {
						a, b = b, a
					}
					e := s.of(a, b)
					if e == 0 {
						sum = math.Inf(1)
						apart++
						break
					}
					targets, costs := g.From(a)
					sum += costs[e-1]
					a = targets[e-1]
				}
				if want := all[int(i)*n+int(k)]; sum != want && math.Abs(sum-want) > 1e-9*want {
					t.Fatalf("world %d: the steps between %d and %d take %v, Dijkstra's way %v", world, i, k, sum, want)
				}
			}
		}
	}
	if apart < 100 {
		t.Errorf("only %d pairs are in different parts", apart)
	}
}

package prepared

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/internal/graph"
)

// TestLabelsAgainstDijkstra compares the distances over hubs with those of all pairs, on grids with gaps, where many ways are
// equally long, and on random graphs in several parts. It follows the steps of all labels.
func TestLabelsAgainstDijkstra(t *testing.T) {
	rng := rand.New(rand.NewPCG(90, 1))
	for world := range 40 {
		n := 2 + rng.IntN(150)
		var edges []graph.Edge
		join := func(a, b int, cost float64) {
			edges = append(edges, graph.Edge{From: int32(a), To: int32(b), Cost: cost}, graph.Edge{From: int32(b), To: int32(a), Cost: cost})
		}
		if world%2 == 0 {
			for c := range n {
				if c%12 > 0 && rng.IntN(5) > 0 {
					join(c-1, c, 1)
				}
				if c >= 12 && rng.IntN(5) > 0 {
					join(c-12, c, 1)
				}
			}
		} else {
			for a := range n {
				for b := range a {
					if rng.IntN(n) < 2 {
						join(a, b, 1+rng.Float64())
					}
				}
			}
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		l, err := makeLabels(t.Context(), g, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		all, err := graph.AllCosts(t.Context(), g, 0, g.Nodes())
		if err != nil {
			t.Fatal(err)
		}
		for a := range int32(n) {
			for b := range int32(n) {
				least := math.Inf(1)
				distance, hub := l.of(a)
				others, theirs := l.of(b)
				for i, h := range hub {
					for k, o := range theirs {
						if h == o {
							least = min(least, distance[i]+others[k])
						}
					}
				}
				if want := all[int(a)*n+int(b)]; least != want && !(math.Abs(least-want) <= 4*sameWay*want) {
					t.Fatalf("world %d: %d and %d are %v apart, over hubs %v", world, a, b, want, least)
				}
			}
			followAll(t, g, l, a)
		}
		if _, err := makeLabels(t.Context(), g, len(l.distance)-1); !errors.Is(err, ErrNoRoom) {
			t.Fatalf("world %d: %d labels in the room of one fewer: %v", world, len(l.distance), err)
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	g, err := graph.New(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := makeLabels(ended, g, math.MaxInt); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// followAll follows the steps of all labels of a node to their hubs.
func followAll(t *testing.T, g *graph.Graph, l *labels, a int32) {
	t.Helper()
	for at := l.first[a]; at < l.first[a+1]; at++ {
		c, walked := atLabel{a, at}, 0.0
		for !l.atHub(c) {
			if walked > l.distance[at] {
				t.Fatalf("label %d of %d has walked %v of %v", at, a, walked, l.distance[at])
			}
			targets, costs := g.From(c.turn)
			step := l.steps[c.label]
			walked += costs[step.edge]
			c = atLabel{targets[step.edge], l.first[targets[step.edge]] + uint32(step.at)}
			if l.hub[c.label] != l.hub[at] {
				t.Fatalf("a step of label %d of %d leads to hub %d in place of %d", at, a, l.hub[c.label], l.hub[at])
			}
		}
		if math.Abs(walked-l.distance[at]) > 1e-9 {
			t.Fatalf("hub %d is %v from %d by its steps, not %v", l.hub[at], walked, a, l.distance[at])
		}
	}
}

// TestLabelsOfOpenGround gives up early where most corners see each other.
func TestLabelsOfOpenGround(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(91, 1))
	var at [n][2]float64
	var edges []graph.Edge
	for a := range n {
		at[a] = [2]float64{rng.Float64(), rng.Float64()}
		for b := range n {
			if b < a {
				d := math.Hypot(at[a][0]-at[b][0], at[a][1]-at[b][1])
				edges = append(edges, graph.Edge{From: int32(a), To: int32(b), Cost: d}, graph.Edge{From: int32(b), To: int32(a), Cost: d})
			}
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	l, err := makeLabels(t.Context(), g, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	// Nearly each corner is a hub of all later ones.
	if len(l.distance) < n*(n+1)/2-n {
		t.Errorf("%d labels", len(l.distance))
	}
	if _, err := makeLabels(t.Context(), g, n*(n+1)/2); !errors.Is(err, ErrNoRoom) {
		t.Errorf("labels whose first hubs have most: %v", err)
	}
}

package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// karate are the friendships in a club that fell apart: W. W. Zachary, An information flow model for conflict and
// fission in small groups, Journal of Anthropological Research 33 (1977), by member from 0, each with those of higher number.
var karate = [34][]int32{
	{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31},
	{2, 3, 7, 13, 17, 19, 21, 30},
	{3, 7, 8, 9, 13, 27, 28, 32},
	{7, 12, 13},
	{6, 10},
	{6, 10, 16},
	{16},
	{},
	{30, 32, 33},
	{33},
	{},
	{},
	{},
	{33},
	{32, 33},
	{32, 33},
	{},
	{},
	{32, 33},
	{33},
	{32, 33},
	{},
	{32, 33},
	{25, 27, 29, 32, 33},
	{25, 27, 31},
	{31},
	{29, 33},
	{33},
	{31, 33},
	{32, 33},
	{32, 33},
	{32, 33},
	{33},
	{},
}

func karateGraph(t *testing.T) *Graph {
	t.Helper()
	var edges []Edge
	for a, list := range karate {
		for _, b := range list {
			edges = append(edges, Edge{From: int32(a), To: b, Cost: 1})
		}
	}
	g, err := NewGraph(len(karate), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomTies returns a random graph with a few clusters, nodes without edges, and edges of all directions, repeated.
func randomTies(t *testing.T, seed uint64, most int) *Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 44))
	n := 1 + r.IntN(most)
	var edges []Edge
	for range r.IntN(3 * n) {
		a, b := r.IntN(n), r.IntN(n)
		if r.IntN(4) > 0 {
			b = a/8*8 + r.IntN(min(8, n-a/8*8))
		}
		edges = append(edges, Edge{From: int32(a), To: int32(b), Cost: float64(r.IntN(3))})
	}
	g, err := NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestBetweenness compares with the definition: all shortest paths of all pairs of nodes, counted one by one.
func TestBetweenness(t *testing.T) {
	for seed := range uint64(150) {
		g := randomTies(t, seed, 14)
		b := newBetweenness(newTies(g))
		for n := range int32(b.nodes()) {
			b.from(n)
		}
		want := make([]float64, len(b.ends))
		for from := range int32(b.nodes()) {
			for to := range from {
				b.search(from)
				if b.distance[to] == 0 {
					continue
				}
				paths := 0.0
				uses := make([]float64, len(b.ends))
				var walk func(n int32, used []int32)
				walk = func(n int32, used []int32) {
					if n == from {
						paths++
						for _, e := range used {
							uses[e]++
						}
						return
					}
					for _, e := range b.at(n) {
						if u := b.other(e, n); b.distance[u] == b.distance[n]-1 {
							walk(u, append(slices.Clone(used), e))
						}
					}
				}
				walk(to, nil)
				for e := range uses {
					want[e] += uses[e] / paths
				}
			}
		}
		for e := range want {
			if math.Abs(want[e]-b.score[e]) > 1e-9*(1+want[e]) {
				t.Fatalf("seed %d: edge %v has %v, by definition %v", seed, b.ends[e], b.score[e], want[e])
			}
		}
	}
}

// TestGirvanNewmanKnown divides the karate club as others have published: modularity 0.4013 in five clusters, and in two
// with one member on the wrong side of the actual split.
func TestGirvanNewmanKnown(t *testing.T) {
	g := karateGraph(t)
	if g.Edges() != 78 {
		t.Fatalf("%d friendships, the source has 78", g.Edges())
	}
	of, err := GirvanNewman(t.Context(), g, 0)
	if err != nil {
		t.Fatal(err)
	}
	if q := newTies(g).modularity(of, 1); clusters(of) != 5 || math.Abs(q-0.4013) > 1e-4 {
		t.Errorf("modularity %.4f in %d clusters, published 0.4013 in 5", q, clusters(of))
	}
	two, err := GirvanNewman(t.Context(), g, 2)
	if err != nil {
		t.Fatal(err)
	}
	var first []int
	for i, c := range two {
		if c == 0 {
			first = append(first, i)
		}
	}
	if want := []int{0, 1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 16, 17, 19, 21}; !slices.Equal(first, want) {
		t.Errorf("the first of two clusters is %v, published %v", first, want)
	}
}

// TestClusteringsAreValid: clusters are connected, numbered in order, and those of the next call.
func TestClusteringsAreValid(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(200) {
		g := randomTies(t, seed, 40)
		ties := newTies(g)
		for name, divide := range map[string]func() []int32{
			"girvan-newman": func() []int32 {
				of, err := GirvanNewman(t.Context(), g, int(seed%7))
				if err != nil {
					t.Fatal(err)
				}
				return of
			},
			"louvain": func() []int32 { return Louvain(g, []float64{1, 0.3, 4, math.NaN()}[seed%4]) },
		} {
			of := divide()
			where := fmt.Sprintf("seed %d: %s", seed, name)
			if len(of) != g.Nodes() || !slices.Equal(of, divide()) {
				t.Fatalf("%s: %d clusters, not the same again", where, len(of))
			}
			if !slices.Equal(ties.parts(of, nil), of) {
				t.Fatalf("%s: %v is not connected or not in order", where, of)
			}
			if _, err := NewOverview(g, of); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			if want := int(seed % 7); name == "girvan-newman" && want > 0 && clusters(of) < want {
				// Then every cluster is a single node.
				if slices.ContainsFunc(ties.ends, func(e [2]int32) bool { return of[e[0]] == of[e[1]] }) {
					t.Fatalf("%s: %d clusters, want %d", where, clusters(of), want)
				}
			}
		}
	}
}

func TestGirvanNewmanCancelled(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := GirvanNewman(done, karateGraph(t), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestLouvainRaisesModularity compares with one cluster per component, with the known best of 0.4198 for the karate club,
// and with the rooms of chambers.
func TestLouvainRaisesModularity(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(300) {
		ties := newTies(randomTies(t, seed, 60))
		whole := ties.parts(make([]int32, ties.nodes()), nil)
		of := Louvain(randomTies(t, seed, 60), 1)
		if a, b := ties.modularity(whole, 1), ties.modularity(of, 1); b < a-1e-9 {
			t.Fatalf("seed %d: modularity %v, of components %v", seed, b, a)
		}
	}
	g := karateGraph(t)
	if q := newTies(g).modularity(Louvain(g, 1), 1); q < 0.4 || q > 0.4199 {
		t.Errorf("modularity %.4f of the karate club, the best is 0.4198", q)
	}
	c, err := RandomChambers(100, 100, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err = c.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if q := newTies(g).modularity(Louvain(g, 1), 1); q < 0.8 {
		t.Errorf("modularity %.4f of chambers", q)
	}
}

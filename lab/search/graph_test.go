package search_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

func TestNewGraphRefuses(t *testing.T) {
	ok := search.Edge{From: 0, To: 1, Cost: 1}
	for _, c := range []struct {
		name  string
		nodes int
		edges []search.Edge
		want  string
	}{
		{"no such start", 2, []search.Edge{ok, {From: 2, To: 0}}, "edge 1 from 2 to 0: the graph has 2 nodes"},
		{"negative start", 2, []search.Edge{{From: -1, To: 0}}, "edge 0 from -1 to 0"},
		{"no such end", 2, []search.Edge{{From: 0, To: 2}}, "edge 0 from 0 to 2"},
		{"negative end", 2, []search.Edge{{From: 0, To: -5}}, "edge 0 from 0 to -5"},
		{"negative cost", 2, []search.Edge{ok, ok, {From: 1, To: 0, Cost: -1}}, "edge 2 from 1 to 0: cost -1"},
		{"not a number", 2, []search.Edge{{From: 1, To: 0, Cost: math.NaN()}}, "cost NaN"},
		{"infinite", 2, []search.Edge{{From: 1, To: 0, Cost: math.Inf(1)}}, "cost +Inf"},
		{"negative nodes", -1, nil, "-1 nodes"},
		{"too many nodes", math.MaxInt32, nil, "2147483647 nodes"},
		{"edge of no graph", 0, []search.Edge{{}}, "the graph has 0 nodes"},
	} {
		if _, err := search.NewGraph(c.nodes, c.edges); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	_, err := search.NewGraph(1, []search.Edge{{Cost: -1}, {To: 9}})
	if err == nil || !strings.Contains(err.Error(), "edge 0") || !strings.Contains(err.Error(), "edge 1") {
		t.Errorf("two faults: error %v, want both", err)
	}
}

func TestGraphEmpty(t *testing.T) {
	g, err := search.NewGraph(0, nil)
	if err != nil || g.Nodes() != 0 || g.Edges() != 0 || g.Reversed().Nodes() != 0 {
		t.Fatalf("empty graph: %v, %v", g, err)
	}
}

// TestGraphKeepsEdges compares the rows of a graph, and of its reverse, with the list of edges.
func TestGraphKeepsEdges(t *testing.T) {
	for seed := range uint64(200) {
		w := randomWorld(t, seed)
		if w.graph.Edges() != len(w.edges) {
			t.Fatalf("%s: %d edges", w.name, w.graph.Edges())
		}
		for n := range int32(w.graph.Nodes()) {
			var out, in []search.Edge
			for _, e := range w.edges {
				if e.From == n {
					out = append(out, e)
				}
			}
			for from := range int32(w.graph.Nodes()) {
				for _, e := range w.edges {
					if e.To == n && e.From == from {
						in = append(in, e)
					}
				}
			}
			if got := rows(w.graph, n, false); !slices.Equal(got, out) {
				t.Fatalf("%s: from %d: %v, want %v", w.name, n, got, out)
			}
			if got := rows(w.graph.Reversed(), n, true); !slices.Equal(got, in) {
				t.Fatalf("%s: to %d: %v, want %v", w.name, n, got, in)
			}
		}
	}
}

// rows returns the edges of a node, turned around if they come from a reversed graph.
func rows(g *search.Graph, n int32, turned bool) []search.Edge {
	var edges []search.Edge
	targets, costs := g.From(n)
	for i, v := range targets {
		if turned {
			edges = append(edges, search.Edge{From: v, To: n, Cost: costs[i]})
		} else {
			edges = append(edges, search.Edge{From: n, To: v, Cost: costs[i]})
		}
	}
	return edges
}

func TestGrid(t *testing.T) {
	// A blocked cell in the corner of 2 × 2 takes the diagonal past it away as well.
	g, e, err := (&search.Grid{Width: 2, Height: 2, Blocked: []bool{true, false, false, false}}).Graph()
	if err != nil {
		t.Fatal(err)
	}
	if g.Edges() != 4 {
		t.Errorf("%d edges, want 4", g.Edges())
	}
	if r := find(t, search.NewAStar(g, e), 1, 2); r.Cost != 2 || len(r.Nodes) != 3 {
		t.Errorf("around the corner: %+v", r)
	}
	if r := find(t, search.NewAStar(g, e), 1, 0); r.Found() {
		t.Errorf("into the wall: %+v", r)
	}
	if _, _, err := (&search.Grid{Width: 2, Height: 2, Blocked: make([]bool, 3)}).Graph(); err == nil {
		t.Error("no error for a grid of three cells")
	}
	if _, err := search.RandomGrid(0, 5, 1); err == nil {
		t.Error("no error for an empty grid")
	}
	if _, err := search.RandomGrid(1<<20, 1<<20, 1); err == nil {
		t.Error("no error for a grid of 2^40 cells")
	}
	a, _ := search.RandomGrid(200, 200, 9)
	b, _ := search.RandomGrid(200, 200, 9)
	if !slices.Equal(a.Blocked, b.Blocked) {
		t.Error("one seed gives two grids")
	}
}

func TestClassOf(t *testing.T) {
	for nodes, want := range map[int]string{
		1: "very short", 49: "very short", 50: "short", 100: "short", 101: "medium", 150: "medium",
		151: "long", 200: "long", 201: "very long",
	} {
		if got := search.ClassOf(nodes).String(); got != want {
			t.Errorf("%d nodes: %s, want %s", nodes, got, want)
		}
	}
	if got := search.PathClass(9).String(); got != "PathClass(9)" {
		t.Errorf("got %s", got)
	}
}

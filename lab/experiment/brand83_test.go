package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/search"
)

// TestBrandTravellers: the statements of figure 83 on counts hold or fail as the documentation says, and the counts are
// the same again.
func TestBrandTravellers(t *testing.T) {
	race.Skip(t)
	legs := slow.Count(150, 600)
	var runs []string
	var r Report
	for range 2 {
		var err error
		if r, err = Run(t.Context(), "brand-83", Options{Paths: legs}); err != nil {
			t.Fatal(err)
		}
		var rows []Row
		for _, row := range r.Rows {
			if !strings.HasSuffix(row.Metric, "_us") {
				rows = append(rows, row)
			}
		}
		runs = append(runs, fmt.Sprintf("%+v %+v", rows, r.Claims))
	}
	if runs[0] != runs[1] {
		t.Errorf("differs:\n%s\n%s", runs[0], runs[1])
	}
	var fails []string
	for _, c := range r.Claims {
		if !c.Holds {
			fails = append(fails, c.Text)
		}
	}
	if len(r.Claims) != 10 || len(fails) != 2 || !strings.HasPrefix(fails[0], "loaded, the mesh as cut") || !strings.HasPrefix(fails[1], "smoothing is about the same work") {
		t.Errorf("%d claims, these fail: %q", len(r.Claims), fails)
	}
	for _, c := range []struct{ method, name, published string }{
		{"uniform grid", "nodes", "18750"},
		{"as cut", "nodes", "990"},
		{"uniform grid", "bytes_stored", "21000"},
		{"as cut", "bytes_stored", "49000"},
		{"uniform grid", "bytes_loaded", "75000"},
		{"as cut", "saved_percent", "25"},
	} {
		row, ok := r.Row(c.method, c.name)
		if got := fmt.Sprint(float64(row.Published)); !ok || got != c.published {
			t.Errorf("%s, %s: published %s, want %s", c.method, c.name, got, c.published)
		}
	}
	if a, b := r.value(t, "uniform grid", "smoothed_longer_percent"), r.value(t, "as cut", "smoothed_longer_percent"); a >= 0 || b >= 0 {
		t.Errorf("smoothed, ways are longer than on the grid: by %g %% on the grid, by %g %% on the mesh", a, b)
	}
}

// mapOfBoxes is the grid of the map of boxes, and the mesh as cut.
func mapOfBoxes(t *testing.T) (*uniformGrid, *brep.Mesh) {
	t.Helper()
	m, err := brep.NewMesh(t.Context(), brandMap(), brandTraveller, brep.MeshOptions{Fractured: true, Largest: true})
	if err != nil {
		t.Fatal(err)
	}
	u, err := newUniformGrid(m)
	if err != nil {
		t.Fatal(err)
	}
	return u, m
}

// columnsOf are the columns of the nodes of a grid.
func columnsOf(u *uniformGrid) (columns [][2]int32) {
	for _, n := range u.nodes {
		columns = append(columns, n.column)
	}
	return columns
}

// TestBeamPaths: without bounds the search finds a path wherever A* finds one, never a cheaper one, and the path has
// the cost of its edges. With an estimate of nothing the path is a cheapest one.
func TestBeamPaths(t *testing.T) {
	race.Skip(t)
	u, _ := mapOfBoxes(t)
	n := len(u.nodes)
	a, b := search.NewAStar(u.graph, nil), newBeam(u.graph, columnsOf(u), n, n)
	blind := newBeam(u.graph, make([][2]int32, n), n, n) // with an estimate of nothing
	longer := 0
	for k := range 30 {
		from, to := int32(k*(n/31)), int32(n-1-k*(n/37))
		want, err := a.Path(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Path(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if got.Found() != want.Found() {
			t.Fatalf("from %d to %d: found %t, A* %t", from, to, got.Found(), want.Found())
		}
		if !got.Found() {
			continue
		}
		if got.Nodes[0] != from || got.Nodes[len(got.Nodes)-1] != to {
			t.Errorf("from %d to %d: the path leads from %d to %d", from, to, got.Nodes[0], got.Nodes[len(got.Nodes)-1])
		}
		if sum := u.graph.Sum(got.Nodes); math.Abs(sum-got.Cost) > 1e-9 || got.Cost < want.Cost-1e-9 {
			t.Errorf("from %d to %d: costs %g, edges %g, A* %g", from, to, got.Cost, sum, want.Cost)
		}
		if got.Cost > want.Cost+1e-9 {
			longer++
		}
		if k%6 > 0 {
			continue
		}
		if got, err = blind.Path(t.Context(), from, to); err != nil || math.Abs(got.Cost-want.Cost) > 1e-9 {
			t.Errorf("from %d to %d: without an estimate %g (%v), A* %g", from, to, got.Cost, err, want.Cost)
		}
	}
	if longer == 0 {
		t.Error("an estimate of too much loses nothing on any way")
	}
}

// TestBeamKeepsItsBounds: a search expands as many nodes as the cap allows and no more, and its list keeps its bound.
func TestBeamKeepsItsBounds(t *testing.T) {
	race.Skip(t)
	u, _ := mapOfBoxes(t)
	for _, c := range []struct{ width, most int }{{1, 1}, {4, 40}, {64, 320}} {
		b := newBeam(u.graph, columnsOf(u), c.width, c.most)
		most, ended := 0, false
		for k := range 20 {
			r, err := b.Path(t.Context(), int32(k), int32(len(u.nodes)-1-k))
			if err != nil {
				t.Fatal(err)
			}
			most, ended = max(most, r.Expanded), ended || !r.Found()
		}
		if most > c.most || b.widest > c.width || most == 0 || !ended {
			t.Errorf("cap %d, list of %d: %d nodes expanded, %d in the list", c.most, c.width, most, b.widest)
		}
	}
}

// beamModel is the search of the source in plain words: the open node of the least sum is next, the newest of equals; a full
// list loses the node of the greatest sum, which may be the new node; so many nodes are expanded.
func beamModel(g *search.Graph, columns [][2]int32, width, most int, from, to int32) (path []int32, expanded int) {
	type place struct {
		g      float64
		parent int32
		closed bool
	}
	places := map[int32]place{from: {parent: from}}
	sum := func(n int32) float64 {
		dx, dy := columns[n][0]-columns[to][0], columns[n][1]-columns[to][1]
		return places[n].g + float64(max(dx, -dx)) + float64(max(dy, -dy))
	}
	open := []int32{from}
	for len(open) > 0 {
		next := 0
		for k := range open {
			if sum(open[k]) <= sum(open[next]) {
				next = k
			}
		}
		u := open[next]
		open = slices.Delete(open, next, next+1)
		p := places[u]
		p.closed = true
		places[u] = p
		if u == to {
			for path = []int32{to}; places[u].parent != u; path = append(path, u) {
				u = places[u].parent
			}
			slices.Reverse(path)
			return path, expanded
		}
		if expanded == most {
			return nil, expanded
		}
		expanded++
		targets, costs := g.From(u)
		for k, v := range targets {
			old, known := places[v]
			if cost := p.g + costs[k]; !known || !old.closed && cost < old.g {
				places[v] = place{g: cost, parent: u}
			} else {
				continue
			}
			if slices.Contains(open, v) {
				continue
			}
			open = append(open, v)
			if len(open) <= width {
				continue
			}
			// The new node is no worse than the others unless its sum is as great as theirs.
			worst := len(open) - 1
			for k := range worst {
				if sum(open[k]) > sum(open[worst]) {
					worst = k
				}
			}
			open = slices.Delete(open, worst, worst+1)
		}
	}
	return nil, expanded
}

// TestBeamStepByStep: the search does as its model, whatever its bounds are.
func TestBeamStepByStep(t *testing.T) {
	grid, err := search.RandomGrid(30, 24, 2)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := grid.Graph()
	if err != nil {
		t.Fatal(err)
	}
	columns := make([][2]int32, g.Nodes())
	for n := range columns {
		columns[n] = [2]int32{int32(n % 30), int32(n / 30)}
	}
	found := 0
	for _, c := range []struct{ width, most int }{{1, 9}, {3, 60}, {8, 100}, {12, 300}, {1000, 1000}} {
		b := newBeam(g, columns, c.width, c.most)
		for k := range int32(25) {
			from, to := (k*977)%720, (k*1613+400)%720
			r, err := b.Path(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			path, expanded := beamModel(g, columns, c.width, c.most, from, to)
			if !slices.Equal(r.Nodes, path) || r.Expanded != expanded {
				t.Fatalf("list of %d, cap %d: from %d to %d: %v, %d expanded; the model %v, %d", c.width, c.most, from, to, r.Nodes, r.Expanded, path, expanded)
			}
			if r.Found() && c.width < 1000 {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("no path within the bounds")
	}
}

// TestStraighten: smoothed ways on the grid begin and end where the raw ways do, turn less, and every line is free; a
// line through a wall is not.
func TestStraighten(t *testing.T) {
	race.Skip(t)
	u, _ := mapOfBoxes(t)
	a := search.NewAStar(u.graph, nil)
	n, blocked := len(u.nodes), 0
	for k := range 30 {
		from, to := int32(k*(n/31)), int32(n-1-k*(n/37))
		r, err := a.Path(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Found() {
			continue
		}
		turns := u.straighten(nil, r.Nodes)
		if turns[0] != from || turns[len(turns)-1] != to {
			t.Errorf("from %d to %d: leads from %d to %d", from, to, turns[0], turns[len(turns)-1])
		}
		for i := 1; i < len(turns); i++ {
			if !u.free(turns[i-1], turns[i]) {
				t.Errorf("from %d to %d: line %d is not free", from, to, i)
			}
		}
		if u.length(turns) > u.length(r.Nodes)+1e-9 {
			t.Errorf("from %d to %d: %g m, raw %g m", from, to, u.length(turns), u.length(r.Nodes))
		}
		if !u.free(from, to) {
			blocked++
			if len(turns) < 3 {
				t.Errorf("from %d to %d: no turn, and the straight line is not free", from, to)
			}
		}
	}
	if blocked == 0 {
		t.Error("all straight lines are free")
	}
}

// TestCorridor: the region before an edge is on the walker's side of the edge, the region behind on the other side. A smoothed
// way is no shorter than the straight line, and hardly longer than the raw way.
func TestCorridor(t *testing.T) {
	race.Skip(t)
	u, m := mapOfBoxes(t)
	b, _, err := newByMesh(u, m)
	if err != nil {
		t.Fatal(err)
	}
	n, legs := len(u.nodes), 0
	for k := range 30 {
		from, to := int32(k*(n/31)), int32(n-1-k*(n/37))
		w, err := b.leg(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if !w.found {
			continue
		}
		legs++
		if crow := u.length([]int32{from, to}); w.smoothed < crow-1e-6 {
			t.Errorf("from %d to %d: %g m, straight %g m", from, to, w.smoothed, crow)
		}
		if w.smoothed > 1.02*w.raw {
			t.Errorf("from %d to %d: %g m, raw %g m", from, to, w.smoothed, w.raw)
		}
		r, err := b.Path(t.Context(), b.at[from], b.at[to])
		if err != nil {
			t.Fatal(err)
		}
		edges := b.corridor(nil, r.Nodes)
		if len(edges) != w.items || w.items < len(r.Nodes)-1 {
			t.Errorf("from %d to %d: %d edges, %d items, %d regions", from, to, len(edges), w.items, len(r.Nodes))
		}
		for i := 1; i < len(r.Nodes); i++ {
			e := b.corridor(nil, r.Nodes[i-1:i+1])
			x, y := m.Regions[r.Nodes[i-1]].Middle, m.Regions[r.Nodes[i]].Middle
			first, last := e[0], e[len(e)-1]
			if lattice.Orient(first.Left.Point, first.Right.Point, x.Point) > 0 || lattice.Orient(last.Left.Point, last.Right.Point, y.Point) < 0 {
				t.Fatalf("from region %d to region %d: an edge is turned around", r.Nodes[i-1], r.Nodes[i])
			}
		}
	}
	if legs == 0 {
		t.Error("no legs")
	}
}

package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/search"
)

// TestBrandFootprints: the statements of figure 84 on counts hold or fail as the documentation says, and counts and picture are the same again.
func TestBrandFootprints(t *testing.T) {
	race.Skip(t) // a test of results
	var runs []string
	var r Report
	for range 2 {
		var err error
		if r, err = Run(t.Context(), "brand-84", Options{Paths: slow.Count(40, 300)}); err != nil {
			t.Fatal(err)
		}
		var rows []Row
		for _, row := range r.Rows {
			if !strings.HasSuffix(row.Metric, "_us") {
				rows = append(rows, row)
			}
		}
		runs = append(runs, fmt.Sprintf("%+v %+v %+v", rows, r.Claims, r.Drawing.List))
	}
	if runs[0] != runs[1] {
		t.Error("two runs differ")
	}
	want := []string{
		"divided, the mesh has far fewer nodes than the grid, if divisions stay for 30 sessions",
		"divided, the mesh takes less memory than the grid",
		"larger polygons make divisions cheaper: merged, a session makes fewer nodes and edges",
	}
	var fails []string
	for _, c := range r.Claims {
		if !c.Holds {
			fails = append(fails, c.Text)
		}
	}
	if len(r.Claims) != 11 || !slices.Equal(fails, want) {
		t.Errorf("%d claims, these fail: %q", len(r.Claims), fails)
	}
	for _, method := range r.Methods() {
		if got := r.value(t, method, "found_percent"); got != 100 {
			t.Errorf("%s finds %g %% of the ways", method, got)
		}
	}
	if n := len(r.Drawing.List.Triangles); n < 1000 {
		t.Errorf("the picture has %d triangles", n)
	}
	if _, err := Run(t.Context(), "brand-84", Options{Paths: 2, Show: 3}); err == nil || !strings.Contains(err.Error(), "session 3") {
		t.Errorf("session 3 of 2: %v", err)
	}
}

// TestGridFootprints: weights lie on the nodes in the spheres of a storey and nowhere else, add up, and are gone after the session; ways avoid them, and
// smoothed ways too.
func TestGridFootprints(t *testing.T) {
	race.Skip(t) // a test of results
	u, _ := mapOfBoxes(t)
	g := newGridDrawer(u)
	n := int32(len(u.nodes))
	around := 0
	for k := range int32(40) {
		from, to := k*(n/41), n-1-k*(n/47)
		if _, ok := g.search(from, to); !ok || len(g.way) < 30 {
			continue
		}
		others := []int32{g.way[len(g.way)/2], g.way[len(g.way)/2+1]}
		g.draw(others)
		for i, node := range u.nodes {
			want := 0
			for _, o := range others {
				a, b := u.place(int32(i)), u.place(o)
				dz := float64(a.Z-b.Z) / lattice.UnitsPerMetre
				if d2 := float64(a.Distance2(b.Point))/lattice.UnitsPerMetre/lattice.UnitsPerMetre + dz*dz; d2 < brandFootprint*brandFootprint-1e-3 {
					want++
				} else if d2 < brandFootprint*brandFootprint+1e-3 {
					want = -9 // on the rim
				}
			}
			if w := g.weight[i]; want >= 0 && (w < float64(want)*brandStrength || (w > 0) != (want > 0)) {
				t.Fatalf("node %d in %d spheres weighs %g", node.column, want, w)
			}
		}
		if _, ok := g.search(from, to); !ok {
			t.Fatal("footprints close a way")
		}
		if !slices.ContainsFunc(g.way, func(i int32) bool { return g.weight[i] > 0 }) {
			around++
			g.straighten()
			for i := 1; i < len(g.straight); i++ {
				if !g.free(g.straight[i-1], g.straight[i]) && u.length(g.straight[i-1:i+1]) > 1 {
					t.Errorf("the straight piece from %d to %d passes a footprint", g.straight[i-1], g.straight[i])
				}
			}
		}
		g.erase()
		if slices.ContainsFunc(g.weight, func(w float64) bool { return w != 0 }) {
			t.Fatal("weights stay")
		}
	}
	if around < 5 {
		t.Errorf("%d ways lead around", around)
	}
}

// TestGridSearch: without footprints the search finds what A* of package search finds.
func TestGridSearch(t *testing.T) {
	race.Skip(t) // a test of results
	u, _ := mapOfBoxes(t)
	g := newGridDrawer(u)
	n := int32(len(u.nodes))
	for k := range int32(30) {
		from, to := k*(n/31), n-1-k*(n/37)
		_, ok := g.search(from, to)
		b := byGrid{grid: u, Search: search.NewAStar(u.graph, nil)}
		w, err := b.leg(t.Context(), from, to)
		if err != nil || w.found != ok {
			t.Fatalf("from %d to %d: %t, A* %t (%v)", from, to, ok, w.found, err)
		}
		if ok && (u.length(g.way) > w.raw+1e-9 || u.length(g.way) < w.raw-1e-9) {
			t.Errorf("from %d to %d: %g m, A* %g m", from, to, u.length(g.way), w.raw)
		}
	}
}

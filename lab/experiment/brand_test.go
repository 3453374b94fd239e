package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
)

// TestBrandCountsAreTheSameAgain: times differ from run to run, and counts do not, because parallel searches are counted in
// turn.
func TestBrandCountsAreTheSameAgain(t *testing.T) {
	race.Skip(t)
	var runs []string
	for range 2 {
		r, err := Run(t.Context(), "brand-77", Options{Worlds: 2, Paths: slow.Count(5, 15)})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, fmt.Sprintf("%+v", r.Rows))
	}
	if runs[0] != runs[1] {
		t.Errorf("differs:\n%s\n%s", runs[0], runs[1])
	}
}

// TestBrandExactForms: paths of the exact forms are as long as A*'s in every class, all others at least as long.
func TestBrandExactForms(t *testing.T) {
	race.Skip(t)
	r, err := Run(t.Context(), "brand-77", Options{Worlds: 2, Paths: slow.Count(10, 25)})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, row := range r.Rows {
		if !strings.HasPrefix(row.Metric, "longer_percent_") {
			t.Fatalf("a row %s", row.Metric)
		}
		v := float64(row.Ours)
		exact := row.Method == astar || row.Method == fringeExact || row.Method == parallelExact
		if v < -1e-9 || exact && v > 1e-9 {
			t.Errorf("%s: %s is %v", row.Method, row.Metric, v)
		}
		rows++
	}
	if rows == 0 {
		t.Error("no rows")
	}
	for _, c := range r.Claims {
		if strings.Contains(c.Text, "exact") && !c.Holds {
			t.Errorf("fails: %s", c.Text)
		}
	}
}

// TestBrandRelaxations: without relaxation fringe search expands about as many nodes as A*, with more relaxation more.
func TestBrandRelaxations(t *testing.T) {
	race.Skip(t)
	r, err := Run(t.Context(), "brand-57", Options{Worlds: 1, Paths: 8})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.value(t, "relax-0", "longer_percent"); v > 1e-9 {
		t.Errorf("without relaxation paths are %v %% longer", v)
	}
	for _, pair := range [][2]string{{"relax-1", "relax-10"}, {"relax-10", "relax-40"}} {
		if a, b := r.value(t, pair[0], "expanded"), r.value(t, pair[1], "expanded"); !(a < b) {
			t.Errorf("%s expands %v nodes, %s %v", pair[0], a, pair[1], b)
		}
		if a, b := r.value(t, pair[0], "passes"), r.value(t, pair[1], "passes"); !(a > b) {
			t.Errorf("%s takes %v passes, %s %v", pair[0], a, pair[1], b)
		}
	}
}

// TestHierarchyClaims: the claims on lengths are judged by both ends of the published range, and figures without any path
// make no claim.
func TestHierarchyClaims(t *testing.T) {
	inside, known := []float64{20, 30, 45}, []float64{1, 2, 3}
	small := []float64{1, 1, 1}
	for _, c := range []struct {
		name             string
		closets, known   []float64
		parallel, shared []float64
		holds            [4]bool
	}{
		{"as published", inside, known, small, small, [4]bool{true, true, true, true}},
		{"too short", []float64{19, 30, 45}, known, small, small, [4]bool{false, true, true, true}},
		{"too long", []float64{20, 30, 46}, known, small, small, [4]bool{false, true, true, true}},
		{"all too long", []float64{50, 50, 50}, known, small, small, [4]bool{false, false, true, true}},
		{"doors say nothing", inside, []float64{9, 8, 8}, small, small, [4]bool{true, true, false, true}},
		{"distributed is longer", inside, known, small, []float64{7, 31, 7}, [4]bool{true, true, true, false}},
	} {
		var r Report
		r.hierarchyClaims(small, [][]float64{c.parallel, c.shared, c.closets, c.known})
		if len(r.Claims) != len(c.holds) {
			t.Fatalf("%s: %d claims", c.name, len(r.Claims))
		}
		for i, claim := range r.Claims {
			if claim.Holds != c.holds[i] {
				t.Errorf("%s: %t: %s", c.name, claim.Holds, claim.Text)
			}
		}
	}
	var r Report
	if r.hierarchyClaims(nil, make([][]float64, 4)); len(r.Claims) != 0 {
		t.Errorf("no paths, and %d claims", len(r.Claims))
	}
}

// TestRelaxedClaims: speed-ups outside of the published range fail on either side.
func TestRelaxedClaims(t *testing.T) {
	for _, c := range []struct {
		median float64
		holds  bool
	}{{1.4, false}, {1.5, true}, {2.5, true}, {2.6, false}} {
		var r Report
		r.relaxedClaims(relaxed{median: c.median}, relaxed{median: 2})
		found := false
		for _, claim := range r.Claims {
			if strings.Contains(claim.Text, "with it fringe search is 1.5 to 2.5 times") {
				found = true
				if claim.Holds != c.holds {
					t.Errorf("%v: %t: %s", c.median, claim.Holds, claim.Text)
				}
			}
		}
		if !found {
			t.Errorf("%v: no claim", c.median)
		}
	}
}

package experiment

import (
	"fmt"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestGroupFigures: what the source says of figures 5 and 6 holds in every trial's run, and runs are equal to the last bit.
func TestGroupFigures(t *testing.T) {
	race.Skip(t)
	for name, claims := range map[string]int{"brand-5": 4, "brand-6": 6} {
		r := mustRun(t, name, 2)
		if len(r.Claims) != claims {
			t.Errorf("%s: %d claims", name, len(r.Claims))
		}
		for _, c := range r.Claims {
			if !c.Holds {
				t.Errorf("%s: fails: %s", name, c.Text)
			}
		}
		again, err := Run(t.Context(), name, Options{Worlds: 2, Show: 2})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(r.Rows), fmt.Sprint(again.Rows); a != b {
			t.Errorf("%s:\n%s\n%s", name, a, b)
		}
		if fmt.Sprint(r.Shown.Marks) == fmt.Sprint(again.Shown.Marks) {
			t.Errorf("%s shows the same trial for 1 and 2", name)
		}
		for k, marks := range r.Shown.Marks {
			bodies := 0
			for _, m := range marks {
				if m.Kind == BodyMark {
					bodies += len(m.Points)
				}
				for _, p := range m.Points {
					if !p.IsFinite() {
						t.Fatalf("%s, picture %d: a mark at %v", name, k, p)
					}
				}
			}
			if bodies < 12 {
				t.Errorf("%s, picture %d: %d bodies", name, k, bodies)
			}
		}
	}
}

// TestGroupFigureRows: figures that the scenes bound from both sides.
func TestGroupFigureRows(t *testing.T) {
	race.Skip(t)
	five, six := mustRun(t, "brand-5", 2), mustRun(t, "brand-6", 2)
	for _, c := range []struct {
		r            *Report
		method, name string
		low, high    float64
	}{
		{&five, "own_paths", "planned_in_sight", 3, 3}, // the three that stand apart
		{&five, "own_paths", "tanks_seen", 3, 11},
		{&five, "own_paths", "deepest_overlap_m", 0, 0.02},
		{&five, "one_corridor", "deepest_overlap_m", 0, 0.02},
		{&five, "one_corridor", "seconds", 15, 60},
		{&six, "constant_area", "area_least_m2", 22.0, 22.1}, // 2.5 · 18 · 0.7²
		{&six, "constant_area", "length_least_m", 2.5, 2.6},  // 22.05 / 8.7
		{&six, "constant_length", "length_most_m", 2.5, 2.6},
		{&six, "constant_area", "pull_most", 9, 9},
		{&six, "constant_length", "pull_most", 3, 3},
		{&six, "constant_area", "deepest_overlap_m", 0, 0.05},
		{&six, "constant_area", "passed_s", 15, 60},
	} {
		if v := c.r.value(t, c.method, c.name); !(v >= c.low-1e-9 && v <= c.high+1e-9) {
			t.Errorf("%s, %s: %g, want %g to %g", c.method, c.name, v, c.low, c.high)
		}
	}
}

// TestAmbush: the street is in the cross-hair, and the gate, the hidden corridor and E are not.
func TestAmbush(t *testing.T) {
	a, _, err := newAmbush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := squadOn(a.mesh).q
	for _, c := range []struct {
		x, y float64
		want bool
	}{{30, 28, true}, {23, 30, true}, {40, 30, true}, {48, 8, false}, {30, 10, false}, {21, 8.2, false}, {10, 9, false}, {58, 32, false}} {
		if got := a.sees(q, geom.FromGround(c.x, c.y, 0)); got != c.want {
			t.Errorf("the big tank sees %g, %g: %v", c.x, c.y, got)
		}
	}
}

// TestPart: two members at one place part, and stay on the floor at a wall.
func TestPart(t *testing.T) {
	_, mesh, _, err := floorOf(t.Context(), "square", [][2]float64{{0, 0}, {4, 0}, {4, 4}, {0, 4}})
	if err != nil {
		t.Fatal(err)
	}
	s := squadOn(mesh)
	for range 2 {
		s.enlist(steer.Mover{At: geom.FromGround(0, 2, 0), Radius: 0.5, Speed: 1, Push: 1}, 0)
	}
	s.look()
	if err := s.part(); err != nil {
		t.Fatal(err)
	}
	a, b := s.units[0].At, s.units[1].At
	if d := a.DistXZ(b); math.Abs(d-1) > 0.002 || min(a.X, b.X) != 0 || s.deepest > 0.002 {
		t.Errorf("%v and %v are %g m apart, %g m deep", a, b, d, s.deepest)
	}
}

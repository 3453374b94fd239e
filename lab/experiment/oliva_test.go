package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// claimed checks that a report's claims hold, but for those that begin with one of the exceptions, which fail.
func claimed(t *testing.T, r *Report, exceptions ...string) {
	t.Helper()
	for _, c := range r.Claims {
		fails := slices.ContainsFunc(exceptions, func(begin string) bool { return strings.HasPrefix(c.Text, begin) })
		if c.Holds == fails {
			t.Errorf("%s: holds is %v: %s", r.Name, c.Holds, c.Text)
		}
	}
	for _, begin := range exceptions {
		if !slices.ContainsFunc(r.Claims, func(c Claim) bool { return strings.HasPrefix(c.Text, begin) }) {
			t.Errorf("%s does not claim %q", r.Name, begin)
		}
	}
}

// TestRoundObjects: figure 15 on scenes of the source's number of cells. The published form comes near its figure, with cells that are
// deeper than the distance.
func TestRoundObjects(t *testing.T) {
	r := mustRun(t, "oliva-15", 0)
	claimed(t, &r)
	for _, kind := range roundKinds {
		name := "cells_" + kind.name
		if v := r.value(t, strictForm, name); v != oliva15Strict {
			t.Errorf("%s: %g cells without relaxation, not %d", name, v, oliva15Strict)
		}
	}
	if v := r.value(t, publishedForm, "cells_"+roundKinds[0].name); !(v >= 20 && v <= 23) {
		t.Errorf("%g cells by the published form on %s, not 20 to 23", v, roundKinds[0].name)
	}
	if deepest := r.value(t, publishedForm, "deepest_concavity_m"); !(deepest > oliva15Distance && deepest < 3) {
		t.Errorf("published cells are up to %g m deep", deepest)
	}
	again, err := Run(t.Context(), "oliva-15", Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprintf("%+v %+v", r.Rows, r.Drawing.List), fmt.Sprintf("%+v %+v", again.Rows, again.Drawing.List); a != b {
		t.Error("a second run differs")
	}
	if _, err := Run(t.Context(), "oliva-15", Options{Worlds: 1, Show: 2}); err == nil {
		t.Error("a scene that is not there is shown")
	}
}

// TestRelax: cells, notches and depths on a square with one disc of twelve corners, counted by hand. At 0.4 m the thesis' form leaves a
// triangle or a square of real notches.
func TestRelax(t *testing.T) {
	const side = 20 * lattice.UnitsPerMetre
	w := World{Domain: domainOf([]lattice.Ring{{{}, {X: side}, {X: side, Y: side}, {Y: side}}, disc(10, 10, 1, 12, 0)})}
	r, err := Relax(t.Context(), w.Plan(), 0.4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Strict; s.Cells != 12 || s.Passed != 0 || s.Concave != 0 || s.Deepest != 0 || s.Lost > 0.01 {
		t.Errorf("strict: %+v", s)
	}
	if p := r.Published; p.Cells < 2 || p.Cells > 4 || p.Passed < 8 || p.Concave == 0 || !(p.Deepest > 0 && p.Deepest <= 1) || p.Lost > 0.01 {
		t.Errorf("published: %+v", p)
	}
	if m := r.Moved; m.Cells < 3 || m.Cells >= 12 || m.Concave != 0 || m.Deepest != 0 || !(m.Lost > 0.1 && m.Lost < 2) {
		t.Errorf("moved: %+v", m)
	}
	if _, err := Relax(t.Context(), w.Plan(), -1, 1); err == nil {
		t.Error("a negative distance")
	}
}

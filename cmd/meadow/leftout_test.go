package main

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
)

// TestLeftOut checks that parts too small for a line of their own are counted in one line, and never read 0.0 m².
func TestLeftOut(t *testing.T) {
	areas := func(list ...float64) meadow.Report {
		var r meadow.Report
		for _, a := range list {
			r.Dropped = append(r.Dropped, plan.Part{Area: a})
		}
		return r
	}
	for _, c := range []struct {
		report meadow.Report
		want   string
	}{
		{areas(), ""},
		{areas(0.01, 0.02), "left out: 2 parts below 0.05 m² each; --report lists them\n"},
		{areas(3, 0.01), "left out: 3.0 m² at (0.000, 0.000, 0.000): not reachable; --keep takes it\nleft out: 1 part below 0.05 m² each; --report lists them\n"},
		{areas(9, 8, 7, 6, 5, 4, 0.02), "left out: 2 more, 4.0 m² in all; --report lists them\n"},
	} {
		var out strings.Builder
		tellLeftOut(&out, c.report)
		if got := out.String(); !strings.HasSuffix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

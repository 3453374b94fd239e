package main

import (
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/lab/sfv"
)

// TestGrowthFlags turns metres into the generators' options, in lattice units of 1/4096 m.
func TestGrowthFlags(t *testing.T) {
	for _, c := range []struct {
		flags growthFlags
		want  pasfv.Options
	}{
		{growthFlags{}, pasfv.Options{}},
		{growthFlags{Seeding: "grid", Spacing: 2}, pasfv.Options{Spacing: 8192}},
		{growthFlags{Seeding: "edges"}, pasfv.Options{Seeding: pasfv.Obstructions}},
		// The spacing is for sfv beside it.
		{growthFlags{Seeding: "edges", Spacing: 2}, pasfv.Options{Seeding: pasfv.Obstructions}},
		{growthFlags{Rate: 0.5}, pasfv.Options{Rate: 2048}},
		{growthFlags{Rate: 1, Resolution: 1}, pasfv.Options{Rate: 4096, Resolution: 4096}},
		// 4 units are 0.98 mm, and ten doublings of it 1 m, not 1.024.
		{growthFlags{Rate: 1.024, Resolution: 0.001}, pasfv.Options{Rate: 4096, Resolution: 4}},
	} {
		if err := c.flags.validate([]string{"best", "pasfv", "sfv"}); err != nil {
			t.Errorf("%+v: %v", c.flags, err)
		}
		if got := c.flags.apply(pasfv.Generator{}); got != gen.Generator(pasfv.Generator{Options: c.want}) {
			t.Errorf("%+v: %+v, want %+v", c.flags, got, c.want)
		}
	}
	flags := growthFlags{Seeding: "edges", Spacing: 2, Rate: 1}
	if got := flags.apply(sfv.Generator{}); got != gen.Generator(sfv.Generator{Options: sfv.Options{Spacing: 8192}}) {
		t.Errorf("sfv: %+v", got)
	}
	if got := flags.apply(wavefront.Generator{}); got != gen.Generator(wavefront.Generator{}) {
		t.Errorf("wavefront: %+v", got)
	}
}

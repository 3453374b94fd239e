package raster

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestGaps extracts gaps of 1 to 60 cm for agents that step over gaps of several widths. Cells are 7 and 9 cm wide:
// gaps of both kinds are narrower than a cell.
func TestGaps(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("slots", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var slots levelgen.Truth
	for _, truth := range levelgen.Truths() {
		if truth.Kind == "slots" {
			slots = truth
		}
	}
	for _, c := range []struct{ radius, gap float64 }{{0.6, 0}, {0.6, 0.45}, {0.5, geom.LeastGap}} {
		agent := geom.Agent{Radius: c.radius, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: c.gap}
		p, err := Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		want, known := slots.Floor(c.radius, c.gap)
		if !known {
			t.Fatalf("radius %g, gap %g: nothing is known", c.radius, c.gap)
		}
		area := 0.0
		for _, s := range want.Storeys {
			area += s.Area
		}
		if got := floortest.Area(p); p.Components != want.Components || math.Abs(got/area-1) > 0.01 {
			t.Errorf("radius %g, gap %g: %d components and %.2f m², in truth %d and %.2f m²", c.radius, c.gap, p.Components, got, want.Components, area)
		}
	}
}

package main

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/metric/verify"
)

// What both floors have is the same area from both sides, whichever is first.
func TestFloorDifferenceIsSymmetric(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"rooms", "stairs"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		var both [2]extracted
		for k, name := range []string{"raster", "exact"} {
			opt := meadow.FloorOptions{}
			if opt.Extractor, err = catalog.Extractor(name, 0); err != nil {
				t.Fatal(err)
			}
			if both[k].floor, err = meadow.FindFloor(t.Context(), lvl, opt); err != nil {
				t.Fatal(err)
			}
			both[k].measure()
		}
		there, err := verify.Floors(t.Context(), both[0].floor.Plan, both[1].floor.Plan)
		if err != nil {
			t.Fatal(err)
		}
		back, err := verify.Floors(t.Context(), both[1].floor.Plan, both[0].floor.Plan)
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 0.02 // m²: about a unit along the borders
		if a, b := both[0].area-there[0].Area, both[1].area-there[1].Area; math.Abs(a-b) > rounding || a < 0.9*both[0].area {
			t.Errorf("%s: %g m² are common from one side, %g m² from the other, of %g", kind, a, b, both[0].area)
		}
		if math.Abs(there[0].Area-back[1].Area) > rounding || math.Abs(there[1].Area-back[0].Area) > rounding {
			t.Errorf("%s: %g and %g one way, %g and %g the other", kind, there[0].Area, there[1].Area, back[0].Area, back[1].Area)
		}
		if v := agreement(&both[0], &both[1], &there); !v.Agree || v.Allowed <= v.Area {
			t.Errorf("%s: %v", kind, v)
		}
	}
}

// Extractors disagree over a component more, and over more area than borders allow.
func TestDisagreement(t *testing.T) {
	var both [2]extracted
	for k := range both {
		both[k].floor = &meadow.Floor{Plan: floortest.Squares(lattice.Frame{}, [5]int32{0, 0, 9, 9, 0})}
		both[k].measure()
	}
	if math.Abs(both[0].area-81) > 1e-9 || math.Abs(both[0].border-36) > 1e-9 || both[0].points != 4 {
		t.Fatalf("%+v", both[0])
	}
	for name, test := range map[string]struct {
		area       float64
		components int
		want       bool
	}{"equal": {81, 1, true}, "a little more": {82, 1, true}, "more": {84, 1, false}, "in two parts": {81, 2, false}} {
		both[1].area, both[1].floor.Plan.Components = test.area, test.components
		if v := agreement(&both[0], &both[1], &verify.Alone{}); v.Agree != test.want {
			t.Errorf("%s: %v", name, v)
		}
	}
}

package main

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// flatPlan has a level square for every layer, in metres: west, south, east, north, height.
func flatPlan(frame lattice.Frame, squares ...[5]int32) *plan.Plan {
	const m = lattice.UnitsPerMetre
	p := &plan.Plan{Frame: frame, Agent: geom.Agent{Radius: 0.4, Height: 2, MaxClimb: 0.4}, Components: 1}
	for _, s := range squares {
		ring := lattice.Ring{{X: s[0] * m, Y: s[1] * m}, {X: s[2] * m, Y: s[1] * m}, {X: s[2] * m, Y: s[3] * m}, {X: s[0] * m, Y: s[3] * m}}
		l := plan.Layer{Floor: lattice.TIN{Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}}}}
		for i := range ring {
			ring[i].X -= int32(frame.East)
			ring[i].Y -= int32(frame.North)
			l.Floor.Vertices = append(l.Floor.Vertices, lattice.Vertex{Point: ring[i], Z: s[4]*m - int32(frame.Up)})
		}
		d := plan.Domain{Edges: [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}}}
		d.Rings = []lattice.Ring{ring}
		l.Domains = []plan.Domain{d}
		p.Layers = append(p.Layers, l)
	}
	return p
}

func TestFloorDifference(t *testing.T) {
	var origin lattice.Frame
	elsewhere := lattice.Frame{East: 1000, North: -777, Up: 5000}
	for name, test := range map[string]struct {
		a, b    *plan.Plan
		only    [2]float64
		largest float64
	}{
		"the same":      {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), [2]float64{}, 0},
		"another frame": {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(elsewhere, [5]int32{0, 0, 9, 9, 0}), [2]float64{}, 0},
		"beside":        {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(elsewhere, [5]int32{2, 0, 11, 9, 0}), [2]float64{18, 18}, 18},
		"inside":        {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(origin, [5]int32{2, 2, 4, 4, 0}), [2]float64{77, 0}, 77},
		"a step apart":  {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(elsewhere, [5]int32{0, 0, 9, 9, 1}), [2]float64{}, 0},
		"a storey":      {flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(elsewhere, [5]int32{0, 0, 9, 9, 3}), [2]float64{81, 81}, 81},
		"other layers": {
			flatPlan(origin, [5]int32{0, 0, 9, 9, 0}, [5]int32{0, 0, 3, 3, 3}),
			flatPlan(origin, [5]int32{0, 0, 3, 3, 3}, [5]int32{0, 0, 5, 9, 0}, [5]int32{5, 0, 8, 9, 0}),
			[2]float64{9, 0},
			9,
		},
	} {
		d, err := newFloorDifference(test.a, test.b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if math.Abs(d.area[0]-test.only[0]) > 1e-9 || math.Abs(d.area[1]-test.only[1]) > 1e-9 || math.Abs(d.largest-test.largest) > 1e-9 {
			t.Errorf("%s: %v, the largest piece %g, want %v and %g", name, d.area, d.largest, test.only, test.largest)
		}
	}
	if _, err := newFloorDifference(flatPlan(origin, [5]int32{0, 0, 9, 9, 0}), flatPlan(lattice.Frame{East: 1 << 40}, [5]int32{})); err == nil {
		t.Error("floors that are too far apart are compared")
	}
}

// The common area is the same from both sides, in either order.
func TestFloorDifferenceIsSymmetric(t *testing.T) {
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
		there, err := newFloorDifference(both[0].floor.Plan, both[1].floor.Plan)
		if err != nil {
			t.Fatal(err)
		}
		back, err := newFloorDifference(both[1].floor.Plan, both[0].floor.Plan)
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 0.02 // m²: about a unit along the borders
		if a, b := both[0].area-there.area[0], both[1].area-there.area[1]; math.Abs(a-b) > rounding || a < 0.9*both[0].area {
			t.Errorf("%s: %g m² are common from one side, %g m² from the other, of %g", kind, a, b, both[0].area)
		}
		if math.Abs(there.area[0]-back.area[1]) > rounding || math.Abs(there.area[1]-back.area[0]) > rounding {
			t.Errorf("%s: %v one way, %v the other", kind, there.area, back.area)
		}
		if v := agreement(&both[0], &both[1], there); !v.Agree || v.Allowed <= v.Area {
			t.Errorf("%s: %v", kind, v)
		}
	}
}

// Extractors disagree over a component more, and over more area than borders allow.
func TestDisagreement(t *testing.T) {
	var both [2]extracted
	for k := range both {
		both[k].floor = &meadow.Floor{Plan: flatPlan(lattice.Frame{}, [5]int32{0, 0, 9, 9, 0})}
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
		if v := agreement(&both[0], &both[1], &floorDifference{}); v.Agree != test.want {
			t.Errorf("%s: %v", name, v)
		}
	}
}

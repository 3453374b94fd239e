package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// ring makes a ring of pairs of coordinates.
func ring(at ...int32) lattice.Ring {
	var r lattice.Ring
	for i := 0; i < len(at); i += 2 {
		r = append(r, lattice.Point{X: at[i], Y: at[i+1]})
	}
	return r
}

func united(t *testing.T, rings ...lattice.Ring) []lattice.Polygon {
	t.Helper()
	floor, err := overlay.Union(rings)
	if err != nil {
		t.Fatal(err)
	}
	return floor
}

// area returns the area of polygons in square units.
func areaOf(polygons []lattice.Polygon) float64 {
	sum := 0.0
	for _, p := range polygons {
		sum += float64(p.Area2()) / 2
	}
	return sum
}

// TestCracks fills cracks of floors, with a gap of 200 units, and nothing else.
func TestCracks(t *testing.T) {
	const slack = 3 // units along the border of a crack
	e := &extraction{gap: 200}
	for name, c := range map[string]struct {
		floor    []lattice.Ring
		polygons int
		filled   float64 // square units
		around   float64 // units
	}{
		"none":                  {[]lattice.Ring{ring(0, 0, 9000, 0, 9000, 9000, 0, 9000)}, 1, 0, 0},
		"between two":           {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5100, 0, 9000, 0, 9000, 5000, 5100, 5000)}, 1, 100 * 5000, 10200},
		"too wide":              {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5202, 0, 9000, 0, 9000, 5000, 5202, 5000)}, 2, 0, 0},
		"a unit wide":           {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5001, 0, 9000, 0, 9000, 5000, 5001, 5000)}, 1, 5000, 10002},
		"askew":                 {[]lattice.Ring{ring(0, 0, 5000, 0, 5100, 5000, 0, 5000), ring(5050, 0, 9000, 0, 9000, 5000, 5150, 5000)}, 1, 50 * 5000, 10200},
		"of different lengths":  {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5100, 1000, 9000, 1000, 9000, 2000, 5100, 2000)}, 1, 100*1000 + 100*100, 2400},
		"wall between":          {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5300, 0, 9000, 0, 9000, 5000, 5300, 5000)}, 2, 0, 0},
		"corner to corner":      {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5000, 5000, 9000, 5000, 9000, 9000, 5000, 9000)}, 2, 0, 0},
		"corners 50 apart":      {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(5050, 5000, 9000, 5000, 9000, 9000, 5050, 9000)}, 2, 0, 0},
		"narrow strip of floor": {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 100, 0, 100)}, 1, 0, 0},
		"reflex corner":         {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 2000, 2000, 2000, 2000, 5000, 0, 5000)}, 1, 0, 0},
		"narrow hole":           {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(1000, 1000, 1000, 2000, 1100, 2000, 1100, 1000)}, 1, 100 * 1000, 2200},
		"wide hole":             {[]lattice.Ring{ring(0, 0, 5000, 0, 5000, 5000, 0, 5000), ring(1000, 1000, 1000, 2000, 1300, 2000, 1300, 1000)}, 1, 0, 0},
	} {
		floor := united(t, c.floor...)
		bridged, _, err := e.seal(floor, everything)
		if err != nil {
			t.Fatal(err)
		}
		if got := areaOf(bridged) - areaOf(floor); len(bridged) != c.polygons || math.Abs(got-c.filled) > slack*c.around {
			t.Errorf("%s: %d polygons, %.0f square units filled, want %d and %.0f", name, len(bridged), got, c.polygons, c.filled)
		}
	}
}

// TestCracksAgainstOffsets compares with growing by half a gap and shrinking again: tiles with cracks between them,
// some missing.
func TestCracksAgainstOffsets(t *testing.T) {
	e := &extraction{gap: 200}
	widths := []float64{5, 40, 100, 150, 190, 210, 300, 500}
	filled := 0.0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		dx, dy := 1+rng.Float64(), rng.Float64() // turned, and larger
		scale := math.Sqrt(dx*dx + dy*dy)
		var rings []lattice.Ring
		for i := range 6 {
			for j := range 6 {
				if rng.IntN(4) == 0 {
					continue
				}
				x, y := 3000*float64(i), 3000*float64(j)
				w, h := 3000-widths[rng.IntN(len(widths))]/scale, 3000-widths[rng.IntN(len(widths))]/scale
				var r lattice.Ring
				for _, c := range [4][2]float64{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}} {
					r = append(r, lattice.Point{X: rounded(c[0]*dx - c[1]*dy), Y: rounded(c[0]*dy + c[1]*dx)})
				}
				rings = append(rings, r)
			}
		}
		floor := united(t, rings...)
		got, _, err := e.seal(floor, everything)
		if err != nil {
			t.Fatal(err)
		}
		out, err := overlay.Offset{Distance: e.gap / 2, Join: overlay.Mitre}.Polygons(floor)
		if err != nil {
			t.Fatal(err)
		}
		want, err := overlay.Offset{Distance: -e.gap / 2, Join: overlay.Mitre}.Polygons(out)
		if err != nil {
			t.Fatal(err)
		}
		a, err := overlay.Arrange(ringsOf(floor), ringsOf(got), ringsOf(want))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 }) {
			if !sliver(p) {
				t.Errorf("seed %d: lost floor: %v", seed, p.Rings)
			}
		}
		for _, p := range a.Polygons(func(w overlay.Winding) bool { return w[0] <= 0 && (w[1] > 0) != (w[2] > 0) }) {
			// Where more than two tiles meet, and at ends of cracks, the difference is no more than a square of a gap.
			if area := float64(p.Area2()) / 2; area > 1.5*e.gap*e.gap && !sliver(p) {
				t.Errorf("seed %d: %.0f square units differ: %v", seed, area, p.Rings)
			}
		}
		filled += areaOf(got) - areaOf(floor)
	}
	if filled < 1e6 {
		t.Errorf("only %g square units were filled", filled)
	}
}

// sliver reports whether a polygon is no wider than some units.
func sliver(p lattice.Polygon) bool {
	around := 0.0
	for _, r := range p.Rings {
		for i, a := range r {
			around += a.Distance(r[(i+1)%len(r)])
		}
	}
	return float64(p.Area2())/2 < 4*around
}

// TestSlotBetweenBridges has two bridges and a ramp with a slot of 2 mm and a hand's length between them. The floor goes on over
// the slot.
func TestSlotBetweenBridges(t *testing.T) {
	var s floortest.Scene
	s.Triangle(geom.Vec{X: -0.27155385, Y: 0.84907995, Z: 0.5655243}, geom.Vec{X: -3.5, Y: 0.25, Z: -1.25}, geom.Vec{X: -4, Y: 0, Z: -1})
	s.Triangle(geom.Vec{X: -2.35353766, Y: 0.59333694, Z: -0.07780927}, geom.Vec{X: 1, Y: 0, Z: 2}, geom.Vec{X: 1.19426672, Y: 0.23133645, Z: 0.4574453})
	s.Triangle(geom.Vec{X: -3, Y: 0, Z: -1}, geom.Vec{X: -2.63098355, Y: 0.24623159, Z: -0.15580666}, geom.Vec{X: 1.11878357, Y: -0.39745933, Z: -0.00521261})
	s.Triangle(geom.Vec{X: 0.39591614, Y: 0.49302068, Z: 0.9907095}, geom.Vec{X: 0, Y: 0, Z: -2}, geom.Vec{X: -1.1875, Y: -0.515625, Z: -1.796875})
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.3}
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: -1})
	if err != nil {
		t.Fatal(err)
	}
	inside := floortest.Inside(p)
	for _, at := range []geom.Vec{{X: -0.35, Y: 0.2, Z: 0.1}, {X: -0.25, Y: 0.2, Z: 0.15}, {X: -0.2, Y: 0.1, Z: 0.05}} {
		if !inside(at, agent.MaxClimb) {
			t.Errorf("no floor at %v", at)
		}
	}
}

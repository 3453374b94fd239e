package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
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
		bridged, _, err := e.seal(floor)
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
		got, _, err := e.seal(floor)
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

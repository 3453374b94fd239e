package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestSincos compares with the standard library, and is exact for quarter turns.
func TestSincos(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	check := func(what string, angle, reduced float64, sincos func(float64) (float64, float64)) {
		t.Helper()
		s, c := sincos(angle)
		ws, wc := math.Sincos(reduced)
		if math.Abs(s-ws) > 2e-15 || math.Abs(c-wc) > 2e-15 {
			t.Fatalf("%g %s: %g, %g; want %g, %g", angle, what, s, c, ws, wc)
		}
	}
	for range 2000 {
		d := (rng.Float64() - 0.5) * 1500
		check("degrees", d, math.Mod(d, 360)*(math.Pi/180), geom.SincosDegrees)
		a := (rng.Float64() - 0.5) * 20
		check("radians", a, math.Mod(a, 2*math.Pi), geom.Sincos)
	}
	for i, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		for _, turns := range []int{i, i - 8} {
			if s, c := geom.SincosDegrees(float64(90 * turns)); s != want[0] || c != want[1] {
				t.Errorf("%d°: %g, %g", 90*turns, s, c)
			}
			if s, c := geom.Sincos(float64(turns) * (math.Pi / 2)); s != want[0] || c != want[1] {
				t.Errorf("%d quarter turns: %g, %g", turns, s, c)
			}
		}
	}
}

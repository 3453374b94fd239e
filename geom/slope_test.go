package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ramp returns a triangle that rises by slope radians towards a direction, some metres long, with its first corner at from.
func ramp(from Vec, direction, slope, size float64) [3]Vec {
	sin, cos := math.Sincos(direction)
	rise := size * math.Tan(slope)
	at := func(along, across float64) Vec {
		return from.Add(Vec{along*cos*size - across*sin*size, along * rise, -along*sin*size - across*cos*size})
	}
	return [3]Vec{at(0, 0), at(1, 0.3), at(0.2, 1)}
}

// toFloat32 rounds the corners as a file of 32-bit coordinates does.
func toFloat32(t [3]Vec) [3]Vec {
	for i, v := range t {
		t[i] = Vec{float64(float32(v.X)), float64(float32(v.Y)), float64(float32(v.Z))}
	}
	return t
}

// TestSlopeTolerance asks for ramps of 5 cm to 10 m at the limit and 0.1° to either side, in 64 directions, up to 10⁶ m from the origin.
// Within 250 m of it, ramps at the limit are floors with coordinates of 32 bits too.
func TestSlopeTolerance(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 4))
	for _, degrees := range []float64{0, 10, 30, 45, 60, 80} {
		limit := Agent{MaxSlope: Degrees(degrees)}.SlopeLimit()
		for _, far := range []float64{0, 1e4, 1e5, 1e6} {
			for _, size := range []float64{0.05, 1.6, 10} {
				for k := range 64 {
					direction := 2 * math.Pi * float64(k) / 64
					for _, off := range []float64{-0.1, 0, 0.1} {
						if degrees+off < 0 {
							continue
						}
						from := Vec{far + rng.Float64(), far/100 + rng.Float64(), -far + rng.Float64()}
						f := ramp(from, direction, Degrees(degrees+off), size)
						if got := limit.Admits(f[0], f[1], f[2]); got != (off <= 0) {
							t.Fatalf("limit %g°: a ramp of %g° and %g m towards %g at %v: %v", degrees, degrees+off, size, direction, from, got)
						}
						if off != 0 {
							continue
						}
						from = Vec{250 * (2*rng.Float64() - 1), 250 * rng.Float64() / 2, 250 * (2*rng.Float64() - 1)}
						f = toFloat32(ramp(from, direction, Degrees(degrees), size))
						if max(math.Abs(f[1].X), math.Abs(f[1].Y), math.Abs(f[1].Z)) < 256 && !limit.Admits(f[0], f[1], f[2]) {
							t.Fatalf("limit %g°: a ramp of the limit and %g m towards %g at %v, in float32: no", degrees, size, direction, from)
						}
					}
				}
			}
		}
	}
}

// TestSlopeIsExact compares with rationals: triangles within rounding of the limit, of lattices coarse and fine, turned, and
// moved as far as coordinates stay exact.
func TestSlopeIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 14))
	limits := []SlopeLimit{{}, {1}, {0.75}, limitAt(Degrees(45)), limitAt(Degrees(89.95)), Agent{}.SlopeLimit()}
	close := 0
	for range 20000 {
		l := limits[rng.IntN(len(limits))]
		grid := []float64{1, 1.0 / 4096, 0x1p-20}[rng.IntN(3)]
		c := func() float64 { return float64(rng.IntN(41)-20) * grid }
		a, b := Vec{c(), c(), c()}, Vec{c(), c(), c()}
		d := Vec{c(), c(), c()}
		if rng.IntN(2) == 0 {
			// In the direction of b from a a level line, upwards beside it as steeply as the limit.
			b.Y = a.Y
			u := b.Sub(a)
			d = a.Add(Vec{u.Z, l.tan * math.Hypot(u.X, u.Z), -u.X}).Add(u.Scale(rng.Float64()))
		}
		want := l.exactly(cross(difference(b, a), difference(d, a)))
		if _, sure := l.about(b.Sub(a).Cross(d.Sub(a)), Vec{}); !sure {
			close++
		}
		if l.Admits(a, b, d) != want || l.Admits(b, d, a) != want || l.Admits(d, a, b) != want {
			t.Fatalf("limit %g: %v %v %v: want %v", l.tan, a, b, d, want)
		}
		if want && l.Admits(a, d, b) {
			t.Fatalf("limit %g: %v %v %v is admitted from both sides", l.tan, a, b, d)
		}
		n := b.Sub(a).Cross(d.Sub(a))
		if l.AdmitsNormal(n) != l.exactly(rational(n)) {
			t.Fatalf("limit %g: normal %v", l.tan, n)
		}
	}
	if close < 100 {
		t.Errorf("only %d close ones", close)
	}
	for _, c := range []struct {
		name string
		n    Vec
		want bool
	}{
		{"1 in 1", Vec{1, 1, 0}, true},
		{"3, 4 and 5", Vec{3, 5, -4}, true},
		{"one ulp steeper", Vec{1, math.Nextafter(1, 0), 0}, false},
		{"one ulp less steep", Vec{1, math.Nextafter(1, 2), 0}, true},
		{"a wall", Vec{1, 0, 0}, false},
		{"a ceiling", Vec{0, -1, 0}, false},
		{"none", Vec{}, false},
		{"level, as small as can be", Vec{0, 5e-324, 0}, true},
		{"steep, as small as can be", Vec{1e-323, 5e-324, 0}, false},
		{"level, as large as can be", Vec{0, math.MaxFloat64, 0}, true},
		{"steep, as large as can be", Vec{math.MaxFloat64, math.MaxFloat64 / 2, 0}, false},
	} {
		if got := (SlopeLimit{1}).AdmitsNormal(c.n); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestTangent compares with the tangents of known angles, and with the library.
func TestTangent(t *testing.T) {
	for degrees, want := range map[float64]float64{0: 0, 15: 2 - math.Sqrt(3), 30: 1 / math.Sqrt(3), 45: 1, 60: math.Sqrt(3), 75: 2 + math.Sqrt(3)} {
		if got := limitAt(Degrees(degrees)).Tangent(); math.Abs(got-want) > 1e-14 {
			t.Errorf("%g°: %g, want %g", degrees, got, want)
		}
	}
	for x := 0.0; x < Degrees(89.99); x += 1e-3 {
		if got, want := limitAt(x).Tangent(), math.Tan(x); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%g: %g, want %g", x, got, want)
		}
	}
	if got := limitAt(3).Tangent(); math.Abs(got-math.Tan(Degrees(89.99))) > 1e-8*got {
		t.Errorf("an angle beyond all: %g", got)
	}
}

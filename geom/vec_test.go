package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// anyVec draws vectors of integers, on which all operations up to a product of three are exact.
func anyVec() *rapid.Generator[Vec] {
	c := rapid.Custom(func(t *rapid.T) float64 {
		return float64(rapid.Int32Range(-1<<15, 1<<15).Draw(t, "coordinate"))
	})
	return rapid.Custom(func(t *rapid.T) Vec { return Vec{c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z")} })
}

func TestVecLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, v, w := anyVec().Draw(t, "u"), anyVec().Draw(t, "v"), anyVec().Draw(t, "w")
		if u.Add(v) != v.Add(u) || u.Add(v).Sub(v) != u || u.Sub(u) != (Vec{}) {
			t.Fatal("addition")
		}
		if u.Scale(2) != u.Add(u) || u.Scale(-1) != (Vec{}).Sub(u) {
			t.Fatal("scaling")
		}
		if u.Dot(v) != v.Dot(u) || u.Add(v).Dot(w) != u.Dot(w)+v.Dot(w) {
			t.Fatal("scalar product")
		}
		x := u.Cross(v)
		if x != v.Cross(u).Scale(-1) || x.Dot(u) != 0 || x.Dot(v) != 0 || u.Cross(u) != (Vec{}) {
			t.Fatal("vector product")
		}
		// Lagrange's identity.
		if got, want := x.Dot(x), u.Dot(u)*v.Dot(v)-u.Dot(v)*u.Dot(v); math.Abs(got-want) > 1e-9*u.Dot(u)*v.Dot(v) {
			t.Fatalf("|u×v|² is %g, want %g", got, want)
		}
		if n := u.Norm(); math.Abs(n*n-u.Dot(u)) > 1e-9*u.Dot(u) || u.Distance(v) != v.Distance(u) || u.Distance(u) != 0 {
			t.Fatal("length")
		}
		if u != (Vec{}) && math.Abs(u.Unit().Norm()-1) > 1e-15*4 {
			t.Fatalf("unit length is %g", u.Unit().Norm())
		}
	})
}

func TestVecTable(t *testing.T) {
	x, y, z := Vec{X: 1}, Vec{Y: 1}, Vec{Z: 1}
	if x.Cross(y) != z || y.Cross(z) != x || z.Cross(x) != y {
		t.Error("the axes are not right-handed")
	}
	if (Vec{}).Unit() != (Vec{}) {
		t.Error("the zero vector has a direction")
	}
	if got := (Vec{3, 0, 4}).Norm(); got != 5 {
		t.Errorf("norm %g, want 5", got)
	}
	if got := (Vec{1.23456, -2, 0}).String(); got != "(1.235, -2.000, 0.000)" {
		t.Error(got)
	}
}

func TestIsFinite(t *testing.T) {
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, b := range bad {
		for _, v := range []Vec{{X: b}, {Y: b}, {Z: b}, {b, -b, b}} {
			if v.IsFinite() {
				t.Errorf("%v is finite", v)
			}
		}
	}
	for _, v := range []Vec{{}, {math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64}, {Y: 5e-324}} {
		if !v.IsFinite() {
			t.Errorf("%v is not finite", v)
		}
	}
}

// Seen from above, x to the right and z towards the viewer's feet: counter-clockwise on the ground
// is counter-clockwise around the upward axis.
func TestGroundKeepsOrientation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, w := anyVec().Draw(t, "v"), anyVec().Draw(t, "w")
		vx, vy := Ground(v)
		wx, wy := Ground(w)
		if flat, around := vx*wy-vy*wx, v.Cross(w).Y; flat != around {
			t.Fatalf("turn on the ground %g, around the upward axis %g", flat, around)
		}
		if got := FromGround(vx, vy, v.Y); got != v {
			t.Fatalf("%v comes back as %v", v, got)
		}
	})
}

func TestVecDistances(t *testing.T) {
	v, w := Vec{X: 1, Y: 2, Z: 3}, Vec{X: 4, Y: 14, Z: 7}
	if got := w.Sub(v).Len(); got != 13 {
		t.Errorf("length %g, want 13", got)
	}
	if a, b := v.Dist(w), w.Dist(v); a != 13 || b != 13 {
		t.Errorf("distances %g and %g, want 13", a, b)
	}
	if a, b := v.DistXZ(w), w.DistXZ(v); a != 5 || b != 5 {
		t.Errorf("distances in the plane %g and %g, want 5", a, b)
	}
	third := 1.0 / 3
	if got := (Vec{X: 0.1, Y: third, Z: -7}).Lerp(Vec{X: 1e9, Y: -third, Z: 1e-9}, 0); got != (Vec{X: 0.1, Y: third, Z: -7}) {
		t.Errorf("the start is %v", got)
	}
	if got := (Vec{X: 0.1, Y: third, Z: -7}).Lerp(Vec{X: 1e9, Y: -third, Z: 1e-9}, 1); got != (Vec{X: 1e9, Y: -third, Z: 1e-9}) {
		t.Errorf("the end is %v", got)
	}
	if got, want := v.Lerp(w, 0.25), (Vec{X: 1.75, Y: 5, Z: 4}); got != want {
		t.Errorf("a quarter of the way is %v, want %v", got, want)
	}
}

package geom

import (
	"testing"

	"pgregory.net/rapid"
)

// anyAffine draws maps of small integers, on which everything is exact.
func anyAffine() *rapid.Generator[Affine] {
	return rapid.Custom(func(t *rapid.T) Affine {
		var a Affine
		for i := range 3 {
			for j := range 3 {
				a.M[i][j] = float64(rapid.Int32Range(-9, 9).Draw(t, "entry"))
			}
		}
		a.T = anyVec().Draw(t, "translation")
		return a
	})
}

func TestAffineLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyAffine().Draw(t, "a"), anyAffine().Draw(t, "b"), anyAffine().Draw(t, "c")
		v, w := anyVec().Draw(t, "v"), anyVec().Draw(t, "w")
		if Identity().Apply(v) != v || a.Mul(Identity()) != a || Identity().Mul(a) != a {
			t.Fatal("the identity changes something")
		}
		if got, want := a.Mul(b).Apply(v), a.Apply(b.Apply(v)); got != want {
			t.Fatalf("a·b applied is %v, b and then a %v", got, want)
		}
		if a.Mul(b).Mul(c) != a.Mul(b.Mul(c)) {
			t.Fatal("not associative")
		}
		if a.ApplyDir(v.Sub(w)) != a.Apply(v).Sub(a.Apply(w)) {
			t.Fatal("directions are moved by the translation")
		}
		if got, want := a.Mul(b).Det(), a.Det()*b.Det(); got != want {
			t.Fatalf("determinant %g, want %g", got, want)
		}
	})
}

func TestAffineTable(t *testing.T) {
	if got := (Affine{}).Apply(Vec{1, 2, 3}); got != (Vec{}) {
		t.Errorf("the zero map moves to %v", got)
	}
	// A quarter turn around the upward axis, counter-clockwise from above: east goes to north, which is -z.
	turn := Affine{M: [3][3]float64{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}
	if got := turn.Apply(Vec{X: 1}); got != (Vec{Z: -1}) {
		t.Errorf("east turns to %v", got)
	}
	mirror := Affine{M: [3][3]float64{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	if turn.Det() != 1 || mirror.Det() != -1 || Identity().Det() != 1 {
		t.Errorf("determinants %g, %g, %g", turn.Det(), mirror.Det(), Identity().Det())
	}
}

package level

import (
	"math"
	"slices"
	"testing"
)

func TestLinear(t *testing.T) {
	for i := range 256 {
		c := float64(i) / 255
		if back := SRGB(Linear(c)); math.Abs(back-c) > 1e-6 {
			t.Errorf("%g comes back as %g", c, back)
		}
		if i > 0 && !(Linear(c) > Linear(c-1./255)) {
			t.Errorf("%g is no lighter than what is below", c)
		}
	}
	if got := Linear(0.5); math.Abs(got-0.21404) > 1e-5 {
		t.Errorf("half is %g", got)
	}
}

func TestPadColors(t *testing.T) {
	red := [4]float32{1, 0, 0, 1}
	if got, want := PadColors([][4]float32{red}, 3), [][4]float32{red, White, White}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := PadColors(nil, 0); got != nil {
		t.Errorf("got %v", got)
	}
}

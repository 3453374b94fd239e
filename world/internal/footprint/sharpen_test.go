package footprint

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestSharpened takes corners from the outline of a circle: the rest is around the circle and within the bound, and so few
// corners are left as the bound admits but for a third.
func TestSharpened(t *testing.T) {
	const radius = 100000
	var r lattice.Ring
	for i := range 720 {
		sin, cos := geom.Sincos(math.Pi * float64(i) / 360)
		p, _ := pointAt(radius*cos, radius*sin)
		r = append(r, p)
	}
	for _, most := range []float64{5, 200, 5000} {
		out := sharpened(r, 0, most)
		if len(out) > 4*sides(radius, most)/3+1 {
			t.Errorf("bound %g: %d corners, %d would do", most, len(out), sides(radius, most))
		}
		for i, p := range out {
			q := out[(i+1)%len(out)]
			if far := p.Distance(lattice.Point{}); far > radius+most+1 {
				t.Errorf("bound %g: corner %v is %g off", most, p, far-radius)
			}
			for _, v := range r {
				if lattice.Orient(p, q, v) < 0 && math.Sqrt(lattice.LineDistance2(v, p, q).Float()) > 1 {
					t.Fatalf("bound %g: %v is outside of the side from %v", most, v, p)
				}
			}
		}
	}
}

package exact

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestFootprintsAreHulls compares footprints with the hulls of the corners of all squares: of any points, on a line, on an
// axis, and all in one place.
func TestFootprintsAreHulls(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(5, 11))
	flat := 0
	for range 20000 {
		p := piece{n: 1 + r.IntN(len(piece{}.v))}
		size, step := 1+r.IntN(12), [2]int{r.IntN(3), r.IntN(3)}
		var plain []lattice.Point
		for i := range p.n {
			at := lattice.Point{X: int32(r.IntN(size) * step[0]), Y: int32(r.IntN(size) * step[1])}
			if size%5 == 0 {
				at.Y = 2 * at.X
			}
			p.v[i] = point3{float64(at.X) + r.Float64()*0.9 - 0.45, float64(at.Y) + r.Float64()*0.9 - 0.45, 0}
			plain = append(plain, at)
		}
		for out := range int32(4) {
			var around []lattice.Point
			for _, q := range plain {
				around = appendAround(around, q, out)
			}
			want := lattice.Hull(around)
			if len(want) < 3 {
				flat++
				want = nil
			}
			if got := p.footprint(out); !slices.Equal(got, want) {
				t.Fatalf("the footprint of %v with %d units around it is %v, not %v", plain, out, got, want)
			}
		}
	}
	if flat < 100 {
		t.Errorf("only %d footprints without an area", flat)
	}
}

package lattice_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestClipConvex clips random segments to random convex rings, and compares with places along the segments: places of the part
// are in the ring or at most the slack away, and all others are outside.
func TestClipConvex(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 21))
	draw := func() lattice.Point { return lattice.Point{X: rng.Int32N(4000), Y: rng.Int32N(4000)} }
	inside, outside := 0, 0
	for range 300 {
		var points []lattice.Point
		for range 3 + rng.IntN(6) {
			points = append(points, draw())
		}
		r := lattice.Hull(points)
		a, b := draw(), draw()
		if rng.IntN(3) == 0 { // along a side
			k := rng.IntN(len(r))
			a, b = r[k], r[(k+1)%len(r)]
		}
		if len(r) < 3 || a == b {
			continue
		}
		slack := float64(2 * rng.IntN(2))
		from, to, ok := r.ClipConvex(a, b, slack)
		for k := range 201 {
			at := float64(k) / 200
			// How far the place is outside of the ring, below 0 inside.
			far := math.Inf(-1)
			for i, p := range r {
				q := r[(i+1)%len(r)]
				x, y := float64(a.X)+at*float64(b.X-a.X), float64(a.Y)+at*float64(b.Y-a.Y)
				dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
				far = max(far, ((x-float64(p.X))*dy-(y-float64(p.Y))*dx)/math.Hypot(dx, dy))
			}
			switch part := ok && from <= at && at <= to; {
			case part && far > slack+1e-6:
				t.Fatalf("ring %v, segment %v to %v: the place %g of %g to %g is %g outside", r, a, b, at, from, to, far)
			case !part && far < -1e-6:
				t.Fatalf("ring %v, segment %v to %v: the place %g, not of %g to %g, is %g inside", r, a, b, at, from, to, -far)
			case part:
				inside++
			default:
				outside++
			}
		}
	}
	if inside < 1000 || outside < 1000 {
		t.Errorf("%d places inside and %d outside are too few", inside, outside)
	}
	// A side that rounding has moved in by a unit hides nothing of a segment beside it.
	ring := lattice.Ring{{X: 0, Y: 0}, {X: 1000, Y: 1}, {X: 1000, Y: 500}, {X: 0, Y: 500}}
	for slack, want := range map[float64]bool{0: false, 2: true} {
		from, to, ok := ring.ClipConvex(lattice.Point{X: 200}, lattice.Point{X: 900}, slack)
		if ok != want || ok && (from != 0 || to != 1) {
			t.Errorf("slack %g: %g to %g, %t", slack, from, to, ok)
		}
	}
}

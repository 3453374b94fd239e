package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestSidesNearest compares the tree of many edges with all edges, inside, on corners and edges, near and far.
func TestSidesNearest(t *testing.T) {
	var inside, near, far int
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 3))
		united, err := overlay.Union(append(corpus.Polygon(seed, 40, 3).Rings, corpus.Polygon(seed+100, 30, 2).Rings...))
		if err != nil {
			t.Fatal(err)
		}
		rings := ringsOf(united)
		s := sidesOf(rings, 0)
		for _, r := range rings {
			for k, a := range r {
				b := r[(k+1)%len(r)]
				for _, by := range [...]int32{0, 2, 100, 4 * reach} {
					p := lattice.Point{X: a.X + (b.X-a.X)/2, Y: a.Y + (b.Y-a.Y)/2}
					if rng.IntN(2) == 0 {
						p = a
					}
					p.X, p.Y = p.X+rng.Int32N(2*by+1)-by, p.Y+rng.Int32N(2*by+1)-by
					at, d := nearestIn(rings, p)
					if got, distance := s.nearest(p); got != at || distance != d {
						t.Fatalf("seed %d: %v is %g from %v, want %g from %v", seed, p, distance, got, d, at)
					}
					switch {
					case d == 0:
						inside++
					case d <= reach:
						near++
					case math.IsInf(d, 1):
						far++
					default:
						t.Fatalf("seed %d: %v has a distance of %g, beyond reach", seed, p, d)
					}
				}
			}
		}
	}
	if inside == 0 || near == 0 || far == 0 {
		t.Errorf("%d places inside, %d near, %d far", inside, near, far)
	}
}

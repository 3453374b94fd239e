package lattice

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestStraightenIsBest tries all sequences of lines of small rings.
func TestStraightenIsBest(t *testing.T) {
	race.Skip(t)
	shorter := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		ring := roundish(r, 5+r.IntN(6))
		for _, tolerance := range []float64{100, 600, 3000} {
			s := newStraightener([]Border{{Ring: ring}}, tolerance)
			s.findChains(0)
			c := &s.chains[0]
			s.load(c)
			got := s.run(c)
			want := math.Inf(1)
			var try func(i int, cost float64)
			try = func(i int, cost float64) {
				if i == len(s.supports)-1 {
					want = min(want, cost)
					return
				}
				for k := i + 1; k < len(s.supports); k++ {
					x, y := &s.supports[i], &s.supports[k]
					if y.first < x.last || y.first > x.last+window {
						continue
					}
					if j, ok := s.tryJoin(x, y); ok && cost+j.cost < want && s.join(x, y, &j) {
						try(k, cost+j.cost)
					}
				}
			}
			try(0, 0)
			if got != want {
				t.Fatalf("seed %d, tolerance %g: cost %g, want %g", seed, tolerance, got, want)
			}
			if len(c.points) < len(ring) {
				shorter++
			}
		}
	}
	if shorter < 50 {
		t.Errorf("only %d rings were shortened", shorter)
	}
}

// roundish returns a counter-clockwise or clockwise ring around the origin.
func roundish(r *rand.Rand, n int) Ring {
	ring := make(Ring, n)
	sign := float64(1 - 2*r.IntN(2))
	for i := range ring {
		angle := sign * 2 * math.Pi * (float64(i) + 0.6*r.Float64()) / float64(n)
		d := 3000 + 3000*r.Float64()
		ring[i] = Point{int32(d * math.Cos(angle)), int32(d * math.Sin(angle))}
	}
	return ring
}

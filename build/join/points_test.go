package join

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestPointTable compares a point table with a map, with room for all points and for none.
func TestPointTable(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := rng.IntN(200)
		table := newPointTable(n * int(seed%3) / 2)
		want := map[lattice.Point]int32{}
		for range n {
			size := []int32{1, 4, 20, lattice.MaxCoord}[rng.IntN(4)]
			p := lattice.Point{X: rng.Int32N(2*size+1) - size, Y: rng.Int32N(2*size+1) - size}
			number, known := want[p]
			if k, ok := table.of(p); ok != known || ok && k != number {
				t.Fatalf("seed %d: %v is %d, %v before, want %d, %v", seed, p, k, ok, number, known)
			}
			if !known {
				number = int32(len(want))
				want[p] = number
			}
			if k, isNew := table.number(p); k != number || isNew == known {
				t.Fatalf("seed %d: %v is %d, new: %v, want %d, new: %v", seed, p, k, isNew, number, !known)
			}
		}
		for p, number := range want {
			if k, ok := table.of(p); !ok || k != number || table.points[k] != p {
				t.Fatalf("seed %d: %v is %d, %v in the end, want %d", seed, p, k, ok, number)
			}
		}
	}
}

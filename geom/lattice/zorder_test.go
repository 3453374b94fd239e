package lattice

import (
	"math/rand/v2"
	"testing"
)

// TestInterleave takes the bits apart again.
func TestInterleave(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 1000 {
		x, y := rng.Uint32(), rng.Uint32()
		z := Interleave(x, y)
		for k := range 32 {
			if z>>(2*k)&1 != uint64(x>>k&1) || z>>(2*k+1)&1 != uint64(y>>k&1) {
				t.Fatalf("%#x and %#x: bit %d of %#x", x, y, k, z)
			}
		}
	}
}

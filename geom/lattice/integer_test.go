package lattice

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFloorCeilGCD compares with math/big, on all small numbers and on random large ones.
func TestFloorCeilGCD(t *testing.T) {
	compare := func(a, b int64) {
		if b != 0 {
			// Division in Euclid's way is that of the floor for a positive divisor.
			x, y := big.NewInt(a), big.NewInt(b)
			if b < 0 {
				x.Neg(x)
				y.Neg(y)
			}
			floor, rest := new(big.Int).DivMod(x, y, new(big.Int))
			want := floor.Int64()
			if got := FloorDiv(a, b); got != want {
				t.Errorf("⌊%d/%d⌋ is %d, got %d", a, b, want, got)
			}
			if rest.Sign() > 0 {
				want++
			}
			if got := CeilDiv(a, b); got != want {
				t.Errorf("⌈%d/%d⌉ is %d, got %d", a, b, want, got)
			}
		}
		want := new(big.Int).GCD(nil, nil, big.NewInt(max(a, -a)), big.NewInt(max(b, -b))).Int64()
		if got := GCD(a, b); got != want {
			t.Errorf("gcd(%d, %d) is %d, got %d", a, b, want, got)
		}
	}
	for a := int64(-12); a <= 12; a++ {
		for b := int64(-12); b <= 12; b++ {
			compare(a, b)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		compare(int64(rng.Uint64())>>(1+rng.IntN(62)), int64(rng.Uint64())>>(1+rng.IntN(62)))
	}
}

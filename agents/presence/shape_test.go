package presence

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// segmentWithin is the oracle of touchesSegment, in integers of any size.
func segmentWithin(p, a, b lattice.Point, radius int64) bool {
	n := func(x int64) *big.Int { return big.NewInt(x) }
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	add := func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }
	dx, dy := b.Sub(a)
	px, py := p.Sub(a)
	length2 := add(mul(n(dx), n(dx)), mul(n(dy), n(dy)))
	along := add(mul(n(px), n(dx)), mul(n(py), n(dy)))
	if along.Sign() < 0 {
		along = n(0)
	}
	if along.Cmp(length2) > 0 {
		along = length2
	}
	// The square of the distance from a + along/length2·(b-a), times length2².
	ex := new(big.Int).Sub(mul(n(px), length2), mul(n(dx), along))
	ey := new(big.Int).Sub(mul(n(py), length2), mul(n(dy), along))
	r := mul(n(radius), length2)
	if length2.Sign() == 0 {
		ex, ey, r = n(px), n(py), n(radius)
	}
	return add(mul(ex, ex), mul(ey, ey)).Cmp(mul(r, r)) <= 0
}

// TestTouchesSegment compares with integers of any size: touching discs, and discs a unit smaller, in all sizes.
func TestTouchesSegment(t *testing.T) {
	touching := 0
	check := func(p, a, b lattice.Point, radius int64) {
		t.Helper()
		want := segmentWithin(p, a, b, radius)
		if want && radius > 0 && !segmentWithin(p, a, b, radius-1) {
			touching++
		}
		if got := (disc{p, radius}).touchesSegment(a, b); got != want {
			t.Fatalf("disc of %d around %v and the segment from %v to %v: %v, want %v", radius, p, a, b, got, want)
		}
	}
	// The line through a and b rises by 3 in 4; p is exactly 5k away from the point in the middle.
	for _, k := range []int32{1, 7, 1000, 1 << 26, 1<<26 + 1} {
		a, b := lattice.Point{X: -4 * k, Y: -3 * k}, lattice.Point{X: 4 * k, Y: 3 * k}
		for _, p := range []lattice.Point{{X: -3 * k, Y: 4 * k}, {X: 3 * k, Y: -4 * k}, {X: 8 * k, Y: 6 * k}, {X: -8 * k, Y: -6 * k}} {
			for d := int64(-1); d <= 1; d++ {
				check(p, a, b, 5*int64(k)+d)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		size := int64(1) << (1 + rng.IntN(30))
		at := func() lattice.Point {
			in := func() int32 { return int32(max(-lattice.MaxCoord, min(lattice.MaxCoord, rng.Int64N(2*size+1)-size))) }
			return lattice.Point{X: in(), Y: in()}
		}
		check(at(), at(), at(), rng.Int64N(min(2*size, farthest)))
	}
	if touching < 20 {
		t.Errorf("only %d discs touch a segment in a point", touching)
	}
}

// TestWidestDiscs: discs beyond all coordinates meet everything, and no sum overflows.
func TestWidestDiscs(t *testing.T) {
	const far = lattice.MaxCoord
	a, b := lattice.Point{X: -far, Y: -far}, lattice.Point{X: far, Y: far}
	if !(disc{a, farthest}).touches(disc{b, farthest}) || !(disc{a, farthest}).touches(disc{b, 0}) {
		t.Error("the widest disc does not reach across the frame")
	}
	if (disc{a, far}).touches(disc{b, far / 3}) || !(disc{a, 2 * far}).touches(disc{b, far}) {
		t.Error("sums of radii are wrong")
	}
	if !(disc{a, farthest}).touchesSegment(b, b) || (disc{a, 2 * far}).touchesSegment(b, b) {
		t.Error("distances across the frame are wrong")
	}
	if units(1e300) != farthest || units(1) != lattice.UnitsPerMetre || units(0.5*lattice.Unit) != 1 || units(0.49*lattice.Unit) != 0 {
		t.Error("units are wrong")
	}
}

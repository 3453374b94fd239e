package overlay

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestSortKeys compares with a plain sort, few and many keys, small and large ones, the memory of one sort used by the
// next as arrangements do; and things with keys likewise.
func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	var spare []uint64
	var spareThings []keyed
	keys, things := []uint64(nil), []keyed(nil)
	for round := range 60 {
		n := rng.IntN(3 * radix)
		if round%3 == 0 {
			n = rng.IntN(2 * small)
		}
		reach := int32(1) << (2 + rng.IntN(29))
		keys, things = keys[:0], things[:0]
		for i := range n {
			p := lattice.Point{X: rng.Int32N(reach) - reach/2, Y: rng.Int32N(reach) - reach/2}
			keys = append(keys, keyOf(p))
			things = append(things, keyed{keyOf(p), int32(i)})
			if pointOf(keyOf(p)) != p {
				t.Fatalf("%v has a key of %v", p, pointOf(keyOf(p)))
			}
		}
		want, wantThings := slices.Sorted(slices.Values(keys)), slices.Clone(things)
		slices.SortStableFunc(wantThings, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		keys, spare = sortKeys(keys, spare)
		things, spareThings = sortKeyed(things, spareThings)
		if !slices.Equal(keys, want) {
			t.Fatalf("round %d: %d keys are not in order", round, n)
		}
		if !slices.Equal(things, wantThings) {
			t.Fatalf("round %d: %d things are not in order", round, n)
		}
		if !slices.IsSortedFunc(keys, func(a, b uint64) int { return pointOf(a).Compare(pointOf(b)) }) {
			t.Fatalf("round %d: keys and points are in different orders", round)
		}
	}
}

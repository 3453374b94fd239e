package crowd

import (
	"math/rand/v2"
	"testing"
)

// TestAheadIsMutual asks both walkers of pairs who goes ahead, and for their shares of the gap.
func TestAheadIsMutual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() plane { return plane{float64(rng.IntN(9)) - 4, float64(rng.IntN(9)) - 4} }
	kinds := map[bool]int{}
	for range 10_000 {
		a, b := &agent{id: 1}, &agent{id: 2}
		a.pos.Point.X, a.pos.Point.Z = some().x, some().z
		for _, x := range []*agent{a, b} {
			x.dir, _ = some().unit()
			x.bend, x.toBend = some(), float64(rng.IntN(3))
			x.claim = claim{uint64(rng.IntN(3)), uint8(rng.IntN(3))}
		}
		of := func(self, other *agent) *neighbour {
			n := &neighbour{entry: &entry{dir: other.dir, bend: other.bend, toBend: other.toBend, claim: other.claim}, rel: other.at().sub(self.at())}
			n.ahead = self.ahead(n)
			return n
		}
		first, second := of(a, b), of(b, a)
		if first.ahead != -second.ahead {
			t.Fatalf("%v and %v: %v and %v", *a, *b, first.ahead, second.ahead)
		}
		kinds[first.ahead == 0]++
		turn, gap := share(0, false, a.claim, first)
		turn2, gap2 := share(0, false, b.claim, second)
		if turn+turn2 != 1 || gap+gap2 != 1 {
			t.Fatalf("%v and %v: turns %v and %v, gaps %v and %v", *a, *b, turn, turn2, gap, gap2)
		}
	}
	if kinds[true] < 1000 || kinds[false] < 1000 {
		t.Errorf("pairs without and with an order: %v", kinds)
	}
}

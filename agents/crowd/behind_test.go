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

// TestWalkersWhoFaceEachOther asks both walkers of pairs with next bends near each other. Both say yes where one comes before the bend of the
// other, and no where both come to one bend or follow each other.
func TestWalkersWhoFaceEachOther(t *testing.T) {
	for _, c := range []struct {
		at, bend plane // of the second walker; the first is at 0 and walks to x = 1.1
		faces    bool
	}{
		{plane{0.7, 0.4}, plane{0.55, -0.1}, true},   // comes to the corner from beyond
		{plane{2, 0.1}, plane{1.1, 0}, false},        // the same bend, from the other side
		{plane{1.5, 0.8}, plane{1.2, 0.1}, false},    // bends that are nearly one, before both
		{plane{0.5, 0.1}, plane{1.1, 0}, false},      // ahead
		{plane{-0.5, 0.1}, plane{1.2, 0.05}, false},  // behind
		{plane{0.7, -0.4}, plane{0.9, -0.8}, false},  // walks away
		{plane{0.8, -0.01}, plane{0.6, -0.01}, true}, // head-on
	} {
		a, b := &agent{id: 1, dir: plane{1, 0}, toBend: 1.1}, &agent{id: 2}
		b.dir, b.toBend = c.bend.sub(c.at).unit()
		of := func(x *agent, rel plane) *neighbour {
			return &neighbour{entry: &entry{dir: x.dir, toBend: x.toBend}, rel: rel}
		}
		first, second := a.faces(of(b, c.at)), b.faces(of(a, c.at.scale(-1)))
		if first != c.faces || second != c.faces {
			t.Errorf("the other one at %v: %v and %v, want %v", c.at, first, second, c.faces)
		}
	}
}

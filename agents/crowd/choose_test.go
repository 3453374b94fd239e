package crowd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestChoose compares the choice of a direction with the full costs of all directions, whatever direction the agent chose last.
func TestChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	some := func(most float64) plane { return plane{most * (2*rng.Float64() - 1), most * (2*rng.Float64() - 1)} }
	chosen := map[int]int{}
	for round := range 5000 {
		a := &agent{radius: 0.2 + 0.4*rng.Float64(), speed: 1.4}
		for range rng.IntN(4) {
			from := some(3)
			along, length := some(3).sub(from).unit()
			a.walls = append(a.walls, wall{from, from.add(along.scale(length)), plane{-along.z, along.x}, length})
		}
		list := make([]neighbour, 1+rng.IntN(12))
		for i := range list {
			rel := some(3)
			list[i] = neighbour{entry: &entry{vel: some(1), radius: 0.4, standing: rng.IntN(5) == 0, rank: int32(rng.IntN(3) - 1)}, rel: rel, d2: rel.norm2()}
		}
		var w worker
		want := some(1)
		dir, speed := want.unit()
		a.turned = int8(rng.IntN(len(fan)))
		got := w.choose(a, list, want)
		best, least := 0, math.Inf(1)
		for k := range fan {
			if cost := w.cost(a, k, dir.turned(fan[k]), speed, a.sightAt(speed), math.Inf(1)); cost < least {
				best, least = k, cost
			}
		}
		if expected := dir.turned(fan[best]).scale(speed); got != expected && (least > 0 || got != want) {
			t.Fatalf("round %d: %v, want direction %d, %v", round, got, best, expected)
		}
		if int(a.turned) != best {
			t.Fatalf("round %d: direction %d, want %d", round, a.turned, best)
		}
		chosen[best]++
	}
	if len(chosen) < 8 {
		t.Errorf("only %d directions chosen: %v", len(chosen), chosen)
	}
}

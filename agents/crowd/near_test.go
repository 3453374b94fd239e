package crowd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestNear compares the grid with all pairs, and nearest with a sort.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		agents := make([]*agent, 1+rng.IntN(200))
		for i := range agents {
			// Few heights and a coarse raster: equal distances and storeys occur.
			agents[i] = &agent{id: ID(i), height: 2, radius: 0.4}
			agents[i].pos.Point = geom.Vec{X: float64(rng.IntN(40)) - 20, Y: float64(rng.IntN(3)) * 1.5, Z: float64(rng.IntN(40)) - 20}
			if round%2 == 0 {
				agents[i].pos.Point.X += 1e6
			}
		}
		var n near
		n.build(agents, 5)
		for i, a := range agents {
			reach := 5 * rng.Float64()
			var want []neighbour
			for k, b := range agents {
				rel := b.at().sub(a.at())
				if k != i && rel.norm2() <= reach*reach && abs(a.pos.Point.Y-b.pos.Point.Y) < 2 {
					want = append(want, neighbour{entry: &entry{index: int32(k)}, d2: rel.norm2()})
				}
			}
			slices.SortFunc(want, func(a, b neighbour) int {
				if a.before(b) {
					return -1
				}
				return 1
			})
			got := n.around(nil, a.at(), a.pos.Point.Y, a.height, int32(i), reach)
			k := rng.IntN(len(got) + 3)
			nearest(got, k)
			if len(got) != len(want) {
				t.Fatalf("round %d, agent %d: %d neighbours, want %d", round, i, len(got), len(want))
			}
			for j := range min(k, len(got)) {
				if got[j].index != want[j].index {
					t.Fatalf("round %d, agent %d: neighbour %d is %d, want %d", round, i, j, got[j].index, want[j].index)
				}
			}
		}
	}
}

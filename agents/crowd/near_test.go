package crowd

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestNear compares searches with a look at all agents.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for round := range 60 {
		agents := make([]*agent, 1+rng.IntN(200))
		wide := []int{40, 40, 400}[round%3]
		for i := range agents {
			// Few heights and a coarse raster: equal distances and storeys occur.
			agents[i] = &agent{id: ID(i), height: 2 + float64(rng.IntN(2)), radius: 0.4}
			agents[i].pos.Point = geom.Vec{X: float64(rng.IntN(40)) - 20, Y: float64(rng.IntN(20)) * 1.5, Z: float64(rng.IntN(wide)) - 20}
			switch round % 4 {
			case 1:
				agents[i].pos.Point.X += 1e6
			case 2:
				agents[i].pos.Point.Y = 0
			case 3:
				agents[i].pos.Point.X -= 1e12 // beyond all cells
			}
		}
		var n near
		most := []float64{5, 0.5}[round%2]
		n.fine = round%4 < 2
		n.build(agents, most)
		var s search
		for i, a := range agents {
			reach := most * rng.Float64()
			if round%5 == 0 {
				reach *= 20
			}
			sure, k := reach*rng.Float64(), rng.IntN(12)
			s.climb = []float64{0, 0.6}[round%2]
			var want []hit
			stacked := map[int32]bool{}
			for j, b := range agents {
				if d2 := b.at().sub(a.at()).norm2(); j != i && d2 <= sure*sure {
					room := max(b.pos.Point.Y-a.pos.Point.Y-a.height, a.pos.Point.Y-b.pos.Point.Y-b.height)
					stacked[int32(j)] = room >= 0 && room < s.climb
				}
				if d2 := b.at().sub(a.at()).norm2(); j != i && d2 <= reach*reach && a.pos.Point.Y < b.pos.Point.Y+b.height && b.pos.Point.Y < a.pos.Point.Y+a.height {
					want = append(want, hit{d2: d2, index: int32(j)})
				}
			}
			slices.SortFunc(want, func(a, b hit) int { return cmp.Or(cmp.Compare(a.d2, b.d2), cmp.Compare(a.index, b.index)) })
			last := min(k, len(want))
			for last < len(want) && want[last].d2 <= sure*sure {
				last++
			}
			want = want[:last]
			s.at, s.y, s.height, s.self, s.k, s.reach, s.sure = a.at(), a.pos.Point.Y, a.height, int32(i), k, reach, sure
			if s.guess = 0; round%2 == 1 {
				s.guess = reach * reach * rng.Float64()
			}
			got := n.around(nil, &s)
			if len(got) != len(want) {
				t.Fatalf("round %d, agent %d: %d neighbours, want %d", round, i, len(got), len(want))
			}
			for _, k := range s.stacked {
				if j := n.entries[k].index; !stacked[j] {
					t.Fatalf("round %d, agent %d: %d is not above or below, or twice", round, i, j)
				} else {
					stacked[j] = false
				}
			}
			for j, missed := range stacked {
				if missed {
					t.Fatalf("round %d, agent %d: %d is above or below", round, i, j)
				}
			}
			for j, o := range got {
				if o.index != want[j].index || o.d2 != want[j].d2 || o.at != agents[o.index].at() {
					t.Fatalf("round %d, agent %d: neighbour %d is %d, want %d", round, i, j, o.index, want[j].index)
				}
				found++
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d neighbours", found)
	}
}

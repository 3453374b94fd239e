package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNumbersStayTogether takes numbers for groups of pieces that come and go together: no number is taken twice, pieces of a
// group have numbers on few pages, and the numbers are at most twice the pieces that there ever were, and a page.
func TestNumbersStayTogether(t *testing.T) {
	for _, limit := range []uint32{0, 3, 7, 16} {
		rng := rand.New(rand.NewPCG(uint64(limit), 1))
		s := spares{free: []uint8{math.MaxUint8 << (limit % regionsPerPage)}, waiting: []bool{false}}
		used := map[uint32]bool{}
		var groups [][]uint32
		most, pages, taken, top := 0, 0, 0, limit%regionsPerPage
		for step := range 5000 {
			if len(groups) > 20 || len(groups) > 0 && rng.IntN(2) == 0 {
				k := rng.IntN(len(groups))
				for _, n := range groups[k] {
					delete(used, n)
					s.put(n)
				}
				groups = slices.Delete(groups, k, k+1)
				continue
			}
			var group []uint32
			on := map[uint32]bool{}
			for range 1 + rng.IntN(16) {
				n := s.take()
				if used[n] || n < limit%regionsPerPage {
					t.Fatalf("limit %d, step %d: the number %d has a piece already", limit, step, n)
				}
				if n > top+1 {
					t.Fatalf("limit %d, step %d: the number %d comes after %d, and leaves numbers out", limit, step, n, top)
				}
				used[n], on[n>>regionBits], top = true, true, max(top, n)
				group = append(group, n)
			}
			groups = append(groups, group)
			most = max(most, len(used))
			if step > 1000 {
				pages, taken = pages+len(on), taken+len(group)
			}
		}
		if int(top) > 2*most+2*regionsPerPage {
			t.Errorf("limit %d: numbers to %d for %d pieces", limit, top, most)
		}
		if share := float64(pages) * regionsPerPage / float64(taken); share > 2.2 {
			t.Errorf("limit %d: groups are on %.2f times the pages that they need", limit, share)
		}
	}
}

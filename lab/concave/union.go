package concave

import (
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Union returns the border of cells that together are a simple polygon, without corners where the border goes straight
// on. Errors: those of [Merge] for cells, and a union that has a hole, a pinch or several parts. Time O(n log n) for n corners.
func Union(cells []plan.Cell) (lattice.Ring, error) {
	if len(cells) == 0 {
		return nil, errors.New("concave: a union of no cells")
	}
	m, err := newMap(cells)
	if err != nil {
		return nil, err
	}
	next := map[int32]int32{}
	var first int32
	for i := len(m.regions) - 1; i >= 0; i-- {
		ring := m.regions[i].ring
		for k, u := range ring {
			v := ring[(k+1)%len(ring)]
			if m.left(v, u) >= 0 {
				continue
			}
			if _, twice := next[u]; twice {
				return nil, fmt.Errorf("concave: the border of the union meets itself at %v", m.at[u])
			}
			next[u], first = v, u
		}
	}
	var ring []int32
	for u := first; len(ring) == 0 || u != first; u = next[u] {
		ring = append(ring, u)
	}
	if len(ring) != len(next) {
		return nil, errors.New("concave: the union has a hole or several parts")
	}
	return straightened(m.points(ring)), nil
}

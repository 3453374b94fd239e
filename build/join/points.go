package join

import (
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// pointTable numbers points from 0 on in the order of first use: a hash table with open addressing, one per domain.
type pointTable struct {
	slots  []int32 // number of the slot's point plus one, 0 for an empty slot
	points []lattice.Point
	shift  uint
}

// newPointTable returns a table with room for n points; with more points the table grows.
func newPointTable(n int) pointTable {
	size := bits.Len(uint(2 * n))
	return pointTable{slots: make([]int32, 1<<size), points: make([]lattice.Point, 0, n), shift: uint(64 - size)}
}

// slot returns the slot of a point, or the empty slot for the point.
func (t *pointTable) slot(p lattice.Point) int {
	const golden = 0x9e3779b97f4a7c15
	h := (uint64(uint32(p.X))<<32 | uint64(uint32(p.Y))) * golden
	h ^= h >> 32
	k := int(h * golden >> t.shift)
	for t.slots[k] != 0 && t.points[t.slots[k]-1] != p {
		k = (k + 1) & (len(t.slots) - 1)
	}
	return k
}

// number returns the number of a point, a new number for a new point.
func (t *pointTable) number(p lattice.Point) (n int32, isNew bool) {
	if 2*(len(t.points)+1) > len(t.slots) {
		old := t.points
		*t = newPointTable(2*len(old) + 1)
		for _, q := range old {
			t.points = append(t.points, q)
			t.slots[t.slot(q)] = int32(len(t.points))
		}
	}
	k := t.slot(p)
	if n := t.slots[k]; n != 0 {
		return n - 1, false
	}
	t.points = append(t.points, p)
	t.slots[k] = int32(len(t.points))
	return int32(len(t.points) - 1), true
}

// of returns the number of a point; ok is false for an unknown point.
func (t *pointTable) of(p lattice.Point) (n int32, ok bool) {
	if len(t.points) == 0 {
		return 0, false
	}
	n = t.slots[t.slot(p)]
	return n - 1, n != 0
}

package detail

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// orderBits is the number of bits of a coordinate that decide where a vertex comes in the order: a grid
// of 65,536 cells each way. Within a cell the coordinates themselves decide.
const orderBits = 16

// order returns the numbers of the vertices along a Z-shaped curve through the square around them: neighbours
// in the plane are mostly neighbours in the order, whatever the input order. Equal vertices follow each
// other. Time O(n), but O(n log n) where many are in one cell.
func order(at []lattice.Vertex) []uint32 {
	box := lattice.EmptyBox()
	for i := range at {
		box = box.Extend(at[i].Point)
	}
	w, h := box.Size()
	drop := max(bits.Len64(uint64(max(w, h)))-orderBits, 0)
	keys := make([]uint64, len(at))
	for i := range at {
		x, y := at[i].Sub(box.Min)
		keys[i] = lattice.Interleave(uint32(x>>drop), uint32(y>>drop))<<32 | uint64(i)
	}
	keys = sortHigh(keys)
	out := make([]uint32, len(at))
	for i, k := range keys {
		out[i] = uint32(k)
	}
	for first := 0; first < len(keys); {
		end := first + 1
		for end < len(keys) && keys[end]>>32 == keys[first]>>32 {
			end++
		}
		if end > first+1 {
			slices.SortFunc(out[first:end], func(i, j uint32) int { return compare(at[i], at[j]) })
		}
		first = end
	}
	return out
}

// compare orders vertices by place, then by height.
func compare(a, b lattice.Vertex) int {
	if c := a.Compare(b.Point); c != 0 {
		return c
	}
	return cmp.Compare(a.Z, b.Z)
}

// sortHigh sorts keys stably by their upper half, digit by digit from the lowest. It returns one of its two
// arrays; keys is the first.
func sortHigh(keys []uint64) []uint64 {
	const digit = 11
	other := make([]uint64, len(keys))
	for low := 32; low < 64; low += digit {
		var place [1 << digit]uint32
		for _, k := range keys {
			place[k>>low&(1<<digit-1)]++
		}
		sum := uint32(0)
		for i, n := range place {
			place[i] = sum
			sum += n
		}
		for _, k := range keys {
			d := k >> low & (1<<digit - 1)
			other[place[d]] = k
			place[d]++
		}
		keys, other = other, keys
	}
	return keys
}

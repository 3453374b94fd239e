package cdt

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// lastRound returns the number of the last of the rounds of doubling size in which n items are inserted:
// about half of the items in the last, a quarter in the one before.
func lastRound(n int) int {
	last := 0
	for 64<<last < n {
		last++
	}
	return last
}

// round returns the round, from 0 to last, in which item i is inserted.
func round(i, last int) int {
	// A multiplicative hash is a fair enough coin: each zero bit moves the item a round ahead.
	for coin := uint64(i) * 0x9E3779B97F4A7C15 >> 32; last > 0 && coin&1 == 0; coin >>= 1 {
		last--
	}
	return last
}

// inRounds returns 0 … n-1 in rounds of doubling size, and within a round in their own order.
func inRounds(n int) []int32 {
	last := lastRound(n)
	begin := make([]int, last+2) // of each round
	for i := range n {
		begin[round(i, last)+1]++
	}
	for r := range last {
		begin[r+1] += begin[r]
	}
	result := make([]int32, n)
	for i := range n {
		r := round(i, last)
		result[begin[r]] = int32(i)
		begin[r]++
	}
	return result
}

// keyed is an item with its sort key.
type keyed struct {
	key  uint64
	item int32
}

// alongCurve returns the order of insertion: rounds of doubling size, so no arrangement of points is slow,
// and within a round along a Hilbert curve, so each point is near the one before.
func alongCurve(points []lattice.Point, lo, hi lattice.Point) []keyed {
	w, h := hi.Sub(lo)
	shift := 0
	for max(w, h)>>shift >= 1<<curveBits {
		shift++
	}
	last := lastRound(len(points))
	keys := make([]keyed, len(points), 2*len(points))
	for i, p := range points {
		x, y := p.Sub(lo)
		keys[i] = keyed{uint64(round(i, last))<<(2*curveBits) | hilbert(uint32(x>>shift), uint32(y>>shift)), int32(i)}
	}
	return sortKeys(keys)
}

// digitBits is the size of the digits that keys are sorted by.
const digitBits = 12

// sortKeys sorts by key; items with the same key stay in their order. The result may share the
// memory of keys. Many keys are sorted digit by digit, the lowest first, in linear time.
func sortKeys(keys []keyed) []keyed {
	if len(keys) < 1<<digitBits/2 {
		slices.SortFunc(keys, func(a, b keyed) int {
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item, b.item))
		})
		return keys
	}
	var differ uint64 // the bits that not all keys agree on
	for _, k := range keys {
		differ |= k.key ^ keys[0].key
	}
	from, to := keys, make([]keyed, len(keys))
	for shift := 0; differ>>shift != 0; shift += digitBits {
		if differ>>shift&(1<<digitBits-1) == 0 {
			continue
		}
		var begin [1<<digitBits + 1]int32
		for _, k := range from {
			begin[k.key>>shift&(1<<digitBits-1)+1]++
		}
		for d := range begin[1:] {
			begin[d+1] += begin[d]
		}
		for _, k := range from {
			d := k.key >> shift & (1<<digitBits - 1)
			to[begin[d]] = k
			begin[d]++
		}
		from, to = to, from
	}
	return from
}

// curveBits is the order of the Hilbert curve.
const curveBits = 16

// hilbert returns the place of the cell x, y on the Hilbert curve of order curveBits.
func hilbert(x, y uint32) uint64 {
	var d uint64
	state := uint8(0)
	for s := curveBits - 1; s >= 0; s-- {
		step := curve[state][x>>s&1<<1|y>>s&1]
		d = d<<2 | uint64(step.place)
		state = step.next
	}
	return d
}

// curve is the Hilbert curve as a machine: for each of its four ways through a square and for every quarter
// 2x+y it gives the quarter's place along the curve and the curve's way through the quarter.
var curve = [4][4]struct{ place, next uint8 }{
	{{0, 1}, {1, 0}, {3, 2}, {2, 0}},
	{{0, 0}, {3, 3}, {1, 1}, {2, 1}},
	{{2, 2}, {1, 2}, {3, 0}, {0, 3}},
	{{2, 3}, {3, 1}, {1, 3}, {0, 2}},
}

package overlay

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// keyed is the number of a thing and its sort key.
type keyed struct {
	key  uint64
	item int32
}

// keyOf returns a key in the order of points.
func keyOf(p lattice.Point) uint64 {
	const sign = 1 << 31
	return uint64(uint32(p.X)^sign)<<32 | uint64(uint32(p.Y)^sign)
}

// pointOf returns the point of a key.
func pointOf(key uint64) lattice.Point {
	const sign = 1 << 31
	return lattice.Point{X: int32(uint32(key>>32) ^ sign), Y: int32(uint32(key) ^ sign)}
}

// sortKeys is [sortKeyed] for keys alone.
func sortKeys(keys, spare []uint64) (sorted, other []uint64) {
	if len(keys) < worth {
		slices.Sort(keys)
		return keys, spare
	}
	spare = slices.Grow(spare[:0], len(keys))[:len(keys)]
	differ := uint64(0)
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	for shift := 0; shift < 64; shift += digit {
		if differ>>shift&(radix-1) == 0 {
			continue
		}
		var next [radix]int32
		for _, k := range keys {
			next[k>>shift&(radix-1)]++
		}
		accumulate(&next)
		for _, k := range keys {
			d := k >> shift & (radix - 1)
			spare[next[d]] = k
			next[d]++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}

// A digit of a key has 8 bits. From worth keys on, sorting by digits pays, and below small keys, sorting by insertion.
const digit, radix, worth, small = 8, 1 << 8, 128, 48

// accumulate turns counts into where each begins.
func accumulate(next *[radix]int32) {
	sum := int32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
}

// sortKeyed sorts things, given in the order of their numbers, by key and then by number. Many things take
// linear time: digit by digit from the lowest, without the digits in which no two differ. It returns the
// things and a spare slice for the next call.
func sortKeyed(things, spare []keyed) (sorted, other []keyed) {
	if len(things) < small {
		for i := 1; i < len(things); i++ {
			t, k := things[i], i
			for ; k > 0 && things[k-1].key > t.key; k-- {
				things[k] = things[k-1]
			}
			things[k] = t
		}
		return things, spare
	}
	if len(things) < worth {
		slices.SortFunc(things, func(a, b keyed) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return cmp.Compare(a.item, b.item)
		})
		return things, spare
	}
	spare = slices.Grow(spare[:0], len(things))[:len(things)]
	differ := uint64(0)
	for _, t := range things {
		differ |= t.key ^ things[0].key
	}
	for shift := 0; shift < 64; shift += digit {
		if differ>>shift&(radix-1) == 0 {
			continue
		}
		var next [radix]int32
		for _, t := range things {
			next[t.key>>shift&(radix-1)]++
		}
		accumulate(&next)
		for _, t := range things {
			d := t.key >> shift & (radix - 1)
			spare[next[d]] = t
			next[d]++
		}
		things, spare = spare, things
	}
	return things, spare
}

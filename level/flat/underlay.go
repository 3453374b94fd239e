package flat

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// underlay finds the arc directly below another: a segment tree over the X coordinates, where every node
// holds its spanning arcs from the bottom up. Arcs that do not cross have an order. The tree holds only arcs
// directed to the east, with their face above.
//
// Building takes O(n log² n) and O(n log n) memory, a question O(log² n).
type underlay struct {
	arcs  []arc
	xs    []int32   // the X coordinates of ends, rising: leaf i is from xs[i] to xs[i+1]
	nodes [][]int32 // a heap: the children of node i are 2i and 2i+1, the leaves the second half
}

func newUnderlay(arcs []arc) *underlay {
	u := &underlay{arcs: arcs}
	for _, a := range arcs {
		u.xs = append(u.xs, a.from.X) // every end is the origin of an arc
	}
	slices.Sort(u.xs)
	u.xs = slices.Compact(u.xs)
	u.nodes = make([][]int32, 2*len(u.xs))
	for i, a := range arcs {
		if a.from.X >= a.to.X {
			continue
		}
		lo, hi := u.leaf(a.from.X)+len(u.xs), u.leaf(a.to.X)+len(u.xs)
		for ; lo < hi; lo, hi = lo/2, hi/2 {
			if lo&1 == 1 {
				u.nodes[lo] = append(u.nodes[lo], int32(i))
				lo++
			}
			if hi&1 == 1 {
				hi--
				u.nodes[hi] = append(u.nodes[hi], int32(i))
			}
		}
	}
	for _, node := range u.nodes {
		slices.SortFunc(node, func(i, k int32) int {
			switch {
			case i == k:
				return 0
			case isBelow(arcs[i], arcs[k]):
				return -1
			}
			return 1
		})
	}
	return u
}

// leaf returns the place of x among the coordinates, that of the greatest coordinate below x where x is none of them, and
// -1 where x is less than all.
func (u *underlay) leaf(x int32) int {
	i, found := slices.BinarySearch(u.xs, x)
	if !found {
		i--
	}
	return i
}

// below returns the highest arc below a, just east of a's origin; a is directed to the east; -1 if none.
func (u *underlay) below(a arc) int32 {
	best := int32(-1)
	if len(u.xs) == 0 || a.from.X < u.xs[0] {
		return best
	}
	for i := u.leaf(a.from.X) + len(u.xs); i > 0; i /= 2 {
		node := u.nodes[i]
		// The number of arcs in the node that are below a.
		n, _ := slices.BinarySearchFunc(node, a, func(k int32, a arc) int {
			if isBelow(u.arcs[k], a) {
				return -1
			}
			return 1
		})
		if n > 0 && (best < 0 || isBelow(u.arcs[best], u.arcs[node[n-1]])) {
			best = node[n-1]
		}
	}
	return best
}

// isBelow reports whether a is below b. Both are directed to the east, do not cross, and are above
// each other for some stretch.
func isBelow(a, b arc) bool {
	var side int64 // of a's end to b, or the negative of b's to a
	if a.from.X >= b.from.X {
		side = lattice.Orient(b.from, b.to, a.from)
	} else {
		side = -lattice.Orient(a.from, a.to, b.from)
	}
	if side != 0 {
		return side < 0
	}
	if a.to.X <= b.to.X {
		return lattice.Orient(b.from, b.to, a.to) < 0
	}
	return lattice.Orient(a.from, a.to, b.to) > 0
}

package concave

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Concavity2 returns the squared concavity of a simple counter-clockwise ring, in lattice units: the largest
// squared distance of a border point off the convex hull to the hull's edge across its pocket. It is 0
// exactly for a convex ring. Time O(n log n).
func Concavity2(r lattice.Ring) lattice.Ratio {
	var deepest lattice.Ratio
	hull := hullOf(r)
	// The corners of the hull of a simple ring come in the order of the ring.
	for k, from := range hull {
		to := hull[(k+1)%len(hull)]
		for i := (from + 1) % len(r); i != to; i = (i + 1) % len(r) {
			if d := lattice.SegmentDistance2(r[i], r[from], r[to]); d.Compare(deepest) > 0 {
				deepest = d
			}
		}
	}
	return deepest
}

// hullOf returns the indices of the corners of the convex hull of r, counter-clockwise and without
// those where it goes straight on, by Andrew's monotone chain.
func hullOf(r lattice.Ring) []int {
	order := make([]int, len(r))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return r[i].Compare(r[j]) })
	hull := make([]int, 0, len(r)+1)
	half := func(i, least int) {
		for len(hull) > least && lattice.Orient(r[hull[len(hull)-2]], r[hull[len(hull)-1]], r[i]) <= 0 {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, i)
	}
	for _, i := range order {
		half(i, 1)
	}
	below := len(hull)
	for k := len(order) - 2; k >= 0; k-- {
		half(order[k], below)
	}
	return hull[:len(hull)-1]
}

// straightened returns r without the corners where it goes straight on.
func straightened(r lattice.Ring) lattice.Ring {
	out := make(lattice.Ring, 0, len(r))
	for i, p := range r {
		if lattice.Orient(r[(i+len(r)-1)%len(r)], p, r[(i+1)%len(r)]) != 0 {
			out = append(out, p)
		}
	}
	return out
}

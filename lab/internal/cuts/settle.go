package cuts

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Settle takes back cuts with the same part of the domain on both sides. Their remains are diagonals like any
// other. It returns the part of every triangle, by numbers from 0 in the order of the first triangle, -1
// outside of the domain, and the number of parts.
func (d *Domain) Settle() (part []int32, parts int) {
	part = make([]int32, len(d.Inside))
	for i := range part {
		part[i] = -1
	}
	var todo []int32
	for t := range part {
		if part[t] >= 0 || !d.Inside[t] {
			continue
		}
		part[t] = int32(parts)
		todo = append(todo[:0], int32(t))
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, h := range d.H[3*at : 3*at+3] {
				if h.Mark == cdt.Free && part[h.Opp/3] < 0 {
					part[h.Opp/3] = int32(parts)
					todo = append(todo, h.Opp/3)
				}
			}
		}
		parts++
	}
	for e, h := range d.H {
		if h.Mark == d.mark && h.Opp > int32(e) && part[e/3] == part[h.Opp/3] {
			d.Release(int32(e))
		}
	}
	return part, parts
}

// Edges returns the pieces of all cuts with the domain on both sides, one half-edge of each.
func (d *Domain) Edges() []int32 {
	var all []int32
	for e, h := range d.H {
		if h.Mark == d.mark && int32(e) < h.Opp && d.Inside[e/3] && d.Inside[h.Opp/3] {
			all = append(all, int32(e))
		}
	}
	return all
}

// Cuts returns the ends of the pieces in Edges.
func (d *Domain) Cuts() [][2]lattice.Point {
	var all [][2]lattice.Point
	for _, e := range d.Edges() {
		all = append(all, [2]lattice.Point{d.P[d.H[e].V], d.P[d.Head(e)]})
	}
	return all
}

// LongestFirst brings diagonals into the best order for their removal: short portals stay. Diagonals of equal
// length stay in the order of their numbers.
func LongestFirst(dom *cdt.Domain, diagonals []int32) {
	type keyed struct {
		long uint64
		half int32
	}
	keys := make([]keyed, len(diagonals))
	for i, e := range diagonals {
		keys[i] = keyed{dom.P[dom.H[e].V].Distance2(dom.P[dom.Head(e)]), e}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(b.long, a.long), cmp.Compare(a.half, b.half))
	})
	for i, k := range keys {
		diagonals[i] = k.half
	}
}

package growth

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Seed is a possible start of a region: beside an exposed edge, an edge of the domain or of a claimed region
// with unclaimed space at its side. It stays valid through other claims.
type Seed struct{ v, mark int32 }

// Exposed returns a seed beside every exposed edge, along Morton's curve through their starts, so that
// neighbours in the list are mostly neighbours in the world. The order does not depend on the triangulation.
// Time O(n log n) for n exposed edges.
func (w *World) Exposed() []Seed {
	type potential struct {
		Seed
		place  uint64
		length uint64
	}
	n := 0
	for e, h := range w.H {
		if h.Mark != cdt.Free && w.Inside[e/3] {
			n++
		}
	}
	all := make([]potential, 0, n)
	for e, h := range w.H {
		if h.Mark != cdt.Free && w.Inside[e/3] {
			p := w.P[h.V]
			x, y := int64(p.X)+w.bounds[West], int64(p.Y)+w.bounds[South]
			place := lattice.Interleave(uint32(x), uint32(y))
			all = append(all, potential{Seed{h.V, h.Mark}, place, p.Distance2(w.P[w.Head(int32(e))])})
		}
	}
	slices.SortFunc(all, func(a, b potential) int {
		if c := cmp.Compare(a.place, b.place); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.mark, b.mark), cmp.Compare(a.length, b.length))
	})
	seeds := make([]Seed, len(all))
	for i, p := range all {
		seeds[i] = p.Seed
	}
	return seeds
}

// Beside returns the half-edge of a seed with the unclaimed space on its left, or -1 if that has
// been claimed.
func (w *World) Beside(s Seed) int32 {
	first := w.Edge[s.v]
	for e := first; ; {
		if w.H[e].Mark == s.mark && w.Inside[e/3] {
			return e
		}
		if e = w.CCW(e); e == first || e < 0 {
			return -1
		}
	}
}

// Ends returns the points that half-edge e runs from and to.
func (w *World) Ends(e int32) (from, to lattice.Point) { return w.P[w.H[e].V], w.P[w.Head(e)] }

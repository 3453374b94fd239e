package index

// The links of a mesh that changes: see editor.go.
//
// Idea: hops keep their numbers. A hop whose start or end is near a changed region of the base looks for the regions
// there again. A hop without floor at an end is closed: no region lists the hop. Estimates with closed hops stay lower
// bounds.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// nowhere is the region of an end without floor.
const nowhere = math.MaxUint32

// Closed reports whether an end of the hop has no floor.
func (h *Hop) Closed() bool { return h.From == nowhere || h.To == nowhere }

// relink finds the regions at the ends of hops near the change.
func (w *work) relink(changes []Replacement) {
	e, ix := w.e, w.next
	if len(ix.Hops) == 0 {
		return
	}
	var list []int32
	for i := range changes {
		list = append(list, e.hopsNear[changes[i].Base]...)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > 0 {
		ix.Hops = slices.Clone(ix.Hops)
	}
	var around []uint32
	for _, n := range list {
		h := &ix.Hops[n]
		if !h.Closed() {
			around = w.old.RegionsAround(around[:0], Place{Region: h.From, At: h.Start})
			for _, r := range around {
				if k := slices.Index(ix.fringeOf(r).hops, n); k >= 0 {
					f := w.fringe(r)
					f.hops = slices.Delete(slices.Clone(f.hops), k, k+1)
				}
			}
		}
		now := ix.HopAt(h.Link, h.T)
		now.Step, now.Cost = h.Step, h.Cost
		if *h = now; h.Closed() {
			continue
		}
		around = ix.RegionsAround(around[:0], Place{Region: h.From, At: h.Start})
		for _, r := range around {
			if k, ok := slices.BinarySearch(ix.fringeOf(r).hops, n); !ok {
				f := w.fringe(r)
				f.hops = slices.Insert(slices.Clone(f.hops), k, n)
			}
		}
		h.ends = ix.RegionsAround(nil, Place{Region: h.To, At: h.End})
	}
	if len(list) > 0 || e.parts.changed || ix.Reach.number != nil && len(ix.alias) > len(ix.Reach.number) {
		ix.Reach = reachable{}
		ix.findReachable()
	}
}

// floorAt returns the region of floor at a point of a region of the base: the region itself, or a piece.
func (ix *Index) floorAt(base uint32, at lattice.Point) uint32 {
	if !ix.Region(base).Split {
		return base
	}
	for _, r := range ix.fringeOf(base).pieces {
		if ix.Contains(r, at) {
			return r
		}
	}
	return nowhere
}

package index

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Spread is a set of regions reached from a first region, in order. Each region has the list index of its predecessor.
type Spread struct {
	Regions []uint32
	From    []int32
	Marks   []uint32 // the stamp of the last search that reached a region
	Stamp   uint32
}

// Begin resets the set to region r.
func (s *Spread) Begin(regions int, r uint32) {
	s.Stamp++
	if len(s.Marks) < regions || s.Stamp == 0 {
		s.Marks = make([]uint32, regions+regions/16)
		s.Stamp = 1
	}
	s.Regions, s.From = s.Regions[:0], s.From[:0]
	s.Add(r, None)
}

// Add appends a region unless the set contains the region.
func (s *Spread) Add(r uint32, from int32) {
	if s.Marks[r] != s.Stamp {
		s.Marks[r] = s.Stamp
		s.Regions, s.From = append(s.Regions, r), append(s.From, from)
	}
}

// Over finds the regions that can be reached from r through portals that meet a disc, given by its centre and
// squared radius, regions behind fewer portals first.
func (s *Spread) Over(ix *Index, r uint32, centre lattice.Point, radius2 uint64) {
	s.Begin(ix.RegionLimit(), r)
	for i := 0; i < len(s.Regions); i++ {
		reg := ix.Region(s.Regions[i])
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			p := ix.Portal(k)
			if s.Marks[p.To] != s.Stamp && lattice.SegmentDistance2(centre, p.Left, p.Right).CompareInt(radius2) <= 0 {
				s.Add(p.To, int32(i))
			}
		}
	}
}

// ReachSet is the set of regions that can be reached from a region.
type ReachSet struct {
	start uint32
	part  uint32   // of the start region
	flood *Spread  // the regions themselves, if the Index does not know reachability; else nil
	list  []uint32 // see few
}

// From sets w to the regions reachable from region r. If more parts have links than the Index tracks, from visits the
// regions, in time O(n), and overwrites s.
func (w *ReachSet) From(ix *Index, s *Spread, r uint32) {
	w.start, w.part, w.flood = r, ix.PartOf(r), nil
	if n := ix.Reach.number; ix.Reach.From != nil || n == nil || n[w.part] == 0 {
		return
	}
	w.flood = s
	s.Begin(ix.RegionLimit(), r)
	for i := 0; i < len(s.Regions); i++ {
		reg := ix.Region(s.Regions[i])
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			s.Add(ix.Portal(k).To, int32(i))
		}
		for _, h := range ix.HopsOf(s.Regions[i]) {
			s.Add(ix.Hops[h].To, int32(i))
		}
	}
}

// Has reports whether region r can be reached.
func (w *ReachSet) Has(ix *Index, r uint32) bool {
	if w.flood != nil {
		return w.flood.Marks[r] == w.flood.Stamp
	}
	return ix.Joined(w.part, ix.PartOf(r))
}

// fewRegions is the number of regions up to which a part without links is looked through region by region. The table of them has
// four slots for each.
const (
	fewRegions = 64
	fewBits    = 8
)

// few returns the regions of w, if they are few and no links lead on. The set of those found is small: the marks of a Spread are seldom
// in a cache.
func (w *ReachSet) few(ix *Index) (regions []uint32, ok bool) {
	if n := ix.Reach.number; n != nil && n[w.part] != 0 {
		return nil, false
	}
	var table [1 << fewBits]uint32 // a free slot is behind each run of taken ones
	list := w.list[:0]
	find := func(r uint32) {
		at := r * 0x9e3779b1 >> (32 - fewBits)
		for ; table[at] != 0; at = (at + 1) % (1 << fewBits) {
			if table[at] == r+1 {
				return
			}
		}
		table[at] = r + 1
		list = append(list, r)
	}
	find(w.start)
	for i := 0; i < len(list) && len(list) <= fewRegions; i++ {
		for _, p := range ix.PortalsOf(ix.Region(list[i])) {
			if find(p.To); len(list) > fewRegions {
				break
			}
		}
	}
	w.list = list
	return list, len(list) <= fewRegions
}

// Flat is over without regions that overlap an earlier region, seen from above.
func (s *Spread) Flat(ix *Index, r uint32, centre lattice.Point, radius2 uint64) {
	s.Begin(ix.RegionLimit(), r)
	for i := 0; i < len(s.Regions); i++ {
		reg := ix.Region(s.Regions[i])
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			p := ix.Portal(k)
			if s.Marks[p.To] == s.Stamp || lattice.SegmentDistance2(centre, p.Left, p.Right).CompareInt(radius2) > 0 {
				continue
			}
			if slices.ContainsFunc(s.Regions, func(o uint32) bool { return ix.overlap(p.To, o) }) {
				s.Marks[p.To] = s.Stamp // ask only once
				continue
			}
			s.Add(p.To, int32(i))
		}
	}
}

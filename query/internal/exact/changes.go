package exact

// Lists of corners in sight on a mesh that changes.
//
// Source: the persistent arrays of package index, and the marks of what a result has read as in U. A. Acar, G. E. Blelloch and
// R. Harper, Adaptive functional programming, POPL 2002.
//
// Idea: a list is the result of a look, see sights.go. A look reads regions: the regions that it enters, the regions behind
// portals seen edge-on, and all regions around the ends of portals in sight. While all these regions are as on the base, a look
// on the changed Index reads the same, and so finds the same corners and hops. Corners of the base have the same numbers then, see
// index, turns.go. So the list holds: each obstacle in sight of the corner stands in a region of the look. A list is stale while a
// region of its look has other floor or other hops. The writer counts such regions for each list, and Indexes share the pages
// of a set of stale lists. A search looks through portals where a list is stale.
//
// Input: an Index of a whole mesh with lists, and Indexes that an [index.Editor] makes of it.
//
// Guarantees:
//  1. Paths on changed Indexes are as long as those on a mesh made from scratch (TestSightsOfChanges).
//  2. A list that is not stale is the list of a look on the changed Index (TestListsOfChanges).
//  3. The set of an Index never changes (TestOldSightsStay).
//
// Degenerate cases: portals of a region beside changed floor may have other numbers than on the base; a search looks for them by their
// ends. A hop away from its place on the base, or of a further link, counts as other floor of the regions around its start. A closed
// hop is left out of the lists.
//
// Cost: time O(v) once for v portals in sight of all corners. About a byte for each region that a look has read, and 4 bytes for each
// list, once. A change costs O(k) for k lists with regions that the change splits or restores, 64 bytes for every
// 512 lists near by, and 8 bytes for every 512 lists.
//
// Departures: none of note.

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// bitset is a persistent set of small numbers.
type bitset []*[bitsetPage / 64]uint64

// bitsetPage is the number of bits on a page.
const bitsetPage = 512

func (b bitset) has(i uint32) bool {
	return b[i/bitsetPage][i%bitsetPage/64]>>(i%64)&1 != 0
}

// flip changes whether the set holds a number. Pages that old holds are copied.
func (b bitset) flip(old bitset, i uint32) {
	k := i / bitsetPage
	if b[k] == old[k] {
		page := *old[k]
		b[k] = &page
	}
	b[k][i%bitsetPage/64] ^= 1 << (i % 64)
}

// Readings knows which regions the looks of lists have read, for the writer of a mesh that changes.
type Readings struct {
	base    *index.Index
	lists   Sights   // of the base
	first   []uint32 // of the lists that have read region r: their numbers are spans[first[r]:first[r+1]], as differences
	spans   []byte
	count   []uint32 // of every list: the regions that its look has read and that are not as on the base
	other   []bool   // of every region: it is not as on the base
	atHops  []uint32 // regions with other hops than on the base
	noticed []uint32 // regions that may have changed
}

// NewReadings looks for the regions that the lists of an Index have read; nil for no lists.
func NewReadings(l *Sights) *Readings {
	if l.base == nil || l.base != l.ix {
		return nil
	}
	ix := l.base
	r := &Readings{base: ix, lists: *l, count: make([]uint32, len(l.spans)), other: make([]bool, ix.RegionLimit())}
	r.lists.Forget()
	read := make([][]byte, ix.RegionLimit()) // the lists of every region
	last := make([]uint32, ix.RegionLimit()) // 1 + the last list
	add := func(region, span uint32) {
		if last[region] != span+1 {
			read[region] = binary.AppendUvarint(read[region], uint64(span+1-last[region]))
			last[region] = span + 1
		}
	}
	fans := fansOf(ix)
	met := make([]uint32, len(fans.regions)) // 1 + the last list
	meet := func(end, span uint32) {
		if n := fans.of[end]; met[n] != span+1 {
			met[n] = span + 1
			for _, region := range fans.regions[n] {
				add(region, span)
			}
		}
	}
	corners := Sights{at: make([]lattice.Point, ix.Turns), walls: make([]walls, ix.Turns)}
	from := corners.beginnings(ix)
	var o outlook
	for i := range uint32(len(l.spans)) {
		if l.spans[i].begin == unlisted {
			continue
		}
		at := l.at[i/2]
		o.look(ix, at, &l.walls[i/2], from[i], i%2 == 1, 0)
		for _, region := range o.around {
			add(region, i)
		}
		for k := range o.views {
			v := &o.views[k]
			p := ix.Portal(v.portal)
			add(p.To, i)
			if v.left == index.Towards(at, p.Left) {
				meet(2*v.portal+1, i)
			}
			if v.right == index.Towards(at, p.Right) {
				meet(2*v.portal, i)
			}
		}
		for _, p := range o.along {
			meet(2*p, i)
			meet(2*p+1, i)
		}
	}
	r.first = append(r.first, 0)
	for _, list := range read {
		r.spans = append(r.spans, list...)
		r.first = append(r.first, uint32(len(r.spans)))
	}
	return r
}

// fans are the regions around the ends of portals.
type fans struct {
	of      []uint32 // by end, 2·portal, plus 1 for the left end: an index in regions
	regions [][]uint32
}

// fansOf finds the regions around all ends of portals.
func fansOf(ix *index.Index) (f fans) {
	const unknown = math.MaxUint32
	f.of = slices.Repeat([]uint32{unknown}, 2*ix.PortalLimit())
	for r := range uint32(ix.RegionLimit()) {
		for k := ix.Region(r).FirstPortal; k < ix.Region(r).EndPortal; k++ {
			for end := range uint32(2) {
				if f.of[2*k+end] == unknown {
					f.add(ix, k, end)
				}
			}
		}
	}
	return f
}

// add walks around an end of a portal, first through the portal and then the other way.
func (f *fans) add(ix *index.Index, portal, end uint32) {
	n := uint32(len(f.regions))
	var list []uint32
	for range 2 {
		for p := portal; ; {
			back := ix.Portal(p).Back
			f.of[2*p+end], f.of[2*back+1-end] = n, n
			list = append(list, ix.Portal(p).To)
			next, ok := ix.Around(p, end == 1)
			if !ok || next == portal || len(list) > 2*ix.PortalLimit() {
				break
			}
			p = next
		}
		portal, end = ix.Portal(portal).Back, 1-end
	}
	slices.Sort(list)
	f.regions = append(f.regions, slices.Compact(list))
}

// After returns the lists for an Index that a change has made of another. before are the lists of that Index, and changes are the
// changes of its floor.
func (r *Readings) After(before *Sights, now *index.Index, changes []index.Replacement) Sights {
	if r == nil {
		return Sights{}
	}
	out := r.lists
	out.ix, out.stale = now, before.stale
	if out.stale == nil {
		out.stale = make(bitset, (len(r.count)+bitsetPage-1)/bitsetPage)
		for i := range out.stale {
			out.stale[i] = new([bitsetPage / 64]uint64)
		}
	}
	r.noticed = r.noticed[:0]
	for i := range changes {
		r.noticed = append(r.noticed, changes[i].Base)
	}
	if !now.SameHops(before.ix) {
		r.findHops(now)
	}
	old := out.stale
	for _, region := range r.noticed {
		other := now.Region(region).Split || slices.Contains(r.atHops, region)
		if other == r.other[region] {
			continue
		}
		if &out.stale[0] == &old[0] {
			out.stale = slices.Clone(old)
		}
		r.other[region] = other
		r.turn(region, out.stale, old)
	}
	return out
}

// turn counts a region with other floor or hops than before, for all lists of looks through the region.
func (r *Readings) turn(region uint32, stale, old bitset) {
	more, edge := uint32(1), uint32(1) // a list is no longer stale when its number is 0, and has just become stale at 1
	if !r.other[region] {
		more, edge = math.MaxUint32, 0
	}
	count, span := r.count, uint32(math.MaxUint32)
	list := r.spans[r.first[region]:r.first[region+1]]
	for i := 0; i < len(list); {
		if b := list[i]; b < 1<<7 {
			i, span = i+1, span+uint32(b)
		} else {
			far, n := binary.Uvarint(list[i:])
			i, span = i+n, span+uint32(far)
		}
		n := count[span] + more
		if count[span] = n; n == edge {
			stale.flip(old, span)
		}
	}
}

// findHops notices the regions of the base around hops that are not as on the base, now or before.
func (r *Readings) findHops(now *index.Index) {
	r.noticed = append(r.noticed, r.atHops...)
	r.atHops = r.atHops[:0]
	for i := range now.Hops {
		h := &now.Hops[i]
		if h.Closed() {
			continue
		}
		if i < len(r.base.Hops) {
			o := &r.base.Hops[i]
			if h.Start == o.Start {
				continue
			}
			r.atHops = r.base.RegionsAround(r.atHops, index.Place{Region: o.From, At: o.Start})
		}
		begin := len(r.atHops)
		r.atHops = now.RegionsAround(r.atHops, index.Place{Region: h.From, At: h.Start})
		r.atHops = append(r.atHops[:begin], slices.DeleteFunc(r.atHops[begin:], func(region uint32) bool { return int(region) >= len(r.other) })...)
	}
	r.noticed = append(r.noticed, r.atHops...)
}

// present returns the number that a portal of the base has on a changed Index, between regions that are as on the base.
func (l *Sights) present(p uint32) uint32 {
	o := l.base.Portal(p)
	r := l.ix.Region(l.base.Portal(o.Back).To)
	if p >= r.FirstPortal && p < r.EndPortal && same(l.ix.Portal(p), o) {
		return p
	}
	portals := l.ix.PortalsOf(r)
	for i := range portals {
		if same(&portals[i], o) {
			return r.FirstPortal + uint32(i)
		}
	}
	return p
}

// same reports whether two portals of a region lead to the same region, in the same place.
func same(a, b *index.Portal) bool { return a.To == b.To && a.Left == b.Left && a.Right == b.Right }

package index

import (
	"cmp"
	"slices"
)

// reachable is the relation between parts of the mesh that chains of links lead from and to.
type reachable struct {
	// number numbers the parts with a start or end of a link, from 1 on; nil without links.
	number []uint32
	count  int
	// from has a bit for each pair of numbered parts; nil with too many parts.
	From []uint64
}

// MaxReachable bounds the number of parts with links for a table of reachability: its bits take 2 MiB. With more parts
// a search decides.
const MaxReachable = 4096

// findReachable finds the parts that links lead to. Time O(p·(p + l)) for p parts with an end among l links.
func (ix *Index) findReachable() {
	r := &ix.Reach
	if len(ix.Hops) == 0 {
		return
	}
	parts := uint32(len(ix.alias))
	for i := uint32(0); ix.alias == nil && int(i) < ix.RegionLimit(); i++ {
		parts = max(parts, ix.Region(i).Part+1)
	}
	r.number = make([]uint32, parts)
	number := func(region uint32) uint32 {
		n := &r.number[ix.PartOf(region)]
		if *n == 0 {
			r.count++
			*n = uint32(r.count)
		}
		return *n - 1
	}
	if ix.linked == nil {
		ix.noteLinked()
	}
	var room [64]pair
	pairs := room[:0]
	for _, l := range ix.linked {
		p := pair{number(l.from), number(l.to)}
		if p.from != p.to && (len(pairs) == 0 || pairs[len(pairs)-1] != p) {
			pairs = append(pairs, p)
		}
	}
	if r.count > MaxReachable {
		return
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	pairs = slices.Compact(pairs)
	// The pairs from part i are those between first[i] and first[i+1].
	var starts [65]int32
	first := starts[:]
	if r.count >= len(starts) {
		first = make([]int32, r.count+1)
	}
	for _, p := range pairs {
		first[p.from+1]++
	}
	for i := range r.count {
		first[i+1] += first[i]
	}
	words := (r.count + 63) / 64
	r.From = make([]uint64, r.count*words)
	var waiting [64]uint32
	wait := waiting[:0]
	for a := range r.count {
		row := r.From[a*words:][:words]
		wait = append(wait[:0], uint32(a))
		for len(wait) > 0 {
			b := wait[len(wait)-1]
			wait = wait[:len(wait)-1]
			for _, p := range pairs[first[b]:first[b+1]] {
				if c := p.to; row[c/64]>>(c%64)&1 == 0 {
					row[c/64] |= 1 << (c % 64)
					wait = append(wait, c)
				}
			}
		}
	}
}

// pair is a way from one part or region to another.
type pair struct{ from, to uint32 }

// noteLinked notes the regions that open hops join. The hops of a wide link mostly join the same regions.
func (ix *Index) noteLinked() {
	list := make([]pair, 0, 32)
	for i := range ix.Hops {
		h := &ix.Hops[i]
		if p := (pair{h.From, h.To}); !h.Closed() && (len(list) == 0 || list[len(list)-1] != p) {
			list = append(list, p)
		}
	}
	ix.linked = list
}

// PartOf returns the part of a region.
func (ix *Index) PartOf(r uint32) uint32 {
	part := ix.Region(r).Part
	if ix.alias != nil && part != noPart {
		part = ix.alias[part]
	}
	return part
}

// Connected reports whether a way may lead from region a to region b, see [Index.Joined].
func (ix *Index) Connected(a, b uint32) bool { return ix.Joined(ix.PartOf(a), ix.PartOf(b)) }

// Joined reports whether a way may lead from part a to part b. The answer is exact unless too many parts have links.
func (ix *Index) Joined(a, b uint32) bool {
	if a == b {
		return true
	}
	r := &ix.Reach
	if r.number == nil || r.number[a] == 0 || r.number[b] == 0 {
		return false
	}
	if r.From == nil {
		return true
	}
	from, to := int(r.number[a]-1), r.number[b]-1
	return r.From[from*((r.count+63)/64)+int(to/64)]>>(to%64)&1 != 0
}

// HasShortcuts reports whether a way over links may be shorter than a way within a region.
func (ix *Index) HasShortcuts() bool { return len(ix.Shortcuts) > 0 || ix.Scale < 1 }

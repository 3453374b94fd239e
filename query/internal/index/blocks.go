package index

// Blocks of portal numbers.
//
// Idea: the portals of a region have the numbers of a block. A region of the base keeps its own block while the block
// suffices, and so does a piece with few portals: pieces with numbers on one page, which mostly come together, have portals on
// two pages. Other blocks have a power of two of numbers, within a page, or whole pages for more portals than a page.
// Blocks that are free wait in lists by size.

import "math/bits"

// block is a run of portal numbers.
type block struct {
	first uint32
	class int // the block has 2^class numbers; from portalBits on, class-portalBits+1 pages
}

// blocks knows the blocks in use and the free blocks.
type blocks struct {
	used   map[uint32]block  // by region, without the blocks that regions of the base and pieces have for ever
	free   map[int][]uint32  // by class
	crowds map[uint32]uint32 // pages of regions with more portals than a page, and the regions
	homes  []uint32          // the first portals of the blocks that pieces have for ever, by page of the pieces
	moves  int               // blocks taken and released so far
}

// atHome is the number of portals for which a piece has a block for ever.
const atHome = 4

// homeOf returns the first number of the block that a piece has for ever.
func (b *blocks) homeOf(w *work, r uint32) uint32 {
	page := r>>regionBits - w.e.limit>>regionBits
	for int(page) >= len(b.homes) {
		b.homes = append(b.homes, b.take(w, classOf(atHome*regionsPerPage)))
	}
	return b.homes[page] + atHome*(r%regionsPerPage)
}

// classOf returns the class of a block for n portals.
func classOf(n int) int {
	if n > portalsPerPage {
		return portalBits - 1 + (n+portalsPerPage-1)/portalsPerPage
	}
	return bits.Len(uint(max(n, 1) - 1))
}

// release frees the block of a region.
func (b *blocks) release(r uint32) {
	if len(b.used) == 0 {
		return
	}
	if o, ok := b.used[r]; ok {
		b.moves++
		delete(b.used, r)
		b.free[o.class] = append(b.free[o.class], o.first)
	}
}

// place returns the first of n numbers for the portals of region r.
func (b *blocks) place(w *work, r uint32, n int) uint32 {
	if !w.e.isPiece(r) {
		if reg := w.e.base.Region(r); n <= int(reg.EndPortal-reg.FirstPortal) {
			b.release(r)
			b.crowd(w, r, reg.FirstPortal, n)
			return reg.FirstPortal
		}
	} else if n <= atHome {
		b.release(r)
		return b.homeOf(w, r)
	}
	class := classOf(n)
	o, ok := b.used[r]
	if !ok || o.class != class {
		b.release(r)
		o = block{b.take(w, class), class}
		b.used[r] = o
	}
	b.crowd(w, r, o.first, n)
	return o.first
}

// take returns a free block.
func (b *blocks) take(w *work, class int) uint32 {
	b.moves++
	if list := b.free[class]; len(list) > 0 {
		b.free[class] = list[:len(list)-1]
		return list[len(list)-1]
	}
	next := uint32(w.next.portalLimit)
	// The rest of the page up to the block is free.
	for size := uint32(1) << min(class, portalBits); next%size != 0; {
		c := bits.TrailingZeros32(next)
		b.free[c] = append(b.free[c], next)
		next += 1 << c
	}
	if w.next.portalLimit = int(next) + 1<<class; class > portalBits {
		w.next.portalLimit = int(next) + (class-portalBits+1)*portalsPerPage
	}
	return next
}

// crowd gives a region with more portals than a page new pages, one behind the other.
func (b *blocks) crowd(w *work, r, first uint32, n int) {
	if n <= portalsPerPage {
		return
	}
	all := make([]Portal, pageEnd(n, portalsPerPage))
	for i := 0; i < len(all); i += portalsPerPage {
		page := first>>portalBits + uint32(i/portalsPerPage)
		w.next.portals.put(w.old.portals, page, (*portalPage)(all[i:]))
		b.crowds[page] = r
	}
	w.fringe(r).crowd = all[:n]
}

// findCrowds notes the regions of the base with more portals than a page.
func (e *Editor) findCrowds() {
	for r := range e.limit {
		reg := e.base.Region(r)
		if reg.EndPortal-reg.FirstPortal > portalsPerPage {
			for page := reg.FirstPortal >> portalBits; page <= (reg.EndPortal-1)>>portalBits; page++ {
				e.blocks.crowds[page] = r
			}
		}
	}
}

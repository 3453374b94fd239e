package index

// Doors that close and open again: see editor.go.
//
// Idea: a flip closes regions of the base, or opens them again. A closed region has no floor. An editor keeps the pages near
// these regions in both states, the further data of regions, and the joins of the regions beside. While the Index still has the
// pages of one state, the next change puts the pages of the other state back. Pages that the walk around corners and the
// search for sides read count as well: so a change from scratch would find the same. Connected parts depend on floor far
// away, and follow as in every change. Numbers of corners of the other state alone stay taken.
//
// Other changes write to pages of a door, too. Of each page the flip knows the regions and portals that count for the door. If
// these are as before, the flip takes the rest of the page from the Index into both states.
//
// Input: regions of the base without footprints, away from links, and no costs of areas; other changes are made from scratch. The
// editor keeps a door beside changed floor when the door opens: closing reads too little of that floor.
//
// Guarantees: the Index is that of a change from scratch, but for its numbers (TestFlipsAgainstScratch).
//
// Degenerate cases: after another change of a region or portal that counts for a door, the door's next change is made from
// scratch and kept anew.
//
// Cost: O(k) for k pages and regions beside the door, without the contents of pages that no other change has written to. A kept
// flip holds these pages twice.

import (
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/navmesh"
)

// flip is a change that closes or opens regions of the base, with the pages near these regions in both states.
type flip struct {
	bases   []uint32
	boxes   []Area
	state   state // of the present Index
	regions []held[*regionPage]
	portals []held[*portalPage]
	fringes []held[*fringe] // by region
	corners [2][]uint32     // numbers of corners that one state has alone
	sites   [2]sites        // of changes to each state
}

// state is a state of a door.
type state uint8

const (
	open state = iota
	shut
)

// held is a page, or the data of a region, in both states.
type held[T comparable] struct {
	number uint32
	counts uint32 // bit k is set if element k of the page counts for the flip
	states [2]T
}

// counted lists pages, each with the elements that count.
type counted struct {
	marks
	bits []uint32
}

func (c *counted) clear() {
	c.marks.clear()
	c.bits = c.bits[:0]
}

// add makes an element of a page count; size is the number of elements on a page.
func (c *counted) add(element, size uint32) {
	page := element / size
	k, ok := c.of(page)
	if !ok {
		k = int32(len(c.keys))
		c.marks.add(page)
		c.bits = append(c.bits, 0)
	}
	c.bits[k] |= 1 << (element % size)
}

// sites lists the touched regions of a change, with the groups and sites of parts.follow.
type sites struct {
	place       []uint32
	group, site forest
}

// stateOf returns the state of regions after replacements; ok is false if these do not all close or all open regions.
func stateOf(changes []Replacement) (s state, ok bool) {
	if len(changes) == 0 {
		return open, false
	}
	for i := range changes {
		if c := &changes[i]; c.Whole != changes[0].Whole || c.Block != nil || len(c.Cells) > 0 {
			return open, false
		}
	}
	if changes[0].Whole {
		return open, true
	}
	return shut, true
}

// flipTo makes a change by a kept flip; nil if the editor keeps none, or if the floor near the flip has changed.
func (e *Editor) flipTo(changes []Replacement) (*Index, Outcome) {
	to, ok := stateOf(changes)
	if !ok || e.reshut || e.counts != nil || len(e.moved) > 0 {
		return nil, Outcome{}
	}
	f := e.flips[changes[0].Base]
	if f == nil {
		return nil, Outcome{}
	}
	if f.state == to || !f.holds(e) || !slices.EqualFunc(f.bases, changes, func(b uint32, c Replacement) bool { return b == c.Base }) || e.hopsAt(f) {
		e.forget(f)
		return nil, Outcome{}
	}
	w := &e.work
	w.begin(e, nil)
	for i := range f.regions {
		h := &f.regions[i]
		w.lend(h, to)
	}
	for i := range f.portals {
		if h := &f.portals[i]; h.states[0] != h.states[1] {
			w.next.portals.put(w.old.portals, h.number, h.states[to])
		}
	}
	for i := range f.fringes {
		if h := &f.fringes[i]; h.states[0] != h.states[1] {
			w.setFringe(h.number, h.states[to])
		}
	}
	refs := make([]navmesh.Ref, len(f.bases))
	out := Outcome{Boxes: slices.Clone(f.boxes)}
	for i, r := range f.bases {
		reg := w.old.Region(r)
		if refs[i] = reg.Ref; to == shut {
			e.parts.remove(reg.Part)
		} else {
			w.came.add(r)
		}
	}
	if to == shut {
		out.Gone, w.next.Taken = refs, w.next.Taken+len(refs)
	} else {
		out.New, w.next.Taken = refs, w.next.Taken-len(refs)
	}
	s := &f.sites[to]
	for _, r := range s.place {
		w.place.add(r)
	}
	e.parts.group, e.parts.site = append(e.parts.group[:0], s.group...), append(e.parts.site[:0], s.site...)
	e.parts.settle(w)
	linked := w.relink(nil, nil, e.links)
	w.log(out.Boxes, linked)
	w.next.limit()
	f.state = to
	for i := range f.regions {
		f.regions[i].states[to] = w.next.regions.page(f.regions[i].number)
	}
	e.now = w.next
	return e.now, out
}

// lend puts a page of regions in the place of another, for the regions' parts as they are. Regions that come have none.
func (w *work) lend(h *held[*regionPage], to state) {
	now, next := h.states[1-to], h.states[to]
	if now == next {
		return
	}
	same := true
	for i := range next {
		same = same && (next[i].Part == now[i].Part || next[i].Split != now[i].Split)
	}
	if same {
		w.lent = append(w.lent, h.number)
	} else {
		page := *next
		for i := range page {
			if page[i].Split == now[i].Split {
				page[i].Part = now[i].Part
			}
		}
		next = &page
	}
	w.next.regions.put(w.old.regions, h.number, next)
}

// holds reports whether the present Index has all that counts of a flip's present state. The flip takes the rest of its pages from the
// Index.
func (f *flip) holds(e *Editor) bool {
	ix := e.now
	for i := range f.fringes {
		if h := &f.fringes[i]; ix.fringeOf(h.number) != h.states[f.state] {
			return false
		}
	}
	for i := range f.portals {
		h := &f.portals[i]
		if page := ix.portals.page(h.number); page != h.states[f.state] {
			if _, crowded := e.blocks.crowds[h.number]; crowded || !h.asBefore(f.state, func(now *portalPage, k int) bool { return page[k] == now[k] }) {
				return false
			}
			other := *page
			h.each(func(k int) { other[k] = h.states[1-f.state][k] })
			h.states[f.state], h.states[1-f.state] = page, &other
		}
	}
	for i := range f.regions {
		h := &f.regions[i]
		if page := ix.regions.page(h.number); page != h.states[f.state] {
			if !h.asBefore(f.state, func(now *regionPage, k int) bool { return page[k].sameAs(&now[k]) }) {
				return false
			}
			other := *page
			h.each(func(k int) { other[k] = h.states[1-f.state][k] })
			h.states[f.state], h.states[1-f.state] = page, &other
		}
	}
	return true
}

// asBefore reports whether both states have a page, and is holds for a state's page and all of its elements that count.
func (h *held[T]) asBefore(s state, is func(page T, k int) bool) bool {
	var none T
	same := h.states[open] != none && h.states[shut] != none
	h.each(func(k int) { same = same && is(h.states[s], k) })
	return same
}

// each calls visit for the elements that count.
func (h *held[T]) each(visit func(k int)) {
	for left := h.counts; left != 0; left &= left - 1 {
		visit(bits.TrailingZeros32(left))
	}
}

// sameAs reports whether a region is another one, but for its part. A ring stays in memory with its region.
func (r *Region) sameAs(o *Region) bool {
	return r.Ref == o.Ref && r.Split == o.Split && r.Area == o.Area && r.FirstPortal == o.FirstPortal && r.EndPortal == o.EndPortal &&
		len(r.Ring) == len(o.Ring) && (len(r.Ring) == 0 || &r.Ring[0] == &o.Ring[0])
}

// hopsAt reports whether a flip concerns a hop.
func (e *Editor) hopsAt(f *flip) bool {
	for i, base := range f.bases {
		for _, near := range [2][]int32{e.hopsNear[base], e.moreNear[base]} {
			if slices.ContainsFunc(near, func(n int32) bool { return e.now.concerns(&f.boxes[i], &e.now.Hops[n]) }) {
				return true
			}
		}
	}
	return false
}

// forget drops a flip.
func (e *Editor) forget(f *flip) {
	for _, t := range f.corners[1-f.state] {
		e.putTurn(t)
	}
	delete(e.flips, f.bases[0])
}

// keepFlip keeps a change that closes or opens regions, before the change frees numbers.
func (w *work) keepFlip(changes []Replacement, boxes []Area, linked bool) {
	to, ok := stateOf(changes)
	e := w.e
	if !ok || linked || len(w.relinked) > 0 || len(e.moved) > 0 || e.counts != nil || w.moves != e.blocks.moves {
		return
	}
	if left := w.left.keys; to == open && len(left) > 0 || to == shut && (len(left) != len(changes) || slices.ContainsFunc(left, e.isPiece)) {
		return
	}
	if old := e.flips[changes[0].Base]; old != nil {
		e.forget(old)
	}
	ixs := [2]*Index{open: w.old, shut: w.next}
	if to == open {
		ixs = [2]*Index{open: w.next, shut: w.old}
	}
	f := &flip{boxes: slices.Clone(boxes), state: to}
	for i := range changes {
		base := changes[i].Base
		portals := e.base.PortalsOf(e.base.Region(base))
		for k := range portals {
			if to == shut && ixs[open].Region(portals[k].To).Split {
				return // to open reads floor that to close has not read
			}
		}
		f.bases = append(f.bases, base)
	}
	for s := range ixs {
		f.sites[s] = w.sitesOf(f.bases, &ixs, state(s))
	}
	w.hold(f, &ixs)
	for _, t := range w.isTurn.keys {
		if !w.kept.has(t) {
			f.corners[1-to] = append(f.corners[1-to], t)
			w.kept.add(t)
		}
	}
	f.corners[to] = slices.Clone(w.took)
	e.flips[f.bases[0]] = f
}

// sitesOf returns the sites of a change of bases to a state.
func (w *work) sitesOf(bases []uint32, ixs *[2]*Index, to state) sites {
	place := &w.flipped
	place.clear()
	doors := func(visit func(k int, base, to uint32)) {
		for k, base := range bases {
			portals := ixs[open].PortalsOf(ixs[open].Region(base))
			for i := range portals {
				visit(k, base, portals[i].To)
			}
		}
	}
	add := func(r uint32) {
		if to == open || !slices.Contains(bases, r) {
			place.addNew(r)
		}
	}
	for _, base := range bases {
		add(base)
	}
	doors(func(_ int, _, to uint32) { add(to) })
	n := len(place.keys)
	s := sites{place: slices.Clone(place.keys), group: forest(nil).reset(n), site: forest(nil).reset(n + len(bases))}
	for i, r := range s.place {
		portals := ixs[to].PortalsOf(ixs[to].Region(r))
		for j := range portals {
			if k, ok := place.of(portals[j].To); ok {
				s.group.unite(int32(i), k)
			}
		}
	}
	doors(func(k int, base, behind uint32) {
		own := int32(n + k)
		if i, ok := place.of(base); ok {
			own = i
		}
		if i, ok := place.of(behind); ok {
			s.site.unite(own, i)
		} else {
			s.site.unite(own, int32(n+slices.Index(bases, behind)))
		}
	})
	return s
}

// hold lists what the change of a flip has written or read, with its pages: touched regions, regions around the corners of the
// change, and the portals on both sides.
func (w *work) hold(f *flip, ixs *[2]*Index) {
	regions, portals, fringes, seen := &w.holds[0], &w.holds[1], &w.heldFringes, &w.flipped
	regions.clear()
	portals.clear()
	fringes.clear()
	seen.clear()
	region := func(r uint32) {
		if seen.has(r) {
			return
		}
		seen.add(r)
		regions.add(r, regionsPerPage)
		for _, ix := range ixs {
			for n := ix.Region(r).FirstPortal; n < ix.Region(r).EndPortal; n++ {
				portals.add(n, portalsPerPage)
			}
		}
	}
	for _, list := range [3][]uint32{f.bases, f.sites[open].place, f.sites[shut].place} {
		for _, r := range list {
			if fringes.has(r) {
				continue
			}
			fringes.add(r)
			region(r)
			for _, ix := range ixs {
				behind := ix.PortalsOf(ix.Region(r))
				for i := range behind {
					portals.add(behind[i].Back, portalsPerPage)
				}
			}
		}
	}
	for _, r := range w.reads.keys {
		fringes.addNew(r)
		region(r)
	}
	for _, n := range w.walked.keys {
		p := w.next.Portal(n)
		portals.add(n, portalsPerPage)
		portals.add(p.Back, portalsPerPage)
		region(p.To)
		region(w.next.Portal(p.Back).To)
	}
	for i := 0; i < len(portals.keys); i++ {
		if r, ok := w.e.blocks.crowds[portals.keys[i]]; ok {
			region(r) // its pages change together
			fringes.addNew(r)
		}
	}
	for i, k := range regions.keys {
		h := held[*regionPage]{k, regions.bits[i], [2]*regionPage{ixs[open].regions.page(k), ixs[shut].regions.page(k)}}
		for j := 0; j < regionsPerPage && h.states[open] != nil && h.states[shut] != nil; j++ {
			if !h.states[open][j].sameAs(&h.states[shut][j]) {
				h.counts |= 1 << j
			}
		}
		f.regions = append(f.regions, h)
	}
	for i, k := range portals.keys {
		h := held[*portalPage]{k, portals.bits[i], [2]*portalPage{ixs[open].portals.page(k), ixs[shut].portals.page(k)}}
		for j := 0; j < portalsPerPage && h.states[open] != nil && h.states[shut] != nil; j++ {
			if h.states[open][j] != h.states[shut][j] {
				h.counts |= 1 << j
			}
		}
		f.portals = append(f.portals, h)
	}
	for _, r := range fringes.keys {
		f.fringes = append(f.fringes, held[*fringe]{number: r, states: [2]*fringe{ixs[open].fringeOf(r), ixs[shut].fringeOf(r)}})
	}
}

// relabel gives a region another part. A page of a flip is copied first.
func (w *work) relabel(r, label uint32) {
	k := r >> regionBits
	if i := slices.Index(w.lent, k); i >= 0 {
		page := *w.next.regions.page(k)
		w.next.regions.put(w.old.regions, k, &page)
		w.lent = slices.Delete(w.lent, i, i+1)
	}
	w.region(r).Part = label
}

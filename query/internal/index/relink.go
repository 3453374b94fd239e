package index

// The links of a mesh that changes: see editor.go.
//
// Idea: hops keep their numbers. A hop whose start or end is near a changed region of the base looks for the regions
// there again, or is as on the base where both of its regions are whole. A hop without floor at an end, or of a closed link, is
// closed: no region lists the hop. Estimates with closed hops stay lower bounds.
//
// More links join pieces of the mesh that a region separates, see separations.go. A portal of a region stays useless if
// neither the goal nor a start of these links is in the piece behind the portal. A way through the portal then has to come
// back to the region over the floor, or over a link of the mesh. Neither is shorter than the straight way within the
// region. A chain of links out of the piece begins with a start in the piece. Hence searches take the starts for further
// goals.
//
// Guarantees: no portal of a shortest path is left out (TestEditorAgainstScratch, TestMoreLinksKeepSeparations).

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/navmesh"
)

// nowhere is the region of an end without floor.
const nowhere = math.MaxUint32

// Closed reports whether an end of the hop has no floor.
func (h *Hop) Closed() bool { return h.From == nowhere || h.To == nowhere }

// relink finds the regions at the ends of hops near the change, and of all hops of more links if there are others. The boxes
// hold the floor of the changes.
func (w *work) relink(changes []Replacement, boxes []Area, links []navmesh.Link) (more bool) {
	e, ix := w.e, w.next
	more = !sameLinks(links, e.links)
	list := w.relinked[:0]
	for i := range changes {
		for _, near := range [2][]int32{e.hopsNear[changes[i].Base], e.moreNear[changes[i].Base]} {
			for _, n := range near {
				if ix.concerns(&boxes[i], &ix.Hops[n]) {
					list = append(list, n)
				}
			}
		}
		list = e.nearMoved(list, ix, changes[i].Base)
	}
	if more {
		for n := len(e.base.Hops); n < len(ix.Hops); n++ {
			list = append(list, int32(n))
		}
	}
	for n := 0; e.reshut && n < len(e.base.Hops); n++ {
		if link := e.base.Hops[n].Link; isShut(e.shut, link) != isShut(e.wasShut, link) {
			list = append(list, int32(n))
		}
	}
	e.wasShut, e.reshut = e.shut, false
	if ix.Ground.Metre != w.old.Ground.Metre && len(ix.Hops) > 0 {
		more, list = true, list[:0]
		for n := range ix.Hops {
			list = append(list, int32(n))
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	w.relinked = list
	// Closing and opening: hops of links that go are closed only.
	w.unlist(list)
	if len(list) > 0 || more {
		ix.Hops, ix.linked = slices.Clone(ix.Hops), nil
	}
	if more {
		w.replaceLinks(links)
		list = slices.DeleteFunc(list, func(n int32) bool { return int(n) >= len(e.base.Hops) })
		for n := len(e.base.Hops); n < len(ix.Hops); n++ {
			list = append(list, int32(n))
		}
	}
	w.list(list)
	if more {
		w.findShortcuts()
	}
	if n := len(list); more || n > 0 && int(list[n-1]) >= len(e.base.Hops) {
		w.noteStarts()
	}
	if len(list) > 0 || more {
		w.noteMoved()
	}
	if more || len(list) > 0 || len(ix.Hops) > 0 && (e.parts.changed || len(ix.alias) != len(ix.Reach.number)) {
		ix.Reach = reachable{}
		ix.findReachable()
	}
	return more
}

// sameLinks reports whether two lists hold the same links. Equal lists in the same memory are not compared.
func sameLinks(a, b []navmesh.Link) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// replaceLinks makes the Index have the mesh's links and more.
func (w *work) replaceLinks(links []navmesh.Link) {
	e, ix := w.e, w.next
	mesh := *e.base.Mesh
	mesh.Links = append(slices.Clip(mesh.Links), links...)
	ix.Mesh = &mesh
	ix.Hops = slices.Clone(ix.Hops[:len(e.base.Hops)])
	e.links, e.moreNear = slices.Clone(links), map[uint32][]int32{}
	var numbers []int32
	for i := range links {
		numbers = append(numbers, int32(len(e.base.Mesh.Links)+i))
	}
	spacing := hopSpacingFor(ix.Mesh, numbers)
	for _, n := range numbers {
		ix.addLink(n, &ix.Mesh.Links[n], spacing)
	}
	for n := len(e.base.Hops); n < len(ix.Hops); n++ {
		e.noteHop(e.moreNear, ix.Mesh.Links, int32(n), &ix.Hops[n])
	}
}

// findShortcuts finds the hops cheaper than their length.
func (w *work) findShortcuts() {
	e, ix := w.e, w.next
	ix.Shortcuts, ix.chains, ix.Scale = e.base.Shortcuts, e.base.chains, e.base.Scale
	if len(ix.Hops) > len(e.base.Hops) || ix.Ground.Metre != e.base.Ground.Metre {
		ix.Shortcuts = nil
		ix.boundShortcuts()
	}
}

// unlist takes hops off the lists of the regions around their starts.
func (w *work) unlist(list []int32) {
	w.listed = w.listed[:0]
	for _, n := range list {
		if h := &w.old.Hops[n]; !h.Closed() {
			w.noteStart(w.old, n, h)
		}
	}
	w.relist(false)
}

// list finds the regions around the ends of hops, and puts each hop on the lists of those around its start.
func (w *work) list(list []int32) {
	ix := w.next
	w.listed = w.listed[:0]
	for _, n := range list {
		h := &ix.Hops[n]
		if isShut(w.e.shut, h.Link) {
			h.From = nowhere // the rest of a closed hop is as before, and found again when the link opens
			continue
		}
		if w.stands(n) {
			*h = w.e.base.Hops[n]
		} else {
			*h = ix.hopNear(h.Link, h.own, h.Step)
		}
		if h.Closed() {
			continue
		}
		w.noteStart(ix, n, h)
		w.ends = ix.RegionsAround(w.ends[:0], Place{Region: h.To, At: h.End})
		if !slices.Equal(h.ends, w.ends) {
			h.ends = slices.Clone(w.ends)
		}
	}
	w.relist(true)
}

// hopAt is a hop that starts at a region.
type hopAt struct {
	region uint32
	hop    int32
}

// noteStart notes a hop for the regions around its start.
func (w *work) noteStart(ix *Index, n int32, h *Hop) {
	w.ends = ix.RegionsAround(w.ends[:0], Place{Region: h.From, At: h.Start})
	for _, r := range w.ends {
		w.listed = append(w.listed, hopAt{r, n})
	}
}

// relist puts the noted hops on the lists of their regions, or takes them off. Each list is made once: many hops of a wide link start
// at a region.
func (w *work) relist(on bool) {
	slices.SortFunc(w.listed, func(a, b hopAt) int { return cmp.Or(cmp.Compare(a.region, b.region), cmp.Compare(a.hop, b.hop)) })
	for more := w.listed; len(more) > 0; {
		r, n := more[0].region, 1
		for n < len(more) && more[n].region == r {
			n++
		}
		noted, old := more[:n], w.next.fringeOf(r).hops
		more = more[n:]
		room := len(old)
		if on {
			room += n
		}
		hops := make([]int32, 0, room)
		for _, h := range old {
			for len(noted) > 0 && noted[0].hop < h {
				if on {
					hops = append(hops, noted[0].hop)
				}
				noted = noted[1:]
			}
			if on || len(noted) == 0 || noted[0].hop != h {
				hops = append(hops, h)
			}
			if len(noted) > 0 && noted[0].hop == h {
				noted = noted[1:]
			}
		}
		for i := 0; on && i < len(noted); i++ {
			hops = append(hops, noted[i].hop)
		}
		if len(hops) != len(old) {
			w.fringe(r).hops = hops
		}
	}
}

// stands reports whether a hop is as on the base: both regions of the hop are whole, and the hop costs the same.
func (w *work) stands(n int32) bool {
	e, ix := w.e, w.next
	if int(n) >= len(e.base.Hops) || ix.Ground.Metre != e.base.Ground.Metre {
		return false
	}
	h := &e.base.Hops[n]
	return !h.Closed() && !ix.Region(h.From).Split && !ix.Region(h.To).Split
}

// noteStarts lists the branches of the regions where links start that the separations of the base do not know, or know at
// another cost.
func (w *work) noteStarts() {
	ix := w.next
	ix.Starts = nil
	first := len(w.e.base.Hops)
	if ix.Ground.Metre != w.e.base.Ground.Metre {
		first = 0
	}
	var around []uint32
	for i := first; i < len(ix.Hops); i++ {
		h := &ix.Hops[i]
		if h.Closed() {
			continue
		}
		around = ix.RegionsAround(around[:0], Place{Region: h.From, At: h.Start})
		for _, r := range around {
			ix.Starts = append(ix.Starts, ix.Region(r).Branch)
		}
	}
	slices.Sort(ix.Starts)
	ix.Starts = slices.Compact(ix.Starts)
}

package index

// The parts of a mesh that changes: see editor.go.
//
// Idea: every region has a label. Regions are of the same part if their labels have the same alias. After a change, the
// regions whose portals have changed are grouped by the portals among them. A part whose regions are all in one group
// is as before. Otherwise searches start from all groups of the part, by turns, until all groups have met or all but one
// search have ended: the regions of an ended search are a part of their own. Groups of several parts join the parts, by
// their aliases.
//
// Guarantees: two regions have the same alias exactly if portals join them (TestEditorAgainstScratch).
//
// Cost: O(k) for k touched regions where the change divides nothing; else the searches, at most as many times the
// smallest search as there are groups, or until the groups meet. Aliases are copied where they change, one for each
// label.

import (
	"math"
	"slices"
)

// noPart marks regions without a label.
const noPart = math.MaxUint32

// parts is what an Editor knows about labels.
type parts struct {
	count   []int // regions with each label
	free    []uint32
	group   forest  // of the touched regions
	site    forest  // of the touched regions and those that left: regions beside each other
	front   []front // by group: the regions that its search has to leave yet
	seen    marks   // regions that a search found
	by      []int32 // the groups whose searches found them
	changed bool    // aliases have changed
	first   []atSite
	labels  []uint32
	own     []uint32 // the labels of the touched regions; noPart for those that come
	// Scratch.
	together         forest
	holders          []holder
	active, searched []int32
	divides          []int32
	alive            []uint32
}

// front is a queue of regions.
type front struct {
	list []uint32
	head int
}

// left returns the regions that have not been taken.
func (f *front) left() []uint32 { return f.list[f.head:] }

// holder is a group with a region of a part.
type holder struct {
	part  uint32
	group int32
}

// find notes that the search of a group has found a region.
func (p *parts) find(r uint32, group int32) {
	p.seen.add(r)
	p.by = append(p.by, group)
}

// atSite is the first group of a part around a site.
type atSite struct {
	site  int32
	part  uint32
	group int32
}

// forest joins small numbers.
type forest []int32

func (f forest) reset(n int) forest {
	f = f[:0]
	for i := range n {
		f = append(f, int32(i))
	}
	return f
}

func (f forest) root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// flatten makes every number lead straight to its root, which is no greater.
func (f forest) flatten() {
	for i, k := range f {
		f[i] = f[k]
	}
}

// isOne reports whether all numbers of a flat forest are joined.
func (f forest) isOne() bool { return !slices.ContainsFunc(f, func(k int32) bool { return k != 0 }) }

func (f forest) unite(i, k int32) {
	i, k = f.root(i), f.root(k)
	f[max(i, k)] = min(i, k)
}

// begin gives an Index aliases.
func (p *parts) begin(ix *Index) {
	n := 0
	for r := range uint32(ix.RegionLimit()) {
		n = max(n, int(ix.Region(r).Part)+1)
	}
	p.count = make([]int, n)
	ix.alias = make([]uint32, n)
	for i := range ix.alias {
		ix.alias[i] = uint32(i)
	}
	for r := range uint32(ix.RegionLimit()) {
		p.count[ix.Region(r).Part]++
	}
}

// remove takes a region out of its label.
func (p *parts) remove(label uint32) { p.count[label]-- }

// follow gives labels to the regions of a change.
func (p *parts) follow(w *work) {
	n := len(w.place.keys)
	p.group = p.group.reset(n)
	for i := range w.doors {
		// Without a greater mate, the door back has joined the two, or the region behind is not touched.
		if d := &w.doors[i]; int(d.mate) > i {
			p.group.unite(d.place, w.doors[d.mate].place)
		}
	}
	if p.group.flatten(); !p.group.isOne() {
		p.site = p.site.reset(n + len(w.left.keys))
		for i := range w.doors {
			if d := &w.doors[i]; int(d.mate) > i && d.old == None {
				p.site.unite(d.place, w.doors[d.mate].place)
			}
		}
		for _, b := range w.around {
			p.site.unite(int32(n)+b.left, b.other)
		}
		for _, b := range w.linked {
			p.site.unite(int32(n)+b.left, int32(n)+b.other)
		}
	}
	p.settle(w)
}

// settle gives labels to the regions of a change, after the touched regions are grouped. Most changes leave one group, and ask
// no site.
func (p *parts) settle(w *work) {
	p.changed = false
	p.own = p.own[:0]
	for _, r := range w.place.keys {
		label := uint32(noPart)
		if !w.came.has(r) {
			label = w.next.Region(r).Part
		}
		p.own = append(p.own, label)
	}
	p.seen.clear()
	p.by = p.by[:0]
	var divided []int32
	if p.group.flatten(); !p.group.isOne() {
		divided = p.divided(w)
	}
	if len(divided) > 0 {
		p.search(w, divided)
		p.group.flatten()
	}
	p.label(w, divided)
}

// partOf returns the part of touched region i before the change.
func (p *parts) partOf(w *work, i int) uint32 {
	if p.own[i] == noPart {
		return noPart
	}
	return w.next.alias[p.own[i]]
}

// divided returns the groups around sites where regions of one part are in several groups.
func (p *parts) divided(w *work) []int32 {
	p.first = p.first[:0]
	list := p.divides[:0]
	add := func(g int32) {
		if !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	for i := range w.place.keys {
		part := p.partOf(w, i)
		if part == noPart {
			continue
		}
		a := atSite{p.site.root(int32(i)), part, p.group.root(int32(i))}
		k := slices.IndexFunc(p.first, func(o atSite) bool { return o.site == a.site && o.part == a.part })
		if k < 0 {
			p.first = append(p.first, a)
		} else if o := p.first[k]; o.group != a.group {
			add(o.group)
			add(a.group)
		}
	}
	p.divides = list
	return list
}

// search finds out which of the given groups are joined. The search of a group that is a part of its own ends with an
// empty front.
func (p *parts) search(w *work, groups []int32) {
	regions := w.place.keys
	for len(p.front) < len(regions) {
		p.front = append(p.front, front{})
	}
	for i := range regions {
		p.front[i] = front{list: p.front[i].list[:0]}
	}
	// Groups with a part in common are searched together.
	p.together, p.holders = p.together.reset(len(regions)), p.holders[:0]
	together := p.together
	for i, r := range regions {
		g := p.group.root(int32(i))
		p.front[g].list = append(p.front[g].list, r)
		p.find(r, g)
		if part := p.partOf(w, i); part != noPart && slices.Contains(groups, g) {
			k := slices.IndexFunc(p.holders, func(h holder) bool { return h.part == part })
			if k < 0 {
				k = len(p.holders)
				p.holders = append(p.holders, holder{part, g})
			}
			together.unite(p.holders[k].group, g)
			p.holders[k].group = g
		}
	}
	for _, g := range groups {
		if together.root(g) != g {
			continue
		}
		p.active = p.active[:0]
		for _, o := range groups {
			if together.root(o) == g {
				p.active = append(p.active, o)
			}
		}
		p.searchFrom(w, p.active)
	}
}

// searchFrom searches from groups by turns, until all but one search have met another or ended.
func (p *parts) searchFrom(w *work, active []int32) {
	ix := w.next
	for len(active) > 1 {
		for k := 0; k < len(active) && len(active) > 1; k++ {
			g := active[k]
			if p.group.root(g) != g || len(p.front[g].left()) == 0 {
				if o := p.group.root(g); o != g && !slices.Contains(active, o) {
					active[k] = o // a group outside has taken the front over
					continue
				}
				active = slices.Delete(active, k, k+1)
				k--
				continue
			}
			r := p.front[g].left()[0]
			p.front[g].head++
			portals := ix.PortalsOf(ix.Region(r))
			for j := range portals {
				to := portals[j].To
				other, ok := p.seen.of(to)
				if !ok {
					p.find(to, g)
					p.front[g].list = append(p.front[g].list, to)
					continue
				}
				if a, b := p.group.root(p.by[other]), p.group.root(g); a != b {
					a, b = min(a, b), max(a, b)
					p.front[a].list = append(p.front[a].list, p.front[b].left()...)
					p.front[b].head = len(p.front[b].list)
					p.group.unite(a, b)
					g = a
				}
			}
		}
	}
}

// label gives every group its label. Every region leads straight to its group. A group whose search has ended, and groups without any labelled region, are parts
// of their own.
func (p *parts) label(w *work, divided []int32) {
	ix := w.next
	regions := w.place.keys
	searched := p.searched[:0]
	for _, g := range divided {
		if g = p.group.root(g); !slices.Contains(searched, g) {
			searched = append(searched, g)
		}
	}
	p.searched = searched
	apart := func(g int32) bool { return slices.Contains(searched, g) && len(p.front[g].left()) == 0 }
	// If the searches of all groups have ended, the first of each part keeps the part.
	p.labels = p.labels[:0]
	for range regions {
		p.labels = append(p.labels, noPart)
	}
	label := p.labels
	alive := p.alive[:0]
	if len(searched) > 0 {
		for i := range regions {
			if part := p.partOf(w, i); part != noPart && !slices.Contains(alive, part) && !apart(p.group.root(int32(i))) {
				alive = append(alive, part)
			}
		}
	}
	for i := range regions {
		g, part := p.group[i], p.partOf(w, i)
		switch {
		case part == noPart:
		case apart(g):
			if label[g] == noPart && !slices.Contains(alive, part) {
				alive = append(alive, part)
				label[g] = part
			}
		case label[g] == noPart:
			label[g] = part
		case ix.alias[label[g]] != part:
			// The label of fewer regions stands for the other: these regions get it back where a door closes again.
			now := ix.alias[label[g]]
			if p.count[part] > p.count[now] {
				now, part = part, now
			}
			p.merge(w, part, now)
		}
	}
	for g, l := range label {
		if l != noPart {
			label[g] = ix.alias[l] // a label that stands for another may become a part of its own
		}
	}
	for i := range regions {
		if g := p.group[i]; label[g] == noPart {
			label[g] = p.apartAgain(w, g)
		}
	}
	p.alive = alive
	for i, r := range p.seen.keys {
		if g := p.group.root(p.by[i]); apart(g) {
			p.set(w, r, label[g])
		}
	}
	for i, r := range regions {
		if p.own[i] == noPart {
			p.set(w, r, label[p.group[i]])
		}
	}
	p.tidy(w)
}

// set gives a region a label.
func (p *parts) set(w *work, r, label uint32) {
	before := w.next.Region(r).Part
	if i, ok := w.place.of(r); ok {
		before, p.own[i] = p.own[i], label
	}
	if before != noPart {
		p.count[before]--
	}
	p.count[label]++
	if w.next.Region(r).Part != label {
		w.relabel(r, label)
	}
}

// aliases returns the aliases to write to.
func (p *parts) aliases(w *work) []uint32 {
	if !p.changed {
		w.next.alias = slices.Clone(w.next.alias)
		p.changed = true
	}
	return w.next.alias
}

// fresh returns a new label.
func (p *parts) fresh(w *work) uint32 {
	alias := p.aliases(w)
	if n := len(p.free); n > 0 {
		label := p.free[n-1]
		p.free = p.free[:n-1]
		alias[label] = label
		return label
	}
	label := uint32(len(alias))
	w.next.alias = append(alias, label)
	p.count = append(p.count, 0)
	return label
}

// apartAgain returns the label of a group that becomes a part. The group keeps an old label if only regions of its search have
// the label, as where a door closes again. Else the label is new.
func (p *parts) apartAgain(w *work, group int32) uint32 {
	label, count := uint32(noPart), 0
	for i, r := range p.seen.keys {
		if p.group.root(p.by[i]) != group {
			continue
		}
		own := w.next.Region(r).Part
		if k, ok := w.place.of(r); ok {
			own = p.own[k]
		}
		switch {
		case own == noPart: // a region that comes
			continue
		case label == noPart:
			label = own
		}
		if own != label {
			return p.fresh(w)
		}
		count++
	}
	if count == 0 || p.count[label] != count || w.next.alias[label] == label {
		return p.fresh(w)
	}
	p.aliases(w)[label] = label
	return label
}

// merge makes the labels of one part those of another.
func (p *parts) merge(w *work, from, to uint32) {
	alias := p.aliases(w)
	for i := range alias {
		if alias[i] == from {
			alias[i] = to
		}
	}
}

// tidy frees the labels that no region has.
func (p *parts) tidy(w *work) {
	if !p.changed {
		return
	}
	alias := w.next.alias
	for l := range alias {
		if p.count[l] > 0 || alias[l] == noPart {
			continue
		}
		if alias[l] == uint32(l) {
			// Another label of the part stands for the part.
			heir := uint32(noPart)
			for k := range alias {
				if alias[k] == uint32(l) && k != l && p.count[k] > 0 {
					if heir == noPart {
						heir = uint32(k)
					}
					alias[k] = heir
				}
			}
		}
		alias[l] = noPart
		p.free = append(p.free, uint32(l))
	}
}

package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/rows"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// unassigned marks triangles in no layer.
const unassigned = -1

// assign puts the walkable triangles into layers without triangles over each other, or beside a drop to each other
// ([extraction.findStoreys]). First, triangles that share edges are joined to sheets, as long as no triangle lies over
// another of its sheet. Each layer then takes linked sheets one after the other as far as they fit. The layer starts
// again elsewhere until no further sheet fits. The largest sheets come first and are divided least. Triangles then move
// to other layers where seams get shorter (reassign.go). All these steps treat each connected part as if it were alone;
// last, the parts share layers.
func (e *extraction) assign() {
	n := len(e.soup.Triangles)
	e.layer = make([]int32, n)
	shown := make([]int32, 0, len(e.floors.Items())) // with a free part
	visible := make([]bool, n)
	for i := range e.exposed {
		e.layer[i] = unassigned
		if visible[i] = e.shows(int32(i)); visible[i] {
			shown = append(shown, int32(i))
		}
	}
	shows := func(i int32) bool { return visible[i] }
	all := make([][2]int32, 0, len(e.joints)+len(e.rims))
	for l := range e.allLinks() {
		if shows(l.from) && shows(l.to) {
			all = append(all, [2]int32{l.from, l.to})
		}
	}
	e.linked = neighbours(n, all)
	if len(e.storeys) == 0 { // as on most terrain: all is one layer
		for _, i := range shown {
			e.layer[i], e.layers = 0, 1
		}
		return
	}
	parts := unionfind.New(n)
	var smooth [][2]int32
	for l := range e.allLinks() {
		if shows(l.from) && shows(l.to) {
			parts.Union(l.from, l.to)
			if l.smooth {
				smooth = append(smooth, [2]int32{l.from, l.to})
			}
		}
	}
	var over, foreign [][2]int32 // of one part, and of two
	for _, pair := range e.storeys {
		if parts.Find(pair[0]) == parts.Find(pair[1]) {
			over = append(over, pair)
		} else {
			foreign = append(foreign, pair)
		}
	}
	order := e.bySize(shown, smooth, parts)
	excluded := neighbours(n, over)
	sheet, sheets := colour(order, neighbours(n, smooth), excluded, true)
	ofSheets := func(pairs [][2]int32) lists {
		var keys []uint64 // many pairs of triangles are of the same sheets
		for _, p := range pairs {
			if a, b := sheet[p[0]], sheet[p[1]]; a != b {
				keys = append(keys, uint64(min(a, b))<<32|uint64(max(a, b)))
			}
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		out := make([][2]int32, len(keys))
		for i, k := range keys {
			out[i] = [2]int32{int32(k >> 32), int32(k)}
		}
		return neighbours(sheets, out)
	}
	inOrder := make([]int32, sheets)
	for i := range inOrder {
		inOrder[i] = int32(i)
	}
	var layer []int32
	layer, e.layers = colour(inOrder, ofSheets(all), ofSheets(over), false)
	for _, i := range shown {
		e.layer[i] = layer[sheet[i]]
	}
	e.reassign(excluded)
	e.stack(order, parts, neighbours(n, foreign))
	for l := range e.allLinks() {
		if a, b := e.layer[l.from], e.layer[l.to]; a >= 0 && b >= 0 && a != b {
			e.crossings = append(e.crossings, l)
		}
	}
}

// findStoreys lists the pairs of triangles of two storeys, each with a free part. The upper triangle lies over the
// lower one, or at most reach beyond the lower border. An agent has room to walk below. The two triangles go to
// different layers. Storeys of one layer within reach of a place are then less than the agent's height apart. Where no floor lies over another, all triangles are in one layer whatever the drops, and no pair is listed.
func (e *extraction) findStoreys(ctx context.Context, jobs int) error {
	if !e.stacked && e.maxGap > 0 && int(e.firstBridge) < len(e.soup.Triangles) {
		e.stacked = e.findStack(func(lower, upper int32) bool { return e.isBridge(lower) || e.isBridge(upper) })
	}
	if !e.stacked {
		return ctx.Err()
	}
	const chunk = 16
	leaves := e.floors.Leaves()
	found := make([][][2]int32, (len(leaves)+chunk-1)/chunk)
	err := par.For(ctx, jobs, len(found), func(c int) error {
		var near []item
		for k := c * chunk; k < min(len(leaves), (c+1)*chunk); k++ {
			near = e.eachOver(&leaves[k], reach, near, func(lower, upper int32) bool {
				found[c] = append(found[c], [2]int32{lower, upper})
				return true
			})
		}
		return nil
	})
	e.storeys = slices.Concat(found...)
	return err
}

// findStack reports whether a floor lies over another, among the chosen pairs of triangles; nil chooses all. The answer is that of
// [extraction.eachOver] with a margin of 1. On terrain hardly any two boxes lie over each other.
func (e *extraction) findStack(chosen func(lower, upper int32) bool) bool {
	height := e.storeyHeight()
	var part piece
	return e.floors.Over(1, func(low int32) int32 { return raised(low, height-touching) }, func(lower, upper int32) bool {
		if chosen != nil && !chosen(lower, upper) || !e.shows(lower) || !e.shows(upper) {
			return false
		}
		v, other := &e.soup.Triangles[lower].V, e.soup.Triangles[upper].V[:]
		plane := planeOf(v)
		if plane.beyond(other, height, math.Inf(1)) {
			return false
		}
		p := prismOn(&plane, v, 1)
		if !p.part(other, &part) {
			return false
		}
		p.band(&part, height, math.Inf(1))
		return part.area2() > overlapping
	})
}

// storeyHeight returns how much higher than another floor a storey is. Where the upper floor falls and begins to hide the lower,
// both border on each other.
func (e *extraction) storeyHeight() float64 { return e.height - hiding }

// eachOver calls f with the triangles of a leaf and the triangles of storeys above each. An upper triangle lies over
// the lower triangle, moved out by a margin. The calls end when f returns false. The
// slice near is scratch.
func (e *extraction) eachOver(leaf *leaf, margin int32, near []item, f func(lower, upper int32) bool) []item {
	height := e.storeyHeight()
	// within returns the box of storeys above a box.
	within := func(b *box3) box3 {
		above := b.Grown(margin)
		above.Low[2], above.High[2] = raised(b.Low[2], height-touching), math.MaxInt32
		return above
	}
	box := within(&leaf.Box)
	near = e.floors.Search(&box, near[:0])
	if len(near) == 0 {
		return near
	}
	var p prism
	var part piece
	for _, lower := range leaf.Items {
		if !e.shows(lower.ID) {
			continue
		}
		v := &e.soup.Triangles[lower.ID].V
		plane, made := planeOf(v), false
		box = within(&lower.Box)
		for i := range near {
			upper := near[i].ID
			if upper == lower.ID || !near[i].Box.Meets(&box) || !e.shows(upper) {
				continue
			}
			other := e.soup.Triangles[upper].V[:]
			if plane.beyond(other, height, math.Inf(1)) {
				continue
			}
			if !made {
				p, made = prismOn(&plane, v, float64(margin)), true
			}
			if !p.part(other, &part) {
				continue
			}
			if p.band(&part, height, math.Inf(1)); part.area2() > overlapping && !f(lower.ID, upper) {
				return near
			}
		}
	}
	return near
}

// plantLayers makes a tree of the floors of each layer, unless all triangles are in one layer.
func (e *extraction) plantLayers(ctx context.Context, jobs int) error {
	if e.layers < 2 {
		return nil
	}
	e.floorTrees = make([]*tree, e.layers)
	members := grouped(len(e.layer), e.layers, func(i int32) int32 { return e.layer[i] })
	return par.For(ctx, jobs, e.layers, func(l int) error {
		own := members.Of(int32(l))
		boxes := make([]box3, len(own))
		for i, t := range own {
			boxes[i] = *e.box(t)
		}
		t := boxtree.New(boxes, nil)
		t.Renumber(func(id int32) int32 { return own[id] })
		e.floorTrees[l] = t
		return nil
	})
}

// floorsOf returns a tree with the triangles of a layer that have a free part. If all triangles are in one layer, the
// tree may hold further triangles.
func (e *extraction) floorsOf(layer int32) *tree {
	if e.floorTrees == nil {
		return e.floors
	}
	return e.floorTrees[layer]
}

// stack moves the layers of each part up until they fit the layers of the parts before. The slice order lists the
// triangles part by part. For each triangle, foreign lists the triangles of other parts over or under it.
func (e *extraction) stack(order []int32, parts unionfind.Forest, foreign lists) {
	done := make([]bool, len(e.layer))
	for len(order) > 0 {
		n := 1
		for n < len(order) && parts.Find(order[n]) == parts.Find(order[0]) {
			n++
		}
		part := order[:n]
		order = order[n:]
		fits := func(up int32) bool {
			for _, t := range part {
				for _, o := range foreign.Of(t) {
					if done[o] && e.layer[o] == e.layer[t]+up {
						return false
					}
				}
			}
			return true
		}
		up := int32(0)
		for !fits(up) {
			up++
		}
		for _, t := range part {
			e.layer[t] += up
			e.layers = max(e.layers, int(e.layer[t])+1)
			done[t] = true
		}
	}
}

// colour gives colours to the things in order, with different colours for things that exclude each other. Each colour
// spreads from neighbour to neighbour. Unless colours have to be connected, a colour goes on from the next fitting
// thing in order. The results are the colours and their number.
func colour(order []int32, next, excluded lists, connected bool) ([]int32, int) {
	n := len(next.First) - 1
	colours, closed := make([]int32, n), make([]int32, n)
	for i := range colours {
		colours[i], closed[i] = unassigned, unassigned
	}
	c := int32(0)
	var front []int32
	spread := func(start int32) bool {
		if colours[start] != unassigned || closed[start] == c {
			return false
		}
		front = append(front[:0], start)
		for len(front) > 0 {
			f := front[0]
			front = front[1:]
			if colours[f] != unassigned || closed[f] == c {
				continue
			}
			colours[f] = c
			for _, t := range excluded.Of(f) {
				closed[t] = c
			}
			for _, t := range next.Of(f) {
				if colours[t] == unassigned {
					front = append(front, t)
				}
			}
		}
		return true
	}
	if connected {
		for _, start := range order {
			if spread(start) {
				c++
			}
		}
		return colours, int(c)
	}
	for left := order; len(left) > 0; c++ {
		var rest []int32
		for _, start := range left {
			if !spread(start) && colours[start] == unassigned {
				rest = append(rest, start)
			}
		}
		left = rest
	}
	return colours, int(c)
}

// bySize lists the triangles with a free part, the largest connected part first. In each part the largest surface of
// triangles that share edges comes first.
func (e *extraction) bySize(shown []int32, smooth [][2]int32, parts unionfind.Forest) []int32 {
	n := len(e.soup.Triangles)
	surfaces := unionfind.New(n)
	for _, pair := range smooth {
		surfaces.Union(pair[0], pair[1])
	}
	area, surface := make([]float64, n), make([]float64, n)
	var order []int32
	for _, i := range shown {
		part, s := parts.Find(i), surfaces.Find(i)
		if s == i {
			order = append(order, i)
		}
		for _, r := range e.rings(i) {
			a := float64(r.Area2())
			area[part] += a
			surface[s] += a
		}
	}
	// The surfaces in order, and then the triangles of each, ascending.
	slices.SortFunc(order, func(s, t int32) int {
		if p, q := parts.Find(s), parts.Find(t); p != q {
			return cmp.Or(cmp.Compare(area[q], area[p]), cmp.Compare(p, q))
		}
		return cmp.Or(cmp.Compare(surface[t], surface[s]), cmp.Compare(s, t))
	})
	rank := make([]int32, n)
	for k, s := range order {
		rank[s] = int32(k)
	}
	groups := grouped(len(shown), len(order), func(k int32) int32 { return rank[surfaces.Find(shown[k])] })
	for k, at := range groups.Items {
		groups.Items[k] = shown[at]
	}
	return groups.Items
}

// grouped makes lists of the numbers below n by group; numbers of group -1 are in no list.
func grouped(n, groups int, group func(int32) int32) lists {
	return rows.New(groups, func(add func(g, i int32)) {
		for i := range int32(n) {
			if g := group(i); g >= 0 {
				add(g, i)
			}
		}
	})
}

// lists are the neighbours of numbered things, in one array.
type lists = rows.Rows[int32]

// neighbours makes lists of pairs, each in the lists of both.
func neighbours(n int, pairs [][2]int32) lists {
	l := listed(n, pairs)
	for i := range int32(n) {
		own := l.Of(i)
		for k, pair := range own {
			own[k] = pairs[pair][0] + pairs[pair][1] - i
		}
	}
	return l
}

// listed makes lists of the indices of pairs, each in the lists of both.
func listed(n int, pairs [][2]int32) lists {
	return rows.New(n, func(add func(i, pair int32)) {
		for k, p := range pairs {
			add(p[0], int32(k))
			add(p[1], int32(k))
		}
	})
}

func comparePairs(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) }

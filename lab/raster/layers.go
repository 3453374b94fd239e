package raster

import (
	"cmp"
	"slices"
)

// flood groups the kept patches into layers that never cover a cell twice and returns their number: ordered
// flooding from the lowest patch upwards, with a new layer wherever the flood would overlap itself.
//
// The thesis passes layers on voxel by voxel, so two layers may meet that would fit into one, and merges these. Here a layer
// is complete before the next one begins: every patch beside the layer was tried, and a refused patch clashes with the
// layer. So layers that touch never fit into one, and nothing is left to merge.
func (ps *patches) flood(kept func(i int32) bool) int {
	low := make([]int32, len(ps.list))
	var order []int32
	for i := range ps.list {
		p := &ps.list[i]
		if !kept(int32(i)) {
			continue
		}
		low[i] = ps.surface.piece(p.pieceRef).lo
		order = append(order, int32(i))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(low[a], low[b]) })
	layers := int32(0)
	for _, first := range order {
		if ps.list[first].layer >= 0 {
			continue
		}
		front := lowestFirst{}
		front.push(low[first], first)
		for len(front) > 0 {
			i := front.pop()
			if ps.list[i].layer >= 0 || ps.overlaps(i, layers) {
				continue
			}
			ps.list[i].layer = layers
			ps.contacts(i, func(j int32, _ int) {
				if ps.list[j].layer < 0 {
					front.push(low[j], j)
				}
			})
		}
		layers++
	}
	return ps.renumber(int(layers))
}

// overlaps reports whether some patch of the layer cannot share it with patch i.
func (ps *patches) overlaps(i, layer int32) bool {
	found := false
	ps.clashes(i, func(j int32) { found = found || ps.list[j].layer == layer })
	return found
}

// clashes visits the patches that cannot share a layer with patch i: patches over one of its cells, and
// adjacent patches without continuation if one of the two continues elsewhere there, so that a seam would run
// along the other's border.
func (ps *patches) clashes(i int32, visit func(j int32)) {
	p := &ps.list[i]
	x, y := ps.surface.columnOf(p.pieceRef)
	first, end := ps.inColumn(x, y)
	for j := first; j < end; j++ {
		if j != i && ps.list[j].mask&p.mask != 0 {
			visit(j)
		}
	}
	for d := range 4 {
		nextFirst, nextEnd := ps.inColumn(x+stepX[d], y+stepY[d])
		if beyond, ok := ps.wholeBeyond(i, d); ok {
			for j := nextFirst; j < nextEnd; j++ {
				if j != beyond && ps.list[j].mask&sideMask[(d+2)%4] != 0 {
					visit(j)
				}
			}
			continue
		}
		if first+1 == end && nextFirst+1 >= nextEnd && ps.allContinue(i, d) {
			continue
		}
		for cell := range cellsOf(p.mask) {
			lo, hi, other := nextFirst, nextEnd, 0
			if atSide(cell, d) {
				other = facing(cell, d)
			} else {
				lo, hi, other = first, end, cell+cellStep[d]
			}
			beyond, _, ok := ps.neighbour(i, cell, d)
			for j := lo; j < hi; j++ {
				if j == i || ok && j == beyond || ps.list[j].mask>>other&1 == 0 {
					continue
				}
				if _, _, back := ps.neighbour(j, other, (d+2)%4); ok || back {
					visit(j)
				}
			}
		}
	}
}

// allContinue reports whether the patch is alone in its column, and whether every cell of its side in direction d
// meets the only patch beside it there, if any: then no clash is possible there.
func (ps *patches) allContinue(i int32, d int) bool {
	for cell := range cellsOf(ps.list[i].mask & sideMask[d]) {
		if _, _, ok := ps.neighbour(i, cell, d); !ok {
			return false
		}
	}
	return true
}

// sideMask holds the cells at each side of a column.
var sideMask = func() (m [4]uint64) {
	for d := range m {
		for k := range side {
			m[d] |= 1 << sideCell(d, k)
		}
	}
	return m
}()

// inColumn returns the span of patches in the column (x, y).
func (ps *patches) inColumn(x, y int32) (first, end int32) {
	block, lo, hi := ps.surface.piecesOf(x, y)
	if lo == hi {
		return 0, 0
	}
	start := ps.start[block]
	return start[lo], start[hi]
}

// renumber numbers n layers by their first patches and returns their number.
func (ps *patches) renumber(n int) int {
	number := make([]int32, n)
	for i := range number {
		number[i] = -1
	}
	count := int32(0)
	for i := range ps.list {
		l := &ps.list[i].layer
		if *l < 0 {
			continue
		}
		if number[*l] < 0 {
			number[*l] = count
			count++
		}
		*l = number[*l]
	}
	return int(count)
}

// lowestFirst is a binary heap of patches by height, then by number.
type lowestFirst []heapItem

type heapItem struct{ z, patch int32 }

func (a heapItem) before(b heapItem) bool { return a.z < b.z || a.z == b.z && a.patch < b.patch }

func (h *lowestFirst) push(z, patch int32) {
	item := heapItem{z, patch}
	*h = append(*h, item)
	q := *h
	i := len(q) - 1
	for i > 0 && item.before(q[(i-1)/2]) {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = item
}

func (h *lowestFirst) pop() int32 {
	q := *h
	top := q[0].patch
	last := q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(last) {
			break
		}
		q[i] = q[child]
		i = child
	}
	q[i] = last
	return top
}

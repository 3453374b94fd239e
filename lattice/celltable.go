package lattice

// cellTable is a grid of square cells with the items that touch each, for items of similar size: it is
// faster than [grid], and where many small items meet in a cell it says so.
type cellTable struct {
	corner        Point // the lowest cell, in cells
	width, height uint32
	shift         uint // cells are 2^shift units wide
	start         []uint32
	items         []uint32 // of cell k: items[start[k]:start[k+1]]
}

// maxInCell is how many items of a cell are worth to be looked at one by one.
const maxInCell = 24

// newCellTable makes the table of n items as in [newGrid], with at most about four cells and sixteen places
// of boxes in cells for every item. Time and memory O(n).
func newCellTable(n int, box func(i int) Box, touches func(i int, cell Box) bool) cellTable {
	all := EmptyBox()
	for i := range n {
		all = all.Union(box(i))
	}
	if all.IsEmpty() {
		return cellTable{}
	}
	var t cellTable
	for ; ; t.shift++ {
		t.corner = Point{all.Min.X >> t.shift, all.Min.Y >> t.shift}
		w, h := cellsAcross(all, t.shift)
		if w*h > 4*uint64(n)+16 {
			continue
		}
		places := uint64(0)
		for i := range n {
			w, h := cellsAcross(box(i), t.shift)
			places += w * h
		}
		if places <= 16*uint64(n) {
			t.width, t.height = uint32(w), uint32(h)
			break
		}
	}
	t.start = make([]uint32, t.width*t.height+1)
	each := func(visit func(cell uint32, i int)) {
		for i := range n {
			forCells(box(i), t.shift, touches, i, func(x, y int32) {
				visit(uint32(y-t.corner.Y)*t.width+uint32(x-t.corner.X), i)
			})
		}
	}
	each(func(cell uint32, _ int) { t.start[cell+1]++ })
	for k := range t.width * t.height {
		t.start[k+1] += t.start[k]
	}
	t.items = make([]uint32, t.start[t.width*t.height])
	// Filling moves the start of each cell to its end, which is the start of the next.
	each(func(cell uint32, i int) {
		t.items[t.start[cell]] = uint32(i)
		t.start[cell]++
	})
	copy(t.start[1:], t.start)
	t.start[0] = 0
	return t
}

// cellsAcross returns how many cells a box meets in each direction.
func cellsAcross(b Box, shift uint) (width, height uint64) {
	return uint64(int64(b.Max.X>>shift)-int64(b.Min.X>>shift)) + 1, uint64(int64(b.Max.Y>>shift)-int64(b.Min.Y>>shift)) + 1
}

// at returns the items that touch the cell of a point; all is false where there are more than
// [maxInCell], and none are returned.
func (t *cellTable) at(x, y int32) (items []uint32, all bool) {
	// Differences wrap around to large numbers left of the table and below it.
	cx, cy := uint32(x>>t.shift-t.corner.X), uint32(y>>t.shift-t.corner.Y)
	if cx >= t.width || cy >= t.height {
		return nil, true
	}
	k := cy*t.width + cx
	if items = t.items[t.start[k]:t.start[k+1]]; len(items) > maxInCell {
		return nil, false
	}
	return items, true
}

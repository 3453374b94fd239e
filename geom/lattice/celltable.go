package lattice

// cellTable is a grid of square cells with the triangles that touch each. It suits triangles of similar size; it
// reports cells with too many small ones.
type cellTable struct {
	corner        Point // the lowest cell, in cells
	width, height uint32
	shift         uint // cells are 2^shift units wide
	start         []uint32
	items         []uint32 // of cell k: items[start[k]:start[k+1]], ascending
	crowded       bool     // more than maxInCell triangles are in one of the cells
}

// maxInCell is the most triangles of a cell to examine one by one.
const maxInCell = 64

// newCellTable makes the table of triangles, with at most about four cells and sixteen places of boxes in cells
// for each of them. Time and memory O(n).
func newCellTable(triangles [][3]Vertex) cellTable {
	n := len(triangles)
	if n == 0 {
		return cellTable{}
	}
	boxes := make([]Box, n)
	all := EmptyBox()
	for i := range triangles {
		t := &triangles[i]
		b := &boxes[i]
		b.Min = Point{min(t[0].X, t[1].X, t[2].X), min(t[0].Y, t[1].Y, t[2].Y)}
		b.Max = Point{max(t[0].X, t[1].X, t[2].X), max(t[0].Y, t[1].Y, t[2].Y)}
		all = all.Union(*b)
	}
	var t cellTable
	places := uint64(0)
	for ; ; t.shift++ {
		w, h := cellsAcross(&all, t.shift)
		if w*h > 4*uint64(n)+16 {
			continue
		}
		places = 0
		for i := range boxes {
			w, h := cellsAcross(&boxes[i], t.shift)
			places += w * h
		}
		if places <= 16*uint64(n) {
			t.width, t.height = uint32(w), uint32(h)
			break
		}
	}
	t.corner = Point{all.Min.X >> t.shift, all.Min.Y >> t.shift}
	// The cells of all triangles one after the other, and the end of each triangle's cells.
	cells, ends := make([]uint32, 0, places), make([]uint32, n)
	t.start = make([]uint32, t.width*t.height+1)
	for i := range triangles {
		from := len(cells)
		cells = t.appendCells(cells, &triangles[i], &boxes[i])
		for _, k := range cells[from:] {
			t.start[k+1]++
		}
		ends[i] = uint32(len(cells))
	}
	for k := range t.width * t.height {
		t.crowded = t.crowded || t.start[k+1] > maxInCell
		t.start[k+1] += t.start[k]
	}
	t.items = make([]uint32, len(cells))
	// Filling moves the start of each cell to its end, the start of the next.
	from := uint32(0)
	for i, end := range ends {
		for _, k := range cells[from:end] {
			t.items[t.start[k]] = uint32(i)
			t.start[k]++
		}
		from = end
	}
	copy(t.start[1:], t.start)
	t.start[0] = 0
	return t
}

// inCrowdedCells tells which of n triangles touch a cell with more than [maxInCell].
func (t *cellTable) inCrowdedCells(n int) []bool {
	in := make([]bool, n)
	for k := range t.width * t.height {
		if items := t.items[t.start[k]:t.start[k+1]]; len(items) > maxInCell {
			for _, i := range items {
				in[i] = true
			}
		}
	}
	return in
}

// appendCells appends the cells under a triangle; above a kilometre, the cells under its box.
func (t *cellTable) appendCells(cells []uint32, tri *[3]Vertex, box *Box) []uint32 {
	low, high := Point{box.Min.X >> t.shift, box.Min.Y >> t.shift}, Point{box.Max.X >> t.shift, box.Max.Y >> t.shift}
	row := uint32(low.Y-t.corner.Y)*t.width + uint32(low.X-t.corner.X)
	columns, rows := high.X-low.X+1, high.Y-low.Y+1
	w, h := box.Size()
	if columns == 1 || rows == 1 || max(w, h, 1<<t.shift) > kilometre {
		for range rows {
			for c := range columns {
				cells = append(cells, row+uint32(c))
			}
			row += t.width
		}
		return cells
	}
	// A box that meets the triangle's box and lies beyond none of its edges touches the triangle. For each edge the
	// cell's leftmost corner counts; from cell to cell its side of the edge changes by equal steps.
	var side, right, up [3]int64
	for k := range 3 {
		a, b := tri[k].Point, tri[(k+1)%3].Point
		x, y := int64(low.X)<<t.shift, int64(low.Y)<<t.shift
		dx, dy := b.Sub(a)
		if dx > 0 {
			y += 1 << t.shift
		}
		if dy < 0 {
			x += 1 << t.shift
		}
		side[k] = dx*(y-int64(a.Y)) - dy*(x-int64(a.X))
		right[k], up[k] = -dy<<t.shift, dx<<t.shift
	}
	for range rows {
		s, u, v := side[0], side[1], side[2]
		for c := range columns {
			if s|u|v >= 0 { // none is negative
				cells = append(cells, row+uint32(c))
			}
			s, u, v = s+right[0], u+right[1], v+right[2]
		}
		for k := range side {
			side[k] += up[k]
		}
		row += t.width
	}
	return cells
}

// cellsAcross returns how many cells a box meets in each direction.
func cellsAcross(b *Box, shift uint) (width, height uint64) {
	return uint64(int64(b.Max.X>>shift)-int64(b.Min.X>>shift)) + 1, uint64(int64(b.Max.Y>>shift)-int64(b.Min.Y>>shift)) + 1
}

// at returns the triangles that touch the cell of a point; all is false where there are more than
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

// meeting returns the first and last columns and rows of cells that meet a box; none is true where no cell does.
func (t *cellTable) meeting(left, right, low, high int64) (first, last [2]int64, none bool) {
	first = [2]int64{max(left>>t.shift-int64(t.corner.X), 0), max(low>>t.shift-int64(t.corner.Y), 0)}
	last = [2]int64{min(right>>t.shift-int64(t.corner.X), int64(t.width)-1), min(high>>t.shift-int64(t.corner.Y), int64(t.height)-1)}
	return first, last, first[0] > last[0] || first[1] > last[1]
}

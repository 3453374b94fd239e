package planar

import (
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Index finds the boxes that touch a given box. Each box lies in one cell of one of 32 grids: the grid with the
// smallest cells at least as large as the box, in the cell of the box's lower left corner. A query examines the covered
// cells of every grid, plus a margin of one cell to the left and below; for a grid with fewer boxes than cells, the
// query examines all boxes of the grid.
type Index struct {
	boxes  []lattice.Box
	levels [33]map[cell][]int32
	lists  [33][]int32
}

// cell is a square of a grid.
type cell struct{ x, y int32 }

// NewIndex returns the index of the given boxes. Time and memory O(n).
func NewIndex(boxes []lattice.Box) *Index {
	x := &Index{boxes: boxes}
	for i, b := range boxes {
		if b.IsEmpty() {
			continue
		}
		l := levelOf(b)
		if x.levels[l] == nil {
			x.levels[l] = make(map[cell][]int32)
		}
		c := cell{b.Min.X >> l, b.Min.Y >> l}
		x.levels[l][c] = append(x.levels[l][c], int32(i))
		x.lists[l] = append(x.lists[l], int32(i))
	}
	return x
}

// levelOf returns the level with the smallest cells at least as large as b.
func levelOf(b lattice.Box) int {
	w, h := b.Size()
	return bits.Len64(uint64(max(w, h)))
}

// Each calls f with every box that touches b, borders included, until f returns false. The order depends only on the
// boxes.
func (x *Index) Each(b lattice.Box, f func(i int) bool) {
	for l := range x.levels {
		if len(x.lists[l]) > 0 && !x.eachAt(l, b, f) {
			return
		}
	}
}

// Pairs calls f with every pair i < j of boxes that touch, until f returns false.
func (x *Index) Pairs(f func(i, j int) bool) {
	goOn := true
	for i, b := range x.boxes {
		if b.IsEmpty() {
			continue
		}
		// A pair is found from its smaller box; hence no box searches finer grids.
		own := levelOf(b)
		for l := own; l < len(x.levels) && goOn; l++ {
			if len(x.lists[l]) == 0 {
				continue
			}
			goOn = x.eachAt(l, b, func(j int) bool {
				if l == own && j <= i {
					return true
				}
				return f(min(i, j), max(i, j))
			})
		}
	}
}

// eachAt searches one grid.
func (x *Index) eachAt(l int, b lattice.Box, f func(i int) bool) bool {
	x0, y0, x1, y1 := b.Min.X>>l-1, b.Min.Y>>l-1, b.Max.X>>l, b.Max.Y>>l
	if (int64(x1)-int64(x0)+1)*(int64(y1)-int64(y0)+1) > int64(len(x.lists[l])) {
		for _, i := range x.lists[l] {
			if x.boxes[i].Overlaps(b) && !f(int(i)) {
				return false
			}
		}
		return true
	}
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			for _, i := range x.levels[l][cell{cx, cy}] {
				if x.boxes[i].Overlaps(b) && !f(int(i)) {
					return false
				}
			}
		}
	}
	return true
}

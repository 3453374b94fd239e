package planar

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Index finds the boxes that touch a given box. Each box lies in one cell of one of 33 grids: the grid with the
// smallest cells at least as large as the box, in the cell of the box's lower left corner. A query examines the covered
// cells of every grid, plus a margin of one cell to the left and below; for a grid with fewer boxes than cells, the
// query examines all boxes of the grid.
type Index struct {
	boxes []lattice.Box
	grids []grid // those with boxes
	own   [33]int8
}

// grid holds the boxes of one size: row by row, in a row from west to east, and in a cell by their numbers.
type grid struct {
	level  int
	placed []placed
	lists  []int32 // the numbers of the boxes in order
	bottom int32   // the lowest row
	rows   []int32 // where each row from the lowest on begins; nil if the rows are too many
}

// placed is a box with its cell.
type placed struct {
	x, y, box int32
}

// NewIndex returns the index of the given boxes. Time O(n log n), memory O(n).
func NewIndex(boxes []lattice.Box) *Index {
	x := &Index{boxes: boxes}
	var count [33]int
	for _, b := range boxes {
		if !b.IsEmpty() {
			count[levelOf(b)]++
		}
	}
	for l, n := range count {
		if n > 0 {
			x.own[l] = int8(len(x.grids))
			x.grids = append(x.grids, grid{level: l, placed: make([]placed, 0, n), lists: make([]int32, 0, n)})
		}
	}
	for i, b := range boxes {
		if b.IsEmpty() {
			continue
		}
		l := levelOf(b)
		g := &x.grids[x.own[l]]
		g.placed = append(g.placed, placed{b.Min.X >> l, b.Min.Y >> l, int32(i)})
		g.lists = append(g.lists, int32(i))
	}
	for k := range x.grids {
		x.grids[k].arrange()
	}
	return x
}

// arrange sorts the boxes by their cells and finds the rows.
func (g *grid) arrange() {
	slices.SortFunc(g.placed, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x), cmp.Compare(a.box, b.box))
	})
	n := len(g.placed)
	g.bottom = g.placed[0].y
	height := int64(g.placed[n-1].y) - int64(g.bottom) + 1
	if height > int64(4*n+16) {
		return
	}
	g.rows = make([]int32, height+1)
	at := 0
	for r := range g.rows {
		for at < n && int64(g.placed[at].y)-int64(g.bottom) < int64(r) {
			at++
		}
		g.rows[r] = int32(at)
	}
}

// from returns the first box of a row at x or east of it, or in a higher row.
func (g *grid) from(x, y int32) int {
	low, high := 0, len(g.placed)
	if r := int64(y) - int64(g.bottom); g.rows != nil {
		if r < 0 || r+1 >= int64(len(g.rows)) {
			return high
		}
		low, high = int(g.rows[r]), int(g.rows[r+1])
	}
	for low < high {
		m := int(uint(low+high) >> 1)
		if p := &g.placed[m]; p.y < y || p.y == y && p.x < x {
			low = m + 1
		} else {
			high = m
		}
	}
	return low
}

// levelOf returns the level with the smallest cells at least as large as b.
func levelOf(b lattice.Box) int {
	w, h := b.Size()
	return bits.Len64(uint64(max(w, h)))
}

// Each calls f with every box that touches b, borders included, until f returns false. The order depends only on the
// boxes.
func (x *Index) Each(b lattice.Box, f func(i int) bool) {
	for k := range x.grids {
		if !x.eachAt(&x.grids[k], b, f) {
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
		own := int(x.own[levelOf(b)])
		for k := own; k < len(x.grids) && goOn; k++ {
			goOn = x.eachAt(&x.grids[k], b, func(j int) bool {
				if k == own && j <= i {
					return true
				}
				return f(min(i, j), max(i, j))
			})
		}
	}
}

// eachAt searches one grid.
func (x *Index) eachAt(g *grid, b lattice.Box, f func(i int) bool) bool {
	l := g.level
	x0, y0, x1, y1 := b.Min.X>>l-1, b.Min.Y>>l-1, b.Max.X>>l, b.Max.Y>>l
	if (int64(x1)-int64(x0)+1)*(int64(y1)-int64(y0)+1) > int64(len(g.lists)) {
		for _, i := range g.lists {
			if x.boxes[i].Overlaps(b) && !f(int(i)) {
				return false
			}
		}
		return true
	}
	for y := y0; y <= y1; y++ {
		for _, p := range g.placed[g.from(x0, y):] {
			if p.y != y || p.x > x1 {
				break
			}
			if x.boxes[p.box].Overlaps(b) && !f(int(p.box)) {
				return false
			}
		}
	}
	return true
}

// Along calls f once with every box within one unit of the segment from (x0, y0) to (x1, y1), and with some boxes a
// little farther away. The order depends only on the boxes and the segment. A long slanting segment finds the boxes of
// the cells on its way, in place of all boxes of its own box.
func (x *Index) Along(x0, y0, x1, y1 float64, f func(i int)) {
	if y0 > y1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	west, east := min(x0, x1)-1, max(x0, x1)+1
	for k := range x.grids {
		g := &x.grids[k]
		size := float64(int64(1) << g.level)
		n := len(g.placed)
		// A box of a row reaches up to the end of the next row.
		first := max(int64(math.Floor((y0-1)/size))-1, int64(g.placed[0].y))
		last := min(int64(math.Floor((y1+1)/size)), int64(g.placed[n-1].y))
		for row := first; row <= last; row++ {
			low, high := west, east
			if y1 > y0 {
				bottom := max(0, (float64(row)*size-1-y0)/(y1-y0))
				top := min(1, (float64(row+2)*size+1-y0)/(y1-y0))
				a, b := x0+float64(bottom*(x1-x0)), x0+float64(top*(x1-x0))
				low, high = max(low, min(a, b)-1), min(high, max(a, b)+1)
			}
			from := max(math.Floor(low/size)-1, math.MinInt32)
			to := math.Floor(high / size)
			at := g.from(int32(min(from, math.MaxInt32)), int32(row))
			for ; at < n; at++ {
				p := &g.placed[at]
				if int64(p.y) != row {
					row = max(row, min(int64(p.y), last+1)-1) // no boxes in the rows between
					break
				}
				if float64(p.x) > to {
					break
				}
				b := &x.boxes[p.box]
				if float64(b.Max.X) >= low && float64(b.Min.X) <= high && float64(b.Max.Y) >= y0-1 && float64(b.Min.Y) <= y1+1 {
					f(int(p.box))
				}
			}
			if at == n {
				break
			}
		}
	}
}

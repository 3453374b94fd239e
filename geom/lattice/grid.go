package lattice

import "math/bits"

// grid finds items by place. It is a hierarchy of square grids. Level l has cells of 2ˡ units, and every item
// is entered on one level, in the few cells that it touches, so memory is linear for any mix of sizes. Cells
// are hashed into as many buckets as entries, so empty land costs nothing; a bucket may hold foreign entries,
// which callers reject by the item's own geometry.
type grid struct {
	levels uint32  // bit l is set when an item lives on level l
	shift  uint    // 64 minus the bits of a bucket number
	level  []uint8 // of every item
	boxes  []Box   // of every item
	start  []uint32
	items  []uint32 // of bucket k: items[start[k]:start[k+1]], ascending
	own    [32]int  // how many items each level has
}

// maxCells is the number of cells that an item may be entered in: a fat item gets about as many
// cells, a slim one lives on a finer level than its length asks for.
const maxCells = 8

// newGrid indexes n items. box returns an item's box; items with an empty box are left out. touches reports
// whether an item meets a box inside its own box; nil means always. Time and memory O(n).
func newGrid(n int, box func(i int) Box, touches func(i int, cell Box) bool) *grid {
	g := &grid{level: make([]uint8, n), boxes: make([]Box, n)}
	entries := 0
	for i := range n {
		b := box(i)
		g.boxes[i] = b
		if b.IsEmpty() {
			continue
		}
		l := coarsest(b)
		count := countCells(b, l, touches, i)
		for ; touches != nil && l > 0; l-- {
			finer := countCells(b, l-1, touches, i)
			if finer > maxCells {
				break
			}
			count = finer
		}
		g.level[i] = uint8(l)
		g.levels |= 1 << l
		g.own[l]++
		entries += count
	}
	logBuckets := uint(bits.Len(uint(entries | 1)))
	g.shift = 64 - logBuckets
	g.start = make([]uint32, (1<<logBuckets)+1)
	g.items = make([]uint32, entries)
	// Count, sum up, and fill from the last item to the first, which leaves start at the starts.
	for i, b := range g.boxes {
		forCells(b, uint(g.level[i]), touches, i, func(x, y int32) {
			g.start[g.bucketOf(uint(g.level[i]), x, y)]++
		})
	}
	sum := uint32(0)
	for k := range g.start {
		sum += g.start[k]
		g.start[k] = sum
	}
	for i := n - 1; i >= 0; i-- {
		forCells(g.boxes[i], uint(g.level[i]), touches, i, func(x, y int32) {
			k := g.bucketOf(uint(g.level[i]), x, y)
			g.start[k]--
			g.items[g.start[k]] = uint32(i)
		})
	}
	return g
}

// coarsest returns the finest level whose cells are larger than b in both directions.
func coarsest(b Box) uint {
	w, h := b.Size()
	return uint(bits.Len64(uint64(max(w, h))))
}

// forCells visits the cells of level l that an item touches.
func forCells(b Box, l uint, touches func(i int, cell Box) bool, i int, visit func(x, y int32)) {
	if b.IsEmpty() {
		return
	}
	for y := b.Min.Y >> l; y <= b.Max.Y>>l; y++ {
		for x := b.Min.X >> l; x <= b.Max.X>>l; x++ {
			if touches == nil || touches(i, cellBox(b, l, x, y)) {
				visit(x, y)
			}
		}
	}
}

// countCells counts the visits of [forCells]. It stops above maxCells.
func countCells(b Box, l uint, touches func(i int, cell Box) bool, i int) int {
	count := 0
	for y := b.Min.Y >> l; y <= b.Max.Y>>l; y++ {
		for x := b.Min.X >> l; x <= b.Max.X>>l; x++ {
			if touches == nil || touches(i, cellBox(b, l, x, y)) {
				count++
			}
			if count > maxCells {
				return count
			}
		}
	}
	return count
}

// cellBox returns the part of the closed cell x, y of level l that lies in b.
func cellBox(b Box, l uint, x, y int32) Box {
	return Box{
		Point{
			int32(max(int64(x)<<l, int64(b.Min.X))),
			int32(max(int64(y)<<l, int64(b.Min.Y))),
		},
		Point{
			int32(min((int64(x)+1)<<l, int64(b.Max.X))),
			int32(min((int64(y)+1)<<l, int64(b.Max.Y))),
		},
	}
}

// bucketOf hashes a cell. Multiplying by odd constants and keeping the high bits spreads
// neighbouring cells; the constants are the first bits of the golden ratio and of the root of two.
func (g *grid) bucketOf(l uint, x, y int32) uint64 {
	h := uint64(uint32(x))<<32 | uint64(uint32(y))
	h = (h ^ uint64(l)*0xb504f333f9de6484) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	return (h * 0x9e3779b97f4a7c15) >> g.shift
}

// at returns the items of the cell x, y of level l, among others, in ascending order.
func (g *grid) at(l uint, x, y int32) []uint32 {
	k := g.bucketOf(l, x, y)
	return g.items[g.start[k]:g.start[k+1]]
}

// touchesSegment reports whether the segment ab meets the box c, a part of the segment's own box: the line
// must not have all corners of c on one side.
func touchesSegment(a, b Point, c Box) bool {
	if (a.X <= b.X) == (a.Y <= b.Y) {
		// Rising: the upper left and the lower right corner are the extreme ones.
		if b.X < a.X || a.X == b.X && b.Y < a.Y {
			a, b = b, a
		}
		return Orient(a, b, Point{c.Min.X, c.Max.Y}) >= 0 && Orient(a, b, Point{c.Max.X, c.Min.Y}) <= 0
	}
	if b.X < a.X {
		a, b = b, a
	}
	return Orient(a, b, c.Max) >= 0 && Orient(a, b, c.Min) <= 0
}

// touchesTriangle reports whether the closed counter-clockwise triangle meets the box c, which
// lies inside of the triangle's own box: no edge may have all of the box strictly on its right.
func touchesTriangle(a, b, c Point, box Box) bool {
	return leftmost(a, b, box) >= 0 && leftmost(b, c, box) >= 0 && leftmost(c, a, box) >= 0
}

// leftmost returns the orientation of a, b and the corner of the box farthest to the left of ab.
func leftmost(a, b Point, box Box) int64 {
	corner := box.Min
	if b.X > a.X {
		corner.Y = box.Max.Y
	}
	if b.Y < a.Y {
		corner.X = box.Max.X
	}
	return Orient(a, b, corner)
}

// byLevel lists the items of each level.
func (g *grid) byLevel() [32][]uint32 {
	var lists [32][]uint32
	for l, n := range g.own {
		if n > 0 {
			lists[l] = make([]uint32, 0, n)
		}
	}
	for i, l := range g.level {
		if !g.boxes[i].IsEmpty() {
			lists[l] = append(lists[l], uint32(i))
		}
	}
	return lists
}

// forPairs visits every pair of items whose boxes meet. For i the box is box(i), which must lie inside its
// entered box; for k the entered box counts. i is on a level at most as coarse as k's. A pair may be visited
// more than once, in one order only. forPairs stops when visit returns false.
func (g *grid) forPairs(box func(i int) Box, touches func(i int, cell Box) bool, visit func(i, k int) bool) {
	stop := false
	for i := range g.level {
		own, b := g.level[i], box(i)
		for l, levels := own, g.levels>>own; levels != 0; l, levels = l+1, levels>>1 {
			if levels&1 == 0 {
				continue
			}
			forCells(b, uint(l), touches, i, func(x, y int32) {
				for _, k := range g.at(uint(l), x, y) {
					if !b.Overlaps(g.boxes[k]) || g.level[k] != l {
						continue
					}
					// Two items of one level find each other twice.
					if (l > own || int(k) < i) && !stop {
						stop = !visit(i, int(k))
					}
				}
			})
			if stop {
				return
			}
		}
	}
}

package query

import (
	"cmp"
	"math"
	"slices"
)

// box is a closed box in lattice units of the mesh's frame: x, y and height.
type box struct{ min, max [3]int32 }

// emptyBox returns the box without points.
func emptyBox() box {
	const lo, hi = math.MinInt32, math.MaxInt32
	return box{[3]int32{hi, hi, hi}, [3]int32{lo, lo, lo}}
}

// union returns the smallest box that contains b and c.
func (b box) union(c box) box {
	for i := range 3 {
		b.min[i] = min(b.min[i], c.min[i])
		b.max[i] = max(b.max[i], c.max[i])
	}
	return b
}

// overlaps reports whether b and c have a common point.
func (b *box) overlaps(c *box) bool {
	return b.min[0] <= c.max[0] && c.min[0] <= b.max[0] &&
		b.min[1] <= c.max[1] && c.min[1] <= b.max[1] &&
		b.min[2] <= c.max[2] && c.min[2] <= b.max[2]
}

// distance2 returns the squared distance of b and the point p, zero inside.
func (b *box) distance2(p [3]float64) float64 {
	var sum float64
	for i := range 3 {
		if low := float64(b.min[i]); p[i] < low {
			sum += float64((low - p[i]) * (low - p[i]))
		} else if high := float64(b.max[i]); p[i] > high {
			sum += float64((p[i] - high) * (p[i] - high))
		}
	}
	return sum
}

// fanout is the number of children of a node of a boxTree: their boxes fill three cache lines.
const fanout = 8

// maxLevels is the height of a tree over 2³² items.
const maxLevels = 11

// boxTree is a static box tree. Items are sorted along a Hilbert curve and packed in groups of [fanout], the groups
// packed again, up to a single root. The tree has no pointers: the children of node i of a level are the nodes from
// fanout·i on of the level below. Construction costs one sort.
//
// Source: I. Kamel and C. Faloutsos, On packing R-trees, CIKM 1993.
type boxTree struct {
	items []uint32 // in the order of the curve
	boxes []box    // level after level from the items up
	level []int    // start of each level in boxes, and the end of the last level
}

// makeBoxTree returns the tree over items 0, 1, ... with the given boxes. A box of unknown extent in some direction
// must span the whole direction.
func makeBoxTree(items []box) boxTree {
	t := boxTree{items: make([]uint32, len(items))}
	if len(items) == 0 {
		return t
	}
	all := emptyBox()
	for _, b := range items {
		all = all.union(b)
	}
	keys := make([]uint64, len(items))
	for i, b := range items {
		t.items[i] = uint32(i)
		keys[i] = hilbert(scale(b, all, 0), scale(b, all, 1))
	}
	slices.SortFunc(t.items, func(i, j uint32) int {
		return cmp.Or(cmp.Compare(keys[i], keys[j]), cmp.Compare(i, j))
	})
	total := 0
	for n := len(items); ; n = (n + fanout - 1) / fanout {
		t.level = append(t.level, total)
		total += n
		if n == 1 {
			break
		}
	}
	t.level = append(t.level, total)
	t.boxes = make([]box, total)
	t.fit(items)
	return t
}

// fit gives the tree new boxes for its items. The tree is correct for any boxes, and fast if they are near the original
// boxes.
func (t *boxTree) fit(items []box) {
	for i, item := range t.items {
		t.boxes[i] = items[item]
	}
	for l := 1; l+1 < len(t.level); l++ {
		below := t.boxes[t.level[l-1]:t.level[l]]
		for i := range t.level[l+1] - t.level[l] {
			b := emptyBox()
			for _, c := range below[i*fanout : min((i+1)*fanout, len(below))] {
				b = b.union(c)
			}
			t.boxes[t.level[l]+i] = b
		}
	}
}

// curveBits is the resolution of the Hilbert curve per axis.
const curveBits = 16

// scale maps the middle of b to the cells of the curve along an axis.
func scale(b, all box, axis int) uint32 {
	size := int64(all.max[axis]) - int64(all.min[axis])
	if size == 0 {
		return 0
	}
	middle := (int64(b.min[axis])+int64(b.max[axis]))/2 - int64(all.min[axis])
	return uint32(middle * (1<<curveBits - 1) / size)
}

// hilbert returns the position of the cell x, y along the Hilbert curve.
func hilbert(x, y uint32) uint64 {
	var d uint64
	for s := uint32(1) << (curveBits - 1); s > 0; s /= 2 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += uint64(s) * uint64(s) * uint64(3*rx^ry)
		// Turn the quadrant to make the curve enter and leave at the right corners.
		if ry == 0 {
			if rx == 1 {
				x, y = ^x, ^y
			}
			x, y = y, x
		}
	}
	return d
}

// treeNode is a node on a stack.
type treeNode struct {
	level, index int32
	distance2    float64
}

// boxWalk enumerates the items whose boxes overlap a box. A boxWalk lives on the caller's stack.
type boxWalk struct {
	tree *boxTree
	want box
	wait [fanout * maxLevels]treeNode
	n    int
}

// start begins the enumeration of the items of t that overlap want.
func (w *boxWalk) start(t *boxTree, want box) {
	w.tree, w.want, w.n = t, want, 0
	if len(t.items) > 0 {
		w.wait[0] = treeNode{level: int32(len(t.level) - 2)}
		w.n = 1
	}
}

// next returns the next item; ok is false at the end.
func (w *boxWalk) next() (item uint32, ok bool) {
	t := w.tree
	for w.n > 0 {
		w.n--
		node := w.wait[w.n]
		if !t.boxes[t.level[node.level]+int(node.index)].overlaps(&w.want) {
			continue
		}
		if node.level == 0 {
			return t.items[node.index], true
		}
		first := node.index * fanout
		end := min(first+fanout, int32(t.level[node.level]-t.level[node.level-1]))
		for i := end - 1; i >= first; i-- {
			w.wait[w.n] = treeNode{level: node.level - 1, index: i}
			w.n++
		}
	}
	return 0, false
}

// boxSearch enumerates items towards a point: of the children of a node the nearest first.
type boxSearch struct {
	tree   *boxTree
	from   [3]float64
	limit2 float64
	within box // meets all boxes within limit2, as of the last call of narrow
	wait   [fanout * maxLevels]treeNode
	n      int
}

// start begins the search from a point.
func (s *boxSearch) start(t *boxTree, from [3]float64) {
	s.tree, s.from, s.n, s.limit2 = t, from, 0, -1
	if len(t.items) > 0 {
		top := int32(len(t.level) - 2)
		s.wait[0] = treeNode{level: top, distance2: t.boxes[t.level[top]].distance2(from)}
		s.n = 1
	}
}

// narrow sets the limit.
func (s *boxSearch) narrow(limit2 float64) {
	s.limit2 = limit2
	r := math.Sqrt(limit2) + 2 // conversion drops the fraction
	for i, c := range s.from {
		s.within.min[i] = int32(min(max(c-r, math.MinInt32), math.MaxInt32))
		s.within.max[i] = int32(min(max(c+r, math.MinInt32), math.MaxInt32))
	}
}

// next returns the next item whose squared box distance is at most limit2; ok is false at the end.
func (s *boxSearch) next(limit2 float64) (item uint32, ok bool) {
	t := s.tree
	if s.limit2 < 0 || limit2 < s.limit2/4 {
		s.narrow(limit2) // only for large changes; distances decide
	}
	for s.n > 0 {
		s.n--
		node := s.wait[s.n]
		if node.distance2 > limit2 {
			continue
		}
		if node.level == 0 {
			return t.items[node.index], true
		}
		first := node.index * fanout
		end := min(first+fanout, int32(t.level[node.level]-t.level[node.level-1]))
		bottom := s.n
		for i := first; i < end; i++ {
			b := &t.boxes[t.level[node.level-1]+int(i)]
			if !b.overlaps(&s.within) {
				continue
			}
			d2 := b.distance2(s.from)
			if d2 > limit2 {
				continue
			}
			// Insertion keeps the nearest on top; among equals the first comes first.
			at := s.n
			for at > bottom && s.wait[at-1].distance2 <= d2 {
				s.wait[at] = s.wait[at-1]
				at--
			}
			s.wait[at] = treeNode{node.level - 1, i, d2}
			s.n++
		}
	}
	return 0, false
}

package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/floorplan/internal/soup"
	"github.com/meadow-nav/meadow/lattice"
)

// box3 is a closed box in space.
type box3 struct{ low, high [3]int32 }

func boxOf(v ...lattice.Vertex) box3 {
	b := box3{[3]int32{v[0].X, v[0].Y, v[0].Z}, [3]int32{v[0].X, v[0].Y, v[0].Z}}
	for _, p := range v[1:] {
		b = b.union(box3{[3]int32{p.X, p.Y, p.Z}, [3]int32{p.X, p.Y, p.Z}})
	}
	return b
}

func (b box3) union(c box3) box3 {
	for k := range 3 {
		b.low[k], b.high[k] = min(b.low[k], c.low[k]), max(b.high[k], c.high[k])
	}
	return b
}

// grown returns the box with a margin all around.
func (b box3) grown(by int32) box3 {
	for k := range 3 {
		b.low[k] -= by
		b.high[k] += by
	}
	return b
}

func (b *box3) meets(c *box3) bool {
	return b.low[0] <= c.high[0] && c.low[0] <= b.high[0] &&
		b.low[1] <= c.high[1] && c.low[1] <= b.high[1] &&
		b.low[2] <= c.high[2] && c.low[2] <= b.high[2]
}

// tree is a static tree of the boxes of all triangles, built once. Children of a node are next to
// each other; leaves hold up to perLeaf triangles.
type tree struct {
	nodes []node
	items []int32
	boxes []box3 // of the triangles
}

type node struct {
	box         box3
	child       int32 // the first child, or -1
	first, last int32 // for a leaf: items[first:last]
}

const perLeaf = 6

func newTree(s *soup.Soup) *tree {
	t := &tree{boxes: make([]box3, len(s.Triangles)), items: make([]int32, len(s.Triangles))}
	for i := range s.Triangles {
		t.boxes[i] = boxOf(s.Triangles[i].V[:]...)
		t.items[i] = int32(i)
	}
	t.nodes = append(t.nodes, node{})
	t.build(0, 0, int32(len(t.items)))
	return t
}

func (t *tree) build(at, first, last int32) {
	items := t.items[first:last]
	box := t.boxes[items[0]]
	for _, i := range items[1:] {
		box = box.union(t.boxes[i])
	}
	if len(items) <= perLeaf {
		t.nodes[at] = node{box, -1, first, last}
		return
	}
	axis, longest := 0, int32(-1)
	for k := range 3 {
		if d := box.high[k] - box.low[k]; d > longest {
			axis, longest = k, d
		}
	}
	slices.SortFunc(items, func(i, j int32) int {
		a, b := &t.boxes[i], &t.boxes[j]
		return cmp.Or(cmp.Compare(int64(a.low[axis])+int64(a.high[axis]), int64(b.low[axis])+int64(b.high[axis])), cmp.Compare(i, j))
	})
	child := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{}, node{})
	t.nodes[at] = node{box, child, 0, 0}
	middle := first + (last-first)/2
	t.build(child, first, middle)
	t.build(child+1, middle, last)
}

// search appends to found the triangles whose boxes meet b, ascending.
func (t *tree) search(b *box3, found []int32) []int32 {
	var stack [128]int32
	n := 1
	start := len(found)
	for n > 0 {
		n--
		at := &t.nodes[stack[n]]
		if !at.box.meets(b) {
			continue
		}
		if at.child >= 0 {
			stack[n], stack[n+1] = at.child, at.child+1
			n += 2
			continue
		}
		for _, i := range t.items[at.first:at.last] {
			if t.boxes[i].meets(b) {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found[start:])
	return found
}

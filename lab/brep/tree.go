package brep

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// tree is a static tree of boxes. The children of node i are i+1 and node.right.
type tree struct {
	boxes []solid.Box
	nodes []node
	items []int32
}

// node covers the boxes items[first:last]; right is -1 for a leaf.
type node struct {
	box         solid.Box
	first, last int32
	right       int32
}

// perLeaf is how many boxes a leaf has at most.
const perLeaf = 4

// newTree makes a tree in time O(n log² n).
func newTree(boxes []solid.Box) *tree {
	t := &tree{boxes: boxes, items: make([]int32, len(boxes))}
	for i := range t.items {
		t.items[i] = int32(i)
	}
	if len(boxes) > 0 {
		t.build(0, int32(len(boxes)))
	}
	return t
}

func (t *tree) build(first, last int32) int32 {
	at := int32(len(t.nodes))
	n := node{box: solid.EmptyBox(), first: first, last: last, right: -1}
	low, high := solid.EmptyBox().Low, solid.EmptyBox().High
	for _, i := range t.items[first:last] {
		b := &t.boxes[i]
		n.box = n.box.Union(*b)
		for k := range 3 {
			low[k], high[k] = min(low[k], b.Low[k]+b.High[k]), max(high[k], b.Low[k]+b.High[k])
		}
	}
	t.nodes = append(t.nodes, n)
	if last-first <= perLeaf {
		return at
	}
	axis := 0
	for k := range 3 {
		if high[k]-low[k] > high[axis]-low[axis] {
			axis = k
		}
	}
	slices.SortFunc(t.items[first:last], func(i, j int32) int {
		a, b := &t.boxes[i], &t.boxes[j]
		return cmp.Or(cmp.Compare(a.Low[axis]+a.High[axis], b.Low[axis]+b.High[axis]), cmp.Compare(i, j))
	})
	middle := (first + last) / 2
	t.build(first, middle)
	right := t.build(middle, last)
	t.nodes[at].right = right
	return at
}

// search appends to found the numbers of the boxes that meet b, in ascending order.
func (t *tree) search(b *solid.Box, found []int32) []int32 {
	if len(t.nodes) == 0 {
		return found
	}
	from := len(found)
	var stack [64]int32
	n := 1
	for n > 0 {
		n--
		at := stack[n]
		node := &t.nodes[at]
		if !node.box.Meets(b) {
			continue
		}
		if node.right >= 0 {
			stack[n], stack[n+1] = at+1, node.right
			n += 2
			continue
		}
		for _, i := range t.items[node.first:node.last] {
			if t.boxes[i].Meets(b) {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found[from:])
	return found
}

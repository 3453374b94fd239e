// Package boxtree finds boxes in space: the boxes that meet a box, the boxes near a point, and the pairs of boxes that meet.
//
// Source: T. L. Kay and J. T. Kajiya, Ray tracing complex scenes, SIGGRAPH 1986 (a binary tree of boxes, halved by their
// middles); C. A. R. Hoare, Algorithm 65: Find, CACM 4 (1961) (the halving); N. Roussopoulos, S. Kelley and F. Vincent,
// Nearest neighbor queries, SIGMOD 1995 ([Nearest]); T. Brinkhoff, H.-P. Kriegel and B. Seeger, Efficient processing of
// spatial joins using R-trees, SIGMOD 1993 ([Tree.Pairs]).
//
// Idea: the root holds all boxes. A node with more than [leaf] boxes sorts them, by their middles on the axis along which
// the middles spread most, into two halves for its two children. Nodes lie in one array, the two children of a node side
// by side, and items in another array, the items of a leaf side by side.
//
// Input: closed boxes with Low ≤ High on every axis. An axis on which a box is boundless runs over the whole type; its
// middle is near 0. Coordinates are int32 within ±2³⁰, boundless axes aside, or finite float64.
//
// Guarantees:
//  1. [Tree.Search], [Tree.IDs], [Tree.Any], [Tree.Each] and [Tree.Pairs] find exactly the boxes of a loop over all boxes:
//     TestAgainstBruteForce, TestPairs.
//  2. [Nearest] returns each item within the limit once; limits may shrink on the way: TestNearest.
//  3. The tree is the same for any number of jobs: TestJobsDoNotMatter.
//  4. [Tree.Over] finds exactly the pairs of two loops over all boxes: TestOver.
//  5. After [Tree.Graft] and [Tree.Fit] the other guarantees hold: TestAgainstBruteForce.
//  6. Questions allocate nothing but the list that a caller passes: TestNoAllocations.
//
// Degenerate cases: a tree of no boxes finds nothing. Equal boxes and boxes without extent are halved by number of boxes,
// so the height stays logarithmic.
//
// Cost: construction O(n log n) time on average and n items + at most n/2 nodes of memory; a search O(log n + k) for k
// boxes found where few boxes overlap, O(n) at worst.
package boxtree

import "slices"

// Number is the type of coordinates.
type Number interface{ int32 | float64 }

// Box is a closed box: x, y and height.
type Box[T Number] struct{ Low, High [3]T }

// Union returns the smallest box that contains b and c.
func (b Box[T]) Union(c Box[T]) Box[T] {
	for k := range 3 {
		b.Low[k], b.High[k] = min(b.Low[k], c.Low[k]), max(b.High[k], c.High[k])
	}
	return b
}

// Grown returns the box with a margin on all sides.
func (b Box[T]) Grown(by T) Box[T] {
	for k := range 3 {
		b.Low[k] -= by
		b.High[k] += by
	}
	return b
}

// Meets reports whether b and c have a common point.
func (b *Box[T]) Meets(c *Box[T]) bool {
	return b.Low[0] <= c.High[0] && c.Low[0] <= b.High[0] &&
		b.Low[1] <= c.High[1] && c.Low[1] <= b.High[1] &&
		b.Low[2] <= c.High[2] && c.Low[2] <= b.High[2]
}

// Holds reports whether all of c is in b.
func (b *Box[T]) Holds(c *Box[T]) bool {
	return b.Low[0] <= c.Low[0] && c.High[0] <= b.High[0] &&
		b.Low[1] <= c.Low[1] && c.High[1] <= b.High[1] &&
		b.Low[2] <= c.Low[2] && c.High[2] <= b.High[2]
}

// Item is a box in a tree, and its index in the list of boxes that made the tree.
type Item[T Number] struct {
	Box Box[T]
	ID  int32
}

// Tree is a static tree of boxes. Many goroutines may ask a tree at once.
type Tree[T Number] struct {
	nodes []node[T] // nodes[0] is the root; none without items
	items []Item[T]
}

// node is a leaf of items[first:first+count], or has the children nodes[first] and nodes[first+1] and count 0.
type node[T Number] struct {
	box          Box[T]
	first, count int32
}

// leaf is the maximum number of items of a leaf.
const leaf = 6

// height is the maximum height of a tree: 29 for 2³¹ items, and one for each graft.
const height = 64

// Items returns the items of the tree, leaf after leaf. The list belongs to the tree.
func (t *Tree[T]) Items() []Item[T] { return t.items }

// Leaf is a leaf of a tree: some items near each other, and the box around them.
type Leaf[T Number] struct {
	Box   Box[T]
	Items []Item[T] // belong to the tree
}

// Leaves returns the leaves of the tree.
func (t *Tree[T]) Leaves() []Leaf[T] {
	leaves := make([]Leaf[T], 0, (len(t.nodes)+1)/2)
	for i := range t.nodes {
		if n := &t.nodes[i]; n.count > 0 {
			leaves = append(leaves, Leaf[T]{n.box, t.items[n.first : n.first+n.count]})
		}
	}
	return leaves
}

// Renumber changes the index of every item.
func (t *Tree[T]) Renumber(number func(id int32) int32) {
	for i := range t.items {
		t.items[i].ID = number(t.items[i].ID)
	}
}

// Fit replaces the boxes of the items. The tree stays correct for any boxes and is fast for boxes near the former ones.
func (t *Tree[T]) Fit(boxes []Box[T]) {
	for i := range t.items {
		t.items[i].Box = boxes[t.items[i].ID]
	}
	if len(t.nodes) > 0 {
		t.fit(0)
	}
}

func (t *Tree[T]) fit(at int32) Box[T] {
	n := &t.nodes[at]
	if n.count > 0 {
		n.box = t.around(n)
	} else {
		n.box = t.fit(n.first).Union(t.fit(n.first + 1))
	}
	return n.box
}

// around returns the box of the items of a leaf.
func (t *Tree[T]) around(n *node[T]) Box[T] {
	items := t.items[n.first : n.first+n.count]
	box := items[0].Box
	for i := range items[1:] {
		box = box.Union(items[1+i].Box)
	}
	return box
}

// Graft returns a tree of the items of t and o; indices stay as they are. The tree t must not be used any longer. At most
// 32 grafts may follow each other.
func (t *Tree[T]) Graft(o *Tree[T]) *Tree[T] {
	if len(t.nodes) == 0 {
		return o
	}
	if len(o.nodes) == 0 {
		return t
	}
	// The nodes of t with a new root, a copy of the former root, and the nodes of o.
	n, m := int32(len(t.nodes)), int32(len(t.items))
	t.nodes = slices.Concat(t.nodes, t.nodes[:1], o.nodes)
	for i := n + 1; int(i) < len(t.nodes); i++ {
		if at := &t.nodes[i]; at.count > 0 {
			at.first += m
		} else {
			at.first += n + 1
		}
	}
	t.nodes[0] = node[T]{box: t.nodes[n].box.Union(t.nodes[n+1].box), first: n}
	t.items = slices.Concat(t.items, o.items)
	return t
}

// Search appends to found the items whose boxes meet b, in arbitrary order.
func (t *Tree[T]) Search(b *Box[T], found []Item[T]) []Item[T] {
	var stack [height]int32 // of nodes whose boxes meet b
	n := 0
	if len(t.nodes) > 0 && t.nodes[0].box.Meets(b) {
		n = 1
	}
	for n > 0 {
		n--
		at := &t.nodes[stack[n]]
		for at.count == 0 {
			children := t.nodes[at.first : at.first+2 : at.first+2]
			first, second := children[0].box.Meets(b), children[1].box.Meets(b)
			switch {
			case second && first:
				stack[n] = at.first
				n++
				at = &children[1]
			case second:
				at = &children[1]
			case first:
				at = &children[0]
			default:
				at = nil
			}
			if at == nil {
				break
			}
		}
		if at == nil {
			continue
		}
		items := t.items[at.first : at.first+at.count]
		for i := range items {
			if items[i].Box.Meets(b) {
				found = append(found, items[i])
			}
		}
	}
	return found
}

// IDs appends to found the indices of the items whose boxes meet b, in ascending order.
func (t *Tree[T]) IDs(b *Box[T], found []int32) []int32 {
	from := len(found)
	t.Any(b, func(id int32) bool {
		found = append(found, id)
		return false
	})
	slices.Sort(found[from:])
	return found
}

// Any calls is for items whose boxes meet b, in arbitrary order, until is returns true, and reports whether a call did.
func (t *Tree[T]) Any(b *Box[T], is func(id int32) bool) bool {
	var stack [height]int32
	n := min(1, len(t.nodes))
	for n > 0 {
		n--
		at := &t.nodes[stack[n]]
		if !at.box.Meets(b) {
			continue
		}
		if at.count == 0 {
			stack[n], stack[n+1] = at.first, at.first+1
			n += 2
			continue
		}
		items := t.items[at.first : at.first+at.count]
		for i := range items {
			if items[i].Box.Meets(b) && is(items[i].ID) {
				return true
			}
		}
	}
	return false
}

// Each calls visit for the items whose boxes are chosen, in arbitrary order. A box around chosen boxes is chosen, too.
func (t *Tree[T]) Each(chosen func(b *Box[T]) bool, visit func(id int32)) {
	var stack [height]int32
	n := min(1, len(t.nodes))
	for n > 0 {
		n--
		at := &t.nodes[stack[n]]
		if !chosen(&at.box) {
			continue
		}
		if at.count == 0 {
			stack[n], stack[n+1] = at.first, at.first+1
			n += 2
			continue
		}
		items := t.items[at.first : at.first+at.count]
		for i := range items {
			if chosen(&items[i].Box) {
				visit(items[i].ID)
			}
		}
	}
}

// Meets reports whether the box of an item meets b.
func (t *Tree[T]) Meets(b *Box[T]) bool {
	return t.Any(b, func(int32) bool { return true })
}

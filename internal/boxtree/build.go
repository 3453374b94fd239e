package boxtree

import (
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/par"
)

// builder makes a tree.
type builder[T Number] struct {
	tree  *Tree[T]
	boxes []Box[T]
}

// branch is an unbuilt part of a tree: its node, and where its items and its further nodes start.
type branch[T Number] struct {
	at, first, next int32
	places          []place[T]
}

// place is the middle of a box.
type place[T Number] struct {
	middle [3]T
	id     int32
}

// New returns the tree of the boxes for which chosen is true; nil chooses all boxes.
func New[T Number](boxes []Box[T], chosen func(i int) bool) *Tree[T] {
	b, root := sow(boxes, chosen)
	if len(root.places) > 0 {
		b.build(root)
	}
	return b.tree
}

// Grow is [New] on several goroutines; jobs ≤ 0 means one per core. The error is the context's.
func Grow[T Number](ctx context.Context, boxes []Box[T], chosen func(i int) bool, jobs int) (*Tree[T], error) {
	b, root := sow(boxes, chosen)
	if len(root.places) == 0 {
		return b.tree, ctx.Err()
	}
	// The top first, whose branches are then built side by side.
	var tops []int32
	var branches []branch[T]
	b.divide(root, &tops, &branches)
	err := par.For(ctx, jobs, len(branches), func(i int) error {
		b.build(branches[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	nodes := b.tree.nodes
	for _, at := range slices.Backward(tops) {
		n := &nodes[at]
		n.box = nodes[n.first].box.Union(nodes[n.first+1].box)
	}
	return b.tree, nil
}

// sow returns the builder of an unbuilt tree, and the branch of its root.
func sow[T Number](boxes []Box[T], chosen func(i int) bool) (*builder[T], branch[T]) {
	places := make([]place[T], 0, len(boxes))
	for i := range boxes {
		if chosen != nil && !chosen(i) {
			continue
		}
		b := &boxes[i]
		p := place[T]{id: int32(i)}
		for k := range 3 {
			p.middle[k] = b.Low[k]/2 + b.High[k]/2
		}
		places = append(places, p)
	}
	t := &Tree[T]{}
	if len(places) > 0 {
		t.items, t.nodes = make([]Item[T], len(places)), make([]node[T], nodesOf(len(places)))
	}
	return &builder[T]{t, boxes}, branch[T]{next: 1, places: places}
}

// nodesOf returns the number of nodes of a tree of n > 0 boxes.
func nodesOf(n int) int {
	if n <= leaf {
		return 1
	}
	return 1 + nodesOf(n/2) + nodesOf(n-n/2)
}

// divide divides a branch into small branches and appends them to branches, and the nodes above them to tops.
func (b *builder[T]) divide(whole branch[T], tops *[]int32, branches *[]branch[T]) {
	const small = 1 << 11
	if len(whole.places) <= small {
		*branches = append(*branches, whole)
		return
	}
	*tops = append(*tops, whole.at)
	lower, upper := b.fork(whole)
	b.divide(lower, tops, branches)
	b.divide(upper, tops, branches)
}

// build makes the nodes of a branch.
func (b *builder[T]) build(whole branch[T]) {
	t := b.tree
	n := &t.nodes[whole.at]
	if len(whole.places) <= leaf {
		for i, p := range whole.places {
			t.items[int(whole.first)+i] = Item[T]{b.boxes[p.id], p.id}
		}
		n.first, n.count = whole.first, int32(len(whole.places))
		n.box = t.around(n)
		return
	}
	lower, upper := b.fork(whole)
	b.build(lower)
	b.build(upper)
	n.box = t.nodes[lower.at].box.Union(t.nodes[upper.at].box)
}

// fork divides the places of a branch in two and links their nodes.
func (b *builder[T]) fork(whole branch[T]) (lower, upper branch[T]) {
	places := whole.places
	low, high := places[0].middle, places[0].middle
	for i := range places {
		for k, m := range places[i].middle {
			low[k], high[k] = min(low[k], m), max(high[k], m)
		}
	}
	axis := 0
	for k := range 3 {
		if high[k]-low[k] > high[axis]-low[axis] {
			axis = k
		}
	}
	half := len(places) / 2
	halve(places, half, axis)
	b.tree.nodes[whole.at].first = whole.next
	lower = branch[T]{whole.next, whole.first, whole.next + 2, places[:half]}
	upper = branch[T]{whole.next + 1, whole.first + int32(half), whole.next + 1 + int32(nodesOf(half)), places[half:]}
	return lower, upper
}

// halve puts the n least places on an axis before the others, in linear time on average.
func halve[T Number](places []place[T], n, axis int) {
	for low, high := 0, len(places)-1; low < high; {
		pivot := places[(low+high)/2].middle[axis]
		i, j := low, high
		for i <= j {
			for places[i].middle[axis] < pivot {
				i++
			}
			for places[j].middle[axis] > pivot {
				j--
			}
			if i <= j {
				places[i], places[j] = places[j], places[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return
		}
	}
}

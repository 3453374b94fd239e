package exact

import (
	"math"

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

// tree is a static tree of the boxes of some triangles, built once. Children of a node are next to
// each other; leaves hold up to perLeaf triangles.
type tree struct {
	nodes []node
	items []item
	boxes []box3 // of all triangles
}

type node struct {
	box         box3
	child       int32 // the first child, or -1
	first, last int32 // for a leaf: items[first:last]
}

// item is a triangle in the tree, with its box at hand.
type item struct {
	box      box3
	triangle int32
}

const perLeaf = 6

func boxesOf(s *soup.Soup) []box3 {
	boxes := make([]box3, len(s.Triangles))
	for i := range s.Triangles {
		boxes[i] = boxOf(s.Triangles[i].V[:]...)
	}
	return boxes
}

// newTree makes a tree of boxes, those that are chosen.
func newTree(boxes []box3, chosen func(i int) bool) *tree {
	places := make([]place, 0, len(boxes))
	for i := range boxes {
		if !chosen(i) {
			continue
		}
		b := &boxes[i]
		p := place{triangle: int32(i)}
		for k := range 3 {
			p.middle[k] = int32((int64(b.low[k]) + int64(b.high[k])) >> 1)
		}
		places = append(places, p)
	}
	t := &tree{boxes: boxes, items: make([]item, len(places)), nodes: make([]node, 1, 1+len(places))}
	if len(places) == 0 {
		t.nodes[0] = node{box: nowhere3, child: -1}
		return t
	}
	t.build(0, 0, places)
	return t
}

// all chooses every box.
func all(int) bool { return true }

// nowhere3 is a box that meets none.
var nowhere3 = box3{low: [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, high: [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}}

// build makes the node at, whose items start at first, of the triangles at some places.
func (t *tree) build(at, first int32, places []place) {
	if len(places) <= perLeaf {
		last := first + int32(len(places))
		box := t.boxes[places[0].triangle]
		for i, p := range places {
			t.items[int(first)+i] = item{t.boxes[p.triangle], p.triangle}
			box = box.union(t.boxes[p.triangle])
		}
		t.nodes[at] = node{box, -1, first, last}
		return
	}
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
	child := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{}, node{})
	t.build(child, first, places[:half])
	t.build(child+1, first+int32(half), places[half:])
	t.nodes[at] = node{box: t.nodes[child].box.union(t.nodes[child+1].box), child: child}
}

// plant makes the trees of all triangles.
func (e *extraction) plant() {
	boxes := boxesOf(e.soup)
	walkable := func(i int) bool { return e.soup.Triangles[i].Walkable }
	e.floors = newTree(boxes, walkable)
	e.solids = newTree(boxes, func(i int) bool { return !walkable(i) })
}

// place is where the middle of a triangle's box is.
type place struct {
	middle   [3]int32
	triangle int32
}

// halve puts the n places that are least on an axis before the others, in linear time on average (Hoare's
// selection).
func halve(places []place, n, axis int) {
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

// search appends to found the triangles whose boxes meet b, in no order that means anything.
func (t *tree) search(b *box3, found []item) []item {
	var stack [128]int32
	n := 1
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
		items := t.items[at.first:at.last]
		for i := range items {
			if items[i].box.meets(b) {
				found = append(found, items[i])
			}
		}
	}
	return found
}

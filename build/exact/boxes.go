package exact

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/internal/coplanar"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
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

// pointBox returns the box of a point in the plan, at height 0.
func pointBox(p lattice.Point) box3 { return boxOf(lattice.Vertex{Point: p}) }

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

// holds reports whether all of c is in the box.
func (b *box3) holds(c *box3) bool {
	return b.low[0] <= c.low[0] && c.high[0] <= b.high[0] &&
		b.low[1] <= c.low[1] && c.high[1] <= b.high[1] &&
		b.low[2] <= c.low[2] && c.high[2] <= b.high[2]
}

// tree is a static tree of the boxes of some triangles, built once. Children of a node are next to
// each other; leaves hold up to perLeaf triangles.
type tree struct {
	nodes []node
	items []item
	boxes []box3 // of all triangles, while it is built
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
		boxes[i] = triangleBox(&s.Triangles[i])
	}
	return boxes
}

// triangleBox returns the box of a triangle.
func triangleBox(t *soup.Triangle) box3 {
	u, v, w := &t.V[0], &t.V[1], &t.V[2]
	return box3{
		[3]int32{min(u.X, v.X, w.X), min(u.Y, v.Y, w.Y), min(u.Z, v.Z, w.Z)},
		[3]int32{max(u.X, v.X, w.X), max(u.Y, v.Y, w.Y), max(u.Z, v.Z, w.Z)},
	}
}

// box returns the box of a triangle of the level. Nobody keeps the boxes of all triangles.
func (e *extraction) box(t int32) *box3 {
	b := triangleBox(&e.soup.Triangles[t])
	return &b
}

// newTree makes a tree of the chosen boxes.
func newTree(boxes []box3, chosen func(i int) bool) *tree {
	t, root := sown(boxes, chosen)
	t.build(root)
	t.boxes = nil
	return t
}

// grafted returns a tree of the boxes of two trees. Nobody may use the first tree any longer.
func (t *tree) grafted(o *tree) *tree {
	// A copy of the old root, then the nodes of the second tree.
	n, m := int32(len(t.nodes)), int32(len(t.items))
	t.nodes = slices.Concat(t.nodes, t.nodes[:1], o.nodes)
	for i := n + 1; int(i) < len(t.nodes); i++ {
		at := &t.nodes[i]
		if at.child >= 0 {
			at.child += n + 1
		} else {
			at.first += m
			at.last += m
		}
	}
	t.nodes[0] = node{box: t.nodes[n].box.union(t.nodes[n+1].box), child: n}
	t.items = slices.Concat(t.items, o.items)
	return t
}

// growTree is newTree on several cores.
func growTree(ctx context.Context, boxes []box3, chosen func(i int) bool, jobs int) (*tree, error) {
	t, root := sown(boxes, chosen)
	// The top first, whose branches are then built side by side.
	branches := t.divide(root, nil)
	err := par.For(ctx, jobs, len(branches), func(i int) error {
		t.build(branches[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.close(0)
	t.boxes = nil
	return t, nil
}

// sown returns a tree before the building.
func sown(boxes []box3, chosen func(i int) bool) (*tree, branch) {
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
	t := &tree{boxes: boxes, items: make([]item, len(places)), nodes: make([]node, nodesOf(len(places)))}
	return t, branch{next: 1, places: places}
}

// nodesOf returns how many nodes a tree of n boxes has.
func nodesOf(n int) int {
	if n <= perLeaf {
		return 1
	}
	return 1 + nodesOf(n/2) + nodesOf(n-n/2)
}

// branch is an unbuilt part of a tree: its node, and where items and further nodes start.
type branch struct {
	at, first, next int32
	places          []place
}

// all chooses every box.
func all(int) bool { return true }

func all32(int32) bool { return true }

// nowhere3 is a box that meets no box.
var nowhere3 = box3{low: [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, high: [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}}

// divide appends the branches of a large branch. Their boxes are not known yet.
func (t *tree) divide(b branch, to []branch) []branch {
	const small = 1 << 11
	if len(b.places) <= small {
		return append(to, b)
	}
	lower, upper := t.fork(b)
	return t.divide(upper, t.divide(lower, to))
}

// close gives nodes above branches their boxes.
func (t *tree) close(at int32) {
	n := &t.nodes[at]
	if n.child >= 0 && n.box == (box3{}) {
		t.close(n.child)
		t.close(n.child + 1)
		n.box = t.nodes[n.child].box.union(t.nodes[n.child+1].box)
	}
}

// build makes the nodes of a branch.
func (t *tree) build(b branch) {
	if len(b.places) <= perLeaf {
		last := b.first + int32(len(b.places))
		box := nowhere3
		for i, p := range b.places {
			t.items[int(b.first)+i] = item{t.boxes[p.triangle], p.triangle}
			box = box.union(t.boxes[p.triangle])
		}
		t.nodes[b.at] = node{box, -1, b.first, last}
		return
	}
	lower, upper := t.fork(b)
	t.build(lower)
	t.build(upper)
	t.nodes[b.at].box = t.nodes[lower.at].box.union(t.nodes[upper.at].box)
}

// fork divides the places of a branch in two and links their nodes.
func (t *tree) fork(b branch) (lower, upper branch) {
	places := b.places
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
	t.nodes[b.at].child = b.next
	lower = branch{b.next, b.first, b.next + 2, places[:half]}
	upper = branch{b.next + 1, b.first + int32(half), b.next + 1 + int32(nodesOf(half)), places[half:]}
	return lower, upper
}

// plant merges floors of one plane, makes the faces that may be in the way, and makes the trees of both.
func (e *extraction) plant(ctx context.Context, jobs int) error {
	read, floors := e.soup, (*soup.Soup)(nil)
	err := par.For(ctx, jobs, 2, func(i int) error {
		var err error
		if i == 0 {
			floors = coplanar.Floors(read)
			e.floors, err = growTree(ctx, boxesOf(floors), func(i int) bool { return floors.Triangles[i].Walkable }, jobs)
			return err
		}
		e.faces = facesOf(read, func(t *soup.Triangle) bool { return !t.Walkable })
		e.solids, err = growTree(ctx, e.faceBoxes(), all, jobs)
		return err
	})
	e.soup = floors
	return err
}

// faceBoxes returns the boxes of the faces that may be in the way.
func (e *extraction) faceBoxes() []box3 {
	boxes := make([]box3, len(e.faces))
	for i := range e.faces {
		boxes[i] = e.faces[i].box()
	}
	return boxes
}

// place is where the middle of a triangle's box is.
type place struct {
	middle   [3]int32
	triangle int32
}

// halve puts the n least places on an axis before the others, in linear time on average (Hoare's selection).
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

// search appends to found the triangles whose boxes meet b, in arbitrary order.
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

// any reports whether the box of a triangle with a property meets b.
func (t *tree) any(b *box3, is func(triangle int32) bool) bool {
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
			if items[i].box.meets(b) && is(items[i].triangle) {
				return true
			}
		}
	}
	return false
}

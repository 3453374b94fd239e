package flat

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// edge is an edge of a ring of a feature.
type edge struct {
	arc
	ring int32 // in sketch order
}

// crossing is where the insides of two edges cross.
type crossing struct {
	a, b edge
	at   lattice.Point
}

// node cuts edges at inner points where other edges end, so that edges meet only in their ends or are equal.
// The cuts are exact. Edges that cross cannot be cut exactly and are told instead: the first in the order of
// the edges, and how many there are.
//
// Pairs of edges are found by a tree of boxes that is joined with itself: about O(n log n), more where the
// boxes of many edges overlap. Above [maxPairs] pairs, nothing is cut and ok is false.
func node(edges []edge) (cut []edge, first crossing, crossings int, ok bool) {
	t := newBoxTree(edges)
	inside := make([][]lattice.Point, len(edges)) // points to cut each edge at
	var crossed [2]int
	left := maxPairs(len(edges))
	t.pairs(&left, func(i, k int) {
		a, b := edges[i], edges[k]
		switch lattice.SegmentContact(a.from, a.to, b.from, b.to) {
		case lattice.ProperCrossing:
			pair := [2]int{min(i, k), max(i, k)}
			if crossings++; crossings == 1 || slices.Compare(pair[:], crossed[:]) < 0 {
				crossed = pair
			}
		case lattice.Overlap, lattice.EndOnInterior:
			for _, p := range [2]lattice.Point{a.from, a.to} {
				if isInside(p, b.arc) {
					inside[k] = append(inside[k], p)
				}
			}
			for _, p := range [2]lattice.Point{b.from, b.to} {
				if isInside(p, a.arc) {
					inside[i] = append(inside[i], p)
				}
			}
		}
	})
	if left < 0 {
		return nil, crossing{}, 0, false
	}
	if crossings > 0 {
		first.a, first.b = edges[crossed[0]], edges[crossed[1]]
		first.at, _ = lattice.LineIntersection(first.a.from, first.a.to, first.b.from, first.b.to)
		return nil, first, crossings, true
	}
	for i, e := range edges {
		points := inside[i]
		slices.SortFunc(points, func(p, q lattice.Point) int {
			return cmp.Compare(p.Distance2(e.from), q.Distance2(e.from))
		})
		from := e.from
		for _, p := range append(slices.Compact(points), e.to) {
			cut = append(cut, edge{arc{from, p}, e.ring})
			from = p
		}
	}
	return cut, crossing{}, 0, true
}

// isInside reports whether p lies on a and is none of its ends.
func isInside(p lattice.Point, a arc) bool {
	return p != a.from && p != a.to && lattice.OnSegment(p, a.from, a.to)
}

// boxTree is a binary tree of boxes over edges: the edges of node i, size of them, are order[at:at+size], the
// left child's half first.
type boxTree struct {
	order []int
	boxes []lattice.Box // of the edges
	nodes []boxNode
}

type boxNode struct {
	box         lattice.Box
	at, size    int
	left, right int // nodes, 0 for leaves
}

// leafSize is how many edges a leaf has at most.
const leafSize = 4

func newBoxTree(edges []edge) *boxTree {
	t := &boxTree{order: make([]int, len(edges)), boxes: make([]lattice.Box, len(edges))}
	for i, e := range edges {
		t.order[i] = i
		t.boxes[i] = lattice.BoxOf(e.from, e.to)
	}
	if len(edges) > 0 {
		t.build(0, len(edges))
	}
	return t
}

// build makes the node of order[at:at+size], halved by the middles of boxes along its longer side.
func (t *boxTree) build(at, size int) int {
	box := lattice.EmptyBox()
	for _, e := range t.order[at : at+size] {
		box = box.Union(t.boxes[e])
	}
	id := len(t.nodes)
	t.nodes = append(t.nodes, boxNode{box: box, at: at, size: size})
	if size <= leafSize {
		return id
	}
	middle := func(b lattice.Box) int64 { return int64(b.Min.X) + int64(b.Max.X) }
	if width, height := box.Size(); height > width {
		middle = func(b lattice.Box) int64 { return int64(b.Min.Y) + int64(b.Max.Y) }
	}
	slices.SortFunc(t.order[at:at+size], func(i, k int) int {
		return cmp.Or(cmp.Compare(middle(t.boxes[i]), middle(t.boxes[k])), cmp.Compare(i, k))
	})
	left := t.build(at, size/2)
	right := t.build(at+size/2, size-size/2)
	t.nodes[id].left, t.nodes[id].right = left, right
	return id
}

// maxPairs is the most pairs of n edges that node examines: far more than hand-drawn maps have.
func maxPairs(n int) int { return 1<<25 + 64*n }

// pairs visits every pair of edges whose boxes touch once, until nothing is left of the number of pairs and of nodes.
func (t *boxTree) pairs(left *int, visit func(i, k int)) {
	if len(t.nodes) == 0 {
		return
	}
	var join func(a, b int)
	join = func(a, b int) {
		na, nb := &t.nodes[a], &t.nodes[b]
		*left--
		switch {
		case *left < 0:
		case !na.box.Overlaps(nb.box):
		case a == b && na.left == 0:
			for i, e := range t.order[na.at : na.at+na.size] {
				for _, f := range t.order[na.at : na.at+i] {
					*left--
					t.visit(e, f, visit)
				}
			}
		case a == b:
			join(na.left, na.left)
			join(na.right, na.right)
			join(na.left, na.right)
		case na.left == 0 && nb.left == 0:
			for _, e := range t.order[na.at : na.at+na.size] {
				for _, f := range t.order[nb.at : nb.at+nb.size] {
					*left--
					t.visit(e, f, visit)
				}
			}
		case nb.left == 0 || na.left != 0 && na.size >= nb.size:
			join(na.left, b)
			join(na.right, b)
		default:
			join(a, nb.left)
			join(a, nb.right)
		}
	}
	join(0, 0)
}

func (t *boxTree) visit(e, f int, visit func(i, k int)) {
	if t.boxes[e].Overlaps(t.boxes[f]) {
		visit(e, f)
	}
}

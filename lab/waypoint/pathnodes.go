package waypoint

// Source: J. W. Ratcliff, Automatic path node generation for arbitrary 3D environments, in AI Game
// Programming Wisdom 4 (2008), chapter 2.8; as D. H. Hale describes it in A Growth-Based Approach to
// the Automatic Generation of Navigation Meshes, dissertation, University of North Carolina at
// Charlotte (2011), section 2.9.
//
// Idea: the floor is cut into triangles, and the centroid of each is a node. A node grows to a box as large
// as possible, nodes of adjacent triangles in sight of each other are joined, and a node in a neighbour's box
// is removed if the neighbour can take over all its edges.
//
// Input: a domain without crossing edges.
//
// Guarantees:
//  1. every node is inside of the free space, the inside of every edge touches no wall and the inside
//     of every box has no wall in it (TestGraphsAreFree);
//  2. taking nodes away joins no two parts of the graph and parts none (TestReduction);
//  3. every removed node is in the box of a remaining node, or of a node removed later (TestReduction);
//  4. the same domain gives the same graph, and moving the domain moves it (TestGraphsAreFree).
//
// Degenerate cases: a triangle without a lattice point near its centroid has no node. The floor of a part
// that has none is not served: coverage is not guaranteed, [Graph.Coverage] measures it.
//
// Cost: O(n log n) for the triangulation; a box takes about two hundred tries, each in the time of
// the triangles that the box meets; taking a node away takes a walk for each of its edges.
//
// Departures: the source works in three dimensions and walks a character from node to node through the
// simulation of a game. In the plane an exact test decides whether a walk is free. The source leaves open
// when a node is superfluous.

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// PathNodesOptions say how path nodes are made. The zero value removes superfluous nodes.
type PathNodesOptions struct {
	KeepAll bool // one for every triangle
}

// PathNodes returns the automatic path nodes of d, in the order of their triangles.
func PathNodes(ctx context.Context, d *plan.Domain, opt PathNodesOptions) (*Graph, error) {
	s, err := newSpace(ctx, d)
	if err != nil {
		return nil, err
	}
	w := &nodeWork{space: s, of: make([]int32, s.triangles())}
	for t := range int32(s.triangles()) {
		w.of[t] = -1
		if p, ok := s.centroid(t); ok {
			w.of[t] = int32(len(w.nodes))
			w.nodes = append(w.nodes, p)
		}
	}
	grower := newGrower(s, d.Box())
	for _, p := range w.nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.boxes = append(w.boxes, grower.grow(p))
	}
	w.join()
	if !opt.KeepAll {
		w.reduce()
	}
	return w.graph(), nil
}

// centroid returns the lattice point near the centroid of a triangle, if it lies strictly inside.
func (s *space) centroid(t int32) (spot, bool) {
	a, b, c := s.corners[3*t], s.corners[3*t+1], s.corners[3*t+2]
	bx, by := b.Sub(a)
	cx, cy := c.Sub(a)
	// Relative to a corner, so that a moved domain has moved points.
	p := lattice.Point{X: a.X + int32(floorDiv(bx+cx, 3)), Y: a.Y + int32(floorDiv(by+cy, 3))}
	_, inside := s.holds(t, p)
	return spot{p, t}, inside
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// nodeWork is a graph of path nodes in the making.
type nodeWork struct {
	space *space
	of    []int32 // of every triangle its node, or -1
	nodes []spot
	boxes []lattice.Box
	joint [][]int32 // of every node its neighbours, ascending; nil for a removed node
	gone  []bool
}

// join gives every node edges to the visible nodes of neighbouring triangles.
func (w *nodeWork) join() {
	w.joint = make([][]int32, len(w.nodes))
	w.gone = make([]bool, len(w.nodes))
	for i, p := range w.nodes {
		for e := 3 * p.triangle; e < 3*p.triangle+3; e++ {
			if w.space.behind[e] < 0 {
				continue
			}
			if k := w.of[w.space.behind[e]/3]; k >= 0 && w.space.sees(p, w.nodes[k].Point) {
				w.joint[i] = append(w.joint[i], k)
			}
		}
		slices.Sort(w.joint[i])
	}
}

// reduce takes superfluous nodes away, those of the smallest triangles first.
func (w *nodeWork) reduce() {
	order := make([]int32, len(w.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	size := func(i int32) uint64 { return w.space.size2(int(w.nodes[i].triangle)) }
	slices.SortFunc(order, func(i, k int32) int { return cmp.Or(cmp.Compare(size(i), size(k)), cmp.Compare(i, k)) })
	for _, i := range order {
		for _, k := range w.joint[i] {
			if w.boxes[k].Contains(w.nodes[i].Point) && w.replaces(k, i) {
				w.take(i, k)
				break
			}
		}
	}
}

// replaces tells whether node k sees all neighbours of its neighbour i.
func (w *nodeWork) replaces(k, i int32) bool {
	return !slices.ContainsFunc(w.joint[i], func(n int32) bool {
		if n == k {
			return false
		}
		if _, joined := slices.BinarySearch(w.joint[k], n); joined {
			return false
		}
		return !w.space.sees(w.nodes[k], w.nodes[n].Point)
	})
}

// take removes node i and gives its edges to its neighbour k.
func (w *nodeWork) take(i, k int32) {
	for _, n := range w.joint[i] {
		drop(&w.joint[n], i)
		if n != k {
			insert(&w.joint[n], k)
			insert(&w.joint[k], n)
		}
	}
	w.joint[i], w.gone[i] = nil, true
}

func drop(list *[]int32, v int32) {
	if at, ok := slices.BinarySearch(*list, v); ok {
		*list = slices.Delete(*list, at, at+1)
	}
}

func insert(list *[]int32, v int32) {
	if at, ok := slices.BinarySearch(*list, v); !ok {
		*list = slices.Insert(*list, at, v)
	}
}

// graph returns the remaining graph.
func (w *nodeWork) graph() *Graph {
	number := make([]int32, len(w.nodes))
	var nodes []spot
	var boxes []lattice.Box
	for i := range w.nodes {
		if !w.gone[i] {
			number[i] = int32(len(nodes))
			nodes, boxes = append(nodes, w.nodes[i]), append(boxes, w.boxes[i])
		}
	}
	var edges [][2]int32
	for i, all := range w.joint {
		for _, k := range all {
			if int32(i) < k {
				edges = append(edges, [2]int32{number[i], number[k]})
			}
		}
	}
	g := newGraph(w.space, nodes, edges)
	g.Boxes = boxes
	return g
}

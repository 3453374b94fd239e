package overlay

import "github.com/meadow-nav/meadow/geom/lattice"

// sweep finds for every edge the winding numbers beneath it and the next edge beneath its left end. Vertices
// are passed in ascending order; a front keeps the edges that a line through the vertex crosses, from the
// lowest to the highest. A vertical edge counts as leaning to the right a little, as the order of points
// does.
func (a *Arrangement) sweep(s *scratch) {
	n := len(a.edges)
	a.below = sized(a.below, n*a.inputs)
	a.under = sized(a.under, n)
	s.ends = zeros(s.ends, len(a.points))
	ends := s.ends // an edge that ends at each vertex, its number plus one
	for i, e := range a.edges {
		ends[e.to] = int32(i) + 1
	}
	f := front{a: a, nodes: append(s.nodes[:0], node{}), of: sized(s.nodeOf, n)}
	e := 0
	for v := range int32(len(a.points)) {
		first := e
		for e < n && a.edges[e].from == v {
			e++
		}
		if e > first || ends[v] > 0 {
			f.pass(v, ends[v]-1, int32(first), int32(e))
		}
	}
	s.nodes, s.nodeOf = f.nodes, f.of
}

// Beneath returns the winding numbers beneath an edge.
func (a *Arrangement) Beneath(e int32) Winding {
	return a.below[int(e)*a.inputs:][:a.inputs:a.inputs]
}

// settle says which edge is next beneath the left end of an edge, -1 for none.
func (a *Arrangement) settle(e, under int32) {
	a.under[e] = under
	below := a.below[int(e)*a.inputs:][:a.inputs]
	if under < 0 {
		clear(below)
		return
	}
	w, x := a.below[int(under)*a.inputs:], a.across[int(under)*a.inputs:]
	for k := range below {
		below[k] = w[k] + x[k]
	}
}

// front is the list of edges under the sweep line, from the lowest up, with a treap over it. Edges that end at a
// vertex are adjacent, and edges that start there replace them, so only a vertex without an ending edge needs a search.
type front struct {
	a     *Arrangement
	nodes []node  // nodes[0] is none: the highest is beneath it and the lowest above; the root is its upper child
	of    []int32 // the node of each edge that the line crosses
	spare int32   // the first node that is free, which are a list by above; 0 for none
}

// node is a place in a front.
type node struct {
	edge                 int32
	beneath, above       int32 // in the list
	parent, lower, upper int32 // in the treap
	rank                 uint32
}

// pass moves the line over a vertex at which the edges from first up to end start; ending is an edge that ends
// there, -1 for none.
func (f *front) pass(v, ending, first, end int32) {
	a := f.a
	last := int32(0) // the node beneath the next edges to start
	if ending < 0 {
		last = f.find(a.points[v])
	} else {
		x := f.of[ending]
		for b := f.nodes[x].beneath; b > 0 && a.edges[f.nodes[b].edge].to == v; b = f.nodes[x].beneath {
			x = b
		}
		last = f.nodes[x].beneath
		for next := int32(0); x > 0 && a.edges[f.nodes[x].edge].to == v; x = next {
			next = f.nodes[x].above
			if first == end {
				f.remove(x)
				continue
			}
			f.take(x, first)
			last = x
			first++
		}
	}
	for ; first < end; first++ {
		last = f.insert(last)
		f.take(last, first)
	}
}

// take gives a node to an edge.
func (f *front) take(x, e int32) {
	n := &f.nodes[x]
	n.edge, f.of[e] = e, x
	under := int32(-1)
	if n.beneath > 0 {
		under = f.nodes[n.beneath].edge
	}
	f.a.settle(e, under)
}

// find returns the node of the highest edge beneath a vertex at which none ends, 0 for none.
func (f *front) find(p lattice.Point) int32 {
	last := int32(0)
	for x := f.nodes[0].upper; x > 0; {
		n := &f.nodes[x]
		e := f.a.edges[n.edge]
		if lattice.Orient(f.a.points[e.from], f.a.points[e.to], p) > 0 {
			last, x = x, n.upper
		} else {
			x = n.lower
		}
	}
	return last
}

// insert returns a new node next above another, or the lowest for 0.
func (f *front) insert(beneath int32) int32 {
	x := f.spare
	if x > 0 {
		f.spare = f.nodes[x].above
	} else {
		x = int32(len(f.nodes))
		f.nodes = append(f.nodes, node{rank: mixed(x)})
	}
	above := f.nodes[beneath].above
	n := &f.nodes[x]
	n.beneath, n.above, n.lower, n.upper = beneath, above, 0, 0
	f.nodes[beneath].above, f.nodes[above].beneath = x, x
	// One of the two adjacent nodes has no child on this side: a child would lie between them.
	if b := &f.nodes[beneath]; b.upper == 0 {
		b.upper, n.parent = x, beneath
	} else {
		f.nodes[above].lower, n.parent = x, above
	}
	for n.parent > 0 && f.nodes[n.parent].rank < n.rank {
		f.rotate(x)
	}
	return x
}

// rotate puts a node in its parent's place and the parent beneath it.
func (f *front) rotate(x int32) {
	n := &f.nodes[x]
	p := n.parent
	q := &f.nodes[p]
	f.replace(p, x)
	if q.lower == x {
		q.lower = n.upper
		f.nodes[n.upper].parent = p
		n.upper = p
	} else {
		q.upper = n.lower
		f.nodes[n.lower].parent = p
		n.lower = p
	}
	q.parent = x
}

// replace puts one node in the place of another as a child.
func (f *front) replace(x, by int32) {
	p := f.nodes[x].parent
	if q := &f.nodes[p]; q.lower == x {
		q.lower = by
	} else {
		q.upper = by
	}
	f.nodes[by].parent = p
}

// remove takes a node out.
func (f *front) remove(x int32) {
	for {
		lower, upper := f.nodes[x].lower, f.nodes[x].upper
		switch {
		case lower == 0:
			f.replace(x, upper)
		case upper == 0:
			f.replace(x, lower)
		case f.nodes[lower].rank > f.nodes[upper].rank:
			f.rotate(lower)
			continue
		default:
			f.rotate(upper)
			continue
		}
		break
	}
	beneath, above := f.nodes[x].beneath, f.nodes[x].above
	f.nodes[beneath].above, f.nodes[above].beneath = above, beneath
	f.nodes[x].above, f.spare = f.spare, x
}

// mixed returns a well mixed number (the finaliser of MurmurHash3), for the ranks of the treap's nodes: the tree
// depends on the input only.
func mixed(x int32) uint32 {
	h := uint32(x)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

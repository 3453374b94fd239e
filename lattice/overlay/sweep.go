package overlay

import (
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// sweep finds for every edge the winding numbers beneath it and the edge next beneath its left end.
// Vertices are passed in ascending order; the edges that a line through the vertex crosses are kept
// in a treap, from the lowest to the highest. A vertical edge counts as leaning to the right a little,
// as the order of points does.
func (a *Arrangement) sweep(s *scratch) {
	n := len(a.edges)
	a.below = zeros(a.below, n*a.inputs)
	a.under = sized(a.under, n)
	a.order = slices.Grow(a.order[:0], n)
	s.children = sized(s.children, n)
	t := treap{a: a, children: s.children}
	root := int32(-1)
	s.ends = zeros(s.ends, len(a.points))
	ends := s.ends // vertices at which an edge ends
	for _, e := range a.edges {
		ends[e.to] = true
	}
	e := 0
	for v := range int32(len(a.points)) {
		starts := e < n && a.edges[e].from == v
		if !starts && !ends[v] {
			continue
		}
		lower, rest := t.split(root, a.points[v], 1)
		_, upper := t.split(rest, a.points[v], 0)
		prev := t.last(lower)
		for ; e < n && a.edges[e].from == v; e++ {
			i := int32(e)
			a.under[i] = prev
			if prev >= 0 {
				w, x := a.Beneath(prev), a.across[int(prev)*a.inputs:]
				for k := range a.inputs {
					a.below[int(i)*a.inputs+k] = w[k] + x[k]
				}
			}
			a.order = append(a.order, i)
			t.children[i] = [2]int32{-1, -1}
			lower, prev = t.merge(lower, i), i
		}
		root = t.merge(lower, upper)
	}
}

// Beneath returns the winding numbers beneath an edge.
func (a *Arrangement) Beneath(e int32) Winding {
	return a.below[int(e)*a.inputs:][:a.inputs:a.inputs]
}

// treap is a balanced tree of edges in the order in which the sweep line crosses them. Priorities are
// a hash of the edge's number, so that the tree depends on the input only.
type treap struct {
	a        *Arrangement
	children [][2]int32
}

// priority returns a well mixed number (the finaliser of SplitMix64).
func priority(e int32) uint64 {
	x := uint64(e) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// split divides a tree into the edges that p is above, or on where least is 0, and the rest. Edges
// that p is on end in p.
func (t *treap) split(root int32, p lattice.Point, least int64) (lower, upper int32) {
	lower, upper = -1, -1
	toLower, toUpper := &lower, &upper
	for root >= 0 {
		e := t.a.edges[root]
		if lattice.Orient(t.a.points[e.from], t.a.points[e.to], p) >= least {
			*toLower = root
			toLower = &t.children[root][1]
			root = *toLower
		} else {
			*toUpper = root
			toUpper = &t.children[root][0]
			root = *toUpper
		}
	}
	*toLower, *toUpper = -1, -1
	return lower, upper
}

// merge joins two trees of which all edges of the first are beneath all of the second.
func (t *treap) merge(lower, upper int32) (root int32) {
	to := &root
	for lower >= 0 && upper >= 0 {
		if priority(lower) > priority(upper) {
			*to = lower
			to = &t.children[lower][1]
			lower = *to
		} else {
			*to = upper
			to = &t.children[upper][0]
			upper = *to
		}
	}
	*to = max(lower, upper)
	return root
}

// last returns the highest edge of a tree, or -1.
func (t *treap) last(root int32) int32 {
	last := int32(-1)
	for root >= 0 {
		last, root = root, t.children[root][1]
	}
	return last
}

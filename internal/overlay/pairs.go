package overlay

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/rows"
)

// Pair is two inputs of an arrangement that cover a place together, and the edges that matter to both.
type Pair struct {
	K, M  int // K < M
	edges []int32
}

// Pairs lists the pairs of the first n inputs that cover a place together, by M and then by K. Inputs k, k+n, k+2n and so on form
// a group: the edges of a pair are the edges that change an input of either group beside a place that K and M cover.
//
// Stacked storeys make many pairs with few edges each. A question about a pair visits only its own edges:
// [Arrangement.Common]. Time O(edges × inputs + p), where p sums the edges of all pairs; memory O(p).
func (a *Arrangement) Pairs(n int) []Pair {
	type member struct {
		k, m int32
		edge int32
	}
	var members []member
	above := make(Winding, a.inputs)
	var changed, covered []int32
	for e := range int32(len(a.edges)) {
		beneath := a.Beneath(e)
		a.above(above, e)
		changed, covered = changed[:0], covered[:0]
		for i, x := range a.across[int(e)*a.inputs:][:a.inputs] {
			if k := int32(i % n); x != 0 && !slices.Contains(changed, k) {
				changed = append(changed, k)
			}
		}
		for k := range n {
			if beneath[k] > 0 || above[k] > 0 {
				covered = append(covered, int32(k))
			}
		}
		for i, k := range changed {
			for _, m := range covered {
				together := beneath[k] > 0 && beneath[m] > 0 || above[k] > 0 && above[m] > 0
				if k != m && together && !slices.Contains(changed[:i], m) {
					members = append(members, member{min(k, m), max(k, m), e})
				}
			}
		}
	}
	// The edges ascend already: two stable passes sort by K and then by M.
	members = bucketed(members, n, func(p *member) int32 { return p.k })
	members = bucketed(members, n, func(p *member) int32 { return p.m })
	edges := make([]int32, len(members))
	var pairs []Pair
	for i, p := range members {
		edges[i] = p.edge
		if i == 0 || p.k != members[i-1].k || p.m != members[i-1].m {
			pairs = append(pairs, Pair{K: int(p.k), M: int(p.m), edges: edges[i:i:len(edges)]})
		}
		last := &pairs[len(pairs)-1]
		last.edges = last.edges[:len(last.edges)+1]
	}
	return pairs
}

// Common is [Arrangement.Polygons] for a pair. The rule must be false wherever K or M does not cover, and must depend on the two
// groups of the pair only.
func (a *Arrangement) Common(p Pair, holds Rule) []lattice.Polygon {
	s := borders.Get().(*borderScratch)
	defer s.release()
	return polygonsOf(a.outlinesAmong(p.edges, holds, nil, s))
}

// OutlinesEach returns [Arrangement.Outlines] of the area of each of the first n inputs. label also gets the input's number.
// Every edge is visited once per input that the edge changes.
func (a *Arrangement) OutlinesEach(n int, label func(k int, from, to lattice.Point, right Winding) int32) [][]Outline {
	edges := rows.New(n, func(add func(k, e int32)) {
		for e := range int32(len(a.edges)) {
			for k, x := range a.across[int(e)*a.inputs:][:n] {
				if x != 0 {
					add(int32(k), e)
				}
			}
		}
	})
	s := borders.Get().(*borderScratch)
	defer s.release()
	all := make([][]Outline, n)
	for k := range n {
		all[k] = a.outlinesAmong(edges.Of(int32(k)), Positive(k), func(from, to lattice.Point, right Winding) int32 { return label(k, from, to, right) }, s)
	}
	return all
}

// bucketed sorts things by keys below n, in time O(things + n), and keeps the order of equal keys.
func bucketed[T any](things []T, n int, key func(*T) int32) []T {
	next := make([]int, n+1)
	for i := range things {
		next[key(&things[i])+1]++
	}
	for k := range n {
		next[k+1] += next[k]
	}
	out := make([]T, len(things))
	for i := range things {
		k := key(&things[i])
		out[next[k]] = things[i]
		next[k]++
	}
	return out
}

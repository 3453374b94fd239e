package query

// What a region separates.
//
// Source: J. Hopcroft and R. Tarjan, Algorithm 447: efficient algorithms for graph manipulation,
// Communications of the ACM 16 (1973), section on biconnected components.
//
// Idea: Regions are convex. A way that leaves one and comes back to it is never shorter than the straight
// way inside. So a portal of a region is of use only if the goal is where one comes to through it without
// the region itself: in the piece of the mesh that the portal leads to, once the region is taken away. A
// depth-first tree tells the pieces: a subtree below a region is one of its own if no portal leads from
// it to above the region; all other subtrees are in one piece with what is above.
//
// Input: the regions, their portals and the hops of links. What hops join is one piece, for which a
// further vertex stands that is next to all of their ends.
//
// Guarantees:
//  1. Portal.leads says no exactly if the region parts what is behind the portal from the goal, or is
//     that of the goal itself (TestSeparationsAgainstBruteForce).
//  2. Nothing that a shortest path crosses is left out (TestAgainstOracle, TestLinksAgainstOracle).
//  3. Where every region has only one portal of use, that is known without a search (TestOnlyCorridor).
//
// Degenerate cases: with links that are cheaper than they are long, leaving a region and coming back may
// pay. Then all portals to the piece with the links are of use.
//
// Cost: time O(n + p log n) for n regions and p portals; 8 bytes for a portal, and one comparison for an
// answer.
//
// Departures: none of the blocks themselves are kept, only the numbers of the regions in an order in
// which what is behind a portal is an interval: below each region first the subtrees that reach
// above it, then the region, then the pieces of their own.

import (
	"math"
	"sort"
)

// separations is the memory of [Index.findSeparations]. Vertex n stands for the hops.
type separations struct {
	arrived []uint32 // when the depth-first search came to a vertex, from 1 on
	low     []uint32 // the earliest vertex that portals lead to from the subtree of a vertex
	parent  []uint32
	order   []uint32 // the vertices as they were come to
	size    []uint32 // of the subtrees
	apart   []uint32 // the vertices in those subtrees of a vertex that are pieces of their own
	first   []uint32 // the first number of a subtree
}

// findSeparations numbers the regions, and finds out for every portal which numbers are behind it.
func (ix *Index) findSeparations() {
	n := uint32(len(ix.regions))
	next := ix.neighboursWithHops()
	s := separations{
		arrived: make([]uint32, n+1), low: make([]uint32, n+1), parent: make([]uint32, n+1), order: make([]uint32, 0, n+1),
		size: make([]uint32, n+1), apart: make([]uint32, n+1), first: make([]uint32, n+1),
	}
	s.searchFrom(n, next)
	for i := range n {
		if s.arrived[i] == 0 {
			s.searchFrom(i, next)
		}
	}
	s.number(ix)
	ix.pointPortals(&s)
}

// neighboursWithHops returns the regions behind the portals of each, and for the vertex of the hops and their
// ends each other.
func (ix *Index) neighboursWithHops() [][]uint32 {
	n := uint32(len(ix.regions))
	next := make([][]uint32, n+1)
	all := make([]uint32, len(ix.portals))
	for k := range ix.portals {
		all[k] = ix.portals[k].to
	}
	for i := range ix.regions {
		r := &ix.regions[i]
		next[i] = all[r.firstPortal:r.endPortal:r.endPortal]
	}
	meet := func(r uint32) {
		next[n] = append(next[n], r)
		next[r] = append(next[r], n)
	}
	for r := range n {
		if len(ix.hopsOf(r)) > 0 {
			meet(r)
		}
	}
	for _, r := range ix.hopEnds {
		meet(r)
	}
	return next
}

// searchFrom searches depth-first from a vertex.
func (s *separations) searchFrom(root uint32, next [][]uint32) {
	type turn struct{ vertex, taken uint32 }
	arrive := func(v, parent uint32) turn {
		s.order = append(s.order, v)
		s.arrived[v] = uint32(len(s.order))
		s.low[v], s.parent[v], s.size[v] = s.arrived[v], parent, 1
		return turn{v, 0}
	}
	wait := []turn{arrive(root, root)}
	for len(wait) > 0 {
		t := &wait[len(wait)-1]
		v := t.vertex
		if int(t.taken) < len(next[v]) {
			to := next[v][t.taken]
			t.taken++
			if s.arrived[to] == 0 {
				wait = append(wait, arrive(to, v))
			} else {
				s.low[v] = min(s.low[v], s.arrived[to])
			}
			continue
		}
		wait = wait[:len(wait)-1]
		if up := s.parent[v]; up != v {
			s.low[up] = min(s.low[up], s.low[v])
			s.size[up] += s.size[v]
			if s.low[v] >= s.arrived[up] {
				s.apart[up] += s.size[v]
			}
		}
	}
}

// number gives the regions their numbers.
func (s *separations) number(ix *Index) {
	joined := make([]uint32, len(s.order)) // the next number of a subtree that reaches above, or of a piece of its own
	apart := make([]uint32, len(s.order))
	total := uint32(0)
	for _, v := range s.order {
		if up := s.parent[v]; up == v {
			s.first[v] = total
			total += s.size[v]
		} else if s.low[v] >= s.arrived[up] {
			s.first[v] = apart[up]
			apart[up] += s.size[v]
		} else {
			s.first[v] = joined[up]
			joined[up] += s.size[v]
		}
		own := s.first[v] + s.size[v] - s.apart[v] - 1
		joined[v], apart[v] = s.first[v], own+1
		if int(v) < len(ix.regions) {
			ix.regions[v].branch = own
		}
	}
}

// pointPortals finds out which numbers are behind the portals.
func (ix *Index) pointPortals(s *separations) {
	// The pieces below a region, by their number.
	begin := make([]uint32, len(ix.regions)+1)
	isPiece := func(v uint32) bool {
		up := s.parent[v]
		return up != v && int(up) < len(ix.regions) && s.low[v] >= s.arrived[up]
	}
	for _, v := range s.order {
		if isPiece(v) {
			begin[s.parent[v]+1]++
		}
	}
	for i := range ix.regions {
		begin[i+1] += begin[i]
	}
	pieces := make([]uint32, begin[len(ix.regions)])
	taken := make([]uint32, len(ix.regions))
	for _, v := range s.order {
		if up := s.parent[v]; isPiece(v) {
			pieces[begin[up]+taken[up]] = v
			taken[up]++
		}
	}
	for i := range ix.regions {
		r := &ix.regions[i]
		below := pieces[begin[i]:begin[i+1]]
		for k := r.firstPortal; k < r.endPortal; k++ {
			p := &ix.portals[k]
			if at := ix.regions[p.to].branch; at > r.branch && at < s.first[i]+s.size[i] {
				c := below[sort.Search(len(below), func(j int) bool { return s.first[below[j]] > at })-1]
				p.behind, p.behindCount = s.first[c], s.size[c]
				continue
			}
			// All but the region and the pieces below it. Numbers wrap around.
			p.behind, p.behindCount = s.first[i]+s.size[i], -(s.apart[i] + 1)
			if ix.hasShortcuts() {
				p.behind, p.behindCount = 0, 1<<32-1
			}
		}
	}
}

// leads reports whether a region with a number, see region.branch, may be where p is of use to go to.
func (p *portal) leads(number uint32) bool { return number-p.behind < p.behindCount }

// onlyCorridor fills q.crossed and q.legs with the way from the region of the start to that of the goal, if only one portal
// is of use in every region on it: the shortest path is in that corridor. Time O(n) for n regions.
func (q *Query) onlyCorridor() bool {
	ix, s := q.ix, &q.interval
	q.crossed = q.crossed[:0]
	in, back := s.startSet[0], uint32(math.MaxUint32)
	for !s.isGoal(in) {
		next := back
		r := &ix.regions[in]
		for k := r.firstPortal; k < r.endPortal; k++ {
			if p := &ix.portals[k]; k == back || !s.leads(p) {
				continue
			}
			if next != back {
				return false
			}
			next = k
		}
		if next == back {
			return false
		}
		q.crossed = append(q.crossed, next)
		in, back = ix.portals[next].to, ix.portals[next].back
	}
	q.legs = append(q.legs[:0], leg{hop: none, first: s.startSet[0], end: len(q.crossed)})
	return true
}

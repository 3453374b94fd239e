package index

// Separations: the pieces into which the removal of a region divides the mesh.
//
// Source: J. Hopcroft and R. Tarjan, Algorithm 447: efficient algorithms for graph manipulation, Communications of the
// ACM 16 (1973), section on biconnected components.
//
// Idea: Regions are convex. A way that leaves a region and comes back is never shorter than the straight way inside.
// Hence a portal of a region is useful only if the goal can be reached through the portal without the region itself:
// the goal must be in the portal's piece of the mesh without the region. A depth-first tree gives the pieces: a subtree
// below a region is a piece of its own if no portal leads from the subtree to above the region. All other subtrees are
// in one piece with the rest of the mesh above.
//
// Input: the regions, their portals and the hops of links. Hops connect their ends into one piece: a further vertex is
// adjacent to the ends of all hops.
//
// Guarantees:
//  1. Portal.leads is false exactly if the region separates the regions behind the portal from the goal, or is the
//     region of the goal (TestSeparationsAgainstBruteForce).
//  2. No portal of a shortest path is left out (TestAgainstOracle, TestLinksAgainstOracle).
//  3. Where every region has only one useful portal, the corridor is known without a search (TestOnlyCorridor).
//
// Degenerate cases: with links cheaper than their length, leaving a region and coming back may pay. All portals to the
// piece with the links are then useful.
//
// Cost: time O(n + p log n) for n regions and p portals; 8 bytes per portal, and one comparison per answer.
//
// Departures: the blocks themselves are not kept, only a numbering of the regions in which the regions behind a portal
// form an interval. The order below each region: first the subtrees that reach above the region, then the region, then
// the pieces of their own.

import (
	"sort"
)

// separations is the memory of [Index.findSeparations]. Vertex n stands for all hops.
type separations struct {
	arrived []uint32 // order of arrival of the depth-first search, from 1 on
	low     []uint32 // earliest arrival that portals reach from the subtree of a vertex
	parent  []uint32
	order   []uint32 // the vertices in order of arrival
	size    []uint32 // of the subtrees
	apart   []uint32 // number of vertices in subtrees of a vertex that are pieces of their own
	first   []uint32 // the first number of a subtree
}

// findSeparations numbers the regions, and finds the range of numbers behind every portal.
func (ix *Index) findSeparations() {
	n := uint32(ix.RegionLimit())
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

// neighboursWithHops returns the neighbours of each region through portals; the vertex of the hops and the ends of hops
// are mutual neighbours.
func (ix *Index) neighboursWithHops() [][]uint32 {
	n := uint32(ix.RegionLimit())
	next := make([][]uint32, n+1)
	all := make([]uint32, ix.PortalLimit())
	for k := range uint32(ix.PortalLimit()) {
		all[k] = ix.Portal(k).To
	}
	for i := range uint32(ix.RegionLimit()) {
		r := ix.Region(i)
		next[i] = all[r.FirstPortal:r.EndPortal:r.EndPortal]
	}
	meet := func(r uint32) {
		next[n] = append(next[n], r)
		next[r] = append(next[r], n)
	}
	for r := range n {
		if len(ix.HopsOf(r)) > 0 {
			meet(r)
		}
	}
	for i := range ix.Hops {
		for _, r := range ix.Hops[i].ends {
			meet(r)
		}
	}
	return next
}

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

// number assigns the branch numbers of the regions.
func (s *separations) number(ix *Index) {
	joined := make([]uint32, len(s.order)) // next number for a subtree that reaches above, and for a piece of its own
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
		if int(v) < ix.RegionLimit() {
			ix.Region(v).Branch = own
		}
	}
}

// pointPortals finds the range of numbers behind each portal.
func (ix *Index) pointPortals(s *separations) {
	// The pieces below each region, in order of their first numbers.
	begin := make([]uint32, ix.RegionLimit()+1)
	isPiece := func(v uint32) bool {
		up := s.parent[v]
		return up != v && int(up) < ix.RegionLimit() && s.low[v] >= s.arrived[up]
	}
	for _, v := range s.order {
		if isPiece(v) {
			begin[s.parent[v]+1]++
		}
	}
	for i := range uint32(ix.RegionLimit()) {
		begin[i+1] += begin[i]
	}
	pieces := make([]uint32, begin[ix.RegionLimit()])
	taken := make([]uint32, ix.RegionLimit())
	for _, v := range s.order {
		if up := s.parent[v]; isPiece(v) {
			pieces[begin[up]+taken[up]] = v
			taken[up]++
		}
	}
	for i := range uint32(ix.RegionLimit()) {
		r := ix.Region(i)
		below := pieces[begin[i]:begin[i+1]]
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			p := ix.Portal(k)
			if at := ix.Region(p.To).Branch; at > r.Branch && at < s.first[i]+s.size[i] {
				c := below[sort.Search(len(below), func(j int) bool { return s.first[below[j]] > at })-1]
				p.Behind, p.BehindCount = s.first[c], s.size[c]
				continue
			}
			// All numbers but those of the region and the pieces below. The interval wraps around.
			p.Behind, p.BehindCount = s.first[i]+s.size[i], -(s.apart[i] + 1)
			if ix.HasShortcuts() {
				p.Behind, p.BehindCount = 0, 1<<32-1
			}
		}
	}
}

// Leads reports whether p may be useful for a goal whose region has the given number, see Region.Branch.
func (p *Portal) Leads(number uint32) bool { return number-p.Behind < p.BehindCount }

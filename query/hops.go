package query

import (
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// Links in searches.
//
// A link between points is a hop, from its start to its end at its cost. A link between segments is a row of hops, at
// both ends of the segments and at most hopSpacing apart. The best hop is then moved along the link to make the way
// through the same regions as short as possible. A way over wide links is longer than the shortest by less than
// hopSpacing per link. If the hop next to the best place leads through the same regions, the link adds no excess.

// offerHops queues the ends of the hops in region in as roots, where a root sees their starts through a view; without a
// view, all starts in the region are visible.
func (q *Query) offerHops(in uint32, from, through int32) {
	ix, s := q.ix, &q.interval
	for _, i := range ix.HopsOf(in) {
		h := &ix.Hops[i]
		way := plane.Towards(s.roots[from].at, h.Start)
		if through != index.None {
			if v := &s.views[through]; plane.Cross(v.right, way) < 0 || plane.Cross(way, v.left) < 0 {
				continue
			}
		}
		g := s.roots[from].g + way.Norm() + h.Cost
		n := int32(ix.Turns) + i
		v := s.visit(n)
		if v.done[0] || v.g[0] <= g {
			continue
		}
		v.g[0] = g
		key := g + q.toGoal(h.End)
		if key >= s.best {
			continue
		}
		s.heap.Add(key, 2*int32(len(s.roots))+1)
		s.roots = append(s.roots, root{at: h.End, g: g, portal: index.None, visit: n, parent: from, before: through, hop: i, in: in})
	}
}

// land continues the search from the end of a hop, root i.
func (q *Query) land(i int32) {
	s := &q.interval
	from := s.roots[i]
	ends := q.ix.EndsOf(&q.ix.Hops[from.hop])
	for _, r := range ends {
		if s.isGoal(r) {
			s.reach(from.g+plane.Distance(from.at, s.goal), i, index.None, r)
		}
		if s.many {
			q.meet(r, from.in, i, index.None)
		}
	}
	q.lookFrom(i, ends)
}

package query

import (
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// onlyCorridor fills q.way with the way from the start's region to the goal's region, if only one
// exists: every region on the way has a single useful portal. The shortest path then lies in the corridor. Time O(n)
// for n regions.
func (q *Query) onlyCorridor() bool {
	ix, s := q.ix, &q.interval
	q.way.Crossed = q.way.Crossed[:0]
	in, back := s.startSet[0], uint32(math.MaxUint32)
	for !s.isGoal(in) {
		next := back
		r := &ix.Regions[in]
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			if p := &ix.Portals[k]; k == back || !s.leads(p) {
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
		q.way.Crossed = append(q.way.Crossed, next)
		in, back = ix.Portals[next].To, ix.Portals[next].Back
	}
	q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: s.startSet[0], End: len(q.way.Crossed)})
	return true
}

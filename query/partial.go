package query

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// PartialPath is [Query.Path] where that is Complete. Else it leads to the reachable place that is nearest
// to the goal, by the shortest path, and is not Complete: of all regions that a way leads to, the place
// that [Query.Nearest] would find if there were no others. The goal may be anywhere in the frame of the
// mesh then, on another part of it or beside it. The last of Regions and Points is where the path ends.
//
// The error is [ErrOffMesh] if the start has no floor near it, or if the goal is not finite or beyond the
// frame. What is reachable is known without a search; the nearest place is found in time
// O(log n + k) for the k regions that are nearer to the goal than it.
func (q *Query) PartialPath(ctx context.Context, start, goal geom.Vec) (Path, error) {
	from, err := q.snap("start", start)
	if err != nil {
		return Path{}, err
	}
	to, complete, err := q.goalFrom(from, goal)
	if err != nil {
		return Path{}, err
	}
	path, err := q.between(ctx, from, to, (*Query).findShortest)
	path.Complete = path.Complete && complete
	return path, err
}

// goalFrom returns where a path from a place to a goal ends: at the goal, and then it is complete, or at
// the reachable place that is nearest to it.
func (q *Query) goalFrom(from place, goal geom.Vec) (to place, complete bool, err error) {
	if _, err := q.ix.aim(goal); err != nil {
		return place{}, false, err
	}
	q.lead.from(q, from.region)
	if to, ok := q.snapped(goal); ok && q.lead.has(q.ix, to.region) {
		return to, true, nil
	}
	limits := anywhere
	limits.among = &q.lead
	to, ok := q.nearestOf(goal, math.Inf(1), &limits)
	if !ok {
		return place{}, false, fmt.Errorf("%w: goal %v has no floor at all near it", ErrOffMesh, goal)
	}
	return to, false, nil
}

// reachSet is the set of the regions that ways lead to from one of them.
type reachSet struct {
	part  uint32  // of the region
	flood *spread // the regions themselves, where the Index does not know it; else nil
}

// from makes w the set of those from region r. Where more parts have links than the Index keeps account of, the
// regions are visited, in time O(n); q.spread is used up.
func (w *reachSet) from(q *Query, r uint32) {
	ix, s := q.ix, &q.spread
	w.part, w.flood = ix.regions[r].part, nil
	if n := ix.reach.number; ix.reach.from != nil || n == nil || n[w.part] == 0 {
		return
	}
	w.flood = s
	s.begin(len(ix.regions), r)
	for i := 0; i < len(s.regions); i++ {
		reg := &ix.regions[s.regions[i]]
		for k := reg.firstPortal; k < reg.endPortal; k++ {
			s.add(ix.portals[k].to, int32(i))
		}
		for _, h := range ix.hopsOf(s.regions[i]) {
			s.add(ix.hops[h].to, int32(i))
		}
	}
}

// has reports whether a way leads to region r.
func (w *reachSet) has(ix *Index, r uint32) bool {
	if w.flood != nil {
		return w.flood.marks[r] == w.flood.stamp
	}
	return ix.joined(w.part, ix.regions[r].part)
}

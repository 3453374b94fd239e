package query

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// PartialPath is [Query.Path] for goals in reach. For other goals PartialPath returns the shortest path to the
// reachable place nearest to the goal, and the path is not Complete. Nearest is as in [Query.Nearest], among all
// reachable regions. The goal may be anywhere in the frame of the mesh, on another part of the mesh or beside the mesh.
// The path ends at the last of Regions and Points.
//
// The error is [ErrOffMesh] for a start without a floor nearby, and for a goal that is not finite or is beyond the
// frame. Reachability needs no search; finding the nearest place takes time O(log n + k) for the k regions nearer to
// the goal than the place.
func (q *Query) PartialPath(ctx context.Context, start, goal geom.Vec) (Path, error) {
	q = q.ready()
	if err := begin(ctx, "path"); err != nil {
		return Path{}, err
	}
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

// goalFrom returns the end of a path from a place to a goal: the goal, with complete set, or the reachable place
// nearest to the goal.
func (q *Query) goalFrom(from place, goal geom.Vec) (to place, complete bool, err error) {
	if _, err := q.ix.aim(goal); err != nil {
		return place{}, false, err
	}
	q.lead.from(q.ix, &q.spread, from.region)
	if to, ok := q.snapped(goal); ok && q.lead.has(q.ix, to.region) {
		return to, true, nil
	}
	limits := anywhere
	limits.among = &q.lead
	to, ok := q.places.nearest(q.ix, goal, math.Inf(1), &limits)
	if !ok {
		return place{}, false, fmt.Errorf("%w: goal %v has no floor at all near it", ErrOffMesh, goal)
	}
	return to, false, nil
}

// reachSet is the set of regions that can be reached from a region.
type reachSet struct {
	part  uint32  // of the start region
	flood *spread // the regions themselves, if the Index does not know reachability; else nil
}

// from sets w to the regions reachable from region r. If more parts have links than the Index tracks, from visits the
// regions, in time O(n), and overwrites s.
func (w *reachSet) from(ix *geometry, s *spread, r uint32) {
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

// has reports whether region r can be reached.
func (w *reachSet) has(ix *geometry, r uint32) bool {
	if w.flood != nil {
		return w.flood.marks[r] == w.flood.stamp
	}
	return ix.joined(w.part, ix.regions[r].part)
}

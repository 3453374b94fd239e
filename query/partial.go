package query

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query/internal/index"
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
func (q *Query) goalFrom(from index.Place, goal geom.Vec) (to index.Place, complete bool, err error) {
	if _, err := q.ix.Aim(goal); err != nil {
		return index.Place{}, false, err
	}
	q.lead.From(q.ix, &q.spread, from.Region)
	if to, ok := q.snapped(goal); ok && q.lead.Has(q.ix, to.Region) {
		return to, true, nil
	}
	limits := index.Anywhere
	limits.Among = &q.lead
	to, ok := q.places.Nearest(q.ix, goal, math.Inf(1), &limits)
	if !ok {
		return index.Place{}, false, fmt.Errorf("%w: goal %v has no floor at all near it", ErrOffMesh, goal)
	}
	return to, false, nil
}

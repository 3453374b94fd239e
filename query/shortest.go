package query

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// findShortest fills q.way with a corridor that contains a shortest path between two places; found is
// false if no way joins the places.
func (q *Query) findShortest(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	if q.ix.Ground.Uneven {
		return q.findCheapest(ctx, from, to)
	}
	q.proved = math.Inf(1)
	if q.own.prepared != nil && q.own.prepared.Pays(q.ix) {
		if expanded, found, err = q.corners.FindOn(ctx, q.own.prepared, q.ix, &q.way, from, to); found || err != nil {
			return expanded, found, err
		}
	}
	if q.one.Begin(q.ix, &q.own.landmarks, &q.way, from, to) {
		return 0, true, nil
	}
	for done := false; !done; {
		if err := route.Cancelled(ctx); err != nil {
			return expanded, false, err
		}
		var n int
		n, done = q.one.Advance(route.SliceNodes)
		expanded += n
	}
	if q.one.Over || math.IsInf(q.one.Best, 1) {
		q.proved = 0
	}
	if math.IsInf(q.one.Best, 1) {
		// The corner flags of the mesh are wrong, the search has become too large, or no way leads over single links.
		more, found, err := q.corridor.Find(ctx, q.ix, &q.way, from, to)
		return expanded + more, found, err
	}
	q.one.Trace(&q.way)
	return expanded, true, nil
}

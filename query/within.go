package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Nearby is a region around a place.
type Nearby struct {
	Ref navmesh.Ref
	// From is the list index of the region that the walk entered from, always an earlier index; -1 for the region of
	// the start.
	From int
	// Distance is in metres; its meaning depends on the query.
	Distance float64
}

// RegionsWithin returns the regions reached from a position by walks of at most reach metres, by rising distance: the
// horizontal length of the shortest walk to the region, links at their cost. The list belongs to the Query and is valid
// until the next question to the Query. The error is [ErrOffMesh] if the position is not a position of this mesh, and
// [ErrTooLarge] if the search reaches its limit. A reach that is negative or NaN is an error, too. When ctx is done,
// the search stops with the error of ctx.
//
// RegionsWithin is the search of [Query.ToMany] without goals. Distances are shortest up to the rounding of lengths; a
// region whose distance equals reach to the last bit may be missing.
func (q *Query) RegionsWithin(ctx context.Context, from Position, reach float64) ([]Nearby, error) {
	q = q.ready()
	if err := begin(ctx, "regions"); err != nil {
		return nil, err
	}
	ix, w := q.ix, &q.within
	start, err := stand(ix, from)
	if err != nil {
		return nil, err
	}
	if !(reach >= 0) {
		return nil, fmt.Errorf("query: regions within %v m: not a length", reach)
	}
	if err := w.Find(ctx, ix, start, reach*lattice.UnitsPerMetre); err != nil {
		return nil, err
	}
	slices.SortFunc(w.Found, func(a, b exact.Reached) int {
		return cmp.Or(cmp.Compare(a.G, b.G), cmp.Compare(a.Rank, b.Rank))
	})
	q.ranks = slices.Grow(q.ranks[:0], len(w.Found))[:len(w.Found)]
	for i := range w.Found {
		q.ranks[w.Found[i].Number] = i
	}
	q.nearby = q.nearby[:0]
	for i := range w.Found {
		r := &w.Found[i]
		n := Nearby{Ref: ix.Region(r.Region).Ref, From: index.None, Distance: r.G * lattice.Unit}
		if r.Before != r.Region {
			n.From = q.ranks[w.Number[r.Before]]
		}
		q.nearby = append(q.nearby, n)
	}
	return q.nearby, nil
}

package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
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

// withinSearch is the memory of [Query.RegionsWithin]: the regions reached by the search.
type withinSearch struct {
	found  []withinRegion
	number []int32 // index in found of a region whose mark is the stamp
	marks  []uint32
	stamp  uint32
	rank   int
	places []int // index in the sorted list, by number
}

type withinRegion struct {
	region uint32
	number int32
	before uint32  // the previous region on the way
	g      float64 // the least length of a way to the region
	rank   int     // of the meeting that set g
}

// begin resets the search.
func (w *withinSearch) begin(regions int) {
	w.stamp++
	if len(w.marks) != regions || w.stamp == 0 {
		w.marks, w.number = make([]uint32, regions), make([]int32, regions)
		w.stamp = 1
	}
	w.found = w.found[:0]
}

// meet is [Query.meet] for regions.
func (w *withinSearch) meet(q *Query, in, before uint32, from, through int32) {
	s := &q.interval
	g := s.roots[from].g
	if through != index.None {
		g += q.toPortal(&s.views[through])
	}
	if in != before {
		if w.marks[before] != w.stamp {
			return // before is too far away, and in even farther
		}
		// Rounding must not put a region before its predecessor.
		g = max(g, w.found[w.number[before]].g)
	}
	if g > s.best {
		return
	}
	if w.marks[in] != w.stamp {
		w.marks[in], w.number[in] = w.stamp, int32(len(w.found))
		w.found = append(w.found, withinRegion{region: in, number: int32(len(w.found)), g: math.Inf(1)})
	}
	if r := &w.found[w.number[in]]; g < r.g {
		w.rank++
		r.before, r.g, r.rank = before, g, w.rank
	}
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
	ix, m, w := q.ix, &q.many, &q.within
	start, err := stand(ix, from)
	if err != nil {
		return nil, err
	}
	if !(reach >= 0) {
		return nil, fmt.Errorf("query: regions within %v m: not a length", reach)
	}
	m.begin(len(ix.Regions))
	w.begin(len(ix.Regions))
	m.within = w
	if _, err := q.searchMany(ctx, start, reach*lattice.UnitsPerMetre); err != nil {
		return nil, err
	}
	slices.SortFunc(w.found, func(a, b withinRegion) int {
		return cmp.Or(cmp.Compare(a.g, b.g), cmp.Compare(a.rank, b.rank))
	})
	w.places = slices.Grow(w.places[:0], len(w.found))[:len(w.found)]
	for i := range w.found {
		w.places[w.found[i].number] = i
	}
	q.nearby = q.nearby[:0]
	for i := range w.found {
		r := &w.found[i]
		n := Nearby{Ref: ix.Regions[r.region].Ref, From: index.None, Distance: r.g * lattice.Unit}
		if r.before != r.region {
			n.From = w.places[w.number[r.before]]
		}
		q.nearby = append(q.nearby, n)
	}
	return q.nearby, nil
}

package prepared

// Prepared paths on an Index that comes from the prepared Index by edits, filters and links.
//
// Source: the claims of bounds are those of package index, rough.go; no published source.
//
// Idea: edits and filters only take floor. A shortest path of the prepared floor through regions and portals as before is
// still a path, and no way over the floor is shorter. Hence the path is a shortest path, unless links or rounding make
// another way shorter. A way with links is at least as long as the straight way to the start of some link, the link's cost,
// and the straight way from the end of some link. A way past a rough side is at least as long as the straight ways to the
// side, less the loss. The search answers where a path is longer than one of these bounds.
//
// Input: an Index of the prepared Index's history, on ground of equal cost.
//
// Guarantees: paths are as long as without preparation (TestPreparedElsewhere, TestPreparedWorld, TestStatesAgainstOracle).
//
// Degenerate cases: the search answers for ends in pieces of changed regions, and for ends that only links join. A prepared
// path may begin and end in each region around an end on a border. Hence the search answers where these regions have changed.
//
// Cost: a prepared path, and O(k + h + r) for k portals on the path, h hops and r rough sides. With more than mostRough rough
// sides the search answers all paths. A path that the search answers costs both; hence [Corners.Pays].
//
// Departures: none of note.

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// mostRough is the most rough sides of an Index with prepared paths.
const mostRough = 256

// mostTaken bounds the changed or closed regions of the prepared Index: at most one region in mostTaken, and one more. Beyond,
// too many prepared paths lead through changed regions. With crates on 1/50 of the regions of five levels, paths took half the
// time; with crates on 1/10, a tenth more.
const mostTaken = 32

// Pays reports whether prepared paths are worth the attempt on an Index.
func (w *Corners) Pays(ix *index.Index) bool { return (ix.Taken-1)*mostTaken <= w.ix.RegionLimit() }

// Of reports whether w is the preparation of an Index itself.
func (w *Corners) Of(ix *index.Index) bool { return w.ix == ix }

// FindOn is [Search.Find] on an Index that comes from the prepared one.
func (s *Search) FindOn(ctx context.Context, w *Corners, ix *index.Index, way *route.Way, from, to index.Place) (expanded int, found bool, err error) {
	if w.ix == ix {
		return s.Find(ctx, w, way, from, to)
	}
	limit := uint32(w.ix.RegionLimit())
	if len(ix.Rough) > mostRough || from.Region >= limit || to.Region >= limit || !w.ix.Connected(from.Region, to.Region) {
		return 0, false, nil
	}
	most := s.leastElsewhere(ix, from.At, to.At)
	if index.Distance(from.At, to.At) >= most {
		return 0, false, nil
	}
	if !s.sameAround(w, ix, from) || !s.sameAround(w, ix, to) {
		return 0, false, nil
	}
	expanded, found, err = s.Find(ctx, w, way, from, to)
	if err != nil || !found {
		return expanded, false, err
	}
	return expanded, s.length(from.At, to.At, way) < most && translate(w.ix, ix, way), nil
}

// sameAround reports whether all regions around a place on the prepared Index are still around the place: a way may end in each.
func (s *Search) sameAround(w *Corners, ix *index.Index, p index.Place) bool {
	s.Regions[0], s.Regions[1] = RegionsAt(w.ix, s.Regions[0][:0], p), RegionsAt(ix, s.Regions[1][:0], p)
	for _, r := range s.Regions[0] {
		if !slices.Contains(s.Regions[1], r) {
			return false
		}
	}
	return true
}

// length returns the length of the way found last.
func (s *Search) length(from, to lattice.Point, way *route.Way) float64 {
	sum, at := 0.0, from
	if way.Legs[0].Bent {
		for _, b := range way.Bends[1:] {
			sum += index.Distance(at, b.Point)
			at = b.Point
		}
	}
	return sum + index.Distance(at, to)
}

// leastElsewhere returns a lower bound of the ways over links and of those past rough sides.
func (s *Search) leastElsewhere(ix *index.Index, from, to lattice.Point) float64 {
	first, last := math.Inf(1), math.Inf(1)
	for i := range ix.Hops {
		if h := &ix.Hops[i]; !h.Closed() {
			first = min(first, index.Distance(from, h.Start)+h.Cost)
			last = min(last, index.Distance(h.End, to))
		}
	}
	least := first + last
	for i := range ix.Rough {
		r := &ix.Rough[i]
		least = min(least, distanceTo(r, from)+distanceTo(r, to)-float64(len(ix.Rough)*index.RoughLoss))
	}
	return least
}

// distanceTo returns the distance of a point from a rough side.
func distanceTo(r *index.RoughSide, p lattice.Point) float64 {
	x, y := index.Sub(p, r.A)
	ex, ey := index.Sub(r.B, r.A)
	t := (float64(x*ex) + float64(y*ey)) / (float64(ex*ex) + float64(ey*ey))
	t = min(max(t, 0), 1)
	return index.Length(x-float64(t*ex), y-float64(t*ey))
}

// translate gives the portals of a way the numbers that they have in another Index; ok is false if a portal or a region on the
// way has changed.
func translate(base, ix *index.Index, way *route.Way) (ok bool) {
	for i, n := range way.Crossed {
		p := base.Portal(n)
		if way.Crossed[i], ok = numberOf(ix, base.Portal(p.Back).To, n, p); !ok {
			return false
		}
	}
	return true
}

// numberOf finds a portal of the base in another Index.
func numberOf(ix *index.Index, region, n uint32, p *index.Portal) (number uint32, ok bool) {
	r := ix.Region(region)
	same := func(o *index.Portal) bool { return o.To == p.To && o.Left == p.Left && o.Right == p.Right }
	if r.FirstPortal <= n && n < r.EndPortal && same(ix.Portal(n)) {
		return n, true
	}
	portals := ix.PortalsOf(r)
	for i := range portals {
		if same(&portals[i]) {
			return r.FirstPortal + uint32(i), true
		}
	}
	return 0, false
}

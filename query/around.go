package query

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// aroundSearch is the memory of queries for the regions around a place.
type aroundSearch struct {
	shape []lattice.Point
	walls []nearWall
	out   []Wall
}

// RegionsInCircle returns the regions that can be reached from a position through portals that meet a disc around the
// position, seen from above; radius is in metres. The region of the position comes first, then regions behind fewer
// portals. Distance is the straight distance of the region from the position, seen from above. The test of portals
// against the disc is exact, on the lattice.
//
// The list belongs to the Query and is valid until the next question to the Query. The error is [ErrOffMesh] if the
// position is not a position of this mesh; a radius that is negative or NaN is an error, too. Time O(m) for the m
// corners and portals of the regions in the list. Nothing is allocated after the first few answers.
func (q *Query) RegionsInCircle(centre Position, radius float64) ([]Nearby, error) {
	q = q.ready()
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	q.spread.Over(q.ix, from.Region, from.At, squareUnits(radius))
	return q.listSpread(from.At), nil
}

// RegionsInShape is [Query.RegionsInCircle] for portals that meet a convex polygon. Corners come in either order, their
// heights are ignored, and they are rounded to the lattice. The position may be outside the polygon. A polygon that is
// not convex, has no area, or leaves the frame of the mesh is an error. Time O(m·s) for a shape of s corners.
func (q *Query) RegionsInShape(from Position, shape []geom.Vec) ([]Nearby, error) {
	q = q.ready()
	ix, s := q.ix, &q.spread
	start, err := stand(ix, from)
	if err != nil {
		return nil, err
	}
	if q.local.shape, err = convex(ix, q.local.shape[:0], shape); err != nil {
		return nil, err
	}
	s.Begin(ix.RegionLimit(), start.Region)
	for i := 0; i < len(s.Regions); i++ {
		reg := ix.Region(s.Regions[i])
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			if p := ix.Portal(k); s.Marks[p.To] != s.Stamp && meets(q.local.shape, p.Left, p.Right) {
				s.Add(p.To, int32(i))
			}
		}
	}
	return q.listSpread(start.At), nil
}

// Neighbourhood is [Query.RegionsInCircle] without regions above or below each other. Of two regions that share more
// than their border, seen from above, the earlier one stays, and ways do not lead through the other. The result is a
// piece of floor without overlaps, which avoidance and similar tasks can treat as a plane. Time O(n²·m) for n regions
// with m corners.
func (q *Query) Neighbourhood(centre Position, radius float64) ([]Nearby, error) {
	q = q.ready()
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	q.spread.Flat(q.ix, from.Region, from.At, squareUnits(radius))
	return q.listSpread(from.At), nil
}

// disc returns the place of a position after checking a radius.
func (q *Query) disc(centre Position, radius float64) (index.Place, error) {
	if !(radius >= 0) {
		return index.Place{}, fmt.Errorf("query: regions around %v: the radius %v is not a length", centre.Point, radius)
	}
	return stand(q.ix, centre)
}

// listSpread returns the regions of q.spread, with their distances from a point.
func (q *Query) listSpread(from lattice.Point) []Nearby {
	q.nearby = q.nearby[:0]
	for i, r := range q.spread.Regions {
		q.nearby = append(q.nearby, Nearby{q.ix.Region(r).Ref, int(q.spread.From[i]), q.ix.DistanceTo(r, from)})
	}
	return q.nearby
}

// convex rounds the corners of a shape to the lattice and appends them to a list, counter-clockwise.
func convex(ix *index.Index, list []lattice.Point, shape []geom.Vec) ([]lattice.Point, error) {
	for i, v := range shape {
		p, err := ix.Aim(v)
		if err != nil {
			return list, fmt.Errorf("query: shape: corner %d: %w", i, err)
		}
		if len(list) == 0 || list[len(list)-1] != p {
			list = append(list, p)
		}
	}
	for len(list) > 1 && list[len(list)-1] == list[0] {
		list = list[:len(list)-1]
	}
	area := 0
	for i := 1; i+1 < len(list) && area == 0; i++ {
		area = sign(lattice.Orient(list[0], list[i], list[i+1]))
	}
	if area == 0 {
		return list, fmt.Errorf("query: shape: its %d corners have no area", len(shape))
	}
	if area < 0 {
		slices.Reverse(list)
	}
	// All turns are to the left; the outline must go around just once, east to west and back.
	turns := 0
	for i, p := range list {
		next, after := list[(i+1)%len(list)], list[(i+2)%len(list)]
		if o := lattice.Orient(p, next, after); o < 0 || o == 0 && lattice.Dot(next, p, after) > 0 {
			x, y := geom.Ground(ix.World(next, 0))
			return list, fmt.Errorf("query: shape: it is not convex at (%.3f, %.3f)", x, y)
		}
		if p.Compare(next) < 0 && next.Compare(after) > 0 {
			turns++
		}
	}
	if turns > 1 {
		return list, fmt.Errorf("query: shape: it goes around %d times", turns)
	}
	return list, nil
}

func sign(n int64) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// meets reports whether a segment and a convex polygon have a common point: neither the line of an edge nor the line of
// the segment separates them.
func meets(shape []lattice.Point, a, b lattice.Point) bool {
	left, right := true, true
	last := shape[len(shape)-1]
	for _, p := range shape {
		if lattice.Orient(last, p, a) < 0 && lattice.Orient(last, p, b) < 0 {
			return false
		}
		o := lattice.Orient(a, b, p)
		left, right = left && o > 0, right && o < 0
		last = p
	}
	return !left && !right
}

package query

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// aroundSearch is the memory of the queries about the regions around a place.
type aroundSearch struct {
	shape []lattice.Point
	walls []nearWall
	out   []Wall
}

// RegionsInCircle returns the regions that can be reached from a position through portals that meet the
// disc of a radius in metres around it, seen from above; the region of the position first, then those behind
// fewer portals. Distance is that of the region from the position as the crow flies, seen from above.
// Which portals meet the disc is decided exactly, on the lattice.
//
// The list belongs to the Query and is valid until that is asked again. The error is [ErrOffMesh] if the
// position is not one of this mesh; a radius that is negative or not a number is an error, too. Time O(m)
// for the m corners and portals of the regions in the list. Nothing is allocated after the first few answers.
func (q *Query) RegionsInCircle(centre Position, radius float64) ([]Nearby, error) {
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	q.spreadOver(from.region, from.at, squareUnits(radius))
	return q.listSpread(from.at), nil
}

// RegionsInShape is [Query.RegionsInCircle] for portals that meet a convex polygon, of which only the
// corners' places seen from above count, in either order; they are rounded to the lattice. The position
// need not be inside of it. The error says what is wrong with a shape that is not convex, has no
// area, or is beyond the frame of the mesh. Time O(m·s) for a shape of s corners.
func (q *Query) RegionsInShape(from Position, shape []geom.Vec) ([]Nearby, error) {
	ix, s := q.ix, &q.spread
	start, err := ix.stand(from)
	if err != nil {
		return nil, err
	}
	if q.local.shape, err = ix.convex(q.local.shape[:0], shape); err != nil {
		return nil, err
	}
	s.begin(len(ix.regions), start.region)
	for i := 0; i < len(s.regions); i++ {
		reg := &ix.regions[s.regions[i]]
		for k := reg.firstPortal; k < reg.endPortal; k++ {
			if p := &ix.portals[k]; s.marks[p.to] != s.stamp && meets(q.local.shape, p.left, p.right) {
				s.add(p.to, int32(i))
			}
		}
	}
	return q.listSpread(start.at), nil
}

// Neighbourhood is [Query.RegionsInCircle] without regions that lie above or below each other: of those
// that have more than their border in common, seen from above, the one in front counts, and ways
// do not lead through the others. It is a piece of floor that can be dealt with as a plane, for avoidance
// and the like. Time O(n²·m) for n regions with m corners.
func (q *Query) Neighbourhood(centre Position, radius float64) ([]Nearby, error) {
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	q.spreadFlat(from.region, from.at, squareUnits(radius))
	return q.listSpread(from.at), nil
}

// disc returns the place of a position, and checks a radius around it.
func (q *Query) disc(centre Position, radius float64) (place, error) {
	if !(radius >= 0) {
		return place{}, fmt.Errorf("query: regions around %v: the radius %v is not a length", centre.Point, radius)
	}
	return q.ix.stand(centre)
}

// spreadFlat is spreadOver without regions that overlap one before them, seen from above.
func (q *Query) spreadFlat(r uint32, centre lattice.Point, radius2 uint64) {
	ix, s := q.ix, &q.spread
	s.begin(len(ix.regions), r)
	for i := 0; i < len(s.regions); i++ {
		reg := &ix.regions[s.regions[i]]
		for k := reg.firstPortal; k < reg.endPortal; k++ {
			p := &ix.portals[k]
			if s.marks[p.to] == s.stamp || lattice.SegmentDistance2(centre, p.left, p.right).CompareInt(radius2) > 0 {
				continue
			}
			if slices.ContainsFunc(s.regions, func(o uint32) bool { return ix.overlap(p.to, o) }) {
				s.marks[p.to] = s.stamp // not to be asked again
				continue
			}
			s.add(p.to, int32(i))
		}
	}
}

// listSpread returns the regions of q.spread, with their distances from a point.
func (q *Query) listSpread(from lattice.Point) []Nearby {
	q.nearby = q.nearby[:0]
	for i, r := range q.spread.regions {
		q.nearby = append(q.nearby, Nearby{q.ix.regions[r].ref, int(q.spread.from[i]), q.ix.distanceTo(r, from)})
	}
	return q.nearby
}

// distanceTo returns the distance of a point from region r in metres, seen from above.
func (ix *Index) distanceTo(r uint32, p lattice.Point) float64 {
	if ix.contains(r, p) {
		return 0
	}
	ring := ix.ring(r)
	last := ring[len(ring)-1].Point
	best := lattice.SegmentDistance2(p, last, ring[0].Point)
	for i := 1; i < len(ring); i++ {
		if d := lattice.SegmentDistance2(p, ring[i-1].Point, ring[i].Point); d.Compare(best) < 0 {
			best = d
		}
	}
	return best.Sqrt() * lattice.Unit
}

// ring returns the corners of region r, counter-clockwise.
func (ix *Index) ring(r uint32) []lattice.Vertex {
	return ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
}

// overlap reports whether two regions have more than their border in common, seen from above.
func (ix *Index) overlap(a, b uint32) bool {
	return !parts(ix.ring(a), ix.ring(b)) && !parts(ix.ring(b), ix.ring(a))
}

// parts reports whether the line of an edge of a has all of b on the other side of it or on it.
func parts(a, b []lattice.Vertex) bool {
	last := a[len(a)-1].Point
	for i := range a {
		if !slices.ContainsFunc(b, func(v lattice.Vertex) bool { return lattice.Orient(last, a[i].Point, v.Point) > 0 }) {
			return true
		}
		last = a[i].Point
	}
	return false
}

// convex appends the corners of a shape on the lattice to a list, counter-clockwise.
func (ix *Index) convex(list []lattice.Point, shape []geom.Vec) ([]lattice.Point, error) {
	for i, v := range shape {
		p, err := ix.aim(v)
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
	// Turning to the left only, it must go around just once: east to west and back.
	turns := 0
	for i, p := range list {
		next, after := list[(i+1)%len(list)], list[(i+2)%len(list)]
		if o := lattice.Orient(p, next, after); o < 0 || o == 0 && lattice.Dot(next, p, after) > 0 {
			x, y := geom.Ground(ix.world(next, 0))
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

// meets reports whether a segment and a convex polygon have a point in common: no line of an edge or of the
// segment parts them.
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

package query

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Wall is a piece of a region's border that nothing leads through.
type Wall struct {
	// From and To are its ends on the floor. The region is on the left of the way from one to the other.
	From, To geom.Vec
	Ref      navmesh.Ref // the region
	// Distance is the horizontal distance of the position asked about in metres, 0 where there was none.
	Distance float64
}

// nearWall is a wall with the region that it belongs to and the square of its distance.
type nearWall struct {
	wall
	region    uint32
	distance2 lattice.Ratio
}

// WallsOf returns the walls of a region: what its portals leave of its border, counter-clockwise. The
// list belongs to the Query and is valid until that is asked again. The error is [ErrOffMesh] for a
// stale or foreign Ref. Nothing is allocated after the first few answers.
func (q *Query) WallsOf(r navmesh.Ref) ([]Wall, error) {
	i, err := q.ix.named(r)
	if err != nil {
		return nil, err
	}
	q.local.out = q.local.out[:0]
	for _, w := range q.ix.wallsOf(i) {
		q.local.out = append(q.local.out, q.ix.wallAt(nearWall{wall: w, region: i}))
	}
	return q.local.out, nil
}

// WallsAround returns the walls of the [Query.Neighbourhood] of a position that are at most a radius in
// metres away from it, seen from above, the nearest first; of equally near ones, those behind fewer
// portals. Which these are is decided exactly. The errors are those of Neighbourhood. The list belongs to
// the Query and is valid until that is asked again. Nothing is allocated after the first few answers.
func (q *Query) WallsAround(centre Position, radius float64) ([]Wall, error) {
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	a, limit := &q.local, squareUnits(radius)
	q.spreadFlat(from.region, from.at, limit)
	a.walls, a.out = a.walls[:0], a.out[:0]
	for _, r := range q.spread.regions {
		for _, w := range q.ix.wallsOf(r) {
			if d2 := lattice.SegmentDistance2(from.at, w.from, w.to); d2.CompareInt(limit) <= 0 {
				a.walls = append(a.walls, nearWall{w, r, d2})
			}
		}
	}
	slices.SortStableFunc(a.walls, func(v, w nearWall) int { return v.distance2.Compare(w.distance2) })
	for _, w := range a.walls {
		a.out = append(a.out, q.ix.wallAt(w))
	}
	return a.out, nil
}

// wallAt returns what a wall is to others.
func (ix *Index) wallAt(w nearWall) Wall {
	return Wall{
		From: ix.onFloor(w.region, w.from), To: ix.onFloor(w.region, w.to),
		Ref: ix.regions[w.region].ref, Distance: w.distance2.Sqrt() * lattice.Unit,
	}
}

// onFloor returns a corner of region r, or a point of its border, on the floor.
func (ix *Index) onFloor(r uint32, at lattice.Point) geom.Vec {
	return ix.world(at, ix.cornerHeight(r, at))
}

// named returns the number of the region that a Ref names, if it may be entered.
func (ix *Index) named(r navmesh.Ref) (uint32, error) {
	if _, _, ok := ix.mesh.Region(r); !ok {
		return 0, fmt.Errorf("%w: no region is called %v", ErrOffMesh, r)
	}
	i := ix.number(r)
	if ix.closed.region(i) {
		return 0, fmt.Errorf("%w: region %v is closed", ErrOffMesh, r)
	}
	return i, nil
}

// NearestIn returns the place of a region that is nearest to p, seen from above, on its floor: p itself
// where it is inside, rounded to the lattice. The error is [ErrOffMesh] for a stale or foreign
// Ref, and for a p that is not finite. Time O(m) for a region with m corners. Nothing is allocated.
func (q *Query) NearestIn(r navmesh.Ref, p geom.Vec) (Position, error) {
	ix := q.ix
	i, err := ix.named(r)
	if err != nil {
		return Position{}, err
	}
	if !p.IsFinite() {
		return Position{}, fmt.Errorf("%w: %v is no place", ErrOffMesh, p)
	}
	x, y, _ := ix.mesh.Frame.Local(p)
	at := ix.nearestIn(i, x, y)
	return ix.position(place{i, at, ix.heightAt(i, float64(at.X), float64(at.Y))}), nil
}

// RegionsInBox returns the regions that have a point within a box, seen from above, decided exactly on the
// box rounded to the lattice, and whose heights come between those of the box; in the order of their
// numbers. The list belongs to the Query and is valid until that is asked again; it is empty for
// a box that is, or that is not finite. Time O(log n + k) for k regions whose boxes meet it. Nothing is
// allocated after the first few answers.
func (q *Query) RegionsInBox(b geom.Box) []navmesh.Ref {
	ix := q.ix
	q.trail = q.trail[:0]
	low, zLow, ok := ix.mesh.Frame.FromWorld(geom.Vec{X: b.Min.X, Y: b.Min.Y, Z: b.Max.Z})
	high, zHigh, ok2 := ix.mesh.Frame.FromWorld(geom.Vec{X: b.Max.X, Y: b.Max.Y, Z: b.Min.Z})
	if !ok || !ok2 || b.IsEmpty() {
		return q.refs(q.trail)
	}
	corners := [4]lattice.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	q.walk.start(&ix.tree, box{[3]int32{low.X, low.Y, zLow}, [3]int32{high.X, high.Y, zHigh}})
	for r, more := q.walk.next(); more; r, more = q.walk.next() {
		if !ix.closed.region(r) && ix.touches(r, &corners) {
			q.trail = append(q.trail, r)
		}
	}
	slices.SortFunc(q.trail, cmp.Compare)
	return q.refs(q.trail)
}

// touches reports whether region r and a box, which meets the box of r, have a point in common: no line of
// an edge of r has the whole box strictly on its other side.
func (ix *Index) touches(r uint32, corners *[4]lattice.Point) bool {
	ring := ix.ring(r)
	last := ring[len(ring)-1].Point
	for i := range ring {
		beyond := true
		for _, c := range corners {
			beyond = beyond && lattice.Orient(last, ring[i].Point, c) < 0
		}
		if beyond {
			return false
		}
		last = ring[i].Point
	}
	return true
}

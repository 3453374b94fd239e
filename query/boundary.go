package query

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Wall is a piece of a region's border without a portal.
type Wall struct {
	// From and To are the ends on the floor. The region is on the left of the way from From to To.
	From, To geom.Vec
	Ref      navmesh.Ref // the region
	// Distance is the horizontal distance from the position of the query in metres, 0 for queries without a position.
	Distance float64
}

// nearWall is a wall with its region and squared distance.
type nearWall struct {
	wall
	region    uint32
	distance2 lattice.Ratio
}

// WallsOf returns the walls of a region, counter-clockwise: its border without its portals. The list belongs to the
// Query and is valid until the next question to the Query. The error is [ErrOffMesh] for a stale or foreign Ref.
// Nothing is allocated after the first few answers.
func (q *Query) WallsOf(r navmesh.Ref) ([]Wall, error) {
	q = q.ready()
	i, err := q.ix.named(r)
	if err != nil {
		return nil, err
	}
	q.local.out = q.local.out[:0]
	for _, w := range q.ix.wallsOf(i) {
		q.local.out = append(q.local.out, wallAt(q.ix, nearWall{wall: w, region: i}))
	}
	return q.local.out, nil
}

// WallsAround returns the walls of the [Query.Neighbourhood] of a position within a radius in metres, seen from above,
// the nearest first; of equally near walls, walls behind fewer portals first. The selection is exact. Errors are as for
// Neighbourhood. The list belongs to the Query and is valid until the next question to the Query. Nothing is allocated
// after the first few answers.
func (q *Query) WallsAround(centre Position, radius float64) ([]Wall, error) {
	q = q.ready()
	from, err := q.disc(centre, radius)
	if err != nil {
		return nil, err
	}
	a, limit := &q.local, squareUnits(radius)
	q.spread.flat(q.ix, from.region, from.at, limit)
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
		a.out = append(a.out, wallAt(q.ix, w))
	}
	return a.out, nil
}

// wallAt converts a nearWall to a Wall.
func wallAt(ix *geometry, w nearWall) Wall {
	return Wall{
		From: ix.onFloor(w.region, w.from), To: ix.onFloor(w.region, w.to),
		Ref: ix.regions[w.region].ref, Distance: w.distance2.Sqrt() * lattice.Unit,
	}
}

// onFloor returns the world position of a point on the border of region r, at floor height.
func (ix *geometry) onFloor(r uint32, at lattice.Point) geom.Vec {
	return ix.world(at, ix.cornerHeight(r, at))
}

// named returns the number of the region named by a Ref, if the region is open.
func (ix *geometry) named(r navmesh.Ref) (uint32, error) {
	if _, _, ok := ix.mesh.Region(r); !ok {
		return 0, fmt.Errorf("%w: no region is called %v", errOffMesh, r)
	}
	i := ix.number(r)
	if ix.closed.region(i) {
		return 0, fmt.Errorf("%w: region %v is closed", errOffMesh, r)
	}
	return i, nil
}

// NearestIn returns the place of a region nearest to p, seen from above, on the floor of the region: p itself, rounded
// to the lattice, where p is inside. The error is [ErrOffMesh] for a stale or foreign Ref, and if p is not finite. Time
// O(m) for a region with m corners. Nothing is allocated.
func (q *Query) NearestIn(r navmesh.Ref, p geom.Vec) (Position, error) {
	q = q.ready()
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
	return position(ix, place{i, at, ix.heightAt(i, float64(at.X), float64(at.Y))}), nil
}

// RegionsInBox returns the regions that meet a box in plan and overlap the box in height, in the order of their
// numbers. The plan test is exact on the box rounded to the lattice; heights are ranges. The list belongs to the Query
// and is valid until the next question to the Query; it is empty for a box that is empty or not finite. Time O(log n +
// k) for k regions whose boxes meet the box. Nothing is allocated after the first few answers.
func (q *Query) RegionsInBox(b geom.Box) []navmesh.Ref {
	q = q.ready()
	ix := q.ix
	q.ray.trail = q.ray.trail[:0]
	low, zLow, ok := ix.mesh.Frame.FromWorld(geom.Vec{X: b.Min.X, Y: b.Min.Y, Z: b.Max.Z})
	high, zHigh, ok2 := ix.mesh.Frame.FromWorld(geom.Vec{X: b.Max.X, Y: b.Max.Y, Z: b.Min.Z})
	if !ok || !ok2 || b.IsEmpty() {
		return q.refs(q.ray.trail)
	}
	corners := [4]lattice.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	within := box{Low: [3]int32{low.X, low.Y, zLow}, High: [3]int32{high.X, high.Y, zHigh}}
	ix.tree.Any(&within, func(id int32) bool {
		if r := uint32(id); !ix.closed.region(r) && ix.touches(r, &corners) {
			q.ray.trail = append(q.ray.trail, r)
		}
		return false
	})
	slices.SortFunc(q.ray.trail, cmp.Compare)
	return q.refs(q.ray.trail)
}

// touches reports whether region r and a box that meets the box of r have a common point: no edge of r has the whole
// box strictly on its outer side.
func (ix *geometry) touches(r uint32, corners *[4]lattice.Point) bool {
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

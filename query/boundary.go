package query

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
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
	index.Wall
	region    uint32
	distance2 lattice.Ratio
}

// WallsOf returns the walls of a region, counter-clockwise: its border without its portals. The list belongs to the
// Query and is valid until the next question to the Query. The error is [ErrOffMesh] for a stale or foreign Ref.
// Nothing is allocated after the first few answers.
func (q *Query) WallsOf(r navmesh.Ref) ([]Wall, error) {
	q = q.ready()
	i, err := q.ix.Named(r)
	if err != nil {
		return nil, err
	}
	q.local.out = q.local.out[:0]
	for _, w := range q.ix.WallsOf(i) {
		q.local.out = append(q.local.out, wallAt(q.ix, nearWall{Wall: w, region: i}))
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
	q.spread.Flat(q.ix, from.Region, from.At, limit)
	a.walls, a.out = a.walls[:0], a.out[:0]
	for _, r := range q.spread.Regions {
		for _, w := range q.ix.WallsOf(r) {
			if d2 := lattice.SegmentDistance2(from.At, w.From, w.To); d2.CompareInt(limit) <= 0 {
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
func wallAt(ix *index.Index, w nearWall) Wall {
	return Wall{
		From: ix.OnFloor(w.region, w.From), To: ix.OnFloor(w.region, w.To),
		Ref: ix.Region(w.region).Ref, Distance: w.distance2.Sqrt() * lattice.Unit,
	}
}

// NearestIn returns the place of a region nearest to p, seen from above, on the floor of the region: p itself, rounded
// to the lattice, where p is inside. The error is [ErrOffMesh] for a stale or foreign Ref, and if p is not finite. Time
// O(m) for a region with m corners. Nothing is allocated.
func (q *Query) NearestIn(r navmesh.Ref, p geom.Vec) (Position, error) {
	q = q.ready()
	ix := q.ix
	i, err := ix.Named(r)
	if err != nil {
		return Position{}, err
	}
	if !p.IsFinite() {
		return Position{}, fmt.Errorf("%w: %v is no place", ErrOffMesh, p)
	}
	x, y, _ := ix.Mesh.Frame.Local(p)
	at := ix.NearestIn(i, x, y)
	return position(ix, index.Place{Region: i, At: at, Z: ix.HeightAt(i, float64(at.X), float64(at.Y))}), nil
}

// RegionsInBox returns the regions that meet a box in plan and overlap the box in height, in the order of their
// numbers. The plan test is exact on the box rounded to the lattice; heights are ranges. The list belongs to the Query
// and is valid until the next question to the Query; it is empty for a box that is empty or not finite. Time O(log n +
// k) for k regions whose boxes meet the box. Nothing is allocated after the first few answers.
func (q *Query) RegionsInBox(b geom.Box) []navmesh.Ref {
	q = q.ready()
	ix := q.ix
	q.ray.Trail = q.ray.Trail[:0]
	low, zLow, ok := ix.Mesh.Frame.FromWorld(geom.Vec{X: b.Min.X, Y: b.Min.Y, Z: b.Max.Z})
	high, zHigh, ok2 := ix.Mesh.Frame.FromWorld(geom.Vec{X: b.Max.X, Y: b.Max.Y, Z: b.Min.Z})
	if !ok || !ok2 || b.IsEmpty() {
		return q.refs(q.ray.Trail)
	}
	q.ray.Trail = ix.InBox(low, high, zLow, zHigh, q.ray.Trail)
	slices.SortFunc(q.ray.Trail, cmp.Compare)
	return q.refs(q.ray.Trail)
}

package query

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Ray is the result of [Query.Raycast]. Regions belongs to the Query and is valid until the next question to the Query.
type Ray struct {
	// Hit says that a wall is in the way. Otherwise End is below or above the target.
	Hit bool
	// End is the end of the ray, rounded to a lattice point of its region, on the floor unless Query.Flat is set.
	End Position
	// Fraction is the free part of the way: from 0 to 1, and 1 without a hit.
	Fraction float64
	// Normal is the horizontal unit vector from the wall towards its free side. At a corner Normal belongs to the wall
	// that faces the ray most. Without a hit Normal is zero.
	Normal geom.Vec
	// Regions are the regions on the ray, in order.
	Regions []navmesh.Ref
}

// Raycast walks straight over the mesh from a position towards the point above or below a target, up to the target or a
// wall. Both ends are lattice points, and hits are decided exactly: the target is reached if and only if the way stays
// within the closed free space. The error is [ErrOffMesh] if the position is not a position of this mesh, or the target
// is not finite or outside the frame.
//
// Time O(m) for the m corners and portals of the regions on the way. Nothing is allocated after the first few answers.
func (q *Query) Raycast(from Position, to geom.Vec) (Ray, error) {
	q = q.ready()
	ix := q.ix
	start, err := stand(ix, from)
	if err != nil {
		return Ray{}, err
	}
	target, err := ix.Aim(to)
	if err != nil {
		return Ray{}, err
	}
	stop := q.ray.Cast(q.ix, start, target)
	ray := Ray{Hit: stop.Hit, Fraction: stop.T, Regions: q.refs(q.ray.Trail)}
	last := q.ray.Trail[len(q.ray.Trail)-1]
	if stop.Hit {
		dx, dy := index.Sub(target, start.At)
		target = ix.RoundInto(last, float64(start.At.X)+float64(stop.T*dx), float64(start.At.Y)+float64(stop.T*dy))
		ray.Normal = stop.Wall.Normal()
	}
	ray.End = q.endOf(start, last, target)
	return ray, nil
}

// endOf returns the final position in region r of a walk from start.
func (q *Query) endOf(start index.Place, r uint32, at lattice.Point) Position {
	if !q.Flat {
		start.Z = q.ix.HeightAt(r, float64(at.X), float64(at.Y))
	}
	return position(q.ix, index.Place{Region: r, At: at, Z: start.Z})
}

// refs returns the Refs of regions, in memory of the Query.
func (q *Query) refs(regions []uint32) []navmesh.Ref {
	q.regions = q.regions[:0]
	for _, r := range regions {
		q.regions = append(q.regions, q.ix.Region(r).Ref)
	}
	return q.regions
}

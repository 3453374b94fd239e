package navgraph

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Edges appends to a list the corridor for [smooth.Smoother]: the two ends of every portal, once more for the
// region behind if it lies higher or lower, as B has it for welded gaps, and the two ends of links, as points to
// pass. Invalid IDs are left out.
func (f *Finder) Edges(list []smooth.Edge, exits []int32) []smooth.Edge {
	g := f.g
	for _, id := range exits {
		e, ok := g.exit(id)
		if !ok {
			continue
		}
		if e.Link >= 0 {
			list = append(list, smooth.Edge{Left: e.Left, Right: e.Right}, smooth.Edge{Left: e.End, Right: e.End})
			continue
		}
		list = append(list, smooth.Edge{Left: e.Left, Right: e.Right})
		if back, ok := g.exit(e.Back); ok && (back.Left.Z != e.Right.Z || back.Right.Z != e.Left.Z) {
			list = append(list, smooth.Edge{Left: back.Right, Right: back.Left})
		}
	}
	return list
}

// OnMesh returns the functions for [smooth.SplineOptions] on a mesh: whether the straight way between two points is
// free, exactly as [query.Query.Raycast] says of the points rounded to the lattice, and ends on the same storey; and the
// floor below or above a point, or the point itself where there is none. Both ask q.
func OnMesh(q *query.Query, m *navmesh.Mesh) (free func(a, b geom.Vec) bool, floor func(p geom.Vec) geom.Vec) {
	free = func(a, b geom.Vec) bool {
		from, ok := q.Locate(a)
		if !ok {
			return false
		}
		ray, err := q.Raycast(from, b)
		return err == nil && !ray.Hit && math.Abs(ray.End.Point.Y-b.Y) <= m.Agent.Height/2
	}
	floor = func(p geom.Vec) geom.Vec {
		if at, ok := q.Locate(p); ok {
			p.Y = at.Point.Y
		}
		return p
	}
	return free, floor
}

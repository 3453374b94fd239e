package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// ErrOffMesh is the error of a path whose start or goal is not on the mesh and not near it; the
// error that wraps it says which, and where.
var ErrOffMesh = errors.New("query: off the mesh")

// minReach is the least reach of [Query.Path] for ends beside the mesh, in metres: meshes of point
// agents that climb nothing still find ends that rounding moved.
const minReach = 0.01

// Query asks questions on a mesh. It owns the memory that searches need, so that after the first
// few answers none is allocated; it belongs to one goroutine at a time.
type Query struct {
	ix     *Index
	walk   boxWalk
	search boxSearch

	corridor corridorSearch
	interval intervalSearch
	funnel   funnel
	crossed  []uint32 // portals of the corridor, start to goal
	gates    []Gate   // the same, as Funnel wants them
	profile  profile
	trail    []uint32    // regions on the way
	shared   aroundPoint // regions at a point of the way
	spread   spread
	walls    wallSearch
	points   []geom.Vec
	regions  []navmesh.Ref
}

// NewQuery returns a Query with memory of its own. Queries of one Index may run at the same time.
func (ix *Index) NewQuery() *Query { return &Query{ix: ix} }

// Path is a way over the floor. Its slices belong to the Query that made it and are valid until
// that is asked again; [Path.Clone] makes a copy to keep.
type Path struct {
	// Complete says that the path leads to the goal. No path is Complete between parts of the mesh
	// that nothing joins; it has no points then.
	Complete bool
	// Points lead from start to goal, in world space. Between them the path is straight, and the
	// floor is within [HeightError] of it.
	Points []geom.Vec
	// Regions are those that the path goes through, in order.
	Regions []navmesh.Ref
	// Length is the horizontal length in metres, SurfaceLength the length of Points in space.
	Length, SurfaceLength float64
	// Expanded counts the nodes that the search took up.
	Expanded int
}

// Clone returns a copy of p that stays valid.
func (p Path) Clone() Path {
	p.Points = slices.Clone(p.Points)
	p.Regions = slices.Clone(p.Regions)
	return p
}

// snap finds the end of a path: the place that Locate finds, else the nearest one within reach.
func (q *Query) snap(which string, p geom.Vec) (place, error) {
	if at, ok := q.locate(p); ok {
		return at, nil
	}
	if at, ok := q.nearest(p, q.ix.reach); ok {
		return at, nil
	}
	return place{}, fmt.Errorf("%w: %s %v has no floor within %.2f m", ErrOffMesh, which, p, q.ix.reach)
}

// cancelled returns the error of ctx, asked once in 256 calls with rising count.
func cancelled(ctx context.Context, count int) error {
	if count%256 != 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("query: path: %w", err)
	}
	return nil
}

// Path returns the shortest path from start to goal: of all ways over the mesh the one with the
// least horizontal length, up to the rounding of float64. An end that is not on the mesh, see
// [Query.Locate], is moved to the nearest place within the agent's Radius plus MaxClimb (at least a
// centimetre), see [Query.Nearest]; the error is [ErrOffMesh] where there is none. A goal that
// cannot be reached is no error: the path is not Complete and has no points, which is known
// without a search. When ctx is done the search stops with its error.
func (q *Query) Path(ctx context.Context, start, goal geom.Vec) (Path, error) {
	return q.path(ctx, start, goal, (*Query).findShortest)
}

// Corridor returns the path that the portal graph gives: A* from portal to portal, then the
// shortest path inside the corridor of regions that it found. It is the search that most
// navigation meshes use, and often longer than what [Query.Path] returns.
// Ends and results are as there.
func (q *Query) Corridor(ctx context.Context, start, goal geom.Vec) (Path, error) {
	return q.path(ctx, start, goal, (*Query).findCorridor)
}

// path snaps the ends, lets find fill q.crossed with the portals of a corridor, and pulls the path
// tight. find returns the region that the corridor starts in and the number of expanded nodes.
func (q *Query) path(ctx context.Context, start, goal geom.Vec,
	find func(*Query, context.Context, place, place) (uint32, int, error),
) (Path, error) {
	from, err := q.snap("start", start)
	if err != nil {
		return Path{}, err
	}
	to, err := q.snap("goal", goal)
	if err != nil {
		return Path{}, err
	}
	ix := q.ix
	if ix.regions[from.region].part != ix.regions[to.region].part {
		return Path{}, nil
	}
	q.crossed = q.crossed[:0]
	first, expanded := from.region, 0
	if from.region != to.region {
		if first, expanded, err = find(q, ctx, from, to); err != nil {
			return Path{Expanded: expanded}, err
		}
	}
	q.gates = q.gates[:0]
	for _, p := range q.crossed {
		q.gates = append(q.gates, Gate{ix.portals[p].left, ix.portals[p].right})
	}
	bends := q.Funnel(from.at, to.at, q.gates)
	path := Path{Complete: true, Expanded: expanded}
	for i := 1; i < len(bends); i++ {
		path.Length += distance(bends[i-1].Point, bends[i].Point) * lattice.Unit
	}
	path.Points, path.SurfaceLength = q.raise(first, from.z, bends)
	q.regions = append(q.regions[:0], ix.regions[first].ref)
	for _, p := range q.crossed {
		q.regions = append(q.regions, ix.regions[ix.portals[p].to].ref)
	}
	path.Regions = q.regions
	return path, nil
}

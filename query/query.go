package query

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	// OnlyBends leaves the floor between the bends of paths out: their Points are the start, the corners that
	// the path turns around and the goal, at the height of the floor there, and SurfaceLength is measured
	// along these. That is faster, mostly by far.
	OnlyBends bool
	// Flat leaves the floor out of rays, moves and walls: where they end is at the height of the position that they
	// start from. That is faster; [Index.Floor] has the floor there for whoever wants it.
	Flat bool
	// Epsilon is by how much more, as a part of it, a path may cost than the cheapest, where the filter's area
	// costs differ: 0 stands for [DefaultEpsilon]. Effort is how many nodes a search may take up for that, 0 for
	// [DefaultEffort]; a path that is not proved to be as good by then is returned as it is, with its
	// Cost and LowerBound.
	Epsilon float64
	Effort  int

	ix     *Index
	walk   boxWalk
	search boxSearch

	corridor  corridorSearch
	interval  intervalSearch
	funnel    funnel
	crossed   []uint32 // portals of the corridor, start to goal
	legs      []leg    // the parts of the corridor between links
	bends     []Bend   // of the first leg, where they are known
	gates     []Gate   // the same, as Funnel wants them
	profile   profile
	trail     []uint32    // regions on the way
	passed    []uint32    // portals between them
	shared    aroundPoint // regions at a point of the way
	corners   cornerSearch
	spread    spread
	many      manySearch
	within    withinSearch
	lead      reachSet
	nearby    []Nearby
	local     aroundSearch
	walls     wallSearch
	points    []geom.Vec
	regions   []navmesh.Ref
	named     []Crossing
	inside    []int32 // of named, the marks that the path is in
	proved    float64 // what no path costs less than, in lattice units, +Inf for the cost of the one that was found
	cheap     cellSearch
	bent      []bent       // of a leg over uneven ground
	kinks     []Bend       // of them, those that the way turns at,
	exact     [][2]float64 // their places,
	crossings [][2]float64 // and where it crosses its portals
	grounds   grounds
}

// NewQuery returns a Query with memory of its own. Queries of one Index may run at the same time.
func (ix *Index) NewQuery() *Query { return &Query{ix: ix} }

// Path is a way over the floor. Its slices belong to the Query that made it and are valid until
// that is asked again; [Path.Clone] makes a copy to keep.
type Path struct {
	// Complete says that the path leads to the goal. No path is Complete between parts of the mesh
	// that nothing joins; it has no points then.
	Complete bool
	// Points lead from start to goal, in world space. Between them the path is straight, and everywhere the
	// floor is within [HeightError] of it, except along links, and unless Query.OnlyBends is set. Two points above
	// each other are a step.
	Points []geom.Vec
	// Regions are those that the path goes through, in order.
	Regions []navmesh.Ref
	// Crossings are the links that the path takes and the marks that it goes through, in the order in
	// which it comes to them.
	Crossings []Crossing
	// Length is the horizontal length in metres. SurfaceLength is the length over the floor in metres, with all bumps
	// and steps, also those that Points leave out, and equals that of the way back up to rounding. With
	// Query.OnlyBends it is the length of Points in space. Both lengths count links as they are long.
	Length, SurfaceLength float64
	// Grounds are the stretches over ground of one area each, in order; links are left out. There are none on
	// a mesh whose regions are all of one area.
	Grounds []Ground
	// Cost is what the search made as small as it can be: the horizontal length that is walked, each metre at
	// what its area costs, and the costs of links.
	Cost float64
	// LowerBound is what no path costs less than, as far as the search has proved it. It is Cost where all ground
	// costs the same, and 0 for paths by [Query.Corridor], which prove nothing.
	LowerBound float64
	// Expanded counts the nodes that the search took up.
	Expanded int
}

// Clone returns a copy of p that stays valid.
func (p Path) Clone() Path {
	p.Points = slices.Clone(p.Points)
	p.Regions = slices.Clone(p.Regions)
	p.Crossings = slices.Clone(p.Crossings)
	p.Grounds = slices.Clone(p.Grounds)
	return p
}

// Ratio returns the proved bound of how many times as much p costs as the cheapest path: Cost by
// LowerBound, 1 where both are 0.
func (p Path) Ratio() float64 {
	if p.Cost == p.LowerBound {
		return 1
	}
	return p.Cost / p.LowerBound
}

// Crossing is a link that a path takes, or a mark that it goes through.
type Crossing struct {
	Link int // the place in Mesh.Links, -1 for a mark
	Mark int // the place in Mesh.Marks, -1 for a link that has none
	// From and To are where the path comes to it and leaves it: the ends of the link, or where the path
	// enters the regions of the mark and leaves them.
	From, To geom.Vec
}

// snap finds the end of a path: the place that Locate finds, else the nearest one within reach.
func (q *Query) snap(which string, p geom.Vec) (place, error) {
	if at, ok := q.snapped(p); ok {
		return at, nil
	}
	return place{}, fmt.Errorf("%w: %s %v has no floor within %.2f m", ErrOffMesh, which, p, q.ix.snapReach)
}

// cancelled returns the error of ctx.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("query: path: %w", err)
	}
	return nil
}

// snapped is snap without an error.
func (q *Query) snapped(p geom.Vec) (place, bool) {
	if at, ok := q.locate(p); ok {
		return at, true
	}
	return q.nearest(p, q.ix.snapReach)
}

// Path returns the shortest path from start to goal: of all ways over the mesh the one with the
// least horizontal length, up to the rounding of float64. Links count at their cost, see [Path].Cost. An
// end that is not on the mesh, see [Query.Locate], is moved to the nearest place within the agent's
// Radius plus MaxClimb (at least a centimetre), see [Query.Nearest]; the error is [ErrOffMesh] where
// there is none. A goal that cannot be reached is no error: the path is not Complete and has no points,
// which is known without a search. When ctx is done the search stops with its error.
//
// Where areas cost differently, see [Filter].AreaCosts, it is the cheapest path up to a ratio, see
// Query.Epsilon and [Path].LowerBound.
func (q *Query) Path(ctx context.Context, start, goal geom.Vec) (Path, error) {
	return q.path(ctx, start, goal, (*Query).findShortest)
}

// PathBetween is [Query.Path] for ends that are known: positions that queries of this mesh have returned. The
// error is [ErrOffMesh] if one is not a position of this mesh.
func (q *Query) PathBetween(ctx context.Context, start, goal Position) (Path, error) {
	from, err := q.ix.stand(start)
	if err != nil {
		return Path{}, err
	}
	to, err := q.ix.stand(goal)
	if err != nil {
		return Path{}, err
	}
	return q.between(ctx, from, to, (*Query).findShortest)
}

// Corridor returns the path that the portal graph gives: A* from portal to portal, then the
// shortest path inside the corridor of regions that it found. It is the search that most
// navigation meshes use, and often longer than what [Query.Path] returns.
// Ends and results are as there.
func (q *Query) Corridor(ctx context.Context, start, goal geom.Vec) (Path, error) {
	return q.path(ctx, start, goal, (*Query).findCorridor)
}

// path snaps the ends, lets find fill q.crossed and q.legs with a corridor, and pulls the path tight.
// find returns the number of expanded nodes.
func (q *Query) path(ctx context.Context, start, goal geom.Vec,
	find func(*Query, context.Context, place, place) (int, bool, error),
) (Path, error) {
	from, err := q.snap("start", start)
	if err != nil {
		return Path{}, err
	}
	to, err := q.snap("goal", goal)
	if err != nil {
		return Path{}, err
	}
	return q.between(ctx, from, to, find)
}

// between is path for ends that are known.
func (q *Query) between(ctx context.Context, from, to place,
	find func(*Query, context.Context, place, place) (int, bool, error),
) (Path, error) {
	ix := q.ix
	if !ix.joined(ix.regions[from.region].part, ix.regions[to.region].part) {
		return Path{}, nil
	}
	expanded := 0
	q.direct(from.region)
	q.proved = math.Inf(1)
	if from.region != to.region || ix.hasShortcuts() || ix.ground.uneven {
		var err error
		found := false
		q.proved = 0
		if expanded, found, err = find(q, ctx, from, to); err != nil || !found {
			return Path{Expanded: expanded}, err
		}
	}
	return q.pullTight(from, to, expanded), nil
}

// direct makes the corridor one of a region only.
func (q *Query) direct(r uint32) {
	q.crossed = q.crossed[:0]
	q.legs = append(q.legs[:0], leg{hop: none, first: r})
}

// pullTight returns the shortest path through the corridor in q.crossed and q.legs.
func (q *Query) pullTight(from, to place, expanded int) Path {
	path := Path{Complete: true, Expanded: expanded}
	q.profile.left = maxCompared
	q.points, q.regions, q.named, q.inside = q.points[:0], q.regions[:0], q.named[:0], q.inside[:0]
	q.grounds.list, q.grounds.first = q.grounds.list[:0], 0
	if q.ix.ground.uneven {
		q.pullCheapest(from, to, &path)
		return q.finish(path)
	}
	if len(q.legs) > 1 {
		q.settle(from.at, to.at)
	}
	for i := range q.legs {
		l := &q.legs[i]
		if l.hop != none {
			q.take(&l.taken, &path)
			from = place{l.first, l.taken.end, l.taken.endZ}
		}
		at := to
		if i+1 < len(q.legs) {
			h := &q.legs[i+1].taken
			at = place{h.from, h.start, h.startZ}
		}
		q.walkLeg(l, from, at, &path)
	}
	return q.finish(path)
}

// finish gives a path what was gathered on the way.
func (q *Query) finish(path Path) Path {
	if len(q.legs) > 1 {
		q.points = slices.Compact(q.points) // some links have no length
	}
	path.LowerBound = min(q.proved*lattice.Unit, path.Cost)
	path.Points, path.Regions, path.Crossings, path.Grounds = q.points, q.regions, q.named, q.grounds.list
	return path
}

// walkLeg adds the shortest way through the portals of a leg to a path.
func (q *Query) walkLeg(l *leg, from, to place, path *Path) {
	crossed := q.crossed[l.begin:l.end]
	bends := q.legBends(l, from.at, to.at)
	walked := 0.0
	for i := 1; i < len(bends); i++ {
		walked += distance(bends[i-1].Point, bends[i].Point) * lattice.Unit
	}
	path.Length += walked
	path.Cost += walked * q.ix.ground.metre
	path.SurfaceLength += q.raise(l.first, from.z, to.z, bends, crossed)
	q.addRegions(l.first, crossed)
}

// addRegions adds the regions of a leg to a path whose points end there.
func (q *Query) addRegions(first uint32, crossed []uint32) {
	ix := q.ix
	q.regions = append(q.regions, ix.regions[first].ref)
	for _, p := range crossed {
		q.regions = append(q.regions, ix.regions[ix.portals[p].to].ref)
	}
	q.leaveMarks()
}

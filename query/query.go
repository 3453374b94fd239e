package query

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/prepared"
	"github.com/meadow-nav/meadow/query/internal/route"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// ErrOffMesh reports a start or goal that is neither on the mesh nor near the mesh. The wrapping error names the end
// and its position.
var ErrOffMesh = index.ErrOffMesh

// ErrTooLarge reports a search that reached its limit of nodes. Among meshes without faults by [navmesh.Mesh.Validate],
// only meshes of many millions of portals come near the limit.
var ErrTooLarge = index.ErrTooLarge

// Query asks questions on a mesh. A Query owns the memory of its searches and allocates none after its first few
// answers; it belongs to one goroutine at a time. A zero or nil Query asks a mesh without regions.
type Query struct {
	// Flat makes rays, moves and walls ignore the floor: their ends take the height of the start position. Queries
	// become faster; [Index.Floor] returns the floor height on demand.
	Flat bool
	// Epsilon is the maximum relative excess cost of a path where the filter's area costs differ; 0 stands for
	// [DefaultEpsilon]. Effort is the maximum number of nodes for proving Epsilon; 0 stands for [DefaultEffort]. When
	// Effort runs out, the best path is returned with its Cost and LowerBound.
	Epsilon float64
	Effort  int

	own    *Index
	ix     *index.Index // of own
	places index.Locator

	corridor route.AStar
	one      exact.One
	way      route.Way
	trail    trail
	ray      index.Caster
	corners  prepared.Search
	spread   index.Spread
	many     exact.Many
	within   exact.Regions
	costs    []float64 // of the goals of many
	ranks    []int     // place in the sorted list of regions, by number
	lead     index.ReachSet
	nearby   []Nearby
	local    aroundSearch
	walls    wallSearch
	points   []geom.Vec
	regions  []navmesh.Ref
	named    []Crossing
	inside   []int32 // marks of named that the path is in
	proved   float64 // lower bound of any path's cost, in lattice units; +Inf stands for the cost of the path found
	cheap    weighted.Search
	bent     []bent // of a leg over uneven ground
	grounds  grounds
}

// ready returns q, or a new Query for nil. A zero Query asks the empty mesh.
func (q *Query) ready() *Query {
	if q != nil && q.ix != nil {
		return q
	}
	return q.onNothing()
}

// onNothing is ready for a zero or nil Query, apart from ready, which the compiler inlines.
func (q *Query) onNothing() *Query {
	if q == nil {
		q = new(Query)
	}
	q.own = emptyIndex()
	q.ix, q.one.Sights = q.own.geo, &q.own.sights
	return q
}

// NewQuery returns a Query with memory of its own. Queries of one Index may run at the same time.
func (ix *Index) NewQuery() *Query {
	ix = ix.ready()
	return &Query{own: ix, ix: ix.geo, one: exact.One{Sights: &ix.sights}}
}

// Path is a way over the floor. The bends of the way come with the Path. Its regions, and the floor between the bends,
// are made when they are first read, see [Path.Regions] and [Path.Surface].
//
// A Path belongs to its Query and is valid until the next question to the Query; [Path.Clone] makes a lasting copy. Any
// number of goroutines may read a valid Path.
type Path struct {
	// Complete says that the path leads to the goal. Between unconnected parts of the mesh no path is Complete, and the
	// path has no points.
	Complete bool
	// Points are the start, the places where the path turns, and the goal, in world space, each at floor height. From
	// point to point the path is straight, seen from above; the floor between may rise and fall, see [Path.Surface].
	Points []geom.Vec
	// Crossings are the links and marks on the path, in path order.
	Crossings []Crossing
	// Length is the horizontal length in metres, with the lengths of links.
	Length float64
	// Grounds are the stretches of the path over ground of one area each, in order, without links. A mesh whose regions
	// all have the same area has no Grounds.
	Grounds []Ground
	// Cost is the quantity that the search minimises: horizontal length, each metre weighted by its area cost, plus the
	// costs of links.
	Cost float64
	// LowerBound is the proved lower bound of any path's cost. LowerBound equals Cost where all ground costs the same,
	// and is 0 for paths by [Query.AStarPath], which prove nothing.
	LowerBound float64
	// Expanded is the number of nodes that the search expanded.
	Expanded int

	trail *trail
	mark  uint64 // the trail's mark when it was this path's
}

// Ratio returns the proved maximum ratio of the cost of p to the cost of the cheapest path: Cost divided by LowerBound,
// 1 where both are 0.
func (p Path) Ratio() float64 {
	if p.Cost == p.LowerBound {
		return 1
	}
	return p.Cost / p.LowerBound
}

// Crossing is a link or a mark on a path.
type Crossing struct {
	Link int // index in Mesh.Links, -1 for a mark
	Mark int // index in Mesh.Marks, -1 for a link without a mark
	// From and To are the ends of the link, or the places where the path enters and leaves the regions of the mark.
	From, To geom.Vec
}

// snap finds the end of a path: the place from Locate, else the nearest place within reach.
func (q *Query) snap(which string, p geom.Vec) (index.Place, error) {
	if at, ok := q.snapped(p); ok {
		return at, nil
	}
	return index.Place{}, q.offMesh(which, p)
}

// offMesh is the error of an end without floor, or on floor that the filter closes to the agent.
func (q *Query) offMesh(which string, p geom.Vec) error {
	whole := q.ix.Unfiltered()
	at, ok := q.places.Locate(whole, p)
	if !ok {
		at, ok = q.places.Nearest(whole, p, q.ix.SnapReach, &index.Anywhere)
	}
	if ok {
		return fmt.Errorf("%w: %s %v is on %s, which the agent may not enter", ErrOffMesh, which, p, q.ix.Mesh.AreaName(q.ix.Region(at.Region).Area))
	}
	return fmt.Errorf("%w: %s %v has no floor within %.2f m", ErrOffMesh, which, p, q.ix.SnapReach)
}

// snapped is snap without an error.
func (q *Query) snapped(p geom.Vec) (index.Place, bool) {
	if at, ok := q.places.Locate(q.ix, p); ok {
		return at, true
	}
	return q.places.Nearest(q.ix, p, q.ix.SnapReach, &index.Anywhere)
}

// Path returns the path of least horizontal length from start to goal, up to the rounding of float64. Links count at
// their cost, see [Path].Cost. An end off the mesh, see [Query.Locate], moves to the nearest place, see
// [Query.Nearest]. The reach is the agent's Radius plus MaxClimb, at least a centimetre; if no place is in reach, the
// error is [ErrOffMesh]. An unreachable goal is no error and needs no search: the path is not Complete and has no
// points. When ctx is done, the search stops with the error of ctx.
//
// Where area costs differ, see [Filter].AreaCosts, the path is the cheapest path up to a ratio, see Query.Epsilon and
// [Path].LowerBound.
func (q *Query) Path(ctx context.Context, start, goal geom.Vec) (Path, error) {
	q = q.ready()
	return q.path(ctx, start, goal, (*Query).findShortest)
}

// PathBetween is [Query.Path] for known ends: positions returned by queries of the same mesh. Any other position gives
// [ErrOffMesh].
func (q *Query) PathBetween(ctx context.Context, start, goal Position) (Path, error) {
	q = q.ready()
	if err := begin(ctx, "path"); err != nil {
		return Path{}, err
	}
	from, err := stand(q.ix, start)
	if err != nil {
		return Path{}, err
	}
	to, err := stand(q.ix, goal)
	if err != nil {
		return Path{}, err
	}
	return q.between(ctx, from, to, (*Query).findShortest)
}

// AStarPath returns the path by the portal graph: A* from portal to portal, then the shortest path inside the resulting
// corridor of regions. Most navigation meshes use this search; its path is often longer than the path of [Query.Path].
// Ends and results are as for Query.Path.
func (q *Query) AStarPath(ctx context.Context, start, goal geom.Vec) (Path, error) {
	q = q.ready()
	return q.path(ctx, start, goal, (*Query).findByAStar)
}

// findByAStar fills q.way by the portal graph.
func (q *Query) findByAStar(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	return q.corridor.Find(ctx, q.ix, &q.way, from, to)
}

// path snaps the ends, lets find fill q.way with a corridor, and pulls the path tight. find returns the
// number of expanded nodes.
func (q *Query) path(ctx context.Context, start, goal geom.Vec,
	find func(*Query, context.Context, index.Place, index.Place) (int, bool, error),
) (Path, error) {
	if err := begin(ctx, "path"); err != nil {
		return Path{}, err
	}
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

// between is path for known ends.
func (q *Query) between(ctx context.Context, from, to index.Place,
	find func(*Query, context.Context, index.Place, index.Place) (int, bool, error),
) (Path, error) {
	ix := q.ix
	if !ix.Connected(from.Region, to.Region) {
		return Path{}, nil
	}
	expanded := 0
	q.way.Direct(from.Region)
	q.proved = math.Inf(1)
	if from.Region != to.Region || ix.HasShortcuts() || ix.Ground.Uneven {
		var err error
		found := false
		q.proved = 0
		if expanded, found, err = find(q, ctx, from, to); err != nil || !found {
			return Path{Expanded: expanded}, err
		}
	}
	return q.pullTight(from, to, expanded), nil
}

// pullTight returns the shortest path through the corridor in q.way.
func (q *Query) pullTight(from, to index.Place, expanded int) Path {
	path := Path{Complete: true, Expanded: expanded}
	q.points, q.named, q.inside = q.points[:0], q.named[:0], q.inside[:0]
	q.grounds.list, q.grounds.first = q.grounds.list[:0], 0
	q.trail.begin(q.ix)
	if q.ix.Ground.Uneven {
		q.pullCheapest(from, to, &path)
		return q.finish(path)
	}
	if len(q.way.Legs) > 1 {
		q.way.Settle(q.ix, from.At, to.At)
	}
	for i := range q.way.Legs {
		l := &q.way.Legs[i]
		if l.Hop != index.None {
			q.take(&l.Taken, &path)
			from = index.Place{Region: l.First, At: l.Taken.End, Z: l.Taken.EndZ}
		}
		at := to
		if i+1 < len(q.way.Legs) {
			h := &q.way.Legs[i+1].Taken
			at = index.Place{Region: h.From, At: h.Start, Z: h.StartZ}
		}
		q.walkLeg(l, from, at, &path)
	}
	return q.finish(path)
}

// finish moves the gathered points and crossings into the path.
func (q *Query) finish(path Path) Path {
	if len(q.way.Legs) > 1 {
		q.points = slices.Compact(q.points) // some links have no length
	}
	path.LowerBound = min(q.proved*lattice.Unit, path.Cost)
	path.Points, path.Crossings, path.Grounds = q.points, q.named, q.grounds.list
	path.trail, path.mark = &q.trail, q.trail.mark
	return path
}

// walkLeg adds the shortest way through the portals of a leg to a path.
func (q *Query) walkLeg(l *route.Leg, from, to index.Place, path *Path) {
	bends := q.way.LegBends(q.ix, l, from.At, to.At)
	walked := 0.0
	for i := 1; i < len(bends); i++ {
		walked += index.Distance(bends[i-1].Point, bends[i].Point) * lattice.Unit
	}
	path.Length += walked
	path.Cost += walked * q.ix.Ground.Metre
	t := &q.trail
	for i := 0; ; i = straightTo(bends, i) {
		t.bends = append(t.bends, bends[i])
		if i+1 == len(bends) {
			break
		}
	}
	q.addLeg(l, from.Z, to.Z)
}

// addLeg adds a leg to the path, with bends from q.trail. z and goalZ are the heights of its ends.
func (q *Query) addLeg(l *route.Leg, z, goalZ float64) {
	leg := q.trail.add(l, q.way.Crossed[l.Begin:l.End], z, goalZ)
	q.addBends(leg)
	if q.ix.Marked != nil || q.ix.Varied {
		q.addStretches(leg)
	}
}

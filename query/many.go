package query

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Fan is the result of [Query.ToMany]. A Fan belongs to the Query and is valid until the Query's next path.
type Fan struct {
	// Costs has the Path.Cost of every goal, +Inf for an unreachable goal.
	Costs []float64
	// Expanded is the number of nodes that the search expanded.
	Expanded int

	q     *Query
	start index.Place
	// Stamps of the search and of its goals; any later search or goals invalidate the Fan.
	search, goals uint32
}

// ToMany finds the shortest paths from a start to many goals in one search. Ends are as for [Query.Path], and the error
// names the end off the mesh. An unreachable goal is no error. When ctx is done, the search stops with the error of
// ctx.
func (q *Query) ToMany(ctx context.Context, start geom.Vec, goals []geom.Vec) (Fan, error) {
	q = q.ready()
	return q.toMany(ctx, start, goals, false)
}

// NearestOf returns the index in goals of the goal with the shortest path from start, and the path; any of equally near
// goals may be chosen. The index is -1 if no goal is reachable. Ends and errors are as for [Query.ToMany].
func (q *Query) NearestOf(ctx context.Context, start geom.Vec, goals []geom.Vec) (goal int, path Path, err error) {
	q = q.ready()
	fan, err := q.toMany(ctx, start, goals, true)
	if err != nil {
		return index.None, Path{}, err
	}
	goal = index.None
	for i, c := range fan.Costs {
		if !math.IsInf(c, 1) && (goal == index.None || c < fan.Costs[goal]) {
			goal = i
		}
	}
	if goal == index.None {
		return index.None, Path{Expanded: fan.Expanded}, nil
	}
	path, err = fan.Path(ctx, goal)
	return goal, path, err
}

func (q *Query) toMany(ctx context.Context, start geom.Vec, goals []geom.Vec, nearest bool) (Fan, error) {
	if err := begin(ctx, "path"); err != nil {
		return Fan{}, err
	}
	ix, m := q.ix, &q.many
	from, err := q.snap("start", start)
	if err != nil {
		return Fan{}, err
	}
	m.Begin(ix.RegionLimit())
	for i, goal := range goals {
		to, err := q.snap("goal", goal)
		if err != nil {
			return Fan{}, fmt.Errorf("%w (goal %d of %d)", err, i, len(goals))
		}
		m.Add(ix, to, ix.Connected(from.Region, to.Region))
	}
	expanded := 0
	if m.Open > 0 && !ix.Ground.Uneven {
		if expanded, err = m.Find(ctx, &q.one.Tree, ix, from, nearest); err != nil {
			return Fan{}, err
		}
	}
	if !nearest || math.IsInf(m.LeastWay(), 1) {
		for i := range m.Goals {
			g := &m.Goals[i]
			if !g.Joined || g.Root != index.None {
				continue
			}
			q.way.Direct(from.Region)
			n, found, err := q.findSingly(ctx, from, g.Place)
			if expanded += n; err != nil {
				return Fan{}, err
			}
			if found {
				g.G = q.pullTight(from, g.Place, n).Cost * lattice.UnitsPerMetre / ix.Ground.Metre
			}
		}
	}
	q.costs = q.costs[:0]
	for i := range m.Goals {
		q.costs = append(q.costs, m.Goals[i].G*lattice.Unit*ix.Ground.Metre)
	}
	return Fan{Costs: q.costs, Expanded: expanded, q: q, start: from, search: q.one.Stamp, goals: m.Stamp}, nil
}

// findSingly finds a way to a goal missed by the common search. Over uneven ground, where no common search exists, the
// way is the cheapest.
func (q *Query) findSingly(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	if q.ix.Ground.Uneven {
		return q.findCheapest(ctx, from, to)
	}
	return q.corridor.Find(ctx, q.ix, &q.way, from, to)
}

// Path returns the shortest path to a goal, by its index in the goals of the Fan. For an unreachable goal the path is
// not Complete. The errors are an index out of range, and a Fan outdated by a later path of the Query.
func (f Fan) Path(ctx context.Context, goal int) (Path, error) {
	if err := begin(ctx, "fan"); err != nil {
		return Path{}, err
	}
	if goal < 0 || goal >= len(f.Costs) {
		return Path{}, fmt.Errorf("query: fan: goal %d of %d", goal, len(f.Costs))
	}
	q := f.q
	if q == nil || f.search != q.one.Stamp || f.goals != q.many.Stamp {
		return Path{}, fmt.Errorf("query: fan: goal %d: the search is gone, the query has been asked for another path", goal)
	}
	g := &q.many.Goals[goal]
	if math.IsInf(f.Costs[goal], 1) {
		return Path{Expanded: f.Expanded}, nil
	}
	if g.Root == index.None {
		q.way.Direct(f.start.Region)
		q.proved = 0
		_, found, err := q.findSingly(ctx, f.start, g.Place)
		if err != nil || !found {
			return Path{}, err
		}
		return q.pullTight(f.start, g.Place, f.Expanded), nil
	}
	q.one.Tree.Trace(&q.way, g.Root, g.View, g.In)
	if q.proved = math.Inf(1); q.many.Over {
		q.proved = 0
	}
	return q.pullTight(f.start, g.Place, f.Expanded), nil
}

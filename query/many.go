package query

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Shortest paths from one start to many goals.
//
// Source: S. Zhao, D. Taniar and D. D. Harabor, Fast k-nearest neighbor on a navigation mesh, SoCS 2018: the paper's
// target heuristic, and its interval heuristic where links cost less than their length, on the search of polyanya.go.
//
// Idea: The search for the nearest of many goals works as for one goal. The key of a node is the least length of a way
// through the node to any goal. Entering a region gives a way to every visible goal in the region. The way is the
// shortest once no waiting node is shorter.
//
// ToMany finds the goals one after the other. Nodes wait for one goal; once the goal is found, waiting nodes get
// estimates for the next goal. Expanded nodes have final ways for every goal and are not expanded again. Where too many
// nodes wait, a new search for the next goal is cheaper.
//
// Input: as in polyanya.go, and any number of goals.
//
// Guarantees:
//  1. Every cost equals the cost of Path to the goal, up to rounding (TestToManyAgainstPath, TestToManyAgainstOracle),
//     and the paths are equal too (TestToManyAgainstPath).
//  2. NearestOf finds the goal of the least cost (TestNearestOfAgainstPaths).
//
// Degenerate cases: a goal on a portal or at a vertex is met in each of its regions. Goals may coincide with each other
// and with the start. A goal hidden from the search by missing corner flags is left to the corridor search, as in Path.
// Wide links have the costs of the hops tried, see hops.go; the final path is moved along them and may be shorter.
//
// Over uneven ground every goal has a search of its own, see cheapest.go.
//
// Cost: at most the nodes of the searches for each goal, plus a pass over the waiting nodes per goal, at most about
// half a search. For NearestOf each node costs time O(g) for g goals. With links cheaper than their length, and for
// [Query.RegionsWithin], nodes wait with the distance from the start to their portal, as in Dijkstra's algorithm. The
// search then knows no direction, and among many obstacles its overlapping views become many.
//
// Departures: the paper finds the nearest targets in order of distance. ToMany takes the goals in the given order
// instead. In order of distance nodes were queued repeatedly, with 64 goals on open ground four times each. ToMany then
// took four times as long as single searches.

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

// manyGoal is a goal among many and the best way to the goal so far.
type manyGoal struct {
	index.Place
	joined     bool // a way may lead to the goal
	g          float64
	root, view int32 // as intervalSearch.bestRoot and bestView
	in         uint32
}

// manySearch is the memory of searches without a single goal.
type manySearch struct {
	goals    []manyGoal
	costs    []float64
	branches []uint32 // branches of the goals' regions, see index.Region.Branch
	around   []uint32
	// The goals in region r are the list of entries from first[r] on, if marks[r] equals the stamp.
	first   []int32
	marks   []uint32
	stamp   uint32
	entries []manyEntry
	open    int     // goals without a known way
	nearest bool    // only the nearest goal is wanted
	over    bool    // a search became too large; ways may be longer than the shortest
	turn    int32   // the goal that all nodes wait for, or none
	parked  []int32 // nodes that cannot lead to a shorter way to the goal turn
	aims    bool    // nodes wait with the least way to any goal,
	left    []int32 // and these are the goals

	within *withinSearch // set for searches by Query.RegionsWithin, else nil
}

type manyEntry struct{ goal, next int32 }

// begin resets the search.
func (m *manySearch) begin(regions int) {
	m.stamp++
	if len(m.marks) != regions || m.stamp == 0 {
		m.marks, m.first = make([]uint32, regions), make([]int32, regions)
		m.stamp = 1
	}
	m.goals, m.branches, m.entries = m.goals[:0], m.branches[:0], m.entries[:0]
	m.open, m.nearest, m.aims, m.over, m.within = 0, false, false, false, nil
	m.left, m.turn = m.left[:0], index.None
}

// add adds a goal.
func (m *manySearch) add(ix *index.Index, at index.Place, joined bool) {
	n := int32(len(m.goals))
	m.goals = append(m.goals, manyGoal{Place: at, joined: joined, g: math.Inf(1), root: index.None})
	if !joined {
		return
	}
	m.open++
	m.left = append(m.left, n)
	m.around = ix.RegionsAround(m.around[:0], at)
	for _, r := range m.around {
		next := int32(index.None)
		if m.marks[r] == m.stamp {
			next = m.first[r]
		} else {
			m.branches = append(m.branches, ix.Regions[r].Branch)
		}
		m.marks[r], m.first[r] = m.stamp, int32(len(m.entries))
		m.entries = append(m.entries, manyEntry{n, next})
	}
}

// limit returns the length beyond which ways no longer matter.
func (m *manySearch) limit() float64 {
	least, most := math.Inf(1), 0.0
	for i := range m.goals {
		if g := &m.goals[i]; g.joined {
			least, most = min(least, g.g), max(most, g.g)
		}
	}
	if m.nearest {
		return least
	}
	return most
}

// meet records that the search enters region in from region before, straight from a root or through a view.
func (q *Query) meet(in, before uint32, from, through int32) {
	s, m := &q.interval, &q.many
	if m.within != nil {
		m.within.meet(q, in, before, from, through)
		return
	}
	if m.marks[in] != m.stamp {
		return
	}
	r := &s.roots[from]
	for k := m.first[in]; k != index.None; k = m.entries[k].next {
		goal := &m.goals[m.entries[k].goal]
		way := plane.Towards(r.at, goal.At)
		if through != index.None {
			if v := &s.views[through]; plane.Cross(v.right, way) < 0 || plane.Cross(way, v.left) < 0 {
				continue
			}
		}
		if g := r.g + way.Norm(); g < goal.g {
			if goal.root == index.None {
				m.open--
			}
			matters := m.turn == index.None && (m.nearest || m.open == 0 && (goal.root == index.None || goal.g == s.best))
			if goal.g, goal.root, goal.view, goal.in = g, from, through, in; matters {
				s.best = m.limit()
			}
		}
	}
}

// keyOfMany returns the queue key of view i in a search for many goals.
func (q *Query) keyOfMany(i int32) float64 {
	s, m := &q.interval, &q.many
	v := &s.views[i]
	r := &s.roots[v.root]
	if m.turn != index.None {
		return r.g + q.estimate(v, m.goals[m.turn].At)
	}
	if !m.aims {
		return r.g + q.toPortal(v)
	}
	least := math.Inf(1)
	for _, k := range m.left {
		goal := m.goals[k].At
		if dx, dy := plane.Sub(goal, r.at); float64(dx*dx)+float64(dy*dy) < float64(least*least) {
			least = min(least, q.estimate(v, goal))
		}
	}
	return r.g + least
}

// toGoals returns the least length of a way from a point, the next root, to the current goal or goals; 0 without
// current goals.
func (q *Query) toGoals(at lattice.Point) float64 {
	m := &q.many
	if m.turn != index.None {
		return plane.Distance(at, m.goals[m.turn].At)
	}
	if !m.aims {
		return 0
	}
	least := math.Inf(1)
	for _, k := range m.left {
		least = min(least, plane.Distance(at, m.goals[k].At))
	}
	return least
}

// toPortal returns the distance from the root of v to the seen part of the portal, in lattice units.
func (q *Query) toPortal(v *view) float64 {
	at := q.interval.roots[v.root].at
	x, y := q.nearestSeen(v, float64(at.X), float64(at.Y))
	return plane.Length(x-float64(at.X), y-float64(at.Y))
}

// nearestSeen returns the point of the seen part of v's portal nearest to (x, y).
func (q *Query) nearestSeen(v *view, x, y float64) (nx, ny float64) {
	p := &q.ix.Portals[v.portal]
	rx, ry := plane.Sub(p.Right, q.interval.roots[v.root].at)
	ex, ey := plane.Sub(p.Left, p.Right)
	px, py := float64(p.Right.X), float64(p.Right.Y)
	foot := (float64((x-px)*ex) + float64((y-py)*ey)) / (float64(ex*ex) + float64(ey*ey))
	right := -plane.Beside(v.right, rx, ry) / plane.Beside(v.right, ex, ey)
	left := -plane.Beside(v.left, rx, ry) / plane.Beside(v.left, ex, ey)
	t := min(max(foot, right, 0), left, 1)
	return px + float64(t*ex), py + float64(t*ey)
}

// searchMany runs the search from a place, up to a length in lattice units.
func (q *Query) searchMany(ctx context.Context, from index.Place, reach float64) (expanded int, err error) {
	ix, s, m := q.ix, &q.interval, &q.many
	s.begin(ix.Turns + len(ix.Hops))
	s.many, s.best = true, reach
	inTurn := m.within == nil && !m.nearest && !ix.HasShortcuts()
	m.aims = m.within == nil && m.nearest && !ix.HasShortcuts()
	slices.Sort(m.branches)
	s.goalIn = math.MaxUint32
	s.everywhere, s.others = m.within != nil, append(s.others[:0], m.branches...)
	if len(m.branches) > 0 {
		s.toward = m.branches[0]
	}
	s.around, s.shortcuts = s.around[:0], s.shortcuts[:0]
	s.startSet = ix.RegionsAround(s.startSet[:0], from)
	if inTurn {
		return q.searchInTurn(ctx, from)
	}
	q.startMany(from)
	for done := false; !done; {
		if err := route.Cancelled(ctx); err != nil {
			return expanded, err
		}
		var n int
		n, done = q.advanceShortest(route.SliceNodes)
		expanded += n
	}
	if m.over = s.over; m.over && m.within != nil {
		return expanded, ErrTooLarge
	}
	return expanded, nil
}

// startMany makes the start a root and queues its views.
func (q *Query) startMany(from index.Place) {
	s := &q.interval
	start := int32(len(s.roots))
	s.roots = append(s.roots, root{at: from.At, portal: index.None, parent: index.None, before: index.None, visit: index.None, hop: index.None})
	for i, r := range s.startSet {
		before := slices.IndexFunc(s.startSet[:i], func(b uint32) bool { return meetAt(q.ix, b, r, from.At) })
		q.meet(r, s.startSet[max(before, 0)], start, index.None)
	}
	q.lookFrom(start, s.startSet)
}

// waitingPerNode limits the waiting nodes that searchInTurn keeps for the next goal, per node of a search for one goal.
// The nodes save work, but each needs a new key, and four keys cost as much time as one expansion. Beyond the limit, as
// on open ground, where ways to different goals have little in common, a new search is cheaper. Measured with
// BenchmarkToMany, where factors 1 to 4 instead of 2 are within a tenth.
const waitingPerNode = 2

// searchInTurn finds one goal after the other. Each search builds on the nodes of earlier searches.
func (q *Query) searchInTurn(ctx context.Context, from index.Place) (expanded int, err error) {
	s, m := &q.interval, &q.many
	m.parked = m.parked[:0]
	nodesAnew, searches := 0, 0 // number of searches that began anew, and their nodes
	for _, k := range m.left {
		m.turn = k
		goal := &m.goals[k]
		m.parked = s.heap.Drain(m.parked)
		anew := searches == 0 || s.over || len(m.parked)*searches > waitingPerNode*nodesAnew
		if anew {
			m.parked = m.parked[:0]
			s.forget()
			q.startMany(from)
		} else {
			q.waitInTurn()
		}
		nodes := 0
		for s.heap.Least() < goal.g {
			if nodes%route.SliceNodes == 0 {
				if err := route.Cancelled(ctx); err != nil {
					return expanded + nodes, err
				}
			}
			n, _ := q.advanceShortest(1)
			if nodes += n; s.over {
				m.over = true
				break
			}
		}
		if expanded += nodes; anew {
			nodesAnew, searches = nodesAnew+nodes, searches+1
		}
	}
	return expanded, nil
}

// waitInTurn queues the parked nodes for the current goal, except nodes that cannot lead to a shorter way than the
// known one.
func (q *Query) waitInTurn() {
	s, m := &q.interval, &q.many
	goal := &m.goals[m.turn]
	parked := m.parked[:0]
	for _, id := range m.parked {
		var key float64
		if i := id / 2; id%2 == 0 {
			key = q.keyOfMany(i)
		} else {
			r := &s.roots[i]
			if v, side := s.visit(r.visit), r.side(); v.done[side] || v.g[side] < r.g || v.least() < r.g-outdoneBy {
				continue
			}
			key = r.g + plane.Distance(r.at, goal.At)
		}
		if key < goal.g {
			s.heap.Add(key, id)
		} else {
			parked = append(parked, id)
		}
	}
	m.parked = parked
}

// forget makes the search begin anew. Roots and views stay, since earlier ways lead through them.
func (s *intervalSearch) forget() {
	s.heap.Reset()
	s.earlier, s.over = len(s.views)+len(s.roots), false
	if s.stamp++; s.stamp == 0 {
		clear(s.visits)
		s.stamp = 1
	}
}

// meetAt reports whether a portal that contains a point leads from region a to region b.
func meetAt(ix *index.Index, a, b uint32, at lattice.Point) bool {
	for k := ix.Regions[a].FirstPortal; k < ix.Regions[a].EndPortal; k++ {
		if p := &ix.Portals[k]; p.To == b && lattice.OnSegment(at, p.Left, p.Right) {
			return true
		}
	}
	return false
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
	m.begin(len(ix.Regions))
	m.nearest = nearest
	for i, goal := range goals {
		to, err := q.snap("goal", goal)
		if err != nil {
			return Fan{}, fmt.Errorf("%w (goal %d of %d)", err, i, len(goals))
		}
		m.add(ix, to, ix.Joined(ix.Regions[from.Region].Part, ix.Regions[to.Region].Part))
	}
	expanded := 0
	if m.open > 0 && !ix.Ground.Uneven {
		if expanded, err = q.searchMany(ctx, from, math.Inf(1)); err != nil {
			return Fan{}, err
		}
	}
	if !nearest || math.IsInf(m.limit(), 1) {
		for i := range m.goals {
			g := &m.goals[i]
			if !g.joined || g.root != index.None {
				continue
			}
			q.way.Direct(from.Region)
			n, found, err := q.findSingly(ctx, from, g.Place)
			if expanded += n; err != nil {
				return Fan{}, err
			}
			if found {
				g.g = q.pullTight(from, g.Place, n).Cost * lattice.UnitsPerMetre / ix.Ground.Metre
			}
		}
	}
	m.costs = m.costs[:0]
	for i := range m.goals {
		m.costs = append(m.costs, m.goals[i].g*lattice.Unit*ix.Ground.Metre)
	}
	return Fan{Costs: m.costs, Expanded: expanded, q: q, start: from, search: q.interval.stamp, goals: m.stamp}, nil
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
	if q == nil || f.search != q.interval.stamp || f.goals != q.many.stamp {
		return Path{}, fmt.Errorf("query: fan: goal %d: the search is gone, the query has been asked for another path", goal)
	}
	g := &q.many.goals[goal]
	if math.IsInf(f.Costs[goal], 1) {
		return Path{Expanded: f.Expanded}, nil
	}
	if g.root == index.None {
		q.way.Direct(f.start.Region)
		q.proved = 0
		_, found, err := q.findSingly(ctx, f.start, g.Place)
		if err != nil || !found {
			return Path{}, err
		}
		return q.pullTight(f.start, g.Place, f.Expanded), nil
	}
	s := &q.interval
	s.bestRoot, s.bestView, s.bestIn = g.root, g.view, g.in
	q.way.Crossed = q.way.Crossed[:0]
	q.traceShortest()
	if q.proved = math.Inf(1); q.many.over {
		q.proved = 0
	}
	return q.pullTight(f.start, g.Place, f.Expanded), nil
}

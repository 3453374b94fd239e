package query

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
	"github.com/meadow-nav/meadow/query/internal/route"
	"github.com/meadow-nav/meadow/query/internal/waiting"
)

// The interval search: provably shortest paths on convex regions.
//
// Source: M. Cui, D. D. Harabor and A. Grastien, Compromise-free pathfinding on a navigation mesh, IJCAI 2017
// (Polyanya). Cones bounded by vertices as in F. Bungiu, M. Hemmer, J. Hershberger, K. Huang and A. Kröller, Efficient
// computation of visibility polygons, EuroCG 2014.
//
// Idea: A root is a point where the path may turn. A view is a root with the part of a portal that the root sees
// through earlier portals. Behind the portal the root sees parts of the region's other portals, which are further
// views. When an end of a portal comes into sight and taut paths can bend around the end, the end becomes a root. The
// search expands nodes by the least length of a path through them. Hence the first way to the goal that no waiting node
// can beat is the shortest.
//
// Input: a mesh without faults by Validate; start and goal in the same part of the mesh.
//
// Guarantees:
//  1. The corridor contains a shortest path, up to the rounding of lengths (TestAgainstOracle,
//     TestPathIsNeverLongerThanOthers).
//  2. Visibility is decided exactly (TestPathsOnTheLattice).
//  3. Length depends neither on the direction (TestPathIsSymmetric) nor on the place of the frame
//     (TestPathMovesWithTheFrame).
//  4. Links are taken where the path becomes shorter, at their cost, also at costs below their length
//     (TestLinksAgainstOracle).
//
// Degenerate cases: views of width zero are dropped. Places behind the view are reached by the corner where the view
// closed, or by a view past the touched vertex on the other side. A portal seen edge-on can only be entered around its
// nearer end. A start on a portal or a vertex starts in all regions around the start; a goal may be reached in any
// region around the goal. Floors that touch in a point, or lie above each other, share no corners there, see
// index.Portal.LeftTurn. In a mesh without corner flags a goal may be out of sight; the corridor search then takes over.
//
// Cost: every corner becomes a root at most twice, once for each side of passing. A root with k views costs O(k (m +
// log n)) for regions with m portals. On real levels few corners ever become roots; the worst case is quadratic in the
// size of the mesh.
//
// Departures:
//   - The paper keeps the ends of an interval as rounded points. Here a view keeps its bounding vertices, lattice
//     points like the root, and visibility is the sign of an integer. Rounded intersections only estimate lengths.
//   - The paper makes the views behind a turn at once. Here the corner waits in the queue with the straight distance to
//     the goal as its estimate. When the corner leaves the queue, its way is the shortest, by the argument of A*; hence
//     each corner is expanded only once.
//   - Views and corners are dropped if shorter ways lead past them, see outdone.go. Where straight lines say little,
//     landmarks order the queue, see landmarks.go.
//   - The search skips portals that lead to the goal only back through the region they leave, see separations.go. The
//     paper does so for regions with one neighbour.
//   - The paper has no links. Here the search looks for the entrance of a link as for the goal. The end of the link is
//     a root that looks all around, see hops.go.

// view is the part of a portal that a root sees, between two directions.
type view struct {
	left, right plane.Direction // seen from the root, right to left by less than half a turn
	portal      uint32
	root        int32 // in intervalSearch.roots
	before      int32 // the previous view of the same root on the way here, or none
}

// root is a point where views start: the start of the path, the end of a hop, or a portal end that the path turns
// around into the portal.
type root struct {
	at       lattice.Point
	incoming plane.Direction // direction of the straight way to the root
	g        float64         // the length of the way from the start, in lattice units
	portal   int32           // none for the start and for the end of a hop
	left     bool            // the root is the left end of the portal; the path turns left
	visit    int32           // index in intervalSearch.visits, or none
	parent   int32           // the previous root
	before   int32           // the view of the previous root that shows this root, or none
	hop      int32           // the hop that ends at the root, or none
	in       uint32          // of a hop: the region where the way to the hop ends
	rest     float64         // lower bound by landmarks of the way to the goal
}

// visit is the search's record of a corner, indexed by the side of passing, 1 for left turns. The end of a hop uses
// index 0 only.
type visit struct {
	g     [2]float64 // length of the shortest known way
	stamp uint32
	done  [2]bool // g is final
	rest  float64 // lower bound by landmarks of the way to the goal; negative until computed
}

// least returns the length of the shortest known way to the corner.
func (v *visit) least() float64 { return min(v.g[0], v.g[1]) }

// intervalSearch is the memory of the interval search, reused from search to search.
type intervalSearch struct {
	heap    waiting.Queue // views as 2i, roots as 2i+1
	views   []view
	roots   []root
	visits  []visit // of corners, by index.Portal.LeftTurn and index.Portal.RightTurn, followed by those of hops
	stamp   uint32
	taken   int  // expanded nodes
	earlier int  // views and roots made before the last [intervalSearch.forget]
	over    bool // the search has reached its limit of nodes

	goal     lattice.Point
	around   []uint32 // the regions of the goal
	goalIn   uint32   // the first region of around
	toward   uint32   // index.Region.Branch of goalIn,
	others   []uint32 // and the branches of the other goal regions, ascending
	startSet []uint32 // the regions of the start
	best     float64  // length of the shortest way to the goal so far
	bestRoot int32    // the last root of the best way,
	bestView int32    // the view that contains the goal, or none,
	bestIn   uint32   // and the region where the best way ends

	shortcuts []index.Shortcut // shortcuts that may pay on the way to the goal
	scale     float64          // factor of estimates

	// Bounds by landmarks, unset until the search is aimed.
	aimed  bool
	aims   []landmarkAim
	waited []int32

	many       bool // the goals are those of Query.many, without a single goal
	everywhere bool // all regions are goals
}

// begin resets the search.
func (s *intervalSearch) begin(visits int) {
	s.heap.Reset()
	s.views, s.roots = s.views[:0], s.roots[:0]
	s.stamp++
	if len(s.visits) != visits || s.stamp == 0 {
		s.visits = make([]visit, visits)
		s.stamp = 1
	}
	s.best, s.many, s.everywhere = math.Inf(1), false, false
	s.aimed, s.aims, s.taken = false, s.aims[:0], 0
	s.earlier, s.over = 0, false
}

// findShortest fills q.way with a corridor that contains a shortest path between two places; found is
// false if no way joins the places.
func (q *Query) findShortest(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	if q.ix.Ground.Uneven {
		return q.findCheapest(ctx, from, to)
	}
	q.proved = math.Inf(1)
	if q.own.prepared != nil {
		if expanded, found, err = q.corners.Find(ctx, q.own.prepared, &q.way, from, to); found || err != nil {
			return expanded, found, err
		}
	}
	if q.beginShortest(from, to) {
		return 0, true, nil
	}
	for done := false; !done; {
		if err := route.Cancelled(ctx); err != nil {
			return expanded, false, err
		}
		var n int
		n, done = q.advanceShortest(route.SliceNodes)
		expanded += n
	}
	if q.interval.over || math.IsInf(q.interval.best, 1) {
		q.proved = 0
	}
	if math.IsInf(q.interval.best, 1) {
		// The corner flags of the mesh are wrong, the search has become too large, or no way leads over single links.
		more, found, err := q.corridor.Find(ctx, q.ix, &q.way, from, to)
		return expanded + more, found, err
	}
	q.traceShortest()
	return expanded, true, nil
}

// beginShortest starts a search between two places. done means that no search is needed: q.route.Way.Legs holds the corridor.
func (q *Query) beginShortest(from, to index.Place) (done bool) {
	ix, s := q.ix, &q.interval
	s.begin(ix.Turns + len(ix.Hops))
	s.goal = to.At
	s.around = ix.RegionsAround(s.around[:0], to)
	s.goalIn = s.around[0]
	s.toward, s.others = ix.Regions[s.goalIn].Branch, s.others[:0]
	for _, r := range s.around[1:] {
		s.others = append(s.others, ix.Regions[r].Branch)
	}
	slices.Sort(s.others)
	s.startSet = ix.RegionsAround(s.startSet[:0], from)
	s.roots = append(s.roots, root{at: from.At, portal: index.None, parent: index.None, before: index.None, visit: index.None, hop: index.None})
	s.shortcuts, s.scale = ix.AimShortcuts(s.shortcuts[:0], to.At), ix.Scale
	for _, r := range s.startSet {
		if !slices.Contains(s.around, r) {
			continue
		}
		if len(s.shortcuts) == 0 && s.scale == 1 {
			q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: r})
			return true
		}
		s.reach(plane.Distance(from.At, to.At), 0, index.None, r)
	}
	if len(s.startSet) == 1 && len(ix.Hops) == 0 && q.onlyCorridor() {
		return true
	}
	q.way.Crossed = q.way.Crossed[:0]
	q.lookFrom(0, s.startSet)
	return false
}

// advanceShortest expands at most budget nodes and returns their number. done means that no waiting node can lead to a
// shorter way than the best, or that the search is full; s.best is infinite while no way is known.
func (q *Query) advanceShortest(budget int) (expanded int, done bool) {
	s := &q.interval
	for expanded < budget {
		if s.taken++; s.taken > landmarkNodes && !s.aimed && q.own.landmarks.from != nil && !s.many {
			q.aimByLandmarks()
		}
		key := s.heap.Least()
		if key >= s.best || q.full() {
			return expanded, true
		}
		id := s.heap.Take()
		if id%2 == 0 {
			expanded++
			q.expand(id / 2)
			continue
		}
		r := &s.roots[id/2]
		v, side := s.visit(r.visit), r.side()
		if v.done[side] || v.g[side] < r.g || v.least() < r.g-outdoneBy {
			continue
		}
		v.done[side] = true
		expanded++
		if r.hop != index.None {
			q.land(id / 2)
		} else {
			q.turn(id / 2)
		}
	}
	return expanded, false
}

// wait queues a node, unless no way through the node can be shorter than the best way.
func (s *intervalSearch) wait(key float64, id int32) {
	if key < s.best {
		s.heap.Add(key, id)
	}
}

// isGoal reports whether a region is one of the goal's regions.
func (s *intervalSearch) isGoal(r uint32) bool {
	return r == s.goalIn || len(s.around) > 1 && slices.Contains(s.around, r)
}

// visit returns the record of a visit.
func (s *intervalSearch) visit(i int32) *visit {
	v := &s.visits[i]
	if v.stamp != s.stamp {
		*v = visit{g: [2]float64{math.Inf(1), math.Inf(1)}, stamp: s.stamp, rest: -1}
	}
	return v
}

// side returns the index of the root's way in its visit.
func (r *root) side() int {
	if r.left {
		return 1
	}
	return 0
}

// leads reports whether portal p can be on a way to the goal, or to one of many goals.
func (s *intervalSearch) leads(p *index.Portal) bool {
	return p.Leads(s.toward) || len(s.others) > 0 && s.leadsToOthers(p) || s.everywhere
}

// leadsToOthers is leads for all goals but the first.
func (s *intervalSearch) leadsToOthers(p *index.Portal) bool {
	// The range of branches behind p may wrap around.
	i, _ := slices.BinarySearch(s.others, p.Behind)
	return i < len(s.others) && p.Leads(s.others[i]) || p.Leads(s.others[0])
}

// lookFrom makes the views of root i, the start or the end of a hop, into the given regions around the root.
func (q *Query) lookFrom(i int32, regions []uint32) {
	ix, s := q.ix, &q.interval
	at := s.roots[i].at
	for _, r := range regions {
		if ix.FirstHop != nil {
			q.offerHops(r, i, index.None)
		}
		for k := ix.Regions[r].FirstPortal; k < ix.Regions[r].EndPortal; k++ {
			p := &ix.Portals[k]
			if !s.leads(p) || lattice.OnSegment(at, p.Left, p.Right) {
				continue // the regions behind are around the place itself
			}
			left, right := plane.Towards(at, p.Left), plane.Towards(at, p.Right)
			if plane.Cross(right, left) > 0 {
				q.look(view{left, right, k, i, index.None}, true, true)
			} else {
				q.lookAlong(k, i, index.None, left, right)
			}
		}
	}
}

// look queues a view, unless the view is outdone. Ends of the portal that have just come into sight are offered as
// roots.
func (q *Query) look(v view, newLeft, newRight bool) {
	s, p := &q.interval, &q.ix.Portals[v.portal]
	toLeft, toRight := math.Inf(1), math.Inf(1)
	if newLeft {
		toLeft = s.roots[v.root].g + v.left.Norm()
	}
	if newRight {
		toRight = s.roots[v.root].g + v.right.Norm()
	}
	if s.outdone(&v, p, toLeft, toRight) {
		return
	}
	i := int32(len(s.views))
	s.views = append(s.views, v)
	if newLeft && p.LeftTurn != index.NoTurn {
		q.offer(v.portal, true, p.LeftTurn, v.root, v.before, v.left, toLeft)
	}
	if newRight && p.RightTurn != index.NoTurn {
		q.offer(v.portal, false, p.RightTurn, v.root, v.before, v.right, toRight)
	}
	s.wait(q.key(i), 2*i)
}

// lookAlong offers the nearer end of a portal that the root sees edge-on, since no path turns at the other end. If
// distances of all corners are wanted, lookAlong offers both ends.
func (q *Query) lookAlong(k uint32, from, before int32, left, right plane.Direction) {
	p := &q.ix.Portals[k]
	toLeft, toRight := left.Norm(), right.Norm()
	g, both := q.interval.roots[from].g, q.interval.everywhere
	if p.LeftTurn != index.NoTurn && (toLeft < toRight || both) {
		q.offer(k, true, p.LeftTurn, from, before, left, g+toLeft)
	}
	if p.RightTurn != index.NoTurn && (toLeft >= toRight || both) {
		q.offer(k, false, p.RightTurn, from, before, right, g+toRight)
	}
}

// offer queues an end of portal p, a corner, as a root, unless an equally short way to the corner is known. way is the
// direction from the root that sees the corner, and g the length of the way over the root.
func (q *Query) offer(p uint32, left bool, turn, from, before int32, way plane.Direction, g float64) {
	s := &q.interval
	r := root{incoming: way, g: g, portal: int32(p), left: left, visit: turn, parent: from, before: before, hop: index.None}
	v, side := s.visit(turn), r.side()
	if v.done[side] || v.g[side] <= g || v.least() < g-outdoneBy {
		return
	}
	v.g[side] = g
	r.at = q.ix.Portals[p].Right
	if left {
		r.at = q.ix.Portals[p].Left
	}
	if len(s.aims) > 0 {
		if v.rest < 0 {
			v.rest = q.own.landmarks.rest(turn, s.aims)
		}
		r.rest = v.rest
	}
	key := g + max(r.rest, q.toGoal(r.at))
	if key >= s.best {
		return
	}
	s.heap.Add(key, 2*int32(len(s.roots))+1)
	s.roots = append(s.roots, r)
}

// expand makes the views behind a view.
func (q *Query) expand(i int32) {
	ix, s := q.ix, &q.interval
	v := s.views[i]
	at := s.roots[v.root].at
	entry := &ix.Portals[v.portal]
	if s.isGoal(entry.To) {
		way := plane.Towards(at, s.goal)
		if plane.Cross(v.right, way) >= 0 && plane.Cross(way, v.left) >= 0 {
			s.reach(s.roots[v.root].g+way.Norm(), v.root, i, entry.To)
		}
	}
	if s.many {
		q.meet(entry.To, ix.Portals[entry.Back].To, v.root, i)
	}
	if ix.FirstHop != nil {
		q.offerHops(entry.To, v.root, i)
	}
	r := &ix.Regions[entry.To]
	for k := r.FirstPortal; k < r.EndPortal; k++ {
		p := &ix.Portals[k]
		if k == entry.Back || !s.leads(p) {
			continue
		}
		// The root is strictly behind the entry and the region is before the entry. Hence all directions are within
		// half a turn and the signs below order them.
		left, right := plane.Towards(at, p.Left), plane.Towards(at, p.Right)
		// Signed reach of the view beyond the far ends of the portal.
		overRight, overLeft := plane.Cross(v.right, left), plane.Cross(right, v.left)
		if overRight < 0 || overLeft < 0 {
			continue
		}
		facing := plane.Cross(right, left)
		if facing <= 0 {
			if facing == 0 && plane.Cross(v.right, right) >= 0 {
				q.lookAlong(k, v.root, i, left, right)
			}
			continue
		}
		newLeft, newRight := plane.Cross(v.left, left) <= 0, plane.Cross(v.right, right) >= 0
		if !newLeft {
			left = v.left
		}
		if !newRight {
			right = v.right
		}
		if overRight > 0 && overLeft > 0 {
			q.look(view{left, right, k, v.root, i}, newLeft, newRight)
		}
	}
}

// turn makes the views of a root into the regions around the root. The regions start behind the root's portal and
// follow the direction of the turn, until no portal follows.
func (q *Query) turn(i int32) {
	ix, s := q.ix, &q.interval
	from := s.roots[i]
	p := uint32(from.portal)
	for range ix.Portals {
		in := ix.Portals[p].To
		if s.isGoal(in) {
			s.reach(from.g+plane.Distance(from.at, s.goal), i, index.None, in)
		}
		if s.many {
			q.meet(in, ix.Portals[ix.Portals[p].Back].To, i, index.None)
		}
		if ix.FirstHop != nil {
			q.offerHops(in, i, index.None)
		}
		r := &ix.Regions[in]
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			if o := &ix.Portals[k]; o.Left != from.at && o.Right != from.at && s.leads(o) {
				q.lookAround(k, i)
			}
		}
		next, ok := ix.Around(p, from.left)
		if !ok || next == uint32(from.portal) || q.full() {
			return
		}
		p = next
	}
}

// lookAround makes the view of root i through portal k, which belongs to a region around the root. After a left turn a
// path can only go on to the left of the way to the root; after a right turn, to the right.
func (q *Query) lookAround(k uint32, i int32) {
	from, p := &q.interval.roots[i], &q.ix.Portals[k]
	left, right := plane.Towards(from.at, p.Left), plane.Towards(from.at, p.Right)
	facing := plane.Cross(right, left)
	if facing <= 0 {
		way := plane.Cross(from.incoming, right)
		if facing == 0 && (way == 0 || way > 0 == from.left) {
			q.lookAlong(k, i, index.None, left, right)
		}
		return
	}
	newLeft, newRight := true, true
	if from.left {
		if plane.Cross(from.incoming, left) <= 0 {
			return
		}
		if plane.Cross(from.incoming, right) < 0 {
			right, newRight = from.incoming, false
		}
	} else {
		if plane.Cross(from.incoming, right) >= 0 {
			return
		}
		if plane.Cross(from.incoming, left) > 0 {
			left, newLeft = from.incoming, false
		}
	}
	q.look(view{left, right, k, i, index.None}, newLeft, newRight)
}

// estimate returns the least length, in lattice units, of a way from the root of v through v to a point.
func (q *Query) estimate(v *view, to lattice.Point) float64 {
	return estimateFrom(q.interval.roots[v.root].at, &q.ix.Portals[v.portal], v, to)
}

// estimateFrom returns the least length, in lattice units, of a way through view v of p to a point; the root is at at.
func estimateFrom(at lattice.Point, p *index.Portal, v *view, to lattice.Point) float64 {
	// Relative to the root: the right end, the portal, the point.
	rx, ry := plane.Sub(p.Right, at)
	ex, ey := plane.Sub(p.Left, p.Right)
	gx, gy := plane.Sub(to, at)
	if side := float64(ex*(gy-ry)) - float64(ey*(gx-rx)); side > 0 {
		// The point is on the root's side of the portal: mirror the point at the portal.
		away := 2 * side / (float64(ex*ex) + float64(ey*ey))
		gx, gy = gx+float64(away*ey), gy-float64(away*ex)
	}
	if plane.Beside(v.left, gx, gy) > 0 {
		return overEnd(v.left, rx, ry, ex, ey, gx, gy)
	}
	if plane.Beside(v.right, gx, gy) < 0 {
		return overEnd(v.right, rx, ry, ex, ey, gx, gy)
	}
	return plane.Length(gx, gy)
}

// overEnd returns the length of the way from the origin to (gx, gy) over the point where the ray along d meets a
// portal. The portal runs from (rx, ry) along (ex, ey).
func overEnd(d plane.Direction, rx, ry, ex, ey, gx, gy float64) float64 {
	t := -plane.Beside(d, rx, ry) / plane.Beside(d, ex, ey)
	t = min(max(t, 0), 1)
	x, y := rx+float64(t*ex), ry+float64(t*ey)
	return plane.Length(x, y) + plane.Length(gx-x, gy-y)
}

// key returns the queue key of a view: the least cost of a path through the view.
func (q *Query) key(i int32) float64 {
	s := &q.interval
	v := &s.views[i]
	if s.many {
		return q.keyOfMany(i)
	}
	least := q.estimate(v, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, q.estimate(v, c.At)+c.Rest)
	}
	return s.roots[v.root].g + max(s.roots[v.root].rest, float64(least*s.scale))
}

// reach records a way to the goal in region in, straight from a root or through a view.
func (s *intervalSearch) reach(g float64, from, through int32, in uint32) {
	if g < s.best {
		s.best, s.bestRoot, s.bestView, s.bestIn = g, from, through, in
	}
}

// traceShortest fills q.route.Way.Crossed with the portals of the best way and q.route.Way.Legs with its legs.
func (q *Query) traceShortest() {
	ix, s := q.ix, &q.interval
	q.way.Legs, q.way.Bends = q.way.Legs[:0], q.way.Bends[:0]
	i, through, in := s.bestRoot, s.bestView, s.bestIn
	for {
		for v := through; v != index.None; v = s.views[v].before {
			p := s.views[v].portal
			q.way.Crossed = append(q.way.Crossed, p)
			in = ix.Portals[ix.Portals[p].Back].To
		}
		r := &s.roots[i]
		if r.portal == index.None {
			q.way.Legs = append(q.way.Legs, route.Leg{Hop: r.hop, First: in, Begin: len(q.way.Crossed)})
			if r.hop == index.None {
				q.way.TurnBends(r.at)
				q.way.TurnLegs()
				return
			}
			in, through, i = r.in, r.before, r.parent
			continue
		}
		// Around the root, from its portal to the first region of the views.
		begin := len(q.way.Crossed)
		p, ok := uint32(r.portal), true
		for ok {
			q.way.Crossed = append(q.way.Crossed, p)
			if ix.Portals[p].To == in || len(q.way.Crossed)-begin > len(ix.Portals) {
				break
			}
			p, ok = ix.Around(p, r.left)
		}
		q.way.Bends = append(q.way.Bends, route.Bend{Point: r.at, Gate: len(q.way.Crossed) - 1})
		slices.Reverse(q.way.Crossed[begin:])
		in = ix.Portals[ix.Portals[r.portal].Back].To
		through, i = r.before, r.parent
	}
}

// nodes returns the number of nodes since the last new beginning of the search.
func (s *intervalSearch) nodes() int { return len(s.views) + len(s.roots) - s.earlier }

// full reports whether the search has reached its limit of nodes, and records the fact.
func (q *Query) full() bool {
	s := &q.interval
	s.over = s.over || s.nodes() > q.ix.Most || len(s.views) > maxID || len(s.roots) > maxID
	return s.over
}

// maxID bounds the views and the roots of a search: node numbers are up to twice as large.
const maxID = 1<<30 - 1<<24

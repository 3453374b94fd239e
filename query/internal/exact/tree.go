// Package exact finds shortest ways by the portals in sight: to one goal, to many, and to all regions within reach.
package exact

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
// index.Portal.LeftTurn. In a mesh without corner flags a goal may be out of sight; the corridor search then takes
// over.
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
//   - A corner with a list of the corners in its sight makes no views, see sights.go. It offers those on nearly the shortest
//     straight ways, and waits again with the others.
//   - Views and corners are dropped if shorter ways lead past them, see outdone.go. Where straight lines say little,
//     landmarks order the queue, see landmarks.go.
//   - The search skips portals that lead to the goal only back through the region they leave, see index.Portal.BehindCount. The
//     paper does so for regions with one neighbour.
//   - The paper has no links. Here the search looks for the entrance of a link as for the goal. The end of the link is
//     a root that looks all around, see index.Index.Hops.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// view is the part of a portal that a root sees, between two directions.
type view struct {
	Left, Right index.Direction // seen from the root, right to left by less than half a turn
	portal      uint32
	Root        int32 // in Tree.Roots
	before      int32 // the previous view of the same root on the way here, or none
}

// root is a point where views start: the start of the path, the end of a hop, or a portal end that the path turns
// around into the portal.
type root struct {
	At       lattice.Point
	incoming index.Direction // direction of the straight way to the root
	g        float64         // the length of the way from the start, in lattice units
	portal   int32           // none for the start and for the end of a hop
	left     bool            // the root is the left end of the portal; the path turns left
	visit    int32           // index in Tree.visits, or none
	parent   int32           // the previous root
	before   int32           // the view of the previous root that shows this root, or none
	hop      int32           // the hop that ends at the root, or none
	in       uint32          // of a hop: the region where the way to the hop ends
	sight    int32           // 1 + the sight of the previous root that shows this root, or 0
	rest     float64         // lower bound by landmarks of the way to the goal
	later    float64         // the least length of the straight ways over sights that the root has put off, or 0
}

// visit is the search's record of a corner, indexed by the side of passing, 1 for left turns. The end of a hop uses
// index 0 only.
type visit struct {
	g     [2]float64 // length of the shortest known way
	stamp uint32
	done  [2]bool // expanded with this g
	rest  float64 // lower bound by landmarks of the way to the goal; negative until computed
}

// least returns the length of the shortest known way to the corner.
func (v *visit) least() float64 { return floats.Min(v.g[0], v.g[1]) }

// Tree has the views and roots of a search. Each step of the search takes the node with the least key out of the queue
// and makes its views and roots. The steps serve all searches: each search meets the regions that a step has entered,
// and queues the new nodes with keys of its own.
type Tree struct {
	ix      *index.Index
	heap    pq.Queue // views as 2i, roots as 2i+1
	Views   []view
	Roots   []root
	visits  []visit // of corners, by index.Portal.LeftTurn and index.Portal.RightTurn, followed by those of hops
	Stamp   uint32
	earlier int     // views and roots made before the last [Tree.forget]
	Over    bool    // the search has reached its limit of nodes
	Best    float64 // ways of at least this length are of no use

	reopened int // roots whose way became shorter after their expansion

	startSet []uint32 // the regions of the start
	// The goals: index.Region.Branch of a goal region, and of the other goal regions, ascending. A search everywhere
	// has a mask of zero, and its goals are behind all portals.
	toward uint32
	others []uint32
	mask   uint32
	behind float64 // portals seen edge-on show their farther end at less than this distance behind the nearer end

	ends []float64 // of a search for distances over sights: lengths of ways that end at corners where no path turns

	// A listed root puts off the sights over which the straight ways to ahead are at least as long as horizon.
	horizon float64
	ahead   lattice.Point

	sights *Sights // nil for a search that looks through portals only
	ray    index.Caster

	// The last step: its root and the view of the root, or none, the entered regions and the new nodes. followed says
	// that the root has a list of sights, and has put off none before; the step has then entered no regions.
	from, through int32
	followed      bool
	entered       []entrance
	fresh         []int32
}

// entrance is a region that a step has entered, and the region before.
type entrance struct{ in, before uint32 }

// reset empties the tree for a search from a place.
func (s *Tree) reset(ix *index.Index, from index.Place) {
	s.ix = ix
	s.heap.Reset()
	s.Views, s.Roots = s.Views[:0], s.Roots[:0]
	s.Stamp++
	if visits := ix.Turns + len(ix.Hops); len(s.visits) < visits || s.Stamp == 0 {
		s.visits = make([]visit, roomFor(visits))
		s.Stamp = 1
	}
	s.earlier, s.Over, s.Best, s.reopened, s.sights, s.ends = 0, false, math.Inf(1), 0, nil, nil
	s.horizon = math.Inf(1)
	s.toward, s.others, s.mask, s.behind = math.MaxUint32, s.others[:0], math.MaxUint32, 0
	s.startSet = ix.RegionsAround(s.startSet[:0], from)
	s.entered, s.fresh = s.entered[:0], s.fresh[:0]
}

// roomFor returns a number a little larger than n, so that memory also suffices for the next snapshots of a mesh that
// changes.
func roomFor(n int) int { return n + n/16 }

// plant makes a place the first root. The start set has the regions of the place.
func (s *Tree) plant(at lattice.Point) int32 {
	i := int32(len(s.Roots))
	s.Roots = append(s.Roots, root{At: at, portal: index.None, parent: index.None, before: index.None, visit: index.None, hop: index.None})
	return i
}

// useful reports whether a node with the least key can lead to a way shorter than the best.
func (s *Tree) useful() bool { return s.heap.Least() < s.Best && !s.full() }

// step takes a node with the least key out of the queue and expands the node; ok is false for a node that a shorter way
// has made useless.
func (s *Tree) step() (ok bool) {
	id := s.heap.Take()
	s.entered, s.fresh, s.followed = s.entered[:0], s.fresh[:0], false
	if id%2 == 0 {
		s.from, s.through = s.Views[id/2].Root, id/2
		s.expand(id / 2)
		return true
	}
	r := &s.Roots[id/2]
	if s.stale(r) {
		return false
	}
	s.visit(r.visit).done[r.side()] = true
	s.from, s.through = id/2, index.None
	if begin, end, ok := s.sights.of(r); ok && s.sights.holds(r) {
		s.followed = r.later == 0
		s.follow(id/2, begin, end)
		if s.ends != nil {
			s.touch(id / 2)
		}
	} else if r.hop != index.None {
		s.land(id / 2)
	} else {
		s.turn(id / 2)
	}
	return true
}

// stale reports whether a root is expanded already, or a shorter way to its corner is known.
func (s *Tree) stale(r *root) bool {
	v, side := s.visit(r.visit), r.side()
	return v.done[side] && r.later == 0 || v.g[side] < r.g || v.least() < r.g-outdoneBy
}

// sees reports whether a point is in sight of a root through a view, or around the root for no view.
func (s *Tree) sees(through int32, way index.Direction) bool {
	if through == index.None {
		return true
	}
	v := &s.Views[through]
	return index.Cross(v.Right, way) >= 0 && index.Cross(way, v.Left) >= 0
}

// Nodes returns the number of nodes since the last new beginning of the search.
func (s *Tree) Nodes() int { return len(s.Views) + len(s.Roots) - s.earlier }

// full reports whether the search has reached its limit of nodes, and records the fact.
func (s *Tree) full() bool {
	s.Over = s.Over || s.Nodes() > s.ix.Most || len(s.Views) > maxID || len(s.Roots) > maxID
	return s.Over
}

// maxID bounds the views and the roots of a search: node numbers are up to twice as large.
const maxID = 1<<30 - 1<<24

// visit returns the record of a visit.
func (s *Tree) visit(i int32) *visit {
	v := &s.visits[i]
	if v.stamp != s.Stamp {
		*v = visit{g: [2]float64{math.Inf(1), math.Inf(1)}, stamp: s.Stamp, rest: -1}
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

// leads reports whether portal p can be on a way to the goal, to one of many goals, or to a link that the separations of
// the mesh do not know.
func (s *Tree) leads(p *index.Portal) bool {
	return (s.toward-p.Behind)&s.mask < p.BehindCount || len(s.others) > 0 && leadsToAny(p, s.others) ||
		len(s.ix.Starts) > 0 && leadsToAny(p, s.ix.Starts)
}

// leadsToAny reports whether portal p can be on a way to a region with one of the given branches, ascending.
func leadsToAny(p *index.Portal, branches []uint32) bool {
	// The range of branches behind p may wrap around.
	i, _ := slices.BinarySearch(branches, p.Behind)
	return i < len(branches) && p.Leads(branches[i]) || p.Leads(branches[0])
}

// lookFrom makes the views of root i, the start or the end of a hop, into the given regions around the root.
func (s *Tree) lookFrom(i int32, regions []uint32) {
	ix := s.ix
	at := s.Roots[i].At
	for _, r := range regions {
		if ix.HasHops() {
			s.offerHops(r, i, index.None)
		}
		portals := ix.PortalsOf(ix.Region(r))
		for j := range portals {
			p, k := &portals[j], ix.Region(r).FirstPortal+uint32(j)
			if !s.leads(p) || lattice.OnSegment(at, p.Left, p.Right) {
				continue // the regions behind are around the place itself
			}
			left, right := index.Towards(at, p.Left), index.Towards(at, p.Right)
			if index.Cross(right, left) > 0 {
				s.look(left, right, k, i, index.None, true, true)
			} else {
				s.lookAlong(k, i, index.None, left, right)
			}
		}
	}
}

// look makes the view of a portal from a root behind another view, unless the view is outdone. Ends of the portal that
// have just come into sight are offered as roots.
//
// The view is made where it stays, field by field: on js/wasm a copy of more than 16 bytes is a call.
func (s *Tree) look(left, right index.Direction, portal uint32, from, before int32, newLeft, newRight bool) {
	p := s.ix.Portal(portal)
	i := int32(len(s.Views))
	if len(s.Views) == cap(s.Views) {
		s.Views = slices.Grow(s.Views, 1)
	}
	s.Views = s.Views[:i+1]
	v := &s.Views[i]
	v.Left, v.Right, v.portal, v.Root, v.before = left, right, portal, from, before
	toLeft, toRight := math.Inf(1), math.Inf(1)
	if newLeft {
		toLeft = s.Roots[from].g + left.Norm()
	}
	if newRight {
		toRight = s.Roots[from].g + right.Norm()
	}
	if s.outdone(v, p, toLeft, toRight) {
		s.Views = s.Views[:i]
		return
	}
	if newLeft && p.LeftTurn != index.NoTurn {
		s.offer(portal, true, p.LeftTurn, from, before, left, toLeft)
	}
	if newRight && p.RightTurn != index.NoTurn {
		s.offer(portal, false, p.RightTurn, from, before, right, toRight)
	}
	s.fresh = append(s.fresh, 2*i)
}

// lookAlong offers the nearer end of a portal that the root sees edge-on, since no path turns at the other end.
func (s *Tree) lookAlong(k uint32, from, before int32, left, right index.Direction) {
	p := s.ix.Portal(k)
	toLeft, toRight := left.Norm(), right.Norm()
	g := s.Roots[from].g
	if p.LeftTurn != index.NoTurn && toLeft < toRight+s.behind {
		s.offer(k, true, p.LeftTurn, from, before, left, g+toLeft)
	}
	if p.RightTurn != index.NoTurn && toLeft >= toRight-s.behind {
		s.offer(k, false, p.RightTurn, from, before, right, g+toRight)
	}
}

// offer makes an end of portal p, a corner a root, unless an equally short way to the corner is known. way is the
// direction from the root that sees the corner, and g the length of the way over the root.
func (s *Tree) offer(p uint32, left bool, turn, from, before int32, way index.Direction, g float64) {
	v, side := s.visit(turn), 0
	if left {
		side = 1
	}
	if v.g[side] <= g || v.least() < g-outdoneBy || v.done[side] && !s.reopen(v, side, g) {
		return
	}
	v.g[side] = g
	if l := s.sights; l != nil && int(turn) < len(l.walls) && l.walls[turn].blunt(way, left) {
		return
	}
	i := len(s.Roots)
	if i == cap(s.Roots) {
		s.Roots = slices.Grow(s.Roots, 1)
	}
	s.Roots = s.Roots[:i+1]
	r := &s.Roots[i]
	r.At = s.ix.Portal(p).Right
	if left {
		r.At = s.ix.Portal(p).Left
	}
	r.incoming, r.g, r.portal, r.left, r.visit = way, g, int32(p), left, turn
	r.parent, r.before, r.hop, r.in, r.sight, r.rest, r.later = from, before, index.None, 0, 0, 0, 0
	s.fresh = append(s.fresh, 2*int32(i)+1)
}

// reopen makes a corner wait again whose way was taken for the shortest, if a way of length g is shorter by more than
// rounding. Bounds on a base may make a search expand a corner too early.
func (s *Tree) reopen(v *visit, side int, g float64) bool {
	if v.g[side] <= g+outdoneBy {
		return false
	}
	v.done[side] = false
	s.reopened++
	return true
}

// expand makes the views behind a view.
func (s *Tree) expand(i int32) {
	ix := s.ix
	v := &s.Views[i] // stays as it is when the list grows
	at := s.Roots[v.Root].At
	entry := ix.Portal(v.portal)
	s.entered = append(s.entered, entrance{entry.To, ix.Portal(entry.Back).To})
	if ix.HasHops() {
		s.offerHops(entry.To, v.Root, i)
	}
	r := ix.Region(entry.To)
	portals := ix.PortalsOf(r)
	for j := range portals {
		p, k := &portals[j], r.FirstPortal+uint32(j)
		if k == entry.Back || !s.leads(p) {
			continue
		}
		// The root is strictly behind the entry and the region is before the entry. Hence all directions are within
		// half a turn and the signs below order them.
		left, right := index.Towards(at, p.Left), index.Towards(at, p.Right)
		// Signed reach of the view beyond the far ends of the portal.
		overRight, overLeft := index.Cross(v.Right, left), index.Cross(right, v.Left)
		if overRight < 0 || overLeft < 0 {
			continue
		}
		facing := index.Cross(right, left)
		if facing <= 0 {
			if facing == 0 && index.Cross(v.Right, right) >= 0 {
				s.lookAlong(k, v.Root, i, left, right)
			}
			continue
		}
		newLeft, newRight := index.Cross(v.Left, left) <= 0, index.Cross(v.Right, right) >= 0
		if !newLeft {
			left = v.Left
		}
		if !newRight {
			right = v.Right
		}
		if overRight > 0 && overLeft > 0 {
			s.look(left, right, k, v.Root, i, newLeft, newRight)
		}
	}
}

// turn makes the views of a root into the regions around the root. The regions start behind the root's portal and
// follow the direction of the turn, until no portal follows.
func (s *Tree) turn(i int32) {
	ix := s.ix
	from := &s.Roots[i] // stays as it is when the list grows
	p := uint32(from.portal)
	for range ix.PortalLimit() {
		in := ix.Portal(p).To
		s.entered = append(s.entered, entrance{in, ix.Portal(ix.Portal(p).Back).To})
		s.turnInto(in, i)
		next, ok := ix.Around(p, from.left)
		if !ok || next == uint32(from.portal) || s.full() {
			return
		}
		p = next
	}
}

// turnInto makes the views of root i into a region around the root.
func (s *Tree) turnInto(in uint32, i int32) {
	ix := s.ix
	if ix.HasHops() {
		s.offerHops(in, i, index.None)
	}
	at := s.Roots[i].At
	r := ix.Region(in)
	portals := ix.PortalsOf(r)
	for j := range portals {
		if o := &portals[j]; o.Left != at && o.Right != at && s.leads(o) {
			s.lookAround(r.FirstPortal+uint32(j), i)
		}
	}
}

// lookAround makes the view of root i through portal k, which belongs to a region around the root. After a left turn a
// path can only go on to the left of the way to the root; after a right turn, to the right. Around a wall without width a
// path turns back by half a turn.
func (s *Tree) lookAround(k uint32, i int32) {
	from, p := &s.Roots[i], s.ix.Portal(k)
	left, right := index.Towards(from.At, p.Left), index.Towards(from.At, p.Right)
	facing := index.Cross(right, left)
	if facing <= 0 {
		way := index.Cross(from.incoming, right)
		if facing == 0 && (way == 0 || way > 0 == from.left) {
			s.lookAlong(k, i, index.None, left, right)
		}
		return
	}
	newLeft, newRight := true, true
	if from.left {
		over := index.Cross(from.incoming, right)
		if index.Cross(from.incoming, left) <= 0 && over <= 0 {
			return
		}
		if over < 0 {
			right, newRight = from.incoming, false
		}
	} else {
		over := index.Cross(from.incoming, left)
		if index.Cross(from.incoming, right) >= 0 && over >= 0 {
			return
		}
		if over > 0 {
			left, newLeft = from.incoming, false
		}
	}
	s.look(left, right, k, i, index.None, newLeft, newRight)
}

// offerHops makes the ends of the hops in region in roots, where a root sees their starts through a view; without a
// view, all starts in the region are visible.
func (s *Tree) offerHops(in uint32, from, through int32) {
	ix := s.ix
	for _, i := range ix.HopsOf(in) {
		h := &ix.Hops[i]
		way := index.Towards(s.Roots[from].At, h.Start)
		if !s.sees(through, way) {
			continue
		}
		g := s.Roots[from].g + way.Norm() + h.Cost
		n := int32(ix.Turns) + i
		v := s.visit(n)
		if v.g[0] <= g || v.done[0] && !s.reopen(v, 0, g) {
			continue
		}
		v.g[0] = g
		s.fresh = append(s.fresh, 2*int32(len(s.Roots))+1)
		s.Roots = append(s.Roots, root{At: h.End, g: g, portal: index.None, visit: n, parent: from, before: through, hop: i, in: in})
	}
}

// land continues the search from the end of a hop, root i.
func (s *Tree) land(i int32) {
	from := s.Roots[i]
	ends := s.ix.EndsOf(&s.ix.Hops[from.hop])
	for _, r := range ends {
		s.entered = append(s.entered, entrance{r, from.in})
	}
	s.lookFrom(i, ends)
}

// estimate returns the least length, in lattice units, of a way from the root of v through v to a point.
func (s *Tree) estimate(v *view, to lattice.Point) float64 {
	return s.ix.Portal(v.portal).Least(s.Roots[v.Root].At, v.Left, v.Right, to)
}

// toPortal returns the distance from the root of v to the seen part of the portal, in lattice units.
func (s *Tree) toPortal(v *view) float64 {
	at := s.Roots[v.Root].At
	x, y := s.nearestSeen(v, float64(at.X), float64(at.Y))
	return index.Length(x-float64(at.X), y-float64(at.Y))
}

// nearestSeen returns the point of the seen part of v's portal nearest to (x, y).
func (s *Tree) nearestSeen(v *view, x, y float64) (nx, ny float64) {
	p := s.ix.Portal(v.portal)
	rx, ry := index.Sub(p.Right, s.Roots[v.Root].At)
	ex, ey := index.Sub(p.Left, p.Right)
	px, py := float64(p.Right.X), float64(p.Right.Y)
	foot := (float64((x-px)*ex) + float64((y-py)*ey)) / (float64(ex*ex) + float64(ey*ey))
	right := -index.Beside(v.Right, rx, ry) / index.Beside(v.Right, ex, ey)
	left := -index.Beside(v.Left, rx, ry) / index.Beside(v.Left, ex, ey)
	t := floats.Min(floats.Max(floats.Max(foot, right), 0), floats.Min(left, 1))
	return px + float64(t*ex), py + float64(t*ey)
}

// forget makes the search begin anew. Roots and views stay, since earlier ways lead through them.
func (s *Tree) forget() {
	s.heap.Reset()
	s.earlier, s.Over = len(s.Views)+len(s.Roots), false
	if s.Stamp++; s.Stamp == 0 {
		clear(s.visits)
		s.Stamp = 1
	}
}

// Trace fills a way with the way to region in, over root i and a view of the root, or none.
func (s *Tree) Trace(w *route.Way, i, through int32, in uint32) {
	w.Crossed, w.Legs, w.Bends = w.Crossed[:0], w.Legs[:0], w.Bends[:0]
	s.traceOn(w, i, through, in)
}

// traceOn is Trace for a way whose end is known.
func (s *Tree) traceOn(w *route.Way, i, through int32, in uint32) {
	ix := s.ix
	for {
		for v := through; v != index.None; v = s.Views[v].before {
			p := s.Views[v].portal
			w.Crossed = append(w.Crossed, p)
			in = ix.Portal(ix.Portal(p).Back).To
		}
		r := &s.Roots[i]
		if r.portal == index.None {
			w.Legs = append(w.Legs, route.Leg{Hop: r.hop, First: in, Begin: len(w.Crossed)})
			if r.hop == index.None {
				w.TurnBends(r.At)
				w.TurnLegs()
				return
			}
			in = r.in
		} else {
			gate := len(w.Crossed)
			if s.traceAround(w, r, in) {
				gate = len(w.Crossed) - 1
			}
			w.Bends = append(w.Bends, route.Bend{Point: r.At, Gate: gate})
			in = ix.Portal(ix.Portal(uint32(r.portal)).Back).To
		}
		if r.sight > 0 {
			for n := s.sights.list[r.sight-1].way; n != index.None; n = s.sights.ways[n].before {
				p := s.sights.ways[n].portal
				if s.sights.stale != nil {
					p = s.sights.present(p)
				}
				w.Crossed = append(w.Crossed, p)
				in = ix.Portal(ix.Portal(p).Back).To
			}
		}
		through, i = r.before, r.parent
	}
}

// traceAround adds the portals around a root, from region in back to the root's portal. ok is false if the turn of the
// root does not lead to region in: the way then goes straight on along the root's portal, and in is the region before.
func (s *Tree) traceAround(w *route.Way, r *root, in uint32) (ok bool) {
	ix := s.ix
	begin := len(w.Crossed)
	p, more := uint32(r.portal), true
	for more && len(w.Crossed)-begin <= ix.PortalLimit() {
		w.Crossed = append(w.Crossed, p)
		if ix.Portal(p).To == in {
			slices.Reverse(w.Crossed[begin:])
			return true
		}
		p, more = ix.Around(p, r.left)
	}
	w.Crossed = w.Crossed[:begin]
	return false
}

// start makes a place the first root and enters its regions.
func (s *Tree) start(at lattice.Point) {
	s.from, s.through = s.plant(at), index.None
	s.entered, s.fresh = s.entered[:0], s.fresh[:0]
	for i, r := range s.startSet {
		before := slices.IndexFunc(s.startSet[:i], func(b uint32) bool { return meetAt(s.ix, b, r, at) })
		s.entered = append(s.entered, entrance{r, s.startSet[max(before, 0)]})
	}
}

// queueByDistance queues the nodes of the last step with their distance from the start.
func (s *Tree) queueByDistance() {
	for _, id := range s.fresh {
		key := 0.0
		if id%2 == 0 {
			v := &s.Views[id/2]
			key = s.Roots[v.Root].g + s.toPortal(v)
		} else {
			key = s.Roots[id/2].g
		}
		if key < s.Best {
			s.heap.Add(key, id)
		}
	}
}

// queueTo queues the nodes of the last step with the least length of a way to a goal.
func (s *Tree) queueTo(goal lattice.Point) {
	for _, id := range s.fresh {
		if key := s.keyTo(id, goal); key < s.Best {
			s.heap.Add(key, id)
		}
	}
}

// keyTo returns the least length of a way through a node to a goal.
func (s *Tree) keyTo(id int32, goal lattice.Point) float64 {
	if id%2 == 0 {
		v := &s.Views[id/2]
		return s.Roots[v.Root].g + s.estimate(v, goal)
	}
	r := &s.Roots[id/2]
	return r.g + index.Distance(r.At, goal)
}

// meetAt reports whether a portal that contains a point leads from region a to region b.
func meetAt(ix *index.Index, a, b uint32, at lattice.Point) bool {
	for k := ix.Region(a).FirstPortal; k < ix.Region(a).EndPortal; k++ {
		if p := ix.Portal(k); p.To == b && lattice.OnSegment(at, p.Left, p.Right) {
			return true
		}
	}
	return false
}

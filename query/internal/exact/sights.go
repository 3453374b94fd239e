package exact

// The corners that a corner sees, found when the index is made.
//
// Source: S. Oh and H. W. Leong, Edge N-Level Sparse Visibility Graphs: fast optimal any-angle pathfinding using
// hierarchical taut paths, SoCS 2017: the graph of taut edges. Y.-H. Liu and S. Arimoto, Path planning using a tangent
// graph for mobile robots among polygonal and curved obstacles, International Journal of Robotics Research 11 (1992).
//
// Idea: A corner sees the same corners in every search. A path that turns left around a corner comes and goes with the
// walls on its left: the directions to go on fill less than half a turn. Sights lists the corners and hops in these
// directions where a path can turn again, for both sides of passing. A search that takes a listed corner out of the queue
// reads the list in place of looking through portals. A straight walk tells whether the corner sees the goal.
//
// Input: an Index whose regions are convex.
//
// Guarantees:
//  1. Paths are as long as without lists (TestSightsLeavePaths, TestAgainstOracle, TestLinksAgainstOracle); so are the
//     distances of corners (TestDistancesOverSights).
//  2. A list has the corners in straight reach where paths can turn around both, but for corners behind
//     another corner on the straight way (TestSightsAgainstRays).
//  3. Limits bound the lists (TestSightsLimits), the same for any number of goroutines (TestSightsForAnyJobs).
//
// Distances: a way may also end at a corner where no path turns, coming straight at the walls, or along a portal past a
// nearer corner. These corners are noted beside the lists until all distances are measured.
//
// Degenerate cases: a corner whose walls are unknown, or whose look goes through too many portals, has no list: the
// search looks for itself. Directions that only touch the walls stay in the lists.
//
// Cost: time O(v) for v portals in sight of all listed corners, and no more than the limits allow. 12 bytes for
// a sight and 8 for each portal on the ways of a corner's sights, 40 bytes a corner. A corner of k sights costs O(k log n) in a search.
//
// Departures: the paper's graph is on a grid and has levels; here the search stops at the first, as goals need no levels.

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Limits bound the lists. A limit of 0 bounds nothing.
type Limits struct {
	Look  int // portals in sight of a listed corner, for a side of passing
	Mean  int // portals in sight of corners, in the mean of all corners
	Bytes int // the size of the lists
}

// Usual returns the limits of lists that every Index has: on open ground corners may have thousands of portals in sight. Of twelve levels,
// open ground of 512 m needs the most, 303 portals in the mean and 1256 at most.
func Usual() Limits { return Limits{Look: 1536, Mean: 320} }

// Sights are lists of what corners see. The zero value has no lists.
type Sights struct {
	ix    *index.Index // in use
	base  *index.Index // of the lists: the numbers of their corners, portals and hops
	stale bitset       // lists that do not hold on the Index in use, see changes.go
	spans []sightSpan  // of corner c on side s at 2c+s, see root.side
	list  []sight
	ways  []sightWay
	at    []lattice.Point // of corners
	walls []walls
	// Until [Sights.Forget], the other corners in sight, where no path turns: of span i from blunt[first[i]] up to
	// first[i+1]. first is nil if their number goes beyond the limits.
	blunt []int32
	first []uint32
}

// sightSpan is a list: the sights from begin up to end; begin is unlisted for a corner without a list.
type sightSpan struct{ begin, end uint32 }

const unlisted = 1<<32 - 1

// sight is a corner or a hop in sight.
type sight struct {
	visit int32  // index in Tree.visits
	via   uint32 // of a corner: 2·portal, plus 1 for the left end of the portal; of a hop: the region of its start
	way   int32  // the last portal on the way: an index in Sights.ways, or none
}

// sightWay is a portal on the way to a sight, and the portal before: an index in Sights.ways, or none. Sights of a corner share
// the first portals of their ways.
type sightWay struct {
	portal uint32
	before int32
}

// walls are the directions of the walls at a corner: the free space is counter-clockwise from first to last. An unknown
// wall has direction zero.
type walls struct{ first, last index.Direction }

// known reports whether both walls are known.
func (w *walls) known() bool { return w.first != index.Direction{} && w.last != index.Direction{} }

// blunt reports whether a way to the corner goes straight at known walls: no path turns around the corner then.
func (w *walls) blunt(way index.Direction, left bool) bool {
	if !w.known() {
		return false
	}
	if left {
		return index.Cross(way, w.last) < 0
	}
	return index.Cross(way, w.first) > 0
}

// Choose makes the lists of an Index within limits. Looks from many corners run side by side; the limits count them in order.
func (l *Sights) Choose(ctx context.Context, ix *index.Index, most Limits) error {
	if !ix.Sound || ix.Turns == 0 {
		return nil
	}
	m := Sights{ix: ix, base: ix, spans: make([]sightSpan, 2*ix.Turns), at: make([]lattice.Point, ix.Turns), walls: make([]walls, ix.Turns)}
	m.first = make([]uint32, 0, 2*ix.Turns+1)
	from := m.beginnings(ix)
	packs := make([]pack, min(packsAtOnce, (ix.Turns+packCorners-1)/packCorners))
	views := 0
	for begin := 0; begin < ix.Turns; begin += packsAtOnce * packCorners {
		if !m.full(most, views) {
			err := par.For(ctx, 0, len(packs), func(k int) error {
				packs[k].look(&m, from, begin+k*packCorners, most)
				return nil
			})
			if err != nil {
				return err
			}
		}
		m.reserve(packs, begin)
		for k := range packs {
			m.take(&packs[k], begin+k*packCorners, &views, most)
		}
	}
	if m.first = append(m.first, uint32(len(m.blunt))); most.Bytes > 0 && 4*len(m.blunt) > most.Bytes {
		m.Forget()
	}
	*l = m
	return nil
}

// A pack is the looks from packCorners corners. Side by side are at most packsAtOnce.
const (
	packCorners = 32
	packsAtOnce = 8
)

// pack has the lists of some corners, as Sights have those of all.
type pack struct {
	outlook outlook
	lists   [2 * packCorners]packList
	list    []sight
	ways    []sightWay
	blunt   []int32
}

// packList is the result of a look: the number of views, and the lengths of the pack's lists after the look.
type packList struct {
	views             int
	whole             bool
	list, ways, blunt int
}

// look replaces the lists of a pack by those of the corners from begin on.
func (p *pack) look(l *Sights, from []uint32, begin int, most Limits) {
	p.list, p.ways, p.blunt = p.list[:0], p.ways[:0], p.blunt[:0]
	for i := range p.lists {
		c, o := begin+i/2, packList{}
		if c < len(l.at) && from[2*c+i%2] != unlisted && l.walls[c].known() {
			o.whole = p.outlook.look(l.ix, l.at[c], &l.walls[c], from[2*c+i%2], i%2 == 1, most.Look)
			if o.views = len(p.outlook.views); o.whole {
				p.keep(l.walls)
			}
		}
		o.list, o.ways, o.blunt = len(p.list), len(p.ways), len(p.blunt)
		p.lists[i] = o
	}
}

// reserve makes room for the lists of packs, whose first corner is begin, and for as long lists of the corners behind.
func (l *Sights) reserve(packs []pack, begin int) {
	list, ways, blunt := len(l.list), len(l.ways), len(l.blunt)
	for k := range packs {
		list, ways, blunt = list+len(packs[k].list), ways+len(packs[k].ways), blunt+len(packs[k].blunt)
	}
	all := float64(len(l.at)) / float64(min(begin+len(packs)*packCorners, len(l.at)))
	l.list, l.ways, l.blunt = withRoom(l.list, list, all), withRoom(l.ways, ways, all), withRoom(l.blunt, blunt, all)
}

// withRoom returns a slice with room for n elements. The end result has all times as many elements, as far as known: later lists may be
// longer, or limits may end the lists. Hence the room is a little larger, and at most twice as large as n.
func withRoom[T any](s []T, n int, all float64) []T {
	if n <= cap(s) {
		return s
	}
	out := make([]T, len(s), int(float64(n)*min(all*1.125, 2)))
	copy(out, s)
	return out
}

// take appends the lists of a pack, up to the limits.
func (l *Sights) take(p *pack, begin int, views *int, most Limits) {
	before := packList{}
	for i := range p.lists {
		if begin+i/2 >= len(l.at) {
			return
		}
		o := p.lists[i]
		span := &l.spans[2*begin+i]
		l.first = append(l.first, uint32(len(l.blunt)))
		*span = sightSpan{begin: unlisted}
		if !l.full(most, *views) {
			if *views += o.views; o.whole {
				shift := int32(len(l.ways) - before.ways)
				span.begin = uint32(len(l.list))
				for _, s := range p.list[before.list:o.list] {
					if s.way != index.None {
						s.way += shift
					}
					l.list = append(l.list, s)
				}
				span.end = uint32(len(l.list))
				for _, w := range p.ways[before.ways:o.ways] {
					if w.before != index.None {
						w.before += shift
					}
					l.ways = append(l.ways, w)
				}
				// Corners beyond the limit do not count: the notes are then dropped.
				if most.Bytes == 0 || 4*len(l.blunt) <= most.Bytes {
					l.blunt = append(l.blunt, p.blunt[before.blunt:o.blunt]...)
				}
			}
		}
		before = o
	}
}

// beginnings notes the places and the walls of all corners, and returns the portals where looks begin, by corner and side.
func (l *Sights) beginnings(ix *index.Index) []uint32 {
	from := make([]uint32, 2*ix.Turns)
	for i := range from {
		from[i] = unlisted
	}
	for r := range uint32(ix.RegionLimit()) {
		first, portals := ix.Region(r).FirstPortal, ix.PortalsOf(ix.Region(r))
		for i := range portals {
			p, k := &portals[i], first+uint32(i)
			if p.RightTurn != index.NoTurn {
				l.meet(ix, p.RightTurn, k, false, from)
			}
			if p.LeftTurn != index.NoTurn {
				l.meet(ix, p.LeftTurn, k, true, from)
			}
		}
	}
	return from
}

// full reports whether lists have reached a limit, after looks through a number of portals.
func (l *Sights) full(most Limits, views int) bool {
	return most.Mean > 0 && views >= most.Mean*len(l.at) || most.Bytes > 0 && l.Bytes() >= most.Bytes
}

// meet notes the walls at an end of portal k, a corner, if a wall is beside the portal there.
func (l *Sights) meet(ix *index.Index, turn int32, k uint32, left bool, from []uint32) {
	p := ix.Portal(k)
	l.at[turn] = p.Right
	if left {
		l.at[turn] = p.Left
	}
	if _, ok := ix.Around(k, left); ok {
		return
	}
	// The region behind the portal is the last around the corner, and its border there is a wall.
	first, last := angleOf(ix.Ring(p.To), l.at[turn])
	if left {
		l.walls[turn].last = last
		from[2*turn] = p.Back // right turns begin at the last wall
	} else {
		l.walls[turn].first = first
		from[2*turn+1] = p.Back
	}
}

// angleOf returns the directions that bound a region at a point of its border, counter-clockwise from first to last.
func angleOf(ring []lattice.Vertex, at lattice.Point) (first, last index.Direction) {
	before := ring[len(ring)-1].Point
	for i := range ring {
		corner, after := ring[i].Point, ring[(i+1)%len(ring)].Point
		if corner == at {
			return index.Towards(at, after), index.Towards(at, before)
		}
		if before != at && lattice.OnSegment(at, before, corner) {
			return index.Towards(at, corner), index.Towards(at, before)
		}
		before = corner
	}
	return first, last
}

// keep appends the corners and hops of a look.
func (p *pack) keep(walls []walls) {
	o := &p.outlook
	p.blunt = append(p.blunt, o.far...)
	for i := range o.seen {
		g := &o.seen[i]
		if int(g.visit) < len(walls) && walls[g.visit].blunt(g.way, g.via%2 == 1) {
			p.blunt = append(p.blunt, g.visit)
			continue
		}
		p.list = append(p.list, sight{g.visit, g.via, p.wayThrough(g.through)})
	}
}

// wayThrough returns the way through a view of a finished look. The portal before a view on a kept way becomes -2 less the index of
// the way.
func (p *pack) wayThrough(view int32) (way int32) {
	way = index.None
	last := &way
	for view != index.None {
		v := &p.outlook.views[view]
		if v.before < index.None {
			*last = -2 - v.before
			break
		}
		*last = int32(len(p.ways))
		view, v.before = v.before, -2-*last
		p.ways = append(p.ways, sightWay{v.portal, index.None})
		last = &p.ways[len(p.ways)-1].before
	}
	return way
}

// of returns the list of a root; ok is false for a root without a list.
func (l *Sights) of(r *root) (begin, end uint32, ok bool) {
	if l == nil || int(r.visit) >= len(l.at) || r.visit < 0 {
		return 0, 0, false
	}
	span := l.spans[2*int(r.visit)+r.side()]
	return span.begin, span.end, span.begin != unlisted
}

// holds reports whether the list of a root holds on the Index in use.
func (l *Sights) holds(r *root) bool {
	return l.stale == nil || !l.stale.has(2*uint32(r.visit)+uint32(r.side()))
}

// Forget frees the corners that only [Regions.DistancesFrom] reads.
func (l *Sights) Forget() { l.blunt, l.first = nil, nil }

// Lists reports whether the lists are those of an Index, which then comes from a mesh without edits.
func (l *Sights) Lists(ix *index.Index) bool { return l.base == ix }

// share returns the part of the corners with known walls, on both sides, that have lists.
func (l *Sights) share() float64 {
	known, listed := 0, 0
	for c := range l.spans {
		if l.walls[c/2].known() {
			known++
			if l.spans[c].begin != unlisted {
				listed++
			}
		}
	}
	return float64(listed) / float64(max(known, 1))
}

// Size returns the number of corners and hops in the lists, and whether every corner with known walls has its lists.
func (l *Sights) Size() (sights int, whole bool) {
	for c := range l.spans {
		if l.spans[c].begin == unlisted && l.walls[c/2].known() {
			return len(l.list), false
		}
	}
	return len(l.list), true
}

// Bytes returns the size of the lists.
func (l *Sights) Bytes() int {
	return 8*len(l.spans) + 12*len(l.list) + 8*len(l.ways) + 24*len(l.at)
}

// follow offers the sights of root i, from begin up to end, and those that the root has put off before. Sights beyond the horizon are
// put off: the root waits anew.
func (s *Tree) follow(i int32, begin, end uint32) {
	from, l := s.Roots[i], s.sights
	base, changed := l.base, l.stale != nil
	later, putOff := math.Inf(1), !math.IsInf(s.horizon, 1)
	for k := begin; k < end; k++ {
		o := &l.list[k]
		if int(o.visit) >= len(l.at) {
			if s.ix.HasHops() {
				s.followHop(i, int32(k))
			}
			continue
		}
		at := l.at[o.visit]
		way := index.Towards(from.At, at)
		if turn := index.Cross(from.incoming, way); turn != 0 && turn > 0 != from.left {
			continue
		}
		g := from.g + way.Norm()
		if putOff {
			least := g + index.Distance(at, s.ahead)
			if least >= s.horizon {
				later = floats.Min(later, least)
				continue
			}
			if least < from.later {
				continue
			}
		}
		v, side := s.visit(o.visit), o.via%2
		if v.g[side] <= g || v.least() < g-outdoneBy || !s.leads(base.Portal(o.via/2)) || v.done[side] && !s.reopen(v, int(side), g) {
			continue
		}
		portal := o.via / 2
		if changed {
			portal = l.present(portal)
		}
		v.g[side] = g
		s.fresh = append(s.fresh, 2*int32(len(s.Roots))+1)
		s.Roots = append(s.Roots, root{At: at, incoming: way, g: g, portal: int32(portal), left: side == 1, visit: o.visit, parent: i, before: index.None, hop: index.None, sight: int32(k) + 1})
	}
	s.Roots[i].later = 0
	if later < s.Best {
		s.Roots[i].later = later
		s.fresh = append(s.fresh, 2*i+1)
	}
}

// touch records the ways that end at corners in the sight of root i where no path turns.
func (s *Tree) touch(i int32) {
	r, l := &s.Roots[i], s.sights
	span := 2*int(r.visit) + r.side()
	for _, c := range l.blunt[l.first[span]:l.first[span+1]] {
		s.ends[c] = floats.Min(s.ends[c], r.g+index.Distance(r.At, l.at[c]))
	}
}

// followHop offers sight k of root i, a hop.
func (s *Tree) followHop(i, k int32) {
	from, o := &s.Roots[i], &s.sights.list[k]
	n := o.visit - int32(len(s.sights.at))
	h := &s.ix.Hops[n]
	if h.Closed() {
		return
	}
	way := index.Towards(from.At, h.Start)
	if turn := index.Cross(from.incoming, way); turn != 0 && turn > 0 != from.left {
		return
	}
	g := from.g + way.Norm() + h.Cost
	visit := int32(s.ix.Turns) + n
	v := s.visit(visit)
	if v.g[0] <= g || v.done[0] && !s.reopen(v, 0, g) {
		return
	}
	v.g[0] = g
	s.fresh = append(s.fresh, 2*int32(len(s.Roots))+1)
	s.Roots = append(s.Roots, root{At: h.End, g: g, portal: index.None, visit: visit, parent: i, before: index.None, hop: n, in: o.via, sight: k + 1})
}

// mayGoOn reports whether a way may go on in a direction from a listed root.
func (s *Tree) mayGoOn(r *root, way index.Direction) bool {
	w := &s.sights.walls[r.visit]
	if r.left {
		return index.Cross(r.incoming, way) >= 0 && index.Cross(way, w.last) >= 0
	}
	return index.Cross(r.incoming, way) <= 0 && index.Cross(way, w.first) <= 0
}

// besides returns the place of a corner in the region behind its portal.
func (s *Tree) besides(r *root) index.Place {
	return index.Place{Region: s.ix.Portal(uint32(r.portal)).To, At: r.At}
}

// Of returns the corners in a list, one after the other, without hops; ok is false for a corner without a list.
func (l *Sights) Of(corner int32, left bool) (seen []int32, ok bool) {
	r := root{visit: corner, left: left}
	begin, end, ok := l.of(&r)
	if !ok || !l.holds(&r) {
		return nil, false
	}
	for _, o := range l.list[begin:end] {
		if int(o.visit) < len(l.at) {
			seen = append(seen, o.visit)
		}
	}
	return seen, true
}

package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Links in searches.
//
// A link between points is a hop: from its start one comes to its end at its cost. A link between
// segments is a row of hops along them, at both ends and at most hopSpacing apart, so that a way over
// it is longer than it need be by less than hopSpacing, and mostly by much less.
//
// A search may estimate what is left by the straight distance to the goal as long as no hop is cheaper
// than it is long. The others are shortcuts: the least that the way over a chain of them can cost,
// with straight ways in between, is known beforehand for each first and last one (R. W. Floyd,
// Algorithm 97, Communications of the ACM 5 (1962)). For a goal that leaves for each shortcut the least
// rest from its start on, and the estimate is the smallest of the straight distance and the ways to the
// shortcuts with their rests. It never exceeds the truth, and along a way it never falls by more than
// what the way costs, so that what comes out of the queue first is final, as without links.

// hopSpacing is the distance of hops along a link, in lattice units.
const hopSpacing = lattice.UnitsPerMetre / 4

// hop is a place where a link may be taken.
type hop struct {
	start, end          lattice.Point
	startZ, endZ        float64 // lattice units
	from, to            uint32
	firstEnd, endOfEnds uint32  // the regions where it ends: Index.hopEnds[firstEnd:endOfEnds]
	link                int32   // in Mesh.Links
	cost                float64 // lattice units
}

// addHops takes up the links that are open, all where open is nil.
func (ix *Index) addHops(open func(link int) bool) {
	m := ix.mesh
	for i := range m.Links {
		l := &m.Links[i]
		if open != nil && !open(i) {
			continue
		}
		if _, _, ok := m.Region(l.From); !ok {
			continue
		}
		if _, _, ok := m.Region(l.To); !ok {
			continue
		}
		ix.addLink(int32(i), l)
	}
	if len(ix.hops) == 0 {
		return
	}
	// Each hop is known to all regions that its start belongs to.
	type known struct {
		region uint32
		hop    int32
	}
	var at []known
	var around []uint32
	for i := range ix.hops {
		h := &ix.hops[i]
		around = ix.regionsAround(around[:0], place{region: h.from, at: h.start})
		for _, r := range around {
			at = append(at, known{r, int32(i)})
		}
		around = ix.regionsAround(around[:0], place{region: h.to, at: h.end})
		h.firstEnd = uint32(len(ix.hopEnds))
		ix.hopEnds = append(ix.hopEnds, around...)
		h.endOfEnds = uint32(len(ix.hopEnds))
	}
	slices.SortStableFunc(at, func(a, b known) int { return cmp.Compare(a.region, b.region) })
	ix.firstHop = make([]uint32, len(ix.regions)+1)
	for _, k := range at {
		ix.hopsAt = append(ix.hopsAt, k.hop)
		ix.firstHop[k.region+1]++
	}
	for r := range ix.regions {
		ix.firstHop[r+1] += ix.firstHop[r]
	}
	ix.boundShortcuts()
}

// addLink adds the hops of a link.
func (ix *Index) addLink(number int32, l *navmesh.Link) {
	from, to := ix.number(l.From), ix.number(l.To)
	cost := float64(l.Cost) * lattice.UnitsPerMetre
	straight := max(distance(l.Start[0].Point, l.End[0].Point), distance(l.Start[1].Point, l.End[1].Point))
	long := max(distance(l.Start[0].Point, l.Start[1].Point), distance(l.End[0].Point, l.End[1].Point))
	n := math.Ceil(long / hopSpacing)
	for i := 0.0; i <= n; i++ {
		t := 0.0
		if n > 0 {
			t = i / n
		}
		start, startZ := between(l.Start, t)
		end, endZ := between(l.End, t)
		h := hop{
			start: ix.roundInto(from, start[0], start[1]), startZ: startZ,
			end: ix.roundInto(to, end[0], end[1]), endZ: endZ,
			from: from, to: to, link: number, cost: cost,
		}
		if cost >= straight {
			h.cost = max(cost, distance(h.start, h.end)) // rounding makes no shortcuts
		}
		ix.hops = append(ix.hops, h)
	}
}

// number returns the number of a region that exists.
func (ix *Index) number(r navmesh.Ref) uint32 { return ix.first[r.Slot()] + uint32(r.Index()) }

// between returns the place at a part of the way along a segment.
func between(s [2]lattice.Vertex, t float64) (at [2]float64, z float64) {
	mix := func(a, b int32) float64 { return float64(a) + float64(t*float64(int64(b)-int64(a))) }
	return [2]float64{mix(s[0].X, s[1].X), mix(s[0].Y, s[1].Y)}, mix(s[0].Z, s[1].Z)
}

// hopsOf returns the hops that start in region r.
func (ix *Index) hopsOf(r uint32) []int32 {
	if ix.firstHop == nil {
		return nil
	}
	return ix.hopsAt[ix.firstHop[r]:ix.firstHop[r+1]]
}

// endsOf returns the regions where hop h ends.
func (ix *Index) endsOf(h *hop) []uint32 { return ix.hopEnds[h.firstEnd:h.endOfEnds] }

// maxShortcuts bounds the shortcuts of which all chains are known; with more, estimates are scaled.
const maxShortcuts = 96

// boundShortcuts finds the hops that are cheaper than they are long, and the least cost of chains of
// them: chains[i·k+j] is that of ways from the start of shortcut i over it, and over any others, to the
// end of shortcut j, the last one. Time O(k³) for k shortcuts.
func (ix *Index) boundShortcuts() {
	ix.scale = 1
	for i := range ix.hops {
		h := &ix.hops[i]
		if d := distance(h.start, h.end); h.cost < d {
			ix.shortcuts = append(ix.shortcuts, int32(i))
			ix.scale = min(ix.scale, h.cost/d)
		}
	}
	k := len(ix.shortcuts)
	if k > maxShortcuts {
		ix.shortcuts = nil
		return
	}
	ix.scale = 1
	// First from the end of each to the end of each other.
	c := make([]float64, k*k)
	for i := range k {
		for j := range k {
			if i != j {
				to := &ix.hops[ix.shortcuts[j]]
				c[i*k+j] = distance(ix.hops[ix.shortcuts[i]].end, to.start) + to.cost
			}
		}
	}
	for via := range k {
		for i := range k {
			for j := range k {
				c[i*k+j] = min(c[i*k+j], c[i*k+via]+c[via*k+j])
			}
		}
	}
	for i := range k {
		for j := range k {
			c[i*k+j] += ix.hops[ix.shortcuts[i]].cost
		}
	}
	ix.chains = c
}

// shortcut is the start of one and the least rest of a way from there over it to the goal.
type shortcut struct {
	at   lattice.Point
	rest float64
}

// aimShortcuts appends the shortcuts that may pay on the way to a goal. Time O(k²) for k shortcuts.
func (ix *Index) aimShortcuts(list []shortcut, goal lattice.Point) []shortcut {
	k := len(ix.shortcuts)
	for i, h := range ix.shortcuts {
		rest := math.Inf(1)
		for j, last := range ix.shortcuts {
			rest = min(rest, ix.chains[i*k+j]+distance(ix.hops[last].end, goal))
		}
		if at := ix.hops[h].start; rest < distance(at, goal) {
			list = append(list, shortcut{at, rest})
		}
	}
	return list
}

// toGoal returns the least cost of a way from a point to the goal.
func (s *intervalSearch) toGoal(at lattice.Point) float64 {
	least := distance(at, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, distance(at, c.at)+c.rest)
	}
	return least * s.scale
}

// offerHops queues the ends of the hops in region in as roots, where a root sees their starts, through
// a view or, where that is none, all that there is.
func (q *Query) offerHops(in uint32, from, through int32) {
	ix, s := q.ix, &q.interval
	for _, i := range ix.hopsOf(in) {
		h := &ix.hops[i]
		way := towards(s.roots[from].at, h.start)
		if through != none {
			if v := &s.views[through]; cross(v.right, way) < 0 || cross(way, v.left) < 0 {
				continue
			}
		}
		g := s.roots[from].g + way.norm() + h.cost
		n := 2*int32(ix.turns) + i
		v := s.visit(n)
		if v.done || v.g <= g {
			continue
		}
		v.g = g
		s.heap.Push(g+s.toGoal(h.end), 2*int32(len(s.roots))+1)
		s.roots = append(s.roots, root{at: h.end, g: g, portal: none, visit: n, parent: from, before: through, hop: i, in: in})
	}
}

// land goes on from the end of a hop, which is root i.
func (q *Query) land(i int32) {
	s := &q.interval
	from := s.roots[i]
	ends := q.ix.endsOf(&q.ix.hops[from.hop])
	for _, r := range ends {
		if slices.Contains(s.around, r) {
			s.reach(from.g+distance(from.at, s.goal), i, none, r)
		}
	}
	q.lookFrom(i, ends)
}

// leg is a part of a path that is walked.
type leg struct {
	hop        int32  // that leads to its start, none for the first leg
	first      uint32 // the region where it starts
	begin, end int    // its portals: q.crossed[begin:end]
}

// turnLegs turns q.crossed and q.legs around that were found from the goal to the start. There the begin
// of a leg is the number of portals crossed since the goal.
func (q *Query) turnLegs() {
	slices.Reverse(q.crossed)
	slices.Reverse(q.legs)
	end := len(q.crossed)
	for i := range slices.Backward(q.legs) {
		q.legs[i].begin, q.legs[i].end = len(q.crossed)-q.legs[i].begin, end
		end = q.legs[i].begin
	}
}

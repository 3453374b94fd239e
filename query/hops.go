package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// Links in searches.
//
// A link between points is a hop, from its start to its end at its cost. A link between segments is a row of hops, at
// both ends of the segments and at most hopSpacing apart. The best hop is then moved along the link to make the way
// through the same regions as short as possible. A way over wide links is longer than the shortest by less than
// hopSpacing per link. If the hop next to the best place leads through the same regions, the link adds no excess.

// hopSpacing is the distance of hops along a link, in lattice units.
const hopSpacing = lattice.UnitsPerMetre / 4

// hop is a place to take a link.
type hop struct {
	start, end          lattice.Point
	startZ, endZ        float64 // lattice units
	from, to            uint32
	firstEnd, endOfEnds uint32  // the regions at the end: Index.hopEnds[firstEnd:endOfEnds]
	link                int32   // in Mesh.Links
	cost                float64 // lattice units
	// Of a wide link: t is the relative position along the link, and step the relative distance of hops. Both are 0 for
	// a link between points.
	t, step float64
}

// addHops adds the hops of the open links; a nil open means all links.
func (ix *geometry) addHops(open func(link int) bool) {
	m := ix.mesh
	var list []int32
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
		list = append(list, int32(i))
	}
	spacing := hopSpacingFor(m, list)
	for _, i := range list {
		ix.addLink(i, &m.Links[i], spacing)
	}
	if len(ix.hops) == 0 {
		return
	}
	// Each hop is listed in all regions around its start.
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

// widthOf returns the width of a link at its wider end.
func widthOf(l *navmesh.Link) float64 {
	return max(plane.Distance(l.Start[0].Point, l.Start[1].Point), plane.Distance(l.End[0].Point, l.End[1].Point))
}

// hopSpacingFor returns the distance of hops along wide links, in lattice units: hopSpacing, or more to limit the
// number of hops of all links, see limits.go.
func hopSpacingFor(m *navmesh.Mesh, links []int32) float64 {
	all := 0.0
	for _, i := range links {
		all += widthOf(&m.Links[i])
	}
	return max(hopSpacing, all/float64(hopStart+hopsOver*len(links)))
}

func (ix *geometry) addLink(number int32, l *navmesh.Link, spacing float64) {
	n := math.Ceil(widthOf(l) / spacing)
	step := 0.0
	if n > 0 {
		step = 1 / n
	}
	for i := 0.0; i <= n; i++ {
		h := ix.hopAt(number, min(float64(i*step), 1))
		h.step = step
		ix.hops = append(ix.hops, h)
	}
}

// hopAt returns the hop at relative position t along a link, whose two regions exist.
func (ix *geometry) hopAt(link int32, t float64) hop {
	l := &ix.mesh.Links[link]
	from, to := ix.number(l.From), ix.number(l.To)
	start, startZ := between(l.Start, t)
	end, endZ := between(l.End, t)
	h := hop{
		start: ix.roundInto(from, start[0], start[1]), startZ: startZ,
		end: ix.roundInto(to, end[0], end[1]), endZ: endZ,
		from: from, to: to, link: link, t: t, cost: float64(l.Cost) * lattice.UnitsPerMetre / ix.ground.metre,
	}
	straight := max(plane.Distance(l.Start[0].Point, l.End[0].Point), plane.Distance(l.Start[1].Point, l.End[1].Point))
	if h.cost >= straight {
		h.cost = max(h.cost, plane.Distance(h.start, h.end)) // rounding makes no shortcuts
	}
	return h
}

// number returns the number of an existing region.
func (ix *geometry) number(r navmesh.Ref) uint32 { return ix.first[r.Slot()] + uint32(r.Index()) }

// between returns the place at relative position t along a segment.
func between(s [2]lattice.Vertex, t float64) (at [2]float64, z float64) {
	mix := func(a, b int32) float64 { return float64(a) + float64(t*float64(int64(b)-int64(a))) }
	return [2]float64{mix(s[0].X, s[1].X), mix(s[0].Y, s[1].Y)}, mix(s[0].Z, s[1].Z)
}

// hopsOf returns the hops with a start in region r.
func (ix *geometry) hopsOf(r uint32) []int32 {
	if ix.firstHop == nil {
		return nil
	}
	return ix.hopsAt[ix.firstHop[r]:ix.firstHop[r+1]]
}

// endsOf returns the regions around the end of hop h.
func (ix *geometry) endsOf(h *hop) []uint32 { return ix.hopEnds[h.firstEnd:h.endOfEnds] }

// offerHops queues the ends of the hops in region in as roots, where a root sees their starts through a view; without a
// view, all starts in the region are visible.
func (q *Query) offerHops(in uint32, from, through int32) {
	ix, s := q.ix, &q.interval
	for _, i := range ix.hopsOf(in) {
		h := &ix.hops[i]
		way := plane.Towards(s.roots[from].at, h.start)
		if through != none {
			if v := &s.views[through]; plane.Cross(v.right, way) < 0 || plane.Cross(way, v.left) < 0 {
				continue
			}
		}
		g := s.roots[from].g + way.Norm() + h.cost
		n := int32(ix.turns) + i
		v := s.visit(n)
		if v.done[0] || v.g[0] <= g {
			continue
		}
		v.g[0] = g
		key := g + q.toGoal(h.end)
		if key >= s.best {
			continue
		}
		s.heap.add(key, 2*int32(len(s.roots))+1)
		s.roots = append(s.roots, root{at: h.end, g: g, portal: none, visit: n, parent: from, before: through, hop: i, in: in})
	}
}

// land continues the search from the end of a hop, root i.
func (q *Query) land(i int32) {
	s := &q.interval
	from := s.roots[i]
	ends := q.ix.endsOf(&q.ix.hops[from.hop])
	for _, r := range ends {
		if s.isGoal(r) {
			s.reach(from.g+plane.Distance(from.at, s.goal), i, none, r)
		}
		if s.many {
			q.meet(r, from.in, i, none)
		}
	}
	q.lookFrom(i, ends)
}

package weighted

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Gates are the crossings of ways over uneven ground: portals by their number, followed by the stretches of links that
// lead from one region to one other.
type Gates struct {
	ix                 *index.Index
	links              []linkGate
	linkOfHop          []int32            // the stretch of each hop, none for closed hops
	linksFrom, linksTo map[uint32][]int32 // the stretches of regions
	sides              []*sidePage        // of portals
	starts, ends       []Segment          // of links
	bounds             *Bounds            // nil without preparation
	slack              float64            // lower bound of a way's cost per unit of its straight distance; below least if links are cheap
}

// linkGate is a stretch of a link as a gate, from its first hop to its last. Obstacles cut wide links into several
// stretches.
type linkGate struct {
	from, to   uint32
	hop, last  int32
	start, end [2][2]float64 // lattice units
	cost       float64       // lattice units
}

// sidePage holds the sides of a page of portals.
type sidePage [index.PortalPage]Segment

// NewGates returns the gates of a geometry, nil over even ground. The gates share pages with those of an earlier Index of
// the same editor, if before is not nil. Time O(k) for k portals on new pages, a pointer for each page, and the open links where
// they or the ground have changed.
func NewGates(ix *index.Index, before *Gates) *Gates {
	if !ix.Ground.Uneven {
		return nil
	}
	g := &Gates{ix: ix, slack: ix.Ground.Least, sides: make([]*sidePage, (ix.PortalLimit()+index.PortalPage-1)/index.PortalPage)}
	for k := range g.sides {
		if before != nil && k < len(before.sides) && ix.SamePortals(before.ix, k) {
			g.sides[k] = before.sides[k]
			continue
		}
		portals := ix.PortalsOn(k)
		if portals == nil {
			continue
		}
		page := new(sidePage)
		for i := range portals {
			page[i] = SegmentBetween(index.Floats(portals[i].Right), index.Floats(portals[i].Left))
		}
		g.sides[k] = page
	}
	if len(ix.Hops) == 0 {
		return g
	}
	if before != nil && ix.SameHops(before.ix) && ix.Ground.Least == before.ix.Ground.Least {
		g.links, g.linkOfHop, g.linksFrom, g.linksTo = before.links, before.linkOfHop, before.linksFrom, before.linksTo
		g.starts, g.ends, g.slack = before.starts, before.ends, before.slack
		return g
	}
	g.addLinks()
	return g
}

// addLinks finds the gates of the links.
func (g *Gates) addLinks() {
	ix := g.ix
	g.linkOfHop = make([]int32, len(ix.Hops))
	g.linksFrom, g.linksTo = map[uint32][]int32{}, map[uint32][]int32{}
	for i := range ix.Hops {
		h := &ix.Hops[i]
		if g.linkOfHop[i] = index.None; h.Closed() {
			continue
		}
		n := int32(len(g.links)) - 1
		if n < 0 || !g.links[n].goesOn(ix, int32(i)) {
			n++
			at := [2][2]float64{index.Floats(h.Start), index.Floats(h.End)}
			g.links = append(g.links, linkGate{
				from: h.From, to: h.To, hop: int32(i), start: [2][2]float64{at[0], at[0]}, end: [2][2]float64{at[1], at[1]},
				cost: float64(ix.Mesh.Links[h.Link].Cost) * lattice.UnitsPerMetre,
			})
			g.linksFrom[h.From] = append(g.linksFrom[h.From], n)
			g.linksTo[h.To] = append(g.linksTo[h.To], n)
		}
		l := &g.links[n]
		g.linkOfHop[i], l.last = n, int32(i)
		l.start[1], l.end[1] = index.Floats(h.Start), index.Floats(h.End)
	}
	for i := range g.links {
		l := &g.links[i]
		for k := range 2 {
			d := index.Length(l.end[k][0]-l.start[k][0], l.end[k][1]-l.start[k][1])
			if l.cost < float64(d*g.slack) {
				g.slack = l.cost / d
			}
		}
	}
	for i := range g.links {
		g.starts = append(g.starts, SegmentBetween(g.links[i].start[0], g.links[i].start[1]))
		g.ends = append(g.ends, SegmentBetween(g.links[i].end[0], g.links[i].end[1]))
	}
}

// side returns the segment of a portal.
func (g *Gates) side(portal int32) *Segment {
	return &g.sides[portal/index.PortalPage][portal%index.PortalPage]
}

// goesOn reports whether a hop lengthens a stretch that ends at the hop before.
func (l *linkGate) goesOn(ix *index.Index, hop int32) bool {
	h := &ix.Hops[hop]
	return l.last == hop-1 && ix.Hops[l.last].Link == h.Link && l.from == h.From && l.to == h.To
}

func (g *Gates) count() int { return g.ix.PortalLimit() + len(g.links) }

// linkOf returns the stretch of a link of a gate, nil for a portal.
func (g *Gates) linkOf(gate int32) *linkGate {
	if i := int(gate) - g.ix.PortalLimit(); i >= 0 {
		return &g.links[i]
	}
	return nil
}

// before returns the region on the near side of a gate.
func (g *Gates) before(gate int32) uint32 {
	if l := g.linkOf(gate); l != nil {
		return l.from
	}
	return g.ix.Portal(g.ix.Portal(uint32(gate)).Back).To
}

// after returns the region on the far side of a gate.
func (g *Gates) after(gate int32) uint32 {
	if l := g.linkOf(gate); l != nil {
		return l.to
	}
	return g.ix.Portal(uint32(gate)).To
}

// tollOf returns the cost of crossing a gate.
func (g *Gates) tollOf(gate int32) float64 {
	if l := g.linkOf(gate); l != nil {
		return l.cost
	}
	return 0
}

// sidesOf returns the segments where ways arrive at a gate and where they continue.
func (g *Gates) sidesOf(gate int32) (in, out *Segment) {
	if i := int(gate) - g.ix.PortalLimit(); i >= 0 {
		return &g.starts[i], &g.ends[i]
	}
	in = g.side(gate)
	return in, in
}

// of appends the gates of a way.
func (g *Gates) of(w *route.Way, list []int32) []int32 {
	for i := range w.Legs {
		l := &w.Legs[i]
		if l.Hop != index.None {
			list = append(list, int32(g.ix.PortalLimit())+g.linkOfHop[l.Hop])
		}
		for _, p := range w.Crossed[l.Begin:l.End] {
			list = append(list, int32(p))
		}
	}
	return list
}

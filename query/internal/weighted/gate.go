package weighted

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Gates are the crossings of ways over uneven ground: portals by their number, followed by links by their index in the
// mesh.
type Gates struct {
	ix                 *index.Index
	links              []linkGate
	linksFrom, linksTo [][]int32 // the open links of each region; nil without links
	sides              []Segment // of portals, starts of links, ends of links
	slack              float64   // lower bound of a way's cost per unit of its straight distance; below least if links are cheap
}

// linkGate is a link as a gate, see gate.
type linkGate struct {
	from, to   uint32
	hop        int32         // the link's first hop, none if the link is closed
	start, end [2][2]float64 // lattice units
	cost       float64       // lattice units
}

// NewGates returns the gates of a geometry, nil over even ground.
func NewGates(ix *index.Index) *Gates {
	if !ix.Ground.Uneven {
		return nil
	}
	g := &Gates{ix: ix, slack: ix.Ground.Least}
	g.sides = make([]Segment, ix.PortalLimit(), ix.PortalLimit()+2*len(ix.Mesh.Links))
	for i := range uint32(ix.PortalLimit()) {
		g.sides[i] = SegmentBetween(index.Floats(ix.Portal(i).Right), index.Floats(ix.Portal(i).Left))
	}
	if len(ix.Hops) == 0 {
		return g
	}
	g.links = make([]linkGate, len(ix.Mesh.Links))
	for i := range g.links {
		g.links[i].hop = index.None
	}
	g.linksFrom, g.linksTo = make([][]int32, ix.RegionLimit()), make([][]int32, ix.RegionLimit())
	for i := range ix.Hops {
		number := ix.Hops[i].Link
		l := &g.links[number]
		if l.hop != index.None || ix.Hops[i].Closed() {
			continue
		}
		first, last := ix.HopAt(number, 0), ix.HopAt(number, 1)
		if f := &ix.Hops[i]; first.From != f.From || first.To != f.To || last.From != f.From || last.To != f.To {
			first, last = *f, *f // obstacles stand on the link: one place is known to be free
		}
		*l = linkGate{
			from: first.From, to: first.To, hop: int32(i),
			start: [2][2]float64{index.Floats(first.Start), index.Floats(last.Start)},
			end:   [2][2]float64{index.Floats(first.End), index.Floats(last.End)},
			cost:  float64(ix.Mesh.Links[number].Cost) * lattice.UnitsPerMetre,
		}
		g.linksFrom[l.from] = append(g.linksFrom[l.from], number)
		g.linksTo[l.to] = append(g.linksTo[l.to], number)
		for k := range 2 {
			d := index.Length(l.end[k][0]-l.start[k][0], l.end[k][1]-l.start[k][1])
			if l.cost < float64(d*g.slack) {
				g.slack = l.cost / d
			}
		}
	}
	for i := range g.links {
		g.sides = append(g.sides, SegmentBetween(g.links[i].start[0], g.links[i].start[1]))
	}
	for i := range g.links {
		g.sides = append(g.sides, SegmentBetween(g.links[i].end[0], g.links[i].end[1]))
	}
	return g
}

func (g *Gates) count() int { return g.ix.PortalLimit() + len(g.links) }

// linkOf returns the link of a gate, nil for a portal.
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
		return &g.sides[gate], &g.sides[int(gate)+len(g.links)]
	}
	return &g.sides[gate], &g.sides[gate]
}

// of appends the gates of a way.
func (g *Gates) of(w *route.Way, list []int32) []int32 {
	for i := range w.Legs {
		l := &w.Legs[i]
		if l.Hop != index.None {
			list = append(list, int32(g.ix.PortalLimit())+g.ix.Hops[l.Hop].Link)
		}
		for _, p := range w.Crossed[l.Begin:l.End] {
			list = append(list, int32(p))
		}
	}
	return list
}

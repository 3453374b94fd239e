package query

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// gates are the crossings of ways over uneven ground: portals by their number, followed by links by their index in the
// mesh.
type gates struct {
	ix                 *geometry
	links              []linkGate
	linksFrom, linksTo [][]int32 // the open links of each region; nil without links
	sides              []segment // of portals, starts of links, ends of links
	slack              float64   // lower bound of a way's cost per unit of its straight distance; below least if links are cheap
}

// linkGate is a link as a gate, see gate.
type linkGate struct {
	from, to   uint32
	hop        int32         // the link's first hop, none if the link is closed
	start, end [2][2]float64 // lattice units
	cost       float64       // lattice units
}

// newGates returns the gates of a geometry, nil over even ground.
func newGates(ix *geometry) *gates {
	if !ix.ground.uneven {
		return nil
	}
	g := &gates{ix: ix, slack: ix.ground.least}
	g.sides = make([]segment, len(ix.portals), len(ix.portals)+2*len(ix.mesh.Links))
	for i := range ix.portals {
		g.sides[i] = segmentBetween(plane.Floats(ix.portals[i].right), plane.Floats(ix.portals[i].left))
	}
	if len(ix.hops) == 0 {
		return g
	}
	g.links = make([]linkGate, len(ix.mesh.Links))
	for i := range g.links {
		g.links[i].hop = none
	}
	g.linksFrom, g.linksTo = make([][]int32, len(ix.regions)), make([][]int32, len(ix.regions))
	for i := range ix.hops {
		number := ix.hops[i].link
		l := &g.links[number]
		if l.hop != none {
			continue
		}
		first, last := ix.hopAt(number, 0), ix.hopAt(number, 1)
		*l = linkGate{
			from: first.from, to: first.to, hop: int32(i),
			start: [2][2]float64{plane.Floats(first.start), plane.Floats(last.start)},
			end:   [2][2]float64{plane.Floats(first.end), plane.Floats(last.end)},
			cost:  float64(ix.mesh.Links[number].Cost) * lattice.UnitsPerMetre,
		}
		g.linksFrom[l.from] = append(g.linksFrom[l.from], number)
		g.linksTo[l.to] = append(g.linksTo[l.to], number)
		for k := range 2 {
			d := plane.Length(l.end[k][0]-l.start[k][0], l.end[k][1]-l.start[k][1])
			if l.cost < float64(d*g.slack) {
				g.slack = l.cost / d
			}
		}
	}
	for i := range g.links {
		g.sides = append(g.sides, segmentBetween(g.links[i].start[0], g.links[i].start[1]))
	}
	for i := range g.links {
		g.sides = append(g.sides, segmentBetween(g.links[i].end[0], g.links[i].end[1]))
	}
	return g
}

func (g *gates) count() int { return len(g.ix.portals) + len(g.links) }

// linkOf returns the link of a gate, nil for a portal.
func (g *gates) linkOf(gate int32) *linkGate {
	if i := int(gate) - len(g.ix.portals); i >= 0 {
		return &g.links[i]
	}
	return nil
}

// before returns the region on the near side of a gate.
func (g *gates) before(gate int32) uint32 {
	if l := g.linkOf(gate); l != nil {
		return l.from
	}
	return g.ix.portals[g.ix.portals[gate].back].to
}

// after returns the region on the far side of a gate.
func (g *gates) after(gate int32) uint32 {
	if l := g.linkOf(gate); l != nil {
		return l.to
	}
	return g.ix.portals[gate].to
}

// tollOf returns the cost of crossing a gate.
func (g *gates) tollOf(gate int32) float64 {
	if l := g.linkOf(gate); l != nil {
		return l.cost
	}
	return 0
}

// sidesOf returns the segments where ways arrive at a gate and where they continue.
func (g *gates) sidesOf(gate int32) (in, out *segment) {
	if i := int(gate) - len(g.ix.portals); i >= 0 {
		return &g.sides[gate], &g.sides[int(gate)+len(g.links)]
	}
	return &g.sides[gate], &g.sides[gate]
}

// of appends the gates of a way.
func (g *gates) of(w *way, list []int32) []int32 {
	for i := range w.legs {
		l := &w.legs[i]
		if l.hop != none {
			list = append(list, int32(len(g.ix.portals))+g.ix.hops[l.hop].link)
		}
		for _, p := range w.crossed[l.begin:l.end] {
			list = append(list, int32(p))
		}
	}
	return list
}

package query

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// MinAreaCost and MaxAreaCost bound the cost of a metre of ground, see [Filter].AreaCosts.
const (
	MinAreaCost = 1.0 / 1024
	MaxAreaCost = 1 << 20
)

// areas is the number of areas.
const areas = 1 << 8

// groundCosts holds the cost of a metre of each area, in an Index.
type groundCosts struct {
	costs [areas]float64
	// uneven says that open regions have different costs. On even ground the search works as if a metre cost 1: link
	// costs are divided by metre, and the resulting costs multiplied by metre.
	uneven bool
	metre  float64 // cost of a metre if all regions cost the same, else 1
	least  float64 // least cost of a metre as seen by a search: 1 if all regions cost the same
	// Links, by index in Mesh.Links, if regions have different costs.
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

// evenGround is ground with a cost of 1 a metre.
func evenGround() *groundCosts {
	g := &groundCosts{metre: 1, least: 1, slack: 1}
	for a := range g.costs {
		g.costs[a] = 1
	}
	return g
}

// with returns the ground with the given costs; areas missing in costs keep the costs of g.
func (g *groundCosts) with(costs map[uint8]float64) (*groundCosts, error) {
	out := &groundCosts{costs: g.costs}
	for a := range areas {
		c, ok := costs[uint8(a)]
		switch {
		case !ok:
		case !(c >= MinAreaCost): // NaN, too
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at least %g", a, c, MinAreaCost)
		case c > MaxAreaCost && !math.IsInf(c, 1):
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at most %d or +Inf", a, c, MaxAreaCost)
		default:
			out.costs[a] = c
		}
	}
	return out, nil
}

// addAreas lists the areas of the regions, unless all regions have the same area.
func (ix *geometry) addAreas() {
	differ := false
	area := make([]uint8, 0, len(ix.regions))
	for slot := range ix.mesh.Tiles {
		for i := range ix.mesh.Tiles[slot].Regions {
			area = append(area, ix.mesh.Tiles[slot].Regions[i].Area)
			differ = differ || area[len(area)-1] != area[0]
		}
	}
	if differ {
		ix.area = area
	}
}

// areaOf returns the area of region r.
func (ix *geometry) areaOf(r uint32) uint8 {
	if ix.area != nil {
		return ix.area[r]
	}
	ref := ix.regions[r].ref
	return ix.mesh.Tiles[ref.Slot()].Regions[ref.Index()].Area
}

// levelOut determines whether the open regions cost the same.
func (ix *geometry) levelOut() {
	g := ix.ground
	least, most := math.Inf(1), 0.0
	for i := range ix.regions {
		if !ix.closed.region(uint32(i)) {
			c := g.costs[ix.areaOf(uint32(i))]
			least, most = min(least, c), max(most, c)
		}
	}
	g.metre, g.least, g.slack = 1, 1, 1
	if g.uneven = least < most; g.uneven {
		g.least, g.slack = least, least
	} else if most > 0 {
		g.metre = most
	}
}

// addGates prepares portals and links for searches over uneven ground.
func (ix *geometry) addGates() {
	g := ix.ground
	if !g.uneven {
		return
	}
	g.sides = make([]segment, len(ix.portals), len(ix.portals)+2*len(ix.mesh.Links))
	for i := range ix.portals {
		g.sides[i] = segmentBetween(floats(ix.portals[i].right), floats(ix.portals[i].left))
	}
	if len(ix.hops) == 0 {
		return
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
			start: [2][2]float64{floats(first.start), floats(last.start)},
			end:   [2][2]float64{floats(first.end), floats(last.end)},
			cost:  float64(ix.mesh.Links[number].Cost) * lattice.UnitsPerMetre,
		}
		g.linksFrom[l.from] = append(g.linksFrom[l.from], number)
		g.linksTo[l.to] = append(g.linksTo[l.to], number)
		for k := range 2 {
			d := length(l.end[k][0]-l.start[k][0], l.end[k][1]-l.start[k][1])
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
}

// floats returns the coordinates of a lattice point.
func floats(p lattice.Point) [2]float64 { return [2]float64{float64(p.X), float64(p.Y)} }

// weight returns the cost of a unit of the ground of region r in a search.
func (ix *geometry) weight(r uint32) float64 {
	if !ix.ground.uneven {
		return 1
	}
	return ix.ground.costs[ix.area[r]]
}

package query

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// MinAreaCost and MaxAreaCost bound what a metre of ground may cost, see [Filter].AreaCosts.
const (
	MinAreaCost = 1.0 / 1024
	MaxAreaCost = 1 << 20
)

// areas is how many areas there are.
const areas = 1 << 8

// groundCosts is what a metre of each area costs, in an Index.
type groundCosts struct {
	costs [areas]float64
	// uneven says that not all open regions cost the same. Where they do, lengths are searched as if a metre
	// cost 1, links cost what they do divided by metre, and costs are multiplied by it.
	uneven bool
	metre  float64 // what a metre costs where all regions cost the same, else 1
	least  float64 // what a metre costs at least, seen from a search: 1 where all regions cost the same
	// Of links, by their place in Mesh.Links, where regions do not all cost the same.
	links              []linkGate
	linksFrom, linksTo [][]int32 // the open ones of each region; nil where there are none
	sides              []segment // of portals, links where they start and links where they end
	slack              float64   // what a way costs, straight from end to end, at least: below least where links are cheap
}

// linkGate is a link as a gate, see gate.
type linkGate struct {
	from, to   uint32
	hop        int32         // its first one, none where the link is closed
	start, end [2][2]float64 // lattice units
	cost       float64       // lattice units
}

// evenGround is ground that costs 1 a metre.
func evenGround() *groundCosts {
	g := &groundCosts{metre: 1, least: 1, slack: 1}
	for a := range g.costs {
		g.costs[a] = 1
	}
	return g
}

// with returns the ground under other costs. The areas in costs have these, all others those of g.
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

// addAreas lists the areas of the regions, unless all are of one.
func (ix *Index) addAreas() {
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
func (ix *Index) areaOf(r uint32) uint8 {
	if ix.area != nil {
		return ix.area[r]
	}
	ref := ix.regions[r].ref
	return ix.mesh.Tiles[ref.Slot()].Regions[ref.Index()].Area
}

// levelOut finds out whether the open regions cost the same.
func (ix *Index) levelOut() {
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
func (ix *Index) addGates() {
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

// weight returns what a unit of the ground of region r costs in a search.
func (ix *Index) weight(r uint32) float64 {
	if !ix.ground.uneven {
		return 1
	}
	return ix.ground.costs[ix.area[r]]
}

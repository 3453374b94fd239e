package query

import (
	"fmt"
	"math"
)

// minAreaCost and maxAreaCost bound the cost of a metre of ground.
const (
	minAreaCost = 1.0 / 1024
	maxAreaCost = 1 << 20
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
}

// evenGround is ground with a cost of 1 a metre.
func evenGround() *groundCosts {
	g := &groundCosts{metre: 1, least: 1}
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
		case !(c >= minAreaCost): // NaN, too
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at least %g", a, c, minAreaCost)
		case c > maxAreaCost && !math.IsInf(c, 1):
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at most %d or +Inf", a, c, maxAreaCost)
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
	g.metre, g.least = 1, 1
	if g.uneven = least < most; g.uneven {
		g.least = least
	} else if most > 0 {
		g.metre = most
	}
}

// weight returns the cost of a unit of the ground of region r in a search.
func (ix *geometry) weight(r uint32) float64 {
	if !ix.ground.uneven {
		return 1
	}
	return ix.ground.costs[ix.area[r]]
}

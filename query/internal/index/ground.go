package index

import (
	"fmt"
	"math"
)

// MinAreaCost and maxAreaCost bound the cost of a metre of ground.
const (
	MinAreaCost = 1.0 / 1024
	MaxAreaCost = 1 << 20
)

// areas is the number of areas.
const areas = 1 << 8

// Ground holds the cost of a metre of each area, in an Index.
type Ground struct {
	Costs [areas]float64
	// uneven says that open regions have different costs. On even ground the search works as if a metre cost 1: link
	// costs are divided by metre, and the resulting costs multiplied by metre.
	Uneven bool
	Metre  float64 // cost of a metre if all regions cost the same, else 1
	Least  float64 // least cost of a metre as seen by a search: 1 if all regions cost the same
}

// evenGround is ground with a cost of 1 a metre.
func evenGround() *Ground {
	g := &Ground{Metre: 1, Least: 1}
	for a := range g.Costs {
		g.Costs[a] = 1
	}
	return g
}

// with returns the ground with the given costs; areas missing in costs keep the costs of g.
func (g *Ground) with(costs map[uint8]float64) (*Ground, error) {
	out := &Ground{Costs: g.Costs}
	for a := range areas {
		c, ok := costs[uint8(a)]
		switch {
		case !ok:
		case !(c >= MinAreaCost): // NaN, too
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at least %g", a, c, MinAreaCost)
		case c > MaxAreaCost && !math.IsInf(c, 1):
			return nil, fmt.Errorf("query: filter: area %d costs %g a metre, at most %d or +Inf", a, c, MaxAreaCost)
		default:
			out.Costs[a] = c
		}
	}
	return out, nil
}

// levelOut determines whether the open regions cost the same.
func (ix *Index) levelOut() {
	g := ix.Ground
	least, most := math.Inf(1), 0.0
	for i := range uint32(ix.RegionLimit()) {
		if reg := ix.Region(i); !ix.Closed.Region(i) && !reg.Split && len(reg.Ring) > 0 {
			c := g.Costs[ix.Region(uint32(i)).Area]
			least, most = min(least, c), max(most, c)
		}
	}
	g.settle(least, most)
}

// settle sets what follows from the least and the most cost of a metre of open ground.
func (g *Ground) settle(least, most float64) {
	g.Metre, g.Least = 1, 1
	if g.Uneven = least < most; g.Uneven {
		g.Least = least
	} else if most > 0 {
		g.Metre = most
	}
}

// Weight returns the cost of a unit of the ground of region r in a search.
func (ix *Index) Weight(r uint32) float64 {
	if !ix.Ground.Uneven {
		return 1
	}
	return ix.Ground.Costs[ix.Region(r).Area]
}

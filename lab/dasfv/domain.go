package dasfv

import (
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Domains returns the free floor as domains of a plan, in the order of their smallest points, and the regions in each as
// cells, in ascending order. Time O(n·m) for n regions and m corners of the floor.
func (w *World) Domains() ([]plan.Domain, [][]plan.Cell, error) {
	solid := make([]lattice.Ring, len(w.obstacles))
	for i, o := range w.obstacles {
		solid[i] = o.ring
	}
	free, err := overlay.Difference([]lattice.Ring{ringOf(w.floor)}, solid)
	if err != nil {
		return nil, nil, fmt.Errorf("dasfv: %w", err)
	}
	domains, cells := make([]plan.Domain, len(free)), make([][]plan.Cell, len(free))
	edges := map[[2]lattice.Point]plan.EdgeID{}
	for d, p := range free {
		domains[d].Polygon = p
		for r, ring := range p.Rings {
			walls := make([]plan.ChainID, len(ring))
			for i, a := range ring {
				walls[i] = plan.Wall
				edges[[2]lattice.Point{a, ring[(i+1)%len(ring)]}] = plan.EdgeID{Ring: int32(r), Index: int32(i)}
			}
			domains[d].Edges = append(domains[d].Edges, walls)
		}
	}
	for _, r := range w.regions {
		var cell plan.Cell
		for _, c := range r.Corners {
			on := plan.NoEdge
			if c.On != NoEdge {
				a, b := find(w.obstacles, c.On.Obstacle).edge(c.On.Index)
				on = edges[[2]lattice.Point{b, a}]
			}
			cell.Corners = append(cell.Corners, plan.Corner{Point: c.Point, On: on})
		}
		for d := range free {
			if r.within(free[d]) {
				cells[d] = append(cells[d], cell)
				break
			}
		}
	}
	return domains, cells, nil
}

// within tells whether the region lies in a part of the free floor. Parts have no inner point in common, so the middle of
// a triangle of corners decides; a grid of thirds of a unit has the middle exactly.
func (r *Region) within(p lattice.Polygon) bool {
	if !p.Box().Overlaps(r.box) {
		return false
	}
	var middle lattice.Point
	for _, c := range r.ring[:3] {
		middle.X += c.X
		middle.Y += c.Y
	}
	inside := false
	for _, ring := range p.Rings {
		thirds := make(lattice.Ring, len(ring))
		for i, c := range ring {
			thirds[i] = lattice.Point{X: 3 * c.X, Y: 3 * c.Y}
		}
		if thirds.Locate(middle) == lattice.Inside {
			inside = !inside
		}
	}
	return inside
}

package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/metric"
)

// stripsWorld returns a row of k square obstacles, a side apart, and a decomposition of the floor around them into k+3
// regions: the counterexample to theorem 4.1 across obstacles. Above and below the row lies one region each, which
// covers an edge of every obstacle, and between two obstacles one that covers an edge of both.
func stripsWorld(k int) (World, []plan.Cell) {
	const side = 1 << 14
	width := int32(2*k+1) * side
	box := func(x0, y0, x1, y1 int32) lattice.Ring {
		return lattice.Ring{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	}
	rings := []lattice.Ring{box(0, 0, width, 3*side)}
	regions := []lattice.Ring{box(0, 0, width, side), box(0, 2*side, width, 3*side)}
	for i := range int32(2*k + 1) {
		b := box(i*side, side, (i+1)*side, 2*side)
		if i%2 == 0 {
			regions = append(regions, b)
		} else {
			rings = append(rings, lattice.Ring{b[0], b[3], b[2], b[1]})
		}
	}
	cells := make([]plan.Cell, len(regions))
	for i, ring := range regions {
		for _, p := range ring {
			cells[i].Corners = append(cells[i].Corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
	}
	return World{Name: fmt.Sprintf("%d in a row", k), Domain: domainOf(rings)}, cells
}

// touched lists which edges of a ring a cell covers part of.
func touched(d *plan.Domain, ring int, c plan.Cell) []int {
	var edges []int
	points := d.Rings[ring]
	for i, a := range points {
		edge := plan.EdgeID{Ring: int32(ring), Index: int32(i)}
		for j, p := range c.Corners {
			if covers(p, c.Corners[(j+1)%len(c.Corners)], edge, a, points[(i+1)%len(points)]) {
				edges = append(edges, i)
				break
			}
		}
	}
	return edges
}

// covers reports whether the side from p to q of a cell and the edge from a to b of an obstacle have a common stretch.
// Corners constructed on the edge count as on it, although they are rounded.
func covers(p, q plan.Corner, edge plan.EdgeID, a, b lattice.Point) bool {
	on := func(c plan.Corner) bool { return c.On == edge || lattice.OnSegment(c.Point, a, b) }
	return on(p) && on(q) || lattice.SegmentContact(p.Point, q.Point, a, b) == lattice.Overlap
}

// exposure holds the subject of lemma 4.2: the most edges of one convex obstacle that a region covers, and how many
// edges no region covers.
type exposure struct{ most, bare int }

// exposureOf looks at every convex obstacle of a decomposition. Time O(cells × edges of the domain).
func exposureOf(d *plan.Domain, cells []plan.Cell) exposure {
	var e exposure
	for r := 1; r < len(d.Rings); r++ {
		if !convexHole(d.Rings[r]) {
			continue
		}
		covered := make([]bool, len(d.Rings[r]))
		for _, c := range cells {
			edges := touched(d, r, c)
			e.most = max(e.most, len(edges))
			for _, i := range edges {
				covered[i] = true
			}
		}
		for _, c := range covered {
			if !c {
				e.bare++
			}
		}
	}
	return e
}

// convexHole tells whether a clockwise ring turns right at every corner.
func convexHole(ring lattice.Ring) bool {
	for i, p := range ring {
		if lattice.Orient(p, ring[(i+1)%len(ring)], ring[(i+2)%len(ring)]) >= 0 {
			return false
		}
	}
	return true
}

// theorem41 checks lemma 4.2 on random worlds and shows where the theorem itself fails.
func theorem41(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, 10)
	var worlds []World
	for _, make := range []func(int) ([]World, error){PlannerWorlds, ScatterWorlds, ArenaWorlds} {
		more, err := make(n)
		if err != nil {
			return Report{}, err
		}
		worlds = append(worlds, more...)
	}
	list, err := methods([]string{delaunay, hm, trapezoid, wavefront}, opt)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Trials: fmt.Sprintf("rows of 1 to 16 obstacles; %d worlds of each kind: planner, scatter, arena", n),
		Reasons: []Reason{
			{"regions_around_a_row", "the theorem's least number is four for each obstacle; its lemma forbids a region two edges of one obstacle, not edges of several"},
			{"worlds_with_fewer_regions_than_edges", "as around the rows: regions that cover edges of several obstacles"},
		},
	}
	rows := true
	for k := 1; k <= 16; k *= 2 {
		regions, err := strips(ctx, k)
		if err != nil {
			return Report{}, err
		}
		row := constructed("strips", fmt.Sprintf("regions_around_a_row_of_%d", k), float64(regions))
		row.Published = metric.Number(4 * k)
		r.Rows = append(r.Rows, row)
		rows = rows && (k == 1 || regions < 4*k)
	}
	lemma, err := lemma42(ctx, worlds, list, opt.Jobs, &r)
	if err != nil {
		return Report{}, err
	}
	r.claim("lemma 4.2: no region covers two edges of one convex obstacle, and every edge is covered", lemma)
	r.claim("theorem 4.1: there are at least as many regions as exposed edges, rows of two obstacles and more", !rows)
	return r, nil
}

// strips builds and counts the regions around a row, and fails if they are no decomposition of the whole floor.
func strips(ctx context.Context, k int) (int, error) {
	w, cells := stripsWorld(k)
	mesh, report, err := join.Build(ctx, w.Plan(), [][][]plan.Cell{{cells}}, join.Options{Jobs: 1})
	if err != nil {
		return 0, err
	}
	if faults := mesh.Validate(); faults != nil || report.LostArea != 0 {
		return 0, fmt.Errorf("experiment: %s is not a decomposition: %v, %g m² lost", w.Name, faults, report.LostArea)
	}
	return mesh.RegionCount(), nil
}

// lemma42 adds the rows of the lemma, and in how many worlds the theorem fails, and tells whether the lemma holds
// everywhere.
func lemma42(ctx context.Context, worlds []World, list []gen.Generator, jobs int, r *Report) (bool, error) {
	trials, err := runTrials(ctx, worlds, list, jobs, metric.Options{})
	if err != nil {
		return false, err
	}
	found := make([]exposure, len(list)*len(worlds))
	err = par.For(ctx, jobs, len(found), func(i int) error {
		m, w := i/len(worlds), i%len(worlds)
		found[i] = exposureOf(worlds[w].Domain, trials[m][w].cells)
		return nil
	})
	if err != nil {
		return false, err
	}
	holds := true
	for m, g := range list {
		var e exposure
		fewer := 0
		for w := range worlds {
			e.most = max(e.most, found[m*len(worlds)+w].most)
			e.bare += found[m*len(worlds)+w].bare
			if len(trials[m][w].cells) < worlds[w].Domain.Len()-len(worlds[w].Domain.Rings[0]) {
				fewer++
			}
		}
		most := constructed(g.Name(), "most_edges_of_an_obstacle_at_a_region", float64(e.most))
		most.Published = 1
		bare := constructed(g.Name(), "edges_that_no_region_covers", float64(e.bare))
		bare.Published = 0
		below := constructed(g.Name(), "worlds_with_fewer_regions_than_edges", float64(fewer))
		below.Published = 0
		r.Rows = append(r.Rows, most, bare, below)
		holds = holds && e.most <= 1 && e.bare == 0
	}
	return holds, nil
}

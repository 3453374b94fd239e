package raster

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// assemble makes the plan of traced contours.
func (ps *patches) assemble(ctx context.Context, o outlines, jobs int) (*plan.Plan, error) {
	layers, rings, seams := len(o.height), o.rings, o.seams
	p := &plan.Plan{Frame: ps.surface.soup.Frame, Layers: make([]plan.Layer, layers), Chains: make([]plan.Chain, len(seams))}
	byLayer := make([][]*ring, layers)
	for i := range rings {
		byLayer[rings[i].layer] = append(byLayer[rings[i].layer], &rings[i])
	}
	members := make([][]int32, layers)
	for i := range ps.list {
		if l := ps.list[i].layer; l >= 0 {
			members[l] = append(members[l], int32(i))
		}
	}
	if err := par.For(ctx, jobs, layers, func(l int) error { ps.fitBorders(byLayer[l], seams, o.height[l]); return nil }); err != nil {
		return nil, err
	}
	ps.simplifySeams(byLayer, seams)
	numbers := ps.componentNumbers(&p.Components)
	domainAt := make([]map[int32]int32, layers) // by layer: domain of a ring's domain patch
	err := par.For(ctx, jobs, layers, func(l int) error {
		domainAt[l] = map[int32]int32{}
		if err := ps.fillLayer(&p.Layers[l], byLayer[l], &o, numbers, domainAt[l]); err != nil {
			return fmt.Errorf("raster: layer %d: %w", l, err)
		}
		var err error
		p.Layers[l].Floor, err = newFloorBuilder(ps).build(int32(l), members[l], p.Layers[l].Domains)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, rs := range byLayer {
		for _, r := range rs {
			for _, run := range r.runs {
				if run.chain == plan.Wall {
					continue
				}
				c := &p.Chains[run.chain]
				c.Kind, c.Points = plan.Seam, seams[run.chain].points
				id := plan.DomainID{Layer: r.layer, Domain: domainAt[r.layer][r.domain]}
				if run.reversed {
					c.Right = id
				} else {
					c.Left = id
				}
			}
		}
	}
	return p, nil
}

// componentNumbers numbers the kept components in order of their first patch.
func (ps *patches) componentNumbers(count *int) map[int32]int32 {
	numbers := map[int32]int32{}
	for i := range ps.list {
		c := ps.list[i].component
		if _, ok := numbers[c]; !ok && ps.list[i].layer >= 0 {
			numbers[c] = int32(len(numbers))
		}
	}
	*count = len(numbers)
	return numbers
}

// fillLayer makes the domains of a layer. Where borders that were moved out of arcs meet others,
// their rings go without.
func (ps *patches) fillLayer(layer *plan.Layer, rings []*ring, o *outlines, numbers, domainAt map[int32]int32) error {
	for {
		owners, err := ps.groupRings(layer, rings, o, numbers, domainAt)
		if err != nil {
			return err
		}
		var fault error
		changed := false
		for d := range layer.Domains {
			for _, f := range layer.Domains[d].Faults(faultsAtOnce) {
				if fault == nil {
					fault = fmt.Errorf("domain %d: %w", d, f)
				}
				for _, k := range [2]int{f.Ring, f.OtherRing} {
					if k >= 0 && k < len(owners[d]) && !owners[d][k].plain {
						owners[d][k].plain, changed = true, true
					}
				}
			}
		}
		if !changed {
			return fault
		}
	}
}

// faultsAtOnce bounds how many faults of a domain are looked at before its rings are made anew.
const faultsAtOnce = 100

// groupRings groups the rings of a layer into domains: outer rings turn left, holes right. It returns the
// rings of every domain in their order.
func (ps *patches) groupRings(layer *plan.Layer, rings []*ring, o *outlines, numbers, domainAt map[int32]int32) ([][]*ring, error) {
	layer.Domains = nil
	clear(domainAt)
	var owners [][]*ring
	for _, r := range rings {
		points, edges := r.points(o.seams)
		if len(points) < 3 {
			continue
		}
		d, ok := domainAt[r.domain]
		if !ok {
			d = int32(len(layer.Domains))
			domainAt[r.domain] = d
			layer.Domains = append(layer.Domains, plan.Domain{Component: numbers[r.component]})
			owners = append(owners, nil)
		}
		dom := &layer.Domains[d]
		dom.Rings = append(dom.Rings, points)
		dom.Edges = append(dom.Edges, edges)
		heights := make([]int32, len(points))
		for k, p := range points {
			heights[k] = o.height[r.layer][p]
		}
		dom.Heights = append(dom.Heights, heights)
		owners[d] = append(owners[d], r)
	}
	for i := range layer.Domains {
		dom := &layer.Domains[i]
		outer := -1
		for k, r := range dom.Rings {
			if r.Area2() > 0 {
				if outer >= 0 {
					return nil, fmt.Errorf("domain %d has two outer rings, at %v and %v", i, dom.Rings[outer][0], r[0])
				}
				outer = k
			}
		}
		if outer < 0 {
			return nil, fmt.Errorf("domain %d at %v has no outer ring", i, dom.Rings[0][0])
		}
		dom.Rings[0], dom.Rings[outer] = dom.Rings[outer], dom.Rings[0]
		dom.Edges[0], dom.Edges[outer] = dom.Edges[outer], dom.Edges[0]
		dom.Heights[0], dom.Heights[outer] = dom.Heights[outer], dom.Heights[0]
		owners[i][0], owners[i][outer] = owners[i][outer], owners[i][0]
	}
	return owners, nil
}

// points joins the runs of a ring: its points, and for every point the chain of the edge from there. Repeated
// points are dropped.
func (r *ring) points(seams []seam) (lattice.Ring, []plan.ChainID) {
	var points lattice.Ring
	var edges []plan.ChainID
	for _, run := range r.runs {
		line := run.points
		if r.plain && run.chain == plan.Wall {
			line = run.plain
		}
		if run.chain != plan.Wall {
			line = seams[run.chain].points
			if run.reversed {
				line = slices.Clone(line)
				slices.Reverse(line)
			}
		}
		if !run.closed || run.chain != plan.Wall {
			line = line[:len(line)-1]
		}
		for _, p := range line {
			if n := len(points); n > 0 && points[n-1] == p {
				edges[n-1] = run.chain
				continue
			}
			points = append(points, p)
			edges = append(edges, run.chain)
		}
	}
	for n := len(points); n > 1 && points[n-1] == points[0]; n-- {
		points, edges = points[:n-1], edges[:n-1]
	}
	return points, edges
}

// simplifySeams straightens the seams, which run along the sides of cells and columns. A seam is in two
// layers and must stay clear of the borders and seams of both. So points that one layer needs are kept for
// the other, until both agree.
func (ps *patches) simplifySeams(byLayer [][]*ring, seams []seam) {
	keep := make([][]bool, len(seams))
	for i := range seams {
		keep[i] = make([]bool, len(seams[i].points))
	}
	for changed := true; changed; {
		changed = false
		for _, rings := range byLayer {
			lines, _ := borderLines(rings)
			for i := range lines {
				lines[i].Keep = everyPoint(len(lines[i].Points))
			}
			first := len(lines)
			var ids []plan.ChainID
			for _, id := range seamsOf(rings) {
				lines = append(lines, lattice.Line{Points: seams[id].points, Keep: keep[id]})
				ids = append(ids, id)
			}
			if len(ids) == 0 {
				continue
			}
			for i, simple := range lattice.Simplify(lines, ps.surface.grid.seam)[first:] {
				for _, k := range simple.Kept {
					changed = changed || !keep[ids[i]][k]
					keep[ids[i]][k] = true
				}
			}
		}
	}
	for i := range seams {
		var kept []lattice.Point
		for k, p := range seams[i].points {
			if keep[i][k] {
				kept = append(kept, p)
			}
		}
		seams[i].points = kept
	}
}

// borderLines returns the stretches of border of some rings as lines, and the runs they came from.
func borderLines(rings []*ring) ([]lattice.Line, []*run) {
	var lines []lattice.Line
	var runs []*run
	for _, r := range rings {
		for k := range r.runs {
			if r.runs[k].chain == plan.Wall {
				lines = append(lines, lattice.Line{Points: r.runs[k].points, Closed: r.runs[k].closed})
				runs = append(runs, &r.runs[k])
			}
		}
	}
	return lines, runs
}

// seamsOf returns the seams of some rings, ascending, each once.
func seamsOf(rings []*ring) []plan.ChainID {
	var ids []plan.ChainID
	for _, r := range rings {
		for _, run := range r.runs {
			if run.chain != plan.Wall {
				ids = append(ids, run.chain)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func everyPoint(n int) []bool {
	all := make([]bool, n)
	for i := range all {
		all[i] = true
	}
	return all
}

// fitBorders simplifies the borders of a layer; seams stay unchanged.
func (ps *patches) fitBorders(rings []*ring, seams []seam, height map[lattice.Point]int32) {
	g := ps.surface.grid
	lines, runs := borderLines(rings)
	for i := range lines {
		lines[i].Keep = straightEnds(lines[i].Points, lines[i].Closed, g.cell)
	}
	for _, id := range seamsOf(rings) {
		lines = append(lines, lattice.Line{Points: seams[id].points, Keep: everyPoint(len(seams[id].points))})
	}
	for i, simple := range lattice.Simplify(lines, g.simplify)[:len(runs)] {
		r := runs[i]
		r.plain = simple.Points
		r.points = circumscribe(r.points, simple.Kept, r.closed, g.simplify)
		for k, p := range r.points {
			if _, ok := height[p]; !ok {
				height[p] = height[r.plain[k]]
			}
		}
	}
}

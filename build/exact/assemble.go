package exact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// wall labels edges without floor behind, and beyond labels edges on the border of a window. Other labels are layers.
const (
	wall   = -1
	beyond = -2
)

// area is a polygon of a layer on its way to a domain.
type area struct {
	overlay.Outline
	layer  int32
	number int32 // among all areas
}

// assemble makes the plan from the eroded floors and the claims of crossings.
func (e *extraction) assemble(ctx context.Context, floors []eroded, claims []claim, opt floorplan.Options) (*plan.Plan, error) {
	areas, err := e.divide(ctx, opt.Jobs, floors, claims)
	if err != nil {
		return nil, err
	}
	if len(areas) == 0 && e.window == nil {
		return nil, e.nowhere(ctx)
	}
	seams := matchSeams(areas)
	parts := components(areas, seams)
	kept, dropped, err := e.choose(ctx, areas, parts, opt)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(slices.Clone(areas), func(a area) bool { return !kept[a.number] })
	if err := e.patch(ctx, opt.Jobs, floors, chosen); err != nil {
		return nil, err
	}
	tins, err := e.surfaces(ctx, opt.Jobs, chosen)
	if err != nil {
		return nil, err
	}
	heights, err := e.cornerHeights(ctx, opt.Jobs, areas, kept)
	if err != nil {
		return nil, err
	}
	return e.plan(areas, seams, kept, dropped, tins, heights), nil
}

// choose tells which parts are kept, by number, and lists the dropped parts.
func (e *extraction) choose(ctx context.Context, areas []area, parts []part, opt floorplan.Options) (map[int32]bool, []plan.Part, error) {
	list := make([]plan.Part, len(parts))
	for k := range parts {
		p := &parts[k]
		p.At = e.place(&areas[p.number], areas[p.number].Rings[0][0])
		list[k] = p.Part
	}
	chosen, err := opt.Choose(list, func(place geom.Vec) (int, error) {
		n, err := e.seeded(place, areas)
		return slices.IndexFunc(parts, func(p part) bool { return p.number == n }), err
	})
	if off := (offFloor{}); errors.As(err, &off) {
		return nil, nil, e.whyOff(ctx, off)
	}
	if err != nil {
		return nil, nil, err
	}
	kept := map[int32]bool{}
	var dropped []plan.Part
	for k := range parts {
		if chosen[k] {
			kept[parts[k].number] = true
		} else {
			dropped = append(dropped, list[k])
		}
	}
	return kept, dropped, nil
}

// place returns a point of an area in the world.
func (e *extraction) place(a *area, p lattice.Point) geom.Vec {
	return e.soup.Frame.ToWorld(p, e.roundedHeight(a.layer, p))
}

// offFloor is the error of a place on no part of the floor.
type offFloor struct{ place geom.Vec }

func (o offFloor) Error() string { return fmt.Sprintf("%v is on no part of the floor", o.place) }

// seeded returns the part at or directly below a seed, or an offFloor error.
func (e *extraction) seeded(seed geom.Vec, areas []area) (int32, error) {
	p, z, ok := e.soup.Frame.FromWorld(seed)
	found, best := int32(-1), int32(0)
	for i := range areas {
		if !ok || !areas[i].Contains(p) {
			continue
		}
		h := e.roundedHeight(areas[i].layer, p)
		if float64(h) > float64(z)+e.climb || float64(h) < float64(z)-e.height || found >= 0 && h < best {
			continue
		}
		best, found = h, areas[i].number
	}
	if found < 0 {
		return 0, offFloor{seed}
	}
	return found, nil
}

// whyOff explains why a place is on no part of the floor.
func (e *extraction) whyOff(ctx context.Context, off offFloor) error {
	seed := off.place
	p, z, ok := e.soup.Frame.FromWorld(seed)
	if !ok {
		return fmt.Errorf("place %v is outside of the level", seed)
	}
	all, floors, err := e.everywhere(ctx)
	if err != nil {
		return err
	}
	for l := range floors {
		h := all.roundedHeight(int32(l), p)
		if float64(h) > float64(z)+e.climb || float64(h) < float64(z)-e.height {
			continue
		}
		for i := range floors[l].clear {
			if floors[l].clear[i].Contains(p) {
				return fmt.Errorf("place %v is nearer than the agent's radius of %.3g m to a wall or an edge", seed, e.radius*lattice.Unit)
			}
		}
	}
	return fmt.Errorf("place %v has no walkable floor within the agent's height below", seed)
}

// cornerHeights returns the heights of the corners of kept areas, by area and ring.
func (e *extraction) cornerHeights(ctx context.Context, jobs int, areas []area, kept map[int32]bool) ([][][]int32, error) {
	const some = 32
	type run struct {
		layer   int32
		ring    lattice.Ring
		heights []int32
		first   int
	}
	var runs []run
	heights := make([][][]int32, len(areas))
	for i := range areas {
		if a := &areas[i]; kept[a.number] {
			for _, ring := range a.Rings {
				of := make([]int32, len(ring))
				heights[i] = append(heights[i], of)
				for k := 0; k < len(ring); k += some {
					runs = append(runs, run{a.layer, ring, of, k})
				}
			}
		}
	}
	err := par.For(ctx, jobs, len(runs), func(i int) error {
		r := &runs[i]
		for k := r.first; k < min(len(r.ring), r.first+some); k++ {
			r.heights[k] = e.cornerHeight(r.layer, r.ring, k)
		}
		return nil
	})
	return heights, err
}

// plan puts the kept areas into a plan. Layers without kept areas are left out.
func (e *extraction) plan(areas []area, seams []seam, kept map[int32]bool, dropped []plan.Part, tins []lattice.TIN, heights [][][]int32) *plan.Plan {
	p := &plan.Plan{Frame: e.soup.Frame, Dropped: dropped}
	component := map[int32]int32{}
	for i := range areas {
		if n := areas[i].number; kept[n] {
			if _, ok := component[n]; !ok {
				component[n] = int32(len(component))
			}
		}
	}
	p.Components = len(component)
	chain := make([]plan.ChainID, len(seams))
	for i, s := range seams {
		chain[i] = plan.Wall
		if kept[areas[s.left].number] {
			chain[i] = plan.ChainID(len(p.Chains))
			p.Chains = append(p.Chains, plan.Chain{Kind: plan.Seam, Points: s.points})
		}
	}
	domain := make([]plan.DomainID, len(areas))
	at := make([]int32, len(tins))
	for i := range at {
		at[i] = unassigned
	}
	for i := range areas {
		a := &areas[i]
		if !kept[a.number] {
			continue
		}
		if at[a.layer] == unassigned {
			at[a.layer] = int32(len(p.Layers))
			p.Layers = append(p.Layers, plan.Layer{Floor: tins[a.layer]})
		}
		layer := &p.Layers[at[a.layer]]
		d := plan.Domain{Polygon: a.Polygon, Component: component[a.number], Heights: heights[i]}
		for r, ring := range a.Rings {
			edges := make([]plan.ChainID, len(ring))
			for k := range ring {
				edges[k] = plan.Wall
				if s := a.Labels[r][k]; s >= 0 {
					edges[k] = chain[s]
				}
			}
			d.Edges = append(d.Edges, edges)
		}
		domain[i] = plan.DomainID{Layer: at[a.layer], Domain: int32(len(layer.Domains))}
		layer.Domains = append(layer.Domains, d)
	}
	for i, s := range seams {
		if c := chain[i]; c != plan.Wall {
			p.Chains[c].Left, p.Chains[c].Right = domain[s.left], domain[s.right]
		}
	}
	return p
}

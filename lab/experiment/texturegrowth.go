package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/growth"
)

// TextureGrowth grows regions that keep to the texture under their seed, as published.
//
// Source: D. H. Hale's thesis (2011), appendix C, texture biased spatial decompositions, the second special
// consideration: a seed knows the texture below, and its region grows over floor of this texture only.
//
// Idea: one grid of seeds lies over the whole floor, and every seed takes the texture beneath. Regions grow by PASFV in
// turn; a step that would take in another texture fails, as a step onto another region does. Then seeds beside the
// regions, until none has room. Regions of two textures never meet, so growth is done texture by texture.
//
// Input: a plan with domains of one area each; their common borders are chains of kind plan.Terrain.
//
// Guarantees:
//  1. every region has one texture (TestTextureGrowth);
//  2. no side of a region follows a slanted border between textures (same test), and the floor between is left out;
//     [gen.Report.Lost] has it.
//
// Degenerate cases: floor without a seed on the grid is left out, as in the source.
//
// Cost: as PASFV by steps.
//
// Departures: the source says this of three dimensions, where seeds fall to the floor; here the floor of every layer is
// known. Walls are followed, as PASFV does.
type TextureGrowth struct {
	plan *plan.Plan
	box  lattice.Box
	// spacing of the grid, the first step, and the least, in lattice units.
	spacing, rate, resolution int64
}

var _ gen.Generator = TextureGrowth{}

// NewTextureGrowth returns the generator for the domains of one plan. Spacing, rate and resolution are in lattice units,
// above 0; the rate is the resolution times a power of two.
func NewTextureGrowth(p *plan.Plan, spacing, rate, resolution int64) (TextureGrowth, error) {
	if spacing < 1 || resolution < 1 || rate < resolution || rate%resolution != 0 || rate/resolution&(rate/resolution-1) != 0 {
		return TextureGrowth{}, fmt.Errorf("experiment: growth by texture with a spacing of %d, a rate of %d and a resolution of %d", spacing, rate, resolution)
	}
	g := TextureGrowth{p, lattice.EmptyBox(), spacing, rate, resolution}
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			box := p.Layers[l].Domains[d].Box()
			g.box = g.box.Extend(box.Min).Extend(box.Max)
		}
	}
	return g, nil
}

// Name returns "texture-growth".
func (TextureGrowth) Name() string { return "texture-growth" }

// Decompose returns the regions of one texture's floor.
func (g TextureGrowth) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	w, err := growth.New(in.Domain, in.Watch)
	if err != nil {
		return gen.Result{}, fmt.Errorf("experiment: %w", err)
	}
	places := g.seeds(w, in.Domain.Box())
	r := w.NewRound(false)
	r.StopAt(func(e plan.EdgeID) bool {
		chain := in.Domain.Edges[e.Ring][e.Index]
		return chain != plan.Wall && g.plan.Chains[chain].Kind == plan.Terrain
	})
	for claimed := -1; claimed != 0; {
		r.Reset()
		for _, p := range places {
			r.Add(p)
		}
		if _, err := r.GrowBySteps(ctx, g.rate, g.resolution); err != nil {
			return gen.Result{}, err
		}
		claimed = r.Claim()
		places = places[:0]
		for _, s := range w.Stretches(true) {
			if p, ok := w.Middle(s, g.resolution); ok {
				places = append(places, p)
			}
		}
	}
	w.CombineAll()
	return w.Result(in.Domain), nil
}

// seeds returns the places of the grid that lie on the floor of a domain.
func (g TextureGrowth) seeds(w *growth.World, box lattice.Box) (places []growth.Place) {
	first := func(whole, part int32) int64 {
		start := int64(whole) + g.spacing/2
		return start + max(0, lattice.FloorDiv(int64(part)-start, g.spacing))*g.spacing
	}
	for y := first(g.box.Min.Y, box.Min.Y); y < int64(box.Max.Y); y += g.spacing {
		for x := first(g.box.Min.X, box.Min.X); x < int64(box.Max.X); x += g.spacing {
			if p, ok := w.PlaceAt(lattice.Point{X: int32(x), Y: int32(y)}, g.resolution); ok {
				places = append(places, p)
			}
		}
	}
	return places
}

// Package sfv decomposes a domain into rectangles that grow until they hit something, and gives up the rest.
//
// Source: Tozour, Search space representations, AI Game Programming Wisdom 2, 2003, as described by
// Hale, A growth-based approach to the automatic generation of navigation meshes, dissertation,
// 2011, section 2.8 (Space Filling Volumes).
//
// Idea: unit squares are seeded on a grid and grow outwards, all in turn, edge by edge. An edge that
// hits the geometry of the world or another region stops for good. In the end regions are combined
// where they stay convex.
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is a rectangle parallel to the axes inside of the domain, and no two overlap,
//     decided exactly (TestLaws, TestCellsAreRectangles);
//  2. Report.Lost is twice the area that no cell covers (TestLaws);
//  3. without combining, no cell can grow on any side (TestNothingCanGrow);
//  4. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: a seed that has no room is left out; a domain without room for any has no cells.
//
// Cost: a region meets the triangles of free space in its way, whose vertices include the seeds, and the
// regions there, each at O(log n).
//
// The uncovered rest is a part of the method: a rectangle stops where its corner meets a slanted wall, and
// nothing is seeded again. The domain beside a chain is not covered up to the chain either, so layers may
// come apart.
//
// Departures from the source: growth goes from event to event, which comes to the same as unit
// steps (TestEventsAreUnitSteps in internal/growth).
package sfv

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/growth"
)

// seedsPerVertex is how dense the grid is where Options leaves it open: dense enough to come near the
// possible cover by rectangles.
const seedsPerVertex = 2

// Options of the generator. The zero value is the default.
type Options struct {
	// Spacing of the grid in lattice units. 0 means two seeds for every vertex of the domain, spread
	// over its area.
	Spacing int64
	// KeepSplit leaves out the last step, which joins two cells where their union is a rectangle.
	KeepSplit bool
}

// Generator is Space Filling Volumes. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "sfv".
func (Generator) Name() string { return "sfv" }

// Decompose returns rectangles inside of in.Domain. Report.Counts holds
//   - vertices: of the domain; seeds: that had room; regions: the same, grown;
//   - combined: cells merged into another; cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if g.Spacing < 0 {
		return gen.Result{}, fmt.Errorf("sfv: the spacing %d is negative", g.Spacing)
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	w, err := growth.New(in.Domain, in.Watch)
	if err != nil {
		return gen.Result{}, fmt.Errorf("sfv: %w", err)
	}
	spacing := g.Spacing
	if spacing == 0 {
		spacing = growth.Spacing(in.Domain, seedsPerVertex)
	}
	vertices, err := w.Grid(in.Domain.Box(), spacing)
	if err != nil {
		return gen.Result{}, fmt.Errorf("sfv: %w", err)
	}
	r := w.NewRound(true)
	for _, v := range vertices {
		r.Add(w.At(v, 1))
	}
	if err := r.GrowByEvents(ctx); err != nil {
		return gen.Result{}, err
	}
	w.Counts["seeds"] = r.Len()
	r.Claim()
	if !g.KeepSplit {
		w.CombineAll()
	}
	return w.Result(in.Domain), nil
}

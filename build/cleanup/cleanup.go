// Package cleanup improves the cells that any generator has made.
//
// Source: Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, master
// thesis, 2009, section 4.4.1: neighbours whose union is convex are merged (4.4.1.1), and three
// regions are cut anew into two (4.4.1.2).
//
// Idea: an edge between two cells is there for the notches at its ends. One that is there for none
// goes. Two that are there for one notch each, on the border of one cell, are replaced by one from notch
// to notch, or by one from the notch that they share. One that is there for one notch may turn about
// it, as diagonals flip, to where the corners beside it are less sharp.
//
// Input: a domain, and cells that hold the promises of [gen.Generator].
//
// Guarantees:
//  1. the cells hold the same promises as before, and cover the very same part of the plane:
//     Report.Lost stays what it was (TestLaws);
//  2. there are not more cells, and not more near-degenerate ones: fans, slivers, cells with narrow
//     edges only, and disjoint ones, as package shape defines them and package metric counts them
//     (TestLaws);
//  3. the smallest angle of all cells is not smaller than before (TestLaws);
//  4. new corners on edges of the domain are lattice points exactly on them, on chains as on walls (TestLaws);
//  5. cleaning up cells that are clean changes nothing (TestCleanIsClean);
//  6. the same cells give the same cells, and moving them moves the result (TestLaws);
//  7. where Input.Thin is above 0, no thin cell is left that a step of package mosaic removes, and none is new
//     (TestThinCells). Such a step may break promises 2 and 3: corners may become sharper, and cells near-degenerate
//     where no other step removes the thin one.
//
// Degenerate cases: a corner in the middle of a neighbour's side divides it; a cell that has only
// a part of a side in common with another is not merged, because the union is not convex; a merge that
// would leave a sliver, or a cell without neighbours, is not made.
//
// Cost: O(n log n) for n corners to find the neighbours. Then rounds over what has changed, in which
// a cell of k sides costs O(k) for merging and O(k²), k at most 48, for the other steps.
//
// Departures from the source: Brand's three regions must have sides on one line, ours any that one cut
// can replace; he accepts what is nearly convex, we decide exactly.
package cleanup

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/internal/mosaic"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// Options say what is near-degenerate. The zero value means the defaults of package metric.
type Options struct {
	// FanRegions, FanAngle (degrees) and SliverRatio are what they are for package metric: default
	// 6, 30 and 10.
	FanRegions            int
	FanAngle, SliverRatio float64
	// NarrowWidth is the length in metres of a common edge below which it is narrow. 0, the default,
	// calls no edge narrow; for a mesh it is twice the agent's radius.
	NarrowWidth float64
}

// Limits returns what the options come to.
func (opt Options) Limits() shape.Limits {
	l := shape.Limits{FanRegions: opt.FanRegions, FanAngle: opt.FanAngle, SliverRatio: opt.SliverRatio}
	if l.FanRegions == 0 {
		l.FanRegions = shape.FanRegions
	}
	if l.FanAngle == 0 {
		l.FanAngle = shape.FanAngle
	}
	if l.SliverRatio == 0 {
		l.SliverRatio = shape.SliverRatio
	}
	l.NarrowWidth = int64(min(opt.NarrowWidth*lattice.UnitsPerMetre+0.5, lattice.MaxCoord))
	return l
}

// Generator makes the cells of another generator and cleans them up.
type Generator struct {
	Of gen.Generator
	Options
}

var _ gen.Generator = Generator{}

// Name returns the name of the other generator: cells that are cleaned up are still its own.
func (g Generator) Name() string { return g.Of.Name() }

// Decompose returns the cells. Report.Counts holds besides those of the other generator: uncleaned,
// how many cells it made; merged, recut, turned and widened, the steps of each kind; and cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if !(g.FanAngle >= 0 && g.SliverRatio >= 0 && g.NarrowWidth >= 0) || g.FanRegions < 0 {
		return gen.Result{}, fmt.Errorf("cleanup: limits %+v must not be negative", g.Options)
	}
	res, err := g.Of.Decompose(ctx, in)
	if err != nil {
		return gen.Result{}, err
	}
	m := mosaic.New(in.Domain, res.Cells, g.Limits())
	m.Thin(in.Thin, false)
	steps, err := m.Clean(ctx)
	if err != nil {
		return gen.Result{}, err
	}
	counts := map[string]int{}
	for name, n := range res.Report.Counts {
		counts[name] = n
	}
	counts["uncleaned"], counts["cells"] = len(res.Cells), m.Cells()
	counts["merged"], counts["recut"], counts["turned"], counts["widened"] = steps.Merged, steps.Recut, steps.Turned, steps.Widened
	res.Cells, res.Report.Counts = m.Result(), counts
	return res, nil
}

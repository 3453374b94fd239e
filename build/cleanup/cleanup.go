// Package cleanup improves the cells that any generator has made.
//
// Source: Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, master
// thesis, 2009, section 4.4.1: neighbours whose union is convex are merged (4.4.1.1), and three
// regions are cut anew into two (4.4.1.2).
//
// Idea: an edge between two cells serves the notches at its ends. An edge without a notch goes. Two edges on
// the border of one cell, each for one notch, are replaced by one edge from notch to notch or, for a common
// notch, by one edge from there. An edge for one notch may turn about the notch, as diagonals flip, to make
// the corners beside it less sharp.
//
// Input: a domain, and cells that keep the promises of [gen.Generator].
//
// Guarantees:
//  1. the cells keep the promises, and cover the very same part of the plane: Report.Lost is unchanged
//     (TestLaws);
//  2. cells do not increase in number, nor do near-degenerate cells: fans, slivers, disjoint cells and cells
//     with narrow edges only, as package shape defines and package metric counts them (TestLaws);
//  3. the smallest angle of all cells is not smaller than before (TestLaws);
//  4. new corners on edges of the domain are lattice points exactly on them, on chains as on walls (TestLaws);
//  5. cleaning up clean cells changes nothing (TestCleanIsClean);
//  6. the same cells give the same cells, and moving them moves the result (TestLaws);
//  7. where Input.Thin is above 0, no step of package mosaic could remove any thin cell that is left, and no thin
//     cell is new (TestThinCells). A step against a thin cell may break promises 2 and 3: corners may become
//     sharper, and cells near-degenerate where no other step removes the thin cell.
//
// Degenerate cases: a corner in the middle of a neighbour's side divides it; a cell that shares only a part
// of a side with another is not merged, because the union is not convex; a merge that would leave a sliver or
// a cell without neighbours is not made.
//
// Cost: O(n log n) for n corners to find the neighbours. Then rounds over the changed cells, in which a cell
// of k sides costs O(k) for merging and O(k²), k at most 48, for the other steps.
//
// Departures from the source: Brand merges three regions with sides on one line, we any three that one cut
// can replace; he accepts nearly convex unions, we decide exactly.
package cleanup

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/internal/mosaic"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// Options are the limits of near-degenerate cells. The zero value means the defaults of package metric.
type Options struct {
	// FanRegions, FanAngle (degrees) and SliverRatio mean the same as in package metric: default 6, 30 and 10.
	FanRegions            int
	FanAngle, SliverRatio float64
	// A common edge shorter than NarrowWidth (metres) is narrow. 0, the default, calls no edge narrow; for a
	// mesh, use twice the agent's radius.
	NarrowWidth float64
}

// Limits returns the limits with defaults filled in.
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

// Name returns the name of the other generator: cleaning up changes no cell's origin.
func (g Generator) Name() string { return g.Of.Name() }

// Decompose returns the cells. Report.Counts holds the other generator's counts and: uncleaned, the number of
// cells before; merged, recut, turned and widened, the number of steps of each kind; and cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if sum := g.FanAngle + g.SliverRatio + g.NarrowWidth; !(g.FanAngle >= 0 && g.SliverRatio >= 0 && g.NarrowWidth >= 0) || math.IsInf(sum, 0) || g.FanRegions < 0 {
		return gen.Result{}, fmt.Errorf("cleanup: limits %+v must be finite and must not be negative", g.Options)
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

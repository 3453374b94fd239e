// Package hertelmehlhorn decomposes a domain by the algorithm of Hertel and Mehlhorn: triangulate,
// then take away every diagonal that convexity does not need.
//
// Source: Hertel and Mehlhorn, Fast triangulation of simple polygons, Foundations of Computation
// Theory (1983), LNCS 158; in O'Rourke, Computational Geometry in C (1998), section 2.5.1.
//
// Idea: a diagonal is essential at an end that is a notch, a vertex with more than 180° of free space, if its
// removal would leave more than 180° between its neighbours there. Diagonals essential at no end are removed
// one after the other. At most two of the remaining diagonals are essential at any notch, and every convex
// decomposition has a portal for every two notches, so there are at most four times as many cells as
// necessary.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, and the cells fill the
//     domain exactly: no corner is constructed and nothing is lost (TestLaws);
//  2. no remaining diagonal could be removed (TestMinimal);
//  3. at most two diagonals for every notch stay (TestLaws);
//  4. no T-junctions: cells share whole diagonals (TestLaws, where no corner is constructed);
//  5. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: an angle of exactly 180° is convex, a point in the middle of a straight wall stays a
// corner of its cell; of equally long diagonals the first in the triangulation is treated first. A point
// where rings touch has a separate angle for each pass.
//
// Cost: O(n log n) expected for the triangulation of n points and for sorting the diagonals by length;
// removing them is O(n): edges around a vertex are linked, no walk passes removed edges.
//
// Departures: the source leaves the triangulation and the order of diagonals open. The triangulation
// is constrained Delaunay; the order is an option, see [Order].
package hertelmehlhorn

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/faces"
)

// Order is the order of removing diagonals.
type Order uint8

// The orders. The page on rivals compares the results.
const (
	LongestFirst  Order = iota // the default: short portals stay
	ShortestFirst              // long portals stay
	AsFound                    // in the order of the triangulation, which saves the sorting
)

// Options say how diagonals are chosen.
type Options struct{ Order Order }

// Generator is the algorithm of Hertel and Mehlhorn. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "hertelmehlhorn".
func (Generator) Name() string { return "hertelmehlhorn" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds vertices, the points of the domain;
// triangles, their number at the start; portals, the remaining diagonals; and cells. An observer sees
// "portals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("hertelmehlhorn: %w", err)
	}
	return g.DecomposeTriangulated(ctx, in, dom)
}

// DecomposeTriangulated is Decompose with a known triangulation of in.Domain, which is not changed.
func (g Generator) DecomposeTriangulated(ctx context.Context, in gen.Input, dom *cdt.Domain) (gen.Result, error) {
	if g.Order > AsFound {
		return gen.Result{}, fmt.Errorf("hertelmehlhorn: unknown order %d", g.Order)
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	m := faces.New(dom)
	diagonals := m.Diagonals()
	counts := map[string]int{"vertices": len(dom.Walls), "triangles": 0}
	for _, inside := range dom.Inside {
		if inside {
			counts["triangles"]++
		}
	}
	sortDiagonals(dom, diagonals, g.Order)
	counts["portals"] = m.Dissolve(diagonals)
	if in.Watch != nil {
		in.Watch.Step("portals", m.Segments(diagonals))
	}
	cells := m.Cells(func(int32) plan.EdgeID { return plan.NoEdge })
	counts["cells"] = len(cells)
	return gen.Result{Cells: cells, Report: gen.Report{Counts: counts}}, nil
}

// WithoutThin returns the cells that Decompose makes of an input with a thin width, given the cells for the input without a
// thin width: the same cells.
func (Generator) WithoutThin(_ context.Context, _ gen.Input, cells []plan.Cell) ([]plan.Cell, error) {
	return cells, nil
}

// sortDiagonals sorts the diagonals; diagonals of equal length stay in the order of their numbers.
func sortDiagonals(dom *cdt.Domain, diagonals []int32, order Order) {
	if order == AsFound {
		return
	}
	type keyed struct {
		length2 uint64
		half    int32
	}
	keys := make([]keyed, len(diagonals))
	for i, e := range diagonals {
		l := dom.P[dom.H[e].V].Distance2(dom.P[dom.Head(e)])
		if order == LongestFirst {
			l = ^l
		}
		keys[i] = keyed{l, e}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if c := cmp.Compare(a.length2, b.length2); c != 0 {
			return c
		}
		return cmp.Compare(a.half, b.half)
	})
	for i, k := range keys {
		diagonals[i] = k.half
	}
}

// Package optimal decomposes a small domain into the fewest possible convex cells with corners at the
// vertices of the domain. Near-minimal generators are measured against the result.
//
// Source: minimum convex decomposition of a simple polygon by dynamic programming, Greene, The decomposition
// of polygons into convex parts, Advances in Computing Research 1 (1983), and Keil, Decomposing a polygon
// into simpler components, SIAM Journal on Computing 14 (1985); with the diagonals limited to those at
// notches as in Keil and Snoeyink, On the time bound for convex decomposition of simple polygons,
// International Journal of Computational Geometry & Applications 12 (2002). With holes the problem is NP-hard
// (Lingas, The power of non-rectilinear holes, ICALP 1982).
//
// Idea: in a polygon without holes the cell at a diagonal is a convex chain of edges and diagonals, each with
// a smaller polygon behind it that is solved already; chains grow edge by edge, and of chains with the same
// end only the cheapest, and the narrowest among these, are kept. With holes, the outermost vertex of a hole
// needs a diagonal that leads away from the hole: the search tries all of them, each joining two rings into
// one, and prunes everything that cannot beat the best.
//
// Input: a domain whose edges do not cross, with few points and fewer holes. Rings may touch at single
// points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, and the cells fill the
//     domain exactly: no corner is constructed and nothing is lost (TestLaws);
//  2. no decomposition by diagonals has fewer cells (TestAgainstAllSets, which tries all sets of diagonals;
//     TestAgainstSlow, a search diagonal by diagonal);
//  3. at least half a diagonal for every notch (TestLaws);
//  4. too large domains are refused with [ErrTooLarge] and never answered wrongly (TestLimits);
//  5. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: an angle of exactly 180° is convex. A diagonal runs from one vertex to another without a
// vertex between, so a line through a third vertex counts as two. Where rings touch, a vertex has an angle
// for each pass of the border, which is counted by itself; a domain cut in two by touching rings is two
// polygons.
//
// Cost: r notches among n points have O(nr) diagonals, each of them found by a walk through the
// triangulation. The dynamic program takes O(n²r) steps for a polygon without holes, times the number of
// cheapest chains of different narrowness, which hardly exceeds two. With h holes it runs once for every
// choice of h diagonals that is not pruned: up to nʰ times.
//
// Departures: chains of edges take the place of the triangles that Keil and Snoeyink fan out from one end of
// the diagonal, because a triangle's third side may run through vertices when points are collinear. Every
// best chain is kept, not only the cheapest.
package optimal

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// ErrTooLarge is the error for a domain that is beyond the limits of [Options].
var ErrTooLarge = errors.New("too large for the exact minimum")

// Options are limits of the search.
type Options struct {
	// Points is the largest number of points in a connected part of the domain, 0 for 500.
	Points int
	// Holes is the largest number of holes, 0 for 9. Holes that touch another ring do not count.
	Holes int
	// Effort is how often the search for the best way to join holes may look at a diagonal before it
	// gives up, 0 for 10 million, which takes some seconds.
	Effort int
}

func (o Options) withDefaults() Options {
	if o.Points == 0 {
		o.Points = 500
	}
	if o.Holes == 0 {
		o.Holes = 9
	}
	if o.Effort == 0 {
		o.Effort = 10_000_000
	}
	return o
}

// Generator is the minimum decomposition. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "optimal".
func (Generator) Name() string { return "optimal" }

// Decompose returns the fewest convex cells of in.Domain. The error is [ErrTooLarge], with the place and the
// number, where the domain is beyond the limits. Report.Counts holds vertices, the points of the domain;
// notches; diagonals, those at notches; portals, the diagonals of the decomposition; steps, of the search;
// and cells. An observer sees "portals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	dom, parts, err := g.solve(ctx, in.Domain)
	if err != nil {
		return gen.Result{}, err
	}
	counts := map[string]int{"vertices": len(dom.Walls), "notches": 0, "diagonals": 0, "portals": 0, "steps": 0, "cells": 0}
	var cells []plan.Cell
	for _, p := range parts {
		counts["notches"] += p.notches
		counts["diagonals"] += len(p.diagonals)
		counts["portals"] += p.best - 1 + p.holes
		counts["steps"] += p.steps
		for _, ring := range p.cells {
			corners := make([]plan.Corner, len(ring))
			for i, v := range ring {
				corners[i] = plan.Corner{Point: p.at[v], On: plan.NoEdge}
			}
			cells = append(cells, plan.Cell{Corners: corners})
		}
	}
	counts["cells"] = len(cells)
	if in.Watch != nil {
		in.Watch.Step("portals", portals(cells))
	}
	return gen.Result{Cells: cells, Report: gen.Report{Counts: counts}}, nil
}

// Count returns how many convex cells d needs at the least when their corners are vertices of d. The
// error is [ErrTooLarge] where d is beyond the limits.
func Count(ctx context.Context, d *plan.Domain, opt Options) (int, error) {
	_, parts, err := Generator{opt}.solve(ctx, d)
	sum := 0
	for _, p := range parts {
		sum += p.best
	}
	return sum, err
}

// solve finds the minimum of every connected part of d.
func (g Generator) solve(ctx context.Context, d *plan.Domain) (*cdt.Domain, []*part, error) {
	opt := g.withDefaults()
	if min(opt.Points, opt.Holes, opt.Effort) < 0 {
		return nil, nil, fmt.Errorf("optimal: the limits must not be negative: %+v", g.Options)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	dom, err := cdt.FromDomain(d)
	if err != nil {
		return nil, nil, fmt.Errorf("optimal: %w", err)
	}
	parts := partsOf(dom)
	for _, p := range parts {
		if err := p.solve(ctx, opt); err != nil {
			return nil, nil, err
		}
	}
	return dom, parts, nil
}

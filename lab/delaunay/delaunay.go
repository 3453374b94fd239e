// Package delaunay decomposes a domain into the triangles of its constrained Delaunay triangulation.
//
// Source: Chew, Constrained Delaunay triangulations, Algorithmica 4 (1989); how it is built says
// [github.com/meadow-nav/meadow/gen/internal/cdt].
//
// Idea: of all triangulations with the walls as edges, take the one with the least pointed triangles: no
// vertex in view of a triangle lies inside the triangle's circle. Triangles are convex, so they are the
// cells. The result is the yardstick of the other decompositions, and the start of several.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. the cells are triangles, counter-clockwise and of positive area, that fill the domain exactly:
//     no corner is constructed and nothing is lost (TestLaws);
//  2. every edge between two cells is locally Delaunay, decided exactly (TestDelaunay);
//  3. a domain of n points at different places in one piece with h separate holes has n + 2h - 2 cells
//     (TestNumberOfTriangles);
//  4. no T-junctions: two adjacent cells share a whole edge, because the corners of cells are points of the
//     domain and every such point is a corner of all cells there (TestVertexToVertex);
//  5. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: collinear and cocircular points need nothing special, of several Delaunay
// triangulations the order of the points picks one; a point in the middle of an edge divides it.
//
// Cost: O(n log n) expected for n points.
//
// Departures: none.
package delaunay

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Generator is the constrained Delaunay triangulation. The zero value is ready for use.
type Generator struct{}

var _ gen.Generator = Generator{}

// Name returns "delaunay".
func (Generator) Name() string { return "delaunay" }

// Decompose returns the triangles of in.Domain. Report.Counts holds vertices, the points of the
// domain, and cells.
func (Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("delaunay: %w", err)
	}
	n := 0
	for _, inside := range dom.Inside {
		if inside {
			n++
		}
	}
	cells := make([]plan.Cell, 0, n)
	corners := make([]plan.Corner, 0, 3*n)
	for t, inside := range dom.Inside {
		if !inside {
			continue
		}
		begin := len(corners)
		for _, h := range dom.H[3*t : 3*t+3] {
			corners = append(corners, plan.Corner{Point: dom.P[h.V], On: plan.NoEdge})
		}
		cells = append(cells, plan.Cell{Corners: corners[begin:len(corners):len(corners)]})
	}
	return gen.Result{Cells: cells, Report: gen.Report{Counts: map[string]int{
		"vertices": len(dom.Walls), "cells": len(cells),
	}}}, nil
}

// Package quadtree decomposes a domain approximately, into the squares of a quadtree.
//
// Source: approximate cell decomposition, Hale, section 2.13; Brooks and Lozano-Pérez, A subdivision
// algorithm in configuration space for findpath with rotation, IJCAI (1983); Samet, The quadtree and
// related hierarchical data structures, ACM Computing Surveys 16, 2 (1984).
//
// Idea: a square that a wall enters is divided into four, down to a resolution. Squares that no wall enters
// are free or blocked as a whole; the free squares are the cells. The smallest squares with a wall inside are
// given up, however much of them is free.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is a square inside of the domain, its side a power of two in lattice units, and no
//     two overlap, decided exactly (TestLaws);
//  2. every square of the tree that is as large as the resolution and inside of the domain is covered
//     (TestCovers);
//  3. Report.Lost is exactly the uncovered area, and a finer resolution never loses more (TestLaws,
//     TestFinerLosesLess);
//  4. the same domain gives the same cells, and a moved domain the moved cells: the tree starts at the lower
//     left corner of the domain's box (TestLaws).
//
// Degenerate cases: a wall along the side of a square, or through its corner, does not enter the square. A
// domain narrower than the resolution has no cells. Seams are walls like any other: across one that is not
// parallel to an axis, or does not lie on the tree's lines, no cells meet.
//
// Cost: O(n log n) expected to validate n points; then every square costs O(1) for each wall in its parent.
// The number of squares grows with the length of the walls over the resolution, by O(log) of the empty space
// around them, and not with its area.
//
// Departures: the sources sample the square or bound it by intervals. Here whether a square is free is
// carried down the tree: the way from the lower left corner of a square to its quarter's lies in the square,
// so only walls inside the square can be between.
package quadtree

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Options say how fine the cells are.
type Options struct {
	// Resolution is the side of the smallest squares in metres, rounded down to a power of two in
	// lattice units, and up to one unit.
	//
	// 0 means a 256th of the square around the domain or a quarter of a metre, whichever is less,
	// doubled as long as the walls are longer than 8192 such squares and than 64 for each wall.
	Resolution float64
}

// The numbers of the default resolution.
const (
	rootParts     = 256
	coarsest      = lattice.UnitsPerMetre / 4
	manySquares   = 8192
	squaresOfWall = 64
)

// maxSquares is the largest length of the walls in smallest squares: the cells of longer walls would not fit
// a mesh.
const maxSquares = 1 << 24

// Generator is the approximate decomposition. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "quadtree".
func (Generator) Name() string { return "quadtree" }

// Decompose returns the free squares of in.Domain, in the order of the tree: lower left, lower right,
// upper left, upper right. Report.Counts holds vertices, the points of the domain; resolution, the
// side of the smallest squares in lattice units; squares, those looked at; mixed, those given up; and
// cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if !(g.Resolution >= 0) || math.IsInf(g.Resolution, 1) {
		return gen.Result{}, fmt.Errorf("quadtree: the resolution, %v m, must be finite and not negative", g.Resolution)
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	// The triangulation knows every fault of a domain; it has no other purpose here.
	if _, err := cdt.FromDomain(in.Domain); err != nil {
		return gen.Result{}, fmt.Errorf("quadtree: %w", err)
	}
	walls := wallsOf(in.Domain)
	box := in.Domain.Box()
	side := int64(1)
	for w, h := box.Size(); side < max(w, h); {
		side *= 2
	}
	w := &work{ctx: ctx, lost: in.Domain.Area2(), least: g.resolution(side, walls)}
	if long := squaresAlong(walls, w.least); long > maxSquares {
		return gen.Result{}, fmt.Errorf("quadtree: at a resolution of %v m the walls near %v are %d squares long, more than %d: take a coarser one",
			float64(w.least)*lattice.Unit, box.Min, long, maxSquares)
	}
	root := square{x: int64(box.Min.X), y: int64(box.Min.Y), side: side}
	root.inside = odd(walls, func(s wall) bool { return s.crossesEast(root.x-1, root.x, root.y) })
	w.divide(root, walls)
	if w.err != nil {
		return gen.Result{}, w.err
	}
	cells := w.cells()
	return gen.Result{Cells: cells, Report: gen.Report{Lost: w.lost, Counts: map[string]int{
		"vertices": len(walls), "resolution": int(w.least), "squares": w.squares, "mixed": w.mixed, "cells": len(cells),
	}}}, nil
}

// resolution returns the side of the smallest squares of a tree whose root has the given side.
func (g Generator) resolution(side int64, walls []wall) int64 {
	least := int64(1)
	if g.Resolution > 0 {
		for limit := float64(g.Resolution * lattice.UnitsPerMetre); least < side && float64(2*least) <= limit; {
			least *= 2
		}
		return least
	}
	least = min(max(1, side/rootParts), coarsest)
	for squaresAlong(walls, least) > max(manySquares, squaresOfWall*int64(len(walls))) {
		least *= 2
	}
	return least
}

// squaresAlong returns how many squares of a side the walls are long, each along its longer axis.
func squaresAlong(walls []wall, side int64) int64 {
	sum := int64(0)
	for _, s := range walls {
		dx, dy := s.q.Sub(s.p)
		sum += max(dx, -dx, dy, -dy) / side
	}
	return sum
}

// square is a node of the tree: its lower left corner and its side. Inside tells whether the domain is right
// above and right of that corner.
type square struct {
	x, y, side int64
	inside     bool
}

// work is the state of one decomposition.
type work struct {
	ctx            context.Context
	least          int64  // the side of the smallest squares
	walls          []wall // walls inside the present square and its ancestors
	free           []square
	squares, mixed int
	lost           int64 // twice the area that is not covered yet
	err            error
}

// divide treats a square. walls holds the walls inside its parent.
func (w *work) divide(s square, walls []wall) {
	if w.squares++; w.squares%1024 == 0 && w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil {
		return
	}
	begin := len(w.walls)
	for _, l := range walls {
		if l.enters(s) {
			w.walls = append(w.walls, l)
		}
	}
	entering := w.walls[begin:len(w.walls):len(w.walls)]
	switch {
	case len(entering) == 0:
		if s.inside {
			w.free = append(w.free, s)
			w.lost -= 2 * s.side * s.side
		}
	case s.side <= w.least:
		w.mixed++
	default:
		for _, quarter := range s.quarters(entering) {
			w.divide(quarter, entering)
		}
	}
	w.walls = w.walls[:begin]
}

// quarters returns the four quarters of s, which the walls enter.
func (s square) quarters(walls []wall) [4]square {
	h := s.side / 2
	east := odd(walls, func(l wall) bool { return l.crossesEast(s.x, s.x+h, s.y) })
	north := odd(walls, func(l wall) bool { return l.crossesNorth(s.x, s.y, s.y+h) })
	onward := odd(walls, func(l wall) bool { return l.crossesNorth(s.x+h, s.y, s.y+h) })
	return [4]square{
		{s.x, s.y, h, s.inside},
		{s.x + h, s.y, h, s.inside != east},
		{s.x, s.y + h, h, s.inside != north},
		{s.x + h, s.y + h, h, s.inside != east != onward},
	}
}

// odd tells whether an odd number of the walls is crossed.
func odd(walls []wall, crosses func(wall) bool) bool {
	odd := false
	for _, l := range walls {
		if crosses(l) {
			odd = !odd
		}
	}
	return odd
}

// cells returns the free squares. Their corners are in the domain, so they are lattice points.
func (w *work) cells() []plan.Cell {
	corners := make([]plan.Corner, 0, 4*len(w.free))
	cells := make([]plan.Cell, len(w.free))
	for i, s := range w.free {
		lo := lattice.Point{X: int32(s.x), Y: int32(s.y)}
		hi := lattice.Point{X: int32(s.x + s.side), Y: int32(s.y + s.side)}
		for _, p := range [...]lattice.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}} {
			corners = append(corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
		cells[i].Corners = corners[4*i : 4*i+4 : 4*i+4]
	}
	return cells
}

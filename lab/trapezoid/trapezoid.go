// Package trapezoid decomposes a domain by vertical or horizontal cuts through its vertices.
//
// Source: Chazelle, Approximation and decomposition of shapes (1985), in Algorithmic and Geometric
// Aspects of Robotics (1987); de Berg, Cheong, van Kreveld and Overmars, Computational Geometry (3rd
// edition, 2008), section 6.1 and, as vertical cell decomposition for paths, section 13.2.
//
// Idea: from every vertex a vertical cut runs up and down, as far as there is free space, to the next wall.
// The parts between the cuts have a wall or a vertex above and below and cuts to the left and right:
// trapezoids and triangles, all convex.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly
//     (TestLaws);
//  2. the cells fill the domain exactly, up to Report.Lost, the area between walls and their
//     constructed corners (TestLaws);
//  3. every cut runs along a lattice line exactly; its end on a wall is at most two units from the
//     wall, in the free space, and exactly on it if the wall belongs to a chain (TestLaws, TestCutsAreUpright);
//  4. where no cut is refused, every cell lies between two cuts and has at most two other sides that
//     are not parallel to them (TestTrapezoids);
//  5. every valid domain is decomposed (TestLaws), and turning the domain by a right angle turns the result
//     of the other direction (TestTurned);
//  6. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: vertices above each other share a cut; a vertex in the middle of a straight wall is no
// vertex and gets none; a vertical wall needs no cut.
//
// The end of a cut is seldom a lattice point. It is rounded into the free space along the cut, which stays
// upright, and becomes a vertex of the wall at once, before anything else is decided. If the end would pass
// or touch a vertex, or leave a chain, the cut is refused. Necessary diagonals of the triangulation then cut
// the space convex instead.
//
// Cost: O(n log n) expected for the triangulation of n points, more where many long walls start close to each
// other (BenchmarkStaircase); each cut walks over the triangles in its way, a bounded number on common
// levels. Cuts are made in rounds of doubling size, so long cuts soon divide the space before later ones.
//
// Departures: the sources' sweep, or randomised insertion of walls, needs crossings of cuts and walls in
// rational numbers, where the result needs lattice points. A walk over a triangulation shows exactly what a
// rounded point would pass, and offers a diagonal where the point is impossible. Straight vertices are no
// reason for a cut.
package trapezoid

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/faces"
)

// Generator is the trapezoidal decomposition. The zero value cuts vertically, as seen from above
// with the north up.
type Generator struct {
	// Horizontal turns the cuts by a right angle.
	Horizontal bool
}

var _ gen.Generator = Generator{}

// Name returns "trapezoid", or "trapezoid-h" for horizontal cuts.
func (g Generator) Name() string {
	if g.Horizontal {
		return "trapezoid-h"
	}
	return "trapezoid"
}

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: the points of the domain;
//   - cuts: those made, constructed: with an end in a new corner of a wall;
//   - crowded: cuts refused for lack of a lattice point;
//   - diagonals: made in their place;
//   - cells.
//
// An observer sees "cuts" and "diagonals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	domain := in.Domain
	if g.Horizontal {
		domain = turned(domain)
	}
	dom, err := cdt.FromDomain(domain)
	if err != nil && g.Horizontal {
		_, err = cdt.FromDomain(in.Domain) // the same fault, named by its place
	}
	if err != nil {
		return gen.Result{}, fmt.Errorf("trapezoid: %w", err)
	}
	w := &work{Domain: dom, firstNew: int32(len(dom.P))}
	for i, v := range w.order() {
		if i%1024 == 0 && ctx.Err() != nil {
			return gen.Result{}, ctx.Err()
		}
		w.cut(v, 1)
		w.cut(v, -1)
	}
	m := faces.New(dom)
	diagonals := m.Diagonals()
	kept := m.Dissolve(diagonals)
	cells := m.Cells(w.on)
	segments := m.Segments(diagonals)
	if g.Horizontal {
		turnBack(cells, w.cuts, segments)
	}
	if in.Watch != nil {
		in.Watch.Step("cuts", w.cuts)
		in.Watch.Step("diagonals", segments)
	}
	res := gen.Result{Cells: cells, Report: gen.Report{Lost: w.lost, Counts: map[string]int{
		"vertices": len(dom.Walls), "cuts": len(w.cuts), "constructed": len(w.constructed),
		"crowded": w.crowded, "diagonals": kept, "cells": len(cells),
	}}}
	return res, nil
}

// work is the state of one decomposition. Cuts are constrained edges with a mark after the walls'.
type work struct {
	*cdt.Domain
	cuts        [][2]lattice.Point
	firstNew    int32         // vertices from here on are not points of the domain
	constructed []plan.EdgeID // of vertex firstNew+i
	crowded     int
	lost        int64 // twice the area that walls gave up
}

// on returns the edge that vertex v was constructed on.
func (w *work) on(v int32) plan.EdgeID {
	if v < w.firstNew {
		return plan.NoEdge
	}
	return w.constructed[v-w.firstNew]
}

// order returns the vertices, each once, in rounds of doubling size around the rings: round k takes
// the places that a multiplicative hash gives k leading zeros, one in 2^(k+1), evenly spread.
func (w *work) order() []int32 {
	const golden = 0x9E3779B97F4A7C15
	var rounds [65][]int32
	seen := make([]bool, len(w.P))
	for i, v := range w.Corner {
		if !seen[v] {
			seen[v] = true
			k := bits.LeadingZeros64(uint64(i) * golden)
			rounds[k] = append(rounds[k], v)
		}
	}
	slices.Reverse(rounds[:])
	return slices.Concat(rounds[:]...)
}

// cut makes the cut from vertex v, up for a direction of 1 and down for -1, if free space lies there.
func (w *work) cut(v, direction int32) {
	at := w.P[v]
	// The first and the third vertex are corners of the box around all points.
	end := lattice.Point{X: at.X, Y: w.P[2].Y}
	if direction < 0 {
		end.Y = w.P[0].Y
	}
	e, along := w.Into(v, end)
	switch {
	case along && w.H[e].Mark != cdt.Free || !w.Inside[e/3]:
		return
	case !along:
		e = cdt.Prev(e) // the side of the triangle that starts at v, right of the cut
	}
	if w.straight(e) {
		return
	}
	b := w.Shoot(v, end)
	to := b.Vertex
	if to < 0 {
		if to = w.construct(at, b.Edge, direction); to < 0 {
			w.crowded++
			return
		}
	}
	if w.Connect(v, to, int32(len(w.Walls)+len(w.cuts))) == cdt.Clear {
		w.cuts = append(w.cuts, [2]lattice.Point{at, w.P[to]})
	}
}

// straight tells whether the free space to the left of the half-edge e has exactly 180° at its
// start: a vertex in the middle of a straight wall.
func (w *work) straight(e int32) bool {
	right, left := e, w.CCW(e)
	for w.H[right].Mark == cdt.Free {
		right = w.CW(right)
	}
	for w.H[left].Mark == cdt.Free {
		left = w.CCW(left)
	}
	p, r, l := w.P[w.H[e].V], w.P[w.Head(right)], w.P[w.Head(left)]
	return lattice.Orient(p, r, l) == 0 && lattice.Dot(p, r, l) < 0
}

// construct makes a vertex where the cut that starts at a point crosses the half-edge e of a wall, or as near
// to it as the lattice allows on the free side. It returns -1 if impossible.
func (w *work) construct(start lattice.Point, e, direction int32) int32 {
	wall := w.Walls[w.H[e].Mark]
	u, v := w.P[w.H[e].V], w.P[w.Head(e)]
	// The crossing is at u.Y + num/den; the free side is below the crossing for a cut that runs up.
	den, rise := v.Sub(u)
	num := rise * (int64(start.X) - int64(u.X))
	if den < 0 {
		num, den = -num, -den
	}
	dy := lattice.FloorDiv(num, den)
	if direction < 0 {
		dy = -lattice.FloorDiv(-num, den)
	}
	p := lattice.Point{X: start.X, Y: u.Y + int32(dy)}
	if (int64(p.Y)-int64(start.Y))*int64(direction) <= 0 {
		return -1 // there is less than a unit between the wall and the start
	}
	var made int32
	switch off := lattice.Orient(u, v, p); {
	case off == 0:
		made = w.Split(e, p)
	case wall.Chain != plan.Wall || !w.fits(p, e, wall):
		return -1
	default:
		w.lost += off
		made = w.Dent(e, p)
	}
	w.constructed = append(w.constructed, wall.EdgeID)
	return made
}

// fits reports whether two half-edges over p, to the left of e, may replace the half-edge e of a wall:
// nothing is in between, p stays near the wall, and the wall's corners stay in order.
func (w *work) fits(p lattice.Point, e int32, wall cdt.Wall) bool {
	u, v, apex := w.P[w.H[e].V], w.P[w.Head(e)], w.P[w.Apex(e)]
	from, to := w.P[wall.From], w.P[wall.To]
	along := lattice.Dot(from, to, p)
	return lattice.Orient(v, apex, p) > 0 && lattice.Orient(apex, u, p) > 0 &&
		lattice.Dot(from, to, u) < along && along < lattice.Dot(from, to, v) &&
		lattice.LineDistance2(p, from, to).CompareInt(4) <= 0
}

// turned returns d turned clockwise by a right angle: horizontal becomes vertical.
func turned(d *plan.Domain) *plan.Domain {
	t := *d
	t.Rings = make([]lattice.Ring, len(d.Rings))
	for i, r := range d.Rings {
		t.Rings[i] = make(lattice.Ring, len(r))
		for k, p := range r {
			t.Rings[i][k] = lattice.Point{X: p.Y, Y: -p.X}
		}
	}
	return &t
}

// turnBack reverses the turn for cells and segments.
func turnBack(cells []plan.Cell, segments ...[][2]lattice.Point) {
	back := func(p lattice.Point) lattice.Point { return lattice.Point{X: -p.Y, Y: p.X} }
	for _, c := range cells {
		for i := range c.Corners {
			c.Corners[i].Point = back(c.Corners[i].Point)
		}
	}
	for _, list := range segments {
		for i, s := range list {
			list[i] = [2]lattice.Point{back(s[0]), back(s[1])}
		}
	}
}

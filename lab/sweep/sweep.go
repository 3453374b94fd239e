// Package sweep decomposes a domain by sweeping a box over it: where the box fits it leaves a cell, and cells are
// combined as long as they stay convex.
//
// Source: the mesh generation of Left 4 Dead as described by Hale, A growth-based approach to the automatic generation
// of navigation meshes, dissertation, 2011, section 2.12.
//
// Idea: a box is moved by its own size in all directions, from a place with room to all other such places. The boxes are joined
// to rooms, rectangles as large as possible, and the rooms pushed against axis-parallel walls beside them. The rest along the
// walls, without room for a box, is cut convex and joined to the rooms where they stay convex.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly, and the cells
//     fill the domain exactly: no corner is constructed anywhere but on the line of a wall, and nothing is lost (TestLaws);
//  2. as published, every cell is a rectangle with sides along the axes and of whole boxes, no box fits into the
//     rest, and Report.Lost is the rest's area (TestPublished);
//  3. rooms fill the open boxes, none in two of them (TestRooms); pushed against walls, they do not overlap and contain
//     no wall (TestPush);
//  4. the number of boxes follows the number of points, not the size of the domain, unless it is given (TestSize of
//     lab/internal/grid);
//  5. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: passages narrower than a box have none. The corners of a room's side on a wall lie exactly on the
// wall.
//
// Cost: O(n log n) expected for the triangulation of n points, and O(b) for at most 2⁹ + 4n boxes.
//
// Departures: the source starts at a place that somebody knows to be good; here every part of the domain has a start. The source
// moves the box of an agent, whose size a domain does not know: see Options. It joins two boxes at a time in no particular order;
// here a room takes whole sides of boxes in turn. The source does not push rooms, and leaves places without room for a box
// uncovered, see Published. Slanted walls get staircases of rooms in either case.
package sweep

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/faces"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

// Options choose the size of the box and the treatment of the rest.
type Options struct {
	// BoxSize is the side of the box that is swept, in lattice units; 0 means as small as 2⁹ boxes, and 4 more
	// for every point of the domain, allow, at most 2²⁰. Where a size would take more than 2²⁰ boxes, it is larger.
	BoxSize int64
	// Published leaves out places without room for a box: the cells are rooms only.
	Published bool
}

// Generator is the volume sweep in the plane. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "sweep".
func (Generator) Name() string { return "sweep" }

// maxBoxes bounds the number of boxes.
const maxBoxes = 1 << 20

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: the points of the domain; boxes: that fit; rooms: made of them;
//   - diagonals: cutting the rest along the walls; joined: pieces of the borders of rooms that were taken away;
//   - cells.
//
// An observer sees "rooms", the borders of all, and "diagonals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("sweep: %w", err)
	}
	budget := maxBoxes
	if g.BoxSize == 0 {
		budget = min(1<<9+4*in.Domain.Len(), maxBoxes)
	}
	c := combine(grid.New(in.Domain.Polygon, g.BoxSize, budget))
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	var rects []rect
	if g.Published {
		rects = c.rects()
	} else {
		rects = c.push(in.Domain.Polygon)
	}
	d := cuts.New(dom)
	first := make([]int32, len(rects)) // corner of every room
	for i, r := range rects {
		var v [4]int32
		for k, p := range c.corners(r) {
			v[k] = d.Place(p)
		}
		for k := range v {
			d.Cut(v[k], v[(k+1)%4])
		}
		first[i] = v[0]
	}
	res := gen.Result{Report: gen.Report{Lost: d.Lost}}
	if g.Published {
		res.Report.Lost += c.leave(d, rects, first)
	}
	m := faces.New(dom)
	diagonals, borders := m.Diagonals(), d.Edges()
	cuts.LongestFirst(dom, diagonals)
	cuts.LongestFirst(dom, borders)
	if in.Watch != nil {
		in.Watch.Step("rooms", d.Cuts())
	}
	kept, joined := m.Dissolve(diagonals), 0
	if !g.Published {
		joined = len(borders) - m.Dissolve(borders)
	}
	if in.Watch != nil {
		in.Watch.Step("diagonals", m.Segments(diagonals))
	}
	res.Cells = m.Cells(d.On)
	res.Report.Counts = map[string]int{
		"vertices": len(dom.Walls), "boxes": c.boxes(), "rooms": len(c.rooms),
		"diagonals": kept, "joined": joined, "cells": len(res.Cells),
	}
	return res, nil
}

// leave removes the area outside all rooms from the domain and returns twice this area. first holds a vertex of every
// room, its lower left corner.
func (c *combining) leave(d *cuts.Domain, rects []rect, first []int32) (lost int64) {
	part, parts := d.Settle()
	isRoom := make([]bool, parts)
	for i, r := range rects {
		e, _ := d.Into(first[i], c.corners(r)[2])
		isRoom[part[e/3]] = true
	}
	for t, p := range part {
		if p >= 0 && !isRoom[p] {
			d.Inside[t] = false
			lost += lattice.Orient(d.P[d.H[3*t].V], d.P[d.H[3*t+1].V], d.P[d.H[3*t+2].V])
		}
	}
	return lost
}

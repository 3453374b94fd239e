// Package growth is the common part of the growth-based decompositions: regions claim a world's unclaimed
// space, one box of fronts after the other, exactly.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes,
// dissertation, 2011, chapters 3 and 7.
//
// Idea: the unclaimed space is a constrained triangulation with lattice points only. A region is a [Box] and
// a place in it: the unclaimed space inside the box that is connected to the place. A front may grow to its
// event, the next notch of the unclaimed space, so the region has no notch and is convex. A claimed region
// becomes edges of the triangulation and the unclaimed space is a polygon again: the rest does not depend on
// its history. Regions that grow at the same time are a [Round].
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees, whatever boxes are claimed and in whatever order:
//  1. every cell is convex, simple, counter-clockwise and of positive area, and the cells do not
//     overlap, decided exactly (TestAnyBoxes);
//  2. when nothing is exposed, they fill the domain exactly up to Report.Lost, the area between walls and
//     their constructed corners, at most two lattice units from their wall, and exactly on an edge of a chain
//     (same test);
//  3. a failed claim beside an exposed edge leaves the space beside the edge to [World.ClaimTriangle], which
//     always works (same test).
//
// Degenerate cases: a front closed in by walls vanishes; a notch on the line of a front is no event of the
// fronts beside it; where the corner of a front and a wall has no room on the lattice, the front is drawn
// back to a lattice point of the wall.
//
// Cost: a claim visits its triangles, an event the triangles in front of the region up to the event. Nothing
// is looked at from afar.
package growth

import (
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/pq"
)

// World is the state of one decomposition. Inside triangles are unclaimed. It is not safe for concurrent use.
type World struct {
	*cdt.Domain
	// Counts are for gen.Report.Counts:
	//   - vertices: of the domain; regions: claimed by their box; tightened: fronts drawn back because a corner
	//     had no place on the lattice; triangles: cells of a single triangle;
	//   - constructed: corners made on edges; combined: cells merged into another; cells.
	Counts map[string]int
	// Looks counts the edges of triangles that fronts and claims have visited, but for rays along cuts.
	Looks int

	cut    int32         // the mark of fronts, and of other cuts through the unclaimed space
	on     []plan.EdgeID // of every vertex: the edge it was constructed on
	cells  []cell
	watch  gen.Observer
	trace  tracing
	bounds Box // of the triangulation

	noting bool      // whether edges of new cells are noted
	fresh  []Stretch // new stretches, as seen from the unclaimed space

	// Scratch of one region.
	heap      pq.Heap
	visited   []uint32
	stamp     uint32
	triangles []int32
	contacts  []contact
	corners   cell
	todo      []int32
	turn      uint32
	ring      []corner
	spare     []corner
}

// cell is a claimed region: its corners as vertices, counter-clockwise.
type cell []int32

// New returns the world of d with nothing claimed. watch may be nil; it receives every claimed cell as a
// "region".
func New(d *plan.Domain, watch gen.Observer) (*World, error) {
	dom, err := cdt.FromDomain(d)
	if err != nil {
		return nil, err
	}
	w := &World{Domain: dom, cut: int32(len(dom.Walls)), watch: watch, trace: tracing{to: gen.TracerOf(watch), growing: -1}, Counts: map[string]int{
		"vertices": len(dom.Walls), "regions": 0, "tightened": 0, "triangles": 0,
		"constructed": 0, "combined": 0, "cells": 0,
	}}
	for d := range w.bounds {
		w.bounds[d], _ = Turned(d, w.P[0])
		for _, p := range w.P[1:4] {
			u, _ := Turned(d, p)
			w.bounds[d] = max(w.bounds[d], u)
		}
	}
	// Nearly every notch gets a cut, whose other end is a new vertex with two triangles.
	w.P, w.Edge = slices.Grow(w.P, len(w.P)), slices.Grow(w.Edge, len(w.Edge))
	w.H, w.Inside = slices.Grow(w.H, len(w.H)), slices.Grow(w.Inside, len(w.Inside))
	w.on = make([]plan.EdgeID, len(w.P), 2*len(w.P))
	for i := range w.on {
		w.on[i] = plan.NoEdge
	}
	w.nameTouching()
	return w, nil
}

// nameTouching notes the vertices inside an edge, which are corners on it.
func (w *World) nameTouching() {
	for e, h := range w.H {
		if h.Mark != cdt.Free && w.Inside[e/3] && h.V != w.Walls[h.Mark].From {
			w.on[h.V] = w.Walls[h.Mark].EdgeID
		}
	}
}

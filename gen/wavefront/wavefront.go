// Package wavefront decomposes a domain by growing one region after the other from event to event.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes,
// dissertation, 2011, chapter 7 (Iterative Wavefront Edge Expansion Cell Decomposition); Hale and
// Youngblood, Wavefront spatial decomposition, Game AI Pro, chapter 19, sections 19.2 and 19.3.
//
// Idea: a region is a rectangle of four fronts, cut off by the walls that it meets. Growth by units
// does nothing most of the time, so a front moves straight to its next event: a notch of the
// unclaimed space that would come to lie inside of the region. When all fronts have stopped the
// region is claimed, and the next one is seeded beside an edge that is still exposed.
//
// Input: a domain whose edges do not cross. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly
//     (TestNamedDomains, TestTinyWorlds);
//  2. the cells do not overlap and fill the domain exactly, up to Report.Lost, which is the area
//     between walls and their constructed corners (same tests);
//  3. a constructed corner lies on its edge or in the free space at most two lattice units from it,
//     and exactly on it when the edge belongs to a chain (same tests, TestChains);
//  4. sides between cells are parallel to an axis, but for those of the cells that
//     Report.Counts["triangles"] counts (TestSidesAreAxisParallel);
//  5. in worlds without such cells at most 4 cells meet at a point of the free space, at most 5 at a
//     vertex of an obstacle, and 4 + m where m wedges touch (TestCellsAtAPoint);
//  6. the same domain and seed give the same cells (TestSeeds), and moving the domain moves them
//     (TestTranslation).
//
// Why it is exact: the unclaimed space is a constrained triangulation with lattice points only. The
// region is what is connected to the seed of the unclaimed space inside of the box of its fronts.
// Its border has no notch, by the choice of the events, so it is convex. A finished region becomes
// edges of the triangulation, and the unclaimed space is a polygon again: nothing that is left
// depends on how it came about, and what no region can claim is claimed triangle by triangle.
//
// Degenerate cases: a front that walls close in vanishes, and growth goes on with the others; a
// notch on the line of a front does not stop the fronts beside it; a seed is as wide as its edge, so
// that it enters pockets narrower than a unit; where the corner of a front and a wall has no room on
// the lattice, the front is drawn back to a lattice point of the wall, and where that does not help
// the cell is a triangle.
//
// Cost: O(n log n) for the triangulation of n points; a region looks at the triangles that it
// covers and those in front of it up to its events. No edge is looked at from afar, and empty space
// costs nothing (BenchmarkScatter, BenchmarkEmpty).
//
// Departures from the source: events are found by walking through the triangles in front of a region
// in place of classifying all edges of the world, so every event is one that the region really
// meets, and it never has to retreat farther than to that event. Each front goes to its event once,
// the closest first; a vertex split happens by itself where a wall enters the box. Seeds are as wide
// as their edge, not a unit square.
package wavefront

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/gen"
	"github.com/meadow-nav/meadow/gen/internal/cdt"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

// Order is the order in which seeds are taken from the list of potential seeds.
type Order uint8

// The orders.
const (
	Random      Order = iota // as published: drawn by gen.Input.Seed; the fewest cells of the two
	LongestEdge              // beside the longest exposed edge first
)

// Options of the generator. The zero value is the default.
type Options struct {
	Order Order
	// KeepSplit leaves out the last step, which joins two cells where their union is convex.
	KeepSplit bool
}

// Generator is Wavefront. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "wavefront".
func (Generator) Name() string { return "wavefront" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: of the domain; seedings: how often the list of seeds was filled;
//   - regions: grown; tightened: fronts drawn back because a corner had no place on the lattice;
//     triangles: cells that are only a triangle, where no region had room for its corners;
//   - constructed: corners made on edges; combined: cells that became part of another; cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if g.Order > LongestEdge {
		return gen.Result{}, fmt.Errorf("wavefront: there is no order %d", g.Order)
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("wavefront: %w", err)
	}
	w := newWork(dom, in.Watch)
	rng := rand.New(rand.NewPCG(in.Seed, 0))
	for w.reseed(g.Order, rng) {
		w.counts["seedings"]++
		for i, s := range w.seeds {
			if i%256 == 0 && ctx.Err() != nil {
				return gen.Result{}, ctx.Err()
			}
			if e := w.exposed(s); e >= 0 {
				w.claimBeside(e)
			}
		}
	}
	if !g.KeepSplit {
		w.combine()
	}
	return w.result(in.Domain), nil
}

// work is the state of one decomposition. The triangles that are Inside are unclaimed.
type work struct {
	*cdt.Domain
	cut    int32         // the mark of fronts, and of other cuts through the unclaimed space
	on     []plan.EdgeID // of every vertex: the edge that it was constructed on
	seeds  []seed
	cells  []cell
	watch  gen.Observer
	counts map[string]int

	// Scratch of one region.
	heap      []reached
	visited   []uint32
	stamp     uint32
	triangles []int32
	contacts  []contact
	todo      []int32
	turn      uint32
}

// cell is a claimed region: its corners as vertices, counter-clockwise.
type cell []int32

func newWork(dom *cdt.Domain, watch gen.Observer) *work {
	w := &work{Domain: dom, cut: int32(len(dom.Walls)), watch: watch, counts: map[string]int{
		"vertices": len(dom.Walls), "seedings": 0, "regions": 0, "tightened": 0, "triangles": 0,
		"constructed": 0, "combined": 0, "cells": 0,
	}}
	w.on = make([]plan.EdgeID, len(w.P))
	for i := range w.on {
		w.on[i] = plan.NoEdge
	}
	w.nameTouching()
	return w
}

// nameTouching notes the vertices that touch an edge between its ends: they are corners on it.
func (w *work) nameTouching() {
	for e, h := range w.H {
		if h.Mark != cdt.Free && w.Inside[e/3] && h.V != w.Walls[h.Mark].From {
			w.on[h.V] = w.Walls[h.Mark].EdgeID
		}
	}
}

// reseed fills the list of potential seeds: one beside every exposed edge, in the order in which
// they are taken. It returns false when nothing is unclaimed.
func (w *work) reseed(order Order, rng *rand.Rand) bool {
	type potential struct {
		seed
		length uint64
	}
	var all []potential
	for e, h := range w.H {
		if h.Mark != cdt.Free && w.Inside[e/3] {
			all = append(all, potential{seed{h.V, h.Mark}, w.P[h.V].Distance2(w.P[w.Head(int32(e))])})
		}
	}
	// By place first: triangle numbers depend on how the triangulation was made.
	slices.SortFunc(all, func(a, b potential) int {
		return cmp.Or(w.P[a.v].Compare(w.P[b.v]), cmp.Compare(a.mark, b.mark), cmp.Compare(a.length, b.length))
	})
	switch order {
	case Random:
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	case LongestEdge:
		slices.SortStableFunc(all, func(a, b potential) int { return cmp.Compare(b.length, a.length) })
	}
	w.seeds = w.seeds[:0]
	for _, p := range all {
		w.seeds = append(w.seeds, p.seed)
	}
	return len(all) > 0
}

// claimBeside grows a region beside half-edge e and claims it. Where the region's corners have no
// room on the lattice it claims the triangle at e.
func (w *work) claimBeside(e int32) {
	fronts := w.grow(e)
	if w.tighten(e/3, &fronts) {
		if inside, ok := w.fence(fronts); ok && w.claim(inside) {
			w.counts["regions"]++
			return
		}
	}
	if !w.Inside[e/3] || w.H[e].Mark == cdt.Free {
		return // what was made of the region took e's place; the next seeding comes back to it
	}
	for k := range int32(3) {
		if t := e/3*3 + k; w.H[t].Mark == cdt.Free {
			w.Connect(w.H[t].V, w.Head(t), w.cut)
		}
	}
	if w.claim(e) {
		w.counts["triangles"]++
	}
}

// claim claims the unclaimed space around half-edge e as a cell, if that is convex.
func (w *work) claim(e int32) bool {
	if !w.Inside[e/3] {
		return false
	}
	w.forget()
	w.seen(e / 3)
	todo := append(w.todo[:0], e/3)
	start, border := int32(-1), 0
	for i := 0; i < len(todo); i++ {
		for k := range int32(3) {
			e := 3*todo[i] + k
			h := w.H[e]
			if h.Mark != cdt.Free {
				start, border = e, border+1
			} else if !w.seen(h.Opp / 3) {
				todo = append(todo, h.Opp/3)
			}
		}
	}
	w.todo = todo
	if start < 0 {
		return false
	}
	var c cell
	for at := start; ; {
		next := cdt.Next(at)
		for w.H[next].Mark == cdt.Free {
			next = cdt.Next(w.H[next].Opp)
		}
		border--
		v := w.H[next].V
		switch turn := lattice.Orient(w.P[w.H[at].V], w.P[v], w.P[w.Head(next)]); {
		case turn < 0, turn == 0 && lattice.Dot(w.P[v], w.P[w.H[at].V], w.P[w.Head(next)]) > 0:
			return false
		case turn > 0:
			c = append(c, v)
		}
		if at = next; at == start {
			break
		}
	}
	// A border of its own in one piece that only turns left goes around once.
	if border != 0 {
		return false
	}
	for _, t := range todo {
		w.Inside[t] = false
	}
	w.cells = append(w.cells, c)
	w.show(c)
	return true
}

// show gives the observer the border of a new cell.
func (w *work) show(c cell) {
	if w.watch == nil {
		return
	}
	segments := make([][2]lattice.Point, len(c))
	for i, v := range c {
		segments[i] = [2]lattice.Point{w.P[v], w.P[c[(i+1)%len(c)]]}
	}
	w.watch.Step("region", segments)
}

// result returns the cells with what is known about their corners.
func (w *work) result(d *plan.Domain) gen.Result {
	res := gen.Result{Report: gen.Report{Lost: d.Area2(), Counts: w.counts}}
	for _, c := range w.cells {
		if len(c) == 0 {
			continue
		}
		corners := make([]plan.Corner, len(c))
		for i, v := range c {
			corners[i] = plan.Corner{Point: w.P[v], On: w.on[v]}
			res.Report.Lost -= lattice.Orient(w.P[c[0]], w.P[v], w.P[c[(i+1)%len(c)]])
		}
		res.Cells = append(res.Cells, plan.Cell{Corners: corners})
	}
	w.counts["cells"] = len(res.Cells)
	for _, on := range w.on {
		if on != plan.NoEdge {
			w.counts["constructed"]++
		}
	}
	return res
}

// String returns the order as a word.
func (o Order) String() string {
	switch o {
	case LongestEdge:
		return "longest edge"
	case Random:
		return "random"
	}
	return "unknown order"
}

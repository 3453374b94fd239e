// Package best is our own decomposition: the lessons from the comparison of the others in one method.
//
// Source: our own. The portal from notch to notch comes from Chazelle and Dobkin, Optimal convex
// decompositions, Computational Geometry (1985), who call it X2; cones and portals that end on walls come
// from ANavMG (Oliva and Pelechano, 2011); cuts square to walls from Wavefront (Hale, 2011); the last step is
// package cleanup's.
//
// Idea: a notch, a vertex with more than 180° of free space, needs one portal, and a portal from notch to
// notch serves two. A domain of r notches and h holes with p portals between notches has r - p + 1 - h cells,
// whatever the other portals are. So the method first maximises p: chords between notches, shortest first and
// slivers last, then exchanges of one chord for two wherever possible. The other portals are free to be good:
// each remaining notch gets the portal with the best angles, at little length, to a place anywhere on a wall
// or on another portal.
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly; the cells
//     do not overlap and fill the domain exactly, up to Report.Lost, the area between walls and their
//     constructed corners (TestLaws);
//  2. a constructed corner lies on its edge or in the free space at most two lattice units away, and exactly
//     on an edge of a chain (TestLaws);
//  3. no rival makes fewer cells; the standard rivals are Hertel and Mehlhorn's algorithm and ANavMG
//     (TestAtMostTheRivals);
//  4. over scattered obstacles the mean of the smallest angles is that of Wavefront or better, within a
//     degree, with a fifth fewer cells (TestQuality);
//  5. the same domain gives the same cells, on any number of goroutines (TestJobsDoNotMatter), and a moved domain the
//     moved cells (TestLaws);
//  6. no cell is thinner than Input.Thin where the clean-up can remove the cell (TestThinCells).
//
// Why it always ends: a portal makes a notch convex for good, a new corner is convex on all its sides from
// the start, and where no single portal fits on the lattice, at most two edges of the triangulation serve.
//
// Degenerate cases: each pass of a ring through a touching point has its own angle, and at most one of them
// is a notch; a portal without a lattice point at the place where another should end bends there, by less
// than a unit, to the side on which all angles stay convex; a chain without a lattice point there is not
// divided.
//
// Cost: O(n log n) for the triangulation of n points; a notch looks at 128 triangles for its chords. The
// search for its portal goes no farther than the portal's cost, and past no more than 200 vertices and edges
// once a portal is found. The rivals add their own costs; the standard ones share the triangulation. Input.Jobs
// goroutines share the first search of all notches, and the rivals. BenchmarkScatter and BenchmarkComb show the growth.
//
// Departures: none, the method has no source.
package best

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/internal/mosaic"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/faces"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/internal/shape"
)

// leastAngle makes the mean smallest angle as large as Wavefront's, for about one cell in fifty; 25° would
// cost nothing.
const leastAngle = 45

// Generator is our own decomposition. The zero value is ready for use.
type Generator struct {
	// LeastAngle is the angle in degrees that corners beside a portal between two notches have at least, unless
	// a rival has fewer cells. Below 0 any angle is allowed, for the fewest cells. Default 45.
	LeastAngle float64
	// Rivals are complete generators. A rival that makes fewer cells of a domain lends its cells, cleaned up. Nothing may
	// lie between a wall and the corners that a rival makes on the wall. Nil means Hertel and Mehlhorn's algorithm and
	// ANavMG; an empty list asks no rivals.
	Rivals []gen.Generator
}

var _ gen.Generator = Generator{}

// standardRivals made fewer cells than the portals alone on some domains.
var standardRivals = []gen.Generator{hertelmehlhorn.Generator{}, anavmg.Generator{}}

// Name returns "best".
func (Generator) Name() string { return "best" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices, notches: of the domain; bound: a lower bound on the cells of any decomposition;
//   - pairs: portals that serve two notches, exchanged: how often two such portals replaced one;
//   - singles: portals that serve one; fanned: notches that use edges of the triangulation;
//   - constructed: corners made on edges and portals, bent: portals bent for another portal's end;
//   - merged, recut, turned, widened: steps of all clean-ups; cells;
//   - again: 1 where a rival had fewer cells at first; rivals: 1 where the cells are a rival's.
//
// An observer sees "portals", those before the clean-up, of every attempt.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	every := in
	every.Thin = 0
	res, thin, err := g.decompose(ctx, every, in.Thin)
	if err != nil {
		return gen.Result{}, err
	}
	// Thin cells go last, because their removal must not cost a cell.
	if mosaic.AnyThin(res.Cells, in.Thin) {
		if res, err = clean(ctx, in, res.Cells, res.Report.Counts); err != nil {
			return gen.Result{}, err
		}
	}
	// Without thin cells, a rival may have fewer cells.
	for _, r := range thin {
		if !r.mayWin(in.Thin, len(res.Cells)) {
			continue
		}
		cells, err := r.withoutThin(ctx, in)
		if err != nil {
			return gen.Result{}, fmt.Errorf("best: rival %w", err)
		}
		if len(cells) < len(res.Cells) {
			if res, err = clean(ctx, in, cells, res.Report.Counts); err != nil {
				return gen.Result{}, err
			}
			res.Report.Counts["rivals"] = 1
		}
	}
	return res, nil
}

// starter is a rival that takes a known triangulation of the domain and leaves the triangulation unchanged.
type starter interface {
	DecomposeTriangulated(ctx context.Context, in gen.Input, dom *cdt.Domain) (gen.Result, error)
}

// widener is a rival that removes thin cells at the end: the cells for a thin width follow from the cells without a width. Every
// step removes at least one thin cell and at most two cells, as those of [mosaic.Map.Widen] do.
type widener interface {
	WithoutThin(ctx context.Context, in gen.Input, cells []plan.Cell) ([]plan.Cell, error)
}

// thinned is a rival with some thin cells.
type thinned struct {
	gen.Generator
	cells []plan.Cell
}

// mayWin reports whether the rival may have fewer cells than a number once its cells thinner than a width are removed.
func (r *thinned) mayWin(width int64, than int) bool {
	if _, ok := r.Generator.(widener); !ok {
		return true
	}
	return len(r.cells)-2*mosaic.CountThin(r.cells, width) < than
}

// withoutThin returns the rival's cells once thin cells are removed.
func (r *thinned) withoutThin(ctx context.Context, in gen.Input) ([]plan.Cell, error) {
	if w, ok := r.Generator.(widener); ok {
		return w.WithoutThin(ctx, in, r.cells)
	}
	res, err := r.Decompose(ctx, gen.Input{Domain: in.Domain, Seed: in.Seed, Thin: in.Thin})
	return res.Cells, err
}

// decompose decomposes a domain whatever the widths of the cells are, and returns the rivals that may win without cells thinner than
// a width.
func (g Generator) decompose(ctx context.Context, in gen.Input, width int64) (res gen.Result, thin []thinned, err error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, nil, err
	}
	least := g.LeastAngle
	if math.IsNaN(least) || math.IsInf(least, 0) {
		return gen.Result{}, nil, fmt.Errorf("best: LeastAngle is %g, must be a finite number of degrees", least)
	}
	if least == 0 {
		least = leastAngle
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, nil, fmt.Errorf("best: %w", err)
	}
	rivals := g.Rivals
	if rivals == nil {
		rivals = standardRivals
	}
	own, others := dom.Clone(), make([]gen.Result, len(rivals))
	err = par.For(ctx, max(1, in.Jobs), 1+len(rivals), func(i int) error {
		var err error
		if i == 0 {
			res, err = attempt(ctx, in, own, least)
		} else if others[i-1], err = rivalOn(ctx, rivals[i-1], in, dom); err != nil {
			err = fmt.Errorf("best: rival %w", err)
		}
		return err
	})
	if err != nil {
		return gen.Result{}, nil, err
	}
	counts := res.Report.Counts
	for i, r := range rivals {
		other := others[i]
		// The number of cells at hand only falls: a rival that cannot win now never wins.
		if t := (thinned{r, other.Cells}); mosaic.AnyThin(other.Cells, width) && t.mayWin(width, len(res.Cells)) {
			thin = append(thin, t)
		}
		if len(other.Cells) >= len(res.Cells) {
			continue
		}
		if counts["again"] == 0 && least > 0 {
			second, err := attempt(ctx, in, dom.Clone(), -1)
			if err != nil {
				return gen.Result{}, nil, err
			}
			if len(second.Cells) < len(res.Cells) {
				res, counts = second, second.Report.Counts
			}
			counts["again"] = 1
		}
		if len(other.Cells) < len(res.Cells) {
			if res, err = clean(ctx, in, other.Cells, counts); err != nil {
				return gen.Result{}, nil, err
			}
			counts["rivals"] = 1
		}
	}
	return res, thin, nil
}

// rivalOn returns a rival's cells of a triangulated domain.
func rivalOn(ctx context.Context, r gen.Generator, in gen.Input, dom *cdt.Domain) (gen.Result, error) {
	alone := gen.Input{Domain: in.Domain, Seed: in.Seed}
	if s, ok := r.(starter); ok {
		return s.DecomposeTriangulated(ctx, alone, dom)
	}
	return r.Decompose(ctx, alone)
}

// attempt decomposes a domain without looking at rivals. The triangulation changes.
func attempt(ctx context.Context, in gen.Input, dom *cdt.Domain, least float64) (gen.Result, error) {
	w := newWork(dom, least)
	w.jobs = max(w.jobs, in.Jobs)
	if err := w.pair(ctx); err != nil {
		return gen.Result{}, err
	}
	if err := w.single(ctx); err != nil {
		return gen.Result{}, err
	}
	w.watch(in.Watch)
	w.counts["bound"] = max(1, (w.counts["notches"]+1)/2+1-(len(in.Domain.Rings)-1))
	return clean(ctx, in, w.cells(), w.counts)
}

// work is the state of one decomposition.
type work struct {
	*cdt.Domain
	mark   int32         // chord i has mark+i
	cut    int32         // the mark of all other portals
	on     []plan.EdgeID // of every vertex: the edge it was constructed on
	chords []chord
	least  float64 // the least angle in degrees beside chords
	mate   []int32 // of every vertex of the domain: the chord that serves it, or -1
	counts map[string]int
	jobs   int // goroutines for what many notches see

	// Scratch of one notch.
	sights []sight
	rails  []rail
	queue  pq.Heap
}

func newWork(dom *cdt.Domain, least float64) *work {
	w := &work{Domain: dom, mark: int32(len(dom.Walls)), least: least, jobs: 1, counts: map[string]int{
		"vertices": len(dom.Walls), "notches": 0, "pairs": 0, "exchanged": 0, "singles": 0, "fanned": 0,
		"constructed": 0, "bent": 0, "merged": 0, "recut": 0, "turned": 0, "widened": 0, "cells": 0, "again": 0, "rivals": 0,
	}}
	w.on = make([]plan.EdgeID, len(w.P))
	for i := range w.on {
		w.on[i] = plan.NoEdge
	}
	return w
}

// single gives each remaining notch a portal, the cheapest first: a short portal blocks little, and later
// portals can end on it. Costs between one step of a scale and the next count as equal; of these the notches
// have an order of their own, see [inRounds].
func (w *work) single(ctx context.Context) error {
	var todo pq.Heap
	notches := inRounds(w.notches())
	costs := make([]float64, len(notches))
	err := w.each(ctx, notches, func(w *work, i int) {
		// The first search is a short one: a notch that sees far comes last, when it sees less.
		c, _ := w.choose(&notches[i], maxLooks)
		costs[i] = step(c.cost)
	})
	if err != nil {
		return err
	}
	for i, c := range costs {
		todo.Push(c, int32(i))
	}
	for i := 0; todo.Len() > 0; i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		item := todo.Pop()
		n, ok := w.notch(notches[item.ID].v)
		if !ok {
			continue
		}
		c, ok := w.choose(&n, math.MaxInt)
		switch {
		case ok && step(c.cost) > item.Key:
			todo.Push(step(c.cost), item.ID) // it was cheaper before others were made
		case ok && w.make(&n, c):
			w.counts["singles"]++
		default:
			w.fan(&n)
			w.counts["fanned"]++
		}
	}
	return nil
}

// each calls f with every notch by number, and with work that has scratch of its own. Nothing but scratch and chords may change.
// The chords come in the order of the notches.
func (w *work) each(ctx context.Context, notches []notch, f func(w *work, i int)) error {
	const chunk = 64
	chords := make([][]chord, (len(notches)+chunk-1)/chunk)
	scouts := make(chan *work, w.jobs)
	for range w.jobs {
		own := *w
		own.chords, own.sights, own.rails, own.queue = nil, nil, nil, pq.Heap{}
		scouts <- &own
	}
	err := par.For(ctx, w.jobs, len(chords), func(c int) error {
		own := <-scouts
		for i := c * chunk; i < min((c+1)*chunk, len(notches)); i++ {
			f(own, i)
		}
		chords[c], own.chords = own.chords, nil
		scouts <- own
		return nil
	})
	w.chords = append(w.chords, slices.Concat(chords...)...)
	return err
}

// step rounds a cost down to a power of 2, or to three quarters of one.
func step(cost float64) float64 {
	fraction, power := math.Frexp(cost)
	return math.Ldexp(math.Floor(4*fraction)/4, power)
}

// inRounds reorders consecutive notches of a ring, so that the last are spread around the ring: one of two
// notches is in the first half, one of four in the next quarter and so on. The queue takes notches from the
// end. In the order of the ring, each portal would cut off one tooth of a comb and pass the edges to all
// others, which takes quadratic time.
func inRounds(around []notch) []notch {
	const golden = 0x9E3779B97F4A7C15 // a multiplicative hash spreads evenly
	var rounds [65][]notch
	for i, n := range around {
		k := bits.LeadingZeros64(uint64(i) * golden)
		rounds[k] = append(rounds[k], n)
	}
	return slices.Concat(rounds[:]...)
}

// watch shows the present portals.
func (w *work) watch(o gen.Observer) {
	if o == nil {
		return
	}
	var segments [][2]lattice.Point
	for e, h := range w.H {
		if h.Mark >= w.mark && int32(e) < h.Opp {
			segments = append(segments, [2]lattice.Point{w.P[h.V], w.P[w.Head(int32(e))]})
		}
	}
	o.Step("portals", segments)
}

// cells returns the faces between walls and portals.
func (w *work) cells() []plan.Cell {
	m := faces.New(w.Domain)
	for _, e := range m.Diagonals() {
		m.Remove(e)
	}
	return m.Cells(func(v int32) plan.EdgeID { return w.on[v] })
}

// limits are the defaults of package metric without narrow edges: the width of the agent is unknown here.
var limits = shape.Limits{FanRegions: shape.FanRegions, FanAngle: shape.FanAngle, SliverRatio: shape.SliverRatio}

// sharp is the least allowed angle, about 10°, of a corner that saves a cell.
var sharp = shape.Corner{Dot: 17, Cross: 3}

// clean takes cells to as few as the steps of the clean-up can, and turns portals to where angles are good.
func clean(ctx context.Context, in gen.Input, cells []plan.Cell, counts map[string]int) (gen.Result, error) {
	m := mosaic.New(in.Domain, cells, limits)
	m.FewestFirst(sharp)
	m.Thin(in.Thin, true)
	steps, err := m.Clean(ctx)
	if err != nil {
		return gen.Result{}, err
	}
	counts["merged"] += steps.Merged
	counts["recut"] += steps.Recut
	counts["turned"] += steps.Turned
	counts["widened"] += steps.Widened
	counts["cells"] = m.Cells()
	res := gen.Result{Cells: m.Result(), Report: gen.Report{Lost: in.Domain.Area2(), Counts: counts}}
	for _, c := range res.Cells {
		for i := 2; i < len(c.Corners); i++ {
			res.Report.Lost -= lattice.Orient(c.Corners[0].Point, c.Corners[i-1].Point, c.Corners[i].Point)
		}
	}
	return res, nil
}

// Package pasfv decomposes a domain by growing many regions at the same time, in turn.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes,
// dissertation, 2011, chapter 3 (Planar Adaptive Space Filling Volumes), algorithms 3.1 to 3.3, and
// appendix C (dynamic-rate growth, obstruction-informed seeding).
//
// Idea: seeds are spread over the free space, and in every pass every region moves each of its edges by a
// unit, as long as nothing is in the way. A region stops at an edge parallel to its own and at a vertex that
// would intrude; where its corner meets a slanted wall, the vertex splits into two that follow the wall to
// its end. New seeds are put in the middle of the free stretches beside the regions, until no space is left;
// in the end regions with a convex union are combined.
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area; cells do not overlap and fill the
//     domain exactly up to Report.Lost, the area between walls and their constructed corners, at most two
//     lattice units away; corners on chains are exact (TestLaws);
//  2. growth from event to event equals growth by unit steps (TestUnitSteps; TestEventsAreUnitSteps in
//     internal/growth on all worlds, TestRoundAgainstCells there against a grid of cells). Larger steps come
//     near (TestStepsConverge there), and give the same cells where everything lies on the grid of steps
//     (TestStepsOnTheStepGrid);
//  3. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: a front closed in by walls vanishes; a seed without room is left out; where the corner of
// a front and a wall has no room on the lattice, the front is drawn back to a lattice point of the wall;
// pockets between slanted walls that are narrower than a seed become triangles.
//
// Cost: a region meets the triangles of unclaimed space in its way, whose vertices include the seeds, and the
// regions there, each at O(log n); a round costs as much as it grows and leaves exposed (BenchmarkScatter). k
// regions that reach one straight wall look at each other there, k² times (BenchmarkComb).
//
// Departures from the source: obstacles need not be convex, because the space that a region follows along a
// wall is a piece of a triangulation. By default fronts do not step but go from event to event. A contour is
// followed exactly at any rate of growth, only notches, parallel edges and other regions make a step fail.
// With steps, a seed is as large as a step; narrower spaces are filled from event to event in the end, so
// every rate covers the domain.
package pasfv

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/growth"
)

// Seeding says where the first regions are seeded.
type Seeding uint8

// The seedings.
const (
	Grid         Seeding = iota // as published: on a grid
	Obstructions                // as published in appendix C: one beside every edge of the domain
)

// seedsPerVertex is how dense the grid is where Options leaves it open: with more seeds there are more
// cells, with fewer more rounds.
const seedsPerVertex = 0.25

// Options of the generator. The zero value is the default.
type Options struct {
	Seeding Seeding
	// Spacing of the grid in lattice units. 0 means one seed for every four vertices of the domain, spread over
	// the domain.
	Spacing int64
	// Rate makes regions grow by steps of so many lattice units. 0 means growth from event to event, which
	// equals steps of one unit.
	Rate int64
	// Resolution is the least rate: where steps fail, a front halves its rate down to Resolution, dynamic-rate
	// growth. Rate is Resolution times a power of two; 0 means Rate, without halving.
	Resolution int64
	// KeepSplit leaves out the last step, which joins two cells where their union is convex.
	KeepSplit bool
}

// Generator is PASFV. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "pasfv".
func (Generator) Name() string { return "pasfv" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: of the domain; seeds: of all rounds; rounds: of seeding and growth; steps: tried by fronts, 0
//     without a rate;
//   - regions: grown and claimed; tightened: fronts drawn back because a corner had no place on the
//     lattice; triangles: cells that are only a triangle, where no seed had room;
//   - constructed: corners made on edges; combined: cells merged into another; cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := g.validate(); err != nil {
		return gen.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	w, err := growth.New(in.Domain, in.Watch)
	if err != nil {
		return gen.Result{}, fmt.Errorf("pasfv: %w", err)
	}
	w.Counts["seeds"], w.Counts["rounds"], w.Counts["steps"] = 0, 0, 0
	if err := g.grow(ctx, w, in.Domain); err != nil {
		return gen.Result{}, err
	}
	for seeds := w.Exposed(); len(seeds) > 0; seeds = w.Exposed() {
		if ctx.Err() != nil {
			return gen.Result{}, ctx.Err()
		}
		for _, s := range seeds {
			if e := w.Beside(s); e >= 0 {
				w.ClaimTriangle(e)
			}
		}
	}
	if !g.KeepSplit {
		w.CombineAll()
	}
	return w.Result(in.Domain), nil
}

func (o Options) validate() error {
	switch {
	case o.Seeding > Obstructions:
		return fmt.Errorf("pasfv: unknown seeding %d", o.Seeding)
	case o.Spacing < 0 || o.Rate < 0 || o.Resolution < 0:
		return fmt.Errorf("pasfv: spacing %d, rate %d, resolution %d: none may be negative", o.Spacing, o.Rate, o.Resolution)
	case o.Resolution > 0 && (o.Rate%o.Resolution != 0 || o.Rate == 0 || o.Rate/o.Resolution&(o.Rate/o.Resolution-1) != 0):
		return fmt.Errorf("pasfv: the rate %d is not the resolution %d times a power of two", o.Rate, o.Resolution)
	}
	return nil
}

// grow seeds and grows until no seed has room any more. Pockets between slanted walls, narrower than a seed,
// then remain. With steps, seeds are as large as a step; the space left by them is filled from event to
// event.
func (g Generator) grow(ctx context.Context, w *growth.World, d *plan.Domain) error {
	places, err := g.first(w, d)
	if err != nil {
		return err
	}
	r := w.NewRound(false)
	if _, err := g.round(ctx, w, r, places); err != nil {
		return err
	}
	// First beside new regions only, then beside all regions, as published; then beside edges of the domain for
	// parts without a region.
	seedings := [3]func() []growth.Stretch{
		w.Fresh,
		func() []growth.Stretch { return w.Stretches(true) },
		func() []growth.Stretch { return w.Stretches(false) },
	}
	for i := 0; i < len(seedings); {
		claimed, err := g.round(ctx, w, r, middles(w, seedings[i](), g.size()))
		switch {
		case err != nil:
			return err
		case claimed > 0:
			i = 0
		case i == len(seedings)-1 && g.Rate > 0:
			g.Rate, g.Resolution, i = 0, 0, 1
		default:
			i++
		}
	}
	return nil
}

// size returns the length of a seed's sides.
func (o Options) size() int64 { return max(o.resolution(), 1) }

// resolution returns Resolution or its default.
func (o Options) resolution() int64 {
	if o.Resolution == 0 {
		return o.Rate
	}
	return o.Resolution
}

// first returns the places of the first seeds.
func (g Generator) first(w *growth.World, d *plan.Domain) (places []growth.Place, err error) {
	if g.Seeding == Obstructions {
		return middles(w, w.Stretches(false), g.size()), nil
	}
	spacing := g.Spacing
	if spacing == 0 {
		spacing = growth.Spacing(d, seedsPerVertex)
	}
	vertices, err := w.Grid(d.Box(), spacing)
	if err != nil {
		return nil, fmt.Errorf("pasfv: %w", err)
	}
	for _, v := range vertices {
		places = append(places, w.At(v, g.size()))
	}
	return places, nil
}

// middles returns the places in the middle of stretches.
func middles(w *growth.World, stretches []growth.Stretch, size int64) (places []growth.Place) {
	for _, s := range stretches {
		if p, ok := w.Middle(s, size); ok {
			places = append(places, p)
		}
	}
	return places
}

// round seeds and grows once, and returns how many regions that gave.
func (g Generator) round(ctx context.Context, w *growth.World, r *growth.Round, places []growth.Place) (claimed int, err error) {
	if len(places) == 0 {
		return 0, nil
	}
	r.Reset()
	for _, p := range places {
		r.Add(p)
	}
	w.Counts["rounds"]++
	w.Counts["seeds"] += r.Len()
	if g.Rate > 0 {
		var steps int
		steps, err = r.GrowBySteps(ctx, g.Rate, g.resolution())
		w.Counts["steps"] += steps
	} else {
		err = r.GrowByEvents(ctx)
	}
	if err != nil {
		return 0, err
	}
	return r.Claim(), nil
}

// String returns the seeding as a word.
func (s Seeding) String() string {
	switch s {
	case Grid:
		return "grid"
	case Obstructions:
		return "obstructions"
	}
	return "unknown seeding"
}

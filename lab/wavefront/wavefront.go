// Package wavefront is Wavefront to the letter: a region classifies all edges of the world, sorts their events by
// distance, and grows from one to the next.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes, dissertation, 2011, chapter 7,
// algorithms 7.1 and 7.2; Hale and Youngblood, Game AI Pro, chapter 19, section 19.2. Package build/wavefront is the
// product's form.
//
// Idea: a potential seed, a unit square, lies beside every exposed edge, and a random seed becomes a region. The region
// looks at every edge of obstructions and of regions, discards those that face away, and sorts the others into the
// categories +y, -y, +x, -x. An edge gives events by its slope against the front that grows in its category: an edge
// parallel to the front the closest point, an edge that slopes inward its closest vertex, an edge that slopes away its
// closest point and then both ends. The list of events is sorted by distance from the seed. For every event in turn, the
// one or two fronts before it move to the event. Where a wall cuts off a corner of the region, the corner splits and the
// region follows the wall; a front that collides with anything else retreats and ceases.
//
// Input: a domain without crossing edges, of [MaxVertices] at most. Rings may touch at single points; see
// [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly; the cells do not overlap and
//     fill the domain up to Report.Lost, as in package growth (TestLaws);
//  2. every exposed edge that faces a seed is in exactly one category, the first one that applies (TestCategories), and
//     has the events of its case (TestEvents);
//  3. no edge reaches into a region, and a side that follows a wall ends where the wall ends, or before
//     (TestRegionsAreFree);
//  4. the same domain and seed give the same cells (TestLaws).
//
// Degenerate cases: a square without room is no seed; space narrower than a unit is claimed triangle by triangle, as in
// PASFV; an edge in line with the seed gives no event, but collides.
//
// Cost: a region looks at all n exposed edges to classify them, and again after every event: O(n²) for a region and
// O(m·n²) for m regions, 53 million looks for 981 vertices. The sources state O(n·m) and leave the collisions out.
//
// Departures from the source: the sources do not say where a front that collides retreats to; here a front retreats as
// a step of PASFV would end, to the first vertex or parallel edge in its way. The closest point of a slanted edge is
// rounded towards the seed. The claimed region becomes edges of the exact triangulation of package growth.
package wavefront

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/growth"
)

// MaxVertices bounds the domain: the time grows with the cube of the number of vertices.
const MaxVertices = 1024

// unit is the length of a seed's sides in lattice units.
const unit = 1

// Options of the generator. The zero value is the default.
type Options struct {
	// KeepSplit leaves out the last step, which joins two cells where their union is convex.
	KeepSplit bool
}

// Generator is Wavefront as published. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "wavefront-published".
func (Generator) Name() string { return "wavefront-published" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: of the domain; seedings: how often the list of seeds was filled; seeds: that became regions;
//   - looks: edges looked at, by classification and for collisions; classified: the first of these; events: in all lists;
//     collisions: fronts that had to retreat; splits: walls followed;
//   - regions: claimed; tightened: fronts drawn back because a corner had no place on the lattice; triangles: cells of a
//     single triangle, where no seed had room;
//   - constructed: corners made on edges; combined: cells merged into another; cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if n := in.Domain.Len(); n > MaxVertices {
		return gen.Result{}, fmt.Errorf("wavefront-published: the domain has %d vertices, more than %d", n, MaxVertices)
	}
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	w, err := growth.New(in.Domain, in.Watch)
	if err != nil {
		return gen.Result{}, fmt.Errorf("wavefront-published: %w", err)
	}
	for _, name := range [...]string{"seedings", "seeds", "classified", "looks", "events", "collisions", "splits"} {
		w.Counts[name] = 0
	}
	if err := grow(ctx, w, rand.New(rand.NewPCG(in.Seed, 0))); err != nil {
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

// grow is algorithm 7.1: it fills the list of potential seeds and grows a region from every seed in unclaimed space, one
// at a time, until no seed of a full list has room. The first list is beside obstructions, later lists are beside
// regions, and beside obstructions again where no region can seed.
func grow(ctx context.Context, w *growth.World, rng *rand.Rand) error {
	lists := [...]bool{false, true, false} // whether the list is beside regions
	for i := 0; i < len(lists); {
		seeds := w.Stretches(lists[i])
		w.Counts["seedings"]++
		rng.Shuffle(len(seeds), func(i, j int) { seeds[i], seeds[j] = seeds[j], seeds[i] })
		var places []growth.Place
		for _, s := range seeds {
			if p, ok := w.Middle(s, unit); ok {
				places = append(places, p)
			}
		}
		regions := w.Counts["regions"]
		for _, p := range places {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			start, box, ok := w.Start(p)
			if !ok {
				continue
			}
			if r, ok := newRegion(w, box); ok {
				w.Counts["seeds"]++
				r.growToEvents()
				w.Claim(start, r.box)
			}
		}
		if w.Counts["regions"] > regions {
			i = 1
		} else {
			i++
		}
	}
	return nil
}

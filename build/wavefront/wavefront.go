// Package wavefront decomposes a domain by growing one region after the other from event to event.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes,
// dissertation, 2011, chapter 7 (Iterative Wavefront Edge Expansion Cell Decomposition); Hale and
// Youngblood, Wavefront spatial decomposition, Game AI Pro, chapter 19, sections 19.2 and 19.3.
//
// Idea: a region is a rectangle of four fronts, cut off by walls. Growth by units does nothing most of the
// time, so a front moves straight to its next event: a notch of the unclaimed space that would come to lie
// inside of the region. When all fronts have stopped the region is claimed, and the next one is seeded beside
// an edge that is still exposed.
//
// The treatment of notches decides the number of regions. A notch needs one cut that leaves no notch on either side. An axis-parallel cut of this
// kind exists in the direction away from the space behind the notch. If the cut is along the front, the front stops and is the cut. If it is
// across, the front beside it retreats to the notch and is the cut, and the front goes on; a stop at such a tip would cut on both sides. Only a
// corner sharper than 90° between the axes needs two cuts. So regions are as many as the notches need, see guarantee 7.
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly
//     (TestNamedDomains, TestTinyWorlds, TestLaws);
//  2. the cells do not overlap and fill the domain exactly, up to Report.Lost, which is the area
//     between walls and their constructed corners (same tests);
//  3. a constructed corner lies on its edge or in the free space at most two lattice units away, and exactly
//     on an edge of a chain (same tests, TestChains);
//  4. sides between cells are parallel to an axis, except for the cells counted by Report.Counts["triangles"]
//     (TestSidesAreAxisParallel);
//  5. at most 4 + m + s cells meet at a point, where m wedges of obstacles touch, and s slanted lines between cells leave
//     the point, a passing line twice: m is 0 in the free space and 1 at a vertex of an obstacle, and s is 0 away from
//     the cells counted by Report.Counts["triangles"], k of which have at most 2k such lines (TestCellsAtAPoint). Wedges
//     and lines divide the cells around the point, and at most 4 of the lines are parallel to an axis;
//  6. the same domain and seed give the same cells (TestSeeds), and moving the domain moves them
//     (TestTranslation);
//  7. for n notches, s of them sharp, and h holes the number of cells is within a hundredth of 1 + n + s - h: the
//     minimum for axis-parallel sides where no two notches are on a common line (TestCutsPerNotch); before
//     combining, almost no two cells have a convex union (TestNoCombining).
//
// Why it is exact: the unclaimed space is a constrained triangulation with lattice points only, see package
// growth. A region is the part of the unclaimed space in the box of its fronts that is connected to its seed.
// The events keep notches off its border, so it is convex. A finished region becomes edges of the
// triangulation, and the unclaimed space is a polygon again: the rest does not depend on its history, and
// space that no region can claim is claimed triangle by triangle.
//
// Degenerate cases: a front that walls close in vanishes, and opens again where the region has grown around
// the corner; a notch on the line of a front does not stop the fronts beside it, and a cut that joins two
// notches goes before others; a seed as wide as its edge enters pockets narrower than a unit; where the
// corner of a front and a wall has no room on the lattice, the front is drawn back to a lattice point of the
// wall, and where the retreat does not help, the seed waits for other regions; where no seed has room, the cell is a
// triangle.
// Two notches nearly in line, each with one sufficient cut, leave a sliver as narrow as the notches are out of line, at
// most a cell in a hundred (TestTipsLeaveSlivers, TestSliversOfPlannerWorlds): only a slanted cut, or a cut from no notch
// and so a further region, would avoid the sliver. The source's units are coarser, so its slivers are wider.
//
// Cost: O(n log n) for the triangulation of n points; a region visits the triangles that it covers and the
// triangles in front up to its events, a bounded number of times. No edge is looked at from afar, and empty space
// costs nothing (BenchmarkScatter, BenchmarkEmpty). Random seeds split the common view of many edges, as quicksort
// does (BenchmarkRound); the other orders may take quadratic time on this world.
//
// Departures from the source, whose form to the letter is package lab/wavefront (TestPublishedForm): events are found by a
// walk through the triangles in front of a region in place of classifying all edges of the world, so the region really
// meets every event, and looks at 51 to 58 edges where the published form looks at 324 to 1,192. Fronts take turns, where
// the source takes the events of all fronts by distance from the seed. A region retreats not on collision but where
// another cut is better: the published form, whose fronts stop at tips of obstacles, makes a seventh to a quarter more
// regions, with angles 12° to 16° smaller. A vertex split happens by itself where a wall enters the box. Seeds are as wide
// as their edge, not a unit square, and by chance are drawn from a neighbourhood at a time.
package wavefront

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/growth"
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
//   - regions: grown; tightened: fronts drawn back because a corner had no place on the lattice; triangles:
//     cells of a single triangle, where no region had room for its corners;
//   - constructed: corners made on edges; combined: cells merged into another; cells.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	w, err := g.decompose(ctx, in)
	if err != nil {
		return gen.Result{}, err
	}
	return w.Result(in.Domain), nil
}

// decompose returns the world of in.Domain with everything claimed.
func (g Generator) decompose(ctx context.Context, in gen.Input) (*growth.World, error) {
	if g.Order > LargestRegion {
		return nil, fmt.Errorf("wavefront: unknown order %d", g.Order)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := growth.New(in.Domain, in.Watch)
	if err != nil {
		return nil, fmt.Errorf("wavefront: %w", err)
	}
	w.Counts["seedings"] = 0
	rng := rand.New(rand.NewPCG(in.Seed, 0))
	for seeds := w.Exposed(); len(seeds) > 0; seeds = w.Exposed() {
		w.Counts["seedings"]++
		regions := w.Counts["regions"]
		var stuck []growth.Seed
		if g.Order == LargestRegion {
			stuck, err = claimLargest(ctx, w, seeds)
		} else {
			g.Order.sort(w, seeds, rng)
			stuck, err = claimAll(ctx, w, seeds)
		}
		// The space beside a seed without room may come into a region from another side, so triangles are the last resort.
		if err == nil && w.Counts["regions"] == regions {
			err = claimTriangles(ctx, w, stuck)
		}
		if err != nil {
			return nil, err
		}
	}
	if !g.KeepSplit {
		w.Combine()
	}
	return w, nil
}

// Package medialaxis decomposes a domain by its medial axis: every wall gets the places nearer to it than to
// all others, and each part is cut convex.
//
// Source: Blum, A transformation for extracting new descriptors of shape (1967); Kirkpatrick, Efficient computation
// of continuous skeletons, Proc. Symp. Foundations of Computer Science (1979); by samples as Brandt and Algazi,
// Continuous skeleton computation by Voronoi diagram, CVGIP: Image Understanding 55 (1992); Hale, A growth-based
// approach to the automatic generation of navigation meshes, dissertation, 2011, section 2.1.
//
// Idea: the places that are as far from one wall as from another are lines through the middle of the free space. They
// are the borders between the cells of samples on different walls, in the Voronoi diagram of all samples. Samples
// are added where walls are near to each other, the lines are straightened as far as the distance to the walls
// allows, and become cuts.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly, and the cells
//     fill the domain exactly up to Report.Lost (TestLaws); where there is room for the lattice and no cut is refused,
//     no corner is constructed on a wall and nothing is lost (TestNamedDomains);
//  2. where there are samples enough, points of the axis are as far from one wall as from another up to 15 % and
//     three units (TestAxis);
//  3. there, every cell has a wall nearest to all of its corners, up to twice Options.Tolerance
//     (TestCellsBelongToWalls);
//  4. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: where walls are nearer to each other than samples can be, along the sides of needles or within a few units,
// the axis has gaps (TestNeedles). In the tip of a corner it is known to be straight; other branches with an end in a gap are
// left out, and the cells beside them form one part, cut convex as a whole. A ring without corners is a single wall. A place
// where walls touch is nearest to both.
//
// Cost: O(n log n) expected for n points, with at most 24 samples for every point (BenchmarkScatter): the triangulations
// of the domain and, in up to five rounds, of the samples.
//
// Departures: walls are runs of edges, divided only where they have turned by more than 50° into the free space:
// every flat corner of a rounded room would have a branch of its own, and cells be needles. The notches of a run
// have no cells of their own and no branch: their part is divided when it is cut convex. The axis has parabolas
// where a notch faces a wall; here polylines replace them, see Tolerance. Source H calls the cells convex: cells
// beside notches are not.
package medialaxis

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
)

// Options choose the sites of the diagram.
type Options struct {
	// Rings makes a cell around every obstacle as a whole, and one along the outer border, in place of one
	// for every wall.
	Rings bool
	// Tolerance is how far a straight piece of the axis may be from it, in distances from there to the nearest
	// wall; 0 means 1/4. The nearer to 1, the fewer cells, and the more cuts find a wall in their way.
	Tolerance float64
}

// Generator is the decomposition by the medial axis. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "medialaxis".
func (Generator) Name() string { return "medialaxis" }

// defaultTolerance is the default of Options.Tolerance.
const defaultTolerance = 0.25

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: the points of the domain; samples: on its walls; branches: of the axis;
//   - constructed: new corners on walls; refused: cuts stopped halfway;
//   - parts: pieces between the cuts; diagonals: added in the parts; cells.
//
// An observer sees "axis", by the samples, "cuts", made of the axis, and "diagonals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("medialaxis: %w", err)
	}
	d := cuts.New(dom)
	b := newBorder(in.Domain, g.Rings)
	starts := make([]int, len(in.Domain.Rings))
	for r := 1; r < len(starts); r++ {
		starts[r] = starts[r-1] + len(in.Domain.Rings[r-1])
	}
	a := newAxis(b, in.Domain.Box(), func(p lattice.Point, near sample) bool {
		return d.Free(p, dom.Corner[starts[near.ring]+int(near.edge)])
	})
	graph, clearance := a.graph()
	tolerance := g.Tolerance
	if tolerance == 0 {
		tolerance = defaultTolerance
	}
	branches := straighten(graph, clearance, tolerance)
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	for _, b := range branches {
		from := d.Place(b[0])
		for _, p := range b[1:] {
			to := d.Place(p)
			if from != to {
				d.Cut(from, to)
			}
			from = to
		}
	}
	counts := map[string]int{"vertices": len(dom.Walls), "samples": len(a.points), "branches": len(branches)}
	return d.Finish(in, "axis", graph, counts), nil
}

// Package dirichlet decomposes a domain into Dirichlet domains, the places nearer to one control point than
// to all others, and cuts them convex.
//
// Source: Dirichlet, Über die Reduction der positiven quadratischen Formen mit drei unbestimmten ganzen Zahlen,
// Journal für die reine und angewandte Mathematik 40 (1850); Hale, A growth-based approach to the automatic
// generation of navigation meshes, dissertation, 2011, section 2.2. Darts: Cook, Stochastic sampling in computer
// graphics, ACM Transactions on Graphics 5 (1986).
//
// Idea: control points in the free space claim all places that are nearer to them than to any other, walls or not.
// The borders between their claims, a Voronoi diagram, become cuts wherever they run through free space. A claim
// is convex as long as it has no wall inside; otherwise diagonals make it convex.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly, and the cells
//     fill the domain exactly up to Report.Lost, the area between walls and their constructed corners
//     (TestLaws);
//  2. a constructed corner is at most two units from its wall, in the free space, and exactly on it if the
//     wall belongs to a chain (TestLaws);
//  3. where no cut was refused or led away by a wall, all of a cell is as near to one control point as to any, up to
//     some cells of the grid (TestClaims);
//  4. the same domain and the same seed give the same cells, and moving the domain moves them (TestLaws).
//
// Degenerate cases: a domain with at most one control point is one claim. Points at the same place are merged. A
// claim behind a wall is a cell of its own. Corners of claims nearer to each other than a cell of the grid become
// one; borders that pass a wall's end within the same distance go through the end. A border at a chain without a
// lattice point, or at a wall without room, goes to an end of the chain or wall or is taken back.
//
// Cost: O(n log n) expected for the triangulations of n points of the domain and its control points; control points
// are looked for on a grid of at most 2¹⁴ + 64n and 2²² cells.
//
// Departures: the source has control points given. The default rule puts them into the middle of rooms and along
// the middle of corridors; an option takes given points.
package dirichlet

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
	"github.com/meadow-nav/meadow/lab/internal/grid"
	"github.com/meadow-nav/meadow/lab/internal/voronoi"
)

// Rule says where control points come from.
type Rule uint8

// The rules.
const (
	Centres Rule = iota // the default: the middle of rooms and corridors
	Darts               // anywhere, by lot, with a distance between them
)

// Options say where the control points are.
type Options struct {
	Rule Rule
	// Points are the control points, if there are any; then Rule is not asked. Those outside of the domain's box
	// are left out.
	Points []lattice.Point
	// Spread is the distance, in distances to the nearest wall, at which a point of rule Centres keeps others
	// away; 0 means 3. It has a least value, so that a domain of n points has about 2n + 16 control points along
	// its walls at most.
	Spread float64
	// Apart is the distance between points of rule Darts in lattice units; 0 means as many points as
	// there are notches in the domain, more or less.
	Apart float64
}

// Generator is the decomposition into Dirichlet domains. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "dirichlet".
func (Generator) Name() string { return "dirichlet" }

// defaultSpread is the default of Options.Spread.
const defaultSpread = 3

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: the points of the domain; points: the control points; borders: between their claims;
//   - constructed: new corners on walls; refused: cuts stopped halfway; led: how often a wall without room
//     for a corner led a cut away from its line;
//   - parts: pieces between the cuts; diagonals: added in the parts; cells.
//
// in.Seed is for rule Darts. An observer sees "borders", in the whole box, "cuts", made of them in the domain,
// and "diagonals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("dirichlet: %w", err)
	}
	if g.Rule > Darts {
		return gen.Result{}, fmt.Errorf("dirichlet: unknown rule %d", g.Rule)
	}
	points, size := g.place(in)
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	counts := map[string]int{"vertices": len(dom.Walls), "points": len(points)}
	var borders [][2]lattice.Point
	for _, b := range voronoi.Borders(points, in.Domain.Box(), func(a, b int32) bool { return true }) {
		borders = append(borders, [2]lattice.Point{b.From, b.To})
	}
	graph := cuts.NewGraph(borders, float64(size))
	counts["borders"] = len(graph.Segments)
	d := cuts.New(dom)
	d.Snap = float64(size)
	for _, s := range graph.Segments {
		if u, v := d.Place(graph.Points[s[0]]), d.Place(graph.Points[s[1]]); u != v {
			d.Cut(u, v)
		}
	}
	result := d.Finish(in, "borders", graph, counts)
	counts["led"] = d.Led
	return result, nil
}

// place returns the control points, and their precision.
func (g Generator) place(in gen.Input) (points []lattice.Point, size int64) {
	if len(g.Points) > 0 {
		box := in.Domain.Box()
		for _, p := range g.Points {
			if box.Contains(p) {
				points = append(points, p)
			}
		}
		return points, 1
	}
	p := newPlacing(grid.New(in.Domain.Polygon, 0, grid.Budget(in.Domain.Len())))
	switch g.Rule {
	case Centres:
		spread := g.Spread
		if spread == 0 {
			spread = defaultSpread
		}
		p.centres(spread, perimeter(in.Domain)/float64(p.Size)/float64(4*in.Domain.Len()+32))
	case Darts:
		apart := g.Apart / float64(p.Size)
		if apart == 0 {
			open := 0
			for _, o := range p.Open {
				if o {
					open++
				}
			}
			apart = math.Sqrt(float64(open) / float64(max(notches(in.Domain), 1)))
		}
		p.darts(rand.New(rand.NewPCG(in.Seed, 0)), apart)
	}
	return p.points, p.Size
}

// perimeter returns how long the rings of d are, measured along the axes, in lattice units.
func perimeter(d *plan.Domain) float64 {
	sum := int64(0)
	for _, r := range d.Rings {
		for i := range r {
			dx, dy := r[(i+1)%len(r)].Sub(r[i])
			sum += max(dx, -dx) + max(dy, -dy)
		}
	}
	return float64(sum)
}

// notches returns how many corners of d have more than 180° of free space.
func notches(d *plan.Domain) (n int) {
	for _, r := range d.Rings {
		for i := range r {
			if lattice.Orient(r[i], r[(i+1)%len(r)], r[(i+2)%len(r)]) < 0 {
				n++
			}
		}
	}
	return n
}

// Package watershed decomposes a domain into the basins of the distance to its walls and cuts those
// convex.
//
// Source: Vincent and Soille, Watersheds in digital spaces: an efficient algorithm based on immersion
// simulations, IEEE Transactions on Pattern Analysis and Machine Intelligence 13 (1991); for walkable
// floors Haumont, Debeir and Sillion, Volumetric cell-and-portal generation, Computer Graphics Forum 22
// (2003), and Mononen's Recast; Hale, A growth-based approach to the automatic generation of navigation
// meshes, dissertation, 2011, section 2.20.
//
// Idea: the distance to the nearest wall, upside down, makes a pit of every room and a pass of every door.
// Water that rises in all pits at the same time comes to the passes last, and where the water of two pits
// meets is the border between two basins. Basins are found on a grid, their borders become straight cuts
// from wall to wall, and every basin is made convex for itself.
//
// Input: a domain without crossing edges. Rings may touch at single points.
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly, and the cells
//     fill the domain exactly up to Report.Lost, the area between walls and their constructed corners
//     (TestLaws): the grid decides where cuts run, never whether space is free;
//  2. a constructed corner is at most two units from its wall, in the free space, and exactly on it if the
//     wall belongs to a chain (TestLaws);
//  3. basins are connected on the grid and fill its open cells (TestBasins);
//  4. the number of cells of the grid follows the number of points, not the size of the domain
//     (TestEmptyWorlds);
//  5. the same domain gives the same cells, and a moved domain the moved cells (TestLaws).
//
// Degenerate cases: places narrower than a cell have no open cells; they join the parts beside them. A border
// with an end farther than three cells from all walls, or with cuts that find no way, is taken back and its
// two basins are merged. A domain without open cells is a single basin.
//
// Cost: O(n log n) expected for the triangulation of n points, and O(c log c) for c cells of the grid, at most
// 2¹⁴ + 64n and 2²².
//
// Departures from Recast: the plane has no spans and no heights; the grid is as fine as the number of points
// asks for; a noisy basin joins the neighbour with the longest common border, not the smallest neighbour, and
// two basins with two borders may merge around a pillar; a cell goes to its deepest neighbour, not to the
// neighbour with the nearest source; the ends of borders go to a notch nearby, which needs a cut anyway, or
// straight to the wall; contours are simplified all together, so none passes a wall.
package watershed

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

// Options say how finely the domain is looked at.
type Options struct {
	// CellSize is the side of a cell of the grid in lattice units; 0 means as small as the budget of cells
	// allows, see [grid.Budget]. The cells are larger if the budget requires.
	CellSize int64
	// MergeCells is the number of cells below which a basin is noise and joined to a neighbour;
	// 0 means 400, as in Recast, negative merges none.
	MergeCells int
}

// Generator is the watershed decomposition. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "watershed".
func (Generator) Name() string { return "watershed" }

const (
	// defaultMerge is the default of Options.MergeCells, Recast's mergeRegionArea.
	defaultMerge = 20 * 20
	// smooth is how far a border may be moved to have fewer corners, in cells: Recast's maxSimplificationError.
	smooth = 1.3
	// reach is how far the loose end of a border may be from a wall, in cells.
	reach = 3
)

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices: the points of the domain; grid: the cells of the grid;
//   - springs: basins before noise was merged, basins: after;
//   - constructed: new corners on walls; refused: cuts stopped halfway;
//   - parts: pieces between the cuts; diagonals: added in the parts; cells.
//
// An observer sees "basins", the borders on the grid, "cuts", made of the borders, and "diagonals".
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("watershed: %w", err)
	}
	least := g.MergeCells
	if least == 0 {
		least = defaultMerge
	}
	f := flood(grid.New(in.Domain.Polygon, g.CellSize, grid.Budget(in.Domain.Len())))
	if err := ctx.Err(); err != nil {
		return gen.Result{}, err
	}
	counts := map[string]int{"vertices": len(dom.Walls), "grid": len(f.Open), "springs": len(f.size)}
	counts["basins"] = f.merge(least)
	d := cuts.New(dom)
	borders := f.borders()
	f.cut(in.Domain, borders, d)
	return d.Finish(in, "basins", borders, counts), nil
}

// cut cuts d along the borders of the basins.
func (f *flooding) cut(domain *plan.Domain, borders *cuts.Graph, d *cuts.Domain) {
	degree := borders.Degrees()
	chains := borders.Chains()
	if len(chains) == 0 {
		return
	}
	vertex := make([]int32, len(borders.Points)) // of loose ends
	lines := make([]lattice.Line, 0, len(domain.Rings)+len(chains))
	for _, r := range domain.Rings {
		keep := make([]bool, len(r))
		for i := range keep {
			keep[i] = true
		}
		lines = append(lines, lattice.Line{Points: r, Closed: true, Keep: keep})
	}
	for _, chain := range chains {
		points := make([]lattice.Point, len(chain))
		for i, v := range chain {
			points[i] = borders.Points[v]
		}
		for _, i := range [...]int{0, len(chain) - 1} {
			if v := chain[i]; degree[v] == 1 {
				if vertex[v] = d.Anchor(points[i], reach*float64(f.Size)); vertex[v] >= 0 {
					points[i] = d.P[vertex[v]]
				}
			}
		}
		lines = append(lines, lattice.Line{Points: points})
	}
	for i, s := range lattice.Simplify(lines, smooth*float64(f.Size))[len(domain.Rings):] {
		from := int32(-1)
		for k, p := range s.Points {
			to := int32(-1)
			if v := chains[i][s.Kept[k]]; degree[v] == 1 {
				to = vertex[v]
			}
			if to < 0 {
				to = d.Place(p)
			}
			if from >= 0 && from != to {
				d.Cut(from, to)
			}
			from = to
		}
	}
}

// Package concave merges the convex cells of one domain to regions of limited concavity: regions that may
// bend inwards, but by no more than a bound. Around a curved obstacle a few such regions take the place of
// many thin cells. A mesh has convex regions only; concave regions are for comparison and pictures.
//
// Source: the idea is Hale's, section 8.2, regions with limited concavity for curved obstacles; the
// measure is the straight-line concavity of Lien and Amato, Approximate convex decomposition of
// polygons, Computational Geometry 35 (2006), section 4.
//
// Idea: the concavity of a region is how deep its border lies in its pockets, the parts between the border
// and the convex hull. Neighbours with a simple union within the bound are merged, the shallowest union first
// and, among convex unions, the one across the longest border.
//
// Input: convex cells that do not overlap, of any generator. They may meet in T-junctions and need not
// cover the domain.
//
// Guarantees:
//  1. every cell is in exactly one region, and a region's area is the sum of its cells' areas (TestLaws);
//  2. every region is a simple counter-clockwise ring without holes, its concavity, computed exactly,
//     within the bound (TestLaws, TestConcavity against a slow computation);
//  3. no two regions that are left could be merged within the bound (TestMaximal);
//  4. with a bound of 0 every region is convex (TestLaws);
//  5. the same cells give the same regions, and moving them moves the regions (TestLaws).
//
// Degenerate cases: regions that touch in more than one stretch of border are not merged, their union
// has a hole or a pinch; corners of other cells in the middle of a side become corners for the time of
// merging; corners where the border goes straight on are left out of the result.
//
// Cost: O(n log n) expected for the n corners to meet each other's sides, then O(k log k) for every pair of
// neighbours that ever comes up, k corners in both. With a large bound regions are large, and their pairs
// take most of the time.
//
// Departures: the source leaves open how such regions are found.
package concave

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Options say how concave regions may be.
type Options struct {
	// Bound is the largest concavity in metres, rounded down to whole lattice units. 0 merges only convex
	// unions.
	Bound float64
}

// Region is a union of cells.
type Region struct {
	// Ring is the border, simple and counter-clockwise.
	Ring lattice.Ring
	// Cells are the indices of the cells, rising.
	Cells []int
	// Depth2 is the squared concavity in lattice units, 0 for a convex region. See [Concavity2].
	Depth2 lattice.Ratio
}

// Concavity returns the concavity of r in metres.
func (r Region) Concavity() float64 { return r.Depth2.Sqrt() * lattice.Unit }

// Result is the regions of one domain, in the order of their first cells.
type Result struct {
	Regions []Region
	Concave int // how many of them are not convex
}

// Merge merges the cells of one domain as far as the bound allows. Errors name the cell and the place: a cell
// with fewer than three corners or outside of the frame, cells that overlap at a side.
func Merge(ctx context.Context, cells []plan.Cell, opt Options) (Result, error) {
	if !(opt.Bound >= 0) || math.IsInf(opt.Bound, 1) {
		return Result{}, fmt.Errorf("concave: the bound, %v m, must be finite and not negative", opt.Bound)
	}
	if len(cells) == 0 {
		return Result{}, ctx.Err()
	}
	// No two points of a frame are 2³² units apart.
	units := uint64(min(math.Floor(opt.Bound*lattice.UnitsPerMetre), 1<<32-1))
	m, err := newMap(cells)
	if err != nil {
		return Result{}, err
	}
	if err := m.merge(ctx, units*units); err != nil {
		return Result{}, err
	}
	var res Result
	for _, r := range m.regions {
		if r.gone {
			continue
		}
		region := Region{Ring: straightened(m.points(r.ring)), Cells: r.cells}
		region.Depth2 = Concavity2(region.Ring)
		if !region.Depth2.IsZero() {
			res.Concave++
		}
		res.Regions = append(res.Regions, region)
	}
	sortRegions(res.Regions)
	return res, nil
}

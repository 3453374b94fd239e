// Package erode reduces a mesh to the floor for a wider agent; one mesh then serves any radius.
//
// Source: clearance as the distance to the border of the connected surface is the project's definition
// (docs/algorithms/clearance.md). M. Kallmann, Dynamic and robust local clearance triangulations, ACM Transactions on
// Graphics 33 (2014), asks for paths of any clearance on one triangulation of a plane; here the floor has storeys.
//
// Idea: the footprint of a wall is the floor that the wall takes from a wider agent: a rectangle beside the wall and a
// sector around each of its ends. All footprints are subtracted from the regions at once, layer by layer, in one
// arrangement of the plane (internal/overlay). Where floors overlap near a seam, a footprint is divided among the
// regions in straight sight of the wall over the floor (rays.go). The rest becomes a plan again, with the areas, flags,
// marks, seams, heights and links of the mesh. The plan is decomposed and joined like any other.
//
// Input: a mesh without faults, and a radius not below the mesh's own.
//
// Guarantees:
//  1. A place is left exactly if no wall of the connected floor is nearer than the radius, but for 2 mm of rounding,
//     and around corners for [ArcTolerance] outwards: TestWidenKeepsDistance, against walls found by a query.
//  2. Hence a passage is open exactly for agents that fit, whatever its shape and its obstacles, to within a
//     millimetre: TestBottlenecks, TestWidenDoor.
//  3. Paths agree with the mesh that build/exact and the same generator build for the radius: equal in number, and
//     in length within 0.5 %: TestWidenAgrees.
//  4. On one layer the floor is the offset of the polygons: TestPlainFloorsAreOffsets.
//  5. Walls count beyond seams, walls of other storeys do not: TestSeams.
//  6. Areas, flags, marks and links of a place stay: TestWidenKeeps.
//  7. The floor does not depend on the number of jobs: TestWidenDoesNotDependOnJobs.
//
// Degenerate cases: cracks that rounding leaves between two layers are healed (heal.go), and tips of walls that
// rounding folds over themselves there have floor all around. Cells that touch in a point are apart. Rounding decides
// whether a passage exactly as wide as the agent is open. Walls without thickness are walls between layers, and in one
// layer only if they are not covered from both sides: the mesh must be cut there.
//
// Cost: O((w + k) log w) for w walls and k crossings of footprints, plus the regions within the radius for footprints
// near seams; memory O(w + k).
//
// Departures: Kallmann keeps one triangulation and searches for a disc. Here every radius has a mesh of its own, made
// once, and regions, portals, corners and all queries then work unchanged.
package erode

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// ArcTolerance is the maximum distance of a border around a corner beyond the radius, in metres, as in build/exact.
const ArcTolerance = 0.05

// Options control the simplification of borders.
type Options struct {
	// Simplify is the maximum move of borders into the free floor (m) to save regions; 0 only compensates for rounding,
	// a millimetre.
	Simplify float64
	Jobs     int // goroutines, 0 for one per core; the floor does not depend on it
}

// Floor is the floor of a mesh for a wider agent.
type Floor struct {
	// Plan is the floor. An empty floor has no domains.
	Plan *plan.Plan
	// KeepSeams says that regions must not be merged across layers, because the plan does not hold their flags.
	KeepSeams bool
	// Divided counts the footprints of walls that were divided, because floors lie over each other near a seam.
	Divided int

	from  *navmesh.Mesh
	flags [][]uint32 // of every domain
}

// class holds the common properties of the regions of one domain.
type class struct {
	layer int32
	area  uint8
	flags uint32
	marks []int32
}

func (c *class) compare(o *class) int {
	return cmp.Or(cmp.Compare(c.layer, o.layer), cmp.Compare(c.area, o.area), cmp.Compare(c.flags, o.flags), slices.Compare(c.marks, o.marks))
}

// eroder is the state of the reduction of a mesh.
type eroder struct {
	*surface
	mesh    *navmesh.Mesh
	classes []class
	by      float64 // lattice units
	domains []domain
	in      [][]int32 // the domains of each class
}

// Of returns the floor of m for an agent of the given radius, which may not be below the radius of m.
func Of(ctx context.Context, m *navmesh.Mesh, radius float64, opt Options) (*Floor, error) {
	own := max(m.Agent.Radius, 0)
	switch {
	case math.IsNaN(radius) || math.IsInf(radius, 0) || radius < 0 || radius > 100:
		return nil, fmt.Errorf("erode: a radius of %g m, must be from 0 to 100", radius)
	case radius < own:
		return nil, fmt.Errorf("erode: a radius of %g m is below the mesh's radius, %g m", radius, own)
	case !(opt.Simplify >= 0) || math.IsInf(opt.Simplify, 0):
		return nil, fmt.Errorf("erode: borders simplified by %g m, must be 0 or more", opt.Simplify)
	case opt.Jobs < 0:
		return nil, fmt.Errorf("erode: Jobs is %d, must be 0 or more", opt.Jobs)
	}
	e := &eroder{mesh: m, by: (radius - own) * lattice.UnitsPerMetre}
	if own == 0 {
		e.by = max(e.by-1, 0) // a point agent keeps a unit from obstacles: see build/exact
	}
	e.classify()
	cuts := make([][]lattice.Ring, len(e.layers))
	f := &Floor{from: m}
	if e.by >= 0.5 {
		c := cutter{surface: e.surface, offset: overlay.Offset{Distance: e.by, Join: overlay.Round, Tolerance: ArcTolerance * lattice.UnitsPerMetre}}
		c.reach = c.offset.Distance + c.offset.Tolerance
		var err error
		if cuts, err = c.cuts(ctx, opt.Jobs); err != nil {
			return nil, fmt.Errorf("erode: %w", err)
		}
		f.Divided = c.divided
	}
	if err := e.outline(cuts); err != nil {
		return nil, fmt.Errorf("erode: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("erode: %w", err)
	}
	e.simplify(opt.Simplify * lattice.UnitsPerMetre)
	f.Plan = e.plan()
	f.Plan.Agent.Radius = radius
	e.link(f.Plan)
	e.remember(f)
	return f, nil
}

// classify numbers the classes of the regions.
func (e *eroder) classify() {
	m := e.mesh
	of := make([][]class, len(m.Tiles))
	layer := int32(0)
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		of[slot] = make([]class, len(t.Regions))
		for i := range t.Regions {
			r := &t.Regions[i]
			of[slot][i] = class{layer: layer + int32(r.Layer), area: r.Area, flags: r.Flags}
		}
		for _, k := range t.Marked {
			of[slot][k.Region].marks = append(of[slot][k.Region].marks, int32(k.Mark))
		}
		layer += int32(len(t.Layers))
		e.classes = append(e.classes, of[slot]...)
	}
	slices.SortFunc(e.classes, func(a, b class) int { return a.compare(&b) })
	e.classes = slices.CompactFunc(e.classes, func(a, b class) bool { return a.compare(&b) == 0 })
	e.surface = newSurface(m, e.by, func(slot, region int) int32 {
		i, _ := slices.BinarySearchFunc(e.classes, &of[slot][region], func(c class, k *class) int { return c.compare(k) })
		return int32(i)
	})
}

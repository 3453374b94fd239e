// Package raster extracts the walkable floor by voxels and fine cells: rough voxels say where a
// border may run, a fine depth map says where it does.
//
// Source: R. Oliva, "ANavMG: Automatic generation of suboptimal navmeshes for 3D virtual
// environments", MSc thesis, UPC Barcelona, 2012, chapters 5 and 6. Published in short as R. Oliva
// and N. Pelechano, "NEOGEN", Computers & Graphics 37 (2013).
//
// Idea: the level is cut into columns about as wide as the agent's radius. Where the rough voxels of a column
// show complete floors with free air above, the floor is known; in all other columns heights and obstructions
// are sampled in 8 × 8 fine cells. Connected cells are eroded by the exact distance to the border of the
// floor, flooded into layers that never lie over themselves, and their contours, interpolated between cells,
// become domains.
//
// Input: any triangles; Guarantees lists the allowed defects. Steps of the method, by the thesis's names and
// sections:
//
//	6.2.1 rough voxelization, positive, negative and empty voxels   voxel.go
//	6.2.2 accessible voxels                                        voxel.go, surface.go
//	6.2.2 ordered flooding, reachable layers                       layers.go, components.go
//	6.2.3 high-resolution depth map, near-vertical faces           voxel.go
//	      erosion by the agent's radius                            border.go, erosion.go
//	5.4, 6.2.3 contours and their simplification                   contour.go, corners.go, arcs.go, assemble.go
//	6.2.4 seams for merging the layers                             contour.go
//
// Guarantees:
//  1. The plan does not depend on the order of the triangles, on the number of jobs, or on where
//     in the world the level lies: TestExtractDoesNotDependOn.
//  2. Domains are valid polygons, and a seam has the same points in both layers: TestExtractValidPlans, on
//     generated and on random levels.
//  3. No layer covers a point twice: TestLayersDoNotOverlap.
//  4. Even the thinnest wall closes the floor: TestThinWallsSeparate.
//  5. Borders along straight walls and edges of sixteen cells keep the agent's radius within 2 mm,
//     and the corners between them are sharp; elsewhere the border is nowhere nearer and farther by
//     no more than the simplification tolerance: TestBorderDistance.
//  6. Gaps are stepped over iff they are no wider than the agent's MaxGap, whatever the size of cells: TestGaps.
//
// Degenerate cases: collapsed and repeated triangles are dropped; interpenetrating, open and T-jointed meshes
// are normal, because floors and obstructions are sampled and never stitched. Floors less than a step above
// others cover them. A steep patch no higher than a step (the bevel of a kerb) counts as floor. A level
// without an up-facing face, or without room for the agent, is an error with the reason.
//
// Resolution: a fine cell is a seventh of the agent's radius (for thin agents of a twentieth of the
// height), a column is eight cells.
//
// Cost: O(t + v + f) for t triangles, v rough voxels and f fine cells in columns with a border;
// memory likewise. Blocks of 64 × 64 columns are independent and run in parallel.
//
// Departures from the thesis: one exact pass clips triangles to voxels where a graphics card needs three
// views, and heights of voxels are exact intervals, not one of 32 slices. High resolution is used only where
// a border may run. No cutting shape (6.2.3): a column keeps all its floors, so nothing above a layer hides the layer
// (TestNothingAboveHides). No merging of layers (6.2.2.2): a layer is flooded as a whole before the next one begins, and layers that touch
// never fit into one (TestTouchingLayersClash). Flooding uses the eroded floor, so a passage too narrow for the agent separates.
// Near-vertical faces close every cell that they touch, so the flood does not leak through a thin wall.
// Distances are measured to the geometry that closes a border cell and not to the cell, and contours are
// interpolated from them instead of following pixels. Gaps become triangles before anything is sampled
// (gaps.go).
package raster

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// Extractor samples a level. The zero value is usable.
type Extractor struct {
	// CellSize is the edge of a fine sampling cell in metres. 0 stands for a seventh of the agent's radius.
	CellSize float64
}

var _ floorplan.Extractor = Extractor{}

// Name returns "raster".
func (Extractor) Name() string { return "raster" }

// Settings tells the size of cells for the record of a mesh, if it is not the default.
func (x Extractor) Settings() string {
	if x.CellSize == 0 {
		return ""
	}
	return fmt.Sprintf("cells of %g m", x.CellSize)
}

// Extract returns the walkable floor of lvl for the agent, with the default size of cells.
func Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	return Extractor{}.Extract(ctx, lvl, agent, opt)
}

// Extract returns the walkable floor of lvl for the agent.
func (x Extractor) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := errors.Join(agent.Validate(), opt.Validate()); err != nil {
		return nil, err
	}
	ps, layers, dropped, err := x.layers(ctx, lvl, agent, &opt)
	if err != nil {
		return nil, err
	}
	for _, strict := range [2]bool{false, true} {
		var p *plan.Plan
		if p, err = ps.assemble(ctx, ps.trace(layers, strict), opt.Jobs); err == nil {
			p.Agent, p.Dropped = agent, dropped
			return p, opt.SimplifyFloors(ctx, p)
		}
	}
	return nil, err
}

// layers returns the patches of the floor, flooded into a number of layers, and the parts that were left out.
func (x Extractor) layers(ctx context.Context, lvl *level.Level, agent geom.Agent, opt *floorplan.Options) (ps *patches, layers int, dropped []plan.Part, err error) {
	tell := func(done, total int) {
		if opt.Progress != nil {
			opt.Progress("voxels", done, total)
		}
	}
	level, err := soup.Read(lvl, agent)
	if err != nil {
		return nil, 0, nil, err
	}
	grid, err := newGrid(level, agent, x.CellSize, opt.Simplify)
	if err != nil {
		return nil, 0, nil, err
	}
	level = withGaps(level, &grid, agent)
	level.ListRim()
	s := &surface{soup: level, grid: &grid}
	if s.blocks, err = voxelize(ctx, level, &grid, opt.Jobs, tell); err != nil {
		return nil, 0, nil, err
	}
	if err := s.findNear(ctx, opt.Jobs); err != nil {
		return nil, 0, nil, err
	}
	e, err := erode(ctx, s, opt.Jobs)
	if err != nil {
		return nil, 0, nil, err
	}
	ps, err = findPatches(ctx, e)
	if err != nil {
		return nil, 0, nil, err
	}
	if len(ps.list) == 0 {
		return nil, 0, nil, e.nowhere(lvl.Name)
	}
	parts := ps.components()
	kept, dropped, err := ps.choose(parts, *opt)
	if err != nil {
		return nil, 0, nil, err
	}
	layers = ps.flood(func(i int32) bool { return kept[ps.list[i].component] })
	return ps, layers, dropped, nil
}

// nowhere says why no place is left for the agent.
func (e *erosion) nowhere(name string) error {
	s := e.surface
	best, at := -1.0, geom.Vec{}
	for i := range s.blocks {
		for k := range s.blocks[i].pieces {
			r := pieceRef{int32(i), int32(k)}
			for cell := range cellsOf(s.blocks[i].pieces[k].mask) {
				if d := e.at(r, cell); d > best {
					best, at = d, s.position(r, cell)
				}
			}
		}
	}
	if best < 0 {
		return fmt.Errorf("raster: level %q has no floor with room for the agent's height above it", name)
	}
	return fmt.Errorf("raster: level %q has no place for the agent's radius of %.3g m: the widest, at %v, admits %.3g m",
		name, e.surface.grid.radius*lattice.Unit, at, best*lattice.Unit)
}

// Package topview extracts the walkable floor from a single view from above: a map of normals and depths, in which a flood steps from
// pixel to pixel.
//
// Source: R. Oliva, "ANavMG: Automatic generation of suboptimal navmeshes for 3D virtual environments", MSc thesis, UPC Barcelona, 2012,
// sections 5.1 to 5.4. Package raster is the later form of the same chapter, for any number of layers.
//
// Idea: an orthographic camera above the level sees one fragment a pixel. The flood goes on to an adjacent fragment where the agent can
// overcome the angle between both normals and the difference of both depths. The border of the flooded pixels is the contour of the
// obstacles.
//
// Input: any triangles. The view has the highest surface of every pixel; floors below others do not exist.
//
// Steps, by the thesis's names and sections:
//
//	5.1 normal-and-depth map        view.go
//	5.2 obstacle detection          flood.go
//	5.3 contour expansion and refinement, here one growth of the obstacles by a pixel   flood.go
//	5.4 polygon reconstruction and simplification                                       trace.go
//
// Guarantees:
//  1. two fragments are similar iff the angle of their normals and the difference of their depths are within the agent's slope and
//     step: a ridge of two gentle slopes parts the floor, a steep ramp at one pitch does not (TestAngleBetweenNormals);
//  2. domains are valid polygons with exact heights at their corners, and the plan passes [plan.Plan.Check] (TestValidPlans, on generated
//     levels and random scenes);
//  3. on a level floor with upright obstacles that cover the centre of a pixel the border is at least the agent's radius away from them, and no more than four pixels
//     farther (TestBorder);
//  4. the plan does not depend on the order of the triangles or on the level's place (TestDoesNotDependOn).
//
// Degenerate cases: a map of more than 2²² pixels is an error that names the least size of a pixel. A level without a floor as wide as the
// agent is an error. Obstacles of a pixel or a line become a square or a strip of two pixels' width. Where two obstacles touch in a
// corner, or nearly so, the pixels around the corner become obstacle.
//
// Cost: O(t + p) for t triangles and p pixels in their boxes, besides the simplification; memory for the whole map.
//
// Departures from the thesis: the processor renders, by exact tests at the centres of pixels. Two adjacent walkable fragments that are not
// similar, as at the side of a ramp, both become obstacle; the thesis's binary image joins them. The thesis has no radius; here pixels nearer than the
// radius become obstacle, and [geom.PointRadius] gives the published form. Polygons come from a walk along the sides of pixels, not from a sort
// of contour pixels, which by the thesis's own word (6.2.3) does not always close a polygon. Without a place to keep, the largest part
// stays. Normals and depths have 8 bits each, as published, for decisions; heights of the plan are exact.
package topview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// Extractor looks at a level from above. The zero value is usable.
type Extractor struct {
	// CellSize is the edge of a pixel in metres. 0 stands for a seventh of the agent's radius, at least 1/140 of the height.
	CellSize float64
}

var _ floorplan.Extractor = Extractor{}

// Name returns "topview".
func (Extractor) Name() string { return "topview" }

// Settings tells the size of pixels for the record of a mesh, if it is not the default.
func (x Extractor) Settings() string {
	if x.CellSize == 0 {
		return ""
	}
	return fmt.Sprintf("cells of %g m", x.CellSize)
}

// Extract returns the floor of lvl for the agent as a plan of one layer. The errors are those of the input: invalid options, a map with too many
// pixels, no floor, no floor at a place to keep.
func (x Extractor) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := errors.Join(agent.Validate(), opt.Validate()); err != nil {
		return nil, err
	}
	s, err := soup.Read(lvl, agent)
	if err != nil {
		return nil, err
	}
	size := x.CellSize
	if size == 0 {
		size = max(agent.Radius, agent.Height/20) / 7
	}
	v, err := look(ctx, s, agent, size)
	if err != nil {
		return nil, err
	}
	all := v.similarParts()
	chosen, dropped, err := v.choose(all, opt)
	if err != nil {
		return nil, err
	}
	v.keep(chosen)
	if err := v.grow(ctx, agent.Radius); err != nil {
		return nil, err
	}
	parts := v.whiteParts()
	if len(parts) == 0 {
		return nil, fmt.Errorf("topview: level %q has no floor for the agent's radius of %.3g m in a view from above", lvl.Name, agent.Radius)
	}
	chosen, narrow, err := v.choose(parts, opt)
	if err != nil {
		return nil, err
	}
	dropped = append(dropped, narrow...)
	slices.SortStableFunc(dropped, func(a, b plan.Part) int { return cmp.Compare(b.Area, a.Area) })
	v.keep(chosen)
	tolerance := float64(v.cell)
	if opt.Simplify != 0 {
		tolerance = max(0, opt.Simplify) * lattice.UnitsPerMetre
	}
	layer, err := v.trace(len(parts), tolerance)
	if err != nil {
		return nil, err
	}
	p := &plan.Plan{Frame: s.Frame, Agent: agent, Layers: []plan.Layer{layer}, Components: len(layer.Domains), Dropped: dropped}
	return p, opt.SimplifyFloors(ctx, p)
}

// The limits of a map.
const (
	maxPixels = 1 << 22
	margin    = beyond + 1 // pixels without a fragment around the level
)

// newView returns an empty map over the level.
func newView(s *soup.Soup, agent geom.Agent, size float64) (*view, error) {
	if !(size >= 8*lattice.Unit && size <= 1000) {
		return nil, fmt.Errorf("topview: cell size is %g m, must be %g to 1000 m", size, 8*lattice.Unit)
	}
	// Centres of pixels are lattice points.
	v := &view{cell: 2 * int32(math.Ceil(size*lattice.UnitsPerMetre/2)), frame: s.Frame}
	wide, high := int64(s.Size.X)/int64(v.cell)+1+2*margin, int64(s.Size.Y)/int64(v.cell)+1+2*margin
	if wide*high > maxPixels {
		least := math.Sqrt(float64(s.Size.X) * lattice.Unit * float64(s.Size.Y) * lattice.Unit / maxPixels)
		least = max(least, float64(max(s.Size.X, s.Size.Y))*lattice.Unit*(1+2*margin)/maxPixels)
		return nil, fmt.Errorf("topview: %d × %d pixels of %.3g m are more than %d: a cell size of %.2g m or more fits", wide, high, size, maxPixels, 1.1*least)
	}
	v.wide, v.high = int32(wide), int32(high)
	v.pixels = make([]pixel, wide*high)
	v.part = make([]int32, wide*high)
	// The depths of a map of 8 bits, from the lowest point to the highest.
	v.range8 = max(1, s.Size.Z)
	v.step = int64(max(0, math.Floor(agent.MaxClimb*lattice.UnitsPerMetre)))
	tangent := agent.SlopeLimit().Tangent()
	v.cosine = 1 / math.Sqrt(1+float64(tangent*tangent))
	v.height = int32(math.Ceil(agent.Height * lattice.UnitsPerMetre))
	return v, nil
}

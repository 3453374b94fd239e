// Package brep extracts the walkable floor of solids by the boundary representation of their union: boxes turned
// freely, convex solids of any kind, and terrain as prisms.
//
// Source: S. Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, MSc thesis, Delft 2009,
// chapters 3 and 4 and appendix A.
//
// Idea: planes are rounded to integers once (bodies.go), and everything after that is exact: corners are three planes each
// (lab/internal/solid), so cutting polygons by planes makes no new numbers. Of every face the part inside another solid is
// cut off (union.go), pieces are merged again where the union is convex (merge.go), edges are shared (topology.go). The
// result is the surface of all solids. The agent's feet may rest on a walkable face where no solid comes between a step and
// the agent's height above it: solids swept down are cut off (exclude.go). [Extract] hands the walkable floor and the other
// faces of the surface to build/exact, which moves the border in by the agent's radius, exactly.
//
// [NewMesh] makes Brand's own mesh of the same surface: convex regions in space and a graph of links. Solids are deformed for
// a radius and cut off (deform.go, mesh.go), edges are welded over gaps and steps (weld.go), regions are merged (merge.go,
// reduce.go) and culled (cull.go). [FreeCells] cuts the empty space into cells (cells.go). [Surface] makes a plan of
// the mesh (surface.go). Named things are avoided (avoid.go).
//
// Input: the level's solids and its other triangles. A level without solids is taken apart: connected triangles form a
// convex solid within a tolerance, terrain, or a closed body that is cut into convex solids (decompose.go); anything else is
// an error with its name (recognise.go).
//
// Guarantees:
//  1. The surface is closed, every stretch of an edge is there as often one way as the other: TestSurfaceIsClosed.
//  2. Nothing is lost: places on faces are on the surface if and only if they are in no other solid
//     (TestNoFaceIsLost), and the surface encloses the volume of the union (TestVolumeAgainstPlaces).
//  3. The plan does not depend on the order of solids, planes or triangles, on the number of jobs, or on where in the
//     world the level lies: TestExtractDoesNotDependOn, TestOrderOfSolidsDoesNotMatter.
//  4. Plans are valid, and their borders are as far away as those of build/exact: TestExtractValidPlans,
//     TestBorderDistance, TestAgreementWithExact; a brute-force judge says the same of single places: TestAgreement.
//  5. Merging changes neither the surface nor its connections, and keeps regions convex:
//     TestMergingKeepsTheSurface, TestMergedRegionsAreConvex. Adjacent tiles form one region for any rotation:
//     TestTurnedTiles.
//  6. By the rule of the body, an agent on a region is in no solid: TestBodyRuleKeepsBodiesFree. A mesh for several
//     radii equals, for each radius, the mesh for this radius alone: TestSeveralRadii.
//  7. Culling parts nothing: TestCull.
//  8. A body within the tolerance of a convex solid is one, and no other: TestTolerance. Files of all generated kinds have
//     the floor of build/exact: TestFilesOfEveryKind.
//  9. Cells do not overlap, and fill the box together with the solids: TestCellsFillTheBox.
//
// Degenerate cases: faces that lie on each other and look the same way are one, of the smaller material name; faces that
// look at each other are inside. Solids thinner than the lattice vanish. A corner of four planes and more may come out as
// tiny edges, which collapse when corners are rounded at the end. Solids that should touch but do not, because the input
// has few digits, leave a crack thinner than any agent.
//
// Cost: O(k log k) cuts for k pairs of a face and a solid with overlapping boxes, as long as few solids meet in one
// place, plus the cost of build/exact for the surface. Solids are independent and run in parallel.
//
// Departures: Brand stores corners in floats, joins corners nearer than ε, and therefore snaps the input to 0.1 m and
// 22.5°; here nothing is snapped but planes, to 2⁻²¹ in direction and half a unit in place. He adds one solid after
// the other to a mesh and cuts both; here every face is cut alone, by nearby solids. He cuts along whole planes; here
// a polygon is cut only by solids that remove a part of it. His printed rule for the radius moves a wall farther away
// than his sphere reaches; the sphere's own rule is available too, see [Rule]. Longer edges are merged first, and rows of any number of regions are
// merged as his three are.
package brep

import (
	"context"
	"errors"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Extract returns the walkable floor of lvl for the agent. Errors name an object that is neither solid nor terrain, with
// the place, an unbounded solid, and coordinates outside the lattice; all others come from [exact.Extract]: no floor, or
// seeds beside the floor.
func Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	return Extractor{}.extract(ctx, lvl, agent, opt)
}

func (x Extractor) extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := errors.Join(agent.Validate(), opt.Validate()); err != nil {
		return nil, err
	}
	w, err := readWorld(ctx, lvl, reading{tolerance: x.Tolerance, avoid: x.Avoid})
	if err != nil {
		return nil, err
	}
	if opt.Progress != nil {
		opt.Progress("union", 0, 1)
	}
	pieces, err := w.surface(ctx, opt.Jobs)
	if err != nil {
		return nil, err
	}
	if err := w.floors(ctx, pieces, agent, opt.Jobs); err != nil {
		return nil, err
	}
	w.dropHidden(pieces)
	c, regions := w.merged(pieces)
	skin, err := w.skin(lvl, c, regions)
	if err != nil {
		return nil, err
	}
	return exact.Extract(ctx, skin, agent, opt)
}

// Package brep extracts the walkable floor of solids by the boundary representation of their union: boxes turned
// freely, convex solids of any kind, and terrain as prisms.
//
// Source: S. Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, MSc thesis, Delft 2009,
// chapters 3 and 4 and appendix A.
//
// Idea: planes are rounded to integers once (bodies.go), and everything after that is exact: corners are three planes
// each (lab/internal/solid), so cutting polygons by planes makes no new numbers. Of every face what is inside of another solid
// is cut off (union.go), pieces are merged again where that is convex (merge.go), edges are shared (topology.go). That is
// the surface of all solids. The agent's feet may rest on a walkable face where no solid comes between a step and the
// agent's height above it: solids swept down are cut off (exclude.go). [Extract] hands the walkable floor and the other
// faces of the surface to build/exact, which moves the border in by the agent's radius, exactly.
//
// [NewMesh] makes Brand's own mesh of the same surface: convex regions in space and a graph of links. Solids are deformed for
// a radius and cut off (deform.go, mesh.go), edges are welded over gaps and steps (weld.go), regions are merged (merge.go,
// reduce.go) and culled (cull.go). [FreeCells] cuts what is empty into cells (cells.go).
//
// Input: the level's solids, with whatever triangles there are besides. A level without solids is taken apart: triangles
// that hang together are a convex solid, or terrain; anything else is an error that names it (recognise.go).
//
// Guarantees:
//  1. The surface is closed, every stretch of an edge is there as often one way as the other: TestSurfaceIsClosed.
//  2. Nothing is lost: places on faces are on the surface if and only if they are in no other solid
//     (TestNoFaceIsLost), and the surface encloses the volume of the union (TestVolumeAgainstPlaces).
//  3. The plan does not depend on the order of solids, planes or triangles, on the number of jobs, or on where in the
//     world the level lies: TestExtractDoesNotDependOn, TestOrderOfSolidsDoesNotMatter.
//  4. Plans are valid, and their borders are as far away as those of build/exact: TestExtractValidPlans,
//     TestBorderDistance, TestAgreementWithExact; a brute-force judge says the same of single places: TestAgreement.
//  5. Merging leaves the surface and what hangs together as it is, and regions convex: TestMergingKeepsTheSurface,
//     TestMergedRegionsAreConvex. Tiles that touch are one region however they are turned: TestTurnedTiles.
//  6. By the rule of the body, an agent on a region is in no solid: TestBodyRuleKeepsBodiesFree. A mesh for several
//     radii is, for each, the mesh for that one: TestSeveralRadii.
//  7. Culling parts nothing: TestCull.
//  8. Cells do not overlap, and fill the box together with the solids: TestCellsFillTheBox.
//
// Degenerate cases: faces that lie on each other and look the same way are one, of the smaller material name; those that
// look at each other are inside. Solids thinner than the lattice vanish. A corner of four planes and more may come out as
// tiny edges, which collapse when corners are rounded at the end. Solids that are meant to touch and do not, by as little
// as the input has digits, leave a crack that is thinner than any agent.
//
// Cost: O(k log k) cuts for k pairs of a face and a solid whose boxes meet, as long as few solids meet in one place, and
// what build/exact costs for the surface. Solids are independent and run in parallel.
//
// Departures: Brand stores corners in floats, joins what is nearer than ε, and snaps the input to 0.1 m and 22.5° to
// live with that; here nothing is snapped but planes, to 2⁻²¹ in direction and half a unit in place. He adds one
// solid after the other to a mesh and cuts both; here every face is cut on its own, by what is near. He cuts along whole
// planes; here a polygon is cut only by what takes something away from it. His rule for the radius as printed is not
// the one that his figure asks for; both are there, see [Rule]. Longer edges are merged first, and rows of any number of
// regions are merged as his three are.
package brep

import (
	"context"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Extract returns the walkable floor of lvl for the agent. Errors name an object that is neither convex nor terrain and the
// place where it is not, a solid that has no end, and what the lattice does not hold; others are those of
// [exact.Extract]: no floor, seeds that are not on it.
func Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := agent.Validate(); err != nil {
		return nil, err
	}
	w, err := readWorld(lvl, false)
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

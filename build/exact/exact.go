// Package exact extracts the walkable floor from the triangles themselves, without sampling. Obstacles to the agent's
// body are cut out of the floor, and the rest is moved in by the agent's radius.
//
// Source: the definition of walkable floor is the project's own (docs/algorithms/build.md). Exact polygons instead of
// voxels are the idea of S. Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, MSc
// thesis, Delft 2009, chapter 3, who works on solids.
//
// Idea: floors of one plane become few large triangles (build/internal/coplanar). Each walkable triangle is floor
// where no other floor covers it (exposed.go, hidden.go, remote.go). The floor is blocked where a face is between climb and height
// above (blocked.go). Two solid triangles in one plane are one face (faces.go), and upright faces are lines (walls.go).
// Edges lead to the floors that continue them by a step (rim.go, follow.go). Gaps between borders become floor, which
// hides the floors beneath (bridges.go, pockets.go). Triangles go to layers that never lie over themselves (layers.go,
// reassign.go), and triangles out of everybody's reach are left out (barren.go, roomless.go).
//
// The floor of a layer is put together along shared edges (floors.go) and united, with its hairlines closed
// (cracks.go). Without the blocked parts, and moved in by the radius, the floor is the space of the agent's centre
// (erode.go). Where layers meet, the floor around the seam decides, in whatever layer it is, unless no
// place is near (crossings.go, overlaps.go, placeless.go, clipped.go, seams.go, hairs.go). Links between triangles say which layers border on each other (outline.go). An island over nothing goes to
// the layer beyond its seam, and the seam ends (fuse.go, origins.go). Borders are straightened inwards (outline.go),
// seams are matched (match.go), and the reachable parts become a plan (assemble.go). Heights are the heights of the
// floors (surface.go, patch.go), as exact as asked for (geom/detail). All tolerances are in tolerance.go.
//
// Input: any triangles. Triangles may go through each other, repeat, face anywhere, be open, and have corners in the
// middle of each other's edges.
//
// Guarantees:
//  1. The plan does not depend on the order of the triangles, on the number of jobs, or on where in the
//     world the level lies: TestExtractDoesNotDependOn.
//  2. Domains are valid polygons, and a seam has the same points in both of its layers:
//     TestExtractValidPlans, and TestSoups for triangles without any order.
//  3. No layer covers a point twice: TestLayersDoNotOverlap; and no two layers have the same floor: TestFloorsAreInOneLayer.
//  4. A wall closes the floor however thin it is: TestThinWallsSeparate; also in a hairline between two floors: TestWallsInHairlines.
//  5. Borders along straight walls and edges keep the agent's radius within 2 mm; around corners they are
//     nowhere nearer, and farther by no more than [OffsetTolerance]: TestBorderDistance. Simplification
//     comes on top, and only moves borders away from walls.
//  6. At random places the floor agrees with the definition, but for the tolerances of a border: TestAgreement, and
//     TestAgreementOnLevels for real levels.
//  7. Wherever a domain lies its layer has the height of the domain's own floor, and no other: TestOneHeight; also in
//     its sharpest corners: TestSharpCornersInCracks.
//  8. Triangles left out before the overlays change nothing but chords around corners: TestLeftOut. Links left out change no place:
//     TestPlaceless.
//  9. An edge divides or joins a pair of floors, whatever other floors are near: TestLedgesArePairs. Floors that only
//     touch, in a corner or along a drop, are apart also for a point: TestScenes, which knows the answers on paper.
//  10. Storeys that end beside each other, or show through a crack, stay apart: TestStairwellStoreys. A point has no
//     floor in a crack between floors more than a step apart: TestWellBetweenFlights. A drop across a hairline is a drop for
//     every agent: TestDropsAcrossHairlines.
//  11. A step that touches a stage but for a millimetre leads up to the stage: TestStepBesideAStage.
//
// Degenerate cases: triangles that collapse on the lattice, and repeated triangles, are dropped. Floors at the same
// height within 2 mm are both floor. A face that only touches a floor's border is in the way, unless the floor
// continues by a step where the face blocks nobody. Gaps up to [geom.Agent.MaxGap] are filled. A steep patch no higher
// than a step counts as floor. A level without an up-facing face, or without room for the agent, is an error that
// describes the findings. Beside a drop a point keeps a millimetre from the edge.
//
// Cost: O((t + k) log t) for t triangles with k pairs over each other, plus the overlays (see internal/overlay) of the
// remaining borders. Memory O(t + k), given back stage by stage (docs/formats/limits.md has figures). Triangles run in
// parallel, then layers and seams together; the overlays of a level of one layer run on several goroutines.
package exact

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// OffsetTolerance is how far a border around a corner may be beyond the agent's radius, in metres.
const OffsetTolerance = 0.05

// DefaultSimplify is the default tolerance, in metres, for straightening borders.
const DefaultSimplify = 0.04

// extraction is a level on its way to a plan. Lengths are in lattice units.
type extraction struct {
	soup                             *soup.Soup
	radius, height, climb, arcs, gap float64
	maxGap                           float64 // the widest gap with a bridge, 0 for none
	simplify                         float64
	firstBridge                      int32 // number of the first bridge among the walkable triangles
	jobs                             int   // goroutines for one large overlay; 1 where overlays run side by side

	floors        *tree       // of the walkable triangles
	faces         []face      // of the others
	solids        *tree       // of the faces
	rooms         []room      // by triangle, nil where all may have places
	exposed       []*exposure // by triangle
	rims          []rim       // by triangle
	firstRim      []int32     // of each triangle
	joints        []joint
	through       []link // along the lines where floors that show go through each other
	linked        lists
	stacked       bool       // some floor lies over another
	storeys       [][2]int32 // pairs of triangles of two storeys, the lower one first
	over          lists      // the pairs of each triangle
	overlaps      overlapTable
	storeysBeside []atomic.Pointer[[]storeyBeside] // by rim, of the storeys that crossings asked for

	layer      []int32 // of each triangle
	layers     int
	floorTrees []*tree    // of the triangles of each layer, none where there is one layer
	left       []bool     // which triangles are left out
	looked     []int32    // progress of unfinished searches for obstacles, see [extraction.block]
	crossings  []link     // between layers
	origins    [][]origin // by layer, where islands were fused, else nil
	patches    [][]patch  // by layer
	// patchTrees holds the boxes of patches by layer, nil for a layer without patches.
	patchTrees []*tree

	window *window // of a tile, nil for a whole level
}

// Extract returns the walkable floor of lvl for the agent.
func Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	if err := errors.Join(agent.Validate(), opt.Validate()); err != nil {
		return nil, err
	}
	name := lvl.Name
	s, err := soup.ReadOn(ctx, lvl, agent, opt.Jobs) // the last use of the level itself
	if err != nil {
		return nil, err
	}
	p, err := newExtraction(s, agent).run(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("exact: level %q: %w", name, err)
	}
	p.Agent = agent
	return p, nil
}

// run takes all steps from the triangles to the plan.
func (e *extraction) run(ctx context.Context, opt floorplan.Options) (*plan.Plan, error) {
	e.simplify = DefaultSimplify * lattice.UnitsPerMetre
	switch {
	case opt.Simplify > 0:
		e.simplify = opt.Simplify * lattice.UnitsPerMetre
	case opt.Simplify < 0:
		e.simplify = 0
	}
	done := func(stage int, name string) {
		if opt.Progress != nil {
			opt.Progress(name, stage, 4)
		}
	}
	if err := e.find(ctx, opt.Jobs, done); err != nil {
		return nil, err
	}
	e.solids, e.looked = nil, nil // all obstacles are known
	if len(e.crossings) == 0 {
		e.linked = lists{}
	}
	floors, claims, err := e.erode(ctx, opt.Jobs)
	if err != nil {
		return nil, err
	}
	done(4, "borders")
	p, err := e.assemble(ctx, floors, claims, opt)
	if err != nil {
		return nil, err
	}
	return p, opt.SimplifyFloors(ctx, p)
}

// find takes all steps up to the layers and the triangles that matter, and reports the stages to done.
func (e *extraction) find(ctx context.Context, jobs int, done func(stage int, name string)) error {
	if err := e.plant(ctx, jobs); err != nil {
		return err
	}
	e.findRoomless()
	return e.findPlanted(ctx, jobs, done)
}

// findPlanted takes the steps of find that follow the first.
func (e *extraction) findPlanted(ctx context.Context, jobs int, done func(stage int, name string)) error {
	if err := e.findLayers(ctx, jobs, done); err != nil {
		return err
	}
	return e.leaveOut(ctx, jobs)
}

// findLayers exposes the floors and divides them into layers.
func (e *extraction) findLayers(ctx context.Context, jobs int, done func(stage int, name string)) error {
	done(1, "free floor")
	if err := e.expose(ctx, jobs); err != nil {
		return err
	}
	done(2, "edges")
	e.stacked = e.findStack(nil)
	if err := e.findRims(ctx, jobs); err != nil {
		return err
	}
	if err := e.bridge(ctx, jobs); err != nil {
		return err
	}
	if err := e.findStoreys(ctx, jobs); err != nil {
		return err
	}
	done(3, "radius")
	e.assign()
	return e.plantLayers(ctx, jobs)
}

// forget gives back the memory of stages whose results nobody needs any more. Heights need the triangles, their free
// parts, and the tree of the floors.
func (e *extraction) forget() {
	e.rims, e.firstRim = nil, nil
	e.joints, e.through, e.linked = nil, nil, lists{}
	e.storeys, e.over, e.overlaps, e.storeysBeside = nil, lists{}, nil, nil
}

// newExtraction returns a new extraction.
func newExtraction(s *soup.Soup, agent geom.Agent) *extraction {
	// An agent passes under the least sufficient height and climbs the greatest possible step, also when rounded.
	const rounding = 0.5
	e := &extraction{
		soup:   s,
		radius: agent.Radius * lattice.UnitsPerMetre,
		height: agent.Height*lattice.UnitsPerMetre - rounding,
		climb:  max(agent.MaxClimb*lattice.UnitsPerMetre, touching) + rounding,
		gap:    hairs,
		arcs:   OffsetTolerance * lattice.UnitsPerMetre,
		jobs:   1,
	}
	if agent.MaxGap > 0 {
		e.maxGap = agent.MaxGap*lattice.UnitsPerMetre + touching
	}
	return e
}

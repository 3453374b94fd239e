package meadow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
)

// Floor is the walkable floor of a level or of a map, found once, of which any number of methods
// make meshes: what differs between these is the decomposition and nothing else. It is immutable, and
// any number of goroutines may share it.
type Floor struct {
	// Plan is what every method is given. It must not be changed.
	Plan    *plan.Plan
	report  Report
	terrain *Terrain
}

// FindFloor finds the floor of lvl. Of opt everything counts that [BuildWith] needs up to there: the
// agent, the extractor and its fields, the seeds and what to keep. The error of a level without floor
// wraps [ErrNoFloor].
func FindFloor(ctx context.Context, lvl *level.Level, opt Options) (*Floor, error) {
	opt, err := opt.ensureDefaults()
	if err != nil {
		return nil, err
	}
	if lvl == nil {
		return nil, errors.New("meadow: no level")
	}
	if err := lvl.Validate(); err != nil {
		return nil, err
	}
	report := Report{Level: lvl.Name, Triangles: len(lvl.Triangles), Extract: opt.Extract, Agent: opt.Agent}
	start := time.Now()
	if lvl, report.Warnings, err = opt.Terrain.ground(lvl); err != nil {
		return nil, err
	}
	extract := raster.Extract
	switch opt.Extract {
	case "exact":
		extract = exact.Extract
	case "brep":
		extract = brep.Extract
	}
	how := opt.floor()
	how.Starts = lvl.Starts()
	size := lvl.Bounds().Size()
	first := how
	if !opt.NoMarkers && markers.HaveLinks(lvl.Markers) {
		// What is kept is known when links are.
		first.KeepAll, first.KeepArea, first.Seeds = true, 0, nil
	}
	whole := lvl
	if lvl.Ground == nil {
		// Whoever keeps no level either gets the memory of the triangles back while the floor is looked for.
		lvl = &level.Level{Name: lvl.Name, Markers: lvl.Markers}
	}
	p, err := extract(ctx, whole, opt.Agent, first)
	if err != nil {
		return nil, err
	}
	if !hasFloor(p) {
		return nil, noFloor(report, size)
	}
	p, warnings, err := ground.Apply(ctx, p, lvl, ground.Options{Jobs: opt.Jobs})
	if err != nil {
		return nil, err
	}
	report.Warnings = append(report.Warnings, warnings...)
	if !opt.NoMarkers && len(lvl.Markers) > 0 {
		if p, report.Markers, err = markers.Apply(ctx, p, lvl.Markers, how); err != nil {
			return nil, fmt.Errorf("meadow: level %q: %w", lvl.Name, err)
		}
	}
	report.Seconds.Extract = since(start)
	return &Floor{Plan: p, report: report, terrain: opt.Terrain}, nil
}

// FloorOfMap is [FindFloor] for a map, which is its floor: see [BuildMap].
func FloorOfMap(m *flat.Map, opt Options) (*Floor, error) {
	opt, err := opt.ensureDefaults()
	if err != nil {
		return nil, err
	}
	if m == nil || m.Plan == nil {
		return nil, errors.New("meadow: no map")
	}
	start := time.Now()
	p, err := keepParts(m.Plan, opt)
	if err != nil {
		return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
	}
	p.Agent = opt.Agent
	var warnings []string
	if m.Ground != nil {
		if p, warnings, err = ground.Paint(context.Background(), p, m.Ground.Names, m.Ground.Painted, ground.Options{Jobs: opt.Jobs}); err != nil {
			return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
		}
	}
	report := Report{Warnings: warnings, Level: m.Name, Extract: "flat", Agent: opt.Agent}
	report.Seconds.Extract = since(start)
	return &Floor{Plan: p, report: report, terrain: opt.Terrain}, nil
}

// Mesh decomposes the floor and joins the cells. Of opt the fields count that say how: the method
// and its fields, Seed, Jobs and Progress; the agent is the floor's. The mesh is the one that
// [BuildWith] makes with the same options.
func (f *Floor) Mesh(ctx context.Context, opt Options) (*Mesh, error) {
	opt.Agent, opt.Extract, opt.Terrain = f.report.Agent, "", f.terrain // settled
	opt, err := opt.ensureDefaults()
	if err != nil {
		return nil, err
	}
	generator, err := opt.generator()
	if err != nil {
		return nil, err
	}
	report := f.report
	report.Method = opt.Method
	return meshOf(ctx, f.Plan, generator, opt, report)
}

package meadow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
)

// Floor is the walkable floor of a level or of a map. Any number of generators make meshes of one floor, so that only the
// decomposition differs. A Floor is immutable, and any number of goroutines may share it.
type Floor struct {
	// Plan is the input of every generator. Plan must not be changed.
	Plan    *plan.Plan
	report  Report
	terrain *Terrain
}

// FindFloor finds the floor of lvl. The error of a level without floor wraps [ErrNoFloor].
func FindFloor(ctx context.Context, lvl *level.Level, opt FloorOptions) (*Floor, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	opt, faults := opt.settle()
	if err := faults.join(); err != nil {
		return nil, err
	}
	if lvl == nil {
		return nil, errNoLevel
	}
	if err := lvl.Validate(); err != nil {
		return nil, err
	}
	report := Report{Level: lvl.Name, Triangles: len(lvl.Triangles), Extractor: opt.Extractor.Name(), Agent: opt.Agent}
	report.Settings.note(&opt)
	report.Settings.Extractor = settingsOf(opt.Extractor)
	start := time.Now()
	if opt.Terrain != nil {
		var err error
		if lvl, report.Warnings, err = opt.Terrain.ground(lvl); err != nil {
			return nil, err
		}
	}
	if !opt.NoMarkers {
		if err := markers.Check(lvl.Markers); err != nil {
			return nil, fmt.Errorf("meadow: level %q: %w", lvl.Name, err)
		}
	}
	how := opt.plan()
	how.Starts = lvl.Starts()
	size := lvl.Bounds().Size()
	first := how
	if !opt.NoMarkers && markers.HaveLinks(lvl.Markers) {
		// Links decide later which parts stay.
		first.KeepAll, first.KeepArea, first.Keep = true, 0, nil
	}
	whole := lvl
	if lvl.Ground == nil {
		// A caller without a reference to the level gets the memory of the triangles back during extraction.
		lvl = &level.Level{Name: lvl.Name, Markers: lvl.Markers}
	}
	p, err := opt.Extractor.Extract(ctx, whole, opt.Agent, first)
	if err != nil {
		return nil, err
	}
	if p == nil || !hasFloor(p) {
		return nil, noFloor(report, size)
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("meadow: level %q: extractor %s: %w", lvl.Name, report.Extractor, err)
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

// mapExtractor stands in reports of maps for the name of the extractor.
const mapExtractor = "flat"

var (
	errNoLevel = errors.New("meadow: the level is nil: open or generate one")
	errNoMap   = errors.New("meadow: the map is empty: open one")
)

// widestPlace names the widest place of a map and the largest agent there, to a centimetre.
func widestPlace(p *plan.Plan, opt FloorOptions) string {
	low, high := 0.0, opt.Agent.Radius
	var widest *plan.Plan
	for high-low > 0.005 {
		middle := (low + high) / 2
		in, err := narrowed(p, middle, opt.Simplify, opt.Jobs)
		switch {
		case err != nil:
			return ""
		case hasFloor(in):
			low, widest = middle, in
		default:
			high = middle
		}
	}
	if widest == nil {
		return ""
	}
	for l := range widest.Layers {
		for i := range widest.Layers[l].Domains {
			at := widest.Frame.ToWorld(widest.Layers[l].Domains[i].Rings[0][0], 0)
			return fmt.Sprintf(": the widest place, at x %.3f, z %.3f, admits %.2f m", at.X, at.Z, math.Floor(100*low)/100)
		}
	}
	return ""
}

// FloorOfMap returns the floor of a map: see [BuildMap].
func FloorOfMap(ctx context.Context, m *flat.Map, opt FloorOptions) (*Floor, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	opt, faults := opt.settle()
	if err := faults.join(); err != nil {
		return nil, err
	}
	if m == nil || m.Plan == nil {
		return nil, errNoMap
	}
	start := time.Now()
	if err := m.Plan.Check(); err != nil {
		return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
	}
	p, err := narrowed(m.Plan, opt.Agent.Radius, opt.Simplify, opt.Jobs)
	if err != nil {
		return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
	}
	if hasFloor(m.Plan) && !hasFloor(p) {
		return nil, fmt.Errorf("meadow: map %q: %w: an agent of radius %g m fits nowhere%s", m.Name, ErrNoFloor, opt.Agent.Radius, widestPlace(m.Plan, opt))
	}
	p, err = keepParts(p, opt)
	if err != nil {
		return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
	}
	p.Agent = opt.Agent
	var warnings []string
	if m.Ground != nil {
		if p, warnings, err = ground.Paint(ctx, p, m.Ground.Names, m.Ground.Painted, ground.Options{Jobs: opt.Jobs}); err != nil {
			return nil, fmt.Errorf("meadow: map %q: %w", m.Name, err)
		}
	}
	report := Report{Warnings: warnings, Level: m.Name, Extractor: mapExtractor}
	report.Settings.note(&opt)
	report.Seconds.Extract = since(start)
	return &Floor{Plan: p, report: report, terrain: opt.Terrain}, nil
}

// Mesh decomposes the floor and joins the cells, as [BuildWith] does.
func (f *Floor) Mesh(ctx context.Context, opt MeshOptions) (*Mesh, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	opt, faults := opt.settle()
	if err := faults.join(); err != nil {
		return nil, err
	}
	if f == nil || f.Plan == nil {
		return nil, errors.New("meadow: the floor is empty: find one")
	}
	if err := f.Plan.Check(); err != nil {
		return nil, fmt.Errorf("meadow: floor: %w", err)
	}
	how := join.Options{Jobs: opt.Jobs}
	if f.terrain != nil {
		var err error
		if how.Methods, how.Crossings, err = f.terrain.methods(f.Plan.Areas); err != nil {
			return nil, err
		}
	}
	report := f.report
	report.Generator = opt.Generator.Name()
	report.Settings.noteMesh(&opt)
	cells, err := decompose(ctx, f.Plan, opt, &report)
	if err != nil {
		return nil, err
	}
	return link(ctx, f.Plan, cells, how, report, nil)
}

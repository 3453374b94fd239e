package meadow

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/cleanup"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/shape"
)

// FloorOptions say how a floor is found. The zero value is usable.
type FloorOptions struct {
	// Agent is the agent that walks on the floor. Zero fields mean defaults.
	Agent Agent
	// Extractor finds the floor of a level. Nil means [exact.Extractor]. Maps need none.
	Extractor floorplan.Extractor
	// Keep lists places that must be reachable: the parts of the floor at or below these places stay, the other parts go.
	// Without Keep, KeepAll and KeepArea, the parts at markers of kind [level.KindStart] stay, or else the largest part.
	Keep []Vec
	// KeepAll keeps every part of the floor. A KeepArea above 0 keeps the parts of a larger area (m²).
	KeepAll  bool
	KeepArea float64
	// Simplify straightens the borders of a level's floor by up to this distance (m). 0 leaves the choice to the extractor,
	// below 0 straightens nothing.
	Simplify float64
	// Detail bounds the distance between the floor's heights and the level's (m). 0 means 0.05, below 0 keeps the level's
	// own triangles.
	Detail float64
	// Terrain classifies the ground of a level without ground of its own, and says who may cross the ground. Without
	// Terrain the level's own ground divides the floor, and the mesh has no methods to move.
	Terrain *Terrain
	// NoMarkers ignores the level's markers, except the places where agents start.
	NoMarkers bool
	// Jobs is the number of workers, 0 means one per core. Jobs does not change the floor.
	Jobs int
	// Progress, unless nil, is called now and then, from any goroutine.
	Progress func(stage string, done, total int) `json:"-"`
}

// KeepOptions say which parts of a floor stay, where tiles are joined. Fields are as in [FloorOptions].
type KeepOptions struct {
	Keep     []Vec
	KeepAll  bool
	KeepArea float64
	// Jobs is the number of workers, 0 means one per core. Jobs does not change the mesh.
	Jobs int
}

// MeshOptions say how a floor is divided into regions. The zero value is usable.
type MeshOptions struct {
	// Generator divides the floor. Nil means [best.Generator], or [anavmg.Generator] with a ConvexDistance.
	Generator gen.Generator
	// ConvexDistance lets borders move this far into the free space (m) to save regions. Report.Lost has the area lost.
	// Above 0, ConvexDistance replaces the field of an [anavmg.Generator]; other generators know no such distance.
	ConvexDistance float64
	// Cleanup merges and mends regions after the generator: see [cleanup.Generator].
	Cleanup bool
	// Seed is the seed of generators that use random numbers.
	Seed uint64
	// Jobs is the number of workers, 0 means one per core. Jobs does not change the mesh.
	Jobs int
	// Progress, unless nil, is called now and then, from any goroutine.
	Progress func(stage string, done, total int) `json:"-"`
}

// WidenOptions say how [Mesh.Widen] works. The zero value is usable.
type WidenOptions struct {
	// Simplify lets borders move this far into the free floor (m) to save regions. 0 means a millimetre.
	Simplify float64
	// The other fields are the fields of [MeshOptions].
	Generator      gen.Generator
	ConvexDistance float64
	Cleanup        bool
	Seed           uint64
	Jobs           int
	Progress       func(stage string, done, total int) `json:"-"`
}

// faults collects the faults of options.
type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

// finite checks a field that may be negative.
func (f *faults) finite(field string, v float64, unit string) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		f.add("%s is %g, must be a finite number of %s", field, v, unit)
	}
}

// amount checks a field that must not be negative.
func (f *faults) amount(field string, v float64, unit string) {
	if !(v >= 0) || math.IsInf(v, 1) {
		f.add("%s is %g, must be 0 or more %s", field, v, unit)
	}
}

func (f *faults) jobs(n int) {
	if n < 0 {
		f.add("Jobs is %d, must be 0 or more", n)
	}
}

// join returns one error with all faults, nil without faults.
func (f faults) join() error {
	if err := errors.Join(f...); err != nil {
		return fmt.Errorf("meadow: options: %w", err)
	}
	return nil
}

// settle returns opt with defaults in place of empty fields, and all faults of opt.
func (opt FloorOptions) settle() (FloorOptions, faults) {
	opt.Agent = opt.Agent.WithDefaults()
	if opt.Extractor == nil {
		opt.Extractor = exact.Extractor{}
	}
	var f faults
	if err := opt.Agent.Validate(); err != nil {
		f = append(f, err)
	}
	opt.keeping().check(&f)
	f.finite("Simplify", opt.Simplify, "metres")
	f.finite("Detail", opt.Detail, "metres")
	if opt.Terrain != nil {
		if err := opt.Terrain.check(); err != nil {
			f.add("Terrain: %w", err)
		}
	}
	f.jobs(opt.Jobs)
	return opt, f
}

// keeping returns the options about parts of the floor.
func (opt FloorOptions) keeping() KeepOptions {
	return KeepOptions{Keep: opt.Keep, KeepAll: opt.KeepAll, KeepArea: opt.KeepArea}
}

// check adds the faults of opt.
func (opt KeepOptions) check(f *faults) {
	for i, at := range opt.Keep {
		if !at.IsFinite() {
			f.add("Keep[%d] is %v, must be finite", i, at)
		}
	}
	f.amount("KeepArea", opt.KeepArea, "square metres")
	f.jobs(opt.Jobs)
}

// fault returns all faults of opt as one error.
func (opt KeepOptions) fault() error {
	var f faults
	opt.check(&f)
	return f.join()
}

func (opt FloorOptions) plan() floorplan.Options {
	return floorplan.Options{
		Keep:     opt.Keep,
		KeepAll:  opt.KeepAll,
		KeepArea: opt.KeepArea,
		Simplify: opt.Simplify,
		Detail:   opt.Detail,
		Jobs:     opt.Jobs,
		Progress: opt.Progress,
	}
}

// settle returns opt with defaults in place of empty fields, and all faults of opt.
func (opt MeshOptions) settle() (MeshOptions, faults) {
	switch {
	case opt.Generator != nil:
	case opt.ConvexDistance > 0:
		opt.Generator = anavmg.Generator{}
	default:
		opt.Generator = best.Generator{}
	}
	var f faults
	f.amount("ConvexDistance", opt.ConvexDistance, "metres")
	if _, ok := opt.Generator.(anavmg.Generator); opt.ConvexDistance > 0 && !ok {
		f.add("ConvexDistance is %g, but the generator %s knows no convex distance", opt.ConvexDistance, opt.Generator.Name())
	}
	if a, ok := opt.Generator.(anavmg.Generator); ok && a.Published {
		f.add("Generator makes nearly convex cells (anavmg.Options.Published), and a mesh has convex regions: see gen.DecomposePlan")
	}
	f.jobs(opt.Jobs)
	return opt, f
}

// generator returns the generator with the other options applied, for an agent. opt is settled.
func (opt MeshOptions) generator(agent Agent) gen.Generator {
	g := opt.Generator
	if a, ok := g.(anavmg.Generator); ok && opt.ConvexDistance > 0 {
		a.ConvexDistance = opt.ConvexDistance
		g = a
	}
	if opt.Cleanup {
		g = cleanup.Generator{Of: g, Options: cleanup.Options{NarrowWidth: 2 * shape.ObjectRadius(agent.Radius)}}
	}
	return g
}

// settle returns the options for the mesh, and all faults of opt and of the radius.
func (opt WidenOptions) settle(radius float64) (MeshOptions, faults) {
	m := MeshOptions{
		Generator: opt.Generator, ConvexDistance: opt.ConvexDistance, Cleanup: opt.Cleanup, Seed: opt.Seed,
		Jobs: opt.Jobs, Progress: opt.Progress,
	}
	var f faults
	f.amount("radius", radius, "metres")
	f.amount("Simplify", opt.Simplify, "metres")
	m, of := m.settle()
	return m, append(f, of...)
}

// begin returns the error of a context that is nil or has ended.
func begin(ctx context.Context) error {
	if ctx == nil {
		return errors.New("meadow: the context is nil: use context.Background()")
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("meadow: %w", err)
	}
	return nil
}

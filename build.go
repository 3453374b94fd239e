package meadow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/cleanup"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/shape"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
)

// DefaultMethod and DefaultExtract name the generator and the extractor that an empty field of
// Options stands for.
const (
	DefaultMethod  = catalog.Default
	DefaultExtract = "exact"
)

// Options say how a mesh is built. The zero value is usable.
type Options struct {
	// Agent is who the mesh is for. Its zero fields mean their defaults.
	Agent Agent
	// Method names the generator that decomposes the floor, one of [Methods]. Default DefaultMethod.
	Method string
	// Extract names the extractor that finds the floor, one of [Extractors]. Default DefaultExtract.
	Extract string
	// Seeds are places that must be reachable: the parts of the floor at or below them are kept and
	// all others left out. Without seeds, KeepAll and KeepArea those are kept where the level has markers
	// of kind [level.KindStart], and the largest part where it has none.
	Seeds []Vec
	// KeepAll keeps every part of the floor, KeepArea above 0 those larger than it (m²).
	KeepAll  bool
	KeepArea float64
	// CellSize and Simplify tune the extractor (m); 0 is its own rule. See [floorplan.Options].
	CellSize, Simplify float64
	// Detail is how far heights may be from the level's (m), 0 is 0.05, negative none: the surfaces are
	// the level's own triangles.
	Detail float64
	// ConvexDistance lets the border move this far into the free space (m) where that saves
	// regions; 0 moves nothing. The area lost is in Report.Lost.
	ConvexDistance float64
	// Cleanup merges regions, cuts some anew and turns portals after the method, where that makes
	// none of what it touches worse. See [cleanup.Generator].
	Cleanup bool
	// Terrain says what the ground is, where the level itself does not, and who may cross it: regions are of one area
	// each, and the mesh knows the methods. Nil: ground that the level has divides the floor, and no methods
	// are known.
	Terrain *Terrain
	// NoMarkers leaves the level's markers out of account; they still say where agents start.
	NoMarkers bool
	// Seed is for generators that draw lots.
	Seed uint64
	// Jobs bounds the goroutines, 0 is one per core. The mesh does not depend on it.
	Jobs int
	// Progress, when not nil, is called now and then, from any goroutine, with the name of the
	// stage and how far it is.
	Progress func(stage string, done, total int) `json:"-"`
}

// Methods lists the generators, the default first.
func Methods() []string { return catalog.Names() }

// LimitedMethods lists the generators that refuse floors beyond their limits, and are not among [Methods].
func LimitedMethods() []string { return catalog.Limited() }

// Extractors lists the extractors, the default first.
func Extractors() []string { return []string{DefaultExtract, "raster", "brep"} }

// ErrNoFloor is the error of a level in which the agent has nothing to stand on. The error that
// wraps it says how large the level and the agent are.
var ErrNoFloor = errors.New("no walkable floor")

// Build makes the mesh of lvl for agent, with the defaults for everything else.
func Build(ctx context.Context, lvl *level.Level, agent Agent) (*Mesh, error) {
	return BuildWith(ctx, lvl, Options{Agent: agent})
}

// BuildWith makes the mesh of lvl: it finds the floor, decomposes it and joins the cells. The same
// level and options give the same bytes, whatever Jobs says. Report on the mesh tells what was
// made, what was left out, and how long each stage took.
func BuildWith(ctx context.Context, lvl *level.Level, opt Options) (*Mesh, error) {
	if _, err := opt.generator(); err != nil {
		return nil, err // before the floor is looked for, which takes longer
	}
	floor, err := FindFloor(ctx, lvl, opt)
	if err != nil {
		return nil, err
	}
	return floor.Mesh(ctx, opt)
}

// meshOf decomposes a floor and makes the mesh; report has what is known of the floor.
func meshOf(ctx context.Context, floor *plan.Plan, generator gen.Generator, opt Options, report Report) (*Mesh, error) {
	stage := time.Now()
	cells, err := decompose(ctx, generator, floor, opt, &report)
	if err != nil {
		return nil, err
	}
	report.Seconds.Decompose = since(stage)

	stage = time.Now()
	how := join.Options{Jobs: opt.Jobs}
	if opt.Terrain != nil {
		if how.Methods, how.Crossings, err = opt.Terrain.methods(floor.Areas); err != nil {
			return nil, err
		}
	}
	mesh, built, err := join.Build(ctx, floor, cells, how)
	if err != nil {
		return nil, err
	}
	report.Seconds.Link = since(stage)
	report.Seconds.Total = report.Seconds.Extract + report.Seconds.Decompose + report.Seconds.Link
	report.fill(floor, mesh, built)

	m := Wrap(mesh)
	m.report = report
	return m, nil
}

// ensureDefaults returns opt with every empty field set, or what is wrong with the others.
func (opt Options) ensureDefaults() (Options, error) {
	opt.Agent = opt.Agent.WithDefaults()
	if opt.Method == "" {
		opt.Method = DefaultMethod
	}
	if opt.Extract == "" {
		opt.Extract = DefaultExtract
	}
	var faults []error
	if err := opt.Agent.Validate(); err != nil {
		faults = append(faults, err)
	}
	if !slices.Contains(Extractors(), opt.Extract) {
		faults = append(faults, fmt.Errorf("no extractor %q, there are %s", opt.Extract, strings.Join(Extractors(), ", ")))
	}
	if !(opt.ConvexDistance >= 0) {
		faults = append(faults, fmt.Errorf("convex distance is %g, must be 0 or more metres", opt.ConvexDistance))
	}
	if !(opt.KeepArea >= 0) {
		faults = append(faults, fmt.Errorf("area to keep is %g, must be 0 or more square metres", opt.KeepArea))
	}
	for i, s := range opt.Seeds {
		if !s.IsFinite() {
			faults = append(faults, fmt.Errorf("seed %d at %v is not finite", i, s))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return opt, fmt.Errorf("meadow: options: %w", err)
	}
	return opt, nil
}

// generator returns the generator with the options that it knows.
func (opt Options) generator() (gen.Generator, error) {
	g, err := catalog.New(opt.Method)
	if err != nil {
		return nil, err
	}
	if opt.ConvexDistance > 0 {
		a, ok := g.(anavmg.Generator)
		if !ok {
			return nil, fmt.Errorf("meadow: options: the method %s knows no convex distance", opt.Method)
		}
		a.ConvexDistance = opt.ConvexDistance
		g = a
	}
	if opt.Cleanup {
		g = cleanup.Generator{Of: g, Options: cleanup.Options{NarrowWidth: 2 * shape.ObjectRadius(opt.Agent.Radius)}}
	}
	return g, nil
}

func (opt Options) floor() floorplan.Options {
	return floorplan.Options{
		Seeds:    opt.Seeds,
		KeepAll:  opt.KeepAll,
		KeepArea: opt.KeepArea,
		CellSize: opt.CellSize,
		Simplify: opt.Simplify,
		Detail:   opt.Detail,
		Jobs:     opt.Jobs,
		Progress: opt.Progress,
	}
}

func hasFloor(p *plan.Plan) bool {
	for i := range p.Layers {
		if len(p.Layers[i].Domains) > 0 {
			return true
		}
	}
	return false
}

// noFloor tells the two sizes whose proportion is most often what is wrong.
func noFloor(r Report, s Vec) error {
	a := r.Agent
	return fmt.Errorf("meadow: level %q: %w: %d triangles in %.4g × %.4g × %.4g m, agent of radius %g m, height %g m, climb %g m, slope %.4g°; is the unit or the up axis another one?",
		r.Level, ErrNoFloor, r.Triangles, s.X, s.Y, s.Z, a.Radius, a.Height, a.MaxClimb, a.MaxSlope/Degrees(1))
}

// decompose runs the generator over every domain and takes the cells out of the results.
func decompose(ctx context.Context, g gen.Generator, p *plan.Plan, opt Options, report *Report) ([][][]plan.Cell, error) {
	if opt.Progress != nil {
		total := 0
		for i := range p.Layers {
			total += len(p.Layers[i].Domains)
		}
		g = &counted{Generator: g, total: total, progress: opt.Progress}
	}
	results, err := gen.DecomposePlan(ctx, g, p, opt.Seed, opt.Jobs)
	if err != nil {
		return nil, err
	}
	report.Counts = map[string]int{}
	for l := range results {
		for d := range results[l] {
			for name, n := range results[l][d].Report.Counts {
				report.Counts[name] += n
			}
		}
	}
	return gen.CellsOf(results), nil
}

// counted tells progress after every domain.
type counted struct {
	gen.Generator
	total    int
	done     atomic.Int64
	progress func(stage string, done, total int)
}

func (c *counted) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	res, err := c.Generator.Decompose(ctx, in)
	c.progress("decompose", int(c.done.Add(1)), c.total)
	return res, err
}

func since(t time.Time) float64 { return time.Since(t).Seconds() }

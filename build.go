package meadow

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// ErrNoFloor is the error of a level without floor for the agent. The error that wraps ErrNoFloor has the sizes of the
// level and of the agent.
var ErrNoFloor = errors.New("no walkable floor")

// Build makes the mesh of lvl for agent, with the defaults for everything else.
func Build(ctx context.Context, lvl *level.Level, agent Agent) (*Mesh, error) {
	return BuildWith(ctx, lvl, FloorOptions{Agent: agent}, MeshOptions{})
}

// BuildWith makes the mesh of lvl: BuildWith finds the floor, decomposes the floor and joins the cells. The same level and
// options give the same bytes, whatever Jobs says. [Mesh.Report] has the sizes of the mesh, the parts left out, and the time
// of each stage.
func BuildWith(ctx context.Context, lvl *level.Level, floor FloorOptions, mesh MeshOptions) (*Mesh, error) {
	// Faults of both options are found before the floor is.
	if err := checkBoth(ctx, floor, mesh); err != nil {
		return nil, err
	}
	f, err := FindFloor(ctx, lvl, floor)
	if err != nil {
		return nil, err
	}
	return f.Mesh(ctx, mesh)
}

// checkBoth returns all faults of the options of a build.
func checkBoth(ctx context.Context, floor FloorOptions, mesh MeshOptions) error {
	if err := begin(ctx); err != nil {
		return err
	}
	_, first := floor.settle()
	_, second := mesh.settle()
	return append(first, second...).join()
}

// decompose runs the generator over every domain and returns the cells. The report gets the generator's counts and time.
func decompose(ctx context.Context, floor *plan.Plan, opt MeshOptions, report *Report) ([][][]plan.Cell, error) {
	start := time.Now()
	g := opt.generator(floor.Agent)
	if opt.Progress != nil {
		total := 0
		for i := range floor.Layers {
			total += len(floor.Layers[i].Domains)
		}
		g = &counted{Generator: g, total: total, progress: opt.Progress}
	}
	results, err := gen.DecomposePlan(ctx, g, floor, opt.Seed, opt.Jobs)
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
	report.Seconds.Decompose = since(start)
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

func hasFloor(p *plan.Plan) bool {
	for i := range p.Layers {
		if len(p.Layers[i].Domains) > 0 {
			return true
		}
	}
	return false
}

// noFloor tells the sizes of the level and of the agent, because a wrong unit is the most frequent cause.
func noFloor(r Report, s Vec) error {
	a := r.Agent
	return fmt.Errorf("meadow: level %q: %w: %d triangles in %.4g × %.4g × %.4g m, agent of radius %g m, height %g m, climb %g m, slope %.4g°; is the unit or the up axis another one?",
		r.Level, ErrNoFloor, r.Triangles, s.X, s.Y, s.Z, a.Radius, a.Height, a.MaxClimb, a.MaxSlope/Degrees(1))
}

// link joins the cells of a floor into a mesh, and adds the counts and the time to the report. finish, unless nil, completes
// the mesh before the count.
func link(ctx context.Context, floor *plan.Plan, cells [][][]plan.Cell, how join.Options, report Report, finish func(*navmesh.Mesh)) (*Mesh, error) {
	start := time.Now()
	mesh, built, err := join.Build(ctx, floor, cells, how)
	if err != nil {
		return nil, err
	}
	if finish != nil {
		finish(mesh)
	}
	report.Seconds.Link = since(start)
	report.Seconds.Total = report.Seconds.Extract + report.Seconds.Decompose + report.Seconds.Link
	report.fill(floor, built)
	if mesh.Record, err = recordOf(&report, mesh.Frame); err != nil {
		return nil, fmt.Errorf("meadow: %w", err)
	}
	out, err := noted(mesh)
	if err != nil {
		return nil, fmt.Errorf("meadow: %w", err)
	}
	out.report.Seconds = report.Seconds
	return out, nil
}

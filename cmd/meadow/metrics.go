package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/query"
)

// metricsCmd measures the quality of a mesh.
type metricsCmd struct {
	Mesh string `arg:"" placeholder:"MESH" help:"Mesh file."`

	Level string `placeholder:"LEVEL" help:"The mesh's level or 2D map: adds coverage, border error and path efficiency." group:"Level"`
	levelFlags
	floorFlags

	metricFlags

	Require []string `placeholder:"BOUND" help:"Bounds to keep, as in 'coverage>=0.99,regions<=40'; exit status 1 if any is missed."`
	Chart   string   `placeholder:"FILE" help:"Draw a chart of histograms and box plots: .svg or .png."`
	JSON    bool     `help:"Print all measures as JSON, with distributions and histograms."`
}

// metricFlags are the parameters of the metrics. Zero is the default of metric.Options.
type metricFlags struct {
	Object number `placeholder:"M" help:"Radius of the objects to place in regions (default: the agent's)." group:"Metrics" rare:""`
	Square bool   `help:"Place squares with sides along the axes in place of discs." group:"Metrics" rare:""`
	Alpha  number `placeholder:"M2" help:"Area of an object's place, the least area of a useful region (default: the object's)." group:"Metrics" rare:""`
	Delta  number `placeholder:"X" help:"Width of a group of areas in the histogram, in such areas (default 1)." group:"Metrics" rare:""`
	Edge   number `placeholder:"M" help:"Least length of a common edge between neighbours (default: any)." group:"Metrics" rare:""`
	Groups int    `placeholder:"N" help:"Most groups of a histogram of areas or of objects (default 20)." group:"Metrics" rare:""`
	Angle  number `placeholder:"DEG" help:"Width of a group of angles (default 10)." group:"Metrics" rare:""`
	From   *point `placeholder:"X,Y,Z" help:"Start for bottleneck and flow (default: the far west)." group:"Metrics" rare:""`
	To     *point `placeholder:"X,Y,Z" help:"Goal for bottleneck and flow (default: the far east)." group:"Metrics" rare:""`
}

func (f metricFlags) options() metric.Options {
	return metric.Options{
		ObjectRadius: float64(f.Object), SquareObjects: f.Square, Alpha: float64(f.Alpha), Delta: float64(f.Delta), EdgeThreshold: float64(f.Edge),
		Categories: f.Groups, AngleStep: float64(f.Angle), Start: (*geom.Vec)(f.From), Goal: (*geom.Vec)(f.To),
	}
}

// measureOn adds to opt the measures against the floor of a mesh.
func measureOn(ctx context.Context, opt *metric.Options, floor *meadow.Floor) error {
	opt.Plan = floor.Plan
	opt.Places = metric.PlacesOn(floor.Plan, 2*pathPairs, 1)
	// The border of a complete mesh, corner for corner, tells the notches of the floor.
	whole, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: delaunay.Generator{}})
	if err != nil {
		return err
	}
	_, opt.Bound = metric.NotchBound(whole.Mesh)
	// A place off this mesh is off every mesh of the floor.
	for i, p := range []*geom.Vec{opt.Start, opt.Goal} {
		if p == nil {
			continue
		}
		if _, err := whole.NewQuery().Path(ctx, *p, *p); errors.Is(err, query.ErrOffMesh) {
			return fmt.Errorf("%s: no floor near %v", [...]string{"--from", "--to"}[i], *p)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// pathPairs is the number of pairs of places that the path efficiency is the mean of.
const pathPairs = 100

// Run measures and prints: the twelve metrics of chapter 6 of Hale's dissertation, and ours.
func (c *metricsCmd) Run(e *env) error {
	bounds, err := thresholds(c.Require)
	if err != nil {
		return err
	}
	if err := picture(c.Chart, c.Mesh, c.Level); err != nil {
		return err
	}
	opt := c.options()
	if err := opt.Validate(); err != nil {
		return err
	}
	mesh, err := e.loadMesh(c.Mesh)
	if err != nil {
		return err
	}
	if opt.Categories == 0 {
		opt.Categories = metric.DefaultCategories
	}
	if c.Level != "" {
		floor, err := c.floor(e, mesh.Agent)
		if err != nil {
			return err
		}
		if err := measureOn(e.ctx, &opt, floor); err != nil {
			return inFile(c.Level, err)
		}
	}
	r, err := metric.Measure(e.ctx, mesh.Mesh, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Mesh, err)
	}
	if c.Chart != "" {
		page := metricsPage(c.Mesh, &r, &opt)
		write := pictureWriter(c.Chart)
		if err := e.write(c.Chart, func(w io.Writer) error { return write(w, page.List(), page.View()) }); err != nil {
			return err
		}
	}
	r.Extras.Thresholds = r.Check(append(metric.Thresholds(), bounds...))
	if c.JSON {
		if err := writeJSON(e.stdout, r); err != nil {
			return err
		}
	} else {
		c.print(e.stdout, &r)
	}
	return unmet(c.Mesh, r.Check(bounds))
}

// floor finds the floor for an agent's mesh.
func (c *metricsCmd) floor(e *env, agent geom.Agent) (*meadow.Floor, error) {
	in, err := c.openInput(c.Level, c.Terrain != "")
	if err != nil {
		return nil, err
	}
	opt, err := c.floorOptions(agent.Literal())
	if err != nil {
		return nil, err
	}
	if err := c.applyTerrain(e.stderr, c.Level, in, &opt); err != nil {
		return nil, err
	}
	floor, err := in.floor(e.ctx, opt)
	if err != nil {
		return nil, inFile(c.Level, err)
	}
	return floor, nil
}

// thresholds reads bounds such as coverage>=0.95.
func thresholds(texts []string) ([]metric.Threshold, error) {
	var out []metric.Threshold
	for _, text := range texts {
		t, err := metric.ParseThreshold(text)
		if err != nil {
			return nil, fmt.Errorf("--require: %w", err)
		}
		out = append(out, t)
	}
	return out, nil
}

// unmet is an answer of no that lists the missed bounds, nil if there are none.
func unmet(name string, checks []metric.Check) error {
	var failed []string
	for _, c := range checks {
		if c.Verdict != metric.Pass {
			failed = append(failed, fmt.Sprintf("%s is %s, not %s", c.Name, measured(c.Value), strings.TrimPrefix(c.Threshold.String(), c.Name)))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return no("%s: %s", name, strings.Join(failed, "; "))
}

// picture fails for a path without a picture format; "" is none.
func picture(path string, inputs ...string) error {
	switch {
	case path == "":
		return nil
	case pictureWriter(path) == nil:
		return fmt.Errorf("%s: unsupported picture; supported: .svg, .png", path)
	}
	return writable(path, inputs...)
}

func (c *metricsCmd) print(w io.Writer, r *metric.Result) {
	row := func(name string, value any, about string) {
		fmt.Fprintf(w, "  %-18s %10v  %s\n", name, value, about)
	}
	fmt.Fprintln(w, c.Mesh)
	for k := range metric.Kind(metric.Kinds) {
		better := "fewer or smaller is better"
		if k.MoreIsBetter() {
			better = "more is better"
		}
		row(k.String(), measured(r.Value(k)), k.About()+"; "+better)
	}
	x, shape := &r.Extras, &r.Homogeneity
	row("homogeneity.mean", measured(shape.Mean), fmt.Sprintf("the same as the source's mean, high regions below 0; nearer to 0 is better; the most oblong region %s to 1", measured(shape.Longest)))
	row("published_flow", measured(r.Flow.Published), fmt.Sprintf("maximum flow by the source's procedure, m; %s", count(r.Flow.Paths, "path")))
	row("near_degenerate", x.NearDegenerate.Regions, fmt.Sprintf("fans %d, slivers %d, narrow %d, disjoint %d",
		x.NearDegenerate.Fans, x.NearDegenerate.Slivers, x.NearDegenerate.Narrow, x.NearDegenerate.Disjoint))
	row("t_junctions", x.TJunctions, "vertices in the middle of a neighbour's side")
	row("regions_per_bound", measured(x.Ratio), fmt.Sprintf("regions over the lower bound, %d; %s", x.Bound, count(x.Notches, "notch")))
	row("bytes_per_m2", measured(x.BytesPerArea), fmt.Sprintf("of the mesh file, %d bytes", x.Bytes))
	if b := &x.Border; c.Level != "" {
		row("border_error", measured(b.Value), fmt.Sprintf("largest distance of the borders of mesh and floor, m; mean %s there, %s back",
			measured(b.MeshToPlan.Mean), measured(b.PlanToMesh.Mean)))
		row("path_efficiency", measured(x.Paths.Value), fmt.Sprintf("shortest path over that from edge to edge, %d pairs; more is better", x.Paths.Pairs))
	}
	for _, check := range x.Thresholds {
		fmt.Fprintf(w, "  %-7s %s, is %s\n", check.Verdict, check.Threshold, measured(check.Value))
	}
}

// measured returns a number for people: four digits, and a dash for an unknown value.
func measured(n metric.Number) string {
	switch v := float64(n); {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0):
		return "infinite"
	case math.Abs(v) < 1e-9:
		return "0"
	case math.Abs(v) >= 1e4 && math.Abs(v) < 1e9:
		return fmt.Sprintf("%.0f", v)
	default:
		return fmt.Sprintf("%.4g", v)
	}
}

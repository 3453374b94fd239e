package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// compareCmd decomposes one floor by many generators.
type compareCmd struct {
	Level string `arg:"" placeholder:"LEVEL|MAP" help:"Level file: ${formats}; or a 2D map: ${maps}."`
	Out   string `short:"o" placeholder:"FILE" help:"Picture to write, the meshes side by side: .svg or .png."`
	Width int    `default:"2400" placeholder:"PX" help:"Width of the picture in pixels, 800 to 20000 (default ${default})." rare:""`
	Chart string `placeholder:"FILE" help:"Draw a chart of box plots, for the regions of every mesh: .svg or .png."`

	agentFlags
	levelFlags
	floorFlags

	Generators []string      `placeholder:"NAME" help:"Generators to compare (default: ${generators}; and ${limited}, where the floor is small enough)." group:"Making" completion-predictor:"generators"`
	Extractors []string      `placeholder:"NAME" help:"Compare the floors of extractors, the first with every other, and no generators." group:"Floor" completion-predictor:"extractors"`
	Meshes     []string      `name:"beside" sep:"none" placeholder:"MESH" help:"Compare also this mesh file of the level, of Meadow or of another system, in the table; may be repeated." group:"Making"`
	Jobs       int           `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)." group:"Making" rare:""`
	Cleanup    bool          `help:"Merge and mend regions after every generator where no region gets worse." group:"Making" rare:""`
	Concavity  number        `placeholder:"M" help:"Count also the regions after merging, if they may bend inwards by this much." group:"Making" rare:""`
	ConvexDist number        `name:"convex-distance" placeholder:"M" help:"Count also the cells of anavmg with both forms of convexity relaxation: moved borders as by meadow build, and ignored notches as published." group:"Making" rare:""`
	Patience   time.Duration `default:"2m" placeholder:"TIME" help:"Give up on a generator after this long (default ${default})." group:"Making" rare:""`

	growthFlags

	Pool    int     `default:"1" placeholder:"N" help:"Run every generator with N seeds and choose its mesh with the most points (default ${default})." group:"Choosing" rare:""`
	Weights weights `placeholder:"FILE|K=V,…" help:"Weight of each metric in points, as in 'regions=2,diameter=0' or 'all=0,regions=1' (default: 1 each)." group:"Choosing" rare:""`
	Winner  string  `placeholder:"FILE" help:"Write the mesh with the most points." group:"Choosing" rare:""`

	metricFlags

	JSON bool `help:"Print everything as JSON, with all measures of meadow metrics."`
}

// candidate is a generator with a seed, and its result.
type candidate struct {
	generator string
	seed      uint64
	mesh      *meadow.Mesh
	seconds   float64 // of the decomposition; not a number for a file
	result    metric.Result
	limited   limitedConcavity
	points    float64
	out       bool // covers too little to be compared
	pool      int  // number of different meshes to choose from
	refused   error
	file      bool // somebody else has made the mesh
}

// lost returns the area of the floor without a region, in m²; not a number for a file, whose coverage tells the same.
func (k *candidate) lost() float64 {
	if k.file {
		return math.NaN()
	}
	return k.mesh.Report().Lost
}

// Run finds the floor once, makes, measures, ranks, prints and draws.
func (c *compareCmd) Run(e *env) error {
	agent, err := c.agent()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	opt, err := c.floorOptions(agent)
	if err != nil {
		return err
	}
	in, err := c.openInput(c.Level, c.Terrain != "")
	if err != nil {
		return err
	}
	if err := c.applyTerrain(e.stderr, c.Level, in, &opt); err != nil {
		return err
	}
	bar := newProgress(e.stderr)
	defer bar.stop()
	opt.Jobs, opt.Progress = c.Jobs, bar.callback()
	making := meadow.MeshOptions{Cleanup: c.Cleanup, Jobs: c.Jobs}
	if len(c.Extractors) > 0 {
		making.Progress = opt.Progress
		return c.compareExtractors(e, in, opt, making, bar)
	}
	floor, err := in.floor(e.ctx, opt)
	if err != nil {
		return inFile(c.Level, err)
	}
	measuring := c.options()
	if err := measureOn(e.ctx, &measuring, floor); err != nil {
		return inFile(c.Level, err)
	}

	var all []*candidate
	for i, name := range c.Generators {
		bar.tell(name, i, len(c.Generators))
		if making.Generator, err = catalog.Generator(name); err != nil {
			return err
		}
		making.Generator = c.growthFlags.apply(making.Generator)
		chosen, err := c.choose(e.ctx, floor, making, measuring)
		if err != nil {
			return err
		}
		all = append(all, chosen)
	}
	bar.stop()
	for _, path := range c.Meshes {
		k, err := c.takeFile(e, path, measuring)
		if err != nil {
			return err
		}
		all = append(all, k)
	}
	best, err := c.rank(all)
	if err != nil {
		return err
	}
	if best < 0 {
		return fmt.Errorf("%s: no generator makes a mesh that covers enough: %w", c.Level, failures(all))
	}
	if c.Winner != "" {
		if _, err := e.writeMesh(c.Winner, all[best].mesh); err != nil {
			return err
		}
	}
	if err := c.draw(e, floor, all); err != nil {
		return err
	}
	var relaxed *experiment.Relaxation
	if c.ConvexDist > 0 {
		r, err := experiment.Relax(e.ctx, floor.Plan, float64(c.ConvexDist), c.Jobs)
		if err != nil {
			return inFile(c.Level, err)
		}
		relaxed = &r
	}
	in.tell(e.stderr, c.Level)
	tellWarnings(e.stderr, in.warnings())
	if dropped := floor.Plan.Dropped; len(dropped) > 0 {
		sum := 0.0
		for _, p := range dropped {
			sum += p.Area
		}
		fmt.Fprintf(e.stderr, "left out: %s of the floor, %.1f m²: not reachable; --keep takes them\n", count(len(dropped), "part"), sum)
	}
	if c.JSON {
		report := c.report(floor, all, best)
		report.Relaxation = relaxed
		return writeJSON(e.stdout, report)
	}
	c.print(e.stdout, all, best)
	if relaxed != nil {
		printRelaxed(e.stdout, relaxed)
	}
	return nil
}

// maxPool is the most seeds: every mesh of a pool is kept until the last is made.
const maxPool = 10000

// validate checks the flags and fills in the generators.
func (c *compareCmd) validate() error {
	switch {
	case c.Jobs < 0:
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	case c.Width < 800 || c.Width > 20000:
		return fmt.Errorf("--width is %d, must be 800 to 20000", c.Width)
	case c.Pool < 1 || c.Pool > maxPool:
		return fmt.Errorf("--pool is %d, must be 1 to %d", c.Pool, maxPool)
	case c.Concavity < 0:
		return fmt.Errorf("--concavity is %g, must be 0 or more metres", float64(c.Concavity))
	case !(c.ConvexDist >= 0) || math.IsInf(float64(c.ConvexDist), 0):
		return fmt.Errorf("--convex-distance is %g, must be 0 or more metres", float64(c.ConvexDist))
	case c.ConvexDist > 0 && len(c.Extractors) > 0:
		return errors.New("--convex-distance needs generators, not --extractors")
	case c.Patience <= 0:
		return fmt.Errorf("--patience is %v, must be above 0", c.Patience)
	}
	if len(c.Extractors) > 0 {
		if err := c.validateExtractors(); err != nil {
			return err
		}
	}
	if len(c.Generators) == 0 && len(c.Extractors) == 0 {
		c.Generators = slices.Concat(catalog.Names(), catalog.Limited())
	}
	known := slices.Concat(catalog.Names(), catalog.Limited(), catalog.Published())
	for i, m := range c.Generators {
		if !slices.Contains(known, m) {
			return fmt.Errorf("--generators: unknown generator %q; generators: %s", m, strings.Join(known, ", "))
		}
		if slices.Contains(c.Generators[:i], m) {
			return fmt.Errorf("--generators: %s is listed twice", m)
		}
	}
	if err := c.growthFlags.validate(c.Generators); err != nil {
		return err
	}
	for _, path := range []string{c.Out, c.Chart} {
		if err := picture(path, c.Level); err != nil {
			return err
		}
	}
	if c.Winner != "" {
		if err := meshFile(c.Winner, c.Level); err != nil {
			return err
		}
	}
	outputs := []string{c.Out, c.Chart, c.Winner}
	for i, path := range outputs {
		if path != "" && slices.Contains(outputs[:i], path) {
			return fmt.Errorf("%s: two outputs have this path", path)
		}
	}
	return c.options().Validate()
}

// choose makes the meshes of one generator, one for every seed, and returns the one with the most points.
// Equal meshes count once. An error ends everything; a generator that fails is a candidate that refused.
func (c *compareCmd) choose(ctx context.Context, floor *meadow.Floor, opt meadow.MeshOptions, measuring metric.Options) (*candidate, error) {
	var pool []*candidate
	var seen [][]byte
	for seed := range uint64(c.Pool) {
		opt.Seed = seed
		k, err := c.make(ctx, floor, opt, measuring)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			// A generator that fails for one seed fails: a user would meet the seed.
			return &candidate{generator: opt.Generator.Name(), seed: seed, refused: err}, nil
		}
		file, err := navfile.Encode(k.mesh.WithoutRecord()) // the record has the seed
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(seen, func(b []byte) bool { return bytes.Equal(b, file) }) {
			continue
		}
		seen = append(seen, file)
		pool = append(pool, k)
	}
	best, err := c.rank(pool)
	if err != nil {
		return nil, err
	}
	chosen := pool[max(best, 0)]
	chosen.pool = len(pool)
	return chosen, nil
}

// make decomposes the floor and measures the mesh, as far as the patience goes.
func (c *compareCmd) make(ctx context.Context, floor *meadow.Floor, opt meadow.MeshOptions, measuring metric.Options) (*candidate, error) {
	limited, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	mesh, err := floor.Mesh(limited, opt)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("not done after %v", c.Patience)
	}
	if err != nil {
		return nil, err
	}
	seconds, err := fastest(limited, floor, opt, mesh.Report().Seconds.Decompose)
	if err != nil {
		return nil, err
	}
	r, err := metric.Measure(ctx, mesh.Mesh, measuring)
	if err != nil {
		return nil, err
	}
	r.Extras.Thresholds = r.Check(metric.Thresholds())
	k := &candidate{generator: opt.Generator.Name(), seed: opt.Seed, mesh: mesh, seconds: seconds, result: r}
	if c.Concavity > 0 {
		if k.limited, err = limitConcavity(limited, mesh, float64(c.Concavity)); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// takeFile measures a mesh that somebody else has made. The time of its making is unknown.
func (c *compareCmd) takeFile(e *env, path string, measuring metric.Options) (*candidate, error) {
	mesh, err := e.loadMesh(path)
	if err != nil {
		return nil, err
	}
	r, err := metric.Measure(e.ctx, mesh.Mesh, measuring)
	if err != nil {
		return nil, inFile(path, err)
	}
	r.Extras.Thresholds = r.Check(metric.Thresholds())
	return &candidate{generator: filepath.Base(path), mesh: mesh, seconds: math.NaN(), result: r, pool: 1, file: true}, nil
}

// fastest repeats a decomposition for some seconds, a few times if it is quick, and returns the least time:
// other work on the machine makes times longer, never shorter.
func fastest(ctx context.Context, floor *meadow.Floor, opt meadow.MeshOptions, seconds float64) (float64, error) {
	const runs, enough = 4, 100 * time.Millisecond
	for start, i := time.Now(), 0; i < runs && seconds < enough.Seconds() && time.Since(start) < enough; i++ {
		mesh, err := floor.Mesh(ctx, opt)
		if errors.Is(err, context.DeadlineExceeded) {
			break // it was done once, in time
		}
		if err != nil {
			return 0, err
		}
		seconds = min(seconds, mesh.Report().Seconds.Decompose)
	}
	return seconds, nil
}

// rank gives points to the candidates that did not refuse, and returns the place of the best, -1 for none.
func (c *compareCmd) rank(all []*candidate) (int, error) {
	var places []int
	var results []metric.Result
	for i, k := range all {
		if k.refused == nil {
			places = append(places, i)
			results = append(results, k.result)
		}
	}
	ranking, err := metric.Rank(results, metric.Scoring{Weights: c.Weights.list})
	if err != nil {
		return -1, err
	}
	for j, i := range places {
		all[i].points, all[i].out = ranking.Points[j], ranking.Excluded[j]
	}
	if ranking.Best < 0 {
		return -1, nil
	}
	return places[ranking.Best], nil
}

// failures joins why no generator has points.
func failures(all []*candidate) error {
	var errs []error
	for _, k := range all {
		if k.refused != nil {
			errs = append(errs, fmt.Errorf("%s: %w", k.generator, k.refused))
		} else {
			errs = append(errs, fmt.Errorf("%s: covers %.1f %%", k.generator, 100*float64(k.result.Coverage.Value)))
		}
	}
	return errors.Join(errs...)
}

// draw writes the requested pictures.
func (c *compareCmd) draw(e *env, floor *meadow.Floor, all []*candidate) error {
	pages := []struct {
		path string
		page func() (*chart.Page, error)
	}{
		{c.Out, func() (*chart.Page, error) { return c.sheet(floor, all).Page() }},
		{c.Chart, func() (*chart.Page, error) { return comparisonChart(floor, all), nil }},
	}
	for _, p := range pages {
		if p.path == "" {
			continue
		}
		page, err := p.page()
		if err != nil {
			return err
		}
		write := pictureWriter(p.path)
		if err := e.write(p.path, func(w io.Writer) error { return write(w, page.List(), page.View()) }); err != nil {
			return err
		}
	}
	return nil
}

package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
)

// trial is a world with a method's decomposition.
type trial struct {
	cells  []plan.Cell
	mesh   *navmesh.Mesh
	result metric.Result
}

// runTrial decomposes, builds and measures. The generator's seed is the number of the world.
func runTrial(ctx context.Context, g gen.Generator, w World, seed int, opt metric.Options) (trial, error) {
	p := w.Plan()
	results, err := gen.DecomposePlan(ctx, g, p, uint64(seed), 1)
	if err != nil {
		return trial{}, fmt.Errorf("%w (%s, %s)", err, w.Name, g.Name())
	}
	t := trial{cells: results[0][0].Cells}
	if t.mesh, _, err = join.Build(ctx, p, [][][]plan.Cell{{t.cells}}, join.Options{Jobs: 1}); err != nil {
		return trial{}, fmt.Errorf("%w (%s, %s)", err, w.Name, g.Name())
	}
	free := metric.FreeOf(p)
	opt.Free = &free
	if t.result, err = metric.Measure(ctx, t.mesh, opt); err != nil {
		return trial{}, fmt.Errorf("%w (%s, %s)", err, w.Name, g.Name())
	}
	return t, nil
}

// methods looks up the generators of the source and those of the options, each once.
func methods(source []string, opt Options) ([]gen.Generator, error) {
	var list []gen.Generator
	for i, name := range slices.Concat(source, opt.Methods) {
		g, err := catalog.Generator(name)
		if err != nil {
			return nil, err
		}
		if i < len(source) || !slices.ContainsFunc(list, func(h gen.Generator) bool { return h.Name() == name }) {
			list = append(list, g)
		}
	}
	return list, nil
}

// runTrials runs every method on every world: the trial of method m on world w is at [m][w].
func runTrials(ctx context.Context, worlds []World, list []gen.Generator, jobs int, opt metric.Options) ([][]trial, error) {
	trials := make([][]trial, len(list))
	for m := range trials {
		trials[m] = make([]trial, len(worlds))
	}
	err := par.For(ctx, jobs, len(list)*len(worlds), func(i int) error {
		m, w := i/len(worlds), i%len(worlds)
		var err error
		trials[m][w], err = runTrial(ctx, list[m], worlds[w], w+1, opt)
		return err
	})
	return trials, err
}

// show keeps the meshes of the world that is asked for.
func (r *Report) show(worlds []World, list []gen.Generator, trials [][]trial, opt Options) error {
	w := max(opt.Show, 1) - 1
	if w >= len(worlds) {
		return fmt.Errorf("experiment: world %d is to be shown, there are %d", opt.Show, len(worlds))
	}
	r.Shown = Shown{World: worlds[w]}
	for m, g := range list {
		r.Shown.Methods = append(r.Shown.Methods, g.Name())
		r.Shown.Meshes = append(r.Shown.Meshes, trials[m][w].mesh)
		r.Shown.Results = append(r.Shown.Results, trials[m][w].result)
	}
	return nil
}

// published are the figures of a source, by method.
type published map[string]float64

// measure is a line of a table.
type measure struct {
	name string
	of   func(*metric.Result) metric.Number
	// sense is 1 where more is better, -1 where less is, 0 where neither.
	sense     int
	published published
	// why says where a difference comes from that the worlds do not explain.
	why string
}

// sample holds the values of every measure for every method on every world.
type sample struct {
	methods []string
	lines   []line
}

type line struct {
	name   string
	sense  int
	why    string
	paper  published
	values [][]float64 // by method and world
}

// sampleOf evaluates measures on trials.
func sampleOf(list []gen.Generator, trials [][]trial, measures []measure) *sample {
	s := &sample{}
	for _, g := range list {
		s.methods = append(s.methods, g.Name())
	}
	for _, m := range measures {
		l := line{name: m.name, sense: m.sense, why: m.why, paper: m.published}
		for _, row := range trials {
			values := make([]float64, len(row))
			for w := range row {
				values[w] = float64(m.of(&row[w].result))
			}
			l.values = append(l.values, values)
		}
		s.lines = append(s.lines, l)
	}
	return s
}

// line returns a line by its name, and values those of a method, nil where either is missing.
func (s *sample) line(name string) *line {
	for i := range s.lines {
		if s.lines[i].name == name {
			return &s.lines[i]
		}
	}
	return nil
}

func (s *sample) values(name, method string) []float64 {
	m := slices.Index(s.methods, method)
	if l := s.line(name); l != nil && m >= 0 {
		return l.values[m]
	}
	return nil
}

// mean is NaN for a method that is missing.
func (s *sample) mean(name, method string) float64 {
	if v := s.values(name, method); v != nil {
		mean, _ := meanSD(v)
		return mean
	}
	return math.NaN()
}

// significance is the level below which the sources call a difference significant.
const significance = 0.05

// differ tells whether two methods have significantly different means.
func (s *sample) differ(name, a, b string) bool {
	f, err := RepeatedMeasures([][]float64{s.values(name, a), s.values(name, b)})
	return err == nil && f.P < significance
}

// better tells whether a method's mean is significantly better than another's.
func (s *sample) better(name, a, b string) bool {
	l := s.line(name)
	if l == nil {
		return false
	}
	d := s.mean(name, a) - s.mean(name, b)
	return float64(l.sense)*d > 0 && s.differ(name, a, b)
}

// differs is the relative difference from a published figure from which on a reason is given.
const differs = 0.05

// fill puts the rows, tests and reasons of the sample into a report.
func (s *sample) fill(r *Report) {
	for i := range s.lines {
		l := &s.lines[i]
		worst := s.worst(l)
		explain := false
		for m, method := range s.methods {
			mean, sd := meanSD(l.values[m])
			row := Row{Method: method, Metric: l.name, Published: l.figure(method), Ours: metric.Number(mean), SD: metric.Number(sd)}
			row.Better = worst >= 0 && m != worst && s.better(l.name, method, s.methods[worst])
			r.Rows = append(r.Rows, row)
			if p := float64(row.Published); !math.IsNaN(p) && !(math.Abs(mean-p) <= differs*math.Abs(p)) {
				explain = true
			}
		}
		if explain {
			r.Reasons = append(r.Reasons, Reason{l.name, l.why})
		}
		if f, err := RepeatedMeasures(l.values); err == nil && l.sense != 0 {
			r.Tests = append(r.Tests, Test{l.name, f})
		}
	}
}

func (l *line) figure(method string) metric.Number {
	if p, ok := l.paper[method]; ok {
		return metric.Number(p)
	}
	return metric.Number(math.NaN())
}

// worst returns the method with the worst mean, -1 where none is.
func (s *sample) worst(l *line) int {
	worst := -1
	for m := range s.methods {
		if l.sense == 0 || worst >= 0 && !(float64(l.sense)*(s.mean(l.name, s.methods[m])-s.mean(l.name, s.methods[worst])) < 0) {
			continue
		}
		worst = m
	}
	return worst
}

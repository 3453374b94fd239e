// Extraction finds the floors of thousands of random levels exactly, makes a mesh of each, judges both, and
// stops at the first fault with the data to repeat it.
//
//	go run ./lab/bench/extraction -scenes 10000 -soups 1000 > extraction.md
//	go run ./lab/bench/extraction -first 4711 -scenes 1 -soups 0 -shrink
//	go run ./lab/bench/extraction -scenes 0 -soups 0 -stairwells 10000 -towers 1000 -all -state campaign.jsonl
//	go run ./lab/bench/extraction -levels ../shared/levels -radii 0.3,0.4,0.6 -state real.jsonl
//	go run ./lab/bench/extraction -kinds 10 -radii 0,0.3,0.4,0.6 -state kinds.jsonl
//	go run ./lab/bench/extraction -kinds 8 -radii 0.4 -height 1.8 -climb 0.4 -all
//
// With -levels the program takes the levels of a folder instead, smallest first, with every map of its *.pk3. With -kinds
// it takes levels as people model them, from seed -first on. It judges each by the laws of navmesh and internal/levelcheck. -shrink prints a small level for each kind of fault, also of faults
// in the state.
//
// Level number n of a class is the same on every machine: scenes and soups are in levels.go, stairwells and
// towers in levelgen. The laws are in judge.go. The program prints tables in Markdown: by kind, and by law
// for faults. A campaign with a state file continues where it stopped.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/internal/levelcheck"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level/obj"
)

func main() { bench.Main("extraction", run) }

// options say how meshes are made.
type options struct {
	extract, method string
	floor           meadow.FloorOptions
	mesh            meadow.MeshOptions
}

// settings are the flags.
type settings struct {
	first       uint64
	count       map[class]*int // how many levels of each class
	opt         options
	jobs        int
	dump        string
	state       string // file with the levels that are done, empty for none
	all, shrunk bool
	limit       time.Duration
	grace       time.Duration // for an extraction to notice the limit
	real        realLevels
}

// chunk is how many levels are done before the faults among them are told.
const chunk = 100

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if s.real.folder != "" || s.real.kinds > 0 {
		return s.judgeReals(ctx, out, log)
	}
	return s.run(ctx, out, log)
}

// run judges the levels of all classes and prints the tables.
func (s *settings) run(ctx context.Context, out, log io.Writer) (err error) {
	var all results
	done, err := openState(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done.close()) }()
	for _, r := range done.records {
		all.add(r)
	}
	start := time.Now()
	for _, c := range classes {
		last := s.first + uint64(*s.count[c])
		for first := max(s.first, done.next(c)); first < last; first += chunk {
			n := int(min(chunk, last-first))
			found, err := s.campaign(ctx, c, first, n)
			if err != nil {
				return err
			}
			for _, v := range found {
				all.add(v.record())
				if err := done.keep(v.record()); err != nil {
					return err
				}
				if v.fault == nil {
					continue
				}
				fmt.Fprintf(log, "%v: %v\n", v.made, v.fault)
				if s.shrunk {
					v = s.shrink(ctx, v)
					fmt.Fprintf(log, "shrunk to %d triangles: %v\n", len(v.made.level.Triangles), v.fault)
				}
				if err := s.keep(v.made); err != nil {
					return err
				}
				if !s.all {
					return fmt.Errorf("stopped at the first fault; see it again with\n\tgo run ./lab/bench/extraction %s", v.made.flags())
				}
			}
			fmt.Fprintf(log, "%ss %d to %d: %d faults so far, %v\n", c, first, first+uint64(n)-1, all.faults(), time.Since(start).Round(time.Second))
		}
	}
	if err := all.markdown(out); err != nil {
		return err
	}
	if n := all.faults(); n > 0 {
		return fmt.Errorf("%d faults", n)
	}
	return nil
}

func parse(args []string, log io.Writer) (settings, error) {
	s := settings{grace: 10 * time.Second, count: map[class]*int{}}
	f := bench.NewFlags("extraction", log)
	f.Uint64Var(&s.first, "first", 0, "number of the first level of each class")
	for i, n := range []int{100, 20, 0, 0} {
		s.count[classes[i]] = f.Int(string(classes[i])+"s", n, fmt.Sprintf("how many %ss", classes[i]))
	}
	f.StringVar(&s.state, "state", "", "`file` of finished levels: a stopped campaign continues from there")
	f.StringVar(&s.opt.extract, "extractor", catalog.DefaultExtractor, "`name` of the extractor")
	f.StringVar(&s.opt.method, "generator", catalog.Default, "`name` of the generator that decomposes the floors")
	f.Float64Var(&s.opt.floor.Simplify, "simplify", 0, "how far borders move to save corners, in `metres`; 0 is the extractor's own rule, below 0 not at all")
	f.IntVar(&s.jobs, "jobs", 0, "levels at a time, 0 for one per core")
	f.StringVar(&s.dump, "dump", os.TempDir(), "`folder` for the levels of faults")
	f.BoolVar(&s.all, "all", false, "go on after a fault")
	f.BoolVar(&s.shrunk, "shrink", false, "remove the parts of a faulty level that the fault does not need")
	f.StringVar(&s.real.folder, "levels", "", "`folder` of levels and *.pk3: judge these in place of random levels")
	f.IntVar(&s.real.kinds, "kinds", 0, "how many levels of each `kind` that people model, by internal/randlevel: judge these in place of random levels")
	f.StringVar(&s.real.only, "only", "", "with -levels or -kinds: part of the `name` of a level")
	f.IntVar(&s.real.places, "places", levelcheck.DefaultPlaces, "with -levels or -kinds: random places on every level, and a tenth as many random paths")
	radii := f.String("radii", "0.3,0.4,0.6", "with -levels or -kinds: radii of agents, in `metres` with commas between, 0 for a point")
	height := f.Float64("height", 2, "with -levels or -kinds: height of the agents, in `metres`")
	climb := f.Float64("climb", 0.9, "with -levels or -kinds: highest step of the agents, in `metres`")
	slope := f.Float64("slope", 45, "with -levels or -kinds: steepest slope of the agents, in `degrees`")
	f.DurationVar(&s.limit, "limit", time.Minute, "a level that takes longer is a fault")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	switch {
	case s.limit <= 0:
		return s, fmt.Errorf("levels of at most %v: must be more than nothing", s.limit)
	}
	var err error
	if s.real.radii, err = bench.ParseRadii(*radii); err != nil {
		return s, err
	}
	if s.real.kinds < 0 {
		return s, fmt.Errorf("%d levels of each kind: must not be negative", s.real.kinds)
	}
	if s.real.places < 0 {
		return s, fmt.Errorf("%d places: must not be negative", s.real.places)
	}
	if s.opt.floor.Extractor, err = catalog.Extractor(s.opt.extract, 0); err != nil {
		return s, err
	}
	if s.opt.mesh.Generator, err = catalog.Generator(s.opt.method); err != nil {
		return s, err
	}
	for _, c := range classes {
		if *s.count[c] < 0 {
			return s, fmt.Errorf("%d %ss: must not be negative", *s.count[c], c)
		}
	}
	s.opt.floor.Agent = meadow.Agent{Radius: 1, Height: *height, MaxClimb: *climb, MaxSlope: geom.Degrees(*slope)}
	if err := s.opt.floor.Agent.Validate(); err != nil {
		return s, err
	}
	s.opt.floor.KeepAll, s.opt.floor.Jobs, s.opt.mesh.Jobs = true, 1, 1
	if s.jobs <= 0 {
		s.jobs = runtime.GOMAXPROCS(0)
	}
	return s, nil
}

// campaign judges n levels.
func (s *settings) campaign(ctx context.Context, c class, first uint64, n int) ([]verdict, error) {
	out := make([]verdict, n)
	err := par.For(ctx, s.jobs, n, func(i int) error {
		out[i] = s.limited(ctx, c.make(first+uint64(i)))
		return ctx.Err()
	})
	return out, err
}

// limited is judge with a limit of time; a panic is a fault.
func (s *settings) limited(ctx context.Context, m made) verdict {
	v := bench.Limited(ctx, s.limit, s.grace, func(ctx context.Context) verdict { return judge(ctx, m, s.opt) }, func(err error) verdict {
		return verdict{made: m, fault: err}
	})
	if errors.Is(v.fault, context.DeadlineExceeded) {
		v.fault = fmt.Errorf("not done after %v", s.limit)
	}
	return v
}

// keep writes a level to a separate file.
func (s *settings) keep(m made) error {
	if err := os.MkdirAll(s.dump, 0o777); err != nil {
		return err
	}
	path := filepath.Join(s.dump, fmt.Sprintf("extraction-%s-%d.obj", m.class, m.number))
	return atomicfile.Write(path, func(w io.Writer) error { return obj.Encode(w, m.level, "") })
}

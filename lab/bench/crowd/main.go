// Crowd moves crowds with Meadow, dtCrowd of Detour and RVO2 over the same levels: the same starts, goals, radii, speeds and steps. One
// judge compares the tracks of all systems, and every system works on one core.
//
//	make bench-crowd
//	go run ./lab/bench/crowd -part safety -state build/crowd.jsonl
//	go run ./lab/bench/crowd -only doorway -peers=false
//
// The parts are cost (five levels at 1,000 and at 10,000 agents), scale (the cost of an agent by the number of agents), safety (twenty
// scenarios), unseen (five random casts), kinds (few and many walkers on every kind of generated level, with two seeds), and quality (the
// antipodal circle, bottlenecks, speed over density, and the scenarios of examples/crowd). With -state a stopped program goes on where it
// was. RVO2 knows no walls and no paths, and takes part on the open plane. A table in Markdown has the figures, the worst first; of kinds it
// has the casts with a fault.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("crowd", run) }

// settings are the flags.
type settings struct {
	parts, only     string
	state           string
	levels          string
	examples        string
	crowd, rvo      string
	peers           bool
	limit           time.Duration
	seed            uint64
	quick           bool
	list, tableOnly bool
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	levels := os.Getenv("MEADOW_LEVELS")
	if levels == "" {
		levels = filepath.Join("..", "shared", "levels")
	}
	peers := filepath.Join("lab", "bench", "peers", "recast", "build")
	f := bench.NewFlags("crowd", log)
	f.StringVar(&s.parts, "part", strings.Join(parts, ","), "parts to measure, with commas")
	f.StringVar(&s.only, "only", "", "part of the names of cases")
	f.StringVar(&s.state, "state", "", "file of finished cases, to go on from")
	f.StringVar(&s.levels, "levels", levels, "folder of levels")
	f.StringVar(&s.examples, "examples", filepath.Join("examples", "crowd"), "folder of scenarios")
	f.StringVar(&s.crowd, "dtcrowd", filepath.Join(peers, "crowd"), "program that moves agents with dtCrowd")
	f.StringVar(&s.rvo, "rvo", filepath.Join(peers, "rvo"), "program that moves agents with RVO2")
	f.BoolVar(&s.peers, "peers", true, "whether the other systems take part")
	f.DurationVar(&s.limit, "limit", time.Minute, "longest wall time of a system on a case")
	f.Uint64Var(&s.seed, "seed", 1, "first of the two seeds of kinds")
	f.BoolVar(&s.quick, "quick", false, "a tenth of the agents, and a fifth of the time")
	f.BoolVar(&s.list, "list", false, "list the cases and stop")
	f.BoolVar(&s.tableOnly, "table", false, "print the tables of the state, and measure nothing")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	for part := range strings.SplitSeq(s.parts, ",") {
		if !slices.Contains(parts, part) {
			return s, fmt.Errorf("no part %q; parts: %s", part, strings.Join(parts, ", "))
		}
	}
	if s.limit <= 0 {
		return s, fmt.Errorf("a limit of %v, must be above 0", s.limit)
	}
	return s, nil
}

// outcome is the line of a case and a system in the state.
type outcome struct {
	Part, Name, System string
	Error              string          `json:",omitempty"`
	Report             scenario.Report `json:",omitzero"`
	// Microseconds of processor time an agent and step: the median over steps, the hundredth slowest, and the median for an agent
	// that does not wait for a path.
	P50, P99, Path float64
	// Square metres of floor, and seconds from the level to the cast.
	Area, Setup float64
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	cases, err := s.cases()
	if err != nil {
		return err
	}
	if s.list {
		for _, c := range cases {
			fmt.Fprintf(out, "%s\t%s\t%s\n", c.part, c.name, strings.Join(c.systems, ", "))
		}
		return nil
	}
	var done []outcome
	var state *bench.Lines
	if s.state != "" {
		if state, err = bench.OpenLines(s.state, func(_ int, line []byte) error {
			var o outcome
			err := json.Unmarshal(line, &o)
			done = append(done, o)
			return err
		}); err != nil {
			return fmt.Errorf("%s: %w", s.state, err)
		}
	}
	if !s.tableOnly {
		for _, c := range cases {
			if err := s.measure(ctx, c, &done, state, log); err != nil {
				return errors.Join(err, state.Close())
			}
		}
	}
	if err := state.Close(); err != nil {
		return err
	}
	return tables(out, cases, done)
}

// isDone reports whether a system has done a case.
func isDone(done []outcome, c theCase, system string) bool {
	return slices.ContainsFunc(done, func(o outcome) bool { return o.Part == c.part && o.Name == c.name && o.System == system })
}

// measure runs the systems that have not done a case. A fault of the case or of a system is an outcome, and the error is that of ctx
// or of the state.
func (s *settings) measure(ctx context.Context, c theCase, done *[]outcome, state *bench.Lines, log io.Writer) error {
	var left []string
	for _, system := range c.systems {
		if !isDone(*done, c, system) {
			left = append(left, system)
		}
	}
	if len(left) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "crowd")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	stage, failed := s.stage(ctx, c, dir)
	for _, system := range left {
		o := outcome{Part: c.part, Name: c.name, System: system}
		err := failed
		if err == nil {
			o.Area, o.Setup = stage.mesh.Area(), time.Since(began).Seconds()
			err = s.play(ctx, system, stage, &o)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.Error = err.Error()
		}
		fmt.Fprintf(log, "%s %s, %s: %.2f µs, overlap %.3f m, %d stuck %s\n", c.part, c.name, system, o.P50, o.Report.OverlapMax, o.Report.Stuck, o.Error)
		*done = append(*done, o)
		if err := state.Append(o); err != nil {
			return err
		}
	}
	return nil
}

// stage is a case that is ready to play.
type stage struct {
	cast *scenario.Cast
	mesh *meadow.Mesh
	file string // OBJ file of the level
}

// stage builds the level and the cast of a case.
func (s *settings) stage(ctx context.Context, c theCase, dir string) (*stage, error) {
	sc, err := scenario.Parse(strings.NewReader(c.text))
	if err != nil {
		return nil, err
	}
	st := &stage{file: filepath.Join(dir, "level.obj")}
	if c.level != "" {
		sc.File = c.level + ".obj"
	}
	lvl, base := (*meadowLevel)(nil), (*meadowLevel)(nil)
	if sc.File != "" {
		if base, err = meadow.Open(filepath.Join(s.levels, sc.File)); err != nil {
			return nil, err
		}
	}
	if lvl, err = sc.Level(base); err != nil {
		return nil, err
	}
	if err := meadow.SaveLevel(st.file, lvl); err != nil {
		return nil, err
	}
	if st.mesh, err = meadow.Build(ctx, lvl, sc.Agent()); err != nil {
		return nil, err
	}
	st.cast, err = sc.Cast(ctx, st.mesh.Index())
	return st, err
}

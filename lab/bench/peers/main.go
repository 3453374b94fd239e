//go:build peers

// Peers measures Meadow beside other people's navigation meshes, on the same levels, for the same
// agent, in the same minute. Today the peer is Recast with Detour.
//
//	make -C lab/bench/peers/recast
//	go run -tags peers ./lab/bench/peers [flags] [LEVEL.obj ...]
//
// With -maps it takes every map of a folder of archives instead, also for the laws of meshes: see corpus.go.
//
// Without levels the program takes the folder MEADOW_LEVELS, else ../shared/levels. It prints tables in
// Markdown, or with -json their data. docs/peers.md explains the comparison.
//
// It sits behind a build tag because it needs a program that only some machines can build.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/meadow-nav/meadow"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	agent    meadow.Agent
	recast   string
	rounds   int
	runs     int
	slice    time.Duration
	fidelity bool
	timing   bool
	pairs    int
	json     bool
	levels   []string
	corpus   *corpus
}

// Results is all measurements.
type Results struct {
	Agent meadow.Agent `json:"agent"`
	// Machine is the class of the machine, not its name.
	Machine  Machine    `json:"machine"`
	Levels   []Level    `json:"levels"`
	Fidelity []Fidelity `json:"fidelity"`
	Queries  []Queries  `json:"queries"`
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if _, err := os.Stat(s.recast); err != nil {
		return fmt.Errorf("%w; build it with: make -C lab/bench/peers/recast", err)
	}
	if s.corpus.folder != "" {
		s.corpus.settings = s
		return s.corpus.run(ctx, out, log)
	}
	res := Results{Agent: s.agent, Machine: machine()}
	if s.timing {
		for _, name := range s.levels {
			l, err := measureLevel(ctx, name, s, log)
			if err != nil {
				return err
			}
			res.Levels = append(res.Levels, l)
		}
	}
	for _, name := range s.levels {
		if s.pairs > 0 {
			l, err := measureQueries(ctx, name, s, log)
			if err != nil {
				return err
			}
			res.Queries = append(res.Queries, l)
		}
	}
	if s.fidelity {
		if res.Fidelity, err = measureFidelity(ctx, s, log); err != nil {
			return err
		}
	}
	if s.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(res)
	}
	return res.markdown(out)
}

func parse(args []string, log io.Writer) (settings, error) {
	s := settings{corpus: &corpus{}}
	f := flag.NewFlagSet("peers", flag.ContinueOnError)
	f.SetOutput(log)
	f.StringVar(&s.recast, "recast", filepath.Join("lab", "bench", "peers", "recast", "build", "recast"), "the `program` that builds with Recast")
	f.IntVar(&s.rounds, "rounds", 5, "how often everybody gets a turn at a level")
	f.IntVar(&s.runs, "runs", 7, "builds in a turn, at most, after one that is not counted")
	f.DurationVar(&s.slice, "slice", time.Second, "no build begins in a turn after this long")
	f.BoolVar(&s.timing, "timing", true, "measure time and size on the levels")
	f.BoolVar(&s.fidelity, "fidelity", true, "measure on made levels how far borders are from where they belong")
	f.IntVar(&s.pairs, "pairs", 10000, "pairs of places on every level that both are asked queries at, besides paths; 0 to ask none")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.StringVar(&s.corpus.folder, "maps", "", "`folder` of *.pk3: measure and judge their maps instead")
	f.StringVar(&s.corpus.only, "only", "", "`part` of the names of the maps")
	f.StringVar(&s.corpus.state, "state", "", "`file` that keeps finished maps, to go on from")
	f.DurationVar(&s.corpus.limit, "limit", 2*time.Minute, "for a build of a map")
	f.IntVar(&s.corpus.places, "places", 200, "random places on every map for the laws that need the level; 0 leaves these laws out")
	radii := f.String("radii", "0,0.4,0.6", "radii at which the laws of maps are tested, in `metres` with commas between")
	f.Float64Var(&s.agent.Radius, "radius", 0.6, "of the agent, in `metres`")
	f.Float64Var(&s.agent.Height, "height", 2, "of the agent, in `metres`")
	f.Float64Var(&s.agent.MaxClimb, "climb", 0.9, "highest step, in `metres`")
	slope := f.Float64("slope", 45, "steepest slope, in `degrees`")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.pairs < 0 {
		return s, fmt.Errorf("%d pairs of places: must be 0 or more", s.pairs)
	}
	if s.rounds < 1 || s.runs < 1 {
		return s, fmt.Errorf("%d rounds of %d runs: both must be at least 1", s.rounds, s.runs)
	}
	s.agent.MaxSlope = meadow.Degrees(*slope)
	if err := s.agent.Validate(); err != nil {
		return s, err
	}
	var err error
	if s.corpus.radii, err = parseRadii(*radii); err != nil {
		return s, err
	}
	if s.corpus.limit <= 0 {
		return s, fmt.Errorf("a limit of %v for a build: must be above 0", s.corpus.limit)
	}
	if s.levels = f.Args(); len(s.levels) > 0 || s.corpus.folder != "" || !s.timing && s.pairs == 0 {
		return s, nil
	}
	folder := os.Getenv("MEADOW_LEVELS")
	if folder == "" {
		folder = filepath.Join("..", "shared", "levels")
	}
	if s.levels, err = filepath.Glob(filepath.Join(folder, "*.obj")); err == nil && len(s.levels) == 0 {
		err = fmt.Errorf("no *.obj in %s: name levels, or their folder in MEADOW_LEVELS", folder)
	}
	return s, err
}

//go:build peers

// Peers measures Meadow beside other people's navigation meshes, on the same levels, for the same
// agent, in the same minute: Recast with Detour, native and as the WebAssembly port from npm.
//
//	make -C lab/bench/peers/recast
//	go run -tags peers ./lab/bench/peers [flags] [LEVEL.obj ...]
//
// Without levels the program takes the folder MEADOW_LEVELS or ../shared/levels, maps of the archives in .tools/maps, and generated
// levels. With -corpus it takes every map of a folder of archives instead, also for the laws of meshes: see corpus.go.
//
// It prints tables in Markdown, the worst level first, or with -json their data; -o adds a page of all levels, and plots. -state keeps
// finished levels. docs/peers.md explains the comparison.
//
// It sits behind a build tag because it needs a program that only some machines can build.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/lab/internal/standings"
)

func main() { bench.Main("peers", run) }

// settings are the flags that all parts share.
type settings struct {
	agent  meadow.Agent
	recast string
	rounds int
	runs   int
	slice  time.Duration
	limit  time.Duration // for a turn
	state  string        // file of finished levels or maps, "" for none
	timing bool          // for the corpus
}

// The parts of a run.
const (
	partTime    = "time"
	partQuality = "quality"
	partBorders = "borders"
	partQueries = "queries"
)

// task is all that a run is told.
type task struct {
	settings
	board  board
	corpus corpus
	parts  []string
	asked  int // pairs of places for queries
	json   bool
}

// Results is all measurements.
type Results struct {
	Agent meadow.Agent `json:"agent"`
	// Machine is the class of the machine, not its name.
	Machine  Machine              `json:"machine"`
	Levels   *standings.Standings `json:"levels,omitempty"`
	Fidelity []Fidelity           `json:"fidelity"`
	Queries  []Queries            `json:"queries"`
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	p, err := parse(args, log)
	if err != nil {
		return err
	}
	if _, err := os.Stat(p.recast); err != nil {
		return fmt.Errorf("%w; build it with: make -C lab/bench/peers/recast", err)
	}
	if p.corpus.folder != "" {
		return p.corpus.run(ctx, out, log)
	}
	res := Results{Agent: p.agent, Machine: machine()}
	if slices.Contains(p.parts, partTime) || slices.Contains(p.parts, partQuality) {
		p.board.withPort(log)
		if res.Levels, err = p.board.measure(ctx, log); err != nil {
			return err
		}
		if err := p.board.write(res.Levels, res.about()); err != nil {
			return err
		}
	}
	if slices.Contains(p.parts, partQueries) {
		if res.Queries, err = p.queries(ctx, log); err != nil {
			return err
		}
	}
	if slices.Contains(p.parts, partBorders) {
		if res.Fidelity, err = measureFidelity(ctx, p.settings, log); err != nil {
			return err
		}
	}
	if p.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(res)
	}
	return res.markdown(out)
}

func parse(args []string, log io.Writer) (task, error) {
	var p task
	f := bench.NewFlags("peers", log)
	f.StringVar(&p.recast, "recast", filepath.Join("lab", "bench", "peers", "recast", "build", "recast"), "the `program` that builds with Recast")
	f.StringVar(&p.board.modules, "port", filepath.Join(".tools", "recast-js"), "`folder` with the port recast-navigation in node_modules; empty leaves the port out")
	f.IntVar(&p.rounds, "rounds", 3, "how often everybody gets a turn at a level")
	f.IntVar(&p.runs, "runs", 3, "builds in a turn, at most, after one that is not counted")
	f.DurationVar(&p.slice, "slice", 200*time.Millisecond, "no build begins in a turn after this long")
	f.DurationVar(&p.limit, "limit", time.Minute, "for a turn, or for a build of a map of the corpus")
	part := f.String("part", "time,quality,borders,queries", "`parts` of the run, with commas between: time and quality on all levels, borders on made levels, queries on the level files")
	f.StringVar(&p.board.Only, "only", "", "`part` of the names of levels or maps")
	f.StringVar(&p.board.Maps, "maps", filepath.Join(".tools", "maps"), "`folder` of *.pk3 with maps")
	maps := f.String("map-names", mapNames, "`names` of maps, with commas between; empty for none")
	list := f.String("generated", generated, "generated `levels`, with commas between: a kind with options; empty for none")
	f.IntVar(&p.board.pairs, "paths", 100, "pairs of places on every level for the quality of paths")
	f.StringVar(&p.board.folder, "o", "", "`folder` for the page peers-levels.md of all levels and the plots images/peers.svg")
	f.IntVar(&p.asked, "pairs", 10000, "pairs of places on every level file for queries")
	f.StringVar(&p.state, "state", "", "`file` that keeps finished levels or maps, to go on from")
	f.BoolVar(&p.json, "json", false, "print JSON")
	f.StringVar(&p.corpus.folder, "corpus", "", "`folder` of *.pk3: measure and judge all their maps instead")
	f.BoolVar(&p.timing, "timing", true, "measure time on the maps of the corpus")
	f.IntVar(&p.corpus.places, "places", 200, "random places on every map of the corpus for the laws that need the level; 0 leaves these laws out")
	radii := f.String("radii", "0,0.4,0.6", "radii at which the laws of the corpus are tested, in `metres` with commas between")
	f.Float64Var(&p.agent.Radius, "radius", 0.6, "of the agent, in `metres`")
	f.Float64Var(&p.agent.Height, "height", 2, "of the agent, in `metres`")
	f.Float64Var(&p.agent.MaxClimb, "climb", 0.9, "highest step, in `metres`")
	slope := f.Float64("slope", 45, "steepest slope, in `degrees`")
	if err := f.FlagSet.Parse(args); err != nil {
		return p, err
	}
	p.agent.MaxSlope = meadow.Degrees(*slope)
	if err := p.agent.Validate(); err != nil {
		return p, err
	}
	switch {
	case p.asked < 1 || p.board.pairs < 1:
		return p, fmt.Errorf("%d pairs for queries and %d for paths: both must be at least 1", p.asked, p.board.pairs)
	case p.rounds < 1 || p.runs < 1:
		return p, fmt.Errorf("%d rounds of %d runs: both must be at least 1", p.rounds, p.runs)
	case p.limit <= 0:
		return p, fmt.Errorf("a limit of %v for a turn: must be above 0", p.limit)
	}
	p.parts = strings.Split(*part, ",")
	for _, name := range p.parts {
		if !slices.Contains([]string{partTime, partQuality, partBorders, partQueries}, name) {
			return p, fmt.Errorf("no part %q: parts are %s, %s, %s and %s", name, partTime, partQuality, partBorders, partQueries)
		}
	}
	var err error
	if p.corpus.radii, err = bench.ParseRadii(*radii); err != nil {
		return p, err
	}
	fields := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	}
	p.board.Named, p.board.Generated, p.board.MapNames = f.Args(), fields(*list), fields(*maps)
	p.board.time, p.board.quality = slices.Contains(p.parts, partTime), slices.Contains(p.parts, partQuality)
	p.board.settings, p.corpus.settings, p.corpus.only = p.settings, p.settings, p.board.Only
	return p, nil
}

// withPort leaves the port out, and says so, where node or the port is missing.
func (b *board) withPort(log io.Writer) {
	if b.modules == "" {
		return
	}
	_, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join(b.modules, "node_modules", "recast-navigation"))
	}
	if err != nil {
		fmt.Fprintf(log, "peers: WITHOUT THE WASM PORT: %v; `make bench-peers` installs the port where node and npm are\n", err)
		b.modules = ""
	}
}

// queries measures queries on the level files.
func (p *task) queries(ctx context.Context, log io.Writer) ([]Queries, error) {
	sources := p.board.Sources
	sources.MapNames, sources.Generated = nil, nil
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all, err := sources.List(dir)
	if err != nil {
		fmt.Fprintf(log, "peers: no level files to ask queries on: %v\n", err)
		return nil, nil
	}
	var out []Queries
	for _, sc := range all {
		lvl, file, err := sc.Open()
		if err != nil {
			return nil, err
		}
		q, err := measureQueries(ctx, sc.Name, lvl, file, p.settings, p.asked, log)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

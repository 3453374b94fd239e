// Paths measures paths on many levels beside Detour, on the same levels, for the same agent, in the same minute, in single calls
// with warm and with cold caches.
//
//	make -C lab/bench/peers/recast
//	go run ./lab/bench/paths [flags] [LEVEL ...]
//	go run ./lab/bench/paths -state build/paths.jsonl    # goes on where a stopped run ended
//
// Without levels the program takes the folder MEADOW_LEVELS, else ../shared/levels, maps of the archives in .tools/maps, and
// generated levels. It prints tables in Markdown, the worst level first, or with -json their data. docs/peers.md explains the
// comparison. -recast "" leaves the peer out. With -state a finished level is not measured again; another size of the run has lines of
// its own in the file.
//
// Every path of Meadow is judged too: the floor carries it, its length equals that of the prepared search, and no path of the peer
// that keeps to Meadow's floor is shorter. A fault is an error after the tables.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
)

func main() { bench.Main("paths", run) }

// generated are the levels that the program makes: storeys, streets, a repeated quarter, open ground and rough ground. The peer
// closes doors of 1.25 × 2.125 m to an agent of 0.6 × 2 m, so levels with such doors have a smaller agent.
const generated = "tower storeys=24 radius=0.3 height=1.8,highrise size=240 storeys=6 radius=0.3 height=1.8,carpark storeys=8,city size=400," +
	"urban size=118 copies=4,rts size=512,maze size=80,random size=120,pillars size=100,terrain size=512,rough size=256 steepness=60"

// settings are the flags.
type settings struct {
	agent   meadow.Agent
	program string // of the peer, "" for none
	// tile is the side of the peer's tiles in cells, 0 for no tiles.
	tile                int
	pairs, cold, rounds int
	limit               time.Duration // for a mesh of the peer with its paths
	json                bool
	state               string // file of finished levels, "" for none
	scenes.Sources
}

// size is what the figures of a level depend on, besides the level.
type size struct {
	Agent               meadow.Agent
	Tile                int
	Pairs, Cold, Rounds int
	Peer                bool
}

func (s settings) size() size {
	return size{s.agent, s.tile, s.pairs, s.cold, s.rounds, s.program != ""}
}

// finished is a line of the state.
type finished struct {
	Size  size  `json:"size"`
	Level Level `json:"level"`
}

// Results is all measurements.
type Results struct {
	Agent meadow.Agent `json:"agent"`
	// OS, Arch, CPUs and Go are the class of the machine.
	OS     string  `json:"os"`
	Arch   string  `json:"arch"`
	CPUs   int     `json:"cpus"`
	Go     string  `json:"go"`
	Levels []Level `json:"levels"`
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if s.program != "" {
		if _, err := os.Stat(s.program); err != nil {
			return fmt.Errorf("%w; build it with: make -C lab/bench/peers/recast, or leave the peer out with: -recast \"\"", err)
		}
	}
	dir, err := os.MkdirTemp("", "paths")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := s.List(dir)
	if err != nil {
		return err
	}
	res := Results{Agent: s.agent, OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version()}
	if err := s.measureAll(ctx, all, dir, &res, log); err != nil {
		return err
	}
	if s.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		err = e.Encode(res)
	} else {
		err = res.markdown(out)
	}
	return errors.Join(err, res.faults())
}

// measureAll measures the levels that the state does not have.
func (s settings) measureAll(ctx context.Context, all []scenes.Scene, dir string, res *Results, log io.Writer) (err error) {
	var done []Level
	var state *bench.Lines
	if s.state != "" {
		state, err = bench.OpenLines(s.state, func(n int, line []byte) error {
			var f finished
			if err := json.Unmarshal(line, &f); err != nil {
				return fmt.Errorf("%s:%d: %w", s.state, n+1, err)
			}
			if f.Size == s.size() {
				done = append(done, f.Level)
			}
			return nil
		})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, state.Close()) }()
	}
	for _, sc := range all {
		if k := slices.IndexFunc(done, func(l Level) bool { return l.Name == sc.Name }); k >= 0 {
			res.Levels = append(res.Levels, done[k])
			continue
		}
		begin := time.Now()
		l, err := s.measure(ctx, sc, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.Name, err)
		}
		fmt.Fprintf(log, "%s: %.1f s %s\n", sc.Name, time.Since(begin).Seconds(), l.Failed)
		res.Levels = append(res.Levels, l)
		if err := state.Append(finished{s.size(), l}); err != nil {
			return err
		}
	}
	return nil
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("paths", log)
	f.StringVar(&s.program, "recast", filepath.Join("lab", "bench", "peers", "recast", "build", "recast"), "the `program` with Recast and Detour; empty leaves the peer out")
	f.IntVar(&s.tile, "tile", 48, "side of the tiles of the peer's second mesh in `cells`; 0 leaves the second mesh out")
	f.IntVar(&s.pairs, "pairs", 10000, "pairs of places on every level")
	f.IntVar(&s.cold, "cold", 200, "pairs that are also asked with cold caches")
	f.IntVar(&s.rounds, "rounds", 3, "how often everybody gets a turn at a level")
	f.StringVar(&s.Maps, "maps", filepath.Join(".tools", "maps"), "`folder` of *.pk3 with maps")
	f.IntVar(&s.MapCount, "map-count", 10, "number of maps, spread evenly over all")
	list := f.String("generated", generated, "generated `levels`, with commas between: a kind with options; empty for none")
	f.StringVar(&s.Only, "only", "", "`part` of the names of levels")
	f.DurationVar(&s.limit, "limit", 3*time.Minute, "time for a mesh of the peer with its paths; a peer that takes longer has failed on the level")
	f.StringVar(&s.state, "state", "", "`file` of finished levels, to go on from")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.Float64Var(&s.agent.Radius, "radius", 0.6, "of the agent, in `metres`")
	f.Float64Var(&s.agent.Height, "height", 2, "of the agent, in `metres`")
	f.Float64Var(&s.agent.MaxClimb, "climb", 0.9, "highest step, in `metres`")
	slope := f.Float64("slope", 45, "steepest slope, in `degrees`")
	if err := f.FlagSet.Parse(args); err != nil {
		return s, err
	}
	s.agent.MaxSlope = meadow.Degrees(*slope)
	if err := s.agent.Validate(); err != nil {
		return s, err
	}
	switch {
	case s.pairs < 1 || s.rounds < 1:
		return s, fmt.Errorf("%d pairs in %d rounds: both must be at least 1", s.pairs, s.rounds)
	case s.tile < 0 || s.cold < 0 || s.MapCount < 0:
		return s, errors.New("-tile, -cold and -map-count must not be negative")
	case s.limit <= 0:
		return s, fmt.Errorf("-limit %v: must be above 0", s.limit)
	}
	if *list != "" {
		s.Generated = strings.Split(*list, ",")
	}
	s.Named = f.Args()
	return s, nil
}

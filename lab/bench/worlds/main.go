// Worlds measures worlds that change, beside the tile cache of Detour, on the same levels, for the same agent, in the same
// minute.
//
//	make -C lab/bench/peers/recast
//	go run ./lab/bench/worlds [flags] [LEVEL ...]
//
// Without levels the program takes the folder MEADOW_LEVELS, else ../shared/levels, ten maps of the archives in .tools/maps,
// and a generated tower. It prints tables in Markdown, the worst level first, or with -json their data. docs/peers.md
// explains the comparison.
//
// Five parts: obstacles that come, move and go, singly with the first path beside each, and in batches; readers
// beside a writer; a hundred thousand random changes; the regions of a world beside a division of all floor anew; and single
// obstacles among crowds in one region, on a level of the program's own. -tilecache "" leaves the peer out.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/lab/internal/scenes"
)

func main() { bench.Main("worlds", run) }

// settings are the flags.
type settings struct {
	agent   meadow.Agent
	program string // of the peer, "" for none
	json    bool
	// processor tells to count processor time in place of time on the wall.
	processor             bool
	profile               string // file for a profile of the run, "" for none
	parts                 []string
	obstacles, block      int
	readers, rate, rounds int
	window                time.Duration
	changes, things       int
	standing              []int   // obstacles in the crowds
	side                  float64 // of the floor of the crowds, in metres
	scenes.Sources
}

// partNames are the parts of a run.
var partNames = []string{"singles", "readers", "wear", "division", "crowds"}

// clock returns how to tell the time.
func (s settings) clock() func() time.Duration {
	if s.processor {
		return processTime
	}
	return func() time.Duration { return time.Since(started) }
}

func (s settings) has(part string) bool { return slices.Contains(s.parts, part) }

// Results is all measurements.
type Results struct {
	Agent   meadow.Agent `json:"agent"`
	Machine Machine      `json:"machine"`
	// Processor tells that times are processor times.
	Processor bool    `json:"processor_time"`
	Levels    []Level `json:"levels"`
	Crowds    []Crowd `json:"crowds,omitempty"`
}

// Machine is the class of the machine, not its name.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

// Level is a level with the figures of everybody. Parts that were not asked for are empty.
type Level struct {
	Name       string      `json:"name"`
	Triangles  int         `json:"triangles"`
	Failed     string      `json:"failed,omitempty"` // the reason why all other fields are empty
	Regions    int         `json:"regions"`
	Area       float64     `json:"area_m2"`    // of the regions
	WorldMS    float64     `json:"world_ms"`   // time of world.New
	Contenders []Contender `json:"contenders"` // Meadow first
	Readers    *Readers    `json:"readers,omitempty"`
	Wear       *Wear       `json:"wear,omitempty"`
	Division   *Division   `json:"division,omitempty"`
}

// Contender is the figures of one system on a level.
type Contender struct {
	Name    string  `json:"name"`
	Failed  string  `json:"failed,omitempty"` // the reason why all other fields are empty
	Singles Singles `json:"singles"`
	Batches []Batch `json:"batches"`
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if s.program != "" {
		if _, err := os.Stat(s.program); err != nil {
			return fmt.Errorf("%w; build it with: make -C lab/bench/peers/recast, or leave the peer out with: -tilecache \"\"", err)
		}
	}
	dir, err := os.MkdirTemp("", "worlds")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []scenes.Scene
	if !slices.Equal(s.parts, []string{"crowds"}) {
		if all, err = s.List(dir); err != nil {
			return err
		}
	}
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	res := Results{Agent: s.agent, Machine: machine(), Processor: s.processor}
	for _, sc := range all {
		begin := time.Now()
		l, err := s.measure(ctx, sc, log)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.Name, err)
		}
		fmt.Fprintf(log, "%s: %.1f s %s\n", sc.Name, time.Since(begin).Seconds(), l.Failed)
		res.Levels = append(res.Levels, l)
	}
	if s.has("crowds") {
		if res.Crowds, err = s.measureCrowds(ctx, log); err != nil {
			return fmt.Errorf("crowds: %w", err)
		}
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

// faults returns an error if the world has lost an obstacle or a path, or differs from a world made anew.
func (res *Results) faults() error {
	var all []error
	for _, l := range res.Levels {
		n := 0
		if len(l.Contenders) > 0 {
			c := l.Contenders[0]
			n = c.Singles.Lost + c.Singles.Ghosts
			for _, b := range c.Batches {
				n += b.Lost + b.Ghosts
			}
		}
		if l.Wear != nil {
			n += l.Wear.Faults
		}
		if n > 0 {
			all = append(all, fmt.Errorf("%s: %d faults of Meadow", l.Name, n))
		}
	}
	for _, c := range res.Crowds {
		if n := c.Singles.Lost + c.Singles.Ghosts; n > 0 {
			all = append(all, fmt.Errorf("crowd of %d: %d faults of Meadow", c.Standing, n))
		}
	}
	return errors.Join(all...)
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("worlds", log)
	f.StringVar(&s.program, "tilecache", filepath.Join("lab", "bench", "peers", "recast", "build", "tilecache"), "the `program` with Detour's tile cache; empty leaves the peer out")
	f.StringVar(&s.Maps, "maps", filepath.Join(".tools", "maps"), "`folder` of *.pk3 with maps")
	f.IntVar(&s.MapCount, "map-count", 10, "number of maps, spread evenly over all")
	tower := f.String("tower", "12", "`storeys` of the generated tower; empty leaves the tower out")
	f.StringVar(&s.Only, "only", "", "`part` of the names of levels")
	parts := f.String("parts", strings.Join(partNames, ","), "parts to measure")
	f.IntVar(&s.obstacles, "obstacles", 1000, "obstacles on every level, one by one and in the large batch")
	f.IntVar(&s.block, "block", 50, "obstacles in a turn of one system, one by one")
	f.IntVar(&s.readers, "readers", 64, "goroutines that ask for paths")
	f.IntVar(&s.rate, "rate", 1000, "changes a second beside readers")
	f.IntVar(&s.rounds, "rounds", 5, "windows with and without a writer")
	f.DurationVar(&s.window, "window", 500*time.Millisecond, "length of a window")
	f.IntVar(&s.changes, "changes", 100000, "random changes for wear")
	f.IntVar(&s.things, "things", 300, "obstacles that stand during wear, at most, beside readers, and for the division")
	standing := f.String("crowds", "50,200,1000", "`counts` of obstacles that stand in one region, with commas between")
	f.Float64Var(&s.side, "crowd-side", 200, "side of the floor that they stand on, in `metres`")
	f.BoolVar(&s.processor, "processor", false, "count processor time, the collector included, in place of time on the wall: for busy machines")
	f.StringVar(&s.profile, "profile", "", "`file` for a profile of Meadow's processor time, meshes included")
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
	s.parts = strings.Split(*parts, ",")
	for _, p := range s.parts {
		if !slices.Contains(partNames, p) {
			return s, fmt.Errorf("unknown part %q; parts: %s", p, strings.Join(partNames, ", "))
		}
	}
	for _, n := range []struct {
		name  string
		value int
	}{
		{"obstacles", s.obstacles},
		{"block", s.block},
		{"readers", s.readers},
		{"rate", s.rate},
		{"rounds", s.rounds},
		{"changes", s.changes},
		{"things", s.things},
	} {
		if n.value < 1 {
			return s, fmt.Errorf("-%s %d: must be at least 1", n.name, n.value)
		}
	}
	for _, text := range strings.Split(*standing, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1<<20 {
			return s, fmt.Errorf("-crowds %q: must be counts of at least 1", *standing)
		}
		s.standing = append(s.standing, n)
	}
	if !(s.side >= 20 && s.side <= 1<<14) {
		return s, fmt.Errorf("-crowd-side %g: must be between 20 and %d", s.side, 1<<14)
	}
	if s.block > 200 {
		return s, fmt.Errorf("-block %d: must be at most 200, for the pipe to the peer", s.block)
	}
	if s.MapCount < 0 || s.window <= 0 {
		return s, errors.New("-map-count must not be negative, -window must be above 0")
	}
	if *tower != "" {
		s.Generated = []string{"tower storeys=" + *tower}
	}
	s.Named = f.Args()
	return s, nil
}

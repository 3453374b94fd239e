// Changes makes random changes in hundreds of worlds, judges every world by the laws of internal/worldcheck, and stops at
// the first fault with a script that shows it.
//
//	go run ./lab/bench/changes -worlds 1000 -changes 1000 -state changes.jsonl > changes.md
//	go run ./lab/bench/changes -first 4711 -worlds 1
//	go run ./lab/bench/changes -levels ../shared/levels -worlds 100
//
// World number n is the same on every machine: levels.go has the levels and their agents. A campaign with a state file
// goes on where it stopped. The program prints a table in Markdown, by level.
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
	"time"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/worldcheck"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("changes", run) }

// settings are the flags.
type settings struct {
	first, worlds         int
	changes, every        int
	places, paths         int
	readers, jobs         int
	levels                string
	state, dump           string
	all, triangles, links bool
	shrink                int
	limit                 time.Duration
	sites                 []site
	grace                 time.Duration // for a world to notice the limit
}

// record is a finished world, a line of the state file.
type record struct {
	World                           int
	Level                           string
	Changes, Edits, Refused, Checks int
	Read                            int // paths found by readers meanwhile
	Regions, Peak                   int
	Law, Fault                      string // empty without a fault
	Seconds                         float64
}

// header is the first line of a state file: the settings that must be the same when a campaign goes on.
type header struct {
	First, Changes, Every, Places, Paths, Readers int
	Levels                                        string
	Triangles, Links                              bool
}

func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	var all results
	next := s.first
	var lines *bench.Lines
	if s.state != "" {
		want, begun := header{s.first, s.changes, s.every, s.places, s.paths, s.readers, s.levels, s.triangles, s.links}, false
		lines, err = bench.OpenLines(s.state, func(n int, line []byte) error {
			if n == 0 {
				begun = true
				var got header
				if err := json.Unmarshal(line, &got); err != nil || got != want {
					return fmt.Errorf("the state of another campaign: %+v, not %+v", got, want)
				}
				return nil
			}
			var r record
			if err := json.Unmarshal(line, &r); err != nil {
				return err
			}
			all.add(r)
			next = r.World + 1
			return nil
		})
		if err == nil && !begun {
			err = lines.Append(want)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s.state, err), lines.Close())
		}
		defer func() { err = errors.Join(err, lines.Close()) }()
	}
	start := time.Now()
	for ; next < s.first+s.worlds; next += s.jobs {
		n := min(s.jobs, s.first+s.worlds-next)
		done := make([]verdict, n)
		if err := par.For(ctx, n, n, func(i int) error {
			done[i] = s.limited(ctx, next+i)
			return ctx.Err()
		}); err != nil {
			return err
		}
		for _, v := range done {
			all.add(v.record)
			if err := lines.Append(v.record); err != nil {
				return err
			}
			if v.record.Law == "" {
				continue
			}
			path, err := s.keep(v)
			if err != nil {
				return err
			}
			fmt.Fprintf(log, "world %d, %s: %s: %s\n\t%s\n", v.record.World, v.record.Level, v.record.Law, v.record.Fault, path)
			if !s.all {
				return fmt.Errorf("stopped at the first fault; see it again with\n\tgo run ./lab/bench/changes -first %d -worlds 1", v.record.World)
			}
		}
		fmt.Fprintf(log, "worlds to %d: %d changes, %d faults so far, %v\n", next+n-1, all.total().Changes, all.total().faults, time.Since(start).Round(time.Second))
	}
	all.markdown(out)
	if n := all.total().faults; n > 0 {
		return fmt.Errorf("%d faults", n)
	}
	return nil
}

func parse(args []string, log io.Writer) (settings, error) {
	s := settings{grace: 20 * time.Second}
	f := bench.NewFlags("changes", log)
	f.IntVar(&s.first, "first", 0, "number of the first world")
	f.IntVar(&s.worlds, "worlds", 21, "how many worlds")
	f.IntVar(&s.changes, "changes", 1000, "changes of each world")
	f.IntVar(&s.every, "every", 50, "changes between two checks")
	f.IntVar(&s.places, "places", 200, "random places of each check")
	f.IntVar(&s.paths, "paths", 20, "random paths of each check")
	f.IntVar(&s.readers, "readers", 1, "goroutines that ask for paths all the time")
	f.IntVar(&s.jobs, "jobs", 0, "worlds at a time, 0 for one per core")
	f.StringVar(&s.levels, "levels", "", "`folder` of level files in place of generated levels")
	f.StringVar(&s.state, "state", "", "`file` of finished worlds: a stopped campaign goes on from there")
	f.StringVar(&s.dump, "dump", os.TempDir(), "`folder` for the scripts of faults")
	f.BoolVar(&s.triangles, "triangles", true, "put solids of triangles")
	f.BoolVar(&s.links, "links", true, "make links")
	f.BoolVar(&s.all, "all", false, "go on after a fault")
	f.IntVar(&s.shrink, "shrink", 400, "worlds made to shrink a fault")
	f.DurationVar(&s.limit, "limit", 10*time.Minute, "a world that takes longer is a fault")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	for name, n := range map[string]int{"first": s.first, "worlds": s.worlds, "changes": s.changes, "places": s.places, "paths": s.paths, "readers": s.readers, "shrink": s.shrink} {
		if n < 0 {
			return s, fmt.Errorf("-%s is %d, must be 0 or more", name, n)
		}
	}
	if s.every < 1 || s.limit <= 0 {
		return s, errors.New("-every and -limit must be more than nothing")
	}
	if s.jobs <= 0 {
		s.jobs = runtime.GOMAXPROCS(0)
	}
	var err error
	s.sites, err = sitesOf(s.levels)
	return s, err
}

// verdict is a judged world.
type verdict struct {
	record record
	made   made
	result worldcheck.Result
}

// limited judges a world with a limit of time; a panic is a fault.
func (s *settings) limited(ctx context.Context, n int) verdict {
	begin := time.Now()
	name := s.sites[n%len(s.sites)].name
	v := bench.Limited(ctx, s.limit, s.grace, func(ctx context.Context) verdict { return s.judge(ctx, n) }, func(err error) verdict {
		return verdict{record: record{World: n, Level: name, Law: "a world comes to an end", Fault: err.Error()}}
	})
	v.record.Seconds = time.Since(begin).Seconds()
	return v
}

// judge makes world number n and its changes.
func (s *settings) judge(ctx context.Context, n int) verdict {
	at := &s.sites[n%len(s.sites)]
	v := verdict{record: record{World: n, Level: at.name}}
	fail := func(err error) verdict {
		v.record.Law, v.record.Fault = "a world comes to an end", err.Error()
		return v
	}
	var err error
	if v.made, err = at.make(ctx, uint64(n/len(s.sites))); err != nil {
		return fail(err)
	}
	t := worldcheck.Trial{
		Base: v.made.base, Options: v.made.options, Seed: uint64(n), Changes: s.changes, Every: s.every, Readers: s.readers,
		Places: s.places, Paths: s.paths, ShrinkAtMost: s.shrink, NoTriangles: !s.triangles, NoLinks: !s.links,
	}
	r, err := t.Run(ctx)
	v.result = r
	v.record = record{
		World: n, Level: at.name, Changes: r.Changes, Edits: r.Edits, Refused: r.Refused, Checks: r.Checks, Read: r.Read, Regions: r.Regions, Peak: r.Peak,
	}
	if err != nil {
		return fail(err)
	}
	if len(r.Faults) > 0 {
		v.record.Law, v.record.Fault = string(r.Faults[0].Law), r.Faults[0].Detail
	}
	return v
}

// keep writes the script of a fault, with the level in comments.
func (s *settings) keep(v verdict) (string, error) {
	if err := os.MkdirAll(s.dump, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(s.dump, fmt.Sprintf("changes-%d.txt", v.record.World))
	return path, atomicfile.Write(path, func(w io.Writer) error {
		fmt.Fprintf(w, "# %s\n# %s: %.500q\n", v.made.note, v.record.Law, v.record.Fault)
		if !v.result.Shrunk {
			fmt.Fprintf(w, "# not shrunk: the fault did not come again with the same changes\n")
		}
		var f worldcheck.Fault
		if len(v.result.Faults) > 0 {
			f = v.result.Faults[0]
		}
		_, err := io.WriteString(w, worldcheck.Script(v.result.History, f).String())
		return err
	})
}

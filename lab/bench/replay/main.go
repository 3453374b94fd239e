// Replay walks one crowd several times and compares the bits: with other numbers of goroutines, with its agents added in another order,
// and from states saved on the way. Groups, led agents with the forces of package steer, vehicles, crates that come and go, and the
// density of the crowd take part.
//
//	make replay                                     all processors
//	go run ./lab/bench/replay -steps 100000         this one
//
// The last line is the hash of the run. With -want a program for another processor compares its hash with that of the first.
package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("replay", run) }

// settings are the flags.
type settings struct {
	steps, agents int
	jobs, runs    string
	want          string
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("replay", log)
	f.IntVar(&s.steps, "steps", 2000, "steps of 0.05 s")
	f.IntVar(&s.agents, "agents", 60, "number of agents, at least 20")
	f.StringVar(&s.jobs, "jobs", "1,2,8", "numbers of goroutines, with commas; the first run has the first")
	f.StringVar(&s.runs, "runs", "order,restore", "other runs, with commas: order adds the agents in another order, restore goes on from saved states")
	f.StringVar(&s.want, "want", "", "hash that the runs must have")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.steps < 1 || s.agents < 20 || s.agents > 1000 {
		return s, fmt.Errorf("%d steps of %d agents, must be 1 or more steps of 20 to 1000 agents", s.steps, s.agents)
	}
	return s, nil
}

// kind is a way to walk the crowd that must change no bit.
type kind struct {
	name    string
	jobs    int
	order   uint64 // seed of the order in which agents are added, 0 for that of their ids
	restore int    // steps between restored states, 0 for none
}

// kinds lists the runs.
func (s *settings) kinds() ([]kind, error) {
	var list []kind
	for text := range strings.SplitSeq(s.jobs, ",") {
		jobs, err := strconv.Atoi(text)
		if err != nil || jobs < 1 {
			return nil, fmt.Errorf("-jobs %q: %q is not a number from 1", s.jobs, text)
		}
		list = append(list, kind{name: fmt.Sprintf("%d goroutines", jobs), jobs: jobs})
	}
	for text := range strings.SplitSeq(s.runs, ",") {
		switch text {
		case "order":
			list = append(list, kind{name: "agents added in another order", jobs: list[0].jobs, order: 9})
		case "restore":
			list = append(list, kind{name: "restored on the way", jobs: list[0].jobs, restore: max(s.steps/7, 1)})
		case "":
		default:
			return nil, fmt.Errorf("no run %q; runs: order, restore", text)
		}
	}
	return list, nil
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	kinds, err := s.kinds()
	if err != nil {
		return err
	}
	mesh, err := floor(ctx)
	if err != nil {
		return err
	}
	want := s.want
	for _, k := range kinds {
		began := time.Now()
		p, err := begin(ctx, mesh, s.agents, k)
		if err != nil {
			return err
		}
		for range s.steps {
			if err := p.step(ctx); err != nil {
				return fmt.Errorf("%s, step %d: %w", k.name, p.now, err)
			}
		}
		got := fmt.Sprintf("%016x", p.hash)
		fmt.Fprintf(log, "%s/%s, %s: %d steps in %.1f s, %d goals, %d restored: %s\n", runtime.GOOS, runtime.GOARCH, k.name, s.steps, time.Since(began).Seconds(), p.goals, p.restored, got)
		if want == "" {
			want = got
		}
		if got != want {
			return fmt.Errorf("%s/%s, %s: the hash is %s, want %s", runtime.GOOS, runtime.GOARCH, k.name, got, want)
		}
	}
	fmt.Fprintln(out, want)
	return nil
}

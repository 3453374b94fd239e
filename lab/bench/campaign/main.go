// Campaign decomposes thousands of random worlds by every method, judges every result, and stops at the first
// fault with the data to repeat it.
//
//	go run ./lab/bench/campaign -worlds 10000 -state campaign.jsonl > campaign.md
//	go run ./lab/bench/campaign -first 4711 -worlds 1 -generators wavefront
//
// World number n is the same on every machine. judge.go has the promises and their judgement, worlds.go the
// worlds. With -state, every finished hundred of worlds is appended to a file, and a later run with the same
// file goes on where the last one ended. The program prints tables in Markdown.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("campaign", run) }

// settings are the flags.
type settings struct {
	first   uint64
	worlds  int
	methods []gen.Generator
	jobs    int
	state   string
	dump    string
	all     bool
	limit   time.Duration
	grace   time.Duration // for a method to notice the limit
}

// chunk is how many worlds are done before their sums are kept.
const chunk = 100

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	return s.run(ctx, out, log)
}

// run does the remaining work and prints the tables.
func (s *settings) run(ctx context.Context, out, log io.Writer) error {
	j := newJournal(*s)
	if s.state != "" {
		if err := j.open(s.state); err != nil {
			return err
		}
		defer j.close()
	}
	start := time.Now()
	faults := 0
	for first := s.first; first < s.first+uint64(s.worlds); first += chunk {
		if j.has(first) {
			continue
		}
		n := int(min(chunk, s.first+uint64(s.worlds)-first))
		sum, found, err := s.campaign(ctx, first, n)
		if err != nil {
			return err
		}
		for _, f := range found {
			faults++
			fmt.Fprintf(log, "%v\n", f)
			if err := s.keep(f); err != nil {
				return err
			}
		}
		if faults > 0 && !s.all {
			return fmt.Errorf("stopped at the first fault; see it again with\n\tgo run ./lab/bench/campaign -first %d -worlds 1 -generators %s",
				found[0].World, found[0].Method)
		}
		if err := j.add(sum); err != nil {
			return err
		}
		fmt.Fprintf(log, "worlds %d to %d: %d faults so far, %v\n", first, first+uint64(n)-1, faults, time.Since(start).Round(time.Second))
	}
	if err := j.sums().markdown(out); err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d faults", faults)
	}
	return nil
}

func parse(args []string, log io.Writer) (settings, error) {
	s := settings{grace: 10 * time.Second}
	f := bench.NewFlags("campaign", log)
	f.Uint64Var(&s.first, "first", 0, "number of the first world")
	f.IntVar(&s.worlds, "worlds", 100, "how many worlds")
	methods := f.String("generators", "", "`names` of generators, separated by commas; all complete ones by default")
	f.IntVar(&s.jobs, "jobs", 0, "worlds at a time, 0 for one per core")
	f.StringVar(&s.state, "state", "", "`file` that keeps the sums of finished worlds, to go on from")
	f.StringVar(&s.dump, "dump", os.TempDir(), "`folder` for the worlds of faults")
	f.BoolVar(&s.all, "all", false, "go on after a fault")
	f.DurationVar(&s.limit, "limit", 2*time.Minute, "a generator that takes longer for one world is at fault")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.worlds < 1 || s.limit <= 0 {
		return s, fmt.Errorf("%d worlds of at most %v: both must be positive", s.worlds, s.limit)
	}
	if s.jobs <= 0 {
		s.jobs = runtime.GOMAXPROCS(0)
	}
	names := slices.DeleteFunc(catalog.Names(), func(name string) bool { return slices.Contains(incomplete, name) })
	if *methods != "" {
		names = strings.Split(*methods, ",")
	}
	for _, name := range names {
		g, err := catalog.Generator(name)
		if err != nil {
			return s, err
		}
		s.methods = append(s.methods, g)
	}
	return s, nil
}

// campaign judges n worlds and returns their sums, or all their faults by world and method.
func (s *settings) campaign(ctx context.Context, first uint64, n int) (sums, []fault, error) {
	each := make([]sums, n)
	found := make([][]fault, n)
	err := par.For(ctx, s.jobs, n, func(i int) error {
		w := makeWorld(first + uint64(i))
		each[i] = newSums(s.methods, w)
		for k, g := range s.methods {
			v, err := s.limited(ctx, w, g)
			if errors.Is(err, context.Canceled) {
				return err
			}
			if err != nil {
				found[i] = append(found[i], fault{World: w.number, Kind: w.kind, Method: g.Name(), Detail: err.Error(), world: w})
			}
			each[i].Methods[k].add(v, err)
		}
		each[i].compare()
		return nil
	})
	if err != nil {
		return sums{}, nil, err
	}
	sum := each[0]
	sum.First = first
	for _, e := range each[1:] {
		sum.merge(e)
	}
	return sum, slices.Concat(found...), nil
}

// limited is judge with a limit of time; a panic is an error.
func (s *settings) limited(ctx context.Context, w *world, g gen.Generator) (verdict, error) {
	type answer struct {
		verdict
		error
	}
	a := bench.Limited(ctx, s.limit, s.grace, func(ctx context.Context) answer {
		v, err := judge(ctx, w, g)
		return answer{v, err}
	}, func(err error) answer { return answer{error: err} })
	return a.verdict, a.error
}

// keep writes the world of a fault to a file of its own.
func (s *settings) keep(f fault) error {
	if err := os.MkdirAll(s.dump, 0o777); err != nil {
		return err
	}
	return atomicfile.Write(f.file(s.dump), f.dump)
}

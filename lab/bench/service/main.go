// Service asks a path service for thousands of paths a second on a generated city, tick after tick, and prints whether the
// budget of work was kept and how much processor time the ticks took.
//
//	go run ./lab/bench/service
//	go run ./lab/bench/service -common 0 -changes 1 -jobs 2
//
// The program plays the ticks of a game without pauses. Its walkers ask for ways to places of their own, or, as many as
// -common says, to a few places that all walkers know. -changes moves as many crates in each tick; the service then follows
// the snapshots of a world. A table in Markdown has the figures.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query/service"
	"github.com/meadow-nav/meadow/world"
)

func main() { bench.Main("service", run) }

// settings are the flags.
type settings struct {
	kind          string
	size          float64
	seconds, rate int
	ticks, units  int
	common        float64
	places        int
	changes       int
	alone         bool
	jobs, slots   int
	seed          uint64
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("service", log)
	f.StringVar(&s.kind, "kind", "city", "kind of the generated level")
	f.Float64Var(&s.size, "size", 235, "side of the level in metres")
	f.IntVar(&s.seconds, "seconds", 60, "seconds of the game")
	f.IntVar(&s.rate, "rate", 10_000, "requests a second")
	f.IntVar(&s.ticks, "ticks", 60, "ticks a second")
	f.IntVar(&s.units, "units", 50_000, "budget of a tick in units of work")
	f.Float64Var(&s.common, "common", 0.5, "share of requests to common places")
	f.IntVar(&s.places, "places", 10, "number of common places")
	f.IntVar(&s.changes, "changes", 0, "crates that move in a tick")
	f.BoolVar(&s.alone, "alone", false, "a search for every request")
	f.IntVar(&s.jobs, "jobs", 1, "goroutines of the service")
	f.IntVar(&s.slots, "slots", 0, "searches in progress, 0 for the default")
	f.Uint64Var(&s.seed, "seed", 1, "seed of all random choices")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.seconds < 1 || s.rate < 1 || s.ticks < 1 || s.units < 1 || s.places < 1 || s.changes < 0 || s.jobs < 0 {
		return s, errors.New("want at least a second, a request, a tick, a unit and a place, and no negative numbers")
	}
	if !(s.common >= 0 && s.common <= 1) {
		return s, fmt.Errorf("a share of %g common requests, must be from 0 to 1", s.common)
	}
	return s, nil
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	lvl, err := levelgen.Generate(s.kind, levelgen.Options{Seed: s.seed, Size: s.size})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	g, err := newGame(ctx, s, mesh)
	if err != nil {
		return err
	}
	for range s.seconds * s.ticks {
		if err := g.tick(ctx); err != nil {
			return err
		}
	}
	asked := g.service.Statistics()
	for g.service.Statistics().Waiting+g.service.Statistics().Running > 0 {
		g.service.Tick(s.units)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return g.table(out, mesh.RegionCount(), asked)
}

// game plays ticks.
type game struct {
	settings
	rng     *rand.Rand
	service *service.Service
	world   *world.World
	floor   []geom.Vec // places of walkers
	common  []geom.Vec
	crates  int

	times             []time.Duration
	work              []int
	longest, over     int // work of an answer, and above the budget
	waited, most      int // ticks of all answers, and of the slowest
	answers, complete int
}

func newGame(ctx context.Context, s settings, mesh *meadow.Mesh) (*game, error) {
	g := &game{settings: s, rng: rand.New(rand.NewPCG(s.seed, 5))}
	opt := service.Options{Jobs: s.jobs, Slots: s.slots, Alone: s.alone}
	var err error
	if g.service, err = service.New(mesh.Index(), opt); err != nil {
		return nil, err
	}
	q := mesh.NewQuery()
	for range 20_000 {
		p, ok := q.RandomPoint(g.rng)
		if !ok {
			return nil, errors.New("the level has no floor")
		}
		g.floor = append(g.floor, p.Point)
	}
	g.common = g.floor[:s.places]
	if s.changes > 0 {
		g.world, err = meadow.NewWorld(ctx, mesh, meadow.WorldOptions{})
	}
	return g, err
}

func (g *game) place() geom.Vec { return g.floor[g.rng.IntN(len(g.floor))] }

// change moves crates.
func (g *game) change(ctx context.Context) error {
	if g.world == nil {
		return nil
	}
	var edits []world.Edit
	for range g.changes {
		id := world.ID(fmt.Sprint("crate ", g.crates%1000))
		solid := world.Box{Base: g.place(), Size: geom.Vec{X: 1, Y: 1, Z: 1.5}, Yaw: g.rng.Float64()}
		if g.crates++; g.crates <= 1000 {
			edits = append(edits, world.Put{ID: id, Solid: solid})
		} else {
			edits = append(edits, world.Move{ID: id, Solid: solid})
		}
	}
	if _, err := g.world.Apply(ctx, edits...); err != nil {
		return err
	}
	g.service.Use(g.world.Now().Index())
	return nil
}

// tick changes the world, hands in requests and takes answers. Only the service is timed.
func (g *game) tick(ctx context.Context) error {
	if err := g.change(ctx); err != nil {
		return err
	}
	n := len(g.times)
	var requests []service.Request
	for range (n+1)*g.rate/g.ticks - n*g.rate/g.ticks {
		r := service.Request{Start: g.place(), Goal: g.place()}
		if g.rng.Float64() < g.settings.common {
			r.Goal = g.common[g.rng.IntN(len(g.common))]
		}
		requests = append(requests, r)
	}
	before := g.service.Statistics().Work
	begin := bench.Clock()
	for _, r := range requests {
		if _, err := g.service.Submit(r); err != nil && !errors.Is(err, service.ErrFull) {
			return err
		}
	}
	answers := g.service.Tick(g.units)
	g.times = append(g.times, bench.Clock()-begin)
	work := g.service.Statistics().Work - before
	g.work, g.over = append(g.work, work), max(g.over, work-g.units)
	for _, a := range answers {
		g.longest, g.most = max(g.longest, 4+len(a.Path.Regions())), max(g.most, a.Ticks)
		g.waited += a.Ticks
		if g.answers++; a.Path.Complete {
			g.complete++
		}
	}
	if g.over > g.longest {
		return fmt.Errorf("tick %d: %d units above the budget of %d, an answer has at most %d", n, g.over, g.units, g.longest)
	}
	return nil
}

// table prints the figures.
func (g *game) table(out io.Writer, regions int, asked service.Statistics) error {
	slices.Sort(g.times)
	slices.Sort(g.work)
	total := time.Duration(0)
	for _, d := range g.times {
		total += d
	}
	n := len(g.times)
	share := func(part float64) time.Duration { return g.times[int(float64(n-1)*part)] }
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Nanoseconds())/1e6) }
	end := g.service.Statistics()
	if end.Answered != end.Submitted {
		return fmt.Errorf("%d of %d requests are answered", end.Answered, end.Submitted)
	}
	_, err := fmt.Fprintf(out, `| | |
|---|---|
| regions | %d |
| requests, a second | %d, %d |
| answered in the game, with a path | %d, %d |
| answered by shared searches | %d |
| refused, waiting at the end | %d, %d |
| ticks until the answer, mean and most | %.2f, %d |
| units a tick: budget, median, most | %d, %d, %d |
| units above the budget, of the longest answer | %d, %d |
| a tick: median, 99 %%, longest | %s, %s, %s |
| time of the service a second of the game | %s |
| a request, a unit | %.1f µs, %.0f ns |
`, regions, asked.Submitted+asked.Refused, g.rate, g.answers, g.complete, asked.Shared, asked.Refused, asked.Waiting+asked.Running,
		float64(g.waited)/float64(max(g.answers, 1)), g.most, g.units, g.work[n/2], g.work[n-1], max(g.over, 0), g.longest,
		ms(share(0.5)), ms(share(0.99)), ms(share(1)), ms(total/time.Duration(g.seconds)),
		float64(total.Nanoseconds())/1e3/float64(max(g.answers, 1)), float64(total.Nanoseconds())/float64(max(asked.Work, 1)))
	return err
}

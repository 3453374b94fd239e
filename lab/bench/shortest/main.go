// Shortest asks for paths in random worlds, on meshes by every method, by the search and prepared, and compares
// each with the shortest path by a visibility graph of the world's vertices.
//
//	go run ./lab/bench/shortest -queries 100000
//	go run ./lab/bench/shortest -first 4711 -worlds 1
//
// World number n, its method and its queries are the same on every machine. The program stops at the first
// path that is shorter than the oracle's, or longer by more than a part in 10⁹, and prints the data to repeat
// it. Otherwise the output is a table in Markdown. Half of the query places are vertices of the world or on
// its walls.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
	"github.com/meadow-nav/meadow/query"
)

func main() { bench.Main("shortest", run) }

// tolerance is the part of a length by which a path may differ from the oracle's.
const tolerance = 1e-9

// settings are the flags.
type settings struct {
	first         uint64
	worlds        int
	queries, each int
	jobs          int
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("shortest", log)
	f.Uint64Var(&s.first, "first", 0, "number of the first world")
	f.IntVar(&s.worlds, "worlds", 0, "number of worlds (0: as many as the queries need)")
	f.IntVar(&s.queries, "queries", 100000, "number of paths to ask for in all, if -worlds is 0")
	f.IntVar(&s.each, "each", 100, "paths to ask for in a world")
	f.IntVar(&s.jobs, "jobs", 0, "worlds at once (0: one per core)")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.worlds < 0 || s.queries < 1 || s.each < 1 {
		return s, fmt.Errorf("%d worlds, %d queries, %d in each world: there must be some", s.worlds, s.queries, s.each)
	}
	if s.worlds == 0 {
		s.worlds = (s.queries + s.each - 1) / s.each
	}
	return s, nil
}

// tally is the result for the worlds of a kind.
type tally struct {
	worlds, regions, queries int
	bends                    int
	worst                    float64 // part of the length
}

func (t *tally) add(u tally) {
	t.worlds, t.regions, t.queries, t.bends = t.worlds+u.worlds, t.regions+u.regions, t.queries+u.queries, t.bends+u.bends
	t.worst = max(t.worst, u.worst)
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	tallies := make([]tally, s.worlds)
	faults := make([]error, s.worlds)
	err = par.For(ctx, s.jobs, s.worlds, func(i int) error {
		tallies[i], faults[i] = judge(ctx, s.first+uint64(i), s.each)
		return faults[i]
	})
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| worlds | number | regions | paths | bends a path | largest difference |\n|---|---|---|---|---|---|")
	var all tally
	row := func(name string, t tally) {
		fmt.Fprintf(out, "| %s | %d | %d | %d | %.1f | %.1e |\n", name, t.worlds, t.regions, t.queries, float64(t.bends)/float64(max(1, t.queries)), t.worst)
	}
	for k, name := range kinds() {
		var sum tally
		for i := range tallies {
			if int((s.first+uint64(i))%uint64(len(kinds()))) == k {
				sum.add(tallies[i])
			}
		}
		row(name, sum)
		all.add(sum)
	}
	row("all", all)
	return nil
}

// kinds returns the names of the kinds of worlds, in the order of their numbers.
func kinds() []string {
	names := []string{"scattered"}
	for _, s := range corpus.Shapes() {
		names = append(names, s.String())
	}
	return names
}

// makeWorld returns the world of a number, and random numbers for its queries.
func makeWorld(number uint64) (*plan.Domain, *rand.Rand) {
	rng := rand.New(rand.NewPCG(number, 0x73686f7274))
	if kind := number % uint64(len(kinds())); kind > 0 {
		p := corpus.Make(corpus.Shapes()[kind-1], number, 20+rng.IntN(80), rng.IntN(8))
		return gentest.Domain(p.Rings...), rng
	}
	return gentest.Scatter(rng, 1+rng.IntN(3), 1000+rng.Int32N(100000), gentest.Mixed), rng
}

// judge asks for paths in a world.
func judge(ctx context.Context, number uint64, count int) (tally, error) {
	t := tally{worlds: 1}
	d, rng := makeWorld(number)
	name := catalog.Names()[rng.IntN(len(catalog.Names()))]
	fault := func(format string, args ...any) error {
		return fmt.Errorf("world %d by %s: %w", number, name, fmt.Errorf(format, args...))
	}
	p := &plan.Plan{Agent: geom.Agent{Radius: geom.PointRadius}.WithDefaults(), Components: 1, Layers: []plan.Layer{{Domains: []plan.Domain{*d}}}}
	cells, err := decompose(ctx, name, p, number)
	if err != nil {
		return t, fault("%w", err)
	}
	mesh, _, err := join.Build(ctx, p, [][][]plan.Cell{{cells}}, join.Options{Jobs: 1})
	if err != nil {
		return t, fault("%w", err)
	}
	t.regions = mesh.RegionCount()
	ix := query.NewIndex(mesh)
	prepared, err := ix.Prepare(ctx)
	if err != nil {
		return t, fault("%w", err)
	}
	queries := [...]*query.Query{ix.NewQuery(), prepared.NewQuery()}
	o := newOracle(d.Polygon)
	for t.queries < count {
		a, b := draw(rng, o), draw(rng, o)
		want := o.length(a, b) * lattice.Unit
		for _, q := range queries {
			path, err := q.Path(ctx, mesh.Frame.ToWorld(a, 0), mesh.Frame.ToWorld(b, 0))
			if err != nil {
				return t, fault("%v to %v: %w", a, b, err)
			}
			if !path.Complete || math.Abs(path.Length-want) > tolerance*want {
				return t, fault("%v to %v, prepared is %v: complete is %v, %v m, the shortest path has %v m", a, b, q != queries[0], path.Complete, path.Length, want)
			}
			if want > 0 {
				t.worst = max(t.worst, math.Abs(path.Length-want)/want)
			}
			if q == queries[0] {
				t.bends += max(0, len(path.Points)-2)
			}
		}
		t.queries++
	}
	return t, nil
}

// decompose returns the cells of a world by a method, or triangulates the world where the method leaves something out.
func decompose(ctx context.Context, name string, p *plan.Plan, seed uint64) ([]plan.Cell, error) {
	for _, n := range []string{name, "delaunay"} {
		g, err := catalog.Generator(n)
		if err != nil {
			return nil, err
		}
		all, err := gen.DecomposePlan(ctx, g, p, seed, 1)
		if err != nil {
			return nil, err
		}
		if all[0][0].Report.Lost == 0 {
			return all[0][0].Cells, nil
		}
	}
	return nil, errors.New("no method covers the floor")
}

// draw draws a place: a vertex, a point of a wall, or any.
func draw(rng *rand.Rand, o *oracle) lattice.Point {
	ring := o.polygon.Rings[rng.IntN(len(o.polygon.Rings))]
	k := rng.IntN(len(ring))
	switch rng.IntN(4) {
	case 0:
		return ring[k]
	case 1:
		a, b := ring[k], ring[(k+1)%len(ring)]
		dx, dy := b.Sub(a)
		if step := gcd(dx, dy); step > 1 {
			n := 1 + rng.Int64N(step-1)
			return lattice.Point{X: a.X + int32(dx/step*n), Y: a.Y + int32(dy/step*n)}
		}
		return a
	}
	box := o.polygon.Box()
	w, h := box.Size()
	for {
		p := lattice.Point{X: box.Min.X + int32(rng.Int64N(w+1)), Y: box.Min.Y + int32(rng.Int64N(h+1))}
		if o.polygon.Contains(p) {
			return p
		}
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// Density measures how the time of a build grows with the detail in a fixed space, on the dense kinds of internal/randlevel: gratings, woven
// mats, cobbles, pebbles, shelves, pipes, hedges and rocks.
//
//	go run ./lab/bench/density > density.md
//	go run ./lab/bench/density -kinds gratings,weave -factors 1,4 -radius 0.4 -climb 0.4
//
// Twice the detail in the same space is twice the triangles, and up to four times the pairs of triangles near each other. The program prints a
// row for each kind, with the processor time of a build on one core, and the exponent between the least and the most detail. A build past the
// limit is a fault. The kind with the greatest exponent comes first.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/randlevel"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("density", run) }

// settings are the flags.
type settings struct {
	kinds   []string
	factors []int
	seed    uint64
	agent   meadow.Agent
	rounds  int
	limit   time.Duration
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("density", log)
	kinds := f.String("kinds", strings.Join(randlevel.DenseKinds(), ","), "kinds of level, with commas between")
	factors := f.String("factors", "1,2,4", "how many times the detail, with commas between, in ascending order")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the levels")
	f.Float64Var(&s.agent.Radius, "radius", 0.6, "radius of the agent in `metres`")
	f.Float64Var(&s.agent.Height, "height", 2, "height of the agent in `metres`")
	f.Float64Var(&s.agent.MaxClimb, "climb", 0.9, "highest step of the agent in `metres`")
	gap := f.String("gap", "", "widest gap that the agent steps over in `metres`, 0 for none; by default half of the step, at most the radius")
	slope := f.Float64("slope", 45, "steepest slope of the agent in `degrees`")
	f.IntVar(&s.rounds, "rounds", 3, "builds of a level; the fastest counts")
	f.DurationVar(&s.limit, "limit", time.Minute, "the time of a build beyond which the build is a fault")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	s.agent.MaxSlope = geom.Degrees(*slope)
	if *gap != "" {
		var err error
		if s.agent.MaxGap, err = strconv.ParseFloat(*gap, 64); err != nil {
			return s, fmt.Errorf("gap %q is no number", *gap)
		}
	}
	s.kinds = strings.Split(*kinds, ",")
	for _, k := range s.kinds {
		if !slices.Contains(randlevel.DenseKinds(), k) {
			return s, fmt.Errorf("unknown kind %q; kinds: %s", k, strings.Join(randlevel.DenseKinds(), ", "))
		}
	}
	for _, text := range strings.Split(*factors, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || len(s.factors) > 0 && n <= s.factors[len(s.factors)-1] {
			return s, fmt.Errorf("factors %q: whole numbers from 1 on are needed, in ascending order", *factors)
		}
		s.factors = append(s.factors, n)
	}
	if s.rounds < 1 || s.limit <= 0 {
		return s, errors.New("rounds must be at least 1, and the limit above 0")
	}
	if err := s.agent.Validate(); err != nil {
		return s, err
	}
	if *gap != "" && s.agent.MaxGap == 0 {
		s.agent.MaxGap = meadow.NoGap
	}
	return s, nil
}

// row is a kind with a figure for each factor.
type row struct {
	kind    string
	figures []figure
}

// figure is the build of one level.
type figure struct {
	triangles int
	time      time.Duration // of the processor
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	var rows []row
	var faults []error
	for _, kind := range s.kinds {
		r := row{kind: kind}
		for _, factor := range s.factors {
			f, err := s.measure(ctx, kind, factor)
			if err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				faults = append(faults, fmt.Errorf("%s, %d times: %w", kind, factor, err))
				break // more detail would take longer still
			}
			fmt.Fprintf(log, "%s, %d times: %d triangles, %v\n", kind, factor, f.triangles, f.time)
			r.figures = append(r.figures, f)
		}
		rows = append(rows, r)
	}
	return errors.Join(append(faults, s.table(out, rows))...)
}

// measure builds a level on one core, and returns the least time of some rounds.
func (s *settings) measure(ctx context.Context, kind string, factor int) (figure, error) {
	lvl := randlevel.Dense(kind, s.seed, factor)
	f := figure{len(lvl.Triangles), math.MaxInt64}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.rounds)*s.limit)
	defer cancel()
	for range s.rounds {
		start := bench.Clock()
		_, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Agent: s.agent, KeepAll: true, Jobs: 1}, meadow.MeshOptions{Jobs: 1})
		if err != nil {
			return f, err
		}
		f.time = min(f.time, bench.Clock()-start)
	}
	if f.time > s.limit {
		return f, fmt.Errorf("%d triangles take %v, more than %v", f.triangles, f.time, s.limit)
	}
	return f, nil
}

// exponent returns how time grows with triangles from the first figure to the last, NaN for fewer than two figures.
func (r *row) exponent() float64 {
	if len(r.figures) < 2 {
		return math.NaN()
	}
	first, last := r.figures[0], r.figures[len(r.figures)-1]
	return math.Log(last.time.Seconds()/first.time.Seconds()) / math.Log(float64(last.triangles)/float64(first.triangles))
}

// table prints the rows, those without all figures first, and then those with the greatest exponents.
func (s *settings) table(out io.Writer, rows []row) error {
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(len(a.figures), len(b.figures)), cmp.Compare(b.exponent(), a.exponent()))
	})
	var b strings.Builder
	b.WriteString("| kind |")
	for _, f := range s.factors {
		fmt.Fprintf(&b, " %d×: triangles | ms | µs a triangle |", f)
	}
	b.WriteString(" exponent |\n|---|" + strings.Repeat("---|", 3*len(s.factors)) + "---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.kind)
		for i := range s.factors {
			if i >= len(r.figures) {
				b.WriteString(" — | — | — |")
				continue
			}
			f := r.figures[i]
			fmt.Fprintf(&b, " %d | %.0f | %.1f |", f.triangles, 1e3*f.time.Seconds(), 1e6*f.time.Seconds()/float64(f.triangles))
		}
		fmt.Fprintf(&b, " %.2f |\n", r.exponent())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
)

// The aims for a change with the first path beside it, in microseconds; a batch by the obstacles after each other; the paths that
// readers lose; the regions after many changes by the regions made anew.
const (
	aimP50     = 40
	aimP99     = 200
	aimBatch   = 0.3
	aimLoss    = 0.05
	aimRegions = 1.05
)

const nothing = "—"

// markdown prints the tables.
func (res *Results) markdown(out io.Writer) error {
	var b strings.Builder
	a, times := res.Agent, "times on the wall"
	if res.Processor {
		times = "processor times"
	}
	fmt.Fprintf(&b, "Agent: radius %g m, height %g m, climb %g m, slope %.4g°. Machine: %s/%s, %d cores, %s. Times are %s. The worst level first.\n",
		a.Radius, a.Height, a.MaxClimb, a.MaxSlope/meadow.Degrees(1), res.Machine.OS, res.Machine.Arch, res.Machine.CPUs, res.Machine.Go, times)
	res.singles(&b)
	res.parts(&b)
	res.batches(&b)
	res.readers(&b)
	res.wear(&b)
	res.crowds(&b)
	res.division(&b)
	for _, l := range res.Levels {
		if l.Failed != "" {
			fmt.Fprintf(&b, "\n%s: %s.\n", l.Name, l.Failed)
		}
		for _, c := range l.Contenders {
			if c.Failed != "" {
				fmt.Fprintf(&b, "\n%s, %s: %s.\n", l.Name, c.Name, c.Failed)
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// table prints a heading and the names of the columns, and returns how to print a row.
func table(b *strings.Builder, title string, columns ...string) (row func(cells ...string)) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	row = func(cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }
	row(columns...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(columns)))
	return row
}

// worst returns the levels that have figures, by badness in decreasing order.
func (res *Results) worst(has func(Level) bool, badness func(Level) float64) []Level {
	some := slices.DeleteFunc(slices.Clone(res.Levels), func(l Level) bool { return !has(l) })
	slices.SortStableFunc(some, func(a, b Level) int { return cmp.Compare(badness(b), badness(a)) })
	return some
}

func hasSingles(l Level) bool { return len(l.Contenders) > 0 }

func (s *Singles) steps() []*Step { return []*Step{&s.In, &s.Move, &s.Out} }

// badness is the largest time by its aim.
func (s *Singles) badness() float64 {
	worst := 0.0
	for _, step := range s.steps() {
		worst = max(worst, step.Both.P50/aimP50, step.Both.P99/aimP99)
	}
	return worst
}

func (m Micros) String() string { return fmt.Sprintf("%s / %s", digits(m.P50), digits(m.P99)) }

func (res *Results) singles(b *strings.Builder) {
	levels := res.worst(hasSingles, func(l Level) float64 { return l.Contenders[0].Singles.badness() })
	if len(levels) == 0 {
		return
	}
	columns := []string{"level", "regions", "m²", "NewWorld, ms"}
	for _, c := range levels[0].Contenders {
		for _, step := range []string{"in", "move", "out"} {
			columns = append(columns, c.Name+": "+step)
		}
		columns = append(columns, "lost")
	}
	title := fmt.Sprintf("One obstacle and the first path beside it, µs: median / 99 %%; at most %d / %d", aimP50, aimP99)
	row := table(b, title, columns...)
	for _, l := range levels {
		cells := []string{l.Name, fmt.Sprint(l.Regions), fmt.Sprintf("%.0f", l.Area), digits(l.WorldMS)}
		for _, c := range l.Contenders {
			for _, step := range c.Singles.steps() {
				cells = append(cells, c.cell(step.Both.String()))
			}
			cells = append(cells, c.cell(fmt.Sprintf("%d of %d", c.Singles.Lost+c.Singles.Ghosts, c.Singles.Free)))
		}
		row(cells...)
	}
	res.medians(b, levels)
	res.growth(b)
}

// cell is a text for a contender with figures.
func (c Contender) cell(text string) string {
	if c.Failed != "" {
		return nothing
	}
	return text
}

// medians prints medians over levels.
func (res *Results) medians(b *strings.Builder, levels []Level) {
	row := table(b, "The same, medians over levels", "system", "in", "move", "out")
	for k, c := range levels[0].Contenders {
		cells := []string{c.Name}
		for step := range 3 {
			var p50, p99 []float64
			for _, l := range levels {
				if l.Contenders[k].Failed == "" {
					m := l.Contenders[k].Singles.steps()[step].Both
					p50, p99 = append(p50, m.P50), append(p99, m.P99)
				}
			}
			if len(p50) == 0 {
				cells = append(cells, nothing)
				continue
			}
			cells = append(cells, Micros{P50: median(p50), P99: median(p99)}.String())
		}
		row(cells...)
	}
}

// growth prints the medians on the level of the most regions by the medians on the level of the fewest.
func (res *Results) growth(b *strings.Builder) {
	var small, large *Level
	for i, l := range res.Levels {
		if !hasSingles(l) {
			continue
		}
		if small == nil || l.Regions < small.Regions {
			small = &res.Levels[i]
		}
		if large == nil || l.Regions > large.Regions {
			large = &res.Levels[i]
		}
	}
	if small == large {
		return
	}
	fmt.Fprintf(b, "\nGrowth from %s, %d regions, to %s, %d regions, by medians:", small.Name, small.Regions, large.Name, large.Regions)
	for k, c := range small.Contenders {
		other := large.Contenders[k]
		if c.Failed != "" || other.Failed != "" {
			continue
		}
		fmt.Fprintf(b, " %s", c.Name)
		for step, name := range []string{"in", "move", "out"} {
			fmt.Fprintf(b, " %s %.2f", name, other.Singles.steps()[step].Both.P50/c.Singles.steps()[step].Both.P50)
		}
		fmt.Fprint(b, ";")
	}
	fmt.Fprintln(b)
}

func (res *Results) parts(b *strings.Builder) {
	levels := res.worst(hasSingles, func(l Level) float64 { return l.Contenders[0].Singles.badness() })
	if len(levels) == 0 {
		return
	}
	row := table(b, "Of these, the change and the path, µs: median / 99 %", "level", "system", "in: change", "path", "reach the goal", "move: change", "path", "out: change", "path")
	for _, l := range levels {
		for _, c := range l.Contenders {
			if c.Failed != "" {
				continue
			}
			s := c.Singles
			row(l.Name, c.Name, s.In.Change.String(), s.In.Path.String(), fmt.Sprintf("%d of %d", s.In.Found, s.Obstacles),
				s.Move.Change.String(), s.Move.Path.String(), s.Out.Change.String(), s.Out.Path.String())
		}
	}
}

func (res *Results) batches(b *strings.Builder) {
	largest := func(l Level) Batch {
		all := l.Contenders[0].Batches
		return all[len(all)-1]
	}
	levels := res.worst(func(l Level) bool { return hasSingles(l) && len(l.Contenders[0].Batches) > 0 },
		func(l Level) float64 { return largest(l).InUS / largest(l).EachInUS })
	if len(levels) == 0 {
		return
	}
	row := table(b, fmt.Sprintf("Batches, µs for an obstacle; together at most %g of after each other", aimBatch), "level", "system", "obstacles in a batch",
		"in", "after each other", "together / after each other", "out", "after each other", "together / after each other", "refused by the queue", "lost", "ghosts")
	for _, l := range levels {
		for _, c := range l.Contenders {
			for _, v := range c.Batches {
				row(l.Name, c.Name, fmt.Sprint(v.Size), digits(v.InUS), digits(v.EachInUS), ratio(v.InUS, v.EachInUS), digits(v.OutUS), digits(v.EachOutUS), ratio(v.OutUS, v.EachOutUS),
					fmt.Sprint(v.Refused), fmt.Sprintf("%d of %d", v.Lost, v.Total), fmt.Sprint(v.Ghosts))
			}
		}
	}
}

func (res *Results) readers(b *strings.Builder) {
	levels := res.worst(func(l Level) bool { return l.Readers != nil }, func(l Level) float64 { return l.Readers.Loss() })
	if len(levels) == 0 {
		return
	}
	row := table(b, fmt.Sprintf("Readers beside a writer; they lose at most %g %%", 100*aimLoss), "level", "readers", "obstacles", "paths a second of processor time, alone",
		"beside the writer", "loss", "changes a second", "writer's part of the time")
	percent := func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
	for _, l := range levels {
		r := l.Readers
		row(l.Name, fmt.Sprint(r.Goroutines), fmt.Sprint(r.Things), fmt.Sprintf("%.0f", r.Alone), fmt.Sprintf("%.0f", r.Beside), percent(r.Loss()),
			fmt.Sprintf("%.0f", r.Rate), percent(r.Writer))
	}
}

func (res *Results) wear(b *strings.Builder) {
	levels := res.worst(func(l Level) bool { return l.Wear != nil }, func(l Level) float64 { return float64(l.Wear.Faults) + l.Wear.ratio() })
	if len(levels) == 0 {
		return
	}
	row := table(b, fmt.Sprintf("After many random changes; regions at most %g of anew", aimRegions), "level", "changes", "things", "a change, µs: median / 99 %",
		"heap after a tenth, MB", "at the end", "regions", "anew", "regions / anew", "same bytes", "paths compared", "faults")
	for _, l := range levels {
		w := l.Wear
		first, last := nothing, nothing
		if n := len(w.Heap); n > 0 {
			first, last = fmt.Sprintf("%.1f", w.Heap[0]), fmt.Sprintf("%.1f", w.Heap[n-1])
		}
		same := "no"
		if w.Same {
			same = "yes"
		}
		row(l.Name, fmt.Sprint(w.Changes), fmt.Sprint(w.Things), w.Change.String(), first, last, fmt.Sprint(w.Regions), fmt.Sprint(w.Anew),
			fmt.Sprintf("%.3f", w.ratio()), same, fmt.Sprint(w.Paths), fmt.Sprint(w.Faults))
	}
}

// aimCrowd bounds the growth of times from the first crowd to the others.
const aimCrowd = 2

func (res *Results) crowds(b *strings.Builder) {
	if len(res.Crowds) == 0 {
		return
	}
	row := table(b, fmt.Sprintf("One obstacle among others in one region, with the first path beside the obstacle, µs: median / 99 %%; medians at most %d of the first", aimCrowd),
		"stand", "regions", "in", "move", "out", "in: change", "path", "medians by the first")
	for _, c := range res.Crowds {
		growth := 0.0
		for i, step := range c.Singles.steps() {
			growth = max(growth, step.Both.P50/res.Crowds[0].Singles.steps()[i].Both.P50)
		}
		s := c.Singles
		row(fmt.Sprint(c.Standing), fmt.Sprint(c.Regions), s.In.Both.String(), s.Move.Both.String(), s.Out.Both.String(), s.In.Change.String(), s.In.Path.String(), fmt.Sprintf("%.2f", growth))
	}
}

func (res *Results) division(b *strings.Builder) {
	levels := res.worst(func(l Level) bool { return l.Division != nil }, func(l Level) float64 { return float64(l.Division.Regions) / float64(l.Division.Anew) })
	if len(levels) == 0 {
		return
	}
	row := table(b, "Regions of worlds, and of all their floor divided anew by best", "level", "regions of the base", "its floor anew", "obstacles", "regions", "with best", "then united", "all floor anew",
		"regions / anew", "with best / anew")
	for _, l := range levels {
		d := l.Division
		row(l.Name, fmt.Sprint(d.Base), fmt.Sprint(d.BaseAnew), fmt.Sprint(d.Things), fmt.Sprint(d.Regions), fmt.Sprint(d.Best), fmt.Sprint(d.United), fmt.Sprint(d.Anew),
			ratio(float64(d.Regions), float64(d.Anew)), ratio(float64(d.Best), float64(d.Anew)))
	}
}

// ratio is the regions by those of a world made anew.
func (w *Wear) ratio() float64 { return float64(w.Regions) / max(1, float64(w.Anew)) }

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return nothing
	}
	return fmt.Sprintf("%.2f", a/b)
}

// digits prints a number with three digits, or all digits before the point.
func digits(v float64) string {
	switch {
	case v == 0:
		return nothing
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

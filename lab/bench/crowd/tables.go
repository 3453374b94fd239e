package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/agents/scenario"
)

// tables prints the outcomes of cases in Markdown, a table for each part, the worst case first.
func tables(out io.Writer, cases []theCase, done []outcome) error {
	w := &strings.Builder{}
	for _, part := range parts {
		var list []row
		for _, c := range cases {
			if c.part == part {
				list = append(list, rowOf(c, done))
			}
		}
		if len(list) == 0 {
			continue
		}
		switch part {
		case "cost", "scale":
			costTable(w, part, list)
		case "safety":
			fmt.Fprint(w, "\nSafety, the worst scenario first.")
			safetyTable(w, list, true)
		case "unseen":
			fmt.Fprint(w, "\nCasts that were not looked at while the crowd was made, the worst first.")
			safetyTable(w, list, true)
		case "kinds":
			fmt.Fprintf(w, "\nWalkers on every kind of generated level: the casts with a fault, of %d, the worst first.", len(list))
			safetyTable(w, list, false)
		case "quality":
			qualityTable(w, list)
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// row is a case with its outcomes.
type row struct {
	name string
	of   map[string]outcome // by system
}

func rowOf(c theCase, done []outcome) row {
	r := row{c.name, map[string]outcome{}}
	for _, o := range done {
		if o.Part == c.part && o.Name == c.name {
			r.of[o.System] = o
		}
	}
	return r
}

// field returns a field of the outcome of a system: a dash without outcome, and "failed" after an error.
func (r row) field(system string, f func(outcome) string) string {
	o, ok := r.of[system]
	switch {
	case !ok:
		return "–"
	case o.Error != "":
		return "failed"
	}
	return f(o)
}

// ratio returns the cost of an agent of Meadow with a path over that of an agent of dtCrowd with a path; 0 without both.
func (r row) ratio() float64 {
	a, b := r.of[ours], r.of[dt]
	if b.Path == 0 {
		return 0
	}
	return a.Path / b.Path
}

func costTable(w io.Writer, part string, list []row) {
	if part == "cost" {
		slices.SortStableFunc(list, func(a, b row) int { return cmp.Compare(b.of[ours].P50, a.of[ours].P50) })
		fmt.Fprint(w, "\nMicroseconds of processor time an agent and step, on one core: medians over steps, the most expensive level first.\n\n")
	} else {
		fmt.Fprint(w, "\nMicroseconds of processor time an agent and step on the open plane, on one core, at 0.5 agents a square metre: medians over steps.\n\n")
	}
	fmt.Fprint(w, "| | agents/m² | Meadow | 99 % | dtCrowd | for an agent with a path: Meadow, dtCrowd | ratio of both | RVO2 | overlapping pairs: Meadow, dtCrowd | waiting for a path: Meadow, dtCrowd |\n|---|---|---|---|---|---|---|---|---|---|\n")
	us := func(o outcome) string { return fmt.Sprintf("%.2f", o.P50) }
	for _, r := range list {
		ratio := "–"
		if v := r.ratio(); v > 0 {
			ratio = fmt.Sprintf("%.2f", v)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s, %s | %s | %s | %s, %s | %s, %s |\n", r.name,
			r.field(ours, func(o outcome) string { return fmt.Sprintf("%.2f", float64(o.Report.Agents)/o.Area) }),
			r.field(ours, us), r.field(ours, func(o outcome) string { return fmt.Sprintf("%.2f", o.P99) }),
			r.field(dt, us), r.field(ours, withPath), r.field(dt, withPath), ratio, r.field(rvo2, us),
			r.field(ours, pairs), r.field(dt, pairs), r.field(ours, waiting), r.field(dt, waiting))
	}
}

func withPath(o outcome) string { return fmt.Sprintf("%.2f", o.Path) }

func pairs(o outcome) string { return fmt.Sprintf("%.1f", o.Report.PairsMean) }

func waiting(o outcome) string { return fmt.Sprintf("%.0f %%", 100*o.Report.Waiting) }

// safetyTable prints all casts, or those with a fault.
func safetyTable(w io.Writer, list []row, all bool) {
	slices.SortStableFunc(list, func(a, b row) int {
		x, y := a.of[ours], b.of[ours]
		return cmp.Or(cmp.Compare(y.Report.OffMesh, x.Report.OffMesh), cmp.Compare(y.Report.OverlapMax, x.Report.OverlapMax), cmp.Compare(y.Report.Stuck, x.Report.Stuck))
	})
	fmt.Fprint(w, " Overlaps are in millimetres; pairs overlap by more than a centimetre, a step on average.\n\n")
	fmt.Fprint(w, "| | steps of agents | deepest overlap, mm: Meadow, dtCrowd | pairs: Meadow, dtCrowd | off the mesh | NaN | stuck: Meadow, dtCrowd | stood 5 s: Meadow, dtCrowd | given up |\n|---|---|---|---|---|---|---|---|---|\n")
	var steps int64
	for _, r := range list {
		if r.of[ours].Error == "" {
			steps += r.of[ours].Report.AgentSteps
		}
		if !all && !faulty(r.of[ours]) {
			continue
		}
		overlap := func(o outcome) string { return fmt.Sprintf("%.1f", 1000*o.Report.OverlapMax) }
		stuck := func(o outcome) string { return fmt.Sprint(o.Report.Stuck) }
		stood := func(o outcome) string { return fmt.Sprint(o.Report.Standing) }
		fmt.Fprintf(w, "| %s | %s | %s, %s | %s, %s | %s | %s | %s, %s | %s, %s | %s |\n", r.name,
			r.field(ours, func(o outcome) string { return fmt.Sprint(o.Report.AgentSteps) }),
			r.field(ours, overlap), r.field(dt, overlap), r.field(ours, pairs), r.field(dt, pairs),
			r.field(ours, func(o outcome) string { return fmt.Sprint(o.Report.OffMesh) }), r.field(ours, func(o outcome) string { return fmt.Sprint(o.Report.NaN) }),
			r.field(ours, stuck), r.field(dt, stuck), r.field(ours, stood), r.field(dt, stood),
			r.field(ours, func(o outcome) string { return fmt.Sprint(o.Report.GivenUp) }))
	}
	fmt.Fprintf(w, "\n%d steps of agents in all.\n", steps)
}

// faulty reports whether anything went wrong in a cast.
func faulty(o outcome) bool {
	r := &o.Report
	return o.Error != "" || r.OffMesh > 0 || r.NaN > 0 || r.OverlapMax > scenario.Touch || r.Stuck > 0 || r.GivenUp > 0
}

func qualityTable(w io.Writer, list []row) {
	slices.SortStableFunc(list, func(a, b row) int { return cmp.Compare(unsolved(b.of[ours]), unsolved(a.of[ours])) })
	fmt.Fprint(w, "\nQuality, unsolved scenarios first. A field has finished agents, seconds until the last, the mean speed in m/s, the flow through the first line in persons a metre and second, the order of its lanes from 0 to 1, the deepest overlap in mm, and agents that were stuck.\n\n")
	fmt.Fprint(w, "| | Meadow | dtCrowd | RVO2 |\n|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", r.name, r.field(ours, solved), r.field(dt, solved), r.field(rvo2, solved))
	}
}

// unsolved is the share of agents that have not finished.
func unsolved(o outcome) float64 {
	if n := o.Report.Finished + o.Report.Unfinished; n > 0 {
		return float64(o.Report.Unfinished) / float64(n)
	}
	return 0
}

func solved(o outcome) string {
	r := o.Report
	var b strings.Builder
	if n := r.Finished + r.Unfinished; n > 0 {
		fmt.Fprintf(&b, "%d of %d, ", r.Finished, n)
		if r.Unfinished == 0 {
			fmt.Fprintf(&b, "%.1f s, ", r.Done)
		}
	}
	fmt.Fprintf(&b, "%.2f m/s", r.Speed)
	if len(r.Flows) > 0 {
		fmt.Fprintf(&b, ", flow %.2f, lanes %.2f", r.Flows[0].PerMetreSecond, r.Flows[0].Lanes)
	}
	fmt.Fprintf(&b, ", %.0f mm, %d stuck", 1000*r.OverlapMax, r.Stuck)
	return b.String()
}

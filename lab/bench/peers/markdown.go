//go:build peers

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/meadow-nav/meadow"
)

// markdown prints the tables.
func (res *Results) markdown(out io.Writer) error {
	var b strings.Builder
	b.WriteString(res.about())
	if res.Levels != nil {
		if err := res.Levels.Markdown(&b); err != nil {
			return err
		}
	}
	if len(res.Queries) > 0 {
		res.queryTables(&b)
	}
	if len(res.Fidelity) > 0 {
		res.borders(&b)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// about is a line about agent and machine.
func (res *Results) about() string {
	a := res.Agent
	return fmt.Sprintf("Agent: radius %g m, height %g m, climb %g m, slope %.4g°, unless a level states its own. Machine: %s/%s, %d cores, %s.\n",
		a.Radius, a.Height, a.MaxClimb, a.MaxSlope/meadow.Degrees(1), res.Machine.OS, res.Machine.Arch, res.Machine.CPUs, res.Machine.Go)
}

// table prints a heading, the names of the columns and lets row print.
func table(b *strings.Builder, title string, columns ...string) (row func(cells ...string)) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	row = func(cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }
	row(columns...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(columns)))
	return row
}

const nothing = "—"

func (res *Results) borders(b *strings.Builder) {
	row := table(b, "Border of the largest part; deviations in cm: mean / most too near / most too far", "world", "contender", "polygons", "area m²", "exact", "border m", "exact",
		"straight walls", "corners", "edge of the floor")
	for _, f := range res.Fidelity {
		if f.Failed != "" {
			fmt.Fprintf(b, "| %s | %s | %s |\n", f.World, f.Name, f.Failed)
			continue
		}
		row(f.World, f.Name, fmt.Sprint(f.Polys), fmt.Sprintf("%.2f", f.Area), known(f.ExactArea), fmt.Sprintf("%.2f", f.Border), known(f.ExactBorder),
			f.Judged.Straight.String(), f.Judged.Corners.String(), f.Judged.Edge.String())
	}
}

func known(v float64) string {
	if v == 0 {
		return nothing
	}
	return fmt.Sprintf("%.2f", v)
}

// String returns mean, most too near and most too far in centimetres.
func (d Deviation) String() string {
	return fmt.Sprintf("%.2f / %.2f / %.2f", 100*d.Mean, 100*d.Near, 100*d.Far)
}

// digits prints three significant digits, all before the point.
func digits(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// ratio prints a / b where both are known.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return nothing
	}
	return fmt.Sprintf("%.2f", a/b)
}

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
	a := res.Agent
	fmt.Fprintf(&b, "Agent: radius %g m, height %g m, climb %g m, slope %.4g°. Machine: %s/%s, %d cores, %s.\n",
		a.Radius, a.Height, a.MaxClimb, a.MaxSlope/meadow.Degrees(1), res.Machine.OS, res.Machine.Arch, res.Machine.CPUs, res.Machine.Go)
	if len(res.Levels) > 0 {
		res.times(&b)
		res.stages(&b)
		res.sizes(&b)
		res.exactTimes(&b)
	}
	if len(res.Queries) > 0 {
		res.queryTables(&b)
	}
	if len(res.Fidelity) > 0 {
		res.borders(&b)
	}
	if len(res.Levels) > 0 {
		res.complexity(&b)
	}
	_, err := io.WriteString(out, b.String())
	return err
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

func (res *Results) times(b *strings.Builder) {
	columns := []string{"level", "triangles"}
	for _, m := range res.Levels[0].Contenders[:atExactOneCore] {
		columns = append(columns, m.Name)
	}
	columns = append(columns, "one core / Recast", "best / best", "all cores / Recast", "one core / Recast, fine cells")
	row := table(b, "Time, ms: median (best)", columns...)
	for _, l := range res.Levels {
		cells := []string{l.Name, fmt.Sprint(l.Triangles)}
		for _, m := range l.Contenders[:atExactOneCore] {
			if m.Failed != "" {
				cells = append(cells, nothing)
				continue
			}
			cells = append(cells, fmt.Sprintf("%s (%s)", digits(m.MedianMS), digits(m.BestMS)))
		}
		c := l.Contenders
		cells = append(cells,
			ratio(c[atOneCore].MedianMS, c[atRecast].MedianMS), ratio(c[atOneCore].BestMS, c[atRecast].BestMS),
			ratio(c[atAllCores].MedianMS, c[atRecast].MedianMS), ratio(c[atOneCore].MedianMS, c[atFine].MedianMS))
		row(cells...)
	}
	for _, l := range res.Levels {
		for _, m := range l.Contenders {
			if m.Failed != "" {
				fmt.Fprintf(b, "\n%s, %s: %s.\n", l.Name, m.Name, m.Failed)
			}
		}
	}
}

func (res *Results) stages(b *strings.Builder) {
	row := table(b, "Stages, ms", "level", "contender", "stages")
	for _, l := range res.Levels {
		for _, k := range []int{atRecast, atOneCore, atExactOneCore} {
			m := l.Contenders[k]
			var parts []string
			for _, s := range m.Stages {
				parts = append(parts, s.Name+" "+digits(s.MS))
			}
			row(l.Name, m.Name, strings.Join(parts, ", "))
		}
	}
}

func (res *Results) sizes(b *strings.Builder) {
	row := table(b, "Size", "level", "contender", "components", "polygons: all", "largest part", "vertices: all", "largest part",
		"area m²: all", "largest part", "bytes", "without heights", "height triangles", "faults")
	for _, l := range res.Levels {
		for _, k := range []int{atRecast, atFine, atAllCores, atExact} {
			m := l.Contenders[k]
			if m.Failed != "" {
				continue
			}
			name, faults := m.Name, nothing
			if m.Mesh.Faults >= 0 {
				name, faults = strings.TrimSuffix(m.Name, ", all cores"), fmt.Sprint(m.Mesh.Faults)
			}
			x := m.Mesh
			row(l.Name, name, fmt.Sprint(x.Components), fmt.Sprint(x.All.Polys), fmt.Sprint(x.Largest.Polys),
				fmt.Sprint(x.All.Vertices), fmt.Sprint(x.Largest.Vertices), digits(x.All.Area), digits(x.Largest.Area),
				fmt.Sprint(x.Bytes), fmt.Sprint(x.BytesFlat), fmt.Sprint(x.Heights), faults)
		}
	}
}

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

package main

import (
	"fmt"
	"io"
	"strings"
)

// markdown prints the tables.
func (s *sums) markdown(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d worlds, %d methods, %d faults.\n", s.Worlds, len(s.Methods), s.faults())
	row := table(&b, "Methods", "method", "worlds", "faults", "regions", "regions to the fewest", "worlds with the fewest",
		"worlds with more than rivals", "minimum angle", "common vertices", "near-degenerate", "below 10°", "T-junctions", "lost, ppm")
	for _, m := range s.Methods {
		n := float64(max(1, m.Measured))
		share := func(k int) string { return fmt.Sprintf("%.2f %%", 100*float64(k)/float64(max(1, m.Regions))) }
		row("`"+m.Name+"`", fmt.Sprint(m.Worlds), fmt.Sprint(m.Faults), fmt.Sprint(m.Regions), fmt.Sprintf("%.3f", m.Relative/n),
			fmt.Sprintf("%.1f %%", 100*float64(m.Fewest)/n), fmt.Sprint(m.MoreThanRivals), fmt.Sprintf("%.2f°", m.Angle/n),
			fmt.Sprintf("%.3f", m.Common/n), share(m.NearDegenerate), share(m.Acute), fmt.Sprint(m.TJunctions), fmt.Sprintf("%.1f", 1e6*m.Lost/n))
	}
	row = table(&b, "Worlds", "kind", "worlds", "domains", "vertices, mean", "smallest", "largest")
	for _, k := range s.Kinds {
		row(k.Name, fmt.Sprint(k.Worlds), fmt.Sprint(k.Domains), fmt.Sprintf("%.0f", float64(k.Vertices)/float64(max(1, k.Worlds))),
			fmt.Sprint(k.Smallest), fmt.Sprint(k.Largest))
	}
	for _, m := range s.Methods {
		if m.MoreThanRivals > 0 && m.Name == "best" {
			fmt.Fprintf(&b, "\n`%s` has more regions than a rival on %d worlds, the first are %v.\n", m.Name, m.MoreThanRivals, m.MoreAt)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (s *sums) faults() int {
	n := 0
	for _, m := range s.Methods {
		n += m.Faults
	}
	return n
}

// table prints a heading and the names of the columns and returns a function that prints a row.
func table(b *strings.Builder, title string, columns ...string) (row func(cells ...string)) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	row = func(cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }
	row(columns...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(columns)))
	return row
}

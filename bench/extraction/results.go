package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// results are the verdicts by class and kind.
type results struct{ groups []group }

// group sums up the levels of a kind.
type group struct {
	class                                       class
	kind                                        string
	levels, empty, faults                       int
	triangles, layers, parts, vertices, regions int
	mostLayers                                  int
	area                                        float64
	extract, decompose                          []time.Duration
}

func (r *results) add(v verdict) {
	i := slices.IndexFunc(r.groups, func(g group) bool { return g.class == v.made.class && g.kind == v.made.kind })
	if i < 0 {
		i = len(r.groups)
		r.groups = append(r.groups, group{class: v.made.class, kind: v.made.kind})
	}
	g := &r.groups[i]
	g.levels++
	g.triangles += len(v.made.level.Triangles)
	switch {
	case v.fault != nil:
		g.faults++
		return
	case v.empty:
		g.empty++
		return
	}
	g.layers += v.layers
	g.mostLayers = max(g.mostLayers, v.layers)
	g.parts += v.components
	g.vertices += v.vertices
	g.regions += v.regions
	g.area += v.area
	g.extract = append(g.extract, v.extract)
	g.decompose = append(g.decompose, v.decompose)
}

func (r *results) faults() int {
	n := 0
	for _, g := range r.groups {
		n += g.faults
	}
	return n
}

// markdown prints the table. Means are over the levels with a floor.
func (r *results) markdown(out io.Writer) error {
	var b strings.Builder
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	columns := []string{
		"", "kind", "levels", "faults", "without floor", "triangles", "layers, mean", "most", "components", "floor m²", "vertices", "regions",
		"extraction ms, median", "99 %", "most", "mesh ms, median",
	}
	row(columns...)
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(columns)))
	for _, g := range r.groups {
		found := float64(max(1, g.levels-g.empty-g.faults))
		mean := func(n int) string { return fmt.Sprintf("%.1f", float64(n)/found) }
		row(string(g.class)+"s", g.kind, fmt.Sprint(g.levels), fmt.Sprint(g.faults), fmt.Sprint(g.empty),
			fmt.Sprintf("%.0f", float64(g.triangles)/float64(g.levels)), mean(g.layers), fmt.Sprint(g.mostLayers), mean(g.parts),
			fmt.Sprintf("%.1f", g.area/found), mean(g.vertices), mean(g.regions),
			quantile(g.extract, 0.5), quantile(g.extract, 0.99), quantile(g.extract, 1), quantile(g.decompose, 0.5))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// quantile returns a quantile in milliseconds.
func quantile(times []time.Duration, share float64) string {
	if len(times) == 0 {
		return "—"
	}
	sorted := slices.Sorted(slices.Values(times))
	return fmt.Sprintf("%.1f", 1000*sorted[int(share*float64(len(sorted)-1))].Seconds())
}

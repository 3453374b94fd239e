package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// record is the stored part of a verdict.
type record struct {
	Class                                 class
	Kind                                  string
	Number                                uint64
	Fault                                 string `json:",omitempty"` // the law that is broken, see [law]
	Empty                                 bool   `json:",omitempty"`
	Triangles                             int
	Layers, Components, Vertices, Regions int
	Area                                  float64       // m²
	Extract, Decompose                    time.Duration // nanoseconds
}

func (v verdict) record() record {
	r := record{
		Class: v.made.class, Kind: v.made.kind, Number: v.made.number, Empty: v.empty, Triangles: len(v.made.level.Triangles),
		Layers: v.layers, Components: v.components, Vertices: v.vertices, Regions: v.regions,
		Area: v.area, Extract: v.extract, Decompose: v.decompose,
	}
	if v.fault != nil {
		r.Fault = law(v.fault)
	}
	return r
}

// laws are the beginnings of faults with their broken laws. The first match counts.
var laws = []struct{ text, law string }{
	{"components:", "components are those on paper"},
	{"portal step", "both floors of a portal agree within a step"},
	{"overlap", "regions do not overlap"},
	{"covers", "regions cover the floor"},
	{"the plan depends", "neither order nor jobs matter"},
	{"extraction", "extraction ends without an error"},
	{"plan:", "the plan is valid"},
	{"mesh:", "the mesh is valid"},
	{"panic", "nothing panics"},
	{"not done", "a level is done within the limit of time"},
	{"no end", "a level is done within the limit of time"},
}

// law returns the broken law of a fault.
func law(fault error) string {
	text := fault.Error()
	for _, l := range laws {
		if strings.Contains(text, l.text) {
			return l.law
		}
	}
	return "the method decomposes the floor"
}

// results are the verdicts by class and kind.
type results struct{ groups []group }

// group sums up the levels of a kind.
type group struct {
	class                                       class
	kind                                        string
	levels, empty, faults                       int
	broken                                      map[string]int // levels by law
	triangles, layers, parts, vertices, regions int
	mostLayers                                  int
	area                                        float64
	extract, decompose                          []time.Duration
}

func (r *results) add(v record) {
	i := slices.IndexFunc(r.groups, func(g group) bool { return g.class == v.Class && g.kind == v.Kind })
	if i < 0 {
		i = len(r.groups)
		r.groups = append(r.groups, group{class: v.Class, kind: v.Kind, broken: map[string]int{}})
	}
	g := &r.groups[i]
	g.levels++
	g.triangles += v.Triangles
	switch {
	case v.Fault != "":
		g.faults++
		g.broken[v.Fault]++
		return
	case v.Empty:
		g.empty++
		return
	}
	g.layers += v.Layers
	g.mostLayers = max(g.mostLayers, v.Layers)
	g.parts += v.Components
	g.vertices += v.Vertices
	g.regions += v.Regions
	g.area += v.Area
	g.extract = append(g.extract, v.Extract)
	g.decompose = append(g.decompose, v.Decompose)
}

func (r *results) faults() int {
	n := 0
	for _, g := range r.groups {
		n += g.faults
	}
	return n
}

// markdown prints the tables. Means are over the levels with a floor; the second table appears if any fault was found.
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
	if r.faults() > 0 {
		b.WriteString("\n")
		row("", "kind", "law", "levels that break it", "%")
		fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", 5))
		for _, g := range r.groups {
			for _, law := range slices.Sorted(maps.Keys(g.broken)) {
				n := g.broken[law]
				row(string(g.class)+"s", g.kind, law, fmt.Sprint(n), fmt.Sprintf("%.2f", 100*float64(n)/float64(g.levels)))
			}
		}
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

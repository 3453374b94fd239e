package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/metric"
)

// column is a column of the table: the format of a value, and which value is best.
type column struct {
	name   string
	value  func(*candidate) float64
	format string
	better int // 1: more, -1: less, 0: there is no better
}

// columns are the columns of the table. The rest is in the JSON.
var columns = []column{
	{"regions", func(k *candidate) float64 { return float64(k.result.Regions.Value) }, "%.0f", -1},
	{"seconds", func(k *candidate) float64 { return k.seconds }, "%.4f", -1},
	{"fans", func(k *candidate) float64 { return float64(k.result.Extras.NearDegenerate.Fans) }, "%.0f", -1},
	{"slivers", func(k *candidate) float64 { return float64(k.result.Extras.NearDegenerate.Slivers) }, "%.0f", -1},
	{"narrow", func(k *candidate) float64 { return float64(k.result.Extras.NearDegenerate.Narrow) }, "%.0f", -1},
	{"disjoint", func(k *candidate) float64 { return float64(k.result.Extras.NearDegenerate.Disjoint) }, "%.0f", -1},
	{"angle", func(k *candidate) float64 { return float64(k.result.MinimumAngle.Value) }, "%.1f°", 1},
	{"common", func(k *candidate) float64 { return float64(k.result.CommonVertices.Value) }, "%.2f", -1},
	{"degree", func(k *candidate) float64 { return float64(k.result.Degree.Value) }, "%.2f", 1},
	{"coverage", func(k *candidate) float64 { return 100 * float64(k.result.Coverage.Value) }, "%.2f%%", 1},
	{"lost m²", func(k *candidate) float64 { return k.lost() }, "%.2f", -1},
	{"×bound", func(k *candidate) float64 { return float64(k.result.Extras.Ratio) }, "%.2f", -1},
	{"paths", func(k *candidate) float64 { return float64(k.result.Extras.Paths.Value) }, "%.3f", 1},
	{"points", func(k *candidate) float64 { return k.points }, "%.1f", 1},
}

// print writes the table; * marks the best of every column.
func (c *compareCmd) print(w io.Writer, all []*candidate, best int) {
	r := header(all, best)
	fmt.Fprintln(w, c.Level)
	fmt.Fprintf(w, "  floor    %.1f m², %s, %s\n", r.Area+r.Lost, count(r.Layers, "layer"), count(r.Components, "component"))
	fmt.Fprintf(w, "  bound    at least %s\n", count(all[best].result.Extras.Bound, "convex region"))
	fmt.Fprintf(w, "  paths    mean of %s of places\n\n", count(all[best].result.Extras.Paths.Pairs, "pair"))
	if c.Cleanup {
		fmt.Fprint(w, "  regions cleaned up after every generator\n\n")
	}
	rows := [][]string{{"generator"}}
	if c.Pool > 1 {
		rows[0] = append(rows[0], "seed")
	}
	shown := columns
	if c.Concavity > 0 {
		shown = append(slices.Clone(columns), column{
			fmt.Sprintf("≤%gm", float64(c.Concavity)), func(k *candidate) float64 { return float64(k.limited.Regions) }, "%.0f", -1,
		})
	}
	for _, col := range shown {
		rows[0] = append(rows[0], col.name)
	}
	var made []*candidate
	for _, k := range all {
		if k.refused == nil {
			made = append(made, k)
			row := []string{k.generator}
			if c.Pool > 1 {
				row = append(row, strconv.FormatUint(k.seed, 10))
			}
			rows = append(rows, row)
		}
	}
	for _, col := range shown {
		for i, text := range col.cells(made) {
			rows[i+1] = append(rows[i+1], text)
		}
	}
	printRows(w, rows)
	for _, k := range all {
		if k.refused != nil {
			fmt.Fprintf(w, "  %s: %s\n", k.generator, once(k.generator, oneLine(k.refused)))
		}
	}
	fmt.Fprintf(w, "\n* marks the best of a column, among meshes that cover 95 %% of the floor.\nPoints follow section 6.13 of Hale's dissertation, with the twelve metrics%s.\n", c.Weights.remark())
	if c.Concavity > 0 {
		fmt.Fprintf(w, "≤%gm: regions if they may bend inwards by this much.\n", float64(c.Concavity))
	}
	fmt.Fprintf(w, "most points: %s", all[best].generator)
	if c.Pool > 1 {
		fmt.Fprintf(w, ", seed %d of %d", all[best].seed, c.Pool)
	}
	if c.Winner != "" {
		fmt.Fprintf(w, "; written to %s", c.Winner)
	}
	fmt.Fprintln(w)
}

// printRelaxed writes the cells of anavmg with and without convexity relaxation.
func printRelaxed(w io.Writer, r *experiment.Relaxation) {
	fmt.Fprintf(w, "anavmg relaxed by %g m: %s; %d with moved borders, %.2f m² lost; %d as published, %s, cells up to %.2f m deep\n",
		r.Distance, count(r.Strict.Cells, "convex cell"), r.Moved.Cells, r.Moved.Lost-r.Strict.Lost,
		r.Published.Cells, count(r.Published.Concave, "concave corner"), r.Published.Deepest)
}

func (w weights) remark() string {
	var parts []string
	for k, v := range w.list {
		if v != 1 {
			parts = append(parts, fmt.Sprintf("%v=%g", metric.Kind(k), v))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " weighted " + strings.Join(parts, ",")
}

// cells writes the values of a column; the best ones, as written, end in a star, unless all are. Meshes that cover too
// little get no star.
func (col *column) cells(all []*candidate) []string {
	best := math.NaN()
	for _, k := range all {
		if v := col.value(k); !k.out && v-v == 0 && (math.IsNaN(best) || float64(col.better)*(v-best) > 0) {
			best = v
		}
	}
	star := fmt.Sprintf(col.format, best)
	out, stars := make([]string, len(all)), 0
	for i, k := range all {
		v := col.value(k)
		out[i] = "-"
		if v-v == 0 {
			out[i] = fmt.Sprintf(col.format, v)
		}
		if out[i] == star && !k.out {
			stars++
		}
	}
	for i := range out {
		if out[i] == star && !all[i].out && stars < len(all) && col.better != 0 {
			out[i] += "*"
		} else {
			out[i] += " "
		}
	}
	return out
}

// printRows writes rows in columns: the first to the left, the others to the right.
func printRows(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for r, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if r == 0 && i > 0 {
				text += " " // above the place of the star
				widths[i] = max(widths[i], utf8.RuneCountInString(text))
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i == 0 {
				line.WriteString("  " + text + pad)
			} else {
				line.WriteString("  " + pad + text)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// compareReport is the output of --json. Winner is the generator with the most points.
type compareReport struct {
	Level      string             `json:"level"`
	Layers     int                `json:"layers"`
	Components int                `json:"components"`
	Area       float64            `json:"free_m2"`
	Agent      agentReport        `json:"agent"`
	Cleanup    bool               `json:"cleanup"`
	Pool       int                `json:"pool"`
	Weights    map[string]float64 `json:"weights"`
	Winner     string             `json:"winner"`
	Generators []generatorReport  `json:"generators"`
	// Relaxation is set with --convex-distance.
	Relaxation *experiment.Relaxation `json:"relaxation,omitempty"`
}

// generatorReport is a generator's mesh of the most points, or why there is none.
type generatorReport struct {
	Generator string        `json:"generator"`
	Refused   string        `json:"refused,omitempty"`
	Seed      uint64        `json:"seed"`
	Pool      int           `json:"pool"` // number of different meshes to choose from
	Points    float64       `json:"points"`
	Seconds   metric.Number `json:"seconds"`
	Lost      metric.Number `json:"lost_m2"`
	// Limited is set with --concavity.
	Limited *limitedConcavity `json:"limited_concavity,omitempty"`
	Metrics *metric.Result    `json:"metrics,omitempty"`
}

// header returns the report of the best mesh; that of another mesh where the best comes from a file, which knows no level.
func header(all []*candidate, best int) meadow.Report {
	for _, k := range append([]*candidate{all[best]}, all...) {
		if k.refused == nil && !k.file {
			return k.mesh.Report()
		}
	}
	return all[best].mesh.Report()
}

func (c *compareCmd) report(floor *meadow.Floor, all []*candidate, best int) compareReport {
	r := header(all, best)
	out := compareReport{
		Level: r.Level, Layers: r.Layers, Components: r.Components, Area: round4(metric.FreeOf(floor.Plan).Area),
		Agent: reportAgent(r.Agent), Cleanup: c.Cleanup, Pool: c.Pool, Winner: all[best].generator, Weights: map[string]float64{},
	}
	for k := range metric.Kind(metric.Kinds) {
		out.Weights[k.String()] = 1
		if len(c.Weights.list) > 0 {
			out.Weights[k.String()] = c.Weights.list[k]
		}
	}
	for _, k := range all {
		if k.refused != nil {
			out.Generators = append(out.Generators, generatorReport{Generator: k.generator, Seed: k.seed, Refused: once("", oneLine(k.refused))})
			continue
		}
		m := generatorReport{
			Generator: k.generator, Seed: k.seed, Pool: k.pool, Points: k.points,
			Seconds: metric.Number(k.seconds), Lost: metric.Number(round4(k.lost())), Metrics: &k.result,
		}
		if c.Concavity > 0 {
			m.Limited = &k.limited
		}
		out.Generators = append(out.Generators, m)
	}
	return out
}

// sheet draws the meshes side by side.
func (c *compareCmd) sheet(floor *meadow.Floor, all []*candidate) chart.Sheet {
	s := chart.Sheet{Plan: floor.Plan, Width: c.Width}
	covered := true
	for _, k := range all {
		if k.refused != nil || k.file { // a file has layers of its own, and a sheet shows those of the floor
			continue
		}
		x := &k.result.Extras
		notes := []string{
			fmt.Sprintf("%s · %.2f × bound", count(k.result.Regions.Value, "region"), float64(x.Ratio)),
			fmt.Sprintf("min. angle %.1f° · %d near-degenerate", float64(k.result.MinimumAngle.Value), x.NearDegenerate.Regions),
		}
		if k.result.Coverage.Value < 0.999 {
			covered = false
			notes[0] += fmt.Sprintf(" · covers %.1f %%", 100*float64(k.result.Coverage.Value))
		}
		s.Panels = append(s.Panels, chart.Panel{Title: k.generator, Notes: notes, Mesh: k.mesh.Mesh})
		if s.Title == "" {
			r := k.mesh.Report()
			s.Title = r.Level
			s.Subtitle = fmt.Sprintf("%.0f m² of floor, %s; no fewer than %s", metric.FreeOf(floor.Plan).Area,
				count(r.Layers, "layer"), count(x.Bound, "convex region"))
		}
	}
	if c.Cleanup {
		s.Subtitle += "; regions cleaned up after every generator"
	}
	s.Footnote = "Neighbouring regions differ in colour."
	if len(floor.Plan.Chains) > 0 {
		s.Footnote += " Orange lines lead to another layer."
	}
	if !covered {
		s.Footnote += " Red floor has no region."
	}
	return s
}

// comparisonChart draws the distributions of all generators side by side.
func comparisonChart(floor *meadow.Floor, all []*candidate) *chart.Page {
	const width, height, rim, top = 2400, 1600, 48.0, 150.0
	page := &chart.Page{Width: width, Height: height}
	name := ""
	for i, d := range distributions {
		plot := chart.BoxPlot{Title: d.name, Values: d.unit, Scale: d.scale}
		for _, k := range all {
			if k.refused == nil {
				plot.Boxes = append(plot.Boxes, boxOf(k.generator, d.of(&k.result)))
				name = k.mesh.Report().Level
			}
		}
		const w, h = (width - 2*rim) / 3, (height - top - rim) / 2
		page.BoxPlot(chart.Rect{X: rim + float64(i%3)*w, Y: top + float64(i/3)*h, W: w - 24, H: h - 24}, plot)
	}
	page.Heading(rim, filepath.Base(name), "Distributions over the regions of every generator. Box: quartiles, line: median, dot: mean.")
	return page
}

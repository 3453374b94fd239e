package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/metric/verify"
)

// verifyCmd judges meshes by the floor of their level.
type verifyCmd struct {
	Meshes []string `arg:"" placeholder:"MESH" help:"Mesh files, of Meadow or of another system."`
	Level  string   `required:"" placeholder:"LEVEL" help:"The level or 2D map of the meshes."`
	Out    string   `short:"o" placeholder:"FILE" help:"Page to write, with pictures: .html."`

	Pairs   int      `default:"200" placeholder:"N" help:"Number of pairs of places for paths (default ${default})."`
	Seed    uint64   `default:"1" placeholder:"N" help:"Seed of the places (default ${default})."`
	Require []string `placeholder:"BOUND" help:"Bounds that every mesh keeps, as in 'coverage>=0.99,lost_parts<=0'; exit status 1 if any is missed."`
	JSON    bool     `help:"Print everything as JSON, a line for each mesh."`

	agentFlags
	levelFlags
	floorFlags
}

// judged is a mesh with its judgement.
type judged struct {
	Name string
	Mesh *meadow.Mesh
	*verify.Report
}

// judgement is a number of a judgement.
type judgement struct {
	Name   string // as in --require
	About  string
	format string
	value  func(*verify.Report) float64
	less   bool // less is better
}

// judgements are the rows of tables, the most serious first.
var judgements = []judgement{
	{"coverage", "share of the reachable floor with a region", "%.4f", func(r *verify.Report) float64 { return r.Coverage }, false},
	{"lost_m2", "reachable floor without a region", "%.2f", func(r *verify.Report) float64 { return r.Lost.Area }, true},
	{"outside_m2", "regions where the level has no floor", "%.2f", func(r *verify.Report) float64 { return r.Outside.Area }, true},
	{"lost_parts", "connected parts of the floor that the mesh lacks", "%.0f", func(r *verify.Report) float64 { return float64(len(r.Components.Lost)) }, true},
	{"invented_parts", "parts of the mesh that the floor lacks", "%.0f", func(r *verify.Report) float64 { return float64(len(r.Components.Invented)) }, true},
	{"split_parts", "parts of the floor that fall apart in the mesh", "%.0f", func(r *verify.Report) float64 { return float64(len(r.Components.Split)) }, true},
	{"joined_parts", "parts of the mesh that join parts of the floor", "%.0f", func(r *verify.Report) float64 { return float64(len(r.Components.Joined)) }, true},
	{"missing_paths", "pairs of places without a path on the mesh", "%.0f", func(r *verify.Report) float64 { return float64(r.Paths.Missing) }, true},
	{"short_paths", "paths shorter than the floor allows", "%.0f", func(r *verify.Report) float64 { return float64(r.Paths.Shorter) }, true},
	{"longest_path", "greatest length of a path over the optimum", "%.4f", func(r *verify.Report) float64 { return r.Paths.Max }, true},
	{"mean_path", "mean length of paths over the optimum", "%.4f", func(r *verify.Report) float64 { return r.Paths.Mean }, true},
	{"unreachable_m2", "regions on floor that nobody reaches", "%.2f", func(r *verify.Report) float64 { return r.Unreachable }, true},
	{"overlap_m2", "ground with two regions", "%.2f", func(r *verify.Report) float64 { return r.Overlap.Area }, true},
	{"border_m", "greatest distance of the borders of mesh and floor", "%.3f", func(r *verify.Report) float64 { return float64(r.Border.Value) }, true},
	{"border_mean_m", "mean distance of the mesh's border from the floor's", "%.4f", func(r *verify.Report) float64 { return float64(r.Border.MeshToPlan.Mean) }, true},
	{"height_m", "greatest difference of heights", "%.3f", func(r *verify.Report) float64 { return r.Height.Max }, true},
	{"height_95_m", "difference of heights that 95 % of the samples keep", "%.3f", func(r *verify.Report) float64 { return r.Height.Most }, true},
	{"slivers", "regions that are slivers, narrow, disjoint or in fans", "%.0f", func(r *verify.Report) float64 { return float64(r.Degenerate.Regions) }, true},
	{"regions", "number of regions", "%.0f", func(r *verify.Report) float64 { return float64(r.Regions) }, true},
}

// text returns the number of a judgement for people.
func (j *judgement) Text(r *verify.Report) string {
	v := j.value(r)
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf(j.format, v)
}

// Run judges, prints and writes.
func (c *verifyCmd) Run(e *env, ctx *kong.Context) error {
	bounds, err := judgeBounds(c.Require)
	if err != nil {
		return err
	}
	if c.Pairs < 0 {
		return fmt.Errorf("--pairs is %d, must be 0 or more", c.Pairs)
	}
	if c.Out != "" {
		if err := pageFile(c.Out, append(c.Meshes, c.Level)...); err != nil {
			return err
		}
	}
	all := make([]judged, len(c.Meshes))
	for i, path := range c.Meshes {
		all[i].Name = filepath.Base(path)
		if all[i].Mesh, err = e.loadMesh(path); err != nil {
			return err
		}
	}
	in, err := c.openInput(c.Level, c.Terrain != "")
	if err != nil {
		return err
	}
	agent, err := c.whose(ctx, all[0].Mesh)
	if err != nil {
		return err
	}
	opt, err := c.floorOptions(agent)
	if err != nil {
		return err
	}
	if err := c.applyTerrain(e.stderr, c.Level, in, &opt); err != nil {
		return err
	}
	truth, err := truthOf(e, in, opt)
	if err != nil {
		return inFile(c.Level, err)
	}
	for i := range all {
		if all[i].Report, err = verify.Measure(e.ctx, all[i].Mesh.Mesh, truth, verify.Options{Pairs: pairsOf(c.Pairs), Seed: c.Seed}); err != nil {
			return inFile(c.Meshes[i], err)
		}
	}
	if c.Out != "" {
		page, err := newReportPage(e, in, truth, all)
		if err != nil {
			return err
		}
		if err := e.write(c.Out, page.write); err != nil {
			return err
		}
	}
	if c.JSON {
		for i := range all {
			if err := writeJSON(e.stdout, verifyReport{all[i].Name, all[i].Report}); err != nil {
				return err
			}
		}
	} else {
		printJudged(e.stdout, c.Level, all)
	}
	return missed(all, bounds)
}

// verifyReport is a line of --json.
type verifyReport struct {
	Name string `json:"mesh"`
	*verify.Report
}

// pairsOf returns the number of pairs as the library takes it, where 0 is the default.
func pairsOf(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// whose returns the agent of the floor: the flags' if the command line has any of them, else the mesh's.
func (c *verifyCmd) whose(ctx *kong.Context, m *meadow.Mesh) (geom.Agent, error) {
	given := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Group != nil && p.Flag.Group.Key == "Agent" })
	if given || m.Agent == (geom.Agent{}) {
		return c.agent()
	}
	return m.Agent.Literal(), nil
}

// truthOf finds the whole floor of a level, its reachable parts, and a mesh of these.
func truthOf(e *env, in input, opt meadow.FloorOptions) (verify.Truth, error) {
	bar := newProgress(e.stderr)
	defer bar.stop()
	opt.Progress = bar.callback()
	reachable, err := in.floor(e.ctx, opt)
	if err != nil {
		return verify.Truth{}, err
	}
	opt.Keep, opt.KeepArea, opt.KeepAll = nil, 0, true
	all, err := in.floor(e.ctx, opt)
	if err != nil {
		return verify.Truth{}, err
	}
	mesh, err := reachable.Mesh(e.ctx, meadow.MeshOptions{Generator: delaunay.Generator{}})
	if err != nil {
		return verify.Truth{}, err
	}
	return verify.Truth{All: all.Plan, Reachable: reachable.Plan, Mesh: mesh.Mesh}, nil
}

// judgeBound is a bound of --require.
type judgeBound struct {
	of    *judgement
	least bool
	limit float64
	text  string
}

// judgeBounds reads bounds such as coverage>=0.95.
func judgeBounds(texts []string) ([]judgeBound, error) {
	var out []judgeBound
	for _, text := range texts {
		b := judgeBound{text: text}
		name, limit, ok := strings.Cut(text, ">=")
		if b.least = ok; !ok {
			name, limit, ok = strings.Cut(text, "<=")
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(limit), 64)
		if !ok || err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("--require: %q is no bound, as in coverage>=0.95", text)
		}
		b.limit = v
		var names []string
		for i := range judgements {
			names = append(names, judgements[i].Name)
			if judgements[i].Name == strings.TrimSpace(name) {
				b.of = &judgements[i]
			}
		}
		if b.of == nil {
			return nil, fmt.Errorf("--require: unknown number %q, want one of %s", strings.TrimSpace(name), strings.Join(names, ", "))
		}
		out = append(out, b)
	}
	return out, nil
}

// missed is an answer of no that lists the missed bounds, nil if there are none.
func missed(all []judged, bounds []judgeBound) error {
	var failed []string
	for i := range all {
		for _, b := range bounds {
			v := b.of.value(all[i].Report)
			if !(b.least && v >= b.limit || !b.least && v <= b.limit) {
				failed = append(failed, fmt.Sprintf("%s: %s is %s, not %s", all[i].Name, b.of.Name, b.of.Text(all[i].Report), strings.TrimPrefix(b.text, b.of.Name)))
			}
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return no("%s", strings.Join(failed, "; "))
}

// printJudged prints a table with a column for each mesh, and the worst places.
func printJudged(w io.Writer, level string, all []judged) {
	fmt.Fprintf(w, "%s\n  %.1f m² of reachable floor\n\n", level, all[0].Floor)
	rows := [][]string{{""}}
	for i := range all {
		rows[0] = append(rows[0], all[i].Name)
	}
	rows[0] = append(rows[0], "")
	for k := range judgements {
		j := &judgements[k]
		row := []string{j.Name}
		for i := range all {
			row = append(row, j.Text(all[i].Report))
		}
		rows = append(rows, append(row, j.About))
	}
	printLeft(w, rows)
	told := false
	for i := range all {
		for _, p := range all[i].Worst() {
			if !told {
				fmt.Fprintln(w)
				told = true
			}
			fmt.Fprintf(w, "%s: %s\n", all[i].Name, p.Text)
		}
	}
}

// printLeft prints rows with the last column to the left.
func printLeft(w io.Writer, rows [][]string) {
	last := len(rows[0]) - 1
	var about []string
	for i := range rows {
		about = append(about, rows[i][last])
		rows[i] = rows[i][:last]
	}
	var b strings.Builder
	printRows(&b, rows)
	for i, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		fmt.Fprintln(w, strings.TrimRight(line+"  "+about[i], " "))
	}
}

// worst is a place to look at.
type worst struct {
	Text string
	At   geom.Vec
}

// maxWorst is how many places of one sort are told.
const maxWorst = 3

// Worst returns the places to look at, the most serious sort first.
func (j *judged) Worst() []worst {
	var out []worst
	pieces := func(what string, list []verify.Piece) {
		for _, p := range list[:min(len(list), maxWorst)] {
			out = append(out, worst{fmt.Sprintf("%s: %.2f m² at %v", what, p.Area, p.At), p.At})
		}
	}
	c := &j.Components
	pieces("part of the floor that the mesh lacks", c.Lost)
	pieces("part of the mesh that the floor lacks", c.Invented)
	pieces("part of the floor that falls apart", c.Split)
	pieces("part of the mesh that joins parts of the floor", c.Joined)
	big := func(list []verify.Piece) []verify.Piece {
		n := 0
		for n < len(list) && list[n].Area >= 0.1 {
			n++
		}
		return list[:n]
	}
	pieces("floor without a region", big(j.Lost.Largest))
	pieces("region without floor", big(j.Outside.Largest))
	pieces("ground with two regions", big(j.Overlap.Largest))
	if p := &j.Paths; p.Lost != nil {
		out = append(out, worst{fmt.Sprintf("no path from %v to %v", p.Lost.From, p.Lost.To), p.Lost.From})
	}
	if p := &j.Paths; p.Max > 1.01 {
		out = append(out, worst{fmt.Sprintf("path %.3f times as long as the optimum, from %v to %v", p.Max, p.Detour.From, p.Detour.To), p.Detour.From})
	}
	if p := &j.Paths; p.Shorter > 0 {
		out = append(out, worst{fmt.Sprintf("path %.3f times as long as the floor allows, from %v to %v", p.Min, p.Shortcut.From, p.Shortcut.To), p.Shortcut.From})
	}
	if h := &j.Height; h.Max > 0.1 {
		out = append(out, worst{fmt.Sprintf("heights %.3f m apart at %v", h.Max, h.At), h.At})
	}
	return out
}

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/metric"
)

// reproduceCmd runs published experiments again.
type reproduceCmd struct {
	Names      []string `arg:"" optional:"" placeholder:"NAME" help:"Experiments: see --list; all, brand for all of a source, or hale-6 for all tables of a chapter."`
	List       bool     `help:"List the tables and figures of the sources with their state, or of a NAME, and stop."`
	Sources    bool     `help:"Print the page docs/sources.md of the results in --state, and stop."`
	State      string   `help:"File of results: a later run of the same program skips their experiments." placeholder:"FILE"`
	JSON       bool     `help:"Print a JSON object for each experiment, with its rows, or for each entry of --list, one a line."`
	Worlds     int      `help:"Number of worlds; 0 is the experiment's own. Constructions have none." placeholder:"N"`
	Paths      int      `help:"Number of paths on each world, of brand's experiments; 0 is the experiment's own." placeholder:"N"`
	Generators []string `help:"Generators to run besides the source's: ${generators}." placeholder:"NAME" completion-predictor:"generators"`
	Out        string   `short:"o" help:"Picture to write, the meshes of one world of one experiment side by side: .svg or .png. Some have tables only." placeholder:"FILE"`
	Show       int      `help:"The number of the world to draw (default ${default})." default:"1" placeholder:"K"`
	Width      int      `help:"Width of the picture in pixels, 800 to 20000 (default ${default})." default:"2400" placeholder:"PX"`
	Jobs       int      `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)."`
	Recast     string   `placeholder:"PROGRAM" help:"Program of lab/bench/peers/recast, for the rows of oliva-44 and oliva-45 about Recast."`
}

// Run runs the experiments one after the other and prints the results.
func (c *reproduceCmd) Run(e *env) error {
	switch {
	case c.List:
		return c.list(e)
	case c.Sources:
		return c.page(e)
	}
	names, err := c.experiments()
	if err != nil {
		return err
	}
	if err := picture(c.Out); err != nil {
		return err
	}
	if c.Width < 800 || c.Width > 20000 {
		return fmt.Errorf("--width is %d, must be 800 to 20000", c.Width)
	}
	if c.Show < 1 {
		return fmt.Errorf("--show is %d, must be 1 or more", c.Show)
	}
	if c.Jobs < 0 {
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	}
	if c.Out != "" && len(names) > 1 {
		return fmt.Errorf("%s: a picture shows one experiment, not %d", c.Out, len(names))
	}
	if c.Out != "" && !experiment.Draws(names[0]) {
		return fmt.Errorf("%s: %s has tables only, no picture", c.Out, names[0])
	}
	options := experiment.Options{Worlds: c.Worlds, Paths: c.Paths, Methods: c.Generators, Show: c.Show, Jobs: c.Jobs}
	if options.Recast, err = recastProgram(c.Recast); err != nil {
		return err
	}
	return c.run(e, names, options)
}

// draw puts the meshes of the world that is shown side by side, as the figures of the sources do.
func (c *reproduceCmd) draw(e *env, r *experiment.Report) error {
	if c.Out == "" {
		return nil
	}
	if r.Drawing != nil {
		write := pictureWriter(c.Out)
		view := r.Drawing.View
		view.Width = c.Width
		return e.write(c.Out, func(w io.Writer) error { return write(w, &r.Drawing.List, view) })
	}
	if len(r.Shown.Meshes) == 0 {
		return fmt.Errorf("%s: %s has no worlds to draw", c.Out, r.Name)
	}
	sheet := chart.Sheet{Title: r.Title, Subtitle: r.Shown.World.Name, Plan: r.Shown.World.Plan(), Width: c.Width}
	for m, method := range r.Shown.Methods {
		panel := chart.Panel{Title: method, Mesh: r.Shown.Meshes[m]}
		if m < len(r.Shown.Marks) {
			panel.Notes, panel.Over = r.Shown.Notes[m], marks(r.Shown.Marks[m])
		} else {
			result := &r.Shown.Results[m]
			panel.Notes = []string{
				fmt.Sprintf("%d regions, %d near-degenerate", result.Regions.Value, result.Extras.NearDegenerate.Regions),
				fmt.Sprintf("smallest angle %s°, degree %s", measured(result.MinimumAngle.Value), measured(result.Degree.Value)),
			}
		}
		sheet.Panels = append(sheet.Panels, panel)
	}
	page, err := sheet.Page()
	if err != nil {
		return err
	}
	write := pictureWriter(c.Out)
	return e.write(c.Out, func(w io.Writer) error { return write(w, page.List(), page.View()) })
}

// The colours of marks.
var (
	walkColor  = draw.Color{R: 40, G: 90, B: 160, A: 255}
	seenColor  = draw.Color{R: 196, G: 40, B: 32, A: 255}
	bodyColor  = draw.Color{R: 28, G: 60, B: 120, A: 255}
	groupColor = draw.Color{R: 20, G: 120, B: 60, A: 255}
)

// marks draws travellers and what is about them: areas first, then tracks, then bodies.
func marks(list []experiment.Mark) *draw.List {
	var l draw.List
	for i := range list {
		k := &list[i]
		switch k.Kind {
		case experiment.WalkMark:
			l.Lines = append(l.Lines, draw.Line{P: k.Points, Color: walkColor, Width: 2, OnTop: true})
		case experiment.SeenMark:
			l.Lines = append(l.Lines, draw.Line{P: k.Points, Color: seenColor, Width: 2.5, OnTop: true})
		case experiment.GroupMark:
			l.Lines = append(l.Lines, draw.Line{P: k.Points, Color: groupColor, Width: 4, OnTop: true})
		case experiment.ThreatMark:
			fill := seenColor
			fill.A = 70
			for c := 2; c < len(k.Points); c++ {
				l.Triangles = append(l.Triangles, draw.Triangle{P: [3]geom.Vec{k.Points[0], k.Points[c-1], k.Points[c]}, Fill: fill})
			}
		case experiment.BodyMark:
			discs(&l, k, bodyColor)
		case experiment.EnemyMark:
			discs(&l, k, seenColor)
		}
	}
	return &l
}

// discs adds discs of a radius in metres.
func discs(l *draw.List, k *experiment.Mark, fill draw.Color) {
	const sides = 24
	for _, p := range k.Points {
		at := func(i int) geom.Vec {
			sin, cos := geom.SincosDegrees(360 / sides * float64(i))
			return p.Add(geom.Vec{X: k.Radius * cos, Z: -k.Radius * sin})
		}
		for i := range sides {
			l.Triangles = append(l.Triangles, draw.Triangle{P: [3]geom.Vec{p, at(i), at(i + 1)}, Fill: fill})
		}
	}
}

// experiments resolves the names of groups; a repeated experiment runs once.
func (c *reproduceCmd) experiments() ([]string, error) {
	if len(c.Names) == 0 {
		return nil, fmt.Errorf("name an experiment: all, or one of %s", strings.Join(experiment.Names(), ", "))
	}
	var names []string
	for _, name := range c.Names {
		found := false
		for _, n := range experiment.Names() {
			if name == "all" || n == name || strings.HasPrefix(n, name+".") || strings.HasPrefix(n, name+"-") {
				found = true
				if !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("unknown experiment %q; experiments: all, %s", name, strings.Join(experiment.Names(), ", "))
		}
	}
	return names, nil
}

// table is a report for people: for every metric the published figures above ours, and the reason below.
func table(r *experiment.Report) string {
	var b strings.Builder
	methods := r.Methods()
	fmt.Fprintf(&b, "%s  %s\n", r.Name, r.Title)
	paragraph(&b, "  ", r.Trials)
	first := 0
	for _, name := range r.Metrics() {
		first = max(first, len(name))
	}
	cells := func(label, source string, of func(experiment.Row) string, name string) {
		fmt.Fprintf(&b, "  %-*s  %-9s", first, label, source)
		for _, m := range methods {
			cell := ""
			if row, ok := r.Row(m, name); ok {
				cell = of(row)
			}
			fmt.Fprintf(&b, " %*s", max(10, len(m)+1), cell)
		}
	}
	fmt.Fprintf(&b, "  %-*s  %-9s", first, "", "")
	for _, m := range methods {
		fmt.Fprintf(&b, " %*s", max(10, len(m)+1), m+" ")
	}
	b.WriteString("\n")
	for _, name := range r.Metrics() {
		label := name
		if slices.ContainsFunc(r.Rows, func(row experiment.Row) bool { return row.Metric == name && row.Published.Known() }) {
			cells(label, "published", printed, name)
			b.WriteString("\n")
			label = ""
		}
		cells(label, "ours", ours, name)
		for _, t := range r.Tests {
			if t.Metric == name {
				fmt.Fprintf(&b, "  F(%d,%d) = %s, %s", t.DF1, t.DF2, measured(metric.Number(t.F)), chance(t.P))
			}
		}
		b.WriteString("\n")
		for _, why := range r.Reasons {
			if why.Metric == name {
				paragraph(&b, strings.Repeat(" ", first+4), why.Why)
			}
		}
	}
	notes(&b, r)
	return b.String()
}

// notes prints the remarks on no single row.
func notes(b *strings.Builder, r *experiment.Report) {
	known := r.Metrics()
	for _, why := range r.Reasons {
		if !slices.Contains(known, why.Metric) {
			paragraph(b, "  ", why.Metric+": "+why.Why)
		}
	}
	if len(r.Tests) > 0 {
		paragraph(b, "  ", "* significantly better than the worst method (F-test with repeated measures, p < 0.05)")
	}
	for _, c := range r.Claims {
		verdict := "holds: "
		if !c.Holds {
			verdict = "fails: "
		}
		paragraph(b, "  ", verdict+c.Text)
	}
}

// printed is a figure of the source, with all digits.
func printed(row experiment.Row) string {
	if !row.Published.Known() {
		return "- "
	}
	return strconv.FormatFloat(float64(row.Published), 'f', -1, 64) + " "
}

// ours is one of ours, with four digits before the point or in all.
func ours(row experiment.Row) string {
	figure := measured(row.Ours)
	if math.Abs(float64(row.Ours)) >= 1000 && !math.IsInf(float64(row.Ours), 0) {
		figure = strconv.FormatFloat(float64(row.Ours), 'f', 0, 64)
	}
	if row.Better {
		return figure + "*"
	}
	return figure + " "
}

// chance prints a p-value with two digits, which are the same on every machine.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.2g", math.Min(p, 1))
}

// paragraph writes words in lines of up to 110 letters, all indented.
func paragraph(b *strings.Builder, indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent {
			if len(line)+1+len(word) > 110 {
				b.WriteString(line + "\n")
				line = indent + "  "
			} else {
				line += " "
			}
		}
		line += word
	}
	b.WriteString(line + "\n")
}

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/metric/verify"
)

// extracted is a level's floor by one extractor, with the measurements.
type extracted struct {
	name   string
	floor  *meadow.Floor
	mesh   *meadow.Mesh
	area   float64 // m²
	border float64 // of walls, m
	points int     // of the domains
	only   float64 // area that the first has not, m²; of the first, that the second has not
	apart  metric.BorderDistance
	// difference and verdict compare the first floor with this floor. The first has neither.
	difference *verify.Alone
	verdict    extractAgreement
}

// extractAgreement is whether two extractors say the same of a level: as many components, and areas that differ by no
// more than the border of the floor times how far a border may be off.
type extractAgreement struct {
	Extractors [2]string `json:"extractors"`
	Agree      bool      `json:"agree"`
	Components bool      `json:"same_components"`
	Area       float64   `json:"area_differs_m2"`
	Allowed    float64   `json:"allowed_m2"`
	// Border is how far a border may be off in metres: a cell of the raster extractor.
	Border float64 `json:"border_m"`
	// Largest is the area of the largest piece in only one floor, with a place on its border.
	Largest float64 `json:"largest_piece_m2"`
	At      *place  `json:"largest_piece_at,omitempty"`
}

// The colours of pieces in only the first floor and in only the other.
var onlyColors = [2]draw.Color{{R: 214, G: 84, B: 40, A: 255}, {R: 40, G: 96, B: 200, A: 255}}

// validateExtractors checks the flags of a comparison of extractors.
func (c *compareCmd) validateExtractors() error {
	known := append(catalog.Extractors(), catalog.LimitedExtractors()...)
	if len(c.Extractors) < 2 {
		return fmt.Errorf("--extractors takes two or more, of %s", strings.Join(known, ", "))
	}
	for k, name := range c.Extractors {
		if slices.Contains(c.Extractors[:k], name) {
			return fmt.Errorf("--extractors: %q is listed twice", name)
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("--extractors: unknown extractor %q; extractors: %s", name, strings.Join(known, ", "))
		}
	}
	switch {
	case meadow.IsMap(c.Level):
		return errors.New("--extractors needs a level; a map is already a floor")
	case len(c.Generators) > 1:
		return errors.New("--extractors takes one of --generators")
	case c.Winner != "" || c.Chart != "" || c.Pool > 1 || c.Concavity > 0:
		return errors.New("--winner, --chart, --pool and --concavity are for generators, not for --extractors")
	}
	return nil
}

// compareExtractors finds the floor by several extractors, compares the first with every other, prints the differences
// and draws them.
func (c *compareCmd) compareExtractors(e *env, in input, opt meadow.FloorOptions, making meadow.MeshOptions, bar *progress) (err error) {
	if len(c.Generators) > 0 {
		if making.Generator, err = catalog.Generator(c.Generators[0]); err != nil {
			return err
		}
	}
	all := make([]extracted, len(c.Extractors))
	for k := range all {
		x := &all[k]
		x.name = c.Extractors[k]
		if opt.Extractor, err = catalog.Extractor(x.name, 0); err != nil {
			return err
		}
		if x.floor, err = in.floor(e.ctx, opt); err != nil {
			return inFile(c.Level, fmt.Errorf("%s: %w", x.name, err))
		}
		if x.mesh, err = x.floor.Mesh(e.ctx, making); err != nil {
			return inFile(c.Level, fmt.Errorf("%s: %w", x.name, err))
		}
		x.measure()
	}
	for k := range all {
		other := &all[0]
		if k == 0 {
			other = &all[1]
		}
		r, err := metric.Measure(e.ctx, all[k].mesh.Mesh, metric.Options{Plan: otherLayers(other.floor.Plan)})
		if err != nil {
			return inFile(c.Level, err)
		}
		all[k].apart = r.Extras.Border.MeshToPlan
	}
	for k := 1; k < len(all); k++ {
		x := &all[k]
		only, err := verify.Floors(e.ctx, all[0].floor.Plan, x.floor.Plan)
		if err != nil {
			return inFile(c.Level, err)
		}
		x.difference = &only
		x.only, x.verdict = only[1].Area, agreement(&all[0], x, x.difference)
	}
	all[0].only = all[1].difference[0].Area
	bar.stop()
	if c.Out != "" {
		page, err := c.floors(all).Page()
		if err != nil {
			return err
		}
		write := pictureWriter(c.Out)
		if err := e.write(c.Out, func(w io.Writer) error { return write(w, page.List(), page.View()) }); err != nil {
			return err
		}
	}
	tellWarnings(e.stderr, in.warnings())
	if c.JSON {
		return writeJSON(e.stdout, c.reportExtractors(all))
	}
	c.printExtractors(e.stdout, all)
	return nil
}

// otherLayers returns p with a layer more, without floor: extractors number layers each in their own way, and borders
// are compared layer by layer where there are as many.
func otherLayers(p *plan.Plan) *plan.Plan {
	out := *p
	out.Layers = append(slices.Clone(p.Layers), plan.Layer{})
	return &out
}

// measure counts the parts of the plan.
func (x *extracted) measure() {
	for l := range x.floor.Plan.Layers {
		for i := range x.floor.Plan.Layers[l].Domains {
			d := &x.floor.Plan.Layers[l].Domains[i]
			x.points += d.Len()
			x.area += lattice.SquareMetres(d.Area2())
			for r, ring := range d.Rings {
				for k, p := range ring {
					if q := ring[(k+1)%len(ring)]; d.Edges[r][k] == plan.Wall {
						x.border += math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y)) * lattice.Unit
					}
				}
			}
		}
	}
}

// agreement judges two floors of a level.
func agreement(a, b *extracted, d *verify.Alone) extractAgreement {
	agent := a.floor.Plan.Agent
	// The raster's rule for its cell, which bounds the error of its borders.
	v := extractAgreement{Extractors: [2]string{a.name, b.name}, Border: max(agent.Radius, agent.Height/20) / 7}
	v.Components = a.floor.Plan.Components == b.floor.Plan.Components
	v.Area = math.Abs(a.area - b.area)
	v.Allowed = v.Border * max(a.border, b.border)
	v.Agree = v.Components && v.Area <= v.Allowed
	largest := d.Largest()
	if v.Largest = largest.Area; v.Largest > 0 {
		at := placeOf(largest.At)
		v.At = &at
	}
	return v
}

// String returns a line of text.
func (v extractAgreement) String() string {
	verdict := "agree"
	if !v.Agree {
		verdict = "disagree"
	}
	components := "as many components"
	if !v.Components {
		components = "not as many components"
	}
	return fmt.Sprintf("%s: %s, areas differ by %.2f m²; borders off by %.3f m allow %.1f m²", verdict, components, v.Area, v.Border, v.Allowed)
}

// printExtractors writes the table and the verdicts.
func (c *compareCmd) printExtractors(w io.Writer, all []extracted) {
	r := all[0].mesh.Report()
	fmt.Fprintf(w, "%s\n  %s\n\n", c.Level, count(r.Triangles, "triangle"))
	rows := [][]string{
		{"extractor", "seconds", "layers", "seams", "components", "area m²", "only here m²", "border m", "off, mean m", "most", "vertices", r.Generator},
	}
	for k := range all {
		x := &all[k]
		r := x.mesh.Report()
		rows = append(rows, []string{
			x.name, fmt.Sprintf("%.3f", r.Seconds.Extract), fmt.Sprint(r.Layers), fmt.Sprint(r.Seams), fmt.Sprint(r.Components),
			fmt.Sprintf("%.2f", x.area), fmt.Sprintf("%.2f", x.only), fmt.Sprintf("%.1f", x.border),
			fmt.Sprintf("%.4f", float64(x.apart.Mean)), fmt.Sprintf("%.3f", float64(x.apart.Max)), fmt.Sprint(x.points), fmt.Sprint(r.Regions),
		})
	}
	printRows(w, rows)
	if len(all) > 2 {
		fmt.Fprintf(w, "\nAll are compared with %s, and that with %s.", all[0].name, all[1].name)
	}
	fmt.Fprintln(w, "\nOff is how far a border is from the nearest border of the other floor; the last column counts regions.")
	for k := 1; k < len(all); k++ {
		v, who := &all[k].verdict, "They"
		if len(all) > 2 {
			who = all[0].name + " and " + all[k].name
		}
		fmt.Fprintf(w, "%s %s.\n", who, v)
		if v.At != nil {
			fmt.Fprintf(w, "The largest piece in only one floor has %.3f m², at (%.2f, %.2f, %.2f).\n", v.Largest, v.At[0], v.At[1], v.At[2])
		}
	}
}

// extractorsReport is the output of --json.
type extractorsReport struct {
	Level      string             `json:"level"`
	Triangles  int                `json:"triangles"`
	Agent      agentReport        `json:"agent"`
	Generator  string             `json:"generator"`
	Extractors []extractorReport  `json:"extractors"`
	Agreement  []extractAgreement `json:"agreement"` // of the first with each other
}

// extractorReport is one floor.
type extractorReport struct {
	Extractor  string  `json:"extractor"`
	Seconds    float64 `json:"seconds"`
	Layers     int     `json:"layers"`
	Seams      int     `json:"seams"`
	Components int     `json:"components"`
	Area       float64 `json:"area_m2"`
	Only       float64 `json:"only_here_m2"`
	Border     float64 `json:"border_m"`
	Vertices   int     `json:"vertices"`
	Regions    int     `json:"regions"`
	// Apart is the distance of this border from the first floor's, for the first floor from the second's.
	Apart metric.BorderDistance `json:"border_apart"`
}

func (c *compareCmd) reportExtractors(all []extracted) extractorsReport {
	r := all[0].mesh.Report()
	out := extractorsReport{Level: r.Level, Triangles: r.Triangles, Agent: reportAgent(r.Agent), Generator: r.Generator}
	for k := range all {
		x := &all[k]
		r := x.mesh.Report()
		out.Extractors = append(out.Extractors, extractorReport{
			Extractor: x.name, Seconds: r.Seconds.Extract, Layers: r.Layers, Seams: r.Seams, Components: r.Components,
			Area: round4(x.area), Only: round4(x.only), Border: round4(x.border), Vertices: x.points, Regions: r.Regions, Apart: x.apart,
		})
		if v := x.verdict; k > 0 {
			v.Area, v.Allowed, v.Border, v.Largest = round4(v.Area), round4(v.Allowed), round4(v.Border), round4(v.Largest)
			out.Agreement = append(out.Agreement, v)
		}
	}
	return out
}

// floors draws all floors, and on the first floor its differences from every other.
func (c *compareCmd) floors(all []extracted) chart.Floors {
	r := all[0].mesh.Report()
	s := chart.Floors{Title: r.Level, Subtitle: "The extractors " + all[1].verdict.String() + ".", Width: c.Width}
	if len(all) > 2 {
		s.Subtitle = "Floors by several extractors; the first is compared with every other."
	}
	s.Footnote = "Storeys lie over each other; orange lines lead to another layer."
	for k := range all {
		x := &all[k]
		r := x.mesh.Report()
		s.Panels = append(s.Panels, chart.FloorPanel{
			Title: x.name, Plan: x.floor.Plan,
			Notes: []string{
				fmt.Sprintf("%.1f m² · %s · %s", x.area, count(r.Layers, "layer"), count(r.Components, "component")),
				fmt.Sprintf("border %.0f m, %.1f cm off in the mean · %d vertices · %s", x.border, 100*float64(x.apart.Mean), x.points, count(r.Regions, "region")),
			},
		})
	}
	for k := 1; k < len(all); k++ {
		d := all[k].difference
		difference := chart.FloorPanel{
			Title: "difference", Plan: all[0].floor.Plan, Pale: true,
			Notes: []string{
				fmt.Sprintf("red: only %s, %.2f m²", all[0].name, d[0].Area),
				fmt.Sprintf("blue: only %s, %.2f m²", all[k].name, d[1].Area),
			},
		}
		for side := range d {
			difference.Marks = append(difference.Marks, chart.Mark{Color: onlyColors[side], Polygons: d[side].Polygons})
		}
		s.Panels = append(s.Panels, difference)
	}
	return s
}

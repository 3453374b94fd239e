package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/metric/verify"
)

// diffCmd tells the difference of two meshes.
type diffCmd struct {
	A string `arg:"" placeholder:"MESH" help:"Mesh file, of Meadow or of another system."`
	B string `arg:"" placeholder:"MESH" help:"Mesh file to compare."`

	Area number `default:"0.01" placeholder:"M2" help:"Area of the largest piece of ground that one mesh may have alone (default ${default})."`
	Rise number `default:"0.05" placeholder:"M" help:"Greatest difference in height over common ground (default ${default})."`
	Out  string `short:"o" placeholder:"FILE" help:"Picture to write, with the ground of one mesh alone in colour: .svg or .png."`
	JSON bool   `help:"Print the difference as JSON."`
}

// diffReport is the output of --json.
type diffReport struct {
	Equal bool `json:"equal"`
	*verify.Difference
}

// Run compares and prints. A difference beyond the tolerance is an answer of no.
func (c *diffCmd) Run(e *env) error {
	if !(c.Area >= 0 && c.Rise >= 0) {
		return fmt.Errorf("--area is %g and --rise %g, must be 0 or more", float64(c.Area), float64(c.Rise))
	}
	if err := picture(c.Out, c.A, c.B); err != nil {
		return err
	}
	a, err := e.loadMesh(c.A)
	if err != nil {
		return err
	}
	b, err := e.loadMesh(c.B)
	if err != nil {
		return err
	}
	d, err := verify.Diff(e.ctx, a.Mesh, b.Mesh)
	if err != nil {
		return inFile(c.B, err)
	}
	if c.Out != "" {
		if err := c.draw(e, a, d); err != nil {
			return err
		}
	}
	equal := d.Equal(verify.Tolerance{Area: float64(c.Area), Height: float64(c.Rise)})
	if c.JSON {
		if err := writeJSON(e.stdout, diffReport{equal, d}); err != nil {
			return err
		}
	} else {
		c.print(e.stdout, d)
	}
	if !equal {
		return no("%s and %s differ", c.A, c.B)
	}
	return nil
}

// print writes a table of both meshes, and the largest pieces.
func (c *diffCmd) print(w io.Writer, d *verify.Difference) {
	row := func(name string, values [2]int) []string {
		return []string{name, fmt.Sprint(values[0]), fmt.Sprint(values[1])}
	}
	printRows(w, [][]string{
		{"", filepath.Base(c.A), filepath.Base(c.B)},
		{"ground m²", fmt.Sprintf("%.2f", d.Area[0]), fmt.Sprintf("%.2f", d.Area[1])},
		{"only here m²", fmt.Sprintf("%.2f", d.Only[0].Area), fmt.Sprintf("%.2f", d.Only[1].Area)},
		row("regions", d.Regions), row("portals", d.Portals), row("components", d.Components), row("links", d.Links),
	})
	if d.Height.Samples == 0 {
		fmt.Fprint(w, "\nno common ground\n")
	} else {
		fmt.Fprintf(w, "\nheights are %.3f m apart in the mean, at most %.3f m at %v\n", d.Height.Mean, d.Height.Max, d.Height.At)
	}
	for side, name := range []string{c.A, c.B} {
		for _, p := range d.Only[side].Largest[:min(maxWorst, len(d.Only[side].Largest))] {
			fmt.Fprintf(w, "only %s: %.3f m² at %v\n", name, p.Area, p.At)
		}
	}
}

// draw draws the ground of the first mesh in grey, and ground of one mesh alone in colour.
func (c *diffCmd) draw(e *env, a *meadow.Mesh, d *verify.Difference) error {
	outline, err := verify.Outline(a.Mesh)
	if err != nil {
		return err
	}
	sheet := chart.Floors{
		Title:    filepath.Base(c.A) + " and " + filepath.Base(c.B),
		Subtitle: fmt.Sprintf("red: only %s, %.2f m²; blue: only %s, %.2f m²", filepath.Base(c.A), d.Only[0].Area, filepath.Base(c.B), d.Only[1].Area),
		Width:    1600,
		Panels:   []chart.FloorPanel{{Plan: outline, Pale: true, Marks: []chart.Mark{{Color: onlyColors[0], Polygons: d.Only[0].Polygons}, {Color: onlyColors[1], Polygons: d.Only[1].Polygons}}}},
	}
	page, err := sheet.Page()
	if err != nil {
		return errors.Join(fmt.Errorf("%s: cannot be drawn", c.A), err)
	}
	write := pictureWriter(c.Out)
	return e.write(c.Out, func(w io.Writer) error { return write(w, page.List(), page.View()) })
}

package main

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/metric/verify"
)

//go:embed report.html
var reportHTML string

// isPage reports whether a report is a page.
func isPage(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".html" || ext == ".htm"
}

// pageFile fails early for a path that no page can be written to.
func pageFile(path string, inputs ...string) error {
	if !isPage(path) {
		return fmt.Errorf("%s: unsupported page; supported: .html", path)
	}
	return writable(path, inputs...)
}

// reportPage is a page without other files: meshes of a level side by side, with pictures and numbers.
type reportPage struct {
	Level  string
	Agent  agentReport
	Floor  float64
	Meshes []reportMesh
	Rows   []reportRow
}

// reportMesh is a mesh on the page.
type reportMesh struct {
	Name                       string
	Area                       float64
	Worst                      []worst
	Faults                     []string
	More                       int // faults beyond the list
	Picture, Difference, Chart template.URL
}

// reportRow is a row of the table: a number for each mesh, the best marked.
type reportRow struct {
	Name, About string
	Cells       []reportCell
}

type reportCell struct {
	Text string
	Best bool
}

// The colours of differences, and their names on the page.
var differenceColors = [3]draw.Color{
	{R: 214, G: 58, B: 48, A: 255},  // lost
	{R: 240, G: 148, B: 32, A: 255}, // outside
	{R: 120, G: 62, B: 178, A: 255}, // twice
}

// newReportPage draws all pictures.
func newReportPage(e *env, in input, truth verify.Truth, all []judged) (*reportPage, error) {
	p := &reportPage{Level: in.name(), Agent: reportAgent(truth.All.Agent), Floor: all[0].Floor}
	for k := range judgements {
		j := &judgements[k]
		row := reportRow{Name: j.Name, About: j.About}
		best := 0
		for i := range all {
			if v, b := j.value(all[i].Report), j.value(all[best].Report); j.less && v < b || !j.less && v > b {
				best = i
			}
		}
		for i := range all {
			row.Cells = append(row.Cells, reportCell{j.Text(all[i].Report), len(all) > 1 && j.Text(all[i].Report) == j.Text(all[best].Report)})
		}
		p.Rows = append(p.Rows, row)
	}
	for i := range all {
		m, err := p.mesh(e, in, truth, &all[i])
		if err != nil {
			return nil, err
		}
		p.Meshes = append(p.Meshes, m)
	}
	return p, nil
}

// maxPageFaults is how many faults of a mesh the page lists.
const maxPageFaults = 20

// mesh draws a mesh three times: on its level, beside the floor, and as distributions.
func (p *reportPage) mesh(e *env, in input, truth verify.Truth, j *judged) (reportMesh, error) {
	m := reportMesh{Name: j.Name, Area: j.Report.Mesh, Worst: j.Worst()}
	faults := j.Mesh.Validate()
	for _, f := range faults[:min(len(faults), maxPageFaults)] {
		m.Faults = append(m.Faults, fmt.Sprintf("%s at %v: %s", f.Kind, f.At, f.Detail))
	}
	m.More = len(faults) - len(m.Faults)

	list := in.list()
	over := draw.Mesh(j.Mesh.Mesh, draw.MeshOptions{Seams: true})
	list.Append(&over)
	view := draw.View{Yaw: geom.Degrees(obliqueYaw), Tilt: geom.Degrees(obliqueTilt), Width: 1400}
	var err error
	if m.Picture, err = picturePNG(list, view); err != nil {
		return m, err
	}
	sheet := chart.Floors{Width: 1400, Title: "Difference from the floor", Subtitle: "red: lost; orange: outside; violet: two regions", Panels: []chart.FloorPanel{{
		Title: j.Name, Plan: truth.All, Pale: true,
		Notes: []string{fmt.Sprintf("%.2f m² lost, %.2f m² outside, %.2f m² twice", j.Lost.Area, j.Outside.Area, j.Overlap.Area)},
		Marks: []chart.Mark{{Color: differenceColors[0], Polygons: j.Lost.Polygons}, {Color: differenceColors[1], Polygons: j.Outside.Polygons}, {Color: differenceColors[2], Polygons: j.Overlap.Polygons}},
	}}}
	page, err := sheet.Page()
	if err != nil {
		return m, err
	}
	if m.Difference, err = picturePNG(page.List(), page.View()); err != nil {
		return m, err
	}
	opt := metric.Options{Plan: truth.Reachable, Categories: metric.DefaultCategories}
	r, err := metric.Measure(e.ctx, j.Mesh.Mesh, opt)
	if err != nil {
		return m, err
	}
	page = metricsPage(j.Name, &r, &opt)
	m.Chart, err = picturePNG(page.List(), page.View())
	return m, err
}

// picturePNG returns a picture inside of a page.
func picturePNG(list *draw.List, view draw.View) (template.URL, error) {
	var b bytes.Buffer
	if err := png.Write(&b, list, view); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// write writes the page.
func (p *reportPage) write(w io.Writer) error {
	page, err := template.New("report").Funcs(template.FuncMap{"count": count}).Parse(reportHTML)
	if err != nil {
		return err
	}
	return page.Execute(w, p)
}

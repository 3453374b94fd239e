package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/metric"
)

// metricsPage draws the distributions of a mesh measured with some options: the histograms and box plots of
// the source's figures 6.2 to 6.7.
func metricsPage(name string, r *metric.Result, opt *metric.Options) *chart.Page {
	const width, height, rim, top = 1800, 1560, 40.0, 140.0
	page := &chart.Page{Width: width, Height: height}
	page.Heading(rim, fmt.Sprintf("%s: %s", filepath.Base(name), count(r.Regions.Value, "region")),
		fmt.Sprintf("α %.3g m², object radius %.3g m", float64(r.AreaSizes.Alpha), float64(r.Placement.Radius)))
	cell := func(column, row, columns int, y, h float64) chart.Rect {
		w := (width - 2*rim) / float64(columns)
		return chart.Rect{X: rim + float64(column)*w, Y: y + float64(row)*h, W: w - 24, H: h - 16}
	}
	const tall = 450.0
	page.Histogram(cell(0, 0, 3, top, tall), chart.Histogram{Title: "Area sizes", Groups: "area up to, m²", Counts: "regions", Bars: binBars(r.AreaSizes.Histogram, 1)})
	page.Histogram(cell(1, 0, 3, top, tall), chart.Histogram{Title: "Graph degree", Groups: "neighbours", Counts: "regions", Bars: countBars(r.Degree.Histogram, 0, 0, 0)})
	page.Histogram(cell(2, 0, 3, top, tall), chart.Histogram{Title: "Common vertices", Groups: "regions with a vertex at a place", Counts: "places", Bars: countBars(r.CommonVertices.Histogram, 1, -1, 0)})
	page.Histogram(cell(0, 1, 3, top, tall), chart.Histogram{Title: "Minimum angle", Groups: "smallest angle up to, degrees", Counts: "regions", Bars: binBars(r.MinimumAngle.Histogram, acuteGroups(r))})
	page.Histogram(cell(1, 1, 3, top, tall), chart.Histogram{Title: "Object placement", Groups: "objects placed in a region", Counts: "regions", Bars: countBars(r.Placement.Histogram, 0, 0, opt.Categories)})
	page.BoxPlot(cell(2, 1, 3, top, tall), chart.BoxPlot{Title: homogeneity, Values: "width over height, less 1", Scale: chart.SignedLog, Boxes: []chart.Box{boxOf("regions", &r.Homogeneity.Distribution)}})
	column := 0
	for _, b := range distributions {
		if b.name == homogeneity {
			continue // drawn above
		}
		page.BoxPlot(cell(column, 0, len(distributions)-1, top+2*tall, 480), chart.BoxPlot{Title: b.name, Values: b.unit, Scale: b.scale, Boxes: []chart.Box{boxOf("", b.of(r))}})
		column++
	}
	return page
}

// distributions are the subjects of box plots.
var distributions = []struct {
	name, unit string
	scale      chart.Scale
	of         func(*metric.Result) *metric.Distribution
}{
	{"Area sizes", "m²", chart.Log, func(r *metric.Result) *metric.Distribution { return &r.AreaSizes.Distribution }},
	{"Graph degree", "neighbours", chart.Linear, func(r *metric.Result) *metric.Distribution { return &r.Degree.Distribution }},
	{homogeneity, "width over height, less 1", chart.SignedLog, func(r *metric.Result) *metric.Distribution { return &r.Homogeneity.Distribution }},
	{"Common vertices", "regions at a place", chart.Linear, func(r *metric.Result) *metric.Distribution { return &r.CommonVertices.Distribution }},
	{"Minimum angle", "degrees", chart.Linear, func(r *metric.Result) *metric.Distribution { return &r.MinimumAngle.Distribution }},
	{"Object placement", "objects", chart.SignedLog, func(r *metric.Result) *metric.Distribution { return &r.Placement.Distribution }},
}

const homogeneity = "Homogeneity"

func boxOf(label string, d *metric.Distribution) chart.Box {
	b := chart.Box{
		Label: label, Low: float64(d.Whiskers[0]), Q1: float64(d.Q1), Median: float64(d.Median),
		Q3: float64(d.Q3), High: float64(d.Whiskers[1]), Mean: float64(d.Mean),
	}
	for _, v := range d.Outliers {
		b.Outliers = append(b.Outliers, float64(v))
	}
	for _, v := range d.Extremes {
		b.Extremes = append(b.Extremes, float64(v))
	}
	return b
}

// binBars names groups by their upper end, the last open group by its lower end; the first warn groups are trouble.
func binBars(bins []metric.Bin, warn int) []chart.Bar {
	var out []chart.Bar
	for i, b := range bins {
		label := strconv.FormatFloat(float64(b.High), 'g', 3, 64)
		if math.IsInf(float64(b.High), 1) {
			label = "more"
		}
		out = append(out, chart.Bar{Label: label, Count: b.Count, Warn: i < warn})
	}
	return out
}

// acuteGroups is the number of groups of angles below the 10 degrees that the source warns of.
func acuteGroups(r *metric.Result) int {
	n := 0
	for _, b := range r.MinimumAngle.Histogram {
		if b.High <= 10 {
			n++
		}
	}
	return n
}

// countBars names groups by their number, from 1 on. Group warn is trouble, -1 is none; the last of limit
// groups stands for all that is more, 0 is no limit.
func countBars(counts []int, from, warn, limit int) []chart.Bar {
	var out []chart.Bar
	for i := from; i < len(counts); i++ {
		b := chart.Bar{Label: strconv.Itoa(i), Count: counts[i], Warn: i == warn}
		if limit > 0 && i == limit-1 {
			b.Label += "+"
		}
		out = append(out, b)
	}
	return out
}

package standings

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/lab/chart"
)

// Page draws the distributions over the levels: time, regions and bytes by the reference's, floor lost, border and height.
func (s *Standings) Page() *chart.Page {
	const width, height, rim, top, columns = 1800, 1300, 40.0, 130.0, 3
	page := &chart.Page{Width: width, Height: height}
	ratio := func(of func(*Entry) float64) func(*Level, string) (float64, bool) {
		return func(l *Level, name string) (float64, bool) { return s.ratio(l, name, of) }
	}
	quality := func(of func(*Quality) *float64) func(*Level, string) (float64, bool) {
		return func(l *Level, name string) (float64, bool) {
			e := l.entry(name)
			if e == nil || e.Quality == nil || of(e.Quality) == nil {
				return 0, false
			}
			return *of(e.Quality), true
		}
	}
	for i, d := range []struct {
		title, unit string
		scale       chart.Scale
		names       []string
		of          func(*Level, string) (float64, bool)
	}{
		{"Time", "by " + s.Reference, chart.Log, s.names(), ratio(timeOf)},
		{"Regions", "by " + s.Reference, chart.Log, s.names(), ratio(regionsOf)},
		{"Bytes", "by " + s.Reference, chart.Log, s.names(), ratio(bytesOf)},
		{"Floor lost", "% of the reachable floor", chart.Linear, s.judged(), quality(func(q *Quality) *float64 { v := 100 * (1 - q.Coverage); return &v })},
		{"Border off in the mean", "cm", chart.Linear, s.judged(), quality(func(q *Quality) *float64 { return scaled(q.BorderMean, 100) })},
		{"Height off for 95 %", "cm", chart.Linear, s.judged(), quality(func(q *Quality) *float64 { return scaled(&q.Rise95, 100) })},
	} {
		plot := chart.BoxPlot{Title: d.title, Values: d.unit, Scale: d.scale}
		for _, name := range d.names {
			var values []float64
			for k := range s.Levels {
				if v, ok := d.of(&s.Levels[k], name); ok {
					values = append(values, v)
				}
			}
			if len(values) > 0 {
				plot.Boxes = append(plot.Boxes, box(name, values))
			}
		}
		const w, h = (width - 2*rim) / columns, (height - top - rim) / 2
		page.BoxPlot(chart.Rect{X: rim + float64(i%columns)*w, Y: top + float64(i/columns)*h, W: w - 24, H: h - 24}, plot)
	}
	page.Heading(rim, fmt.Sprintf("%d levels", len(s.Levels)), "Box: quartiles, line: median, dot: mean, circles: levels farther than 1.5 boxes away.")
	return page
}

// box returns the box of a distribution.
func box(label string, values []float64) chart.Box {
	v := slices.Sorted(slices.Values(values))
	b := chart.Box{Label: label, Q1: quantile(v, 0.25), Median: quantile(v, 0.5), Q3: quantile(v, 0.75)}
	low, high := b.Q1-1.5*(b.Q3-b.Q1), b.Q3+1.5*(b.Q3-b.Q1)
	b.Low, b.High = b.Q1, b.Q3
	for _, x := range v {
		b.Mean += x / float64(len(v))
		if x < low || x > high {
			b.Outliers = append(b.Outliers, x)
			continue
		}
		b.Low, b.High = min(b.Low, x), max(b.High, x)
	}
	return b
}

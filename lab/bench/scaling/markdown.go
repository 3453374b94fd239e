package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
)

// results are all figures of the tables.
type results struct {
	settings settings
	figures  []figure
}

// markdown prints the tables.
func (r *results) markdown(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "One core of %s/%s, %s. Times are processor times, the best of the runs that begin in %v, %d at least.\n",
		runtime.GOOS, runtime.GOARCH, runtime.Version(), r.settings.slice, fewestRuns)
	for _, kind := range r.settings.kinds {
		r.table(&b, kind, "time, ms", smallest, func(f figure) float64 { return float64(f.Best) / 1e6 })
		r.table(&b, kind, "memory allocated, MB", smallest, func(f figure) float64 { return float64(f.Allocated) / 1e6 })
		r.table(&b, kind, "largest heap, MB", heapFrom, func(f figure) float64 { return float64(f.Peak) / 1e6 })
		r.table(&b, kind, "cells", smallest, func(f figure) float64 { return float64(f.Cells) })
	}
	r.empty(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

// heapFrom is the size of worlds above which the heap is larger than its growth steps.
const heapFrom = 10000

// table prints a measure of all methods on the worlds of a kind, a row for each size, and the exponents of
// growth from a size on.
func (r *results) table(b *strings.Builder, kind, title string, from int, measure func(figure) float64) {
	fmt.Fprintf(b, "\n### %s: %s\n\n| vertices | %s |\n|%s\n", kind, title, strings.Join(r.settings.methods, " | "),
		strings.Repeat("---|", 1+len(r.settings.methods)))
	for _, n := range sizes(r.settings.most) {
		if n < from {
			continue
		}
		vertices, cells := "", make([]string, len(r.settings.methods))
		for i, m := range r.settings.methods {
			cells[i] = "—"
			if f, ok := r.find(task{kind, m, n}); ok {
				vertices, cells[i] = fmt.Sprint(f.Vertices), digits(measure(f))
			}
		}
		if vertices != "" {
			fmt.Fprintf(b, "| %s | %s |\n", vertices, strings.Join(cells, " | "))
		}
	}
	fmt.Fprint(b, "| exponent |")
	for _, m := range r.settings.methods {
		var x, y []float64
		for _, f := range r.figures {
			if f.Kind == kind && f.Method == m && f.Size >= from {
				x, y = append(x, float64(f.Vertices)), append(y, measure(f))
			}
		}
		fmt.Fprintf(b, " %.3f |", exponent(x, y))
	}
	fmt.Fprintln(b)
}

func (r *results) find(t task) (figure, bool) {
	i := slices.IndexFunc(r.figures, func(f figure) bool { return f.task == t })
	if i < 0 {
		return figure{}, false
	}
	return r.figures[i], true
}

// empty prints the times for one pillar in rooms of very different size.
func (r *results) empty(b *strings.Builder) {
	fmt.Fprintf(b, "\n### A pillar in an empty room: time, µs\n\n| side, m | %s |\n|%s\n",
		strings.Join(r.settings.methods, " | "), strings.Repeat("---|", 1+len(r.settings.methods)))
	for k, half := range empties {
		fmt.Fprintf(b, "| %.4g |", float64(half)*2/4096)
		for _, m := range r.settings.methods {
			if f, ok := r.find(task{emptyWorld, m, k}); ok {
				fmt.Fprintf(b, " %s |", digits(float64(f.Best)/1e3))
			} else {
				fmt.Fprint(b, " — |")
			}
		}
		fmt.Fprintln(b)
	}
}

// exponent returns the slope of the line that fits log y over log x with the least squares, NaN for
// fewer than two figures.
func exponent(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		u, v := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+u, sy+v, sxx+u*u, sxy+u*v
	}
	if det := n*sxx - sx*sx; len(x) > 1 && det > 0 {
		return (n*sxy - sx*sy) / det
	}
	return math.NaN()
}

// digits prints three digits, or all of a larger whole number.
func digits(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

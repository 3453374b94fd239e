package main

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

func TestExponent(t *testing.T) {
	x := []float64{1000, 3000, 10000, 200000}
	for _, want := range []float64{0, 1, 1.15, 2} {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 7 * math.Pow(x[i], want)
		}
		if got := exponent(x, y); math.Abs(got-want) > 1e-9 {
			t.Errorf("exponent %v, want %v", got, want)
		}
	}
	// Points that are off the line by as much on both sides in the middle leave the slope.
	if got := exponent([]float64{1, 10, 10, 100}, []float64{1, 5, 20, 100}); math.Abs(got-1) > 1e-9 {
		t.Errorf("exponent %v of a line with noise, want 1", got)
	}
	if got := exponent([]float64{1}, []float64{1}); !math.IsNaN(got) {
		t.Errorf("exponent %v of one figure", got)
	}
}

func TestSizes(t *testing.T) {
	want := []int{1000, 3162, 10000, 31623, 100000, 316228, 1000000}
	got := sizes(1000000)
	if len(got) != len(want) {
		t.Fatalf("sizes %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("sizes %v, want %v", got, want)
		}
	}
	for name, f := range worlds {
		for _, n := range []int{1000, 10000} {
			if v := f(n).Len(); v < n*4/5 || v > n*5/4 {
				t.Errorf("%s: %d vertices, asked for %d", name, v, n)
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	for _, one := range []task{{"scatter", "delaunay", 1000}, {emptyWorld, "wavefront", 2}} {
		f, err := measure(t.Context(), one, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if f.Runs < fewestRuns || f.Best <= 0 || f.Median < f.Best || f.Allocated == 0 || f.Cells == 0 {
			t.Errorf("%+v", f)
		}
	}
	for _, bad := range []task{{"scatter", "voronoy", 1000}, {"crowd", "delaunay", 1000}, {emptyWorld, "delaunay", 3}} {
		if _, err := measure(t.Context(), bad, time.Millisecond); err == nil {
			t.Errorf("%v is measured", bad)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, bad := range [][]string{{"-generators", "voronoy"}, {"-kinds", "crowd"}, {"-most", "10"}, {"x"}, {"-one", "scatter,delaunay"}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"-slice", "1ms", "-one", "comb,delaunay,1000"}, &out, io.Discard); err != nil || !strings.Contains(out.String(), `"Vertices":1003`) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestTables prints invented figures.
func TestTables(t *testing.T) {
	r := results{settings: settings{methods: []string{"a", "b"}, kinds: []string{"scatter"}, most: 10000}}
	for i, n := range sizes(10000) {
		r.figures = append(r.figures, figure{task: task{"scatter", "a", n}, Vertices: n, Best: int64(n) * 1e6, Allocated: uint64(n * n)})
		if i < 2 {
			r.figures = append(r.figures, figure{task: task{"scatter", "b", n}, Vertices: n, Best: int64(n*n) * 1e3})
		}
	}
	r.figures = append(r.figures, figure{task: task{emptyWorld, "a", 1}, Best: 1500})
	var out strings.Builder
	if err := r.markdown(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### scatter: time, ms", "| 10000 | 10000 | — |", "| 1000 | 1000 | 1000 |", "| exponent | 1.000 | 2.000 |",
		"| exponent | 2.000 |", "| 512 | 1.5 | — |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

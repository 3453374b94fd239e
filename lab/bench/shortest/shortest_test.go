package main

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestRun judges a world of each kind.
func TestRun(t *testing.T) {
	var out, again bytes.Buffer
	args := []string{"-worlds", "9", "-each", "20", "-jobs", "2"}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2+len(kinds())+1 || !strings.Contains(lines[len(lines)-1], "| all | 9 |") || !strings.Contains(lines[len(lines)-1], "| 180 |") {
		t.Errorf("got\n%s", out.String())
	}
	if err := run(t.Context(), append(args, "-jobs", "1"), &again, io.Discard); err != nil || again.String() != out.String() {
		t.Errorf("with one worker: %v\n%s", err, again.String())
	}
}

func TestArguments(t *testing.T) {
	for _, args := range []string{"-queries 0", "-each 0", "-worlds -1", "-unknown"} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// TestOracle has a square with a separate hole, a slit along a segment, and a notch at a segment.
func TestOracle(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	o := newOracle(lattice.Polygon{Rings: []lattice.Ring{
		{p(0, 0), p(100, 0), p(100, 100), p(50, 100), p(50, 60), p(48, 100), p(0, 100)},
		{p(40, 20), p(40, 40), p(60, 40), p(60, 20)},
	}})
	for _, c := range []struct {
		a, b lattice.Point
		want float64
	}{
		{p(0, 0), p(0, 0), 0},
		{p(0, 0), p(100, 0), 100},
		{p(0, 40), p(100, 40), 100}, // along the hole
		{p(0, 60), p(100, 60), 100}, // touching the slit
		{p(40, 20), p(60, 40), 40},  // around the hole
		{p(0, 30), p(100, 30), 2*math.Hypot(40, 10) + 20},
		{p(50, 100), p(48, 100), 40 + math.Hypot(2, 40)}, // around the end of the slit
		{p(0, 80), p(100, 80), 2 * math.Hypot(50, 20)},
	} {
		if got := o.length(c.a, c.b); math.Abs(got-c.want) > 1e-12*(1+c.want) {
			t.Errorf("%v to %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

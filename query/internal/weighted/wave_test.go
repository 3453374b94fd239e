package weighted

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAboveIsAbove compares random lines on segments with the cost of a wave at many places: a cost that is above a line at
// the ends of the segment alone is not above the line.
func TestAboveIsAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 28))
	at := func(size float64) [2]float64 { return [2]float64{size * rng.Float64(), size * rng.Float64()} }
	above, crossed := 0, 0
	for range 20_000 {
		from, to := SegmentBetween(at(1000), at(1000)), SegmentBetween(at(1000), at(1000))
		if rng.IntN(4) == 0 {
			p := at(1000)
			from = SegmentBetween(p, p)
		}
		w := newWave(&from, 500*rng.Float64(), 500*rng.Float64(), 0.5+2*rng.Float64())
		toll := 20 * rng.Float64()
		cost := func(place float64) float64 {
			x, y := to.At(place)
			return w.reach(x, y) + toll
		}
		// The line is near the cost at the ends.
		line := [2]float64{cost(0) - 50*rng.Float64(), cost(1) - 50*rng.Float64()}
		least := 0.0
		for k := range 257 {
			place := float64(k) / 256
			least = min(least, cost(place)-between(line, place, place)[0])
		}
		switch yes := w.above(&to, line, toll); {
		case yes && least < -1e-9:
			t.Fatalf("wave %+v, segment %+v, line %v: the cost is %v below the line", w, to, line, -least)
		case yes:
			above++
		case least < 0:
			crossed++
		}
	}
	if above < 1000 || crossed < 1000 {
		t.Errorf("%d lines below the cost and %d across: too few for a test", above, crossed)
	}
}

// TestLineBelow compares the line of a cell with the lines of its parts: nowhere above them, and equal where the parts share a line.
func TestLineBelow(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 1))
	for k := range 1000 {
		cells := make([]cell, parts)
		first, rise := rng.Float64(), rng.Float64()-0.5
		for i := range cells {
			cells[i].low = [2]float64{first + rise*float64(i), first + rise*float64(i+1)}
			if k%2 == 0 {
				cells[i].low = [2]float64{rng.Float64(), rng.Float64()}
			}
			if k%5 == 0 && rng.IntN(4) == 0 {
				cells[i].low = [2]float64{math.Inf(1), math.Inf(1)}
			}
		}
		line := lineBelow(cells)
		for i := range cells {
			for e, low := range cells[i].low {
				at := line[0]
				if line[1] != line[0] {
					at += (line[1] - line[0]) * float64(i+e) / parts
				}
				if at > low+1e-12 {
					t.Errorf("%v: line %v", cells, line)
				}
			}
		}
		if k%2 == 1 && k%5 != 0 && math.Abs(line[0]-first)+math.Abs(line[1]-first-rise*parts) > 1e-12 {
			t.Errorf("line %v, want %v to %v", line, first, first+rise*parts)
		}
	}
	out := []cell{newCell(0, 0, 0.5), newCell(0, 0.5, 1)}
	if line := lineBelow(out); !math.IsInf(line[0], 1) || !math.IsInf(line[1], 1) {
		t.Errorf("out of reach: %v", line)
	}
}

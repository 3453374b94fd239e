package weighted

import (
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

package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan"
	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
	"github.com/meadow-nav/meadow/floorplan/judge"
	"github.com/meadow-nav/meadow/geom"
)

// TestStepsAroundACorner has four blocks around a corner, each a step from the next one, and a diagonal that is too high for
// a step. The wall of the highest block touches the floor of the lowest at the corner, and is in nobody's way.
func TestStepsAroundACorner(t *testing.T) {
	const step = 0.3
	for _, degrees := range []float64{0, 30, 45.7, 123} {
		s := floortest.NewTurned(degrees)
		for k, corner := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x, y, h := 3*corner[0], 3*corner[1], [4]float64{0, step, 2 * step, step}[k]
			block(&s, min(x, 0), min(y, 0), max(x, 0), max(y, 0), -1, h)
		}
		p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tally, err := judge.Compare(t.Context(), &s.Level, floortest.Agent, judge.Comparison{
			Placements: 1000, Nearer: 0.005, Farther: 0.06, Inside: floortest.Inside(p),
		})
		if err != nil || len(tally.Disagreements) > 0 {
			t.Errorf("turned by %g°: %v %v", degrees, err, tally)
		}
	}
}

// block adds a box to a turned scene.
func block(s *floortest.Turned, x0, y0, x1, y1, low, high float64) {
	corners := [4][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	at := func(k int, h float64) geom.Vec { return s.At(corners[k%4][0], corners[k%4][1], h) }
	s.Quad(at(0, high), at(1, high), at(2, high), at(3, high))
	for k := range 4 {
		s.Quad(at(k, low), at(k+1, low), at(k+1, high), at(k, high))
	}
}

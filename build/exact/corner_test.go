package exact

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestStepsAroundACorner has four blocks around a corner, each a step from the next one, and a diagonal that is too high for
// a step. The wall of the highest block touches the floor of the lowest at the corner, and is in nobody's way.
func TestStepsAroundACorner(t *testing.T) {
	race.Skip(t)
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
		tally, err := groundtruth.Compare(t.Context(), &s.Level, floortest.Agent, groundtruth.Comparison{
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

// TestParapetOfAStep has a block on a floor that goes on beneath the block, and a wall on the edge of the block. The
// wall is a step from the block and more than a step from the floor. The wall is in nobody's way, also where the wall
// rises along the edge or leans over the block. A higher wall and a wall before the block are in the way.
func TestParapetOfAStep(t *testing.T) {
	const step, climb = 0.3, 0.4
	for _, degrees := range []float64{0, 33.7, 90} {
		for _, c := range []struct {
			name        string
			top, rise   float64 // of the wall over the block, and along the edge
			out, lean   float64 // how far the foot of the wall is before the block, and the top of the wall behind its foot
			shut, opens float64 // y of the edge where the wall is in the way, and where the wall is in nobody's way
		}{
			{"parapet", 0.3, 0, 0, 0, math.NaN(), 1},
			{"rising parapet", 0.1, 0.2, 0, 0, 2.2, 0.5},
			{"leaning parapet", 0.1, 0.2, 0, 0.1, 2.2, 0.5},
			{"high parapet", 0.5, 0, 0, 0, 1, math.NaN()},
			{"wall before the block", 0.3, 0, 0.02, 0, 1, math.NaN()},
		} {
			s := floortest.NewTurned(degrees)
			s.Quad(s.At(-4, -4, 0), s.At(4, -4, 0), s.At(4, 4, 0), s.At(-4, 4, 0))
			block(&s, 0, -3, 3, 3, -1, step)
			s.Quad(s.At(-c.out, -2.9, 0), s.At(-c.out, 2.9, 0), s.At(c.lean-c.out, 2.9, step+c.top+2.9*c.rise), s.At(c.lean-c.out, -2.9, step+c.top-2.9*c.rise))
			p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			inside, j := floortest.Inside(p), groundtruth.New(&s.Level, floortest.Agent)
			for _, q := range []struct {
				y    float64
				want bool
			}{{c.shut, false}, {c.opens, true}} {
				if math.IsNaN(q.y) {
					continue
				}
				at := s.At(-0.1, q.y, 0)
				if got := inside(at, climb); got != q.want {
					t.Errorf("%s, turned by %g°: inside is %v at y %g", c.name, degrees, got, q.y)
				}
				if got := j.Walkable(at.X, at.Z, 0); got != q.want {
					t.Errorf("%s, turned by %g°: the judge says %v at y %g", c.name, degrees, got, q.y)
				}
			}
		}
	}
}

// TestWallBesideARamp has a ramp with a parapet of 0.3 m on a wall down to the floor beside the ramp. The parapet is in nobody's way
// where the ramp is a step from the floor, and in the way of the floor where the ramp is higher.
func TestWallBesideARamp(t *testing.T) {
	for _, degrees := range []float64{0, 41} {
		s := floortest.NewTurned(degrees)
		s.Quad(s.At(-2, -4, 0), s.At(9, -4, 0), s.At(9, 4, 0), s.At(-2, 4, 0))
		s.Quad(s.At(0, 0, 0), s.At(8, 0, 0.6), s.At(8, 3, 0.6), s.At(0, 3, 0))
		s.Quad(s.At(0, 0, 0), s.At(8, 0, 0), s.At(8, 0, 0.9), s.At(0, 0, 0.3))
		p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		inside := floortest.Inside(p)
		for _, c := range []struct {
			x    float64
			want bool
		}{{1, true}, {3, true}, {4.5, true}, {6, false}, {7, false}} {
			if got := inside(s.At(c.x, -0.2, 0), floortest.Agent.MaxClimb); got != c.want {
				t.Errorf("turned by %g°: inside is %v at x %g", degrees, got, c.x)
			}
		}
	}
}

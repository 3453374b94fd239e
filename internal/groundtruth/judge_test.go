package groundtruth_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
)

// at judges a place of a scene, in ground coordinates.
func at(s *floortest.Scene, x, y, h float64) groundtruth.Verdict {
	return groundtruth.New(&s.Level, floortest.Agent).At(x, -y, h)
}

// TestClearance compares clearances beside walls, edges and corners with values on paper.
func TestClearance(t *testing.T) {
	for _, turn := range [][2]float64{{1, 0}, {0.8, 0.6}, {0.96, 0.28}} {
		s := &floortest.Scene{}
		s.Floor(-10, -10, 20, 20, 0)
		s.Turned(4, 4, 0, 6, 6, 3, turn[0], turn[1])
		for _, c := range []struct {
			x, y, want float64 // from the middle of the box
		}{
			{-1.5, 0, 0.5},
			{1.4, 0.3, 0.4},
			{0.2, 1.01, 0.01},
			{-1.3, -1.4, 0.5}, // a corner
			{1.2, 1.1, math.Hypot(0.2, 0.1)},
			{3, 3, 0.7}, // free, at the end of the examined distance
		} {
			x, y := 5+c.x*turn[0]-c.y*turn[1], 5+c.x*turn[1]+c.y*turn[0]
			v := at(s, x, y, 0)
			if math.Abs(v.Clearance-c.want) > 1e-3 || v.Walkable != (c.want >= 0.4) {
				t.Errorf("turned by %v, (%g, %g): %+v, want a clearance of %.3f", turn, c.x, c.y, v, c.want)
			}
		}
		if v := at(s, -9.75, 0, 0); math.Abs(v.Clearance-0.25) > 1e-3 || v.Cause != groundtruth.Ledge {
			t.Errorf("beside a ledge: %+v", v)
		}
	}
}

// TestThinWalls looks at walls without thickness from the side, and from their end at every angle.
func TestThinWalls(t *testing.T) {
	for k := range 200 {
		sin, cos := math.Sincos(float64(k) * 0.0317)
		s := &floortest.Scene{}
		s.Floor(-10, -10, 10, 10, 0)
		s.Wall(0.3*cos, 0.3*sin, 3*cos, 3*sin, 0, 3)
		if v := at(s, 0, 0, 0); v.Walkable || math.Abs(v.Clearance-0.3) > 0.01 || v.Cause != groundtruth.Body {
			t.Errorf("from the end at angle %d: %+v", k, v)
		}
		if v := at(s, cos-0.2*sin, sin+0.2*cos, 0); v.Walkable || math.Abs(v.Clearance-0.2) > 1e-3 {
			t.Errorf("from the side at angle %d: %+v", k, v)
		}
	}
}

// TestPosts has posts of a centimetre all around.
func TestPosts(t *testing.T) {
	for k := range 100 {
		sin, cos := math.Sincos(float64(k) * 0.0611)
		s := &floortest.Scene{}
		s.Floor(-10, -10, 10, 10, 0)
		x, y := 0.35*cos, 0.35*sin
		s.Box(x-0.005, y-0.005, 0, x+0.005, y+0.005, 1)
		if v := at(s, 0, 0, 0); v.Walkable || math.Abs(v.Clearance-0.35) > 0.01 {
			t.Errorf("angle %d: %+v", k, v)
		}
	}
}

// TestFloorGoesOn walks over all kinds of floor, and stops at the ends.
func TestFloorGoesOn(t *testing.T) {
	stair := func(rise float64) func(*floortest.Scene) {
		return func(s *floortest.Scene) {
			s.Floor(-5, -5, -0.5, 5, 0)
			for k := range 10 {
				x := -0.5 + 0.25*float64(k)
				s.Box(x, -5, 0, x+0.25, 5, rise*float64(k+1))
			}
		}
	}
	crack := func(width float64) func(*floortest.Scene) {
		return func(s *floortest.Scene) {
			s.Quad(geom.FromGround(-5, -5, 0), geom.FromGround(0.2, -5, 0), geom.FromGround(0.3, 5, 0), geom.FromGround(-5, 5, 0))
			s.Quad(geom.FromGround(0.2+width, -5, 0), geom.FromGround(5, -5, 0), geom.FromGround(5, 5, 0), geom.FromGround(0.3+width, 5, 0))
		}
	}
	ground := func(add func(*floortest.Scene)) func(*floortest.Scene) {
		return func(s *floortest.Scene) {
			s.Floor(-5, -5, 5, 5, 0)
			add(s)
		}
	}
	bevel := func(high float64) func(*floortest.Scene) {
		return func(s *floortest.Scene) {
			s.Floor(-5, -5, 0.1, 5, 0)
			s.Quad(geom.FromGround(0.1, -5, 0), geom.FromGround(0.1+high/2, -5, high), geom.FromGround(0.1+high/2, 5, high), geom.FromGround(0.1, 5, 0))
			s.Floor(0.1+high/2, -5, 5, 5, high)
		}
	}
	for _, c := range []struct {
		name   string
		make   func(*floortest.Scene)
		height float64
		want   bool
		cause  groundtruth.Cause
	}{
		{"stair", stair(0.18), 0.54, true, groundtruth.None},
		{"stair too steep", stair(0.45), 1.35, false, groundtruth.Ledge},
		{"ramp", func(s *floortest.Scene) {
			s.Quad(geom.FromGround(-5, -5, -4), geom.FromGround(5, -5, 4), geom.FromGround(5, 5, 4), geom.FromGround(-5, 5, -4))
		}, 0, true, groundtruth.None},
		{"steep", func(s *floortest.Scene) {
			s.Quad(geom.FromGround(-5, -5, -6), geom.FromGround(5, -5, 6), geom.FromGround(5, 5, 6), geom.FromGround(-5, 5, -6))
		}, 0, false, groundtruth.NoFloor},
		{"crack", crack(0.04), 0, true, groundtruth.None},
		{"hair", crack(0.001), 0, true, groundtruth.None},
		{"slit", crack(0.06), 0, false, groundtruth.Ledge},
		{"bevel", bevel(0.3), 0, true, groundtruth.None},
		{"slope", bevel(0.6), 0, false, groundtruth.Ledge},
		{"kerb", ground(func(s *floortest.Scene) { s.Box(0.2, -5, 0, 5, 5, 0.4) }), 0, true, groundtruth.None},
		{"wall", ground(func(s *floortest.Scene) { s.Box(0.2, -5, 0, 5, 5, 0.41) }), 0, false, groundtruth.Step},
		{"ceiling", ground(func(s *floortest.Scene) { s.Box(0.2, -5, 1.8, 5, 5, 2) }), 0, true, groundtruth.None},
		{"low ceiling", ground(func(s *floortest.Scene) { s.Box(0.2, -5, 1.79, 5, 5, 2) }), 0, false, groundtruth.Body},
		{"sheet", ground(func(s *floortest.Scene) { s.Floor(0.2, -5, 5, 5, 1) }), 0, false, groundtruth.Step},
		{"table on the head", ground(func(s *floortest.Scene) { s.Floor(-1, -1, 1, 1, 1) }), 0, false, groundtruth.Body},
		{"two steps at once", ground(func(s *floortest.Scene) { s.Floor(0.2, -5, 5, 5, 0.3); s.Floor(0.2, -5, 5, 5, 0.6) }), 0, false, groundtruth.Step},
		{"ceiling that ends over a step", func(s *floortest.Scene) {
			s.Floor(-5, -5, 0.2, 5, 0)
			s.Box(0.2, -5, -1, 5, 5, 0.3)
			s.Box(-5, -5, 1.9, 0.2, 5, 2.4)
		}, 0, true, groundtruth.None},
		{"wall in a crack", func(s *floortest.Scene) { crack(0.04)(s); s.Wall(0.27, -5, 0.27, 5, 0, 3) }, 0, false, groundtruth.Body},
		{"crack over a floor too low for a step", func(s *floortest.Scene) {
			s.Floor(-5, -5, 5, 5, -0.45)
			s.Floor(-5, -5, 0.2, 5, 0)
			s.Floor(0.24, -5, 5, 5, 0.35)
		}, 0, true, groundtruth.None},
		{"crack over a floor that is a step down from one side", func(s *floortest.Scene) {
			s.Floor(-5, -5, 5, 5, -0.3)
			s.Floor(-5, -5, 0.2, 5, 0)
			s.Floor(0.24, -5, 5, 5, 0.35)
		}, 0, true, groundtruth.None},
		{"low wall in a crack over a floor too low for a step", func(s *floortest.Scene) {
			s.Floor(-5, -5, 0.2, 5, 0.3)
			s.Floor(0.24, -5, 5, 5, 0.3)
			s.Floor(0.1, -5, 0.3, 5, -0.2)
			s.Wall(0.22, -5, 0.22, 5, -0.2, 0.42)
		}, 0.3, true, groundtruth.None},
		{"low wall in a crack over a floor that is a step down", func(s *floortest.Scene) {
			s.Floor(-5, -5, 0.2, 5, 0.3)
			s.Floor(0.24, -5, 5, 5, 0.3)
			s.Floor(0.1, -5, 0.3, 5, 0)
			s.Wall(0.22, -5, 0.22, 5, 0, 0.42)
		}, 0.3, false, groundtruth.Body},
		{"ditch with a lower floor", func(s *floortest.Scene) {
			s.Floor(-5, -5, 5, 5, -0.3)
			s.Floor(-5, -5, 0.2, 5, 0)
			s.Floor(0.3, -5, 5, 5, 0.35)
		}, 0, false, groundtruth.Step},
		{"floor that rises to a step", func(s *floortest.Scene) {
			s.Floor(-5, -5, 0.2, 5, 0)
			s.Quad(geom.FromGround(0.2, -5, -0.43), geom.FromGround(3, -5, 2.09), geom.FromGround(3, 5, 2.09), geom.FromGround(0.2, 5, -0.43))
		}, 0, false, groundtruth.Ledge},
		{"nothing", ground(func(*floortest.Scene) {}), 3, false, groundtruth.NoFloor},
	} {
		s := &floortest.Scene{}
		c.make(s)
		if v := at(s, 0, 0.03, c.height); v.Walkable != c.want || !c.want && v.Cause != c.cause {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestCornersAreNoBorders has four floors around a corner, each a step from the next one, and a diagonal that is too high for a
// step: the disc of the agent covers the corner. With three of the four floors, and with a border instead of a step between two of
// them, the way around the corner is shut.
func TestCornersAreNoBorders(t *testing.T) {
	const step, away = 0.3, 0.2
	for _, degrees := range []float64{0, 30, 45.7, 123} {
		for _, c := range []struct {
			name    string
			heights [4]float64 // counter-clockwise, from the floor that the agent stands on
			want    bool
		}{
			{"stairs", [4]float64{0, step, 2 * step, step}, true},
			{"stairs down", [4]float64{0, -step, -2 * step, -step}, true},
			{"a kerb on one side", [4]float64{0, 0, 2 * step, step}, false},
			{"a wall", [4]float64{0, step, 4 * step, step}, false},
			{"a ledge", [4]float64{0, -step, -9, -step}, false},
		} {
			s := floortest.NewTurned(degrees)
			for k, corner := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				x, y := 2*corner[0], 2*corner[1]
				h := c.heights[k]
				s.Quad(s.At(min(x, 0), min(y, 0), h), s.At(max(x, 0), min(y, 0), h), s.At(max(x, 0), max(y, 0), h), s.At(min(x, 0), max(y, 0), h))
			}
			at := s.At(-away, -away, 0)
			v := groundtruth.New(&s.Level, floortest.Agent).At(at.X, at.Z, 0)
			if v.Walkable != c.want || !c.want && math.Abs(v.Clearance-away*math.Sqrt2) > 2e-3 && math.Abs(v.Clearance-away) > 2e-3 {
				t.Errorf("%s, turned by %g°: %+v", c.name, degrees, v)
			}
		}
	}
}

// TestPlaceBesideACorner stands a twentieth of a millimetre from a corner of four floors, each a step from the next one. The high
// floor behind the agent is no step on the way away from that floor.
func TestPlaceBesideACorner(t *testing.T) {
	const step, off = 0.3, 6e-5
	s := floortest.NewTurned(0)
	for k, corner := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x, y, h := 2*corner[0], 2*corner[1], [4]float64{0, step, 2 * step, step}[k]
		s.Quad(s.At(min(x, 0), min(y, 0), h), s.At(max(x, 0), min(y, 0), h), s.At(max(x, 0), max(y, 0), h), s.At(min(x, 0), max(y, 0), h))
	}
	j := groundtruth.New(&s.Level, floortest.Agent)
	for _, away := range []float64{off, 3 * off, 10 * off, 1e-2} {
		for _, along := range []float64{off, 3 * off, 10 * off, 1e-2} {
			at := s.At(-away, -along, 0)
			if v := j.At(at.X, at.Z, -0.1); !v.Walkable || v.Height != 0 {
				t.Errorf("%g m and %g m from the corner: %+v", away, along, v)
			}
		}
	}
}

// TestFork judges the same with a fork.
func TestFork(t *testing.T) {
	s := floortest.RandomScene(3, 10, 10)
	j := groundtruth.New(&s.Level, floortest.Agent)
	k := j.Fork()
	walkable := 0
	for i := range 100 {
		x, z := float64(i%10)+0.5, -float64(i/10)-0.5
		v := j.At(x, z, 0)
		if w := k.At(x, z, 0); v != w {
			t.Errorf("%+v, the fork %+v", v, w)
		}
		if v.Walkable {
			walkable++
		}
	}
	if walkable == 0 || walkable == 100 {
		t.Errorf("%d of 100 places are walkable", walkable)
	}
}

// TestCompare finds the faults of a deliberately wrong floor.
func TestCompare(t *testing.T) {
	s := &floortest.Scene{}
	s.Floor(0, 0, 10, 10, 0)
	within := func(border float64) func(geom.Vec, float64) bool {
		return func(v geom.Vec, _ float64) bool {
			x, y := geom.Ground(v)
			return min(x, y, 10-x, 10-y) >= border
		}
	}
	for _, c := range []struct {
		border   float64
		near     bool
		inside   bool
		disagree bool
	}{
		{0.4, false, false, false},
		{0.48, true, false, false},
		{0.7, true, false, true},
		{0.2, true, true, true},
	} {
		tally, err := groundtruth.Compare(t.Context(), &s.Level, floortest.Agent, groundtruth.Comparison{
			Placements: 3000, Seed: 5, Nearer: 0.01, Farther: 0.1, Inside: within(c.border),
		})
		if err != nil {
			t.Fatal(err)
		}
		if tally.Placements != 3000 || math.Abs(float64(tally.Walkable)/3000-9.2*9.2/100) > 0.03 {
			t.Errorf("border %g: %v", c.border, tally)
		}
		if (tally.Near > 0) != c.near || (len(tally.Disagreements) > 0) != c.disagree {
			t.Errorf("border %g: %v", c.border, tally)
		}
		for _, d := range tally.Disagreements {
			if d.Inside != c.inside {
				t.Errorf("border %g: %v", c.border, d)
			}
		}
	}
}

func BenchmarkAt(b *testing.B) {
	s := floortest.RandomScene(1, 20, 100)
	j := groundtruth.New(&s.Level, floortest.Agent)
	walkable, i := 0, 0
	for b.Loop() {
		if j.At(0.05+float64(i%400)*0.0497, -0.05-float64(i%397)*0.0499, 0).Walkable {
			walkable++
		}
		i++
	}
	if i > 1000 && walkable == 0 {
		b.Error("nothing is walkable")
	}
}

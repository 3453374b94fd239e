package groundtruth_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
)

// stepper is an agent of 2 m that steps over gaps up to a width.
func stepper(gap float64) geom.Agent {
	return geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: gap}
}

// turned places rectangles in a scene, turned about the origin.
type turned struct{ floortest.Turned }

func turnedBy(degrees float64) *turned { return &turned{floortest.NewTurned(degrees)} }

// plate adds a floor over a convex polygon, counter-clockwise: x0, y0, x1, y1, …
func (s *turned) plate(h float64, corners ...float64) {
	for i := 2; i+3 < len(corners); i += 2 {
		s.Triangle(s.At(corners[0], corners[1], h), s.At(corners[i], corners[i+1], h), s.At(corners[i+2], corners[i+3], h))
	}
}

func (s *turned) rectangle(x0, y0, x1, y1, h float64) { s.plate(h, x0, y0, x1, y0, x1, y1, x0, y1) }

func (s *turned) judged(agent geom.Agent, x, y, h float64) groundtruth.Verdict {
	v := s.At(x, y, h)
	return groundtruth.New(&s.Level, agent).At(v.X, v.Z, h)
}

// TestGapWidths has gaps 2 mm narrower and wider than the widest, turned by several angles, between floors of one height
// and with a step, 2 mm lower and higher than the highest.
func TestGapWidths(t *testing.T) {
	race.Skip(t)
	const off = 2e-3
	for _, gap := range []float64{0, 0.05, 0.2, 0.45, 0.8} {
		agent := stepper(gap)
		for _, degrees := range []float64{0, 45, 61.7, 180, 283} {
			for _, c := range []struct {
				width, rise float64
				want        bool
			}{
				{gap - off, 0, true},
				{gap + off, 0, false},
				{gap - off, agent.MaxClimb - off, true},
				{gap - off, -agent.MaxClimb + off, true},
				{gap - off, agent.MaxClimb + off, false},
				{gap - off, -agent.MaxClimb - off, false},
				{gap / 2, 0.5, true},
				{gap + off, -0.5, false},
			} {
				if gap == 0 {
					c.width, c.want = 5e-3, false
				}
				s := turnedBy(degrees)
				s.rectangle(-4, -3, 0, 3, 0)
				s.rectangle(c.width, -3, 4, 3, c.rise)
				s.rectangle(-4, -3, 4, 3, -5)
				v := s.judged(agent, -0.1, 0.3, 0)
				if v.Walkable != c.want || !c.want && v.Cause != groundtruth.Ledge {
					t.Errorf("gap %g, turned by %g°, %g m wide, %g m up: %+v", gap, degrees, c.width, c.rise, v)
				}
				// Over the gap itself, between the heights of both sides.
				if c.width > 0.03 {
					v := s.judged(agent, c.width/2, 0.3, c.rise/2)
					if v.Walkable != c.want || c.want && math.Abs(v.Height-c.rise/2) > 1e-6 {
						t.Errorf("gap %g, turned by %g°, over a gap %g m wide, %g m up: %+v", gap, degrees, c.width, c.rise, v)
					}
				}
			}
		}
	}
}

// TestGapCorners walks over places where gaps turn, meet and cross: they must leave no holes.
func TestGapCorners(t *testing.T) {
	const gap = 0.45
	for _, w := range []float64{0.05, 0.3, gap - 2e-3} {
		for _, degrees := range []float64{0, 77} {
			for _, c := range []struct {
				name string
				make func(s *turned)
			}{
				{"L", func(s *turned) {
					s.rectangle(-4, -4, 0, 0, 0)
					s.rectangle(w, -4, 4, w, 0.1)
					s.rectangle(-4, w, 4, 4, 0.1)
				}},
				{"T", func(s *turned) {
					s.rectangle(-4, -4, 0, 0, 0)
					s.rectangle(w, -4, 4, 0, 0.3)
					s.rectangle(-4, w, 4, 4, -0.3)
				}},
				{"crossing", func(s *turned) {
					s.rectangle(-4, -4, 0, 0, 0)
					s.rectangle(w, -4, 4, 0, 0)
					s.rectangle(-4, w, 0, 4, 0.2)
					s.rectangle(w, w, 4, 4, 0)
				}},
				{"turn of 45°", func(s *turned) {
					// The gap leads to the north, then to the north-west.
					k := w * math.Tan(math.Pi/8)
					s.plate(0, -4, -4, 0, -4, 0, 0, -4, 4)
					s.plate(0, w, -4, 4, -4, 4, 0, w, k)
					s.plate(0, w, k, 4, 0, 4, 8, w-8, k+8)
				}},
				{"plate in its pit", func(s *turned) {
					s.rectangle(-0.7, -0.7, 0, 0, 0)
					s.rectangle(-4, -4, 4, -0.7-w, 0)
					s.rectangle(-4, w, 4, 4, 0)
					s.rectangle(-4, -0.7-w, -0.7-w, w, 0)
					s.rectangle(w, -0.7-w, 4, w, 0)
				}},
			} {
				s := turnedBy(degrees)
				c.make(s)
				j := groundtruth.New(&s.Level, stepper(gap))
				for _, p := range [][2]float64{{0.011, 0.013}, {0.49 * w, 0.52 * w}, {w - 0.007, w - 0.005}, {-0.2, 0.1}} {
					at := s.At(p[0], p[1], 0)
					if v := j.At(at.X, at.Z, 0); !v.Walkable || v.Margin < groundtruth.Beyond-1e-6 {
						t.Errorf("%s, %g m wide, turned by %g°, at (%.3f, %.3f): %+v", c.name, w, degrees, p[0], p[1], v)
					}
				}
				// There is no way over a gap that is too wide for the agent.
				at := s.At(-0.02, -0.3, 0)
				if groundtruth.New(&s.Level, stepper(w-2e-3)).Walkable(at.X, at.Z, 0) {
					t.Errorf("%s, %g m wide, turned by %g°: the agent steps over gaps that are 2 mm narrower", c.name, w, degrees)
				}
			}
		}
	}
}

// TestGapAtAPillar has a gap that widens between two floors, with a pillar in the wide end. The bridge to the pillar is steep, and
// leaves a narrow pocket beside the bridge between the floors.
func TestGapAtAPillar(t *testing.T) {
	for _, degrees := range []float64{0, 26.6, 205} {
		s := turnedBy(degrees)
		s.plate(0, -3, 0, -3, -6, 4, -6, 4, -2, 0, 0)
		s.plate(0, -3, 0, 4, 0, 4, 3, -3, 3)
		s.rectangle(1.09, -0.34, 1.56, 0.1, 0.4)
		s.rectangle(-3, -6, 4, 3, -5)
		agent := stepper(0.45)
		j := groundtruth.New(&s.Level, agent)
		for _, p := range [][2]float64{{0.6, -0.15}, {0.95, -0.1}, {1.05, -0.03}, {0.7, 0.1}} {
			at := s.At(p[0], p[1], 0)
			if v := j.At(at.X, at.Z, 0.1); v.Cause == groundtruth.NoFloor || v.Clearance < 0.45 {
				t.Errorf("turned by %g°, at (%.2f, %.2f): %+v", degrees, p[0], p[1], v)
			}
		}
		at := s.At(2.3, -0.6, 0)
		if v := j.At(at.X, at.Z, 0.1); v.Cause != groundtruth.NoFloor {
			t.Errorf("turned by %g°: a bridge over a gap of 1 m: %+v", degrees, v)
		}
	}
}

// TestNoBridges has places that look like gaps but are none.
func TestNoBridges(t *testing.T) {
	stairs := func(s *turned) {
		s.rectangle(-4, -1, 0, 1, 0)
		for k := range 6 {
			s.rectangle(0.28*float64(k), -1, 0.28*float64(k+1), 1, 0.18*float64(k+1))
		}
		s.rectangle(6*0.28, -1, 5, 1, 6*0.18)
	}
	steep := func(s *turned) { // two treads are within a step, at 0.4 m each
		s.rectangle(-4, -3, 0, 3, 0)
		for k := range 6 {
			s.rectangle(0.28*float64(k), -3, 0.28*float64(k+1), 3, -0.4*float64(k+1))
		}
		s.rectangle(6*0.28, -3, 5, 3, -2.4)
	}
	trench := func(depth float64) func(s *turned) {
		return func(s *turned) {
			s.rectangle(-4, -3, 0, 3, 0)
			s.rectangle(0.4, -3, 4, 3, 0)
			s.rectangle(0, -3, 0.4, 3, -depth)
		}
	}
	for _, c := range []struct {
		name   string
		make   func(s *turned)
		x, y   float64
		h      float64
		height float64 // of the floor that is found
		want   groundtruth.Cause
	}{
		{"on a tread", steep, 0.42, 0, -0.8, -0.8, groundtruth.None},
		{"before the edge of a tread", steep, 0.55, 0, -0.8, -0.8, groundtruth.None},
		{"a fall beside stairs", stairs, 0.42, 0.9, 0.36, 0.36, groundtruth.Ledge},
		{"beside stairs", stairs, 0.42, 1.1, 0.36, 0.36, groundtruth.NoFloor},
		{"in a trench", trench(0.85), 0.2, 0, -0.85, -0.85, groundtruth.None},
		{"beside a trench", trench(0.85), -0.1, 0, 0, 0, groundtruth.None},
		{"over a trench too deep for a step", trench(0.95), 0.2, 0, 0, 0, groundtruth.None},
		{"in a trench too deep for a step", trench(0.95), 0.2, 0, -0.95, -0.95, groundtruth.Body},
		{"in a trench that one steps into from one side", func(s *turned) {
			trench(0.85)(s)
			s.rectangle(0.4, -3, 4, 3, 0.2)
		}, 0.2, 0, -0.85, -0.85, groundtruth.Body}, // a bridge leads over it
		{"a lower floor in the middle of a gap", func(s *turned) {
			s.rectangle(-4, -3, 0, 3, 0)
			s.rectangle(0.4, -3, 4, 3, 0)
			s.rectangle(0.15, -3, 0.25, 3, -0.6)
		}, 0.2, 0, -0.6, -0.6, groundtruth.None}, // two bridges lead to it
		{"a step in the middle of a wide gap", func(s *turned) {
			s.rectangle(-4, -3, 0, 3, 0)
			s.rectangle(1.3, -3, 4, 3, 0)
			s.rectangle(0.4, -3, 0.8, 3, 0)
		}, 0.3, 0, 0, 0, groundtruth.Ledge},
		{"a wide place where gaps meet", func(s *turned) {
			s.plate(0, -4, -4, -0.2, -4, -0.2, -0.6, -0.6, -0.2, -4, -0.2)
			s.plate(0, 4, -4, 4, -0.2, 0.6, -0.2, 0.2, -0.6, 0.2, -4)
			s.plate(0, -4, 4, -4, 0.2, -0.6, 0.2, -0.2, 0.6, -0.2, 4)
			s.plate(0, 4, 4, 0.2, 4, 0.2, 0.6, 0.6, 0.2, 4, 0.2)
		}, 0, 0, 0, 0, groundtruth.NoFloor},
		{"a gap between bridges that rises too high", func(s *turned) {
			s.rectangle(-4, -3, 0, 3, 0)
			s.rectangle(0.4, -3, 4, -1.5, 0)
			s.Quad(s.At(0.4, -1.5, 0), s.At(4, -1.5, 0), s.At(4, 0, 1.4), s.At(0.4, 0, 1.4))
			s.Quad(s.At(0.4, 0, 1.4), s.At(4, 0, 1.4), s.At(4, 1.5, 0), s.At(0.4, 1.5, 0))
			s.rectangle(0.4, 1.5, 4, 3, 0)
		}, 0.2, 0, 0.7, 0.7, groundtruth.NoFloor},
		{"the corner of one floor", func(s *turned) { s.rectangle(-4, -4, 4, 0, 0); s.rectangle(-4, 0, 0, 4, 0) }, 0.1, 0.1, 0, 0, groundtruth.NoFloor},
	} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			c.make(s)
			if v := s.judged(stepper(0.45), c.x, c.y, c.h); v.Cause != c.want || v.Height != c.height {
				t.Errorf("%s, turned by %g°: %+v, want %v on %g m", c.name, degrees, v, c.want, c.height)
			}
		}
	}
}

// TestGapsOverAStep has a stair of two steps before a landing, with a gap before the landing. The ground is a step below the upper step and more
// than a step below the landing, and is in nobody's way.
func TestGapsOverAStep(t *testing.T) {
	agent := stepper(0.2)
	agent.MaxClimb = 0.4
	for _, c := range []struct {
		gap  float64
		want groundtruth.Cause
	}{{0.01, groundtruth.None}, {0.19, groundtruth.None}, {0.22, groundtruth.Ledge}} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			s.rectangle(-8, -6, 8, 6, 0)
			s.rectangle(-0.8, -3, -0.4, 3, 0.2)
			s.rectangle(-0.4, -3, 0, 3, 0.4)
			s.rectangle(c.gap, -3, 4, 3, 0.6)
			if v := s.judged(agent, c.gap+0.1, 0, 0.6); v.Cause != c.want || v.Height != 0.6 {
				t.Errorf("a gap of %g m, turned by %g°: %+v, want %v", c.gap, degrees, v, c.want)
			}
		}
	}
}

// TestGapCornersOverSteps has gaps with corners and crossings above a floor that is a step below the lower sides and more than a step below the
// higher sides. Nothing is open where the ways from brink to step end.
func TestGapCornersOverSteps(t *testing.T) {
	agent := stepper(0.2)
	agent.MaxClimb = 0.4
	for name, all := range map[string][][5]float64{
		"corner of the higher side": {{-2, -2, 0, 0, 0.6}, {0.0625, -2, 2, 2, 0.3}, {-2, 0.0625, 0.0625, 2, 0.3}},
		"corner of the lower side":  {{-2, -2, 0, 0, 0.3}, {0.0625, -2, 2, 2, 0.6}, {-2, 0.0625, 0.0625, 2, 0.6}},
		"crossing":                  {{-2, -2, 0, 0, 0.6}, {0.0625, -2, 2, 0, 0.3}, {-2, 0.0625, 0, 2, 0.3}, {0.0625, 0.0625, 2, 2, 0.6}},
	} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			s.rectangle(-3, -3, 3, 3, 0)
			for _, b := range all {
				s.rectangle(b[0], b[1], b[2], b[3], b[4])
			}
			for _, at := range [][3]float64{{-0.1, -0.1, all[0][4]}, {0.15, 0.15, all[len(all)-1][4]}, {0.15, -0.1, all[1][4]}} {
				if v := s.judged(agent, at[0], at[1], at[2]); v.Cause != groundtruth.None {
					t.Errorf("%s, turned by %g°: %+v", name, degrees, v)
				}
			}
		}
	}
}

// TestNarrowGaps has two floors with a crack between, a step above the ground, and a board across the crack that is more than a step above the ground.
func TestNarrowGaps(t *testing.T) {
	agent := stepper(0.2)
	agent.MaxClimb = 0.4
	for _, c := range []struct {
		wide float64
		want groundtruth.Cause
	}{{0.004, groundtruth.None}, {0.018, groundtruth.None}, {0.023, groundtruth.Ledge}, {0.035, groundtruth.Ledge}} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			s.rectangle(-3, -3, 3, 3, 0)
			s.rectangle(-2, -2, 0, 2, 0.3)
			s.rectangle(c.wide, -2, 2, 2, 0.3)
			s.rectangle(-0.8, -0.5, 0.8, 0.5, 0.6)
			if v := s.judged(agent, 0.01, -0.4, 0.6); v.Cause != c.want {
				t.Errorf("a crack of %g m, turned by %g°: %+v", c.wide, degrees, v)
			}
		}
	}
}

// TestBridgesHide has floors over bridges, and bridges over floors.
func TestBridgesHide(t *testing.T) {
	over := func(plank float64) func(s *turned) {
		return func(s *turned) {
			s.rectangle(-4, -3, 0, 3, 0)
			s.rectangle(0.4, -3, 4, 3, 0)
			if plank != 0 {
				s.rectangle(-1, -0.2, 1.4, 0.2, plank)
			}
		}
	}
	hovering := func(plank float64) func(s *turned) {
		return func(s *turned) { over(0)(s); s.rectangle(0.1, -0.2, 0.3, 0.2, plank) }
	}
	under := func(depth float64) func(s *turned) {
		return func(s *turned) { over(0)(s); s.rectangle(-4, -3, 4, 3, -depth) }
	}
	for _, c := range []struct {
		name    string
		make    func(s *turned)
		x, y, h float64
		want    groundtruth.Cause
	}{
		{"bridge without a plank", over(0), 0.2, 0, 0, groundtruth.None},
		{"between covered brinks", over(1.2), 0.2, 0, 0, groundtruth.NoFloor},
		{"beside covered brinks", over(1.2), 0.2, 0.5, 0, groundtruth.Ledge},
		{"bridge under a low plank", hovering(1.2), 0.2, 0, 0, groundtruth.Body},
		{"beside a low plank over a bridge", hovering(1.2), 0.2, 0.5, 0, groundtruth.Step},
		{"bridge under a high plank", over(2), 0.2, 0, 0, groundtruth.None},
		{"a plank that one steps on", over(0.2), 0.2, 0.1, 0.2, groundtruth.None},
		{"floor low under a bridge", under(1.2), 0.2, 0, -1.2, groundtruth.Body},
		{"floor deep under a bridge", under(2), 0.2, 0, -2, groundtruth.None},
		{"floor beside a low bridge", func(s *turned) { under(1.2)(s); s.rectangle(-4, 3, 4, 9, -1.2) }, 0.2, 3.3, -1.2, groundtruth.Step},
		{"a wall in a gap", func(s *turned) {
			over(0)(s)
			s.Quad(s.At(0.2, -3, -1), s.At(0.2, 3, -1), s.At(0.2, 3, 1), s.At(0.2, -3, 1))
		}, -0.1, 0.3, 0, groundtruth.Body},
		{"a low wall in a gap", func(s *turned) {
			over(0)(s)
			s.Quad(s.At(0.2, -3, -1), s.At(0.2, 3, -1), s.At(0.2, 3, 0.85), s.At(0.2, -3, 0.85))
		}, -0.1, 0.3, 0, groundtruth.None},
	} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			c.make(s)
			if v := s.judged(stepper(0.45), c.x, c.y, c.h); v.Cause != c.want {
				t.Errorf("%s, turned by %g°: %+v, want %v", c.name, degrees, v, c.want)
			}
		}
	}
}

// slab is a turned rectangle at a height, for a definition of bridges place by place.
type slab struct {
	x, y, cos, sin, w, d, h float64
}

func (s *slab) corners() (c [4][2]float64) {
	for i, k := range [4][2]float64{{-s.w, -s.d}, {s.w, -s.d}, {s.w, s.d}, {-s.w, s.d}} {
		c[i] = [2]float64{s.x + k[0]*s.cos - k[1]*s.sin, s.y + k[0]*s.sin + k[1]*s.cos}
	}
	return c
}

func (s *slab) covers(x, y float64) bool {
	x, y = x-s.x, y-s.y
	return math.Abs(x*s.cos+y*s.sin) <= s.w && math.Abs(y*s.cos-x*s.sin) <= s.d
}

// opposite reports whether the side of the slab that is nearest to a place runs against a direction, at an angle of at most 11°.
func (s *slab) opposite(ux, uy, x, y float64) bool {
	c := s.corners()
	cosine, nearest := 0.0, math.Inf(1)
	for k, a := range c {
		b := c[(k+1)%4]
		l := math.Hypot(b[0]-a[0], b[1]-a[1])
		vx, vy := (b[0]-a[0])/l, (b[1]-a[1])/l
		if off := math.Abs((x-a[0])*vy - (y-a[1])*vx); off < nearest {
			cosine, nearest = ux*vx+uy*vy, off
		}
	}
	return cosine < -0.98
}

// bridged says from the definition whether there is a bridge at a place without a floor: 1 for yes, 0 for no, and -1 where
// a few millimetres decide.
func bridged(slabs []slab, agent geom.Agent, x, y float64) int {
	const near, stride = 4e-3, 1e-3
	free := func(x, y, h float64) bool { // of a link just outside, or a cover
		for i := range slabs {
			if s := &slabs[i]; s.covers(x, y) && math.Abs(s.h-h) <= agent.MaxClimb {
				return false
			}
		}
		return true
	}
	covered := func(x, y, h float64) bool {
		for i := range slabs {
			if s := &slabs[i]; s.covers(x, y) && s.h > h && s.h < h+agent.Height {
				return true
			}
		}
		return false
	}
	// The end of a floor just inside of a border: whether it is a brink, and whether it is a step down.
	ends := func(inx, iny, outx, outy, h float64) (brink, step bool) {
		if covered(inx, iny, h) {
			return false, false
		}
		if free(outx, outy, h) {
			return true, false
		}
		for i := range slabs {
			if s := &slabs[i]; s.covers(outx, outy) && s.h >= h && s.h <= h+agent.MaxClimb {
				return false, false
			}
		}
		return false, true
	}
	answer := 0
	for i := range slabs {
		s := &slabs[i]
		c := s.corners()
		for k, a := range c {
			b := c[(k+1)%4]
			l := math.Hypot(b[0]-a[0], b[1]-a[1])
			ux, uy := (b[0]-a[0])/l, (b[1]-a[1])/l
			along, out := (x-a[0])*ux+(y-a[1])*uy, (x-a[0])*uy-(y-a[1])*ux
			if along < -near || along > l+near || out < 0 || out > agent.MaxGap+near {
				continue
			}
			doubt := along < near || along > l-near
			qx, qy := a[0]+along*ux, a[1]+along*uy
			at := func(r float64) (float64, float64) { return qx + r*uy, qy - r*ux }
			outx, outy := at(near / 2)
			inx, iny := at(-near / 2)
			brink, step := ends(inx, iny, outx, outy, s.h)
			if !brink && !step {
				continue
			}
			for m := range slabs {
				o := &slabs[m]
				if math.Abs(o.h-s.h) > agent.MaxClimb {
					continue
				}
				r := near // where the normal meets the floor from outside
				for ; r <= agent.MaxGap+near; r += stride {
					if o.covers(at(r)) {
						break
					}
				}
				if r <= near || r > agent.MaxGap+near || r < out {
					continue
				}
				bx, by := at(r - near)
				beyondX, beyondY := at(r + near/2)
				other, down := ends(beyondX, beyondY, bx, by, o.h)
				if !other && !(down && brink) || !(brink && other) && !o.opposite(ux, uy, beyondX, beyondY) {
					continue
				}
				// A floor in between that is within a step of the bridge and of both ends.
				between := false
				for w := near; w < r-near; w += stride {
					wx, wy := at(w)
					for i := range slabs {
						f := &slabs[i]
						between = between || f.covers(wx, wy) && max(math.Abs(f.h-s.h), math.Abs(f.h-o.h)) <= agent.MaxClimb
					}
				}
				switch {
				case between:
				case doubt || math.Abs(r-agent.MaxGap) < near || math.Abs(r-out) < near || out < near:
					answer = -1
				default:
					return 1
				}
			}
		}
	}
	return answer
}

// TestBridgesFollowTheDefinition compares the floor over gaps between random slabs with the definition, place by place. Where
// only the judge finds a floor, the place is in a pocket: bridges and slabs are all around within twice a gap.
func TestBridgesFollowTheDefinition(t *testing.T) {
	race.Skip(t)
	agent := stepper(0.45)
	agent.MaxClimb = 0.4
	yes, no, pockets := 0, 0, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 5))
		var s floortest.Scene
		slabs := make([]slab, 14)
		for i := range slabs {
			sin, cos := math.Sincos(float64(r.IntN(24)) * math.Pi / 12)
			if r.IntN(2) == 0 {
				sin, cos = 0, 1
			}
			slabs[i] = slab{r.Float64() * 5, r.Float64() * 5, cos, sin, 0.3 + r.Float64(), 0.3 + r.Float64(), []float64{0, 0, 0.25, 0.6, 1.1}[r.IntN(5)]}
			c := slabs[i].corners()
			v := func(k int) geom.Vec { return geom.FromGround(c[k][0], c[k][1], slabs[i].h) }
			s.Quad(v(0), v(1), v(2), v(3))
		}
		j := groundtruth.New(&s.Level, agent)
		for range 300 {
			x, y := r.Float64()*5, r.Float64()*5
			over := false
			for i := range slabs {
				over = over || slabs[i].covers(x, y)
			}
			want := bridged(slabs, agent, x, y)
			if over || want < 0 {
				continue
			}
			found := false
			for _, h := range []float64{0, 0.4, 0.8, 1.1} {
				found = found || j.At(x, -y, h).Cause != groundtruth.NoFloor
			}
			switch {
			case found && want == 1:
				yes++
			case !found && want == 0:
				no++
			case found && want == 0:
				pockets++
				for k := range 64 {
					sin, cos := math.Sincos(float64(k) * math.Pi / 32)
					end := false
					for d := 0.0; d < 2*agent.MaxGap && !end; d += 5e-3 {
						px, py := x+d*cos, y+d*sin
						end = bridged(slabs, agent, px, py) != 0
						for i := range slabs {
							end = end || slabs[i].covers(px, py)
						}
					}
					if !end {
						t.Errorf("scene %d: floor at (%.4f, %.4f), which is open to direction %d of 64", seed, x, y, k)
						break
					}
				}
			default:
				t.Errorf("scene %d: at (%.4f, %.4f): floor %v, the definition says %d", seed, x, y, found, want)
			}
		}
	}
	if yes < 80 || no < 1000 || pockets == 0 {
		t.Errorf("%d bridges, %d places without, %d pockets", yes, no, pockets)
	}
	t.Logf("%d bridges, %d places without, %d pockets", yes, no, pockets)
}

// TestBridgesThatCross has the corner of a ramp before the edge of a floor 0.75 m below. The normals of both sides of the corner lead
// to the edge, and so do the edge's own normals: twisted bridges that cross each other at different heights, with a pocket between them.
func TestBridgesThatCross(t *testing.T) {
	var s floortest.Scene
	s.Triangle(geom.Vec{X: 0.375, Y: 0.75}, geom.Vec{X: 0.75, Y: 0.75, Z: -1}, geom.Vec{X: -0.5, Y: 1, Z: -1})
	s.Triangle(geom.Vec{X: 11, Z: 1}, geom.Vec{X: -0.5}, geom.Vec{X: -1, Z: 1})
	agent := stepper(0.3)
	agent.MaxClimb = 0.9
	j := groundtruth.New(&s.Level, agent)
	pocket := [3]geom.Vec{{X: 0.436, Z: 0.023}, {X: 0.431, Z: 0.081}, {X: 0.632, Z: 0.097}}
	for a := 0.1; a < 0.9; a += 0.1 {
		for b := 0.1; a+b < 0.9; b += 0.1 {
			at := pocket[0].Scale(a).Add(pocket[1].Scale(b)).Add(pocket[2].Scale(1 - a - b))
			if v := j.At(at.X, at.Z, 0.375); v.Cause == groundtruth.NoFloor {
				t.Errorf("no floor in the pocket at (%.3f, %.3f)", at.X, at.Z)
			}
		}
	}
}

// TestBeneathABridge walks beneath a gap between two slabs, whose bridge is in the way. The lenient judge passes where the bridge is lower than the
// agent's height, or higher than a step, by less than bridges may be off.
func TestBeneathABridge(t *testing.T) {
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.3}
	for _, c := range []struct {
		height         float64 // of the slabs
		plain, lenient groundtruth.Cause
	}{
		{0.93, groundtruth.Step, groundtruth.None},
		{0.98, groundtruth.Step, groundtruth.Step},
		{1.7, groundtruth.Step, groundtruth.Step},
		{1.93, groundtruth.Step, groundtruth.Step},
		{1.96, groundtruth.Step, groundtruth.None},
		{2.01, groundtruth.None, groundtruth.None},
	} {
		s := turnedBy(20)
		s.rectangle(-5, -5, 5, 5, 0)
		s.rectangle(2, 0.1, 5, 3, c.height)
		s.rectangle(2, -3, 5, -0.1, c.height)
		from, to := s.At(0.3, 0, 0), s.At(4, 0, 0)
		if got := groundtruth.New(&s.Level, agent).Walk(from, to.X, to.Z); got.Cause != c.plain {
			t.Errorf("a bridge %g m high: %+v, want %v", c.height, got, c.plain)
		}
		for _, j := range groundtruth.Lenient(&s.Level, agent) {
			if got := j.Walk(from, to.X, to.Z); got.Cause != c.lenient {
				t.Errorf("a bridge %g m high, lenient: %+v, want %v", c.height, got, c.lenient)
			}
		}
	}
}

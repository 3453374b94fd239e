package exact

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
)

// stepper steps over gaps of 0.3 m.
var stepper = geom.Agent{Radius: 0.3, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.3}

// slabs makes a scene of rectangles at ground coordinates, turned by an angle.
type slabs struct{ floortest.Turned }

func turnedBy(degrees float64) *slabs { return &slabs{floortest.NewTurned(degrees)} }

// slab adds a level rectangle.
func (s *slabs) slab(x0, y0, x1, y1, h float64) {
	s.Quad(s.At(x0, y0, h), s.At(x1, y0, h), s.At(x1, y1, h), s.At(x0, y1, h))
}

func (s *slabs) extract(t *testing.T, agent geom.Agent) *plan.Plan {
	t.Helper()
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: -1})
	if err != nil {
		t.Fatal(err)
	}
	floortest.CheckPlan(t, p)
	return p
}

// bridged returns the extraction of a scene with the bridges, and the number of the bridges' triangles.
func bridged(t *testing.T, s *floortest.Scene, agent geom.Agent) (*extraction, int) {
	t.Helper()
	read, err := soup.Read(&s.Level, agent)
	if err != nil {
		t.Fatal(err)
	}
	e := layered(t, read, agent)
	if e.maxGap == 0 {
		return e, 0
	}
	return e, len(e.soup.Triangles) - int(e.firstBridge)
}

// TestGaps has two floors with a gap 2 mm narrower or wider than the agent's gap, in several directions. The steps are
// less and more than a climb. A point has a single floor iff a bridge leads over the gap, and so has a wider agent.
func TestGaps(t *testing.T) {
	for _, degrees := range []float64{0, 0.02, 17, 30, 45, 77, 90} {
		for _, gap := range []float64{0.004, 0.1, 0.298, 0.302, 0.6} {
			for _, rise := range []float64{0, -0.2, 0.398, 0.402} {
				s := turnedBy(degrees)
				s.slab(0, 0, 3, 2, 0)
				s.slab(3+gap, 0.5, 6, 3, rise)
				want := 2
				if gap < 0.3 && math.Abs(rise) < 0.4 {
					want = 1
				}
				for _, radius := range []float64{0, 0.3} {
					agent := stepper
					agent.Radius = radius
					if p := s.extract(t, agent); p.Components != want {
						t.Errorf("turned by %g°, a gap of %g m, %g m up, radius %g m: %d components, want %d", degrees, gap, rise, radius, p.Components, want)
					}
				}
			}
		}
	}
}

// TestGapAside has two floors whose edges run together at 20°. The gap is a bridge as far as the gap is narrow. Two
// floors that only pass each other at a corner have no bridge.
func TestGapAside(t *testing.T) {
	s := turnedBy(0)
	s.slab(0, 0, 4, 3, 0)
	tan := math.Tan(geom.Degrees(20))
	s.Quad(s.At(0, 3.01, 0), s.At(4, 3.01+4*tan, 0), s.At(4, 6, 0), s.At(0, 6, 0))
	agent := stepper
	agent.Radius = 0
	inside := floortest.Inside(s.extract(t, agent))
	for x := 0.05; x < 2; x += 0.05 {
		// The gap is as wide as the normal of either edge is long.
		wide := 0.01 + x*tan
		if got, want := inside(s.At(x, 3+wide/2, 0), 0.005), wide*math.Cos(geom.Degrees(20)) < 0.3; got != want && math.Abs(wide-0.31) > 0.02 {
			t.Errorf("floor where the gap is %.3f m wide: %v", wide, got)
		}
	}
	corner := turnedBy(0)
	corner.slab(0, 0, 3, 3, 0)
	corner.slab(3.1, 3.1, 6, 6, 0)
	if p := corner.extract(t, agent); p.Components != 2 {
		t.Errorf("floors that pass each other at a corner have %d components", p.Components)
	}
}

// TestGapWedge has two floors that meet in a vertex, with a wedge between them, level and on a slope. Floor is where a
// normal of either edge is no longer than a gap, and the bridge is two triangles.
func TestGapWedge(t *testing.T) {
	agent := stepper
	agent.Radius = 0
	for _, degrees := range []float64{0, 45, 131} {
		for _, angle := range []float64{15, 30, 45, 60, 75} {
			for _, slope := range []float64{0, 0.4} {
				s := turnedBy(degrees)
				sin, cos := math.Sincos(geom.Degrees(angle))
				at := func(x, y float64) geom.Vec { return s.At(x, y, slope*x) }
				s.Quad(at(0, -2), at(4, -2), at(4, 0), at(0, 0))
				s.Quad(at(0, 0), at(4*cos, 4*sin), at(4*cos-2*sin, 4*sin+2*cos), at(-2*sin, 2*cos))
				if _, n := bridged(t, &s.Scene, agent); n != 2 {
					t.Errorf("turned by %g°, a wedge of %g°, slope %g: %d triangles of bridges, want 2", degrees, angle, slope, n)
				}
				inside := floortest.Inside(s.extract(t, agent))
				places := 0
				for along := 0.02; along < 3; along += 0.04 {
					for part := 0.1; part < 1; part += 0.2 {
						dy, dx := math.Sincos(geom.Degrees(part * angle))
						x, y := along*dx, along*dy
						gap := min(x, x*cos+y*sin) * sin / cos
						got, want := inside(at(x, y), 0.02), gap < agent.MaxGap
						if got != want && math.Abs(gap-agent.MaxGap) > 0.005 {
							t.Errorf("turned by %g°, a wedge of %g°, slope %g: floor where the gap is %.3f m wide: %v", degrees, angle, slope, gap, got)
						}
						if want {
							places++
						}
					}
				}
				if places < 5 {
					t.Errorf("turned by %g°, a wedge of %g°: only %d places in the bridge", degrees, angle, places)
				}
			}
		}
	}
}

// TestGapBeforeANarrowEdge has a narrow strip that ends before a slanted edge. Only the normals of the strip's end lead straight ahead, and they
// make a bridge if the end is no shorter than 6 mm.
func TestGapBeforeANarrowEdge(t *testing.T) {
	agent := stepper
	agent.Radius = 0
	tan := math.Tan(geom.Degrees(40))
	for _, degrees := range []float64{0, 17, 45, 131} {
		for _, wide := range []float64{0.004, 0.005, 0.007, 0.010, 0.020} {
			s := turnedBy(degrees)
			s.slab(-wide/2, -1, wide/2, 0, 0)
			s.Quad(s.At(-2, 0.1-2*tan, 0), s.At(2, 0.1+2*tan, 0), s.At(2, 4, 0), s.At(-2, 4, 0))
			if got, want := floortest.Inside(s.extract(t, agent))(s.At(0, 0.06, 0), 0.005), wide > 0.006; got != want {
				t.Errorf("turned by %g°: floor before an end %g m wide: %v", degrees, wide, got)
			}
		}
	}
}

// TestGapNearARightAngle has wedges of nearly 90°. The normals of either brink run along the other, so the bridge is no wider than a
// millimetre, and the wedge stays open.
func TestGapNearARightAngle(t *testing.T) {
	agent := stepper
	agent.Radius = 0
	for _, degrees := range []float64{0, 45, 131} {
		for _, angle := range []float64{89.8, 89.9, 89.97, 90, 90.03} {
			s := turnedBy(degrees)
			sin, cos := math.Sincos(geom.Degrees(angle))
			s.Quad(s.At(0, -2, 0), s.At(4, -2, 0), s.At(4, 0, 0), s.At(0, 0, 0))
			s.Quad(s.At(0, 0, 0), s.At(4*cos, 4*sin, 0), s.At(4*cos-2*sin, 4*sin+2*cos, 0), s.At(-2*sin, 2*cos, 0))
			inside := floortest.Inside(s.extract(t, agent))
			for along := 0.02; along < 0.4; along += 0.02 {
				if dy, dx := math.Sincos(geom.Degrees(angle / 2)); inside(s.At(along*dx, along*dy, 0), 0.02) {
					t.Errorf("turned by %g°, a wedge of %g°: floor %g m from the tip", degrees, angle, along)
					break
				}
			}
		}
	}
}

// TestGapBesideARamp has a gap between a floor and a ramp that rises along the gap, from below the floor to above. The
// gap is a bridge exactly where the heights differ by at most a climb.
func TestGapBesideARamp(t *testing.T) {
	for _, degrees := range []float64{0, 23} {
		s := turnedBy(degrees)
		s.slab(0, 0, 6, 2, 0)
		s.Quad(s.At(0, 2.2, -0.75), s.At(6, 2.2, 0.75), s.At(6, 4, 0.75), s.At(0, 4, -0.75))
		agent := stepper
		agent.Radius = 0
		inside := floortest.Inside(s.extract(t, agent))
		for x := 0.05; x < 6; x += 0.05 {
			rise := (x - 3) / 4
			if got, want := inside(s.At(x, 2.1, rise/2), 0.06), math.Abs(rise) < 0.4; got != want && math.Abs(math.Abs(rise)-0.4) > 0.005 {
				t.Errorf("turned by %g°, floor where the ramp is %.4f m higher: %v", degrees, rise, got)
			}
		}
	}
}

// TestGapThatWidens has two floors at two heights, and the gap between the floors gets wider. All of the bridge is at most a
// 24th of a step off the straight ways over the gap, and a bridge that rises by a twelfth of a step needs two triangles.
func TestGapThatWidens(t *testing.T) {
	for _, rise := range []float64{0.03, 0.1, 0.2, 0.39, -0.39} {
		s := turnedBy(23)
		s.slab(0, 0, 4, 3, 0)
		wide := func(x float64) float64 { return 0.02 + 0.065*x }
		s.Quad(s.At(0, 3+wide(0), rise), s.At(4, 3+wide(4), rise), s.At(4, 6, rise), s.At(0, 6, rise))
		agent := stepper
		agent.Radius = 0
		if _, bridges := bridged(t, &s.Scene, agent); bridges != 2 && math.Abs(rise) < agent.MaxClimb/12 || bridges < 2 {
			t.Errorf("%g m up: the bridge has %d triangles", rise, bridges)
		}
		const rounding = 0.003
		p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: -1, Detail: -1})
		if err != nil {
			t.Fatal(err)
		}
		inside := floortest.Inside(p)
		for x := 0.9; x < 3.9; x += 0.02 {
			for _, part := range []float64{0.25, 0.5, 0.75} {
				if at := s.At(x, 3+part*wide(x), part*rise); !inside(at, agent.MaxClimb/24+rounding) {
					t.Errorf("%g m up: no bridge at %v, %g of the way over %.3f m", rise, at, part, wide(x))
				}
			}
		}
	}
}

// TestGapCorners has gaps with corners and crossings, and floor at all places, for agents as narrow as a gap.
func TestGapCorners(t *testing.T) {
	for name, all := range map[string][][5]float64{
		"L":        {{0, 0, 4, 1.875, 0}, {0, 1.875, 1.875, 4, 0}, {2.125, 2.125, 4, 4, 0}},
		"L, steps": {{0, 0, 4, 1.875, 0}, {0, 1.875, 1.875, 4, 0}, {2.125, 2.125, 4, 4, 0.25}},
		"T":        {{0, 0, 4, 1.875, 0}, {0, 2.125, 1.875, 4, 0}, {2.125, 2.125, 4, 4, 0}},
		"T, steps": {{0, 0, 4, 1.875, 0}, {0, 2.125, 1.875, 4, 0.25}, {2.125, 2.125, 4, 4, 0.125}},
		"crossing": {{0, 0, 1.875, 1.875, 0}, {2.125, 0, 4, 1.875, 0}, {0, 2.125, 1.875, 4, 0}, {2.125, 2.125, 4, 4, 0}},
		"crossing, steps": {
			{0, 0, 1.875, 1.875, 0}, {2.125, 0, 4, 1.875, 0.125}, {0, 2.125, 1.875, 4, 0.25}, {2.125, 2.125, 4, 4, 0.125},
		},
		"lid in a pit": {
			{0, 0, 4, 1, 0}, {0, 3, 4, 4, 0}, {0, 1, 1, 3, 0}, {3, 1, 4, 3, 0}, {1.25, 1.25, 2.75, 2.75, 0.125},
		},
	} {
		for _, degrees := range []float64{0, 12, 45} {
			s := turnedBy(degrees)
			for _, b := range all {
				s.slab(b[0], b[1], b[2], b[3], b[4])
			}
			agent := stepper
			agent.Radius = 0.25
			p := s.extract(t, agent)
			if p.Components != 1 {
				t.Errorf("%s, turned by %g°: %d components", name, degrees, p.Components)
			}
			inside := floortest.Inside(p)
			for x := 0.3; x < 3.7; x += 0.1 {
				for y := 0.3; y < 3.7; y += 0.1 {
					if !inside(s.At(x, y, 0.125), 0.2) {
						t.Errorf("%s, turned by %g°: no floor at (%.1f, %.1f)", name, degrees, x, y)
					}
				}
			}
		}
	}
}

// TestGapCornersOverSteps has gaps with corners and crossings above a floor that is a step below the lower sides and more than a step below the
// higher sides. The agent comes over the ways from brink to step, and nothing is open at their corners.
func TestGapCornersOverSteps(t *testing.T) {
	agent := geom.Agent{Radius: 0.25, Height: 2, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.2}
	for name, all := range map[string][][5]float64{
		"corner of the higher side": {{0, 0, 2, 2, 0.6}, {2.0625, 0, 4, 4, 0.3}, {0, 2.0625, 2.0625, 4, 0.3}},
		"corner of the lower side":  {{0, 0, 2, 2, 0.3}, {2.0625, 0, 4, 4, 0.6}, {0, 2.0625, 2.0625, 4, 0.6}},
		"crossing":                  {{0, 0, 2, 2, 0.6}, {2.0625, 0, 4, 2, 0.3}, {0, 2.0625, 2, 4, 0.3}, {2.0625, 2.0625, 4, 4, 0.6}},
	} {
		for _, degrees := range []float64{0, 12, 45} {
			s := turnedBy(degrees)
			s.slab(-1, -1, 5, 5, 0)
			for _, b := range all {
				s.slab(b[0], b[1], b[2], b[3], b[4])
			}
			inside := floortest.Inside(s.extract(t, agent))
			for x := 0.4; x < 3.6; x += 0.1 {
				for y := 0.4; y < 3.6; y += 0.1 {
					if !inside(s.At(x, y, 0.45), 0.2) {
						t.Errorf("%s, turned by %g°: no floor at (%.1f, %.1f)", name, degrees, x, y)
					}
				}
			}
		}
	}
}

// TestGapsOnStairs has stairs whose treads are less deep than a gap and rise by less than half a climb. No bridge leads
// over a tread, with treads that touch, overlap, or leave gaps of 3 cm.
func TestGapsOnStairs(t *testing.T) {
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.45}
	for _, between := range []float64{0, -0.02, 0.03} {
		s := turnedBy(0)
		s.slab(-2, 0, 0, 2, 0)
		const deep, rise, treads = 0.28, 0.2, 8
		for k := range treads {
			x := between + float64(k)*(deep+between)
			s.slab(x, 0, x+deep, 2, float64(k+1)*rise)
		}
		e, n := bridged(t, &s.Scene, agent)
		want := 0
		if between > 0 {
			want = 2 * treads
		}
		if n != want {
			t.Errorf("with %g m between treads: %d triangles of bridges, want %d", between, n, want)
		}
		shown := 0.0
		for i := range e.exposed {
			for _, r := range e.rings(int32(i)) {
				shown += lattice.SquareMetres(r.Area2())
			}
		}
		if want := 2 * (2 + treads*(deep+between)); math.Abs(shown-want) > 2*0.02+0.01 {
			t.Errorf("with %g m between treads %.3f m² of floor show, want %.3f", between, shown, want)
		}
	}
}

// TestGapsOverAStep has a gap over a floor that is a step below one side and more than a step below the other. A bridge leads over the gap
// where both sides are level and run along each other: the agent could not climb from the floor to the higher side.
func TestGapsOverAStep(t *testing.T) {
	for _, c := range []struct {
		gap, higher, lower, tilt float64
		bridge                   bool
	}{
		{0.01, 0.6, 0.4, 0, true},
		{0.29, 0.6, 0.4, 0, true},
		{0.31, 0.6, 0.4, 0, false}, // too wide
		{0.05, 0.6, 0.21, 0.08, true},
		{0.05, 0.39, 0.3, 0, false},    // the floor is a step below both
		{0.05, 0.6, 0.19, 0, false},    // more than a step from side to side
		{0.05, 0.6, 0.21, 0.12, false}, // the lower side rises along the gap
	} {
		s := turnedBy(0)
		s.slab(-2, 0, 8, 3, 0)
		s.slab(0, 0, 3, 3, c.higher)
		x := 3 + c.gap
		s.Quad(s.At(x, 0, c.lower), s.At(6, 0, c.lower), s.At(6, 1.5, c.lower+1.5*c.tilt), s.At(x, 1.5, c.lower+1.5*c.tilt))
		if _, n := bridged(t, &s.Scene, stepper); n > 0 != c.bridge {
			t.Errorf("%+v: %d triangles of bridges", c, n)
		}
	}
}

// TestNarrowGaps has two floors with a crack between, a step above the ground, and a board across the crack. A crack of 2 cm has a bridge, and the
// agent walks over the edge of the board there. A wider gap has none: the ground is between both sides, and the agent keeps away from the board's
// edge above the ground.
func TestNarrowGaps(t *testing.T) {
	for _, c := range []struct {
		wide   float64
		bridge bool
	}{{0.004, true}, {0.012, true}, {0.019, true}, {0.021, false}, {0.035, false}} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			s.slab(-1, -1, 5, 5, 0)
			s.slab(0, 0, 2, 4, 0.3)
			s.slab(2+c.wide, 0, 4, 4, 0.3)
			if _, n := bridged(t, &s.Scene, stepper); n > 0 != c.bridge {
				t.Errorf("a crack of %g m, turned by %g°: %d triangles of bridges", c.wide, degrees, n)
			}
			s.slab(1.2, 1.5, 2.8, 2.5, 0.6)
			inside := floortest.Inside(s.extract(t, stepper))
			if in := inside(s.At(2.01, 1.5, 0.45), 0.2) && inside(s.At(2.01, 2.4, 0.6), 0.2); in != c.bridge {
				t.Errorf("a crack of %g m, turned by %g°: floor at the edge of the board is %v", c.wide, degrees, in)
			}
		}
	}
}

// TestCrackBesideARamp has a floor and a ramp beside it, both a step above the ground. The edges rise apart by more than those of a wider gap may. A crack
// between them has a bridge all the same, and a wider gap has none.
func TestCrackBesideARamp(t *testing.T) {
	for _, c := range []struct {
		wide   float64
		bridge bool
	}{{0.004, true}, {0.015, true}, {0.019, true}, {0.021, false}, {0.035, false}} {
		for _, degrees := range []float64{0, 33} {
			s := turnedBy(degrees)
			s.slab(-1, -1, 5, 3, 0)
			s.slab(0, 0, 2, 2, 0.3)
			s.Quad(s.At(2+c.wide, 0, 0.1), s.At(4, 0, 0.1), s.At(4, 2, 0.38), s.At(2+c.wide, 2, 0.38))
			if _, n := bridged(t, &s.Scene, stepper); n > 0 != c.bridge {
				t.Errorf("a crack of %g m, turned by %g°: %d triangles of bridges", c.wide, degrees, n)
			}
		}
	}
}

// TestThinBars has level bars of a grating, each a wire of two or three lattice units up to a plank. A bridge leads from each bar to the next and
// no farther, however thin the bars in between are.
func TestThinBars(t *testing.T) {
	const bars, gap = 12, 0.025
	for _, wide := range []float64{0.0006, 0.0011, 0.0018, 0.0035, 0.004, 0.005, 0.01} {
		for _, degrees := range []float64{0, 33, 90} {
			s := turnedBy(degrees)
			for i := range bars {
				x := float64(i) * (wide + gap)
				s.slab(x, 0, x+wide, 1, 0)
			}
			if _, n := bridged(t, &s.Scene, stepper); n != 2*(bars-1) {
				t.Errorf("%d bars of %g m, turned by %g°: %d triangles of bridges", bars, wide, degrees, n)
			}
		}
	}
}

// TestTrench has a trench of 0.2 m in a floor. A bottom within a step stays, with no bridge. A deeper bottom has a
// bridge above, which hides the bottom where an agent has no room beneath.
func TestTrench(t *testing.T) {
	for _, c := range []struct {
		deep           float64
		bridge, bottom bool
	}{{0.2, false, true}, {0.398, false, true}, {0.41, true, false}, {1.79, true, false}, {1.81, true, true}} {
		s := turnedBy(0)
		s.slab(0, 0, 3, 3, 0)
		s.slab(3.2, 0, 6, 3, 0)
		s.slab(3, 0, 3.2, 3, -c.deep)
		e, n := bridged(t, &s.Scene, stepper)
		if n > 0 != c.bridge {
			t.Errorf("a trench of %g m has %d triangles of bridges", c.deep, n)
		}
		bottom := 0.0
		for i := range e.exposed {
			v := &e.soup.Triangles[i].V
			for _, r := range e.rings(int32(i)) {
				if !e.isBridge(int32(i)) && float64(v[0].Z) < 0.1 && v[0].Z == v[1].Z {
					bottom += lattice.SquareMetres(r.Area2())
				}
			}
		}
		if want := 0.6; c.bottom && math.Abs(bottom-want) > 0.01 || !c.bottom && bottom > 0.01 {
			t.Errorf("a trench of %g m: %g m² of the bottom show", c.deep, bottom)
		}
	}
}

// TestPlankOverGap has a plank over half of a gap. A plank too low to walk beneath hides the bridge; the agent steps
// onto a plank within a step.
func TestPlankOverGap(t *testing.T) {
	for _, c := range []struct {
		height     float64
		end        float64 // of the plank, along the gap of 3 m
		components int
	}{{1, 1.5, 2}, {1, 3.5, 3}, {0.3, 3.5, 1}, {2, 3.5, 2}} {
		s := turnedBy(30)
		s.slab(0, 0, 3, 3, 0)
		s.slab(3.2, 0, 6, 3, 0)
		s.slab(2.8, -0.5, 3.4, c.end, c.height)
		agent := stepper
		agent.Radius = 0.1
		if p := s.extract(t, agent); p.Components != c.components {
			t.Errorf("a plank %g m high up to %g m: %d components, want %d", c.height, c.end, p.Components, c.components)
		}
	}
}

// TestBridgesAsFloors has random triangles, many with gaps and splinters between. All floors, rims and joints after the
// bridges are the same as if the bridges had been floors of the level.
func TestBridgesAsFloors(t *testing.T) {
	race.Skip(t)
	bridges, hidden, settled := 0, 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := &floortest.Scene{}
		for range 15 + r.IntN(60) {
			at := geom.Vec{X: 6 * r.Float64(), Y: 2 * r.Float64() * r.Float64(), Z: -6 * r.Float64()}
			var v [3]geom.Vec
			for i := range v {
				v[i] = at.Add(geom.Vec{X: 2*r.Float64() - 1, Y: (2*r.Float64() - 1) * r.Float64(), Z: 2*r.Float64() - 1})
			}
			if r.IntN(4) == 0 { // a splinter
				v[2] = v[0].Add(v[1].Sub(v[0]).Scale(0.5)).Add(geom.Vec{X: 0.0005})
			}
			s.Triangle(v[0], v[1], v[2])
		}
		s.Wall(1, 3, 5, 3, 0, 2)
		e, n := bridged(t, s, stepper)
		bridges += n
		all := &extraction{
			soup: e.soup, radius: e.radius, height: e.height, climb: e.climb, gap: e.gap, maxGap: e.maxGap,
			faces: e.faces, solids: e.solids,
			floors: boxtree.New(boxesOf(e.soup), func(i int) bool { return e.soup.Triangles[i].Walkable }),
		}
		all.stacked = e.stacked
		for _, stage := range []func(context.Context, int) error{all.expose, all.findRims} {
			if err := stage(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		for i := range e.exposed {
			x, y := e.exposed[i], all.exposed[i]
			if !e.soup.Triangles[i].Walkable {
				continue
			}
			if !reflect.DeepEqual(e.rings(int32(i)), all.rings(int32(i))) || len(x.through) != len(y.through) || !reflect.DeepEqual(x.blocked, y.blocked) {
				t.Fatalf("seed %d: triangle %d shows as %v, want %v", seed, i, *x, *y)
			}
			if !e.shows(int32(i)) {
				hidden++
			}
			if x.settled {
				settled++
			}
		}
		if !reflect.DeepEqual(e.rims, all.rims) || !reflect.DeepEqual(e.firstRim, all.firstRim) {
			t.Fatalf("seed %d: other rims", seed)
		}
		byStart := func(i, j joint) int { return cmp.Or(cmp.Compare(i.from, j.from), cmp.Compare(i.to, j.to)) }
		for _, joints := range [][]joint{e.joints, all.joints} {
			for i, j := range joints {
				joints[i] = joint{min(j.from, j.to), max(j.from, j.to)}
			}
			slices.SortFunc(joints, byStart)
		}
		if !slices.Equal(e.joints, all.joints) {
			t.Fatalf("seed %d: other joints", seed)
		}
	}
	if bridges < 900 || hidden < 50 || settled < 100 {
		t.Errorf("only %d triangles of bridges, %d hidden floors, %d floors with covers", bridges, hidden, settled)
	}
}

// TestBridgeAtAJoint has a bridge that begins at the edge between two floors. All three have rims at the edge, and no
// joint.
func TestBridgeAtAJoint(t *testing.T) {
	s := &floortest.Scene{}
	at := func(x, y, h float64) geom.Vec { return geom.FromGround(x, y, h) }
	s.Triangle(at(0, 0, 0), at(4, 0, 0), at(0, 4, 1))
	s.Triangle(at(4, 0, 0), at(4, 4, 0), at(0, 4, 1))
	e, _ := bridged(t, s, stepper)
	if len(e.joints) != 1 {
		t.Fatalf("%d joints", len(e.joints))
	}
	j := e.link(e.joints[0])
	of := &e.soup.Triangles[j.from]
	end := func(v lattice.Vertex) corner { return corner{v, of.ID[slices.Index(of.V[:], v)]} }
	apex := of.V[0]
	for _, v := range of.V {
		if v != j.a && v != j.b {
			apex = v
		}
	}
	apex.Z += 3 * lattice.UnitsPerMetre
	if err := e.add(t.Context(), 1, []span{{[3]corner{end(j.a), end(j.b), {apex, noVertex}}, j.from}}); err != nil {
		t.Fatal(err)
	}
	if len(e.joints) != 0 || len(e.rims) != 3*3 {
		t.Errorf("%d joints and %d rims, want none and all 9 edges", len(e.joints), len(e.rims))
	}
}

// TestGapBeforeABevel has a gap between a floor and a steep bevel, low enough to be a floor to cross. The bridge is as
// long as the bevel, whichever way the bevel is divided into triangles.
func TestGapBeforeABevel(t *testing.T) {
	const long, width, rise = 2.0, 0.25, 0.2
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.3}
	for _, turned := range []bool{false, true} {
		s := &floortest.Scene{}
		s.Floor(0, 0, 2, long, 0)
		a, b := geom.FromGround(2+width, 0, -0.7), geom.FromGround(2+width+rise/3, 0, -0.7+rise)
		c, d := geom.FromGround(2+width+rise/3, long, -0.7+rise), geom.FromGround(2+width, long, -0.7)
		if turned {
			a, b, c, d = b, c, d, a
		}
		s.Triangle(a, b, c)
		s.Triangle(a, c, d)
		e, _ := bridged(t, s, agent)
		area := 0.0
		for i := range e.exposed {
			if e.isBridge(int32(i)) {
				for _, r := range e.rings(int32(i)) {
					area += lattice.SquareMetres(r.Area2())
				}
			}
		}
		if want := long * width; math.Abs(area-want) > 0.005*want {
			t.Errorf("turned %v: bridges cover %.4f m², want %.4f", turned, area, want)
		}
	}
}

// TestTipsOfWedges has two level floors whose edges cross, with a wedge between them on one side and a floor more than a
// step beneath. The bridge begins where the edges cross, so the lower floor does not show in the tip of the wedge.
func TestTipsOfWedges(t *testing.T) {
	for _, turned := range []float64{0, 17, 45, 90} {
		for _, angle := range []float64{2, 6, 13, 25} {
			s := turnedBy(turned)
			tan := math.Tan(geom.Degrees(angle))
			s.slab(-4, -3, 4, 0, 0)
			s.Quad(s.At(-4, -4*tan, 0), s.At(4, 4*tan, 0), s.At(4, 5, 0), s.At(-4, 5, 0))
			s.slab(-6, -6, 6, 6, -1)
			inside := floortest.Inside(s.extract(t, stepper))
			for _, p := range [][2]float64{{0, 0}, {0.02, 0.001}, {0.1, 0}, {-0.2, -0.1}, {0, 0.25}, {0.05, -0.25}} {
				if !inside(s.At(p[0], p[1], 0), 0.1) {
					t.Errorf("turned by %g°, edges at an angle of %g°: no floor at %v", turned, angle, p)
				}
			}
		}
	}
}

// TestCornersOfALoop has a loop whose first corner comes again in the middle, as where the sides of two bridges share the corner of a floor. The
// ring has all corners in their order, and withoutLoops takes the way to the corner and back out of the ring.
func TestCornersOfALoop(t *testing.T) {
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	shared := at(400, 0)
	way := []lattice.Vertex{at(320, 10), shared, at(60, 480), at(420, 500), shared} // floors are on the left of the way
	brinks := []brink{{a: way[0], b: way[1]}, {a: way[1], b: way[2]}, {a: way[2], b: way[3]}, {a: way[3], b: way[4]}}
	ring, corners := cornersOf(brinks, []int32{0, 1, 2, 3})
	want := lattice.Ring{shared.Point, way[3].Point, way[2].Point, shared.Point, way[0].Point}
	if !slices.Equal(ring, want) {
		t.Errorf("the ring is %v, want %v", ring, want)
	}
	if ring, _ = withoutLoops(ring, corners); len(ring) != 3 || ring.Area2() != (lattice.Ring{shared.Point, way[3].Point, way[2].Point}).Area2() {
		t.Errorf("without loops the ring is %v, want a triangle around the pocket", ring)
	}
}

// TestWithoutLoops compares rings with those that a search for all faults after every corner leaves.
func TestWithoutLoops(t *testing.T) {
	race.Skip(t)
	plain := func(ring lattice.Ring) lattice.Ring {
		for len(ring) >= 3 && (&lattice.Polygon{Rings: []lattice.Ring{ring}}).Validate() != nil {
			i := largestWithout(ring)
			if i < 0 {
				return nil
			}
			ring = slices.Delete(ring, i, i+1)
		}
		if len(ring) < 3 {
			return nil
		}
		return ring
	}
	cut, whole, none := 0, 0, 0
	for seed := range uint64(800) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 3 + rng.IntN(40)
		ring := make(lattice.Ring, 0, 2*n)
		for k := range n {
			angle := 2 * math.Pi * float64(k) / float64(n)
			size := 300 + 200*rng.Float64()
			p := lattice.Point{X: int32(size * math.Cos(angle)), Y: int32(size * math.Sin(angle))}
			ring = append(ring, p)
			if seed%4 > 0 { // the next brink starts some units away
				ring = append(ring, lattice.Point{X: p.X + rng.Int32N(17) - 8, Y: p.Y + rng.Int32N(17) - 8})
			}
		}
		if seed%16 == 0 { // crossings far from any short side
			rng.Shuffle(len(ring), func(i, k int) { ring[i], ring[k] = ring[k], ring[i] })
		}
		want := plain(slices.Clone(ring))
		got, corners := withoutLoops(slices.Clone(ring), make([]corner, len(ring)))
		if !slices.Equal(got, want) || len(corners) != len(got) {
			t.Fatalf("seed %d: the ring %v is left as %v, want %v", seed, ring, got, want)
		}
		switch len(got) {
		case 0:
			none++
		case len(ring):
			whole++
		default:
			cut++
		}
	}
	if cut < 200 || whole < 50 || none < 20 {
		t.Errorf("%d rings lose corners, %d none, and %d all", cut, whole, none)
	}
}

package floortest

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// spot is a place in ground coordinates, and whether the agent can stand there.
type spot struct {
	x, y, h float64
	free    bool
}

// holds extracts a scene and compares its floor with known facts. Places are farther from borders than any
// extractor's tolerance, and heights are right within 5 mm.
func (extract Extractor) holds(t *testing.T, s *Scene, components int, spots []spot) {
	t.Helper()
	p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
	if p.Components != components {
		t.Errorf("%d components, want %d", p.Components, components)
	}
	check(t, p, spots)
}

// check compares the floor of a plan with the known facts.
func check(t *testing.T, p *plan.Plan, spots []spot) {
	t.Helper()
	inside := Inside(p)
	for _, at := range spots {
		if got := inside(geom.FromGround(at.x, at.y, at.h), 0.005); got != at.free {
			t.Errorf("(%g, %g) at height %g: free %v, want %v", at.x, at.y, at.h, got, at.free)
		}
	}
}

// FloorsThroughEachOther has floors that cross along lines that are no edges: a slope through a level floor,
// above it on one side and below on the other.
func FloorsThroughEachOther(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 20, 6, 0)
	s.Quad(geom.FromGround(0, -4, -8), geom.FromGround(20, -4, 8), geom.FromGround(20, 10, 8), geom.FromGround(0, 10, -8))
	extract.holds(t, s, 2, []spot{ // one is under the slope
		{9.9, 3, 0, true},     // where one goes on in the other
		{10.1, 3, 0.08, true}, // and beyond
		{9.8, 0.55, 0, true},
		{9.8, 0.25, 0, false}, // too near to the edge of the floor
		{10.1, -3, 0.08, true},
		{6, 3, -3.2, true},
		{8.2, 3, -1.44, false}, // beneath the floor, too low
		{9.7, -0.5, -0.24, true},
		{12, 3, 1.6, true},
		{14, 3, 0, true},
		{11.8, 3, 0, false}, // beneath the slope, too low
	})
}

// WallsOnBevels has upright walls on bevels no higher than a step, which rounding to the lattice leans back or
// forth by a unit: the bevel is floor and the wall is not.
func WallsOnBevels(t *testing.T, extract Extractor) {
	for _, lean := range []float64{-1, -0.5, 0, 0.5, 1} {
		s := &Scene{}
		s.Floor(0, 0, 5, 6, 0)
		x := 5.15 + lean*lattice.Unit
		s.Quad(geom.FromGround(5, 0, 0), geom.FromGround(5.15, 0, 0.3), geom.FromGround(5.15, 6, 0.3), geom.FromGround(5, 6, 0))
		s.Quad(geom.FromGround(5.15, 0, 0.3), geom.FromGround(x, 0, 3), geom.FromGround(x, 6, 3), geom.FromGround(5.15, 6, 0.3))
		extract.holds(t, s, 1, []spot{{2, 3, 0, true}, {4.66, 3, 0, true}, {4.84, 3, 0, false}})
	}
}

// LowStrips has a sheet over the edge of a step, by less than a crack is wide: low over the step, high enough over the
// floor before it. The strip is no crack to fill.
func LowStrips(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 10, 10, 0)
	s.Box(2, -1, 0, 6, 11, 0.3)
	s.Floor(5.975, -1, 9, 11, 1.9)
	extract.holds(t, s, 3, []spot{
		{5.3, 5, 0.3, true},
		{5.7, 5, 0.3, false},
		{6.2, 5, 0, false},
		{6.6, 5, 0, true},
		{7, 5, 1.9, true},
	})
}

// CrackEndsAtAnEdge has a crack between two floors that ends at the edge of a third, a step above both. Sampling
// cannot distinguish it from a ditch.
func CrackEndsAtAnEdge(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 5, 6, 0)
	s.Box(0, 0, 0, 5, 3, 1.6)
	s.Box(0, 3, 0, 2.5, 6, 1.4)
	s.Box(2.534, 3, 0, 5, 6, 1.3)
	extract.holds(t, s, 1, []spot{
		{2.5, 2.8, 1.6, true},
		{2.4, 3.2, 1.4, true},
		{2.6, 3.2, 1.3, true},
		{2.6, 4.5, 1.3, true},
		{0.2, 4.5, 1.4, false},
	})
}

// FloorsThatRise has a slope that begins too low for a step at the edge of another floor, and has risen to a step
// as far from it as a crack is wide: that is no crack. Sampling does not tell.
func FloorsThatRise(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Box(0, 0, -1, 5, 6, 1)
	s.Quad(geom.FromGround(5, 0, 0.57), geom.FromGround(8, 0, 3.27), geom.FromGround(8, 6, 3.27), geom.FromGround(5, 6, 0.57))
	extract.holds(t, s, 2, []spot{
		{4.4, 3, 1, true},
		{4.7, 3, 1, false},
		{5.25, 3, 0.795, false},
		{5.7, 3, 1.2, true},
	})
}

// ManyLayersMeet looks at places around which more than two layers meet.
func ManyLayersMeet(t *testing.T, extract Extractor) {
	agent := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	for _, c := range []struct {
		seed  uint64
		spots []spot
	}{
		{0, []spot{{12.27, 7.849, 0, true}, {12.238, 7.611, 0, true}}},
		{5, []spot{{3.695, 3.596, 1.965, true}, {4.04, 3.989, 2.227, true}}},
		{8, []spot{{12.187, 4.163, 2.202, true}, {12.294, 4.188, 2.219, true}}},
		{13, []spot{{6.965, 6.595, 2.515, true}}},
		{20, []spot{{4.072, 3.772, 2.035, true}}},
	} {
		p := extract.plan(t, RandomScene(c.seed, 14, 25), agent, floorplan.Options{KeepAll: true})
		check(t, p, c.spots)
	}
}

// NotchTips has a floor with a triangular hole. A bridge fills the tip of each corner below 90° as far as the gap is narrow
// enough: by 0.216 m along the middle of 45°, for a gap of 0.2 m. So the agent can stand nearer to the corners.
func NotchTips(t *testing.T, extract Extractor) {
	at := func(x, y float64) geom.Vec { return geom.FromGround(x, y, 0) }
	s := &Scene{}
	for x := -3.0; x < 4; x++ {
		for y := -3.0; y < 4; y++ {
			if x != 0 || y != 0 {
				s.Triangle(at(x, y), at(x+1, y), at(x+1, y+1))
			}
			s.Triangle(at(x, y), at(x+1, y+1), at(x, y+1))
		}
	}
	cos, sin := math.Cos(math.Pi/8), math.Sin(math.Pi/8) // along the middle of the corner at the origin
	for _, c := range []struct {
		gap  float64
		free bool
	}{{0, false}, {0.2, true}} {
		agent := Agent
		agent.MaxGap = c.gap
		p := extract.plan(t, s, agent, floorplan.Options{KeepAll: true})
		check(t, p, []spot{{-0.28 * cos, -0.28 * sin, 0, c.free}, {1 + 0.28*sin, 1 + 0.28*cos, 0, c.free}, {-0.1 * cos, -0.1 * sin, 0, false}})
	}
}

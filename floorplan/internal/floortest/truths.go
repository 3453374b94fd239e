package floortest

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// spot is a place in ground coordinates, and whether the agent can stand there.
type spot struct {
	x, y, h float64
	free    bool
}

// holds extracts a scene and compares its floor with what is known on paper. Places are farther from borders
// than any extractor's tolerance, and heights are right within 5 mm.
func (extract Extractor) holds(t *testing.T, s *Scene, components int, spots []spot) {
	t.Helper()
	p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
	if p.Components != components {
		t.Errorf("%d components, want %d", p.Components, components)
	}
	inside := Inside(p)
	for _, at := range spots {
		if got := inside(geom.FromGround(at.x, at.y, at.h), 0.005); got != at.free {
			t.Errorf("(%g, %g) at height %g: free %v, want %v", at.x, at.y, at.h, got, at.free)
		}
	}
}

// FloorsThroughEachOther has floors that go on in each other along lines that are no edges: a slope through
// a level floor, which is over it on one side and beneath it on the other.
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

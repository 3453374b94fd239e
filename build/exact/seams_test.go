package exact

import (
	"fmt"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestFloorsAreInOneLayer verifies that no two layers have the same floor, so layers border on each other along seams
// only. For a point the remains of rounding are as wide as the slits of obstacles.
func TestFloorsAreInOneLayer(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"rts", "random", "carpark"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, radius := range []float64{0, 0.4} {
			agent := geom.Agent{}.WithDefaults()
			agent.Radius = radius
			t.Run(fmt.Sprintf("%s, radius %g", kind, radius), func(t *testing.T) { checkInOneLayer(t, lvl, agent) })
		}
	}
}

// TestRepeatedFloorsAreInOneLayer has a slab on steps, twice in one plane and divided by different diagonals. The top of the
// steps is a storey above the bottom. A point has the slab once.
func TestRepeatedFloorsAreInOneLayer(t *testing.T) {
	s := turnedBy(0)
	at := s.At
	s.Triangle(at(32.75, -31.5, 3), at(16.75, -14.25, 3), at(16.75, -31.5, 3))
	s.Triangle(at(32.75, -25.75, 3.5), at(17.5, -19.5, 3.5), at(17.5, -25.75, 3.5))
	for _, x := range [][3]float64{{32.75, 18.5, 4}, {26, 24, 4.5}, {28, 27, 4.5}, {28, 24, 4.5}} {
		low, high := -23.5, -22.25
		if x[2] == 4 {
			low, high = -24.5, -20.75
		}
		s.Quad(at(x[0], low, x[2]), at(x[0], high, x[2]), at(x[1], high, x[2]), at(x[1], low, x[2]))
	}
	s.Triangle(at(28, -24.75, 5), at(28, -23.5, 5), at(24, -23.5, 5))
	checkInOneLayer(t, &s.Level, geom.Agent{Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05})
}

func checkInOneLayer(t *testing.T, lvl *level.Level, agent geom.Agent) {
	p, err := Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true, Simplify: -1, Detail: -1})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Layers) < 2 {
		t.Fatal("one layer")
	}
	domains := make([][]lattice.Ring, len(p.Layers))
	for l := range p.Layers {
		for _, d := range p.Layers[l].Domains {
			domains[l] = append(domains[l], d.Rings...)
		}
	}
	for l := range domains {
		for o := range l {
			common, err := overlay.Intersection(domains[l], domains[o])
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range common {
				at := q.Rings[0][0]
				one, other := heightIn(t, &p.Layers[l], at), heightIn(t, &p.Layers[o], at)
				if math.Abs(one-other) <= agent.MaxClimb*lattice.UnitsPerMetre {
					t.Errorf("layers %d and %d have %v both, at heights of %g and %g units", l, o, q.Rings[0], one, other)
				}
			}
		}
	}
}

// heightIn returns the height of a layer's surface at a place of a domain.
func heightIn(t *testing.T, l *plan.Layer, at lattice.Point) float64 {
	t.Helper()
	z, ok := lattice.NewSampler(&l.Floor).HeightBelow(float64(at.X), float64(at.Y), math.Inf(1), floorReach)
	if !ok {
		t.Errorf("no floor at %v", at)
	}
	return z
}

// TestSteepStairsAtSeams has open stairs from a floor to a landing over the same floor, steeper than half of the agent's height
// within two radii. At the seam the landing belongs to the stairs, though the floor beneath is as near in height.
func TestSteepStairsAtSeams(t *testing.T) {
	agent := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.45}
	for _, rise := range []float64{0.5, 0.7, 0.85} {
		s := turnedBy(30)
		s.slab(-5, -5, 8, 5, 0)
		height := func(x float64) float64 { return rise * min(max(math.Floor(x/0.5)+1, 0), 5) }
		for x := 0.0; x < 2; x += 0.5 {
			s.slab(x, -2, x+0.5, 2, height(x))
		}
		s.slab(2, -2, 6, 2, height(2))
		p := s.extract(t, agent)
		if len(p.Layers) < 2 {
			t.Fatal("one layer")
		}
		inside := floortest.Inside(p)
		for x := -0.975; x < 5.3; x += 0.05 {
			for _, y := range []float64{-1.35, 0, 1.35} {
				if !inside(s.At(x, y, height(x)), 0.1) {
					t.Errorf("treads of %g m: no floor at (%.2f, %g)", rise, x, y)
				}
			}
		}
	}
}

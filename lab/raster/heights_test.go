package raster

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// Every point of a border is as high as some floor of its layer near it, to within a step; also where all
// corners of a ring that is a square were added, as on the top of the spiral.
func TestBordersAreAsHighAsTheirFloors(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"spiral", "stairs", "carpark", "bridge"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		agent := geom.Agent{}.WithDefaults()
		p, err := Extract(t.Context(), lvl, agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		step := (agent.MaxClimb + 0.05) * lattice.UnitsPerMetre
		for l := range p.Layers {
			floor := lattice.NewSampler(&p.Layers[l].Floor)
			for d := range p.Layers[l].Domains {
				domain := &p.Layers[l].Domains[d]
				for r, ring := range domain.Rings {
					for i, q := range ring {
						want := float64(domain.Heights[r][i])
						if !hasFloorAt(floor, q, want, step) {
							t.Errorf("%s: layer %d, domain %d, ring %d: %v is said to be %g m high, and no floor near it is", kind, l, d, r, q, want*lattice.Unit)
						}
					}
				}
			}
		}
	}
}

// hasFloorAt looks for a floor of about a height at a point and in eight directions from it, because corners may be
// beside the floor.
func hasFloorAt(floor *lattice.Sampler, p lattice.Point, want, step float64) bool {
	const away = 0.3 * lattice.UnitsPerMetre
	for _, dx := range [3]float64{0, -away, away} {
		for _, dy := range [3]float64{0, -away, away} {
			if z, ok := floor.HeightBelow(float64(p.X)+dx, float64(p.Y)+dy, want+step, 0); ok && z >= want-step {
				return true
			}
		}
	}
	return false
}

// TestCellsAlong walks along segments of any direction: the cell of each place is found, and the centre of no cell found is
// farther than a cell from the segment.
func TestCellsAlong(t *testing.T) {
	g := &grid{cell: 40}
	rng := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		p := func() lattice.Point { return lattice.Point{X: rng.Int32N(900), Y: rng.Int32N(900)} }
		a, b := p(), p()
		if rng.IntN(4) == 0 {
			b.Y = a.Y
		}
		seen := map[fine]bool{}
		for _, c := range g.cellsAlong(a, b) {
			seen[c] = true
			if d := lattice.SegmentDistance2(g.centre(c), a, b).Sqrt(); d > float64(g.cell) {
				t.Fatalf("%v to %v: finds %v, %g units away", a, b, c, d)
			}
		}
		for k := range 1001 {
			x, y := float64(a.X)+float64(k)/1000*float64(b.X-a.X), float64(a.Y)+float64(k)/1000*float64(b.Y-a.Y)
			if c := (fine{int32(x) / g.cell, int32(y) / g.cell}); !seen[c] {
				t.Fatalf("%v to %v: does not find %v", a, b, c)
			}
		}
	}
}

package raster

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/levelgen"
)

// Every point of a border is as high as some floor of its layer near it, to within a step; also where all
// corners of a ring that is a square were added, as on the top of the spiral.
func TestBordersAreAsHighAsTheirFloors(t *testing.T) {
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

package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
)

// TestPointKeepsOffDrops has two floors that meet along a drop. The floor of a point ends a millimetre before the drop on either side: less
// would be no more than rounding moves, and more is floor lost.
func TestPointKeepsOffDrops(t *testing.T) {
	var s floortest.Scene
	s.Floor(0, 0, 4, 4, 2)
	s.Floor(4, 0, 8, 4, 0)
	agent := geom.Agent{Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	const drop = 4 * lattice.UnitsPerMetre
	before, beyond := int32(0), int32(2*drop)
	for _, l := range p.Layers {
		for _, d := range l.Domains {
			for _, r := range d.Rings {
				b := r.Box()
				if b.Min.X < drop/2 {
					before = max(before, b.Max.X)
				} else {
					beyond = min(beyond, b.Min.X)
				}
			}
		}
	}
	for _, off := range [2]int32{drop - before, beyond - drop} {
		if off < 3 || off > 6 {
			t.Errorf("the floor ends %d units before the drop", off)
		}
	}
}

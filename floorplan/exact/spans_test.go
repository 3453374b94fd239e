package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
	"github.com/meadow-nav/meadow/floorplan/internal/soup"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// TestPits verifies that where a crack is a little wider than one may be, before it ends at a third floor, the pit that is
// left there of the floor beneath goes with the rest of the crack; and that a wider one stays.
func TestPits(t *testing.T) {
	for _, c := range []struct {
		wide float64 // the crack at its end, in metres
		pits int
	}{{0.049, 0}, {0.052, 0}, {0.3, 1}} {
		scene := &floortest.Scene{}
		scene.Floor(0, 0, 10, 10, 0)
		sheet(scene, 2, 2, 5, 8, 0.9, 0, 0)
		sheet(scene, 5.018, 2, 8, 4.6, 0.9, 0, 0)
		scene.Quad(geom.FromGround(5.018, 4.6, 0.9), geom.FromGround(8, 4.6, 0.9), geom.FromGround(8, 5, 0.9), geom.FromGround(5+c.wide, 5, 0.9))
		sheet(scene, 5, 5, 8, 8, 0.9, 0, 0)
		s, err := soup.Read(&scene.Level, floortest.Agent)
		if err != nil {
			t.Fatal(err)
		}
		e := assigned(t, s)
		pits := 0
		for i := range e.exposed {
			for _, r := range e.exposed[i].rings {
				if w, h := r.Box().Size(); r.Area2() > 0 && float64(max(w, h)) < 0.5*lattice.UnitsPerMetre {
					pits++
				}
			}
		}
		if pits != c.pits {
			t.Errorf("a crack %g m wide at its end leaves %d pits, want %d", c.wide, pits, c.pits)
		}
	}
}

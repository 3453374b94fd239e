package metric

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestPathEfficiency goes around the corner of an L: the shortest path bends at the notch, the other path goes through
// the middles of both common edges.
func TestPathEfficiency(t *testing.T) {
	mesh := one(t, ring(0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4), box(0, 0, 2, 2), box(2, 0, 4, 2), box(0, 2, 2, 4))
	at := func(x, y float64) geom.Vec { return geom.FromGround(x, y, 0) }
	p := measure(t, mesh, Options{Places: []geom.Vec{at(3, 1), at(1, 3)}}).Extras.Paths
	// By the notch at (2, 2): twice √2. Through (2, 1) and (1, 2): 1 + √2 + 1.
	if !near(p.Value, 2*math.Sqrt2/(2+math.Sqrt2)) || !near(p.Crossed, 2) || p.Pairs != 1 || p.Missed != 0 {
		t.Errorf("%+v", p)
	}
	// In one region both paths are straight; beside the mesh no paths exist.
	p = measure(t, mesh, Options{Places: []geom.Vec{at(1, 1), at(1, 1.5), at(1, 1), at(1, 1), at(1, 1), at(50, 50)}}).Extras.Paths
	if !near(p.Value, 1) || !near(p.Crossed, 0) || p.Pairs != 2 || p.Missed != 1 {
		t.Errorf("%+v", p)
	}
	if p := measure(t, mesh, Options{}).Extras.Paths; p.Value.Known() || p.Pairs != 0 {
		t.Errorf("without places: %+v", p)
	}
}

// TestPathEfficiencyRandom checks that no path is shorter than the shortest, and that the places do not depend on the
// mesh.
func TestPathEfficiencyRandom(t *testing.T) {
	for seed := range uint64(6) {
		p, mesh := world(t, seed, lattice.Frame{})
		places := PlacesOn(p, 40, seed)
		if len(places) != 40 || !slices.Equal(places, PlacesOn(p, 40, seed)) || slices.Equal(places, PlacesOn(p, 40, seed+1)) {
			t.Fatalf("seed %d: %d places", seed, len(places))
		}
		e := measure(t, mesh, Options{Plan: p, Places: places}).Extras.Paths
		if e.Missed != 0 || e.Pairs != 20 || !(e.Value > 0.3 && e.Value <= 1) || !(e.Crossed > 0) {
			t.Errorf("seed %d: %+v", seed, e)
		}
	}
	if got := PlacesOn(planOf(lattice.Frame{}), 3, 1); len(got) != 0 {
		t.Errorf("places on nothing: %v", got)
	}
}

package meadow_test

import (
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/knownfaults"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

// floorFault validates a mesh and returns a fault of its floor, nil for none. All other faults are errors.
func floorFault(t *testing.T, mesh *meadow.Mesh) error {
	t.Helper()
	var found error
	for _, f := range mesh.Validate() {
		switch f.Kind {
		case navmesh.FloorJump, navmesh.FloorSteep, navmesh.PortalStep:
			found = f
		default:
			t.Error(f)
		}
	}
	return found
}

// TestGeneratedLevelsKeepTheFloorLaws builds a small level of every kind for a thin and for a wide agent.
func TestGeneratedLevelsKeepTheFloorLaws(t *testing.T) {
	if race.Enabled {
		t.Skip("the plain run tests the same on one goroutine")
	}
	regions := 0
	for _, kind := range levelgen.Kinds() {
		lvl, err := levelgen.Generate(kind.Name, levelgen.Options{Seed: 3, Size: min(max(30, kind.MinSize), kind.MaxSize)})
		if err != nil {
			t.Fatal(err)
		}
		for _, radius := range []float64{0.1, 0.4} {
			mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.Options{Agent: meadow.Agent{Radius: radius}, KeepAll: true})
			if err != nil {
				t.Fatalf("%s, radius %g: %v", kind.Name, radius, err)
			}
			regions += mesh.RegionCount()
			knownfaults.Judge(t, knownfaults.Case{Level: kind.Name, Extract: "exact", Radius: radius, Law: "floor"}, floorFault(t, mesh))
		}
	}
	if regions < 500 {
		t.Errorf("only %d regions", regions)
	}
}

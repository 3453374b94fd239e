package levelcheck

import (
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/randlevel"
	"github.com/meadow-nav/meadow/internal/slow"
)

// TestRandomKinds builds levels of every kind of internal/randlevel for a thin and a wide agent. Every mesh has floor and is valid.
// `go run ./lab/bench/extraction -kinds N` judges the meshes by all laws.
func TestRandomKinds(t *testing.T) {
	for seed := range uint64(slow.Count(1, 4)) {
		for _, kind := range randlevel.Kinds() {
			lvl := randlevel.Make(kind, seed+1)
			for _, radius := range []float64{0.3, 0.6} {
				agent := meadow.Agent{Radius: radius, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
				mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent}, meadow.MeshOptions{})
				if err != nil {
					t.Errorf("%s, radius %g m: %v", lvl.Name, radius, err)
					continue
				}
				if area := mesh.Area(); !(area > 20) {
					t.Errorf("%s, radius %g m: the mesh has %g m² of floor", lvl.Name, radius, area)
				}
				for _, f := range mesh.Validate() {
					t.Errorf("%s, radius %g m: %v", lvl.Name, radius, f)
				}
			}
		}
	}
}

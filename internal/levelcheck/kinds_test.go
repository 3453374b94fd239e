package levelcheck

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/randlevel"
	"github.com/meadow-nav/meadow/internal/slow"
)

// judgedKinds are the kinds of level on whose meshes every law holds, for the seeds and agents of the test. Other seeds and agents
// have faults, which docs/algorithms/exact.md counts.
var judgedKinds = []string{
	"askew", "boulders", "cafe", "castle", "cave", "cobbles", "corrugated", "crawl", "curves", "cuts", "decals", "decks", "detail", "docks", "domes",
	"escalators", "fences", "foliage", "garage", "girders", "gratings", "greebles", "hedges", "helix", "hexagons", "hollows", "house", "limits", "logs",
	"mall", "maze", "mine", "modules", "office", "patchwork", "pebbles", "pipes", "pipework", "plan", "roads", "rocks", "roofs", "scaffold", "scan",
	"sewer", "shelves", "skatepark", "stadium", "stairs", "station", "street", "tiles", "trench", "vaults", "voxels", "warehouse", "weave", "wedges",
}

// TestRandomKinds builds levels of every kind of internal/randlevel for a thin and a wide agent. Every mesh has floor and is
// valid, and the laws hold for the meshes of the judged kinds. `go run ./lab/bench/extraction -kinds N` judges all kinds.
func TestRandomKinds(t *testing.T) {
	race.Skip(t)
	for _, kind := range judgedKinds {
		if !slices.Contains(randlevel.Kinds(), kind) {
			t.Errorf("there is no kind %q", kind)
		}
	}
	for seed := range uint64(slow.Count(1, 2)) {
		for i, kind := range randlevel.Kinds() {
			lvl := randlevel.Make(kind, seed+1)
			for _, radius := range []float64{0.3, 0.6}[slow.Count(1-i%2, 0):slow.Count(2-i%2, 2)] {
				agent := meadow.Agent{Radius: radius, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
				mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
				if err != nil {
					t.Errorf("%s, radius %g m: %v", lvl.Name, radius, err)
					continue
				}
				if area := mesh.Area(); !(area > 20) {
					t.Errorf("%s, radius %g m: the mesh has %g m² of floor", lvl.Name, radius, area)
				}
				faults := mesh.Validate()
				if slices.Contains(judgedKinds, kind) {
					opt := Options{Places: 100, Paths: 10, KeepAll: true, Near: DefaultNear, Simplify: DefaultSimplify}
					broken, _, err := Check(t.Context(), mesh.Mesh, lvl, opt)
					if err != nil {
						t.Fatal(err)
					}
					faults = append(faults, broken...)
				}
				for _, f := range faults {
					t.Errorf("%s, radius %g m: %v", lvl.Name, radius, f)
				}
			}
		}
	}
}

package meadow_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestTruths builds the made levels whose path lengths are known beforehand and compares: the
// layers, one component, and horizontal path lengths within 1 %.
func TestTruths(t *testing.T) {
	race.Skip(t)
	for _, truth := range levelgen.Truths() {
		t.Run(truth.Kind, func(t *testing.T) {
			lvl, err := levelgen.Generate(truth.Kind, levelgen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			meshes := map[float64]*meadow.Mesh{}
			for _, route := range truth.Routes {
				mesh := meshes[route.Radius]
				if mesh == nil {
					mesh = buildTruth(t, lvl, truth, route.Radius)
					meshes[route.Radius] = mesh
				}
				path, err := mesh.NewQuery().Path(t.Context(), route.Start, route.Goal)
				if err != nil || !path.Complete {
					t.Errorf("%s, radius %g: complete %v, %v", route.Name, route.Radius, path.Complete, err)
					continue
				}
				if off := path.Length/route.Length - 1; math.Abs(off) > 0.01 {
					t.Errorf("%s, radius %g: %.4f m, in truth %.4f m (%+.2f %%)", route.Name, route.Radius, path.Length, route.Length, 100*off)
				}
				// Nothing in these levels is steeper than the slope limit of 45° but steps.
				way := path.Surface()
				for i := 1; i < len(way); i++ {
					a, b := way[i-1], way[i]
					if run, rise := math.Hypot(b.X-a.X, b.Z-a.Z), math.Abs(b.Y-a.Y); rise > run+mesh.Agent.MaxClimb {
						t.Errorf("%s, radius %g: the path jumps from %v to %v", route.Name, route.Radius, a, b)
					}
				}
			}
		})
	}
}

func buildTruth(t *testing.T, lvl *level.Level, truth levelgen.Truth, radius float64) *meadow.Mesh {
	t.Helper()
	agent := meadow.Agent{Radius: radius}
	if radius == 0.6 {
		agent.Height, agent.MaxClimb = 2, 0.9
	}
	mesh, err := meadow.Build(t.Context(), lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mesh.Validate() {
		t.Errorf("radius %g: %v", radius, f)
	}
	r := mesh.Report()
	t.Logf("radius %g: %d layers, %d seams, %d regions, %d dropped, %.3f s", radius, r.Layers, r.Seams, r.Regions, len(r.Dropped), r.Seconds.Total)
	if r.Layers < truth.Layers || r.Components != 1 {
		t.Errorf("radius %g: %d layers and %d components, in truth %d and 1", radius, r.Layers, r.Components, truth.Layers)
	}
	return mesh
}

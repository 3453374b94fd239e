package meadow_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/metric"
)

// TestCleanup builds a level with methods of every sort, cleaned up and not: the mesh is valid and covers the
// same floor, with no more regions and no more that are near-degenerate as package metric counts them.
func TestCleanup(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("city", levelgen.Options{Seed: 1, Size: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"anavmg", "best", "delaunay", "hertelmehlhorn", "wavefront"} {
		var of [2]metric.Result
		var mesh [2]*meadow.Mesh
		for i, clean := range []bool{false, true} {
			if mesh[i], err = meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{Generator: generator(t, method), Cleanup: clean}); err != nil {
				t.Fatal(err)
			}
			for _, f := range mesh[i].Validate() {
				t.Errorf("%s: %v", method, f)
			}
			if of[i], err = metric.Measure(t.Context(), mesh[i].Mesh, metric.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		before, after := of[0], of[1]
		t.Logf("%s: %d regions, %d near-degenerate; cleaned up %d, %d", method, before.Regions.Value,
			before.Extras.NearDegenerate.Regions, after.Regions.Value, after.Extras.NearDegenerate.Regions)
		if after.Regions.Value > before.Regions.Value || after.Extras.NearDegenerate.Regions > before.Extras.NearDegenerate.Regions {
			t.Errorf("%s: cleaning up makes it worse", method)
		}
		if math.Abs(mesh[1].Area()/mesh[0].Area()-1) > 1e-9 {
			t.Errorf("%s: area %g m², cleaned up %g m²", method, mesh[0].Area(), mesh[1].Area())
		}
	}
}

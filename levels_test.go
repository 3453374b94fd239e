package meadow_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/internal/slow"
)

// TestRealLevels builds every real level and compares with what is known of it: one component
// without KeepAll by definition, layers, the seams between them, and the area, as the extractor's
// pictures were found right by eye. Only levels that overlap themselves have more than one layer. In oa_shouse a ramp of
// 45.0° to 45.02° in the file leads to 475 m² of the floor; faces of 45.016° in sthelens are floors too.
func TestRealLevels(t *testing.T) {
	race.Skip(t)
	agent := meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45), MaxGap: crack}
	for _, want := range []struct {
		file, extract string
		layers, seams int
		dropped       int     // parts that cannot be reached
		area          float64 // m²
		large, long   bool
	}{
		{"nav_test.obj", "exact", 1, 0, 53, 1772.8, false, false},
		{"dungeon.obj", "exact", 1, 0, 9, 1467.2, false, false},
		{"undulating.obj", "exact", 1, 0, 32, 8943.8, false, false},
		{"oa_shouse.obj", "exact", 3, 9, 103, 6096.0, true, false},
		{"sthelens.obj", "exact", 1, 0, 25, 303699.9, true, false},
		{"nav_test.obj", "raster", 1, 0, 55, 1771.6, true, false},
		{"dungeon.obj", "raster", 1, 0, 19, 1469.3, true, false},
		{"undulating.obj", "raster", 1, 0, 39, 8942.9, true, false},
		{"oa_shouse.obj", "raster", 8, 9, 95, 6082.2, true, true},
		{"sthelens.obj", "raster", 1, 0, 25, 303676.5, true, true},
	} {
		t.Run(want.file+"/"+want.extract, func(t *testing.T) {
			path := reallevels.Path(t, want.file)
			if want.large && testing.Short() || want.long && !slow.Enabled() {
				t.Skip("takes long")
			}
			lvl, err := meadow.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, Extractor: extractor(t, want.extract)}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkValid(t, mesh)
			r := mesh.Report()
			if r.Layers != want.layers || r.Seams != want.seams || r.Components != 1 || len(r.Dropped) != want.dropped {
				t.Errorf("%d layers, %d seams, %d components, %d dropped; want %d, %d, 1, %d",
					r.Layers, r.Seams, r.Components, len(r.Dropped), want.layers, want.seams, want.dropped)
			}
			if math.Abs(r.Area/want.area-1) > 0.001 {
				t.Errorf("%.1f m² of floor, want %.1f", r.Area, want.area)
			}
		})
	}
}

package raster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/floorplan"
	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/meshio/obj"
)

// levelsDir returns the folder of real levels, or skips.
func levelsDir(t testing.TB) string {
	dir := os.Getenv("MEADOW_LEVELS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "levels")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no real levels: set MEADOW_LEVELS to a folder with them")
	}
	return dir
}

func BenchmarkExtractLevels(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(levelsDir(b), "*.obj"))
	if err != nil || len(paths) == 0 {
		b.Skip("no OBJ levels there")
	}
	agent := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".obj")
		b.Run(name, func(b *testing.B) {
			lvl, err := obj.Decode(must(os.Open(path)), nil, name, level.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			area := 0.0
			for b.Loop() {
				p, err := Extract(b.Context(), lvl, agent, floorplan.Options{})
				if err != nil {
					b.Fatal(err)
				}
				area = floortest.Area(p)
			}
			if area < 100 {
				b.Errorf("only %g m² of floor", area)
			}
			b.ReportMetric(area, "m²")
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

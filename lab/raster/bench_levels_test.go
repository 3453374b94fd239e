package raster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/obj"
)

func BenchmarkExtractLevels(b *testing.B) {
	agent := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	for _, path := range reallevels.Glob(b, "*.obj") {
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

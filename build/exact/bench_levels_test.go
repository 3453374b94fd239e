package exact

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/level/obj"
)

// realLevels calls f with every real level, or skips the test without levels.
func realLevels(t testing.TB, f func(lvl *level.Level)) {
	t.Helper()
	for _, path := range reallevels.Glob(t, "*.obj") {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		lvl, err := obj.Decode(file, nil, strings.TrimSuffix(filepath.Base(path), ".obj"), level.Limits{})
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		f(lvl)
	}
	if dir := os.Getenv("MEADOW_MAPS"); dir != "" {
		arenaMaps(t, dir, f)
	}
}

// arenaMaps calls f with every map of the archives in a folder.
func arenaMaps(t testing.TB, dir string, f func(lvl *level.Level)) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(dir, "*.pk3"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("MEADOW_MAPS: no *.pk3 in %s", dir)
	}
	for _, path := range archives {
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		for _, file := range archive.File {
			if filepath.Ext(file.Name) != ".bsp" {
				continue
			}
			lvl, err := meshio.Open(os.DirFS(dir), filepath.Base(path), meshio.Options{BSP: bsp.Options{Map: strings.TrimSuffix(filepath.Base(file.Name), ".bsp")}})
			if err != nil {
				t.Errorf("%s: %s: %v", path, file.Name, err)
				continue
			}
			f(lvl)
		}
	}
}

// recastAgent is the agent of the measurements of peers.
var recastAgent = geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05}

func BenchmarkExtractLevels(b *testing.B) {
	realLevels(b, func(lvl *level.Level) {
		b.Run(lvl.Name, func(b *testing.B) {
			area := 0.0
			for b.Loop() {
				p, err := Extract(b.Context(), lvl, recastAgent, floorplan.Options{Jobs: 1})
				if err != nil {
					b.Fatal(err)
				}
				area = 0
				for _, l := range p.Layers {
					for _, d := range l.Domains {
						area += lattice.SquareMetres(d.Area2())
					}
				}
			}
			if area < 100 {
				b.Errorf("only %g m² of floor", area)
			}
			b.ReportMetric(area, "m²")
		})
	})
}

package brep

import (
	"bytes"
	"math"
	"testing"
	"testing/fstest"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
)

// throughFile writes a level in a format and reads the file.
func throughFile(t *testing.T, lvl *level.Level, format meshio.Format) *level.Level {
	t.Helper()
	var b bytes.Buffer
	if err := meshio.Encode(&b, lvl, format); err != nil {
		t.Fatal(err)
	}
	name := lvl.Name + "." + string(format)
	got, err := meshio.Open(fstest.MapFS{name: {Data: b.Bytes()}}, name, meshio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Solids) > 0 {
		t.Fatalf("%s: a file with solids", name)
	}
	return got
}

// Every kind of level is recognised from its file, and has the floor of the exact extractor: as many components, and the
// area within two thousandths, 1.5 % for the rocks of the demo. Floors inside of solids are no floors here; the largest
// part has none. Kinds take turns with the formats. The quick form has smaller levels.
func TestFilesOfEveryKind(t *testing.T) {
	race.Skip(t)
	sizes := map[string]float64{"terrain": 32, "rough": 20, "city": 60, "rts": 128, "urban": 64, "random": 20}
	if slow.Enabled() {
		sizes = nil
	}
	for i, kind := range levelgen.Kinds() {
		most := 0.002
		if kind.Name == "demo" {
			most = 0.015
		}
		lvl, err := levelgen.Generate(kind.Name, levelgen.Options{Size: sizes[kind.Name]})
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := exact.Extract(t.Context(), lvl, floortest.Agent, floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		format := []meshio.Format{meshio.OBJ, meshio.GLB}[i%2]
		ours, err := Extract(t.Context(), throughFile(t, lvl, format), floortest.Agent, floorplan.Options{})
		if err != nil {
			t.Errorf("%s, %v: %v", kind.Name, format, err)
			continue
		}
		floortest.CheckPlan(t, ours)
		a, b := floortest.Area(ours), floortest.Area(theirs)
		if ours.Components != theirs.Components || math.Abs(a/b-1) > most {
			t.Errorf("%s, %v: %.2f m² in %d components, %.2f m² in %d by the exact extractor",
				kind.Name, format, a, ours.Components, b, theirs.Components)
		}
		t.Logf("%s, %v: %.2f m², %+.4f %% of exact", kind.Name, format, a, 100*(a/b-1))
	}
}

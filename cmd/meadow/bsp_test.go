package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestQuakeMaps builds from a map, alone and in an archive with another.
func TestQuakeMaps(t *testing.T) {
	race.Skip(t)
	room, err := os.ReadFile(filepath.Join("..", "..", "level", "bsp", "testdata", "room.bsp"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range []string{"maps/hall.bsp", "maps/yard.bsp"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(room)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"room.bsp": room, "pak0.pk3": packed.Bytes()} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   string
		level  string
		area   [2]float64 // at least, at most
		failed string
	}{
		// A hall of 256 m² with a ramp, a clip brush, a ladder, a box and a round corner, all less the radius.
		{"build room.bsp -o a.mesh --json", "room", [2]float64{210, 235}, ""},
		{"build pak0.pk3 --bsp yard -o a.mesh --json", "yard", [2]float64{210, 235}, ""},
		{"build room.bsp -o a.mesh --json --scale 0.0625", "room", [2]float64{920, 985}, ""},
		{"build pak0.pk3 -o a.mesh", "", [2]float64{}, "pak0.pk3: pk3: the archive has 2 levels; name one of hall, yard"},
		{"build pak0.pk3 --bsp attic -o a.mesh", "", [2]float64{}, `pak0.pk3: pk3: no level "attic"; the archive has hall, yard`},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), strings.Fields(c.args), &out, &errs)
		if c.failed != "" {
			if status == 0 || !strings.Contains(errs.String(), c.failed) {
				t.Errorf("%s: exit %d, %s", c.args, status, &errs)
			}
			continue
		}
		var got buildReport
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || status != 0 {
			t.Errorf("%s: exit %d, %v, %s", c.args, status, err, &errs)
			continue
		}
		if got.Level != c.level || got.Area < c.area[0] || got.Area > c.area[1] || got.Components != 1 {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}

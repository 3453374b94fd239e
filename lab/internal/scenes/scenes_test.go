package scenes

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
)

// TestMapsAreSpread lists maps of two archives.
func TestMapsAreSpread(t *testing.T) {
	dir := t.TempDir()
	for _, archive := range []string{"b", "a"} {
		f, err := os.Create(filepath.Join(dir, archive+".pk3"))
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for i := range 4 {
			if _, err := z.Create(fmt.Sprintf("maps/%s%d.bsp", archive, 3-i)); err != nil {
				t.Fatal(err)
			}
			for _, other := range []string{"maps/%s%d.txt", "maps/_%s%d.bsp"} {
				if _, err := z.Create(fmt.Sprintf(other, archive, i)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for count, want := range map[int][]string{0: nil, 1: {"a0"}, 4: {"a0", "a2", "b0", "b2"}, 99: {"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"}} {
		maps, err := listMaps(dir, count, nil)
		var got []string
		for _, m := range maps {
			got = append(got, m.name)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d maps: %v, want %v, error %v", count, got, want, err)
		}
	}
	maps, err := listMaps(dir, 1, []string{"b3", "a0"})
	if err != nil || len(maps) != 2 || maps[0].name != "a0" || maps[1].name != "b3" {
		t.Errorf("one map and two by name, of which the first is one: %v, error %v", maps, err)
	}
	if _, err := listMaps(dir, 0, []string{"c"}); err == nil || !strings.Contains(err.Error(), `no map "c"`) {
		t.Errorf("a missing map: error %v", err)
	}
	if maps, err := listMaps(filepath.Join(dir, "none"), 3, []string{"a0"}); maps != nil || err != nil {
		t.Errorf("a missing folder: %v, %v", maps, err)
	}
}

// TestGeneratedLevels makes levels by name, and refuses names that nobody can make.
func TestGeneratedLevels(t *testing.T) {
	one, err := Generate("urban size=64")
	if err != nil {
		t.Fatal(err)
	}
	many, err := Generate("urban size=64 copies=3")
	if err != nil {
		t.Fatal(err)
	}
	a, b := one.Bounds(), many.Bounds()
	if len(many.Triangles) != 9*len(one.Triangles) || b.Max.X-b.Min.X != 3*(a.Max.X-a.Min.X) || b.Max.Z-b.Min.Z != 3*(a.Max.Z-a.Min.Z) {
		t.Errorf("nine copies have %d triangles of %d, bounds %v of %v", len(many.Triangles), len(one.Triangles), b, a)
	}
	for i, tri := range many.Triangles {
		if first := uint32(i / len(one.Triangles) * len(one.Vertices)); tri.A < first || tri.A >= first+uint32(len(one.Vertices)) {
			t.Fatalf("triangle %d has a corner of another copy", i)
		}
	}
	for name, want := range map[string]string{
		"": "no name", "urban copies=0": "1 to 16", "urban copies=17": "1 to 16", "urban size": "not an option with a number",
		"urban heads=2": `no option "heads"`, "moon": "moon",
	} {
		if _, err := Generate(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}
}

// TestListed checks which levels a list holds, and that the file of a scene holds its level.
func TestListed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MEADOW_LEVELS", dir)
	names := func(s Sources) string {
		all, err := s.List(dir)
		if err != nil {
			return err.Error()
		}
		var list []string
		for _, sc := range all {
			list = append(list, sc.Name)
		}
		return strings.Join(list, ",")
	}
	if got := names(Sources{}); !strings.Contains(got, "no levels") {
		t.Errorf("nothing: %s", got)
	}
	if got := names(Sources{Generated: []string{"tower storeys=2", "halls"}, Only: "tow"}); got != "tower storeys=2" {
		t.Errorf("one of two: %s", got)
	}
	if all, err := (Sources{Generated: []string{"halls radius=0.3 height=1.8"}}).List(dir); err != nil || all[0].Radius != 0.3 || all[0].Height != 1.8 {
		t.Errorf("an agent of the level: %+v, error %v", all, err)
	}
	if got := names(Sources{Generated: []string{"halls tall=1"}}); !strings.Contains(got, "no option") {
		t.Errorf("a wrong option: %s", got)
	}
	all, err := Sources{Generated: []string{"stairs"}}.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	lvl, file, err := all[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	again, err := meadow.Open(file)
	if err != nil || len(again.Triangles) != len(lvl.Triangles) {
		t.Errorf("the file of the scene holds another level, error %v", err)
	}
	if all, err = (Sources{Generated: []string{"halls"}}).List(dir); err != nil {
		t.Fatal(err)
	}
	if lvl, file, err = all[len(all)-1].Open(); err != nil { // behind the file of the first level
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || len(lvl.Markers) == 0 || strings.Count(string(text), "\nf ") != len(lvl.Triangles) {
		t.Errorf("the file of a level with %d markers has %d faces for %d triangles, error %v", len(lvl.Markers), strings.Count(string(text), "\nf "), len(lvl.Triangles), err)
	}
	if got := names(Sources{Named: []string{file}, Generated: []string{"halls"}}); got != "level" {
		t.Errorf("a named file: %s", got)
	}
}

package polyfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/reallevels"
)

func TestReadPublished(t *testing.T) {
	names := reallevels.Glob(t, "any-angle/*.mesh")
	regions := map[string]int{"arena": 120, "arena-merged": 55, "aurora-merged": 19244}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		mesh, err := Read(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".mesh")
		if want, ok := regions[base]; ok && mesh.RegionCount() != want {
			t.Errorf("%s has %d regions, want %d", base, mesh.RegionCount(), want)
		}
		if faults := mesh.Validate(); len(faults) > 0 {
			t.Errorf("%s: %d faults, the first: %v", base, len(faults), faults[0])
		}
	}
}

// two is a square and a triangle beside the square, and an island; neighbour numbers are as in the format.
const two = "mesh\n2\n10 3\n0 0 1 0\n1 0 2 0 1\n1 1 2 0 1\n0 1 1 0\n2 0.5 1 1\n5 5 1 2\n6 5 1 2\n6 6 1 2\n5.5 6 1 2\n5 6 1 2\n" +
	"4 0 1 2 3 -1 1 -1 -1\n3 1 4 2 -1 -1 0\n5 5 6 7 8 9 -1 -1 -1 -1 -1\n"

func TestRead(t *testing.T) {
	mesh, err := Read(strings.NewReader(two))
	if err != nil {
		t.Fatal(err)
	}
	if mesh.RegionCount() != 3 || len(mesh.Validate()) != 0 {
		t.Errorf("%d regions, faults %v", mesh.RegionCount(), mesh.Validate())
	}
	if a := mesh.Area(); a != 2.5 {
		t.Errorf("%g m²", a)
	}
	if !IsMesh([]byte(two)) || !IsMesh([]byte("mesh 2")) || IsMesh([]byte("meshes")) || IsMesh([]byte("MEADOW")) || IsMesh(nil) {
		t.Error("IsMesh is wrong")
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"empty", two, "", "line 1: the file ends before the word mesh"},
		{"another file", "mesh\n", "glTF\n", `starts with "glTF" instead of mesh`},
		{"version", "\n2\n", "\n1\n", "line 2: version 1, only 2 is read"},
		{"no polygons", "10 3\n", "10 0\n", `line 3: the number of polygons is "0"`},
		{"huge count", "10 3\n", "999999999999 3\n", "line 3: the number of vertices is"},
		{"NaN", "2 0.5", "2 nan", `line 8: y of vertex 4 is "nan"`},
		{"infinite", "2 0.5", "2 inf", `y of vertex 4 is "inf"`},
		{"far", "2 0.5", "2e9 0.5", `x of vertex 4 is "2e9"`},
		{"text", "2 0.5", "2 x", `y of vertex 4 is "x"`},
		{"long word", "2 0.5", strings.Repeat("1", 100), "a word of more than 64 characters"},
		{"vertex of polygon", "3 1 4 2 ", "3 1 14 2 ", `line 15: a vertex of polygon 1 is "14"`},
		{"neighbour", "-1 -1 0\n", "-1 -1 7\n", `line 15: a neighbour of polygon 1 is "7"`},
		{"around vertex", "0 0 1 0\n", "0 0 1 9\n", `line 4: a polygon around vertex 0 is "9"`},
		{"clockwise", "3 1 4 2 ", "3 1 2 4 ", "line 15: polygon 1 is not convex and counter-clockwise at 1"},
		{"not convex", "5.5 6", "5.5 5.5", "polygon 2 is not convex"},
		{"back and forth", "3 1 4 2 ", "3 1 4 1 ", "polygon 1 is not convex"},
		{"flat", "3 1 4 2 ", "3 0 1 0 ", "polygon 1 is not convex"},
		{"twice around", "4 0 1 2 3 -1 1 -1 -1", "8 0 1 2 3 0 1 2 3 -1 1 -1 -1 -1 1 -1 -1", "polygon 0 is not convex"},
		{"cut short", "-1 -1 -1 -1 -1\n", "-1 -1", "line 16: the file ends before a neighbour of polygon 2"},
		{"too long", "-1 -1 -1 -1 -1\n", "-1 -1 -1 -1 -1\n9", `line 17: "9" behind the last polygon`},
		{"twice", "3 1 4 2 -1 -1 0", "4 0 1 2 3 -1 1 -1 -1", "overlap"},
	} {
		text := strings.Replace(two, c.old, c.new, 1)
		if text == two {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), "polyfile: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(two)
	f.Add(strings.Replace(two, "5.5 6", "1e-9 -7", 1))
	f.Fuzz(func(t *testing.T, text string) {
		mesh, err := Read(strings.NewReader(text))
		if err == nil && mesh.RegionCount() == 0 {
			t.Error("a mesh without regions")
		}
	})
}

// TestCountsAreRefused checks that counts beyond the limits are refused before any further reading.
func TestCountsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"mesh\n2\n2097153 1\n":                                "from 0 to 2097152",
		"mesh\n2\n3 524289\n":                                 "from 1 to 524288",
		"mesh\n2\n1 1\n0 0 " + strings.Repeat("9", 60) + "\n": "the number of polygons around vertex 0",
	} {
		costtest.Within(t, 5*time.Second, 10, func() {
			if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%.40q: %v", text, err)
			}
		})
	}
}

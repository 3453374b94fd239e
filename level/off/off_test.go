package off

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/level"
)

const cube = "8 6 12\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n4 0 3 2 1\n4 4 5 6 7 255 0 0\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n"

func read(text string) (*level.Level, error) {
	return Decode(strings.NewReader(text), "dir/cube.off", level.Limits{})
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, text          string
		triangles, vertices int
		warnings            int
	}{
		{"a cube", "OFF\n" + cube, 12, 8, 0},
		{"counts behind the keyword", "OFF " + cube, 12, 8, 0},
		{"no keyword", cube, 12, 8, 0},
		{"Windows and comments", "\ufeffOFF # a cube\r\n\r\n" + strings.ReplaceAll(cube, "\n", "\r\n"), 12, 8, 0},
		{"colours and normals", "STCNOFF\n3 1 0\n0 0 0 0 1 0 1 0 0 1 0 0\n1 0 0 0 1 0 1 0 0 1 1 0\n0 1 0 0 1 0 1 0 0 1 0 1\n3 0 1 2\n", 1, 3, 0},
		{"small faces", "OFF\n3 4 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n0\n1 2\n", 1, 3, 1},
	} {
		lvl, err := read(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(lvl.Triangles) != c.triangles || len(lvl.Vertices) != c.vertices || len(lvl.Warnings) != c.warnings || lvl.Name != "cube" {
			t.Errorf("%s: %d triangles, %d vertices, warnings %q", c.name, len(lvl.Triangles), len(lvl.Vertices), lvl.Warnings)
		}
		if err := lvl.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "off: the file is empty",
		"OFF\n":                               "want OFF, then the counts",
		"OFF BINARY\n":                        "line 1: the file is binary; save it as text",
		"4OFF\n1 1 1":                         "4OFF is of another dimension",
		"XOFF\n1 1 1":                         "is no header of OFF",
		"OFF\n-1 2 3\n":                       "want OFF, then the counts",
		"OFF\n900000000 900000000 0\n0 0 0\n": "line 2: 900000000 vertices and 900000000 faces in 6 bytes",
		"OFF\n2 1 0\n0 0 0\n":                 "the file ends before vertex 1 of 2",
		"OFF\n1 1 0\n0 0 x\n3 0 0 0":          "line 3: coordinate 2 is \"x\"",
		"OFF\n1 1 0\n0 0 nan\n3 0 0 0":        "line 3: coordinate 2 is \"nan\"",
		"OFF\n1 1 0\n0 0 0\n":                 "the file ends before face 0 of 1",
		"OFF\n1 1 0\n0 0 0\n3 0 0 1\n":        "line 4: face vertex 1 of 1",
		"OFF\n1 1 0\n0 0 0\n3 0 0\n":          "line 4: face of 3 corners; corner 2 is \"\"",
		"OFF\n1 1 0\n0 0 0\n2 0 0\n":          "no face of three corners",
		"OFF\n1 1 0\n0 0 0\n99999999999999999999 0\n": "want the number of corners",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("OFF\n" + cube))
	f.Add([]byte("CNOFF 3 1 0\n0 0 0 1\n1e9 0 0\n0 1 0 # x\n3 0 1 2 9 9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lvl, err := Decode(strings.NewReader(string(data)), "a.off", level.Limits{Triangles: 1 << 12})
		if err != nil {
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

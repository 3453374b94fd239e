package flat

import (
	"strings"
	"testing"
)

// TestTrianglePoly reads graphs of segments with holes.
func TestTrianglePoly(t *testing.T) {
	const square = "# a box\n4 2 0 1\n1 0 0 1\n2 6 0 1\n3 6 6 1\n4 0 6 1\n4 1\n1 1 2 1\n2 2 3 1\n3 3 4 1\n4 4 1 1\n"
	const nested = "8 2 0 0\n0 0 0\n1 6 0\n2 6 6\n3 0 6\n4 2 2\n5 4 2\n6 4 4\n7 2 4\n8 0\n0 0 1\n1 1 2\n2 2 3\n3 3 0\n4 4 5\n5 5 6\n6 6 7\n7 7 4\n"
	for _, c := range []struct {
		name, text string
		domains    int
		area       float64
	}{
		{"a box", square + "0\n", 1, 36},
		{"windows", strings.ReplaceAll(square+"0\n", "\n", "\r\n"), 1, 36},
		{"segments inside are no walls", nested + "0\n", 1, 36},
		{"a hole", nested + "1\n0 3 3\n", 1, 32},
		{"a hole around", nested + "1\n0 1 1\n", 1, 4},
		{"a hole outside", nested + "1\n0 -5 -1\n", 1, 36},
		{"three numbers in the head", strings.Replace(square, "4 2 0 1", "4 2 0", 1) + "0 # none\n", 1, 36},
		{"an open segment", strings.Replace(square, "4 4 1 1", "4 4 2 1", 1) + "0\n", 1, 18},
	} {
		m, err := read("a.poly", c.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkDomains(t, m.Plan)
		if len(m.Plan.Layers[0].Domains) != c.domains || area(m) != c.area {
			t.Errorf("%s: %d domains, area %g; want %d, %g", c.name, len(m.Plan.Layers[0].Domains), area(m), c.domains, c.area)
		}
		shapes, err := DecodeShapes(strings.NewReader(c.text), "a.poly", Options{})
		if err != nil || len(shapes) != 1 {
			t.Errorf("%s: %d shapes, %v", c.name, len(shapes), err)
		}
	}
	for text, want := range map[string]string{
		"0 2 0 0\n4 0\n":                    "the points are in a .node file",
		"9999999999 2 0\n":                  "line 1: 9.999999999e+09 records in 0 bytes",
		"3 2 0\n1 0 0\n3 1 1\n":             "line 3: point 3; want 2",
		"3 2 0\n1 0\n":                      "line 1: 3 records in 4 bytes",
		"1 2 0\n1 0 x\n":                    `line 2: "x" is not a number`,
		"1 2 0\n1 0 0\n":                    "the file ends early",
		"2 2 0\n1 0 0\n2 1 1\n1 0\n1 1 3\n": "a segment to point 3 of 2",
		"4 2 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n2\n0 0 2\n1 1 3\n0\n": "segments cross, 4 times",
		"2 2 0\n0 0 0\n1 4 0\n1\n0 0 1\n0\n":                      "nothing is walkable",
	} {
		if _, err := read("a.poly", text, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

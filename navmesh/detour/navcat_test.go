package detour

import (
	"bytes"
	"strings"
	"testing"
)

// TestNavcatRoundTrip writes a mesh of navcat as Detour's set: the regions, links and area stay.
func TestNavcatRoundTrip(t *testing.T) {
	for _, name := range []string{"house-navcat.json", "house-navcat-tiles.json"} {
		m := read(t, file(t, name))
		back := read(t, written(t, m))
		same(t, name, back, m)
		if faults := back.Validate(); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults[0])
		}
	}
}

func TestNavcatFaults(t *testing.T) {
	data := string(file(t, "house-navcat.json"))
	for _, c := range []struct{ name, old, new, want string }{
		{"text", "[0,0,0]", "[0,0,x]", "detour: navcat: invalid character"},
		{"no tiles", `"tileWidth":32`, `"tileWidth":0`, "detour: navcat: 1 tiles of 0 × 20 m"},
		{"corner", `"vertices":[2,3,4]`, `"vertices":[2,3,99]`, `tile "0": polygon 0: a corner is 99, must be 0 to 37`},
		{"corners", `"vertices":[2,3,4],"neis":[12,0,2]`, `"vertices":[2,3],"neis":[12,0]`, `tile "0": polygon 0: 2 corners, must be 3 to 6`},
		{"neighbours", `"neis":[12,0,2]`, `"neis":[12,0]`, `tile "0": polygon 0: 3 corners and 2 neighbours`},
		{"neighbour", `"neis":[12,0,2]`, `"neis":[12,0,77]`, `tile "0": polygon 0: edge 2 leads to polygon 76 of 18`},
		{"area", `"flags":1,"area":0`, `"flags":1,"area":64`, `tile "0": polygon 0: the area is 64, must be 0 to 63`},
		{"flags", `"flags":1,"area":0`, `"flags":-1,"area":0`, `tile "0": polygon 0: the flags is -1, must be 0 to 65535`},
		{"vertices", `"polys":[`, `"vertices":[1,2],"polys":[`, `tile "0": vertices: 2 coordinates`},
		{"surface", `"trianglesBase":0`, `"trianglesBase":9999`, `tile "0": height surface 0: trianglesBase is 9999`},
		{"end of a connection", `"end":[27.5,`, `"end":[1e300,`, `connection "0": an end: a coordinate is +Inf`},
	} {
		text := strings.Replace(data, c.old, c.new, 1)
		if text == data {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzReadNavcat(f *testing.F) {
	f.Add(file(f, "house-navcat.json"))
	f.Add(bytes.Replace(file(f, "house-navcat-tiles.json"), []byte("0.2"), []byte("9"), 3))
	f.Fuzz(func(t *testing.T, data []byte) { checkDecoded(t, data) })
}

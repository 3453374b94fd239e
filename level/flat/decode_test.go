package flat

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/reallevels"
)

// read is Decode of a text, with a short description of the plan: the rings of each domain as text and the
// area.
func read(name, text string, opt Options) (*Map, error) {
	return Decode(strings.NewReader(text), name, opt)
}

func area(m *Map) float64 {
	var sum int64
	for _, d := range m.Plan.Layers[0].Domains {
		sum += d.Area2()
	}
	return lattice.SquareMetres(sum)
}

// world returns the corners of all rings in the world.
func corners(m *Map) [][]geom.Vec {
	var out [][]geom.Vec
	for _, d := range m.Plan.Layers[0].Domains {
		for _, r := range d.Rings {
			var ring []geom.Vec
			for _, p := range r {
				ring = append(ring, m.Plan.Frame.ToWorld(p, 0))
			}
			out = append(out, ring)
		}
	}
	return out
}

// A good file of each format, and others that are read as well.
var good = []struct {
	name, text string
	opt        Options
	domains    int
	area       float64
	warnings   int
}{
	{"a.map", "type octile\nheight 2\nwidth 3\nmap\n.@G\nSTS\n", Options{}, 2, 4, 0},
	{"windows.map", "type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.W\r\n", Options{}, 1, 1, 0},
	{"noend.map", "type octile\nwidth 2\nheight 1\nmap\n.O", Options{Scale: 0.5}, 1, 0.25, 0},
	{"behind.map", "type octile\nwidth 2\nheight 1\nmap\n..\n\nmore\n", Options{}, 1, 2, 1},
	{"corner.map", "type octile\nwidth 2\nheight 2\nmap\n.@\n@.\n", Options{}, 2, 2, 0},
	{"a.poly", "0 0\n4 0\n4 4\n0 4\n\n# a hole\n1,1\n1, 2\n2\t2\n2 1\n", Options{}, 1, 15, 0},
	{"closed.poly", "\ufeff0 0\r\n4 0 # corner\r\n# within\r\n4 4\r\n0 4\r\n0 0\r\n\r\n\r\n", Options{Scale: 2}, 1, 64, 0},
	{"a.geojson", `{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]}`, Options{}, 1, 15, 0},
	{"open.geojson", `{"type":"Polygon","coordinates":[[[0,0,7],[4,0,7],[4,4,7]]]}`, Options{}, 1, 8, 0},
	{"multi.geojson", `{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[],[[[5,0],[6,0],[6,1],[5,0]]]]}`, Options{}, 2, 1, 0},
	{"a.svg", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
		<g transform="translate(1 2)"><rect id="hall" width="4" height="4"/><path class="wall" d="m1 1h1v1H1z"/></g></svg>`, Options{}, 1, 15, 0},
	{"a.tmx", `<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8"><layer name="g" width="2" height="1"><data encoding="csv">1,2</data></layer><objectgroup name="walls"><object id="1" x="2" y="2" width="4" height="4"/></objectgroup></map>`, Options{}, 1, 1.75, 0},
	{"a.tmj", `{"orientation":"orthogonal","width":2,"height":1,"tilewidth":8,"tileheight":8,"layers":[{"type":"tilelayer","name":"g","width":2,"height":1,"data":[1,2]}]}`, Options{}, 1, 2, 0},
	{"rings.poly", "0 0\n4 0\n4 4\n0 4\n\n3 3\n5 3\n5 5\n3 5\n", Options{}, 2, 18, 0},
	{"across.geojson", `{"type":"MultiPolygon","coordinates":[[[[0,1],[6,1],[6,2],[0,2]]],[[[2,0],[3,0],[3,6],[2,6]]],[[[1,1],[2,1],[2,2]]]]}`, Options{}, 1, 11, 0},
	{"across.svg", svgOf(`<rect x="1" y="1" width="6" height="1"/><rect x="2" y="1" width="1" height="6"/><rect x="4" class="wall" width="1" height="9"/>`), Options{}, 2, 10, 0},
	{"across.tmx", tmx(objects(`name="o"`, `<object id="8" width="32" height="32"/><object id="9" x="16" y="16" width="32" height="16"/><object id="7" name="wall" x="8" y="-8" width="8" height="99"/>`)), Options{}, 2, 4, 0},
	{
		"features.geojson", `{"type":"FeatureCollection","features":[
		{"type":"Feature","id":7,"properties":{"name":"hall"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}},
		{"type":"Feature","properties":{"Class":"Wall"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,2],[1,1]]]}},
		{"type":"Feature","properties":{"obstacle":true},"geometry":{"type":"Polygon","coordinates":[[[3,1],[4,1],[4,2],[3,2],[3,1]]]}},
		{"type":"Feature","properties":{"walkable":false,"name":null},"geometry":{"type":"Polygon","coordinates":[[[5,1],[6,1],[6,2],[5,2],[5,1]]]}},
		{"type":"Feature","properties":{"obstacle":false},"geometry":{"type":"Polygon","coordinates":[[[15,1],[16,1],[16,2],[15,2],[15,1]]]}},
		{"type":"Feature","properties":null,"geometry":null},
		{"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[0,0]},{"type":"LineString","coordinates":[]}]}}]}`,
		Options{},
		2, 79, 1,
	},
}

func TestGoodFiles(t *testing.T) {
	for _, test := range good {
		t.Run(test.name, func(t *testing.T) {
			m, err := read("dir/"+test.name, test.text, test.opt)
			if err != nil {
				t.Fatal(err)
			}
			checkDomains(t, m.Plan)
			if m.Name+filepath.Ext(test.name) != test.name || len(m.Plan.Layers[0].Domains) != test.domains || area(m) != test.area || len(m.Warnings) != test.warnings {
				t.Errorf("%s: %d domains, area %g, warnings %q; want %d, %g, %d", m.Name, len(m.Plan.Layers[0].Domains), area(m), m.Warnings, test.domains, test.area, test.warnings)
			}
			again, err := read(test.name, test.text, test.opt)
			if err != nil || !cmp.Equal(m, again) {
				t.Errorf("another time the plan differs: %v", err)
			}
		})
	}
}

// TestPlaces puts one shape of each format at its place in the world: y of GeoJSON and of polygons is
// north, which is -Z; rows of grids run to the south.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name, text string
		scale      float64
		want       []geom.Vec
	}{
		{"a.map", "type octile\nwidth 3\nheight 2\nmap\n@@@\n@..\n", 2, []geom.Vec{{X: 2, Z: 4}, {X: 6, Z: 4}, {X: 6, Z: 2}, {X: 2, Z: 2}}},
		{"a.poly", "10 20\n12 20\n12 23", 0.5, []geom.Vec{{X: 5, Z: -10}, {X: 6, Z: -10}, {X: 6, Z: -11.5}}},
		{"a.geojson", `{"type":"Polygon","coordinates":[[[1e9,2e9],[1e9,2000000001],[1000000001,2e9]]]}`, 1, []geom.Vec{{X: 1e9, Z: -2e9}, {X: 1e9 + 1, Z: -2e9}, {X: 1e9, Z: -2e9 - 1}}},
	} {
		m, err := read(test.name, test.text, Options{Scale: test.scale, Agent: geom.Agent{Radius: 3}})
		if err != nil {
			t.Fatal(err)
		}
		if got := corners(m); len(got) != 1 || !slices.Equal(got[0], test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if m.Plan.Agent.Radius != 3 {
			t.Errorf("%s: the agent is %+v", test.name, m.Plan.Agent)
		}
	}
}

func TestBadFiles(t *testing.T) {
	const head = "type octile\nheight 2\nwidth 2\nmap\n"
	for _, test := range []struct{ name, text, want string }{
		{"a.map", "", "map: the file is empty"},
		{"a.map", " \n \n", "map: the file is empty"},
		{"a.map", "type octile\nheight 2\nwidth 2\n", "ends before the map begins"},
		{"a.map", "type octile\nmap\n..\n", "line 2: the map begins before its width and height"},
		{"a.map", "type tile\n", `line 1: unsupported type "tile"`},
		{"a.map", "type octile\nheight -2\n", `line 2: invalid height "-2"; want a number`},
		{"a.map", "type octile\nwidth\n", `line 2: invalid width ""; want a number`},
		{"a.map", "{}", `line 1: unexpected "{}"; want type`},
		{"a.map", head + "..\n", "line 6: the file ends before row 1 of 2"},
		{"a.map", head + "..\n.\n", "line 6: row 1 has 1 cells; want 2"},
		{"a.map", head + "..\n...\n", "line 6: row 1 has 3 cells; want 2"},
		{"a.map", head + "..\n.x\n", "line 6: cell 1 of row 1 is 'x'"},
		{"a.map", head + "@@\nTT\n", "nothing is walkable"},
		{"a.map", "type octile\nheight 4000000000\nwidth 4000000000\nmap\n..\n", "header declares 4000000000 × 4000000000 cells"},
		{"a.poly", "", "poly: the file is empty"},
		{"a.poly", "# only words\n", "no polygon"},
		{"a.poly", "0 0\n1 1\n", "line 1: the ring from here has 2 points"},
		{"a.poly", "0 0\n1 1\n0 0\n\n", "line 1: the ring from here has 2 points"},
		{"a.poly", "0 0\n1 x\n", `line 2: invalid point "1 x"`},
		{"a.poly", "0 0\n1\n", `line 2: invalid point "1"`},
		{"a.poly", "0 0\n1 2 3\n", `line 2: invalid point "1 2 3"`},
		{"a.poly", "0 0\nnan 2\n1 1\n", "the ring of line 1: invalid point 1 at (NaN, 2)"},
		{"a.geojson", "", "geojson: the file is empty"},
		{"a.geojson", "{\n\"type\": \"Polygon\",\n", "geojson: line 3: unexpected end of JSON input"},
		{"a.geojson", "{\n\"type\" 1}", "line 2: invalid character '1'"},
		{"a.geojson", "[]", "found array; want an object"},
		{"a.geojson", "{}", `unknown GeoJSON type ""`},
		{"a.geojson", `{"type":3}`, "type is a number"},
		{"a.geojson", `{"type":"Topology"}`, `unknown GeoJSON type "Topology"`},
		{"a.geojson", `{"type":"Polygon"}`, "coordinates: missing"},
		{"a.geojson", `{"type":"Polygon","coordinates":[]}`, "no polygon"},
		{"a.geojson", `{"type":"Polygon","coordinates":[[0,1]]}`, `ring 0, position 0: invalid position "0"`},
		{"a.geojson", `{"type":"Polygon","coordinates":[null]}`, `ring 0: "null" is not an array`},
		{"a.geojson", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[null,1]]]}`, `ring 0, position 2: invalid position "[null,1]"`},
		{"a.geojson", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1e999,1]]]}`, `ring 0, position 2`},
		{"a.geojson", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}`, "ring 0 has 3 positions"},
		{"a.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},{"type":"Feature","id":"x","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0]]]]}}]}`, "feature 1 (id x), polygon 0: ring 0 has 2"},
		{"a.geojson", `{"type":"FeatureCollection","features":[3]}`, "feature 0: found number; want an object"},
		{"a.txt", "", `unsupported extension ".txt"; supported: .map`},
	} {
		_, err := read(test.name, test.text, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %.60q: error %v, want %q", test.name, test.text, err, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, opt := range []Options{{Scale: -1}, {Scale: 1e-5}, {Scale: math.Inf(1)}, {Tolerance: -1}, {Tolerance: 1e-9}} {
		if _, err := read("a.poly", "0 0\n1 0\n0 1\n", opt); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
	if _, err := read("a.map", "type octile\nwidth 9\nheight 9\nmap\n"+strings.Repeat(".........\n", 9), Options{Scale: 1e5}); err == nil || !strings.Contains(err.Error(), "check the scale") {
		t.Errorf("a map of 900 km: %v", err)
	}
	m, err := read("a", "0 0\n1 0\n0 1\n", Options{Format: Poly})
	if err != nil || area(m) != 0.5 {
		t.Errorf("a format that is given: %v", err)
	}
	if _, err := read("a", "", Options{Format: 99}); err == nil {
		t.Error("format 99: no error")
	}
	if _, err := Decode(iotest.ErrReader(errors.New("gone")), "a.map", Options{}); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a broken reader: %v", err)
	}
	if s := Format(99).String(); s != "format 99" {
		t.Errorf("format 99 is called %s", s)
	}
}

// TestTruncated cuts every good file everywhere: an error or another plan, never a panic.
func TestTruncated(t *testing.T) {
	for _, test := range good {
		for n := range len(test.text) {
			if m, err := read(test.name, test.text[:n], test.opt); err == nil {
				checkDomains(t, m.Plan)
			}
		}
	}
}

// FuzzDecode feeds every decoder with anything: no panic, and every plan keeps its promises.
func FuzzDecode(f *testing.F) {
	for _, test := range good {
		f.Add(uint8(FormatOf(test.name)), []byte(test.text))
	}
	f.Add(uint8(Poly), []byte("4 2 0 0\n1 0 0\n2 6 0\n3 6 6\n4 0 6\n4 0\n1 1 2\n2 2 3\n3 3 4\n4 4 1\n1\n1 9 9\n"))
	f.Add(uint8(SVG), []byte(svgOf(`<style>.a { fill: none }</style><defs><rect id="r" width="4" height="4"/></defs><use href="#r" x="1"/><path id="road" class="a" stroke="red" stroke-width="1mm" d="M1 1L9 9 9 1"/>`)))
	f.Add(uint8(TMX), []byte(infinite(`<chunk x="-2" y="-1" width="2" height="2">1,1,0,1</chunk>`)))
	f.Add(uint8(TMX), []byte(`<map orientation="hexagonal" hexsidelength="16" staggeraxis="x" staggerindex="odd" width="3" height="2" tilewidth="32" tileheight="16">`+csvLayer(`name="g"`, "1,1,0,0,0,1")+`</map>`))
	f.Add(uint8(GeoJSON), []byte(`{"type":"Polygon","coordinates":[[[11.576,48.137],[11.578,48.137],[11.578,48.138]]]}`))
	f.Fuzz(func(t *testing.T, format uint8, data []byte) {
		opt := Options{Format: Format(format)}
		m, err := Decode(strings.NewReader(string(data)), "fuzz", opt)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		checkDomains(t, m.Plan)
	})
}

// TestRealGrids reads the grids of the benchmark, where present.
func TestRealGrids(t *testing.T) {
	files := reallevels.Glob(t, "grid/*.map")
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Decode(f, name, Options{})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		checkDomains(t, m.Plan)
		text, _ := os.ReadFile(name)
		_, cells, _ := strings.Cut(string(text), "map\n")
		if want := strings.Count(cells, ".") + strings.Count(cells, "G") + strings.Count(cells, "S"); area(m) != float64(want) {
			t.Errorf("%s: area %g, %d cells are open", name, area(m), want)
		}
	}
}

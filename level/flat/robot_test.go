package flat

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// room is a picture of three columns and two rows: occupied, unknown, free; rather free, free, nearly free.
const room = "P2\n# a comment\n3 2 # another\n255\n0 205 254\n220 255 49\n"

func robot(text, picture string, opt Options) (*Map, error) {
	opt.Files = fstest.MapFS{"maps/room.pgm": {Data: []byte(picture)}}
	return Decode(strings.NewReader(text), "maps/room.yaml", opt)
}

// TestRobotMap checks size, place and meaning of an occupancy grid.
func TestRobotMap(t *testing.T) {
	const text = "image: room.pgm\nresolution: 0.5\norigin: [-3, 10, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\nmode: trinary\n"
	m, err := robot(text, room, Options{Shapes: true})
	if err != nil {
		t.Fatal(err)
	}
	checkDomains(t, m.Plan)
	// Free are the upper right cell, and the first two of the lower row.
	want := [][]geom.Vec{
		{{X: -3, Z: -10}, {X: -2, Z: -10}, {X: -2, Z: -10.5}, {X: -3, Z: -10.5}},
		{{X: -2, Z: -10.5}, {X: -1.5, Z: -10.5}, {X: -1.5, Z: -11}, {X: -2, Z: -11}},
	}
	if area(m) != 0.75 || len(m.Plan.Layers[0].Domains) != 2 || len(m.Shapes) != 1 || len(m.Notes) != 0 {
		t.Errorf("area %g, %d domains, shapes %v, notes %q", area(m), len(m.Plan.Layers[0].Domains), m.Shapes, m.Notes)
	}
	boxes := func(rings [][]geom.Vec) (out [][4]float64) {
		for _, r := range rings {
			b := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
			for _, v := range r {
				b = [4]float64{min(b[0], v.X), min(b[1], v.Z), max(b[2], v.X), max(b[3], v.Z)}
			}
			out = append(out, b)
		}
		return out
	}
	got := boxes(corners(m))
	if got[0][0] > got[1][0] {
		got[0], got[1] = got[1], got[0]
	}
	if diff := cmp.Diff(boxes(want), got); diff != "" {
		t.Error(diff)
	}
}

// TestRobotShades checks the free shades, and the note about unknown cells below the threshold.
func TestRobotShades(t *testing.T) {
	for _, test := range []struct {
		text  string
		cells float64
		notes int
	}{
		{"", 3, 0},
		{"free_thresh: 0.25\n", 4, 1},
		{"free_thresh: 0.01\n", 2, 0},
		{"negate: 1\n", 2, 0},
		{"negate: true\nfree_thresh: 0.1\n", 1, 0},
		{"mode: scale\norigin: [0, 0]\n", 3, 0},
	} {
		m, err := robot("image: room.pgm\nresolution: 1\n"+test.text, strings.Replace(room, "49", "40", 1), Options{})
		if err != nil || area(m) != test.cells || len(m.Notes) != test.notes {
			t.Errorf("%q: %v; area %g, want %g; notes %q", test.text, err, area(m), test.cells, m.Notes)
		}
	}
}

// TestRobotPictures reads one picture in every format; transparent cells are not free.
func TestRobotPictures(t *testing.T) {
	shades := []uint8{0, 205, 254, 220, 255, 49}
	grey, wide, clear := image.NewGray(image.Rect(0, 0, 3, 2)), image.NewGray16(image.Rect(0, 0, 3, 2)), image.NewNRGBA(image.Rect(0, 0, 3, 2))
	var bytes8, bytes16 []byte
	for i, v := range shades {
		grey.SetGray(i%3, i/3, color.Gray{Y: v})
		wide.SetGray16(i%3, i/3, color.Gray16{Y: uint16(v) * 257})
		clear.SetNRGBA(i%3, i/3, color.NRGBA{R: v, G: v, B: v, A: uint8(255 - 55*(i/5))})
		bytes8, bytes16 = append(bytes8, v), append(bytes16, v, v)
	}
	clear.SetNRGBA(1, 1, color.NRGBA{R: 255, G: 255, B: 255, A: 254})
	encoded := func(m image.Image) string {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		picture string
		cells   float64
	}{
		"text":        {room, 3},
		"bytes":       {"P5 3 2 255\n" + string(bytes8), 3},
		"16 bits":     {"P5\n3 2\n65535\n" + string(bytes16), 3},
		"PNG":         {encoded(grey), 3},
		"PNG 16 bits": {encoded(wide), 3},
		"PNG clear":   {encoded(clear), 2},
	} {
		m, err := robot("image: room.pgm\nresolution: 1\n", test.picture, Options{})
		if err != nil || area(m) != test.cells {
			t.Errorf("%s: %v, want %g m²", name, err, test.cells)
		}
	}
	m, err := Decode(strings.NewReader(room), "room.pgm", Options{Scale: 2})
	if err != nil || area(m) != 12 {
		t.Errorf("a bare picture: %v", err)
	}
}

func TestRobotFaults(t *testing.T) {
	const start = "image: room.pgm\nresolution: 0.05\n"
	for _, test := range []struct{ text, picture, want string }{
		{"", room, "robot: the file is empty"},
		{"- 1\n", room, "robot: line 1: no mapping"},
		{"image: [\n", room, "robot: line 2: is invalid YAML"},
		{"image: room.pgm\n", room, "resolution is missing"},
		{"resolution: 1\n", room, "image is missing"},
		{start + "image: x\n", room, `line 3: "image" stands there twice`},
		{"image: room.pgm\nresolution: 0\n", room, "line 2: resolution is 0, must be at least"},
		{"image: room.pgm\nresolution: .nan\n", room, `line 2: resolution is ".nan", want a number`},
		{start + "mode: raw\n", room, `line 3: mode is "raw"; supported: trinary, scale`},
		{start + "origin: 3\n", room, "line 3: origin is no list of x, y and yaw"},
		{start + "origin: [0, 0, 1]\n", room, "line 3: origin is turned by a yaw of 1"},
		{start + "origin: [1e300, 0, 0]\n", room, "the origin 1e+300, 0 is outside of the lattice"},
		{start + "negate: 2\n", room, `line 3: negate is "2", want 0 or 1`},
		{start + "free_thresh: dark\n", room, `line 3: free_thresh is "dark", want a number`},
		{"image: none.pgm\nresolution: 1\n", room, `line 1: image "none.pgm" is missing`},
		{"image: ../../room.pgm\nresolution: 1\n", room, `line 1: image "../../room.pgm": not a path inside the level's folder`},
		{"image: /room.pgm\nresolution: 1\n", room, "not a path inside the level's folder"},
		{start, "BM", `image "room.pgm": neither PGM nor PNG`},
		{start, "\x89PNG\r\n", "image \"room.pgm\": "},
		{start, "P5 3", `invalid height ""`},
		{start, "P5 3 -2 255\n", `invalid height "-2"`},
		{start, "P5 3 2 70000\n123456", "the largest shade is 70000"},
		{start, "P5 3 2 255\n12345", "row 1: the file ends before column 2"},
		{start, "P5 99999999 99999999 255\n", "header declares 99999999 × 99999999 cells"},
		{start, strings.TrimSuffix(room, "49\n"), "row 1: the file ends before column 2"},
		{start, strings.Replace(room, "220", "256", 1), "row 1: the shade of column 0 is not from 0 to 255"},
		{start, strings.Replace(room, "220", "-1", 1), "row 1: the shade of column 0"},
		{start, "P2 1 1 255 0", "nothing is walkable"},
	} {
		m, err := robot(test.text, test.picture, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q and %.20q: %v, error %v, want %q", test.text, test.picture, m, err, test.want)
		}
	}
	if _, err := Decode(strings.NewReader(room), "room.pgm", Options{}); err == nil || !strings.Contains(err.Error(), "pgm: the size of a cell is unknown") {
		t.Errorf("a bare picture without a scale: %v", err)
	}
	if _, err := robot(start, "P5 2000 2000 255\n"+strings.Repeat("\xff\x00", 2_000_000), Options{Limits: level.Limits{Triangles: 100}}); err == nil || !strings.Contains(err.Error(), "row 0: more than 100 points") {
		t.Errorf("more borders than the limit: %v", err)
	}
}

// TestHoldsRobot tells maps of robots from other files in YAML.
func TestHoldsRobot(t *testing.T) {
	for text, want := range map[string]bool{
		"image: a.pgm\n":                true,
		"# saved\r\nimage: a.pgm\r\n":   true,
		"meshes: []\n":                  false,
		"":                              false,
		"groups:\n  image: a.png\n":     false,
		"\ufeffimage: a.pgm\nnegate: 0": true,
	} {
		if Holds("a.yaml", []byte(text)) != want || Holds("A.YML", []byte(text)) != want {
			t.Errorf("%q: a map is %v", text, !want)
		}
	}
}

// FuzzRobot reads any text with any picture: no panic, and every plan keeps its promises.
func FuzzRobot(f *testing.F) {
	f.Add("image: room.pgm\nresolution: 0.5\norigin: [-3, 10, 0]\n", room)
	f.Add("image: room.pgm\nresolution: 1\nnegate: 1\n", "P5 2 2 255\n\xff\x00\x00\xff")
	f.Add("image: room.pgm\nresolution: 1\n", "P5 1 1 300\n\x01\x00")
	f.Fuzz(func(t *testing.T, text, picture string) {
		if m, err := robot(text, picture, Options{}); err == nil {
			checkDomains(t, m.Plan)
		} else if err.Error() == "" {
			t.Error("an error without a word")
		}
	})
}

package bsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// boxText is a brush of a box, its planes as map editors write them.
func boxText(x0, y0, z0, x1, y1, z1 float64, texture string) string {
	var b strings.Builder
	b.WriteString("{\n")
	// Seen from the front, the three points turn clockwise.
	for _, p := range [][9]float64{
		{x0, 0, 0, x0, 1, 0, x0, 0, 1},
		{x1, 0, 0, x1, 0, 1, x1, 1, 0},
		{0, y0, 0, 0, y0, 1, 1, y0, 0},
		{0, y1, 0, 1, y1, 0, 0, y1, 1},
		{0, 0, z0, 1, 0, z0, 0, 1, z0},
		{0, 0, z1, 0, 1, z1, 1, 0, z1},
	} {
		fmt.Fprintf(&b, "( %g %g %g ) ( %g %g %g ) ( %g %g %g ) %s\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], texture)
	}
	b.WriteString("}\n")
	return b.String()
}

func world(brushes string) string {
	return "// Game: Quake\n{\n\"classname\" \"worldspawn\"\n\"message\" \"a { b\"\n" + brushes + "}\n"
}

func readMap(text string) (*level.Level, error) {
	return DecodeMap(strings.NewReader(text), "maps/room.map", Options{})
}

// TestMapBrushes reads brushes in the forms of four games.
func TestMapBrushes(t *testing.T) {
	const quake, valve = "ground1_6 0 0 0 1 1", "wall [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1"
	box := boxText(0, 0, -16, 256, 128, 0, quake)
	primitive := strings.NewReplacer("{\n", "{\nbrushDef\n{\n", "}\n", "}\n}\n").Replace(boxText(0, 0, -16, 256, 128, 0, "( ( 0.03 0 0 ) ( 0 0.03 0 ) ) base/floor 0 0 0"))
	wedge := "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a\n( 64 0 0 ) ( 0 0 64 ) ( 64 1 0 ) b\n( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a\n( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 ) a\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a\n}\n"
	for _, c := range []struct {
		name, text                            string
		triangles, solids, markers, materials int
		size                                  geom.Vec
		warnings                              int
	}{
		{"Quake", world(box), 12, 1, 0, 1, geom.Vec{X: 256, Y: 128, Z: 16}, 0},
		{"Half-Life", world(boxText(0, 0, -16, 256, 128, 0, valve)), 12, 1, 0, 1, geom.Vec{X: 256, Y: 128, Z: 16}, 0},
		{"Quake 3", world(primitive), 12, 1, 0, 1, geom.Vec{X: 256, Y: 128, Z: 16}, 0},
		{"a wedge", world(wedge), 8, 1, 0, 2, geom.Vec{X: 64, Y: 32, Z: 64}, 0},
		{"a start and a light", world(box) + "{\n\"classname\" \"info_player_start\"\n\"origin\" \"32 32 24\"\n}\n{ \"classname\" \"light\" \"origin\" \"0 0 0\" }", 12, 1, 1, 1, geom.Vec{X: 256, Y: 128, Z: 16}, 0},
		{"a group and a door", world(box) + "{\n\"classname\" \"func_detail\"\n" + boxText(0, 0, 0, 16, 16, 64, quake) + "}\n{\n\"classname\" \"func_door\"\n" + box + "}\n", 24, 2, 0, 1, geom.Vec{X: 256, Y: 128, Z: 80}, 1},
		{"water, hints, a patch and an open brush", world(box + boxText(0, 0, 0, 64, 64, 64, "*water1 0 0 0 1 1") + boxText(0, 0, 0, 64, 64, 64, "common/hint 0 0 0 1 1") +
			"{\npatchDef2\n{\ncommon/caulk\n( 3 3 0 0 0 )\n(\n( ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) )\n)\n}\n}\n" + "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a\n}\n"), 12, 1, 0, 1, geom.Vec{X: 256, Y: 128, Z: 16}, 4},
	} {
		lvl, err := readMap(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := lvl.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(lvl.Triangles) != c.triangles || len(lvl.Solids) != c.solids || len(lvl.Markers) != c.markers || len(lvl.Materials) != c.materials ||
			lvl.Bounds().Size() != c.size || len(lvl.Warnings) != c.warnings || lvl.Name != "room" {
			t.Errorf("%s: %d triangles, %d solids, %d markers, %d materials, size %v, warnings %q", c.name,
				len(lvl.Triangles), len(lvl.Solids), len(lvl.Markers), len(lvl.Materials), lvl.Bounds().Size(), lvl.Warnings)
		}
		// The faces of solids turn outward.
		volume := 0.0
		for _, tri := range lvl.Triangles {
			volume += lvl.Vertices[tri.A].Dot(lvl.Vertices[tri.B].Cross(lvl.Vertices[tri.C])) / 6
		}
		if volume <= 0 {
			t.Errorf("%s: a volume of %g", c.name, volume)
		}
	}
	lvl, err := readMap(world(box) + "{\n\"classname\" \"info_player_start\"\n\"origin\" \"32 32 24\"\n}\n")
	if err != nil || len(lvl.Starts()) != 1 {
		t.Errorf("starts %v, %v", lvl.Starts(), err)
	}
}

func TestBadMaps(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "map: no brush in the file is solid",
		"hello":                                 `map: line 1: "hello"; want the { of an entity`,
		"{\n{":                                  "line 2: the file ends in a brush",
		"{ x }":                                 `"x" in an entity; want a key, a brush or }`,
		"{ \"key\" }":                           "want a quoted value",
		"{":                                     `"" in an entity`,
		"{\n{\n( 0 0 x )":                       `line 3: coordinate "x"`,
		"{{( 0 0 nan )":                         `coordinate "nan"`,
		"{{( 0 0 1e9 )":                         `coordinate "1e9"`,
		"{{( 0 0 0 1":                           `"1"; want the ) of a point`,
		"{{( 0 0 0 ) x":                         `"x"; want the ( of a point`,
		"{{( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) }":     `"}"; want the name of a texture`,
		"{{( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ( ( {": `"{" in the matrix of a texture`,
		world(boxText(0, 0, 0, 1, 1, 1, "*lava 0 0 0 1 1")):                           "no brush in the file is solid",
		world("{\n" + strings.Repeat("( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a\n", 257) + "}"): "a brush of more than 256 planes",
		world("{\npatchDef2\n{\n"):                                                    "the file ends in a brush",
	} {
		if _, err := readMap(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %q", text, err, want)
		}
	}
	if _, err := DecodeMap(strings.NewReader(world(boxText(0, 0, 0, 1, 1, 1, "a"))), "a.map", Options{Limits: level.Limits{Triangles: 6}}); err == nil || !strings.Contains(err.Error(), "more than 6 triangles") {
		t.Errorf("a limit of 6 triangles: %v", err)
	}
}

func FuzzDecodeMap(f *testing.F) {
	f.Add(world(boxText(0, 0, -16, 256, 128, 0, "ground1_6 0 0 0 1 1")))
	f.Add(world(boxText(0, 0, -16, 256, 128, 0, "( ( 0.03 0 0 ) ( 0 0.03 0 ) ) base/floor 0 0 0")) + "{ \"classname\" \"info_player_start\" \"origin\" \"1 2 3\" }")
	f.Fuzz(func(t *testing.T, text string) {
		lvl, err := DecodeMap(strings.NewReader(text), "a.map", Options{Limits: level.Limits{Triangles: 1 << 12}})
		if err != nil {
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

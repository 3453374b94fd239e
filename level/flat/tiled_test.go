package flat

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"github.com/meadow-nav/meadow/geom"
)

func tmx(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16" infinite="0">` + body + `</map>`
}

func tmj(layers string) string {
	return `{"orientation":"orthogonal","width":3,"height":2,"tilewidth":16,"tileheight":16,"infinite":false,
"layers":[` + layers + `]}`
}

func csvLayer(attributes, csv string) string {
	return `<layer id="1" width="3" height="2" ` + attributes + `><data encoding="csv">` + csv + `</data></layer>`
}

// packed returns tile numbers in base64 behind a writer of compressed data.
func packed(compress func(io.Writer) io.WriteCloser, gids ...uint32) string {
	var b bytes.Buffer
	w := compress(&b)
	_ = binary.Write(w, binary.LittleEndian, gids) // a buffer takes everything
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

func asIs(w io.Writer) io.WriteCloser    { return plain{w} }
func zipped(w io.Writer) io.WriteCloser  { return zlib.NewWriter(w) }
func gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func objects(attributes, in string) string {
	return "<objectgroup " + attributes + ">" + in + "</objectgroup>"
}

func TestTiledFiles(t *testing.T) {
	const ground = "1,1,1,\n1,2147483649,0" // one tile is turned
	for _, test := range []struct {
		name, text string
		domains    int
		area       float64
		warnings   int
	}{
		{"a.tmx", tmx(csvLayer(`name="ground"`, ground)), 1, 5, 0},
		{"a.tmx", tmx(`<layer name="x" width="3" height="2"><data><tile gid="1"/><tile/><tile gid="1"/><tile gid="0"/><tile gid="1"/><tile/></data></layer>`), 3, 3, 0},
		{"a.tmx", tmx(`<layer name="x" width="3" height="2"><data encoding="base64"> ` + packed(asIs, 1, 1, 0, 0, 0, 1) + "\n</data></layer>"), 2, 3, 0},
		{"a.tmx", tmx(`<layer name="x" width="3" height="2"><data encoding="base64" compression="zlib">` + packed(zipped, 1, 1, 0, 0, 0, 1) + "</data></layer>"), 2, 3, 0},
		{"a.tmx", tmx(`<layer name="x" width="3" height="2"><data encoding="base64" compression="gzip">` + packed(gzipped, 1, 1, 0, 0, 0, 1) + "</data></layer>"), 2, 3, 0},
		{"a.tmx", tmx(csvLayer(`name="ground"`, ground) + csvLayer(`name="Walls"`, "0,7,0,0,0,0")), 2, 4, 0},
		{"a.tmx", tmx(csvLayer(`name="Collision"`, "0,7,0,0,0,0")), 1, 5, 0},
		{"a.tmx", tmx(csvLayer(`name="a"`, ground) + `<group name="walls"><layer name="b" width="3" height="2"><data encoding="csv">7,0,0,0,0,0</data></layer></group>`), 1, 4, 0},
		{"a.tmx", tmx(`<tileset firstgid="1"><tile id="1" type="wall"/><tile id="2"><properties><property name="walkable" type="bool" value="false"/></properties></tile></tileset>` + csvLayer(`name="a"`, "1,2,3,1,1,1")), 1, 4, 0},
		{"a.tmx", tmx(`<tileset firstgid="1" source="x.tsx"/>` + csvLayer(`name="a"`, "1,2,3,1,1,1")), 1, 6, 1},
		{"a.tmx", tmx(csvLayer(`name="a"`, "1,1,1,1,1,1") + objects(`name="walls"`, `<object id="4" x="4" y="4" width="8" height="8"/>`)), 1, 5.75, 0},
		{"a.tmx", tmx(csvLayer(`name="a"`, "1,1,1,1,1,1") + objects(`name="things"`, `<object id="4" type="obstacle" x="4" y="4" width="8" height="8"/><object id="5" name="start" x="0" y="0" width="8" height="8"/><object id="6" x="1" y="1"><point/></object>`)), 1, 5.75, 2},
		{"a.tmx", tmx(objects(`name="floor" offsetx="16"`, `<object id="1" x="16" y="8"><polygon points="0,0 16,0 0,16"/></object>`)), 1, 0.5, 0},
		{"a.tmx", tmx(objects(`name="floor"`, `<object id="1" x="16" y="0" width="32" height="16" rotation="90"/>`)), 1, 2, 0},
		{"a.tmx", tmx(objects(`name="floor"`, `<object id="1" x="0" y="0" width="32" height="16"><ellipse/></object>`)), 1, math.Pi / 2, 0},
		{"a.tmj", tmj(`{"type":"tilelayer","name":"ground","width":3,"height":2,"data":[1,1,1,1,2147483649,0]}`), 1, 5, 0},
		{"a.tmj", tmj(`{"type":"tilelayer","name":"g","width":3,"height":2,"encoding":"base64","compression":"zlib","data":"` + packed(zipped, 1, 1, 0, 0, 0, 1) + `"}`), 2, 3, 0},
		{"a.tmj", tmj(`{"type":"objectgroup","name":"floor","objects":[{"id":1,"x":0,"y":0,"width":32,"height":32},
			{"id":2,"x":0,"y":0,"properties":[{"name":"wall","type":"bool","value":true}],"polygon":[{"x":4,"y":4},{"x":12,"y":4},{"x":12,"y":12},{"x":4,"y":12}]}]}`), 1, 3.75, 0},
		{"a.tmj", tmj(`{"type":"group","name":"x","layers":[{"type":"tilelayer","name":"ground","width":3,"height":2,"data":[1,1,1,1,1,0]}]},{"type":"imagelayer","name":"sky"}`), 1, 5, 0},
	} {
		m, err := read(test.name, test.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		checkDomains(t, m.Plan)
		if len(m.Plan.Layers[0].Domains) != test.domains || math.Abs(area(m)-test.area) > 0.02 || len(m.Warnings) != test.warnings {
			t.Errorf("%s: %d domains, area %g, warnings %q; want %d, %g, %d", test.text, len(m.Plan.Layers[0].Domains), area(m), m.Warnings, test.domains, test.area, test.warnings)
		}
	}
	m, err := read("a.tmx", tmx(csvLayer(`name="a"`, "0,1,0,0,0,0")), Options{Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := corners(m)[0], []geom.Vec{{X: 2, Z: 2}, {X: 4, Z: 2}, {X: 4}, {X: 2}}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
}

// zstandard packs like Tiled's own zstd.
func zstandard(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w)
	if err != nil {
		panic(err)
	}
	return z
}

// infinite is an infinite map with a layer of chunks.
func infinite(chunks string) string {
	return `<map orientation="orthogonal" width="30" height="20" tilewidth="16" tileheight="16" infinite="1"><layer name="a" width="30" height="20"><data encoding="csv">` + chunks + `</data></layer></map>`
}

// TestTiledShapes reads tile sets in files, shapes of the collision editor, infinite maps and tiles of other shapes.
func TestTiledShapes(t *testing.T) {
	const shape = `<tileset name="s" tilewidth="16" tileheight="16"><tile id="1" type="wall"/><tile id="2"><objectgroup><object id="1" x="0" y="0" width="16" height="4"/></objectgroup></tile>` +
		`<tile id="3"><objectgroup><object id="1" x="0" y="0"><polygon points="0,0 8,0 0,8"/></object></objectgroup></tile><tile id="4"><properties><property name="collides" type="bool" value="true"/></properties></tile></tileset>`
	files := fstest.MapFS{
		"maps/a.tsx": {Data: []byte(shape)}, "tiles/b.tsj": {Data: []byte(`{"tilewidth":16,"tileheight":16,"tiles":[{"id":1,"class":"wall"},{"id":2,"objectgroup":{"objects":[{"id":1,"x":0,"y":0,"width":16,"height":4}]}}]}`)},
		"maps/bad.tsx": {Data: []byte("<tileset>")},
	}
	set := func(source string) string { return `<tileset firstgid="1" source="` + source + `"/>` }
	grid := func(attributes, csv string) string {
		return `<map width="3" height="2" tilewidth="32" tileheight="16" ` + attributes + `>` + csvLayer(`name="g"`, csv) + `</map>`
	}
	const hexagons = `orientation="hexagonal" hexsidelength="16"`
	for _, c := range []struct {
		name, text string
		domains    int
		area       float64
		warnings   int
	}{
		{"a tile set in a file", tmx(set("a.tsx") + csvLayer(`name="g"`, "1,2,1,1,5,1")), 2, 4, 0},
		{"a tile set as JSON, above", tmx(set("../tiles/b.tsj") + csvLayer(`name="g"`, "1,2,1,3,1,1")), 2, 4.75, 0},
		{"a tile set outside", tmx(set("../../b.tsx") + csvLayer(`name="g"`, "1,2,1,1,1,1")), 1, 6, 1},
		{"a collision shape", tmx(set("a.tsx") + csvLayer(`name="g"`, "1,1,1,1,3,1")), 1, 5.75, 0},
		{"upside down", tmx(set("a.tsx") + csvLayer(`name="g"`, "3,1073741827,1,3,1073741827,1")), 1, 5, 0},
		{"upright", tmx(set("a.tsx") + csvLayer(`name="g"`, "1,536870915,1,1,536870915,1")), 2, 5.5, 0},
		{"corners", tmx(set("a.tsx") + csvLayer(`name="g"`, "4,2147483652,1,1,1,1")), 1, 5.75, 0},
		{"an infinite map", infinite(`<chunk x="-2" y="-1" width="2" height="2">1,1,0,1</chunk><chunk x="0" y="0" width="2" height="1">1,0</chunk>`), 1, 4, 0},
		{"isometric", grid(`orientation="isometric"`, "1,1,0,0,1,1"), 1, 4, 0},
		{"staggered", grid(`orientation="staggered" staggeraxis="y" staggerindex="odd"`, "1,1,0,1,1,0"), 1, 4, 0},
		{"staggered columns", grid(`orientation="staggered" staggeraxis="x" staggerindex="even"`, "1,1,1,1,0,0"), 2, 4, 0},
		{"hexagons", grid(hexagons+` staggeraxis="x" staggerindex="odd"`, "1,1,0,0,0,0"), 1, 2 * 24 * 16. / 32 / 32, 0},
		{"hexagons apart", grid(hexagons+` staggeraxis="x" staggerindex="odd"`, "1,0,1,0,0,0"), 2, 2 * 24 * 16. / 32 / 32, 0},
		{"upright hexagons", grid(`orientation="hexagonal" hexsidelength="8" staggeraxis="y" staggerindex="even"`, "0,1,0,1,1,0"), 1, 3 * 32 * 12. / 32 / 32, 0},
		{"zstd", tmx(`<layer name="x" width="3" height="2"><data encoding="base64" compression="zstd">` + packed(zstandard, 1, 1, 0, 0, 0, 1) + "</data></layer>"), 2, 3, 0},
	} {
		m, err := read("maps/a.tmx", c.text, Options{Files: files})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkDomains(t, m.Plan)
		if len(m.Plan.Layers[0].Domains) != c.domains || math.Abs(area(m)-c.area) > 1e-3 || len(m.Warnings) != c.warnings {
			t.Errorf("%s: %d domains, area %g, warnings %q; want %d, %g, %d", c.name, len(m.Plan.Layers[0].Domains), area(m), m.Warnings, c.domains, c.area, c.warnings)
		}
	}
	// Cells of an infinite map stay where they are.
	m, err := read("a.tmx", infinite(`<chunk x="-2" y="-1" width="1" height="1">1</chunk>`), Options{Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := corners(m)[0], []geom.Vec{{X: -4}, {X: -2}, {X: -2, Z: -2}, {X: -4, Z: -2}}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
	// Objects of a staggered map are stated on the screen: the diamond of a tile is a square on the ground.
	staggered := `<map orientation="staggered" staggeraxis="y" staggerindex="odd" width="3" height="2" tilewidth="32" tileheight="16">` + objects(`name="o"`, `<object id="1" x="0" y="0"><polygon points="16,0 32,8 16,16 0,8"/></object>`) + `</map>`
	tile, err := read("a.tmx", strings.Replace(staggered, "<objectgroup", csvLayer(`name="g"`, "1,0,0,0,0,0")+"<objectgroup", 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	object, err := read("a.tmx", staggered, Options{})
	if err != nil || !slices.Equal(corners(tile)[0], corners(object)[0]) || area(object) != 1 {
		t.Errorf("the object is at %v, the tile at %v, %v", corners(object), corners(tile), err)
	}
	if _, err := read("maps/a.tmx", tmx(set("bad.tsx")+csvLayer(`name="g"`, "1,1,1,1,1,1")), Options{Files: files}); err == nil || !strings.Contains(err.Error(), `tile set "bad.tsx": line 1: unexpected EOF`) {
		t.Errorf("a bad tile set: %v", err)
	}
}

func TestBadTiled(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a.tmx", "", "tmx: the file is empty"},
		{"a.tmx", "<map>\n<layer>\n</map>", "line 3: element <layer> closed by </map>"},
		{"a.tmx", "<html/>", "expected element type <map>"},
		{"a.tmx", `<map orientation="oblique"/>`, `orientation "oblique"`},
		{"a.tmx", `<map orientation="hexagonal" tilewidth="9" tileheight="9" hexsidelength="10" staggeraxis="x"/>`, `a side of 10 pixels of hexagons along "x"`},
		{"a.tmx", `<map orientation="orthogonal" infinite="1"/>`, "0 × 0 tiles"},
		{"a.tmx", infinite(`<chunk x="0" y="0" width="2" height="1">1</chunk>`), `layer "a": chunk at 0, 0: 1 tiles, not 2`},
		{"a.tmx", infinite(`<chunk x="0" y="0" width="-2" height="1">1</chunk>`), `layer "a": a chunk of -2 × 1 tiles at 0, 0`},
		{"a.tmx", infinite(`<chunk x="-9999999" y="0" width="1" height="1">1</chunk><chunk x="9999999" y="0" width="1" height="1">1</chunk>`), "19999999 × 1 tiles"},
		{"a.tmx", infinite(strings.Repeat(`<chunk x="0" y="0" width="4096" height="4096"></chunk>`, 3)), "chunk at 0, 0: tile 0 is"},
		{"a.tmx", `<map orientation="orthogonal" width="0" height="2"/>`, "0 × 2 tiles"},
		{"a.tmx", `<map orientation="orthogonal" width="9000000" height="9000000"/>`, "9000000 × 9000000 tiles"},
		{"a.tmx", `<map orientation="orthogonal" width="1" height="2"/>`, "tiles of 0 × 0 pixels"},
		{"a.tmx", tmx(""), "no polygon"},
		{"a.tmx", tmx(csvLayer(`name="a"`, "1,2")), `layer "a": 2 tiles, not 6`},
		{"a.tmx", tmx(csvLayer(`name="a"`, "1,2,x")), `layer "a": tile 2 is "x"`},
		{"a.tmx", tmx(csvLayer(`name="a" offsetx="3"`, "1")), "offset of 3, 0"},
		{"a.tmx", tmx(`<layer name="a" width="4" height="2"/>`), "4 × 2 tiles in a map of 3 × 2"},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="hex"/></layer>`), `encoding "hex"`},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64">*</data></layer>`), "invalid base64"},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64">AAA=</data></layer>`), "2 bytes are not a whole number"},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64" compression="zstd">AAAA</data></layer>`), `compression "zstd": unexpected EOF`},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64" compression="zlib">AAAA</data></layer>`), `compression "zlib"`},
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64" compression="zlib">` + packed(zipped, make([]uint32, 1000000)...) + `</data></layer>`), "7 tiles, not 6"},
		{"a.tmx", tmx(objects(`name="o"`, `<object id="8"><polygon points="1,2 x"/></object>`)), `layer "o": object 8: points: "x"`},
		{"a.tmj", "", "tmj: the file is empty"},
		{"a.tmj", "{\n}}", "line 2: invalid character"},
		{"a.tmj", "[]", "found array; want an object"},
		{"a.tmj", `{"width":"3"}`, "width is a string"},
		{"a.tmj", tmj(`{"type":"tilelayer","name":"a","width":3,"height":2,"data":"AAAA"}`), `layer "a": the data is not an array`},
		{"a.tmj", tmj(`{"type":"tilelayer","name":"a","width":3,"height":2,"encoding":"base64","data":[1]}`), `layer "a": the data is not text`},
		{"a.tmj", tmj(`{"type":"tilelayer","name":"a","width":3,"height":2}`), `layer "a": the data is not an array`},
	} {
		_, err := read(test.name, test.text, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", fmt.Sprintf("%.250s", test.text), err, test.want)
		}
	}
}

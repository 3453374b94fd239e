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

func TestBadTiled(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a.tmx", "", "tmx: the file is empty"},
		{"a.tmx", "<map>\n<layer>\n</map>", "line 3: element <layer> closed by </map>"},
		{"a.tmx", "<html/>", "expected element type <map>"},
		{"a.tmx", `<map orientation="isometric"/>`, `orientation "isometric"`},
		{"a.tmx", `<map orientation="orthogonal" infinite="1"/>`, "infinite maps are unsupported"},
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
		{"a.tmx", tmx(`<layer name="a" width="3" height="2"><data encoding="base64" compression="zstd">AAAA</data></layer>`), `compression "zstd": unsupported`},
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

package threemf

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// pack puts a model into an archive.
func pack(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(names); i += 2 {
		f, err := w.Create(names[i])
		if err == nil {
			_, err = f.Write([]byte(names[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const triangle = `<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1000" y="0" z="0"/><vertex x="0" y="1000" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>`

func model(attributes, resources, build string) string {
	return `<?xml version="1.0"?><model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" ` + attributes + `><resources>` + resources + `</resources><build>` + build + `</build></model>`
}

func read(t testing.TB, text string) (*level.Level, error) {
	t.Helper()
	return Decode(bytes.NewReader(pack(t, "[Content_Types].xml", "<Types/>", "3D/3dmodel.model", text)), "part.3mf", level.Limits{})
}

func TestDecode(t *testing.T) {
	one := `<object id="1" name="plate">` + triangle + `</object>`
	for _, c := range []struct {
		name, text string
		triangles  int
		to         geom.Vec // the corner farthest along x
		normal     float64  // its sign along z
	}{
		{"millimetres", model("", one, `<item objectid="1"/>`), 1, geom.Vec{X: 1}, 1},
		{"metres", model(`unit="meter"`, one, `<item objectid="1"/>`), 1, geom.Vec{X: 1000}, 1},
		{"inches", model(`unit="inch"`, one, `<item objectid="1"/>`), 1, geom.Vec{X: 25.4}, 1},
		{"moved", model("", one, `<item objectid="1" transform="1 0 0 0 1 0 0 0 1 2000 3000 4000"/>`), 1, geom.Vec{X: 3, Y: 3, Z: 4}, 1},
		{"turned", model("", one, `<item objectid="1" transform="0 1 0 -1 0 0 0 0 1 0 0 0"/>`), 1, geom.Vec{}, 1},
		{"mirrored", model("", one, `<item objectid="1" transform="1 0 0 0 -1 0 0 0 1 0 0 0"/>`), 1, geom.Vec{X: 1}, 1},
		{"components", model("", one+`<object id="2"><components><component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 500 0 0"/></components></object>`, `<item objectid="2" transform="2 0 0 0 2 0 0 0 2 0 0 0"/>`), 2, geom.Vec{X: 3}, 1},
	} {
		lvl, err := read(t, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := lvl.Validate(); err != nil {
			t.Error(err)
		}
		far, sign := lvl.Vertices[0], 0.0
		for _, v := range lvl.Vertices {
			if v.X > far.X {
				far = v
			}
		}
		for _, tri := range lvl.Triangles {
			a := lvl.Vertices[tri.A]
			sign += lvl.Vertices[tri.B].Sub(a).Cross(lvl.Vertices[tri.C].Sub(a)).Z
		}
		if len(lvl.Triangles) != c.triangles || far.Distance(c.to) > 1e-9 || sign*c.normal <= 0 || lvl.Objects[0].Name != "plate" {
			t.Errorf("%s: %d triangles, farthest %v, normal %g, %v", c.name, len(lvl.Triangles), far, sign, lvl.Objects)
		}
	}
}

func TestErrors(t *testing.T) {
	one := `<object id="1">` + triangle + `</object>`
	nest := one
	for i := range 20 {
		id, of := string(rune('b'+i)), string(rune('a'+i))
		if i == 0 {
			of = "1"
		}
		nest += `<object id="` + id + `"><components>` + strings.Repeat(`<component objectid="`+of+`"/>`, 2) + `</components></object>`
	}
	for _, c := range []struct{ text, want string }{
		{"<html/>", "line 1: root element <html>; want <model>"},
		{"", "no <model> in the file"},
		{"<model>", "line 1: unexpected EOF"},
		{model(`unit="yard"`, "", ""), `unknown unit "yard"`},
		{model("", "", ""), "no triangle in the build"},
		{model("", one, `<item objectid="7"/>`), `object "7" does not exist`},
		{model("", one+one, ""), `a second object "1"`},
		{model("", `<object id="1"><components><component objectid="1"/></components></object>`, `<item objectid="1"/>`), "components in each other"},
		{model("", nest, `<item objectid="u"/>`), "more than 262144 objects are placed"},
		{model("", strings.Replace(one, `v3="2"`, `v3="3"`, 1), ""), `v3 is "3"; the object has 3 vertices`},
		{model("", strings.Replace(one, `x="1000"`, `x="NaN"`, 1), ""), `x: "NaN" is not a number`},
		{model("", `<vertex x="0" y="0" z="0"/>`, ""), "<vertex>: outside of an object"},
		{model("", one, `<item objectid="1" transform="1 0 0"/>`), "transform of 3 numbers; want 12"},
		{model("", one, `<item objectid="1" transform="1e300 0 0 0 1e300 0 0 0 1 0 0 1e308"/><item objectid="1" transform="1e308 0 0 0 1 0 0 0 1 1e308 0 0"/>`), "is moved to"},
	} {
		if _, err := read(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.90q: error %v, want %q", c.text, err, c.want)
		}
	}
	for _, c := range []struct {
		data []byte
		want string
	}{{nil, "3mf: the file is empty"}, {[]byte("PK\x03\x04"), "no archive"}, {pack(t, "a.txt", "x"), "no model in the archive"}} {
		if _, err := Decode(bytes.NewReader(c.data), "a.3mf", level.Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	bomb := pack(t, "3D/3dmodel.model", model("", one+strings.Repeat(" ", 1<<22), `<item objectid="1"/>`))
	if _, err := Decode(bytes.NewReader(bomb), "a.3mf", level.Limits{Bytes: 1 << 20}); err == nil || !strings.Contains(err.Error(), "more than 1048576 bytes") {
		t.Errorf("a bomb of %d bytes: %v", len(bomb), err)
	}
	lvl, err := Decode(bytes.NewReader(pack(t, "3D/other.model", "", "3D/3dmodel.model", model("", one, `<item objectid="1"/><item objectid="5" path="/3D/other.model"/>`))), "a.3mf", level.Limits{})
	if err != nil || len(lvl.Warnings) != 2 {
		t.Errorf("a model in several files: %v, %v", lvl, err)
	}
}

// FuzzModel changes the model of an archive, so that the archive is always whole.
func FuzzModel(f *testing.F) {
	one := `<object id="1">` + triangle + `</object>`
	f.Add(model(`unit="foot"`, one+`<object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 2 3 4"/></components></object>`, `<item objectid="2"/>`))
	f.Fuzz(func(t *testing.T, text string) {
		lvl, err := Decode(bytes.NewReader(pack(t, "3D/3dmodel.model", text)), "a.3mf", level.Limits{Triangles: 1 << 12})
		if err != nil {
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

package gltf

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestPacked reads a level that the npm package gltfpack 0.22.0 has packed by meshopt: gltfpack -cc -vpf on the level
// below. Its filter rounds coordinates to 15 bits.
func TestPacked(t *testing.T) {
	data, err := os.ReadFile("testdata/packed.glb")
	if err != nil {
		t.Fatal(err)
	}
	lvl := decode(t, data)
	want, err := levelgen.Generate("arch", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	box, wantBox := lvl.Bounds(), want.Bounds()
	if len(lvl.Triangles) != len(want.Triangles) || box.Min.Distance(wantBox.Min) > 0.01 || box.Max.Distance(wantBox.Max) > 0.01 {
		t.Errorf("%d triangles in %v, want %d in %v", len(lvl.Triangles), box, len(want.Triangles), wantBox)
	}
	area := func(vertices []geom.Vec, a, b, c uint32) float64 {
		return vertices[b].Sub(vertices[a]).Cross(vertices[c].Sub(vertices[a])).Y / 2
	}
	up, wantUp := 0.0, 0.0
	for _, tri := range lvl.Triangles {
		up += max(area(lvl.Vertices, tri.A, tri.B, tri.C), 0)
	}
	for _, tri := range want.Triangles {
		wantUp += max(area(want.Vertices, tri.A, tri.B, tri.C), 0)
	}
	if math.Abs(up-wantUp) > 0.01*wantUp {
		t.Errorf("%g m² face up, want %g", up, wantUp)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"mode":"ATTRIBUTES"`, `"mode":"TRIANGLES" `, "meshopt:"},
		{`"mode":"ATTRIBUTES"`, `"mode":"ATTRIBUTED"`, `meshopt: mode "ATTRIBUTED"`},
		{`"count":`, `"count":99999999`, "meshopt: "},
		{`"byteLength":`, `"byteLength":999999`, "the buffer has"},
	} {
		text, bin, err := splitGLB(data)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(string(text), "EXT_meshopt_compression\":{\"buffer\"")
		bad := string(text[:at]) + strings.Replace(string(text[at:]), c.old, c.new, 1)
		if _, err := Decode(strings.NewReader(string(glb(bad, bin))), nil, "a.glb", level.Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}

// TestColliders makes triangles of the shapes of OMI_physics_shape.
func TestColliders(t *testing.T) {
	shapes := []struct {
		text        string
		wide, high  float64
		volume, off float64
	}{
		{`{"type":"box","box":{"size":[1,2,3]}}`, 1, 2, 6, 1e-12},
		{`{"type":"cylinder","cylinder":{"radius":1,"height":4}}`, 2 / math.Cos(math.Pi/16), 4, 4 * math.Pi, 0.2},
		{`{"type":"cylinder","cylinder":{"radiusTop":0,"radiusBottom":1,"height":3}}`, 2 / math.Cos(math.Pi/16), 3, math.Pi, 0.1},
		{`{"type":"sphere","sphere":{"radius":2}}`, 4 / math.Cos(math.Pi/16), 4, 32 * math.Pi / 3, 3},
		{`{"type":"capsule","capsule":{"radius":1,"height":2}}`, 2 / math.Cos(math.Pi/16), 4, 2*math.Pi + 4*math.Pi/3, 1},
		{`{"type":"trimesh","trimesh":{"mesh":0}}`, 1, 0, 0, 0},
	}
	for _, s := range shapes {
		text := edit(t, square, `"buffers"`, `"extensions":{"OMI_physics_shape":{"shapes":[`+s.text+`]}}, "buffers"`,
			`{"mesh": 0, "name": "floor"}`, `{"extensions":{"OMI_physics_body":{"collider":{"shape":0}}}}`)
		lvl := decode(t, glb(text, squareBin))
		volume := 0.0
		for _, tri := range lvl.Triangles {
			volume += lvl.Vertices[tri.A].Dot(lvl.Vertices[tri.B].Cross(lvl.Vertices[tri.C])) / 6
		}
		size := lvl.Bounds().Size()
		if math.Abs(volume-s.volume) > s.off || math.Abs(size.Y-s.high) > 1e-9 || s.volume > 0 && math.Abs(size.X-s.wide) > 1e-9 {
			t.Errorf("%s: volume %g, size %v", s.text, volume, size)
		}
		if err := lvl.Validate(); err != nil || len(lvl.Objects) != 1 || lvl.Objects[0].Name != "collider of node 0" {
			t.Errorf("%s: %v, %v", s.text, lvl.Objects, err)
		}
	}
	for text, want := range map[string]string{
		`{"type":"box","box":{"size":[1e999,2,3]}}`:              "shape 0: Box.Size is a JSON number 1e999",
		`{"type":"sphere","sphere":{"radius":-2}}`:               "a radius of -",
		`{"type":"trimesh"}`:                                     "mesh -1 of 1",
		`{"type":"capsule","capsule":{"radius":1,"height":"x"}}`: "OMI_physics_shape: shape 0",
	} {
		doc := edit(t, square, `"buffers"`, `"extensions":{"OMI_physics_shape":{"shapes":[`+text+`]}}, "buffers"`,
			`{"mesh": 0, "name": "floor"}`, `{"extensions":{"OMI_physics_body":{"collider":{"shape":0}}}}`)
		if _, err := Decode(strings.NewReader(string(glb(doc, squareBin))), nil, "a.glb", level.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// TestVersion1 names the version whose tables are objects.
func TestVersion1(t *testing.T) {
	const old = `{"accessors":{"a":{"bufferView":"b"}},"meshes":{"m":{}},"asset":{"version":"1.0"}}`
	if _, err := Decode(strings.NewReader(old), nil, "a.gltf", level.Limits{}); err == nil || !strings.Contains(err.Error(), "gltf: unsupported version 1.0; supported: 2.0; convert it") {
		t.Errorf("error %v", err)
	}
}

// TestWildExtensions takes files that require extensions without a meaning for the floor, and tells of animations.
func TestWildExtensions(t *testing.T) {
	for _, ext := range []string{"VRM", "VRMC_vrm", "MSFT_lod", "EXT_meshopt_compression", "OMI_physics_body"} {
		checkSquare(t, decode(t, glb(edit(t, square, `"scene": 0,`, fmt.Sprintf(`"scene": 0, "extensionsRequired": [%q],`, ext)), squareBin)))
	}
	animated := edit(t, square, `"scene": 0,`, `"scene": 0, "animations": [{"channels": [], "samplers": []}],`)
	if !json.Valid([]byte(animated)) {
		t.Fatal("the document is no JSON")
	}
	if w := decode(t, glb(animated, squareBin)).Warnings; len(w) != 1 || !strings.Contains(w[0], "1 animations are not played") {
		t.Errorf("warnings %q", w)
	}
}

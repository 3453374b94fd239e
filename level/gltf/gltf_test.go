package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// squareBin is the buffer of square: four positions, then six indices of 16 bits.
var squareBin = pack([]float32{0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, -1}, []uint16{0, 1, 2, 0, 2, 3})

// square is a document whose single node shows a square, counter-clockwise from above. Tests edit the text.
const square = `{
	"asset": {"version": "2.0"},
	"scene": 0,
	"scenes": [{"nodes": [0]}],
	"nodes": [{"mesh": 0, "name": "floor"}],
	"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
	"accessors": [
		{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
		{"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}
	],
	"bufferViews": [
		{"buffer": 0, "byteLength": 48},
		{"buffer": 0, "byteOffset": 48, "byteLength": 12}
	],
	"buffers": [{"byteLength": 60}]
}`

var (
	corners   = []geom.Vec{{}, {X: 1}, {X: 1, Z: -1}, {Z: -1}}
	triangles = []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}}
)

// pack is little-endian bytes.
func pack(values ...any) []byte {
	var b []byte
	for _, v := range values {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}

// glb puts a document and a buffer into a container.
func glb(text string, bin []byte) []byte {
	for len(text)%4 != 0 {
		text += " "
	}
	b := pack(uint32(magic), uint32(2), uint32(12+8+len(text)), uint32(len(text)), uint32(chunkJSON))
	b = append(b, text...)
	if bin != nil {
		bin = append(slices.Clone(bin), make([]byte, (4-len(bin)%4)%4)...)
		b = append(append(b, pack(uint32(len(bin)), uint32(chunkBIN))...), bin...)
		binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
	}
	return b
}

// edit replaces parts of a text, and fails if a part is missing.
func edit(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("no %q in the document", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func dataURIOf(b []byte) string {
	return "data:application/gltf-buffer;base64," + base64.StdEncoding.EncodeToString(b)
}

func decode(t testing.TB, data []byte) *level.Level {
	t.Helper()
	lvl, err := Decode(bytes.NewReader(data), nil, "dir/test.glb", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := lvl.Validate(); err != nil {
		t.Fatal(err)
	}
	return lvl
}

// TestForms reads the same square from all forms of files and numbers.
func TestForms(t *testing.T) {
	bin := `"buffers": [{"byteLength": 60}]`
	withURI := func(uri string) []byte {
		return []byte(edit(t, square, bin, `"buffers": [{"byteLength": 60, "uri": "`+uri+`"}]`))
	}
	padded := glb(square, squareBin)
	withChunk := bytes.Replace(padded, pack(uint32(60), uint32(chunkBIN)), pack(uint32(4), uint32(7), uint32(9), uint32(60), uint32(chunkBIN)), 1)
	binary.LittleEndian.PutUint32(withChunk[8:], uint32(len(withChunk)))
	withJunk := append(glb(square, squareBin), "behind the end"...)
	// The square once more, each position 16 bytes apart and 4 bytes in.
	strided := pack(uint32(9), []float32{0, 0, 0, 9, 1, 0, 0, 9, 1, 0, -1, 9, 0, 0, -1})
	interleaved := edit(t, square, `"byteLength": 48}`, `"byteLength": 64, "byteStride": 16}`, `"bufferView": 0,`, `"bufferView": 0, "byteOffset": 4,`, `"byteOffset": 48`, `"byteOffset": 64`,
		`"byteLength": 60`, `"byteLength": 76`)
	typed := func(component int, normalized bool, pos []byte, stride int) []byte {
		for len(pos)%4 != 0 {
			pos = append(pos, 0)
		}
		text := edit(t, square, `"componentType": 5126`, fmt.Sprintf(`"componentType": %d, "normalized": %v`, component, normalized),
			`"byteLength": 48}`, fmt.Sprintf(`"byteLength": %d, "byteStride": %d}`, len(pos), stride),
			`"byteOffset": 48`, fmt.Sprintf(`"byteOffset": %d`, len(pos)), `"byteLength": 60`, fmt.Sprintf(`"byteLength": %d`, len(pos)+12),
			`"scene": 0,`, `"scene": 0, "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],`)
		return glb(text, append(pos, squareBin[48:]...))
	}
	indexed := func(component int, indices []byte) []byte {
		for len(indices)%4 != 0 {
			indices = append(indices, 0)
		}
		text := edit(t, square, `"componentType": 5123`, fmt.Sprintf(`"componentType": %d`, component), `"byteLength": 12`, fmt.Sprintf(`"byteLength": %d`, len(indices)),
			`"byteLength": 60`, fmt.Sprintf(`"byteLength": %d`, 48+len(indices)))
		return glb(text, append(slices.Clone(squareBin[:48]), indices...))
	}
	mode := func(mode int, indices ...uint16) []byte {
		text := edit(t, square, `"indices": 1`, fmt.Sprintf(`"indices": 1, "mode": %d`, mode), `"count": 6`, fmt.Sprintf(`"count": %d`, len(indices)))
		return glb(text, append(slices.Clone(squareBin[:48]), pack(indices, make([]uint16, 6-len(indices)))...))
	}
	// Two of the corners are wrong, or all are zero, and the sparse part puts them right.
	sparse := func(base string, bin []byte, elements []uint16, values []float32) []byte {
		text := edit(t, square,
			`{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}`,
			fmt.Sprintf(`{%s "componentType": 5126, "count": 4, "type": "VEC3", "sparse": {"count": %d, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 2, "byteOffset": %d}}}`, base, len(elements), 2*len(elements)),
			`"byteLength": 12}`, fmt.Sprintf(`"byteLength": 12}, {"buffer": 0, "byteOffset": 60, "byteLength": %d}`, 2*len(elements)+4*len(values)),
			`"byteLength": 60`, fmt.Sprintf(`"byteLength": %d`, 60+2*len(elements)+4*len(values)))
		return glb(text, append(slices.Clone(bin), pack(elements, values)...))
	}
	wrong := pack([]float32{0, 0, 0, 7, 7, 7, 1, 0, -1, 7, 7, 7}, []uint16{0, 1, 2, 0, 2, 3})
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"GLB", glb(square, squareBin)},
		{"GLB with bytes behind its end", withJunk},
		{"GLB with zeros behind the JSON", bytes.Replace(padded, []byte("}]\n}"), []byte("}]}\x00"), 1)},
		{"GLB with an unknown chunk", withChunk},
		{"data URI", withURI(dataURIOf(squareBin))},
		{"data URI without padding", withURI(strings.TrimRight(dataURIOf(squareBin), "="))},
		{"data URI of another type", withURI("data:;base64," + base64.StdEncoding.EncodeToString(squareBin))},
		{"byte order mark", append([]byte("\ufeff"), withURI(dataURIOf(squareBin))...)},
		{"interleaved", glb(interleaved, append(strided, squareBin[48:]...))},
		{"bytes", typed(5120, false, pack([]int8{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0}), 4)},
		{"bytes, normalized", typed(5120, true, pack([]int8{0, 0, 0, 127, 0, 0, 127, 0, -128, 0, 0, -127}), 3)},
		{"shorts", typed(5122, false, pack([]int16{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0}), 8)},
		{"shorts, normalized", typed(5122, true, pack([]int16{0, 0, 0, 0, 32767, 0, 0, 0, 32767, 0, -32767, 0, 0, 0, -32768, 0}), 8)},
		{"indices of 8 bits", indexed(5121, []byte{0, 1, 2, 0, 2, 3})},
		{"indices of 32 bits", indexed(5125, pack([]uint32{0, 1, 2, 0, 2, 3}))},
		{"strip", mode(5, 1, 2, 0, 3)},
		{"fan", mode(6, 0, 1, 2, 3)},
		{"sparse", sparse(`"bufferView": 0,`, wrong, []uint16{1, 3}, []float32{1, 0, 0, 0, 0, -1})},
		{"sparse over zeros", sparse("", wrong, []uint16{1, 2, 3, 3}, []float32{1, 0, 0, 1, 0, -1, 5, 5, 5, 0, 0, -1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode(t, c.data)
			if diff := cmp.Diff(corners, got.Vertices); diff != "" {
				t.Error(diff)
			}
			if c.name == "strip" || c.name == "fan" {
				checkSquare(t, got)
			} else if diff := cmp.Diff(triangles, got.Triangles); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]level.Object{{Name: "floor", Count: 2}}, got.Objects); diff != "" {
				t.Error(diff)
			}
			if got.Name != "test" || len(got.Warnings) > 0 {
				t.Errorf("level %q, warnings %q", got.Name, got.Warnings)
			}
		})
	}
}

// checkSquare fails unless two triangles look up and have the area of the square.
func checkSquare(t *testing.T, lvl *level.Level) {
	t.Helper()
	area := 0.0
	for i, n := range normals(lvl) {
		if n.Y <= 0 {
			t.Errorf("triangle %d looks along %v", i, n)
		}
		area += n.Y / 2
	}
	if len(lvl.Triangles) != 2 || area != 1 {
		t.Errorf("%d triangles, area %g", len(lvl.Triangles), area)
	}
}

func normals(lvl *level.Level) []geom.Vec {
	var out []geom.Vec
	for _, t := range lvl.Triangles {
		a := lvl.Vertices[t.A]
		out = append(out, lvl.Vertices[t.B].Sub(a).Cross(lvl.Vertices[t.C].Sub(a)))
	}
	return out
}

func TestUnindexed(t *testing.T) {
	text := edit(t, square, `, "indices": 1`, "", `"count": 4`, `"count": 3`)
	got := decode(t, glb(text, squareBin))
	if diff := cmp.Diff(triangles[:1], got.Triangles); diff != "" {
		t.Error(diff)
	}
}

func TestExternalBuffer(t *testing.T) {
	text := edit(t, square, `{"byteLength": 60}`, `{"byteLength": 60, "uri": "the%20data/square.bin"}`)
	files := fstest.MapFS{"maps/the data/square.bin": {Data: append(slices.Clone(squareBin), "more"...)}}
	got, err := Decode(strings.NewReader(text), files, "maps/square.gltf", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(triangles, got.Triangles); diff != "" {
		t.Error(diff)
	}
	files["maps/the data/square.bin"].Data = squareBin[:59]
	if _, err := Decode(strings.NewReader(text), files, "maps/square.gltf", level.Limits{}); err == nil || !strings.Contains(err.Error(), "buffer 0: 60 bytes declared, 59 present") {
		t.Errorf("short file: %v", err)
	}
	if _, err := Decode(strings.NewReader(text), nil, "maps/square.gltf", level.Limits{}); err == nil || !strings.Contains(err.Error(), `buffer 0: file "the data/square.bin" is missing`) {
		t.Errorf("missing file: %v", err)
	}
}

// TestOneFileForManyBuffers reads a file once.
func TestOneFileForManyBuffers(t *testing.T) {
	text := edit(t, square, `[{"byteLength": 60}]`, `[{"byteLength": 48, "uri": "a.bin"}, {"byteLength": 60, "uri": "a.bin"}]`, `{"buffer": 0, "byteOffset": 48`, `{"buffer": 1, "byteOffset": 48`)
	files := &counting{FS: fstest.MapFS{"a.bin": {Data: squareBin}}}
	got, err := Decode(strings.NewReader(text), files, "a.gltf", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	checkSquare(t, got)
	if files.opened != 1 {
		t.Errorf("the file was opened %d times", files.opened)
	}
}

// counting counts how often a file is opened.
type counting struct {
	fs.FS
	opened int
}

func (c *counting) Open(name string) (fs.File, error) {
	c.opened++
	return c.FS.Open(name)
}

func (c *counting) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

// TestUnusedBuffersAreNotRead has an animation buffer whose file is missing.
func TestUnusedBuffersAreNotRead(t *testing.T) {
	text := edit(t, square, `{"byteLength": 60}`, `{"byteLength": 60}, {"byteLength": 9, "uri": "walk.bin"}`)
	checkSquare(t, decode(t, glb(text, squareBin)))
}

func TestHierarchy(t *testing.T) {
	nodes := func(json string) string { return edit(t, square, `{"mesh": 0, "name": "floor"}`, json) }
	for _, c := range []struct {
		name, text string
		origin     geom.Vec // where the corner at the origin goes
		x          geom.Vec // and the one at (1, 0, 0)
		up         bool     // do the triangles still look up
	}{
		{"translation", nodes(`{"mesh": 0, "translation": [10, 20, 30]}`), geom.Vec{X: 10, Y: 20, Z: 30}, geom.Vec{X: 11, Y: 20, Z: 30}, true},
		{"scale", nodes(`{"mesh": 0, "scale": [2, 3, 4]}`), geom.Vec{}, geom.Vec{X: 2}, true},
		{"quarter turn about Y", nodes(`{"mesh": 0, "rotation": [0, 1, 0, 1]}`), geom.Vec{}, geom.Vec{Z: -1}, true},
		{"half turn about Z", nodes(`{"mesh": 0, "rotation": [0, 0, 1, 0]}`), geom.Vec{}, geom.Vec{X: -1}, false},
		{"all three", nodes(`{"mesh": 0, "translation": [5, 0, 0], "rotation": [0, 1, 0, 1], "scale": [3, 1, 1]}`), geom.Vec{X: 5}, geom.Vec{X: 5, Z: -3}, true},
		{"matrix", nodes(`{"mesh": 0, "matrix": [0,0,-2,0, 0,1,0,0, 2,0,0,0, 7,8,9,1]}`), geom.Vec{X: 7, Y: 8, Z: 9}, geom.Vec{X: 7, Y: 8, Z: 7}, true},
		{"mirrored", nodes(`{"mesh": 0, "scale": [-1, 1, 1]}`), geom.Vec{}, geom.Vec{X: -1}, true},
		{"mirrored twice", nodes(`{"children": [1], "scale": [-1, 1, 1]}, {"mesh": 0, "scale": [-2, 1, 1]}`), geom.Vec{}, geom.Vec{X: 2}, true},
		{"child of a child", nodes(`{"children": [1], "translation": [1, 0, 0]}, {"children": [2], "rotation": [0, 1, 0, 1]}, {"mesh": 0, "translation": [0, 0, 1]}`), geom.Vec{X: 2}, geom.Vec{X: 2, Z: -1}, true},
		{"only the default scene", edit(t, nodes(`{"mesh": 0}, {"mesh": 0, "translation": [9, 9, 9]}`), `"scenes": [{"nodes": [0]}]`, `"scenes": [{"nodes": [1]}, {"nodes": [0]}]`, `"scene": 0`, `"scene": 1`), geom.Vec{}, geom.Vec{X: 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode(t, glb(c.text, squareBin))
			if diff := cmp.Diff([]geom.Vec{c.origin, c.x}, got.Vertices[:2]); diff != "" {
				t.Error(diff)
			}
			if len(got.Triangles) != 2 {
				t.Errorf("%d triangles", len(got.Triangles))
			}
			for _, n := range normals(got) {
				if (n.Y > 0) != c.up {
					t.Errorf("a triangle looks along %v", n)
				}
			}
		})
	}
}

func TestRoots(t *testing.T) {
	three := edit(t, square, `{"mesh": 0, "name": "floor"}`, `{"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b", "children": [2]}, {"mesh": 0, "name": "c"}`)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"default scene", three, []string{"a"}},
		{"all scenes when none is the default", edit(t, three, `"scene": 0,`, "", `{"nodes": [0]}`, `{"nodes": [1]}, {"nodes": [0, 1]}`), []string{"b", "c", "a"}},
		{"nodes without parent when there is no scene", edit(t, three, `"scene": 0,`, "", `"scenes": [{"nodes": [0]}],`, ""), []string{"a", "b", "c"}},
		{"a node with two parents is shown twice", edit(t, three, `"nodes": [0]`, `"nodes": [1, 2]`), []string{"b", "c", "c"}},
		{"names of meshes and numbers where nodes have none", edit(t, three, `"name": "a"`, `"name": ""`), []string{"node 0"}},
		{"names of meshes", edit(t, three, `"name": "a"`, `"name": ""`, `[{"primitives"`, `[{"name": "tile", "primitives"`), []string{"tile"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode(t, glb(c.text, squareBin))
			var names []string
			for i, o := range got.Objects {
				names = append(names, o.Name)
				if o.First != 2*i || o.Count != 2 {
					t.Errorf("object %d spans %d and %d on", i, o.First, o.Count)
				}
			}
			if !slices.Equal(names, c.want) {
				t.Errorf("objects %q, want %q", names, c.want)
			}
		})
	}
}

// instanced is the square with three instances.
func instanced(t testing.TB) (text string, bin []byte) {
	text = edit(t, square,
		`{"mesh": 0, "name": "floor"}`, `{"mesh": 0, "name": "floor", "translation": [100, 0, 0], "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2, "ROTATION": 3, "SCALE": 4}}}}`,
		`"type": "SCALAR"}`, `"type": "SCALAR"},
			{"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"},
			{"bufferView": 3, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC4"},
			{"bufferView": 4, "componentType": 5126, "count": 3, "type": "VEC3"}`,
		`"byteLength": 12}`, `"byteLength": 12}, {"buffer": 0, "byteOffset": 60, "byteLength": 36}, {"buffer": 0, "byteOffset": 96, "byteLength": 24}, {"buffer": 0, "byteOffset": 120, "byteLength": 36}`,
		`"byteLength": 60`, `"byteLength": 156`,
		`"scene": 0,`, `"scene": 0, "extensionsRequired": ["EXT_mesh_gpu_instancing"],`)
	bin = append(slices.Clone(squareBin), pack(
		[]float32{0, 0, 0, 10, 0, 0, 20, 0, 0},
		[]int16{0, 0, 0, 32767, 0, 32767, 0, 32767, 0, 0, 0, 32767},
		[]float32{1, 1, 1, 1, 1, 1, 2, 1, -1},
	)...)
	return text, bin
}

func TestInstances(t *testing.T) {
	text, bin := instanced(t)
	got := decode(t, glb(text, bin))
	want := []geom.Vec{
		{X: 100},
		{X: 101},
		{X: 101, Z: -1},
		{X: 100, Z: -1},
		{X: 110},
		{X: 110, Z: -1},
		{X: 109, Z: -1},
		{X: 109},
		{X: 120},
		{X: 122},
		{X: 122, Z: 1},
		{X: 120, Z: 1},
	}
	if diff := cmp.Diff(want, got.Vertices); diff != "" {
		t.Error(diff)
	}
	for i, n := range normals(got) {
		if n.Y <= 0 {
			t.Errorf("triangle %d looks along %v", i, n)
		}
	}
	if diff := cmp.Diff([]level.Object{{Name: "floor", Count: 6}}, got.Objects); diff != "" {
		t.Error(diff)
	}
}

func TestMarkers(t *testing.T) {
	two := func(first string) string {
		return edit(t, square, `"nodes": [0]`, `"nodes": [0, 1]`, `{"mesh": 0, "name": "floor"}`, first+`, {"mesh": 0, "name": "floor"}`)
	}
	up := []geom.Vec{{Y: 5}, {X: 1, Y: 5}, {X: 1, Y: 5, Z: -1}, {Y: 5, Z: -1}}
	for _, c := range []struct {
		name, text string
		want       []level.Marker
		warnings   []string
	}{
		{"by name", two(`{"mesh": 0, "name": "marker:door:front gate", "translation": [0, 5, 0]}`), []level.Marker{{Name: "front gate", Kind: "door", Hull: up}}, nil},
		{"by extras", two(`{"mesh": 0, "name": "gate", "extras": {"meadow_marker": "door"}, "translation": [0, 5, 0]}`), []level.Marker{{Name: "gate", Kind: "door", Hull: up}}, nil},
		{"extras of another kind", two(`{"mesh": 0, "name": "gate", "extras": {"meadow_marker": 7}}`), nil, nil},
		{"extras that are no object", two(`{"mesh": 0, "name": "gate", "extras": [1]}`), nil, nil},
		{"mesh in a child", edit(t, two(`{"name": "marker:door", "children": [2], "translation": [0, 4, 0]}`), `"name": "floor"}`, `"name": "floor"}, {"mesh": 0, "name": "marker:inner:x", "translation": [0, 1, 0]}`), []level.Marker{{Kind: "door", Hull: up}}, nil},
		{"nothing inside", two(`{"name": "marker:door:x"}`), nil, []string{`gltf: node 0: marker "x" has no triangle`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode(t, glb(c.text, squareBin))
			if diff := cmp.Diff(c.want, got.Markers); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.warnings, got.Warnings); diff != "" {
				t.Error(diff)
			}
			if c.want != nil {
				checkSquare(t, got)
			}
		})
	}
}

// TestInstancedMarkers makes one marker per instance: a single hull around all would be wrong.
func TestInstancedMarkers(t *testing.T) {
	text, bin := instanced(t)
	text = edit(t, text, `"nodes": [0]`, `"nodes": [0, 1]`, `"name": "floor"`, `"name": "marker:door:d"`, `"SCALE": 4}}}}`, `"SCALE": 4}}}}, {"mesh": 0}`)
	got := decode(t, glb(text, bin))
	if len(got.Markers) != 3 || len(got.Markers[2].Hull) != 4 || got.Markers[1].Hull[0] != (geom.Vec{X: 110}) || len(got.Warnings) > 0 {
		t.Errorf("markers %v, warnings %q", got.Markers, got.Warnings)
	}
}

func TestMaterials(t *testing.T) {
	text := edit(t, square, `"indices": 1}`, `"indices": 1, "material": 1}, {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}`,
		`"buffers"`, `"materials": [
			{"name": "grass", "doubleSided": true, "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 2, 0.75], "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2]}}}}},
			{"name": "stone", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}, "extensions": {"KHR_materials_ior": {"ior": 2}}},
			{"name": "inside", "pbrMetallicRoughness": {"baseColorTexture": {"index": 2}}},
			{"name": "old", "extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0, 1, 0, 1], "diffuseTexture": {"index": 3}}}},
			{"name": "unnamed image", "pbrMetallicRoughness": {"baseColorTexture": {"index": 4}}},
			{"name": "bad", "pbrMetallicRoughness": {"baseColorTexture": {"index": 9}}},
			{"name": "web", "pbrMetallicRoughness": {"baseColorTexture": {"index": 5}}},
			{},
			null
		],
		"textures": [{"source": 0}, {"source": 1}, {"source": 2}, {"extensions": {"KHR_texture_basisu": {"source": 3}}}, {"source": 4}, {"source": 5}],
		"images": [{"uri": "tex/green%20grass.png"}, {"uri": "stone.png"}, {"name": "paint", "bufferView": 0, "mimeType": "image/png"}, {"uri": "moss.ktx2"}, {"uri": "data:image/png;base64,AAAA"}, {"uri": "https://example.org/a.png"}],
		"buffers"`, `"scene": 0,`, `"scene": 0, "extensionsRequired": ["KHR_texture_transform", "KHR_materials_ior", "KHR_texture_basisu"],`)
	files := fstest.MapFS{"maps/tex/green grass.png": {}, "maps/moss.ktx2": {}}
	got, err := Decode(bytes.NewReader(glb(text, squareBin)), files, "maps/x.glb", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	white := [4]float32{1, 1, 1, 1}
	want := []level.Material{
		{Name: "grass", Texture: "tex/green grass.png", Color: [4]float32{0.5, 0.25, 1, 0.75}, DoubleSided: true},
		{Name: "stone", Texture: "stone.png", Color: white},
		{Name: "inside", Texture: "paint", Color: white},
		{Name: "old", Texture: "moss.ktx2", Color: [4]float32{0, 1, 0, 1}},
		{Name: "unnamed image", Texture: "image 4", Color: white},
		{Name: "bad", Color: white},
		{Name: "web", Texture: "https://example.org/a.png", Color: white},
		{Color: white},
		{Color: white},
	}
	if diff := cmp.Diff(want, got.Materials); diff != "" {
		t.Error(diff)
	}
	warnings := []string{
		`gltf: material 1: texture "stone.png" is missing`,
		`gltf: material 5: texture 9 of 6`,
		`gltf: material 6: texture "https://example.org/a.png" is not a file beside the level`,
	}
	if diff := cmp.Diff(warnings, got.Warnings); diff != "" {
		t.Error(diff)
	}
	var used []int32
	for _, tri := range got.Triangles {
		used = append(used, tri.Material)
	}
	if want := []int32{1, 1, 0, 0}; !slices.Equal(used, want) || len(got.Vertices) != 4 {
		t.Errorf("materials %v, want %v; %d vertices, both primitives share 4", used, want, len(got.Vertices))
	}
}

// TestSharedAccessor has a mesh that uses one corner of a large accessor: unused vertices are left out.
func TestSharedAccessor(t *testing.T) {
	got := decode(t, glb(edit(t, square, `"count": 6`, `"count": 3`, `"byteOffset": 48`, `"byteOffset": 54`, `"byteLength": 12`, `"byteLength": 6`), squareBin))
	if diff := cmp.Diff([]geom.Vec{corners[0], corners[2], corners[3]}, got.Vertices); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}}, got.Triangles); diff != "" {
		t.Error(diff)
	}
}

// TestVertexColors reads colours of two forms, skips invalid ones, and fills in missing ones.
func TestVertexColors(t *testing.T) {
	colored := func(componentType int, kind string, count int, bytes []byte) *level.Level {
		text := edit(t, square, `"indices": 1}`, `"indices": 1}, {"attributes": {"POSITION": 0, "COLOR_0": 2}, "indices": 1}`,
			`"type": "SCALAR"}`, fmt.Sprintf(`"type": "SCALAR"}, {"bufferView": 2, "componentType": %d, "normalized": %v, "count": %d, "type": "%s"}`, componentType, componentType != 5126, count, kind),
			`"byteLength": 12}`, fmt.Sprintf(`"byteLength": 12}, {"buffer": 0, "byteOffset": 60, "byteLength": %d}`, len(bytes)),
			`"byteLength": 60`, fmt.Sprintf(`"byteLength": %d`, 60+len(bytes)))
		return decode(t, glb(text, append(slices.Clone(squareBin), bytes...)))
	}
	white := level.White
	want := [][4]float32{white, white, white, white, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}}
	got := colored(5126, "VEC3", 4, pack([]float32{1, 0, -3, 0, 7, 0, 0, 0, 1, 0, 0, 0}))
	if d := cmp.Diff(want, got.Colors); d != "" {
		t.Error(d)
	}
	got = colored(5121, "VEC4", 4, []byte{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 51})
	want[7][3] = 0.2
	if d := cmp.Diff(want, got.Colors); d != "" {
		t.Error(d)
	}
	for _, bad := range []*level.Level{
		colored(5126, "VEC3", 3, pack(make([]float32, 9))),
		colored(5126, "VEC2", 4, pack(make([]float32, 8))),
	} {
		if bad.Colors != nil || len(bad.Warnings) != 1 || !strings.Contains(bad.Warnings[0], "COLOR_0") {
			t.Errorf("colours %v, warnings %q", bad.Colors, bad.Warnings)
		}
	}
}

func TestWarnings(t *testing.T) {
	primitive := `{"attributes": {"POSITION": 0}, "indices": 1}`
	for _, c := range []struct {
		name, text string
		want       string
	}{
		{"lines", edit(t, square, primitive, `{"attributes": {"POSITION": 0}, "mode": 1}, `+primitive), "gltf: mesh 0, primitive 0: LINES have no surface"},
		{"a part of a triangle", edit(t, square, primitive, primitive+`, {"attributes": {"POSITION": 0}}`), "gltf: 4 indices are not a whole number of triangles; the last 1 left out"},
		{"skin", edit(t, square, `"mesh": 0,`, `"mesh": 0, "skin": 0,`), "gltf: node 0: its skin is not applied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decode(t, glb(c.text, squareBin)).Warnings; len(got) != 1 || got[0] != c.want {
				t.Errorf("warnings %q, want %q", got, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	file := glb(square, squareBin)
	head := func(at int, v uint32) string {
		b := slices.Clone(file)
		binary.LittleEndian.PutUint32(b[at:], v)
		return string(b)
	}
	with := func(pairs ...string) string { return string(glb(edit(t, square, pairs...), squareBin)) }
	position := `{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}`
	nan := slices.Clone(squareBin)
	binary.LittleEndian.PutUint32(nan[16:], math.Float32bits(float32(math.NaN())))
	deep := `{"children": [1]}`
	for i := 2; i < 1100; i++ {
		deep += fmt.Sprintf(`, {"children": [%d]}`, i)
	}
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "gltf: the file is empty"},
		{"garbage", "hello", "gltf: JSON: byte 1: invalid character 'h' looking for beginning of value"},
		{"JSON of another kind", `{"type": "FeatureCollection"}`, "gltf: no asset in the document: not a glTF 2.0 file"},
		{"JSON array", `[]`, "gltf: JSON: byte 1: the value is a JSON array; want an object"},
		{"number of another kind", with(`"count": 4`, `"count": 4.5`), "gltf: JSON: byte 265: accessors.count is a JSON number 4.5; want an integer"},
		{"short matrix", with(`"name": "floor"`, `"matrix": [1, 2, 3]`), "gltf: node 0: the last row of the matrix is [0 0 0 0]; want [0 0 0 1]"},
		{"truncated JSON", square[:len(square)/2], fmt.Sprintf("gltf: JSON: byte %d: unexpected end of JSON input", len(square)/2)},
		{"only the magic", "glTF", "gltf: GLB: the file has 4 bytes, less than its headers"},
		{"truncated GLB", string(file[:len(file)-1]), fmt.Sprintf("gltf: GLB: the header declares %d bytes, the file has %d", len(file), len(file)-1)},
		{"GLB of version 1", head(4, 1), "gltf: GLB: unsupported version 1; supported: 2"},
		{"GLB shorter than its header", head(8, 3), "gltf: GLB: no JSON chunk"},
		{"GLB chunk", head(12, 1<<31), fmt.Sprintf("gltf: GLB: chunk 0 declares 2147483648 bytes; file has %d left", len(file)-20)},
		{"GLB chunk type", head(16, chunkBIN), "gltf: GLB: the first chunk is of type 0x4e4942, not JSON"},
		{"version", with(`"2.0"`, `"1.1"`), `gltf: unsupported version "1.1"; supported: 2.0`},
		{"draco without data", with(`"indices": 1`, `"extensions": {"KHR_draco_mesh_compression": {}}`, `"bufferView": 0, `, ""), "gltf: node 0: mesh 0, primitive 0: KHR_draco_mesh_compression: no POSITION"},
		{"unknown extension", with(`"scene": 0,`, `"scene": 0, "extensionsRequired": ["ACME_voxels"],`), "gltf: unsupported required extension ACME_voxels"},
		{"component type", with("5126", "5130"), "gltf: accessor 0: component type 5130"},
		{"component type of sparse indices", with(`"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 0, "componentType": 1}, "values": {"bufferView": 0}}`), "gltf: accessor 0: component type 1 of its sparse indices"},
		{"mode", with(`"indices": 1`, `"indices": 1, "mode": 7`), "gltf: mesh 0, primitive 0: mode 7"},
		{"scene", with(`"scene": 0`, `"scene": 3`), "gltf: scene 3 of 1"},
		{"null scene", with(`{"nodes": [0]}`, `null`), "gltf: scene 0 is null"},
		{"node", with(`"nodes": [0]`, `"nodes": [7]`), "gltf: node 7 of 1"},
		{"null node", with(`{"mesh": 0, "name": "floor"}`, "null"), "gltf: node 0 is null"},
		{"cycle", with(`{"mesh": 0, "name": "floor"}`, `{"children": [1]}, {"children": [0]}`), "gltf: node 0 is its own ancestor"},
		{"depth", with(`{"mesh": 0, "name": "floor"}`, deep), "gltf: node 1000 is nested deeper than 1000 nodes"},
		{"negative child", with(`"name": "floor"`, `"children": [-1]`), "gltf: node -1 of 1"},
		{"no rotation", with(`"name": "floor"`, `"rotation": [0, 0, 0, 0]`), "gltf: node 0: rotation [0 0 0 0] is not a quaternion"},
		{"moved too far", with(`"name": "floor"`, `"scale": [1e308, 1, 1], "translation": [1e308, 0, 0]`), "gltf: node 0: vertex (1.000, 0.000, 0.000) is moved to (+Inf, 0.000, 0.000)"},
		{"mesh", with(`"mesh": 0`, `"mesh": 1`), "gltf: node 0: mesh 1 of 1"},
		{"null primitive", with(`{"attributes": {"POSITION": 0}, "indices": 1}`, "null"), "gltf: node 0: mesh 0, primitive 0 is null"},
		{"material", with(`"indices": 1`, `"indices": 1, "material": 0`), "gltf: node 0: mesh 0, primitive 0: material 0 of 0"},
		{"no positions", with("POSITION", "NORMAL"), "gltf: node 0: mesh 0, primitive 0: no POSITION"},
		{"accessor", with(`"indices": 1`, `"indices": 2`), "gltf: node 0: mesh 0, primitive 0: accessor 2 of 2"},
		{"null accessor", with(position, "null"), "gltf: node 0: mesh 0, primitive 0: accessor 0 is null"},
		{"positions of uint", with("5126", "5125"), "gltf: node 0: mesh 0, primitive 0: accessor 0: positions of component type UNSIGNED_INT"},
		{"positions are scalars", with("VEC3", "SCALAR"), "gltf: node 0: mesh 0, primitive 0: accessor 0: type SCALAR; want VEC3"},
		{"indices of float", with("5123", "5126"), "gltf: node 0: mesh 0, primitive 0: accessor 1: indices of component type FLOAT"},
		{"negative count", with(`"count": 4`, `"count": -4`), "gltf: node 0: mesh 0, primitive 0: accessor 0: count of -4"},
		{"count", with(`"count": 4`, `"count": 5`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer view 0: 5 elements of 12 bytes, stride 12, do not fit into 48 bytes"},
		{"huge count", with(`"count": 4`, `"count": 2000000000`), "gltf: node 0: mesh 0, primitive 0: accessor 0: with 2000000000 more elements, accessors have more than 12582912 in all"},
		{"many zeros", with(`{"bufferView": 0, "componentType": 5126, "count": 4,`, `{"componentType": 5126, "count": 2000000,`), "gltf: node 0: mesh 0, primitive 0: accessor 0: 2000000 elements without bytes"},
		{"offset of an accessor", with(`"bufferView": 0,`, `"bufferView": 0, "byteOffset": 49,`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer view 0: an accessor starts at byte 49 of 48"},
		{"negative offset", with(`"bufferView": 0,`, `"bufferView": 0, "byteOffset": -4,`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer view 0: an accessor starts at byte -4 of 48"},
		{"stride", with(`"byteLength": 48`, `"byteLength": 48, "byteStride": 8`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer view 0: stride of 8 bytes for elements of 12"},
		{"buffer view", with(`"bufferView": 0`, `"bufferView": 2`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer view 2 of 2"},
		{"length of a buffer view", with(`"byteLength": 12`, `"byteLength": 13`), "gltf: node 0: mesh 0, primitive 0: accessor 1: buffer view 1: 13 bytes at offset 48; the buffer has 60"},
		{"buffer", with(`"buffer": 0, "byteLength": 48`, `"buffer": 1, "byteLength": 48`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 1 of 1"},
		{"length of a buffer", with(`"byteLength": 60`, `"byteLength": 61`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: 61 bytes declared, 60 present"},
		{"negative length of a buffer", with(`"byteLength": 60`, `"byteLength": -60`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: length of -60 bytes"},
		{"no buffer", square, "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: neither a URI nor a binary chunk"},
		{"data URI that is not base64", with(`"byteLength": 60`, `"byteLength": 60, "uri": "data:text/plain,hello"`), `gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: data URI "data:text/plain" is not base64`},
		{"data URI that is broken", with(`"byteLength": 60`, `"byteLength": 60, "uri": "data:;base64,#"`), "gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: data URI: illegal base64 data at input byte 0"},
		{"buffer on the net", with(`"byteLength": 60`, `"byteLength": 60, "uri": "https://example.org/a.bin"`), `gltf: node 0: mesh 0, primitive 0: accessor 0: buffer 0: "https://example.org/a.bin" is not a file beside the level`},
		{"index", string(glb(square, append(slices.Clone(squareBin[:58]), 4, 0))), "gltf: node 0: mesh 0, primitive 0: index 5: vertex 4 of 4"},
		{"NaN", string(glb(square, nan)), "gltf: node 0: mesh 0, primitive 0: accessor 0: element 1 at (1.000, NaN, 0.000) is not finite"},
		{"sparse count", with(`"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 5, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}`), "gltf: node 0: mesh 0, primitive 0: accessor 0: sparse: 5 of 4 elements"},
		{"sparse values", with(`"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 2, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 1}}`), "gltf: node 0: mesh 0, primitive 0: accessor 0: sparse: buffer view 1: 2 elements of 12 bytes, stride 12, do not fit into 12 bytes"},
		{"sparse index", with(`"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 0, "byteOffset": 14, "componentType": 5123}, "values": {"bufferView": 0}}`), "gltf: node 0: mesh 0, primitive 0: accessor 0: sparse: element 16256 of 4"},
		{"sparse index type", with(`"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 0, "componentType": 5126}, "values": {"bufferView": 0}}`), "gltf: node 0: mesh 0, primitive 0: accessor 0: sparse: indices of component type FLOAT"},
		{"no triangle", with(`"indices": 1`, `"indices": 1, "mode": 0`), "gltf: no triangle in the scene"},
		{"empty scene", with(`"nodes": [0]`, `"nodes": []`), "gltf: no triangle in the scene"},
		{"instances that disagree", with(`"name": "floor"`, `"extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0, "SCALE": 2}}}`, `"type": "SCALAR"}`, `"type": "SCALAR"}, {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}`), "gltf: node 0: EXT_mesh_gpu_instancing: SCALE: 3 values for 4 instances"},
		{"instances that are not there", with(`"name": "floor"`, `"extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"ROTATION": 9}}}`), "gltf: node 0: EXT_mesh_gpu_instancing: ROTATION: accessor 9 of 2"},
		{"instances that are no object", with(`"name": "floor"`, `"extensions": {"EXT_mesh_gpu_instancing": 7}`), "gltf: node 0: EXT_mesh_gpu_instancing: the value is a JSON number; want an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(c.data), nil, "test.glb", level.Limits{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	broken := errors.New("broken disk")
	if _, err := Decode(iotest.ErrReader(broken), nil, "", level.Limits{}); !errors.Is(err, broken) {
		t.Errorf("error of the reader: %v", err)
	}
}

// TestLimits asks for more than a short file should be able to.
func TestLimits(t *testing.T) {
	text, bin := instanced(t)
	for _, c := range []struct {
		name, data string
		limit      int
		want       string
	}{
		{"instances", string(glb(text, bin)), 5, "more than 5 triangles"},
		{"one primitive", string(glb(square, squareBin)), 1, "more than 6 in all"},
	} {
		_, err := Decode(strings.NewReader(c.data), nil, "", level.Limits{Triangles: c.limit})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Markers make no triangles, but their corners are counted.
	marker := edit(t, square, `"floor"`, `"marker:a:b"`, `"nodes": [0]`, `"nodes": [`+strings.Repeat("0, ", 100)+`0]`)
	if _, err := Decode(bytes.NewReader(glb(marker, squareBin)), nil, "", level.Limits{Triangles: 10}); err == nil || !strings.Contains(err.Error(), "more than 60 in all") {
		t.Errorf("a marker a hundred times: %v", err)
	}
	// Every node shows the next node twice: 2³⁰ squares.
	var doubling strings.Builder
	for i := range 30 {
		fmt.Fprintf(&doubling, `{"children": [%d, %d]}, `, i+1, i+1)
	}
	text = edit(t, square, `{"mesh": 0, "name": "floor"}`, doubling.String()+`{"name": "empty"}`)
	if _, err := Decode(bytes.NewReader(glb(text, squareBin)), nil, "", level.Limits{}); err == nil || !strings.Contains(err.Error(), "more than 1048576 nodes") {
		t.Errorf("doubling nodes: %v", err)
	}
}

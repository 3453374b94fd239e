package gltf

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/obj"
)

// grid is a terrain of 2·n·n triangles with uneven heights on lattice multiples.
func grid(n int) *level.Level {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	lvl := &level.Level{Name: "grid"}
	for z := range n + 1 {
		for x := range n + 1 {
			lvl.Vertices = append(lvl.Vertices, geom.Vec{X: float64(x) / 2, Y: float64(rng.IntN(4096)) / 4096, Z: float64(z) / 2})
		}
	}
	for z := range n {
		for x := range n {
			i := uint32(z*(n+1) + x)
			j := i + uint32(n+1)
			lvl.Triangles = append(lvl.Triangles,
				level.Triangle{A: i, B: j, C: i + 1, Material: level.NoMaterial},
				level.Triangle{A: i + 1, B: j, C: j + 1, Material: level.NoMaterial})
		}
	}
	return lvl
}

// shape describes a level independently of vertex numbers: for each object, the triangles by place and
// material, in order.
type shape struct {
	Object   string
	Material int32
	Corners  [3]geom.Vec
}

func shapes(lvl *level.Level) []shape {
	var out []shape
	next := 0
	for i, t := range lvl.Triangles {
		for next < len(lvl.Objects) && lvl.Objects[next].First+lvl.Objects[next].Count <= i {
			next++
		}
		s := shape{Material: t.Material, Corners: [3]geom.Vec{lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]}}
		if next < len(lvl.Objects) && lvl.Objects[next].First <= i {
			s.Object = lvl.Objects[next].Name
		}
		out = append(out, s)
	}
	return out
}

func encode(t testing.TB, lvl *level.Level) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, lvl); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	lvl := grid(9)
	lvl.Materials = []level.Material{
		{Name: "stone wall", Texture: "tex/stone wall: 50%.png", Color: [4]float32{0.5, 0.25, 0.125, 1}, DoubleSided: true},
		{Name: "grass", Color: [4]float32{1, 1, 1, 0.5}},
		{Color: [4]float32{1, 1, 1, 1}},
	}
	for i := range lvl.Triangles {
		lvl.Triangles[i].Material = int32(i/20)%3 - 1
	}
	lvl.Objects = []level.Object{{Name: "north", First: 0, Count: 20}, {Name: "south wing", First: 60, Count: 60}, {Name: "empty", First: 120}, {Name: "last", First: 120, Count: 42}}
	lvl.Markers = []level.Marker{
		{Name: "front gate", Kind: "door", Hull: []geom.Vec{{X: 1}, {Y: 1.5}, {Z: -1}, {X: 1, Y: 1, Z: 3}, {X: 2}}},
		{Name: "here", Hull: []geom.Vec{{X: 3}}},
		{Name: "there", Hull: []geom.Vec{{X: 3}, {X: 4}}},
		{Name: "nowhere"},
	}
	for _, c := range []struct {
		name   string
		offset geom.Vec
	}{{"here", geom.Vec{}}, {"a million metres away", geom.Vec{X: 1e6, Y: -1e6, Z: 1e6}}} {
		t.Run(c.name, func(t *testing.T) {
			moved := *lvl
			moved.Vertices = nil
			for _, v := range lvl.Vertices {
				moved.Vertices = append(moved.Vertices, v.Add(c.offset))
			}
			moved.Markers = nil
			for _, m := range lvl.Markers {
				hull := []geom.Vec(nil)
				for _, v := range m.Hull {
					hull = append(hull, v.Add(c.offset))
				}
				moved.Markers = append(moved.Markers, level.Marker{Name: m.Name, Kind: m.Kind, Hull: hull})
			}
			files := fstest.MapFS{"tex/stone wall: 50%.png": {}}
			got, err := Decode(bytes.NewReader(encode(t, &moved)), files, "grid.glb", level.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Warnings) > 0 {
				t.Errorf("warnings %q", got.Warnings)
			}
			if diff := cmp.Diff(moved.Materials, got.Materials); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(moved.Markers[:3], got.Markers); diff != "" {
				t.Error(diff)
			}
			// Triangles outside of any object come back under the number of their node.
			back := shapes(got)
			for i := range back {
				if back[i].Object == "node 1" {
					back[i].Object = ""
				}
			}
			// Inside of an object, triangles are ordered by material.
			want := shapes(&moved)
			order := func(a []shape) map[shape]int {
				m := make(map[shape]int)
				for _, s := range a {
					m[s]++
				}
				return m
			}
			if diff := cmp.Diff(order(want), order(back)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOrder keeps the order of triangles where every object has one material.
func TestOrder(t *testing.T) {
	lvl := grid(5)
	got := decode(t, encode(t, lvl))
	if diff := cmp.Diff(shapes(lvl), func() []shape {
		s := shapes(got)
		for i := range s {
			s[i].Object = ""
		}
		return s
	}()); diff != "" {
		t.Error(diff)
	}
	if len(got.Vertices) != len(lvl.Vertices) {
		t.Errorf("%d vertices, want %d", len(got.Vertices), len(lvl.Vertices))
	}
}

// TestLibraryReads reads the output of Encode with the library.
func TestLibraryReads(t *testing.T) {
	var doc gltf.Document
	if err := gltf.NewDecoder(bytes.NewReader(encode(t, grid(3)))).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	a := doc.Accessors[0]
	if a.Count != 16 || a.Type != gltf.AccessorVec3 || len(a.Min) != 3 || a.Min[0] != -1 || a.Max[0] != 0.5 {
		t.Errorf("positions %+v", a)
	}
	if *doc.Scene != 0 || len(doc.Nodes) != 1 || doc.Nodes[0].Translation != [3]float64{1, 0, 1} && doc.Nodes[0].Translation != [3]float64{1, 1, 1} {
		t.Errorf("nodes %+v", doc.Nodes[0])
	}
}

func TestEncodeErrors(t *testing.T) {
	if err := Encode(io.Discard, &level.Level{}); err == nil {
		t.Error("a level without triangles was written")
	}
	far := grid(1)
	far.Vertices[0].X = 1e39
	if err := Encode(io.Discard, far); err == nil || !strings.Contains(err.Error(), "too far from the middle") {
		t.Errorf("too far: %v", err)
	}
	for _, o := range [][]level.Object{{{First: 0, Count: 3}}, {{First: 1, Count: 1}, {First: 0, Count: 1}}, {{First: 0, Count: -1}}, {{First: -1, Count: 1}}} {
		bad := grid(1)
		bad.Objects = o
		if err := Encode(io.Discard, bad); err == nil || !strings.Contains(err.Error(), "spans triangles") {
			t.Errorf("objects %v: %v", o, err)
		}
	}
	// The library drops errors of the writer in the middle of the file.
	full := errors.New("disk full")
	lvl := grid(200)
	for _, room := range []int{0, 100, 70_000, 500_000} {
		if err := Encode(&disk{room: room, err: full}, lvl); !errors.Is(err, full) {
			t.Errorf("disk with room for %d bytes: %v", room, err)
		}
	}
}

// disk is a writer that fails when full.
type disk struct {
	room int
	err  error
}

func (d *disk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, d.err
	}
	d.room -= len(p)
	return len(p), nil
}

// levels is the folder of real levels, or skips the test.
func levels(t testing.TB) fs.FS {
	return os.DirFS(filepath.Dir(reallevels.Path(t, "nav_test.obj")))
}

func TestRealLevels(t *testing.T) {
	dir := levels(t)
	for _, name := range []string{"nav_test.obj", "dungeon.obj", "undulating.obj", "oa_shouse.obj"} {
		t.Run(name, func(t *testing.T) {
			file, err := dir.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			lvl, err := obj.Decode(file, dir, name, level.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := decode(t, encode(t, lvl))
			want, back := shapes(lvl), shapes(got)
			if len(want) != len(back) {
				t.Fatalf("%d triangles, want %d", len(back), len(want))
			}
			for i := range want {
				for k, v := range want[i].Corners {
					// float32 relative to the middle of a level of some hundred metres
					if d := v.Distance(back[i].Corners[k]); d > 1e-4 {
						t.Fatalf("triangle %d: %v, want %v", i, back[i].Corners[k], v)
					}
				}
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range scenes(f) {
		f.Add(glb(s.text, s.bin))
	}
	f.Add([]byte(edit(f, square, `{"byteLength": 60}`, `{"byteLength": 60, "uri": "`+dataURIOf(squareBin)+`"}`)))
	f.Add([]byte(edit(f, square, `{"byteLength": 60}`, `{"byteLength": 60, "uri": "a.bin"}`)))
	lvl := grid(2)
	lvl.Materials = []level.Material{{Name: "m", Texture: "t.png", Color: [4]float32{1, 1, 1, 0.5}}}
	lvl.Markers = []level.Marker{{Name: "n", Kind: "k", Hull: []geom.Vec{{}, {X: 1}}}}
	f.Add(encode(f, lvl))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRobust(t, data)
	})
}

// FuzzScene changes the document and the buffer separately, so the container is always whole.
func FuzzScene(f *testing.F) {
	for _, s := range scenes(f) {
		f.Add(s.text, s.bin)
	}
	f.Fuzz(func(t *testing.T, text string, bin []byte) { checkRobust(t, glb(text, bin)) })
}

type scene struct {
	text string
	bin  []byte
}

// scenes are documents that together use all supported features.
func scenes(t testing.TB) []scene {
	text, bin := instanced(t)
	sparse := edit(t, square, `"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 1, "byteOffset": 2, "componentType": 5123}, "values": {"bufferView": 0, "byteOffset": 12}}`)
	strided := edit(t, square, `"bufferView": 0,`, `"bufferView": 0, "byteOffset": 0, "normalized": false,`, `"byteLength": 48}`, `"byteLength": 48, "byteStride": 12}`)
	tree := edit(t, square, `{"mesh": 0, "name": "floor"}`, `{"children": [1, 2], "translation": [1, 2, 3]}, {"mesh": 0, "rotation": [0, 1, 0, 1], "scale": [1, -1, 1]}, {"mesh": 0, "matrix": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], "extras": {"meadow_marker": "door"}}`)
	modes := edit(t, square, `{"attributes": {"POSITION": 0}, "indices": 1}`, `{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5, "material": 0}, {"attributes": {"POSITION": 0}, "mode": 6}`,
		`"buffers"`, `"materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}], "images": [{"uri": "a.png"}], "buffers"`)
	return []scene{{square, squareBin}, {text, bin}, {sparse, squareBin}, {strided, squareBin}, {tree, squareBin}, {modes, squareBin}}
}

// checkRobust decodes any data: the result is an error of this package, or a valid level within the limits
// that survives writing and reading.
func checkRobust(t *testing.T, data []byte) {
	t.Helper()
	const limit = 10_000
	files := fstest.MapFS{"a.bin": {Data: squareBin}}
	got, err := Decode(bytes.NewReader(data), files, "a.glb", level.Limits{Triangles: limit})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "gltf: ") {
			t.Fatalf("error %q", err)
		}
		return
	}
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(got.Triangles) > limit || len(got.Vertices) > 3*limit {
		t.Fatalf("%d triangles, %d vertices", len(got.Triangles), len(got.Vertices))
	}
	var b bytes.Buffer
	if err := Encode(&b, got); err != nil {
		return // coordinates beyond float32
	}
	again, err := Decode(&b, files, "a.glb", level.Limits{})
	if err != nil || len(again.Triangles) != len(got.Triangles) {
		t.Fatalf("written and read again: %v", err)
	}
}

// TestHostileNumbers replaces one or two numbers of good documents by bad ones.
func TestHostileNumbers(t *testing.T) {
	hostile := []string{
		"-1", "0", "1", "2", "3", "4", "5", "7", "59", "61", "255", "65535", "2147483647", "-2147483648", "4294967295", "9223372036854775807",
		"-9223372036854775808", "1e300", "-1e300", "0.5", "null", "[]", "{}", `"a"`, "true",
	}
	number := regexp.MustCompile(`-?[0-9.]+`)
	rng := rand.New(rand.NewPCG(5, 5))
	for _, s := range scenes(t) {
		decode(t, glb(s.text, s.bin))
		places := number.FindAllStringIndex(s.text, -1)
		swap := func(text string, place []int) string {
			return text[:place[0]] + hostile[rng.IntN(len(hostile))] + text[place[1]:]
		}
		for range 800 {
			i := rng.IntN(len(places))
			text := swap(s.text, places[i])
			if i > 0 && rng.IntN(2) == 0 {
				text = swap(text, places[rng.IntN(i)]) // before the first, whose change moved everything behind
			}
			checkRobust(t, glb(text, s.bin))
		}
	}
}

// BenchmarkDecode loads a million triangles.
func BenchmarkDecode(b *testing.B) {
	lvl := grid(708)
	file := encode(b, lvl)
	// The same without shared vertices: three positions for each triangle and no indices.
	soup := &level.Level{Name: "soup"}
	for _, t := range lvl.Triangles {
		n := uint32(len(soup.Vertices))
		soup.Vertices = append(soup.Vertices, lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C])
		soup.Triangles = append(soup.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial})
	}
	for _, c := range []struct {
		name string
		data []byte
	}{{"shared vertices", file}, {"soup", encode(b, soup)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				got, err := Decode(bytes.NewReader(c.data), nil, "grid.glb", level.Limits{})
				if err != nil || len(got.Triangles) != len(lvl.Triangles) {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(lvl.Triangles)), "triangles")
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	lvl := grid(200)
	for b.Loop() {
		if err := Encode(io.Discard, lvl); err != nil {
			b.Fatal(err)
		}
	}
	if math.IsNaN(lvl.Vertices[0].X) {
		b.Fatal("the level was changed")
	}
}

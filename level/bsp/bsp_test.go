package bsp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// read decodes a builder's file.
func read(t testing.TB, b *builder, opt Options) *level.Level {
	t.Helper()
	lvl, err := Decode(bytes.NewReader(b.encode()), "maps/room.bsp", opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := lvl.Validate(); err != nil {
		t.Fatal(err)
	}
	return lvl
}

// area sums the triangles of a material that face along n.
func area(lvl *level.Level, material string, n geom.Vec) float64 {
	sum := 0.0
	for _, t := range lvl.Triangles {
		a, b, c := lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]
		cross := b.Sub(a).Cross(c.Sub(a))
		if lvl.Materials[t.Material].Name == material && cross.Unit().Distance(n) < 1e-3 {
			sum += cross.Norm() / 2
		}
	}
	return sum
}

// TestRoomFile keeps the room file of other packages' tests equal to the builder's room.
func TestRoomFile(t *testing.T) {
	got, err := os.ReadFile("testdata/room.bsp")
	if err != nil {
		t.Fatal(err)
	}
	if want := room().encode(); !bytes.Equal(got, want) {
		t.Errorf("testdata/room.bsp has %d bytes, the room %d", len(got), len(want))
	}
}

func TestRoom(t *testing.T) {
	for _, version := range []uint32{46, 47} {
		b := room()
		b.version = version
		lvl := read(t, b, Options{})
		if lvl.Name != "room" || len(lvl.Warnings) > 0 {
			t.Errorf("name %q, warnings %q", lvl.Name, lvl.Warnings)
		}
		const stone, clip = "textures/hall/stone", "textures/common/clip"
		var materials []string
		for _, m := range lvl.Materials {
			materials = append(materials, m.Name)
		}
		if diff := cmp.Diff([]string{stone, clip, "textures/hall/rungs"}, materials); diff != "" {
			t.Error(diff)
		}
		// The floor inside the hull and the top of the box on it; nothing outside, and no lid below the bevels of
		// the ramp.
		for _, c := range []struct {
			material string
			normal   geom.Vec
			want     float64
		}{
			{stone, geom.Vec{Z: 1}, 544*544 + 32*32},
			{stone, geom.Vec{X: -1, Z: 2}.Unit(), 64 * math.Hypot(128, 64)},
			{stone, geom.Vec{X: 1}, 544*256 + 64*64 + 32*32},
			{stone, geom.Vec{X: 1, Z: 1}.Unit(), 0},
			{clip, geom.Vec{Z: 1}, 32 * 32},
			{clip, geom.Vec{Z: -1}, 0}, // on the floor
			{clip, geom.Vec{X: -1}, 0}, // at the wall
		} {
			if got := area(lvl, c.material, c.normal); math.Abs(got-c.want) > 1e-6*c.want {
				t.Errorf("area of %s along %v is %g, want %g", c.material, c.normal, got, c.want)
			}
		}
		want := []level.Marker{
			{Kind: "ladder", Hull: nil},
			{Kind: "water", Hull: nil},
			{Kind: level.KindStart, Hull: []geom.Vec{{X: 64, Y: 64, Z: 24}}},
			{Kind: "door", Name: "gate", Hull: nil},
			{Kind: "teleporter", Name: "away", Hull: nil},
		}
		spans := []geom.Box{
			{Min: geom.Vec{X: 480, Y: 240}, Max: geom.Vec{X: 512, Y: 272, Z: 128}},
			{Min: geom.Vec{X: 256, Y: 256}, Max: geom.Vec{X: 320, Y: 320, Z: 8}},
			{},
			{Min: geom.Vec{X: 448}, Max: geom.Vec{X: 512, Y: 16, Z: 96}},
			{Max: geom.Vec{X: 32, Y: 32, Z: 64}},
		}
		if len(lvl.Markers) != len(want) {
			t.Fatalf("markers %+v", lvl.Markers)
		}
		for i, m := range lvl.Markers {
			if want[i].Hull == nil {
				around := geom.EmptyBox()
				for _, v := range m.Hull {
					around = around.Extend(v)
				}
				if len(m.Hull) != 8 || around != spans[i] {
					t.Errorf("marker %d is %v, want %v", i, m.Hull, spans[i])
				}
				m.Hull = nil
			}
			if diff := cmp.Diff(want[i], m); diff != "" {
				t.Errorf("marker %d: %s", i, diff)
			}
		}
		if len(lvl.Objects) != 3 || lvl.Objects[0].Name != "worldspawn" || lvl.Objects[1].Name != "worldspawn surfaces" || lvl.Objects[2].Name != "func_static 2" {
			t.Errorf("objects %+v", lvl.Objects)
		}
		// Solids are whole, even with hidden faces: eight brushes of six planes, the ramp without its bevels and
		// its back side, and the moved brush.
		if len(lvl.Solids) != 10 {
			t.Fatalf("%d solids", len(lvl.Solids))
		}
		if n := len(lvl.Solids[6].Planes); n != 5 {
			t.Errorf("the ramp has %d planes: %+v", n, lvl.Solids[6].Planes)
		}
		if p := lvl.Solids[9].Planes[0]; p != (level.Plane{Normal: geom.Vec{X: -1}, Offset: -368, Material: 0}) {
			t.Errorf("the first plane of the box that was moved is %+v", p)
		}
	}
}

func TestOptions(t *testing.T) {
	const clip, glow = "textures/common/clip", "textures/hall/glow"
	up := geom.Vec{Z: 1}
	lvl := read(t, room(), Options{NoClip: true})
	if got := area(lvl, clip, up); got != 0 || len(lvl.Solids) != 9 {
		t.Errorf("without clip brushes: area %g, %d solids", got, len(lvl.Solids))
	}
	lvl = read(t, room(), Options{Hidden: true})
	if got, want := area(lvl, "textures/hall/stone", up.Scale(-1)), 2*544.0*544+2*512*16+2*544*16+128*64+32*32; math.Abs(got-want) > 1e-3 {
		t.Errorf("with hidden faces: %g look down, want %g", got, want)
	}
	lvl = read(t, room(), Options{Surfaces: Drawn})
	if got := area(lvl, glow, up); got != 100*100 {
		t.Errorf("drawn: %g of the square above the floor", got)
	}
	if got := area(lvl, clip, up); got != 32*32 {
		t.Errorf("drawn: %g of the clip brush", got)
	}
	if got := area(lvl, "textures/hall/stone", up); got != 0 {
		t.Errorf("drawn: %g of a floor that is not drawn", got)
	}
	coarse, fine := read(t, room(), Options{PatchTolerance: 8}), read(t, room(), Options{PatchTolerance: 0.1})
	if c, f := coarse.Objects[1].Count, fine.Objects[1].Count; c >= f {
		t.Errorf("%d triangles of a patch at 8 units, %d at 0.1", c, f)
	}
}

// TestWithoutTree reads levels with an empty tree: every face counts.
func TestWithoutTree(t *testing.T) {
	want := len(read(t, room(), Options{Hidden: true}).Triangles)
	for name, change := range map[string]func(b *builder){
		"no nodes":    func(b *builder) { b.nodes = nil },
		"no clusters": func(b *builder) { b.clusters = []int32{-1, -1} },
	} {
		b := room()
		change(b)
		if got := len(read(t, b, Options{}).Triangles); got != want {
			t.Errorf("%s: %d triangles, want %d", name, got, want)
		}
	}
}

// TestTreeBudget walks a tree with 2⁴⁰ paths.
func TestTreeBudget(t *testing.T) {
	b := room()
	b.nodes = nil
	for i := range 40 {
		next := i + 1
		if i == 39 {
			next = -1
		}
		b.nodes = append(b.nodes, node{b.plane(through(geom.Vec{X: 1, Y: float64(i) / 40}, geom.Vec{X: 256, Y: 256})), [2]int{next, next}})
	}
	d := decoder{}
	if err := d.parse(b.encode()); err != nil {
		t.Fatal(err)
	}
	d.tree = tree{file: &d.file, budget: 1000}
	if !d.tree.meets([]geom.Vec{{}, {X: 512}, {X: 512, Y: 512}, {Y: 512}}, plane{geom.Vec{Z: 1}, 0}) || !d.tree.spent() {
		t.Errorf("a budget of %d is left", d.tree.budget)
	}
}

// TestTreeDepth cuts a thin strip off a face at each of many nodes; the walk visits all of them.
func TestTreeDepth(t *testing.T) {
	const strips = 3 * maxDepth
	b := room()
	b.nodes, b.clusters = nil, []int32{-1}
	for i := range strips {
		next := i + 1
		if i == strips-1 {
			next = -1
		}
		b.nodes = append(b.nodes, node{b.plane(plane{geom.Vec{X: 1}, 0.1 * float64(i+1)}), [2]int{next, -1}})
	}
	d := decoder{}
	if err := d.parse(b.encode()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		width float64
		meets bool
	}{{0.05 * maxDepth, false}, {0.2 * maxDepth, true}} {
		d.tree = tree{file: &d.file, budget: maxVisits}
		got := d.tree.meets([]geom.Vec{{}, {X: c.width}, {X: c.width, Y: 512}, {Y: 512}}, plane{geom.Vec{Z: 1}, 0})
		if got != c.meets || d.tree.spent() != c.meets || d.tree.depth != 0 {
			t.Errorf("width %g: met %v, spent %v, depth %d", c.width, got, d.tree.spent(), d.tree.depth)
		}
	}
}

func TestWarnings(t *testing.T) {
	b := room()
	b.entities = `{"classname" "func_static" "model" "*9"} {"classname" "func_static" "model" "*x"} {"classname" "func_static" "model" "*0"}
		{"classname" "func_static" "model" "*2"} {"classname" "func_door" "model" "*2"} {"classname" "func_door" "model" "*1"}`
	b.models[1].max.X = math.Inf(1)
	flat := box(0, 0, 0, 8, 8, 8)
	flat[5].offset = 0
	b.brush(0, flat...)
	b.models = b.models[:3]
	b.finish(geom.Vec{}, geom.Vec{})
	b.entities += `{"classname" "func_static" "model" "*3"}`
	want := []string{
		"bsp: entity 0, func_static: model \"*9\" of 4; left out",
		"bsp: entity 1, func_static: model \"*x\" of 4; left out",
		"bsp: entity 2, func_static: model \"*0\" of 4; left out",
		"bsp: entity 4, func_door: model 2 belongs to another entity; left out",
		"bsp: entity 5, func_door: model 1 has no box; left out",
		"bsp: 1 brushes are empty or unbounded; left out",
	}
	if diff := cmp.Diff(want, read(t, b, Options{}).Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	file := room().encode()
	changed := func(change func(b *builder)) []byte {
		b := room()
		change(b)
		return b.encode()
	}
	patched := func(at int, v uint32) []byte {
		data := slices.Clone(file)
		binary.LittleEndian.PutUint32(data[at:], v)
		return data
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, `bsp: invalid header ""; want "IBSP"`},
		{"another file", []byte("RBSP and more"), `bsp: invalid header "RBSP"; want "IBSP"`},
		{"only a start", file[:100], "bsp: the file has 100 bytes; the directory ends at 144"},
		{"Quake 2", patched(4, 38), "bsp: unsupported version 38; supported: 46, 47"},
		{"a lump outside", patched(8+8*lumpSides, math.MaxUint32), "bsp: lump 9, brush sides: 640 bytes at offset 4294967295; the file has"},
		{"a lump too long", patched(12+8*lumpFaces, math.MaxUint32), "bsp: lump 13, faces: 4294967295 bytes at offset"},
		{"half an element", patched(12+8*lumpPlanes, 17), "bsp: lump 2, planes, at offset"},
		{"no normal", changed(func(b *builder) { b.planes[3].normal = geom.Vec{} }), "bsp: lump 2, planes, element 3 at offset "},
		{"NaN offset", changed(func(b *builder) { b.planes[3].offset = math.NaN() }), "invalid plane: normal (0.000, 1.000, 0.000), offset NaN"},
		{"node's plane", changed(func(b *builder) { b.nodes[2].plane = 999 }), "lump 3, nodes, element 2 at offset "},
		{"node's leaf", changed(func(b *builder) { b.nodes[5].children[1] = -3 }), "leaf 2 of 2"},
		{"a circle of nodes", changed(func(b *builder) { b.nodes[5].children[0] = 0 }), "child 0, must be from 6 to 5"},
		{"the least child", changed(func(b *builder) { b.nodes[5].children[0] = math.MinInt32 }), "leaf 2147483647 of 2"},
		{"side's plane", changed(func(b *builder) { b.sides[1].plane = -1 }), "plane -1 of"},
		{"side's texture", changed(func(b *builder) { b.sides[1].texture = 6 }), "texture 6 of 6"},
		{"brush's sides", changed(func(b *builder) { b.brushes[12].firstSide = 77 }), "lump 8, brushes, element 12 at offset "},
		{"negative sides", changed(func(b *builder) { b.brushes[0].sides = -1 }), "-1 sides from 0 on"},
		{"shared sides", changed(func(b *builder) { b.brushes[9].firstSide, b.brushes[9].sides = 0, 60 }), "brushes use "},
		{"brush's texture", changed(func(b *builder) { b.brushes[0].texture = 6 }), "texture 6 of 6"},
		{"many sides", changed(func(b *builder) {
			b.brush(0, make([]plane, 300)...)
			copy(b.planes[len(b.planes)-300:], slices.Repeat(box(0, 0, 0, 1, 1, 1), 50))
		}), "300 sides; the limit is 256"},
		{"far vertex", changed(func(b *builder) { b.vertices[4].position.Y = 1e9 }), "is outside of the world"},
		{"NaN vertex", changed(func(b *builder) { b.vertices[4].position.Y = math.NaN() }), "lump 10, vertices, element 4 at offset "},
		{"patch of 2×3", changed(func(b *builder) { b.faces[0].width = 2 }), "a patch of 2×3 in 9 vertices"},
		{"patch of other size", changed(func(b *builder) { b.faces[0].width = 5 }), "a patch of 5×3 in 9 vertices"},
		{"negative patch", changed(func(b *builder) { b.faces[0].width, b.faces[0].height = -3, -3 }), "a patch of -3×-3 in 9 vertices"},
		{"patch's vertices", changed(func(b *builder) { b.faces[0].firstVertex = 20 }), "9 vertices from 20 on; the file has 22"},
		{"face's indices", changed(func(b *builder) { b.faces[2].indices = 7 }), "7 mesh vertices from 0 on; the file has 6"},
		{"face's index", changed(func(b *builder) { b.indices[2] = 4 }), "vertex 4 of 4"},
		{"face's texture", changed(func(b *builder) { b.faces[2].texture = -1 }), "texture -1 of 6"},
		{"model's brushes", changed(func(b *builder) { b.models[3].brushes++ }), "lump 7, models, element 3 at offset "},
		{"model's faces", changed(func(b *builder) { b.models[3].firstFace = math.MaxInt32 }), "0 faces from 2147483647 on; the file has 4"},
		{"shared brushes", changed(func(b *builder) { b.models[2].firstBrush, b.models[2].brushes = 0, 10 }), "models use"},
		{"entities", changed(func(b *builder) { b.entities = "{ \"classname\" }" }), `bsp: entities at offset 144: character 14: entity 0: "}"; want a quoted value`},
		{"nothing solid", changed(func(b *builder) { b.textures[0].contents, b.textures[1].contents, b.textures[3].contents = 0, 0, 0 }), "bsp: no surface in the file stops a player"},
		{"nothing at all", (&builder{}).encode(), "bsp: no surface in the file stops a player"},
	} {
		lvl, err := Decode(bytes.NewReader(c.data), "a.bsp", Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "bsp: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %s", c.name, lvl != nil, err, c.want)
		}
	}
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{PatchTolerance: -1}, "bsp: patch tolerance of -1, must be above 0"},
		{Options{PatchTolerance: math.NaN()}, "bsp: patch tolerance of NaN, must be above 0"},
		{Options{PatchTolerance: math.Inf(1)}, "bsp: patch tolerance of +Inf, must be above 0"},
		{Options{Surfaces: 2}, "bsp: unknown surfaces 2"},
	} {
		if _, err := Decode(bytes.NewReader(file), "a.bsp", c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	broken := errors.New("broken")
	if _, err := Decode(iotest.ErrReader(broken), "a.bsp", Options{}); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// TestEveryTruncation cuts the file at every byte.
func TestEveryTruncation(t *testing.T) {
	file := room().encode()
	for n := range len(file) {
		if lvl, err := Decode(bytes.NewReader(file[:n]), "a.bsp", Options{}); err == nil {
			t.Fatalf("%d of %d bytes are read as %d triangles", n, len(file), len(lvl.Triangles))
		}
	}
}

// blocks makes a floor of n×n boxes of several heights.
func blocks(n int) *builder {
	b := &builder{entities: `{"classname" "worldspawn"}`}
	stone := b.texture("stone", 0, contentsSolid)
	for y := range n {
		for x := range n {
			b.brush(stone, box(float64(64*x), float64(64*y), -16, float64(64*x+64), float64(64*y+64), float64((x*7+y*13)%5*16))...)
		}
	}
	b.finish(geom.Vec{}, geom.Vec{X: float64(64 * n), Y: float64(64 * n), Z: 64})
	return b
}

// decodeAny reads data and fails unless the level is valid or the error of one line.
func decodeAny(t *testing.T, data []byte, bits uint8) {
	opt := Options{PatchTolerance: 4, Surfaces: Surfaces(bits & 1), NoClip: bits&2 != 0, Hidden: bits&4 != 0}
	lvl, err := Decode(bytes.NewReader(data), "a.bsp", opt)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "bsp: ") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("error %q", err)
		}
		return
	}
	if err := lvl.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, m := range lvl.Markers {
		for _, v := range m.Hull {
			if !v.IsFinite() {
				t.Fatalf("marker %q has a corner at %v", m.Name, v)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(room().encode(), uint8(0))
	f.Add(blocks(2).encode(), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, bits uint8) { decodeAny(t, data, bits) })
}

// FuzzEdits changes words of a whole file: three bytes for the place, in words, and four for the new word.
// Most of its files are read further than those of FuzzDecode.
func FuzzEdits(f *testing.F) {
	file := room().encode()
	words := len(file) / 4
	f.Add([]byte{36, 0, 0, 1, 0, 0, 0}, uint8(0))
	f.Add([]byte{1, 4, 0, 0, 0, 0x80, 0x3f, 2, 3, 0, 0, 0, 0x80, 0xbf}, uint8(4))
	f.Fuzz(func(t *testing.T, edits []byte, bits uint8) {
		data := slices.Clone(file)
		for ; len(edits) >= 7; edits = edits[7:] {
			at := int(edits[0]) | int(edits[1])<<8 | int(edits[2])<<16
			copy(data[at%words*4:], edits[3:7])
		}
		decodeAny(t, data, bits)
	})
}

// TestRandomEdits makes random edits with critical numbers for a limited time, FuzzEdits without end.
func TestRandomEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	file := room().encode()
	special := []uint32{0, 1, 2, math.MaxUint32, math.MaxUint32 - 1, math.MaxInt32, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x47800000}
	read := 0
	for range 1500 {
		data := slices.Clone(file)
		for range 1 + rng.IntN(3) {
			v := special[rng.IntN(len(special))]
			if rng.IntN(2) == 0 {
				v = rng.Uint32N(1024)
			}
			binary.LittleEndian.PutUint32(data[4*rng.IntN(len(data)/4):], v)
		}
		decodeAny(t, data, uint8(rng.Uint32()))
		if _, err := decode(data, "", Options{PatchTolerance: 16}); err == nil {
			read++
		}
	}
	if read < 150 || read > 1350 {
		t.Errorf("%d of 1500 are read: the edits do not reach what they should", read)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{16, 32, 64} {
		data := blocks(n).encode()
		b.Run(fmt.Sprintf("%d brushes", n*n), func(b *testing.B) {
			for b.Loop() {
				lvl, err := Decode(bytes.NewReader(data), "a.bsp", Options{})
				if err != nil || len(lvl.Triangles) != 12*n*n {
					b.Fatal(lvl, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/brush")
		})
	}
}

package ply

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

const (
	position = "property float x\nproperty float y\nproperty float z\n"
	list     = "property list uchar int vertex_indices\n"
)

// ascii is a file with four vertices of a square and the given faces.
func ascii(faces ...string) string {
	return fmt.Sprintf("ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\n%selement face %d\n%send_header\n", position, len(faces), list) +
		"0 0 0\n1 0 0\n1 0 -1\n0 0 -1\n" + strings.Join(faces, "\n") + "\n"
}

// pack is a binary body: values in the given order of bytes.
func pack(order binary.ByteOrder, values ...any) string {
	var b []byte
	for _, v := range values {
		b, _ = binary.Append(b, order, v)
	}
	return string(b)
}

func decode(t testing.TB, data string) *level.Level {
	t.Helper()
	lvl, err := Decode(strings.NewReader(data), "dir/test.ply", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := lvl.Validate(); err != nil {
		t.Fatal(err)
	}
	return lvl
}

func TestDecode(t *testing.T) {
	want := &level.Level{
		Name:     "test",
		Vertices: []geom.Vec{{}, {X: 1}, {X: 1, Z: -1}, {Z: -1}},
		Triangles: []level.Triangle{
			{A: 0, B: 1, C: 2, Material: level.NoMaterial},
			{A: 0, B: 2, C: 3, Material: level.NoMaterial},
		},
	}
	quad := ascii("4 0 1 2 3")
	mixed := func(format string) string {
		return "ply\nformat " + format + " 1.0\nobj_info x\n" +
			"element camera 2\nproperty double fov\nproperty list ushort short path\n" +
			"element face 2\nproperty uchar red\nproperty list uint8 uint16 vertex_index\nproperty list char float texcoord\n" +
			"element light 3\nproperty int32 id\nproperty float32 power\n" +
			"element nothing 1000000000\n" +
			"element vertex 4\nproperty uchar flag\nproperty int z\nproperty list uchar uchar tags\nproperty double x\nproperty char y\n" +
			"end_header\n"
	}
	body := func(order binary.ByteOrder) string {
		return pack(order,
			1.5, uint16(2), int16(-1), int16(7), 2.5, uint16(0),
			uint8(255), uint8(3), uint16(0), uint16(1), uint16(2), int8(2), float32(0), float32(1),
			uint8(255), uint8(3), uint16(0), uint16(2), uint16(3), int8(0),
			int32(1), float32(1), int32(2), float32(1), int32(3), float32(1),
			uint8(1), int32(0), uint8(0), 0.0, int8(0),
			uint8(1), int32(0), uint8(2), uint8(1), uint8(2), 1.0, int8(0),
			uint8(1), int32(-1), uint8(0), 1.0, int8(0),
			uint8(1), int32(-1), uint8(0), 0.0, int8(0),
		)
	}
	for _, c := range []struct{ name, data string }{
		{"ascii", quad},
		{"ascii triangles", ascii("3 0 1 2", "3 0 2 3")},
		{"ascii, CRLF", strings.ReplaceAll(quad, "\n", "\r\n")},
		{"ascii, CR", strings.ReplaceAll(quad, "\n", "\r")},
		{"ascii, no end of the last line", strings.TrimSpace(quad)},
		{"ascii, two records on a line", strings.ReplaceAll(quad, "0 0 0\n1 0 0\n", "0 0 0 1 0 0 ")},
		{"ascii mixed", mixed("ascii") + "1.5 2 -1 7\n2.5 0\n255 3 0 1 2 2 0 1\n255 3 0 2 3 0\n1 1\n2 1\n3 1\n1 0 0 0 0\n1 0 2 1 2 1.0 0\n1 -1 0 1e0 0\n1 -1 0 0 0\n"},
		{"little-endian mixed", mixed("binary_little_endian") + body(binary.LittleEndian)},
		{"big-endian mixed", mixed("binary_big_endian") + body(binary.BigEndian)},
		{"strip", strings.NewReplacer("element face 1", "element tristrips 1", "4 0 1 2 3", "8 0 1 2 -1 0 2 3 -1").Replace(quad)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decode(t, c.data)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStripTurns checks that every other triangle of a strip is turned over.
// TestVertexColors reads the colours of vertices, whatever their type, and no others.
func TestVertexColors(t *testing.T) {
	half := float32(level.Linear(0.5))
	for _, c := range []struct {
		properties, values string
		want               [4]float32
	}{
		{"property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n", "255 0 51 7", [4]float32{1, 0, float32(level.Linear(0.2)), 1}},
		{"property float b\nproperty float g\nproperty float r\n", "0.5 2 nan", [4]float32{0, 1, half, 1}},
		{"property ushort diffuse_red\nproperty ushort diffuse_green\nproperty ushort diffuse_blue\n", "65535 0 65535", [4]float32{1, 0, 1, 1}},
		{"property uchar red\nproperty uchar green\n", "1 2", [4]float32{}},
		{"property int red\nproperty uchar green\nproperty uchar blue\n", "1 2 3", [4]float32{}},
	} {
		text := strings.Replace(ascii("3 0 1 2"), position, position+c.properties, 1)
		for _, v := range []string{"0 0 0", "1 0 0", "1 0 -1", "0 0 -1"} {
			text = strings.Replace(text, "\n"+v+"\n", "\n"+v+" "+c.values+"\n", 1)
		}
		got := decode(t, text).Colors
		if c.want == ([4]float32{}) {
			if got != nil {
				t.Errorf("%q: got %v", c.properties, got)
			}
			continue
		}
		if len(got) != 4 || got[0] != c.want || got[3] != c.want {
			t.Errorf("%q: got %v, want %v", c.properties, got, c.want)
		}
	}
}

func TestStripTurns(t *testing.T) {
	lvl := decode(t, strings.NewReplacer("element face 1", "element tristrips 1", "4 0", "4 1 2 0 3").Replace(ascii("4 0")))
	want := []level.Triangle{{A: 1, B: 2, C: 0, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}}
	if diff := cmp.Diff(want, lvl.Triangles); diff != "" {
		t.Error(diff)
	}
}

func TestWarnings(t *testing.T) {
	lvl := decode(t, ascii("3 0 1 2", "2 0 1", "0", "4 0 1 1 2", "3 1 1 1"))
	if diff := cmp.Diff([]string{"ply: 2 faces of less than three corners left out"}, lvl.Warnings); diff != "" {
		t.Error(diff)
	}
	if len(lvl.Triangles) != 4 {
		t.Errorf("%d triangles: those without area are kept", len(lvl.Triangles))
	}
	crossed := strings.Replace(ascii("4 0 1 2 3"), "0 0 0\n1 0 0\n1 0 -1\n0 0 -1", "0 0 0\n4 0 0\n1 0 -3\n3 0 -4", 1)
	if diff := cmp.Diff([]string{"ply: face 0: its 4 corners cross, its triangles may overlap"}, decode(t, crossed).Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestStrayLine reads a header with a comment without its word.
func TestStrayLine(t *testing.T) {
	lvl := decode(t, strings.Replace(ascii("3 0 1 2"), "comment", "Created by", 1))
	if len(lvl.Triangles) != 1 || len(lvl.Warnings) != 1 || lvl.Warnings[0] != "ply: line 3: taken for a comment" {
		t.Errorf("%d triangles, %q", len(lvl.Triangles), lvl.Warnings)
	}
}

func TestErrors(t *testing.T) {
	quad := ascii("4 0 1 2 3")
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(quad) }
	binaryHead := func(vertices, faces string) string {
		return "ply\nformat binary_little_endian 1.0\nelement vertex " + vertices + "\n" + position + "element face " + faces + "\n" + list + "end_header\n"
	}
	one := pack(binary.LittleEndian, [3]float32{})
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "ply: the file is empty"},
		{"garbage", "\x00\xff\n", `ply: line 1: "\x00\xff" instead of ply`},
		{"no end", "ply\nformat ascii 1.0\n", "ply: line 3: the header does not end"},
		{"no format", "ply\nend_header\n", "ply: line 2: the header has no format"},
		{"format", edit("ascii 1.0", "ascii 2.0"), `ply: line 2: format "ascii 2.0", only version 1.0 is known`},
		{"format name", edit("ascii", "base64"), `ply: line 2: format "base64" is not known`},
		{"keyword", edit("element face", "elements face"), `ply: line 8: "elements" is not a keyword of the header`},
		{"negative count", edit("vertex 4", "vertex -4"), `ply: line 4: count "-4" of element vertex`},
		{"element without count", edit("vertex 4", "vertex"), "ply: line 4: element without a name and a count"},
		{"element twice", edit("element face 1", "element vertex 1"), "ply: line 8: element vertex twice"},
		{"property first", edit("element vertex 4\n", ""), "ply: line 4: property before any element"},
		{"short property", edit("float y", "y"), "ply: line 6: property without a type and a name"},
		{"type", edit("float y", "half y"), `ply: line 6: property y has the unknown type "half"`},
		{"list type", edit("uchar int", "uchar half"), `ply: line 9: property vertex_indices has the unknown type "half"`},
		{"list count type", edit("uchar int", "float int"), `ply: line 9: list vertex_indices has a count of type "float"`},
		{"no z", edit("property float z\n", ""), "ply: vertices without property z"},
		{"y is a list", edit("property float y", "property list uchar int y"), "ply: property y of the vertices is a list"},
		{"no indices", edit("vertex_indices", "corners"), "ply: element face without vertex_indices"},
		{"indices are floats", edit("uchar int", "uchar float"), "ply: vertex_indices of element face is not a list of integers"},
		{"no vertices", edit("element vertex", "element point"), "ply: no vertex element in the header"},
		{"no faces", edit("element face", "element edge"), "ply: no face element in the header: points alone have no surface"},
		{"no face", ascii(), "ply: no face in the file"},
		{"only points", ascii("1 0"), "ply: no face in the file"},
		{"huge count", edit("vertex 4", "vertex 2000000000"), "ply: 2000000000 records of element vertex announced, 36 bytes cannot hold them"},
		{"huge count in binary", binaryHead("2", "1") + one, "ply: 2 records of element vertex announced, 12 bytes cannot hold them"},
		{"truncated", edit("4 0 1 2 3\n", "4 0 1"), "ply: face 0: vertex_indices: the file ends too early"},
		{"truncated binary", binaryHead("1", "1") + one + "\x03\x00", "ply: face 0: vertex_indices: the file ends too early"},
		{"huge list", binaryHead("1", "1") + one + "\xff", "ply: face 0: vertex_indices: the file ends too early"},
		{"index", ascii("3 0 1 2", "3 0 1 4"), "ply: face 1: vertex 4 of 4"},
		{"negative index", ascii("3 0 1 -1"), "ply: face 0: vertex_indices: vertex -1: indices start at 0"},
		{"strip index", strings.Replace(ascii("4 0 1 2 4"), "face", "tristrips", 1), "ply: strip: vertex 4 of 4"},
		{"negative list", edit("uchar int", "char int", "4 0 1", "-4 0 1"), "ply: face 0: count of vertex_indices is -4"},
		{"fraction", ascii("3 0 1 2.5"), "ply: face 0: vertex_indices: line 15: 2.5 is not a whole number of 4 bytes"},
		{"range", ascii("300 0 1 2"), "ply: face 0: count of vertex_indices: line 15: 300 is not a whole number of 1 bytes"},
		{"word", edit("1 0 -1", "1 zero -1"), `ply: vertex 2: y: line 13: "zero" is not a number`},
		{"NaN", edit("1 0 -1", "1 nan -1"), "ply: vertex 2 at (1.000, NaN, -1.000) is not finite"},
		{"infinity in binary", binaryHead("1", "1") + pack(binary.LittleEndian, [3]float32{0, 0, float32(math.Inf(-1))}) + "\x03\x00\x00\x00\x00", "ply: vertex 0 at (0.000, 0.000, -Inf) is not finite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(c.data), "test.ply", level.Limits{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	broken := errors.New("broken disk")
	if _, err := Decode(iotest.ErrReader(broken), "", level.Limits{}); !errors.Is(err, broken) {
		t.Errorf("error of the reader: %v", err)
	}
}

// TestSkippedBeyondTheEnd lets an element that nobody reads end past the file.
func TestSkippedBeyondTheEnd(t *testing.T) {
	data := "ply\nformat binary_little_endian 1.0\nelement junk 2\nproperty uchar a\nproperty uchar b\nelement vertex 0\n" + position +
		"element face 0\n" + list + "end_header\nabc"
	if _, err := Decode(strings.NewReader(data), "", level.Limits{}); err == nil || !strings.Contains(err.Error(), "2 records of element junk") {
		t.Errorf("error %v", err)
	}
}

func TestRoundTrip(t *testing.T) {
	lvl := grid(5)
	lvl.Vertices[0] = geom.Vec{X: math.Copysign(0, -1), Y: math.SmallestNonzeroFloat64, Z: math.MaxFloat64}
	lvl.Vertices[1] = geom.Vec{X: 1e6 + 1.0/4096, Y: 0.1, Z: -1.0 / 3}
	var b bytes.Buffer
	if err := Encode(&b, lvl); err != nil {
		t.Fatal(err)
	}
	got := decode(t, b.String())
	got.Name = lvl.Name
	if diff := cmp.Diff(lvl, got); diff != "" {
		t.Error(diff)
	}
}

func TestEncodeErrors(t *testing.T) {
	if err := Encode(io.Discard, &level.Level{}); err == nil {
		t.Error("a level without triangles was written")
	}
	full := errors.New("disk full")
	if err := Encode(failing{full}, grid(1)); !errors.Is(err, full) {
		t.Errorf("full disk: %v", err)
	}
	unused := grid(1)
	unused.Vertices = append(unused.Vertices, geom.Vec{X: math.NaN()})
	var b bytes.Buffer
	if err := Encode(&b, unused); err != nil {
		t.Fatal(err)
	}
	decode(t, b.String())
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// grid is a terrain of 2·n·n triangles.
func grid(n uint32) *level.Level {
	lvl := &level.Level{Name: "grid"}
	for i := range (n + 1) * (n + 1) {
		lvl.Vertices = append(lvl.Vertices, geom.Vec{X: float64(i % (n + 1)), Y: float64(i%7) / 8, Z: float64(i / (n + 1))})
	}
	for i := range n * n {
		a := i/n*(n+1) + i%n
		lvl.Triangles = append(lvl.Triangles,
			level.Triangle{A: a, B: a + n + 1, C: a + 1, Material: level.NoMaterial},
			level.Triangle{A: a + 1, B: a + n + 1, C: a + n + 2, Material: level.NoMaterial})
	}
	return lvl
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(ascii("4 0 1 2 3", "3 0 1 2")))
	f.Add([]byte(strings.Replace(ascii("8 0 1 2 -1 0 2 3 1"), "face", "tristrips", 1)))
	f.Add([]byte("ply\nformat binary_big_endian 1.0\nelement a 2\nproperty char b\nelement vertex 1\n" + position + "element face 1\nproperty double q\n" + list +
		"end_header\nab" + pack(binary.BigEndian, [3]float32{}, 1.5, uint8(3), [3]int32{})))
	var b bytes.Buffer
	if err := Encode(&b, grid(1)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		lvl, err := Decode(bytes.NewReader(data), "a.ply", level.Limits{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "ply: ") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Encode(&b, lvl); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(&b, "a.ply", level.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		again.Warnings = lvl.Warnings
		if diff := cmp.Diff(lvl, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	lvl := grid(300)
	var file bytes.Buffer
	if err := Encode(&file, lvl); err != nil {
		b.Fatal(err)
	}
	text := fmt.Sprintf("ply\nformat ascii 1.0\nelement vertex %d\n%selement face %d\n%send_header\n", len(lvl.Vertices), position, len(lvl.Triangles), list)
	var lines strings.Builder
	for _, v := range lvl.Vertices {
		fmt.Fprintf(&lines, "%g %g %g\n", v.X, v.Y, v.Z)
	}
	for _, t := range lvl.Triangles {
		fmt.Fprintf(&lines, "3 %d %d %d\n", t.A, t.B, t.C)
	}
	for _, c := range []struct{ name, data string }{{"binary", file.String()}, {"ascii", text + lines.String()}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			for b.Loop() {
				got, err := Decode(strings.NewReader(c.data), "", level.Limits{})
				if err != nil || len(got.Triangles) != len(lvl.Triangles) {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(lvl.Triangles)), "triangles")
		})
	}
}

package stl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// facet is the text of one triangle.
func facet(v ...string) string {
	s := "facet normal 0 1 0\n outer loop\n"
	for _, v := range v {
		s += "  vertex " + v + "\n"
	}
	return s + " endloop\nendfacet\n"
}

// square is two triangles with a common edge.
var square = &level.Level{
	Name:     "test",
	Vertices: []geom.Vec{{}, {X: 1}, {X: 1, Z: -1}, {Z: -1}},
	Triangles: []level.Triangle{
		{A: 0, B: 1, C: 2, Material: level.NoMaterial},
		{A: 0, B: 2, C: 3, Material: level.NoMaterial},
	},
}

// binaryFile encodes lvl.
func binaryFile(t testing.TB, lvl *level.Level) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, lvl); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	text := "solid test part\n" + facet("0 0 0", "1 0 0", "1 0 -1") + facet("-0 0 0", "1 0 -1", "0 0 -1") + "endsolid test part\n"
	solidHeader := binaryFile(t, square)
	copy(solidHeader, "solid of a binary exporter")
	for _, c := range []struct {
		name    string
		data    []byte
		objects []level.Object
	}{
		{"binary", binaryFile(t, square), nil},
		{"binary that starts with solid", solidHeader, nil},
		{"ASCII", []byte(text), []level.Object{{Name: "test part", First: 0, Count: 2}}},
		{"ASCII in capitals", []byte(strings.ToUpper(text)), []level.Object{{Name: "TEST PART", First: 0, Count: 2}}},
		{"ASCII with CRLF and a byte order mark", []byte("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")), []level.Object{{Name: "test part", First: 0, Count: 2}}},
		{"ASCII with odd normals", []byte(strings.ReplaceAll(text, "normal 0 1 0", "normal nan -nan(ind) x")), []level.Object{{Name: "test part", First: 0, Count: 2}}},
		{"two solids, one without a name", []byte("solid\n" + facet("0 0 0", "1 0 0", "1 0 -1") + "endsolid\nsolid b\n" + facet("0 0 0", "1 0 -1", "0 0 -1") + "end solid b\nsolid c\nendsolid\n"), []level.Object{{Name: "b", First: 1, Count: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode(bytes.NewReader(c.data), "a/test.stl", level.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want := *square
			want.Objects = c.objects
			if diff := cmp.Diff(&want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDegenerateTrianglesAreKept(t *testing.T) {
	text := "solid\n" + facet("0 0 0", "0 0 0", "1 0 0") + facet("0 0 0", "0 0 0", "0 0 0") + "endsolid\n"
	got, err := Decode(strings.NewReader(text), "", level.Limits{})
	if err != nil || len(got.Triangles) != 2 || len(got.Vertices) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTrailingBytes(t *testing.T) {
	got, err := Decode(bytes.NewReader(append(binaryFile(t, square), "more"...)), "", level.Limits{})
	if err != nil || len(got.Triangles) != 2 {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff([]string{"stl: 4 bytes after the last triangle left out"}, got.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	file := binaryFile(t, square)
	announce := func(n uint32) string {
		b := slices.Clone(file)
		binary.LittleEndian.PutUint32(b[headerSize:], n)
		return string(b)
	}
	nan := slices.Clone(file)
	binary.LittleEndian.PutUint32(nan[countEnd+recordSize+normalSize+12:], math.Float32bits(float32(math.NaN())))
	one := facet("0 0 0", "1 0 0", "1 0 -1")
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "stl: the file is empty"},
		{"short garbage", "hello", "stl: 5 bytes are too few for a binary file, and the text does not start with solid"},
		{"truncated binary", string(file[:len(file)-1]), "stl: 2 triangles announced, 99 bytes hold 1"},
		{"huge count", announce(math.MaxUint32), "stl: 4294967295 triangles announced, 100 bytes hold 2"},
		{"count of zero", announce(0), "stl: no triangle in the file"},
		{"binary NaN", string(nan), "stl: triangle 1: vertex 1 at (NaN, 0.000, -1.000) is not finite"},
		{"no facets", "solid a\nendsolid a\n", "stl: no triangle in the file"},
		{"truncated solid", "solid a\n" + one, "stl: line 9: the file ends inside of a solid"},
		{"truncated facet", "solid a\nfacet normal 0 0 1\nouter", "stl: line 3: the file ends inside of a solid"},
		{"truncated vertex", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 1 2", "stl: line 4: the file ends inside of a solid"},
		{"ASCII NaN", "solid a\n" + facet("0 0 0", "1 nan 0", "1 0 -1"), `stl: line 5: y of vertex is "nan", not a finite number`},
		{"ASCII word", "solid a\n" + facet("0 0 0", "1 0 0", "one 0 -1"), `stl: line 6: x of vertex is "one", not a finite number`},
		{"four corners", "solid a\n" + facet("0 0 0", "1 0 0", "1 0 -1", "0 0 -1"), `stl: line 7: "vertex" instead of endloop`},
		{"a word between facets", "solid a\n" + one + "hello", `stl: line 9: "hello" instead of facet or endsolid`},
		{"a word between solids", "solid a\n" + one + "endsolid\nhello", `stl: line 10: "hello" instead of solid`},
		{"no normal", "solid a\nfacet outer", `stl: line 2: "outer" instead of normal`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(c.data), "test.stl", level.Limits{})
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

func TestEncodeErrors(t *testing.T) {
	if err := Encode(io.Discard, &level.Level{}); err == nil {
		t.Error("a level without triangles was written")
	}
	far := *square
	far.Vertices = []geom.Vec{{X: 1e39}, {}, {}, {}}
	if err := Encode(io.Discard, &far); err == nil || !strings.Contains(err.Error(), "triangle 0") {
		t.Errorf("too far away: %v", err)
	}
	full := errors.New("disk full")
	if err := Encode(failing{full}, square); !errors.Is(err, full) {
		t.Errorf("full disk: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestNormals reads the normals back, which Decode does not look at.
func TestNormals(t *testing.T) {
	file := binaryFile(t, square)
	var n [3]float32
	if err := binary.Read(bytes.NewReader(file[countEnd:]), binary.LittleEndian, &n); err != nil || n != [3]float32{0, 1, 0} {
		t.Errorf("normal %v, %v", n, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(binaryFile(f, square))
	f.Add([]byte("solid a b\n" + facet("0 0 0", "1e-3 0 0", "1 0 -1") + "endsolid\nsolid\n" + facet("0 0 0", "0 0 0", "nan 0 -1")))
	f.Add([]byte("SOLID\r\nENDSOLID"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lvl, err := Decode(bytes.NewReader(data), "a.stl", level.Limits{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "stl: ") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Encode(&b, lvl); err != nil {
			return // coordinates beyond float32
		}
		again, err := Decode(bytes.NewReader(b.Bytes()), "a.stl", level.Limits{})
		if err != nil || len(again.Triangles) != len(lvl.Triangles) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	const n = 300
	lvl := &level.Level{Name: "grid"}
	for i := range (n + 1) * (n + 1) {
		lvl.Vertices = append(lvl.Vertices, geom.Vec{X: float64(i % (n + 1)), Y: float64(i%7) / 8, Z: float64(i / (n + 1))})
	}
	for i := range uint32(n * n) {
		a := i/n*(n+1) + i%n
		lvl.Triangles = append(lvl.Triangles,
			level.Triangle{A: a, B: a + n + 1, C: a + 1, Material: level.NoMaterial},
			level.Triangle{A: a + 1, B: a + n + 1, C: a + n + 2, Material: level.NoMaterial})
	}
	file := binaryFile(b, lvl)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		got, err := Decode(bytes.NewReader(file), "", level.Limits{})
		if err != nil || len(got.Triangles) != 2*n*n || len(got.Vertices) != len(lvl.Vertices) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*n*n, "triangles")
}

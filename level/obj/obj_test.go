package obj

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
)

// square is four vertices, counter-clockwise from above.
const square = "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\n"

func decode(t testing.TB, text string) *level.Level {
	t.Helper()
	lvl, err := Decode(strings.NewReader(text), nil, "test.obj", level.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := lvl.Validate(); err != nil {
		t.Fatal(err)
	}
	return lvl
}

// corners lists the triangles without their materials.
func corners(lvl *level.Level) [][3]uint32 {
	var c [][3]uint32
	for _, t := range lvl.Triangles {
		c = append(c, [3]uint32{t.A, t.B, t.C})
	}
	return c
}

func TestFaces(t *testing.T) {
	quad := [][3]uint32{{0, 1, 2}, {0, 2, 3}}
	for _, c := range []struct {
		name, text string
		want       [][3]uint32
	}{
		{"v", square + "f 1 2 3", quad[:1]},
		{"quad", square + "f 1 2 3 4", quad},
		{"v/vt", square + "f 1/1 2/2 3/3 4/4", quad},
		{"v//vn", square + "f 1//1 2//1 3//1 4//1", quad},
		{"v/vt/vn", square + "f 1/1/1 2/2/1 3/3/1 4/4/1", quad},
		{"indices from the end", square + "f -4 -3 -2 -1", quad},
		{"indices from the end, with the rest", square + "f -4/-1/-1 -3/-2/-1 -2/-3/-1 -1/-4/-1", quad},
		{"indices from the end see only what came before", "v 9 9 9\n" + square + "f -4 -3 -2\nv 7 7 7\n", [][3]uint32{{1, 2, 3}}},
		{"the oldest keyword", square + "fo 1 2 3", quad[:1]},
		{"an arrow is not cut outside itself", "v 0 0 0\nv 2 0 1\nv 1 0 0\nv 2 0 -1\nf 1 2 3 4", [][3]uint32{{0, 1, 2}, {2, 3, 0}}},
		{"CRLF", strings.ReplaceAll(square+"f 1 2 3 4\n", "\n", "\r\n"), quad},
		{"CR only", strings.ReplaceAll(square+"f 1 2 3 4\n", "\n", "\r"), quad},
		{"byte order mark", "\ufeff" + square + "f 1 2 3 4", quad},
		{"continuation", square + "f 1 \\\n2\\\n 3 4\n", quad},
		{"continuation with CRLF", square + "f 1 2 \\\r\n3 4\r\n", quad},
		{"continuation at the end", square + "f 1 2 3 4 \\", quad},
		{"a comment does not continue", square + "# made from C:\\levels\\\nf 1 2 3 4\n", quad},
		{"comments and blanks", "# head\n\n \t\n" + square + "  f\t1  2 3 4  # a floor\n#f 1 2 9", quad},
		{"colours and weights", "v 0 0 0 1 0.5 0.5\nv 1 0 0 1\nv 1 0 -1 # corner\nf 1 2 3", quad[:1]},
		{"exponents", "v 0e0 +0 -0\nv 1E0 .0 0.\nv 10e-1 0 -0.1e1\nf 1 2 3", quad[:1]},
		{"a face without area is kept", square + "f 1 1 2\nf 1 2 2", [][3]uint32{{0, 0, 1}, {0, 1, 1}}},
		{"normals and texture coordinates are not looked at", square + "vn a b c\nvt\nvp 1\nf 1/9/9 2/9/9 3/9/9", quad[:1]},
	} {
		t.Run(c.name, func(t *testing.T) {
			lvl := decode(t, c.text)
			if diff := cmp.Diff(c.want, corners(lvl)); diff != "" {
				t.Error(diff)
			}
			if len(lvl.Warnings) > 0 {
				t.Errorf("warnings %q", lvl.Warnings)
			}
		})
	}
}

// TestVertexColors reads colours up to 1 and up to 255; vertices without are white.
func TestVertexColors(t *testing.T) {
	half := float32(level.Linear(0.5))
	for _, c := range []struct {
		text string
		want [][4]float32
	}{
		{"v 0 0 0\nv 1 0 0 1 0.5 0\nv 1 0 -1 0 0 0 0.25 # black\nf 1 2 3", [][4]float32{level.White, {1, half, 0, 1}, {0, 0, 0, 0.25}}},
		{"v 0 0 0 255 0 127.5 255\nv 1 0 0 0 0 0\nv 1 0 -1\nf 1 2 3", [][4]float32{{1, 0, half, 1}, {0, 0, 0, 1}, level.White}},
		{"v 0 0 0 1\nv 1 0 0 1 0\nv 1 0 -1 red 0 0\nf 1 2 3", nil},
		{"v 0 0 0 -1 0 0\nv 1 0 0 1 nan 0\nv 1 0 -1 256 0 0\nf 1 2 3", nil},
	} {
		if d := cmp.Diff(c.want, decode(t, c.text).Colors); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

func TestGroups(t *testing.T) {
	lvl := decode(t, square+`
f 1 2 3
g empty
g north wing
f 1 2 3 4
o south
usemtl a
f 1 2 3
usemtl b
f 1 2 3
g
f 1 2 3
g north wing
f 1 2 3
`)
	want := []level.Object{{Name: "north wing", First: 1, Count: 2}, {Name: "south", First: 3, Count: 2}, {Name: "north wing", First: 6, Count: 1}}
	if diff := cmp.Diff(want, lvl.Objects); diff != "" {
		t.Error(diff)
	}
	if lvl.Name != "test" {
		t.Errorf("level %q", lvl.Name)
	}
}

func TestMarkers(t *testing.T) {
	lvl := decode(t, square+`v 0 2 0
g floor
f 1 2 3 4
g marker:door:front gate
f 1 2 3
f 1 3 5
f -3 1 5
o marker:ladder
f 1 2 5
g marker:nothing:here
g floor again
f 1 2 3
`)
	want := []level.Marker{
		{Name: "front gate", Kind: "door", Hull: []geom.Vec{{}, {X: 1}, {X: 1, Z: -1}, {Y: 2}}},
		{Kind: "ladder", Hull: []geom.Vec{{}, {X: 1}, {Y: 2}}},
	}
	if diff := cmp.Diff(want, lvl.Markers); diff != "" {
		t.Error(diff)
	}
	if len(lvl.Triangles) != 3 || len(lvl.Objects) != 2 {
		t.Errorf("%d triangles, objects %v", len(lvl.Triangles), lvl.Objects)
	}
	if diff := cmp.Diff([]string{`obj: line 15: marker "marker:nothing:here" has no face`}, lvl.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestMaterials(t *testing.T) {
	files := fstest.MapFS{
		"maps/house.obj": {Data: []byte("mtllib house one.mtl\nmtllib a.mtl b.mtl gone.mtl\n" + square + `
f 1 2 3
usemtl stone wall
f 1 2 3
usemtl grass
f 1 2 3
usemtl nowhere
f 1 2 3
usemtl
f 1 2 3
`)},
		"maps/house one.mtl":      {Data: []byte("\ufeff# walls\r\nKd 9 9 9\r\nnewmtl stone wall\r\n Kd 0.5 0.25 0.125\r\nmap_Kd -s 2 2 -bm 0.5 -clamp on tex\\stone wall.png\r\nd 0.5\r\n")},
		"maps/tex/stone wall.png": {},
		"maps/a.mtl":              {Data: []byte("newmtl grass\nKd 0.5\nTr 0.25\nmap_Kd -o 0.1 grass.png\nillum 2\nNs 10\n")},
		"maps/b.mtl":              {Data: []byte("newmtl unused\nKd spectral x.rfl\nKd a\nKd 2 -1 0\nd -halo 1\nmap_Kd -s 1 1 1\nKd\nd\n")},
	}
	file, err := files.Open("maps/house.obj")
	if err != nil {
		t.Fatal(err)
	}
	lvl, err := Decode(file, files, "maps/house.obj", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []level.Material{
		{Name: "stone wall", Texture: "tex/stone wall.png", Color: [4]float32{0.5, 0.25, 0.125, 0.5}},
		{Name: "grass", Texture: "grass.png", Color: [4]float32{0.5, 0.5, 0.5, 0.75}},
		{Name: "unused", Color: [4]float32{1, 0, 0, 1}},
		{Name: "nowhere", Color: [4]float32{1, 1, 1, 1}},
	}
	if diff := cmp.Diff(want, lvl.Materials); diff != "" {
		t.Error(diff)
	}
	var used []int32
	for _, tri := range lvl.Triangles {
		used = append(used, tri.Material)
	}
	if want := []int32{level.NoMaterial, 0, 1, 3, level.NoMaterial}; !slices.Equal(used, want) {
		t.Errorf("materials %v, want %v", used, want)
	}
	warnings := []string{
		`mtl: a.mtl: line 4: texture "grass.png" of material "grass" is missing`,
		`mtl: b.mtl: line 2: unsupported colour Kd spectral stays white`,
		`mtl: b.mtl: line 3: "a" is not a colour component`,
		`mtl: b.mtl: line 6: no file name in map_Kd`,
		`mtl: b.mtl: line 7: no colour in Kd`,
		`mtl: b.mtl: line 8: "" is not a colour component`,
		`obj: line 2: material library "gone.mtl": no such file`,
	}
	if diff := cmp.Diff(warnings, lvl.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"lines and points", "l 1 2\np 1\nl 2 3\n", []string{
			`obj: line 6: "l": points and lines have no surface; 2 lines left out`,
			`obj: line 7: "p": points and lines have no surface; 1 lines left out`,
		}},
		{"curves", "cstype bezier\ncurv 0 1 1 2\nend\n", []string{
			`obj: line 6: "cstype": curves and curved surfaces are not read; 1 lines left out`,
			`obj: line 7: "curv": curves and curved surfaces are not read; 1 lines left out`,
			`obj: line 8: "end": curves and curved surfaces are not read; 1 lines left out`,
		}},
		{"commands", "call other.obj\n", []string{`obj: line 6: "call": commands and other files are not run; 1 lines left out`}},
		{"unknown", "hello world\n", []string{`obj: line 6: "hello": not a statement of OBJ; 1 lines left out`}},
		{"no library", "usemtl a\nf 1 2 3", []string{`obj: line 6: material "a" is not in any library`}},
		{"missing library", "mtllib a.mtl\nusemtl a\nf 1 2 3", []string{`obj: line 6: material library "a.mtl": no such file`}},
		{"the same missing library twice", "mtllib a.mtl\nmtllib a.mtl\n", []string{`obj: line 6: material library "a.mtl": no such file`}},
		{"library without a name", "mtllib\n", []string{`obj: line 6: mtllib without a file name`}},
		{"a face that crosses itself", "v 0 0 -3\nf 1 3 2 5\n", []string{`obj: line 7: face of 4 corners crosses itself, its triangles may overlap`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, decode(t, square+"f 1 2 3\n"+c.text).Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "word%d\n", i)
	}
	if n := len(decode(t, square+"f 1 2 3\n"+many.String()).Warnings); n > 60 {
		t.Errorf("%d warnings of one bad file", n)
	}
}

// TestSmallFaces leaves faces of less than three corners out, and tells.
func TestSmallFaces(t *testing.T) {
	lvl, err := Decode(strings.NewReader(square+"f 1 2\nf 1 2 3\nf\nf 4"), nil, "a.obj", level.Limits{})
	if err != nil || len(lvl.Triangles) != 1 || len(lvl.Warnings) != 1 || lvl.Warnings[0] != "obj: 3 faces of less than three corners left out" {
		t.Errorf("%v, %v", lvl, err)
	}
}

// TestUTF16 reads a file and its library as some editors on Windows save them.
func TestUTF16(t *testing.T) {
	wide := func(text string) []byte {
		out := []byte{0xff, 0xfe}
		for _, c := range text {
			out = append(out, byte(c), byte(c>>8))
		}
		return out
	}
	files := fstest.MapFS{"a.mtl": {Data: wide("newmtl größe\nKd 1 0 0\n")}}
	lvl, err := Decode(bytes.NewReader(wide("mtllib a.mtl\nusemtl größe\n"+square+"f 1 2 3")), files, "a.obj", level.Limits{})
	if err != nil || len(lvl.Triangles) != 1 || len(lvl.Warnings) != 0 || len(lvl.Materials) != 1 || lvl.Materials[0].Name != "größe" || lvl.Materials[0].Color[0] != 1 {
		t.Errorf("%+v, %v", lvl, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "obj: the file is empty"},
		{"no face", "v 0 0 0\n", "obj: no face in 1 lines"},
		{"only markers", square + "g marker:a:b\nf 1 2 3", "obj: no face in 6 lines"},
		{"garbage", "\x00\x89PNG \xff\n\x1a", `obj: no face in 2 lines; line 1: "\x89PNG" is not a statement of OBJ`},
		{"index too large", square + "v 1 1 1\nv 1 1 1\nv 1 1 1\nv 1 1 1\n\n\n\nf 1 2 9", "obj: line 12: face vertex 9 of 8"},
		{"index too small", square + "f 1 2 -5", "obj: line 5: face vertex -5 of 4"},
		{"index zero", square + "f 0 1 2", "obj: line 5: face vertex 0: indices start at 1"},
		{"index after its use", "f 1 2 3\n" + square, "obj: line 1: face vertex 1 of 0"},
		{"huge index", square + "f 1 2 99999999999999999999", `obj: line 5: face corner "99999999999999999999" is not an index`},
		{"only small faces", square + "f 1 2\nf\nf 3", "obj: no face in 7 lines"},
		{"half of a character", "\xff\xfev", "obj: text in UTF-16 of an odd number of bytes"},
		{"word in a face", square + "f 1 2 x", `obj: line 5: face corner "x" is not an index`},
		{"fraction in a face", square + "f 1 2 3.5", `obj: line 5: face corner "3.5" is not an index`},
		{"word behind an index", square + "f 1 2 3/a", `obj: line 5: face corner "3/a" is not an index`},
		{"no index before the slash", square + "f 1 2 /3", `obj: line 5: face corner "/3" is not an index`},
		{"NaN", "v 0 nan 0", "obj: line 1: y of vertex is nan, not a finite number"},
		{"infinity", "v 0 0 -Inf", "obj: line 1: z of vertex is -Inf, not a finite number"},
		{"too large", "v 1e999 0 0", `obj: line 1: x of vertex is "1e999", not a number`},
		{"two coordinates", "v 1 2", "obj: line 1: vertex without z"},
		{"comment instead of a coordinate", "v 1 2 # 3", "obj: line 1: vertex without z"},
		{"word in a vertex", "v 1 two 3", `obj: line 1: y of vertex is "two", not a number`},
		{"a continued line counts from its start", square + "f 1 \\\n2 \\\n99\n", "obj: line 5: face vertex 99 of 4"},
		{"lines after a continued one", square + "f 1 \\\n2 \\\n3\nf 1 2 99\n", "obj: line 8: face vertex 99 of 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(c.text), nil, "test.obj", level.Limits{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	broken := errors.New("broken disk")
	if _, err := Decode(iotest.ErrReader(broken), nil, "", level.Limits{}); !errors.Is(err, broken) {
		t.Errorf("error of the reader: %v", err)
	}
	var concave strings.Builder
	concave.WriteString("v 0 0 0\n" + strings.Repeat("v 1 0 1\nv 2 0 0\n", 5000) + "f")
	for i := range 10001 {
		fmt.Fprint(&concave, " ", i+1)
	}
	if _, err := Decode(strings.NewReader(concave.String()), nil, "", level.Limits{}); err == nil || !strings.Contains(err.Error(), "non-convex face with 10001 corners") {
		t.Errorf("huge concave face: %v", err)
	}
}

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

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	lvl := grid(9)
	lvl.Name = "test"
	for i := range lvl.Vertices {
		lvl.Vertices[i] = geom.Vec{X: rng.NormFloat64() * 1e3, Y: rng.ExpFloat64() * 1e-9, Z: math.Float64frombits(rng.Uint64N(0x7fe << 52))}
	}
	lvl.Vertices[0] = geom.Vec{X: math.Copysign(0, -1), Y: math.SmallestNonzeroFloat64, Z: math.MaxFloat64}
	lvl.Materials = []level.Material{
		{Name: "stone wall", Texture: "tex/stone wall.png", Color: [4]float32{0.1, 0.2, 0.3, 1}},
		{Name: "grass", Color: [4]float32{1, 1, 1, 0.5}},
	}
	for i := range lvl.Triangles {
		lvl.Triangles[i].Material = int32(i/20)%3 - 1
	}
	lvl.Objects = []level.Object{{Name: "north", First: 0, Count: 30}, {Name: "south wing", First: 50, Count: 70}, {Name: "last", First: 120, Count: 42}}
	lvl.Markers = []level.Marker{
		{Name: "front gate", Kind: "door", Hull: []geom.Vec{{X: 1}, {Y: 1.5}, {Z: -1}, {X: 1, Y: 1, Z: 1e6}}},
		{Name: "here", Hull: []geom.Vec{{X: 3}}},
	}
	var text, library bytes.Buffer
	if err := Encode(&text, lvl, "test.mtl"); err != nil {
		t.Fatal(err)
	}
	if err := EncodeMaterials(&library, lvl); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"test.mtl": {Data: library.Bytes()}, "tex/stone wall.png": {}}
	got, err := Decode(&text, files, "test.obj", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range lvl.Vertices {
		w := got.Vertices[i]
		if v != w || math.Signbit(v.X) != math.Signbit(w.X) {
			t.Fatalf("vertex %d: %v, want %v", i, w, v)
		}
	}
	got.Vertices = got.Vertices[:len(lvl.Vertices)] // behind them are the corners of the markers
	if diff := cmp.Diff(lvl, got); diff != "" {
		t.Error(diff)
	}
}

// TestFarAway moves a level by a million metres: multiples of the lattice come back exactly.
func TestFarAway(t *testing.T) {
	near := grid(6)
	far := grid(6)
	offset := geom.Vec{X: 1e6, Y: 1e6, Z: -1e6}
	for i := range far.Vertices {
		far.Vertices[i] = far.Vertices[i].Add(offset)
	}
	var text bytes.Buffer
	if err := Encode(&text, far, ""); err != nil {
		t.Fatal(err)
	}
	got := decode(t, text.String())
	for i, v := range got.Vertices {
		if v.Sub(offset) != near.Vertices[i] {
			t.Fatalf("vertex %d: %v, want %v", i, v.Sub(offset), near.Vertices[i])
		}
	}
	if diff := cmp.Diff(near.Triangles, got.Triangles); diff != "" {
		t.Error(diff)
	}
}

func TestEncodeNames(t *testing.T) {
	lvl := grid(1)
	lvl.Materials = []level.Material{{Name: "a"}, {}, {Name: "a"}, {Name: " b\nc\\ "}, {}}
	lvl.Triangles[0].Material, lvl.Triangles[1].Material = 2, 3
	var text, library bytes.Buffer
	if err := errors.Join(Encode(&text, lvl, "m.mtl"), EncodeMaterials(&library, lvl)); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&text, fstest.MapFS{"m.mtl": {Data: library.Bytes()}}, "x.obj", level.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range got.Materials {
		names = append(names, m.Name)
	}
	if want := []string{"a", "material", "a#2", "b c", "material#4"}; !slices.Equal(names, want) {
		t.Errorf("materials %q, want %q", names, want)
	}
	if got.Triangles[0].Material != 2 || got.Triangles[1].Material != 3 {
		t.Errorf("triangles %v", got.Triangles)
	}
}

func TestEncodeErrors(t *testing.T) {
	if err := Encode(io.Discard, &level.Level{Name: "void"}, ""); err == nil {
		t.Error("a level without triangles was written")
	}
	full := errors.New("disk full")
	if err := Encode(failing{full}, grid(1), ""); !errors.Is(err, full) {
		t.Errorf("Encode to a full disk: %v", err)
	}
	lvl := grid(1)
	lvl.Materials = []level.Material{{}}
	if err := EncodeMaterials(failing{full}, lvl); !errors.Is(err, full) {
		t.Errorf("EncodeMaterials to a full disk: %v", err)
	}
	unused := grid(1)
	unused.Vertices = append(unused.Vertices, geom.Vec{X: math.NaN()})
	var text bytes.Buffer
	if err := Encode(&text, unused, ""); err != nil {
		t.Fatal(err)
	}
	decode(t, text.String())
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// levels is the folder of real levels, or skips the test.
func levels(t testing.TB) fs.FS {
	return os.DirFS(filepath.Dir(reallevels.Path(t, "nav_test.obj")))
}

func TestRealLevels(t *testing.T) {
	dir := levels(t)
	for _, c := range []struct {
		name      string
		triangles int
		objects   int
		materials int
		warnings  int
	}{
		{"nav_test.obj", 1612, 30, 1, 1},
		{"dungeon.obj", 10133, 0, 0, 0},
		{"undulating.obj", 5202, 0, 0, 0},
		{"oa_shouse.obj", 34667, 0, 0, 0},
		{"sthelens.obj", 281496, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := dir.Open(c.name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			lvl, err := Decode(file, dir, c.name, level.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if err := lvl.Validate(); err != nil {
				t.Fatal(err)
			}
			if len(lvl.Triangles) != c.triangles || len(lvl.Objects) != c.objects || len(lvl.Materials) != c.materials || len(lvl.Warnings) != c.warnings {
				t.Errorf("%d triangles, %d objects, %d materials, warnings %q", len(lvl.Triangles), len(lvl.Objects), len(lvl.Materials), lvl.Warnings)
			}
			var text bytes.Buffer
			if err := Encode(&text, lvl, ""); err != nil {
				t.Fatal(err)
			}
			again := decode(t, text.String())
			if !reflect.DeepEqual(again.Vertices, lvl.Vertices) || !reflect.DeepEqual(again.Triangles, lvl.Triangles) {
				t.Error("written and read again, it is another level")
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(square + "f 1 2 3 4\n"))
	f.Add([]byte(square + "o a\nusemtl b\nf -4//1 -3//1 \\\n-2//1 -1//1\r\n"))
	f.Add([]byte("mtllib a.mtl\nv 0 0 0\nv 2 0 1\nv 1 0 0\nv 2 0 -1\nf 1 2 3 4\ng marker:door:x\nf 1 2 3 4"))
	f.Add([]byte("v 1e3 nan 0x1p4\nl 1 2\nf 1/2/3"))
	f.Add([]byte("\ufeff# c\rv 0 0 0\rf 1 1 1"))
	library := "newmtl b\nKd 0.5 0.5\nmap_Kd -s 1 1 1 -o 0 x y.png\nd 0.5\nTr 0.1\n"
	f.Add([]byte(library))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := fstest.MapFS{"a.mtl": {Data: data}, "b.mtl": {Data: []byte(library)}}
		lvl, err := Decode(bytes.NewReader(data), files, "a.obj", level.Limits{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "obj: ") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
		var text, materials bytes.Buffer
		if err := errors.Join(Encode(&text, lvl, "b.mtl"), EncodeMaterials(&materials, lvl)); err != nil {
			t.Fatal(err)
		}
		files["b.mtl"].Data = materials.Bytes()
		again, err := Decode(&text, files, "a.obj", level.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Triangles, lvl.Triangles) || !slices.Equal(again.Vertices[:len(lvl.Vertices)], lvl.Vertices) {
			t.Fatal("written and read again, it is another level")
		}
	})
}

// BenchmarkDecode loads a million triangles: an exporter's text, and text with every number and index as long
// as possible.
func BenchmarkDecode(b *testing.B) {
	lvl := grid(708)
	want := len(lvl.Triangles)
	var plain bytes.Buffer
	if err := Encode(&plain, lvl, ""); err != nil {
		b.Fatal(err)
	}
	var long bytes.Buffer
	for _, v := range lvl.Vertices {
		fmt.Fprintf(&long, "v %.9f %.9f %.9f\nvt %.6f %.6f\nvn 0.000000 1.000000 0.000000\n", v.X, v.Y, v.Z, v.X, v.Z)
	}
	for _, t := range lvl.Triangles {
		fmt.Fprintf(&long, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", t.A+1, t.A+1, t.A+1, t.B+1, t.B+1, t.B+1, t.C+1, t.C+1, t.C+1)
	}
	for _, c := range []struct {
		name string
		data []byte
	}{{"plain", plain.Bytes()}, {"normals and texture coordinates", long.Bytes()}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				got, err := Decode(bytes.NewReader(c.data), nil, "grid.obj", level.Limits{})
				if err != nil || len(got.Triangles) != want {
					b.Fatal(err, len(got.Triangles))
				}
			}
			b.ReportMetric(float64(want), "triangles")
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	lvl := grid(200)
	for b.Loop() {
		if err := Encode(io.Discard, lvl, ""); err != nil {
			b.Fatal(err)
		}
	}
}

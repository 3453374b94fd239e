package gltfmesh

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// pair is a mesh of two squares side by side, the second of area 3 and a metre higher at its end, far from the origin.
func pair() *navmesh.Mesh {
	const m = lattice.UnitsPerMetre
	v := func(x, y, z int32) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: x * m, Y: y * m}, Z: z * m}
	}
	t := navmesh.Tile{
		Generation: 1,
		Vertices:   []lattice.Vertex{v(0, 0, 0), v(4, 0, 0), v(4, 4, 0), v(0, 4, 0), v(8, 0, 1), v(8, 4, 1)},
		Corners:    []uint32{0, 1, 2, 3, 1, 4, 5, 2},
		Regions: []navmesh.Region{
			{First: 0, Count: 4, PortalCount: 1, Flags: 1},
			{First: 4, Count: 4, FirstPortal: 1, PortalCount: 1, Area: 3, Flags: 5},
		},
		Portals: []navmesh.Portal{{To: 1, Edge: 1, Right: 1, Left: 2, Back: 1}, {To: 0, Edge: 3, Right: 2, Left: 1}},
		Layers:  make([]navmesh.Layer, 1),
	}
	t.Derive()
	out := &navmesh.Mesh{Frame: lattice.Frame{East: 5000 * m, North: -70 * m, Up: m}, Agent: geom.Agent{Radius: 0.5}.WithDefaults(), Tiles: []navmesh.Tile{t}, Record: []byte("notes")}
	out.Connect()
	return out
}

func written(t testing.TB, write func(io.Writer, *navmesh.Mesh) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, pair()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestExact reads both kinds of file: the mesh has the bytes of the written one.
func TestExact(t *testing.T) {
	want, err := navfile.Encode(pair())
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer, *navmesh.Mesh) error{".glb": Write, ".gltf": WriteText} {
		data := written(t, write)
		if !IsFile(data[:64]) {
			t.Errorf("%s: 64 bytes do not tell the format: %q", name, data[:64])
		}
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := navfile.Encode(m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: another mesh, %v", name, err)
		}
	}
	if IsFile(nil) || IsFile([]byte("glTF")) || IsFile([]byte(`{"asset":{}}`)) {
		t.Error("IsFile is wrong")
	}
}

// TestAccessors reads the numbers for other programs.
func TestAccessors(t *testing.T) {
	data := written(t, Write)
	text, bin, err := chunks(data)
	if err != nil || len(data)%4 != 0 || int(binary.LittleEndian.Uint32(data[8:])) != len(data) {
		t.Fatalf("%d bytes, the header says %d; %v", len(data), binary.LittleEndian.Uint32(data[8:]), err)
	}
	var doc struct {
		document
		Extensions map[string]extension `json:"extensions"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	x := doc.Extensions[Extension]
	numbers := func(i int) []uint32 {
		a := doc.Accessors[i]
		v := doc.BufferViews[a.View]
		var out []uint32
		for at := v.Offset; at < v.Offset+v.Length; at += 4 {
			out = append(out, binary.LittleEndian.Uint32(bin[at:]))
		}
		if len(out) != a.Count*map[string]int{"SCALAR": 1, "VEC3": 3}[a.Shape] || v.Offset%4 != 0 {
			t.Errorf("accessor %d: %d numbers, %+v", i, len(out), a)
		}
		return out
	}
	if x.Origin != [3]float64{5000, 1, 70} || doc.Nodes[0].Translation != x.Origin || x.Agent.Radius != 0.5 || x.Version != 1 {
		t.Errorf("%+v, node %+v", x, doc.Nodes[0])
	}
	positions := numbers(x.Positions)
	if got := [3]float32{math.Float32frombits(positions[12]), math.Float32frombits(positions[13]), math.Float32frombits(positions[14])}; got != [3]float32{8, 1, 0} {
		t.Errorf("vertex 4 at %v", got)
	}
	for _, c := range []struct {
		name      string
		got, want []uint32
	}{
		{"corners", numbers(x.Corners), []uint32{0, 1, 2, 3, 1, 4, 5, 2}},
		{"regions", numbers(x.Regions), []uint32{0, 4, 8}},
		{"portals", numbers(*x.Portals), []uint32{0, 1, 1, 2, 1, 0, 2, 1}},
		{"triangles", numbers(doc.Meshes[0].Primitives[0].Indices), []uint32{0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2}},
	} {
		if string(appendAll(c.got)) != string(appendAll(c.want)) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	v := doc.BufferViews[doc.Accessors[x.Areas].View]
	if areas := bin[v.Offset : v.Offset+v.Length]; !bytes.Equal(areas, []byte{0, 3}) {
		t.Errorf("areas %v", areas)
	}
	if a := doc.Accessors[x.Positions]; a.Min[0] != 0 || a.Max[0] != 8 || a.Max[1] != 1 || a.Min[2] != -4 {
		t.Errorf("bounds %+v", a)
	}
}

func appendAll(list []uint32) (out []byte) {
	for _, v := range list {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

func TestFaults(t *testing.T) {
	glb, text := written(t, Write), written(t, WriteText)
	replace := func(from, to string) []byte {
		out := strings.Replace(string(text), from, to, 1)
		if out == string(text) {
			t.Fatalf("%q is not in the file", from)
		}
		return []byte(out)
	}
	wrong := bytes.Clone(glb)
	wrong[4] = 1
	long := bytes.Clone(glb)
	binary.LittleEndian.PutUint32(long[12:], 1<<31)
	flipped := bytes.Clone(glb)
	flipped[len(flipped)-9] ^= 1
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "unexpected end of JSON"},
		{"no extension", []byte(`{"asset":{"version":"2.0"}}`), "the file has no extension MEADOW_navigation_mesh"},
		{"version", replace(`"version":1,`, `"version":2,`), "version 2, only 1 is read"},
		{"view", replace(`"exact":`, `"exact":9`), "exact is view 9"},
		{"no exact part", replace(`"exact":`, `"other":`), "exact is view -1 of"},
		{"another file", replace(uriStart, "mesh.bin?"), `buffer 0 is in another file: "mesh.bin?`},
		{"letters", replace(uriStart, uriStart+"!"), "buffer 0: illegal base64"},
		{"binary version", wrong, "binary glTF of version 1, only 2 is read"},
		{"chunk", long, "a chunk of 2147483648 bytes"},
		{"cut short", glb[:len(glb)-4], "bytes, "},
		{"damaged", flipped, "the exact part: navfile: "},
	} {
		if _, err := Read(bytes.NewReader(c.data)); err == nil || !strings.HasPrefix(err.Error(), "gltfmesh: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for n := range glb {
		if _, err := Read(bytes.NewReader(glb[:n])); err == nil {
			t.Fatalf("%d bytes of %d are a mesh", n, len(glb))
		}
	}
	if err := Write(nil, pair()); err == nil {
		t.Error("no writer is no error")
	}
	if err := Write(io.Discard, nil); err == nil {
		t.Error("no mesh is no error")
	}
	if err := WriteText(io.Discard, &navmesh.Mesh{}); err == nil {
		t.Error("an empty mesh is no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, Write))
	f.Add(written(f, WriteText))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Read(bytes.NewReader(data)); err == nil && m.Check() != nil {
			t.Error(m.Check())
		}
	})
}

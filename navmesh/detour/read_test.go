package detour

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/navmesh"
)

// file returns a file of testdata. The files were saved by Debian's Recast and Detour: testdata/README.md.
func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte) *navmesh.Mesh {
	t.Helper()
	m, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRead compares meshes with the numbers that Detour prints for the files.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name                           string
		regions, portals, links, parts int
		area                           float64
	}{
		{"house.mset", 17, 16, 3, 1, 464.0},
		{"house.bin", 17, 16, 3, 1, 464.0},
		{"house-tiles.mset", 24, 26, 0, 2, 469.6},
		{"house-navcat.json", 18, 17, 2, 1, 464.0},
		{"house-navcat-tiles.json", 25, 27, 0, 2, 464.0},
	} {
		m := read(t, file(t, c.name))
		if faults := m.Validate(); len(faults) > 0 {
			t.Errorf("%s: %d faults, the first: %v", c.name, len(faults), faults[0])
		}
		if n := m.RegionCount(); n != c.regions || len(m.Tiles[0].Portals) != 2*c.portals || len(m.Links) != c.links || m.Components != c.parts {
			t.Errorf("%s: %d regions, %d portals, %d links, %d components; want %d, %d, %d, %d", c.name,
				n, len(m.Tiles[0].Portals)/2, len(m.Links), m.Components, c.regions, c.portals, c.links, c.parts)
		}
		if math.Abs(m.Area()-c.area) > 3 {
			t.Errorf("%s: %g m², want %g", c.name, m.Area(), c.area)
		}
		if len(m.Tiles[0].Layers) < 2 {
			t.Errorf("%s: the deck over the yard is in the yard's layer", c.name)
		}
		if a := m.Agent; math.Abs(a.Radius-0.6) > 1e-6 || a.Height != 2 || math.Abs(a.MaxClimb-0.9) > 1e-6 {
			t.Errorf("%s: agent %+v", c.name, a)
		}
	}
}

// TestAreasFlagsLinks checks that every seventh polygon is water with two flags, and both ways of a connection.
func TestAreasFlagsLinks(t *testing.T) {
	m := read(t, file(t, "house.mset"))
	for i, r := range m.Tiles[0].Regions {
		area, flags := uint8(0), uint32(1)
		if i%7 == 3 {
			area, flags = 1, 3
		}
		if r.Area != area || r.Flags != flags<<flagShift|navmesh.DefaultFlags {
			t.Errorf("region %d has area %d and flags %#x", i, r.Area, r.Flags)
		}
	}
	both, single := 0, 0
	for _, l := range m.Links {
		if l.Flags != 8<<flagShift|navmesh.DefaultFlags || l.Kind != navmesh.Jump {
			t.Errorf("link %+v", l)
		}
		from, to := m.Frame.ToWorld(l.Start[0].Point, l.Start[0].Z), m.Frame.ToWorld(l.End[0].Point, l.End[0].Z)
		switch {
		case math.Hypot(from.X-23, from.Z-8) < 1e-3 && math.Hypot(to.X-27.5, to.Z-8) < 1e-3, math.Hypot(to.X-23, to.Z-8) < 1e-3 && math.Hypot(from.X-27.5, from.Z-8) < 1e-3:
			both++
		case math.Hypot(from.X-20, from.Z-4) < 1e-3 && math.Hypot(to.X-15, to.Z-4) < 1e-3 && from.Y == 3:
			single++
		default:
			t.Errorf("a link from %v to %v", from, to)
		}
	}
	if both != 2 || single != 1 {
		t.Errorf("%d links over the ditch, %d down from the deck", both, single)
	}
}

// TestHeights compares the floor with the level: yard 0, deck 3, and the ramp between them; a cell is 0.2 m high.
func TestHeights(t *testing.T) {
	m := read(t, file(t, "house.mset"))
	tile := &m.Tiles[0]
	for _, c := range []struct{ x, z, low, high float64 }{{4, 4, 0, 0.4}, {20, 10, 3, 3.4}, {6, 17.5, 1.3, 2.1}, {30, 8, 0.3, 0.7}} {
		p := lattice.Point{X: int32(c.x*lattice.UnitsPerMetre) - int32(m.Frame.East), Y: int32(-c.z*lattice.UnitsPerMetre) - int32(m.Frame.North)}
		found := false
		for l := range tile.Layers {
			h, ok := lattice.NewSampler(&tile.Layers[l].Floor).Height(float64(p.X), float64(p.Y))
			y := (h + float64(m.Frame.Up)) * lattice.Unit
			found = found || ok && y >= c.low && y <= c.high
		}
		if !found {
			t.Errorf("no floor from %g to %g m at %g, %g", c.low, c.high, c.x, c.z)
		}
	}
}

// swapped returns tile data in the other byte order.
func swapped(t *testing.T, data []byte) []byte {
	t.Helper()
	out := bytes.Clone(data)
	at := 0
	swap := func(n, size int) {
		for range n {
			for i := range size / 2 {
				out[at+i], out[at+size-1-i] = out[at+size-1-i], out[at+i]
			}
			at += size
		}
	}
	count := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	swap(headerSize/4, 4)
	swap(3*count(7), 4)
	for range count(6) {
		swap(1, 4)
		swap(13, 2)
		at += 2
	}
	at += 12 * count(8)
	for range count(9) {
		swap(2, 4)
		at += 4
	}
	swap(3*count(10), 4)
	at += 4*count(11) + nodeSize*count(12)
	for range count(13) {
		swap(7, 4)
		swap(1, 2)
		at += 2
		swap(1, 4)
	}
	if at != len(data) {
		t.Fatalf("%d bytes swapped of %d", at, len(data))
	}
	return out
}

// TestByteOrders reads tile data of machines of the other byte order, and with references of 64 bits.
func TestByteOrders(t *testing.T) {
	data := file(t, "house.bin")
	want := read(t, data)
	big := read(t, swapped(t, data))
	same(t, "other byte order", big, want)
	// Links of 16 bytes instead of 12: their content is not read.
	links := headerSize + polySize*int(binary.LittleEndian.Uint32(data[24:])) + 12*int(binary.LittleEndian.Uint32(data[28:]))
	wide := append(append(bytes.Clone(data[:links]), make([]byte, 4*int(binary.LittleEndian.Uint32(data[32:])))...), data[links:]...)
	same(t, "references of 64 bits", read(t, wide), want)
}

func same(t *testing.T, what string, a, b *navmesh.Mesh) {
	t.Helper()
	if a.RegionCount() != b.RegionCount() || a.Components != b.Components || a.Area() != b.Area() || len(a.Links) != len(b.Links) {
		t.Errorf("%s: %d regions, %d components, %g m², %d links; want %d, %d, %g, %d", what,
			a.RegionCount(), a.Components, a.Area(), len(a.Links), b.RegionCount(), b.Components, b.Area(), len(b.Links))
	}
}

// TestFaults damages a file in one place each.
func TestFaults(t *testing.T) {
	put := func(at int, v uint32) func([]byte) []byte {
		return func(d []byte) []byte { binary.LittleEndian.PutUint32(d[at:], v); return d }
	}
	const head = setHeaderSize + 8
	nan := math.Float32bits(float32(math.NaN()))
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"empty", func([]byte) []byte { return nil }, "0 bytes, too short"},
		{"another file", func([]byte) []byte { return []byte("glTF1234") }, `starts with "glTF": neither tile data`},
		{"tile cache", func(d []byte) []byte { copy(d, "TEST"); return d }, "detour: tile cache: "},
		{"version of the set", put(4, 2), "set: version 2, only 1 is read"},
		{"no tiles", put(8, 0), "set: 0 tiles"},
		{"negative tiles", put(8, 1<<31), "set: -2147483648 tiles"},
		{"more tiles", put(8, 2), "the file ends before tile 1 of 2"},
		{"width", put(24, 0), "set: tiles of 0 ×"},
		{"origin", put(12, nan), "set: the origin and the size of tiles: a coordinate is NaN"},
		{"size of a tile", put(setHeaderSize+4, 1<<30), "tile 0: 1073741824 bytes"},
		{"negative size", put(setHeaderSize+4, 1<<31), "tile 0: -2147483648 bytes"},
		{"tile magic", put(head, 7), "tile 0: starts with"},
		{"tile version", put(head+4, 6), "tile 0: version 6, only 7 is read"},
		{"polygons", put(head+24, 1<<20), "tile 0: 3112 bytes, its counts make"},
		{"negative count", put(head+28, 1<<31), "tile 0: -2147483648 vertices"},
		{"bounds", put(head+72, nan), "tile 0: the header: a coordinate is NaN"},
		{"vertex", put(head+headerSize+12, nan), "tile 0: vertex 1: a coordinate is NaN"},
		{"far vertex", put(head+headerSize+12, math.Float32bits(1e30)), "tile 0: vertex 1 is at 1e+30"},
		{"wide mesh", put(head+headerSize+12, math.Float32bits(1e6)), "the mesh extends over 999999"},
		{"cut short", func(d []byte) []byte { return d[:len(d)-1] }, "tile 0: 3112 bytes, 3111 are left"},
		{"too long", func(d []byte) []byte { return append(d, 0) }, "set: 1 bytes behind the last tile"},
		{"agent", put(head+64, math.Float32bits(-1)), "tile 0: agent: radius is -1"},
	} {
		d := c.damage(file(t, "house.mset"))
		_, err := Read(bytes.NewReader(d))
		if err == nil || !strings.HasPrefix(err.Error(), "detour: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestPolygonFaults damages fields of a polygon, a height surface and a connection.
func TestPolygonFaults(t *testing.T) {
	data := file(t, "house.bin")
	count := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	polys := headerSize + 12*count(7)
	details := polys + polySize*count(6) + 12*count(8)
	triangles := details + detailSize*count(9) + 12*count(10)
	connections := len(data) - connectionSize*count(13)
	for _, c := range []struct {
		name  string
		at    int
		value byte
		want  string
	}{
		{"corner", polys + 5, 0xff, "tile data: polygon 0: corner 0 is vertex 65"},
		{"neighbour", polys + polySize + 4 + 12 + 1, 0x7f, "tile data: polygon 1: edge 0 leads to polygon"},
		{"corners", polys + 30, 7, "tile data: polygon 0: 7 corners, must be 3 to 6"},
		{"no corners", polys + 30, 2, "tile data: polygon 0: 2 corners, must be 3 to 6"},
		{"type", polys + 31, 0x80, "tile data: polygon 0: type 2"},
		{"first vertex", details + 3, 1, "tile data: height surface 0: vertices up to"},
		{"first triangle", details + 7, 1, "tile data: height surface 0: vertices up to"},
		{"vertex of a triangle", triangles, 200, "tile data: height surface 0: triangle 0 has vertex 200 of"},
		{"polygon of a connection", connections + 28, 0, "tile data: connection 0: polygon 0 is no connection"},
	} {
		d := bytes.Clone(data)
		d[c.at] = c.value
		if _, err := Read(bytes.NewReader(d)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCutShort reads all beginnings of a file: each is an error, and none panics.
func TestCutShort(t *testing.T) {
	data := file(t, "house-tiles.mset")
	for n := range data {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("%d bytes of %d are a mesh", n, len(data))
		}
	}
	if _, err := Read(nil); err == nil {
		t.Error("no reader is no error")
	}
}

func TestIsFile(t *testing.T) {
	for start, want := range map[string]bool{"VAND": true, "DNAV": true, "TESM": true, "MSET": true, "TEST": true, "TSET": true, "MEAD": false, "VAN": false, "": false} {
		if IsFile([]byte(start)) != want {
			t.Errorf("%q: %v", start, !want)
		}
	}
}

// TestHugeCounts checks that counts beyond the file cost nothing.
func TestHugeCounts(t *testing.T) {
	d := file(t, "house.bin")
	for i := 6; i < 14; i++ {
		x := bytes.Clone(d)
		binary.LittleEndian.PutUint32(x[4*i:], math.MaxInt32)
		costtest.Within(t, 5*time.Second, 10, func() {
			if _, err := Read(bytes.NewReader(x)); err == nil {
				t.Errorf("count %d: no error", i)
			}
		})
	}
}

// TestRandomDamage changes some bytes of files: reading ends in an error or in a sound mesh, and a written mesh is read.
func TestRandomDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	meshes := 0
	for range slow.Count(200, 2000) {
		for _, name := range []string{"house.mset", "house.bin", "house-tiles.mset", "house.tset"} {
			d := file(t, name)
			for range 1 + rng.IntN(6) {
				switch i := rng.IntN(len(d) - 4); rng.IntN(3) {
				case 0:
					d[i] = byte(rng.IntN(256))
				case 1:
					d[i] ^= 1 << rng.IntN(8)
				default:
					copy(d[i:i+4], d[rng.IntN(len(d)-4):])
				}
			}
			if checkDecoded(t, d) {
				meshes++
			}
		}
	}
	if meshes < 50 {
		t.Errorf("only %d files are meshes", meshes)
	}
}

// checkDecoded checks a mesh that a file of any bytes gives, and whether the mesh can be written and read again.
func checkDecoded(t *testing.T, data []byte) bool {
	t.Helper()
	m, err := Read(bytes.NewReader(data))
	if err != nil {
		return false
	}
	if err := m.Check(); err != nil || m.RegionCount() == 0 || !m.IsSound() {
		t.Fatalf("%d regions, sound: %v, %v", m.RegionCount(), m.IsSound(), err)
	}
	var out bytes.Buffer
	if Write(&out, m) == nil {
		if _, err := Read(&out); err != nil {
			t.Fatalf("written: %v", err)
		}
	}
	return true
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"house.mset", "house.bin", "house-tiles.mset", "house.tset", "house-npm.tset", "house-navcat.json"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkDecoded(t, data) })
}

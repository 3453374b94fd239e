package detour

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/slow"
)

// caches are tile caches with the sets that Detour makes of them: testdata/README.md.
var caches = []struct{ cache, set string }{
	{"house.tset", "house-cache.mset"},
	{"house-npm.tset", "house-npm.mset"},
}

func fileSet(t testing.TB, name string) *set {
	t.Helper()
	s, err := decode(bytes.NewReader(file(t, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// TestCacheAgainstDetour compares tiles of layers with the tiles that Detour makes of the same layers: vertices, polygons with their
// corners, neighbours, areas and flags, and height surfaces, to the last bit.
func TestCacheAgainstDetour(t *testing.T) {
	for _, c := range caches {
		a, b := fileSet(t, c.cache), fileSet(t, c.set)
		if len(a.tiles) != len(b.tiles) || a.origin != b.origin || a.width != b.width || a.depth != b.depth || a.maxTiles != b.maxTiles || a.maxPolys != b.maxPolys {
			t.Fatalf("%s: %d tiles at %v, of %d at %v", c.cache, len(a.tiles), a.origin, len(b.tiles), b.origin)
		}
		if diff := differences(a, b); diff != "" {
			t.Errorf("%s: %s", c.cache, diff)
		}
		// A fault of the test itself would be silent: one moved vertex must be noticed.
		b.tiles[0].vertices[0][0]++
		if differences(a, b) == "" {
			t.Errorf("%s: a moved vertex is not noticed", c.cache)
		}
	}
}

// differences tells of the first tile of a that b has not.
func differences(a, b *set) string {
	for i := range a.tiles {
		x := &a.tiles[i]
		k := slices.IndexFunc(b.tiles, func(y tile) bool { return x.x == y.x && x.y == y.y && x.layer == y.layer })
		if k < 0 {
			return "a tile is missing"
		}
		y := b.tiles[k]
		plain := slices.Clone(y.polys)
		for i := range plain {
			plain[i].mark = 0
		}
		switch {
		case !slices.Equal(x.vertices, y.vertices):
			return "vertices"
		case !slices.Equal(x.polys, plain):
			return "polygons"
		case !slices.Equal(x.details, y.details) || !slices.Equal(x.detailTriangles, y.detailTriangles):
			return "height surfaces"
		case x.min != y.min || x.max != y.max || x.perCell != y.perCell || x.height != y.height || x.radius != y.radius || x.climb != y.climb:
			return "the header"
		}
	}
	return ""
}

// cornerDifferences compares the polygons of two sets by the places of their corners.
func cornerDifferences(a, b *set) string {
	for i := range a.tiles {
		x := &a.tiles[i]
		k := slices.IndexFunc(b.tiles, func(y tile) bool { return x.x == y.x && x.y == y.y && x.layer == y.layer })
		if k < 0 {
			return "a tile is missing"
		}
		y := &b.tiles[k]
		if len(x.polys) != len(y.polys) {
			return fmt.Sprintf("tile %d: %d polygons, want %d", i, len(x.polys), len(y.polys))
		}
		for k := range x.polys {
			p, q := x.polys[k], y.polys[k]
			if p.count != q.count || p.beside != q.beside || p.area != q.area || p.flags != q.flags {
				return fmt.Sprintf("tile %d, polygon %d: %+v, want %+v", i, k, p, q)
			}
			for c := range p.count {
				if v, w := x.vertices[p.corners[c]], y.vertices[q.corners[c]]; v != w {
					return fmt.Sprintf("tile %d, polygon %d: a corner at %v, want %v", i, k, v, w)
				}
			}
		}
	}
	return ""
}

// TestReadCache reads tile caches whole: floor on the yard, on the ramp and on the deck, in one component, with areas.
func TestReadCache(t *testing.T) {
	for _, c := range caches {
		m, other := read(t, file(t, c.cache)), read(t, file(t, c.set))
		same(t, c.cache, m, other)
		if faults := m.Validate(); len(faults) > 0 {
			t.Errorf("%s: %d faults, the first: %v", c.cache, len(faults), faults[0])
		}
		if m.Area() < 400 || len(m.Tiles[0].Layers) < 2 {
			t.Errorf("%s: %g m² in %d layers", c.cache, m.Area(), len(m.Tiles[0].Layers))
		}
		var out bytes.Buffer
		if err := Write(&out, m); err != nil {
			t.Fatal(err)
		}
		same(t, c.cache+" written as a set", read(t, out.Bytes()), m)
		// Borders that lead nowhere stay closed in the written set, and corners return to the last bit.
		back, err := decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cornerDifferences(back, fileSet(t, c.set)); diff != "" {
			t.Errorf("%s written as a set: %s", c.cache, diff)
		}
	}
	areas := map[uint8]uint32{}
	for _, r := range read(t, file(t, "house.tset")).Tiles[0].Regions {
		areas[r.Area] = r.Flags >> flagShift
	}
	if len(areas) != 3 || areas[0] != flagWalk || areas[areaWater] != flagSwim || areas[areaDoor] != flagWalk|flagDoor {
		t.Errorf("areas with flags %v", areas)
	}
}

// TestFastLZ decompresses blocks written by hand, literals and matches of each form, and refuses bad ones.
func TestFastLZ(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name, block string
		size        int
		want, err   string
	}{
		{"literals", "\x02abc", 3, "abc", ""},
		{"short match", "\x02abc\x20\x02", 6, "abcabc", ""},
		{"run", "\x00x\xe0\x05\x00", 15, x(15), ""},
		{"level 2, long run", "\x20x\xe0\xff\x05\x00", 270, x(270), ""},
		{"literals after a match", "\x00x\x20\x00\x00y", 5, "xxxxy", ""},
		{"far match", "\x20" + "a" + strings.Repeat("\xe0"+strings.Repeat("\xff", 32)+"\x00\x00", 1) + "\x3f\xff\x00\x00", 1 + 9 + 32*255 + 3, strings.Repeat("a", 1+9+32*255+3), "starts 8192 bytes back, at byte 8170"},
		{"level 3", "\x40abc", 3, "", "level 3, only 1 and 2"},
		{"empty", "", 3, "", "no bytes"},
		{"too short", "\x02abc", 4, "", "3 bytes, must be 4"},
		{"too long", "\x02abc", 2, "", "more than 2 bytes"},
		{"match too long", "\x00x\xe0\x05\x00", 14, "", "more than 14 bytes"},
		{"cut in literals", "\x05abc", 6, "", "end inside of a token"},
		{"cut in a length", "\x00x\xe0", 6, "", "end inside of a token"},
		{"cut in a distance", "\x00x\x20", 6, "", "end inside of a token"},
		{"before the start", "\x00x\x20\x05", 6, "", "a match starts 6 bytes back, at byte 1"},
		{"endless length", "\x20x\xe0" + strings.Repeat("\xff", 1000), 10, "", ""},
	} {
		out, err := fastLZ([]byte(c.block), c.size)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
		case c.want != "" && (err != nil || string(out) != c.want):
			t.Errorf("%s: %q, %v", c.name, out, err)
		case c.want == "" && err == nil:
			t.Errorf("%s: no error", c.name)
		}
	}
	// The compressor of the npm package recast-navigation made a layer of 200 × 200 cells: level 2, with matches far back.
	layer := file(t, "fastlz2.layer")
	out, err := fastLZ(layer[layerHeaderSize:], 3*200*200)
	if err != nil || layer[layerHeaderSize]>>5 != 1 {
		t.Fatalf("a block of level %d: %v", layer[layerHeaderSize]>>5+1, err)
	}
	for i, v := range out {
		want, x, z := byte([3]int{0, walkable, 15}[i/40000]), i%40000%200, i%40000/200
		if z < 8 && i/40000 != 1 {
			want = byte((7*x*x + 13*z*z + x*z) >> 3)
		}
		if v != want {
			t.Fatalf("byte %d is %d, want %d", i, v, want)
		}
	}
	// A distance of 16 further bits reaches 8192 bytes back and more.
	block := append([]byte("\x21ab"), 0xe0)
	block = append(block, bytes.Repeat([]byte{255}, 40)...)
	block = append(block, 0, 0, 0x3f, 255, 2, 0)
	size := 2 + 9 + 40*255 + 3
	if out, err := fastLZ(block, size); err != nil || len(out) != size || out[0] != 'a' || out[size-1] != 'b' {
		t.Errorf("far match: %d bytes, %v", len(out), err)
	}
}

// TestCacheFaults damages a tile cache in one place each.
func TestCacheFaults(t *testing.T) {
	put := func(at int, v uint32) func([]byte) []byte {
		return func(d []byte) []byte { binary.LittleEndian.PutUint32(d[at:], v); return d }
	}
	const head = cacheHeaderSize + 8
	nan := math.Float32bits(float32(math.NaN()))
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"short", func(d []byte) []byte { return d[:50] }, "tile cache: 50 bytes, the header has 92"},
		{"version", put(4, 2), "tile cache: version 2, only 1 is read"},
		{"no layers", put(8, 0), "tile cache: 0 layers"},
		{"more layers", put(8, 99), "the file ends before layer 13 of 99"},
		{"fewer layers", put(8, 3), "bytes behind the last layer"},
		{"width", put(24, 0), "tile cache: tiles of 0 ×"},
		{"origin", put(12, nan), "tile cache: the header: a coordinate is NaN"},
		{"cell", put(52, 0), "tile cache: cells of 0 ×"},
		{"size", put(cacheHeaderSize+4, 1<<30), "layer 0: 1073741824 bytes"},
		{"small", put(cacheHeaderSize+4, 12), "layer 0: 12 bytes, the header has 56"},
		{"magic", put(head, 7), "layer 0: starts with"},
		{"layer version", put(head+4, 9), "layer 0: version 9, only 1 is read"},
		{"bounds", put(head+20, nan), "layer 0: the bounds: a coordinate is NaN"},
		{"no cells", func(d []byte) []byte { d[head+48] = 0; return d }, "layer 0: 0 × 32 cells"},
		{"more cells", func(d []byte) []byte { d[head+48] = 200; return d }, "layer 0: FastLZ: 3072 bytes, must be 19200"},
		{"level", func(d []byte) []byte { d[head+layerHeaderSize] |= 0xc0; return d }, "layer 0: FastLZ: level"},
		{"agent", put(72, math.Float32bits(-1)), "tile 0: agent: radius is -1"},
	} {
		d := c.damage(file(t, "house.tset"))
		_, err := Read(bytes.NewReader(d))
		if err == nil || !strings.HasPrefix(err.Error(), "detour: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	data := file(t, "house.tset")
	for n := 0; n < len(data); n += 1 + n/40 {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("%d bytes of %d are a mesh", n, len(data))
		}
	}
}

// cacheOf returns a tile cache of layers of w × d cells, stored without compression.
func cacheOf(layers, w, d int, cell func(layer, x, z int) (height, area, sides uint8)) []byte {
	var out []byte
	word := func(v uint32) { out = binary.LittleEndian.AppendUint32(out, v) }
	float := func(v float32) { word(math.Float32bits(v)) }
	for _, v := range []uint32{cacheMagic, cacheVersion, uint32(layers)} {
		word(v)
	}
	origin := func() { float(0); float(0); float(0) }
	origin()
	float(float32(w))
	float(float32(d))
	word(uint32(layers))
	word(maxPolys)
	origin()
	float(1)
	float(0.2)
	word(uint32(w))
	word(uint32(d))
	for _, v := range []float32{2, 0.6, 0.9, 1.3} {
		float(v)
	}
	word(uint32(layers))
	word(0)
	for l := range layers {
		word(uint32(l + 1))
		word(uint32(layerHeaderSize + 3*w*d))
		for _, v := range []uint32{layerMagic, layerVersion, uint32(l), 0, 0} {
			word(v)
		}
		float(float32(l * w))
		float(0)
		float(0)
		float(float32((l + 1) * w))
		float(50)
		float(float32(d))
		word(255 << 16)
		out = append(out, uint8(w), uint8(d), 0, uint8(w-1), 0, uint8(d-1), 0, 0)
		grids := make([]byte, 3*w*d)
		for z := range d {
			for x := range w {
				i := z*w + x
				grids[i], grids[w*d+i], grids[2*w*d+i] = cell(l, x, z)
			}
		}
		out = append(out, grids...)
	}
	return out
}

// TestStoredLayers reads layers that are not compressed: two squares side by side, joined across the border.
func TestStoredLayers(t *testing.T) {
	m := read(t, cacheOf(2, 10, 10, func(l, x, z int) (uint8, uint8, uint8) {
		sides := uint8(0)
		for dir, d := range directions {
			switch x, z := x+d[0], z+d[1]; {
			case x >= 0 && x < 10 && z >= 0 && z < 10:
				sides |= 1 << dir
			case x < 0 && l == 1 || x == 10 && l == 0:
				sides |= 1 << (4 + dir)
			}
		}
		return 0, walkable, sides
	}))
	if m.RegionCount() != 2 || math.Abs(m.Area()-200) > 1e-9 || m.Components != 1 {
		t.Errorf("%d regions, %g m², %d components; want 2, 200, 1", m.RegionCount(), m.Area(), m.Components)
	}
}

// TestHostileCache reads layers that are worst for time: chess boards, combs, spirals of steps, sides that no neighbour has.
func TestHostileCache(t *testing.T) {
	const n = 120
	rng := rand.New(rand.NewPCG(3, 4))
	for name, cell := range map[string]func(l, x, z int) (uint8, uint8, uint8){
		"chess":  func(_, x, z int) (uint8, uint8, uint8) { return 0, uint8((x + z) % 2), 0 },
		"comb":   func(_, x, z int) (uint8, uint8, uint8) { return 0, uint8(min(1, x%2+max(0, 1-z))), 15 },
		"spiral": func(_, x, z int) (uint8, uint8, uint8) { return uint8(x*z) & 1 * 9, 1 + uint8(x*x+z*z)%2, 15 },
		"noise": func(_, _, _ int) (uint8, uint8, uint8) {
			return uint8(rng.IntN(256)), uint8(rng.IntN(3)), uint8(rng.IntN(256))
		},
		"portals": func(_, x, _ int) (uint8, uint8, uint8) { return uint8(x), 1, 0xf0 },
	} {
		data := cacheOf(8, n, n, cell)
		costtest.Within(t, 20*time.Second, 600, func() {
			m, err := Read(bytes.NewReader(data))
			if err == nil && !m.IsSound() {
				t.Errorf("%s: an unsound mesh", name)
			}
		})
	}
}

// TestRandomCaches reads random layers of few cells: every mesh is sound.
func TestRandomCaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	meshes := 0
	for range slow.Count(60, 600) {
		w, d, areas, step := 1+rng.IntN(12), 1+rng.IntN(12), 2+rng.IntN(2), 1+rng.IntN(8)
		if checkDecoded(t, cacheOf(1+rng.IntN(3), w, d, func(_, x, z int) (uint8, uint8, uint8) {
			return uint8(rng.IntN(step)), uint8(rng.IntN(areas)), uint8(rng.IntN(256))
		})) {
			meshes++
		}
	}
	if meshes < 20 {
		t.Errorf("only %d files are meshes", meshes)
	}
}

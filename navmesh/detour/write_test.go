package detour

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/polymesh"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// written returns the set of a mesh.
func written(t testing.TB, m *navmesh.Mesh) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decoded(t testing.TB, data []byte) *set {
	t.Helper()
	s, err := decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRoundTrip reads files, stores the meshes in Meadow's format, and writes them again: all polygons, numbers of tiles, and
// connections are those of the file, to the last bit.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"house.mset", "house.bin", "house-tiles.mset"} {
		data := file(t, name)
		stored, err := navfile.Encode(read(t, data))
		if err != nil {
			t.Fatal(err)
		}
		m, err := navfile.Decode(stored)
		if err != nil {
			t.Fatal(err)
		}
		a, b := decoded(t, data), decoded(t, written(t, m))
		if a.origin != b.origin || a.width != b.width || a.depth != b.depth || len(a.tiles) != len(b.tiles) || a.maxTiles != b.maxTiles {
			t.Fatalf("%s: %d tiles of %g × %g m from %g, want %d of %g × %g from %g", name, len(b.tiles), b.width, b.depth, b.origin, len(a.tiles), a.width, a.depth, a.origin)
		}
		for i := range a.tiles {
			sameTile(t, name, i, &a.tiles[i], &b.tiles[i])
		}
		if again := written(t, read(t, written(t, m))); !bytes.Equal(again, written(t, m)) {
			t.Errorf("%s: a second round gives another file", name)
		}
	}
}

func sameTile(t *testing.T, name string, i int, a, b *tile) {
	t.Helper()
	if a.x != b.x || a.y != b.y || a.layer != b.layer || a.userID != b.userID || a.height != b.height || a.radius != b.radius || a.climb != b.climb ||
		a.min != b.min || a.max != b.max || a.perCell != b.perCell || len(a.polys) != len(b.polys) || !slices.Equal(a.connections, b.connections) {
		t.Errorf("%s: tile %d is %+v, want %+v", name, i, b, a)
		return
	}
	for k := range a.polys {
		p, q := &a.polys[k], &b.polys[k]
		if p.count != q.count || p.flags != q.flags || p.area != q.area || p.typeOf != q.typeOf || p.beside != q.beside {
			t.Errorf("%s: tile %d, polygon %d is %+v, want %+v", name, i, k, q, p)
			continue
		}
		if p.typeOf == typeOffMesh {
			continue // Detour moves the ends to the ground when it loads the tile
		}
		for c := range p.count {
			if v, w := a.vertices[p.corners[c]], b.vertices[q.corners[c]]; v != w {
				t.Errorf("%s: tile %d, polygon %d: corner %d at %g, want %g", name, i, k, c, w, v)
			}
		}
		if k < len(a.details) && (a.details[k].triangleCount != b.details[k].triangleCount || a.details[k].vertexCount != b.details[k].vertexCount) {
			t.Errorf("%s: tile %d, polygon %d: surface %+v, want %+v", name, i, k, b.details[k], a.details[k])
		}
	}
}

// wheel returns a mesh of a regular polygon of many corners with a square at every other side, far from the origin or near.
func wheel(t testing.TB, corners int, far int64) *navmesh.Mesh {
	t.Helper()
	s := &polymesh.Soup{Frame: lattice.Frame{East: far, North: -far}, Agent: geom.Agent{}.WithDefaults()}
	at := func(radius, turn float64) lattice.Point {
		sin, cos := math.Sincos(2 * math.Pi * turn / float64(corners))
		return lattice.Point{X: int32(math.Round(radius * cos)), Y: int32(math.Round(radius * sin))}
	}
	var hub []uint32
	for k := range corners {
		hub = append(hub, uint32(k))
		s.Points = append(s.Points, lattice.Vertex{Point: at(40000, float64(k)), Z: int32(100 * k)})
	}
	s.Polygons = append(s.Polygons, polymesh.Polygon{Corners: hub, Area: 2, Flags: navmesh.DefaultFlags})
	for k := 0; k < corners; k += 2 {
		a, b := uint32(k), uint32((k+1)%corners)
		n := uint32(len(s.Points))
		s.Points = append(s.Points, lattice.Vertex{Point: at(60000, float64(k)), Z: int32(100 * k)}, lattice.Vertex{Point: at(60000, float64(k+1)), Z: int32(100 * k)})
		s.Polygons = append(s.Polygons, polymesh.Polygon{Corners: []uint32{b, a, n, n + 1}, Flags: navmesh.DefaultFlags})
	}
	s.Meetings = polymesh.Meet(s, 0)
	m, _, err := polymesh.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSplitAndJoin writes regions of up to 40 corners and reads them back: the polygons of the file have at most six corners and the
// same area, and the regions of the mesh come back.
func TestSplitAndJoin(t *testing.T) {
	for corners := 4; corners <= 40; corners += 3 {
		m := wheel(t, corners, 0)
		data := written(t, m)
		s := decoded(t, data)
		if n := len(s.tiles[0].polys); corners > 6 && n <= m.RegionCount() {
			t.Errorf("%d corners: %d polygons for %d regions", corners, n, m.RegionCount())
		}
		back := read(t, data)
		if faults := back.Validate(); len(faults) > 0 {
			t.Errorf("%d corners: %v", corners, faults[0])
		}
		if back.RegionCount() != m.RegionCount() || back.Area() != m.Area() || back.Components != m.Components || len(back.Tiles[0].Portals) != len(m.Tiles[0].Portals) {
			t.Errorf("%d corners: %d regions, %g m², %d components, %d portals; want %d, %g, %d, %d", corners, back.RegionCount(), back.Area(), back.Components,
				len(back.Tiles[0].Portals), m.RegionCount(), m.Area(), m.Components, len(m.Tiles[0].Portals))
		}
		for i := range m.Tiles[0].Regions {
			a, b := &m.Tiles[0].Regions[i], &back.Tiles[0].Regions[i]
			if a.Count != b.Count || a.Area != b.Area || a.Flags != b.Flags {
				t.Errorf("%d corners: region %d is %+v, want %+v", corners, i, b, a)
			}
		}
	}
}

// TestLostMarks overwrites the marks of cut regions, as Detour does when it uses a tile: the pieces stay regions.
func TestLostMarks(t *testing.T) {
	m := wheel(t, 20, 0)
	s := decoded(t, written(t, m))
	for i := range s.tiles[0].polys {
		s.tiles[0].polys[i].mark = uint32(i)
	}
	back, err := s.mesh()
	if err != nil {
		t.Fatal(err)
	}
	if back.RegionCount() != len(s.tiles[0].polys) || back.Components != 1 || len(back.Validate()) > 0 {
		t.Errorf("%d regions, %d components, faults %v; want %d regions", back.RegionCount(), back.Components, back.Validate(), len(s.tiles[0].polys))
	}
}

// TestWrittenPolygonsAreConvex looks at the numbers of the file, near the origin and where a float32 has steps of 16 units.
func TestWrittenPolygonsAreConvex(t *testing.T) {
	for _, far := range []int64{0, 1<<24 + 77, 1<<28 + 77} {
		for corners := 7; corners < 60; corners += 11 {
			m := wheel(t, corners, far)
			data := written(t, m)
			s := decoded(t, data)
			for i, p := range s.tiles[0].polys {
				var ring lattice.Ring
				for _, c := range p.corners[:p.count] {
					v := s.tiles[0].vertices[c]
					ring = append(ring, lattice.Point{X: int32(int64(math.Round(float64(v[0])*lattice.UnitsPerMetre)) - far), Y: int32(int64(math.Round(-float64(v[2])*lattice.UnitsPerMetre)) + far)})
				}
				if fault, at := planar.Fault(ring); fault != "" || p.count > cornersPerPoly {
					t.Errorf("%d corners at %d: polygon %d: %s at corner %d of %d", corners, far, i, fault, at, p.count)
				}
			}
			if back := read(t, data); math.Abs(back.Area()-m.Area()) > 1e-3*m.Area() || back.Components != 1 {
				t.Errorf("%d corners at %d: %g m², want %g; %d components", corners, far, back.Area(), m.Area(), back.Components)
			}
		}
	}
}

// TestLinks writes links of a mesh from elsewhere: both directions are one connection.
func TestLinks(t *testing.T) {
	m := read(t, file(t, "house.mset"))
	m.Record = nil
	s := decoded(t, written(t, m))
	c := s.tiles[0].connections
	if len(c) != 2 || c[0].flags+c[1].flags != bothWays {
		t.Errorf("%d connections: %+v", len(c), c)
	}
	if back := read(t, written(t, m)); len(back.Links) != len(m.Links) || back.Components != m.Components {
		t.Errorf("%d links, want %d", len(back.Links), len(m.Links))
	}
}

// TestHeightsWithinFiveCentimetres writes hills with more triangles than fit, and compares heights.
func TestHeightsWithinFiveCentimetres(t *testing.T) {
	const n, cell = 12, 2000
	hill := func(x, y int32) int32 {
		return int32(math.Round(3000*math.Sin(float64(x)/5000) + 2000*math.Cos(float64(y)/4000)))
	}
	m := wheel(t, 4, 0)
	floor := &m.Tiles[0].Layers[0].Floor
	*floor = lattice.TIN{}
	for y := int32(-2 * n); y <= 2*n; y++ {
		for x := int32(-2 * n); x <= 2*n; x++ {
			floor.Vertices = append(floor.Vertices, lattice.Vertex{Point: lattice.Point{X: x * 3 * cell, Y: y * 3 * cell}, Z: hill(x*3*cell, y*3*cell)})
		}
	}
	for y := range uint32(4 * n) {
		for x := range uint32(4 * n) {
			k := y*(4*n+1) + x
			floor.Triangles = append(floor.Triangles, [3]uint32{k, k + 1, k + 4*n + 2}, [3]uint32{k, k + 4*n + 2, k + 4*n + 1})
		}
	}
	tile := &m.Tiles[0]
	want := lattice.NewSampler(floor)
	for i := range tile.Vertices {
		h, _ := want.Height(float64(tile.Vertices[i].X), float64(tile.Vertices[i].Y))
		tile.Vertices[i].Z = int32(math.Round(h))
	}
	back := read(t, written(t, m))
	got := lattice.NewSampler(&back.Tiles[0].Layers[0].Floor)
	far, worst := 0, 0.0
	const samples = 60
	for y := range samples {
		for x := range samples {
			at := [2]float64{float64(x-samples/2) * 900, float64(y-samples/2) * 900}
			a, okA := want.Height(at[0], at[1])
			// The frames differ.
			dx, dy := float64(m.Frame.East-back.Frame.East), float64(m.Frame.North-back.Frame.North)
			b, okB := got.Height(at[0]+dx, at[1]+dy)
			if okA && okB {
				d := math.Abs(a - b - float64(back.Frame.Up-m.Frame.Up))
				if worst = max(worst, d); d > heightStep {
					far++
				}
			}
		}
	}
	if far > samples*samples/10 || worst > 6*heightStep {
		t.Errorf("%d of %d places are off by more than 5 cm, the worst by %.2f m", far, samples*samples, worst*lattice.Unit)
	}
}

func TestWriteFaults(t *testing.T) {
	good := wheel(t, 8, 0)
	many := wheel(t, 8, 0)
	many.Tiles[0].Regions[3].Area = 64
	for _, c := range []struct {
		name string
		w    io.Writer
		mesh *navmesh.Mesh
		want string
	}{
		{"no writer", nil, good, "detour: the writer is nil"},
		{"no mesh", io.Discard, nil, "detour: navmesh: index: the mesh is nil"},
		{"empty mesh", io.Discard, &navmesh.Mesh{}, "detour: the mesh has no regions"},
		{"area", io.Discard, many, "detour: region 3 is of area 64, Detour has areas 0 to 63"},
	} {
		for _, write := range []func(io.Writer, *navmesh.Mesh) error{Write, WriteTile} {
			if err := write(c.w, c.mesh); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	if err := WriteTile(io.Discard, read(t, file(t, "house-tiles.mset"))); err == nil || !strings.Contains(err.Error(), "8 tiles, tile data is one") {
		t.Errorf("tiles as tile data: %v", err)
	}
}

// TestDamagedRecord breaks the record in every byte: writing ends in a file that is read, or in an error.
func TestDamagedRecord(t *testing.T) {
	m := read(t, file(t, "house.mset"))
	record := bytes.Clone(m.Record)
	for i := range record {
		m.Record = bytes.Clone(record)
		m.Record[i] ^= 1
		var out bytes.Buffer
		if Write(&out, m) != nil {
			continue
		}
		if _, err := Read(&out); err != nil {
			t.Fatalf("byte %d, %q: %v", i, record[max(0, i-10):min(len(record), i+10)], err)
		}
	}
}

// TestTree walks the tree of boxes as Detour does, past the nodes that a box skips, and compares the found polygons with all.
func TestTree(t *testing.T) {
	s := decoded(t, written(t, wheel(t, 40, 0)))
	nodes := s.tiles[0].tree()
	if want := 2*len(s.tiles[0].polys) - 1; len(nodes) != want {
		t.Fatalf("%d nodes, want %d", len(nodes), want)
	}
	touches := func(n *node, low, high [3]uint16) bool {
		for a := range low {
			if n.low[a] > high[a] || n.high[a] < low[a] {
				return false
			}
		}
		return true
	}
	rng := rand.New(rand.NewPCG(4, 5))
	for range 200 {
		var low, high [3]uint16
		for a := range low {
			low[a] = uint16(rng.IntN(300))
			high[a] = low[a] + uint16(rng.IntN(40))
		}
		low[1], high[1] = 0, math.MaxUint16
		var got, want []int32
		for i := 0; i < len(nodes); {
			n := &nodes[i]
			over := touches(n, low, high)
			if over && n.next >= 0 {
				got = append(got, n.next)
			}
			if over || n.next >= 0 {
				i++
			} else {
				i += int(-n.next)
			}
		}
		for i := range nodes {
			if nodes[i].next >= 0 && touches(&nodes[i], low, high) {
				want = append(want, nodes[i].next)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("from %v to %v: polygons %v, want %v", low, high, got, want)
		}
	}
}

// TestBorderFlags counts the marked edges of height surfaces: Detour reads a null pointer at a surface without any.
func TestBorderFlags(t *testing.T) {
	for _, m := range []*navmesh.Mesh{wheel(t, 20, 0), read(t, file(t, "house.mset"))} {
		s := decoded(t, written(t, m))
		for i, d := range s.tiles[0].details {
			edges := 0
			for _, f := range s.tiles[0].detailTriangles[d.triangles : d.triangles+uint32(d.triangleCount)] {
				for k := range 3 {
					edges += int(f[3] >> (2 * k) & edgeOfPolygon)
				}
			}
			// Euler: a triangulated disc of t triangles and n points has 2n-2-t edges on its border.
			n := int(s.tiles[0].polys[i].count) + int(d.vertexCount)
			if want := 2*n - 2 - int(d.triangleCount); edges != want {
				t.Errorf("polygon %d: %d edges on the border, want %d", i, edges, want)
			}
		}
	}
}

// strip is a strip of quadrilaterals along a line in no direction of the lattice: each side of the strip is straight. A region of many
// corners lies along the strip; its first corner is in the middle of its straight side.
func strip(t testing.TB, parts int32, far int64) *navmesh.Mesh {
	t.Helper()
	const dx, dy = 1003, 377
	s := &polymesh.Soup{Frame: lattice.Frame{East: far, North: far}, Agent: geom.Agent{}.WithDefaults()}
	point := func(x, y int32) uint32 {
		s.Points = append(s.Points, lattice.Vertex{Point: lattice.Point{X: x, Y: y}})
		return uint32(len(s.Points) - 1)
	}
	var low, high []uint32
	for k := range parts + 1 {
		low, high = append(low, point(k*dx, k*dy)), append(high, point(k*dx-dy, k*dy+dx))
	}
	for k := range parts {
		s.Polygons = append(s.Polygons, polymesh.Polygon{Corners: []uint32{low[k], low[k+1], high[k+1], high[k]}, Flags: navmesh.DefaultFlags})
	}
	under := slices.Clone(low)
	slices.Reverse(under)
	under = append(under, point(3*dy, -3*dx), point(parts*dx+3*dy, parts*dy-3*dx))
	under = append(under[1:], under[0])
	s.Polygons = append(s.Polygons, polymesh.Polygon{Corners: under, Flags: navmesh.DefaultFlags})
	s.Meetings = polymesh.Meet(s, 0)
	m, _, err := polymesh.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestStraightSides writes straight sides with corners in their middle. Near the origin the region comes back, without these
// corners; far away a float32 has steps of up to 32 units. One corner in the middle of a side moves to where no cut is needed; of
// many corners some may stay cut.
func TestStraightSides(t *testing.T) {
	near := strip(t, 8, 0)
	back := read(t, written(t, near))
	if back.RegionCount() != near.RegionCount() || back.Area() != near.Area() || len(back.Tiles[0].Portals) != len(near.Tiles[0].Portals) || len(back.Validate()) > 0 {
		t.Errorf("%d regions, %g m², %d portals, %v", back.RegionCount(), back.Area(), len(back.Tiles[0].Portals), back.Validate())
	}
	if n := back.Tiles[0].Regions[8].Count; n != 4 {
		t.Errorf("the large region has %d corners, want 4", n)
	}
	for far := int64(1<<25 + 1); far < 1<<29; far += 1<<25 + 11 {
		if n := len(decoded(t, written(t, strip(t, 2, far))).tiles[0].polys); n != 3 {
			t.Errorf("at %d: %d polygons, want 3", far, n)
		}
		m := strip(t, 8, far)
		s := decoded(t, written(t, m))
		for i, p := range s.tiles[0].polys {
			if p.count != 4 && i < 8 {
				t.Errorf("at %d: polygon %d has %d corners", far, i, p.count)
			}
		}
		if back := read(t, written(t, m)); back.Components != 1 || len(back.Tiles[0].Portals) < len(m.Tiles[0].Portals) {
			t.Errorf("at %d: %d components, %d portals, want 1 and at least %d", far, back.Components, len(back.Tiles[0].Portals), len(m.Tiles[0].Portals))
		}
	}
}

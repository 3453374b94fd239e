package streamfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/navmesh"
)

// squares is a mesh of n by n squares on a floor, with an island, marks and links.
func squares(t testing.TB, n int32) *navmesh.Mesh {
	t.Helper()
	cell := func(x, y int32) (c plan.Cell) {
		for _, p := range []lattice.Point{{X: x, Y: y}, {X: x + 1, Y: y}, {X: x + 1, Y: y + 1}, {X: x, Y: y + 1}} {
			c.Corners = append(c.Corners, plan.Corner{Point: lattice.Point{X: p.X * 4096, Y: p.Y * 4096}, On: plan.NoEdge})
		}
		return c
	}
	var cells []plan.Cell
	for y := range n {
		for x := range n {
			cells = append(cells, cell(x, y))
		}
	}
	cells = append(cells, cell(n+2, 0))
	size := (n + 3) * 4096
	floor := lattice.TIN{
		Vertices: []lattice.Vertex{
			{Point: lattice.Point{X: -9, Y: -9}},
			{Point: lattice.Point{X: size, Y: -9}, Z: 99},
			{Point: lattice.Point{X: size, Y: size}, Z: 5},
			{Point: lattice.Point{X: -9, Y: size}},
			{Point: lattice.Point{X: 9 * size, Y: 0}},
			{Point: lattice.Point{X: 9*size + 9, Y: 0}},
			{Point: lattice.Point{X: 9 * size, Y: 9}},
			{},
		},
		Triangles: [][3]uint32{{0, 1, 2}, {4, 5, 6}, {0, 2, 3}},
		Error:     3,
	}
	p := &plan.Plan{Layers: []plan.Layer{{Domains: make([]plan.Domain, 1), Floor: floor}, {}}}
	m, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{cells}, {}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := len(m.Tiles[0].Regions) - 1
	at := func(r int) [2]lattice.Vertex {
		c := m.Tiles[0].Vertices[m.Tiles[0].RegionCorners(r)[0]]
		return [2]lattice.Vertex{c, c}
	}
	m.Links = []navmesh.Link{
		{From: navmesh.MakeRef(0, 0, 1), To: navmesh.MakeRef(0, 1, 1), Start: at(0), End: at(1), Kind: navmesh.Jump, Flags: 2},
		{From: navmesh.MakeRef(0, 0, 1), To: navmesh.MakeRef(0, last, 1), Start: at(0), End: at(last), Kind: navmesh.Ladder, Flags: 16, Cost: 1.5, Mark: 1, Clearance: 7},
	}
	m.Marks = []navmesh.Mark{{Name: "way", Kind: "ladder", Flags: 16}}
	m.Tiles[0].Marked = []navmesh.Marked{{Region: 2, Mark: 0}, {Region: uint32(last), Mark: 0}}
	m.Record = []byte("note")
	m.Tiles[0].Vertices = append(m.Tiles[0].Vertices, lattice.Vertex{Z: 7}) // of no region
	m.Connect()
	return m
}

func encodeSquares(t testing.TB, n int32) []byte {
	t.Helper()
	data, err := Encode(squares(t, n), Options{Regions: 3})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readAll opens a file, reads all tiles, and composes each alone, all of them, and every second.
func readAll(data []byte) ([]*navmesh.Mesh, error) {
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var tiles, odd []*Tile
	var sets [][]*Tile
	for i := range f.Tiles() {
		t, err := f.Tile(i)
		if err != nil {
			return nil, err
		}
		tiles = append(tiles, t)
		sets = append(sets, []*Tile{t})
		if i%2 > 0 {
			odd = append(odd, t)
		}
	}
	var meshes []*navmesh.Mesh
	for _, set := range append(sets, odd, tiles) {
		p, err := Compose(set)
		if err != nil {
			return nil, err
		}
		meshes = append(meshes, p.Mesh)
	}
	return meshes, nil
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	data := encodeSquares(t, 2)
	if _, err := readAll(data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			if _, err := readAll(bad); err == nil || !strings.HasPrefix(err.Error(), "streamfile: ") {
				t.Errorf("bit %d of byte %d of %d: %v", bit, i, len(data), err)
			}
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	data := encodeSquares(t, 2)
	for n := range data {
		if _, err := Open(bytes.NewReader(data[:n]), int64(n)); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(data))
		}
		// The same with the size of before: a file that is cut after its size was asked.
		if _, err := readAllOf(bytes.NewReader(data[:n]), int64(len(data))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes, cut later: %v", n, len(data), err)
		}
	}
	if _, err := readAll(append(data, 0)); err == nil {
		t.Error("a byte too many: no error")
	}
}

func readAllOf(r io.ReaderAt, size int64) (tiles int, err error) {
	f, err := Open(r, size)
	if err != nil {
		return 0, err
	}
	for tiles = range f.Tiles() {
		if _, err := f.Tile(tiles); err != nil {
			return tiles, err
		}
	}
	return tiles, nil
}

// resign makes all checksums right again, as far as the index can be read.
func resign(data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) < headerSize {
		return data
	}
	tiles, index := uint64(le.Uint32(data[12:])), le.Uint64(data[40:])
	size := uint64(len(data))
	if index < size && pad(headerSize+index) <= size {
		for i := range tiles {
			if headerSize+entrySize*(i+1) > headerSize+index {
				break
			}
			e := data[headerSize+entrySize*i:]
			if offset, length := le.Uint64(e), le.Uint64(e[8:]); offset <= size && length <= size-offset {
				le.PutUint32(e[16:], sum(data[offset:offset+length]))
			}
		}
		le.PutUint32(data[56:], sum(data[headerSize:pad(headerSize+index)]))
	}
	le.PutUint32(data[60:], sum(data[:60]))
	return data
}

// TestHostileTiles changes single numbers of a file and makes its checksums right. Each error names the tile and the element.
func TestHostileTiles(t *testing.T) {
	good := encodeSquares(t, 2)
	f, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	tile := f.entries[0].Offset
	n := func(which int) int64 { return int64(le.Uint32(good[tile+4*int64(which):])) }
	// at returns the offset of the first record of a kind in the first tile.
	at := func(which int) int64 {
		offset := tile + tileHead
		for i := range which {
			offset += n(i) * int64(recordSizes[i])
		}
		return offset
	}
	if n(nExits) == 0 || n(nLinks) < 2 || n(nFloors) == 0 || n(nPassages) == 0 {
		t.Fatalf("the first tile is poor: %d exits, %d links", n(nExits), n(nLinks))
	}
	border := int64(headerSize + entrySize*len(f.entries))
	for name, c := range map[string]struct {
		offset int64
		value  uint32
		want   string
	}{
		"version":             {8, 2, "streamfile: header: version 2, this program reads version 1"},
		"tiles":               {12, 1 << 30, "streamfile: header: 1073741824 tiles"},
		"no tiles":            {12, 0, "streamfile: header: 0 tiles"},
		"borders":             {16, math.MaxUint32, "streamfile: header: "},
		"layers":              {20, 70000, "streamfile: header: "},
		"regions":             {24, 7, "streamfile: index: tiles with 5 regions, the header says 7"},
		"generation":          {28, 1 << 20, "generation 1048576"},
		"length":              {32, 8, "bytes, its header says 8"},
		"index":               {40, 1 << 30, "streamfile: header: "},
		"cheap links":         {48, 2, "streamfile: header: "},
		"reserved":            {52, 1, "streamfile: header: "},
		"offset":              {headerSize, 8, "streamfile: index: tile 0: 3 regions in"},
		"length of tile":      {headerSize + 8, 1 << 20, "streamfile: index: tile 0: 3 regions in 1048576 bytes"},
		"regions of tile":     {headerSize + 20, 4, "streamfile: index: tiles with 6 regions, the header says 5"},
		"shortcuts":           {headerSize + 24, 2, "streamfile: index: tile 0: "},
		"box":                 {headerSize + 32, 1 << 29, "streamfile: index: tile 0: "},
		"border":              {border, 9, "streamfile: index: border 0 between tiles 9 and 1 of 3"},
		"border to itself":    {border, 1, "streamfile: index: border 0 between tiles 1 and 1 of 3"},
		"cost":                {border + 44, math.MaxUint32, "streamfile: index: border 0"},
		"one way":             {border + 48, 2, "streamfile: index: border 0"},
		"counts":              {tile, 4, "streamfile: tile 0: 4 regions and other elements of"},
		"reserved count":      {tile + 4*nReserved, 1, "streamfile: tile 0: 3 regions and other elements of"},
		"number":              {at(nRegions), 77, "streamfile: tile 0: region 0 with number 77 of 5"},
		"number twice":        {at(nRegions) + regionSize, 0, "streamfile: tile 0: region 1 with number 0 of 5"},
		"two corners":         {at(nRegions) + 4, 2, "streamfile: tile 0: region 0 with number 0 of 5"},
		"more corners":        {at(nRegions) + 4, 5, "streamfile: tile 0: regions with 13 corners"},
		"layer":               {at(nRegions) + 12, 2, "streamfile: tile 0: region 0 with number 0 of 5"},
		"area":                {at(nRegions) + 12, 1 << 24, "streamfile: tile 0: region 0 with number 0 of 5"},
		"order of vertices":   {at(nVertices), 50, "streamfile: tile 0: the vertices are not in order"},
		"vertex beyond":       {at(nVertices) + 4, 1 << 30, "streamfile: tile 0: the vertices are not in order"},
		"moved vertex":        {at(nVertices) + 4 + vertexSize*(n(nVertices)-3), 5, "is at"},
		"corner":              {at(nCorners), 99, "streamfile: tile 0: corner 0 is vertex 99 of"},
		"to":                  {at(nPortals), 99, "streamfile: tile 0: portal 0 from region 0 to region 99"},
		"to another":          {at(nPortals), 4, "streamfile: tile 0: region 0 has a portal to region 4, which is not in tile 0"},
		"back":                {at(nPortals) + 4, 9, "streamfile: tile 0: region 0 has a portal to portal 9 of 2 of region 1"},
		"edge":                {at(nPortals) + 8, 4, "streamfile: tile 0: portal 0"},
		"left":                {at(nPortals) + 12, 99, "streamfile: tile 0: portal 0"},
		"flags":               {at(nPortals) + 20, 4, "streamfile: tile 0: portal 0"},
		"clearance":           {at(nPortals) + 24, 3, "clearance"},
		"passage":             {at(nPassages), 5, "passages: passage 0"},
		"exit":                {at(nExits), 99, "streamfile: tile 0: exit 0 is portal 99 of"},
		"exit to itself":      {at(nExits) + 4, 0, "streamfile: tile 0: exit 0 is portal"},
		"exit elsewhere":      {at(nExits) + 4, 2, "in tile 2"},
		"marked":              {at(nMarked), 3, "streamfile: tile 0: marked: entry 0 is region 3 of 3"},
		"mark":                {at(nMarked) + 4, 1, "in mark 1 of 1"},
		"link from":           {at(nLinks) + 4, 3, "streamfile: tile 0: link 0 from region 3 of 3"},
		"link to":             {at(nLinks) + 8, 3, "streamfile: tile 0: link 0 leads to region 3, which is not in tile"},
		"link to nothing":     {at(nLinks) + 8, 5, "streamfile: tile 0: link 0 from region 0 of 3 to region 5"},
		"tile of link":        {at(nLinks) + 12, 9, "streamfile: tile 0: link 0 from region 0 of 3"},
		"kind of link":        {at(nLinks) + 64, 300, "streamfile: tile 0: link 0"},
		"kind of link beyond": {at(nLinks) + 64, 30, "link 0 is of kind 30"},
		"layer of floor":      {at(nFloors), 2, "streamfile: tile 0: floor 0 is of layer 2 of 2"},
		"size of floor":       {at(nFloors) + 4, 9, "streamfile: tile 0: floors with 9 vertices"},
		"floor vertices":      {at(nFloorVertices), 9, "streamfile: tile 0: the floor vertices of layer 0 are not in order"},
		"floor triangle":      {at(nTriangles) + 4, 8, "streamfile: tile 0: floor triangle 0 of layer 0 has vertex 8 of"},
		"floor triangles":     {at(nTriangles), 8, "streamfile: tile 0: the floor triangles of layer 0 are not in order"},
		"turned triangle":     {at(nTriangles) + 4, 1, "triangle 0"},
	} {
		data := bytes.Clone(good)
		le.PutUint32(data[c.offset:], c.value)
		if _, err := readAll(resign(data)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "streamfile: ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestClaimsAreNotBelieved checks that large counts cost no memory.
func TestClaimsAreNotBelieved(t *testing.T) {
	good := encodeSquares(t, 2)
	tile := int(le.Uint64(good[headerSize:]))
	costtest.Within(t, 10*time.Second, 4, func() {
		for _, offset := range []int{12, 16, 20, 24, 40, headerSize + 8, headerSize + 20, tile, tile + 4, tile + 16, tile + 40} {
			data := bytes.Clone(good)
			le.PutUint32(data[offset:], math.MaxUint32)
			if _, err := readAll(resign(data)); err == nil {
				t.Errorf("the number at byte %d is believed", offset)
			}
		}
	})
}

func TestEncodeRefuses(t *testing.T) {
	two := squares(t, 2)
	two.Tiles = append(two.Tiles, navmesh.Tile{})
	bad := squares(t, 2)
	bad.Tiles[0].Corners[0] = 99
	for want, c := range map[string]struct {
		m   *navmesh.Mesh
		opt Options
	}{
		"streamfile: navmesh: index: the mesh is nil":          {nil, Options{}},
		"streamfile: a mesh with 0 tiles and 0 regions":        {&navmesh.Mesh{}, Options{}},
		"streamfile: a mesh with 2 tiles and 5 regions":        {two, Options{}},
		"streamfile: a mesh with 1 tiles and 0 regions":        {&navmesh.Mesh{Tiles: make([]navmesh.Tile, 1)}, Options{}},
		"streamfile: navmesh: index: ":                         {bad, Options{}},
		"streamfile: Regions is -1, must be 1 to 1048576":      {squares(t, 2), Options{Regions: -1}},
		"streamfile: Regions is 1048577, must be 1 to 1048576": {squares(t, 2), Options{Regions: 1<<20 + 1}},
	} {
		var b bytes.Buffer
		if err := Write(&b, c.m, c.opt); err == nil || !strings.HasPrefix(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Write(nil, squares(t, 2), Options{}); err == nil {
		t.Error("a nil writer: no error")
	}
	broken := errors.New("the cable is out")
	if _, err := Open(brokenAt{broken}, 1000); !errors.Is(err, broken) {
		t.Errorf("opening: %v", err)
	}
	if _, err := Open(nil, 1000); err == nil {
		t.Error("a nil reader: no error")
	}
	if _, err := Open(bytes.NewReader(nil), -1); err == nil {
		t.Error("a negative size: no error")
	}
	if err := Write(iotest.TruncateWriter(failing{broken}, 0), squares(t, 2), Options{}); err != nil {
		t.Error(err)
	}
	if err := Write(failing{broken}, squares(t, 2), Options{}); !errors.Is(err, broken) {
		t.Errorf("writing: %v", err)
	}
}

// TestRead reads whole files.
func TestRead(t *testing.T) {
	m := squares(t, 3)
	data := encodeSquares(t, 3)
	got, err := Read(iotest.OneByteReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	if !IsFile(data) || IsFile(data[:7]) || IsFile(data[1:]) {
		t.Error("IsFile is wrong")
	}
	for n := range data {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("%d of %d bytes: no error", n, len(data))
		}
	}
	broken := errors.New("the cable is out")
	if _, err := Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if _, err := Read(nil); err == nil {
		t.Error("a nil reader: no error")
	}
}

type brokenAt struct{ err error }

func (b brokenAt) ReadAt([]byte, int64) (int, error) { return 0, b.err }

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestComposeRefuses composes tiles that do not belong together.
func TestComposeRefuses(t *testing.T) {
	data := encodeSquares(t, 3)
	var tiles [2][]*Tile
	for i := range tiles {
		f, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for k := range f.Tiles() {
			tile, err := f.Tile(k)
			if err != nil {
				t.Fatal(err)
			}
			tiles[i] = append(tiles[i], tile)
		}
		for _, k := range []int{-1, len(f.Tiles())} {
			if _, err := f.Tile(k); err == nil {
				t.Errorf("tile %d: no error", k)
			}
		}
	}
	if _, err := Compose([]*Tile{tiles[0][0], tiles[1][1]}); err == nil || !strings.Contains(err.Error(), "tiles of two files") {
		t.Errorf("two files: %v", err)
	}
	if _, err := Compose([]*Tile{tiles[0][1], tiles[0][0], tiles[0][1]}); err == nil || !strings.Contains(err.Error(), "tile 1 twice") {
		t.Errorf("one tile twice: %v", err)
	}
	p, err := Compose(nil)
	if err != nil || p.Mesh.RegionCount() != 0 {
		t.Errorf("no tiles: %v", err)
	}
	if _, ok := p.Origin(0); ok {
		t.Error("an empty part has an origin")
	}
	if _, ok := p.Find(navmesh.MakeRef(0, 0, 1)); ok {
		t.Error("an empty part has a region")
	}
	if _, ok := p.TileOf(navmesh.MakeRef(0, 0, 1)); ok {
		t.Error("an empty part has a tile")
	}
}

// TestClusters checks the sizes and the connection of clusters.
func TestClusters(t *testing.T) {
	m := squares(t, 40)
	tile := &m.Tiles[0]
	for _, size := range []int{1, 2, 30, 256, 5000} {
		of, n := cluster(tile, size)
		sizes := make([]int, n)
		for _, k := range of {
			sizes[k]++
		}
		if most := slices.Max(sizes); 3*most > 4*size || slices.Min(sizes) == 0 || n > 3*len(of)/size+2 {
			t.Errorf("%d clusters of %d to %d regions, want %d", n, slices.Min(sizes), most, size)
		}
		parts := 0
		seen := make([]bool, len(of))
		for i := range of {
			if seen[i] {
				continue
			}
			parts++
			wait := []int{i}
			seen[i] = true
			for len(wait) > 0 {
				r := wait[len(wait)-1]
				wait = wait[:len(wait)-1]
				for _, p := range tile.RegionPortals(r) {
					if to := int(p.To); of[to] == of[i] && !seen[to] {
						seen[to] = true
						wait = append(wait, to)
					}
				}
			}
		}
		if parts > n+1 { // the island may be with others
			t.Errorf("%d clusters of size %d are in %d pieces", n, size, parts)
		}
	}
}

// FuzzStream changes bytes of a file and makes its checksums right. Whatever can be composed passes Check and is bounded by the
// file.
func FuzzStream(f *testing.F) {
	good := encodeSquares(f, 2)
	f.Add([]byte{0x60, 0, 1, 0x90, 0, 2, 0xa0, 0, 3})
	f.Add([]byte{24, 0, 6})
	f.Fuzz(func(t *testing.T, edits []byte) {
		data := bytes.Clone(good)
		for ; len(edits) >= 3; edits = edits[3:] {
			data[int(le.Uint16(edits))%len(data)] = edits[2]
		}
		meshes, err := readAll(resign(data))
		if err != nil {
			return
		}
		for _, m := range meshes {
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
			m.Validate()
		}
		file, err := Open(bytes.NewReader(resign(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		bounds := file.Bounds(End{Tiles: []int{0}}, End{Tiles: []int{len(file.Tiles()) - 1}}, 1).Tiles
		if slices.ContainsFunc(bounds, func(b float64) bool { return b < 0 || math.IsNaN(b) }) {
			t.Fatal(bounds)
		}
	})
}

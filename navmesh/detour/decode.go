package detour

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Magic numbers and versions of the files, as the integers that programs write.
const (
	tileMagic  = 'D'<<24 | 'N'<<16 | 'A'<<8 | 'V'
	setMagic   = 'M'<<24 | 'S'<<16 | 'E'<<8 | 'T'
	cacheMagic = 'T'<<24 | 'S'<<16 | 'E'<<8 | 'T'

	tileVersion = 7
	setVersion  = 1
)

// Sizes of the parts of a file in bytes.
const (
	headerSize     = 100
	polySize       = 32
	detailSize     = 12
	nodeSize       = 16
	connectionSize = 36
	setHeaderSize  = 40

	cornersPerPoly = 6
)

// Numbers of the format.
const (
	external      = 0x8000 // an edge towards a neighbouring tile; the low bits are the side
	typeGround    = 0
	typeOffMesh   = 1
	bothWays      = 1 // flag of a connection
	maxCorners    = 0xfffe
	maxPolys      = 0x7ffe // the number of a neighbour plus one has 15 bits
	maxAreas      = 64
	maxDetail     = 255
	edgeOfPolygon = 1 // flag of an edge of a detail triangle
)

// MaxBytes is the size of the longest file that [Read] takes. Reading such a file takes some 2 GB of memory.
const MaxBytes = 1 << 27

// IsFile reports whether a file with the given start is tile data, a set or a tile cache, in either byte order, or JSON of navcat.
func IsFile(start []byte) bool {
	if len(start) < 4 {
		return false
	}
	if isNavcat(start) {
		return true
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch order.Uint32(start) {
		case tileMagic, setMagic, cacheMagic:
			return true
		}
	}
	return false
}

// set is a file: its grid of tiles, and the tiles.
type set struct {
	order    binary.ByteOrder
	wide     bool // references have 64 bits
	single   bool // tile data alone
	origin   [3]float32
	width    float32 // of a tile along x
	depth    float32 // of a tile along z
	maxTiles int32
	maxPolys int32
	tiles    []tile
	// cellHeight is the height of a cell of Recast, 0 if the file does not tell.
	cellHeight float32
}

// tile is the data of a tile. Links and the box tree are left out, because Detour makes links anew, and boxes follow from the
// polygons.
type tile struct {
	x, y, layer             int32
	userID                  uint32
	height, radius, climb   float32
	min, max                [3]float32
	perCell                 float32 // cells per metre
	vertices                [][3]float32
	polys                   []poly
	details                 []detail
	detailVertices          [][3]float32
	detailTriangles         [][4]uint8
	connections             []connection
	connectionBase, maxLink int32
}

// poly is a polygon of a tile.
type poly struct {
	mark         uint32 // a field that Detour overwrites: see marks.go
	corners      [cornersPerPoly]uint16
	beside       [cornersPerPoly]uint16 // 0 for a wall, external, or the number of a polygon plus one
	flags        uint16
	count        uint8
	area, typeOf uint8
}

// detail is the height surface of a polygon: triangles over its corners and further vertices.
type detail struct {
	vertices, triangles        uint32 // first ones
	vertexCount, triangleCount uint8
}

// connection is an off-mesh connection.
type connection struct {
	at     [2][3]float32
	radius float32
	poly   uint16
	flags  uint8
	side   uint8
	userID uint32
}

// decoder reads numbers from data that is long enough.
type decoder struct {
	order binary.ByteOrder
	data  []byte
}

func (d *decoder) u8() uint8 {
	v := d.data[0]
	d.data = d.data[1:]
	return v
}

func (d *decoder) u16() uint16 {
	v := d.order.Uint16(d.data)
	d.data = d.data[2:]
	return v
}

func (d *decoder) u32() uint32 {
	v := d.order.Uint32(d.data)
	d.data = d.data[4:]
	return v
}

func (d *decoder) i32() int32   { return int32(d.u32()) }
func (d *decoder) f32() float32 { return math.Float32frombits(d.u32()) }
func (d *decoder) vec() (v [3]float32) {
	for i := range v {
		v[i] = d.f32()
	}
	return v
}

// decode reads a file of any kind.
func decode(r io.Reader) (*set, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	switch {
	case len(data) > MaxBytes:
		return nil, fmt.Errorf("more than %d bytes", MaxBytes)
	case len(data) < 8:
		return nil, fmt.Errorf("%d bytes, too short for a magic number and a version", len(data))
	}
	if isNavcat(data[:min(len(data), 64)]) {
		return decodeNavcat(data)
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch order.Uint32(data) {
		case tileMagic:
			s := &set{order: order, single: true}
			t, wide, err := decodeTile(order, data, nil)
			if err != nil {
				return nil, fmt.Errorf("tile data: %w", err)
			}
			s.wide, s.tiles = wide, []tile{*t}
			s.origin, s.width, s.depth = t.min, t.max[0]-t.min[0], t.max[2]-t.min[2]
			s.maxTiles, s.maxPolys = 1, int32(len(t.polys))
			return s, nil
		case setMagic:
			return decodeSet(order, data)
		case cacheMagic:
			return decodeCache(order, data)
		}
	}
	return nil, fmt.Errorf("starts with %q: neither tile data (DNAV), nor a set (MSET), nor a tile cache (TSET), nor JSON of navcat", data[:4])
}

// decodeSet reads RecastDemo's file of many tiles.
func decodeSet(order binary.ByteOrder, data []byte) (*set, error) {
	if len(data) < setHeaderSize {
		return nil, fmt.Errorf("set: %d bytes, the header has %d", len(data), setHeaderSize)
	}
	d := decoder{order, data[4:]}
	if v := d.u32(); v != setVersion {
		return nil, fmt.Errorf("set: version %d, only %d is read", v, setVersion)
	}
	count := d.i32()
	s := &set{order: order, origin: d.vec(), width: d.f32(), depth: d.f32(), maxTiles: d.i32(), maxPolys: d.i32()}
	if err := finite("set: the origin and the size of tiles", s.origin[0], s.origin[1], s.origin[2], s.width, s.depth); err != nil {
		return nil, err
	}
	if count < 1 {
		return nil, fmt.Errorf("set: %d tiles", count)
	}
	if !(s.width > 0) || !(s.depth > 0) {
		return nil, fmt.Errorf("set: tiles of %g × %g m", s.width, s.depth)
	}
	// Before each tile stand its reference and its size. References of 64 bits take 16 bytes with the size and padding.
	before := 8
	if at := setHeaderSize + 16; len(data) >= at+4 && order.Uint32(data[at:]) == tileMagic && order.Uint32(data[setHeaderSize+8:]) != tileMagic {
		before, s.wide = 16, true
	}
	rest := data[setHeaderSize:]
	for i := range count {
		if len(rest) < before {
			return nil, fmt.Errorf("set: the file ends before tile %d of %d", i, count)
		}
		size := int32(order.Uint32(rest[before/2:]))
		rest = rest[before:]
		if size < 0 || int(size) > len(rest) {
			return nil, fmt.Errorf("tile %d: %d bytes, %d are left", i, size, len(rest))
		}
		t, _, err := decodeTile(order, rest[:size], &s.wide)
		if err != nil {
			return nil, fmt.Errorf("tile %d: %w", i, err)
		}
		s.tiles = append(s.tiles, *t)
		rest = rest[size:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("set: %d bytes behind the last tile", len(rest))
	}
	return s, nil
}

// finite returns an error if a number is none.
func finite(what string, numbers ...float32) error {
	for _, v := range numbers {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%s: a coordinate is %g", what, v)
		}
	}
	return nil
}

// decodeTile reads tile data. The size tells how long a link is, if wide does not.
func decodeTile(order binary.ByteOrder, data []byte, wide *bool) (*tile, bool, error) {
	if len(data) < headerSize {
		return nil, false, fmt.Errorf("%d bytes, the header has %d", len(data), headerSize)
	}
	d := decoder{order, data}
	if m := d.u32(); m != tileMagic {
		return nil, false, fmt.Errorf("starts with %q instead of DNAV", data[:4])
	}
	if v := d.u32(); v != tileVersion {
		return nil, false, fmt.Errorf("version %d, only %d is read", v, tileVersion)
	}
	t := &tile{x: d.i32(), y: d.i32(), layer: d.i32(), userID: d.u32()}
	var counts [8]int32
	names := [8]string{"polygons", "vertices", "links", "height surfaces", "vertices of height surfaces", "triangles of height surfaces", "boxes", "connections"}
	sizes := [8]int64{polySize, 12, 12, detailSize, 12, 4, nodeSize, connectionSize}
	for i := range counts {
		if counts[i] = d.i32(); counts[i] < 0 {
			return nil, false, fmt.Errorf("%d %s", counts[i], names[i])
		}
	}
	polys, vertices, links, details, detailVertices, detailTriangles, nodes, connections := counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7]
	t.connectionBase, t.maxLink = d.i32(), links
	t.height, t.radius, t.climb = d.f32(), d.f32(), d.f32()
	t.min, t.max, t.perCell = d.vec(), d.vec(), d.f32()
	var total int64 = headerSize
	for i, n := range counts {
		total += int64(n) * sizes[i]
	}
	isWide := false
	switch longer := total + 4*int64(links); {
	case total == int64(len(data)) && (wide == nil || !*wide || links == 0):
	case longer == int64(len(data)) && (wide == nil || *wide):
		isWide, sizes[2] = true, 16
	default:
		return nil, false, fmt.Errorf("%d bytes, its counts make %d with references of 32 bits and %d of 64", len(data), total, longer)
	}
	if polys > maxPolys+1 || vertices > maxCorners+1 {
		return nil, false, fmt.Errorf("%d polygons and %d vertices, at most %d and %d", polys, vertices, maxPolys+1, maxCorners+1)
	}
	if connections > 0 && (t.connectionBase < 0 || int64(t.connectionBase)+int64(connections) > int64(polys)) {
		return nil, false, fmt.Errorf("%d connections from polygon %d on, of %d", connections, t.connectionBase, polys)
	}
	all := append(t.min[:], t.max[:]...)
	if err := finite("the header", append(all, t.height, t.radius, t.climb, t.perCell)...); err != nil {
		return nil, false, err
	}
	for i := range vertices {
		v := d.vec()
		if err := finite(fmt.Sprintf("vertex %d", i), v[:]...); err != nil {
			return nil, false, err
		}
		t.vertices = append(t.vertices, v)
	}
	for i := range polys {
		p := poly{mark: d.u32()}
		for k := range p.corners {
			p.corners[k] = d.u16()
		}
		for k := range p.beside {
			p.beside[k] = d.u16()
		}
		p.flags, p.count = d.u16(), d.u8()
		last := d.u8()
		p.area, p.typeOf = last&0x3f, last>>6
		if err := t.check(i, &p, polys, vertices); err != nil {
			return nil, false, err
		}
		t.polys = append(t.polys, p)
	}
	d.data = d.data[int64(links)*sizes[2]:]
	for i := range details {
		x := detail{d.u32(), d.u32(), d.u8(), d.u8()}
		d.u16() // padding
		if int64(x.vertices)+int64(x.vertexCount) > int64(detailVertices) || int64(x.triangles)+int64(x.triangleCount) > int64(detailTriangles) {
			return nil, false, fmt.Errorf("height surface %d: vertices up to %d of %d, triangles up to %d of %d", i,
				int64(x.vertices)+int64(x.vertexCount), detailVertices, int64(x.triangles)+int64(x.triangleCount), detailTriangles)
		}
		t.details = append(t.details, x)
	}
	for i := range detailVertices {
		v := d.vec()
		if err := finite(fmt.Sprintf("vertex %d of height surfaces", i), v[:]...); err != nil {
			return nil, false, err
		}
		t.detailVertices = append(t.detailVertices, v)
	}
	for range detailTriangles {
		t.detailTriangles = append(t.detailTriangles, [4]uint8{d.u8(), d.u8(), d.u8(), d.u8()})
	}
	d.data = d.data[int64(nodes)*nodeSize:]
	for i := range connections {
		c := connection{at: [2][3]float32{d.vec(), d.vec()}, radius: d.f32(), poly: d.u16(), flags: d.u8(), side: d.u8(), userID: d.u32()}
		if err := finite(fmt.Sprintf("connection %d", i), c.at[0][0], c.at[0][1], c.at[0][2], c.at[1][0], c.at[1][1], c.at[1][2], c.radius); err != nil {
			return nil, false, err
		}
		if int32(c.poly) >= polys || t.polys[c.poly].typeOf != typeOffMesh {
			return nil, false, fmt.Errorf("connection %d: polygon %d is no connection", i, c.poly)
		}
		t.connections = append(t.connections, c)
	}
	return t, isWide, t.checkDetails()
}

// check verifies the indices of polygon i.
func (t *tile) check(i int32, p *poly, polys, vertices int32) error {
	least := uint8(3)
	switch p.typeOf {
	case typeGround:
	case typeOffMesh:
		least = 2
	default:
		return fmt.Errorf("polygon %d: type %d, must be ground (0) or connection (1)", i, p.typeOf)
	}
	if p.count < least || p.count > cornersPerPoly {
		return fmt.Errorf("polygon %d: %d corners, must be %d to %d", i, p.count, least, cornersPerPoly)
	}
	for k := range p.count {
		if int32(p.corners[k]) >= vertices {
			return fmt.Errorf("polygon %d: corner %d is vertex %d of %d", i, k, p.corners[k], vertices)
		}
		if n := p.beside[k]; n&external == 0 && int32(n) > polys {
			return fmt.Errorf("polygon %d: edge %d leads to polygon %d of %d", i, k, n-1, polys)
		}
	}
	return nil
}

// checkDetails verifies the indices of the triangles of height surfaces.
func (t *tile) checkDetails() error {
	for i, x := range t.details {
		if i >= len(t.polys) {
			return fmt.Errorf("%d height surfaces for %d polygons", len(t.details), len(t.polys))
		}
		for k, f := range t.detailTriangles[x.triangles : x.triangles+uint32(x.triangleCount)] {
			for _, v := range f[:3] {
				if int(v) >= int(t.polys[i].count)+int(x.vertexCount) {
					return fmt.Errorf("height surface %d: triangle %d has vertex %d of %d", i, k, v, int(t.polys[i].count)+int(x.vertexCount))
				}
			}
		}
	}
	return nil
}

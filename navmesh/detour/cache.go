package detour

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Source: the structures of Detour's public headers DetourTileCache.h and DetourTileCacheBuilder.h, and RecastDemo's file of a tile
// cache (TSET, version 1).
//
// Idea: a tile cache holds layers of cells. Each layer becomes the tile that Detour's own tile cache would make: layer.go cuts the
// cells into regions and contours, layermesh.go makes polygons.
//
// Input: a file from anywhere; layers are compressed with FastLZ, or stored as they are.
//
// Guarantees:
//  1. Tiles have the vertices, polygons and neighbours of Detour's tile cache, to the last bit (TestCacheAgainstDetour).
//  2. Bad numbers are errors with the layer; time and memory are bounded (TestCacheFaults, TestHostileCache, FuzzRead).
//
// Degenerate cases: a layer without polygons is no tile; a file without polygons is an error.
//
// Cost: O(n) time for n cells, and O(k²) for each contour of k corners.
//
// Departures: Detour leaves out a layer of more than 255 regions, or with long contours. Meadow takes up to mostRegions regions.

// Limits of a tile cache.
const (
	cacheVersion = 1
	layerMagic   = 'D'<<24 | 'T'<<16 | 'L'<<8 | 'R'
	layerVersion = 1

	cacheHeaderSize = 92
	layerHeaderSize = 56

	mostCells   = 1 << 27 // of all layers
	mostGround  = 1 << 20 // polygons of all layers
	mostRegions = 1 << 12 // of a layer
	mostWork    = 1 << 28 // comparisons of corners and polygons, of all layers
	layerWork   = 1 << 23 // and of one layer; 96 × 96 cells of rough ground take 2¹⁵
)

// Areas of RecastDemo, and the flags that RecastDemo gives them when it makes a tile.
const (
	walkable  = 63 // cells without another area; becomes area 0
	areaWater = 1
	areaDoor  = 3

	flagWalk = 1
	flagSwim = 2
	flagDoor = 4
)

// cache is the head of a tile cache.
type cache struct {
	cell, cellHeight      float32
	height, radius, climb float32
	tolerance             float32 // of contours, in cells
	work                  *int
	cells, polys          int
}

// decodeCache reads RecastDemo's file of a tile cache.
func decodeCache(order binary.ByteOrder, data []byte) (*set, error) {
	if len(data) < cacheHeaderSize {
		return nil, fmt.Errorf("tile cache: %d bytes, the header has %d", len(data), cacheHeaderSize)
	}
	d := decoder{order, data[4:]}
	if v := d.u32(); v != cacheVersion {
		return nil, fmt.Errorf("tile cache: version %d, only %d is read", v, cacheVersion)
	}
	count := d.i32()
	s := &set{order: order, origin: d.vec(), width: d.f32(), depth: d.f32(), maxTiles: d.i32(), maxPolys: d.i32()}
	d.vec() // the origin again
	c := cache{cell: d.f32(), cellHeight: d.f32(), work: new(int)}
	d.u32() // the size of a layer, which each layer states too
	d.u32()
	c.height, c.radius, c.climb, c.tolerance = d.f32(), d.f32(), d.f32(), d.f32()
	if err := finite("tile cache: the header", s.origin[0], s.origin[1], s.origin[2], s.width, s.depth, c.cell, c.cellHeight, c.height, c.radius, c.climb, c.tolerance); err != nil {
		return nil, err
	}
	switch {
	case count < 1:
		return nil, fmt.Errorf("tile cache: %d layers", count)
	case !(s.width > 0) || !(s.depth > 0):
		return nil, fmt.Errorf("tile cache: tiles of %g × %g m", s.width, s.depth)
	case !(c.cell > 0) || !(c.cellHeight > 0):
		return nil, fmt.Errorf("tile cache: cells of %g × %g m", c.cell, c.cellHeight)
	}
	s.cellHeight = c.cellHeight
	rest := data[cacheHeaderSize:]
	for i := range count {
		if len(rest) < 8 {
			return nil, fmt.Errorf("tile cache: the file ends before layer %d of %d", i, count)
		}
		size := int32(order.Uint32(rest[4:]))
		rest = rest[8:]
		if size < 0 || int(size) > len(rest) {
			return nil, fmt.Errorf("layer %d: %d bytes, %d are left", i, size, len(rest))
		}
		t, err := c.tile(order, rest[:size])
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
		if len(t.polys) > 0 {
			s.tiles = append(s.tiles, *t)
		}
		rest = rest[size:]
	}
	switch {
	case len(rest) > 0:
		return nil, fmt.Errorf("tile cache: %d bytes behind the last layer", len(rest))
	case len(s.tiles) == 0:
		return nil, errors.New("tile cache: no layer has a polygon")
	}
	return s, nil
}

// tile makes the tile of a layer.
func (c *cache) tile(order binary.ByteOrder, data []byte) (*tile, error) {
	if len(data) < layerHeaderSize {
		return nil, fmt.Errorf("%d bytes, the header has %d", len(data), layerHeaderSize)
	}
	d := decoder{order, data}
	if m := d.u32(); m != layerMagic {
		return nil, fmt.Errorf("starts with %q instead of DTLR", data[:4])
	}
	if v := d.u32(); v != layerVersion {
		return nil, fmt.Errorf("version %d, only %d is read", v, layerVersion)
	}
	t := &tile{x: d.i32(), y: d.i32(), layer: d.i32(), height: c.height, radius: c.radius, climb: c.climb, perCell: 1 / c.cell}
	t.min, t.max = d.vec(), d.vec()
	if err := finite("the bounds", append(t.min[:], t.max[:]...)...); err != nil {
		return nil, err
	}
	d.u32() // least and greatest height
	g := &grid{width: int(d.u8()), depth: int(d.u8()), work: c.work, mostWork: min(mostWork, *c.work+layerWork)}
	n := g.width * g.depth
	if n == 0 {
		return nil, fmt.Errorf("%d × %d cells", g.width, g.depth)
	}
	if c.cells += n; c.cells > mostCells {
		return nil, fmt.Errorf("all layers have more than %d cells", mostCells)
	}
	block := data[layerHeaderSize:]
	cells, err := fastLZ(block, 3*n)
	if err != nil {
		if len(block) != 3*n {
			return nil, err
		}
		cells = block
	}
	g.heights, g.areas, g.sides = cells[:n], cells[n:2*n], cells[2*n:]
	g.climb = int(min(c.climb/c.cellHeight, 255))
	if err := g.partition(); err != nil {
		return nil, err
	}
	m, err := g.mesh(c.tolerance)
	if err != nil {
		return nil, err
	}
	if c.polys += len(m.polys); c.polys > mostGround {
		return nil, fmt.Errorf("all layers have more than %d polygons", mostGround)
	}
	if len(m.corners) > maxCorners || len(m.polys) > maxPolys {
		return nil, fmt.Errorf("%d polygons and %d vertices, at most %d and %d", len(m.polys), len(m.corners), maxPolys, maxCorners)
	}
	for _, v := range m.corners {
		t.vertices = append(t.vertices, [3]float32{
			t.min[0] + float32(float32(v.x)*c.cell), t.min[1] + float32(float32(v.height)*c.cellHeight), t.min[2] + float32(float32(v.z)*c.cell),
		})
	}
	for i := range m.polys {
		t.addPolygon(&m.polys[i])
	}
	return t, nil
}

// addPolygon adds a polygon of a layer with the flags that RecastDemo gives its area, and a fan of triangles as its height surface.
func (t *tile) addPolygon(from *layerPoly) {
	p := poly{corners: [cornersPerPoly]uint16{}, count: uint8(from.count), area: from.area & 0x3f, flags: flagWalk, typeOf: typeGround}
	switch p.area {
	case walkable:
		p.area = 0
	case areaWater:
		p.flags = flagSwim
	case areaDoor:
		p.flags = flagWalk | flagDoor
	}
	sides := [4]uint16{4, 2, 0, 6}
	for k := range from.count {
		p.corners[k] = from.corners[k]
		switch n := from.beside[k]; {
		case n >= 0:
			p.beside[k] = uint16(n) + 1
		case n != noNeighbour:
			p.beside[k] = external | sides[n-firstPortal]
		}
	}
	t.details = append(t.details, detail{triangles: uint32(len(t.detailTriangles)), triangleCount: p.count - 2})
	for k := uint8(2); k < p.count; k++ {
		f := [4]uint8{0, k - 1, k, edgeOfPolygon << 2}
		if k == 2 {
			f[3] |= edgeOfPolygon
		}
		if k == p.count-1 {
			f[3] |= edgeOfPolygon << 4
		}
		t.detailTriangles = append(t.detailTriangles, f)
	}
	t.polys = append(t.polys, p)
}

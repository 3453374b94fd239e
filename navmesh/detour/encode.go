package detour

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// encoder appends numbers to data.
type encoder struct {
	order binary.AppendByteOrder
	data  []byte
}

func (e *encoder) u8(v ...uint8) { e.data = append(e.data, v...) }

func (e *encoder) u16(v ...uint16) {
	for _, x := range v {
		e.data = e.order.AppendUint16(e.data, x)
	}
}

func (e *encoder) u32(v ...uint32) {
	for _, x := range v {
		e.data = e.order.AppendUint32(e.data, x)
	}
}

func (e *encoder) i32(v ...int32) {
	for _, x := range v {
		e.u32(uint32(x))
	}
}

func (e *encoder) f32(v ...float32) {
	for _, x := range v {
		e.u32(math.Float32bits(x))
	}
}

// encodeTile appends the data of a tile, with room for its links. The numbers are in the order of the least significant byte first.
func (e *encoder) encodeTile(t *tile, wide bool) {
	nodes := t.tree()
	e.u32(tileMagic, tileVersion)
	e.i32(t.x, t.y, t.layer)
	e.u32(t.userID)
	e.i32(int32(len(t.polys)), int32(len(t.vertices)), t.maxLink, int32(len(t.details)), int32(len(t.detailVertices)), int32(len(t.detailTriangles)),
		int32(len(nodes)), int32(len(t.connections)), t.connectionBase)
	e.f32(t.height, t.radius, t.climb)
	e.f32(t.min[:]...)
	e.f32(t.max[:]...)
	e.f32(t.perCell)
	for _, v := range t.vertices {
		e.f32(v[:]...)
	}
	for i := range t.polys {
		p := &t.polys[i]
		e.u32(p.mark)
		e.u16(p.corners[:]...)
		e.u16(p.beside[:]...)
		e.u16(p.flags)
		e.u8(p.count, p.area|p.typeOf<<6)
	}
	link := 12
	if wide {
		link = 16
	}
	e.data = append(e.data, make([]byte, link*int(t.maxLink))...)
	for _, d := range t.details {
		e.u32(d.vertices, d.triangles)
		e.u8(d.vertexCount, d.triangleCount, 0, 0)
	}
	for _, v := range t.detailVertices {
		e.f32(v[:]...)
	}
	for _, f := range t.detailTriangles {
		e.u8(f[:]...)
	}
	for _, n := range nodes {
		e.u16(n.low[:]...)
		e.u16(n.high[:]...)
		e.i32(n.next)
	}
	for _, c := range t.connections {
		e.f32(c.at[0][:]...)
		e.f32(c.at[1][:]...)
		e.f32(c.radius)
		e.u16(c.poly)
		e.u8(c.flags, c.side)
		e.u32(c.userID)
	}
}

// encodeSet appends RecastDemo's file of the tiles. Sets of more tiles and polygons than references of 32 bits can name get wide
// references.
func (e *encoder) encodeSet(s *set) {
	s.maxTiles = max(s.maxTiles, int32(len(s.tiles)))
	for i := range s.tiles {
		s.maxPolys = max(s.maxPolys, int32(len(s.tiles[i].polys)))
	}
	tileBits, polyBits := log2(s.maxTiles), log2(s.maxPolys)
	if tileBits+polyBits > 22 {
		s.wide = true
	}
	e.u32(setMagic, setVersion)
	e.i32(int32(len(s.tiles)))
	e.f32(s.origin[:]...)
	e.f32(s.width, s.depth)
	e.i32(s.maxTiles, s.maxPolys)
	for i := range s.tiles {
		var data encoder
		data.order = e.order
		data.encodeTile(&s.tiles[i], s.wide)
		// A reference: generation 1, the number of the tile, polygon 0.
		if s.wide {
			const polys, tiles = 20, 28
			ref := uint64(1)<<(polys+tiles) | uint64(i)<<polys
			e.u32(uint32(ref), uint32(ref>>32), uint32(len(data.data)), 0)
		} else {
			e.u32(uint32(1)<<(tileBits+polyBits)|uint32(i)<<polyBits, uint32(len(data.data)))
		}
		e.data = append(e.data, data.data...)
	}
}

// log2 returns the number of bits for numbers below n.
func log2(n int32) int { return bits.Len32(uint32(max(n, 1) - 1)) }

// node is a box of the tree over the polygons of a tile, in cells from the tile's lower corner.
type node struct {
	low, high [3]uint16
	next      int32 // the polygon, or the number of nodes to skip as a negative number
}

// tree returns the boxes of the polygons with the boxes around halves of them, parents first.
func (t *tile) tree() []node {
	var leaves []node
	for i := range t.polys {
		p := &t.polys[i]
		if p.typeOf != typeGround {
			continue
		}
		low, high := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}, [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
		grow := func(v [3]float32) {
			for axis, c := range v {
				low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
			}
		}
		for _, c := range p.corners[:p.count] {
			grow(t.vertices[c])
		}
		if i < len(t.details) {
			for _, v := range t.detailVertices[t.details[i].vertices : t.details[i].vertices+uint32(t.details[i].vertexCount)] {
				grow(v)
			}
		}
		n := node{next: int32(i)}
		for axis := range low {
			n.low[axis] = cells(math.Floor((float64(low[axis]) - float64(t.min[axis])) * float64(t.perCell)))
			n.high[axis] = cells(math.Ceil((float64(high[axis]) - float64(t.min[axis])) * float64(t.perCell)))
		}
		leaves = append(leaves, n)
	}
	if len(leaves) == 0 {
		return nil
	}
	return subdivide(leaves, nil)
}

func cells(v float64) uint16 { return uint16(max(0, min(v, math.MaxUint16))) }

// subdivide appends the tree over some leaves: the leaf, or a box and the trees of both halves along the longest axis.
func subdivide(leaves, to []node) []node {
	if len(leaves) == 1 {
		return append(to, leaves[0])
	}
	box := leaves[0]
	for _, n := range leaves[1:] {
		for axis := range n.low {
			box.low[axis], box.high[axis] = min(box.low[axis], n.low[axis]), max(box.high[axis], n.high[axis])
		}
	}
	axis := 0
	for a := 1; a < 3; a++ {
		if box.high[a]-box.low[a] > box.high[axis]-box.low[axis] {
			axis = a
		}
	}
	// Detour's order, so that polygons at the same distance from a place are found in the same order.
	slices.SortStableFunc(leaves, func(a, b node) int { return cmp.Compare(a.low[axis], b.low[axis]) })
	at := len(to)
	to = append(to, box)
	to = subdivide(leaves[:len(leaves)/2], to)
	to = subdivide(leaves[len(leaves)/2:], to)
	to[at].next = -int32(len(to) - at)
	return to
}

package streamfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Tile is a tile in memory. A Tile never changes.
type Tile struct {
	Number int   // in the file
	Size   int64 // of its bytes in the file

	file      *File
	numbers   []uint32 // of the regions in the mesh, ascending
	regions   []navmesh.Region
	verts     []numbered       // ascending
	corners   []uint32         // indices in verts
	portals   []navmesh.Portal // To counts in the mesh, Back from the first portal of To, Left and Right are indices in verts
	passages  []navmesh.Passage
	exits     []exit // ascending
	marked    []navmesh.Marked
	links     []link // ascending
	floors    []floor
	floorVert []numbered
	triangles []triangle
}

// numbered is a vertex with its number in the mesh or in its height surface.
type numbered struct {
	number uint32
	vertex lattice.Vertex
}

// exit is a portal into another tile.
type exit struct {
	portal uint32
	tile   int
}

// link is a link that starts in the tile.
type link struct {
	number, from, to uint32 // to counts in the mesh
	tile             int    // of to
	link             navmesh.Link
}

// floor is a part of a layer: the next vertices and triangles of the tile.
type floor struct {
	layer     int
	vertices  []numbered
	triangles []triangle
}

type triangle struct {
	number uint32
	corner [3]uint32 // in the vertices of the floor
}

// Tile reads a tile and verifies it. Errors name the tile and the place.
func (f *File) Tile(number int) (*Tile, error) {
	if number < 0 || number >= len(f.entries) {
		return nil, fmt.Errorf("streamfile: no tile %d, there are %d", number, len(f.entries))
	}
	e := &f.entries[number]
	b, err := readAt(f.r, e.Offset, int64(pad(uint64(e.Length))))
	if err != nil {
		return nil, err
	}
	for _, z := range b[e.Length:] {
		if z != 0 {
			return nil, fmt.Errorf("streamfile: tile %d: the bytes behind are not zero", number)
		}
	}
	b = b[:e.Length]
	if got := sum(b); got != e.sum {
		return nil, fmt.Errorf("streamfile: tile %d: checksum of the %d bytes at %d is %08x, the index says %08x", number, e.Length, e.Offset, got, e.sum)
	}
	t := &Tile{Number: number, Size: e.Length, file: f}
	if err := t.decode(b, e); err != nil {
		return nil, fmt.Errorf("streamfile: tile %d: %w", number, err)
	}
	return t, nil
}

// decode takes the bytes of a tile apart, and verifies all indices within the tile.
func (t *Tile) decode(b []byte, e *Entry) error {
	if len(b) < tileHead {
		return fmt.Errorf("%d bytes, at least %d", len(b), tileHead)
	}
	c := cursor{b}
	var n [counts]int
	size := uint64(tileHead)
	for i := range n {
		v := c.u32()
		n[i] = int(v)
		size += uint64(v) * recordSizes[i]
	}
	if size != uint64(len(b)) || n[nReserved] != 0 || n[nRegions] != e.Regions {
		return fmt.Errorf("%d regions and other elements of %d bytes in all, the tile has %d regions and %d bytes", n[nRegions], size, e.Regions, len(b))
	}
	if err := t.decodeRegions(&c, &n); err != nil {
		return err
	}
	t.decodePortals(&c, &n)
	if err := t.checkPortals(); err != nil {
		return err
	}
	if err := t.decodeLinks(&c, &n); err != nil {
		return err
	}
	return t.decodeFloors(&c, &n)
}

func (t *Tile) decodeRegions(c *cursor, n *[counts]int) error {
	var corners, portals, passages uint64
	for i := range n[nRegions] {
		number := c.u32()
		r := navmesh.Region{First: uint32(corners), Count: c.u32(), FirstPortal: uint32(portals), PortalCount: c.u32(), FirstPassage: uint32(passages)}
		word := c.u32()
		r.Layer, r.Area, r.Flags = uint16(word), uint8(word>>16), c.u32()
		corners += uint64(r.Count)
		portals += uint64(r.PortalCount)
		passages += uint64(max(r.PortalCount, 1) - 1)
		if word>>24 != 0 || int64(number) >= int64(t.file.regions) || i > 0 && number <= t.numbers[i-1] || r.Count < 3 || int(r.Layer) >= len(t.file.errors) {
			return fmt.Errorf("region %d with number %d of %d has a value that means nothing", i, number, t.file.regions)
		}
		t.numbers, t.regions = append(t.numbers, number), append(t.regions, r)
	}
	if corners != uint64(n[nCorners]) || portals != uint64(n[nPortals]) || passages != uint64(n[nPassages]) {
		return fmt.Errorf("regions with %d corners, %d portals and %d passages, the tile has %d, %d and %d",
			corners, portals, passages, n[nCorners], n[nPortals], n[nPassages])
	}
	t.verts = make([]numbered, n[nVertices])
	for i := range t.verts {
		t.verts[i] = numbered{c.u32(), c.vertex()}
	}
	if !ascend(t.verts) {
		return errors.New("the vertices are not in order")
	}
	t.corners = make([]uint32, n[nCorners])
	for i := range t.corners {
		if t.corners[i] = c.u32(); int64(t.corners[i]) >= int64(len(t.verts)) {
			return fmt.Errorf("corner %d is vertex %d of %d", i, t.corners[i], len(t.verts))
		}
	}
	return nil
}

// ascend reports whether the numbers of vertices are in order and their places in the frame.
func ascend(list []numbered) bool {
	for i := range list {
		if i > 0 && list[i].number <= list[i-1].number || !inFrame(list[i].vertex) {
			return false
		}
	}
	return true
}

func (t *Tile) decodePortals(c *cursor, n *[counts]int) {
	t.portals = make([]navmesh.Portal, n[nPortals])
	for i := range t.portals {
		p := navmesh.Portal{To: c.u32(), Back: c.u32(), Edge: c.u32(), Left: c.u32(), Right: c.u32()}
		bits := c.u32()
		p.LeftCorner, p.RightCorner = bits&1 != 0, bits&2 != 0
		p.Clearance = int32(c.u32())
		if bits > 3 {
			p.Clearance = -1 // which checkPortals refuses
		}
		t.portals[i] = p
	}
	t.passages = make([]navmesh.Passage, n[nPassages])
	for i := range t.passages {
		t.passages[i] = navmesh.Passage{A: c.u32(), B: c.u32(), Clearance: int32(c.u32())}
	}
	t.exits = make([]exit, n[nExits])
	for i := range t.exits {
		t.exits[i] = exit{c.u32(), int(c.u32())}
	}
	t.marked = make([]navmesh.Marked, n[nMarked])
	for i := range t.marked {
		t.marked[i] = navmesh.Marked{Region: c.u32(), Mark: c.u32()}
	}
}

func (t *Tile) checkPortals() error {
	for i := range t.regions {
		r := &t.regions[i]
		for k := r.FirstPortal; k < r.FirstPortal+r.PortalCount; k++ {
			p := &t.portals[k]
			if int64(p.To) >= int64(t.file.regions) || p.Edge >= r.Count || p.Clearance < 0 ||
				int64(p.Left) >= int64(len(t.verts)) || int64(p.Right) >= int64(len(t.verts)) {
				return fmt.Errorf("portal %d from region %d to region %d has a value that means nothing", k, t.numbers[i], p.To)
			}
		}
	}
	for i, x := range t.exits {
		if int64(x.portal) >= int64(len(t.portals)) || i > 0 && x.portal <= t.exits[i-1].portal || uint(x.tile) >= uint(len(t.file.entries)) || x.tile == t.Number {
			return fmt.Errorf("exit %d is portal %d of %d into tile %d of %d", i, x.portal, len(t.portals), x.tile, len(t.file.entries))
		}
	}
	for i, m := range t.marked {
		if int64(m.Region) >= int64(len(t.regions)) || i > 0 && m.Region < t.marked[i-1].Region {
			return fmt.Errorf("marked: entry %d is region %d of %d", i, m.Region, len(t.regions))
		}
	}
	return nil
}

func (t *Tile) decodeLinks(c *cursor, n *[counts]int) error {
	t.links = make([]link, n[nLinks])
	for i := range t.links {
		l := link{number: c.u32(), from: c.u32(), to: c.u32(), tile: int(c.u32())}
		l.link.Start = [2]lattice.Vertex{c.vertex(), c.vertex()}
		l.link.End = [2]lattice.Vertex{c.vertex(), c.vertex()}
		kind := c.u32()
		l.link.Kind = navmesh.LinkKind(kind)
		l.link.Flags, l.link.Cost = c.u32(), math.Float32frombits(c.u32())
		l.link.Mark, l.link.Clearance = c.u32(), int32(c.u32())
		if kind > math.MaxUint8 || int64(l.from) >= int64(len(t.regions)) || int64(l.to) >= int64(t.file.regions) || uint(l.tile) >= uint(len(t.file.entries)) ||
			i > 0 && l.number <= t.links[i-1].number {
			return fmt.Errorf("link %d from region %d of %d to region %d in tile %d has a value that means nothing", l.number, l.from, len(t.regions), l.to, l.tile)
		}
		t.links[i] = l
	}
	return nil
}

func (t *Tile) decodeFloors(c *cursor, n *[counts]int) error {
	type size struct{ vertices, triangles uint32 }
	sizes := make([]size, n[nFloors])
	var vertices, triangles uint64
	t.floors = make([]floor, n[nFloors])
	for i := range t.floors {
		layer := c.u32()
		sizes[i] = size{c.u32(), c.u32()}
		vertices += uint64(sizes[i].vertices)
		triangles += uint64(sizes[i].triangles)
		if int64(layer) >= int64(len(t.file.errors)) || i > 0 && int(layer) <= t.floors[i-1].layer {
			return fmt.Errorf("floor %d is of layer %d of %d", i, layer, len(t.file.errors))
		}
		t.floors[i].layer = int(layer)
	}
	if vertices != uint64(n[nFloorVertices]) || triangles != uint64(n[nTriangles]) {
		return fmt.Errorf("floors with %d vertices and %d triangles, the tile has %d and %d", vertices, triangles, n[nFloorVertices], n[nTriangles])
	}
	t.floorVert = make([]numbered, n[nFloorVertices])
	for i := range t.floorVert {
		t.floorVert[i] = numbered{c.u32(), c.vertex()}
	}
	t.triangles = make([]triangle, n[nTriangles])
	for i := range t.triangles {
		t.triangles[i] = triangle{c.u32(), [3]uint32{c.u32(), c.u32(), c.u32()}}
	}
	rest, left := t.floorVert, t.triangles
	for i := range t.floors {
		f := &t.floors[i]
		f.vertices, rest = rest[:sizes[i].vertices], rest[sizes[i].vertices:]
		f.triangles, left = left[:sizes[i].triangles], left[sizes[i].triangles:]
		if !ascend(f.vertices) {
			return fmt.Errorf("the floor vertices of layer %d are not in order", f.layer)
		}
		for k, tri := range f.triangles {
			for _, v := range tri.corner {
				if int64(v) >= int64(len(f.vertices)) {
					return fmt.Errorf("floor triangle %d of layer %d has vertex %d of %d", k, f.layer, v, len(f.vertices))
				}
			}
			if k > 0 && tri.number <= f.triangles[k-1].number {
				return fmt.Errorf("the floor triangles of layer %d are not in order", f.layer)
			}
		}
	}
	return nil
}

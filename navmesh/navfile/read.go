package navfile

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Read reads a mesh from all of r. Errors name the section and the place.
func Read(r io.Reader) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, errors.New("navfile: the reader is nil")
	}
	header := make([]byte, headerSize)
	n, err := io.ReadFull(r, header)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("navfile: %w", err)
	}
	h, err := decodeHeader(header[:n])
	if err != nil {
		return nil, err
	}
	// The stated length is only a limit; ReadAll allocates no more than the bytes present.
	rest, err := io.ReadAll(io.LimitReader(r, int64(h.length-headerSize)+1))
	if err != nil {
		return nil, fmt.Errorf("navfile: %w", err)
	}
	return Decode(append(header, rest...))
}

// header is the start of a file.
type header struct {
	version      uint32
	sections     uint64
	length       uint64
	directorySum uint32
}

// decodeHeader checks the start of a file.
func decodeHeader(b []byte) (header, error) {
	var h header
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return h, errors.New("navfile: not a mesh file: it does not begin with \"MEADOW\"")
	}
	if len(b) < headerSize {
		return h, fmt.Errorf("navfile: header: the file ends after %d of %d bytes", len(b), headerSize)
	}
	if h.version = le.Uint32(b[8:]); h.version != Version && h.version != gapless {
		return h, fmt.Errorf("navfile: header: version %d, this program reads versions %d and %d", h.version, gapless, Version)
	}
	if got, want := crc32.Checksum(b[:headerSize-4], castagnoli), le.Uint32(b[headerSize-4:]); got != want {
		return h, fmt.Errorf("navfile: header: checksum is %08x, the file says %08x", got, want)
	}
	h.sections = uint64(le.Uint32(b[12:]))
	h.length = le.Uint64(b[16:])
	h.directorySum = le.Uint32(b[24:])
	if h.sections > maxSections || h.length > math.MaxInt64/2 || h.length < pad(headerSize+entrySize*h.sections) {
		return h, fmt.Errorf("navfile: header: %d sections in %d bytes", h.sections, h.length)
	}
	return h, nil
}

// Decode returns the mesh in a file. The mesh does not keep the bytes.
func Decode(data []byte) (*navmesh.Mesh, error) {
	h, entries, err := open(data)
	if err != nil {
		return nil, err
	}
	f := file{version: h.version, data: data, entries: entries}
	record, err := f.record()
	if err != nil {
		return nil, fmt.Errorf("navfile: %w", err)
	}
	m, err := f.mesh()
	if err != nil {
		return nil, fmt.Errorf("navfile: %w", err)
	}
	m.Record = record
	if err := check(m); err != nil {
		return nil, err
	}
	return m, nil
}

// Section is a part of a mesh file.
type Section struct {
	Name string // as in docs/formats/navmesh.md, or "section" and the id
	Tile int    // slot of the tile, -1 for a section of the whole mesh
	Size int    // bytes without the padding
}

// Layout returns the version and the sections of a file in their order. Layout verifies all checksums, and decodes no mesh.
func Layout(data []byte) (version int, sections []Section, err error) {
	h, entries, err := open(data)
	if err != nil {
		return 0, nil, err
	}
	for _, e := range entries {
		s := Section{Name: e.name(), Tile: -1, Size: int(e.length)}
		if e.ofTile() {
			s.Tile = int(e.tile)
		}
		sections = append(sections, s)
	}
	return int(h.version), sections, nil
}

// open returns the header and the directory of a file whose checksums hold.
func open(data []byte) (header, []entry, error) {
	h, err := decodeHeader(data[:min(len(data), headerSize)])
	if err != nil {
		return h, nil, err
	}
	if uint64(len(data)) != h.length {
		return h, nil, fmt.Errorf("navfile: the file has %d bytes, its header says %d", len(data), h.length)
	}
	entries, err := decodeDirectory(data, h)
	return h, entries, err
}

// decodeDirectory checks that the sections fill the file in order, each with a valid checksum.
func decodeDirectory(data []byte, h header) ([]entry, error) {
	end := headerSize + entrySize*h.sections
	directory := data[headerSize:end]
	if got := crc32.Checksum(directory, castagnoli); got != h.directorySum {
		return nil, fmt.Errorf("navfile: directory: checksum is %08x, the file says %08x", got, h.directorySum)
	}
	entries := make([]entry, h.sections)
	for i := range entries {
		b := directory[i*entrySize:]
		e := entry{
			id: sectionID(le.Uint32(b)), tile: le.Uint32(b[4:]), offset: le.Uint64(b[8:]), length: le.Uint64(b[16:]), sum: le.Uint32(b[24:]),
		}
		if e.offset != pad(end) || e.length > h.length-e.offset || le.Uint32(b[28:]) != 0 {
			return nil, fmt.Errorf("navfile: directory: %v has %d bytes at %d of %d", e, e.length, e.offset, h.length)
		}
		for _, z := range data[end:e.offset] {
			if z != 0 {
				return nil, fmt.Errorf("navfile: %v: bytes before offset %d are not zero", e, e.offset)
			}
		}
		_, known := kinds[e.id]
		if !known && e.id < optionalFrom {
			return nil, fmt.Errorf("navfile: directory: section %d is unknown", e.id)
		}
		if w := width(e.id, h.version); known && e.length%uint64(w) != 0 {
			return nil, fmt.Errorf("navfile: %v: %d bytes at %d are no multiple of %d", e, e.length, e.offset, w)
		}
		end = e.offset + e.length
		if got := crc32.Checksum(data[e.offset:end], castagnoli); got != e.sum {
			return nil, fmt.Errorf("navfile: %v: checksum of the %d bytes at %d is %08x, the directory says %08x", e, e.length, e.offset, got, e.sum)
		}
		entries[i] = e
	}
	if pad(end) != h.length {
		return nil, fmt.Errorf("navfile: directory: the sections end at %d, the file at %d", pad(end), h.length)
	}
	for _, z := range data[end:] {
		if z != 0 {
			return nil, fmt.Errorf("navfile: bytes after offset %d are not zero", end)
		}
	}
	return entries, nil
}

// file returns the sections in order.
type file struct {
	version uint32
	data    []byte
	entries []entry
}

// next returns the records of the next section, which must be section id of the given tile.
func (f *file) next(id sectionID, tile uint32) (b []byte, count int, err error) {
	for len(f.entries) > 0 && f.skips(f.entries[0].id) {
		f.entries = f.entries[1:]
	}
	if len(f.entries) == 0 {
		return nil, 0, fmt.Errorf("directory: %v is missing", entry{id: id, tile: tile})
	}
	e := f.entries[0]
	if e.id != id || e.tile != tile {
		return nil, 0, fmt.Errorf("directory: %v where %v belongs", e, entry{id: id, tile: tile})
	}
	f.entries = f.entries[1:]
	return f.data[e.offset : e.offset+e.length], int(e.length) / width(id, f.version), nil
}

// skips reports whether a reader of meshes does not need the section.
func (f *file) skips(id sectionID) bool {
	return id == secPolyhedra || id == secPlan || id >= optionalFrom
}

// record returns a copy of the record, nil for a file without one.
func (f *file) record() ([]byte, error) {
	var record []byte
	for _, e := range f.entries {
		if e.id != secRecord {
			continue
		}
		if record != nil {
			return nil, errors.New("directory: two records")
		}
		if e.tile != 0 || e.length == 0 || e.length > MaxRecord {
			return nil, fmt.Errorf("record: %d bytes for slot %d, must be 1 to %d for slot 0", e.length, e.tile, MaxRecord)
		}
		record = bytes.Clone(f.data[e.offset : e.offset+e.length])
	}
	return record, nil
}

// mesh decodes all sections except the record. All counts have been checked against the bytes present.
func (f *file) mesh() (*navmesh.Mesh, error) {
	b, n, err := f.next(secMesh, 0)
	if err != nil {
		return nil, err
	}
	if n != 1 {
		return nil, fmt.Errorf("mesh: %d records", n)
	}
	c := cursor{b}
	m := &navmesh.Mesh{}
	m.Frame = lattice.Frame{East: int64(c.u64()), North: int64(c.u64()), Up: int64(c.u64())}
	m.Agent = geom.Agent{Radius: c.f64(), Height: c.f64(), MaxClimb: c.f64(), MaxSlope: c.f64(), MaxGap: geom.LeastGap}
	if f.version != gapless {
		m.Agent.MaxGap = c.f64()
	}
	tiles, links := c.u32(), c.u32()
	m.Components = int(c.u32())
	if c.u32() != 0 {
		return nil, errors.New("mesh: the last word is not zero")
	}
	if m.Links, err = f.links(links); err != nil {
		return nil, err
	}
	if m.Marks, err = f.marks(); err != nil {
		return nil, err
	}
	if err := f.ground(m); err != nil {
		return nil, err
	}
	if want := uint64(tiles) * uint64(len(tileSections)); uint64(len(f.entries)) < want {
		return nil, fmt.Errorf("directory: %d sections for %d tiles, %d needed", len(f.entries), tiles, want)
	}
	for i := range tiles {
		t, err := f.tile(i)
		if err != nil {
			return nil, err
		}
		m.Tiles = append(m.Tiles, t)
	}
	for _, e := range f.entries {
		if !f.skips(e.id) {
			return nil, fmt.Errorf("directory: %v is not expected", e)
		}
	}
	return m, nil
}

func (f *file) links(want uint32) ([]navmesh.Link, error) {
	b, n, err := f.next(secLinks, 0)
	if err != nil {
		return nil, err
	}
	if n != int(want) {
		return nil, fmt.Errorf("links: %d records, the mesh says %d", n, want)
	}
	return records(b, n, "link", func(c *cursor) (l navmesh.Link, ok bool) {
		l.From, l.To = navmesh.Ref(c.u64()), navmesh.Ref(c.u64())
		l.Start = [2]lattice.Vertex{c.vertex(), c.vertex()}
		l.End = [2]lattice.Vertex{c.vertex(), c.vertex()}
		kind := c.u32()
		l.Kind = navmesh.LinkKind(kind)
		l.Flags, l.Cost = c.u32(), math.Float32frombits(c.u32())
		l.Mark, l.Clearance = c.u32(), int32(c.u32())
		return l, c.u32() == 0 && kind <= math.MaxUint8
	})
}

// marks gives each mark its part of the names.
func (f *file) marks() ([]navmesh.Mark, error) {
	b, n, err := f.next(secMarks, 0)
	if err != nil {
		return nil, err
	}
	names, _, err := f.next(secNames, 0)
	if err != nil {
		return nil, err
	}
	text := string(names)
	marks, err := records(b, n, "mark", func(c *cursor) (k navmesh.Mark, ok bool) {
		name, kind := uint64(c.u32()), uint64(c.u32())
		if name+kind > uint64(len(text)) {
			return k, false
		}
		k = navmesh.Mark{Name: text[:name], Kind: text[name : name+kind], Flags: c.u32()}
		text = text[name+kind:]
		return k, true
	})
	if err == nil && text != "" {
		err = fmt.Errorf("names: %d bytes are left over", len(text))
	}
	return marks, err
}

// tile decodes the sections of a tile.
func (f *file) tile(slot uint32) (t navmesh.Tile, err error) {
	fail := func(err error) (navmesh.Tile, error) { return navmesh.Tile{}, fmt.Errorf("tile %d: %w", slot, err) }
	var (
		b [len(tileSections)][]byte
		n [len(tileSections)]int
	)
	for i, id := range tileSections {
		if b[i], n[i], err = f.next(id, slot); err != nil {
			return t, err
		}
	}
	if n[0] != 1 {
		return fail(fmt.Errorf("tile: %d records", n[0]))
	}
	head := cursor{b[0]}
	t.Generation = head.u32()
	layers := head.u32()
	if t.Vertices, err = records(b[1], n[1], "vertex", decodeVertex); err != nil {
		return fail(err)
	}
	if t.Corners, err = records(b[2], n[2], "corner", func(c *cursor) (uint32, bool) { return c.u32(), true }); err != nil {
		return fail(err)
	}
	if t.Regions, err = records(b[3], n[3], "region", decodeRegion); err != nil {
		return fail(err)
	}
	if t.Portals, err = records(b[4], n[4], "portal", decodePortal); err != nil {
		return fail(err)
	}
	if t.Passages, err = records(b[5], n[5], "passage", decodePassage); err != nil {
		return fail(err)
	}
	if n[6] != int(layers) {
		return fail(fmt.Errorf("layers: %d records, the tile says %d", n[6], layers))
	}
	vertices, err := records(b[7], n[7], "floor vertex", decodeVertex)
	if err != nil {
		return fail(err)
	}
	triangles, err := records(b[8], n[8], "floor triangle", decodeTriangle)
	if err != nil {
		return fail(err)
	}
	if t.Marked, err = records(b[9], n[9], "marked region", decodeMarked); err != nil {
		return fail(err)
	}
	if t.Layers, err = share(b[6], n[6], vertices, triangles); err != nil {
		return fail(err)
	}
	return t, nil
}

// share gives each layer its floor's vertices and triangles.
func share(b []byte, n int, vertices []lattice.Vertex, triangles [][3]uint32) ([]navmesh.Layer, error) {
	layers, err := records(b, n, "layer", func(c *cursor) (l navmesh.Layer, ok bool) {
		nv, nt := uint64(c.u32()), uint64(c.u32())
		if nv > uint64(len(vertices)) || nt > uint64(len(triangles)) {
			return l, false
		}
		if nv > 0 {
			l.Floor.Vertices = vertices[:nv:nv]
		}
		if nt > 0 {
			l.Floor.Triangles = triangles[:nt:nt]
		}
		vertices, triangles = vertices[nv:], triangles[nt:]
		l.Floor.Error = int32(c.u32())
		return l, true
	})
	if err == nil && (len(vertices) > 0 || len(triangles) > 0) {
		err = fmt.Errorf("layers: %d floor vertices and %d floor triangles are left over", len(vertices), len(triangles))
	}
	return layers, err
}

func decodeVertex(c *cursor) (lattice.Vertex, bool) { return c.vertex(), true }

func decodeTriangle(c *cursor) ([3]uint32, bool) { return [3]uint32{c.u32(), c.u32(), c.u32()}, true }

func decodePassage(c *cursor) (navmesh.Passage, bool) {
	return navmesh.Passage{A: c.u32(), B: c.u32(), Clearance: int32(c.u32())}, true
}

func decodeMarked(c *cursor) (navmesh.Marked, bool) {
	return navmesh.Marked{Region: c.u32(), Mark: c.u32()}, true
}

func decodeRegion(c *cursor) (navmesh.Region, bool) {
	r := navmesh.Region{First: c.u32(), Count: c.u32(), FirstPortal: c.u32(), PortalCount: c.u32(), FirstPassage: c.u32()}
	word := c.u32()
	r.Layer, r.Area = uint16(word), uint8(word>>16)
	r.Flags, r.Component = c.u32(), c.u32()
	return r, word>>24 == 0
}

func decodePortal(c *cursor) (navmesh.Portal, bool) {
	p := navmesh.Portal{To: c.u32(), Edge: c.u32(), Left: c.u32(), Right: c.u32(), Back: c.u32()}
	word := c.u32()
	p.LeftCorner, p.RightCorner = word&1 != 0, word>>8&1 != 0
	p.Clearance = int32(c.u32())
	return p, word&^0x0101 == 0
}

// records decodes n records of equal size; the slice is nil for n = 0. A record that is not ok is an error.
func records[T any](b []byte, n int, name string, decode func(*cursor) (T, bool)) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	out := make([]T, n)
	c := cursor{b}
	for i := range out {
		var ok bool
		if out[i], ok = decode(&c); !ok {
			return nil, fmt.Errorf("%s %d has a value that means nothing", name, i)
		}
	}
	return out, nil
}

// cursor reads numbers from sufficiently many bytes.
type cursor struct{ b []byte }

func (c *cursor) u32() uint32 {
	v := le.Uint32(c.b)
	c.b = c.b[4:]
	return v
}

func (c *cursor) u64() uint64 {
	v := le.Uint64(c.b)
	c.b = c.b[8:]
	return v
}

func (c *cursor) f64() float64 { return math.Float64frombits(c.u64()) }

func (c *cursor) vertex() lattice.Vertex {
	p := lattice.Point{X: int32(c.u32()), Y: int32(c.u32())}
	return lattice.Vertex{Point: p, Z: int32(c.u32())}
}

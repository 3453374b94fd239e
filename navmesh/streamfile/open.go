package streamfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// File is an open file: its index, and the reader of its tiles. A File never changes, and any number of goroutines share it as
// far as they share the reader.
type File struct {
	r          io.ReaderAt
	head       *navmesh.Mesh // without tiles
	entries    []Entry
	borders    []Border
	errors     []int32 // of the height surface of every layer
	regions    int
	generation uint32
	cheap      bool   // some link costs less than its length
	sides      []side // see bounds.go
	sidesOf    [][]int32
}

// Open reads the header and the index of a file of size bytes. Tiles are read when [File.Tile] asks. Errors name the part and
// the place. Time and memory O(size of the index).
func Open(r io.ReaderAt, size int64) (*File, error) {
	if r == nil {
		return nil, errors.New("streamfile: the reader is nil")
	}
	header, err := readAt(r, 0, min(max(size, 0), headerSize))
	if err != nil {
		return nil, err
	}
	if len(header) < len(magic) || string(header[:len(magic)]) != magic {
		return nil, errors.New("streamfile: not a mesh in tiles: it does not begin with \"MEADTIL\"")
	}
	if len(header) < headerSize {
		return nil, fmt.Errorf("streamfile: header: the file ends after %d of %d bytes", len(header), headerSize)
	}
	if v := le.Uint32(header[8:]); v != Version {
		return nil, fmt.Errorf("streamfile: header: version %d, this program reads version %d", v, Version)
	}
	if got, want := sum(header[:headerSize-4]), le.Uint32(header[headerSize-4:]); got != want {
		return nil, fmt.Errorf("streamfile: header: checksum is %08x, the file says %08x", got, want)
	}
	tiles, borders, layers := uint64(le.Uint32(header[12:])), uint64(le.Uint32(header[16:])), uint64(le.Uint32(header[20:]))
	f := &File{r: r, regions: int(le.Uint32(header[24:])), generation: le.Uint32(header[28:])}
	length, index := le.Uint64(header[32:]), le.Uint64(header[40:])
	if length != uint64(size) {
		return nil, fmt.Errorf("streamfile: the file has %d bytes, its header says %d", size, length)
	}
	fixed := entrySize*tiles + borderSize*borders + layerSize*layers
	if index > length-headerSize || fixed > index || tiles == 0 || layers > math.MaxUint16+1 || le.Uint32(header[48:]) > 1 || le.Uint32(header[52:]) != 0 {
		return nil, fmt.Errorf("streamfile: header: %d tiles, %d borders and %d layers in an index of %d bytes", tiles, borders, layers, index)
	}
	f.cheap = le.Uint32(header[48:]) == 1
	start := pad(headerSize + index) // of the tiles
	if start > length {
		return nil, fmt.Errorf("streamfile: header: an index of %d bytes in a file of %d", index, length)
	}
	b, err := readAt(r, headerSize, int64(start-headerSize))
	if err != nil {
		return nil, err
	}
	if got, want := sum(b), le.Uint32(header[56:]); got != want {
		return nil, fmt.Errorf("streamfile: index: checksum is %08x, the header says %08x", got, want)
	}
	if err := f.decodeIndex(b, index, tiles, borders, layers, start, length); err != nil {
		return nil, fmt.Errorf("streamfile: index: %w", err)
	}
	f.linkSides()
	return f, nil
}

// readAt returns n bytes at an offset.
func readAt(r io.ReaderAt, offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := r.ReadAt(b, offset); int64(got) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("streamfile: reading at byte %d: %w", offset+int64(got), err)
	}
	return b, nil
}

// decodeIndex takes the index apart. Its parts but the last have been compared with its length.
func (f *File) decodeIndex(b []byte, index, tiles, borders, layers, start, length uint64) error {
	for _, z := range b[index:] {
		if z != 0 {
			return errors.New("the bytes behind are not zero")
		}
	}
	c := cursor{b}
	f.entries = make([]Entry, tiles)
	regions, offset := 0, start
	for i := range f.entries {
		e, err := c.entry()
		if err != nil {
			return fmt.Errorf("tile %d: %w", i, err)
		}
		if uint64(e.Offset) != offset || uint64(e.Length) > length-offset || e.Regions > int(e.Length)/regionSize {
			return fmt.Errorf("tile %d: %d regions in %d bytes at byte %d of %d", i, e.Regions, e.Length, e.Offset, length)
		}
		offset = pad(offset + uint64(e.Length))
		regions += e.Regions
		f.entries[i] = e
	}
	if offset != length {
		return fmt.Errorf("the tiles end at byte %d, the file at %d", offset, length)
	}
	if regions != f.regions {
		return fmt.Errorf("tiles with %d regions, the header says %d", regions, f.regions)
	}
	f.borders = make([]Border, borders)
	for i := range f.borders {
		border, ok := c.border()
		if !ok || uint(border.Tiles[0]) >= uint(len(f.entries)) || uint(border.Tiles[1]) >= uint(len(f.entries)) || border.Tiles[0] == border.Tiles[1] {
			return fmt.Errorf("border %d between tiles %d and %d of %d has a value that means nothing", i, border.Tiles[0], border.Tiles[1], len(f.entries))
		}
		f.borders[i] = border
	}
	f.errors = make([]int32, layers)
	for i := range f.errors {
		f.errors[i] = int32(c.u32())
	}
	head, err := navfile.Decode(c.b[:index-(uint64(len(b))-uint64(len(c.b)))])
	if err != nil {
		return err
	}
	if len(head.Tiles) > 0 || len(head.Links) > 0 {
		return errors.New("the mesh without tiles has some")
	}
	f.head = head
	return nil
}

// cursor takes numbers from bytes that are known to be enough.
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

func (c *cursor) point() lattice.Point { return lattice.Point{X: int32(c.u32()), Y: int32(c.u32())} }

func (c *cursor) vertex() lattice.Vertex { return lattice.Vertex{Point: c.point(), Z: int32(c.u32())} }

func (c *cursor) entry() (e Entry, err error) {
	offset, length := c.u64(), c.u64()
	e.sum, e.Regions = c.u32(), int(c.u32())
	shortcuts, reserved := c.u32(), c.u32()
	low, high := c.vertex(), c.vertex()
	e.Box, e.Low, e.High = lattice.Box{Min: low.Point, Max: high.Point}, low.Z, high.Z
	e.shortcuts = shortcuts == 1
	if offset > math.MaxInt64 || length > math.MaxInt64 || e.Regions < 1 || shortcuts > 1 || reserved != 0 ||
		e.Box.IsEmpty() || !inFrame(low) || !inFrame(high) || e.Low > e.High {
		return e, fmt.Errorf("%d bytes at byte %d with %d regions from %v to %v have a value that means nothing", length, offset, e.Regions, low, high)
	}
	e.Offset, e.Length = int64(offset), int64(length)
	return e, nil
}

func inFrame(v lattice.Vertex) bool {
	in := func(c int32) bool { return -lattice.MaxCoord <= c && c <= lattice.MaxCoord }
	return in(v.X) && in(v.Y) && in(v.Z)
}

func (c *cursor) border() (b Border, ok bool) {
	b.Tiles = [2]int{int(c.u32()), int(c.u32())}
	for i := range b.Boxes {
		b.Boxes[i] = lattice.Box{Min: c.point(), Max: c.point()}
	}
	b.Cost = math.Float64frombits(c.u64())
	oneWay, reserved := c.u32(), c.u32()
	b.OneWay = oneWay == 1
	return b, oneWay <= 1 && reserved == 0 && b.Cost >= 0 && !math.IsInf(b.Cost, 0) && !b.Boxes[0].IsEmpty() && !b.Boxes[1].IsEmpty()
}

// Head returns the mesh without its tiles and links: the frame, the agent, the names and the record. The mesh must not be
// changed.
func (f *File) Head() *navmesh.Mesh { return f.head }

// Tiles lists the tiles. The list must not be changed.
func (f *File) Tiles() []Entry { return f.entries }

// Borders lists the borders between tiles. The list must not be changed.
func (f *File) Borders() []Border { return f.borders }

// Regions returns the number of regions of the whole mesh.
func (f *File) Regions() int { return f.regions }

// Near lists the tiles within across metres of a place, seen from above, and within upright metres of its height.
func (f *File) Near(place geom.Vec, across, upright float64) []int {
	x, y, z := f.head.Frame.Local(place)
	far, high := across*lattice.UnitsPerMetre, upright*lattice.UnitsPerMetre
	var out []int
	for i := range f.entries {
		e := &f.entries[i]
		if toBox(&e.Box, x, y) <= far && z >= float64(e.Low)-high && z <= float64(e.High)+high {
			out = append(out, i)
		}
	}
	return out
}

// toBox returns the distance of a place from a box.
func toBox(b *lattice.Box, x, y float64) float64 {
	dx := max(float64(b.Min.X)-x, 0, x-float64(b.Max.X))
	dy := max(float64(b.Min.Y)-y, 0, y-float64(b.Max.Y))
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// IsFile reports whether a file that begins with start is a mesh in tiles.
func IsFile(start []byte) bool {
	return len(start) >= len(magic) && string(start[:len(magic)]) == magic
}

// Read reads the whole mesh of a file from all of r.
func Read(r io.Reader) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, errors.New("streamfile: the reader is nil")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("streamfile: %w", err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	tiles := make([]*Tile, len(f.entries))
	for i := range tiles {
		if tiles[i], err = f.Tile(i); err != nil {
			return nil, err
		}
	}
	p, err := Compose(tiles)
	if err != nil {
		return nil, err
	}
	return p.Mesh, nil
}

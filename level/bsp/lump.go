package bsp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// The lumps of a file, in the order of its directory. The lumps for light, sight and the drawing order are
// not read.
const (
	lumpEntities   = 0
	lumpTextures   = 1
	lumpPlanes     = 2
	lumpNodes      = 3
	lumpLeaves     = 4
	lumpModels     = 7
	lumpBrushes    = 8
	lumpSides      = 9
	lumpVertices   = 10
	lumpMeshVerts  = 11
	lumpFaces      = 13
	lumpsInUse     = 17
	directoryStart = 8
	lumpEntry      = 8
)

// lumps has the name of each lump, for errors, and the bytes of one element.
var lumps = [lumpsInUse]struct {
	name string
	size int
}{
	lumpEntities:  {"entities", 1},
	lumpTextures:  {"textures", 72},
	lumpPlanes:    {"planes", 16},
	lumpNodes:     {"nodes", 36},
	lumpLeaves:    {"leaves", 48},
	lumpModels:    {"models", 40},
	lumpBrushes:   {"brushes", 12},
	lumpSides:     {"brush sides", 8},
	lumpVertices:  {"vertices", 44},
	lumpMeshVerts: {"mesh vertices", 4},
	lumpFaces:     {"faces", 104},
}

// Bits for the contents of brushes and for surfaces.
const (
	contentsSolid      = 1 << 0
	contentsLava       = 1 << 3
	contentsSlime      = 1 << 4
	contentsWater      = 1 << 5
	contentsPlayerClip = 1 << 16

	surfaceLadder = 1 << 3
)

// Kinds of faces.
const (
	facePolygon = 1
	facePatch   = 2
	faceMesh    = 3
	faceFlare   = 4
)

// maxSides bounds the planes of one brush: the hull takes time in their square. Compilers stop at fewer.
const maxSides = 256

// file holds the used parts of a level file. All indices are in range.
type file struct {
	offsets  [lumpsInUse]int // of the lumps, in the file
	entities []byte
	textures []texture
	planes   []plane
	nodes    []node
	clusters []int32 // of the leaves: which part of the level they belong to, below 0 for none
	models   []model
	brushes  []brush
	sides    []brushSide
	vertices []vertex
	indices  []int32 // of drawn triangles, relative to the first vertex of their face
	faces    []face

	limits level.Limits
}

type texture struct {
	name            string
	flags, contents uint32
}

// plane has a unit normal; normal·p = offset on it.
type plane struct {
	normal geom.Vec
	offset float64
}

// node lists its front child first; children below 0 are leaves, -1 the first.
type node struct {
	plane    int
	children [2]int
}

type model struct {
	min, max            geom.Vec
	firstFace, faces    int
	firstBrush, brushes int
}

type brush struct {
	firstSide, sides int
	texture          int
}

type brushSide struct{ plane, texture int }

type vertex struct{ position, normal geom.Vec }

type face struct {
	texture, kind         int
	firstVertex, vertices int
	firstIndex, indices   int
	width, height         int // of the grid of a patch
}

// record reads the fields of one element of a lump.
type record []byte

func (r record) int(at int) int       { return int(int32(binary.LittleEndian.Uint32(r[at:]))) }
func (r record) bits(at int) uint32   { return binary.LittleEndian.Uint32(r[at:]) }
func (r record) float(at int) float64 { return float64(math.Float32frombits(r.bits(at))) }
func (r record) vector(at int) geom.Vec {
	return geom.Vec{X: r.float(at), Y: r.float(at + 4), Z: r.float(at + 8)}
}

// at returns the offset of element i of a lump in the file.
func (f *file) at(lump, i int) int { return f.offsets[lump] + i*lumps[lump].size }

// parse reads and checks all tables.
func (f *file) parse(data []byte) error {
	const head = directoryStart + lumpsInUse*lumpEntry
	if len(data) < 4 || string(data[:4]) != "IBSP" {
		return fmt.Errorf("invalid header %.4q; want \"IBSP\"", data)
	}
	if len(data) < head {
		return fmt.Errorf("the file has %d bytes; the directory ends at %d", len(data), head)
	}
	if v := record(data).bits(4); v != 46 && v != 47 {
		return fmt.Errorf("unsupported version %d; supported: 46, 47", v)
	}
	var contents [lumpsInUse][]byte
	for i, l := range lumps {
		if l.size == 0 {
			continue
		}
		entry := data[directoryStart+i*lumpEntry:]
		offset, length := uint64(record(entry).bits(0)), uint64(record(entry).bits(4))
		if offset+length > uint64(len(data)) {
			return fmt.Errorf("lump %d, %s: %d bytes at offset %d; the file has %d", i, l.name, length, offset, len(data))
		}
		if length%uint64(l.size) != 0 {
			return fmt.Errorf("lump %d, %s, at offset %d: %d bytes are not a multiple of the element size, %d", i, l.name, offset, length, l.size)
		}
		f.offsets[i] = int(offset)
		contents[i] = data[offset : offset+length]
	}
	f.entities = contents[lumpEntities]
	// In an order that reads every table before the references to it.
	for _, step := range []func(*[lumpsInUse][]byte) error{
		f.parseTextures, f.parsePlanes, f.parseTree, f.parseSides, f.parseBrushes, f.parseVertices, f.parseFaces, f.parseModels,
	} {
		if err := step(&contents); err != nil {
			return err
		}
	}
	return nil
}

// each calls read for all elements of a lump, and adds the element to an error.
func (f *file) each(contents *[lumpsInUse][]byte, lump int, read func(i int, r record) error) error {
	data, size := contents[lump], lumps[lump].size
	for i := range len(data) / size {
		if err := read(i, record(data[i*size:(i+1)*size])); err != nil {
			return fmt.Errorf("lump %d, %s, element %d at offset %d: %w", lump, lumps[lump].name, i, f.at(lump, i), err)
		}
	}
	return nil
}

// count returns the number of elements of a lump.
func count(contents *[lumpsInUse][]byte, lump int) int { return len(contents[lump]) / lumps[lump].size }

// span checks that count elements exist from first on.
func span(what string, first, count, there int) error {
	if first < 0 || count < 0 || first > there || count > there-first {
		return fmt.Errorf("%d %s from %d on; the file has %d", count, what, first, there)
	}
	return nil
}

// index checks that element i exists.
func index(what string, i, there int) error {
	if i < 0 || i >= there {
		return fmt.Errorf("%s %d of %d", what, i, there)
	}
	return nil
}

func (f *file) parseTextures(contents *[lumpsInUse][]byte) error {
	f.textures = make([]texture, 0, count(contents, lumpTextures))
	return f.each(contents, lumpTextures, func(_ int, r record) error {
		name := r[:64]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		f.textures = append(f.textures, texture{clean(string(name)), r.bits(64), r.bits(68)})
		return nil
	})
}

// clean makes s a valid text of one line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

func (f *file) parsePlanes(contents *[lumpsInUse][]byte) error {
	f.planes = make([]plane, 0, count(contents, lumpPlanes))
	return f.each(contents, lumpPlanes, func(_ int, r record) error {
		p := plane{r.vector(0), r.float(12)}
		length := p.normal.Norm()
		if !(math.Abs(length-1) < 0.01) || !(math.Abs(p.offset) < 1<<20) {
			return fmt.Errorf("invalid plane: normal %v, offset %g", p.normal, p.offset)
		}
		// The file has the normal as float32. Normals along an axis stay unchanged.
		p.normal = p.normal.Scale(1 / length)
		p.offset /= length
		f.planes = append(f.planes, p)
		return nil
	})
}

// parseTree reads nodes and leaves. Children come after their parents, so no walk is circular.
func (f *file) parseTree(contents *[lumpsInUse][]byte) error {
	leaves, nodes := count(contents, lumpLeaves), count(contents, lumpNodes)
	f.clusters = make([]int32, 0, leaves)
	err := f.each(contents, lumpLeaves, func(_ int, r record) error {
		f.clusters = append(f.clusters, int32(r.int(0)))
		return nil
	})
	if err != nil {
		return err
	}
	f.nodes = make([]node, 0, nodes)
	return f.each(contents, lumpNodes, func(i int, r record) error {
		n := node{r.int(0), [2]int{r.int(4), r.int(8)}}
		if err := index("plane", n.plane, len(f.planes)); err != nil {
			return err
		}
		for _, c := range n.children {
			switch {
			case c < 0:
				if err := index("leaf", -(c + 1), leaves); err != nil {
					return err
				}
			case c <= i || c >= nodes:
				return fmt.Errorf("child %d, must be from %d to %d", c, i+1, nodes-1)
			}
		}
		f.nodes = append(f.nodes, n)
		return nil
	})
}

func (f *file) parseSides(contents *[lumpsInUse][]byte) error {
	f.sides = make([]brushSide, 0, count(contents, lumpSides))
	return f.each(contents, lumpSides, func(_ int, r record) error {
		s := brushSide{r.int(0), r.int(4)}
		if err := index("plane", s.plane, len(f.planes)); err != nil {
			return err
		}
		if err := index("texture", s.texture, len(f.textures)); err != nil {
			return err
		}
		f.sides = append(f.sides, s)
		return nil
	})
}

// parseBrushes reads brushes. No side may be used twice: the work for them is bounded by the bytes
// of the file.
func (f *file) parseBrushes(contents *[lumpsInUse][]byte) error {
	f.brushes = make([]brush, 0, count(contents, lumpBrushes))
	used := 0
	return f.each(contents, lumpBrushes, func(_ int, r record) error {
		b := brush{r.int(0), r.int(4), r.int(8)}
		if err := span("sides", b.firstSide, b.sides, len(f.sides)); err != nil {
			return err
		}
		if b.sides > maxSides {
			return fmt.Errorf("%d sides; the limit is %d", b.sides, maxSides)
		}
		if used += b.sides; used > len(f.sides) {
			return fmt.Errorf("with %d more sides, brushes use %d of %d", b.sides, used, len(f.sides))
		}
		f.brushes = append(f.brushes, b)
		return index("texture", b.texture, len(f.textures))
	})
}

func (f *file) parseVertices(contents *[lumpsInUse][]byte) error {
	f.vertices = make([]vertex, 0, count(contents, lumpVertices))
	err := f.each(contents, lumpVertices, func(_ int, r record) error {
		v := vertex{r.vector(0), r.vector(28)}
		if !within(v.position) {
			return fmt.Errorf("position %v is outside of the world", v.position)
		}
		if !v.normal.IsFinite() {
			v.normal = geom.Vec{}
		}
		f.vertices = append(f.vertices, v)
		return nil
	})
	if err != nil {
		return err
	}
	f.indices = make([]int32, 0, count(contents, lumpMeshVerts))
	return f.each(contents, lumpMeshVerts, func(_ int, r record) error {
		f.indices = append(f.indices, int32(r.int(0)))
		return nil
	})
}

// within reports whether v is finite and in the range of the format.
func within(v geom.Vec) bool {
	return math.Abs(v.X) <= maxCoord && math.Abs(v.Y) <= maxCoord && math.Abs(v.Z) <= maxCoord
}

// parseFaces reads faces. Compilers let faces of the same shape share their mesh vertices, so the limit is on
// the sum.
func (f *file) parseFaces(contents *[lumpsInUse][]byte) error {
	f.faces = make([]face, 0, count(contents, lumpFaces))
	used := 0
	return f.each(contents, lumpFaces, func(_ int, r record) error {
		s := face{
			texture: r.int(0), kind: r.int(8),
			firstVertex: r.int(12), vertices: r.int(16),
			firstIndex: r.int(20), indices: r.int(24),
			width: r.int(96), height: r.int(100),
		}
		f.faces = append(f.faces, s)
		switch s.kind {
		case facePatch:
			if s.width < 3 || s.height < 3 || s.width%2 == 0 || s.height%2 == 0 || s.width > maxGrid || s.height > maxGrid || s.width*s.height != s.vertices {
				return fmt.Errorf("a patch of %d×%d in %d vertices", s.width, s.height, s.vertices)
			}
		case facePolygon, faceMesh:
			if err := span("mesh vertices", s.firstIndex, s.indices, len(f.indices)); err != nil {
				return err
			}
		default:
			return nil
		}
		if err := span("vertices", s.firstVertex, s.vertices, len(f.vertices)); err != nil {
			return err
		}
		if s.kind != facePatch {
			used += s.indices / 3
			if err := f.limits.CheckTriangles(used); err != nil {
				return fmt.Errorf("with %d more, there are %w", s.indices/3, err)
			}
			for _, i := range f.indices[s.firstIndex : s.firstIndex+s.indices] {
				if err := index("vertex", int(i), s.vertices); err != nil {
					return err
				}
			}
		}
		return index("texture", s.texture, len(f.textures))
	})
}

// parseModels reads models. Together they use each brush and each face at most once.
func (f *file) parseModels(contents *[lumpsInUse][]byte) error {
	f.models = make([]model, 0, count(contents, lumpModels))
	brushes, faces := 0, 0
	return f.each(contents, lumpModels, func(_ int, r record) error {
		m := model{r.vector(0), r.vector(12), r.int(24), r.int(28), r.int(32), r.int(36)}
		if err := span("faces", m.firstFace, m.faces, len(f.faces)); err != nil {
			return err
		}
		if err := span("brushes", m.firstBrush, m.brushes, len(f.brushes)); err != nil {
			return err
		}
		brushes, faces = brushes+m.brushes, faces+m.faces
		if brushes > len(f.brushes) || faces > len(f.faces) {
			return fmt.Errorf("models use %d of %d brushes and %d of %d faces", brushes, len(f.brushes), faces, len(f.faces))
		}
		f.models = append(f.models, m)
		return nil
	})
}

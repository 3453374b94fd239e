package world

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
)

// Source: own; docs/formats/world.md specifies every byte.
//
// Idea: a batch of edits is a version, a count, and edit after edit: a byte for the type, then the fields in a fixed order,
// little-endian. Floats are written as their bits. Texts and lists begin with their length.
//
// Input: any edits; or bytes, which may come from anybody. Whether an edit makes sense is not asked here: [World.Apply]
// asks.
//
// Guarantees:
//  1. Decoding gives the same edits bit by bit, NaN and negative zero included; an empty list becomes nil
//     (TestEditsRoundTrip).
//  2. Each batch has one encoding: bytes that decode are the bytes that encoding gives (FuzzDecodeEdits).
//  3. Other bytes are an error that names the edit. Memory is in proportion to the bytes present, whatever lengths they
//     claim (TestHostileBatches).
//
// Degenerate cases: no edits are a batch of 8 bytes. Nil edits, nil solids, pointers and foreign types are errors.
//
// Cost: O(n) for n bytes.

// batchVersion is the version of the encoding.
const batchVersion = 1

// maxText is the maximum length of a text in bytes, as in mesh files.
const maxText = math.MaxUint16

// The types of edits and solids in bytes.
const (
	putByte = 1 + iota
	moveByte
	takeByte
	paintByte
	repaintByte
	closeByte
	openByte
	connectByte
)

const (
	boxByte = 1 + iota
	cylinderByte
	prismByte
	meshByte
)

const (
	pointSize    = 24
	triangleSize = 12
	leastEdit    = 5 // bytes of a Take with an empty id
)

var le = binary.LittleEndian

// EncodeEdits returns edits as bytes for [DecodeEdits]: for logs, files and networks. A nil edit, a nil solid, a pointer
// to an edit, and a text of 64 KiB or more are errors that name the edit. Time O(n) for n bytes.
func EncodeEdits(edits ...Edit) ([]byte, error) {
	if uint64(len(edits)) > math.MaxUint32 {
		return nil, fmt.Errorf("world: %d edits, at most %d", len(edits), uint32(math.MaxUint32))
	}
	w := batchWriter{b: le.AppendUint32(nil, batchVersion)}
	w.u32(uint32(len(edits)))
	for i, e := range edits {
		if w.edit(e); w.err != nil {
			return nil, fmt.Errorf("world: edit %d of %d%s: %w", i+1, len(edits), nameOf(e), w.err)
		}
	}
	return w.b, nil
}

// nameOf returns the type and name of an edit in brackets, empty where it has none.
func nameOf(e Edit) string {
	verb, name := "", ""
	switch e := e.(type) {
	case Put:
		verb, name = "put", string(e.ID)
	case Move:
		verb, name = "move", string(e.ID)
	case Take:
		verb, name = "take", string(e.ID)
	case Paint:
		verb, name = "paint", string(e.ID)
	case Repaint:
		verb, name = "repaint", string(e.ID)
	case Close:
		verb, name = "close", e.Mark
	case Open:
		verb, name = "open", e.Mark
	case Connect:
		verb, name = "connect", string(e.ID)
	default:
		return ""
	}
	return fmt.Sprintf(" (%s %.80q)", verb, name)
}

// batchWriter appends numbers until the first error.
type batchWriter struct {
	b   []byte
	err error
}

func (w *batchWriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *batchWriter) u8(v byte)     { w.b = append(w.b, v) }
func (w *batchWriter) u32(v uint32)  { w.b = le.AppendUint32(w.b, v) }
func (w *batchWriter) u64(v uint64)  { w.b = le.AppendUint64(w.b, v) }
func (w *batchWriter) f64(v float64) { w.u64(math.Float64bits(v)) }

func (w *batchWriter) vec(v geom.Vec) {
	w.f64(v.X)
	w.f64(v.Y)
	w.f64(v.Z)
}

func (w *batchWriter) count(what string, n int) {
	if uint64(n) > math.MaxUint32 {
		w.fail("%d %s, at most %d", n, what, uint32(math.MaxUint32))
	}
	w.u32(uint32(n))
}

func (w *batchWriter) text(what, s string) {
	if len(s) > maxText {
		w.fail("the %s has %d bytes, at most %d", what, len(s), maxText)
		return
	}
	w.u32(uint32(len(s)))
	w.b = append(w.b, s...)
}

func (w *batchWriter) edit(e Edit) {
	switch e := e.(type) {
	case Put:
		w.u8(putByte)
		w.text("id", string(e.ID))
		w.solid(e.Solid)
	case Move:
		w.u8(moveByte)
		w.text("id", string(e.ID))
		w.solid(e.Solid)
	case Take:
		w.u8(takeByte)
		w.text("id", string(e.ID))
	case Paint:
		w.u8(paintByte)
		w.text("id", string(e.ID))
		w.solid(e.Solid)
		w.brush(e.Brush)
	case Repaint:
		w.u8(repaintByte)
		w.text("id", string(e.ID))
		w.solid(e.Solid)
		w.brush(e.Brush)
	case Close:
		w.u8(closeByte)
		w.text("mark", e.Mark)
	case Open:
		w.u8(openByte)
		w.text("mark", e.Mark)
	case Connect:
		w.u8(connectByte)
		w.text("id", string(e.ID))
		w.vec(e.From)
		w.vec(e.To)
		w.u8(byte(e.Kind))
		w.f64(e.Cost)
		w.u8(truth(e.BothWays))
	case nil:
		w.fail("the edit is nil")
	default:
		w.fail("the edit is a %T, which is not an edit of this package", e)
	}
}

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (w *batchWriter) brush(b Brush) {
	w.text("area", b.Area)
	w.f64(b.Cost)
	w.u32(b.Set)
	w.u32(b.Clear)
	w.u64(uint64(int64(b.Priority)))
}

func (w *batchWriter) solid(s Solid) {
	switch s := s.(type) {
	case Box:
		w.u8(boxByte)
		w.vec(s.Base)
		w.vec(s.Size)
		w.f64(s.Yaw)
	case Cylinder:
		w.u8(cylinderByte)
		w.vec(s.Base)
		w.f64(s.Radius)
		w.f64(s.Height)
	case Prism:
		w.u8(prismByte)
		w.f64(s.Bottom)
		w.f64(s.Top)
		w.count("points", len(s.Outline))
		for _, p := range s.Outline {
			w.vec(p)
		}
	case TriangleMesh:
		w.u8(meshByte)
		w.vec(s.At)
		w.f64(s.Yaw)
		w.count("vertices", len(s.Vertices))
		w.count("triangles", len(s.Triangles))
		for _, p := range s.Vertices {
			w.vec(p)
		}
		for _, t := range s.Triangles {
			for _, v := range t {
				w.u32(uint32(v))
			}
		}
	case nil:
		w.fail("the solid is nil")
	default:
		w.fail("the solid is a %T, which is not a solid of this package", s)
	}
}

// DecodeEdits returns the edits in bytes from [EncodeEdits]. Edits that no world would apply are no error here. Time and
// memory O(n) for n bytes.
func DecodeEdits(data []byte) ([]Edit, error) {
	r := batchReader{b: data}
	version, count := r.u32(), r.u32()
	switch {
	case r.err != nil:
		return nil, fmt.Errorf("world: a batch of edits has at least 8 bytes, not %d", len(data))
	case version != batchVersion:
		return nil, fmt.Errorf("world: edits of version %d, this program reads version %d", version, batchVersion)
	case uint64(count)*leastEdit > uint64(len(r.b)):
		return nil, fmt.Errorf("world: %d edits in %d bytes", count, len(r.b))
	}
	var edits []Edit
	if count > 0 {
		edits = make([]Edit, 0, count)
	}
	for i := range count {
		e := r.edit()
		if r.err != nil {
			return nil, fmt.Errorf("world: edit %d of %d%s: %w", i+1, count, nameOf(e), r.err)
		}
		edits = append(edits, e)
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("world: %d bytes after the last of %d edits", len(r.b), count)
	}
	return edits, nil
}

// batchReader takes numbers from bytes until the first error, and then gives zeros.
type batchReader struct {
	b   []byte
	err error
}

var errShort = errors.New("the bytes end within the edit")

func (r *batchReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// take returns the next n bytes; nil after an error.
func (r *batchReader) take(n int) []byte {
	if n > len(r.b) {
		r.fail(errShort)
	}
	if r.err != nil {
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *batchReader) u8() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *batchReader) u32() uint32 {
	if b := r.take(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (r *batchReader) u64() uint64 {
	if b := r.take(8); b != nil {
		return le.Uint64(b)
	}
	return 0
}

func (r *batchReader) f64() float64 { return math.Float64frombits(r.u64()) }

func (r *batchReader) vec() geom.Vec { return geom.Vec{X: r.f64(), Y: r.f64(), Z: r.f64()} }

func (r *batchReader) truth() bool {
	v := r.u8()
	if v > 1 {
		r.fail(fmt.Errorf("a yes or no is %d", v))
	}
	return v == 1
}

// count takes the length of a list whose elements have size bytes each.
func (r *batchReader) count(what string, size int) int {
	n := r.u32()
	if uint64(n)*uint64(size) > uint64(len(r.b)) {
		r.fail(fmt.Errorf("%d %s in %d bytes", n, what, len(r.b)))
		return 0
	}
	return int(n)
}

func (r *batchReader) text(what string) string {
	n := r.u32()
	if n > maxText {
		r.fail(fmt.Errorf("the %s has %d bytes, at most %d", what, n, maxText))
		return ""
	}
	return string(r.take(int(n)))
}

// edit takes an edit. After an error the edit has the fields before the fault.
func (r *batchReader) edit() Edit {
	switch kind := r.u8(); kind {
	case putByte:
		return Put{ID: r.id(), Solid: r.solid()}
	case moveByte:
		return Move{ID: r.id(), Solid: r.solid()}
	case takeByte:
		return Take{ID: r.id()}
	case paintByte:
		return Paint{ID: r.id(), Solid: r.solid(), Brush: r.brush()}
	case repaintByte:
		return Repaint{ID: r.id(), Solid: r.solid(), Brush: r.brush()}
	case closeByte:
		return Close{Mark: r.text("mark")}
	case openByte:
		return Open{Mark: r.text("mark")}
	case connectByte:
		c := Connect{ID: r.id(), From: r.vec(), To: r.vec()}
		c.Kind = navmesh.LinkKind(r.u8())
		c.Cost, c.BothWays = r.f64(), r.truth()
		return c
	default:
		r.fail(fmt.Errorf("type %d of edit is unknown", kind))
		return nil
	}
}

func (r *batchReader) id() ID { return ID(r.text("id")) }

func (r *batchReader) brush() Brush {
	b := Brush{Area: r.text("area"), Cost: r.f64(), Set: r.u32(), Clear: r.u32()}
	priority := int64(r.u64())
	b.Priority = int(priority)
	if int64(b.Priority) != priority {
		r.fail(fmt.Errorf("priority %d is beyond this machine", priority))
	}
	return b
}

func (r *batchReader) solid() Solid {
	switch kind := r.u8(); kind {
	case boxByte:
		return Box{Base: r.vec(), Size: r.vec(), Yaw: r.f64()}
	case cylinderByte:
		return Cylinder{Base: r.vec(), Radius: r.f64(), Height: r.f64()}
	case prismByte:
		p := Prism{Bottom: r.f64(), Top: r.f64()}
		p.Outline = r.points(r.count("points", pointSize))
		return p
	case meshByte:
		m := TriangleMesh{At: r.vec(), Yaw: r.f64()}
		vertices := r.u32()
		triangles := r.count("triangles", triangleSize)
		if need := uint64(vertices)*pointSize + uint64(triangles)*triangleSize; need > uint64(len(r.b)) {
			r.fail(fmt.Errorf("%d vertices and %d triangles in %d bytes", vertices, triangles, len(r.b)))
			return m
		}
		m.Vertices = r.points(int(vertices))
		if triangles > 0 {
			m.Triangles = make([][3]int32, triangles)
		}
		for i := range m.Triangles {
			m.Triangles[i] = [3]int32{int32(r.u32()), int32(r.u32()), int32(r.u32())}
		}
		return m
	default:
		r.fail(fmt.Errorf("type %d of solid is unknown", kind))
		return nil
	}
}

// points takes n points, which the bytes are known to hold.
func (r *batchReader) points(n int) []geom.Vec {
	if n == 0 {
		return nil
	}
	out := make([]geom.Vec, n)
	for i := range out {
		out[i] = r.vec()
	}
	return out
}

package gltf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
)

// maxZeros is the largest accessor without bytes: the specification fills it with zeros, so no bytes in the
// file back its count.
const maxZeros = 1 << 20

// maxElements is how many elements may be decoded for each triangle of the limit: three indices and three
// positions. It bounds the work of many accessors over the same few bytes.
const maxElements = 6

// componentSize is the number of bytes of a component.
func componentSize(c gltf.ComponentType) int {
	switch c {
	case gltf.ComponentByte, gltf.ComponentUbyte:
		return 1
	case gltf.ComponentShort, gltf.ComponentUshort:
		return 2
	}
	return 4
}

// component reads one component by the rules of the specification: integers as they are or, normalized,
// scaled to 0 to 1 or -1 to 1.
func component(b []byte, c gltf.ComponentType, normalized bool) float64 {
	var v, full float64
	switch c {
	case gltf.ComponentByte:
		v, full = float64(int8(b[0])), math.MaxInt8
	case gltf.ComponentUbyte:
		v, full = float64(b[0]), math.MaxUint8
	case gltf.ComponentShort:
		v, full = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case gltf.ComponentUshort:
		v, full = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case gltf.ComponentUint:
		return float64(binary.LittleEndian.Uint32(b))
	default:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	if normalized {
		return max(v/full, -1)
	}
	return v
}

// span is a checked run of elements: element i starts at data[i*stride] and ends inside of data.
type span struct {
	data   []byte
	stride int
}

// span resolves a buffer view and checks that count elements of size bytes fit in.
func (d *decoder) span(viewIndex, offset, count, size int) (span, error) {
	view, err := at(d.doc.BufferViews, viewIndex, "buffer view")
	if err != nil {
		return span{}, err
	}
	inView := func(format string, args ...any) (span, error) {
		return span{}, fmt.Errorf("buffer view %d: %s", viewIndex, fmt.Sprintf(format, args...))
	}
	unpacked, packed, err := d.unpacked(viewIndex, view)
	if err != nil {
		return inView("%v", err)
	}
	if packed {
		view = &gltf.BufferView{ByteLength: len(unpacked.data), ByteStride: unpacked.stride}
	}
	buffer := unpacked.data
	if !packed {
		if buffer, err = d.buffer(view.Buffer); err != nil {
			return span{}, err
		}
	}
	if view.ByteOffset < 0 || view.ByteLength < 0 || view.ByteOffset > len(buffer) || view.ByteLength > len(buffer)-view.ByteOffset {
		return inView("%d bytes at offset %d; the buffer has %d", view.ByteLength, view.ByteOffset, len(buffer))
	}
	stride := view.ByteStride
	if stride == 0 {
		stride = size
	}
	if stride < size || stride > math.MaxUint16 {
		return inView("stride of %d bytes for elements of %d", stride, size)
	}
	data := buffer[view.ByteOffset:][:view.ByteLength]
	if offset < 0 || offset > len(data) {
		return inView("an accessor starts at byte %d of %d", offset, len(data))
	}
	data = data[offset:]
	if count > 0 && (len(data) < size || count-1 > (len(data)-size)/stride) {
		return inView("%d elements of %d bytes, stride %d, do not fit into %d bytes", count, size, stride, len(data))
	}
	return span{data, stride}, nil
}

// spend counts n elements against the limit.
func (d *decoder) spend(n int) error {
	if n > maxElements*d.limit-d.elements {
		return fmt.Errorf("with %d more elements, accessors have more than %d in all", n, maxElements*d.limit)
	}
	d.elements += n
	return nil
}

// elements reads an accessor of the wanted type: the elements of its buffer view, or zeros, then the
// replacements of its sparse part.
func elements[T any](d *decoder, index int, want gltf.AccessorType, parse func(e []byte) T) ([]T, error) {
	a, err := at(d.doc.Accessors, index, "accessor")
	if err != nil {
		return nil, err
	}
	fault := func(err error) ([]T, error) { return nil, fmt.Errorf("accessor %d: %w", index, err) }
	size := want.Components() * componentSize(a.ComponentType)
	switch {
	case a.Type != want:
		return fault(fmt.Errorf("type %v; want %v", a.Type, want))
	case a.Count < 0:
		return fault(fmt.Errorf("count of %d", a.Count))
	}
	if err := d.spend(a.Count); err != nil {
		return fault(err)
	}
	var out []T
	if a.BufferView == nil {
		if a.Count > maxZeros {
			return fault(fmt.Errorf("%d elements without bytes", a.Count))
		}
		out = make([]T, a.Count)
		zero := parse(make([]byte, size))
		for i := range out {
			out[i] = zero
		}
	} else {
		s, err := d.span(*a.BufferView, a.ByteOffset, a.Count, size)
		if err != nil {
			return fault(err)
		}
		out = make([]T, a.Count)
		for i := range out {
			out[i] = parse(s.data[i*s.stride:][:size])
		}
	}
	if a.Sparse != nil {
		if err := replaceSparse(d, a, size, out, parse); err != nil {
			return fault(fmt.Errorf("sparse: %w", err))
		}
	}
	return out, nil
}

// replaceSparse puts the elements of the sparse part of an accessor into out.
func replaceSparse[T any](d *decoder, a *gltf.Accessor, size int, out []T, parse func(e []byte) T) error {
	sp := a.Sparse
	if sp.Count < 0 || sp.Count > a.Count {
		return fmt.Errorf("%d of %d elements", sp.Count, a.Count)
	}
	kind := sp.Indices.ComponentType
	if !isIndex(kind) {
		return fmt.Errorf("indices of component type %v", kind)
	}
	indices, err := d.span(sp.Indices.BufferView, sp.Indices.ByteOffset, sp.Count, componentSize(kind))
	if err != nil {
		return err
	}
	values, err := d.span(sp.Values.BufferView, sp.Values.ByteOffset, sp.Count, size)
	if err != nil {
		return err
	}
	for k := range sp.Count {
		i := component(indices.data[k*indices.stride:], kind, false)
		if i >= float64(a.Count) {
			return fmt.Errorf("element %.0f of %d", i, a.Count)
		}
		out[int(i)] = parse(values.data[k*values.stride:][:size])
	}
	return nil
}

// isIndex reports whether indices may have component type c.
func isIndex(c gltf.ComponentType) bool {
	return c == gltf.ComponentUbyte || c == gltf.ComponentUshort || c == gltf.ComponentUint
}

// positions returns the elements of a position accessor. Each is decoded once.
func (d *decoder) positions(index int) ([]geom.Vec, error) {
	if v, ok := d.decoded[index]; ok {
		return v, nil
	}
	a, err := at(d.doc.Accessors, index, "accessor")
	if err != nil {
		return nil, err
	}
	kind, size := a.ComponentType, componentSize(a.ComponentType)
	parse := func(e []byte) geom.Vec {
		return geom.Vec{
			X: component(e, kind, a.Normalized),
			Y: component(e[size:], kind, a.Normalized),
			Z: component(e[2*size:], kind, a.Normalized),
		}
	}
	switch kind {
	case gltf.ComponentUint:
		return nil, fmt.Errorf("accessor %d: positions of component type %v", index, kind)
	case gltf.ComponentFloat: // nearly always: worth its own loop
		parse = func(e []byte) geom.Vec {
			return geom.Vec{
				X: float64(math.Float32frombits(binary.LittleEndian.Uint32(e))),
				Y: float64(math.Float32frombits(binary.LittleEndian.Uint32(e[4:]))),
				Z: float64(math.Float32frombits(binary.LittleEndian.Uint32(e[8:]))),
			}
		}
	}
	out, err := elements(d, index, gltf.AccessorVec3, parse)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		if !v.IsFinite() {
			return nil, fmt.Errorf("accessor %d: element %d at %v is not finite", index, i, v)
		}
	}
	d.decoded[index] = out
	return out, nil
}

// indices returns the elements of an index accessor.
func (d *decoder) indices(index int) ([]uint32, error) {
	a, err := at(d.doc.Accessors, index, "accessor")
	if err != nil {
		return nil, err
	}
	var parse func(e []byte) uint32
	switch a.ComponentType {
	case gltf.ComponentUbyte:
		parse = func(e []byte) uint32 { return uint32(e[0]) }
	case gltf.ComponentUshort:
		parse = func(e []byte) uint32 { return uint32(binary.LittleEndian.Uint16(e)) }
	case gltf.ComponentUint:
		parse = binary.LittleEndian.Uint32
	default:
		return nil, fmt.Errorf("accessor %d: indices of component type %v", index, a.ComponentType)
	}
	return elements(d, index, gltf.AccessorScalar, parse)
}

// vectors returns the elements of an instancing attribute; of a VEC3 the fourth component is zero.
func (d *decoder) vectors(index int, want gltf.AccessorType) ([][4]float64, error) {
	a, err := at(d.doc.Accessors, index, "accessor")
	if err != nil {
		return nil, err
	}
	size := componentSize(a.ComponentType)
	return elements(d, index, want, func(e []byte) (v [4]float64) {
		for k := range want.Components() {
			v[k] = component(e[k*size:], a.ComponentType, a.Normalized)
		}
		return v
	})
}

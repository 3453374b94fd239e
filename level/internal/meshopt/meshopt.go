// Package meshopt unpacks buffers of the glTF extension EXT_meshopt_compression.
//
// Source: Khronos Group, glTF 2.0 vendor extension EXT_meshopt_compression, appendix A (bitstream) and B (filters).
//
// Idea: elements are stored as differences of neighbouring elements, byte by byte in groups of sixteen, with two, four or eight
// bits for a difference. Triangles refer to edges and vertices of the triangles before.
//
// Input: any bytes. The caller bounds count × stride, since a run of zeros takes next to no bytes.
//
// Guarantees:
//  1. Buffers of the format's own encoder come back byte for byte: TestUnpack.
//  2. Any other bytes are an error or a result of the stated size: FuzzUnpack.
//
// Degenerate cases: no elements; a last block of fewer elements than a group.
//
// Cost: O(count × stride).
//
// Departures: none. Version 1 of the attribute stream, which belongs to KHR_meshopt_compression, is refused by name.
package meshopt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

var errShort = errors.New("the data ends early")

// Attributes unpacks count elements of stride bytes: mode ATTRIBUTES. The stride is a multiple of 4, up to 256.
func Attributes(data []byte, count, stride int) ([]byte, error) {
	const head = 0xa0
	switch {
	case stride < 4 || stride > 256 || stride%4 != 0:
		return nil, fmt.Errorf("stride of %d bytes; want a multiple of 4 up to 256", stride)
	case len(data) > 0 && data[0] == head+1:
		return nil, errors.New("version 1 of the attribute stream is not read; pack with version 0")
	case len(data) < 1+max(32, stride) || data[0] != head:
		return nil, errShort
	}
	last := append([]byte(nil), data[len(data)-stride:]...) // the element before the first
	data = data[1 : len(data)-max(32, stride)]
	out := make([]byte, count*stride)
	block := min(8192/stride&^15, 256)
	var values [256]byte
	for begin := 0; begin < count; begin += block {
		n := min(block, count-begin)
		groups := (n + 15) / 16
		for k := range stride {
			heads := (groups + 3) / 4
			if len(data) < heads {
				return nil, errShort
			}
			modes := data[:heads]
			data = data[heads:]
			for g := range groups {
				used, err := group(data, modes[g/4]>>(g%4*2)&3, values[16*g:][:16])
				if err != nil {
					return nil, err
				}
				data = data[used:]
			}
			before := last[k]
			for i := range n {
				v := values[i]
				before += -(v & 1) ^ v>>1
				out[(begin+i)*stride+k] = before
			}
			last[k] = before
		}
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%d bytes are left", len(data))
	}
	return out, nil
}

// group reads sixteen differences, and returns the number of bytes.
func group(data []byte, mode byte, out []byte) (used int, err error) {
	switch mode {
	case 0:
		clear(out)
		return 0, nil
	case 3:
		if len(data) < 16 {
			return 0, errShort
		}
		copy(out, data)
		return 16, nil
	}
	bits := int(2 * mode)
	used = 2 * bits
	if len(data) < used {
		return 0, errShort
	}
	most := byte(1)<<bits - 1
	for i := range out {
		v := data[i*bits/8] >> (8 - bits - i*bits%8) & most
		if v == most { // the difference follows as a byte
			if used >= len(data) {
				return 0, errShort
			}
			v = data[used]
			used++
		}
		out[i] = v
	}
	return used, nil
}

// indexReader reads the variable parts of index streams.
type indexReader struct {
	data []byte
	last uint32
}

func (r *indexReader) byte() (byte, error) {
	if len(r.data) == 0 {
		return 0, errShort
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b, nil
}

// varint reads a number of seven bits a byte, the lowest first.
func (r *indexReader) varint() (uint32, error) {
	v := uint32(0)
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.byte()
		if err != nil {
			return 0, err
		}
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v, nil
		}
	}
	return 0, errors.New("an index of more than 5 bytes")
}

// index reads a difference to the last index.
func (r *indexReader) index() (uint32, error) {
	v, err := r.varint()
	r.last += v>>1 ^ -(v & 1)
	return r.last, err
}

// Indices unpacks count indices of size 2 or 4: mode INDICES.
func Indices(data []byte, count, size int) ([]byte, error) {
	if len(data) < 1+count+4 || data[0] != 0xd1 {
		return nil, errShort
	}
	put, err := putter(count, size)
	if err != nil {
		return nil, err
	}
	r := indexReader{data: data[1 : len(data)-4]}
	var last [2]uint32
	for range count {
		v, err := r.varint()
		if err != nil {
			return nil, err
		}
		base := v & 1
		v >>= 1
		last[base] += v>>1 ^ -(v & 1)
		put.add(last[base])
	}
	if len(r.data) > 0 {
		return nil, fmt.Errorf("%d bytes are left", len(r.data))
	}
	return put.out, nil
}

// indexWriter writes indices of 2 or 4 bytes.
type indexWriter struct {
	out  []byte
	size int
}

func putter(count, size int) (*indexWriter, error) {
	if size != 2 && size != 4 {
		return nil, fmt.Errorf("indices of %d bytes; want 2 or 4", size)
	}
	return &indexWriter{make([]byte, 0, count*size), size}, nil
}

func (w *indexWriter) add(v uint32) {
	if w.size == 2 {
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(v))
		return
	}
	w.out = binary.LittleEndian.AppendUint32(w.out, v)
}

// Triangles unpacks count indices of size 2 or 4, three a triangle: mode TRIANGLES.
func Triangles(data []byte, count, size int) ([]byte, error) {
	const tail = 16
	switch {
	case count%3 != 0:
		return nil, fmt.Errorf("%d indices are no triangles", count)
	case len(data) < 1+count/3+tail || data[0] != 0xe1:
		return nil, errShort
	}
	put, err := putter(count, size)
	if err != nil {
		return nil, err
	}
	codes, table := data[1:][:count/3], data[len(data)-tail:]
	t := triangles{indexReader: indexReader{data: data[1+count/3 : len(data)-tail]}}
	for _, code := range codes {
		a, b, c, err := t.triangle(code, table)
		if err != nil {
			return nil, err
		}
		put.add(a)
		put.add(b)
		put.add(c)
	}
	if len(t.data) > 0 {
		return nil, fmt.Errorf("%d bytes are left", len(t.data))
	}
	return put.out, nil
}

// triangles holds the last edges and vertices, sixteen each, and the next new vertex.
type triangles struct {
	indexReader
	edges    [16][2]uint32
	vertices [16]uint32
	e, v     int
	next     uint32
}

func (t *triangles) edge(a, b uint32) {
	t.edges[t.e&15] = [2]uint32{a, b}
	t.e++
}

func (t *triangles) vertex(a uint32) {
	t.vertices[t.v&15] = a
	t.v++
}

func (t *triangles) fresh() uint32 {
	t.next++
	return t.next - 1
}

// triangle reads a triangle by its code.
func (t *triangles) triangle(code byte, table []byte) (a, b, c uint32, err error) {
	if code < 0xf0 {
		edge := t.edges[(t.e-1-int(code>>4))&15]
		a, b = edge[0], edge[1]
		switch low := code & 15; {
		case low == 0:
			c = t.fresh()
			t.vertex(c)
		case low < 13:
			c = t.vertices[(t.v-1-int(low))&15]
		case low == 15:
			if c, err = t.index(); err != nil {
				return 0, 0, 0, err
			}
			t.vertex(c)
		default: // one less or one more than the last
			t.last += uint32(low)*2 - 27
			c = t.last
			t.vertex(c)
		}
		t.edge(c, b)
		t.edge(a, c)
		return a, b, c, nil
	}
	aux := byte(0)
	first := code == 0xff
	if code < 0xfe {
		aux = table[code&15]
	} else {
		if aux, err = t.byte(); err != nil {
			return 0, 0, 0, err
		}
		if aux == 0 {
			t.next = 0
		}
	}
	if !first {
		a = t.fresh()
	}
	nibbles := [2]byte{aux >> 4, aux & 15}
	var rest [2]uint32
	for i, n := range nibbles {
		switch {
		case n == 0:
			rest[i] = t.fresh()
		case n < 15 || code < 0xfe:
			rest[i] = t.vertices[(t.v-int(n))&15]
		}
	}
	if first {
		if a, err = t.index(); err != nil {
			return 0, 0, 0, err
		}
	}
	for i, n := range nibbles {
		if n == 15 && code >= 0xfe {
			if rest[i], err = t.index(); err != nil {
				return 0, 0, 0, err
			}
		}
	}
	b, c = rest[0], rest[1]
	t.vertex(a)
	for i, n := range nibbles {
		if n == 0 || n == 15 && code >= 0xfe {
			t.vertex(rest[i])
		}
	}
	t.edge(b, a)
	t.edge(c, b)
	t.edge(a, c)
	return a, b, c, nil
}

// Filter undoes a filter in place: NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL, of elements of stride bytes.
func Filter(data []byte, stride int, filter string) error {
	switch {
	case filter == "" || filter == "NONE":
	case filter == "EXPONENTIAL" && stride%4 == 0:
		for i := 0; i+4 <= len(data); i += 4 {
			v := binary.LittleEndian.Uint32(data[i:])
			f := math.Ldexp(float64(int32(v<<8)>>8), int(int8(v>>24)))
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(float32(f)))
		}
	case filter == "OCTAHEDRAL" && stride == 4:
		for i := 0; i+4 <= len(data); i += 4 {
			v := octahedral(float64(int8(data[i])), float64(int8(data[i+1])), float64(int8(data[i+2])), math.MaxInt8)
			for k := range 3 {
				data[i+k] = byte(int8(v[k]))
			}
		}
	case filter == "OCTAHEDRAL" && stride == 8:
		short := func(i int) float64 { return float64(int16(binary.LittleEndian.Uint16(data[i:]))) }
		for i := 0; i+8 <= len(data); i += 8 {
			v := octahedral(short(i), short(i+2), short(i+4), math.MaxInt16)
			for k := range 3 {
				binary.LittleEndian.PutUint16(data[i+2*k:], uint16(int16(v[k])))
			}
		}
	case filter == "QUATERNION" && stride == 8:
		for i := 0; i+8 <= len(data); i += 8 {
			quaternion(data[i:][:8])
		}
	default:
		return fmt.Errorf("filter %.20q for elements of %d bytes", filter, stride)
	}
	return nil
}

// octahedral returns a unit vector of its octahedral coordinates x and y, where one is the value of 1, scaled to full.
func octahedral(x, y, one, full float64) [3]float64 {
	z := one - math.Abs(x) - math.Abs(y)
	fold := min(z, 0)
	x += float64(math.Copysign(1, x) * fold)
	y += float64(math.Copysign(1, y) * fold)
	length := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if length == 0 {
		return [3]float64{}
	}
	scale := full / length
	return [3]float64{round(x * scale), round(y * scale), round(z * scale)}
}

func round(v float64) float64 { return math.Trunc(v + math.Copysign(0.5, v)) }

// quaternion restores the largest of four components, whose number is in the lowest bits of the last.
func quaternion(data []byte) {
	short := func(i int) int16 { return int16(binary.LittleEndian.Uint16(data[2*i:])) }
	last := short(3)
	scale := math.Sqrt2 / 2 / float64(last|3)
	var v [4]float64
	sum := 1.0
	largest := int(last & 3)
	for k := range 3 {
		c := float64(short(k)) * scale
		sum -= float64(c * c)
		v[(largest+1+k)%4] = c
	}
	v[largest] = math.Sqrt(max(sum, 0))
	for k, c := range v {
		binary.LittleEndian.PutUint16(data[2*k:], uint16(int16(round(max(-1, min(1, c))*math.MaxInt16))))
	}
}

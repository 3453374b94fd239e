// Package draco decodes triangles from Draco's compressed meshes, bitstream version 2.2, as in glTF's
// KHR_draco_mesh_compression: positions and corners. Other attributes are left out.
package draco

import (
	"fmt"
	"math"
	"slices"
)

// Source: Draco Bitstream Specification, version 2.2, Google 2017; J. Rossignac, "Edgebreaker: Connectivity Compression for Triangle
// Meshes", IEEE TVCG 5(1), 1999.
//
// Idea: the connectivity is a sequence of symbols, from which the mesh grows triangle by triangle (edgebreaker.go). A walk over the mesh
// gives the order of positions (walk.go). Each position is the correction of a prediction from earlier ones (predict.go).
// Entropy coding is asymmetric numeral systems (ans.go).
//
// Input: bytes from anywhere, with a limit on triangles.
//
// Guarantees:
//  1. Positions and corners are those of Google's decoder (TestAgainstGoogle).
//  2. Bytes that are cut short or wrong are an error; time and memory follow the limit (TestDamage, TestHuge, FuzzDecode).
//
// Degenerate cases: corners keep the order of the file, but corners at a seam of another attribute share one position.
//
// Cost: O(n) time and memory for n triangles.
//
// Departures: attributes without use for the floor are skipped without being decoded.

// Mesh is the geometry of a file.
type Mesh struct {
	Positions [][3]float64
	Triangles [][3]uint32
}

// Types of attributes, their encodings and predictions.
const (
	position = 0

	encodingGeneric   = 0
	encodingInteger   = 1
	encodingQuantized = 2
	encodingNormal    = 3

	predictNone             = -2
	predictDifference       = 0
	predictParallelogram    = 1
	predictMulti            = 2
	predictConstrainedMulti = 4
	predictTexture          = 5
	predictNormal           = 6

	transformWrap   = 1
	transformOcta   = 2
	transformOctaCa = 3
)

// attribute is the description of an attribute.
type attribute struct {
	kind, data, components uint8
	id                     uint64
	encoding               uint8
	values                 []int32      // as integers, or nil
	raw                    [][3]float64 // of a generic attribute
	low                    [3]float32
	extent                 float32
	bits                   uint8
}

// mostValues is how many numbers of attributes are decoded for each triangle of the limit.
const mostValues = 32

// decoder is an unfinished mesh.
type decoder struct {
	source
	most int // triangles
	room int // values that may still be decoded
	*corners
	points    int         // of a mesh without corner table
	triangles [][3]uint32 // of a mesh without corner table
}

// Decode decodes a mesh of at most limit triangles. id is the number of the attribute with positions, -1 for the first attribute of this
// type. Time and memory O(len(data)+limit).
func Decode(data []byte, id, limit int) (m *Mesh, err error) {
	d := &decoder{source: source{data: data}, most: limit, room: mostValues * limit}
	defer func() {
		if err != nil {
			m, err = nil, fmt.Errorf("draco: %w", err)
		}
	}()
	method, err := d.head()
	if err != nil {
		return nil, err
	}
	if method == 0 {
		err = d.sequential()
	} else {
		err = d.edgebreaker()
	}
	if err != nil {
		return nil, err
	}
	return d.attributes(id)
}

// head reads the header and skips metadata. It returns the method of connectivity.
func (d *decoder) head() (method uint8, err error) {
	if name := d.take(5); string(name) != "DRACO" {
		return 0, fmt.Errorf("starts with %q", name)
	}
	major, minor, kind, method := d.u8(), d.u8(), d.u8(), d.u8()
	low, high := d.u8(), d.u8()
	switch {
	case d.err != nil:
		return 0, d.err
	case major != 2 || minor != 2:
		return 0, fmt.Errorf("version %d.%d, only 2.2 is read", major, minor)
	case kind != 1:
		return 0, fmt.Errorf("geometry of type %d, only triangles (1) are read", kind)
	case method > 1:
		return 0, fmt.Errorf("method %d, must be sequential (0) or edgebreaker (1)", method)
	}
	if (uint(high)<<8|uint(low))&0x8000 != 0 {
		for range d.varint() {
			if d.varint(); d.err != nil {
				return 0, d.err
			}
			if err := d.metadata(); err != nil {
				return 0, err
			}
		}
		return method, d.metadata()
	}
	return method, nil
}

// metadata skips an element with all elements inside.
func (d *decoder) metadata() error {
	for left := uint64(1); left > 0; left-- {
		for range d.varint() {
			d.take(uint64(d.u8()))
			d.take(d.varint())
			if d.err != nil {
				return d.err
			}
		}
		inside := d.varint()
		if inside > uint64(len(d.data)) {
			return errEnd
		}
		// The elements follow each other, each with its name.
		left += inside
		if left > 1 {
			d.take(uint64(d.u8()))
		}
		if d.err != nil {
			return d.err
		}
	}
	return nil
}

// sequential reads triangles whose corners are listed.
func (d *decoder) sequential() error {
	faces, points := d.varint(), d.varint()
	if faces > uint64(d.most) || points > 3*uint64(d.most) {
		return fmt.Errorf("%d triangles of %d points, more than %d triangles", faces, points, d.most)
	}
	method := d.u8()
	var list []uint32
	switch method {
	case 0:
		symbols, err := d.symbols(int(3*faces), 1)
		if err != nil {
			return err
		}
		last := uint32(0)
		for _, s := range symbols {
			// The lowest bit is the sign.
			if s&1 != 0 {
				last -= s >> 1
			} else {
				last += s >> 1
			}
			list = append(list, last)
		}
	case 1:
		for range 3 * faces {
			v := uint64(0)
			switch {
			case points < 1<<8:
				v = uint64(d.u8())
			case points < 1<<16:
				low := uint64(d.u8())
				v = low | uint64(d.u8())<<8
			case points < 1<<21:
				v = d.varint()
			default:
				v = uint64(d.u32())
			}
			if d.err != nil {
				return d.err
			}
			list = append(list, uint32(min(v, math.MaxUint32)))
		}
	default:
		return fmt.Errorf("corners of method %d", method)
	}
	for i, v := range list {
		if uint64(v) >= points {
			return fmt.Errorf("corner %d is point %d of %d", i, v, points)
		}
	}
	d.points = int(points)
	for t := range slices.Chunk(list, 3) {
		d.triangles = append(d.triangles, [3]uint32(t))
	}
	return d.err
}

// group is a set of attributes with a common order of values.
type group struct {
	connectivity int8 // -1 for that of positions, else the number of an attribute with seams
	perCorner    bool
	byDegree     bool // the order of the walk
	attributes   []attribute
}

// attributes decodes the positions and returns the mesh.
func (d *decoder) attributes(id int) (*Mesh, error) {
	groups := make([]group, d.u8())
	for i := range groups {
		g := &groups[i]
		g.connectivity = -1
		if d.corners == nil {
			continue
		}
		g.connectivity = int8(d.u8())
		g.perCorner = d.u8() == 1
		method := d.u8()
		if method > 1 {
			return nil, fmt.Errorf("a walk of method %d", method)
		}
		g.byDegree = method == 1
		if int(g.connectivity) >= len(d.seams) {
			return nil, fmt.Errorf("attributes with the seams %d of %d", g.connectivity, len(d.seams))
		}
	}
	for i := range groups {
		if err := d.descriptions(&groups[i]); err != nil {
			return nil, err
		}
	}
	for i := range groups {
		g := &groups[i]
		var order []int32 // of each value, a corner
		count := d.points
		if d.corners != nil {
			if g.perCorner && g.connectivity >= 0 {
				count = d.countFans(d.seams[g.connectivity])
			} else {
				order = d.walk(g.byDegree)
				count = len(order)
			}
		}
		if err := d.values(g, order, count); err != nil {
			return nil, err
		}
		for k := range g.attributes {
			a := &g.attributes[k]
			if a.kind != position || id >= 0 && a.id != uint64(id) {
				continue
			}
			if a.components != 3 || d.corners != nil && order == nil {
				return nil, fmt.Errorf("positions of %d components", a.components)
			}
			return d.finish(a, order)
		}
	}
	return nil, fmt.Errorf("no positions among the attributes")
}

// descriptions reads the types of the attributes of a group.
func (d *decoder) descriptions(g *group) error {
	count := d.varint()
	if count > uint64(len(d.data)) {
		return errEnd
	}
	for range count {
		a := attribute{kind: d.u8(), data: d.u8(), components: d.u8()}
		d.u8() // normalized
		a.id = d.varint()
		if sizeOf(a.data) == 0 || a.components == 0 {
			return fmt.Errorf("an attribute of %d components of type %d", a.components, a.data)
		}
		g.attributes = append(g.attributes, a)
	}
	for i := range g.attributes {
		g.attributes[i].encoding = d.u8()
	}
	return d.err
}

// sizeOf returns the bytes of a number of a type, 0 for an unknown type.
func sizeOf(data uint8) int {
	sizes := [...]int{0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1}
	if int(data) >= len(sizes) {
		return 0
	}
	return sizes[data]
}

// values reads the values of the attributes of a group.
func (d *decoder) values(g *group, order []int32, count int) error {
	for i := range g.attributes {
		a := &g.attributes[i]
		var err error
		switch a.encoding {
		case encodingGeneric:
			err = d.generic(a, count)
		case encodingInteger, encodingQuantized:
			err = d.integers(a, order, count, int(a.components))
		case encodingNormal:
			err = d.integers(a, order, count, 2)
		default:
			err = fmt.Errorf("an attribute of encoding %d", a.encoding)
		}
		if err != nil {
			return err
		}
	}
	for i := range g.attributes {
		a := &g.attributes[i]
		switch a.encoding {
		case encodingQuantized:
			for c := range int(a.components) {
				if v := d.f32(); c < 3 {
					a.low[c] = v
				}
			}
			a.extent, a.bits = d.f32(), d.u8()
		case encodingNormal:
			d.u8()
		}
	}
	return d.err
}

// generic reads values that are stored as they are.
func (d *decoder) generic(a *attribute, count int) error {
	size := sizeOf(a.data)
	all := d.take(uint64(count) * uint64(size) * uint64(a.components))
	if d.err != nil || a.kind != position || a.components != 3 {
		return d.err
	}
	const typeFloat32 = 9
	if a.data != typeFloat32 {
		return fmt.Errorf("positions of type %d without encoding", a.data)
	}
	s := source{data: all}
	for range count {
		a.raw = append(a.raw, [3]float64{float64(s.f32()), float64(s.f32()), float64(s.f32())})
	}
	return nil
}

// finish returns the mesh with the positions of an attribute.
func (d *decoder) finish(a *attribute, order []int32) (*Mesh, error) {
	m := &Mesh{Positions: a.raw, Triangles: d.triangles}
	switch {
	case a.encoding == encodingNormal:
		return nil, fmt.Errorf("positions with the encoding of normals")
	case a.encoding == encodingQuantized:
		if a.bits < 1 || a.bits > 31 {
			return nil, fmt.Errorf("positions of %d bits", a.bits)
		}
		step := a.extent / float32(uint32(1)<<a.bits-1)
		for v := range slices.Chunk(a.values, 3) {
			var p [3]float64
			for c := range p {
				p[c] = float64(a.low[c] + float32(float32(v[c])*step))
			}
			m.Positions = append(m.Positions, p)
		}
	case a.encoding == encodingInteger:
		for v := range slices.Chunk(a.values, 3) {
			m.Positions = append(m.Positions, [3]float64{float64(v[0]), float64(v[1]), float64(v[2])})
		}
	}
	if d.corners == nil {
		return m, nil
	}
	index := make([]uint32, d.vertices)
	for i, c := range order {
		index[d.vertex[c]] = uint32(i)
	}
	for c := 0; c < len(d.vertex); c += 3 {
		m.Triangles = append(m.Triangles, [3]uint32{index[d.vertex[c]], index[d.vertex[c+1]], index[d.vertex[c+2]]})
	}
	return m, nil
}

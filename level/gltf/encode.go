package gltf

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net/url"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Encode writes lvl as GLB: a node for each object, a primitive for each of its materials, a node for
// each marker.
//
// glTF holds positions as float32. They are written relative to the middle of the level, rounded to whole
// metres, so multiples of 2⁻¹² m come back exactly up to 2 km from the middle; elsewhere coordinates are
// rounded to 24 bits.
func Encode(w io.Writer, lvl *level.Level) error {
	if err := input.Encodable(w, lvl); err != nil {
		return fmt.Errorf("gltf: %w", err)
	}
	e := encoder{lvl: lvl, doc: gltf.NewDocument(), remap: make([]uint32, len(lvl.Vertices)), stamp: make([]uint32, len(lvl.Vertices))}
	e.doc.Asset.Generator = "meadow"
	e.doc.Scenes[0].Name = lvl.Name
	box := lvl.Bounds()
	for _, m := range lvl.Markers {
		for _, v := range m.Hull {
			box = box.Extend(v)
		}
	}
	center := box.Min.Scale(0.5).Add(box.Max.Scale(0.5))
	e.origin = geom.Vec{X: math.Round(center.X), Y: math.Round(center.Y), Z: math.Round(center.Z)}
	if err := e.document(); err != nil {
		return fmt.Errorf("gltf: %w", err)
	}
	if uint64(len(e.data)) > math.MaxUint32-1<<24 {
		return fmt.Errorf("gltf: %d bytes of geometry are too many for a GLB file", len(e.data))
	}
	e.doc.Buffers = []*gltf.Buffer{{ByteLength: len(e.data), Data: e.data}}
	// The library drops some errors of the writer; bufio keeps the first until Flush.
	b := bufio.NewWriterSize(w, 1<<16)
	if err := gltf.NewEncoder(b).Encode(e.doc); err != nil {
		return fmt.Errorf("gltf: %w", err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("gltf: %w", err)
	}
	return nil
}

// encoder fills the document and the binary chunk.
type encoder struct {
	lvl    *level.Level
	doc    *gltf.Document
	data   []byte
	origin geom.Vec // where the positions are counted from

	remap, stamp []uint32 // of the vertices, in the round of one object
	round        uint32
}

func (e *encoder) document() error {
	e.materials()
	next := 0
	for _, o := range e.lvl.Objects {
		if o.First < next || o.Count < 0 || o.Count > len(e.lvl.Triangles)-o.First {
			return fmt.Errorf("object %q spans triangles %d to %d of %d, after %d", o.Name, o.First, o.First+o.Count, len(e.lvl.Triangles), next)
		}
		if err := e.object("", next, o.First); err != nil {
			return err
		}
		next = o.First + o.Count
		if err := e.object(o.Name, o.First, next); err != nil {
			return err
		}
	}
	if err := e.object("", next, len(e.lvl.Triangles)); err != nil {
		return err
	}
	for _, m := range e.lvl.Markers {
		if err := e.marker(m); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) materials() {
	for _, m := range e.lvl.Materials {
		c := m.Color
		out := &gltf.Material{
			Name:        m.Name,
			DoubleSided: m.DoubleSided,
			PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
				BaseColorFactor: &[4]float64{float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])},
				MetallicFactor:  gltf.Float(0),
			},
		}
		if c[3] < 1 {
			out.AlphaMode = gltf.AlphaBlend
		}
		if m.Texture != "" {
			out.PBRMetallicRoughness.BaseColorTexture = &gltf.TextureInfo{Index: len(e.doc.Textures)}
			e.doc.Textures = append(e.doc.Textures, &gltf.Texture{Source: gltf.Index(len(e.doc.Images))})
			e.doc.Images = append(e.doc.Images, &gltf.Image{URI: escapePath(m.Texture)})
		}
		e.doc.Materials = append(e.doc.Materials, out)
	}
}

// escapePath makes a relative URI of a file name.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(p), ":", "%3A") // a colon would end a scheme
	}
	return strings.Join(parts, "/")
}

// object writes the triangles from first to end-1 as one node, if there are any.
func (e *encoder) object(name string, first, end int) error {
	if first == end {
		return nil
	}
	e.round++
	var positions []geom.Vec
	var order []int32 // materials by their first triangle
	byMaterial := make(map[int32][]uint32)
	for _, t := range e.lvl.Triangles[first:end] {
		corners, ok := byMaterial[t.Material]
		if !ok {
			order = append(order, t.Material)
		}
		for _, v := range [3]uint32{t.A, t.B, t.C} {
			if e.stamp[v] != e.round {
				e.stamp[v] = e.round
				e.remap[v] = uint32(len(positions))
				positions = append(positions, e.lvl.Vertices[v])
			}
			corners = append(corners, e.remap[v])
		}
		byMaterial[t.Material] = corners
	}
	accessor, err := e.positions(positions)
	if err != nil {
		return err
	}
	mesh := &gltf.Mesh{Name: name}
	for _, m := range order {
		p := &gltf.Primitive{
			Attributes: gltf.PrimitiveAttributes{gltf.POSITION: accessor},
			Indices:    gltf.Index(e.indices(byMaterial[m])),
		}
		if m != level.NoMaterial {
			p.Material = gltf.Index(int(m))
		}
		mesh.Primitives = append(mesh.Primitives, p)
	}
	e.node(name, mesh)
	return nil
}

// marker writes a marker as a node with a fan over the corners of its hull.
func (e *encoder) marker(m level.Marker) error {
	if len(m.Hull) == 0 {
		return nil
	}
	accessor, err := e.positions(m.Hull)
	if err != nil {
		return err
	}
	last := uint32(len(m.Hull) - 1)
	fan := []uint32{0, min(1, last), min(2, last)}
	for i := uint32(3); i <= last; i++ {
		fan = append(fan, 0, i-1, i)
	}
	e.node(input.MarkerName(m), &gltf.Mesh{Primitives: []*gltf.Primitive{{
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: accessor},
		Indices:    gltf.Index(e.indices(fan)),
	}}})
	return nil
}

func (e *encoder) node(name string, mesh *gltf.Mesh) {
	scene := e.doc.Scenes[0]
	scene.Nodes = append(scene.Nodes, len(e.doc.Nodes))
	o := e.origin
	e.doc.Nodes = append(e.doc.Nodes, &gltf.Node{Name: name, Mesh: gltf.Index(len(e.doc.Meshes)), Translation: [3]float64{o.X, o.Y, o.Z}})
	e.doc.Meshes = append(e.doc.Meshes, mesh)
}

// view makes a buffer view of everything that was written since start.
func (e *encoder) view(start int, target gltf.Target) *int {
	e.doc.BufferViews = append(e.doc.BufferViews, &gltf.BufferView{ByteOffset: start, ByteLength: len(e.data) - start, Target: target})
	return gltf.Index(len(e.doc.BufferViews) - 1)
}

// positions writes points as float32, with the bounds that the specification asks for.
func (e *encoder) positions(points []geom.Vec) (accessor int, err error) {
	start := len(e.data)
	var low, high [3]float32
	for i, v := range points {
		v = v.Sub(e.origin)
		for k, x := range [3]float64{v.X, v.Y, v.Z} {
			f := float32(x)
			if math.IsInf(float64(f), 0) {
				return 0, fmt.Errorf("vertex %v is too far from the middle of the level for the format", points[i])
			}
			if i == 0 {
				low[k], high[k] = f, f
			}
			low[k], high[k] = min(low[k], f), max(high[k], f)
			e.data = binary.LittleEndian.AppendUint32(e.data, math.Float32bits(f))
		}
	}
	bound := func(b [3]float32) []float64 { return []float64{float64(b[0]), float64(b[1]), float64(b[2])} }
	e.doc.Accessors = append(e.doc.Accessors, &gltf.Accessor{
		BufferView: e.view(start, gltf.TargetArrayBuffer), ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3,
		Count: len(points), Min: bound(low), Max: bound(high),
	})
	return len(e.doc.Accessors) - 1, nil
}

// indices writes indices as uint32.
func (e *encoder) indices(corners []uint32) (accessor int) {
	start := len(e.data)
	for _, v := range corners {
		e.data = binary.LittleEndian.AppendUint32(e.data, v)
	}
	e.doc.Accessors = append(e.doc.Accessors, &gltf.Accessor{
		BufferView: e.view(start, gltf.TargetElementArrayBuffer), ComponentType: gltf.ComponentUint, Type: gltf.AccessorScalar,
		Count: len(corners),
	})
	return len(e.doc.Accessors) - 1
}

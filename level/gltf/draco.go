package gltf

import (
	"encoding/json"
	"fmt"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/internal/draco"
)

const dracoExtension = "KHR_draco_mesh_compression"

// draco reads the positions and the triangles of a primitive from compressed data, which replaces its accessors. The vertices have a
// number of their own among the accessors, below zero.
func (d *decoder) draco(prim *primitive, p *gltf.Primitive, raw json.RawMessage) (ok bool, err error) {
	fault := func(err error) (bool, error) { return false, fmt.Errorf("%s: %w", dracoExtension, err) }
	ext := struct {
		BufferView int
		Attributes map[string]int
	}{BufferView: -1}
	if err := json.Unmarshal(raw, &ext); err != nil {
		return fault(kindError(err))
	}
	id, ok := ext.Attributes[gltf.POSITION]
	if !ok || id < 0 {
		return fault(fmt.Errorf("no %s", gltf.POSITION))
	}
	view, err := at(d.doc.BufferViews, ext.BufferView, "buffer view")
	if err != nil {
		return fault(err)
	}
	s, err := d.span(ext.BufferView, 0, view.ByteLength, 1)
	if err != nil {
		return fault(err)
	}
	prim.colors, prim.mode = -1, gltf.PrimitiveTriangles
	key := [2]int{ext.BufferView, id}
	mesh, known := d.dracos[key]
	if !known {
		m, err := draco.Decode(s.data, id, max(0, min(d.limit, (maxElements*d.limit-d.elements)/3)))
		if err != nil {
			return fault(err)
		}
		// The data replaces positions and three indices of each triangle.
		if err := d.spend(len(m.Positions) + 3*len(m.Triangles)); err != nil {
			return fault(err)
		}
		mesh = dracoMesh{accessor: -2 - len(d.dracos)}
		vertices := make([]geom.Vec, len(m.Positions))
		for i, v := range m.Positions {
			vertices[i] = geom.Vec{X: v[0], Y: v[1], Z: v[2]}
			if !vertices[i].IsFinite() {
				return fault(fmt.Errorf("position %d at %v is not finite", i, vertices[i]))
			}
		}
		if a := d.doc.Accessors[prim.positions]; a.Normalized {
			scale(vertices, a.ComponentType)
		}
		for _, t := range m.Triangles {
			mesh.corners = append(mesh.corners, t[:]...)
		}
		d.decoded[mesh.accessor], d.dracos[key] = vertices, mesh
	}
	prim.positions, prim.corners = mesh.accessor, mesh.corners
	if _, colored := p.Attributes[gltf.COLOR_0]; colored {
		d.warnings.Addf("gltf: %s in %s is left out", gltf.COLOR_0, dracoExtension)
	}
	return true, nil
}

// dracoMesh is decoded data: the number of its vertices among the accessors, and its corners.
type dracoMesh struct {
	accessor int
	corners  []uint32
}

// scale divides integers by the greatest number of their type.
func scale(vertices []geom.Vec, c gltf.ComponentType) {
	full := map[gltf.ComponentType]float64{gltf.ComponentByte: 127, gltf.ComponentUbyte: 255, gltf.ComponentShort: 32767, gltf.ComponentUshort: 65535}[c]
	if full == 0 {
		return
	}
	for i, v := range vertices {
		vertices[i] = geom.Vec{X: max(v.X/full, -1), Y: max(v.Y/full, -1), Z: max(v.Z/full, -1)}
	}
}

package gltf

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// mesh is a glTF mesh in its own space: every node with the mesh adds it to the level.
type mesh struct {
	vertices  []geom.Vec
	colors    [][4]float32 // of the vertices, nil where none has one
	triangles []level.Triangle
}

// primitive is a set of triangles with one position accessor.
type primitive struct {
	positions int // accessor
	colors    int // accessor, -1 for none
	corners   []uint32
	mode      gltf.PrimitiveMode
	material  int32
}

// mesh returns a mesh by its index, compiled once for any number of nodes.
func (d *decoder) mesh(index int) (*mesh, error) {
	if m, ok := d.compiled[index]; ok {
		return m, nil
	}
	source, err := at(d.doc.Meshes, index, "mesh")
	if err != nil {
		return nil, err
	}
	// Primitives often share one position accessor and differ in material only: compiled together, they share
	// their vertices.
	var groups [][]primitive
	group := make(map[[2]int]int) // by accessors
	for k, p := range source.Primitives {
		if p == nil {
			return nil, fmt.Errorf("mesh %d, primitive %d is null", index, k)
		}
		prim, ok, err := d.primitive(p)
		if err != nil {
			return nil, fmt.Errorf("mesh %d, primitive %d: %w", index, k, err)
		}
		if !ok {
			d.warnings.Addf("gltf: mesh %d, primitive %d: %v have no surface", index, k, p.Mode)
			continue
		}
		accessors := [2]int{prim.positions, prim.colors}
		g, known := group[accessors]
		if !known {
			g = len(groups)
			group[accessors] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], prim)
	}
	m := &mesh{}
	for _, g := range groups {
		if err := d.compile(m, g); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", index, err)
		}
	}
	d.compiled[index] = m
	return m, nil
}

// primitive reads the indices of p. ok is false for points and lines.
func (d *decoder) primitive(p *gltf.Primitive) (prim primitive, ok bool, err error) {
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		return prim, false, nil
	}
	prim.mode, prim.material = p.Mode, level.NoMaterial
	if p.Material != nil {
		if *p.Material < 0 || *p.Material >= len(d.lvl.Materials) {
			return prim, false, fmt.Errorf("material %d of %d", *p.Material, len(d.lvl.Materials))
		}
		prim.material = int32(*p.Material)
	}
	if prim.positions, ok = p.Attributes[gltf.POSITION]; !ok {
		return prim, false, fmt.Errorf("no %s", gltf.POSITION)
	}
	a, err := at(d.doc.Accessors, prim.positions, "accessor")
	if err != nil {
		return prim, false, err
	}
	if raw, ok := p.Extensions[dracoExtension].(json.RawMessage); ok && a.BufferView == nil {
		ok, err := d.draco(&prim, p, raw)
		return prim, ok, err
	}
	vertices, err := d.positions(prim.positions)
	if err != nil {
		return prim, false, err
	}
	prim.colors = d.colorsOf(p, len(vertices))
	if p.Indices == nil {
		prim.corners = make([]uint32, len(vertices))
		for i := range prim.corners {
			prim.corners[i] = uint32(i)
		}
		return prim, true, nil
	}
	if prim.corners, err = d.indices(*p.Indices); err != nil {
		return prim, false, err
	}
	for i, v := range prim.corners {
		if uint64(v) >= uint64(len(vertices)) {
			return prim, false, fmt.Errorf("index %d: vertex %d of %d", i, v, len(vertices))
		}
	}
	return prim, true, nil
}

// colorsOf reads the colours of the vertices of a primitive, COLOR_0, and returns their accessor; -1 if there are
// none. Invalid colours are a warning: they cannot harm the geometry.
func (d *decoder) colorsOf(p *gltf.Primitive, vertices int) int {
	index, ok := p.Attributes[gltf.COLOR_0]
	if !ok {
		return -1
	}
	colors, known := d.colors[index]
	if !known {
		want := gltf.AccessorVec4
		if a, err := at(d.doc.Accessors, index, "accessor"); err == nil && a.Type == gltf.AccessorVec3 {
			want = gltf.AccessorVec3
		}
		// Colours are counted apart: they must not use up the geometry's share.
		d.elements, d.colored = d.colored, d.elements
		values, err := d.vectors(index, want)
		d.elements, d.colored = d.colored, d.elements
		if err != nil {
			d.warnings.Addf("gltf: %s: %v", gltf.COLOR_0, err)
		}
		for _, v := range values {
			c := level.White
			for k := range want.Components() {
				c[k] = float32(max(0, min(1, v[k])))
			}
			colors = append(colors, c)
		}
		d.colors[index] = colors
	}
	switch {
	case colors == nil:
		return -1
	case len(colors) != vertices:
		d.warnings.Addf("gltf: %s: %d colours for %d vertices; colours left out", gltf.COLOR_0, len(colors), vertices)
		return -1
	}
	return index
}

// compile adds to m a group of primitives with one position accessor, with only the used vertices, in the
// order of the file.
func (d *decoder) compile(m *mesh, group []primitive) error {
	vertices := d.decoded[group[0].positions]
	if len(d.stamp) < len(vertices) {
		d.stamp = make([]uint32, len(vertices))
		d.remap = make([]uint32, len(vertices))
		d.round = 0
	}
	d.round++
	used, corners := 0, 0
	for _, p := range group {
		corners += len(p.corners)
		for _, v := range p.corners {
			if d.stamp[v] != d.round {
				d.stamp[v] = d.round
				used++
			}
		}
	}
	m.vertices = slices.Grow(m.vertices, used)
	colors := d.colors[group[0].colors]
	if colors != nil {
		m.colors = level.PadColors(m.colors, len(m.vertices))
	}
	d.inFileOrder(group, len(vertices), used, func(v uint32) {
		d.remap[v] = uint32(len(m.vertices))
		m.vertices = append(m.vertices, vertices[v])
		if colors != nil {
			m.colors = append(m.colors, colors[v])
		}
	})
	if m.colors != nil {
		m.colors = level.PadColors(m.colors, len(m.vertices))
	}
	m.triangles = slices.Grow(m.triangles, corners/3)
	for _, p := range group {
		if err := d.triangles(m, p); err != nil {
			return err
		}
	}
	return nil
}

// inFileOrder calls visit for every vertex with the stamp of this round. Few used vertices among many are
// sorted instead of searched for: many small meshes may share one large accessor.
func (d *decoder) inFileOrder(group []primitive, all, used int, visit func(v uint32)) {
	if used >= all/16 {
		for v := range uint32(all) {
			if d.stamp[v] == d.round {
				visit(v)
			}
		}
		return
	}
	var list []uint32
	for _, p := range group {
		list = append(list, p.corners...)
	}
	slices.Sort(list)
	for _, v := range slices.Compact(list) {
		visit(v)
	}
}

// triangles adds the triangles of a primitive, whose corners are remapped.
func (d *decoder) triangles(m *mesh, p primitive) error {
	add := func(a, b, c uint32) {
		m.triangles = append(m.triangles, level.Triangle{A: d.remap[a], B: d.remap[b], C: d.remap[c], Material: p.material})
	}
	v := p.corners
	n := len(v)
	count := n - 2 // of a strip or a fan
	if p.mode == gltf.PrimitiveTriangles {
		count = n / 3
	}
	if count > d.limit-len(m.triangles) {
		return fmt.Errorf("more than %d triangles", d.limit)
	}
	switch p.mode {
	case gltf.PrimitiveTriangles:
		if n%3 != 0 {
			d.warnings.Addf("gltf: %d indices are not a whole number of triangles; the last %d left out", n, n%3)
		}
		for i := 0; i+2 < n; i += 3 {
			add(v[i], v[i+1], v[i+2])
		}
	case gltf.PrimitiveTriangleStrip:
		for i := range max(0, n-2) {
			add(v[i], v[i+1+i%2], v[i+2-i%2])
		}
	case gltf.PrimitiveTriangleFan:
		for i := 1; i+1 < n; i++ {
			add(v[i], v[i+1], v[0])
		}
	}
	return nil
}

package gltf

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

const (
	// maxDepth is how deep nodes may be nested.
	maxDepth = 1000
	// maxVisits bounds the walk over the nodes. The specification wants a tree; where a node has
	// several parents it is shown several times, and a short file can ask for very many.
	maxVisits = 1 << 20
)

// markerInHand gathers the corners of a marker node and of all nodes below it.
type markerInHand struct {
	kind, name string
	hull       input.Hull
	made       bool // instances of it are in the level already
}

// scene walks the default scene; without a default all scenes; without scenes all nodes that have no parent.
func (d *decoder) scene() error {
	roots, err := d.roots()
	if err != nil {
		return err
	}
	for _, root := range roots {
		if err := d.node(root, geom.Identity(), 0); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) roots() ([]int, error) {
	if d.doc.Scene != nil {
		s, err := at(d.doc.Scenes, *d.doc.Scene, "scene")
		if err != nil {
			return nil, err
		}
		return s.Nodes, nil
	}
	var roots []int
	seen := make(map[int]bool)
	for i := range d.doc.Scenes {
		s, err := at(d.doc.Scenes, i, "scene")
		if err != nil {
			return nil, err
		}
		for _, n := range s.Nodes {
			if !seen[n] {
				seen[n] = true
				roots = append(roots, n)
			}
		}
	}
	if len(d.doc.Scenes) > 0 {
		return roots, nil
	}
	for _, n := range d.doc.Nodes {
		if n != nil {
			for _, child := range n.Children {
				seen[child] = true
			}
		}
	}
	for i := range d.doc.Nodes {
		if !seen[i] {
			roots = append(roots, i)
		}
	}
	return roots, nil
}

// node adds a node's mesh and its children, under the transform of its parent.
func (d *decoder) node(index int, parent geom.Affine, depth int) error {
	n, err := at(d.doc.Nodes, index, "node")
	if err != nil {
		return err
	}
	d.visits++
	switch {
	case d.onPath[index]:
		return fmt.Errorf("node %d is its own ancestor", index)
	case depth >= maxDepth:
		return fmt.Errorf("node %d is nested deeper than %d nodes", index, maxDepth)
	case d.visits > maxVisits:
		return fmt.Errorf("node %d: more than %d nodes when shared ones are repeated", index, maxVisits)
	}
	d.onPath[index] = true
	defer func() { d.onPath[index] = false }()

	local, err := localTransform(n)
	if err != nil {
		return fmt.Errorf("node %d: %w", index, err)
	}
	world := parent.Mul(local)
	if kind, name, ok := markerOf(n); ok && d.marker == nil {
		d.marker = &markerInHand{kind: kind, name: name}
		defer d.closeMarker(index)
	}
	if n.Mesh != nil {
		if err := d.show(n, index, world); err != nil {
			return fmt.Errorf("node %d: %w", index, err)
		}
	}
	if err := d.collider(n, index, world); err != nil {
		return fmt.Errorf("node %d: %w", index, err)
	}
	for _, child := range n.Children {
		if err := d.node(child, world, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// markerOf reports whether a node is a marker by its name or its extras.
func markerOf(n *gltf.Node) (kind, name string, ok bool) {
	if kind, name, ok = input.ParseMarker(n.Name); ok {
		return kind, name, true
	}
	extras, _ := n.Extras.(map[string]any)
	kind, ok = extras["meadow_marker"].(string)
	return kind, n.Name, ok
}

// closeMarker ends the marker in hand.
func (d *decoder) closeMarker(node int) {
	m := d.marker
	d.marker = nil
	switch {
	case len(m.hull.Points) > 0:
		d.lvl.Markers = append(d.lvl.Markers, level.Marker{Name: m.name, Kind: m.kind, Hull: m.hull.Points})
	case !m.made:
		d.warnings.Addf("gltf: node %d: marker %q has no triangle", node, m.name)
	}
}

// localTransform returns the matrix of a node, given directly or by translation, rotation and scale.
func localTransform(n *gltf.Node) (geom.Affine, error) {
	if n.Matrix != gltf.DefaultMatrix {
		m := n.Matrix // by columns; a short list ends in zeros
		if last := [4]float64{m[3], m[7], m[11], m[15]}; last != [4]float64{3: 1} {
			return geom.Affine{}, fmt.Errorf("the last row of the matrix is %v; want [0 0 0 1]", last)
		}
		return geom.Affine{
			M: [3][3]float64{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}},
			T: geom.Vec{X: m[12], Y: m[13], Z: m[14]},
		}, nil
	}
	return compose(n.Translation, n.Rotation, n.Scale)
}

// compose returns the map that scales, rotates and then translates. The quaternion (x, y, z, w) need not have
// length 1; files often have few digits.
func compose(t [3]float64, q [4]float64, s [3]float64) (geom.Affine, error) {
	x, y, z, w := q[0], q[1], q[2], q[3]
	norm2 := float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w)
	if !(norm2 > 0) || norm2-norm2 != 0 {
		return geom.Affine{}, fmt.Errorf("rotation %v is not a quaternion", q)
	}
	// twice returns 2ab/|q|².
	twice := func(a, b float64) float64 { return 2 * float64(a*b) / norm2 }
	m := [3][3]float64{
		{1 - (twice(y, y) + twice(z, z)), twice(x, y) - twice(w, z), twice(x, z) + twice(w, y)},
		{twice(x, y) + twice(w, z), 1 - (twice(x, x) + twice(z, z)), twice(y, z) - twice(w, x)},
		{twice(x, z) - twice(w, y), twice(y, z) + twice(w, x), 1 - (twice(x, x) + twice(y, y))},
	}
	for i := range m {
		for j := range m[i] {
			m[i][j] *= s[j]
		}
	}
	return geom.Affine{M: m, T: geom.Vec{X: t[0], Y: t[1], Z: t[2]}}, nil
}

// show adds the mesh of a node, once or as often as it is instanced.
func (d *decoder) show(n *gltf.Node, index int, world geom.Affine) error {
	m, err := d.mesh(*n.Mesh)
	if err != nil {
		return err
	}
	if n.Skin != nil {
		d.warnings.Addf("gltf: node %d: its skin is not applied", index)
	}
	places, err := d.instances(n)
	if err != nil {
		return err
	}
	first := len(d.lvl.Triangles)
	if places == nil {
		err = d.place(m, world)
	}
	for _, p := range places {
		if err = d.place(m, world.Mul(p)); err != nil {
			break
		}
		if d.marker != nil && len(d.marker.hull.Points) > 0 {
			// Every instance is a marker of its own: a single hull around all would be wrong.
			d.lvl.Markers = append(d.lvl.Markers, level.Marker{Name: d.marker.name, Kind: d.marker.kind, Hull: d.marker.hull.Points})
			d.marker.hull, d.marker.made = input.Hull{}, true
		}
	}
	if err != nil {
		return err
	}
	if count := len(d.lvl.Triangles) - first; count > 0 {
		name := n.Name
		if name == "" {
			name = d.doc.Meshes[*n.Mesh].Name
		}
		if name == "" {
			name = fmt.Sprintf("node %d", index)
		}
		d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: name, First: first, Count: count})
	}
	return nil
}

// instances returns where EXT_mesh_gpu_instancing repeats a node, nil where it does not.
func (d *decoder) instances(n *gltf.Node) ([]geom.Affine, error) {
	const extension = "EXT_mesh_gpu_instancing"
	raw, ok := n.Extensions[extension].(json.RawMessage)
	if !ok {
		return nil, nil
	}
	var ext struct{ Attributes map[string]int }
	if err := json.Unmarshal(raw, &ext); err != nil {
		return nil, fmt.Errorf("%s: %w", extension, kindError(err))
	}
	count := -1
	attribute := func(name string, want gltf.AccessorType) ([][4]float64, error) {
		accessor, ok := ext.Attributes[name]
		if !ok {
			return nil, nil
		}
		v, err := d.vectors(accessor, want)
		if err == nil && count >= 0 && len(v) != count {
			err = fmt.Errorf("%d values for %d instances", len(v), count)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", extension, name, err)
		}
		count = len(v)
		return v, nil
	}
	translations, err := attribute("TRANSLATION", gltf.AccessorVec3)
	if err != nil {
		return nil, err
	}
	rotations, err := attribute("ROTATION", gltf.AccessorVec4)
	if err != nil {
		return nil, err
	}
	scales, err := attribute("SCALE", gltf.AccessorVec3)
	if err != nil || count < 0 {
		return nil, err
	}
	places := make([]geom.Affine, count)
	for i := range places {
		t, q, s := [3]float64{}, gltf.DefaultRotation, gltf.DefaultScale
		if translations != nil {
			t = [3]float64(translations[i][:3])
		}
		if rotations != nil {
			q = rotations[i]
		}
		if scales != nil {
			s = [3]float64(scales[i][:3])
		}
		if places[i], err = compose(t, q, s); err != nil {
			return nil, fmt.Errorf("%s: instance %d: %w", extension, i, err)
		}
	}
	return places, nil
}

// place adds a mesh to the level, or to the present marker. A mirroring transform turns triangles over, so
// their corners are exchanged to keep the author's front.
func (d *decoder) place(m *mesh, world geom.Affine) error {
	if d.marker != nil {
		if err := d.spend(len(m.vertices)); err != nil {
			return err
		}
		for _, v := range m.vertices {
			w := world.Apply(v)
			if !w.IsFinite() {
				return fmt.Errorf("vertex %v is moved to %v", v, w)
			}
			d.marker.hull.Add(w)
		}
		return nil
	}
	lvl := d.lvl
	if len(m.triangles) > d.limit-len(lvl.Triangles) || len(m.vertices) > 3*d.limit-len(lvl.Vertices) {
		return fmt.Errorf("more than %d triangles or three times as many vertices", d.limit)
	}
	base := uint32(len(lvl.Vertices))
	if m.colors != nil || lvl.Colors != nil {
		lvl.Colors = level.PadColors(append(level.PadColors(lvl.Colors, len(lvl.Vertices)), m.colors...), len(lvl.Vertices)+len(m.vertices))
	}
	lvl.Vertices = slices.Grow(lvl.Vertices, len(m.vertices))
	for _, v := range m.vertices {
		w := world.Apply(v)
		if !w.IsFinite() {
			return fmt.Errorf("vertex %v is moved to %v", v, w)
		}
		lvl.Vertices = append(lvl.Vertices, w)
	}
	lvl.Triangles = slices.Grow(lvl.Triangles, len(m.triangles))
	mirrored := world.Det() < 0
	for _, t := range m.triangles {
		if mirrored {
			t.B, t.C = t.C, t.B
		}
		t.A, t.B, t.C = t.A+base, t.B+base, t.C+base
		lvl.Triangles = append(lvl.Triangles, t)
	}
	return nil
}

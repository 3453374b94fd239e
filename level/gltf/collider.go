package gltf

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// physicsShape is a shape of OMI_physics_shape. Lengths are in metres; a capsule's height is the distance between the middles of
// its ends.
type physicsShape struct {
	Type string
	Box  struct{ Size [3]float64 }
	// The other shapes have the fields that they need.
	Sphere, Capsule, Cylinder struct{ Radius, RadiusTop, RadiusBottom, Height float64 }
	Convex, Trimesh           struct{ Mesh int }
}

// shapes reads the table of shapes.
func (d *decoder) shapes() error {
	raw, ok := d.doc.Extensions["OMI_physics_shape"].(json.RawMessage)
	if !ok {
		return nil
	}
	var table struct{ Shapes []json.RawMessage }
	if err := json.Unmarshal(raw, &table); err != nil {
		return fmt.Errorf("OMI_physics_shape: %w", kindError(err))
	}
	for i, text := range table.Shapes {
		var s physicsShape
		s.Box.Size = [3]float64{1, 1, 1}
		s.Sphere.Radius, s.Capsule.Height, s.Cylinder.Height = 0.5, 2, 2
		s.Capsule.Radius, s.Cylinder.Radius = -1, -1
		s.Capsule.RadiusTop, s.Capsule.RadiusBottom, s.Cylinder.RadiusTop, s.Cylinder.RadiusBottom = 0.5, 0.5, 0.5, 0.5
		s.Convex.Mesh, s.Trimesh.Mesh = -1, -1
		if err := json.Unmarshal(text, &s); err != nil {
			return fmt.Errorf("OMI_physics_shape: shape %d: %w", i, kindError(err))
		}
		d.physics = append(d.physics, s)
	}
	return nil
}

// collider adds the collider of a node, if the node has one: a body that nobody walks through.
func (d *decoder) collider(n *gltf.Node, index int, world geom.Affine) error {
	raw, ok := n.Extensions["OMI_physics_body"].(json.RawMessage)
	if !ok || d.marker != nil {
		return nil
	}
	var body struct{ Collider *struct{ Shape *int } }
	if err := json.Unmarshal(raw, &body); err != nil {
		return fmt.Errorf("OMI_physics_body: %w", kindError(err))
	}
	if body.Collider == nil || body.Collider.Shape == nil {
		return nil
	}
	i := *body.Collider.Shape
	if i < 0 || i >= len(d.physics) {
		return fmt.Errorf("OMI_physics_body: shape %d of %d", i, len(d.physics))
	}
	m, err := d.solid(&d.physics[i])
	if err != nil {
		return fmt.Errorf("OMI_physics_shape: shape %d: %w", i, err)
	}
	if m == nil {
		d.warnings.Addf("gltf: node %d: a collider of type %.20q is left out", index, d.physics[i].Type)
		return nil
	}
	first := len(d.lvl.Triangles)
	if err := d.place(m, world); err != nil {
		return err
	}
	if count := len(d.lvl.Triangles) - first; count > 0 {
		d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: fmt.Sprintf("collider of node %d", index), First: first, Count: count})
	}
	return nil
}

// colliderSides is how many sides round colliders have. Their corners are outside of the round body, so that no side is
// inside.
const colliderSides = 16

// solid returns the surface of a shape, nil for an unknown type.
func (d *decoder) solid(s *physicsShape) (*mesh, error) {
	ends := func(radius, top, bottom float64) (float64, float64) {
		if radius >= 0 {
			return radius, radius
		}
		return top, bottom
	}
	var rings [][2]float64 // radius and height, from below
	switch s.Type {
	case "box":
		x, y, z := s.Box.Size[0]/2, s.Box.Size[1]/2, s.Box.Size[2]/2
		return lathe(4, [][2]float64{{1, -y}, {1, y}}, func(k int) (float64, float64) {
			return [4]float64{x, x, -x, -x}[k], [4]float64{z, -z, -z, z}[k]
		})
	case "trimesh", "convex":
		i := s.Trimesh.Mesh
		if s.Type == "convex" {
			i = s.Convex.Mesh
		}
		return d.mesh(i)
	case "cylinder":
		top, bottom := ends(s.Cylinder.Radius, s.Cylinder.RadiusTop, s.Cylinder.RadiusBottom)
		rings = [][2]float64{{bottom, -s.Cylinder.Height / 2}, {top, s.Cylinder.Height / 2}}
	case "sphere", "capsule":
		top, bottom, half := s.Sphere.Radius, s.Sphere.Radius, 0.0
		if s.Type == "capsule" {
			top, bottom = ends(s.Capsule.Radius, s.Capsule.RadiusTop, s.Capsule.RadiusBottom)
			half = s.Capsule.Height / 2
		}
		for _, degrees := range []float64{-90, -67.5, -45, -22.5, 0, 0, 22.5, 45, 67.5, 90} {
			r, middle := bottom, -half
			if len(rings) > 4 {
				r, middle = top, half
			}
			sin, cos := geom.SincosDegrees(degrees)
			rings = append(rings, [2]float64{float64(r * cos), middle + float64(r*sin)})
		}
	default:
		return nil, nil
	}
	_, widest := geom.SincosDegrees(180. / colliderSides)
	return lathe(colliderSides, rings, func(k int) (float64, float64) {
		sin, cos := geom.SincosDegrees(360. / colliderSides * float64(k))
		return cos / widest, -sin / widest
	})
}

// lathe returns the closed surface of rings around the y axis: at gives the x and z of corner k of a ring of radius 1,
// counter-clockwise seen from above.
func lathe(sides int, rings [][2]float64, at func(k int) (x, z float64)) (*mesh, error) {
	m := &mesh{}
	for _, r := range rings {
		if !(r[0] >= 0) || math.IsInf(r[0], 0) || r[1]-r[1] != 0 {
			return nil, fmt.Errorf("a radius of %g at a height of %g", r[0], r[1])
		}
		for k := range sides {
			x, z := at(k)
			v := geom.Vec{X: float64(x * r[0]), Y: r[1], Z: float64(z * r[0])}
			if !v.IsFinite() {
				return nil, fmt.Errorf("a corner at %v", v)
			}
			m.vertices = append(m.vertices, v)
		}
	}
	add := func(a, b, c int) {
		m.triangles = append(m.triangles, level.Triangle{A: uint32(a), B: uint32(b), C: uint32(c), Material: level.NoMaterial})
	}
	last := (len(rings) - 1) * sides
	for k := range sides {
		next := (k + 1) % sides
		for r := 0; r < last; r += sides {
			add(r+k, r+next, r+sides+next)
			add(r+k, r+sides+next, r+sides+k)
		}
		if k > 0 && k < sides-1 {
			add(0, k+1, k)
			add(last, last+k, last+k+1)
		}
	}
	// Rings of no radius leave triangles without area.
	m.triangles = slices.DeleteFunc(m.triangles, func(t level.Triangle) bool {
		a, b, c := m.vertices[t.A], m.vertices[t.B], m.vertices[t.C]
		return a == b || b == c || c == a
	})
	return m, nil
}

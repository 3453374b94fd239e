// Package level is the model of input geometry: triangles with their materials, objects, and marker volumes.
// A Level is plain data; meshio fills it from files, a program may fill it directly.
package level

import (
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/geom"
)

// Level is a triangle soup. It may have any defects: triangles may overlap, interpenetrate, repeat, or leave
// gaps. Instances are expanded: every triangle is in world space.
type Level struct {
	Name     string
	Vertices []geom.Vec // metres, Y up
	// Colors are the colours of the vertices, linear RGBA from 0 to 1; nil when the source has none.
	Colors    [][4]float32
	Triangles []Triangle
	Materials []Material // indexed by Triangle.Material
	Objects   []Object   // in order of First; together they cover no triangle twice
	Markers   []Marker
	// Solids are the convex solids behind the triangles, if the source has any. They may overlap, and triangles
	// without a solid may exist.
	Solids []Solid
	// Ground gives the kinds of ground; nil means plain ground everywhere.
	Ground *Ground
	// Warnings lists omitted and repaired elements, one line each, with the place.
	Warnings []string
}

// NoMaterial marks a triangle without material.
const NoMaterial = -1

// Triangle is three indices into Vertices, counter-clockwise seen from its front.
type Triangle struct {
	A, B, C  uint32
	Material int32 // index into Materials, or NoMaterial
}

// Material is the material of a surface, with the author's names.
type Material struct {
	Name    string
	Texture string     // file name or image name of the base colour, empty when there is none
	Color   [4]float32 // linear base colour RGBA, 0 to 1
	// DoubleSided says that the author wants the back of the triangles to be seen as well. The level holds such
	// triangles once, with their given front.
	DoubleSided bool
}

// Object is a named span of triangles: an OBJ group, a glTF node.
type Object struct {
	Name         string
	First, Count int // span of Triangles
}

// Marker is a convex volume with a meaning: a door, a ladder, an area to treat apart.
type Marker struct {
	Name string
	Kind string     // free text such as "door"; empty if the author gave none
	Hull []geom.Vec // distinct points; the volume is their convex hull
}

// Solid is a bounded convex solid: the points behind all its planes. Every plane has a face.
type Solid struct {
	Planes []Plane
}

// Plane is the points p with Normal·p = Offset; points with a smaller product are behind it.
type Plane struct {
	Normal   geom.Vec // of length 1
	Offset   float64  // metres
	Material int32    // of the face, index into Materials, or NoMaterial
}

// Bounds returns the box around all vertices that a triangle uses, without triangles of unknown vertices.
func (l *Level) Bounds() geom.Box {
	b := geom.EmptyBox()
	if l == nil {
		return b
	}
	n := uint32(len(l.Vertices))
	for _, t := range l.Triangles {
		if t.A >= n || t.B >= n || t.C >= n {
			continue
		}
		b = b.Extend(l.Vertices[t.A]).Extend(l.Vertices[t.B]).Extend(l.Vertices[t.C])
	}
	return b
}

// Validate returns the first fault that makes the level unusable: no triangle at all, an index outside its
// table, a used vertex or a plane that is not finite, a Ground that does not fit. The error has the element
// and its place. Degenerate and duplicate triangles are not faults.
func (l *Level) Validate() error {
	if l == nil {
		return errors.New("the level is nil")
	}
	if len(l.Triangles) == 0 {
		return fmt.Errorf("level %q has no triangles", l.Name)
	}
	if l.Colors != nil && len(l.Colors) != len(l.Vertices) {
		return fmt.Errorf("level %q: %d colours of %d vertices", l.Name, len(l.Colors), len(l.Vertices))
	}
	n := uint32(len(l.Vertices))
	for i, t := range l.Triangles {
		for _, v := range [3]uint32{t.A, t.B, t.C} {
			if v >= n {
				return fmt.Errorf("level %q: triangle %d: vertex %d of %d", l.Name, i, v, n)
			}
			if !l.Vertices[v].IsFinite() {
				return fmt.Errorf("level %q: triangle %d: vertex %d at %v is not finite", l.Name, i, v, l.Vertices[v])
			}
		}
		if t.Material < NoMaterial || int(t.Material) >= len(l.Materials) {
			return fmt.Errorf("level %q: triangle %d: material %d of %d; NoMaterial is %d", l.Name, i, t.Material, len(l.Materials), NoMaterial)
		}
	}
	for i, s := range l.Solids {
		for k, p := range s.Planes {
			if !p.Normal.IsFinite() || p.Offset-p.Offset != 0 {
				return fmt.Errorf("level %q: solid %d: plane %d of normal %v and offset %g is not finite", l.Name, i, k, p.Normal, p.Offset)
			}
			if p.Material < NoMaterial || int(p.Material) >= len(l.Materials) {
				return fmt.Errorf("level %q: solid %d: plane %d: material %d of %d", l.Name, i, k, p.Material, len(l.Materials))
			}
		}
	}
	if l.Ground != nil {
		if err := l.Ground.validate(l); err != nil {
			return fmt.Errorf("level %q: %w", l.Name, err)
		}
	}
	return nil
}

package world

import (
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// Solid is the shape and place of a thing: a value of type [Box], [Cylinder], [Prism] or [TriangleMesh], no pointer. All
// coordinates are in metres in the space of the level, Y up. A world rounds them to the lattice of its base, to 0.24 mm.
type Solid interface{ solid() }

// Box is a box on its base. Yaw turns the box around the upward axis, in radians, counter-clockwise from above.
type Box struct {
	Base geom.Vec // middle of the bottom
	Size geom.Vec // lengths along X, Y (up) and Z before the turn; above 0
	Yaw  float64
}

// Cylinder is an upright cylinder.
type Cylinder struct {
	Base           geom.Vec // middle of the bottom
	Radius, Height float64  // above 0
}

// Prism is an upright prism over any simple outline, convex or not, of either direction. The heights of the outline's
// points do not count. The outline has 3 to 65,536 points, and its edges neither cross nor touch. Bottom is below Top.
type Prism struct {
	Outline     []geom.Vec
	Bottom, Top float64
}

// TriangleMesh is a solid of triangles: Vertices, turned by Yaw around the upward axis in radians, counter-clockwise from
// above, and moved by At. A closed mesh is solid inside: every edge has as many triangles on one side as on the other. An
// open mesh blocks where its triangles are, and is no solid for a modifier. Triangles may face either way, repeat or have no
// area. A mesh has at most 1,048,576 triangles and as many vertices. On uneven floor an agent counts as up to a 16th of a metre
// higher beside a mesh, and climbs that much less; more on floor whose heights under the mesh differ by more than 8 m.
type TriangleMesh struct {
	Vertices  []geom.Vec
	Triangles [][3]int32
	At        geom.Vec
	Yaw       float64
}

func (Box) solid()          {}
func (Cylinder) solid()     {}
func (Prism) solid()        {}
func (TriangleMesh) solid() {}

// shapeOf returns a solid on the lattice of a frame. An error names the solid's type and the field.
func shapeOf(solid Solid, frame lattice.Frame) (footprint.Shape, error) {
	switch s := solid.(type) {
	case Box:
		return footprint.NewBox(frame, s.Base, s.Size, s.Yaw)
	case Cylinder:
		return footprint.NewCylinder(frame, s.Base, s.Radius, s.Height)
	case Prism:
		return footprint.NewPrism(frame, s.Outline, s.Bottom, s.Top)
	case TriangleMesh:
		return footprint.NewMesh(frame, s.Vertices, s.Triangles, s.At, s.Yaw)
	case nil:
		return footprint.Shape{}, errors.New("solid is nil")
	}
	return footprint.Shape{}, fmt.Errorf("solid is a %T, must be a Box, Cylinder, Prism or TriangleMesh", solid)
}

// copyOf returns a solid that shares no memory with the caller's.
func copyOf(solid Solid) Solid {
	switch s := solid.(type) {
	case Prism:
		s.Outline = slices.Clone(s.Outline)
		return s
	case TriangleMesh:
		s.Vertices, s.Triangles = slices.Clone(s.Vertices), slices.Clone(s.Triangles)
		return s
	}
	return solid
}

package world

import "github.com/meadow-nav/meadow/geom"

// Solid is the shape and place of a thing: [Box], [Cylinder], [Prism] or [TriangleMesh]. All coordinates are in metres in
// the space of the level, Y up.
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
// points do not count.
type Prism struct {
	Outline     []geom.Vec
	Bottom, Top float64
}

// TriangleMesh is a solid of triangles: Vertices, turned by Yaw around the upward axis and moved by At. A closed mesh
// is solid inside; an open mesh blocks where its triangles are.
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

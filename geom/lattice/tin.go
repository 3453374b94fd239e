package lattice

// Vertex is a point with a height, all in lattice units of one frame.
type Vertex struct {
	Point
	Z int32
}

// TIN is a height surface: a set of triangles over the plane. Triangles may overlap where floors
// interpenetrate; the height at a point is the height of the highest triangle there. The zero TIN has no
// height anywhere.
type TIN struct {
	Vertices  []Vertex
	Triangles [][3]uint32 // counter-clockwise indices into Vertices, each of positive plan area
	// Error bounds the vertical distance between this surface and the original floor, in lattice units, away
	// from steps.
	Error int32
}

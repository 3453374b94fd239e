package geom

// Affine is the map v -> M·v + T. M is row-major; the zero Affine maps everything to the origin,
// [Identity] changes nothing.
type Affine struct {
	M [3][3]float64
	T Vec
}

// Identity returns the identity map.
func Identity() Affine {
	return Affine{M: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
}

// Apply returns the image of the point v.
func (a Affine) Apply(v Vec) Vec { return a.ApplyDir(v).Add(a.T) }

// ApplyDir returns the image of the direction v, without the translation.
func (a Affine) ApplyDir(v Vec) Vec {
	return Vec{
		Vec{a.M[0][0], a.M[0][1], a.M[0][2]}.Dot(v),
		Vec{a.M[1][0], a.M[1][1], a.M[1][2]}.Dot(v),
		Vec{a.M[2][0], a.M[2][1], a.M[2][2]}.Dot(v),
	}
}

// Mul returns the map that applies b first and a second.
func (a Affine) Mul(b Affine) Affine {
	var c Affine
	for i := range 3 {
		row := Vec{a.M[i][0], a.M[i][1], a.M[i][2]}
		for j := range 3 {
			c.M[i][j] = row.Dot(Vec{b.M[0][j], b.M[1][j], b.M[2][j]})
		}
	}
	c.T = a.Apply(b.T)
	return c
}

// Det returns the determinant of the linear part: negative when a mirrors.
func (a Affine) Det() float64 {
	r0 := Vec{a.M[0][0], a.M[0][1], a.M[0][2]}
	r1 := Vec{a.M[1][0], a.M[1][1], a.M[1][2]}
	r2 := Vec{a.M[2][0], a.M[2][1], a.M[2][2]}
	return r0.Dot(r1.Cross(r2))
}

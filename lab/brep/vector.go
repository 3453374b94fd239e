package brep

import "github.com/meadow-nav/meadow/lab/internal/solid"

// Products are rounded before addition, so no target fuses them.

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// mix returns the point between a and b at t of the way.
func mix(a, b [3]float64, t float64) (m [3]float64) {
	for k := range m {
		m[k] = a[k] + float64(t*(b[k]-a[k]))
	}
	return m
}

// above returns how far a point is in front of a plane, in units.
func above(p solid.Plane, at [3]float64) float64 {
	return dot([3]float64{float64(p.N[0]), float64(p.N[1]), float64(p.N[2])}, at)/solid.NormalScale - float64(p.D)
}

package geom

import (
	"fmt"
	"math"
)

// Vec is a point or a direction in world space: metres, right-handed, Y up.
type Vec struct{ X, Y, Z float64 }

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Scale returns v times s. Products are rounded, so no target fuses them with a later addition.
func (v Vec) Scale(s float64) Vec { return Vec{float64(v.X * s), float64(v.Y * s), float64(v.Z * s)} }

// Dot returns the scalar product of v and w. Products are rounded before addition, so no target fuses them.
func (v Vec) Dot(w Vec) float64 {
	return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z)
}

// Cross returns the vector product of v and w.
func (v Vec) Cross(w Vec) Vec {
	return Vec{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Norm returns the Euclidean length of v.
func (v Vec) Norm() float64 { return math.Sqrt(v.Dot(v)) }

// Unit returns v scaled to length 1, and the zero vector for the zero vector.
func (v Vec) Unit() Vec {
	n := v.Norm()
	if n == 0 {
		return Vec{}
	}
	return v.Scale(1 / n)
}

// Distance returns the length of v - w.
func (v Vec) Distance(w Vec) float64 { return v.Sub(w).Norm() }

// Len returns the length of v: another name for [Vec.Norm].
func (v Vec) Len() float64 { return v.Norm() }

// Dist returns the distance from v to w: another name for [Vec.Distance].
func (v Vec) Dist(w Vec) float64 { return v.Distance(w) }

// DistXZ returns the distance from v to w in the ground plane, whatever their heights.
func (v Vec) DistXZ(w Vec) float64 { return Vec{X: v.X, Z: v.Z}.Distance(Vec{X: w.X, Z: w.Z}) }

// Lerp returns the point at the share t of the way from v to w: v for 0, w for 1, and points beyond for other t.
func (v Vec) Lerp(w Vec, t float64) Vec {
	lerp := func(a, b float64) float64 { return float64(a*(1-t)) + float64(b*t) }
	return Vec{lerp(v.X, w.X), lerp(v.Y, w.Y), lerp(v.Z, w.Z)}
}

// IsFinite reports whether no component of v is NaN or infinite.
func (v Vec) IsFinite() bool {
	s := v.X - v.X + v.Y - v.Y + v.Z - v.Z
	return s == 0
}

// String returns v as (x, y, z) with millimetres; coordinates beyond any level, such as a broken
// file may have, are shortened.
func (v Vec) String() string {
	if b := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)); b >= 1e12 && b <= math.MaxFloat64 {
		return fmt.Sprintf("(%g, %g, %g)", v.X, v.Y, v.Z)
	}
	return fmt.Sprintf("(%.3f, %.3f, %.3f)", v.X, v.Y, v.Z)
}

// Ground projects v to the ground plane: x stays, the second coordinate is -z.
func Ground(v Vec) (x, y float64) { return v.X, -v.Z }

// FromGround is the inverse of [Ground] at the given height. A y of 0 gives a z of 0, not of -0.
func FromGround(x, y, height float64) Vec { return Vec{x, height, 0 - y} }

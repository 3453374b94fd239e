package index

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Direction is a difference of lattice points.
type Direction struct{ X, Y int32 }

// Towards returns the direction from a to b. The result fits, as coordinates are below 2³⁰.
func Towards(a, b lattice.Point) Direction { return Direction{b.X - a.X, b.Y - a.Y} }

// Cross is positive if b is on the left of a, by less than half a turn. The result is exact: products are below 2⁶².
func Cross(a, b Direction) int64 { return int64(a.X)*int64(b.Y) - int64(a.Y)*int64(b.X) }

// Norm returns the length of d.
func (d Direction) Norm() float64 {
	x, y := float64(d.X), float64(d.Y)
	return math.Sqrt(float64(x*x) + float64(y*y))
}

// Back returns the opposite direction.
func (d Direction) Back() Direction { return Direction{-d.X, -d.Y} }

// Beside is positive if (x, y) is on the left of d, in float64.
func Beside(d Direction, x, y float64) float64 {
	return float64(float64(d.X)*y) - float64(float64(d.Y)*x)
}

// Length returns the length of the vector (x, y).
func Length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// Distance returns the distance of two lattice points in lattice units.
func Distance(a, b lattice.Point) float64 {
	dx, dy := Sub(a, b)
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Sub returns p - q.
func Sub(p, q lattice.Point) (dx, dy float64) {
	ix, iy := p.Sub(q)
	return float64(ix), float64(iy)
}

// Floats returns the coordinates of a lattice point.
func Floats(p lattice.Point) [2]float64 { return [2]float64{float64(p.X), float64(p.Y)} }

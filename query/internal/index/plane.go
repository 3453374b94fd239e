package index

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
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

// Least returns the least length, in lattice units, of a way from a place through the part of a portal between two directions, and
// on to another place.
func (p *Portal) Least(at lattice.Point, left, right Direction, to lattice.Point) float64 {
	// Relative to the first place: the right end, the portal, the other place.
	rx, ry := Sub(p.Right, at)
	ex, ey := Sub(p.Left, p.Right)
	gx, gy := Sub(to, at)
	if side := float64(ex*(gy-ry)) - float64(ey*(gx-rx)); side > 0 {
		// Both places are on the same side of the portal: mirror the other one at the portal.
		away := 2 * side / (float64(ex*ex) + float64(ey*ey))
		gx, gy = gx+float64(away*ey), gy-float64(away*ex)
	}
	// Over an end of the portal itself, no division is needed.
	if Beside(left, gx, gy) > 0 {
		if left == Towards(at, p.Left) {
			x, y := rx+ex, ry+ey
			return Length(x, y) + Length(gx-x, gy-y)
		}
		return overEnd(left, rx, ry, ex, ey, gx, gy)
	}
	if Beside(right, gx, gy) < 0 {
		if right == Towards(at, p.Right) {
			return Length(rx, ry) + Length(gx-rx, gy-ry)
		}
		return overEnd(right, rx, ry, ex, ey, gx, gy)
	}
	return Length(gx, gy)
}

// overEnd returns the length of the way from the origin to (gx, gy) over the point where the ray along d meets a
// portal. The portal runs from (rx, ry) along (ex, ey).
func overEnd(d Direction, rx, ry, ex, ey, gx, gy float64) float64 {
	t := -Beside(d, rx, ry) / Beside(d, ex, ey)
	t = floats.Part(t)
	x, y := rx+float64(t*ex), ry+float64(t*ey)
	return Length(x, y) + Length(gx-x, gy-y)
}

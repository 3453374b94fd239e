package lattice

import (
	"cmp"
	"fmt"
	"math"
)

const (
	// UnitsPerMetre is the number of lattice units in a metre, a power of two.
	UnitsPerMetre = 1 << 12
	// Unit is the length of a lattice unit in metres.
	Unit = 1.0 / UnitsPerMetre
	// MaxCoord is the largest size of a coordinate inside a frame: 2³⁰-1, about 262 km.
	MaxCoord = 1<<30 - 1
)

// SquareMetres returns an area in square metres. The argument is twice the area in square units, as from [Polygon.Area2];
// the sign stays. The result is exact for doubled areas below 2⁵³ and otherwise rounded.
func SquareMetres[T int64 | float64](area2 T) float64 { return float64(area2) * (0.5 * Unit * Unit) }

// Point is a lattice point of a frame, seen from above: X to the east, Y to the north.
// Both coordinates are within ±[MaxCoord].
type Point struct{ X, Y int32 }

// Sub returns the difference p - q. It may exceed MaxCoord, and is for int64 arithmetic only.
func (p Point) Sub(q Point) (dx, dy int64) {
	return int64(p.X) - int64(q.X), int64(p.Y) - int64(q.Y)
}

// Compare orders points by X, then by Y.
func (p Point) Compare(q Point) int {
	if c := cmp.Compare(p.X, q.X); c != 0 {
		return c
	}
	return cmp.Compare(p.Y, q.Y)
}

// Distance2 returns the squared distance of p and q, at most 2⁶³.
func (p Point) Distance2(q Point) uint64 {
	dx, dy := p.Sub(q)
	return uint64(dx*dx) + uint64(dy*dy)
}

// Distance returns the distance of p and q up to rounding, for measures and never for decisions.
func (p Point) Distance(q Point) float64 { return math.Sqrt(float64(p.Distance2(q))) }

// String returns p in metres of its frame.
func (p Point) String() string {
	return fmt.Sprintf("(%.3f, %.3f)", float64(p.X)*Unit, float64(p.Y)*Unit)
}

// Orient returns twice the signed area of the triangle a, b, c: positive for a left turn (counter-clockwise),
// negative for a right turn, zero for three points on a line.
//
// Laws, each a test:
//  1. Orient(a, b, c) == Orient(b, c, a) == Orient(c, a, b)
//  2. Orient(a, b, c) == -Orient(b, a, c)
//  3. Orient(a, b, b) == 0
//  4. Orient(a+t, b+t, c+t) == Orient(a, b, c)
//
// Differences of coordinates are below 2³¹, products below 2⁶², their difference below 2⁶³:
// the expression is exact.
func Orient(a, b, c Point) int64 {
	abx, aby := b.Sub(a)
	acx, acy := c.Sub(a)
	return abx*acy - aby*acx
}

// Dot returns the scalar product of b-a and c-a, exact like [Orient].
func Dot(a, b, c Point) int64 {
	abx, aby := b.Sub(a)
	acx, acy := c.Sub(a)
	return abx*acx + aby*acy
}

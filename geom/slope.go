package geom

import (
	"math"
	"math/big"
)

// SlopeTolerance is how much steeper than [Agent.MaxSlope] a floor may be, in radians: 0.05°. Formats and exporters
// round coordinates, so a ramp of exactly the limit is a hair steeper in the file. float32 coordinates at 250 m are
// multiples of 1.5·10⁻⁵ m. Cutting to these tilts a triangle of 5 cm by at most 2 · 1.5·10⁻⁵ / 0.05 = 0.035°.
const SlopeTolerance = 0.05 * math.Pi / 180

// SlopeLimit decides which faces are no steeper than an agent can walk. The zero value admits only level faces;
// [Agent.SlopeLimit] makes a limit with the tolerance.
//
// The decision is exact for the given coordinates. The order of the corners, the machine, and an exact translation change
// nothing.
type SlopeLimit struct{ tan float64 }

// SlopeLimit returns the limit of a's slope: MaxSlope and [SlopeTolerance].
func (a Agent) SlopeLimit() SlopeLimit { return limitAt(max(a.MaxSlope, 0) + SlopeTolerance) }

// limitAt returns the limit for an angle in radians. Angles from 89.99° on are 89.99°.
func limitAt(angle float64) SlopeLimit { return SlopeLimit{tangent(min(angle, Degrees(89.99)))} }

// tangent is the tangent of x, 0 ≤ x < π/2, by Lambert's continued fraction: x / (1 - x² / (3 - x² / (5 - …))). No two
// of its operations fuse, so the result is the same on every machine; math.Tan has no such guarantee.
func tangent(x float64) float64 {
	const terms = 15 // the last is below 10⁻²⁰ of the sum
	square := x * x
	below := float64(2*terms + 1)
	for k := terms - 1; k >= 0; k-- {
		below = float64(2*k+1) - square/below
	}
	return x / below
}

// Tangent returns the rise over the run of the steepest floor.
func (l SlopeLimit) Tangent() float64 { return l.tan }

// filterError is the relative error, doubled and more, of the few operations before a comparison: 16 roundings of 2⁻⁵³.
const filterError = 0x1p-49

// Admits reports whether the triangle a, b, c faces up and is no steeper than the limit; the triangle is
// counter-clockwise seen from its front. A triangle without area has no slope and is not admitted. Coordinates are
// finite.
func (l SlopeLimit) Admits(a, b, c Vec) bool {
	u, v := b.Sub(a), c.Sub(a)
	// A component of the normal is off by less than filterError of the two products whose difference it is.
	off := Vec{
		filterError * (math.Abs(u.Y*v.Z) + math.Abs(u.Z*v.Y)),
		filterError * (math.Abs(u.Z*v.X) + math.Abs(u.X*v.Z)),
		filterError * (math.Abs(u.X*v.Y) + math.Abs(u.Y*v.X)),
	}
	if admitted, sure := l.about(u.Cross(v), off); sure {
		return admitted
	}
	return l.exactly(cross(difference(b, a), difference(c, a)))
}

// AdmitsNormal reports whether a face with the normal n, of any length, faces up and is no steeper than the limit.
func (l SlopeLimit) AdmitsNormal(n Vec) bool {
	if admitted, sure := l.about(n, Vec{}); sure {
		return admitted
	}
	return l.exactly(rational(n))
}

// about decides for a normal whose components are known up to off. sure is false for close decisions, and where products
// could underflow or overflow.
func (l SlopeLimit) about(n, off Vec) (admitted, sure bool) {
	const tiny = 1e-60 // its square, times the least limit's, is far above the underflow of float64
	if !(n.Y-off.Y > tiny) {
		return false, n.Y+off.Y < -tiny
	}
	square := func(x float64) float64 { return x * x }
	x, z := math.Abs(n.X), math.Abs(n.Z)
	most := float64(square(x+off.X)) + float64(square(z+off.Z))
	least := float64(square(max(0, x-off.X))) + float64(square(max(0, z-off.Z)))
	switch {
	case most < square(l.tan*(n.Y-off.Y))*(1-filterError):
		return true, true
	case least > square(l.tan*(n.Y+off.Y))*(1+filterError):
		return false, true
	}
	return false, false
}

// exactly decides in rationals: ny > 0 and nx² + nz² ≤ tan² · ny².
func (l SlopeLimit) exactly(n [3]*big.Rat) bool {
	if n[1].Sign() <= 0 {
		return false
	}
	square := func(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, r) }
	steep := new(big.Rat).Mul(new(big.Rat).SetFloat64(l.tan), n[1])
	flat := square(n[0])
	return flat.Add(flat, square(n[2])).Cmp(square(steep)) <= 0
}

func rational(v Vec) [3]*big.Rat {
	return [3]*big.Rat{new(big.Rat).SetFloat64(v.X), new(big.Rat).SetFloat64(v.Y), new(big.Rat).SetFloat64(v.Z)}
}

// difference returns a - b.
func difference(a, b Vec) [3]*big.Rat {
	d, e := rational(a), rational(b)
	for k := range d {
		d[k].Sub(d[k], e[k])
	}
	return d
}

func cross(u, v [3]*big.Rat) (n [3]*big.Rat) {
	for k := range n {
		i, j := (k+1)%3, (k+2)%3
		n[k] = new(big.Rat).Mul(u[i], v[j])
		n[k].Sub(n[k], new(big.Rat).Mul(u[j], v[i]))
	}
	return n
}

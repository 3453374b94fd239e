package presence

import (
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// farthest is longer than any distance in a frame, in lattice units. Its square fits into 64 bits.
const farthest = 3 << 30

// disc is the outline of an object seen from above, in lattice units.
type disc struct {
	at     lattice.Point
	radius int64 // 0 to farthest
}

// span is a closed interval of heights, in lattice units above the frame.
type span struct{ low, high int64 }

func (s span) meets(t span) bool  { return s.low <= t.high && t.low <= s.high }
func (s span) within(t span) bool { return t.low <= s.low && s.high <= t.high }

// units rounds a length in metres to lattice units, at most farthest. The length is not negative.
func units(metres float64) int64 {
	if metres >= farthest*lattice.Unit {
		return farthest
	}
	return int64(math.Floor(float64(metres*lattice.UnitsPerMetre) + 0.5))
}

// clamp is the nearest number of an int32. Coordinates of a frame are below 2³⁰, and comparing a coordinate with a
// clamped number gives the right answer.
func clamp(n int64) int32 { return int32(min(max(n, math.MinInt32), math.MaxInt32)) }

// bounds returns the smallest box around a disc, clamped.
func (d disc) bounds() lattice.Box {
	x, y := int64(d.at.X), int64(d.at.Y)
	return lattice.Box{
		Min: lattice.Point{X: clamp(x - d.radius), Y: clamp(y - d.radius)},
		Max: lattice.Point{X: clamp(x + d.radius), Y: clamp(y + d.radius)},
	}
}

// touches reports exactly whether two discs have a common point.
func (d disc) touches(e disc) bool {
	sum := uint64(d.radius + e.radius)
	return sum >= farthest || d.at.Distance2(e.at) <= sum*sum
}

// touchesSegment reports exactly whether a disc and a segment have a common point.
func (d disc) touchesSegment(a, b lattice.Point) bool {
	if d.radius >= farthest {
		return true
	}
	square := uint64(d.radius * d.radius)
	switch along, length2 := lattice.Dot(a, b, d.at), a.Distance2(b); {
	case along <= 0:
		return d.at.Distance2(a) <= square
	case uint64(along) >= length2:
		return d.at.Distance2(b) <= square
	default:
		off := lattice.Orient(a, b, d.at)
		if off < 0 {
			off = -off
		}
		high, low := bits.Mul64(uint64(off), uint64(off))
		high2, low2 := bits.Mul64(square, length2)
		return high < high2 || high == high2 && low <= low2
	}
}

// touchesRing reports exactly whether a disc and a convex counter-clockwise polygon have a common point. A point beyond an edge
// of a convex polygon is nearest to the polygon on such an edge.
func (d disc) touchesRing(ring []lattice.Point) bool {
	inside := true
	a := ring[len(ring)-1]
	for _, b := range ring {
		if lattice.Orient(a, b, d.at) < 0 {
			inside = false
			if d.touchesSegment(a, b) {
				return true
			}
		}
		a = b
	}
	return inside
}

// inRing reports exactly whether a convex counter-clockwise polygon contains a point, border included.
func inRing(ring []lattice.Point, p lattice.Point) bool {
	a := ring[len(ring)-1]
	for _, b := range ring {
		if lattice.Orient(a, b, p) < 0 {
			return false
		}
		a = b
	}
	return true
}

// ringsTouch reports exactly whether two convex counter-clockwise polygons have a common point: no edge of either has the
// other strictly on its outer side.
func ringsTouch(a, b []lattice.Point) bool { return !parts(a, b) && !parts(b, a) }

// parts reports whether an edge of a has all of b strictly on its outer side.
func parts(a, b []lattice.Point) bool {
	last := a[len(a)-1]
	for _, p := range a {
		beyond := true
		for _, o := range b {
			if lattice.Orient(last, p, o) >= 0 {
				beyond = false
				break
			}
		}
		if beyond {
			return true
		}
		last = p
	}
	return false
}

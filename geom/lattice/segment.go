package lattice

import "math"

// OnSegment reports whether p lies on the closed segment from a to b. A segment with equal ends is a point.
func OnSegment(p, a, b Point) bool {
	return min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) &&
		min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y) &&
		Orient(a, b, p) == 0
}

// Contact tells how two closed segments meet.
type Contact uint8

// The kinds of contact.
const (
	// Disjoint segments have no point in common.
	Disjoint Contact = iota
	// ProperCrossing: a single common point, inside both segments.
	ProperCrossing
	// SharedEnd: a single common point, an end of both segments.
	SharedEnd
	// EndOnInterior: a single common point, an end of one segment and inside the other.
	EndOnInterior
	// Overlap: the segments lie on one line and share more than a point.
	Overlap
)

// String returns the contact as a word for messages.
func (c Contact) String() string {
	switch c {
	case Disjoint:
		return "disjoint"
	case ProperCrossing:
		return "proper crossing"
	case SharedEnd:
		return "shared end"
	case EndOnInterior:
		return "end on interior"
	case Overlap:
		return "overlap"
	}
	return "unknown contact"
}

// SegmentContact classifies how the closed segments ab and cd meet. A segment with equal ends is a point,
// which counts as its end.
//
// Laws, each a test:
//  1. Swapping the segments, or the ends of a segment, changes nothing.
//  2. The answer is Disjoint exactly when no rational point lies on both.
//  3. Translating both changes nothing.
func SegmentContact(a, b, c, d Point) Contact {
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Y, b.Y) < min(c.Y, d.Y) || max(c.Y, d.Y) < min(a.Y, b.Y) {
		return Disjoint
	}
	abc, abd := Orient(a, b, c), Orient(a, b, d)
	if abc > 0 && abd > 0 || abc < 0 && abd < 0 {
		return Disjoint
	}
	cda, cdb := Orient(c, d, a), Orient(c, d, b)
	if cda > 0 && cdb > 0 || cda < 0 && cdb < 0 {
		return Disjoint
	}
	shared := a == c || a == d || b == c || b == d
	switch {
	case abc != 0 && abd != 0 && cda != 0 && cdb != 0:
		return ProperCrossing
	case abc == 0 && abd == 0 && cda == 0 && cdb == 0:
		// All four points on a line, where the order of points is the order along the line.
		low := higher(lower(a, b), lower(c, d))
		high := lower(higher(a, b), higher(c, d))
		switch order := low.Compare(high); {
		case order > 0:
			return Disjoint
		case order < 0:
			return Overlap
		}
	}
	if shared {
		return SharedEnd
	}
	return EndOnInterior
}

func lower(p, q Point) Point {
	if q.Compare(p) < 0 {
		return q
	}
	return p
}

func higher(p, q Point) Point {
	if q.Compare(p) > 0 {
		return q
	}
	return p
}

// InCone reports whether the direction from v to p points into the closed angle at v between its neighbours
// prev and next, on the left of the walk prev, v, next: for a polygon, the inside. Works for convex, straight
// and reflex vertices. Where prev and next lie in the same direction the walk turns back on itself at the end
// of a wall without width, and the angle is the full turn. The answer for p == v is false.
func InCone(p, prev, v, next Point) bool {
	switch turn := Orient(prev, v, next); {
	case p == v:
		return false
	case turn > 0:
		return Orient(v, next, p) >= 0 && Orient(v, p, prev) >= 0
	case turn < 0:
		// Inside unless strictly inside the angle on the other side.
		return !(Orient(v, prev, p) > 0 && Orient(v, p, next) > 0)
	case Dot(v, prev, next) < 0:
		return Orient(v, next, p) >= 0
	}
	return true
}

// StrictlyInCone is [InCone] for the open angle: directions along v-prev and v-next are outside.
func StrictlyInCone(p, prev, v, next Point) bool {
	switch turn := Orient(prev, v, next); {
	case p == v:
		return false
	case turn > 0:
		return Orient(v, next, p) > 0 && Orient(v, p, prev) > 0
	case turn < 0:
		return !(Orient(v, prev, p) >= 0 && Orient(v, p, next) >= 0)
	case Dot(v, prev, next) < 0:
		return Orient(v, next, p) > 0
	}
	return Orient(v, next, p) != 0 || Dot(v, next, p) < 0
}

// InCircle tells where d lies to the circle through a, b and c, which are in counter-clockwise
// order: 1 inside, 0 on it, -1 outside. For clockwise points the sign is turned. For collinear ones
// it is 0 where d is on their line, and else depends on their order and on the side of d.
//
// With differences of at most s = 2³¹-2, a squared length is at most 2s² < 2⁶³ and twice the area of a
// triangle in a square of side s at most s² < 2⁶²: each of the three products is below 2¹²⁵ and their sum
// below 2¹²⁷, so 128 bits with sign are enough.
func InCircle(a, b, c, d Point) int {
	ax, ay := a.Sub(d)
	bx, by := b.Sub(d)
	cx, cy := c.Sub(d)
	a2, b2, c2 := ax*ax+ay*ay, bx*bx+by*by, cx*cx+cy*cy
	bc, ca, ab := bx*cy-by*cx, cx*ay-cy*ax, ax*by-ay*bx
	// Each product has three roundings, and the sum two: less than six units of 2⁻⁵³ of the sum of sizes.
	x, y, z := float64(a2)*float64(bc), float64(b2)*float64(ca), float64(c2)*float64(ab)
	sum, limit := x+y+z, (math.Abs(x)+math.Abs(y)+math.Abs(z))*0x1p-50
	switch {
	case sum > limit:
		return 1
	case sum < -limit:
		return -1
	}
	return mulSigned(a2, bc).add(mulSigned(b2, ca)).add(mulSigned(c2, ab)).sign()
}

// Nearest returns the lattice point nearest to the point of the closed segment ab that is nearest
// to p: off by at most half a unit in each coordinate, halves rounded up. It does not depend on
// the order of a and b.
//
// A scalar product is below 2⁶³ and a coordinate difference below 2³¹: the numerator has 94 bits.
func Nearest(p, a, b Point) Point {
	along := Dot(a, b, p)
	if along <= 0 {
		return a
	}
	if along >= Dot(a, b, b) {
		return b
	}
	q, _ := advance(a, b, uint64(along), a.Distance2(b))
	return q
}

// LineIntersection returns the lattice point nearest to where the line through a and b meets the line through
// c and d: off by at most half a unit in each coordinate, halves rounded up. The result does not depend on
// the order of the lines or of the points of one. ok is false for parallel lines and when the result is
// outside of ±[MaxCoord]; segments with a proper crossing always have a result.
//
// The numerator is an orientation, below 2⁶², times a difference below 2³¹; the denominator is
// below 2⁶³.
func LineIntersection(a, b, c, d Point) (p Point, ok bool) {
	abx, aby := b.Sub(a)
	cdx, cdy := d.Sub(c)
	den := abx*cdy - aby*cdx
	if den == 0 {
		return Point{}, false
	}
	t := Orient(c, d, a)
	if den < 0 {
		t, den = -t, -den
	}
	if t < 0 {
		// Walk backwards from a: reflect the direction instead of carrying a sign.
		return advanceBy(a, -abx, -aby, uint64(-t), uint64(den))
	}
	return advanceBy(a, abx, aby, uint64(t), uint64(den))
}

// advance returns the lattice point nearest to a + (b-a)·num/den.
func advance(a, b Point, num, den uint64) (Point, bool) {
	dx, dy := b.Sub(a)
	return advanceBy(a, dx, dy, num, den)
}

func advanceBy(a Point, dx, dy int64, num, den uint64) (Point, bool) {
	x, okX := roundedQuotient(dx < 0, mul(num, magnitude(dx)), den)
	y, okY := roundedQuotient(dy < 0, mul(num, magnitude(dy)), den)
	if !okX || !okY || magnitude(x) > 1<<32 || magnitude(y) > 1<<32 {
		return Point{}, false
	}
	x, y = int64(a.X)+x, int64(a.Y)+y
	if !inFrame(x) || !inFrame(y) {
		return Point{}, false
	}
	return Point{int32(x), int32(y)}, true
}

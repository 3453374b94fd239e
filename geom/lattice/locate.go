package lattice

import "math"

// Location tells where a point lies to a ring or a polygon.
type Location int8

// The locations of a point.
const (
	Outside Location = iota
	OnBoundary
	Inside
)

// String returns the location as a word.
func (l Location) String() string {
	switch l {
	case Outside:
		return "outside"
	case OnBoundary:
		return "on the boundary"
	case Inside:
		return "inside"
	}
	return "unknown location"
}

// Locate tells where p lies to r, exactly, whatever the orientation of r: inside is where a ray
// from p crosses r an odd number of times. Rings of one or two points have a boundary and no
// inside. Time O(n).
func (r Ring) Locate(p Point) Location {
	inside := false
	for i, b := range r {
		a := r[(i+len(r)-1)%len(r)]
		switch crossesRay(p, a, b) {
		case rayOn:
			return OnBoundary
		case rayCrossed:
			inside = !inside
		}
	}
	if inside {
		return Inside
	}
	return Outside
}

// Locate tells where p lies to the polygon, exactly. Time O(n).
func (p Polygon) Locate(q Point) Location {
	inside := false
	for _, r := range p.Rings {
		switch r.Locate(q) {
		case OnBoundary:
			return OnBoundary
		case Inside:
			inside = !inside
		}
	}
	if inside {
		return Inside
	}
	return Outside
}

// Contains reports whether q is in p or on its boundary.
func (p Polygon) Contains(q Point) bool { return p.Locate(q) != Outside }

// Nearest returns the point of the polygon nearest to q: q itself if inside, else a point of the border, rounded as by
// the function [Nearest], the first of several. A polygon without rings returns q. Time O(n).
func (p Polygon) Nearest(q Point) Point {
	if p.Contains(q) {
		return q
	}
	best, at := uint64(math.MaxUint64), q
	for _, ring := range p.Rings {
		for i, a := range ring {
			b := Nearest(q, a, ring[(i+1)%len(ring)])
			if d := q.Distance2(b); d < best {
				best, at = d, b
			}
		}
	}
	return at
}

// rayAnswer tells how a ray meets an edge.
type rayAnswer uint8

const (
	rayMissed rayAnswer = iota
	rayCrossed
	rayOn // the ray's start is on the edge
)

// crossesRay reports whether the ray from p to the east crosses the edge ab. An edge owns its lower end but
// not its upper end, so a ray through a vertex counts once where the ring passes, and twice or not at all
// where the ring turns back; horizontal edges own nothing.
func crossesRay(p, a, b Point) rayAnswer {
	if a.Y > b.Y {
		a, b = b, a
	}
	switch {
	case p.Y < a.Y || p.Y > b.Y:
		return rayMissed
	case a.Y == b.Y:
		if min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) {
			return rayOn
		}
		return rayMissed
	}
	switch side := Orient(a, b, p); {
	case side == 0:
		return rayOn
	case side > 0 && p.Y < b.Y:
		return rayCrossed
	}
	return rayMissed
}

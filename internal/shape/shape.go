// Package shape rates convex regions for walking: the sharpness of corners, length over width, and
// near-degeneracy. Metrics and the cleaning of decompositions share its definitions.
//
// Source: D. H. Hale, G. M. Youngblood, Wavefront spatial decomposition, Game AI Pro, section 19.5,
// which gives the kinds of near-degenerate regions in words only; the numbers are ours, in [Limits].
package shape

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Corner is the angle of a convex region at a corner, 0° to 180°, exact: the scalar product of the
// directions to both neighbours and twice the area between them.
type Corner struct{ Dot, Cross int64 }

// At returns the corner at a point between its neighbours, in any order.
func At(before, at, after lattice.Point) Corner {
	o := lattice.Orient(before, at, after)
	return Corner{lattice.Dot(at, before, after), max(o, -o)}
}

// Compare returns -1, 0 or 1 as the angle of c is smaller than that of d, the same, or larger. It is
// exact: the sign of a difference of two products of 126 bits, the cotangents over one denominator.
func (c Corner) Compare(d Corner) int {
	if c.Cross == 0 || d.Cross == 0 {
		// 0° or 180°, by the sign of the product alone.
		return cmp.Compare(c.flat(), d.flat())
	}
	chi, clo := product(c.Dot, d.Cross)
	dhi, dlo := product(d.Dot, c.Cross)
	if dhi != chi {
		return cmp.Compare(dhi, chi)
	}
	return cmp.Compare(dlo, clo)
}

// flat is 0 for an angle of 0°, 2 for one of 180° and 1 for all others.
func (c Corner) flat() int {
	switch {
	case c.Cross != 0:
		return 1
	case c.Dot > 0:
		return 0
	}
	return 2
}

// product returns a·b in two's complement of 128 bits, b not negative.
func product(a, b int64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		h -= uint64(b)
	}
	return int64(h), l
}

// Degrees returns the angle rounded to 1e-9 degrees, the same on all platforms. Right angles are exact.
func (c Corner) Degrees() float64 {
	return math.Round(math.Atan2(float64(c.Cross), float64(c.Dot))/math.Pi*180*1e9) / 1e9
}

// Straight is the corner of 180°, which is not smaller than any other.
var Straight = Corner{Dot: -1}

// Sharpest returns the smallest corner of a convex ring. Time O(k).
func Sharpest(ring []lattice.Point) Corner {
	least := Straight
	n := len(ring)
	for i, p := range ring {
		if c := At(ring[(i+n-1)%n], p, ring[(i+1)%n]); c.Compare(least) < 0 {
			least = c
		}
	}
	return least
}

// Limits say where regions begin to be near-degenerate: difficult for a character to move into
// or out of.
type Limits struct {
	// FanRegions is how many regions must have a corner at a place for it to be the tip of a fan.
	FanRegions int
	// FanAngle is the angle in degrees below which a corner at a fan's centre belongs to the fan.
	FanAngle float64
	// SliverRatio is how many times its width a region must be long to be a sliver.
	SliverRatio float64
	// NarrowWidth is the length in lattice units below which a common edge is narrow.
	NarrowWidth int64
}

// The default limits.
const (
	FanRegions  = 6 // one more than in Wavefront
	FanAngle    = 30.0
	SliverRatio = 10.0
)

// MinObjectRadius is the least radius, in metres, of an object for which regions are made; pointRadius
// replaces the radius of smaller agents: the source measures in units of their diameter.
const (
	MinObjectRadius = 0.01
	pointRadius     = 0.5
)

// ObjectRadius returns the radius in metres of the objects that the regions of a mesh for an agent of
// that radius are for. Edges are narrow below twice as much, where nothing else is said.
func ObjectRadius(agent float64) float64 {
	if agent >= MinObjectRadius {
		return agent
	}
	return pointRadius
}

// IsFan reports whether a corner belongs to a fan at a place where that many regions have a corner.
func (l *Limits) IsFan(regions int, c Corner) bool {
	return regions >= l.FanRegions && c.Degrees() < l.FanAngle
}

// IsNarrow reports whether a region with the given number of neighbours can only be entered by narrow ways.
// widest is the length of its longest common edge with a neighbour, in lattice units, rounded down.
func (l *Limits) IsNarrow(neighbours int, widest int64) bool {
	return neighbours > 0 && widest < l.NarrowWidth
}

// IsDisjoint reports whether a region of that many neighbours is cut off from the other regions.
func IsDisjoint(neighbours, others int) bool { return neighbours == 0 && others > 0 }

// IsSliver reports whether a convex ring is at least SliverRatio times as long as wide: the largest distance
// of two corners over the width of the narrowest strip around it. The strip has a side of the ring on its
// border. Time O(k²) for k corners.
func (l *Limits) IsSliver(ring []lattice.Point) bool {
	length, width := 0.0, math.Inf(1)
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		strip := 0.0
		for _, p := range ring {
			length = max(length, a.Distance(p))
			strip = max(strip, lattice.LineDistance2(p, a, b).Sqrt())
		}
		width = min(width, strip)
	}
	return length >= float64(l.SliverRatio*width)
}

// IsThin reports whether a convex ring lies between two parallel lines that are nearer to each other than a width in
// lattice units, which is decided exactly. One of the two lines may run along a side of the ring. Time O(k) for a ring
// of k corners that is plainly wide enough, else O(k²).
func IsThin(ring []lattice.Point, width int64) bool {
	if width <= 0 {
		return false
	}
	// The area of a convex ring is at most the width times the length, and the diagonal of the box bounds the length.
	box := lattice.BoxOf(ring...)
	dx, dy := box.Size()
	x, y, area := float64(dx), float64(dy), 0.5*float64(lattice.Ring(ring).Area2())
	if least := 1.001 * float64(width); area > least*math.Sqrt(float64(x*x)+float64(y*y)) {
		return false
	}
	limit := uint64(width) * uint64(width)
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		inside := a != b
		for _, p := range ring {
			inside = inside && lattice.LineDistance2(p, a, b).CompareInt(limit) < 0
		}
		if inside {
			return true
		}
	}
	return false
}

// Root returns the square root of n, rounded down: the length of an edge from the squared length.
func Root(n uint64) int64 {
	r := uint64(math.Sqrt(float64(n)))
	for r*r > n {
		r--
	}
	for (r+1)*(r+1) <= n {
		r++
	}
	return int64(r)
}

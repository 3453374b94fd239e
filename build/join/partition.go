package join

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/shape"
)

// partition is a division of a polygon into convex ones.
type partition struct {
	rings    [][]lattice.Point
	sharpest shape.Corner
}

// mostCorners bounds the corners of divided polygons: every corner is tried for every notch.
const mostCorners = 32

// divide divides a simple polygon into the given number of convex ones by cuts between corners, and returns the
// division with the least sharp corners. A cut starts at a notch, in the order of the ring; ok is false if no division
// exists.
//
// Time O(n^k) for n corners and k rings; cuts that leave too many notches end early.
func divide(ring []lattice.Point, rings int) (best partition, ok bool) {
	n := len(ring)
	notch, notches := -1, 0
	for i := range ring {
		if turn(ring, i) < 0 {
			if notch < 0 {
				notch = i
			}
			notches++
		}
	}
	if rings == 1 || notches == 0 {
		if fault, _ := planar.Fault(ring); rings != 1 || fault != "" {
			return best, false
		}
		return partition{[][]lattice.Point{ring}, shape.Sharpest(withoutStraight(ring))}, true
	}
	if notches > 2*(rings-1) {
		return best, false // a cut mends two notches at most
	}
	for k := 2; k < n-1; k++ {
		to := (notch + k) % n
		if !sees(ring, notch, to) {
			continue
		}
		left, right := arc(ring, notch, to), arc(ring, to, notch)
		for some := 1; some < rings; some++ {
			a, ok1 := divide(left, some)
			if !ok1 || ok && a.sharpest.Compare(best.sharpest) <= 0 {
				continue
			}
			b, ok2 := divide(right, rings-some)
			if !ok2 || ok && b.sharpest.Compare(best.sharpest) <= 0 {
				continue
			}
			best, ok = partition{slices.Concat(a.rings, b.rings), a.sharpest}, true
			if b.sharpest.Compare(a.sharpest) < 0 {
				best.sharpest = b.sharpest
			}
		}
	}
	return best, ok
}

// turn is positive where a ring turns left at corner i.
func turn(ring []lattice.Point, i int) int64 {
	n := len(ring)
	return lattice.Orient(ring[(i+n-1)%n], ring[i], ring[(i+1)%n])
}

// arc returns the corners of a ring from one to another, both included.
func arc(ring []lattice.Point, from, to int) []lattice.Point {
	n := len(ring)
	out := make([]lattice.Point, 0, (to-from+n)%n+1)
	for i := from; i != to; i = (i + 1) % n {
		out = append(out, ring[i])
	}
	return append(out, ring[to])
}

// withoutStraight returns a ring without its straight corners.
func withoutStraight(ring []lattice.Point) []lattice.Point {
	out := make([]lattice.Point, 0, len(ring))
	for i, p := range ring {
		if turn(ring, i) != 0 {
			out = append(out, p)
		}
	}
	return out
}

// sees reports whether the segment between two corners of a simple polygon touches the border only at the two corners.
// A segment outside the polygon leaves a ring that turns the wrong way, which no convex pieces fill.
func sees(ring []lattice.Point, i, j int) bool {
	n := len(ring)
	a, b := ring[i], ring[j]
	for k := range ring {
		next := (k + 1) % n
		if k == i || k == j || next == i || next == j {
			continue
		}
		if lattice.SegmentContact(a, b, ring[k], ring[next]) != lattice.Disjoint {
			return false
		}
	}
	// A side at one of the two corners meets the segment again only if the side lies on the segment.
	for _, k := range [...]int{i, j} {
		for _, p := range [...]lattice.Point{ring[(k+n-1)%n], ring[(k+1)%n]} {
			if p != a && p != b && lattice.OnSegment(p, a, b) {
				return false
			}
		}
	}
	return true
}

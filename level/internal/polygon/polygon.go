// Package polygon cuts the faces of mesh files, which may have any number of corners, into
// triangles.
//
// Source: G. H. Meisters, Polygons have ears, American Mathematical Monthly 82 (1975); the
// bookkeeping of J. O'Rourke, Computational Geometry in C, 2nd edition (1998), section 1.6.5. The
// normal is M. E. Newell's.
//
// Idea: the face is rounded to its own grid of 2²⁹ steps, so that turns are exact integers, and seen along
// the largest component of its normal. A convex face becomes a fan from its first corner. Any other face
// loses its ears one by one: an ear's triangle contains no other corner.
//
// Input: at least three corners with finite coordinates, in either turn; they need not be coplanar. Holes
// come as a seam: two corners at the same place, one per side of the seam.
//
// Guarantees:
//  1. n corners become n-2 triangles of the face's own corners, in the face's order of turn
//     (TestTriangleCount).
//  2. A face that is simple on its grid, seams allowed, is covered exactly once: no triangle is turned over,
//     their areas sum to the face's (TestCoversSimplePolygons, TestSeam).
//  3. The result is the same after scaling by a power of two and after a shift by multiples of the grid
//     (TestMoveAndScale).
//
// Degenerate cases: corners on a straight edge are kept, as corners of proper triangles where possible;
// spikes and repeated corners become triangles without area. A face without area becomes a fan. A face that
// crosses itself is cut as well as possible and reported (TestCrossing).
//
// Cost: O(n) for a convex face, O(n²) otherwise, hence [MaxConcave]; linear for all faces of a file (TestWorkIsBounded).
//
// Departures: a corner at the same place as an ear's corner blocks the ear only if an edge leads from it into
// the ear; the sources assume distinct corners.
package polygon

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// MaxConcave is the largest number of corners of a face that is not convex. The bound keeps the quadratic
// time of ear clipping well below a second.
const MaxConcave = 1 << 13

// gridBits is the resolution of a face's own grid: its longest side is below 2²⁹ steps, within the range of
// lattice.Orient.
const gridBits = 29

// smallest is the size in metres below which a face counts as a point: its grid would have more
// steps per metre than a float64 can count.
const smallest = 0x1p-900

// Outcome says how a face was cut.
type Outcome uint8

// The outcomes of [Cutter.Cut].
const (
	Clean   Outcome = iota // covered exactly
	Crossed                // the face crosses itself: triangles may overlap or be turned over
	TooMany                // not convex and more than MaxConcave corners: nothing was cut
	TooLong                // not convex, and the work on such faces has become too much: nothing was cut
)

// Cutter cuts faces one by one. The Cutter reuses its scratch space; the zero value is ready.
//
// The work on concave faces is at most freeWork and workPerCorner times the corners of all faces. A file of many concave
// faces therefore takes linear time.
type Cutter struct {
	corners, work int
	grid          [][3]int32      // the corners in steps of the face's grid
	flat          []lattice.Point // the same without one axis, counter-clockwise
	next, prev    []int32         // the ring of corners that are left
	dull          []bool          // corners that are known to be no ear
	out           [][3]int32
}

// Cut returns the triangles of the face with the given corners, as indices of corners. The slice is
// good until the next call.
func (c *Cutter) Cut(corners []geom.Vec) ([][3]int32, Outcome) {
	c.out = c.out[:0]
	n := len(corners)
	c.corners += n
	if n < 3 {
		return nil, Clean
	}
	if n == 3 || !c.project(corners) || c.fanIsSafe() {
		for i := 1; i+1 < n; i++ {
			c.out = append(c.out, [3]int32{0, int32(i), int32(i + 1)})
		}
		return c.out, Clean
	}
	if n > MaxConcave {
		return nil, TooMany
	}
	if c.work += n * n; c.work > freeWork+workPerCorner*c.corners {
		return nil, TooLong
	}
	return c.clipEars()
}

// The bound of the work on faces that are not convex, in squares of their corners. A face of 256 corners is always cut.
const (
	freeWork      = 1 << 29
	workPerCorner = 1 << 8
)

// project fills c.flat: the corners on the face's grid without the main axis of the normal, the two others
// ordered so that the face is counter-clockwise. It returns false for a face without a normal.
func (c *Cutter) project(corners []geom.Vec) bool {
	box := geom.Box{Min: corners[0], Max: corners[0]}
	for _, v := range corners[1:] {
		box.Min = geom.Vec{X: min(box.Min.X, v.X), Y: min(box.Min.Y, v.Y), Z: min(box.Min.Z, v.Z)}
		box.Max = geom.Vec{X: max(box.Max.X, v.X), Y: max(box.Max.Y, v.Y), Z: max(box.Max.Z, v.Z)}
	}
	size := box.Max.Sub(box.Min)
	longest := max(size.X, size.Y, size.Z)
	if !(longest > smallest && longest <= math.MaxFloat64) {
		return false
	}
	_, exponent := math.Frexp(longest) // longest < 2^exponent
	steps := math.Ldexp(1, gridBits-exponent)
	c.grid = c.grid[:0]
	for _, v := range corners {
		v = v.Sub(box.Min).Scale(steps) // exact, a power of two
		c.grid = append(c.grid, [3]int32{int32(v.X + 0.5), int32(v.Y + 0.5), int32(v.Z + 0.5)})
	}

	var normal geom.Vec
	var last geom.Vec
	for _, g := range c.grid[1:] {
		v := geom.Vec{X: float64(g[0] - c.grid[0][0]), Y: float64(g[1] - c.grid[0][1]), Z: float64(g[2] - c.grid[0][2])}
		normal = normal.Add(last.Cross(v))
		last = v
	}
	// Floors first: ties go to them.
	axis, turn := 1, normal.Y
	if math.Abs(normal.Z) > math.Abs(turn) {
		axis, turn = 2, normal.Z
	}
	if math.Abs(normal.X) > math.Abs(turn) {
		axis, turn = 0, normal.X
	}
	if turn == 0 {
		return false
	}
	x, y := (axis+1)%3, (axis+2)%3
	if turn < 0 {
		x, y = y, x
	}
	c.flat = c.flat[:0]
	for _, g := range c.grid {
		c.flat = append(c.flat, lattice.Point{X: g[x], Y: g[y]})
	}
	return true
}

// fanIsSafe reports whether no corner turns right and no triangle of the fan from corner 0 is
// turned over.
func (c *Cutter) fanIsSafe() bool {
	f := c.flat
	n := len(f)
	for i := range f {
		if lattice.Orient(f[i], f[(i+1)%n], f[(i+2)%n]) < 0 {
			return false
		}
		if i > 0 && i+1 < n && lattice.Orient(f[0], f[i], f[i+1]) < 0 {
			return false
		}
	}
	return true
}

// clipEars cuts c.flat ear by ear. A corner that was no ear is looked at again only when a neighbour was cut:
// no other cut makes it an ear. When no ear is left, the first flat corner is cut; without a flat corner the
// face crosses itself and the first left turn goes.
func (c *Cutter) clipEars() ([][3]int32, Outcome) {
	n := len(c.flat)
	c.next, c.prev, c.dull = c.next[:0], c.prev[:0], c.dull[:0]
	for i := range n {
		c.next = append(c.next, int32((i+1)%n))
		c.prev = append(c.prev, int32((i+n-1)%n))
		c.dull = append(c.dull, false)
	}
	outcome := Clean
	at, since := int32(0), 0 // since: corners looked at since the last cut
	for left := n; left > 3; {
		switch {
		case since >= left:
			tip, flat := c.lastResort(at, left)
			if !flat {
				outcome = Crossed
			}
			at = c.clip(tip)
			left, since = left-1, 0
		case !c.dull[at] && (c.isEar(at) || c.isSpike(at)):
			at = c.clip(at)
			left, since = left-1, 0
		default:
			c.dull[at] = true
			at = c.next[at]
			since++
		}
	}
	c.out = append(c.out, [3]int32{c.prev[at], at, c.next[at]})
	if c.turn(at) < 0 {
		outcome = Crossed
	}
	return c.out, outcome
}

// clip emits the triangle at tip, takes tip out of the ring and returns where to look next: two corners on,
// so that cuts spread over the face instead of forming one long fan.
func (c *Cutter) clip(tip int32) int32 {
	p, q := c.prev[tip], c.next[tip]
	c.out = append(c.out, [3]int32{p, tip, q})
	c.next[p], c.prev[q] = q, p
	c.dull[p], c.dull[q] = false, false
	return c.next[q]
}

// turn returns twice the area of the triangle at tip.
func (c *Cutter) turn(tip int32) int64 {
	return lattice.Orient(c.flat[c.prev[tip]], c.flat[tip], c.flat[c.next[tip]])
}

// isEar reports whether the triangle at tip turns left and no other corner is in the way.
func (c *Cutter) isEar(tip int32) bool {
	ip, iq := c.prev[tip], c.next[tip]
	p, t, q := c.flat[ip], c.flat[tip], c.flat[iq]
	if lattice.Orient(p, t, q) <= 0 {
		return false
	}
	minX, maxX := min(p.X, t.X, q.X), max(p.X, t.X, q.X)
	minY, maxY := min(p.Y, t.Y, q.Y), max(p.Y, t.Y, q.Y)
	for i := c.next[iq]; i != ip; i = c.next[i] {
		r := c.flat[i]
		if r.X < minX || r.X > maxX || r.Y < minY || r.Y > maxY {
			continue
		}
		blocked := false
		switch r {
		case p:
			blocked = c.leavesInto(i, p, t, q)
		case t:
			blocked = c.leavesInto(i, t, q, p)
		case q:
			blocked = c.leavesInto(i, q, p, t)
		default:
			blocked = lattice.Orient(p, t, r) >= 0 && lattice.Orient(t, q, r) >= 0 && lattice.Orient(q, p, r) >= 0
		}
		if blocked {
			return false
		}
	}
	// The ring must not enter the triangle at the ear's own ends either.
	return !c.leavesInto(ip, p, t, q) && !c.leavesInto(iq, q, p, t)
}

// isSpike reports whether the ring reverses at tip, or stands still there: cutting a spike removes no area,
// and its two sides then coincide.
func (c *Cutter) isSpike(tip int32) bool {
	p, t, q := c.flat[c.prev[tip]], c.flat[tip], c.flat[c.next[tip]]
	return lattice.Orient(p, t, q) == 0 && (p == t || t == q || lattice.Dot(t, p, q) > 0)
}

// leavesInto reports whether an edge of corner i, which lies on the corner a of the
// counter-clockwise triangle a, b, d, starts into that triangle.
func (c *Cutter) leavesInto(i int32, a, b, d lattice.Point) bool {
	for _, j := range [2]int32{c.prev[i], c.next[i]} {
		r := c.flat[j]
		if lattice.Orient(a, b, r) > 0 && lattice.Orient(a, r, d) > 0 {
			return true
		}
	}
	return false
}

// lastResort chooses a cut when no ear is left: the first corner from start whose triangle has no area, else
// the first that turns left, else start.
func (c *Cutter) lastResort(start int32, left int) (tip int32, flat bool) {
	tip, found := start, false
	for i, k := start, 0; k < left; i, k = c.next[i], k+1 {
		switch turn := c.turn(i); {
		case turn == 0:
			return i, true
		case turn > 0 && !found:
			tip, found = i, true
		}
	}
	return tip, false
}

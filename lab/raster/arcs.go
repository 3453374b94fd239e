package raster

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Borders keep at least the radius from obstacles: a chord in place of an arc is moved out until they touch,
// and its new ends are the crossings with neighbouring chords. Straight walls stay in place only if
// simplification keeps the points where arcs and walls join.

// straightRun is the length in cells from which a straight stretch is preserved. Shorter stretches may be
// simplified together with the arcs beside them, which costs fewer regions.
const straightRun = 16

// straightSlack is the allowed distance of points from a straight stretch, in lattice units: the points are
// rounded, and so is the stretch's first corner.
const straightSlack = 2 * cornerSlack

// straightEnds marks the ends of straight stretches of a border. A closed border starts from its smallest
// point, which is never inside a straight stretch.
func straightEnds(points []lattice.Point, closed bool, cell int32) []bool {
	n := len(points)
	keep := make([]bool, n)
	start, count := 0, n-1
	if closed {
		for i, p := range points {
			if p.Compare(points[start]) < 0 {
				start = i
			}
		}
		count = n
	}
	at := func(i int) lattice.Point { return points[(start+i)%n] }
	long2 := uint64(straightRun*cell) * uint64(straightRun*cell)
	for i := 0; i < count; {
		j := i + straight(func(k int) lattice.Point { return at(i + k) }, count-i)
		if j-i >= 2 && at(i).Distance2(at(j)) >= long2 {
			keep[(start+i)%n], keep[(start+j)%n] = true, true
		}
		i = max(i+1, j)
	}
	return keep
}

// straight returns the number of steps from point 0, up to most, along a line within straightSlack: the
// directions past every point so far form a cone, and the next point must be in it.
func straight(at func(k int) lattice.Point, most int) int {
	from := at(0)
	low, high := math.Inf(-1), math.Inf(1) // the cone, as tangents of angles from the first direction
	var ux, uy float64
	for k := 1; k <= most; k++ {
		dx, dy := at(k).Sub(from)
		x, y := float64(dx), float64(dy)
		length := norm(dx, dy)
		if length == 0 {
			continue
		}
		if ux == 0 && uy == 0 {
			if length < 4*straightSlack {
				continue // too near to give a direction
			}
			ux, uy = x/length, y/length
		}
		along, aside := float64(x*ux)+float64(y*uy), float64(y*ux)-float64(x*uy)
		if along <= 0 || aside < low*along || aside > high*along {
			return k - 1
		}
		low, high = max(low, (aside-straightSlack)/along), min(high, (aside+straightSlack)/along)
	}
	return most
}

// circumscribe moves the chords of a simplified border out, to its left, until no replaced point is beyond
// them. kept are the remaining points of the border. Chords of straight stretches do not move; nor do the
// ends of an open border.
func circumscribe(points []lattice.Point, kept []int, closed bool, limit float64) []lattice.Point {
	n, m := len(points), len(kept)
	chords := m
	if !closed {
		chords--
	}
	out := make([]lattice.Point, m)
	for i, k := range kept {
		out[i] = points[k]
	}
	lines := make([]chord, chords)
	for i := range lines {
		a, b := kept[i], kept[(i+1)%m]
		lines[i] = newChord(points[a], points[b])
		for k := (a + 1) % n; k != b; k = (k + 1) % n {
			lines[i].touch(points[k])
		}
	}
	for i := range out {
		if !closed && (i == 0 || i == m-1) {
			continue
		}
		out[i] = meet(&lines[(i+chords-1)%chords], &lines[i], out[i], limit)
	}
	return out
}

// chord is a line with a unit direction and how far to the left of it there are points.
type chord struct {
	from   lattice.Point
	ux, uy float64
	out    float64
}

func newChord(a, b lattice.Point) chord {
	dx, dy := b.Sub(a)
	length := norm(dx, dy)
	if length == 0 {
		return chord{from: a}
	}
	return chord{from: a, ux: float64(dx) / length, uy: float64(dy) / length}
}

// touch moves the chord out as far as p, if p is more than rounding to its left.
func (c *chord) touch(p lattice.Point) {
	dx, dy := p.Sub(c.from)
	if d := float64(float64(dy)*c.ux) - float64(float64(dx)*c.uy); d > cornerSlack {
		c.out = max(c.out, d)
	}
}

// meet returns the crossing of two chords from v after their move. Where they are nearly parallel, or the
// place is more than twice the limit away, v moves straight out.
func meet(a, b *chord, v lattice.Point, limit float64) lattice.Point {
	if a.out == 0 && b.out == 0 {
		return v
	}
	cross := float64(a.ux*b.uy) - float64(a.uy*b.ux)
	// The step from v that leads a.out to the left of the one and b.out to the left of the other.
	if math.Abs(cross) > 0.05 {
		x := (float64(b.ux*a.out) - float64(a.ux*b.out)) / cross
		y := (float64(b.uy*a.out) - float64(a.uy*b.out)) / cross
		if float64(x*x)+float64(y*y) <= 4*limit*limit {
			return planar{float64(v.X) + x, float64(v.Y) + y}.round()
		}
	}
	out := max(a.out, b.out)
	nx, ny := -(a.uy + b.uy), a.ux+b.ux
	length := math.Sqrt(float64(nx*nx) + float64(ny*ny))
	if length == 0 {
		return v
	}
	return planar{float64(v.X) + float64(nx*out)/length, float64(v.Y) + float64(ny*out)/length}.round()
}

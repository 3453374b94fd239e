package raster

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

const (
	// cornerRun is how many points on each side must lie on a line for a corner to be found.
	cornerRun = 4
	// cornerSlack is the allowed distance of points from the line, in lattice units: rounding and no more.
	cornerSlack = 4
)

// sharpen restores the corners lost in interpolation. Where two straight walls meet, the contour has points
// exactly beside each wall, and between them its last crossed side cuts the corner, with at most one point
// that interpolates between the walls. There the two lines are extended to their crossing. Only corners that
// turn left are sharp: around the others the agent's radius makes an arc.
func sharpen(points []lattice.Point, closed bool, cell int32) []lattice.Point {
	n := len(points)
	if n < 2*cornerRun+2 {
		return points
	}
	out := make([]lattice.Point, 0, n+8)
	skip := make([]bool, n)
	corners := make(map[int]lattice.Point)
	for k := range n {
		for gap := 1; gap <= 2; gap++ {
			first, last := k-cornerRun, k+gap+cornerRun
			if !closed && (first < 0 || last >= n) {
				continue
			}
			at := func(i int) lattice.Point {
				if !closed {
					return points[min(max(i, 0), n-1)]
				}
				return points[((i%n)+n)%n]
			}
			x, ok := corner(at, k, k+gap, float64(cell))
			if !ok {
				continue
			}
			corners[k] = x
			if gap == 2 {
				skip[(k+1)%n] = true
			}
			break
		}
	}
	for k, p := range points {
		if !skip[k] {
			out = append(out, p)
		}
		if x, ok := corners[k]; ok {
			out = append(out, x)
		}
	}
	return out
}

// corner returns where the straight runs that end at point i and start at point j meet.
func corner(at func(i int) lattice.Point, i, j int, cell float64) (lattice.Point, bool) {
	a0, okA := farEnd(func(k int) lattice.Point { return at(i - k) })
	b1, okB := farEnd(func(k int) lattice.Point { return at(j + k) })
	if !okA || !okB {
		return lattice.Point{}, false
	}
	a1, b0 := at(i), at(j)
	ax, ay := a1.Sub(a0)
	bx, by := b1.Sub(b0)
	la, lb := norm(ax, ay), norm(bx, by)
	turn := float64(ax)*float64(by) - float64(float64(ay)*float64(bx))
	if la < cell || lb < cell || turn < 0.25*la*lb {
		return lattice.Point{}, false
	}
	x, ok := lattice.LineIntersection(a0, a1, b0, b1)
	if !ok || lattice.Dot(a1, a0, x) > 0 || lattice.Dot(b0, b1, x) > 0 {
		return lattice.Point{}, false // behind one of the runs
	}
	reach := uint64(4 * cell * cell)
	return x, x.Distance2(a1) <= reach && x.Distance2(b0) <= reach
}

// farEnd returns a point far along the straight run from point 0, for a precise line through both; ok is
// false if not even cornerRun points are collinear.
func farEnd(at func(k int) lattice.Point) (end lattice.Point, ok bool) {
	for run := cornerRun; run <= 8*cornerRun; run *= 2 {
		for k := 1; k < run; k++ {
			if offLine(at(0), at(run), at(k)) > cornerSlack {
				return end, ok
			}
		}
		end, ok = at(run), true
	}
	return end, ok
}

// offLine returns the distance of p from the line through a and b.
func offLine(a, b, p lattice.Point) float64 {
	dx, dy := b.Sub(a)
	length := norm(dx, dy)
	if length == 0 {
		return math.Inf(1)
	}
	return math.Abs(float64(lattice.Orient(a, b, p))) / length
}

// norm is math.Hypot without its freedom to round differently on different machines.
func norm(dx, dy int64) float64 {
	x, y := float64(dx), float64(dy)
	return math.Sqrt(float64(x*x) + float64(y*y))
}

package gentest

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Domain returns a domain of plain ground whose edges are all walls.
func Domain(rings ...lattice.Ring) *plan.Domain {
	d := &plan.Domain{Polygon: lattice.Polygon{Rings: rings}}
	for _, r := range rings {
		edges := make([]plan.ChainID, len(r))
		for i := range edges {
			edges[i] = plan.Wall
		}
		d.Edges = append(d.Edges, edges)
	}
	return d
}

// Ring returns a ring of the points x0, y0, x1, y1, …
func Ring(xy ...int32) lattice.Ring {
	r := make(lattice.Ring, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		r = append(r, lattice.Point{X: xy[i], Y: xy[i+1]})
	}
	return r
}

// Map returns d with f applied to every point. f must keep the orientation.
func Map(d *plan.Domain, f func(lattice.Point) lattice.Point) *plan.Domain {
	m := *d
	m.Rings = make([]lattice.Ring, len(d.Rings))
	for i, r := range d.Rings {
		m.Rings[i] = make(lattice.Ring, len(r))
		for j, p := range r {
			m.Rings[i][j] = f(p)
		}
	}
	return &m
}

// Obstacle is a kind of obstacle that [Scatter] can place.
type Obstacle int

// The kinds of obstacle.
const (
	Boxes   Obstacle = iota // axis-aligned
	Squares                 // turned by any angle
	Circles                 // of 8 to 40 points
	Stars                   // of any angle and 3 to 12 points, seldom convex
	Needles                 // long and thin triangles
	Mixed                   // one of each above
)

// Scatter returns a square of side × side cells of size lattice units with an obstacle in the
// middle of each. Obstacles do not touch when size is at least 64.
func Scatter(rng *rand.Rand, side int, size int32, kind Obstacle) *plan.Domain {
	w := int32(side) * size
	rings := []lattice.Ring{Ring(0, 0, w, 0, w, w, 0, w)}
	for i := range side * side {
		x := (float64(i%side) + 0.5) * float64(size)
		y := (float64(i/side) + 0.5) * float64(size)
		rings = append(rings, obstacle(rng, kind, x, y, 0.48*float64(size)))
	}
	return Domain(rings...)
}

// obstacle returns a clockwise ring around x, y within distance r.
func obstacle(rng *rand.Rand, kind Obstacle, x, y, r float64) lattice.Ring {
	r *= 0.3 + 0.7*rng.Float64()
	turn := 2 * math.Pi * rng.Float64()
	polar := func(angle, radius float64) lattice.Point {
		return lattice.Point{
			X: int32(math.Floor(x + float64(radius*math.Cos(angle)) + 0.5)),
			Y: int32(math.Floor(y + float64(radius*math.Sin(angle)) + 0.5)),
		}
	}
	var ring lattice.Ring
	switch kind {
	case Boxes:
		dx, dy := 0.7*r*(0.2+0.8*rng.Float64()), 0.7*r*(0.2+0.8*rng.Float64())
		x0, y0, x1, y1 := int32(x-dx), int32(y-dy), int32(x+dx)+1, int32(y+dy)+1
		return Ring(x0, y0, x0, y1, x1, y1, x1, y0)
	case Squares:
		for i := range 4 {
			ring = append(ring, polar(turn-float64(i)*math.Pi/2, r))
		}
	case Circles:
		n := 8 + rng.IntN(33)
		for i := range n {
			ring = append(ring, polar(turn-float64(i)*2*math.Pi/float64(n), r))
		}
	case Stars:
		n := 3 + rng.IntN(10)
		for i := range n {
			ring = append(ring, polar(turn-float64(i)*2*math.Pi/float64(n), r*(0.3+0.7*rng.Float64())))
		}
	case Needles:
		ring = lattice.Ring{polar(turn, r), polar(turn+math.Pi, r), polar(turn+math.Pi-0.02*rng.Float64(), r*(0.2+0.7*rng.Float64()))}
		if ring.Area2() > 0 {
			ring[1], ring[2] = ring[2], ring[1]
		}
	default:
		return obstacle(rng, Obstacle(rng.IntN(int(Mixed))), x, y, r)
	}
	if !proper(ring) {
		return obstacle(rng, Boxes, x, y, r)
	}
	return ring
}

// proper tells whether r is a clockwise ring that neither crosses nor touches itself.
func proper(r lattice.Ring) bool {
	if r.Area2() >= 0 {
		return false
	}
	for i := range r {
		for j := range i {
			s, t := segment{r[i], r[(i+1)%len(r)]}, segment{r[j], r[(j+1)%len(r)]}
			next := j+1 == i || j == 0 && i == len(r)-1
			if s.cross(t) || !next && touch(s, t) {
				return false
			}
		}
	}
	return true
}

// touch tells whether two segments have a point in common.
func touch(s, t segment) bool {
	return s.cross(t) || on(s, t.p) || on(s, t.q) || on(t, s.p) || on(t, s.q)
}

func on(s segment, p lattice.Point) bool {
	return lattice.Orient(s.p, s.q, p) == 0 && lattice.Dot(p, s.p, s.q) <= 0
}

// Tiny returns a box of size × size units, small enough to force every degeneracy, with triangles
// and quadrilaterals in it. Where contact is true they may touch each other, the box and themselves
// at single points.
func Tiny(rng *rand.Rand, size int32, obstacles int, contact bool) *plan.Domain {
	rings := []lattice.Ring{Ring(0, 0, size, 0, size, size, 0, size)}
	for range obstacles {
		var r lattice.Ring
		for range 3 + rng.IntN(3) {
			r = append(r, lattice.Point{X: rng.Int32N(size + 1), Y: rng.Int32N(size + 1)})
		}
		if r.Area2() > 0 {
			for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
				r[i], r[j] = r[j], r[i]
			}
		}
		if proper(r) && !meets(rings, r, contact) {
			rings = append(rings, r)
		}
	}
	return Domain(rings...)
}

// meets tells whether hole r may not be added to the rings.
func meets(rings []lattice.Ring, r lattice.Ring, contact bool) bool {
	for _, s := range segments([]lattice.Ring{r}) {
		for _, t := range segments(rings) {
			if s.cross(t) || !contact && touch(s, t) {
				return true
			}
			// A point on the inner part of an edge may be a crossing in disguise: only ends may meet.
			if inner(s, t.p) || inner(t, s.p) || s.p == t.p && !contact {
				return true
			}
		}
	}
	// Rings with only points in common: they are separate, or one is inside the other, or they cross at a common
	// point. Midpoints decide, with all coordinates doubled.
	for _, s := range segments([]lattice.Ring{r}) {
		if !midInside(rings, s) {
			return true
		}
	}
	for _, q := range rings[1:] {
		for _, t := range segments([]lattice.Ring{q}) {
			if midWinding([]lattice.Ring{r}, t) != 0 {
				return true
			}
		}
	}
	return false
}

func inner(s segment, p lattice.Point) bool { return p != s.p && p != s.q && on(s, p) }

func midInside(rings []lattice.Ring, s segment) bool { return midWinding(rings, s) == 1 }

// midWinding returns how often small rings go around the middle of s, which is on none of them.
func midWinding(rings []lattice.Ring, s segment) int {
	x, y := int64(s.p.X)+int64(s.q.X), int64(s.p.Y)+int64(s.q.Y)
	winding := 0
	for _, e := range segments(rings) {
		px, py, qx, qy := 2*int64(e.p.X), 2*int64(e.p.Y), 2*int64(e.q.X), 2*int64(e.q.Y)
		side := (qx-px)*(y-py) - (qy-py)*(x-px)
		switch {
		case py <= y && y < qy && side > 0:
			winding++
		case qy <= y && y < py && side < 0:
			winding--
		}
	}
	return winding
}

// Blocks returns the free part of a grid of side × side cells of size units, with about a share of them
// blocked: all edges are parallel to the axes, many collinear, and cells touch at corners. The free part
// contains the first free cell, connected over sides, inside a blocked frame. With every true, every lattice
// corner on its border is a point of the ring.
func Blocks(rng *rand.Rand, side int, size int32, share float64, every bool) *plan.Domain {
	free := make([]bool, side*side)
	for i := range free {
		free[i] = rng.Float64() >= share
	}
	return Cells(free, side, size, every)
}

// Cells returns the part of the free cells of a grid of side × side that the first of them belongs to, joined over
// sides, as [Blocks] does. There must be one.
func Cells(free []bool, side int, size int32, every bool) *plan.Domain {
	at := func(x, y int) bool { return x >= 0 && y >= 0 && x < side && y < side && free[y*side+x] }
	part := make([]bool, side*side)
	for i := range free {
		if free[i] {
			fillFrom(part, at, i%side, i/side, side)
			break
		}
	}
	in := func(x, y int) bool { return x >= 0 && y >= 0 && x < side && y < side && part[y*side+x] }
	return trace(in, side, size, every)
}

func fillFrom(part []bool, at func(x, y int) bool, x, y, side int) {
	todo := [][2]int{{x, y}}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !at(c[0], c[1]) || part[c[1]*side+c[0]] {
			continue
		}
		part[c[1]*side+c[0]] = true
		todo = append(todo, [2]int{c[0] + 1, c[1]}, [2]int{c[0] - 1, c[1]}, [2]int{c[0], c[1] + 1}, [2]int{c[0], c[1] - 1})
	}
}

// trace walks along the borders of a set of cells with the set on the left, and turns left where
// two cells touch at a corner. The ring found first becomes the outer ring, the largest one.
func trace(in func(x, y int) bool, side int, size int32, every bool) *plan.Domain {
	dirs := [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	// border tells whether the unit step from corner x, y in a direction has the set on its left only.
	border := func(x, y, dir int) bool {
		switch dir {
		case 0:
			return in(x, y) && !in(x, y-1)
		case 1:
			return in(x-1, y) && !in(x, y)
		case 2:
			return in(x-1, y-1) && !in(x-1, y)
		default:
			return in(x, y-1) && !in(x-1, y-1)
		}
	}
	done := map[[3]int]bool{}
	var rings []lattice.Ring
	for y := 0; y <= side; y++ {
		for x := 0; x <= side; x++ {
			for dir := range dirs {
				if !border(x, y, dir) || done[[3]int{x, y, dir}] {
					continue
				}
				var r lattice.Ring
				cx, cy, cd := x, y, dir
				for !done[[3]int{cx, cy, cd}] {
					done[[3]int{cx, cy, cd}] = true
					cx, cy = cx+dirs[cd][0], cy+dirs[cd][1]
					turn := 1
					for !border(cx, cy, (cd+turn)%4) {
						turn = (turn + 3) % 4
					}
					if turn != 0 || every {
						r = append(r, lattice.Point{X: int32(cx) * size, Y: int32(cy) * size})
					}
					cd = (cd + turn) % 4
				}
				rings = append(rings, r)
			}
		}
	}
	for i := range rings {
		if rings[i].Area2() > rings[0].Area2() {
			rings[0], rings[i] = rings[i], rings[0]
		}
	}
	if len(rings) == 0 {
		return Domain(Ring(0, 0, size, 0, size, size, 0, size))
	}
	return Domain(rings...)
}

// Comb returns a comb of n teeth that hang from the top, each narrow and height units long.
func Comb(n int, pitch, height int32) *plan.Domain {
	w := int32(n) * pitch
	r := Ring(0, 0, w, 0)
	for i := int32(n) - 1; i >= 0; i-- {
		r = append(r,
			lattice.Point{X: i*pitch + pitch, Y: 2 * height},
			lattice.Point{X: i*pitch + pitch*2/3, Y: 2 * height},
			lattice.Point{X: i*pitch + pitch/2, Y: height},
			lattice.Point{X: i*pitch + pitch/3, Y: 2 * height},
		)
	}
	return Domain(append(clean(r), lattice.Point{Y: 2 * height}))
}

// Staircase returns a square with n teeth from its left side, each above and shorter than the last: their
// ends see each other past many walls.
func Staircase(n int) *plan.Domain {
	w := 64*int32(n) + 64
	r := Ring(0, 0, w, 0, w, w, 0, w)
	for i := int32(n) - 1; i >= 0; i-- {
		r = append(r, Ring(0, 64*i+48, 64*(int32(n)-i), 64*i+40, 0, 64*i+32)...)
	}
	return Domain(r)
}

// clean drops repeated points.
func clean(r lattice.Ring) lattice.Ring {
	out := r[:0:0]
	for i, p := range r {
		if i == 0 || p != r[i-1] {
			out = append(out, p)
		}
	}
	return out
}

// Spiral returns a corridor of the given width that winds inwards with 4n right-angled legs.
func Spiral(n int, width int32) *plan.Domain {
	dirs := [4][2]int32{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	legs := 4 * n
	var right, left lattice.Ring // the two sides of the corridor, as one walks inwards
	var x, y int32
	for i := range legs {
		d := dirs[i%4]
		right = append(right, lattice.Point{X: x, Y: y})
		// The left side is a width away from this leg and, except for the first leg, from the leg before.
		lx, ly := x-width*d[1], y+width*d[0]
		if i > 0 {
			lx, ly = lx+width*d[0], ly+width*d[1]
		}
		left = append(left, lattice.Point{X: lx, Y: ly})
		// Two legs of a length, then both shorter by the width of a turn.
		length := 2 * width * int32((legs-i+2)/2)
		x, y = x+d[0]*length, y+d[1]*length
	}
	d := dirs[(legs-1)%4]
	right = append(right, lattice.Point{X: x, Y: y}, lattice.Point{X: x - width*d[1], Y: y + width*d[0]})
	for i := len(left) - 1; i >= 0; i-- {
		right = append(right, left[i])
	}
	return Domain(right)
}

// Star returns a star of n rays with notches between them.
func Star(n int, radius float64) *plan.Domain {
	var r lattice.Ring
	for i := range 2 * n {
		a, rad := math.Pi*float64(i)/float64(n), radius
		if i%2 == 1 {
			rad /= 3
		}
		r = append(r, lattice.Point{X: int32(math.Round(rad * math.Cos(a))), Y: int32(math.Round(rad * math.Sin(a)))})
	}
	return Domain(r)
}

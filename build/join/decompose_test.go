package join

import (
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// earClip triangulates a polygon naively: bridges join holes to the outer ring, then ears are cut off. Vertices in the
// middle of a straight run are left out, which gives T-vertices to the triangles. ok is false if earClip gets stuck,
// which is possible with touching bridges.
func earClip(p lattice.Polygon) (cells []plan.Cell, ok bool) {
	rest := slices.Clone(p.Rings[0])
	for h := 1; h < len(p.Rings); h++ {
		if rest = bridge1(p, rest, p.Rings[h]); rest == nil {
			return nil, false
		}
	}
	var sum int64
	for len(rest) > 3 {
		cut := false
		for i := range rest {
			n := len(rest)
			a, b, c := rest[(i+n-1)%n], rest[i], rest[(i+1)%n]
			if turn := lattice.Orient(a, b, c); turn == 0 || isEar(rest, a, b, c) {
				if turn != 0 {
					cells = append(cells, cellOf(a, b, c))
					sum += turn
				}
				rest = slices.Delete(rest, i, i+1)
				cut = true
				break
			}
		}
		if !cut {
			return nil, false
		}
	}
	if turn := lattice.Orient(rest[0], rest[1], rest[2]); turn > 0 {
		cells = append(cells, cellOf(rest...))
		sum += turn
	}
	return cells, sum == p.Area2()
}

// isEar reports whether the triangle holds no other vertex of the ring.
func isEar(ring lattice.Ring, a, b, c lattice.Point) bool {
	if lattice.Orient(a, b, c) <= 0 {
		return false
	}
	for _, p := range ring {
		if p != a && p != b && p != c &&
			lattice.Orient(a, b, p) >= 0 && lattice.Orient(b, c, p) >= 0 && lattice.Orient(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

// bridge1 joins a hole to a ring by the shortest segment between their vertices that meets neither polygon nor ring on
// its way.
func bridge1(p lattice.Polygon, ring, hole lattice.Ring) lattice.Ring {
	best := ^uint64(0)
	var from, to int
	for i, a := range ring {
		for k, b := range hole {
			n := len(ring)
			if d := a.Distance2(b); d < best && lattice.InCone(b, ring[(i+n-1)%n], a, ring[(i+1)%n]) &&
				free(a, b, append(slices.Clone(p.Rings), ring)...) {
				best, from, to = d, i, k
			}
		}
	}
	if best == ^uint64(0) {
		return nil
	}
	out := slices.Clone(ring[:from+1])
	out = append(out, hole[to:]...)
	out = append(out, hole[:to+1]...)
	return append(out, ring[from:]...)
}

// free reports whether the segment from a to b meets the rings only at its ends.
func free(a, b lattice.Point, rings ...lattice.Ring) bool {
	for _, r := range rings {
		for i, c := range r {
			switch contact := lattice.SegmentContact(a, b, c, r[(i+1)%len(r)]); {
			case contact == lattice.Disjoint, contact == lattice.SharedEnd:
			default:
				return false
			}
		}
	}
	return true
}

// cellOf makes a cell of points.
func cellOf(points ...lattice.Point) plan.Cell {
	var c plan.Cell
	for _, p := range points {
		c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	return c
}

// bricks splits a box at random into boxes, removes some, and shears the rest for slanted sides, all in steps of scale
// units. The convex cells meet in many T-vertices, in one or more domains with holes, and are in the order of their
// splits.
func bricks(rng *rand.Rand, size, shear, scale int32) []plan.Cell {
	type box struct{ x0, y0, x1, y1 int32 }
	var split func(b box) []box
	split = func(b box) []box {
		w, h := b.x1-b.x0, b.y1-b.y0
		if rng.IntN(8) == 0 || w < 2 && h < 2 {
			if rng.IntN(6) == 0 {
				return nil
			}
			return []box{b}
		}
		if w > h {
			x := b.x0 + 1 + rng.Int32N(w-1)
			return append(split(box{b.x0, b.y0, x, b.y1}), split(box{x, b.y0, b.x1, b.y1})...)
		}
		y := b.y0 + 1 + rng.Int32N(h-1)
		return append(split(box{b.x0, b.y0, b.x1, y}), split(box{b.x0, y, b.x1, b.y1})...)
	}
	var cells []plan.Cell
	for _, b := range split(box{0, 0, size, size}) {
		at := func(x, y int32) lattice.Point { return lattice.Point{X: scale * (x + shear*y), Y: scale * y} }
		cells = append(cells, cellOf(at(b.x0, b.y0), at(b.x1, b.y0), at(b.x1, b.y1), at(b.x0, b.y1)))
	}
	return cells
}

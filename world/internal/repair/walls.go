package repair

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Walls without thickness.
//
// Idea: where an obstacle meets a wall of the base, the point is rounded, perhaps out of the region. Behind a wall without
// thickness, or beside the tip of a wedge, another region may have the same point, and the two would share a stretch of
// border without a portal. Points between two walls concern nobody else: they move into the region.
//
// Guarantees: cells stay convex and only shrink, by two units at most (TestWallsKeepOut).

// keepIn moves the points of cells that are between two walls and outside of the region.
func (c *Cutter) keepIn(r *Region) {
	for i := range c.out {
		cell := &c.out[i]
		for k := 0; k < len(cell.Ring); k++ {
			n := len(cell.Ring)
			if cell.Sides[k] != Wall || cell.Sides[(k+n-1)%n] != Wall || r.holds(cell.Ring[k]) || c.shared(cell.Ring[k]) {
				continue
			}
			if cell.without(k) {
				k--
			} else {
				cell.moveIn(k, r)
			}
		}
	}
}

// holds reports whether a point is in the region or on its border.
func (r *Region) holds(p lattice.Point) bool {
	for i, a := range r.Ring {
		if lattice.Orient(a, r.Ring[(i+1)%len(r.Ring)], p) < 0 {
			return false
		}
	}
	return true
}

// shared reports whether a point is a corner of several cells.
func (c *Cutter) shared(p lattice.Point) bool {
	n := 0
	for i := range c.out {
		for _, q := range c.out[i].Ring {
			if q == p {
				n++
			}
		}
	}
	return n > 1
}

// without takes a point off a cell if the cell loses no more than a unit.
func (c *Cell) without(k int) bool {
	n := len(c.Ring)
	before, after := c.Ring[(k+n-1)%n], c.Ring[(k+1)%n]
	if n == 3 || lattice.LineDistance2(c.Ring[k], before, after).CompareInt(1) > 0 {
		return false
	}
	c.Ring, c.Sides = slices.Delete(c.Ring, k, k+1), slices.Delete(c.Sides, k, k+1)
	return true
}

// moveIn moves a point of a cell by two units at most to the nearest place in the region that leaves the cell convex.
func (c *Cell) moveIn(k int, r *Region) {
	n := len(c.Ring)
	at := func(i int) lattice.Point { return c.Ring[(k+i+n)%n] }
	from, best, least := c.Ring[k], c.Ring[k], uint64(1<<63)
	for dx := int32(-2); dx <= 2; dx++ {
		for dy := int32(-2); dy <= 2; dy++ {
			p := lattice.Point{X: from.X + dx, Y: from.Y + dy}
			if d := from.Distance2(p); d >= least || d > 4 || !r.holds(p) || lattice.Ring(c.Ring).Locate(p) == lattice.Outside {
				continue
			}
			if n > 3 && (lattice.Orient(at(-2), at(-1), p) < 0 || lattice.Orient(p, at(1), at(2)) < 0) || lattice.Orient(at(-1), p, at(1)) <= 0 {
				continue
			}
			best, least = p, from.Distance2(p)
		}
	}
	c.Ring[k] = best
}

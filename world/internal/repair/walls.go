package repair

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Walls without thickness.
//
// Idea: where a footprint meets a wall of the base, the point is rounded, perhaps out of the region. Behind a wall without
// thickness, or beside the tip of a wedge, another region may have the same point, and the two would share a stretch of
// border without a portal. Points on walls concern cells of this region only: they move into the region, in all of these
// cells.
//
// Guarantees: cells stay convex, and their union only shrinks, by two units at most (TestWallsKeepOut).
//
// Degenerate cases: a point stays where a portal begins, where no place near leaves all cells convex, where an obstacle touches the wall
// between two cells, and where an inner side ends that no other cell has between the same points.

// keepIn moves the points of cells that are on walls and outside of the region.
func (c *Cutter) keepIn(r *Region) {
	for i := range c.out {
		cell := &c.out[i]
		for k := 0; k < len(cell.Ring); k++ {
			before, after := cell.Sides[(k+len(cell.Ring)-1)%len(cell.Ring)], cell.Sides[k]
			if before != Wall && after != Wall || r.holds(cell.Ring[k]) {
				continue
			}
			switch around := c.around(cell.Ring[k]); {
			case len(around) > 1:
				c.moveAll(around, r)
			case before != Wall || after != Wall:
			case cell.without(k):
				k--
			default:
				c.moveAll(around, r)
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

// cellCorner is a corner of a cell.
type cellCorner struct {
	*Cell
	k int
}

// at returns the point some corners further on.
func (c cellCorner) at(i int) lattice.Point { return c.Ring[(c.k+i+len(c.Ring))%len(c.Ring)] }

// around returns the corners of all cells at a point.
func (c *Cutter) around(p lattice.Point) (list []cellCorner) {
	for i := range c.out {
		if k := slices.Index(c.out[i].Ring, p); k >= 0 {
			list = append(list, cellCorner{&c.out[i], k})
		}
	}
	return list
}

// without takes a point off a cell if the cell loses no more than a unit, and not all of its area.
func (c *Cell) without(k int) bool {
	n := len(c.Ring)
	before, after := c.Ring[(k+n-1)%n], c.Ring[(k+1)%n]
	if n == 3 || lattice.LineDistance2(c.Ring[k], before, after).CompareInt(1) > 0 {
		return false
	}
	// The rest has an area if a corner of the rest is beside the chord.
	beside := func(p lattice.Point) bool { return lattice.Orient(before, p, after) != 0 }
	if !slices.ContainsFunc(c.Ring[:k], beside) && !slices.ContainsFunc(c.Ring[k+1:], beside) {
		return false
	}
	c.Ring, c.Sides = slices.Delete(c.Ring, k, k+1), slices.Delete(c.Sides, k, k+1)
	return true
}

// moveAll moves a point of some cells by two units at most to the nearest place in the region, and in a cell, that leaves
// all cells convex.
func (c *Cutter) moveAll(corners []cellCorner, r *Region) {
	walls := 0
	for _, o := range corners {
		for _, side := range [2]struct {
			label int32
			end   lattice.Point
		}{{o.Sides[o.k], o.at(1)}, {o.Sides[(o.k+len(o.Sides)-1)%len(o.Sides)], o.at(-1)}} {
			twin := func(other cellCorner) bool { return other.at(1) == side.end || other.at(-1) == side.end }
			known := 0
			if side.label == Wall {
				walls++
			}
			for _, other := range corners {
				if twin(other) {
					known++
				}
			}
			if side.label >= 0 || side.label == Inner && known != 2 {
				return
			}
		}
	}
	if walls != 2 {
		return // cells on both sides of an obstacle that only touches the wall
	}
	from := corners[0].at(0)
	best, least := from, uint64(1<<63)
	for dx := int32(-2); dx <= 2; dx++ {
		for dy := int32(-2); dy <= 2; dy++ {
			p := lattice.Point{X: from.X + dx, Y: from.Y + dy}
			if d := from.Distance2(p); d >= least || d > 4 || !r.holds(p) {
				continue
			}
			within := func(o cellCorner) bool { return lattice.Ring(o.Ring).Locate(p) != lattice.Outside }
			if !slices.ContainsFunc(corners, within) || slices.ContainsFunc(corners, func(o cellCorner) bool { return !o.convexWith(p) }) {
				continue
			}
			best, least = p, from.Distance2(p)
		}
	}
	for _, o := range corners {
		o.Ring[o.k] = best
	}
}

// convexWith reports whether the cell stays convex with its corner at p.
func (c cellCorner) convexWith(p lattice.Point) bool {
	return lattice.Orient(c.at(-1), p, c.at(1)) > 0 &&
		(len(c.Ring) == 3 || lattice.Orient(c.at(-2), c.at(-1), p) >= 0 && lattice.Orient(p, c.at(1), c.at(2)) >= 0)
}

package exact

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Covers cut obstacles under covers, in one overlay. Most obstacles over a partly covered triangle are remote: far from all covers.
// A remote obstacle stays whole, as over a triangle without covers, and the overlay is small.

// remote is the remote part of the obstacles over a partly covered triangle.
type remote struct {
	blocked []lattice.Ring
	walls   []upright
}

// parted divides the obstacles over a triangle into remote obstacles and the footprints of the others, given the footprints of faces. All
// obstacles are together in the overlay where their footprints may leave nothing free: one ring must then equal the free part, see
// [extraction.shut].
func parted(own lattice.Ring, covers, blocks []lattice.Ring, walls []upright) (far remote, near []lattice.Ring) {
	free := own.Area2()
	for _, c := range covers {
		free -= c.Area2()
	}
	for _, b := range blocks {
		free -= b.Area2()
	}
	slits := make([]lattice.Ring, len(walls))
	for i := range walls {
		slits[i] = walls[i].ring()
		free -= slits[i].Area2()
	}
	if free <= 0 {
		return far, append(blocks, joined(walls)...)
	}
	around := boxesAround(covers)
	for _, b := range blocks {
		if isRemote(b, covers, &around) {
			far.blocked = append(far.blocked, b)
		} else {
			near = append(near, b)
		}
	}
	var others []upright
	for i, w := range walls {
		if isRemote(slits[i], covers, &around) {
			far.walls = append(far.walls, w)
		} else {
			others = append(others, w)
		}
	}
	if len(blocks) > 0 && len(far.walls) > 0 {
		far.walls = outerWalls(far.walls, blocks)
	}
	return far, append(near, joined(others)...)
}

// boxesAround returns the boxes of covers, grown by remoteness.
func boxesAround(covers []lattice.Ring) boxList {
	boxes := make([]lattice.Box, len(covers))
	for k, c := range covers {
		boxes[k] = c.Box().Grown(remoteness)
	}
	return boxListOf(boxes)
}

// isRemote reports whether a convex ring is far from all covers, given the boxes around them. The answer no is possible for rings a little
// farther.
func isRemote(r lattice.Ring, covers []lattice.Ring, around *boxList) bool {
	return !around.any(r.Box(), func(k int32) bool {
		return !separated(covers[k], r, remoteness) && !separated(r, covers[k], remoteness)
	})
}

// separated reports whether all points of a ring are farther than some units on the right of an edge of a convex ring.
func separated(convex, r lattice.Ring, by float64) bool {
	a := convex[len(convex)-1]
	for _, b := range convex {
		least := by * a.Distance(b)
		if !slices.ContainsFunc(r, func(p lattice.Point) bool { return -float64(lattice.Orient(a, b, p)) <= least }) {
			return true
		}
		a = b
	}
	return false
}

// withoutHairlines returns the rings of obstacles beside covers, without their parts in hairlines between covers. Rounding opens such
// hairlines where covers touch. A wall beneath must not show there: the slit of the wall would cut the floors above. Obstacles far from
// all covers but one stay as they are.
func withoutHairlines(beside []lattice.Polygon, covers []lattice.Ring) ([]lattice.Ring, error) {
	var clear, pieces []lattice.Ring
	among, around := make([]bool, len(covers)), boxesAround(covers)
	var near []int32
	for _, p := range beside {
		near = around.overlapping(near[:0], p.Box())
		near = slices.DeleteFunc(near, func(k int32) bool { return separated(covers[k], p.Rings[0], remoteness) })
		if len(near) < 2 {
			clear = append(clear, p.Rings...)
			continue
		}
		pieces = append(pieces, p.Rings...)
		for _, k := range near {
			among[k] = true
		}
	}
	if len(pieces) == 0 {
		return clear, nil
	}
	var sides []lattice.Ring
	for k, c := range covers {
		if among[k] {
			sides = append(sides, c)
		}
	}
	closed, err := overlay.Union(sides)
	for _, by := range [2]float64{touching, -touching} {
		if err == nil {
			closed, err = overlay.Offset{Distance: by, Join: overlay.Mitre}.Polygons(closed)
		}
	}
	if err != nil {
		return nil, err
	}
	left, err := overlay.Difference(pieces, ringsOf(closed))
	return append(clear, ringsOf(slices.DeleteFunc(left, crumb))...), err
}

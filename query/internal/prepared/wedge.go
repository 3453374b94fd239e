package prepared

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// wedge is the blocked angle at a corner: counter-clockwise from one wall to the other, less than half a turn. Both
// directions are zero for an unknown wedge.
type wedge struct{ from, to index.Direction }

// Hides reports whether no shortest path that leaves the corner in a direction has turned around the corner. The ground
// straight before the corner is then blocked; the path comes from beside, and a way that cuts the corner is shorter.
func (w wedge) Hides(away index.Direction) bool {
	back := away.Back()
	return index.Cross(w.from, back) > 0 && index.Cross(back, w.to) > 0
}

// bends reports whether a shortest way that comes to the corner in one direction may go on in another.
func (w wedge) bends(in, out index.Direction) bool {
	turn := index.Cross(in, out)
	if turn == 0 || w == (wedge{}) {
		return true
	}
	if turn > 0 {
		return index.Cross(out, w.from) >= 0
	}
	return index.Cross(out, w.to) <= 0
}

// Along reports whether a direction is along a wall of the wedge, forwards or backwards.
func (w wedge) Along(d index.Direction) bool {
	return index.Cross(w.from, d) == 0 || index.Cross(w.to, d) == 0
}

// wedgeAt returns the wedge at a corner with the given regions around it. The walls are borders of the regions without
// another of the regions behind.
func wedgeAt(ix *index.Index, regions []uint32, at lattice.Point) (w wedge) {
	var begin, end []index.Direction // of the regions, counter-clockwise around the corner
	for _, r := range regions {
		ring := ix.Ring(r)
		for i := range ring {
			from, to := ring[i].Point, ring[(i+1)%len(ring)].Point
			if from == at || to != at && lattice.OnSegment(at, from, to) {
				begin = append(begin, index.Towards(at, to))
			}
			if to == at || from != at && lattice.OnSegment(at, from, to) {
				end = append(end, index.Towards(at, from))
			}
		}
	}
	open := func(list, others []index.Direction) (alone index.Direction, count int) {
		for _, d := range list {
			if !slices.ContainsFunc(others, func(o index.Direction) bool {
				return index.Cross(d, o) == 0 && (d.X > 0) == (o.X > 0) && (d.Y > 0) == (o.Y > 0)
			}) {
				alone = d
				count++
			}
		}
		return alone, count
	}
	to, n := open(begin, end)
	from, m := open(end, begin)
	if n != 1 || m != 1 || index.Cross(from, to) <= 0 {
		return wedge{}
	}
	return wedge{from, to}
}

package query

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// trailTo fills q.ray.trail with the regions from the first region to the region at index i of q.spread.
func (q *Query) trailTo(i int) {
	s := &q.spread
	q.ray.Trail = q.ray.Trail[:0]
	for k := int32(i); k != index.None; k = s.From[k] {
		q.ray.Trail = append(q.ray.Trail, s.Regions[k])
	}
	slices.Reverse(q.ray.Trail)
}

// Move is the result of [Query.MoveAlongSurface]. Regions belongs to the Query and is valid until the next question to
// the Query.
type Move struct {
	End     Position      // the final place of the mover, on the floor unless Query.Flat is set
	Arrived bool          // End is below or above the target
	Regions []navmesh.Ref // the regions on the way, in order
}

// MoveAlongSurface moves from a position towards the point below or above a target, stays on the mesh and slides along
// walls. A free straight way is taken, see [Query.Raycast]. Otherwise the end is the place nearest to the target, seen
// from above, in the regions reachable through portals that meet a disc. The disc's centre is the middle between
// position and target, rounded down to the lattice, and its border goes through the farther of both. Of equally near
// places the place behind the fewest portals wins. The end is a lattice point, and is never farther from the target
// than the position is.
//
// The method is meant for steps of a mover, a few metres at most; moves do not go around obstacles that stick out of
// the disc. Errors are as for Raycast. Time O(m) for the m corners and portals of the regions that the disc meets.
// Nothing is allocated after the first few answers.
func (q *Query) MoveAlongSurface(from Position, to geom.Vec) (Move, error) {
	q = q.ready()
	ix := q.ix
	start, err := stand(ix, from)
	if err != nil {
		return Move{}, err
	}
	target, err := ix.Aim(to)
	if err != nil {
		return Move{}, err
	}
	if stop := q.ray.Cast(q.ix, start, target); !stop.Hit {
		last := q.ray.Trail[len(q.ray.Trail)-1]
		return Move{q.endOf(start, last, target), true, q.refs(q.ray.Trail)}, nil
	}
	middle := lattice.Point{X: int32((int64(start.At.X) + int64(target.X)) >> 1), Y: int32((int64(start.At.Y) + int64(target.Y)) >> 1)}
	q.spread.Over(q.ix, start.Region, middle, max(middle.Distance2(start.At), middle.Distance2(target)))
	end, index := start.At, 0
	best := target.Distance2(start.At)
	for i, r := range q.spread.Regions {
		at := ix.NearestIn(r, float64(target.X), float64(target.Y))
		if d := target.Distance2(at); d < best {
			best, end, index = d, at, i
		}
	}
	q.trailTo(index)
	at := position(ix, start)
	if end != start.At || index != 0 {
		at = q.endOf(start, q.spread.Regions[index], end)
	}
	return Move{at, best == 0, q.refs(q.ray.Trail)}, nil
}

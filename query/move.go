package query

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// spread is a set of regions reached from a first region, in order. Each region has the list index of its predecessor.
type spread struct {
	regions []uint32
	from    []int32
	marks   []uint32 // the stamp of the last search that reached a region
	stamp   uint32
}

// begin resets the set to region r.
func (s *spread) begin(regions int, r uint32) {
	s.stamp++
	if len(s.marks) != regions || s.stamp == 0 {
		s.marks = make([]uint32, regions)
		s.stamp = 1
	}
	s.regions, s.from = s.regions[:0], s.from[:0]
	s.add(r, none)
}

// add appends a region unless the set contains the region.
func (s *spread) add(r uint32, from int32) {
	if s.marks[r] != s.stamp {
		s.marks[r] = s.stamp
		s.regions, s.from = append(s.regions, r), append(s.from, from)
	}
}

// over finds the regions that can be reached from r through portals that meet a disc, given by its centre and
// squared radius, regions behind fewer portals first.
func (s *spread) over(ix *geometry, r uint32, centre lattice.Point, radius2 uint64) {
	s.begin(len(ix.regions), r)
	for i := 0; i < len(s.regions); i++ {
		reg := &ix.regions[s.regions[i]]
		for k := reg.firstPortal; k < reg.endPortal; k++ {
			p := &ix.portals[k]
			if s.marks[p.to] != s.stamp && lattice.SegmentDistance2(centre, p.left, p.right).CompareInt(radius2) <= 0 {
				s.add(p.to, int32(i))
			}
		}
	}
}

// trailTo fills q.ray.trail with the regions from the first region to the region at index i of q.spread.
func (q *Query) trailTo(i int) {
	s := &q.spread
	q.ray.trail = q.ray.trail[:0]
	for k := int32(i); k != none; k = s.from[k] {
		q.ray.trail = append(q.ray.trail, s.regions[k])
	}
	slices.Reverse(q.ray.trail)
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
	target, err := ix.aim(to)
	if err != nil {
		return Move{}, err
	}
	if stop := q.ray.cast(q.ix, start, target); !stop.hit {
		last := q.ray.trail[len(q.ray.trail)-1]
		return Move{q.endOf(start, last, target), true, q.refs(q.ray.trail)}, nil
	}
	middle := lattice.Point{X: int32((int64(start.at.X) + int64(target.X)) >> 1), Y: int32((int64(start.at.Y) + int64(target.Y)) >> 1)}
	q.spread.over(q.ix, start.region, middle, max(middle.Distance2(start.at), middle.Distance2(target)))
	end, index := start.at, 0
	best := target.Distance2(start.at)
	for i, r := range q.spread.regions {
		at := ix.nearestIn(r, float64(target.X), float64(target.Y))
		if d := target.Distance2(at); d < best {
			best, end, index = d, at, i
		}
	}
	q.trailTo(index)
	at := position(ix, start)
	if end != start.at || index != 0 {
		at = q.endOf(start, q.spread.regions[index], end)
	}
	return Move{at, best == 0, q.refs(q.ray.trail)}, nil
}

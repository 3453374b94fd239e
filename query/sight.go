package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// sight is what is seen from a place: the views of a single root, and the corners.
type sight struct {
	at    lattice.Point
	from  []uint32 // the regions of the place
	heap  waiting  // views by the least length of a way through them to the goal
	views []view
	seen  []seenCorner
	marks []uint32 // of the corners, the stamp of the last look that saw them
	stamp uint32

	goal       lattice.Point
	goals      []uint32 // the numbers of the regions of the goal, see region.branch
	goalIn     []uint32 // these regions
	direct     bool     // the goal has been seen
	limit      float64  // what is not shorter does not matter
	everywhere bool     // there is no goal
}

// seenCorner is a corner that is in sight.
type seenCorner struct {
	turn     int32
	distance float64
}

// begin forgets the look before and starts one from a place.
func (s *sight) begin(ix *Index, from place) {
	s.stamp++
	if len(s.marks) != ix.turns || s.stamp == 0 {
		s.marks = make([]uint32, ix.turns)
		s.stamp = 1
	}
	s.heap.reset()
	s.at, s.from = from.at, ix.regionsAround(s.from[:0], from)
	s.views, s.seen, s.goals, s.goalIn = s.views[:0], s.seen[:0], s.goals[:0], s.goalIn[:0]
	s.direct, s.everywhere, s.limit = false, false, math.Inf(1)
}

// aim says that only what can be on a way to a place in some regions matters.
func (s *sight) aim(ix *Index, goal lattice.Point, in []uint32) {
	s.goal, s.goalIn = goal, append(s.goalIn, in...)
	for _, r := range in {
		s.goals = append(s.goals, ix.regions[r].branch)
	}
}

// leads reports whether a portal can be on a way to the goal.
func (s *sight) leads(p *portal) bool {
	for _, n := range s.goals {
		if p.leads(n) {
			return true
		}
	}
	return s.everywhere
}

// lookAround makes the views into the regions of the place. Corners are appended to s.seen.
func (s *sight) lookAround(ix *Index) {
	for _, r := range s.from {
		for k := ix.regions[r].firstPortal; k < ix.regions[r].endPortal; k++ {
			p := &ix.portals[k]
			if !s.leads(p) || lattice.OnSegment(s.at, p.left, p.right) {
				continue // what is behind is around the place itself
			}
			left, right := towards(s.at, p.left), towards(s.at, p.right)
			if cross(right, left) > 0 {
				s.look(p, view{left, right, k, 0, none}, true, true)
			} else {
				s.lookAlong(p, left, right)
			}
		}
	}
}

// look adds a view, and its ends where they have just come into sight.
func (s *sight) look(p *portal, v view, newLeft, newRight bool) {
	if newLeft {
		s.see(p.leftTurn, v.left)
	}
	if newRight {
		s.see(p.rightTurn, v.right)
	}
	key := 0.0
	if !s.everywhere {
		if key = p.estimate(&v, s.at, s.goal); key >= s.limit {
			return
		}
	}
	s.heap.add(key, int32(len(s.views)))
	s.views = append(s.views, v)
}

// lookAlong sees the nearer end of a portal that is seen edge-on.
func (s *sight) lookAlong(p *portal, left, right direction) {
	if left.norm() < right.norm() {
		s.see(p.leftTurn, left)
	} else {
		s.see(p.rightTurn, right)
	}
}

// see notes a corner.
func (s *sight) see(turn int32, way direction) {
	if turn != noTurn && s.marks[turn] != s.stamp {
		s.marks[turn] = s.stamp
		s.seen = append(s.seen, seenCorner{turn, way.norm()})
	}
}

// expand makes the views behind a view, see [Query.expand].
func (s *sight) expand(ix *Index, i int32) {
	v := s.views[i]
	entry := &ix.portals[v.portal]
	if slices.Contains(s.goalIn, entry.to) {
		if way := towards(s.at, s.goal); cross(v.right, way) >= 0 && cross(way, v.left) >= 0 {
			s.direct = true
			return
		}
	}
	r := &ix.regions[entry.to]
	for k := r.firstPortal; k < r.endPortal; k++ {
		p := &ix.portals[k]
		if k == entry.back || !s.leads(p) {
			continue
		}
		left, right := towards(s.at, p.left), towards(s.at, p.right)
		overRight, overLeft := cross(v.right, left), cross(right, v.left)
		if overRight < 0 || overLeft < 0 {
			continue
		}
		facing := cross(right, left)
		if facing <= 0 {
			if facing == 0 && cross(v.right, right) >= 0 {
				s.lookAlong(p, left, right)
			}
			continue
		}
		newLeft, newRight := cross(v.left, left) <= 0, cross(v.right, right) >= 0
		if !newLeft {
			left = v.left
		}
		if !newRight {
			right = v.right
		}
		if overRight > 0 && overLeft > 0 {
			s.look(p, view{left, right, k, 0, i}, newLeft, newRight)
		}
	}
}

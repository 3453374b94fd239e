package prepared

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// sight is the visible surroundings of a corner: the views of a single root, and the visible corners.
type sight struct {
	at    lattice.Point
	from  []uint32 // the regions of the corner
	views []glance
	seen  []seenCorner
	marks []uint32 // per corner, the stamp of the last look that saw the corner
	stamp uint32

	// Of a look for ways to another place: the branch of its region, see index.Region.Branch, or a mask of zero,
	to           lattice.Point
	toward, mask uint32
	next         int      // the first view that is not expanded nor put off
	later        []putOff // views without ways shorter than the look's bound
}

// putOff is a view with a lower bound of the ways through the view.
type putOff struct {
	least float64
	view  int32
}

// glance is the part of a portal that a corner sees, between two directions.
type glance struct {
	left, right index.Direction // right to left by less than half a turn
	portal      uint32
	before      int32 // the previous glance on the way here, or none
}

// seenCorner is a visible corner, in a region behind the view through, or in a region of from if through is none.
type seenCorner struct {
	turn, through int32
	in            uint32
	distance      float64
}

// look replaces the previous look by a look from a place.
func (s *sight) look(ix *index.Index, from index.Place) {
	s.mask = 0
	s.begin(ix, from)
	for i := 0; i < len(s.views) && len(s.views) <= ix.Most; i++ {
		s.expand(ix, int32(i))
	}
}

// lookFor replaces the previous look by the beginning of a look for ways to another place, see widen. A mask of zero stands for any
// branch.
func (s *sight) lookFor(ix *index.Index, from index.Place, to lattice.Point, toward, mask uint32) {
	s.to, s.toward, s.mask = to, toward, mask
	s.next, s.later = 0, s.later[:0]
	s.begin(ix, from)
}

// widen goes on with a look, through all views with ways shorter than most to the other place.
func (s *sight) widen(ix *index.Index, most float64) {
	later := s.later[:0]
	for _, v := range s.later {
		if v.least < most {
			s.expand(ix, v.view)
		} else {
			later = append(later, v)
		}
	}
	s.later = later
	straight := index.Towards(s.at, s.to)
	for ; s.next < len(s.views) && len(s.views) <= ix.Most; s.next++ {
		v := &s.views[s.next]
		if index.Cross(v.right, straight) >= 0 && index.Cross(straight, v.left) >= 0 {
			s.expand(ix, int32(s.next)) // the straight way leads through the view
		} else if least := ix.Portal(v.portal).Least(s.at, v.left, v.right, s.to); least < most {
			s.expand(ix, int32(s.next))
		} else {
			s.later = append(s.later, putOff{least, int32(s.next)})
		}
	}
}

// leads reports whether portal p can be on a way to the other place.
func (s *sight) leads(p *index.Portal) bool { return (s.toward-p.Behind)&s.mask < p.BehindCount }

// begin makes the views into the regions around a place.
func (s *sight) begin(ix *index.Index, from index.Place) {
	s.stamp++
	if len(s.marks) != ix.Turns || s.stamp == 0 {
		s.marks = make([]uint32, ix.Turns)
		s.stamp = 1
	}
	s.at, s.from = from.At, ix.RegionsAround(s.from[:0], from)
	s.views, s.seen = s.views[:0], s.seen[:0]
	for _, r := range s.from {
		for k := ix.Region(r).FirstPortal; k < ix.Region(r).EndPortal; k++ {
			p := ix.Portal(k)
			if !s.leads(p) || lattice.OnSegment(s.at, p.Left, p.Right) {
				continue // the regions behind are around the place itself
			}
			left, right := index.Towards(s.at, p.Left), index.Towards(s.at, p.Right)
			if index.Cross(right, left) > 0 {
				s.add(p, glance{left, right, k, index.None}, r, true, true)
			} else {
				s.lookAlong(p, index.None, r, left, right)
			}
		}
	}
}

// add adds a view from region r, and the portal ends that have just come into sight.
func (s *sight) add(p *index.Portal, v glance, r uint32, newLeft, newRight bool) {
	if newLeft {
		s.see(p.LeftTurn, v.before, r, v.left)
	}
	if newRight {
		s.see(p.RightTurn, v.before, r, v.right)
	}
	s.views = append(s.views, v)
}

// lookAlong sees the nearer end of an edge-on portal.
func (s *sight) lookAlong(p *index.Portal, through int32, r uint32, left, right index.Direction) {
	if left.Norm() < right.Norm() {
		s.see(p.LeftTurn, through, r, left)
	} else {
		s.see(p.RightTurn, through, r, right)
	}
}

// see records a corner.
func (s *sight) see(turn, through int32, r uint32, way index.Direction) {
	if turn != index.NoTurn && s.marks[turn] != s.stamp {
		s.marks[turn] = s.stamp
		s.seen = append(s.seen, seenCorner{turn, through, r, way.Norm()})
	}
}

// expand makes the views behind a view, as the exact search does.
func (s *sight) expand(ix *index.Index, i int32) {
	v := s.views[i]
	entry := ix.Portal(v.portal)
	r := ix.Region(entry.To)
	portals := ix.PortalsOf(r)
	for j := range portals {
		p, k := &portals[j], r.FirstPortal+uint32(j)
		if k == entry.Back || !s.leads(p) {
			continue
		}
		left := index.Towards(s.at, p.Left)
		overRight := index.Cross(v.right, left)
		if overRight < 0 {
			continue
		}
		right := index.Towards(s.at, p.Right)
		overLeft := index.Cross(right, v.left)
		if overLeft < 0 {
			continue
		}
		facing := index.Cross(right, left)
		if facing <= 0 {
			if facing == 0 && index.Cross(v.right, right) >= 0 {
				s.lookAlong(p, i, entry.To, left, right)
			}
			continue
		}
		newLeft, newRight := index.Cross(v.left, left) <= 0, index.Cross(v.right, right) >= 0
		if !newLeft {
			left = v.left
		}
		if !newRight {
			right = v.right
		}
		if overRight > 0 && overLeft > 0 {
			s.add(p, glance{left, right, k, i}, entry.To, newLeft, newRight)
		}
	}
}

// crossed appends the portals on the way from the corner through a view.
func (s *sight) crossed(list []uint32, through int32) []uint32 {
	begin := len(list)
	for i := through; i != index.None; i = s.views[i].before {
		list = append(list, s.views[i].portal)
	}
	slices.Reverse(list[begin:])
	return list
}

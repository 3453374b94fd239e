package erode

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Where two layers meet along a line that passes few lattice points, each layer has its own rounded vertices. The gap
// between them may be a crack of a unit with a wall on either side. In the original mesh the crack closes this place
// only. A wider agent, however, would find an obstacle of its own width in the middle of the floor. Hence walls of two
// layers become portals if they lead from one common vertex to another. The gap may be at most a unit wide, and the
// difference in height at most a step. Real obstacles are two units wide and have ends of their own: see
// TestCracksAreHealed and TestThinWallsStay.

// crack is the maximum distance, in units, of two walls that rounding has made of a seam.
const crack = 1

// piece is a part of a wall that becomes a portal, with the wall on the other side.
type piece struct {
	wall, other int32
	a, b        lattice.Point
}

// heal makes portals of walls with a crack between them. climb is in lattice units.
func (s *surface) heal(climb float64) {
	next, before := s.around()
	ending := map[lattice.Point][]int32{} // walls by their ends, looked up only
	for i := range s.items {
		if s.wall(int32(i)) {
			ending[s.items[i].b] = append(ending[s.items[i].b], int32(i))
		}
	}
	pieces := make([][]piece, len(s.items)) // of every wall
	healed := false
	for i := range s.items {
		i := int32(i)
		if !s.wall(i) || len(pieces[i]) > 0 {
			continue
		}
		for _, o := range ending[s.items[i].a] {
			if s.regions[s.items[o].region].layer == s.regions[s.items[i].region].layer || len(pieces[o]) > 0 {
				continue
			}
			for _, p := range s.zip(i, o, next, before, pieces, climb) {
				pieces[p.wall] = append(pieces[p.wall], p)
				pieces[p.other] = append(pieces[p.other], piece{p.other, p.wall, p.b, p.a})
				healed = true
			}
			if len(pieces[i]) > 0 {
				break
			}
		}
	}
	if healed {
		s.replace(pieces)
	}
}

// around returns for every wall the next and the previous wall around the floor.
func (s *surface) around() (next, before []int32) {
	next, before = make([]int32, len(s.items)), make([]int32, len(s.items))
	for i := range s.items {
		if !s.wall(int32(i)) {
			continue
		}
		k := s.after(int32(i))
		for !s.wall(k) {
			k = s.after(s.items[k].back)
		}
		next[i], before[k] = k, int32(i)
	}
	return next, before
}

// zip follows two walls, from the start of one and the end of the other, and returns the pieces up to the last common
// vertex. zip ends at walls whose pieces are already taken.
func (s *surface) zip(i, o int32, next, before []int32, taken [][]piece, climb float64) (done []piece) {
	const longest = 1 << 12
	var open []piece
	at := s.items[i].a
	for range longest {
		w, v := &s.items[i], &s.items[o]
		if s.regions[w.region].layer == s.regions[v.region].layer || len(taken[i]) > 0 || len(taken[o]) > 0 {
			return done
		}
		p := piece{i, o, at, w.b}
		switch near := w.b.Distance2(at) <= v.a.Distance2(at); {
		case w.b == v.a:
		case near && beside(w.b, at, v.a):
		case !near && beside(v.a, at, w.b):
			p.b = v.a
		default:
			return done
		}
		if p.a == p.b || s.step(&p) > climb {
			return done
		}
		open = append(open, p)
		at = p.b
		ends := [2]bool{at == w.b, at == v.a}
		if ends[0] && ends[1] {
			done = append(done, open...)
			open = open[:0]
		}
		if ends[0] {
			i = next[i]
		}
		if ends[1] {
			o = before[o]
		}
		if n := len(done); n > 0 && (i == done[n-1].other || o == done[n-1].wall || i == done[0].wall || o == done[0].other) {
			return done // at the end of the crack, where the walls lead back, or all around
		}
	}
	return done
}

// beside reports whether p is within a crack of the inside of a segment.
func beside(p, a, b lattice.Point) bool {
	return p != a && p != b && lattice.Dot(a, b, p) > 0 && lattice.SegmentDistance2(p, a, b).CompareInt(crack*crack) <= 0
}

// step returns the difference in height of the floors beside a piece.
func (s *surface) step(p *piece) float64 {
	r, o := s.items[p.wall].region, s.items[p.other].region
	return max(math.Abs(s.height(r, p.a)-s.height(o, p.a)), math.Abs(s.height(r, p.b)-s.height(o, p.b)))
}

// replace replaces walls by their pieces.
func (s *surface) replace(pieces [][]piece) {
	type name struct {
		region int32
		segment
	}
	number := make([]int32, len(s.items))
	var items []item
	at := map[name]int32{} // of the pieces, looked up only
	for r := range s.regions {
		reg := &s.regions[r]
		from := int32(len(items))
		for i := reg.from; i < reg.end; i++ {
			number[i] = int32(len(items))
			list := pieces[i]
			if len(list) == 0 {
				items = append(items, s.items[i])
				continue
			}
			// For a wall followed against its direction the last piece comes first.
			for k := range list {
				p := list[k]
				if list[0].a != s.items[i].a {
					p = list[len(list)-1-k]
				}
				at[name{int32(r), segment{p.a, p.b}}] = int32(len(items))
				items = append(items, item{segment{p.a, p.b}, int32(r), s.items[p.other].region, none})
			}
		}
		reg.from, reg.end, reg.outline = from, int32(len(items)), nil
		for _, k := range items[from:] {
			reg.outline = append(reg.outline, k.a)
		}
	}
	for i := range items {
		k := &items[i]
		switch {
		case k.to >= 0 && k.back < 0:
			k.back = at[name{k.to, segment{k.b, k.a}}]
		case k.to >= 0:
			k.back = number[k.back]
		}
	}
	s.items = items
}

// splinter is the maximum width, in units, of a dead end that rounding has left of a floor beside a seam: 6 mm.
const splinter = 24

// prune repeatedly removes regions that are splinters with a single portal. Splinters lie beside or over the floor of
// the layer beyond a seam, and their walls would be in the middle of that floor. The result reports any removal.
func (s *surface) prune() (any bool) {
	for again := true; again; {
		again = false
		for i := range s.regions {
			r := &s.regions[i]
			if r.from == r.end || !r.isThin() {
				continue
			}
			portal, portals := item{}, 0
			for _, k := range s.items[r.from:r.end] {
				if k.to >= 0 {
					portal, portals = k, portals+1
				}
			}
			if portals == 1 {
				back := &s.items[portal.back]
				back.to, back.back = none, none
				for k := range s.items[r.from:r.end] {
					s.items[int(r.from)+k].to = gone
				}
				r.end, r.outline, again, any = r.from, nil, true, true
			}
		}
	}
	return any
}

// isThin reports whether a region is at most as wide as a splinter.
func (r *region) isThin() bool {
	longest := 0.0
	for i, p := range r.ring {
		for _, q := range r.ring[:i] {
			longest = max(longest, p.Distance(q))
		}
	}
	return float64(lattice.Ring(r.ring).Area2()) <= splinter*longest
}

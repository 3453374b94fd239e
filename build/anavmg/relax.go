package anavmg

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// relax thins out strings of notches. It moves the border into the free space, by at most the root of limit
// in lattice units: the prolongations of the two edges beside a run of walls, up to where they meet, replace
// the run. A round pillar becomes a polygon with fewer corners around it, and the notches at the ends of the
// prolongations are gone.
//
// It is the algorithm of Ramer, Douglas and Peucker with lines in place of points: it keeps edges
// where theirs keeps vertices, and divides at the edge whose line cuts off most where theirs divides
// at the farthest vertex.
func (w *work) relax(limit uint64) {
	t := &thinner{work: w, limit: limit, place: make([]int32, len(w.P)), seen: map[int32]bool{}}
	for i, v := range w.Corner {
		t.place[v] = int32(i)
	}
	w.rings(func(r ring) {
		t.ring = r
		r.strings(w, t.thin)
	})
}

// thinner thins out the strings of notches of one ring after the other.
type thinner struct {
	*work
	limit uint64  // the square of the greatest distance that the border may move
	place []int32 // of every vertex, the number of the wall that starts there
	ring
	seen map[int32]bool
	todo []int32
}

// point returns the vertex at point i of the ring.
func (s *thinner) point(i int32) int32 { return s.Corner[s.ring.wall(i)] }

// thin relaxes the string of notches between the walls at i and j, i ≤ j, which stay.
func (s *thinner) thin(i, j int32) {
	if j-i < 2 {
		return
	}
	p, m := s.meet(i, j)
	if m == 0 {
		if in, empty := s.empty(i, j, p); empty {
			s.move(i, j, p, in)
			return
		}
		m = (i + j) / 2
	}
	s.thin(i, m)
	s.thin(m, j)
}

// meet returns a lattice point where the prolongations of the walls at i and j may meet, or the wall m
// between them at which to divide the string.
func (s *thinner) meet(i, j int32) (p lattice.Point, m int32) {
	a, b := s.P[s.point(i)], s.P[s.point(i+1)]
	c, d := s.P[s.point(j)], s.P[s.point(j+1)]
	di := s.vector(s.point(i), s.point(i+1))
	for k := i + 1; k < j; k++ {
		if s.Walls[s.ring.wall(k)].Chain != plan.Wall || s.half(s.point(k), s.point(k+1)) < 0 {
			return p, k
		}
	}
	// Less than 180° from i to j, and enough that the lines meet near the string.
	for k := i + 1; k <= j; k++ {
		if cross(di, s.vector(s.point(k), s.point(k+1))) >= 0 {
			return p, (i + j) / 2
		}
	}
	p, ok := lattice.LineIntersection(a, b, c, d)
	if !ok {
		return p, (i + j) / 2
	}
	most, cut := -1.0, (i+j)/2
	for k := i + 1; k < j; k++ {
		x, y := s.vector(s.point(k), s.point(k+1)).float()
		off := float64(lattice.Orient(s.P[s.point(k)], s.P[s.point(k+1)], p))
		if off = off / math.Sqrt(float64(x*x)+float64(y*y)); off > most {
			most, cut = off, k
		}
	}
	// The meeting point is rounded into the free space, to the left of all walls of the string.
	around := p
	var best uint64
	found := false
	for dx := int32(-2); dx <= 2; dx++ {
		for dy := int32(-2); dy <= 2; dy++ {
			q := lattice.Point{X: around.X + dx, Y: around.Y + dy}
			if lattice.Orient(a, b, q) < 0 || lattice.Orient(c, d, q) < 0 {
				continue
			}
			if d2, ok := s.near(i, j, q); ok && (!found || d2 < best) {
				p, best, found = q, d2, true
			}
		}
	}
	if !found {
		return p, cut
	}
	return p, 0
}

// near tells whether q is in front of all walls between i and j and within the distance of one.
// d2 is the squared distance to the nearest end of one, to compare points with.
func (s *thinner) near(i, j int32, q lattice.Point) (d2 uint64, ok bool) {
	d2 = math.MaxUint64
	for k := i + 1; k < j; k++ {
		u, v := s.P[s.point(k)], s.P[s.point(k+1)]
		if lattice.Orient(u, v, q) <= 0 {
			return 0, false
		}
		d2 = min(d2, q.Distance2(u), q.Distance2(v))
		ok = ok || lattice.SegmentDistance2(q, u, v).CompareInt(s.limit) <= 0
	}
	return d2, ok
}

// half returns the half-edge from vertex u to vertex v with the domain inside of it, or -1.
func (w *work) half(u, v int32) int32 {
	for e, first := w.Edge[u], true; first || e != w.Edge[u]; e, first = w.CCW(e), false {
		if w.Head(e) == v && w.H[e].Mark != cdt.Free && w.Inside[e/3] {
			return e
		}
	}
	return -1
}

// empty tells whether the space that the border would pass, the triangle from the end of wall i over p to the
// start of wall j without the obstacle, holds nothing but the string. in is a triangle of the space with p in
// it.
func (s *thinner) empty(i, j int32, p lattice.Point) (in int32, ok bool) {
	t := [3]lattice.Point{s.P[s.point(i+1)], s.P[s.point(j)], p}
	if lattice.Orient(t[0], t[1], t[2]) <= 0 {
		return 0, false
	}
	clear(s.seen)
	in = -1
	begin := s.half(s.point(i+1), s.point(i+2)) / 3
	s.seen[begin] = true
	s.todo = append(s.todo[:0], begin)
	for len(s.todo) > 0 {
		f := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		contains := true
		for e := 3 * f; e < 3*f+3; e++ {
			u, v := s.H[e].V, s.Head(e)
			pu, pv := s.P[u], s.P[v]
			contains = contains && lattice.Orient(pu, pv, p) >= 0
			if holds(t, pu) && !s.between(i, j, u) {
				return 0, false
			}
			if s.H[e].Mark != cdt.Free {
				// A wall through the triangle leaves p out of reach, on its other side.
				if lattice.OnSegment(p, pu, pv) {
					return 0, false
				}
				continue
			}
			if g := s.H[e].Opp / 3; passes(t, pu, pv) && !s.seen[g] {
				s.seen[g] = true
				s.todo = append(s.todo, g)
			}
		}
		if contains {
			in = 3 * f
		}
	}
	return in, in >= 0
}

// between tells whether v is one of the points from i+1 to j.
func (s *thinner) between(i, j, v int32) bool {
	if v >= s.firstNew {
		return false
	}
	at := s.place[v] - s.first
	return at >= 0 && at < s.n && s.Corner[s.place[v]] == v && (at+2*s.n-i%s.n-1)%s.n < j-i
}

// holds tells whether p is in the closed counter-clockwise triangle t.
func holds(t [3]lattice.Point, p lattice.Point) bool {
	return lattice.Orient(t[0], t[1], p) >= 0 && lattice.Orient(t[1], t[2], p) >= 0 && lattice.Orient(t[2], t[0], p) >= 0
}

// passes reports whether the segment from p to q passes through the open counter-clockwise triangle t: no
// side of either separates them.
func passes(t [3]lattice.Point, p, q lattice.Point) bool {
	left, right := false, false
	for k := range t {
		u, v := t[k], t[(k+1)%3]
		if lattice.Orient(u, v, p) <= 0 && lattice.Orient(u, v, q) <= 0 {
			return false
		}
		o := lattice.Orient(p, q, u)
		left, right = left || o > 0, right || o < 0
	}
	return left && right
}

// move makes the border run from the end of wall i over p to the start of wall j.
func (s *thinner) move(i, j int32, p lattice.Point, in int32) {
	b, c := s.point(i+1), s.point(j)
	v := s.Insert(in, p)
	s.constructed = append(s.constructed, plan.NoEdge)
	s.added = append(s.added, v)
	for _, w := range [...]cdt.Wall{{From: b, To: v}, {From: v, To: c}} {
		w.EdgeID, w.Chain = plan.NoEdge, plan.Wall
		// Nothing is in the way, see empty.
		s.Connect(w.From, w.To, int32(len(s.Walls)))
		s.Walls = append(s.Walls, w)
	}
	// The space between the old border and the new is outside now.
	s.todo = append(s.todo[:0], s.half(b, s.point(i+2))/3)
	for len(s.todo) > 0 {
		f := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.Inside[f] = false
		for _, h := range s.H[3*f : 3*f+3] {
			if h.Mark == cdt.Free && s.Inside[h.Opp/3] {
				s.todo = append(s.todo, h.Opp/3)
			}
		}
	}
	for k := i + 1; k < j; k++ {
		u, v := s.point(k), s.point(k+1)
		for e := s.Edge[u]; ; e = s.CCW(e) {
			if s.Head(e) == v {
				s.Release(e)
				break
			}
		}
		if k > i+1 {
			s.passed[u] = true
			s.counts["passed"]++
		}
	}
}

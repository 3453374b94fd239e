package anavmg

import (
	"github.com/meadow-nav/meadow/internal/cdt"
)

// search finds the closest thing in the area of interest of a notch. It visits the triangles in the notch's
// view, nearest first.
type search struct {
	queue []sight
	best  found
}

// sight is an edge that the notch sees: constrained, or open to the view behind.
type sight struct {
	d2 float64 // squared distance from the notch to the nearest point of the edge that it sees
	t  float64 // where that point is: 0 at the start of the edge, 1 at its end
	// half is the half-edge on the notch's side: its start is to the right, its end to the left.
	half int32
	// right and left are the vertices that bound the view through the edge: the notch sees both, and every
	// direction between them reaches the edge.
	right, left int32
	// from and to are the directions that bound the part of the view inside of the cone.
	from, to vector
}

// found is the closest thing: vertex v or, if v < 0, the edge of at.
type found struct {
	v  int32
	at sight
}

// closest returns the closest thing to vertex n in the closed cone counter-clockwise from the
// prolongation of e2 to that of e1, two edges with more than 180° of free space between them.
//
// The closest thing in a convex cone is visible: anything in front would be closer and in the cone. Where the
// walk looks is decided exactly; distances are compared in floats.
func (w *work) closest(n, e1, e2 int32) (found, vector, vector) {
	from := w.vector(n, w.Head(e2)).neg()
	to := w.vector(n, w.Head(e1)).neg()
	s := &w.search
	s.queue = s.queue[:0]
	s.best = found{v: -1, at: sight{half: -1}}
	vertex := func(v int32, d vector) {
		x, y := d.float()
		if d2 := float64(x*x) + float64(y*y); s.best.v < 0 || d2 < s.best.at.d2 {
			s.best.v, s.best.at.d2 = v, d2
		}
	}
	// The fan of triangles at n, from e1 to e2. A direction in it is at or after the start of the
	// cone iff it is not to the right of from, although up to 360° are between e1 and e2: from is
	// less than 180° after e1 and exactly 180° before e2. Likewise for to.
	for e := e1; e != e2; {
		next := w.CCW(e)
		p, q := w.vector(n, w.Head(e)), w.vector(n, w.Head(next))
		after, before := cross(from, p) >= 0, cross(p, to) >= 0
		if e != e1 && after && before {
			vertex(w.Head(e), p)
		}
		if cross(from, q) >= 0 && before {
			v := sight{half: cdt.Next(e), right: w.Head(e), left: w.Head(next), from: p, to: q}
			if !after {
				v.from = from
			}
			if cross(q, to) < 0 {
				v.to = to
			}
			w.look(n, v)
		}
		e = next
	}
	for len(s.queue) > 0 {
		v := s.pop()
		if s.best.v >= 0 && s.best.at.d2 <= v.d2 {
			break
		}
		h := w.H[v.half]
		if h.Mark != cdt.Free {
			return found{-1, v}, from, to
		}
		apex := w.Apex(h.Opp)
		d := w.vector(n, apex)
		after, before := cross(v.from, d), cross(d, v.to)
		if after >= 0 && before >= 0 {
			vertex(apex, d)
		}
		if after > 0 {
			right := v
			right.half = cdt.Next(h.Opp)
			if before > 0 {
				right.to = d
			}
			if cross(d, w.vector(n, v.left)) > 0 {
				right.left = apex
			}
			w.look(n, right)
		}
		if before > 0 {
			left := v
			left.half = cdt.Prev(h.Opp)
			if after > 0 {
				left.from = d
			}
			if cross(w.vector(n, v.right), d) > 0 {
				left.right = apex
			}
			w.look(n, left)
		}
	}
	return s.best, from, to
}

// look measures the part of an edge that is in view and queues the sight.
func (w *work) look(n int32, v sight) {
	p, q := w.vector(n, w.H[v.half].V), w.vector(n, w.Head(v.half))
	t0, t1 := 0.0, 1.0
	if a := cross(v.from, p); a < 0 {
		b := cross(v.from, q)
		t0 = float64(a) / (float64(a) - float64(b))
	}
	if a := cross(q, v.to); a < 0 {
		b := cross(p, v.to)
		t1 = float64(b) / (float64(b) - float64(a))
	}
	px, py := p.float()
	dx, dy := vector{q.x - p.x, q.y - p.y}.float()
	v.t = -(float64(px*dx) + float64(py*dy)) / (float64(dx*dx) + float64(dy*dy))
	v.t = max(t0, min(v.t, t1))
	x, y := px+float64(v.t*dx), py+float64(v.t*dy)
	if v.t == 1 {
		x, y = q.float()
	}
	v.d2 = float64(x*x) + float64(y*y)
	if w.search.best.v < 0 || v.d2 < w.search.best.at.d2 {
		w.search.push(v)
	}
}

// push and pop keep the queue a binary heap with the nearest sight on top. They are written out
// because a sight is too large to be boxed for every step.
func (s *search) push(v sight) {
	s.queue = append(s.queue, v)
	q := s.queue
	i := len(q) - 1
	for i > 0 && v.d2 < q[(i-1)/2].d2 {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = v
}

func (s *search) pop() sight {
	q := s.queue
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	s.queue = q
	if len(q) == 0 {
		return top
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(q) {
			break
		}
		if c+1 < len(q) && q[c+1].d2 < q[c].d2 {
			c++
		}
		if q[c].d2 >= last.d2 {
			break
		}
		q[i] = q[c]
		i = c
	}
	q[i] = last
	return top
}

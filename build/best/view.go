package best

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// notch is a vertex with more than 180° of free space from the constrained half-edge e1 counter-clockwise
// to e2, and the area of interest there: the cone between the prolongations of both.
type notch struct {
	v, e1, e2 int32
	at, a, b  lattice.Point // the vertex, and where e1 and e2 end
	from, to  vector
}

// vector is a direction or a difference of two points; its components are below 2³¹ in magnitude.
type vector struct{ x, y int64 }

func cross(u, v vector) int64 { return u.x*v.y - u.y*v.x }

func (w *work) vector(from, to lattice.Point) vector {
	x, y := to.Sub(from)
	return vector{x, y}
}

// notch returns the notch at vertex v. A vertex has at most one.
func (w *work) notch(v int32) (n notch, ok bool) {
	first := w.Edge[v]
	for w.H[first].Mark == cdt.Free {
		first = w.CCW(first)
	}
	p := w.P[v]
	e1 := first
	for e := w.CCW(first); ; e = w.CCW(e) {
		if w.H[e].Mark == cdt.Free {
			continue
		}
		if a, b := w.P[w.Head(e1)], w.P[w.Head(e)]; w.Inside[e1/3] && lattice.Orient(p, a, b) < 0 {
			return notch{v: v, e1: e1, e2: e, at: p, a: a, b: b, from: w.vector(b, p), to: w.vector(a, p)}, true
		}
		if e == first {
			return notch{}, false
		}
		e1 = e
	}
}

// has tells whether p is in the cone.
func (n *notch) has(p lattice.Point) bool {
	return p != n.at && lattice.Orient(n.b, n.at, p) >= 0 && lattice.Orient(p, n.at, n.a) >= 0 && n.ahead(p)
}

// ahead tells the cone from the one on the other side of the notch, for a point between both lines.
func (n *notch) ahead(p lattice.Point) bool {
	x, y := p.Sub(n.at)
	d := vector{x, y}
	return cross(n.from, d) > 0 || cross(d, n.to) > 0 || n.from.x*x+n.from.y*y > 0
}

// sight is an edge that a notch sees: constrained, or open to the view behind.
type sight struct {
	half int32 // on the side of the notch
	// from and to are the directions that bound the view, in the cone.
	from, to vector
	// t0 and t1 bound the view on the edge: 0 at its start, to the right, 1 at its end.
	t0, t1 float64
}

// seer receives the things in a notch's view, nearest first, until it returns false: a vertex, or a
// constrained edge as v < 0. All later things are at squared distance d2 or farther.
type seer func(v int32, s *sight, d2 float64) bool

// look visits the triangles in a notch's cone, nearest first, most at most. Its path is decided exactly,
// distances are compared in floats.
func (w *work) look(n *notch, most int, see seer) {
	w.sights = w.sights[:0]
	w.queue.Reset()
	// The fan of triangles at the notch, from e1 to e2. A direction in it is at or after the start of
	// the cone iff it is not to the right of from, although up to 360° are between e1 and e2: from is less
	// than 180° after e1 and exactly 180° before e2. Likewise for to.
	for e := n.e1; e != n.e2; {
		next := w.CCW(e)
		p, q := w.vector(n.at, w.P[w.Head(e)]), w.vector(n.at, w.P[w.Head(next)])
		after, before := cross(n.from, p) >= 0, cross(p, n.to) >= 0
		if e != n.e1 && after && before && !see(w.Head(e), nil, 0) {
			return
		}
		if cross(n.from, q) >= 0 && before {
			s := sight{half: cdt.Next(e), from: p, to: q}
			if !after {
				s.from = n.from
			}
			if cross(q, n.to) < 0 {
				s.to = n.to
			}
			w.queueSight(n, s)
		}
		e = next
	}
	for range most {
		if w.queue.Len() == 0 {
			return
		}
		item := w.queue.Pop()
		s := w.sights[item.ID]
		h := w.H[s.half]
		if h.Mark != cdt.Free {
			if !see(-1, &w.sights[item.ID], item.Key) {
				return
			}
			continue
		}
		apex := w.Apex(h.Opp)
		d := w.vector(n.at, w.P[apex])
		after, before := cross(s.from, d), cross(d, s.to)
		if after >= 0 && before >= 0 && !see(apex, nil, item.Key) {
			return
		}
		if after > 0 {
			right := sight{half: cdt.Next(h.Opp), from: s.from, to: s.to}
			if before > 0 {
				right.to = d
			}
			w.queueSight(n, right)
		}
		if before > 0 {
			left := sight{half: cdt.Prev(h.Opp), from: s.from, to: s.to}
			if after > 0 {
				left.from = d
			}
			w.queueSight(n, left)
		}
	}
}

// queueSight measures the part of the edge that is in view.
func (w *work) queueSight(n *notch, s sight) {
	p, q := w.vector(n.at, w.P[w.H[s.half].V]), w.vector(n.at, w.P[w.Head(s.half)])
	s.t0, s.t1 = 0, 1
	if a := cross(s.from, p); a < 0 {
		s.t0 = share(a, cross(s.from, q))
	}
	if a := cross(p, s.to); cross(q, s.to) < 0 {
		s.t1 = share(a, cross(q, s.to))
	}
	t := min(max(s.t0, foot(p, q)), s.t1)
	x := float64(p.x) + float64(t*float64(q.x-p.x))
	y := float64(p.y) + float64(t*float64(q.y-p.y))
	w.sights = append(w.sights, s)
	w.queue.Push(float64(x*x)+float64(y*y), int32(len(w.sights)-1))
}

// share returns where a linear function that is a at 0 and b at 1, of different signs, is zero.
func share(a, b int64) float64 { return float64(a) / (float64(a) - float64(b)) }

// foot returns where on the line from p to q its point nearest to the origin is: 0 at p, 1 at q.
func foot(p, q vector) float64 {
	dx, dy := float64(q.x-p.x), float64(q.y-p.y)
	t := -(float64(float64(p.x)*dx) + float64(float64(p.y)*dy)) / (float64(dx*dx) + float64(dy*dy))
	if math.IsNaN(t) {
		return 0
	}
	return t
}

package wavefront

import (
	"math"

	"github.com/meadow-nav/meadow/gen/internal/cdt"
	"github.com/meadow-nav/meadow/lattice"
)

// The four directions, counter-clockwise. A front is named by the direction that it grows in.
const (
	east = iota
	north
	west
	south
)

// box is a rectangle by how far it reaches in every direction: to x = b[east], y = b[north],
// x = -b[west] and y = -b[south].
type box [4]int64

// turned returns p in the frame that is turned so that direction d points to the east.
func turned(d int, p lattice.Point) (u, v int64) {
	x, y := int64(p.X), int64(p.Y)
	switch d {
	case east:
		return x, y
	case north:
		return y, -x
	case west:
		return -x, -y
	}
	return -y, x
}

// turnedBack is the inverse of [turned].
func turnedBack(d int, u, v int64) lattice.Point {
	switch d {
	case east:
		return lattice.Point{X: int32(u), Y: int32(v)}
	case north:
		return lattice.Point{X: int32(-v), Y: int32(u)}
	case west:
		return lattice.Point{X: int32(-u), Y: int32(-v)}
	}
	return lattice.Point{X: int32(v), Y: int32(-u)}
}

// span is a box in a turned frame.
type span struct{ u0, u1, v0, v1 int64 }

func (b box) span(d int) span {
	return span{u0: -b[(d+2)%4], u1: b[d], v0: -b[(d+3)%4], v1: b[(d+1)%4]}
}

// enters tells whether the segment from a to b has a point in the interior of s, and returns the
// least u, rounded down, of the part of it between v0 and v1.
//
// Differences are below 2³¹, so that products fit 62 bits.
func (s span) enters(au, av, bu, bv int64) (least int64, ok bool) {
	if av > bv {
		au, av, bu, bv = bu, bv, au, av
	}
	if av == bv {
		least = min(au, bu)
		return least, s.v0 < av && av < s.v1 && max(au, bu) > s.u0 && least < s.u1
	}
	lo, hi := max(av, s.v0), min(bv, s.v1)
	if lo >= hi {
		return 0, false
	}
	du, dv := bu-au, bv-av
	most := int64(0)
	if du >= 0 {
		least, most = au+floorDiv(du*(lo-av), dv), au-floorDiv(-du*(hi-av), dv)
	} else {
		least, most = au+floorDiv(du*(hi-av), dv), au-floorDiv(-du*(lo-av), dv)
	}
	return least, most > s.u0 && least < s.u1
}

// floorDiv returns ⌊a/b⌋ for a positive b.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// reached is a triangle that a sweep comes to when its front is at a place.
type reached struct {
	at       int64
	triangle int32
}

// sweep moves front d of the region in b that triangle start is a part of, and returns where it
// meets its first event, at limit at the latest: the first notch of the unclaimed space that would
// come to lie inside of the box. A front that walls close in vanishes; it then returns a place
// behind all of them.
//
// The triangles are visited in the order in which the front reaches them. An earlier event can
// never be behind a later one: what separates the two ends in a notch, which is an event itself.
func (w *work) sweep(start int32, b box, d int, limit int64) int64 {
	s := b.span(d)
	front, most := s.u1, s.u1
	s.u1 = limit
	w.forget()
	w.heap = append(w.heap[:0], reached{front, start})
	for len(w.heap) > 0 {
		r := w.pop()
		if r.at >= s.u1 {
			return s.u1
		}
		t := r.triangle
		if w.seen(t) {
			continue
		}
		var u, v [3]int64
		for k := range int32(3) {
			e := 3*t + k
			u[k], v[k] = turned(d, w.P[w.H[e].V])
			most = max(most, u[k])
			if u[k] >= front && u[k] < s.u1 && s.v0 < v[k] && v[k] < s.v1 && w.isNotch(e) {
				s.u1 = u[k]
			}
		}
		for k := range int32(3) {
			h, n := w.H[3*t+k], (k+1)%3
			if h.Mark != cdt.Free || w.visited[h.Opp/3] == w.stamp {
				continue
			}
			if least, ok := s.enters(u[k], v[k], u[n], v[n]); ok {
				w.push(reached{max(least, r.at), h.Opp / 3})
			}
		}
	}
	if most < s.u1 {
		return most
	}
	return s.u1
}

// never is a limit that no front reaches.
const never = math.MaxInt32 * 2

// forget makes no triangle visited.
func (w *work) forget() {
	w.stamp++
	if n := len(w.Inside) - len(w.visited); n > 0 {
		w.visited = append(w.visited, make([]uint32, n)...)
	}
}

// seen marks triangle t as visited and tells whether it was.
func (w *work) seen(t int32) bool {
	was := w.visited[t] == w.stamp
	w.visited[t] = w.stamp
	return was
}

// isNotch tells whether the unclaimed angle that the triangle of half-edge e is a part of, at the
// vertex that e starts at, is more than 180°.
func (w *work) isNotch(e int32) bool {
	right := e
	for w.H[right].Mark == cdt.Free {
		right = w.CW(right)
		if right == e {
			return false
		}
	}
	left := cdt.Prev(e)
	for w.H[left].Mark == cdt.Free {
		left = cdt.Prev(w.H[left].Opp)
	}
	r, l := w.Head(right), w.H[left].V
	return r == l || lattice.Orient(w.P[w.H[e].V], w.P[r], w.P[l]) < 0
}

// push and pop keep w.heap a binary heap.
func (w *work) push(r reached) {
	h := append(w.heap, r)
	i := len(h) - 1
	for i > 0 && h[i].at < h[(i-1)/2].at {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	w.heap = h
}

func (w *work) pop() reached {
	h := w.heap
	top := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].at < h[c].at {
			c++
		}
		if h[i].at <= h[c].at {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	w.heap = h
	return top
}

package best

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/shape"
)

// cut is a portal that may be made for a notch: to vertex v or, if v < 0, to a new vertex at a place
// on or beside the edge of half.
type cut struct {
	v, half int32
	lattice.Point
	cost float64
}

// cost rates a portal: its length, times more the sharper a corner beside it is. A portal that mends two
// notches is worth several that mend one.
func cost(d2 uint64, sharpest shape.Corner, both bool) float64 {
	c := math.Sqrt(float64(d2))
	if angle := max(sharpest.Degrees(), 0.01); angle < blunt {
		c *= blunt / angle
		c *= blunt / angle
	}
	if both {
		c *= worth
	}
	return c
}

// rail is a portal of the vertex at the other end of a notch's wall: a portal along a rail leaves a narrow
// band.
type rail struct{ from, to int32 }

// layRails collects the rails of a notch.
func (w *work) layRails(n *notch) {
	w.rails = w.rails[:0]
	for _, wall := range [...]int32{n.e1, n.e2} {
		u := w.Head(wall)
		first := w.Edge[u]
		for e := first; ; {
			if w.H[e].Mark >= w.mark {
				w.rails = append(w.rails, rail{u, w.Head(e)})
			}
			if e = w.CCW(e); e == first {
				break
			}
		}
	}
}

// bands tells whether a portal from a notch to p, which lies beside the vertices a and b, leaves a
// sliver between itself and a rail.
func (w *work) bands(n *notch, p lattice.Point, a, b int32) bool {
	for _, r := range w.rails {
		if (r.to == a || r.to == b) && limits.IsSliver([]lattice.Point{n.at, w.P[r.from], w.P[r.to], p}) {
			return true
		}
	}
	return false
}

// band is how many times more a portal costs that leaves a sliver.
const band = 6

// worth is the cost ratio of a two-notch to a one-notch portal.
const worth = 0.2

// blunt is the angle in degrees from which on a corner is as good as any other.
const blunt = 85

// sides returns the sharpest of the corners that a portal from n to p makes at n.
func (n *notch) sides(p lattice.Point) shape.Corner {
	return lesser(shape.At(n.a, n.at, p), shape.At(p, n.at, n.b))
}

func lesser(a, b shape.Corner) shape.Corner {
	if b.Compare(a) < 0 {
		return b
	}
	return a
}

// choose returns the best portal for a notch, from a search through at most most triangles. If no portal is
// found, the cost is the largest number.
func (w *work) choose(n *notch, most int) (best cut, ok bool) {
	best = cut{v: -1, half: -1, cost: math.MaxFloat64}
	w.layRails(n)
	seen := 0
	w.look(n, most, func(v int32, s *sight, d2 float64) bool {
		seen++
		if math.Sqrt(d2)*worth > best.cost || seen > maxSeen && ok {
			return false
		}
		if v >= 0 {
			if c, good := w.toVertex(n, v); good && c.cost < best.cost {
				best, ok = c, true
			}
			return true
		}
		u, x := w.P[w.H[s.half].V], w.P[w.Head(s.half)]
		w.places(n, s, func(p lattice.Point) {
			k := lesser(n.sides(p), lesser(shape.At(u, p, n.at), shape.At(n.at, p, x)))
			c := cut{v: -1, half: s.half, Point: p, cost: cost(n.at.Distance2(p), k, false)}
			if c.cost < best.cost && w.bands(n, p, w.H[s.half].V, w.Head(s.half)) {
				c.cost *= band
			}
			if c.cost < best.cost && w.fits(n, s.half, p) {
				best, ok = c, true
			}
		})
		return true
	})
	return best, ok
}

// maxSeen bounds how many things a notch looks at once it has found a portal.
const maxSeen = 200

// toVertex judges the portal to a vertex.
func (w *work) toVertex(n *notch, v int32) (cut, bool) {
	p := w.P[v]
	e, along := w.Into(v, n.at)
	if along && w.H[e].Mark != cdt.Free {
		return cut{}, false
	}
	// The free space at v that the portal divides, and the corners on either side.
	right, left := e, w.CCW(e)
	for w.H[right].Mark == cdt.Free {
		right = w.CW(right)
	}
	for w.H[left].Mark == cdt.Free {
		left = w.CCW(left)
	}
	a, b := w.P[w.Head(right)], w.P[w.Head(left)]
	k := n.sides(p)
	r, l := lattice.Orient(p, a, n.at) >= 0, lattice.Orient(p, n.at, b) >= 0
	if r {
		k = lesser(k, shape.At(a, p, n.at))
	}
	if l {
		k = lesser(k, shape.At(n.at, p, b))
	}
	both := r && l && lattice.Orient(p, a, b) < 0
	c := cut{v: v, half: -1, Point: p, cost: cost(n.at.Distance2(p), k, both)}
	if w.bands(n, p, w.Head(right), w.Head(left)) {
		c.cost *= band
	}
	return c, true
}

// places calls f with places on a constrained edge in view where a portal might end: square to the
// edge, where the view ends, which may be in the direction of a side of the notch, and in between.
func (w *work) places(n *notch, s *sight, f func(lattice.Point)) {
	u, v := w.P[w.H[s.half].V], w.P[w.Head(s.half)]
	square := min(max(s.t0, foot(w.vector(n.at, u), w.vector(n.at, v))), s.t1)
	for _, t := range [...]float64{square, s.t0, s.t1, 0.5 * (square + s.t0), 0.5 * (square + s.t1)} {
		w.site(n, s.half, t, f)
	}
}

// site calls f with a lattice point near a place on a constrained edge: exactly on portals and chains, else
// on the edge or within a unit on its free side.
func (w *work) site(n *notch, half int32, t float64, f func(lattice.Point)) {
	u, v := w.P[w.H[half].V], w.P[w.Head(half)]
	dx, dy := v.Sub(u)
	mark := w.H[half].Mark
	if mark >= w.mark || w.Walls[mark].Chain != plan.Wall {
		g := lattice.GCD(dx, dy)
		k := int64(math.Floor(float64(t*float64(g)) + 0.5))
		for _, i := range [...]int64{k, k - 1, k + 1} {
			if p := (lattice.Point{X: u.X + int32(dx/g*i), Y: u.Y + int32(dy/g*i)}); i > 0 && i < g && n.has(p) {
				f(p)
				return
			}
		}
		if mark < w.mark {
			return
		}
	}
	steep := max(dy, -dy) > max(dx, -dx)
	run, rise := dx, dy
	if steep {
		run, rise = dy, -dx // the plane turned by a right angle: left of the edge stays left
	}
	middle := int64(math.Floor(float64(t*float64(run)) + 0.5))
	best, least := lattice.Point{}, int64(-1)
	for i := range int64(2*maxBeside + 1) {
		r := middle + (i+1)/2
		if i%2 == 0 {
			r = middle - i/2
		}
		if run > 0 && (r <= 0 || r >= run) || run < 0 && (r >= 0 || r <= run) {
			continue
		}
		// The free side is on the left: above an edge that runs to positive values.
		h := lattice.FloorDiv(rise*r, run)
		if run > 0 {
			h = -lattice.FloorDiv(-rise*r, run)
		}
		off := h*run - r*rise
		if least >= 0 && least <= off {
			continue
		}
		p := lattice.Point{X: u.X + int32(r), Y: u.Y + int32(h)}
		if steep {
			p = lattice.Point{X: u.X - int32(h), Y: u.Y + int32(r)}
		}
		if !n.has(p) {
			continue
		}
		best, least = p, off
		if off == 0 || p.X == n.at.X || p.Y == n.at.Y {
			break
		}
	}
	if least >= 0 {
		f(best)
	}
}

// maxBeside is how many lattice lines on each side of a place are tried.
const maxBeside = 4

// fits tells whether a corner at p may divide the constrained edge of a half-edge and be connected to n.
func (w *work) fits(n *notch, half int32, p lattice.Point) bool {
	u, v := w.P[w.H[half].V], w.P[w.Head(half)]
	if p == u || p == v || lattice.Dot(u, v, p) <= 0 || lattice.Dot(v, u, p) <= 0 {
		return false
	}
	if lattice.Orient(u, v, p) != 0 {
		// Strictly inside the triangle at the edge, so the strip that the wall gains is empty.
		a := w.P[w.Apex(half)]
		if lattice.Orient(v, a, p) <= 0 || lattice.Orient(a, u, p) <= 0 {
			return false
		}
		if mark := w.H[half].Mark; mark >= w.mark {
			if !w.bends(half, p) {
				return false
			}
		} else if wall := w.Walls[mark]; lattice.LineDistance2(p, w.P[wall.From], w.P[wall.To]).CompareInt(4) > 0 {
			return false
		}
	}
	return lattice.Orient(u, p, n.at) > 0 && lattice.Orient(p, v, n.at) > 0 && w.Sees(n.v, p, half) == cdt.Clear
}

// bends reports whether a portal may be bent over p, on the left of its half-edge: the cell on the right
// gains a corner there, and has to stay convex at the ends of the portal.
func (w *work) bends(half int32, p lattice.Point) bool {
	o := w.H[half].Opp
	right, left := w.CW(half), w.CCW(o)
	for w.H[right].Mark == cdt.Free {
		right = w.CW(right)
	}
	for w.H[left].Mark == cdt.Free {
		left = w.CCW(left)
	}
	return lattice.Orient(w.P[w.H[half].V], w.P[w.Head(right)], p) >= 0 && lattice.Orient(w.P[w.H[o].V], p, w.P[w.Head(left)]) >= 0
}

// bend makes a portal run over a new vertex at p, strictly inside of the triangle of its half-edge.
func (w *work) bend(half int32, p lattice.Point) int32 {
	u, x := w.H[half].V, w.Head(half)
	w.Release(half)
	v := w.Insert(half, p)
	// Nothing is in the way: both parts are inside of the triangle.
	w.Connect(u, v, w.cut)
	w.Connect(v, x, w.cut)
	w.counts["bent"]++
	return v
}

// make makes a portal and reports success.
func (w *work) make(n *notch, c cut) bool {
	if c.v < 0 {
		mark := w.H[c.half].Mark
		on := plan.NoEdge
		if mark < w.mark {
			on = w.Walls[mark].EdgeID
		}
		u, v := w.P[w.H[c.half].V], w.P[w.Head(c.half)]
		switch {
		case lattice.Orient(u, v, c.Point) == 0:
			c.v = w.Split(c.half, c.Point)
		case mark < w.mark:
			c.v = w.Dent(c.half, c.Point)
		default:
			c.v = w.bend(c.half, c.Point)
		}
		w.on = append(w.on, on)
		w.counts["constructed"]++
	}
	return w.Connect(n.v, c.v, w.cut) == cdt.Clear
}

// fan makes edges of the triangulation portals until the notch is convex: at most two, each the last edge
// within 180° of the edge before.
func (w *work) fan(n *notch) {
	last, a := int32(-1), n.a
	for e := w.CCW(n.e1); ; e = w.CCW(e) {
		p := w.P[w.Head(e)]
		if lattice.Orient(n.at, a, p) < 0 && last >= 0 {
			w.Connect(n.v, w.Head(last), w.cut)
			a, last = w.P[w.Head(last)], -1
		}
		if e == n.e2 {
			return
		}
		last = e
	}
}

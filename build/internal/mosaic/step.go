package mosaic

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// step is a planned change: edges to remove, and the cut in their place.
type step struct {
	ok    bool
	faces [3]int32 // whose union is cut, none for the third of two
	out   [2]int32 // halves of the edges to remove; the second may be none
	from  int32    // the vertex that the cut runs from, none where the union stays whole
	drops bool     // corners that were made for the edges that go may go too
	to    target
	least shape.Corner // a cut that leaves a sharper corner is of no use
	verdict
}

// target is where a cut runs to: vertex v, or a new one at a place inside of half e.
type target struct {
	v, e int32
	lattice.Point
	on plan.EdgeID
}

func (s *step) list() []int32 {
	if s.faces[2] == none {
		return s.faces[:2]
	}
	return s.faces[:]
}

// planPair plans to replace two edges of f by one cut.
func (c *cleaner) planPair(f int32, a, b single) (s step) {
	g, h := c.h[c.h[a.e].twin].face, c.h[c.h[b.e].twin].face
	if !c.free(g, f) || !c.free(h, f) || c.f[f].size+c.f[g].size+c.f[h].size > 2*maxSides {
		return s
	}
	s = step{faces: [3]int32{f, g, h}, out: [2]int32{a.e, b.e}, from: a.notch}
	if a.notch == b.notch {
		s.least = shape.Corner{Dot: 1}
		c.union = c.appendFace(c.union[:0], a.at, a.at, a.e, b.e)
		c.bestCut(&s, none, func(*verdict) bool { return true })
		return s
	}
	s.to = target{v: b.notch, e: none, Point: c.P[b.notch]}
	c.pieces[0] = c.appendFace(append(c.pieces[0][:0], side{a.notch, none}), b.at, a.at, a.e, b.e)
	c.pieces[1] = c.appendFace(append(c.pieces[1][:0], side{b.notch, none}), a.at, b.at, a.e, b.e)
	s.verdict, s.ok = c.judge(s.faces[:], c.pieces[0], c.pieces[1])
	return s
}

// enough is by how many degrees the sharpest corner has to gain for an edge to be turned.
const enough = 1

// turn finds the edge of a face that gains most from a turn about its notch.
func (c *cleaner) turn(f int32) bool {
	var best step
	for e, first := c.f[f].first, true; first || e != c.f[f].first; e, first = c.h[e].next, false {
		t := c.h[e].twin
		if t == none || c.reflex(e) == c.reflex(t) {
			continue
		}
		g := c.h[t].face
		if c.f[f].size+c.f[g].size > maxSides || !c.free(g, f) {
			continue
		}
		about, behind := e, t
		if c.reflex(t) {
			about, behind = t, e
		}
		// The edge runs from the notch to where the sides of the face on its left begin.
		s := step{faces: [3]int32{f, g, none}, out: [2]int32{e, none}, from: c.h[about].v, least: lesser(c.sharpest(f), c.sharpest(g))}
		c.union = c.appendFace(c.union[:0], c.h[behind].next, behind)
		c.union = c.appendFace(c.union, c.h[about].next, about)
		c.bestCut(&s, c.h[behind].v, func(v *verdict) bool {
			return v.fewer > 0 || v.sharpest.Degrees() >= v.before.Degrees()+enough
		})
		if s.ok && (!best.ok || s.sharpest.Compare(best.sharpest) > 0) {
			best = s
		}
	}
	if !best.ok {
		return false
	}
	c.do(best)
	return true
}

// bestCut finds the cut from the only notch of c.union, its first corner, with the least sharp corners among
// the cuts accepted by good. The cut ends at any vertex except but, or at a place on a side.
//
// The two pieces have the corners of the union but for the ends of the cut. The sharpest corners on either
// side are known beforehand, so a target costs constant time unless it beats the best so far.
func (c *cleaner) bestCut(s *step, but int32, good func(v *verdict) bool) {
	n := len(c.union)
	c.upTo, c.since = c.upTo[:0], c.since[:0]
	for range n + 1 {
		c.upTo, c.since = append(c.upTo, shape.Straight), append(c.since, shape.Straight)
	}
	for i := 1; i < n; i++ {
		c.upTo[i] = lesser(c.upTo[i-1], c.cornerAt(i))
		c.since[n-i] = lesser(c.since[n-i+1], c.cornerAt(n-i))
	}
	for j := 1; j < n; j++ {
		if v := c.union[j].v; v != but {
			c.consider(s, j-1, j, target{v: v, e: none, Point: c.P[v], on: c.on[v]}, good)
		}
		if j < n-1 {
			c.places(j, func(to target) { c.consider(s, j, j+1, to, good) })
		}
	}
}

// consider plans the cut to a target behind corner i of the union. From corner j on the union belongs to the
// other piece; corner j is the target itself if the target is a vertex.
func (c *cleaner) consider(s *step, i, j int, to target, good func(v *verdict) bool) {
	u := c.union
	after := j
	if to.e == none {
		after++
	}
	p, q := c.P[u[0].v], to.Point
	first, last := c.at(u, 1), c.at(u, -1)
	if i < 1 || after >= len(u) || lattice.Orient(p, first, q) <= 0 || lattice.Orient(p, q, last) <= 0 ||
		lattice.Orient(last, p, q) < 0 || lattice.Orient(q, p, first) < 0 {
		return
	}
	k := lesser(c.upTo[i], c.since[after])
	k = lesser(k, shape.At(q, p, first))
	k = lesser(k, shape.At(last, p, q))
	k = lesser(k, shape.At(c.at(u, i), q, p))
	k = lesser(k, shape.At(p, q, c.at(u, after)))
	if k.Compare(s.least) < 0 || s.ok && k.Compare(s.sharpest) <= 0 {
		return
	}
	v := to.v
	if to.e != none {
		v = c.vertex(to.Point, to.on) // for as long as it is judged
	}
	c.pieces[0] = append(append(c.pieces[0][:0], u[:i+1]...), side{v, none})
	c.pieces[1] = append(c.pieces[1][:0], side{u[0].v, none})
	if to.e != none {
		c.pieces[1] = append(c.pieces[1], side{v, to.e})
	}
	c.pieces[1] = append(c.pieces[1], u[j:]...)
	verdict, ok := c.judge(s.list(), c.pieces[0], c.pieces[1])
	if to.e != none {
		c.P, c.on, c.corners = c.P[:v], c.on[:v], c.corners[:v]
	}
	if ok && good(&verdict) {
		s.ok, s.to, s.verdict = true, to, verdict
	}
}

// places calls f with places on side j of the union where a cut from its notch might end well: at a right
// angle, or going on straight from a side of the notch. The places are lattice points exactly on the side.
func (c *cleaner) places(j int, f func(target)) {
	u := c.union
	e := u[j].h
	p, a, b := c.P[u[0].v], c.P[u[j].v], c.at(u, j+1)
	dx, dy := b.Sub(a)
	g := lattice.GCD(dx, dy)
	if g == 1 || e == none {
		return
	}
	var tried [6]int64
	n := 0
	for _, t := range [...]float64{
		float64(lattice.Dot(a, b, p)) / float64(a.Distance2(b)),
		along(c.at(u, 1), p, a, b),
		along(c.at(u, -1), p, a, b),
	} {
		if !(t > 0 && t < 1) {
			continue
		}
		low := int64(math.Floor(float64(t * float64(g))))
	next:
		for k := max(low, 1); k <= min(low+1, g-1); k++ {
			for _, other := range tried[:n] {
				if k == other {
					continue next
				}
			}
			tried[n] = k
			n++
			to := target{v: none, e: e, Point: lattice.Point{X: a.X + int32(dx/g*k), Y: a.Y + int32(dy/g*k)}, on: plan.NoEdge}
			if t := c.h[e].twin; t == none {
				on, ok := c.wallAt(e, to.Point)
				if !ok {
					continue
				}
				to.on = on
			} else if !c.joints || c.narrows(t, to.Point) {
				continue
			}
			f(to)
		}
	}
}

// along returns where the line from p through q meets the segment from a to b: 0 at a, 1 at b.
func along(p, q, a, b lattice.Point) float64 {
	oa, ob := float64(lattice.Orient(p, q, a)), float64(lattice.Orient(p, q, b))
	return oa / (oa - ob)
}

// narrows tells whether dividing half e at p leaves its face with narrow edges only.
func (m *Map) narrows(e int32, p lattice.Point) bool {
	if m.f[m.h[e].face].wide > 1 || !m.isWide(e) {
		return false
	}
	least := m.limits.NarrowWidth
	return shape.Root(m.P[m.h[e].v].Distance2(p)) < least && shape.Root(m.P[m.head(e)].Distance2(p)) < least
}

func (c *cleaner) cornerAt(i int) shape.Corner {
	return shape.At(c.at(c.union, i-1), c.at(c.union, i), c.at(c.union, i+1))
}

func lesser(a, b shape.Corner) shape.Corner {
	if b.Compare(a) < 0 {
		return b
	}
	return a
}

// do makes a step.
func (c *cleaner) do(s step) {
	e := s.out[0]
	twin := none
	if s.out[1] != none {
		twin = c.h[s.out[1]].twin
	}
	f, _ := c.merge(e)
	if twin != none {
		// The first merge may have merged this edge with another, and kept one half of the other.
		e = s.out[1]
		if c.h[e].face == none {
			e = twin
		}
		// Where all three meet in a point, two edges with a bend in that point are left between two cells.
		if t := c.h[e].twin; c.h[c.h[e].next].twin == c.h[t].prev {
			c.pass(c.h[e].next)
		} else if c.h[c.h[e].prev].twin == c.h[t].next {
			e = c.h[e].prev
			c.pass(c.h[e].next)
		}
		f, _ = c.merge(e)
	}
	if s.drops {
		c.dropAll(f)
	}
	if s.from == none {
		c.changed(f)
		return
	}
	to := c.starting(f, s.to.v, s.to.Point, s.to.on)
	from := c.starting(f, s.from, c.P[s.from], plan.NoEdge)
	_, made := c.chord(from, to)
	c.changed(f)
	c.changed(made)
}

// starting returns the half of a face that starts at vertex v. If none does, it first puts a new vertex at p,
// which lies inside a side of the face.
func (c *cleaner) starting(f, v int32, p lattice.Point, on plan.EdgeID) int32 {
	for e, first := c.f[f].first, true; first || e != c.f[f].first; e, first = c.h[e].next, false {
		if c.h[e].v == v {
			return e
		}
	}
	for e := c.f[f].first; ; e = c.h[e].next {
		if lattice.OnSegment(p, c.P[c.h[e].v], c.P[c.head(e)]) {
			return c.split(e, p, on)
		}
	}
}

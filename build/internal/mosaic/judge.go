package mosaic

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// side is a side of a planned cell: its first vertex, and its future half, none for a new side.
type side struct{ v, h int32 }

// appendFace appends the sides of a face from half e around. In place of a half in out it appends the other
// sides of the face behind.
func (m *Map) appendFace(ring []side, from, to int32, out ...int32) []side {
	for e := from; ; {
		replaced := false
		for _, o := range out {
			if e == o {
				t := m.h[e].twin
				for x := m.h[t].next; x != t; x = m.h[x].next {
					ring = append(ring, side{m.h[x].v, x})
				}
				replaced = true
			}
		}
		if !replaced {
			ring = append(ring, side{m.h[e].v, e})
		}
		if e = m.h[e].next; e == to {
			return ring
		}
	}
}

// verdict is the outcome of a planned step.
type verdict struct {
	sharpest shape.Corner // of the cells after the step
	before   shape.Corner // of the cells before the step
	fewer    int          // near-degenerate cells less
}

// judge returns the outcome of replacing the faces in old by cells with the given rings, and whether the step
// is allowed: the rings are convex, no corner is sharper than the sharpest old corner, and the number of
// near-degenerate cells, everywhere, does not grow. After thin cells are looked for, as many cells as before
// have no more thin ones.
func (m *Map) judge(old []int32, rings ...[]side) (v verdict, ok bool) {
	v.sharpest, v.before = shape.Straight, shape.Straight
	for _, r := range rings {
		k, convex := m.convex(r)
		if !convex {
			return v, false
		}
		v.sharpest = lesser(v.sharpest, k)
	}
	for _, f := range old {
		v.before = lesser(v.before, m.sharpest(f))
	}
	if v.sharpest.Compare(v.before) < 0 && v.sharpest.Compare(m.floor) < 0 {
		return v, false
	}
	if m.widening && len(rings) == len(old) && m.countThin(old, rings) > 0 {
		return v, false
	}
	ok = m.weigh(&v, old, rings) && v.fewer >= 0
	return v, ok
}

// weigh counts near-degenerate cells for a verdict, and reports whether no other cell joins a fan.
func (m *Map) weigh(v *verdict, old []int32, rings [][]side) (ok bool) {
	for len(m.delta) < len(m.P) {
		m.delta = append(m.delta, 0)
	}
	for _, f := range old {
		if m.isNearDegenerate(f) {
			v.fewer++
		}
	}
	m.addDelta(old, rings, 1)
	ok = true
	others := m.cells - len(old) + len(rings) - 1
	for _, r := range rings {
		if m.wouldBeNearDegenerate(r, others) {
			v.fewer--
		}
		for _, s := range r {
			if d := m.delta[s.v]; d > 0 && int(m.corners[s.v])+int(d) >= m.limits.FanRegions {
				ok = false
			}
		}
	}
	m.addDelta(old, rings, 0)
	return ok
}

// convex reports whether a ring is convex with an area, and returns its smallest angle.
func (m *Map) convex(r []side) (sharpest shape.Corner, ok bool) {
	sharpest = shape.Straight
	for i := range r {
		a, b, c := m.at(r, i-1), m.at(r, i), m.at(r, i+1)
		o := lattice.Orient(a, b, c)
		if o < 0 || o == 0 && lattice.Dot(b, a, c) >= 0 {
			return sharpest, false
		}
		if o > 0 {
			ok = true
			sharpest = lesser(sharpest, shape.At(a, b, c))
		}
	}
	return sharpest, ok
}

// addDelta notes how many more cells would have a corner at a vertex, or forgets it again.
func (m *Map) addDelta(old []int32, rings [][]side, by int8) {
	for _, f := range old {
		for e, first := m.f[f].first, true; first || e != m.f[f].first; e, first = m.h[e].next, false {
			if by == 0 {
				m.delta[m.h[e].v] = 0
			} else if m.turns(e) {
				m.delta[m.h[e].v] -= by
			}
		}
	}
	for _, r := range rings {
		for i, s := range r {
			if by == 0 {
				m.delta[s.v] = 0
			} else if lattice.Orient(m.at(r, i-1), m.at(r, i), m.at(r, i+1)) != 0 {
				m.delta[s.v] += by
			}
		}
	}
}

// at returns the place of corner i of a ring, counted around.
func (m *Map) at(r []side, i int) lattice.Point {
	n := len(r)
	return m.P[r[(i+n)%n].v]
}

// corner returns the angle of a face at the start of half e.
func (m *Map) corner(e int32) shape.Corner {
	return shape.At(m.P[m.h[m.h[e].prev].v], m.P[m.h[e].v], m.P[m.head(e)])
}

// sharpest returns the smallest angle of a face.
func (m *Map) sharpest(f int32) shape.Corner {
	least := shape.Straight
	for e, first := m.f[f].first, true; first || e != m.f[f].first; e, first = m.h[e].next, false {
		least = lesser(least, m.corner(e))
	}
	return least
}

// isNearDegenerate reports whether an existing face is near-degenerate.
func (m *Map) isNearDegenerate(f int32) bool {
	k := &m.f[f]
	if shape.IsDisjoint(int(k.inner), m.cells-1) || k.wide == 0 && k.inner > 0 {
		return true
	}
	m.points = m.points[:0]
	for e, first := k.first, true; first || e != k.first; e, first = m.h[e].next, false {
		if !m.turns(e) {
			continue
		}
		m.points = append(m.points, m.P[m.h[e].v])
		if n := int(m.corners[m.h[e].v]); n >= m.limits.FanRegions && m.limits.IsFan(n, m.corner(e)) {
			return true
		}
	}
	return m.isSliver(m.points)
}

// wouldBeNearDegenerate reports whether a planned cell with the given number of neighbours would be
// near-degenerate. Edges that later become one are judged by their parts, which errs on the safe side.
func (m *Map) wouldBeNearDegenerate(r []side, others int) bool {
	inner, wide := 0, false
	m.points = m.points[:0]
	for i, s := range r {
		if s.h == none || m.h[s.h].twin != none {
			inner++
			wide = wide || m.wide(s.v, r[(i+1)%len(r)].v)
		}
		a, b, c := m.at(r, i-1), m.at(r, i), m.at(r, i+1)
		if lattice.Orient(a, b, c) == 0 {
			continue
		}
		m.points = append(m.points, b)
		if n := int(m.corners[s.v]) + int(m.delta[s.v]); n >= m.limits.FanRegions && m.limits.IsFan(n, shape.At(a, b, c)) {
			return true
		}
	}
	return shape.IsDisjoint(inner, others) || inner > 0 && !wide || m.isSliver(m.points)
}

// isSliver asks [shape.Limits.IsSliver], which is quadratic, only where a bound leaves a doubt. The area of a
// convex ring is at most length times width, and its length at most that of its box: a cell with much area in
// a small box is no sliver.
func (m *Map) isSliver(ring []lattice.Point) bool {
	box := lattice.EmptyBox()
	for _, p := range ring {
		box = box.Extend(p)
	}
	dx, dy := box.Size()
	x, y := float64(dx), float64(dy)
	area := 0.5 * float64(lattice.Ring(ring).Area2())
	if 1.001*(float64(x*x)+float64(y*y)) < m.limits.SliverRatio*area {
		return false
	}
	return m.limits.IsSliver(ring)
}

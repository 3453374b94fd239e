package mosaic

import (
	"context"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// Removal of thin cells.
//
// Source: our own; Oliva, Automatic generation of near-optimal navigation meshes, 2012, section 4.3, removes
// ill-conditioned cells by dispensable portals, which are the merges of two cells here.
//
// Idea: a thin cell and its neighbours together are a polygon with few notches. A polygon without notches is a cell.
// One notch needs one cut, anywhere in the notch's cone, so the generator chose one cut of many. Two notches in
// sight of each other may share the cut between them.
//
// Input: a map, and the width below which a cell is thin.
//
// Guarantees: [Map.Clean] and [Map.Widen] leave no thin cell for a step to remove. A step replaces the cell and a
// neighbour, or the cell and two neighbours in a row, by one convex cell or by two. No step makes more cells, and
// every step makes fewer thin ones (TestThinCellsGo).
//
// Degenerate cases: a corner that was made beside a wall for a cut is a notch of two units at most where the cut goes.
// The corner goes with the cut where the generator leaves the space to the wall free, and the wall is straight again.
//
// Cost: O(k) for a cell of k sides that is not thin; a thin cell costs O(n·k³) for n neighbours of neighbours.
//
// Departures: Oliva accepts nearly convex cells; here every cell is convex by exact signs.

// Thin sets the width in lattice units below which a cell is thin. At 0, the default, no cell is. Where drops is
// true, constructed corners on walls may go together with their cuts, if nothing lies between a corner and its wall.
func (m *Map) Thin(width int64, drops bool) { m.thin, m.drops = width, drops }

// Widen removes thin cells as Clean does, and makes no other steps. Where joints is false, no cut ends inside of the
// side of another cell.
func (m *Map) Widen(ctx context.Context, joints bool) (Steps, error) {
	m.joints = joints
	c := cleaner{Map: m}
	err := c.rounds(ctx, c.startWidening(), func(f int32) { c.widen(f) })
	return c.steps, err
}

// startWidening returns the thin faces. From now on no step of as many cells makes more of them.
func (m *Map) startWidening() (todo []int32) {
	if m.thin <= 0 {
		return nil
	}
	m.widening = true
	for f := range m.f {
		if m.f[f].first != none && m.isThin(int32(f)) {
			todo = append(todo, int32(f))
		}
	}
	return todo
}

// AnyThin reports whether a cell is thinner than a width in lattice units.
func AnyThin(cells []plan.Cell, width int64) bool { return countThin(cells, width, 1) > 0 }

// CountThin returns the number of cells that are thinner than a width in lattice units.
func CountThin(cells []plan.Cell, width int64) int { return countThin(cells, width, len(cells)) }

// countThin counts thin cells up to a number.
func countThin(cells []plan.Cell, width int64, most int) (thin int) {
	if width <= 0 {
		return 0
	}
	var ring []lattice.Point
	for i := 0; i < len(cells) && thin < most; i++ {
		ring = ring[:0]
		for _, k := range cells[i].Corners {
			ring = append(ring, k.Point)
		}
		if shape.IsThin(ring, width) {
			thin++
		}
	}
	return thin
}

// widen makes the best step against a thin face. Fewer cells come first, then fewer thin cells, then a step
// without near-degenerate cells, then the least sharp corners.
func (c *cleaner) widen(f int32) bool {
	if c.f[f].size > maxSides || !c.isThin(f) {
		return false
	}
	var best widening
	each := func(face int32, do func(e int32)) {
		for e, first := c.f[face].first, true; first || e != c.f[face].first; e, first = c.h[e].next, false {
			if t := c.h[e].twin; t != none && c.f[c.h[t].face].size <= maxSides && c.free(c.h[t].face, f) {
				do(e)
			}
		}
	}
	each(f, func(e int32) {
		t := c.h[e].twin
		g := c.h[t].face
		c.unite(&best, [3]int32{f, g, none}, [2]int32{e, none})
		each(f, func(o int32) {
			if h := c.h[c.h[o].twin].face; o > e && h != g {
				c.unite(&best, [3]int32{f, g, h}, [2]int32{e, o})
			}
		})
		each(g, func(o int32) {
			if h := c.h[c.h[o].twin].face; h != f {
				c.unite(&best, [3]int32{g, f, h}, [2]int32{t, o})
			}
		})
	})
	if !best.ok {
		return false
	}
	c.do(best.step)
	c.steps.Widened++
	return true
}

// widening is a step that leaves fewer thin cells.
type widening struct {
	step
	cells, thinner int  // how many more cells and thin cells there are after the step, at most 0 and below 0
	sound          bool // no cell becomes near-degenerate
}

// better reports whether w is the better of two steps.
func (w *widening) better(than *widening) bool {
	switch {
	case !than.ok:
		return true
	case w.cells != than.cells:
		return w.cells < than.cells
	case w.thinner != than.thinner:
		return w.thinner < than.thinner
	case w.sound != than.sound:
		return w.sound
	}
	return w.sharpest.Compare(than.sharpest) > 0
}

// unite plans the steps that replace a face and one or two neighbours by the union or by two cells. out holds the
// edges of the first face toward the neighbours.
func (c *cleaner) unite(best *widening, faces [3]int32, out [2]int32) {
	s := widening{step: step{faces: faces, out: out, from: none, drops: true}}
	list := out[:1]
	if out[1] != none {
		list = out[:]
	}
	start := c.f[faces[0]].first
	c.union = c.withoutMade(c.withoutSlit(c.appendFace(c.union[:0], start, start, list...)))
	n := len(c.union)
	for _, x := range c.union {
		if t := c.h[x.h].twin; t != none && slices.Contains(faces[:], c.h[t].face) {
			return // another cell is in the middle of the three
		}
	}
	var notches []int
	for i := range c.union {
		if lattice.Orient(c.at(c.union, i-1), c.at(c.union, i), c.at(c.union, i+1)) < 0 {
			if len(notches) == 2 {
				return
			}
			notches = append(notches, i)
		}
	}
	if len(notches) == 0 {
		c.offer(best, s, c.union)
		return
	}
	// The first notch becomes the first corner of the union.
	c.union = slices.Concat(c.union[notches[0]:], c.union[:notches[0]])
	s.from = c.union[0].v
	if len(notches) == 2 {
		c.cutAt(best, s, notches[1]-notches[0])
		return
	}
	for j := 1; j < n; j++ {
		c.cutAt(best, s, j)
		if j < n-1 {
			c.places(j, func(to target) { c.cutInside(best, s, j, to) })
		}
	}
}

// cutAt plans the cut of the union from its first corner to corner j.
func (c *cleaner) cutAt(best *widening, s widening, j int) {
	u := c.union
	if j < 2 || j > len(u)-2 {
		return
	}
	s.to = target{v: u[j].v, e: none, Point: c.P[u[j].v], on: c.on[u[j].v]}
	c.pieces[0] = append(append(c.pieces[0][:0], u[:j]...), side{u[j].v, none})
	c.pieces[1] = append(append(c.pieces[1][:0], side{u[0].v, none}), u[j:]...)
	c.offer(best, s, c.pieces[0], c.pieces[1])
}

// cutInside plans the cut of the union from its first corner to a place inside of side j.
func (c *cleaner) cutInside(best *widening, s widening, j int, to target) {
	u := c.union
	v := c.vertex(to.Point, to.on) // for as long as the cut is judged
	s.to = to
	c.pieces[0] = append(append(c.pieces[0][:0], u[:j+1]...), side{v, none})
	c.pieces[1] = append(append(c.pieces[1][:0], side{u[0].v, none}, side{v, to.e}), u[j+1:]...)
	c.offer(best, s, c.pieces[0], c.pieces[1])
	c.P, c.on, c.corners = c.P[:v], c.on[:v], c.corners[:v]
}

// offer keeps a step with the given cells if the step is allowed and better than the best before.
func (c *cleaner) offer(best *widening, s widening, rings ...[]side) {
	s.sharpest = shape.Straight
	for _, r := range rings {
		k, convex := c.convex(r)
		if !convex {
			return
		}
		s.sharpest = lesser(s.sharpest, k)
	}
	old := s.list()
	s.cells, s.thinner = len(rings)-len(old), c.countThin(old, rings)
	if s.thinner >= 0 {
		return
	}
	s.sound = c.weigh(&s.verdict, old, rings) && s.fewer >= 0
	if s.ok = true; s.better(best) {
		*best = s
	}
}

// isThin reports whether a face is thin.
func (m *Map) isThin(f int32) bool {
	m.points = m.points[:0]
	for e, first := m.f[f].first, true; first || e != m.f[f].first; e, first = m.h[e].next, false {
		m.points = append(m.points, m.P[m.h[e].v])
	}
	return shape.IsThin(m.points, m.thin)
}

// countThin returns how many more thin cells there are if cells with the given rings replace the faces in old.
func (m *Map) countThin(old []int32, rings [][]side) (more int) {
	for _, f := range old {
		if m.isThin(f) {
			more--
		}
	}
	for _, r := range rings {
		m.points = m.points[:0]
		for _, s := range r {
			m.points = append(m.points, m.P[s.v])
		}
		if shape.IsThin(m.points, m.thin) {
			more++
		}
	}
	return more
}

// made reports whether vertex v, between two sides, was made for a cut that is gone and may go: the generator put v on
// an edge of the domain, and both sides are border.
func (m *Map) made(v int32, before, after int32) bool {
	return m.drops && m.on[v] != plan.NoEdge && before != none && after != none && m.h[before].twin == none && m.h[after].twin == none
}

// withoutSlit returns a ring without its slit, an edge walked to and fro: the common edge of two neighbours of a face
// that meet on its border.
func (m *Map) withoutSlit(ring []side) []side {
	n := len(ring)
	for i, s := range ring {
		next := (i + 1) % n
		if m.h[s.h].twin != ring[next].h {
			continue
		}
		if next == 0 {
			return ring[1 : n-1]
		}
		return slices.Delete(ring, i, i+2)
	}
	return ring
}

// withoutMade returns a ring without the constructed corners whose cuts are gone.
func (m *Map) withoutMade(ring []side) []side {
	n := len(ring)
	kept := ring[:0]
	before := ring[n-1].h
	for _, s := range ring {
		if !m.made(s.v, before, s.h) {
			kept = append(kept, s)
		}
		before = s.h
	}
	return kept
}

// dropAll removes from a face the constructed corners whose cuts are gone.
func (m *Map) dropAll(f int32) {
	for e, n := m.f[f].first, m.f[f].size; n > 0; n-- {
		next := m.h[e].next
		if m.made(m.h[e].v, m.h[e].prev, e) {
			m.drop(e)
		}
		e = next
	}
}

// drop removes the corner where half e starts from its face. Half e and the half before are border.
func (m *Map) drop(e int32) {
	p, n := m.h[e].prev, m.h[e].next
	for _, x := range [...]int32{p, e, n} {
		if m.turns(x) {
			m.corners[m.h[x].v]--
		}
	}
	m.count(e, -1)
	m.link(p, n)
	m.f[m.h[e].face].first = p
	m.h[e].face = none
	for _, x := range [...]int32{p, n} {
		if m.turns(x) {
			m.corners[m.h[x].v]++
		}
	}
}

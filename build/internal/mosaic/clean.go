package mosaic

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// maxSides bounds the cells that are cut anew: the work on a cell grows with the square of its sides. Cells
// of any size are merged.
const maxSides = 48

// Steps counts the steps of Clean by kind.
type Steps struct{ Merged, Recut, Turned, Widened int }

// Clean makes steps until none is left: two cells with a convex union become one; three cells become two
// where one cut can replace two; and an edge turns about its notch where the turn widens the sharpest corner
// of its two cells by a degree or more.
//
// Clean works in rounds over the cells near the last changes. In a round every cell takes part in at most one
// step. So cells grow by doubling, and a round takes time linear in the sides under examination.
//
// After [Map.Thin], the steps of widen.go follow and begin at the thin cells. They come last, because they must not
// make more cells.
func (m *Map) Clean(ctx context.Context) (Steps, error) {
	c := cleaner{Map: m}
	todo := make([]int32, len(m.f))
	for f := range todo {
		todo[f] = int32(f)
	}
	if err := c.rounds(ctx, todo, c.clean); err != nil {
		return c.steps, err
	}
	return c.steps, c.rounds(ctx, c.startWidening(), func(f int32) {
		if !c.widen(f) {
			c.clean(f)
		}
	})
}

// rounds makes steps for the faces in a list, and for the faces that the steps put on the next list.
func (c *cleaner) rounds(ctx context.Context, todo []int32, step func(f int32)) error {
	for len(todo) > 0 {
		c.next = nil
		c.round++
		for i, f := range todo {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if c.f[f].first != none && c.free(f, f) {
				step(f)
			}
		}
		todo = c.next
	}
	return nil
}

// cleaner is the state of Clean.
type cleaner struct {
	*Map
	round  int32
	busy   []int32 // of every face: the last round with a change
	queued []int32 // the round of its entry in the list
	next   []int32
	steps  Steps

	upTo, since []shape.Corner // scratch of bestCut
}

func (c *cleaner) grow() {
	for len(c.busy) < len(c.f) {
		c.busy = append(c.busy, 0)
		c.queued = append(c.queued, 0)
	}
}

// again puts a face on the list of the next round.
func (c *cleaner) again(f int32) {
	c.grow()
	if c.queued[f] != c.round {
		c.queued[f] = c.round
		c.next = append(c.next, f)
	}
}

// changed notes that a step made the face: the next round looks again at the face and its neighbours.
func (c *cleaner) changed(f int32) {
	c.again(f)
	c.busy[f] = c.round
	for e, first := c.f[f].first, true; first || e != c.f[f].first; e, first = c.h[e].next, false {
		if t := c.h[e].twin; t != none {
			c.again(c.h[t].face)
		}
	}
}

// free tells whether a face may take part in a step of this round; if not, f has to be looked at again.
func (c *cleaner) free(face, f int32) bool {
	c.grow()
	if c.busy[face] == c.round {
		c.again(f)
		return false
	}
	return true
}

// clean makes the best possible step for a face.
func (c *cleaner) clean(f int32) {
	switch {
	case c.mergeBest(f):
		c.steps.Merged++
	case c.f[f].size > maxSides:
	case c.recut(f):
		c.steps.Recut++
	case c.turn(f):
		c.steps.Turned++
	}
}

// reflex tells whether taking away the edge of half e would leave a notch where it starts.
func (m *Map) reflex(e int32) bool {
	t := m.h[e].twin
	return lattice.Orient(m.P[m.h[m.h[e].prev].v], m.P[m.h[e].v], m.P[m.head(m.h[t].next)]) < 0
}

// mergeBest merges a face with a neighbour: the allowed neighbour whose merge removes the sharpest corner.
func (c *cleaner) mergeBest(f int32) bool {
	best, sharpest := none, shape.Straight
	for e, first := c.f[f].first, true; first || e != c.f[f].first; e, first = c.h[e].next, false {
		t := c.h[e].twin
		if t == none || c.reflex(e) || c.reflex(t) {
			continue
		}
		k := shape.Straight
		for _, x := range [...]int32{e, c.h[e].next, t, c.h[t].next} {
			if l := c.corner(x); l.Compare(k) < 0 {
				k = l
			}
		}
		if best != none && (k.Compare(sharpest) >= 0 || c.f[f].size > maxSides) {
			continue
		}
		if g := c.h[t].face; c.free(g, f) {
			c.union = c.appendFace(c.union[:0], c.h[e].next, e)
			c.union = c.appendFace(c.union, c.h[t].next, t)
			if _, ok := c.judge([]int32{f, g}, c.union); ok {
				best, sharpest = e, k
			}
		}
	}
	if best == none {
		return false
	}
	kept, _ := c.merge(best)
	c.changed(kept)
	return true
}

// single is an edge that only the notch at one of its ends needs.
type single struct {
	e     int32 // the half of the face
	at    int32 // the half of the face that starts at the notch
	notch int32 // the vertex
}

// maxSingles bounds the edges of a face that are taken in pairs.
const maxSingles = 16

// recut looks for two edges of a face that one cut can replace: from the notch of one to the notch of the
// other or, if both have the same notch, from there to anywhere. The first two of the three cells become the
// cells on either side of the cut.
func (c *cleaner) recut(f int32) bool {
	var list []single
	for e, first := c.f[f].first, true; first || e != c.f[f].first; e, first = c.h[e].next, false {
		t := c.h[e].twin
		if t == none || len(list) == maxSingles {
			continue
		}
		switch at, to := c.reflex(e), c.reflex(t); {
		case at && !to:
			list = append(list, single{e, e, c.h[e].v})
		case to && !at:
			list = append(list, single{e, c.h[e].next, c.head(e)})
		}
	}
	var best step
	for i, a := range list {
		for _, b := range list[:i] {
			if p := c.planPair(f, a, b); p.ok && (!best.ok || p.sharpest.Compare(best.sharpest) > 0) {
				best = p
			}
		}
	}
	if !best.ok {
		return false
	}
	c.do(best)
	return true
}

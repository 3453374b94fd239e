package exact

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// touching is how far apart, in units, things on the lattice may be that touched before they were
// rounded to it.
const touching = 2

// hiding is how far above another floor, in units, one is the floor there. Where two cross, both are
// for a few units on each side, so that nothing is lost between them.
const hiding = 8

// exposure is what the agent's feet may rest on of one walkable triangle, and which others there are
// above it.
type exposure struct {
	// rings is what no other floor covers, counter-clockwise outer rings and clockwise holes; nil where
	// nothing is left.
	rings []lattice.Ring
	// blocked is the part of it with something in the way of the agent's body.
	blocked []lattice.Ring
	// above lists walkable triangles that lie over the free part, high enough to walk beneath.
	above []int32
}

// expose finds the free part of every walkable triangle: without what other floors cover and
// without what has something in the band of the agent's body above it.
func (e *extraction) expose(ctx context.Context, jobs int) error {
	const chunk = 256
	n := len(e.soup.Triangles)
	e.exposed = make([]exposure, n)
	return par.For(ctx, jobs, (n+chunk-1)/chunk, func(c int) error {
		var near []int32
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if e.soup.Triangles[i].Walkable {
				var err error
				if near, err = e.exposeOne(int32(i), near[:0]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (e *extraction) exposeOne(f int32, near []int32) ([]int32, error) {
	v := &e.soup.Triangles[f].V
	x := &e.exposed[f]
	ring := lattice.Ring{v[0].Point, v[1].Point, v[2].Point}
	b := e.tree.boxes[f]
	for k := range 2 {
		b.low[k] -= touching
		b.high[k] += touching
	}
	b.low[2] += touching
	b.high[2] = math.MaxInt32
	near = e.tree.search(&b, near)
	p, inner := prismOf(v, 1), prismOf(v, -touching)
	var covers, blocks []lattice.Ring
	for _, t := range near {
		other := &e.soup.Triangles[t]
		low := e.climb
		if other.Walkable {
			low = hiding
		}
		if t == f || p.misses(&other.V, low-1) || e.apart(f, t) {
			continue
		}
		part := p.inside(pieceOf(&other.V))
		if part.n == 0 {
			continue
		}
		if other.Walkable {
			// A floor above hides this one, be it only a step above; up to its border and no farther.
			if over := p.band(part, e.height, math.Inf(1)); over.area2() > overlapping {
				x.above = append(x.above, t)
			}
			if in := p.band(part, hiding, e.height); in.area2() > 0 {
				covers = append(covers, in.footprint(0))
			}
			continue
		}
		if in := p.band(part, e.climb, e.height); in.n > 0 && !e.beside(&p, &inner, &in) {
			blocks = append(blocks, in.footprint(1))
		}
	}
	x.rings = []lattice.Ring{ring}
	if len(covers) == 0 && len(blocks) == 0 {
		return near, nil
	}
	a, err := overlay.Arrange(x.rings, covers, blocks)
	if err != nil {
		return near, err
	}
	x.rings = ringsOf(a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 }))
	x.blocked = ringsOf(a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 && w[2] > 0 }))
	return near, nil
}

// beside reports whether a part in the way is only beside a triangle, over the border to a floor that
// continues it and on which it is not in the way: the edge of a ceiling over a stair is in the way of
// what is beneath the ceiling, if at all.
func (e *extraction) beside(p, inner *prism, part *piece) bool {
	if in := inner.inside(*part); in.n > 0 {
		return false
	}
	var x, y, low, high float64
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range part.v[:part.n] {
		x, y = x+v.x/float64(part.n), y+v.y/float64(part.n)
		low, high = min(low, v.z), max(high, v.z)
	}
	// Out over the nearest side.
	best := math.Inf(1)
	var out *halfspace
	for i := range p.sides {
		if d := p.sides[i].side(&point3{x, y, 0}); d < best {
			best, out = d, &p.sides[i]
		}
	}
	here := p.height(x, y)
	at := piece{n: 1}
	at.v[0] = point3{x - float64(outward*out.a), y - float64(outward*out.b), here}
	around := boxOf(lattice.Vertex{Point: lattice.Point{X: rounded(at.v[0].x), Y: rounded(at.v[0].y)}, Z: rounded(here)}).grown(touching)
	around.low[2], around.high[2] = lowered(around.low[2], e.climb), raised(around.high[2], e.climb)
	continued := false
	for _, t := range e.tree.search(&around, nil) {
		if !e.soup.Triangles[t].Walkable {
			continue
		}
		q := prismOf(&e.soup.Triangles[t].V, 1)
		if in := q.inside(at); in.n == 0 {
			continue
		}
		switch z := q.height(at.v[0].x, at.v[0].y); {
		case math.Abs(z-here) > e.climb:
		case high-z > e.climb && low-z < e.height:
			return false
		default:
			continued = true
		}
	}
	return continued
}

// overlapping is twice the plan area, in square units, from which on two triangles lie over each
// other and do not just touch: a square of 4 mm.
const overlapping = 2 * 16 * 16

// apart reports whether two triangles that have a corner in common are seen from above on two sides of
// a line through it, so that nothing of the one is over the other but what they share. It is a quick
// answer for the neighbours in a surface, and says false when in doubt.
func (e *extraction) apart(f, t int32) bool {
	a, b := &e.soup.Triangles[f].V, &e.soup.Triangles[t].V
	shared := 0
	var own, other [3]bool // which corners are shared
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				own[i], other[j] = true, true
				shared++
			}
		}
	}
	if shared == 0 || shared == 3 {
		return false
	}
	beyond := func(p, q lattice.Point, v *[3]lattice.Vertex, same *[3]bool) bool {
		for i := range v {
			if !same[i] && lattice.Orient(p, q, v[i].Point) >= 0 {
				return false
			}
		}
		return true
	}
	for i := range a { // the edges of f have f on their left
		j := (i + 1) % 3
		if (own[i] || own[j]) && (shared == 1 || own[i] && own[j]) && beyond(a[i].Point, a[j].Point, b, &other) {
			return true
		}
	}
	if shared == 2 {
		return false
	}
	turn := lattice.Orient(b[0].Point, b[1].Point, b[2].Point)
	for i := range b {
		j := (i + 1) % 3
		p, q := b[i].Point, b[j].Point
		if turn < 0 {
			p, q = q, p
		}
		if turn != 0 && (other[i] || other[j]) && beyond(p, q, a, &own) {
			return true
		}
	}
	return false
}

package exact

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// What is in the way over a triangle is looked for when it is known which triangles there are in layers, and no farther
// than until it shows that the triangle is barren (barren.go): most of these are left out. What is in the way of those
// that are not is completed then. Only over triangles that others cover in part it is looked for at once, because the
// same overlay cuts both (exposed.go).

// block finds what is in the way over the triangles in layers, and which of these that makes barren. Where it stopped as
// soon as that was known, e.looked tells after how many faces near the leaf, counted from 1.
func (e *extraction) block(ctx context.Context, jobs int, barren []bool) error {
	return e.eachLeaf(ctx, jobs, func(leaf *node, s *surroundings) error {
		items := e.floors.items[leaf.first:leaf.last]
		for i := range items {
			t := items[i].triangle
			if e.layer[t] == unassigned {
				continue
			}
			var err error
			if barren[t], e.looked[t], err = e.blockOne(&items[i], s); err != nil {
				return err
			}
		}
		return nil
	})
}

// complete finds the rest of what is in the way over some triangles.
func (e *extraction) complete(ctx context.Context, jobs int, chosen func(t int32) bool) error {
	return e.eachLeaf(ctx, jobs, func(leaf *node, s *surroundings) error {
		items := e.floors.items[leaf.first:leaf.last]
		for i := range items {
			t := items[i].triangle
			if e.looked[t] == 0 || !chosen(t) {
				continue
			}
			e.findSolids(s)
			e.appendBlocks(&items[i], s, e.looked[t]-1, func() bool { return false })
			if err := e.finish(t); err != nil {
				return err
			}
			e.looked[t] = 0
		}
		return nil
	})
}

// findSolids lists the faces that may be in the way over the triangles of a leaf.
func (e *extraction) findSolids(s *surroundings) {
	if s.listed {
		return
	}
	s.listed = true
	b := overhead(s.leaf.box)
	s.solids = s.solids[:0]
	if !e.solids.any(&b, all32) {
		return // as over most terrain
	}
	b.high[2] = math.MinInt32
	items := e.floors.items[s.leaf.first:s.leaf.last]
	for i := range items {
		p := planeOf(&e.soup.Triangles[items[i].triangle].V)
		b.high[2] = max(b.high[2], e.headroom(&items[i], &p))
	}
	s.solids = e.solids.search(&b, s.solids)
}

// headroom is how high up something may be in the way over a walkable triangle in a plane, or right beside it.
func (e *extraction) headroom(at *item, p *plane) int32 {
	return raised(at.box.high[2], e.height+touching*(1+math.Abs(p.slope.x)+math.Abs(p.slope.y)))
}

// blockOne finds what is in the way over one triangle, and whether that makes it barren. It may stop as soon as that is
// known, and then says before which face near the leaf, counted from 1.
func (e *extraction) blockOne(at *item, s *surroundings) (barren bool, looked int32, err error) {
	f := at.triangle
	x := &e.exposed[f]
	if x.settled {
		s.bars = e.appendBars(s.bars[:0], f)
		return e.barren(f, s.bars), 0, nil
	}
	s.bars = e.appendRimBars(s.bars[:0], f)
	e.findSolids(s)
	if len(s.solids) == 0 {
		return e.barren(f, s.bars), 0, nil
	}
	next := 1 // how many bars are worth a look at whether they are enough
	enough := func() bool {
		// What is taken off what is in the way is no bar.
		if len(s.bars) < next || len(x.strips) > 0 {
			return false
		}
		next = 2 * len(s.bars)
		return e.barren(f, s.bars)
	}
	if enough() {
		return true, 1, nil
	}
	if looked = e.appendBlocks(at, s, 0, enough); looked > 0 {
		return true, looked, nil
	}
	if err := e.finish(f); err != nil {
		return false, 0, err
	}
	if len(x.strips) > 0 {
		s.bars = e.appendBars(s.bars[:0], f)
	}
	return e.barren(f, s.bars), 0, nil
}

// finish tidies what is in the way over a triangle, when all of it is known.
func (e *extraction) finish(t int32) error {
	x := &e.exposed[t]
	x.settled = true
	x.blocked = outermost(x.blocked, nil)
	if len(x.strips) == 0 || len(x.blocked) == 0 {
		return nil
	}
	blocked, err := overlay.Difference(x.blocked, x.strips)
	x.blocked = ringsOf(blocked)
	return err
}

// appendBlocks adds what is in the way over a triangle, and its bars, from one of the faces near the leaf on. It stops as
// soon as that is enough, and then returns before which face, counted from 1, else 0.
func (e *extraction) appendBlocks(at *item, s *surroundings, from int32, enough func() bool) int32 {
	x := &e.exposed[at.triangle]
	s.stand(&e.soup.Triangles[at.triangle], at.triangle)
	s.ends.sides, s.ends.made = borders{}.sides, false
	b := overhead(at.box)
	b.high[2] = e.headroom(at, &s.plane)
	for i := int(from); i < len(s.solids); i++ {
		if !s.solids[i].box.meets(&b) {
			continue
		}
		other := &e.faces[s.solids[i].triangle]
		if !s.finds(other.v(), other.ids(), false, e.climb, e.height) {
			continue
		}
		above, below := s.over.layers(e.climb, e.height)
		s.part.cut(&above)
		s.part.cut(&below)
		if s.part.n == 0 || e.beside(s) {
			continue
		}
		if w, ok := uprightOf(other.v(), &s.part); ok {
			x.walls = append(x.walls, w)
			s.bars = append(s.bars, w.bar())
		} else {
			r := s.part.footprint(1)
			x.blocked = append(x.blocked, r)
			s.bars = appendRing(s.bars, r)
		}
		if enough() {
			return int32(i) + 2
		}
	}
	return 0
}

// beside reports whether a part in the way is only beside a triangle, over the border to a floor that
// continues it and on which it is not in the way: the edge of a ceiling over a stair is in the way of
// what is beneath the ceiling, if at all.
//
// Where the floor ends at that border and no other is near, nothing is in the way either: the border itself is
// as good.
func (e *extraction) beside(s *surroundings) bool {
	part, ends, v, p := &s.part, &s.ends, &s.of.V, &s.over
	if !ends.made {
		ends.inner, ends.made = prismOn(&s.plane, v, -touching), true
	}
	var x, y, low, high float64
	low, high = math.Inf(1), math.Inf(-1)
	for i := range part.n {
		v := &part.v[i]
		x, y = x+v.x/float64(part.n), y+v.y/float64(part.n)
		low, high = min(low, v.z), max(high, v.z)
	}
	if ends.inner.holds(&point3{x, y, 0}) {
		return false // as is nearly all that is in the way
	}
	in := *part
	if ends.inner.trim(&in); in.n > 0 {
		return false
	}
	// Out over the nearest side.
	best := math.Inf(1)
	side := 0
	for i := range p.sides {
		if d := p.sides[i].side(&point3{x, y, 0}); d < best {
			best, side = d, i
		}
	}
	out := &p.sides[side]
	if out.holdsNear(part) && e.ends(s, side) {
		return true
	}
	here := p.height(x, y)
	at := point3{x - float64(outward*out.a), y - float64(outward*out.b), here}
	around := boxOf(lattice.Vertex{Point: lattice.Point{X: rounded(at.x), Y: rounded(at.y)}, Z: rounded(here)}).grown(touching)
	around.low[2], around.high[2] = lowered(around.low[2], e.climb), raised(around.high[2], e.climb)
	continued := false
	near := s.near(e, &around)
	for i := range near {
		q := s.prisms.of(e.soup, near[i].triangle)
		if !q.holds(&at) {
			continue
		}
		switch z := q.height(at.x, at.y); {
		case math.Abs(z-here) > e.climb:
		case high-z > e.climb && low-z < e.height:
			return false
		default:
			continued = true
		}
	}
	return continued
}

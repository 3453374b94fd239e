package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// upright is the stretch of an upright face that is in the way, seen from above.
type upright struct {
	a, b     lattice.Point // the ends of the face, a the smaller
	from, to int32         // the stretch, by the coordinate in which the face is longer
}

// uprightOf returns the part of a face as a stretch; ok is false where the face is not upright.
func uprightOf(t []lattice.Vertex, part *piece) (w upright, ok bool) {
	for i := range t {
		if lattice.Orient(t[i].Point, t[(i+1)%len(t)].Point, t[(i+2)%len(t)].Point) != 0 {
			return w, false
		}
	}
	w.a, w.b = t[0].Point, t[0].Point
	for _, v := range t[1:] {
		if v.Point.Compare(w.a) < 0 {
			w.a = v.Point
		}
		if v.Point.Compare(w.b) > 0 {
			w.b = v.Point
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range part.v[:part.n] {
		at := v.x
		if w.steep() {
			at = v.y
		}
		low, high = min(low, at), max(high, at)
	}
	w.from, w.to = int32(math.Floor(low)), int32(math.Ceil(high))
	return w, true
}

// steep reports whether a wall is longer in Y.
func (w *upright) steep() bool {
	dx, dy := w.b.Sub(w.a)
	return max(dy, -dy) > dx
}

// at returns the place of a wall with coordinate c on the longer axis.
func (w *upright) at(c int32) lattice.Point {
	dx, dy := w.b.Sub(w.a)
	if w.steep() {
		low, high := min(w.a.Y, w.b.Y), max(w.a.Y, w.b.Y)
		c = min(max(c, low), high)
		return lattice.Point{X: rounded(float64(w.a.X) + float64(float64(dx)*(float64(c)-float64(w.a.Y)))/float64(dy)), Y: c}
	}
	c = min(max(c, w.a.X), w.b.X)
	if dx == 0 {
		return w.a
	}
	return lattice.Point{X: c, Y: rounded(float64(w.a.Y) + float64(float64(dy)*(float64(c)-float64(w.a.X)))/float64(dx))}
}

// ring returns the footprint of a wall.
func (w *upright) ring() lattice.Ring { return slit(w.at(w.from), w.at(w.to)) }

func (w *upright) bar() bar { return barOf(w.at(w.from), w.at(w.to)) }

// joined returns the footprints of walls. Walls on one line are stretches of the line. Overlapping or consecutive
// stretches become one.
func joined(walls []upright) []lattice.Ring {
	if len(walls) == 0 {
		return nil
	}
	lines := make([]line, len(walls))
	for i := range walls {
		lines[i] = walls[i].line()
	}
	slices.SortFunc(lines, line.compare)
	rings := make([]lattice.Ring, 0, len(walls))
	for i := 0; i < len(lines); {
		first := &lines[i]
		whole := upright{first.a, first.b, first.from, first.to}
		for i++; i < len(lines) && lines[i].goesOn(first) && lines[i].from <= whole.to+2*touching; i++ {
			whole.to = max(whole.to, lines[i].to)
			// The whole stretch lies between the ends of the two faces.
			whole.a, whole.b = lesser(whole.a, lines[i].a), greater(whole.b, lines[i].b)
		}
		rings = append(rings, whole.ring())
	}
	return rings
}

// line is a wall with its line in the plan: the places where dx·y - dy·x = offset, with dx and dy without a common
// divisor.
type line struct {
	upright
	dx, dy, offset int64
}

func (w *upright) line() line {
	dx, dy := w.b.Sub(w.a)
	if g := lattice.GCD(dx, dy); g > 1 {
		dx, dy = dx/g, dy/g
	}
	return line{*w, dx, dy, dx*int64(w.a.Y) - dy*int64(w.a.X)}
}

func (l line) compare(o line) int {
	return cmp.Or(cmp.Compare(l.dx, o.dx), cmp.Compare(l.dy, o.dy), cmp.Compare(l.offset, o.offset),
		cmp.Compare(l.from, o.from), cmp.Compare(l.to, o.to), l.a.Compare(o.a), l.b.Compare(o.b))
}

// goesOn reports whether two walls stand on one line.
func (l *line) goesOn(o *line) bool { return l.dx == o.dx && l.dy == o.dy && l.offset == o.offset }

func lesser(p, q lattice.Point) lattice.Point {
	if p.Compare(q) < 0 {
		return p
	}
	return q
}

func greater(p, q lattice.Point) lattice.Point {
	if p.Compare(q) > 0 {
		return p
	}
	return q
}

// borders tells whether the floor ends at each of the three sides of a triangle, once known.
type borders struct {
	sides [3]struct{ known, ends, cracked bool }
	inner prism // the triangle's prism without its border, once made
	made  bool

	cracks []hairlineSide // filled hairlines along the sides, once looked for
	looked bool
}

// ends reports whether the floor ends at a side of a triangle: no floor lies beyond the side, at any height, within the
// width of a filled crack.
func (e *extraction) ends(s *surroundings, side int) bool {
	k, v := &s.ends.sides[side], &s.of.V
	if k.known {
		return k.ends
	}
	k.known, k.ends = true, true
	a, b := v[side], v[(side+1)%3]
	if e.firstRim != nil && !e.endsAt(s.triangle, a) {
		k.ends = false
		return false
	}
	dx, dy := b.Sub(a.Point)
	length := math.Sqrt(float64(float64(dx)*float64(dx)) + float64(float64(dy)*float64(dy)))
	if length <= 4*outward {
		k.ends = false
		return false
	}
	// The strip beyond the side, without its ends, because the neighbours in the floor are around the ends.
	out := &s.over.sides[side]
	ux, uy := outward*float64(dx)/length, outward*float64(dy)/length
	strip := piece{n: 4}
	for i, c := range [4]struct {
		at  lattice.Vertex
		way float64
		by  float64
	}{{a, 1, touching}, {b, -1, touching}, {b, -1, e.gap + outward}, {a, 1, e.gap + outward}} {
		strip.v[i] = point3{
			float64(c.at.X) + float64(c.way*ux) - float64(out.a*c.by),
			float64(c.at.Y) + float64(c.way*uy) - float64(out.b*c.by),
			0,
		}
	}
	box := box3{Low: [3]int32{math.MaxInt32, math.MaxInt32, math.MinInt32}, High: [3]int32{math.MinInt32, math.MinInt32, math.MaxInt32}}
	for _, c := range strip.v[:strip.n] {
		box.Low[0], box.High[0] = min(box.Low[0], rounded(c.x)), max(box.High[0], rounded(c.x))
		box.Low[1], box.High[1] = min(box.Low[1], rounded(c.y)), max(box.High[1], rounded(c.y))
	}
	k.ends = !e.floors.Any(&box, func(t int32) bool {
		in := strip
		s.prisms.of(e.soup, t).trim(&in)
		return in.n > 0
	})
	return k.ends
}

// hairlineSide is half of a filled hairline along a stretch of a side of a triangle. The floors on both sides of a hairline have the obstacles in the
// hairline, and each has those over its half.
type hairlineSide struct {
	half [4]halfspace
}

// part sets part to the part of a face over the half of a hairline, and reports whether anything is left.
func (c *hairlineSide) part(corners []lattice.Vertex, part *piece) bool {
	part.set(corners)
	for i := 0; i < len(c.half) && part.n > 0; i++ {
		part.cut(&c.half[i])
	}
	return part.n > 0
}

// cracksNear returns the hairlines along the sides of the triangle at hand, none where a face is no wall or far from the triangle. Other faces that reach
// into a hairline may lie under a floor that hides the hairline.
func (e *extraction) cracksNear(s *surroundings, of *face) []hairlineSide {
	v := of.v()
	if _, wall := uprightOf(v, &piece{}); !wall || s.plane.beyond(v, e.climb-1, e.height+1) {
		return nil
	}
	s.makeOver()
	for i := range s.over.sides {
		h := &s.over.sides[i]
		if !slices.ContainsFunc(v, func(v lattice.Vertex) bool { return h.side(&point3{float64(v.X), float64(v.Y), 0}) >= 1-halfCrack }) {
			return nil
		}
	}
	if !s.ends.looked {
		s.ends.looked = true
		for i := range s.ends.sides {
			e.findCracks(s, i)
		}
	}
	return s.ends.cracks
}

// findCracks finds the hairlines along a side of the triangle at hand. A floor continues the triangle by a step beyond a hairline, and no floor within a
// unit of the side does.
func (e *extraction) findCracks(s *surroundings, side int) {
	r := rim{a: s.of.V[side], b: s.of.V[next3[side]]}
	if r.a.Point == r.b.Point || e.firstRim != nil && !slices.ContainsFunc(e.rimsOf(s.triangle), func(o rim) bool { return o.a == r.a }) {
		return
	}
	along := r.sight()
	box := boxOf(r.a, r.b).Grown(hairs + touching)
	box.Low[2], box.High[2] = lowered(box.Low[2], e.climb), raised(box.High[2], e.climb)
	near, across := s.stretches[0][:0], s.stretches[1][:0]
	for _, i := range s.near(e, &box) {
		if i.ID == s.triangle {
			continue
		}
		q := s.prisms.of(e.soup, i.ID)
		if in, ok := along.above(q, 0, -e.climb, e.climb); ok {
			near = append(near, in)
		}
		if in, ok := along.above(q, hairs, -e.climb, e.climb); ok {
			across = append(across, in)
		}
	}
	s.stretches[0], s.stretches[1] = near, across
	if len(across) == 0 {
		return
	}
	for _, in := range without(merged(across), merged(near), 2*hairs/along.length) {
		s.ends.sides[side].cracked = true
		s.ends.cracks = append(s.ends.cracks, along.crackOn(in))
	}
}

// crackOn returns half of the hairline along a stretch of a side.
func (s *sight) crackOn(in stretch) hairlineSide {
	from := point3{s.a.x, s.a.y, 0}
	return hairlineSide{
		half: [4]halfspace{
			{from: from, a: s.ox, b: s.oy},
			{from: from, a: -s.ox, b: -s.oy, d: -halfCrack},
			{from: from, a: -s.oy, b: s.ox, d: float64(in.from * s.length)},
			{from: from, a: s.oy, b: -s.ox, d: -float64(in.to * s.length)},
		},
	}
}

// endsAt reports whether the side of a triangle that starts at a corner is a rim without a known floor beyond.
func (e *extraction) endsAt(t int32, corner lattice.Vertex) bool {
	rims := e.rimsOf(t)
	for k := range rims {
		if rims[k].a == corner {
			return len(rims[k].beyond) == 0
		}
	}
	return false
}

// holdsNear reports whether a part is no farther than a few units from the border of a half-space.
func (h *halfspace) holdsNear(part *piece) bool {
	for i := range part.n {
		if v := part.v[i]; h.side(&point3{v.x, v.y, h.from.z}) > 4*touching {
			return false
		}
	}
	return true
}

// outerWalls returns the walls whose footprints lie in none of some convex rings. The result reuses the slice.
func outerWalls(walls []upright, rings []lattice.Ring) []upright {
	slits := make([]lattice.Ring, len(walls))
	for i := range walls {
		slits[i] = walls[i].ring()
	}
	inner := innerOf(slits, rings)
	out := walls[:0]
	for i := range walls {
		if !inner[i] {
			out = append(out, walls[i])
		}
	}
	return out
}

// outermost returns the convex rings that lie in none of the others and in none of more. The result reuses the slice.
func outermost(rings, more []lattice.Ring) []lattice.Ring {
	if len(rings) == 0 || len(rings)+len(more) == 1 {
		return rings
	}
	inner := innerOf(rings, more)
	out := rings[:0]
	for i, r := range rings {
		if !inner[i] {
			out = append(out, r)
		}
	}
	return out
}

// innerOf tells which convex rings lie in one of the others or in one of more.
func innerOf(rings, more []lattice.Ring) []bool {
	all := append(slices.Clone(rings), more...)
	boxes, order := make([]lattice.Box, len(all)), make([]int32, len(all))
	whole := lattice.EmptyBox()
	for i, r := range all {
		boxes[i], order[i] = r.Box(), int32(i)
		whole = whole.Union(boxes[i])
	}
	// A sweep along the longer side: around holds the rings that may contain a ring that begins here.
	from := func(b *lattice.Box) (low, high int32) { return b.Min.X, b.Max.X }
	if w, h := whole.Size(); h > w {
		from = func(b *lattice.Box) (low, high int32) { return b.Min.Y, b.Max.Y }
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, _ := from(&boxes[i])
		b, _ := from(&boxes[j])
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(i, j))
	})
	inner := make([]bool, len(all))
	var around []int32
	for first := 0; first < len(order); {
		low, _ := from(&boxes[order[first]])
		around = slices.DeleteFunc(around, func(j int32) bool { _, high := from(&boxes[j]); return high < low })
		end := first
		for ; end < len(order); end++ {
			if at, _ := from(&boxes[order[end]]); at != low {
				break
			}
			around = append(around, order[end])
		}
		for _, i := range order[first:end] {
			inner[i] = int(i) < len(rings) && slices.ContainsFunc(around, func(j int32) bool {
				return j != i && !inner[j] && boxes[j].Contains(boxes[i].Min) && boxes[j].Contains(boxes[i].Max) && holds(all[j], all[i])
			})
		}
		first = end
	}
	return inner
}

// touch reports whether an edge of the convex ring separates the two rings, which then touch at most.
func touch(convex, r lattice.Ring) bool {
	if len(convex) == 0 {
		return true
	}
	a := convex[len(convex)-1]
	for _, b := range convex {
		if !slices.ContainsFunc(r, func(p lattice.Point) bool { return lattice.Orient(a, b, p) > 0 }) {
			return true
		}
		a = b
	}
	return false
}

// holds reports whether a convex ring contains all of another ring, its border included.
func holds(convex, r lattice.Ring) bool {
	if len(convex) < 3 {
		return false
	}
	a := convex[len(convex)-1]
	for _, b := range convex {
		for _, p := range r {
			if lattice.Orient(a, b, p) < 0 {
				return false
			}
		}
		a = b
	}
	return true
}

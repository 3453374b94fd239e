package lattice

import "math"

// joint is a way to go from one line to the next.
type joint struct {
	from     int // the line
	cost     float64
	at       Point
	w        vec     // its place before rounding
	onX, onY float64 // how far on, from the last point of the first line and the first of the second
}

// before is the order of joints, a strict order.
func (j *joint) before(o *joint) bool {
	return j.cost < o.cost || j.cost == o.cost && j.from < o.from
}

// jointHeap is a binary heap of joints, the first in order on top.
type jointHeap []joint

// order makes any joints a heap, in linear time.
func (h jointHeap) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

// pop removes the top.
func (h *jointHeap) pop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.sink(0)
}

// sink moves a joint down to its place.
func (h jointHeap) sink(i int) {
	for {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && h[k+1].before(&h[k]) {
			k++
		}
		if !h[k].before(&h[i]) {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}

// tryJoin returns the cost of going from line x to the later line y, as far as the lines alone determine it.
func (s *straightener) tryJoin(x, y *support) (j joint, ok bool) {
	turn := x.unit.cross(y.unit)
	j.cost = y.cost + cornerCost
	if turn < 0 {
		j.cost += reflexCost
	}
	if x.last == y.first {
		return j, true
	}
	if math.Abs(turn) < 1e-9 {
		return j, false
	}
	p, q := s.at[x.last], s.at[y.first]
	d := q.sub(p)
	j.onX, j.onY = d.cross(y.unit)/turn, d.cross(x.unit)/turn
	if j.onX < -x.before || j.onY > y.after {
		return j, false
	}
	j.w = p.along(x.unit, j.onX)
	// Twice the area between the chain and the corner.
	area := s.sweep[y.first] - s.sweep[x.last] + q.cross(j.w) - p.cross(j.w)
	j.cost += s.lossCost(max(area, 0))
	return j, area >= -1
}

// join reports whether a joint is allowed, and finds its corner.
func (s *straightener) join(x, y *support, j *joint) bool {
	if x.last == y.first {
		j.at = s.points[x.last]
		return s.meet(x, y)
	}
	far, ok := s.within(x, y, j)
	if !ok {
		return false
	}
	if j.at, ok = s.corner(x, y); !ok {
		return false
	}
	var area2 int64
	for k := x.last; k < y.first; k++ {
		area2 += Orient(j.at, s.points[k], s.points[k+1])
	}
	if area2 < 0 {
		return false
	}
	r := replaced{from: x.last, to: y.first, first: x.first, last: y.last, corner: j.at, mitre: true, far: far}
	return (j.onX <= 0 || s.clear(s.points[x.last], j.at, &r)) && (j.onY >= 0 || s.clear(j.at, s.points[y.first], &r))
}

// meet reports whether two lines may be joined in the point at which both touch the chain.
func (s *straightener) meet(x, y *support) bool {
	v := x.last
	dx, dy := x.b.Sub(x.a)
	ex, ey := y.b.Sub(y.a)
	turn := dx*ey - dy*ex
	if turn == 0 && x.unit.dot(y.unit) < 0 {
		return false
	}
	// A corner of at most 180° must not grow beyond 180°: the lines have passed over each other.
	return turn >= 0 || v == 0 || v == len(s.points)-1 || Orient(s.points[v-1], s.points[v], s.points[v+1]) < 0
}

// within reports whether a joint is within the tolerance of the chain, and the chain of it, and how far the
// two are apart at most, squared.
func (s *straightener) within(x, y *support, j *joint) (far float64, ok bool) {
	limit := s.tolerance * s.tolerance
	// The new part runs from a over w to b. The common parts of lines and old border do not count: they may be
	// near a place through a wall.
	w := j.w
	a, b := w, w
	if j.onX > 0 {
		a = s.at[x.last]
	}
	if j.onY < 0 {
		b = s.at[y.first]
	}
	from, to := x.last, y.first
	if j.onX < 0 {
		from = x.first
	}
	if j.onY > 0 {
		to = y.last
	}
	onFirst := true
	for k := from; k <= to; k++ {
		p := s.at[k]
		if k < x.last && p.sub(w).dot(x.unit) <= 0 || k > y.first && p.sub(w).dot(y.unit) >= 0 {
			continue // not given up by this joint
		}
		_, dx := p.nearest(a, w)
		_, dy := p.nearest(w, b)
		if dx > limit && dy > limit {
			return 0, false
		}
		far = max(far, min(dx, dy))
		near := dx <= limit
		if !near && onFirst && k > from && !s.covered(s.at[k-1], p, a, w, b) {
			return 0, false
		}
		onFirst = near
	}
	off := s.own(w, x.first, y.last)
	return max(far, off), off <= reach*reach*limit
}

// isNear reports whether a joint of two lines is within the tolerance of one point of the chain between them. [straightener.within] asks
// for all points. Most joints around round corners fail in the middle.
func (s *straightener) isNear(k int, x, y *support, j *joint) bool {
	limit := s.tolerance * s.tolerance
	p, a, b := s.at[k], j.w, j.w
	if j.onX > 0 {
		a = s.at[x.last]
	}
	if _, d := p.nearest(a, j.w); d <= limit {
		return true
	}
	if j.onY < 0 {
		b = s.at[y.first]
	}
	_, d := p.nearest(j.w, b)
	return d <= limit
}

// own returns how far a place is from the chain from point first to point last, squared.
func (s *straightener) own(w vec, first, last int) float64 {
	least := math.Inf(1)
	for k := first; k < last; k++ {
		if _, d := w.nearest(s.at[k], s.at[k+1]); d < least {
			least = d
		}
	}
	return least
}

// covered reports whether the edge from p to q, with p within the tolerance of aw and q of wb, is within the
// tolerance all the way: the part near aw must not end before the part near wb begins.
func (s *straightener) covered(p, q, a, w, b vec) bool {
	limit := s.tolerance * s.tolerance
	d := q.sub(p)
	low, high := 0.0, 1.0
	for range 16 {
		m := (low + high) / 2
		if _, l := p.along(d, m).nearest(a, w); l <= limit {
			low = m
		} else {
			high = m
		}
	}
	_, l := p.along(d, low).nearest(w, b)
	return l <= limit
}

// corner returns the lattice point nearest to where two lines meet that is on the left of both or on them.
func (s *straightener) corner(x, y *support) (Point, bool) {
	p, ok := LineIntersection(x.a, x.b, y.a, y.b)
	if !ok {
		return p, false
	}
	if Orient(x.a, x.b, p) >= 0 && Orient(y.a, y.b, p) >= 0 {
		return p, inFrame(int64(p.X)) && inFrame(int64(p.Y))
	}
	const reach = 3
	best, found := uint64(math.MaxUint64), false
	var out Point
	for dy := int32(-reach); dy <= reach; dy++ {
		for dx := int32(-reach); dx <= reach; dx++ {
			q := Point{p.X + dx, p.Y + dy}
			d := uint64(dx*dx + dy*dy)
			if d < best && Orient(x.a, x.b, q) >= 0 && Orient(y.a, y.b, q) >= 0 {
				best, out, found = d, q, true
			}
		}
	}
	return out, found && inFrame(int64(out.X)) && inFrame(int64(out.Y))
}

// replaced is the part of a chain from point from to point to that a chord replaces, or, with a mitre, a way
// over a corner. It belongs to lines that touch the chain from point first to point last.
type replaced struct {
	from, to, first, last int
	corner                Point
	mitre                 bool
	far                   float64 // the largest squared distance of the replacement from it
}

// clear checks the segment ab, a replacement of a part of the chain or a piece of one: it crosses nothing, it
// is nowhere more than half as far from the chain as from another part of the border, and no other ring is
// between it and the chain.
func (s *straightener) clear(a, b Point, r *replaced) bool {
	s.query++
	av, bv := s.vec(a), s.vec(b)
	d := bv.sub(av)
	length := d.length()
	pieces := int(length/(8*max(s.tolerance, 16))) + 1
	around := int32(min(2*math.Sqrt(r.far), MaxCoord)) + 3
	for i := range pieces {
		p, q := a, b
		if i > 0 {
			p = s.round(av.along(d, float64(i)/float64(pieces)))
		}
		if i < pieces-1 {
			q = s.round(av.along(d, float64(i+1)/float64(pieces)))
		}
		box := BoxOf(p, q).Grown(around)
		for level, levels := uint(0), s.index.levels; levels != 0; level, levels = level+1, levels>>1 {
			if levels&1 == 0 {
				continue
			}
			// Few items cost less than many cells.
			if wide, high := int64(box.Max.X>>level-box.Min.X>>level)+1, int64(box.Max.Y>>level-box.Min.Y>>level)+1; wide*high >= int64(len(s.ofLevel[level])) {
				if !s.clearOfAll(s.ofLevel[level], &box, a, b, r) {
					return false
				}
				continue
			}
			for y := box.Min.Y >> level; y <= box.Max.Y>>level; y++ {
				for x := box.Min.X >> level; x <= box.Max.X>>level; x++ {
					if !s.clearOfAll(s.index.at(level, x, y), &box, a, b, r) {
						return false
					}
				}
			}
		}
	}
	return true
}

// clearOfAll is clear for the edges among some that meet a box.
func (s *straightener) clearOfAll(edges []uint32, box *Box, a, b Point, r *replaced) bool {
	c := s.chain
	for _, e := range edges {
		if s.seen[e] == s.query || !s.index.boxes[e].Overlaps(*box) {
			continue
		}
		s.seen[e] = s.query
		// The place of the edge on the chain, if any.
		k := -1
		border := s.borderOf(int(e))
		if border == c.border {
			n := len(s.borders[c.border].Ring)
			if k = (int(e) - s.base[border] - c.start + n) % n; !c.closed && k >= c.edges {
				k = -1
			}
		}
		if !s.clearOf(int(e), border, k, a, b, r) {
			return false
		}
	}
	return true
}

func (s *straightener) round(v vec) Point {
	return Point{s.origin.X + int32(math.Round(v.x)), s.origin.Y + int32(math.Round(v.y))}
}

func (s *straightener) borderOf(e int) int {
	low, high := 0, len(s.borders)
	for low+1 < high {
		if m := (low + high) / 2; s.base[m] <= e {
			low = m
		} else {
			high = m
		}
	}
	return low
}

// clearOf is clear for one edge of a border, the chain's edge k or another's for -1.
func (s *straightener) clearOf(e, border, k int, a, b Point, r *replaced) bool {
	p, q := s.edge(border, e-s.base[border])
	switch SegmentContact(a, b, p, q) {
	case ProperCrossing:
		return false
	case EndOnInterior, SharedEnd:
		// The replaced part may touch from the right.
		if k >= r.from && k < r.to && max(Orient(a, b, p), Orient(a, b, q)) > 0 {
			return false
		}
	}
	c := s.chain
	if k >= 0 && (k >= r.first-1 && k <= r.last || c.closed && (k+c.edges <= r.last || k == c.edges-1 && r.first == 0)) {
		return true // the chain itself and its continuation
	}
	av, bv, pv, qv := s.vec(a), s.vec(b), s.vec(p), s.vec(q)
	on, least := nearestOn(av, bv, pv, qv)
	if least == 0 || least < 4*r.far && s.tooNear(on, least, pv, qv, r) {
		return false
	}
	if r.mitre && least < 4*r.far {
		w := s.vec(r.corner)
		if _, d := w.nearest(pv, qv); s.tooNear(w, d, pv, qv, r) {
			return false
		}
	}
	// A separate ring between the chain and its replacement.
	return border == c.border || !s.between(p, r)
}

// tooNear reports whether a place on the free side of the edge pq is more than half as far from the replaced
// part as from pq, whose squared distance is distance2: obstacles behind the chain do not matter.
func (s *straightener) tooNear(v vec, distance2 float64, p, q vec, r *replaced) bool {
	return q.sub(p).cross(v.sub(p)) > 0 && 4*s.own(v, r.first, r.last) > distance2
}

// nearestOn returns the place on ab that is nearest to pq, and the squared distance.
func nearestOn(a, b, p, q vec) (on vec, least float64) {
	on, least = a, math.Inf(1)
	for _, t := range [...]vec{a, b} {
		if _, d := t.nearest(p, q); d < least {
			on, least = t, d
		}
	}
	for _, t := range [...]vec{p, q} {
		if x, d := t.nearest(a, b); d < least {
			on, least = x, d
		}
	}
	return on, least
}

// between reports whether p is between a part of the chain and its replacement.
func (s *straightener) between(p Point, r *replaced) bool {
	inside := false
	cross := func(a, b Point) { inside = inside != (crossesRay(p, a, b) == rayCrossed) }
	for k := r.from; k < r.to; k++ {
		cross(s.points[k], s.points[k+1])
	}
	if r.mitre {
		cross(s.points[r.to], r.corner)
		cross(r.corner, s.points[r.from])
	} else {
		cross(s.points[r.to], s.points[r.from])
	}
	return inside
}

package repair

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Obstacles apart from each other.
//
// Idea: convex obstacles away from each other, from all corners, and with their own corners away from all lines, cross lines at places
// away from all others. Rounding then bends the two sides there and nothing else. The arrangement is known without a look at
// windings: the border of the region, along each obstacle from the place where the border enters it to the place where the border
// leaves it, and a hole for each obstacle amid the region. Most obstacles of a world stand like that.
//
// Guarantees: the rings are those of the arrangement (TestApartIsTheArrangement).
//
// Cost: O(n·m + m²) for n sides near the region and m corners of obstacles.

const (
	// clearance is the least distance, in lattice units, between lines that do not bend each other: a point bends the lines
	// through its unit square.
	clearance = 2
	// mostApart and mostCorners bound the obstacles and their corners: the arrangement sorts, and is quicker with many.
	mostApart, mostCorners = 8, 24
)

// meeting is a place where a line crosses a side of an outline, or a corner of another region on a side of the region.
type meeting struct {
	at          lattice.Point
	along       int64 // on the side of the region
	alongFoot   int64 // on the side of the outline
	side        int32 // of the region
	outline     int32 // none for a corner
	edge        int32 // the end of the side of the outline
	enters, end bool  // the border of the region enters an obstacle, or leaves one
	done        bool  // a ring has left here
}

// apart finds the borders of a region without obstacles, if the obstacles are apart from each other.
func (a *arrangement) apart(r *Region, outlines []Outline) (rings []ring, ok bool) {
	if len(outlines) > mostApart {
		return nil, false
	}
	var boxes [mostApart]lattice.Box
	for i := range outlines {
		o := &outlines[i]
		if o.Kind != Obstacle && o.Kind != Foreign || len(o.Rings) != 1 || len(o.Rings[0]) > mostCorners {
			return nil, false
		}
		// The boxes of two obstacles are farther apart than either is from its own.
		boxes[i] = lattice.BoxOf(o.Rings[0]...)
		reach := around(boxes[i])
		for _, other := range boxes[:i] {
			if reach.Overlaps(other) {
				return nil, false
			}
		}
	}
	g := r.groundwork()
	a.hot, a.crossings, a.bends, a.amid = a.hot[:0], a.crossings[:0], a.bends[:0], a.amid[:0]
	covered, gone := false, false // the first corner of the region, and all of it
	for i := range outlines {
		o := &outlines[i]
		foot, reach := o.Rings[0], around(boxes[i])
		first := len(a.crossings)
		if !isRound(foot) || !g.clearOf(foot, reach) || !a.cross(g, int32(i), o, boxes[i], reach) {
			return nil, false
		}
		if o.Kind != Obstacle {
			continue
		}
		in := place(foot, g.segments[0].a) > 0
		covered = covered || in
		switch {
		case len(a.crossings) > first:
		case in:
			gone = true
		case !g.holds(foot[0]):
			continue
		default:
			a.amid = append(a.amid, int32(i))
		}
		for _, p := range foot {
			a.hot = append(a.hot, keyOf(p))
		}
	}
	if gone {
		return nil, true
	}
	slices.SortFunc(a.crossings, func(x, y meeting) int { return cmp.Or(cmp.Compare(x.side, y.side), cmp.Compare(x.along, y.along)) })
	for i := range a.crossings {
		a.hot = append(a.hot, keyOf(a.crossings[i].at))
	}
	for i := range a.bends {
		a.hot = append(a.hot, keyOf(a.bends[i].at))
	}
	slices.Sort(a.hot)
	a.merge(g.corners)
	n, ok := a.borders(g, outlines, covered)
	if !ok {
		return nil, false
	}
	for _, i := range a.amid {
		a.hole(a.ring(n), outlines[i].Rings[0], i)
		n++
	}
	return a.rings[:n], true
}

// cross finds the crossings of an outline with lines. It reports whether the corners of the outline are clear of all lines, and all
// crossings of other lines.
func (a *arrangement) cross(g *groundwork, outline int32, o *Outline, box, reach lattice.Box) bool {
	foot, first := o.Rings[0], len(a.crossings)
	for i := range g.segments {
		s := &g.segments[i]
		if !s.box.Overlaps(reach) {
			continue
		}
		dx, dy := s.b.Sub(s.a)
		least := clearance * (max(dx, -dx) + max(dy, -dy))
		// The corner of the box nearest to the line from its left.
		nearest := lattice.Point{X: box.Min.X, Y: box.Max.Y}
		if dy > 0 {
			nearest.X = box.Max.X
		}
		if dx > 0 {
			nearest.Y = box.Min.Y
		}
		if x, y := nearest.Sub(s.a); dx*y-dy*x >= least {
			continue
		}
		p := foot[len(foot)-1]
		x, y := p.Sub(s.a)
		before := dx*y - dy*x
		for k, q := range foot {
			x, y := q.Sub(s.a)
			off := dx*y - dy*x
			if off < least && off > -least && around(s.box).Contains(q) {
				return false
			}
			if (before > 0) != (off > 0) {
				from, to := lattice.Orient(p, q, s.a), lattice.Orient(p, q, s.b)
				if (from > 0) != (to > 0) && !a.crossAt(g, i, meeting{outline: outline, edge: int32(k), enters: from < 0}, foot, p, q, o.Kind == Obstacle) {
					return false
				}
			}
			p, before = q, off
		}
	}
	for i := range a.crossings[first:] {
		if x := a.crossings[first+i]; !x.isClear(g, foot) || !a.corners(g, x.side) {
			return false
		}
	}
	return true
}

// crossAt adds the crossing of line i with the side of an outline from p to q. It reports whether other sides are clear of the
// crossing.
func (a *arrangement) crossAt(g *groundwork, i int, x meeting, foot lattice.Ring, p, q lattice.Point, takes bool) bool {
	s := &g.segments[i]
	at, ok := lattice.LineIntersection(p, q, s.a, s.b)
	if !ok {
		return false
	}
	x.at, x.alongFoot = at, lattice.Dot(p, q, at)
	if i < g.own {
		x.along, x.side, x.end = lattice.Dot(s.a, s.b, at), int32(i), takes && !x.enters
		x.enters = takes && x.enters
		a.crossings = append(a.crossings, x)
		return true
	}
	is := func(o meeting) bool { return o.at == at }
	if slices.ContainsFunc(a.crossings, is) || slices.ContainsFunc(a.bends, is) {
		return true
	}
	switch x.side = none; g.place(at) {
	case 0:
		return false
	case 1:
		if !x.isClear(g, foot) || slices.ContainsFunc(a.bends, func(o meeting) bool { return o.edge == x.edge && o.alongFoot == x.alongFoot }) {
			return false
		}
		if takes {
			a.bends = append(a.bends, x)
		}
	}
	return true
}

// isClear reports whether a crossing bends its own side of the outline only, and its own side of the region, if any.
func (x *meeting) isClear(g *groundwork, foot lattice.Ring) bool {
	if x.side != none {
		for i := range g.own {
			if s := &g.segments[i]; int32(i) != x.side && around(s.box).Contains(x.at) && meetsSquare(s.a, s.b, x.at) {
				return false
			}
		}
	}
	p := foot[len(foot)-1]
	for k, q := range foot {
		if int32(k) != x.edge && meetsSquare(p, q, x.at) {
			return false
		}
		p = q
	}
	return true
}

// corners adds the corners on a side of the region: a side that bends leads through them. It reports whether the side is clear of all
// others.
func (a *arrangement) corners(g *groundwork, side int32) bool {
	s := &g.segments[side]
	dx, dy := s.b.Sub(s.a)
	least := clearance * (max(dx, -dx) + max(dy, -dy))
	box := around(s.box)
	for _, key := range g.keys {
		v := pointOf(key)
		if v.X > box.Max.X {
			break
		}
		if v == s.a || v == s.b || !box.Contains(v) {
			continue
		}
		x, y := v.Sub(s.a)
		switch off := dx*y - dy*x; {
		case off == 0 && s.box.Contains(v):
			if !slices.ContainsFunc(a.crossings, func(o meeting) bool { return o.at == v && o.side == side }) {
				a.crossings = append(a.crossings, meeting{at: v, along: dx*x + dy*y, side: side, outline: none})
			}
		case off < least && off > -least:
			return false
		}
	}
	return true
}

// around returns a box with clearance on all sides.
func around(b lattice.Box) lattice.Box {
	return lattice.Box{
		Min: lattice.Point{X: b.Min.X - clearance, Y: b.Min.Y - clearance}, Max: lattice.Point{X: b.Max.X + clearance, Y: b.Max.Y + clearance},
	}
}

// clearOf reports whether all corners near the region are clear of an outline.
func (g *groundwork) clearOf(foot lattice.Ring, reach lattice.Box) bool {
	for _, key := range g.keys {
		v := pointOf(key)
		if v.X > reach.Max.X {
			break
		}
		if reach.Contains(v) && place(foot, v) == 0 {
			return false
		}
	}
	return true
}

// place returns 1 for a point inside a convex ring, -1 for a point outside, and 0 for a point that is not clear of the ring.
func place(ring lattice.Ring, v lattice.Point) int {
	in := 1
	a := ring[len(ring)-1]
	for _, b := range ring {
		switch off, least := offLine(a, b, v); {
		case off <= -least:
			return -1
		case off < least:
			in = 0
		}
		a = b
	}
	return in
}

// holds reports whether a point is in the region.
func (g *groundwork) holds(p lattice.Point) bool {
	for i := range g.own {
		if s := &g.segments[i]; lattice.Orient(s.a, s.b, p) < 0 {
			return false
		}
	}
	return true
}

// place returns 1 for a point inside of the region, -1 for a point outside, and 0 for a point that is not clear of the border.
func (g *groundwork) place(p lattice.Point) int {
	in := 1
	for i := range g.own {
		s := &g.segments[i]
		switch off, least := offLine(s.a, s.b, p); {
		case off <= -least:
			return -1
		case off < least:
			in = 0
		}
	}
	return in
}

// offLine returns how far a point is on the left of a line, and how far a point clear of the line is. Both are multiples of a distance.
func offLine(a, b, p lattice.Point) (off, least int64) {
	dx, dy := b.Sub(a)
	x, y := p.Sub(a)
	return dx*y - dy*x, clearance * (max(dx, -dx) + max(dy, -dy))
}

// borders makes the rings with sides of the region, and returns their number. Each begins with the first side that no ring has yet.
func (a *arrangement) borders(g *groundwork, outlines []Outline, covered bool) (n int, ok bool) {
	a.done = resize(a.done, g.own) // by side: a ring has left from its start
	a.first = resize(a.first, g.own+1)
	k, inside := 0, covered
	for i := range g.own {
		a.done[i], a.first[i] = inside, int32(k)
		for ; k < len(a.crossings) && a.crossings[k].side == int32(i); k++ {
			x := &a.crossings[k]
			if x.done = !x.end; x.enters || x.end {
				if x.enters == inside {
					return 0, false
				}
				inside = x.enters
			}
		}
	}
	a.first[g.own] = int32(k)
	if inside != covered {
		return 0, false
	}
	begin := func(side int, from int32) bool {
		n++
		return a.follow(g, outlines, a.ring(n-1), side, from)
	}
	for i := range g.own {
		if !a.done[i] && !begin(i, -1) {
			return 0, false
		}
		for k := a.first[i]; k < a.first[i+1]; k++ {
			if !a.crossings[k].done && !begin(i, k) {
				return 0, false
			}
		}
	}
	return n, true
}

// follow makes the ring from a crossing on, or from the start of a side. It reports whether each obstacle is left where entered.
func (a *arrangement) follow(g *groundwork, outlines []Outline, r *ring, side int, from int32) bool {
	for {
		next := a.first[side]
		s := &g.segments[side]
		if from < 0 {
			if a.done[side] {
				return true
			}
			a.done[side] = true
			a.corner(r, s.a, s.label)
		} else {
			x := &a.crossings[from]
			if x.end {
				if x.done {
					return true
				}
				x.done = true
			}
			a.corner(r, x.at, s.label)
			next = from + 1
		}
		switch {
		case next == a.first[side+1]:
			from = -1
			if side++; side == g.own {
				side = 0
			}
		case a.crossings[next].enters:
			if from = a.skirt(outlines, r, next); !a.crossings[from].end {
				return false
			}
			side = int(a.crossings[from].side)
		default:
			from = next
		}
	}
}

// skirt leads a ring backwards along an obstacle, from the crossing where the ring meets the obstacle to the crossing that it returns.
func (a *arrangement) skirt(outlines []Outline, r *ring, k int32) int32 {
	x := &a.crossings[k]
	foot := outlines[x.outline].Rings[0]
	n := int32(len(foot))
	a.corner(r, x.at, Wall)
	// The crossing with the fewest corners between, or else the last on the same side of the obstacle.
	best, fewest := k, n+1
	for j := range a.crossings {
		y := &a.crossings[j]
		if y.outline != x.outline || int32(j) == k {
			continue
		}
		steps := x.edge - y.edge
		if steps < 0 || steps == 0 && y.alongFoot > x.alongFoot {
			steps += n
		}
		if steps < fewest || steps == fewest && y.alongFoot > a.crossings[best].alongFoot {
			best, fewest = int32(j), steps
		}
	}
	y := &a.crossings[best]
	if !y.end {
		return best
	}
	if fewest == 0 {
		a.bent(r, x.outline, x.edge, y.alongFoot, x.alongFoot)
		return best
	}
	a.bent(r, x.outline, x.edge, 0, x.alongFoot)
	for i := range fewest {
		e := x.edge - 1 - i
		if e < 0 {
			e += n
		}
		a.corner(r, foot[e], Wall)
		if i+1 < fewest {
			a.bent(r, x.outline, e, 0, math.MaxInt64)
		} else {
			a.bent(r, x.outline, e, y.alongFoot, math.MaxInt64)
		}
	}
	return best
}

// bent appends the bends on a side of an outline between two places on the side, backwards.
func (a *arrangement) bent(r *ring, outline, edge int32, from, to int64) {
	for {
		var best *meeting
		for i := range a.bends {
			if x := &a.bends[i]; x.outline == outline && x.edge == edge && x.alongFoot > from && x.alongFoot < to && (best == nil || x.alongFoot > best.alongFoot) {
				best = x
			}
		}
		if best == nil {
			return
		}
		a.corner(r, best.at, Wall)
		to = best.alongFoot
	}
}

// hole makes the ring around an obstacle amid the region. The ring leads backwards, with the floor on the left, and begins at the end of
// the first piece of the first side.
func (a *arrangement) hole(r *ring, foot lattice.Ring, outline int32) {
	first := int64(0)
	for i := range a.bends {
		if x := &a.bends[i]; x.outline == outline && x.edge == 0 && (first == 0 || x.alongFoot < first) {
			first = x.alongFoot
		}
	}
	if first == 0 {
		a.corner(r, foot[0], Wall)
	} else {
		a.bent(r, outline, 0, 0, first+1)
	}
	for k := len(foot) - 1; k > 0; k-- {
		a.corner(r, foot[k], Wall)
		a.bent(r, outline, int32(k), 0, math.MaxInt64)
	}
	if first > 0 {
		a.corner(r, foot[0], Wall)
		a.bent(r, outline, 0, first, math.MaxInt64)
	}
}

func (a *arrangement) corner(r *ring, p lattice.Point, label int32) {
	r.vertices, r.labels = append(r.vertices, a.vertex(p)), append(r.labels, label)
}

// ring returns ring i of the memory, empty.
func (a *arrangement) ring(i int) *ring {
	if i == len(a.rings) {
		a.rings = append(a.rings, ring{})
	}
	r := &a.rings[i]
	r.vertices, r.labels = r.vertices[:0], r.labels[:0]
	return r
}

// merge makes points of the hot points and of others, both sorted.
func (a *arrangement) merge(others []uint64) {
	a.keys, a.points = a.keys[:0], a.points[:0]
	hot := a.hot
	for len(hot) > 0 || len(others) > 0 {
		var k uint64
		if len(others) == 0 || len(hot) > 0 && hot[0] < others[0] {
			k, hot = hot[0], hot[1:]
		} else {
			k, others = others[0], others[1:]
		}
		a.keys, a.points = append(a.keys, k), append(a.points, pointOf(k))
	}
}

// isRound reports whether a ring is convex and counter-clockwise, and every corner is clear of all sides but its own. Of a convex
// ring, the corners next to a side are nearest to its line.
func isRound(ring lattice.Ring) bool {
	if !isConvex(ring) {
		return false
	}
	n := len(ring)
	z, a, b := ring[n-3], ring[n-2], ring[n-1]
	for _, c := range ring {
		before, least := offLine(a, b, z)
		after, _ := offLine(a, b, c)
		if before < least || after < least {
			return false
		}
		z, a, b = a, b, c
	}
	return true
}

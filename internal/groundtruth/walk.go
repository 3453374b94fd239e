package groundtruth

import (
	"math"

	"github.com/meadow-nav/meadow/internal/gaps"
)

// slice is the intersection of a face with the upright plane of a direction: from (r0, z0) to (r1, z1), r the
// way from the place and z the height; r0 ≤ r1.
type slice struct {
	r0, z0, r1, z1 float64
	index          int   // of the face
	near           int32 // the face's number among the gathered
	grazed         bool  // the face lies beside the plane
}

// at returns the height of a slice that is not upright.
func (s *slice) at(r float64) float64 {
	return s.z0 + (s.z1-s.z0)*(r-s.r0)/(s.r1-s.r0)
}

// way is how a walk ended: with its cause, its length, its height, and its triangle.
type way struct {
	cause    Cause
	r, z     float64
	triangle int
}

// cut slices some of the faces along a way in a direction. The way runs on the left of the place by aside metres.
func (j *Judge) cut(d [2]float64, faces []int32, aside, reach float64) {
	g := &j.gather
	g.floors, g.bodies, g.aside = g.floors[:0], g.bodies[:0], aside
	for _, i := range faces {
		f := &g.faces[i]
		var side [3]float64
		for k := range 3 {
			side[k] = d[0]*f.z[k] - d[1]*f.x[k] - aside
		}
		a, b, c := side[0] >= 0, side[1] >= 0, side[2] >= 0
		if a == b && b == c {
			if !f.floor {
				g.graze(i, side, d, reach)
			}
			continue
		}
		var r, z [2]float64
		n := 0
		for k := range 3 {
			l := (k + 1) % 3
			if (side[k] >= 0) == (side[l] >= 0) {
				continue
			}
			t := side[k] / (side[k] - side[l])
			x, w := f.x[k]+t*(f.x[l]-f.x[k]), f.z[k]+t*(f.z[l]-f.z[k])
			r[n], z[n] = d[0]*x+d[1]*w, f.y[k]+t*(f.y[l]-f.y[k])
			n++
		}
		if r[0] > r[1] {
			r[0], r[1], z[0], z[1] = r[1], r[0], z[1], z[0]
		}
		if r[1] < -slack || r[0] > reach+gaps.Hair {
			continue
		}
		s := slice{r[0], z[0], r[1], z[1], f.index, i, false}
		switch {
		case !f.floor:
			g.bodies = append(g.bodies, s)
		case s.r1-s.r0 > 1e-9:
			g.floors = append(g.floors, s)
		}
	}
}

// grazed is how far beside a direction something upright may be and still be met, in metres: a wall without
// thickness that points exactly at the place has no direction that crosses it.
const grazed = 5e-4

// graze adds the outline of the part of a face beside a direction, for a face without points on both sides of it.
func (g *gathering) graze(i int32, side [3]float64, d [2]float64, reach float64) {
	if min(math.Abs(side[0]), math.Abs(side[1]), math.Abs(side[2])) > grazed {
		return
	}
	f := &g.faces[i]
	var r, z [4]float64
	n := 0
	for k := range 3 {
		l := (k + 1) % 3
		a, b := math.Abs(side[k]), math.Abs(side[l])
		at := func(t float64) {
			x, w := f.x[k]+t*(f.x[l]-f.x[k]), f.z[k]+t*(f.z[l]-f.z[k])
			r[n], z[n] = d[0]*x+d[1]*w, f.y[k]+t*(f.y[l]-f.y[k])
			n++
		}
		if a <= grazed {
			at(0)
		}
		if (a <= grazed) != (b <= grazed) {
			at((grazed - a) / (b - a))
		}
	}
	for k := range n {
		s := slice{r[k], z[k], r[(k+1)%n], z[(k+1)%n], f.index, i, true}
		if s.r0 > s.r1 {
			s.r0, s.z0, s.r1, s.z1 = s.r1, s.z1, s.r0, s.z0
		}
		if s.r1 >= -slack && s.r0 <= reach+gaps.Hair {
			g.bodies = append(g.bodies, s)
		}
	}
}

// Corners are how far beside a way, in metres, other ways show whether the way has met more than the corner of a floor, and how far from the edge
// of a step a body may be over the step. The strict judge looks less far: an edge of a centimetre is in the way, though seen almost from its end.
const (
	corner       = 2e-3
	strictCorner = corner / 4
)

// walk goes from the place in the direction of a bin, at most as far as reach.
//
// Where floors at several heights share a corner, the way into the corner leads straight from one floor to the floor on the
// other side, and a step between the two may be too high though the floors around the corner are steps of each other. A corner
// is no border. So a way that ends at a step or a ledge ends there only if a way beside it ends near.
func (j *Judge) walk(bin int32, on int, feet, reach float64) way {
	g := &j.gather
	d := directions[bin]
	faces := g.sectors[bin/(bins/sectors)]
	ahead := func(aside, reach float64) way {
		j.cut(d, faces, aside, reach)
		cur := -1
		for i := range g.floors {
			if g.floors[i].index == g.faces[on].index && g.floors[i].r0 <= slack {
				cur = i
			}
		}
		if cur < 0 {
			// The place is at the very edge of its floor, and the direction leads out: step on from the edge.
			g.floors = append(g.floors, slice{-slack, feet, 0, feet, g.faces[on].index, int32(on), false})
			cur = len(g.floors) - 1
		}
		return j.follow(d, cur, feet, reach)
	}
	return j.pastCorner(ahead, reach)
}

// pastCorner returns the way straight ahead, or where that way ends in no more than a corner, the shorter of the ways on both
// sides. A way beside that begins on no floor says nothing.
func (j *Judge) pastCorner(ahead func(aside, reach float64) way, reach float64) way {
	w := ahead(0, reach)
	if w.cause != Step && w.cause != Ledge {
		return w
	}
	// Ways beside a sharp corner of a hole are longer by this factor of their distance.
	const sharpest = 10
	ends := func(beside *way) bool { return beside.cause > NoFloor && beside.r <= w.r+sharpest*j.corner }
	left := ahead(j.corner, reach)
	if ends(&left) {
		return w
	}
	right := ahead(-j.corner, reach)
	switch {
	case ends(&right) || left.cause == NoFloor && right.cause == NoFloor:
		return w
	case left.cause == NoFloor || right.cause != NoFloor && right.r < left.r:
		return right
	}
	return left
}

// follow goes on from a floor slice at the place, at most as far as reach.
func (j *Judge) follow(d [2]float64, cur int, feet, reach float64) way {
	g := &j.gather
	r := -slack
	for range 4*len(g.floors) + 8 {
		s := &g.floors[cur]
		next, at, w := j.along(d, s, r, reach)
		if w.cause != None {
			return w
		}
		if next < 0 {
			return way{None, reach, s.at(min(reach, s.r1)), s.index}
		}
		cur, r = next, at
	}
	return way{Ledge, r, feet, -1}
}

// along goes along the floor s from r, and returns the floor that the way goes on with, and where; -1 where it
// goes on no farther.
func (j *Judge) along(d [2]float64, s *slice, r, reach float64) (next int, at float64, w way) {
	g := &j.gather
	climb, height := j.agent.MaxClimb+slack, j.agent.Height-slack
	end := min(s.r1, reach)
	// The first face above this floor.
	next, at = -1, end
	above := 0.0
	for i := range g.floors {
		t := &g.floors[i]
		if t == s {
			continue
		}
		from, to, ok := overlap(s, t, max(r, s.r0), end)
		if !ok {
			continue
		}
		room := height
		if t.index >= j.bridges {
			room -= j.above
		}
		e, h, ok := enters(s, t, from, to, slack, room)
		for ; ok && h > climb && j.overStep(e, max(r, s.r0), s.r1) && !j.overAll(d, s, e, t.at(e), t.at(e)); h = t.at(e) - s.at(e) {
			if ok = e < to; ok {
				e = min(e+j.corner, to)
			}
		}
		if ok && (e < at-j.tread || e < at+j.tread && h > above) {
			next, at, above = i, e, h
		}
	}
	if w, hit := j.body(d, s, r, at); hit {
		return -1, 0, w
	}
	if next >= 0 {
		t := &g.floors[next]
		if above > j.climbs(s, t) {
			return -1, 0, way{Step, at, t.at(at), t.index}
		}
		if w, hit := j.between(d, at, at, s, t); hit {
			return -1, 0, w
		}
		return next, at, way{}
	}
	if end >= reach {
		return -1, 0, way{}
	}
	return j.onward(d, s, end, reach)
}

// climbs returns the highest step from one floor to another.
func (j *Judge) climbs(s, t *slice) float64 {
	if s.index >= j.bridges || t.index >= j.bridges {
		return j.agent.MaxClimb + slack + j.above
	}
	return j.agent.MaxClimb + slack
}

// overlap returns where both slices are, from r to end.
func overlap(s, t *slice, r, end float64) (from, to float64, ok bool) {
	from, to = max(r, t.r0), min(end, t.r1)
	return from, to, to-from > 1e-9
}

// enters returns where t first is between low and high above s, from and to included, and how high it is
// there.
func enters(s, t *slice, from, to, low, high float64) (r, above float64, ok bool) {
	a, b := t.at(from)-s.at(from), t.at(to)-s.at(to)
	switch {
	case a > low && a < high:
		return from, a, true
	case a <= low && b > low:
		return from + (to-from)*(low-a)/(b-a), low, true
	case a >= high && b < high:
		return from + (to-from)*(high-a)/(b-a), high, true
	}
	return 0, 0, false
}

// overStep reports whether a place is near an end of its floor: a face above the place may be over a step.
func (j *Judge) overStep(r, from, to float64) bool { return r < from+2*j.corner || r > to-2*j.corner }

// body looks for obstacles above the floor s from one place to another; obstacles only at the ends are found
// where the floor changes.
func (j *Judge) body(d [2]float64, s *slice, from, to float64) (way, bool) {
	low, high := j.agent.MaxClimb+slack, j.agent.Height-slack
	first := way{r: math.Inf(1)}
	for i := range j.gather.bodies {
		t := &j.gather.bodies[i]
		if t.r1 < from+slack || t.r0 > to-slack {
			continue
		}
		// Beside the way, too, a body may be over a step.
		overStep := func(r float64) bool { return t.grazed || j.overStep(r, from, to) }
		if t.r1-t.r0 < slack { // upright
			r := (t.r0 + t.r1) / 2
			z := s.at(r)
			if max(t.z0, t.z1) > z+low && min(t.z0, t.z1) < z+high && r < first.r && (!overStep(r) || j.overAll(d, s, r, t.z0, t.z1)) {
				first = way{Body, r, max(z+low, min(t.z0, t.z1)), t.index}
			}
			continue
		}
		a, b, ok := overlap(s, t, max(from+slack, s.r0), to-slack)
		if !ok {
			continue
		}
		r, above, ok := enters(s, t, a, b, low, high)
		for ; ok && r < first.r; r = min(r+j.corner, b) {
			if !overStep(r) || j.overAll(d, s, r, t.at(r), t.at(r)) {
				first = way{Body, r, s.at(r) + above, t.index}
			} else if r == b {
				break
			}
		}
	}
	return first, first.cause != None
}

// overAll reports whether a body at two heights is in the way of all floors that are a step from the floor s and touch a place of
// the way: a body over a step is over both floors of the step.
func (j *Judge) overAll(d [2]float64, s *slice, r, z0, z1 float64) bool {
	low, high := j.agent.MaxClimb+slack, j.agent.Height-slack
	z := s.at(r)
	least, most := z, z
	x, y := r*d[0]-j.gather.aside*d[1], r*d[1]+j.gather.aside*d[0]
	ends := false // a lower floor shows
	for i := range j.gather.faces {
		f := &j.gather.faces[i]
		ends = ends || f.floor && math.Abs(f.ah+f.ax*x+f.az*y-z) <= slack && f.rimNear(x, y, j.corner)
	}
	for i := range j.gather.faces {
		f := &j.gather.faces[i]
		h := f.ah + f.ax*x + f.az*y
		if f.floor && math.Abs(h-z) <= low && (h > z || ends) && f.near(x, y, j.corner) && !j.buried(f, x, y) {
			least, most = min(least, h), max(most, h)
		}
	}
	return max(z0, z1) > most+low && min(z0, z1) < least+high
}

// buried reports whether other floors hide all of a floor around a place, as far as the look of [Judge.overAll] reaches. Nobody steps on
// a hidden floor, even where the edge of the floor above is near.
func (j *Judge) buried(f *near, x, z float64) bool {
	seen := false
	for _, d := range [8][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}} {
		x, z := x+j.corner*d[0], z+j.corner*d[1]
		h, over := f.heightAt(x, z)
		if !over {
			continue
		}
		seen = true
		if !j.hides(x, z, h) {
			return false
		}
	}
	return seen
}

// hides reports whether a floor hides a lower one, of a height, at a place.
func (j *Judge) hides(x, z, height float64) bool {
	for i := range j.gather.faces {
		f := &j.gather.faces[i]
		if !f.floor {
			continue
		}
		if h, over := f.heightAt(x, z); over && h > height+slack && h < height+j.agent.Height-slack {
			return true
		}
	}
	return false
}

// between looks for an obstacle where one floor ends and the next begins, a hair beyond at most: it must be above both floors.
func (j *Judge) between(d [2]float64, from, to float64, s, t *slice) (way, bool) {
	a, b := s.at(min(from, s.r1)), t.at(max(to, t.r0))
	low, high := max(a, b)+j.agent.MaxClimb+slack, min(a, b)+j.agent.Height-slack
	for i := range j.gather.bodies {
		o := &j.gather.bodies[i]
		if o.r1 < from-slack || o.r0 > to+slack {
			continue
		}
		z0, z1 := o.z0, o.z1
		if o.r1-o.r0 > 2*slack {
			z0, z1 = o.at(max(o.r0, from-slack)), o.at(min(o.r1, to+slack))
		}
		r := min(max((o.r0+o.r1)/2, from), to)
		if max(z0, z1) > low && min(z0, z1) < high && j.overAll(d, s, r, z0, z1) && j.overAll(d, t, r, z0, z1) {
			return way{Body, r, max(low, min(z0, z1)), o.index}, true
		}
	}
	return way{}, false
}

// Treads are the least lengths in metres of a step between two floors: rounding leaves strips of floor that no one stands on, and a way
// of two steps over a strip would lead up a wall. On a lattice a strip of leastTread may be floor, so the lenient judge takes it.
const (
	tread      = slack
	leastTread = slack / 4
)

// isTread reports whether a floor is long enough for a tread from a place on. A floor that goes on from the end at the same height makes the tread longer:
// the way over the corner of a triangle is short.
func (j *Judge) isTread(t *slice, from float64) bool {
	const touching = 1e-9
	for t.r1-from < j.tread {
		var next *slice
		for i := range j.gather.floors {
			if u := &j.gather.floors[i]; u.r0 <= t.r1+touching && u.r1 > t.r1+touching && math.Abs(u.at(t.r1)-t.z1) <= slack {
				next = u
				break
			}
		}
		if next == nil {
			return false
		}
		t = next
	}
	return true
}

// onward finds the floor behind the end of s, and where that floor begins; -1 where the way ends before.
func (j *Judge) onward(d [2]float64, s *slice, end, reach float64) (next int, at float64, w way) {
	g := &j.gather
	z := s.at(end)
	// The nearest floor within a step, of equally near ones the highest. All floors that touch are equally near: a lower floor may show in the
	// hair between two others.
	next, at = -1, math.Inf(1)
	least := math.Inf(1)
	for i := range g.floors {
		t := &g.floors[i]
		from := max(t.r0, end)
		if t.r1 <= end+1e-9 || t.r1-from <= 1e-9 {
			continue
		}
		h := t.at(from)
		if math.Abs(h-z) > j.climbs(s, t) {
			continue
		}
		near := from
		if from <= end+gaps.Hair || j.meets(d, end, from, s, t) {
			near = end
		}
		if near < least-slack || near < least+slack && h > g.floors[next].at(max(at, g.floors[next].r0)) {
			if math.Abs(h-z) <= slack || j.isTread(t, from) {
				next, at, least = i, from, near
			}
		}
	}
	to := min(at, reach)
	if next < 0 && to <= end+gaps.Hair || to > end+gaps.Hair+slack && !j.touching(d, end, to, z) {
		return -1, 0, way{Ledge, end, z, s.index}
	}
	if next < 0 || at >= reach {
		return -1, 0, way{}
	}
	t := &g.floors[next]
	h := t.at(at)
	// A floor above the one to go on to, too high for a step from here.
	for i := range g.floors {
		u := &g.floors[i]
		if u.r0 > at+j.tread || u.r1 <= at+j.tread {
			continue
		}
		if o := u.at(max(at, u.r0)); o-h > slack && o-h < j.agent.Height-slack && o-z > j.climbs(s, u) {
			return -1, 0, way{Step, at, o, u.index}
		}
	}
	if b, hit := j.between(d, min(end, at), at, s, t); hit {
		return -1, 0, b
	}
	return next, at, way{}
}

// meets reports whether two floors are no farther than a hair from all of the way between them: a hair crossed aslant. Floors are convex, so
// the two ends of the way decide.
func (j *Judge) meets(d [2]float64, end, from float64, s, t *slice) bool {
	near := func(r float64, of *slice) bool {
		return j.gather.faces[of.near].near(r*d[0]-j.gather.aside*d[1], r*d[1]+j.gather.aside*d[0], gaps.Hair)
	}
	return near(end, t) && near(from, s)
}

// touching reports whether the way from one place to another runs between floors that touch: a hair crossed aslant is
// longer.
func (j *Judge) touching(d [2]float64, from, to, z float64) bool {
	for r := from + gaps.Hair; r < to; r += gaps.Hair {
		if !j.floorNear(r*d[0]-j.gather.aside*d[1], r*d[1]+j.gather.aside*d[0], z) {
			return false
		}
	}
	return true
}

// floorNear reports whether a floor within a step of a height is no farther than a hair from a place, seen from above.
func (j *Judge) floorNear(x, z, height float64) bool {
	for i := range j.gather.faces {
		f := &j.gather.faces[i]
		if !f.floor || math.Abs(f.ah+f.ax*x+f.az*z-height) > j.agent.MaxClimb+slack {
			continue
		}
		if f.near(x, z, gaps.Hair) {
			return true
		}
	}
	return false
}

// near reports whether a face is no farther than a distance from a place, seen from above.
func (f *near) near(x, z, distance float64) bool {
	if x < min(f.x[0], f.x[1], f.x[2])-distance || x > max(f.x[0], f.x[1], f.x[2])+distance ||
		z < min(f.z[0], f.z[1], f.z[2])-distance || z > max(f.z[0], f.z[1], f.z[2])+distance {
		return false
	}
	_, over := f.heightAt(x, z)
	return over || f.edgeNear(x, z, distance, [3]bool{true, true, true})
}

// rimNear reports whether an edge at which the face may end is no farther than a distance from a place.
func (f *near) rimNear(x, z, distance float64) bool { return f.edgeNear(x, z, distance, f.rim) }

func (f *near) edgeNear(x, z, distance float64, chosen [3]bool) bool {
	for k := range 3 {
		if !chosen[k] {
			continue
		}
		l := (k + 1) % 3
		t := nearestOn(f.x[k], f.z[k], f.x[l], f.z[l], x, z)
		if math.Hypot(f.x[k]+t*(f.x[l]-f.x[k])-x, f.z[k]+t*(f.z[l]-f.z[k])-z) <= distance {
			return true
		}
	}
	return false
}

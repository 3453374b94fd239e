package exact

import (
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// follower holds the floors near the triangles of a leaf, whose rims are followed one after the other.
type follower struct {
	search   int64
	near     []item
	picked   []int32 // the triangles near one rim
	prisms   prisms
	profiles []profile
	// Scratch for the rim at hand, and the memory that results move to.
	beyond, joined     []step
	steps              []step
	own, hidden, shown []stretch
	marked, open, tips []stretch
	marks              []float64
}

// followers holds followers for all extractions, as [memory] holds surroundings.
var followers = sync.Pool{New: func() any { return new(follower) }}

// begin forgets the triangles of other searches.
func (f *follower) begin(search int64) {
	if f.search != search {
		f.search = search
		f.prisms.forget()
	}
}

// linear is a function of a place beside a rim: the values at the two ends of the rim, and the growth per unit farther
// out.
type linear struct{ a, b, out float64 }

// at returns the value of a function at a place from 0 to 1 along the rim, some units out.
func (l *linear) at(t, out float64) float64 {
	return l.a + float64(t*(l.b-l.a)) + float64(out*l.out)
}

// profile is a floor seen from a rim.
type profile struct {
	triangle int32
	over     linear  // the height of the rim, moved out level, above the floor's plane
	in       stretch // the stretch of the rim, moved out, over or under the floor
}

// clip takes off the part where sign times a function is less than a bound.
func (s *stretch) clip(l *linear, out, sign, bound float64) {
	by := float64(out * l.out)
	s.keep(float64(sign*(l.a+by))-bound, float64(sign*(l.b+by))-bound)
}

// keep takes off the part where a value that grows from u at one end of a rim to v at the other is negative.
func (s *stretch) keep(u, v float64) {
	switch {
	case u < 0 && v < 0:
		s.from, s.to = 1, 0
	case u < 0:
		s.from = max(s.from, u/(u-v))
	case v < 0:
		s.to = min(s.to, u/(u-v))
	}
}

// band returns the part of a stretch where a function is from low to high.
func (s stretch) band(l *linear, out, low, high float64) (in stretch, ok bool) {
	s.clip(l, out, 1, low)
	s.clip(l, out, -1, -high)
	return s, s.from <= s.to
}

// sight is a rim with a view of floors: the ends of the rim, and the direction outwards.
type sight struct {
	a, b   point3
	ox, oy float64 // a unit out
	length float64
}

func (r *rim) sight() sight {
	s := sight{a: point3{float64(r.a.X), float64(r.a.Y), float64(r.a.Z)}, b: point3{float64(r.b.X), float64(r.b.Y), float64(r.b.Z)}}
	dx, dy := s.b.x-s.a.x, s.b.y-s.a.y
	s.length = math.Sqrt(float64(dx*dx) + float64(dy*dy))
	s.ox, s.oy = dy/s.length, -dx/s.length
	return s
}

// see returns the profile of a triangle with a prism, for a rim that moves out some units.
func (s *sight) see(t int32, p *prism, out float64) profile {
	f := profile{triangle: t, over: linear{
		s.a.z - p.height(s.a.x, s.a.y), s.b.z - p.height(s.b.x, s.b.y), -float64(p.slope.x*s.ox) - float64(p.slope.y*s.oy),
	}}
	f.in = s.inside(p, out, 0)
	return f
}

// inside returns the stretch of a rim, moved out some units, in a triangle's prism and some units from the sides of the
// prism. Bevels end the prism of a sliver, whose sides may run along the rim far beyond a sharp corner.
func (s *sight) inside(p *prism, out, depth float64) stretch {
	in := stretch{0, 1}
	clip := func(h *halfspace, depth float64) {
		l := linear{h.side(&s.a), h.side(&s.b), float64(h.a*s.ox) + float64(h.b*s.oy)}
		in.clip(&l, out, 1, depth)
	}
	for i := range p.sides {
		clip(&p.sides[i], depth)
	}
	for i := range p.sharp {
		clip(&p.bevels[i], 0)
	}
	return in
}

// depth returns how far the rim's triangle goes inwards from a place of the rim, from 0 to 1. A sliver is narrower than any look inwards.
func (s *sight) depth(p *prism, at float64) float64 {
	least := math.Inf(1)
	for i := range p.sides {
		h := &p.sides[i]
		l := linear{h.side(&s.a), h.side(&s.b), float64(h.a*s.ox) + float64(h.b*s.oy)}
		if l.out > 0 {
			least = min(least, max(0, l.at(at, 0)/l.out))
		}
	}
	return least
}

// above returns the stretch of a rim in a triangle's prism and from low to high above the prism's plane. The rim is
// moved out level by some units.
func (s *sight) above(p *prism, out, low, high float64) (in stretch, ok bool) {
	over := linear{
		s.a.z - p.height(s.a.x, s.a.y), s.b.z - p.height(s.b.x, s.b.y), -float64(p.slope.x*s.ox) - float64(p.slope.y*s.oy),
	}
	if in, ok = (stretch{0, 1}).band(&over, out, low, high); !ok {
		return in, false
	}
	on := s.inside(p, out, 0)
	in = stretch{max(in.from, on.from), min(in.to, on.to)}
	return in, in.from <= in.to
}

// followAll follows the new rims of a leaf's triangles, and the rims near a changed floor.
func (e *extraction) followAll(leaf *leaf, f *follower, changed *tree) {
	near := e.beyondRim(leaf.Box)
	unchanged := !changed.Meets(&near)
	listed := false
	for _, own := range leaf.Items {
		rims := e.rimsOf(own.ID)
		for k := range rims {
			r := &rims[k]
			if r.known {
				if unchanged {
					continue
				}
				if b := e.beyondRim(boxOf(r.a, r.b)); !changed.Meets(&b) {
					continue
				}
			}
			if !listed {
				listed = true
				f.near = e.floors.Search(&near, f.near[:0])
				f.near = slices.DeleteFunc(f.near, func(i item) bool { return !e.shows(i.ID) })
			}
			*r = rim{triangle: r.triangle, a: r.a, b: r.b, known: true}
			e.follow(r, f)
		}
	}
}

// beyondRim returns the box of the floors that matter beyond a rim in a box. Floors of other storeys are in other
// layers. For an agent with a radius, a deeper drop counts only in a level of a single layer.
func (e *extraction) beyondRim(b box3) box3 {
	low, high := lowered(b.Low[2], e.height), raised(b.High[2], e.height)
	b = b.Grown(across)
	b.Low[2], b.High[2] = low, high
	if !e.stacked || e.isPoint() {
		b.Low[2], b.High[2] = math.MinInt32, math.MaxInt32
	}
	return b
}

// withStoreys returns the floors beyond a rim, given by its number, with floors of other storeys that here accepts. Storeys that lie nowhere
// over each other may be side by side in the floor around a crossing. A rim is in the floors of many crossings, and looks at each storey once.
func (e *extraction) withStoreys(number int32, here func(triangle int32) bool, f *follower) []step {
	r := &e.rims[number]
	all := slices.Clip(r.beyond)
	if e.isPoint() || r.a.Point == r.b.Point {
		return all // a point's rims know all storeys
	}
	var known []storeyBeside
	if at := e.storeysBeside[number].Load(); at != nil {
		known = *at
	}
	n := len(known)
	var s sight
	for _, pair := range e.over.Of(r.triangle) {
		t := e.storeys[pair][0] + e.storeys[pair][1] - r.triangle
		if !here(t) {
			continue
		}
		k := slices.IndexFunc(known, func(b storeyBeside) bool { return b.triangle == t })
		if k < 0 {
			if len(known) == n {
				s = r.sight()
				f.own = append(f.own[:0], e.hides(f, r.triangle, &s, stretch{0, 1}, -outward)...)
				known = slices.Clip(known)
			}
			k = len(known)
			known = append(known, storeyBeside{t, e.lookBeside(&s, t, f)})
		}
		all = append(all, known[k].steps...)
	}
	if len(known) > n {
		e.storeysBeside[number].Store(&known)
	}
	return all
}

// storeyBeside is a floor of another storey beside a rim.
type storeyBeside struct {
	triangle int32
	steps    []step
}

// lookBeside returns the stretches along which a floor of another storey is beside a rim. f.own are the hidden parts of the rim.
func (e *extraction) lookBeside(s *sight, t int32, f *follower) []step {
	f.beyond = f.beyond[:0]
	for _, out := range [2]float64{outward, across} {
		p := s.see(t, f.prisms.of(e.soup, t), out)
		if p.in.from >= p.in.to {
			continue
		}
		for _, in := range e.shownOf(f, &p, s, out) {
			f.beyond = append(f.beyond, step{t, in})
		}
	}
	return moved(&f.steps, f.beyond)
}

// lookAcross finds the floors on the other side of hairlines that begin at a rim, and divides the rim from those that are no step away.
// The hairline is filled, and the look outward ends in it, or on a floor of another storey.
func (e *extraction) lookAcross(s *sight, f *follower) {
	f.marked = f.marked[:0]
	for _, j := range f.joined {
		f.marked = append(f.marked, j.stretch)
	}
	slices.SortFunc(f.marked, stretch.compare)
	f.open = appendWithout(f.open[:0], stretch{0, 1}, f.marked, touching/s.length)
	e.appendDropsAcross(s, f, e.climb+touching)
}

// lookUnder finds lower floors on the other side of hairlines under a roof that hides the start of a rim's floor, and divides the rim from floors that
// are no step away. Seen from above, the lower floor ends at the rim, and the rim's own floor shows from a hairline on. The rims of higher floors divide
// by themselves. A floor within a step that hides the rim continues the rim's floor.
func (e *extraction) lookUnder(r *rim, s *sight, f *follower) {
	own := slices.Clone(f.own)
	f.open = append(f.open[:0], without(own, e.hides(f, r.triangle, s, stretch{0, 1}, -hairs), touching/s.length)...)
	if len(f.open) == 0 {
		return
	}
	f.marked = f.marked[:0]
	for _, t := range f.picked {
		if in, ok := s.above(f.prisms.of(e.soup, t), -outward, -e.climb-touching, 0); ok {
			f.marked = append(f.marked, in)
		}
	}
	slices.SortFunc(f.marked, stretch.compare)
	f.open = without(f.open, f.marked, touching/s.length)
	f.own = f.own[:0]
	n := len(f.beyond)
	e.appendDropsAcross(s, f, math.Inf(1))
	if len(f.beyond) == n {
		return
	}
	drops := merged(stretchesOf(f.beyond[n:]))
	f.joined = slices.DeleteFunc(f.joined, func(j step) bool { return j.triangle == unassigned && slices.Contains(own, j.stretch) })
	for _, h := range without(own, drops, 0) {
		f.joined = append(f.joined, step{unassigned, h})
	}
}

// appendDropsAcross appends the floors a hairline beyond the open parts of a rim that are more than a step lower, or higher by more than above.
func (e *extraction) appendDropsAcross(s *sight, f *follower, above float64) {
	if len(f.open) == 0 {
		return
	}
	known := len(f.beyond)
	for _, t := range f.picked {
		p := s.see(t, f.prisms.of(e.soup, t), across)
		if p.in.from >= p.in.to {
			continue
		}
		for _, in := range e.shownOf(f, &p, s, across) {
			within, ok := in.band(&p.over, across, -above, e.climb+touching)
			for _, o := range f.open {
				part := stretch{max(in.from, o.from), min(in.to, o.to)}
				if !ok {
					within = stretch{part.from, part.from}
				}
				for _, d := range [2]stretch{{part.from, min(part.to, within.from)}, {max(part.from, within.to), part.to}} {
					if d.from < d.to && !slices.ContainsFunc(f.beyond[:known], func(b step) bool { return b.triangle == t && b.from <= d.from && d.to <= b.to }) {
						f.beyond = append(f.beyond, step{t, d})
					}
				}
			}
		}
	}
}

// shownOf returns the stretches of a rim along which the floor of the rim and the floor of a profile show. f.own are the hidden
// parts of the rim. A rim also shows where the floor of the profile itself hides the rim from no more than a step above: the two
// floors join there, unless the rim is buried under the other floor. The profile is of the rim moved out some units. The result is valid
// until the next call.
func (e *extraction) shownOf(f *follower, p *profile, s *sight, out float64) []stretch {
	hidden := e.hides(f, p.triangle, s, p.in, out)
	if len(f.own) > 0 {
		var joins []stretch
		q := f.prisms.of(e.soup, p.triangle)
		if over, ok := s.above(q, -outward, -e.climb-touching, 0); ok {
			if deep, ok := s.above(q, -buried, math.Inf(-1), -2*hiding); ok {
				joins = appendWithout(joins, over, []stretch{deep}, 0)
			} else {
				joins = append(joins, over)
			}
		}
		for _, h := range f.own {
			hidden = appendWithout(hidden, h, joins, 0)
		}
	}
	slices.SortFunc(hidden, stretch.compare)
	f.shown = appendWithout(f.shown[:0], p.in, hidden, 0)
	return f.shown
}

// look finds the profiles of all floors beside a rim that moves out some units, in the order of the triangles.
func (e *extraction) look(r *rim, s *sight, out float64, f *follower) {
	b := e.beyondRim(boxOf(r.a, r.b))
	// Most floors near the rim are behind or beyond all lines, and go first.
	f.picked = f.picked[:0]
	for i := range f.near {
		n := &f.near[i]
		if n.ID != r.triangle && n.Box.Meets(&b) && s.reaches(&e.soup.Triangles[n.ID].V) {
			f.picked = append(f.picked, n.ID)
		}
	}
	slices.Sort(f.picked)
	f.profiles = f.profiles[:0]
	for _, t := range f.picked {
		if p := s.see(t, f.prisms.of(e.soup, t), out); p.in.from < p.in.to {
			f.profiles = append(f.profiles, p)
		}
	}
}

// follow finds the floors that continue a rim, and the floors that border on the rim. Both the floor of the rim and the
// floor beyond count where they show: a hidden floor neither joins nor divides.
func (e *extraction) follow(r *rim, f *follower) {
	if r.a.Point == r.b.Point || !e.shows(r.triangle) {
		return
	}
	s := r.sight()
	f.beyond, f.joined = f.beyond[:0], f.joined[:0]
	whole := stretch{0, 1}
	f.own = append(f.own[:0], e.hides(f, r.triangle, &s, whole, -outward)...)
	for _, h := range f.own { // there is nothing to divide
		f.joined = append(f.joined, step{unassigned, h})
	}
	e.look(r, &s, outward, f)
	for i := range f.profiles {
		p := &f.profiles[i]
		for _, in := range e.shownOf(f, p, &s, outward) {
			within, ok := in.band(&p.over, outward, -e.climb-touching, e.climb+touching)
			// Half of an edge of a few units is enough. The tips of a fan of floors divide nothing together.
			if ok && float64((within.to-within.from)*s.length) > min(2*touching, s.length/2) {
				f.joined = append(f.joined, step{p.triangle, within})
			} else if ok && !e.isPoint() {
				f.joined = append(f.joined, step{unassigned, within})
			}
			f.beyond = append(f.beyond, step{p.triangle, in})
		}
	}
	if len(f.picked) > 0 {
		e.lookAcross(&s, f)
		if len(f.own) > 0 {
			e.lookUnder(r, &s, f)
		}
	}
	slices.SortStableFunc(f.joined, func(i, j step) int { return i.compare(j.stretch) })
	r.beyond, r.joined = moved(&f.steps, f.beyond), moved(&f.steps, f.joined)
}

// hides returns the parts of a stretch of a line, beside a rim and some units out, where other floors hide a triangle.
// The result is valid until the next call.
func (e *extraction) hides(f *follower, t int32, s *sight, on stretch, out float64) []stretch {
	f.hidden = f.hidden[:0]
	if e.whole(t) {
		return f.hidden
	}
	// Rounding moves the borders of the free part.
	in := s.inside(f.prisms.of(e.soup, t), out, 1+touching)
	if in = (stretch{max(in.from, on.from), min(in.to, on.to)}); in.from >= in.to {
		if (on.to-on.from)*s.length > pinhole { // too long for the middle to stand for all of it
			f.hidden = appendWithout(f.hidden, on, e.besideTip(f, t, s), touching/s.length)
			return f.hidden
		}
		at := (on.from + on.to) / 2
		if out < 0 {
			out = max(out, -s.depth(f.prisms.of(e.soup, t), at)/2)
		}
		middle := lattice.Point{
			X: rounded(s.a.x + float64(at*(s.b.x-s.a.x)) + float64(out*s.ox)),
			Y: rounded(s.a.y + float64(at*(s.b.y-s.a.y)) + float64(out*s.oy)),
		}
		if _, distance := e.nearest(t, middle); distance > touching {
			f.hidden = append(f.hidden, on)
		}
		return f.hidden
	}
	f.marks = s.appendMarks(f.marks[:0], e.exposed[t], in, out)
	slices.Sort(f.marks)
	f.shown = f.shown[:0]
	for k := 0; k+1 < len(f.marks); k += 2 {
		f.shown = append(f.shown, stretch{f.marks[k], f.marks[k+1]})
	}
	f.hidden = appendWithout(f.hidden, in, f.shown, 0)
	// The ends of the stretch, where the line leaves the triangle, are like the places next to the ends.
	n := len(f.hidden)
	first, last := n > 0 && f.hidden[0].from == in.from, n > 0 && f.hidden[n-1].to == in.to
	if first {
		f.hidden[0].from = on.from
	}
	if last {
		f.hidden[n-1].to = on.to
	}
	if out < 0 {
		f.hidden = e.withTip(f, t, s, stretch{on.from, in.from}, first)
		f.hidden = e.withTip(f, t, s, stretch{in.to, on.to}, last)
	}
	return f.hidden
}

// appendMarks appends the places, in parts of the rim, where the line some units beside a rim crosses the sides of a free part that has rings.
// Of rings beyond the ends of a stretch, which the line crosses an even number of times, some are left out.
func (s *sight) appendMarks(marks []float64, x *exposure, on stretch, out float64) []float64 {
	if x.sides == nil {
		for _, r := range x.rings {
			marks = s.appendMarksOn(marks, r, out)
		}
		return marks
	}
	crosses := func(b *box3) bool { return s.crosses(b, out) }
	x.sides.tree.Each(func(b *box3) bool { return s.passes(b, on) && s.crosses(b, out) }, func(k int32) {
		r := &x.sides.rings[k]
		if r.tree == nil {
			marks = s.appendMarksOn(marks, r.ring, out)
			return
		}
		r.each(crosses, func(_ int32, a, b lattice.Point) { marks = s.appendMark(marks, a, b, out) })
	})
	return marks
}

// appendMarksOn appends the places where the line some units beside a rim crosses a ring.
func (s *sight) appendMarksOn(marks []float64, r lattice.Ring, out float64) []float64 {
	a := r[len(r)-1]
	for _, b := range r {
		marks = s.appendMark(marks, a, b, out)
		a = b
	}
	return marks
}

// appendMark appends the place where the line some units beside a rim crosses the side from a to b, if it does.
func (s *sight) appendMark(marks []float64, a, b lattice.Point, out float64) []float64 {
	before, from := s.place(a)
	along, to := s.place(b)
	if (from < out) == (to < out) {
		return marks
	}
	return append(marks, before+float64((out-from)/(to-from)*(along-before)))
}

// crosses reports whether the line some units beside a rim meets a box in the plan, with a margin for rounding.
func (s *sight) crosses(b *box3, out float64) bool {
	x, y, w, h := s.from(b)
	return math.Abs(float64(x*s.ox)+float64(y*s.oy)-out) <= float64(math.Abs(s.ox)*w)+float64(math.Abs(s.oy)*h)
}

// passes reports whether a box is beside a stretch of the rim in the plan, with a margin for rounding.
func (s *sight) passes(b *box3, on stretch) bool {
	x, y, w, h := s.from(b)
	along, reach := float64(y*s.ox)-float64(x*s.oy), float64(math.Abs(s.oy)*w)+float64(math.Abs(s.ox)*h)
	return along >= float64(on.from*s.length)-reach && along <= float64(on.to*s.length)+reach
}

// from returns the way from the start of the rim to the middle of a box in the plan, and half the width and height of the box, with a margin.
func (s *sight) from(b *box3) (x, y, w, h float64) {
	const margin = 1
	x, y = (float64(b.Low[0])+float64(b.High[0]))/2-s.a.x, (float64(b.Low[1])+float64(b.High[1]))/2-s.a.y
	return x, y, (float64(b.High[0])-float64(b.Low[0]))/2 + margin, (float64(b.High[1])-float64(b.Low[1]))/2 + margin
}

// appendShown appends the parts of the line in which two floors meet that no third floor hides.
func (e *extraction) appendShown(links []link, l *link, f *follower) []link {
	if l.a.Point == l.b.Point || !e.shows(l.from) || !e.shows(l.to) {
		return links
	}
	r := rim{a: l.a, b: l.b}
	s := r.sight()
	whole, least := stretch{0, 1}, touching/s.length
	shown := []stretch{whole}
	for _, t := range [2]int32{l.from, l.to} {
		// The two floors may hide each other, but only on one side of the line.
		f.own = append(f.own[:0], e.hides(f, t, &s, whole, -outward)...)
		if len(f.own) > 0 {
			shown = without(shown, without(f.own, without([]stretch{whole}, e.hides(f, t, &s, whole, outward), least), least), least)
		}
	}
	for _, in := range shown {
		links = append(links, link{l.from, l.to, r.at(in.from), r.at(in.to), false, true})
	}
	return links
}

// place returns the position of a point of the plan along a rim, from 0 to 1, and the distance outwards.
func (s *sight) place(p lattice.Point) (along, out float64) {
	x, y := float64(p.X)-s.a.x, float64(p.Y)-s.a.y
	return (float64(y*s.ox) - float64(x*s.oy)) / s.length, float64(x*s.ox) + float64(y*s.oy)
}

// moved copies things to the end of a long slice, and makes a new slice if the old one is full.
func moved[T any](to *[]T, things []T) []T {
	if len(things) == 0 {
		return nil
	}
	const many = 1 << 11
	if cap(*to)-len(*to) < len(things) {
		*to = make([]T, 0, max(many, len(things)))
	}
	n := len(*to)
	*to = append(*to, things...)
	return (*to)[n:len(*to):len(*to)]
}

// reaches reports whether a triangle may have a place beside a rim, within some units behind or beyond.
func (s *sight) reaches(t *[3]lattice.Vertex) bool {
	behind, beyond, before, after := true, true, true, true
	for i := range t {
		x, y := float64(t[i].X)-s.a.x, float64(t[i].Y)-s.a.y
		out := float64(x*s.ox) + float64(y*s.oy)
		along := float64(y*s.ox) - float64(x*s.oy)
		behind = behind && out < -2*outward
		beyond = beyond && out > across
		before = before && along < -outward
		after = after && along > s.length+outward
	}
	return !behind && !beyond && !before && !after
}

func lowered(z int32, by float64) int32 { return int32(max(float64(z)-by-1, math.MinInt32)) }
func raised(z int32, by float64) int32  { return int32(min(float64(z)+by+1, math.MaxInt32)) }

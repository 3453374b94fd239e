package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// follower is what is near the triangles of a leaf, whose rims are followed one after the other.
type follower struct {
	near     []item
	picked   []int32 // the triangles near one rim
	prisms   prisms
	profiles []profile
	// Scratch for the rim at hand, and the memory that results move to.
	onto, beyond, joined []step
	steps                []step
}

// outs are how far out of a rim one looks at what is near.
type outs [2]float64

// linear is a function of a place beside a rim: what it is at the two ends of the rim, and by how much it grows a unit
// farther out.
type linear struct{ a, b, out float64 }

// at returns what a function is at a place from 0 to 1 along the rim, some units out.
func (l *linear) at(t, out float64) float64 {
	return l.a + float64(t*(l.b-l.a)) + float64(out*l.out)
}

// profile is a floor seen from a rim.
type profile struct {
	triangle int32
	over     linear               // how high the rim, moved out level, is above its plane
	in       [len(outs{})]stretch // what of the rim is over or under it, by how far out
}

// clip takes off where a function is less than a bound.
func (s *stretch) clip(l *linear, out, sign, bound float64) {
	by := float64(out * l.out)
	s.keep(float64(sign*(l.a+by))-bound, float64(sign*(l.b+by))-bound)
}

// keep takes off where what grows from u at one end of a rim to v at the other is negative.
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

// band returns where in a stretch a function is from low to high.
func (s stretch) band(l *linear, out, low, high float64) (in stretch, ok bool) {
	s.clip(l, out, 1, low)
	s.clip(l, out, -1, -high)
	return s, s.from <= s.to
}

// sight is a rim from which floors are seen: its ends, and the direction out of it.
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

// see returns the profile of a triangle with a prism.
func (s *sight) see(t int32, p *prism, out *outs) profile {
	f := profile{triangle: t, over: linear{
		s.a.z - p.height(s.a.x, s.a.y), s.b.z - p.height(s.b.x, s.b.y), -float64(p.slope.x*s.ox) - float64(p.slope.y*s.oy),
	}}
	for k := range f.in {
		f.in[k].to = 1
	}
	for i := range p.sides {
		h := &p.sides[i]
		l := linear{h.side(&s.a), h.side(&s.b), float64(h.a*s.ox) + float64(h.b*s.oy)}
		for k := range f.in {
			by := float64(out[k] * l.out)
			f.in[k].keep(l.a+by, l.b+by)
		}
	}
	return f
}

// above returns the stretch of a rim, moved out level by some units, that is over a triangle with a prism, from low to high above
// its plane.
func (s *sight) above(p *prism, out, low, high float64) (in stretch, ok bool) {
	over := linear{
		s.a.z - p.height(s.a.x, s.a.y), s.b.z - p.height(s.b.x, s.b.y), -float64(p.slope.x*s.ox) - float64(p.slope.y*s.oy),
	}
	if in, ok = (stretch{0, 1}).band(&over, out, low, high); !ok {
		return in, false
	}
	for i := range p.sides {
		h := &p.sides[i]
		in.clip(&linear{h.side(&s.a), h.side(&s.b), float64(h.a*s.ox) + float64(h.b*s.oy)}, out, 1, 0)
	}
	return in, in.from <= in.to
}

// followAll follows the rims of the triangles of a leaf: known rims as far as new floors, which are in the tree floors, and
// other rims as far as all floors. A rim near a hidden floor is known no longer.
func (e *extraction) followAll(leaf *node, f *follower, floors, hidden *tree) {
	own := e.floors.items[leaf.first:leaf.last]
	if !slices.ContainsFunc(own, func(i item) bool { return len(e.rimsOf(i.triangle)) > 0 }) {
		return
	}
	b := e.beyondRim(leaf.box)
	list := func(t *tree) {
		f.near = t.search(&b, f.near[:0])
		f.near = slices.DeleteFunc(f.near, func(i item) bool { return e.exposed[i.triangle].rings == nil })
	}
	list(floors)
	unknown := false
	for i := range own {
		rims := e.rimsOf(own[i].triangle)
		for k := range rims {
			r := &rims[k]
			if b := e.beyondRim(boxOf(r.a, r.b)); r.known && hidden.any(&b, all32) {
				*r = rim{triangle: r.triangle, a: r.a, b: r.b}
			}
			if unknown = unknown || !r.known; r.known && len(f.near) > 0 {
				e.follow(r, f)
			}
		}
	}
	if !unknown {
		return
	}
	if floors != e.floors {
		list(e.floors)
	}
	for i := range own {
		rims := e.rimsOf(own[i].triangle)
		for k := range rims {
			if r := &rims[k]; !r.known {
				e.follow(r, f)
				r.known = true
			}
		}
	}
}

// beyondRim returns the box of the floors that matter beyond a rim in a box. Floors of other storeys are in other layers, so for an
// agent with a radius a deeper drop counts only where there is one layer.
func (e *extraction) beyondRim(b box3) box3 {
	low, high := lowered(b.low[2], e.height), raised(b.high[2], e.height)
	b = b.grown(outward + touching)
	b.low[2], b.high[2] = low, high
	if !e.stacked || e.isPoint() {
		b.low[2], b.high[2] = math.MinInt32, math.MaxInt32
	}
	return b
}

// withStoreys returns the floors beyond a rim, with those of other storeys that here accepts: storeys that lie nowhere over each
// other may be side by side in the floor around a crossing.
func (e *extraction) withStoreys(r *rim, here func(triangle int32) bool) []step {
	all := slices.Clip(r.beyond)
	if e.isPoint() || r.a.Point == r.b.Point {
		return all // a point's rims know all storeys
	}
	out := outs{-outward, outward}
	s := r.sight()
	for _, t := range e.over.of(r.triangle) {
		if !here(t) {
			continue
		}
		p := prismOf(&e.soup.Triangles[t].V, 1)
		if in := s.see(t, &p, &out).in[1]; in.from <= in.to {
			all = append(all, step{t, in})
		}
	}
	return all
}

// look finds the profiles of all that is near a rim, in the order of the triangles.
func (e *extraction) look(r *rim, s *sight, out *outs, f *follower) {
	b := e.beyondRim(boxOf(r.a, r.b))
	// What is behind or beyond all lines goes first: that is most of what is near.
	f.picked = f.picked[:0]
	for i := range f.near {
		n := &f.near[i]
		if n.triangle != r.triangle && n.box.meets(&b) && s.reaches(&e.soup.Triangles[n.triangle].V) {
			f.picked = append(f.picked, n.triangle)
		}
	}
	slices.Sort(f.picked)
	f.profiles = f.profiles[:0]
	for _, t := range f.picked {
		f.profiles = append(f.profiles, s.see(t, f.prisms.of(e.soup, t), out))
	}
}

// follow adds to a rim the floors near the rim: those that continue the floor of the rim, and those beyond. The rim knows only
// floors of lower numbers.
func (e *extraction) follow(r *rim, f *follower) {
	if r.a.Point == r.b.Point {
		return
	}
	s := r.sight()
	// Beside the edge: on its left, inside of its triangle, and on its right.
	out := outs{-outward, outward}
	if e.look(r, &s, &out, f); len(f.profiles) == 0 {
		return
	}
	f.onto, f.beyond, f.joined = append(f.onto[:0], r.onto...), append(f.beyond[:0], r.beyond...), append(f.joined[:0], r.joined...)
	for i := range f.profiles {
		p := &f.profiles[i]
		if in := p.in[0]; in.from <= in.to {
			// Where another floor covers the edge there is nothing to divide.
			if cover, ok := in.band(&p.over, out[0], -e.height, -hiding); ok {
				f.joined = append(f.joined, step{unassigned, cover})
			}
		}
		in := p.in[1]
		if in.from > in.to {
			continue
		}
		within, ok := in.band(&p.over, out[1], -e.climb-touching, e.climb+touching)
		// Of an edge of a few units half is enough.
		if ok && float64((within.to-within.from)*s.length) > min(2*touching, s.length/2) {
			f.joined = append(f.joined, step{p.triangle, within})
			f.onto = append(f.onto, step{p.triangle, within})
		}
		f.beyond = append(f.beyond, step{p.triangle, in})
	}
	slices.SortStableFunc(f.joined, func(i, j step) int { return i.compare(j.stretch) })
	r.onto, r.beyond, r.joined = moved(&f.steps, f.onto), moved(&f.steps, f.beyond), moved(&f.steps, f.joined)
}

// moved copies things to the end of a long slice, a new one where that is full.
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

// reaches reports whether a triangle may have a place beside a rim, some units behind it or beyond.
func (s *sight) reaches(t *[3]lattice.Vertex) bool {
	behind, beyond, before, after := true, true, true, true
	for i := range t {
		x, y := float64(t[i].X)-s.a.x, float64(t[i].Y)-s.a.y
		out := float64(x*s.ox) + float64(y*s.oy)
		along := float64(y*s.ox) - float64(x*s.oy)
		behind = behind && out < -2*outward
		beyond = beyond && out > 2*outward
		before = before && along < -outward
		after = after && along > s.length+outward
	}
	return !behind && !beyond && !before && !after
}

func lowered(z int32, by float64) int32 { return int32(max(float64(z)-by-1, math.MinInt32)) }
func raised(z int32, by float64) int32  { return int32(min(float64(z)+by+1, math.MaxInt32)) }

package exact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/floorplan/internal/soup"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
)

// outward is how far beyond an edge, in units, one looks for the floor that it continues in: so far
// that rounding does not make an edge its own neighbour, and a crack of a millimetre is none.
const outward = 4

// link joins two triangles that one can step between, along an edge of the first or where they go through each
// other.
type link struct {
	from, to int32
	a, b     lattice.Vertex
	smooth   bool // they share the edge
}

// rim is an edge of a walkable triangle that no other shares in the plain way.
type rim struct {
	triangle int32
	a, b     lattice.Vertex // the triangle is on the left
	// onto lists the floors that it continues in, and along which stretch.
	onto []step
	// beyond lists the floors over or under the other side, and joined where one of them is stepped on or
	// another covers the edge.
	beyond []step
	joined []stretch
	// spans are the stretches that lower floors show beyond, in front of those that it continues in.
	spans []span
}

// findRims lists the rims, and all pairs of triangles that one can step between.
func (e *extraction) findRims(ctx context.Context, jobs int) error {
	s := e.soup
	// Splinters without a free part divide nothing: what is beyond them is looked for.
	edges := s.Edges(func(i int) bool {
		t := &s.Triangles[i]
		return t.Walkable && (e.exposed[i].rings != nil || !thin(&t.V))
	})
	e.links = make([]link, 0, len(edges)/2)
	for group := range soup.SameEdge(edges) {
		if len(group) == 2 && group[0].Reversed != group[1].Reversed {
			v := &s.Triangles[group[0].Triangle].V
			k := group[0].Corner
			e.links = append(e.links, link{int32(group[0].Triangle), int32(group[1].Triangle), v[k], v[(k+1)%3], true})
			continue
		}
		for _, h := range group {
			v := &s.Triangles[h.Triangle].V
			e.rims = append(e.rims, rim{triangle: int32(h.Triangle), a: v[h.Corner], b: v[(h.Corner+1)%3]})
		}
	}
	slices.SortFunc(e.rims, func(r, o rim) int {
		return cmp.Or(cmp.Compare(r.triangle, o.triangle), r.a.Compare(o.a.Point), cmp.Compare(r.a.Z, o.a.Z))
	})
	const chunk = 128
	memory := sync.Pool{New: func() any { return new(follower) }}
	err := par.For(ctx, jobs, (len(e.rims)+chunk-1)/chunk, func(c int) error {
		f := memory.Get().(*follower)
		defer memory.Put(f)
		for i := c * chunk; i < min(len(e.rims), (c+1)*chunk); i++ {
			e.follow(&e.rims[i], f)
		}
		return nil
	})
	for i := range e.rims {
		r := &e.rims[i]
		for _, o := range r.onto {
			e.links = append(e.links, link{r.triangle, o.triangle, r.at(o.from), r.at(o.to), false})
		}
	}
	for i := range e.exposed {
		e.links = append(e.links, e.exposed[i].through...)
	}
	if err != nil {
		return err
	}
	return e.hideUnder()
}

// thin reports whether a triangle is nowhere wider than what one looks over beyond an edge.
func thin(v *[3]lattice.Vertex) bool {
	longest := max(v[0].Distance(v[1].Point), v[1].Distance(v[2].Point), v[2].Distance(v[0].Point))
	return float64(lattice.Orient(v[0].Point, v[1].Point, v[2].Point)) <= outward*longest
}

// stretch is a part of an edge, from 0 to 1.
type stretch struct{ from, to float64 }

func (s stretch) compare(o stretch) int {
	return cmp.Or(cmp.Compare(s.from, o.from), cmp.Compare(s.to, o.to))
}

// step is a floor that an edge continues in along a stretch.
type step struct {
	triangle int32
	stretch
}

// at returns a point of the edge.
func (r *rim) at(t float64) lattice.Vertex {
	t = min(max(t, 0), 1)
	dx, dy := r.b.Sub(r.a.Point)
	dz := float64(r.b.Z) - float64(r.a.Z)
	return lattice.Vertex{
		Point: lattice.Point{X: rounded(float64(r.a.X) + float64(t*float64(dx))), Y: rounded(float64(r.a.Y) + float64(t*float64(dy)))},
		Z:     rounded(float64(r.a.Z) + float64(t*dz)),
	}
}

// follower is the memory in which rims are followed, one after the other.
type follower struct {
	near   []item
	prisms []prism // of what is near
}

// follow finds what a rim continues in and where it does not.
func (e *extraction) follow(r *rim, f *follower) {
	if r.a.Point == r.b.Point {
		return
	}
	dx, dy := r.b.Sub(r.a.Point)
	length := math.Sqrt(float64(float64(dx)*float64(dx)) + float64(float64(dy)*float64(dy)))
	// Beside the edge: on its left, inside of its triangle, and on its right.
	outs := [4]float64{-outward, outward, e.gap / 2, e.gap}
	var lines [len(outs)]stroke
	for i, out := range outs {
		ox, oy := out*float64(dy)/length, -out*float64(dx)/length
		lines[i] = stroke{
			point3{float64(r.a.X) + ox, float64(r.a.Y) + oy, float64(r.a.Z)},
			point3{float64(r.b.X) + ox, float64(r.b.Y) + oy, float64(r.b.Z)},
			true,
		}
	}
	b := boxOf(r.a, r.b)
	for k := range 2 {
		b.low[k] -= int32(e.gap) + touching
		b.high[k] += int32(e.gap) + touching
	}
	// A drop counts however deep it is.
	b.low[2], b.high[2] = math.MinInt32, math.MaxInt32
	f.near = e.floors.search(&b, f.near[:0])
	// What is behind or beyond all lines goes first: that is most of what is near.
	near := f.near[:0]
	for i := range f.near {
		if t := f.near[i].triangle; t != r.triangle && e.exposed[t].rings != nil &&
			r.reaches(&e.soup.Triangles[t].V, length, e.gap) {
			near = append(near, f.near[i])
		}
	}
	slices.SortFunc(near, func(i, j item) int { return cmp.Compare(i.triangle, j.triangle) })
	f.prisms = f.prisms[:0]
	for i := range near {
		f.prisms = append(f.prisms, prismOf(&e.soup.Triangles[near[i].triangle].V, 1))
	}
	var beyond [len(outs) - 1][]stretch // the floors that it continues in, by line
	var lower []int32
	var bottoms []prism
	known := false
	rises := func(p *prism, line *stroke) bool {
		if !known {
			bottoms, known = e.bottoms(f.prisms, &lines[1]), true
		}
		return risesFrom(bottoms, p, line)
	}
	r.beyond = make([]step, 0, 2*len(near))
	for i := range near {
		t := near[i].triangle
		p := &f.prisms[i]
		if in := p.strokeInside(lines[0]); in.ok {
			// Where another floor covers the edge there is nothing to divide.
			if cover := p.strokeBand(in, -e.height, -hiding); cover.ok {
				r.joined = append(r.joined, along(r, &cover))
			}
		}
		for k, line := range lines[1:] {
			part := p.strokeInside(line)
			if !part.ok {
				continue
			}
			if low := p.strokeBand(part, e.climb+touching, e.height); low.ok && !slices.Contains(lower, t) {
				lower = append(lower, t)
			}
			if within := p.strokeBand(part, -e.climb-touching, e.climb+touching); within.ok && (k == 0 || !rises(p, &within)) {
				if s := along(r, &within); float64((s.to-s.from)*length) > 2*touching {
					r.joined = append(r.joined, s)
					beyond[k] = append(beyond[k], s)
					if n := len(r.onto); n > 0 && r.onto[n-1].triangle == t {
						r.onto[n-1].from, r.onto[n-1].to = min(r.onto[n-1].from, s.from), max(r.onto[n-1].to, s.to)
					} else {
						r.onto = append(r.onto, step{t, s})
					}
				}
			}
			r.beyond = append(r.beyond, step{t, along(r, &part)})
		}
	}
	slices.SortFunc(r.joined, stretch.compare)
	if len(lower) > 0 && len(r.onto) > 0 {
		r.spans = e.spansOf(r, outs[1:], beyond[:], lower)
	}
}

// bottoms lists the floors that are too low for a step from a line.
func (e *extraction) bottoms(near []prism, line *stroke) []prism {
	var out []prism
	for i := range near {
		p := &near[i]
		if part := p.strokeInside(*line); part.ok {
			if low := p.strokeBand(part, e.climb+touching, math.Inf(1)); low.ok {
				out = append(out, *p)
			}
		}
	}
	return out
}

// risesFrom reports whether the floor of p is in the plane of a bottom over a line: that is no crack with a floor
// beyond, but the lower floor that rises.
func risesFrom(bottoms []prism, p *prism, line *stroke) bool {
	apart := func(b *prism, v *point3) bool { return math.Abs(p.height(v.x, v.y)-b.height(v.x, v.y)) > touching }
	for i := range bottoms {
		if b := &bottoms[i]; !apart(b, &line.a) && !apart(b, &line.b) {
			return true
		}
	}
	return false
}

// reaches reports whether a triangle may have a place beside a rim: from some units behind it to a gap beyond.
func (r *rim) reaches(t *[3]lattice.Vertex, length, gap float64) bool {
	dx, dy := r.b.Sub(r.a.Point)
	behind, beyond, before, after := true, true, true, true
	for i := range t {
		vx, vy := t[i].Sub(r.a.Point)
		left := (float64(float64(dx)*float64(vy)) - float64(float64(dy)*float64(vx))) / length
		along := (float64(float64(dx)*float64(vx)) + float64(float64(dy)*float64(vy))) / length
		behind = behind && left > 2*outward
		beyond = beyond && left < -gap-outward
		before = before && along < -outward
		after = after && along > length+outward
	}
	return !behind && !beyond && !before && !after
}

func lowered(z int32, by float64) int32 { return int32(max(float64(z)-by-1, math.MinInt32)) }
func raised(z int32, by float64) int32  { return int32(min(float64(z)+by+1, math.MaxInt32)) }

// along returns where on r a part of the line beside it is.
func along(r *rim, part *stroke) stretch {
	dx, dy := r.b.Sub(r.a.Point)
	x, y := float64(dx), float64(dy)
	square := float64(x*x) + float64(y*y)
	at := func(v *point3) float64 {
		return (float64((v.x-float64(r.a.X))*x) + float64((v.y-float64(r.a.Y))*y)) / square
	}
	from, to := at(&part.a), at(&part.b)
	return stretch{min(1, from, to), max(0, from, to)}
}

// rises reports whether a floor beyond a stretch becomes one to step on at an end of it, within a tolerance.
func (r *rim) rises(s stretch, tolerance float64) bool {
	return slices.ContainsFunc(r.beyond, func(b step) bool {
		return b.from < s.to && s.from < b.to && slices.ContainsFunc(r.onto, func(o step) bool {
			return o.triangle == b.triangle && (math.Abs(o.to-s.from) < tolerance || math.Abs(o.from-s.to) < tolerance)
		})
	})
}

// ledges returns the stretches of r, as pairs of points, that divide its floor from some of those beyond, which are
// next to it seen from above, with a drop or a wall between. What is no longer than a gap between two floors that are
// joined is the end of a crack, unless the floor in it is one of the two.
func (r *rim) ledges(gap float64, from func(triangle int32) bool) [][2]lattice.Point {
	var divided []stretch
	for _, b := range r.beyond {
		if from(b.triangle) {
			divided = append(divided, b.stretch)
		}
	}
	slices.SortFunc(divided, stretch.compare)
	n := 0
	for _, d := range divided {
		if n > 0 && d.from <= divided[n-1].to {
			divided[n-1].to = max(divided[n-1].to, d.to)
			continue
		}
		divided[n] = d
		n++
	}
	// Where triangles meet in a corner the ends of what they say differ by rounding: a ledge shorter
	// than a few units is none.
	var out [][2]lattice.Point
	length := r.a.Distance(r.b.Point)
	for _, s := range without(divided[:n], r.joined, 4*outward/length) {
		before := slices.ContainsFunc(r.joined, func(j stretch) bool { return j.to == s.from })
		behind := slices.ContainsFunc(r.joined, func(j stretch) bool { return j.from == s.to })
		if before && behind && (s.to-s.from)*length <= gap && !r.rises(s, touching/length) {
			continue
		}
		out = append(out, [2]lattice.Point{r.at(s.from).Point, r.at(s.to).Point})
	}
	return out
}

// without returns what of stretches is in none of others, which are in order, and longer than least.
func without(stretches, others []stretch, least float64) []stretch {
	var out []stretch
	for _, s := range stretches {
		from := s.from
		for _, o := range others {
			if o.to <= from {
				continue
			}
			if o.from >= s.to {
				break
			}
			if o.from > from+least {
				out = append(out, stretch{from, o.from})
			}
			from = max(from, o.to)
		}
		if s.to > from+least {
			out = append(out, stretch{from, s.to})
		}
	}
	return out
}

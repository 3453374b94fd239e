package erode

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// The nearest wall of a place is visible from the place along a straight line over the floor: at a right angle to a
// wall, or from the end of a wall. Hence the parallel rays from walls and the rays from their ends reach exactly the
// floor that walls take. All rays through the same portals are followed together, from region to region. No ray visits
// a region twice, except apparently where cracks were healed.

// place is a point of the plane between lattice points, or a direction.
type place struct{ x, y float64 }

func at(p lattice.Point) place { return place{float64(p.X), float64(p.Y)} }

func (p place) sub(q place) place     { return place{p.x - q.x, p.y - q.y} }
func (p place) dot(q place) float64   { return float64(p.x*q.x) + float64(p.y*q.y) }
func (p place) cross(q place) float64 { return float64(p.x*q.y) - float64(p.y*q.x) }
func (p place) rounded() lattice.Point {
	return lattice.Point{X: floor(p.x + 0.5), Y: floor(p.y + 0.5)}
}

func floor(x float64) int32 {
	return int32(min(max(math.Floor(x), -lattice.MaxCoord), lattice.MaxCoord))
}

func places(ring []lattice.Point) []place {
	out := make([]place, len(ring))
	for i, p := range ring {
		out[i] = at(p)
	}
	return out
}

func areaOf(p []place) float64 {
	sum := 0.0
	for i := range p {
		sum += p[i].sub(p[0]).cross(p[(i+1)%len(p)].sub(p[0]))
	}
	return sum / 2
}

// halfplane is the half plane on the left of a directed line, extended to the right by off.
type halfplane struct {
	through, along place // along has length 1
	off            float64
}

func halfplaneOf(a, b lattice.Point) halfplane {
	return halfplane{at(a), unit(at(b).sub(at(a))), 0}
}

func unit(d place) place {
	l := math.Sqrt(d.dot(d))
	return place{d.x / l, d.y / l}
}

// moved returns h with its line moved to the right.
func (h halfplane) moved(by float64) halfplane {
	h.off += by
	return h
}

func (h *halfplane) side(p place) float64 { return h.along.cross(p.sub(h.through)) + h.off }

// clip returns the intersection of a convex polygon and h.
func (h halfplane) clip(p []place) []place {
	var out []place
	for i, v := range p {
		w := p[(i+1)%len(p)]
		sv, sw := h.side(v), h.side(w)
		if sv >= 0 {
			out = append(out, v)
		}
		if sv > 0 && sw < 0 || sv < 0 && sw > 0 {
			t := sv / (sv - sw)
			out = append(out, place{v.x + float64(t*(w.x-v.x)), v.y + float64(t*(w.y-v.y))})
		}
	}
	return out
}

// beams follows the rays at right angles to an edge.
func (c *cutter) beams(e *edge, visit func(region int32, between [2]halfplane)) {
	origin := at(e.a)
	along := unit(at(e.b).sub(origin))
	up := place{-along.y, along.x}
	length := e.a.Distance(e.b)
	var passed []int32
	var follow func(region int32, from, to float64)
	follow = func(region int32, from, to float64) {
		if slices.Contains(passed, region) {
			return
		}
		passed = append(passed, region)
		defer func() { passed = passed[:len(passed)-1] }()
		visit(region, [2]halfplane{
			{place{origin.x + float64(from*along.x), origin.y + float64(from*along.y)}, place{-up.x, -up.y}, 0},
			{place{origin.x + float64(to*along.x), origin.y + float64(to*along.y)}, up, 0},
		})
		r := &c.regions[region]
		for _, k := range c.items[r.from:r.end] {
			if k.to < 0 {
				continue
			}
			right, left := at(k.a).sub(origin), at(k.b).sub(origin)
			tr, tl := right.dot(along), left.dot(along)
			f, t := max(from, tl), min(to, tr)
			if !(f < t) {
				continue
			}
			hr, hl := right.dot(up), left.dot(up)
			height := func(s float64) float64 { return hl + float64((hr-hl)*((s-tl)/(tr-tl))) }
			if min(height(f), height(t)) < c.reach {
				follow(k.to, f, t)
			}
		}
	}
	for i, w := range e.walls {
		k := &c.items[w]
		from, to := at(k.a).sub(origin).dot(along), at(k.b).sub(origin).dot(along)
		if i == 0 {
			from = 0
		}
		if i == len(e.walls)-1 {
			to = length
		}
		follow(k.region, from, to)
	}
}

// cone is the range of directions from one to another, counter-clockwise, at most half a turn.
type cone struct{ from, to place }

func (c cone) has(d place) bool { return c.from.cross(d) >= 0 && d.cross(c.to) >= 0 }

// within returns the intersection of two cones; ok is false if the intersection is empty or a single direction.
func (c cone) within(d cone) (both cone, ok bool) {
	switch {
	case d.has(c.from):
		both.from = c.from
	case c.has(d.from):
		both.from = d.from
	default:
		return cone{}, false
	}
	switch {
	case d.has(c.to):
		both.to = c.to
	case c.has(d.to):
		both.to = d.to
	default:
		return cone{}, false
	}
	turn := both.from.cross(both.to)
	return both, turn > 0 || turn == 0 && both.from.dot(both.to) < 0
}

// fan follows the rays from the corner between two edges, starting in the regions joined around the corner.
func (c *cutter) fan(e, next segment, starts []int32, visit func(region int32, between [2]halfplane)) {
	v := e.b
	origin := at(v)
	in, out := at(e.b).sub(at(e.a)), at(next.b).sub(at(next.a))
	sector := cone{place{-out.y, out.x}, place{-in.y, in.x}} // between the normals to the left
	var passed []int32
	var follow func(region int32, rays cone)
	follow = func(region int32, rays cone) {
		if slices.Contains(passed, region) {
			return
		}
		passed = append(passed, region)
		defer func() { passed = passed[:len(passed)-1] }()
		visit(region, [2]halfplane{{origin, unit(rays.from), 0}, {origin, unit(place{-rays.to.x, -rays.to.y}), 0}})
		r := &c.regions[region]
		for _, k := range c.items[r.from:r.end] {
			if k.to < 0 || lattice.Orient(v, k.a, k.b) <= 0 {
				continue
			}
			if both, ok := rays.within(cone{at(k.a).sub(origin), at(k.b).sub(origin)}); ok &&
				lattice.SegmentDistance2(v, k.a, k.b).Sqrt() < c.reach {
				follow(k.to, both)
			}
		}
	}
	for _, r := range c.joined(around([]lattice.Point{v}, 2*slack), starts) {
		follow(r, sector)
	}
}

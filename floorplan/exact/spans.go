package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// span is a strip along an edge over which one steps to the floor beyond. What shows of a lower floor in it is the
// bottom of a crack and no floor, as what is beneath the floors beside it.
type span struct {
	lower int32 // a triangle that shows in it
	strip lattice.Ring
}

// spansOf lists the strips beside a rim in which lower floors show, without the floor stepped on. The argument joined
// lists the steps to other floors by their distance out of the rim. A floor is lower along its own stretch of the rim
// only: elsewhere an agent has room to walk beneath, or a step up to the rim.
func (e *extraction) spansOf(r *rim, out []float64, joined [][]step, lower []step) []span {
	var spans []span
	var nearer []stretch
	const least = 4 // square units: a wedge as long as one looks out
	d := direction(r.a.Point, r.b.Point)
	corner := func(v lattice.Vertex, by, on float64) lattice.Point {
		return lattice.Point{X: rounded(float64(v.X) + float64(by*d.y) + float64(on*d.x)), Y: rounded(float64(v.Y) - float64(by*d.x) + float64(on*d.y))}
	}
	for k, steps := range joined {
		for _, onto := range steps {
			for _, s := range without([]stretch{onto.stretch}, nearer, 0) {
				for _, low := range lower {
					from, to := max(s.from, low.from), min(s.to, low.to)
					if low.triangle == onto.triangle || from >= to {
						continue
					}
					a, b := r.at(from), r.at(to)
					// A little longer than the stretch: rounding would leave splinters at its ends.
					strip := lattice.Hull([]lattice.Point{
						corner(a, -touching, -touching), corner(a, out[k], -touching), corner(b, out[k], touching), corner(b, -touching, touching),
					})
					if len(strip) >= 3 && e.shows(low.triangle, strip) > least {
						spans = append(spans, span{low.triangle, strip})
					}
				}
			}
		}
		for _, onto := range steps {
			nearer = append(nearer, onto.stretch)
		}
		slices.SortFunc(nearer, stretch.compare)
	}
	return spans
}

// shows returns the area of the free part of a triangle in a convex ring, in square units.
func (e *extraction) shows(t int32, window lattice.Ring) float64 {
	sum := 0.0
	box := window.Box()
	for _, r := range e.exposed[t].rings {
		if !r.Box().Overlaps(box) {
			continue
		}
		ring := make([]point3, len(r))
		for i, p := range r {
			ring[i] = point3{float64(p.X), float64(p.Y), 0}
		}
		for i, a := range window {
			ring = leftOf(ring, a, window[(i+1)%len(window)])
		}
		for i := 2; i < len(ring); i++ {
			a, b, c := ring[0], ring[i-1], ring[i]
			sum += (float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))) / 2
		}
	}
	return sum
}

// leftOf returns what of a ring is on the left of a line. What is in several parts stays connected along the line.
func leftOf(ring []point3, a, b lattice.Point) []point3 {
	d := direction(a, b)
	side := func(p point3) float64 { return float64(d.x*(p.y-float64(a.Y))) - float64(d.y*(p.x-float64(a.X))) }
	var out []point3
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		s, t := side(p), side(q)
		if s >= 0 {
			out = append(out, p)
		}
		if (s < 0) != (t < 0) {
			f := s / (s - t)
			out = append(out, point3{p.x + float64(f*(q.x-p.x)), p.y + float64(f*(q.y-p.y)), 0})
		}
	}
	return out
}

// hideUnder takes the strips that one steps over off the lower floors that show in them, and what is left between them that
// is no wider than a crack: pits that are filled with the cracks around them.
func (e *extraction) hideUnder() error {
	var spans []span
	for i := range e.rims {
		spans = append(spans, e.rims[i].spans...)
	}
	slices.SortStableFunc(spans, func(s, t span) int { return cmp.Compare(s.lower, t.lower) })
	for len(spans) > 0 {
		t := spans[0].lower
		var strips []lattice.Ring
		for len(spans) > 0 && spans[0].lower == t {
			strips = append(strips, spans[0].strip)
			spans = spans[1:]
		}
		x := &e.exposed[t]
		rings, err := overlay.Difference(x.rings, strips)
		if err != nil {
			return err
		}
		x.rings = ringsOf(slices.DeleteFunc(rings, func(p lattice.Polygon) bool { return e.narrow(p.Rings[0]) && e.cutOff(t, p.Rings[0]) }))
		if !x.settled {
			x.own().strips = strips
			continue
		}
		blocked, err := overlay.Difference(x.blocked, strips)
		if err != nil {
			return err
		}
		x.own().blocked = ringsOf(blocked)
	}
	return nil
}

// cutOff reports whether the border of a part of a triangle touches none of the triangle's edges.
func (e *extraction) cutOff(t int32, r lattice.Ring) bool {
	v := &e.soup.Triangles[t].V
	return !slices.ContainsFunc(r, func(p lattice.Point) bool {
		return lattice.Orient(v[0].Point, v[1].Point, p) <= 0 || lattice.Orient(v[1].Point, v[2].Point, p) <= 0 || lattice.Orient(v[2].Point, v[0].Point, p) <= 0
	})
}

package flat

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// affine maps (x, y) to (a·x + c·y + e, b·x + d·y + f), as SVG writes it.
type affine struct{ a, b, c, d, e, f float64 }

var identity = affine{a: 1, d: 1}

// apply maps p. Products are rounded before addition, so no target fuses them.
func (m affine) apply(p point) point {
	return point{
		float64(m.a*p.x) + float64(m.c*p.y) + m.e,
		float64(m.b*p.x) + float64(m.d*p.y) + m.f,
	}
}

// times returns the map that applies n first.
func (m affine) times(n affine) affine {
	return affine{
		a: float64(m.a*n.a) + float64(m.c*n.b), b: float64(m.b*n.a) + float64(m.d*n.b),
		c: float64(m.a*n.c) + float64(m.c*n.d), d: float64(m.b*n.c) + float64(m.d*n.d),
		e: float64(m.a*n.e) + float64(m.c*n.f) + m.e, f: float64(m.b*n.e) + float64(m.d*n.f) + m.f,
	}
}

// pen draws rings of lines in the units of the file. Curves become lines within tolerance.
type pen struct {
	tolerance float64 // in units of the file
	far       float64 // farAway in units of the file
	to        affine  // from the coordinates that are drawn in
	rings     [][]point
	lines     []line // stretches of the outline; only where outline is set
	outline   bool
	open      []point // the ring in hand
	room      int     // how many points more the map may have
	full      bool    // there were more
	limits    level.Limits
}

// move ends the present ring and begins another.
func (p *pen) move(at point) {
	p.end()
	p.add(p.to.apply(at))
}

func (p *pen) line(at point) { p.add(p.to.apply(at)) }

func (p *pen) add(at point) {
	if p.room <= 0 {
		p.full = true
		return
	}
	p.room--
	p.open = append(p.open, at)
}

// end closes the ring in hand: areas are closed, whether their outline is or not. A ring of fewer than three
// points has no area.
func (p *pen) end() { p.finish(false) }

// close ends a ring whose outline is closed.
func (p *pen) close() { p.finish(true) }

func (p *pen) finish(closed bool) {
	if len(p.open) > 2 {
		p.rings = append(p.rings, p.open)
	}
	if p.outline && len(p.open) > 0 {
		p.lines = append(p.lines, line{p.open, closed})
	}
	p.open = nil
}

// done returns all rings.
func (p *pen) done() ([][]point, error) {
	p.end()
	if p.full {
		return nil, fmt.Errorf("%w in the map with its curves as lines", p.limits.CheckPoints(p.limits.WithDefaults().Triangles+1))
	}
	return p.rings, nil
}

// cubic draws a Bézier curve from the point where the pen is, which from says once more.
func (p *pen) cubic(from, c1, c2, at point) {
	p.bezier(p.to.apply(from), p.to.apply(c1), p.to.apply(c2), p.to.apply(at), 0)
}

// maxHalvings bounds the depth of the halving of curves: at 262 km the deviation from the chord is
// below a lattice unit after half as many.
const maxHalvings = 30

// farAway is twice the largest size of a map, in metres. A curve that bends so far is not halved: a point out
// there is left to be told when the map is put on the lattice.
const farAway = 2 * lattice.MaxCoord * lattice.Unit

// bezier halves a curve until the parts are flat. The deviation of a cubic from its chord, both run through
// in even time, is at most a quarter of the longer of 3·c1 - 2·a - b and 3·c2 - 2·b - a, taken by coordinates
// (R. Willcocks; the second difference bounds the deviation of a Bernstein polynomial).
func (p *pen) bezier(a, c1, c2, b point, depth int) {
	ux, uy := float64(3*c1.x)-float64(2*a.x), float64(3*c1.y)-float64(2*a.y)
	vx, vy := float64(3*c2.x)-float64(2*b.x), float64(3*c2.y)-float64(2*b.y)
	dx := max(math.Abs(ux-b.x), math.Abs(vx-a.x))
	dy := max(math.Abs(uy-b.y), math.Abs(vy-a.y))
	off := math.Sqrt(float64(dx*dx)+float64(dy*dy)) / 4
	if !(off < p.far) {
		p.add(c1)
		p.add(c2)
	}
	if !(off > p.tolerance && off < p.far) || depth == maxHalvings || p.full {
		p.add(b)
		return
	}
	a1, m, b1 := middle(a, c1), middle(c1, c2), middle(c2, b)
	a2, b2 := middle(a1, m), middle(m, b1)
	half := middle(a2, b2)
	p.bezier(a, a1, a2, half, depth+1)
	p.bezier(half, b2, b1, b, depth+1)
}

func middle(a, b point) point { return point{a.x/2 + b.x/2, a.y/2 + b.y/2} }

// quadratic draws a Bézier curve of three points as a cubic.
func (p *pen) quadratic(from, c, at point) {
	toward := func(a point) point {
		return point{a.x + float64((c.x-a.x)*(2.0/3)), a.y + float64((c.y-a.y)*(2.0/3))}
	}
	p.cubic(from, toward(from), toward(at), at)
}

// turn draws the image under m of the arc of the unit circle from direction u to direction w, counter-
// clockwise for sign 1, clockwise for -1; the arc ends at at. Arcs are cut into quarters and then halved,
// which takes square roots only: no angle is ever needed. large means half a turn or more, so rounding
// neither loses nor adds a whole turn where u and w nearly coincide.
func (p *pen) turn(m affine, u, w point, sign float64, large bool, at point) {
	m = p.to.times(m)
	for i := range 4 {
		cross := float64(u.x*w.y) - float64(u.y*w.x)
		dot := float64(u.x*w.x) + float64(u.y*w.y)
		within := float64(cross*sign) >= 0 && dot >= 0
		if i == 0 {
			within = !large && (within || dot > 0)
		}
		if within {
			break
		}
		next := point{float64(-u.y * sign), float64(u.x * sign)}
		p.halve(m, u, next, m.apply(u), m.apply(next), 0)
		u = next
	}
	p.halve(m, u, w, m.apply(u), p.to.apply(at), 0)
}

// halve draws the arc between two directions that are at most a right angle apart, with the images a and b.
// The middle of an arc is farthest from the chord, also after an affine map.
func (p *pen) halve(m affine, u, w, a, b point, depth int) {
	h := point{u.x + w.x, u.y + w.y}
	length := math.Sqrt(float64(h.x*h.x) + float64(h.y*h.y))
	h = point{h.x / length, h.y / length}
	half, chord := m.apply(h), middle(a, b)
	dx, dy := half.x-chord.x, half.y-chord.y
	off := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if !(off < p.far) {
		p.add(half)
	}
	if !(off > p.tolerance && off < p.far) || depth == maxHalvings || p.full {
		p.add(b)
		return
	}
	p.halve(m, u, h, a, half, depth+1)
	p.halve(m, h, w, half, b, depth+1)
}

// ellipse draws a whole ellipse.
func (p *pen) ellipse(center point, rx, ry float64) {
	east := point{center.x + rx, center.y}
	p.move(east)
	m := affine{rx, 0, 0, ry, center.x, center.y}
	u := point{1, 0}
	for range 4 {
		w := point{-u.y, u.x}
		p.turn(m, u, w, 1, false, m.apply(w))
		u = w
	}
}

// arc draws an elliptical arc as the path command A has it: from the point where the pen is to at, on an
// ellipse of the given half axes, turned by some degrees. Reference: SVG 1.1, appendix F.6.
func (p *pen) arc(from point, rx, ry, degrees float64, large, sweep bool, at point) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if from == at {
		return
	}
	if rx == 0 || ry == 0 {
		p.line(at)
		return
	}
	sin, cos := geom.SincosDegrees(degrees)
	// Half the way, in the coordinates of the ellipse, where it is the unit circle.
	dx, dy := (from.x-at.x)/2, (from.y-at.y)/2
	x := (float64(cos*dx) + float64(sin*dy)) / rx
	y := (float64(cos*dy) - float64(sin*dx)) / ry
	lambda := float64(x*x) + float64(y*y)
	if lambda > 1 { // too small an ellipse grows until it fits
		s := math.Sqrt(lambda)
		rx, ry, x, y, lambda = float64(rx*s), float64(ry*s), x/s, y/s, 1
	}
	k := math.Sqrt(max(0, (1-lambda)/lambda))
	if large == sweep {
		k = -k
	}
	center := point{float64(k * y), float64(-k * x)}
	u := point{x - center.x, y - center.y}
	w := point{-x - center.x, -y - center.y}
	m := affine{a: float64(rx * cos), b: float64(rx * sin), c: float64(-ry * sin), d: float64(ry * cos)}
	moved := m.apply(center)
	m.e = from.x/2 + at.x/2 + moved.x
	m.f = from.y/2 + at.y/2 + moved.y
	sign := -1.0
	if sweep {
		sign = 1
	}
	p.turn(m, u, w, sign, large, at)
}

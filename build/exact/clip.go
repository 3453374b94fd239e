package exact

import (
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// point3 is a place in lattice units, not rounded.
type point3 struct{ x, y, z float64 }

// piece is a convex polygon in space, the rest of a face after cuts by planes. Fourteen planes leave at most eighteen
// corners.
type piece struct {
	n int
	v [18]point3
}

func pieceOf(t *[3]lattice.Vertex) piece {
	var p piece
	p.set(t[:])
	return p
}

// set gives the piece the corners.
func (p *piece) set(corners []lattice.Vertex) {
	p.n = len(corners)
	for i := range corners {
		v := &corners[i]
		p.v[i] = point3{float64(v.X), float64(v.Y), float64(v.Z)}
	}
}

// copy makes p the same as q. Most pieces have few corners, so this is less work than an assignment.
func (p *piece) copy(q *piece) {
	p.n = q.n
	copy(p.v[:], q.v[:q.n])
}

// halfspace is the set x·a + y·b + z·c ≥ d, with places relative to from.
type halfspace struct {
	from    point3
	a, b, c float64
	d       float64
}

func (h *halfspace) side(p *point3) float64 {
	return float64(h.a*(p.x-h.from.x)) + float64(h.b*(p.y-h.from.y)) + float64(h.c*(p.z-h.from.z)) - h.d
}

// cut removes the part outside of the half-space. Points on the half-space's border stay.
func (p *piece) cut(h *halfspace) {
	outside := uint32(0) // a bit for each corner
	for i := range p.n {
		if h.side(&p.v[i]) < 0 {
			outside |= 1 << i
		}
	}
	if outside == 0 {
		return
	}
	n := uint(p.n)
	all := uint32(1)<<n - 1
	switch before := (outside<<1 | outside>>(n-1)) & all; {
	case outside == all:
		p.n = 0
		return
	case bits.OnesCount32(outside^before) > 2 || p.n == len(p.v):
		p.cutRounded(h)
		return
	}
	// The corners outside are one run. The others stay in their order, with a new corner at each end of the run.
	if outside&1 == 0 {
		first, last := bits.TrailingZeros32(outside), bits.Len32(outside)-1
		u, v := p.crossing(h, first-1, first), p.crossing(h, last, (last+1)%p.n)
		if last == p.n-1 {
			copy(p.v[1:], p.v[:first])
			p.v[0], p.v[first+1], p.n = v, u, first+2
			return
		}
		copy(p.v[first+2:], p.v[last+1:p.n])
		p.v[first], p.v[first+1] = u, v
		p.n += first + 1 - last
		return
	}
	inside := all &^ outside
	first, last := bits.TrailingZeros32(inside), bits.Len32(inside)-1
	u, v := p.crossing(h, first-1, first), p.crossing(h, last, (last+1)%p.n)
	if last == p.n-1 {
		copy(p.v[2:], p.v[first:last+1])
		p.v[0], p.v[1], p.n = v, u, last-first+3
		return
	}
	copy(p.v[1:], p.v[first:last+1])
	p.v[0], p.n = u, last-first+3
	p.v[p.n-1] = v
}

// crossing returns where the border of the half-space crosses the edge from corner i to corner k.
func (p *piece) crossing(h *halfspace, i, k int) point3 {
	a, b := &p.v[i], &p.v[k]
	d := h.side(a)
	t := d / (d - h.side(b))
	return point3{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y)), a.z + float64(t*(b.z-a.z))}
}

// cutRounded is cut for pieces that rounding has made concave, and for full ones.
func (p *piece) cutRounded(h *halfspace) {
	from := *p
	p.n = 0
	k := from.n - 1
	for i := range from.n {
		in := h.side(&from.v[i]) >= 0
		if in != (h.side(&from.v[k]) >= 0) && p.n < len(p.v) {
			p.v[p.n] = from.crossing(h, k, i)
			p.n++
		}
		if in && p.n < len(p.v) {
			p.v[p.n] = from.v[i]
			p.n++
		}
		k = i
	}
}

// plane is the plane of an upward facing triangle: the first corner, and the rise per unit of x and y.
type plane struct{ first, slope point3 }

func planeOf(t *[3]lattice.Vertex) plane {
	n := soup.Normal(*t)
	nz := float64(n[2])
	return plane{
		first: point3{float64(t[0].X), float64(t[0].Y), float64(t[0].Z)},
		slope: point3{-float64(n[0]) / nz, -float64(n[1]) / nz, 0},
	}
}

// height returns the height of the plane over (x, y).
func (p *plane) height(x, y float64) float64 {
	return p.first.z + float64(p.slope.x*(x-p.first.x)) + float64(p.slope.y*(y-p.first.y))
}

// heightOn returns the height of an upward facing triangle at a place in or beside it, between the heights of its corners. Beside a splinter that
// is nearly upright, the plane leads far up and down.
func heightOn(t *[3]lattice.Vertex, x, y float64) float64 {
	p := planeOf(t)
	low, high := min(t[0].Z, t[1].Z, t[2].Z), max(t[0].Z, t[1].Z, t[2].Z)
	return min(max(p.height(x, y), float64(low)), float64(high))
}

// beyond reports whether the whole face is less than low above the plane, or the whole face is more than high above.
func (p *plane) beyond(t []lattice.Vertex, low, high float64) bool {
	below, above := true, true
	for i := range t {
		z := float64(t[i].Z) - p.height(float64(t[i].X), float64(t[i].Y))
		below, above = below && z < low, above && z > high
	}
	return below || above
}

// prism is the space over and under an upward facing triangle, moved out by a margin. Moved sides meet far beyond a
// sharp corner, so bevels cut there.
type prism struct {
	plane
	sides  [3]halfspace
	bevels [2]halfspace // of the sharp corners; a triangle has two at most
	sharp  int          // how many
}

// bluntSine is the sine of half the angle of a corner that needs no bevel: sides moved out by a unit meet eight units beyond it at most.
const bluntSine = 1.0 / 8

func prismOf(t *[3]lattice.Vertex, margin float64) prism {
	p := planeOf(t)
	return prismOn(&p, t, margin)
}

// prismOn is prismOf with a known plane.
func prismOn(on *plane, t *[3]lattice.Vertex, margin float64) prism {
	p := prism{plane: *on}
	for i := range t {
		a, b := t[i], t[(i+1)%3]
		dx, dy := b.Sub(a.Point)
		length := math.Sqrt(float64(float64(dx)*float64(dx)) + float64(float64(dy)*float64(dy)))
		p.sides[i] = halfspace{
			from: point3{float64(a.X), float64(a.Y), 0},
			a:    -float64(dy) / length, b: float64(dx) / length, d: -margin,
		}
	}
	if margin > 0 {
		p.bevel(margin)
	}
	return p
}

// bevel finds the bevels of sharp corners, each square to the line that halves the corner, as far beyond the corner as a side.
func (p *prism) bevel(margin float64) {
	for i := range p.sides {
		to, from := &p.sides[i], &p.sides[(i+2)%3] // the sides that begin and end at the corner
		// Along the two sides, away from the corner: four times the square of the cosine of half the angle, and of the sine.
		x, y := to.b-from.b, from.a-to.a
		cosine, sine := float64(x*x)+float64(y*y), float64((to.a+from.a)*(to.a+from.a))+float64((to.b+from.b)*(to.b+from.b))
		if sine >= 4*bluntSine*bluntSine || cosine < sine {
			continue
		}
		length := math.Sqrt(cosine)
		p.bevels[p.sharp] = halfspace{from: to.from, a: x / length, b: y / length, d: -margin}
		p.sharp++
	}
}

// holds reports whether a place is over or under the triangle.
func (p *prism) holds(at *point3) bool {
	for i := range p.sharp {
		if p.bevels[i].side(at) < 0 {
			return false
		}
	}
	return p.sides[0].side(at) >= 0 && p.sides[1].side(at) >= 0 && p.sides[2].side(at) >= 0
}

// prisms caches the prisms of triangles, moved out by a unit.
type prisms struct {
	triangles [256]int32 // one more than the number of each
	made      [256]prism
}

// of returns the prism of a triangle, valid until the next call.
func (m *prisms) of(s *soup.Soup, t int32) *prism {
	k := uint32(t) % uint32(len(m.made))
	if m.triangles[k] != t+1 {
		m.triangles[k], m.made[k] = t+1, prismOf(&s.Triangles[t].V, 1)
	}
	return &m.made[k]
}

// forget empties the cache, whose triangles are those of one level.
func (m *prisms) forget() { clear(m.triangles[:]) }

// part sets part to the part of a face over or under the triangle, and reports whether anything is left.
func (p *prism) part(corners []lattice.Vertex, part *piece) bool {
	var crossed [len(p.sides)]bool
	for i := range p.sides {
		h := &p.sides[i]
		out := 0
		for k := range corners {
			v := &corners[k]
			if float64(h.a*(float64(v.X)-h.from.x))+float64(h.b*(float64(v.Y)-h.from.y))-h.d < 0 {
				out++
			}
		}
		if out == len(corners) {
			return false
		}
		crossed[i] = out > 0
	}
	part.set(corners)
	for i := range p.sides {
		if crossed[i] && part.n > 0 {
			part.cut(&p.sides[i])
		}
	}
	p.trimCorners(part)
	return part.n > 0
}

// trimCorners cuts the piece at the bevels.
func (p *prism) trimCorners(q *piece) {
	for i := 0; i < p.sharp && q.n > 0; i++ {
		q.cut(&p.bevels[i])
	}
}

// trim leaves the part of q over or under the triangle.
func (p *prism) trim(q *piece) {
	for i := 0; i < len(p.sides) && q.n > 0; i++ {
		q.cut(&p.sides[i])
	}
	p.trimCorners(q)
}

// over returns the least and greatest heights of the corners of q above the triangle's plane.
func (p *prism) over(q *piece) (low, high float64) {
	above, _ := p.layers(0, 0)
	low, high = math.Inf(1), math.Inf(-1)
	for i := range q.n {
		d := above.side(&q.v[i])
		low, high = min(low, d), max(high, d)
	}
	return low, high
}

// band leaves the part of q from low to high above the triangle's plane.
func (p *prism) band(q *piece, low, high float64) {
	above, below := p.layers(low, high)
	q.cut(&above)
	q.cut(&below)
}

// layers returns the half-space at least low above the plane, and the half-space at most high above.
func (p *prism) layers(low, high float64) (above, below halfspace) {
	return halfspace{from: p.first, a: -p.slope.x, b: -p.slope.y, c: 1, d: low},
		halfspace{from: p.first, a: p.slope.x, b: p.slope.y, c: -1, d: -high}
}

// within returns the part of p in a box.
func (p *piece) within(b *box3) piece {
	q := *p
	for k := range 3 {
		h := halfspace{d: float64(b.Low[k])}
		axis := [3]*float64{&h.a, &h.b, &h.c}[k]
		*axis = 1
		q.cut(&h)
		*axis, h.d = -1, -float64(b.High[k])
		q.cut(&h)
	}
	return q
}

// area2 returns twice the plan area.
func (p *piece) area2() float64 {
	sum := 0.0
	for i := 2; i < p.n; i++ {
		a, b, c := &p.v[0], &p.v[i-1], &p.v[i]
		sum += float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
	}
	return math.Abs(sum)
}

// circumference returns the length of the border of the piece, seen from above.
func (p *piece) circumference() float64 {
	sum := 0.0
	for i := range p.n {
		a, b := &p.v[i], &p.v[(i+1)%p.n]
		x, y := b.x-a.x, b.y-a.y
		sum += math.Sqrt(float64(x*x) + float64(y*y))
	}
	return sum
}

// appendAround appends the corners of the square around p, out units from p along each axis.
func appendAround(points []lattice.Point, p lattice.Point, out int32) []lattice.Point {
	if out == 0 {
		return append(points, p)
	}
	for _, d := range [4][2]int32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		points = append(points, lattice.Point{X: clamp(p.X + d[0]*out), Y: clamp(p.Y + d[1]*out)})
	}
	return points
}

func rounded(x float64) int32 { return int32(math.Floor(x + 0.5)) }

func clamp(x int32) int32 { return min(max(x, -lattice.MaxCoord), lattice.MaxCoord) }

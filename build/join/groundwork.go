package join

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// sameHeight is the difference in lattice units up to which two floors are equal: a cut piece of floor has corners
// rounded once in the plane and once in height.
const sameHeight = 2

// stepHeight is the difference of height in lattice units, 5 cm, from which on floors at a bend of a wall count as two.
const stepHeight = 205

// groundwork is the floor of a layer with an index of its triangles.
type groundwork struct {
	tin   *lattice.TIN
	index *planar.Index
	known int // triangles in the index; merged pieces brought the others
}

// ground returns the groundwork of a layer.
func (m *merger) ground(layer int32) *groundwork {
	if m.floors[layer] == nil {
		tin := &m.join.floors[layer]
		boxes := make([]lattice.Box, len(tin.Triangles))
		for i := range boxes {
			boxes[i] = lattice.BoxOf(triangle(tin, i)...)
		}
		m.floors[layer] = &groundwork{tin, planar.NewIndex(boxes), len(boxes)}
	}
	return m.floors[layer]
}

// triangle returns the corners of a triangle of a floor.
func triangle(tin *lattice.TIN, i int) []lattice.Point {
	t := tin.Triangles[i]
	return []lattice.Point{tin.Vertices[t[0]].Point, tin.Vertices[t[1]].Point, tin.Vertices[t[2]].Point}
}

// over returns the triangles that overlap a convex polygon, in their order.
func (g *groundwork) over(ring []lattice.Point) []int {
	var list []int
	box := lattice.BoxOf(ring...)
	g.index.Each(box, func(i int) bool {
		list = append(list, i)
		return true
	})
	for i := g.known; i < len(g.tin.Triangles); i++ {
		list = append(list, i)
	}
	list = slices.DeleteFunc(list, func(i int) bool {
		t := triangle(g.tin, i)
		return !lattice.BoxOf(t...).Overlaps(box) || !planar.Overlap(t, ring)
	})
	slices.Sort(list)
	return list
}

// canMoveFloor reports whether the target layer may get the source layer's floor under a convex polygon, and returns
// this floor, cut along the polygon. The move is refused where the source has two floors or none, and where the target
// already has another floor. The move is also refused where rounding closed the cut parts in a sharp corner: a corner
// without floor within closeBy would take its height from another storey.
func (m *merger) canMoveFloor(ring []lattice.Point, source, target int32) (brought lattice.TIN, ok bool) {
	from, to := m.ground(source), m.ground(target)
	below := from.over(ring)
	if len(from.tin.Triangles) > 0 {
		bare := float64(lattice.Ring(ring).Area2()) / 2
		for _, s := range below {
			bare -= area(clip(floats(triangle(from.tin, s)), ring))
		}
		if max(bare, -bare) > sliver(ring) {
			return brought, false
		}
	}
	for _, t := range to.over(ring) {
		if !coveredAlike(ring, to, t, from, below) {
			return brought, false
		}
	}
	for _, s := range below {
		cut(&brought, from.tin, s, ring)
	}
	brought.Error = from.tin.Error + 1
	if len(from.tin.Triangles) > 0 {
		for _, p := range ring {
			if !reaches(&brought, p) {
				return brought, false
			}
		}
	}
	return brought, true
}

// reaches reports whether a floor is within closeBy of a point.
func reaches(tin *lattice.TIN, p lattice.Point) bool {
	for i := range tin.Triangles {
		t := triangle(tin, i)
		if inside(p, t) {
			return true
		}
		for k, a := range t {
			if lattice.SegmentDistance2(p, a, t[(k+1)%3]).CompareInt(closeBy*closeBy) <= 0 {
				return true
			}
		}
	}
	return false
}

// moveFloor gives a layer the floor returned by canMoveFloor.
func (m *merger) moveFloor(target int32, brought *lattice.TIN) {
	if len(brought.Triangles) == 0 {
		return
	}
	tin := m.join.floors[target]
	first := uint32(len(tin.Vertices))
	// The plan keeps its own arrays.
	tin.Vertices = append(slices.Clip(tin.Vertices), brought.Vertices...)
	tin.Triangles = slices.Clip(tin.Triangles)
	for _, t := range brought.Triangles {
		tin.Triangles = append(tin.Triangles, [3]uint32{first + t[0], first + t[1], first + t[2]})
	}
	tin.Error = max(tin.Error, brought.Error)
	m.join.floors[target] = tin
}

// coveredAlike reports whether triangles of another floor cover triangle t of a floor over the polygon, at the same
// height.
func coveredAlike(ring []lattice.Point, floor *groundwork, t int, other *groundwork, brought []int) bool {
	part := clip(floats(triangle(floor.tin, t)), ring)
	bare := area(part)
	own := planeOf(floor.tin, t)
	for _, s := range brought {
		common := clip(part, triangle(other.tin, s))
		if len(common) < 3 {
			continue
		}
		theirs := planeOf(other.tin, s)
		for _, v := range common {
			if d := own.at(v) - theirs.at(v); d > sameHeight || d < -sameHeight {
				return false
			}
		}
		bare -= area(common)
	}
	return bare <= sliver(ring)
}

// at returns the height of the highest triangle at a place.
func (g *groundwork) at(v point) (z float64, ok bool) {
	p := v.round()
	look := func(i int) bool {
		t := triangle(g.tin, i)
		if lattice.BoxOf(t...).Contains(p) && inside(p, t) {
			if h := planeOf(g.tin, i).at(v); !ok || h > z {
				z, ok = h, true
			}
		}
		return true
	}
	g.index.Each(lattice.BoxOf(p), look)
	for i := g.known; i < len(g.tin.Triangles); i++ {
		look(i)
	}
	return z, ok
}

// stepAt reports whether the floors of some pieces at a bend of a wall differ by more than stepHeight, measured
// slightly inside the pieces. The straightened wall would then border a floor from the other side of the step.
func (m *merger) stepAt(v lattice.Point, pieces ...int32) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range pieces {
		if !slices.Contains(m.pieces[p].points, v) {
			continue
		}
		var sx, sy float64
		for _, q := range m.pieces[p].points {
			sx, sy = sx+float64(q.X), sy+float64(q.Y)
		}
		n, x, y := float64(len(m.pieces[p].points)), float64(v.X), float64(v.Y)
		dx, dy := sx/n-x, sy/n-y
		s := min(1, deeper/max(dx, -dx, dy, -dy))
		if z, ok := m.ground(m.pieces[p].layer).at(point{x + float64(s*dx), y + float64(s*dy)}); ok {
			low, high = min(low, z), max(high, z)
		}
	}
	return high-low > stepHeight
}

// sliver is the area that rounding may leave uncovered along the border of a polygon.
func sliver(ring []lattice.Point) float64 {
	var around float64
	for i, a := range ring {
		around += a.Distance(ring[(i+1)%len(ring)])
	}
	return around
}

// cut adds the part of triangle s over a convex polygon to a floor. Its corners are corners of the triangle in the
// polygon, corners of the polygon in the triangle, and crossings of their sides, each rounded once: two triangles with
// a common side get the same points on the side.
func cut(tin *lattice.TIN, from *lattice.TIN, s int, ring []lattice.Point) {
	t := triangle(from, s)
	var points []lattice.Point
	for _, p := range t {
		if inside(p, ring) {
			points = append(points, p)
		}
	}
	for i, p := range ring {
		if inside(p, t) {
			points = append(points, p)
		}
		next := ring[(i+1)%len(ring)]
		for k, a := range t {
			b := t[(k+1)%3]
			if lattice.SegmentContact(p, next, a, b) != lattice.ProperCrossing {
				continue
			}
			if x, ok := lattice.LineIntersection(p, next, a, b); ok {
				points = append(points, x)
			}
		}
	}
	points = lattice.Hull(points)
	plane := planeOf(from, s)
	first := uint32(len(tin.Vertices))
	if len(points) < 3 {
		return
	}
	for _, p := range points {
		z := plane.at(point{float64(p.X), float64(p.Y)})
		tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: p, Z: int32(math.Floor(z + 0.5))})
	}
	for i := range len(points) - 2 {
		k := first + uint32(i)
		tin.Triangles = append(tin.Triangles, [3]uint32{first, k + 1, k + 2})
	}
}

// inside reports whether p is in a convex polygon or on its border.
func inside(p lattice.Point, ring []lattice.Point) bool {
	for i, a := range ring {
		if lattice.Orient(a, ring[(i+1)%len(ring)], p) < 0 {
			return false
		}
	}
	return true
}

// point is a point of the plane between lattice points.
type point struct{ x, y float64 }

func (p point) round() lattice.Point {
	return lattice.Point{X: int32(math.Floor(p.x + 0.5)), Y: int32(math.Floor(p.y + 0.5))}
}

func floats(ring []lattice.Point) []point {
	out := make([]point, len(ring))
	for i, p := range ring {
		out[i] = point{float64(p.X), float64(p.Y)}
	}
	return out
}

// clip returns the part of a convex polygon in another, by Sutherland and Hodgman.
func clip(p []point, window []lattice.Point) []point {
	for i := range window {
		a, b := window[i], window[(i+1)%len(window)]
		dx, dy := b.Sub(a)
		side := func(v point) float64 {
			return float64(float64(dx)*(v.y-float64(a.Y))) - float64(float64(dy)*(v.x-float64(a.X)))
		}
		var out []point
		for k, v := range p {
			w := p[(k+1)%len(p)]
			sv, sw := side(v), side(w)
			if sv >= 0 {
				out = append(out, v)
			}
			if sv > 0 && sw < 0 || sv < 0 && sw > 0 {
				t := sv / (sv - sw)
				out = append(out, point{v.x + float64(t*(w.x-v.x)), v.y + float64(t*(w.y-v.y))})
			}
		}
		p = out
	}
	return p
}

// area returns the area of a polygon.
func area(p []point) float64 {
	var sum float64
	for i := range p {
		v, w := p[i], p[(i+1)%len(p)]
		sum += float64((v.x-p[0].x)*(w.y-p[0].y)) - float64((w.x-p[0].x)*(v.y-p[0].y))
	}
	return sum / 2
}

// plane is the plane of a triangle: a height at a place, and the slope to the east and north.
type plane struct {
	origin point
	z      float64
	sx, sy float64
}

func planeOf(tin *lattice.TIN, i int) plane {
	t := tin.Triangles[i]
	a, b, c := tin.Vertices[t[0]], tin.Vertices[t[1]], tin.Vertices[t[2]]
	bx, by := b.Sub(a.Point)
	cx, cy := c.Sub(a.Point)
	bz, cz := float64(int64(b.Z)-int64(a.Z)), float64(int64(c.Z)-int64(a.Z))
	det := float64(lattice.Orient(a.Point, b.Point, c.Point))
	return plane{
		origin: point{float64(a.X), float64(a.Y)}, z: float64(a.Z),
		sx: (float64(bz*float64(cy)) - float64(cz*float64(by))) / det,
		sy: (float64(cz*float64(bx)) - float64(bz*float64(cx))) / det,
	}
}

func (p plane) at(v point) float64 {
	return p.z + float64(p.sx*(v.x-p.origin.x)) + float64(p.sy*(v.y-p.origin.y))
}

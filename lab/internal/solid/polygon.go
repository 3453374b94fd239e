package solid

import (
	"math"

	"github.com/meadow-nav/meadow/internal/boxtree"
)

// Polygon is a convex polygon on a plane, counter-clockwise seen from its front: the points of the plane that are
// behind all Edges. Corner k is where edge k begins. It has at least three corners, no two collinear edges, and a
// positive area. It never changes.
type Polygon struct {
	Plane   int32
	Edges   []int32
	Corners []Vertex
}

// Box is a box around things, in lattice units.
type Box = boxtree.Box[float64]

// Box returns a box around the polygon.
func (p *Polygon) Box() Box {
	b := EmptyBox()
	for i := range p.Corners {
		v := &p.Corners[i]
		for k, x := range v.At {
			b.Low[k], b.High[k] = min(b.Low[k], x-v.Error), max(b.High[k], x+v.Error)
		}
	}
	return b
}

// EmptyBox returns a box around nothing.
func EmptyBox() Box {
	in := math.Inf(1)
	return Box{Low: [3]float64{in, in, in}, High: [3]float64{-in, -in, -in}}
}

// Middle returns the mean of the corners, about.
func (p *Polygon) Middle() (m [3]float64) {
	for i := range p.Corners {
		for k := range m {
			m[k] += p.Corners[i].At[k]
		}
	}
	for k := range m {
		m[k] /= float64(len(p.Corners))
	}
	return m
}

// Where tells on which sides of a plane the corners of a polygon are.
type Where uint8

// The ways in which a polygon lies to a plane.
const (
	On     Where = 0
	Behind Where = 1 // with corners on the plane or without
	Front  Where = 2
	Across Where = Behind | Front
)

// Where says how p lies to a plane.
func (s *Space) Where(p *Polygon, plane int32) Where {
	w := On
	for i := range p.Corners {
		switch s.Side(&p.Corners[i], plane) {
		case 1:
			w |= Front
		case -1:
			w |= Behind
		}
		if w == Across {
			break
		}
	}
	return w
}

// Split cuts a polygon [Across] a plane into the parts behind and in front of the plane. other is the number of the
// opposite plane, with the front part behind it.
func (s *Space) Split(p *Polygon, plane, other int32) (behind, front Polygon) {
	sides := s.sides(p, plane, make([]int8, 0, 16))
	behind, front = newPolygon(p.Plane, len(sides)+1), newPolygon(p.Plane, len(sides)+1)
	s.part(p, sides, plane, &behind)
	for i := range sides {
		sides[i] = -sides[i]
	}
	s.part(p, sides, other, &front)
	return behind, front
}

func newPolygon(plane int32, room int) Polygon {
	return Polygon{Plane: plane, Edges: make([]int32, 0, room), Corners: make([]Vertex, 0, room)}
}

// sides appends the sides of the corners of p.
func (s *Space) sides(p *Polygon, plane int32, to []int8) []int8 {
	for i := range p.Corners {
		to = append(to, int8(s.Side(&p.Corners[i], plane)))
	}
	return to
}

// part appends to out the part of p behind a plane. sides holds the sides of p's corners; both occur.
func (s *Space) part(p *Polygon, sides []int8, plane int32, out *Polygon) {
	n := len(p.Corners)
	add := func(v Vertex, edge int32) {
		out.Corners = append(out.Corners, v)
		out.Edges = append(out.Edges, edge)
	}
	crossing := func(edge int32) Vertex {
		// The ends of the edge are on either side, so the edge is not parallel to the plane.
		v, _ := s.Meet(p.Plane, edge, plane)
		return v
	}
	for i := range n {
		here, next := sides[i], sides[(i+1)%n]
		switch {
		case here < 0:
			add(p.Corners[i], p.Edges[i])
			if next > 0 {
				add(crossing(p.Edges[i]), plane)
			}
		case here == 0 && next < 0:
			add(p.Corners[i], p.Edges[i])
		case here == 0 && sides[(i+n-1)%n] < 0:
			add(p.Corners[i], plane)
		case here > 0 && next < 0:
			add(crossing(p.Edges[i]), p.Edges[i])
		}
	}
}

// whole returns the part of a plane inside of the planes around the lattice that are across its two smaller axes.
func (s *Space) whole(plane int32) Polygon {
	n := s.planes[plane].N
	axis := 0
	for k := range 3 {
		if magnitude(n[k]) > magnitude(n[axis]) {
			axis = k
		}
	}
	b, c := int32(axis+1)%3, int32(axis+2)%3
	edges := []int32{2*c + 1, 2 * b, 2 * c, 2*b + 1} // counter-clockwise seen from the end of the axis
	if n[axis] < 0 {
		edges[1], edges[3] = edges[3], edges[1]
	}
	p := Polygon{Plane: plane, Edges: edges}
	for i := range edges {
		v, _ := s.Meet(plane, edges[(i+3)%4], edges[i])
		p.Corners = append(p.Corners, v)
	}
	return p
}

func magnitude(x int32) int32 { return max(x, -x) }

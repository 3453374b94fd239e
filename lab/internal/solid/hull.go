package solid

import "errors"

// The reasons why planes make no solid.
var (
	ErrNoVolume = errors.New("the planes have no volume between them")
	ErrNoEnd    = errors.New("the solid has no end")
)

// Solid is a convex solid with a volume: the points behind the planes of all its faces.
type Solid struct {
	Faces []Polygon
	Box   Box
}

// Solid returns the solid behind all planes. A plane without a face is left out.
func (s *Space) Solid(planes []int32) (Solid, error) {
	out := Solid{Box: EmptyBox()}
	for i := range planes {
		face, ok := s.face(planes, i)
		if !ok {
			continue
		}
		for _, e := range face.Edges {
			if s.IsBound(e) {
				return Solid{}, ErrNoEnd
			}
		}
		out.Box = out.Box.Union(face.Box())
		out.Faces = append(out.Faces, face)
	}
	if len(out.Faces) < 4 {
		return Solid{}, ErrNoVolume
	}
	return out, nil
}

// Halve cuts a solid by a plane into the parts behind and in front of the plane. other is the number of the opposite plane.
// Where tells which parts have a volume: [Behind], [Front], or [Across] for both; a solid on one side comes back unchanged as
// that part. The parts equal the results of [Space.Solid] for the planes of the solid's faces and the plane. Time O(n) for n
// corners, where Solid takes O(n²).
func (s *Space) Halve(o *Solid, plane, other int32) (behind, front Solid, where Where) {
	sides := make([]Where, len(o.Faces))
	for f := range o.Faces {
		sides[f] = s.Where(&o.Faces[f], plane)
		where |= sides[f]
	}
	switch where {
	case Behind:
		return *o, Solid{}, Behind
	case Front:
		return Solid{}, *o, Front
	}
	planes := make([]int32, len(o.Faces)+1)
	for f := range o.Faces {
		planes[f] = o.Faces[f].Plane
		switch sides[f] {
		case Behind:
			behind.Faces = append(behind.Faces, o.Faces[f])
		case Front:
			front.Faces = append(front.Faces, o.Faces[f])
		case Across:
			b, f := s.Split(&o.Faces[f], plane, other)
			behind.Faces, front.Faces = append(behind.Faces, b), append(front.Faces, f)
		}
	}
	for _, part := range [2]struct {
		of  *Solid
		cap int32
	}{{&behind, plane}, {&front, other}} {
		planes[len(o.Faces)] = part.cap
		if face, ok := s.face(planes, len(o.Faces)); ok {
			part.of.Faces = append(part.of.Faces, face)
		}
		part.of.Box = EmptyBox()
		for f := range part.of.Faces {
			part.of.Box = part.of.Box.Union(part.of.Faces[f].Box())
		}
	}
	return behind, front, Across
}

// Volume returns the volume of a solid, in cubic lattice units, to about a part in 2⁴⁰ of the cube of its size.
func (o *Solid) Volume() float64 {
	sum := 0.0
	from := o.Box.Low
	for f := range o.Faces {
		c := o.Faces[f].Corners
		at := func(k int) (v [3]float64) {
			for a := range v {
				v[a] = c[k].At[a] - from[a]
			}
			return v
		}
		u := at(0)
		for k := 2; k < len(c); k++ {
			v, w := at(k-1), at(k)
			for a := range 3 {
				b, d := (a+1)%3, (a+2)%3
				sum += float64(u[a] * (float64(v[b]*w[d]) - float64(v[d]*w[b])))
			}
		}
	}
	return sum / 6
}

// face returns the part of plane i behind all others.
func (s *Space) face(planes []int32, i int) (Polygon, bool) {
	p, next := s.whole(planes[i]), newPolygon(planes[i], 16)
	sides := make([]int8, 0, 16)
	for k, q := range planes {
		if k == i {
			continue
		}
		switch s.Where(&p, q) {
		case On:
			// The same plane again: the first has the face. Its opposite: there is no volume.
			if k < i || s.Facing(planes[i], q) < 0 {
				return Polygon{}, false
			}
		case Front:
			return Polygon{}, false
		case Across:
			sides = s.sides(&p, q, sides[:0])
			next.Edges, next.Corners = next.Edges[:0], next.Corners[:0]
			s.part(&p, sides, q, &next)
			p, next = next, p
		}
	}
	return p, true
}

// Facing returns the sign of the dot product of the normals of two planes.
func (s *Space) Facing(a, b int32) int {
	p, q := &s.planes[a], &s.planes[b]
	switch d := int64(p.N[0])*int64(q.N[0]) + int64(p.N[1])*int64(q.N[1]) + int64(p.N[2])*int64(q.N[2]); {
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

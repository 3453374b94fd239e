package exact

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// face is a convex polygon that may be in the way: a triangle, or two triangles that share a diagonal. Most levels
// consist of such pairs, and work per face is then done half as often.
type face struct {
	corners int32 // 3 or 4
	at      [4]lattice.Vertex
	id      [4]uint32
}

func (f *face) v() []lattice.Vertex { return f.at[:f.corners] }

// ids returns the vertices at the corners.
func (f *face) ids() []uint32 { return f.id[:f.corners] }

// facesOf returns the faces of the chosen triangles. Two triangles make one face if both lie in one plane, share the
// longest edge, and form a convex polygon. Linear in the triangles: of the unpaired triangles around a vertex, only the
// last few are compared. Only the tips of cones have more.
func facesOf(s *soup.Soup, chosen func(t *soup.Triangle) bool) []face {
	const most = 64
	n := 0
	for i := range s.Triangles {
		if chosen(&s.Triangles[i]) {
			n++
		}
	}
	faces := make([]face, 0, n)
	// Linked lists of the faces that are still triangles, by the smaller vertex of the longest edge. The entry in last
	// is the number of the last face plus one, and before leads to the face before.
	last, before := make([]int32, s.Vertices), make([]int32, 0, n)
next:
	for i := range s.Triangles {
		t := &s.Triangles[i]
		if !chosen(t) {
			continue
		}
		f := turned(t, longestEdge(&t.V))
		to := &last[min(f.id[0], f.id[1])]
		for from, seen := to, 0; *from > 0 && seen < most; from, seen = &before[*from-1], seen+1 {
			if g := &faces[*from-1]; g.unite(&f) {
				*from = before[*from-1]
				continue next
			}
		}
		faces = append(faces, f)
		before = append(before, *to)
		*to = int32(len(faces))
	}
	return faces
}

// longestEdge returns the corner where the longest edge starts.
func longestEdge(v *[3]lattice.Vertex) int {
	longest, best := uint64(0), 0
	for k := range v {
		a, b := &v[k], &v[next3[k]]
		dz := int64(b.Z) - int64(a.Z)
		if d := a.Distance2(b.Point) + uint64(dz*dz); d > longest {
			longest, best = d, k
		}
	}
	return best
}

// turned returns a triangle as a face that begins at corner k.
func turned(t *soup.Triangle, k int) face {
	l := next3[k]
	m := next3[l]
	return face{3, [4]lattice.Vertex{t.V[k], t.V[l], t.V[m]}, [4]uint32{t.ID[k], t.ID[l], t.ID[m]}}
}

// unite adds triangle g beyond the first edge of triangle f if both together are a convex polygon in one plane. The
// result tells whether f has become the polygon.
func (f *face) unite(g *face) bool {
	if !(f.id[0] == g.id[0] && f.id[1] == g.id[1] || f.id[0] == g.id[1] && f.id[1] == g.id[0]) {
		return false
	}
	q := face{4, [4]lattice.Vertex{f.at[0], g.at[2], f.at[1], f.at[2]}, [4]uint32{f.id[0], g.id[2], f.id[1], f.id[2]}}
	if !inPlane(f, g) || !convex(q.plan()) {
		return false
	}
	*f = q
	return true
}

// inPlane reports whether two triangles with a common first edge lie in one plane. Rounding may have moved a corner off
// the plane of the others by a unit.
func inPlane(f, g *face) bool {
	m, n := soup.Normal([3]lattice.Vertex(f.at[:3])), soup.Normal([3]lattice.Vertex(g.at[:3]))
	c, d := &f.at[2], &g.at[2]
	dx, dy := d.Sub(c.Point)
	dz := int64(d.Z) - int64(c.Z)
	// Six times the volume between the triangles is the distance of either corner times twice the area of the other
	// triangle.
	volume := float64(float64(m[0])*float64(dx)) + float64(float64(m[1])*float64(dy)) + float64(float64(m[2])*float64(dz))
	return float64(volume*volume) <= min(length2(m), length2(n))
}

// length2 returns the squared length of a vector.
func length2(n [3]int64) float64 {
	x, y, z := float64(n[0]), float64(n[1]), float64(n[2])
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// plan returns the four corners seen from above, or from the side if the face is upright.
func (f *face) plan() *[4]lattice.Point {
	p := [4]lattice.Point{f.at[0].Point, f.at[1].Point, f.at[2].Point, f.at[3].Point}
	for k := range p {
		if lattice.Orient(p[k], p[(k+1)%4], p[(k+2)%4]) != 0 {
			return &p
		}
	}
	steep := p[0].X == p[1].X && p[1].X == p[2].X
	for k := range p {
		if steep {
			p[k].X = p[k].Y
		}
		p[k].Y = f.at[k].Z
	}
	return &p
}

func (f *face) box() box3 {
	v := &f.at[0]
	b := box3{Low: [3]int32{v.X, v.Y, v.Z}, High: [3]int32{v.X, v.Y, v.Z}}
	for i := 1; i < int(f.corners); i++ {
		v := &f.at[i]
		b.Low[0], b.High[0] = min(b.Low[0], v.X), max(b.High[0], v.X)
		b.Low[1], b.High[1] = min(b.Low[1], v.Y), max(b.High[1], v.Y)
		b.Low[2], b.High[2] = min(b.Low[2], v.Z), max(b.High[2], v.Z)
	}
	return b
}

// convex reports whether a polygon turns the same way at all corners, or goes straight on.
func convex(p *[4]lattice.Point) bool {
	left, right := true, true
	for k := range p {
		o := lattice.Orient(p[k], p[(k+1)%4], p[(k+2)%4])
		left, right = left && o >= 0, right && o <= 0
	}
	return left != right
}

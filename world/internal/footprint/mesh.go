package footprint

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// mesh is a solid of triangles on the lattice.
type mesh struct {
	triangles [][3]lattice.Vertex // none twice, some without an area
	box       lattice.Box
	// A closed mesh has equally many triangles on both sides of every edge, so every place is inside or outside. The field
	// open is an edge of another mesh, with more triangles on one side.
	closed bool
	open   [2]lattice.Vertex
}

// NewMesh returns a solid of triangles: the vertices turned by yaw radians around the upward axis, counter-clockwise from
// above, and moved by at. Triangles without an area, repeated triangles, open meshes and meshes turned inside out are
// allowed. Time O(n log n).
func NewMesh(frame lattice.Frame, vertices []geom.Vec, faces [][3]int32, at geom.Vec, yaw float64) (Shape, error) {
	switch {
	case len(faces) == 0:
		return Shape{}, fmt.Errorf("mesh: Triangles is empty")
	case len(faces) > MaxTriangles:
		return Shape{}, fmt.Errorf("mesh: Triangles has %d triangles, may have %d", len(faces), MaxTriangles)
	case len(vertices) > MaxTriangles:
		return Shape{}, fmt.Errorf("mesh: Vertices has %d vertices, may have %d", len(vertices), MaxTriangles)
	case !at.IsFinite():
		return Shape{}, fmt.Errorf("mesh: At is %v, must be finite", at)
	case !finite(yaw):
		return Shape{}, fmt.Errorf("mesh: Yaw is %g, must be finite", yaw)
	}
	sin, cos := geom.Sincos(yaw)
	x, y, z := frame.Local(at)
	placed := make([]lattice.Vertex, len(vertices))
	for i, v := range vertices {
		if !v.IsFinite() {
			return Shape{}, fmt.Errorf("mesh: vertex %d is %v, must be finite", i, v)
		}
		gx, gy := geom.Ground(v)
		gx, gy = float64(gx*lattice.UnitsPerMetre), float64(gy*lattice.UnitsPerMetre)
		p, in := pointAt(x+(float64(cos*gx)-float64(sin*gy)), y+(float64(sin*gx)+float64(cos*gy)))
		up, _, over := heights(z+float64(v.Y*lattice.UnitsPerMetre), z)
		if !in || !over {
			return Shape{}, fmt.Errorf("mesh: vertex %d at %v is beyond the frame of the mesh, moved by %v", i, v, at)
		}
		placed[i] = lattice.Vertex{Point: p, Z: up}
	}
	m := &mesh{triangles: make([][3]lattice.Vertex, len(faces)), box: lattice.EmptyBox()}
	s := Shape{kind: triangles, mesh: m, low: math.MaxInt32, high: math.MinInt32}
	for i, face := range faces {
		for k, v := range face {
			if v < 0 || int(v) >= len(placed) {
				return Shape{}, fmt.Errorf("mesh: triangle %d has vertex %d of %d", i, v, len(placed))
			}
			m.triangles[i][k] = placed[v]
			m.box = m.box.Extend(placed[v].Point)
			s.low, s.high = min(s.low, placed[v].Z), max(s.high, placed[v].Z)
		}
		m.triangles[i] = fromLeast(m.triangles[i])
	}
	slices.SortFunc(m.triangles, compareTriangles)
	m.triangles = slices.Compact(m.triangles)
	if n := m.crowding(); n > maxCrowding {
		return Shape{}, fmt.Errorf("mesh: from above, edges of Triangles cross about %d times, may do so %d times", n, maxCrowding)
	}
	m.findOpenEdge()
	return s, nil
}

// maxCrowding bounds the crossings of edges from above, and so the work and the memory for an outline.
const maxCrowding = 1 << 24

// crowding returns about how often edges of triangles cross from above, by a sample of the triangles. Time O(n), unless very
// many triangles are over each other.
func (m *mesh) crowding() int64 {
	const most = 256
	n := len(m.triangles)
	boxes := make([]lattice.Box, n)
	for i := range boxes {
		boxes[i] = boxOf(&m.triangles[i])
	}
	sample := min(n, most)
	found := int64(0)
	for k := range sample {
		at := k * n / sample
		for i := range boxes {
			if i != at && boxes[i].Overlaps(boxes[at]) {
				found += crossings(&m.triangles[i], &m.triangles[at])
			}
		}
	}
	return int64(float64(found) * float64(n) / float64(2*sample))
}

// crossings returns how often the edges of two triangles cross from above.
func crossings(s, t *[3]lattice.Vertex) (n int64) {
	for i := range s {
		for k := range t {
			if lattice.SegmentContact(s[i].Point, s[(i+1)%3].Point, t[k].Point, t[(k+1)%3].Point) == lattice.ProperCrossing {
				n++
			}
		}
	}
	return n
}

// fromLeast returns a triangle that begins with its least corner, in the same direction.
func fromLeast(t [3]lattice.Vertex) [3]lattice.Vertex {
	for compareVertices(t[0], t[1]) > 0 || compareVertices(t[0], t[2]) > 0 {
		t[0], t[1], t[2] = t[1], t[2], t[0]
	}
	return t
}

func compareVertices(a, b lattice.Vertex) int {
	return cmp.Or(a.Compare(b.Point), cmp.Compare(a.Z, b.Z))
}

func compareTriangles(a, b [3]lattice.Vertex) int {
	return cmp.Or(compareVertices(a[0], b[0]), compareVertices(a[1], b[1]), compareVertices(a[2], b[2]))
}

// findOpenEdge decides whether the mesh is closed.
func (m *mesh) findOpenEdge() {
	type edge struct {
		ends [2]lattice.Vertex // the lesser first
		way  int32
	}
	edges := make([]edge, 0, 3*len(m.triangles))
	for i := range m.triangles {
		for k := range 3 {
			a, b := m.triangles[i][k], m.triangles[i][(k+1)%3]
			switch c := compareVertices(a, b); {
			case c < 0:
				edges = append(edges, edge{[2]lattice.Vertex{a, b}, 1})
			case c > 0:
				edges = append(edges, edge{[2]lattice.Vertex{b, a}, -1})
			}
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(compareVertices(x.ends[0], y.ends[0]), compareVertices(x.ends[1], y.ends[1]))
	})
	for i := 0; i < len(edges); {
		sum, k := int32(0), i
		for ; k < len(edges) && edges[k].ends == edges[i].ends; k++ {
			sum += edges[k].way
		}
		if sum != 0 {
			m.open = edges[i].ends
			return
		}
		i = k
	}
	m.closed = true
}

// wall is an upright triangle, or the part of it in a slab: a stretch of a line from above.
type wall struct {
	at             lattice.Point // a point of the line
	dx, dy, offset int64         // its places have dx·y - dy·x = offset; dx and dy have no common divisor
	from, to       int32         // the stretch, by the coordinate in which the line is longer
}

// wallOf returns the stretch of some corners of an upright triangle, which has two different corners from above.
func wallOf(t *[3]lattice.Vertex, corners []lattice.Point) wall {
	a, b := t[0].Point, t[0].Point
	for _, v := range t[1:] {
		if v.Point.Compare(a) < 0 {
			a = v.Point
		}
		if v.Point.Compare(b) > 0 {
			b = v.Point
		}
	}
	w := wall{at: a}
	w.dx, w.dy = b.Sub(a)
	g := lattice.GCD(w.dx, w.dy)
	w.dx, w.dy = w.dx/g, w.dy/g
	w.offset = w.dx*int64(a.Y) - w.dy*int64(a.X)
	w.from, w.to = math.MaxInt32, math.MinInt32
	for _, p := range corners {
		c := p.X
		if w.steep() {
			c = p.Y
		}
		w.from, w.to = min(w.from, c), max(w.to, c)
	}
	return w
}

// steep reports whether the line is longer in Y.
func (w *wall) steep() bool { return max(w.dy, -w.dy) > w.dx }

// point returns the place on the line with a coordinate on the longer axis, exactly where it is a lattice point.
func (w *wall) point(c int32) lattice.Point {
	nearest := func(from int32, d, along, of int64) int32 {
		return from + int32(math.Floor(float64(d)*float64(along)/float64(of)+0.5))
	}
	if w.steep() {
		return lattice.Point{X: nearest(w.at.X, w.dx, int64(c)-int64(w.at.Y), w.dy), Y: c}
	}
	return lattice.Point{X: c, Y: nearest(w.at.Y, w.dy, int64(c)-int64(w.at.X), w.dx)}
}

// appendWalls appends the places within a unit of walls, in both coordinates. Stretches of one line that meet become one.
func appendWalls(rings []lattice.Ring, walls []wall) []lattice.Ring {
	line := func(x, y *wall) int {
		return cmp.Or(cmp.Compare(x.dx, y.dx), cmp.Compare(x.dy, y.dy), cmp.Compare(x.offset, y.offset))
	}
	slices.SortFunc(walls, func(x, y wall) int {
		return cmp.Or(line(&x, &y), cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to), x.at.Compare(y.at))
	})
	for i := 0; i < len(walls); {
		first, to := &walls[i], walls[i].to
		for i++; i < len(walls) && line(first, &walls[i]) == 0 && int64(walls[i].from) <= int64(to)+1; i++ {
			to = max(to, walls[i].to)
		}
		rings = append(rings, movedOut(first.point(first.from), first.point(to)))
	}
	return rings
}

// movedOut returns the places within a unit of the convex hull of points, in both coordinates.
func movedOut(points ...lattice.Point) lattice.Ring {
	around := make([]lattice.Point, 0, 4*len(points))
	for _, p := range points {
		for _, by := range [4][2]int32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			around = append(around, clamped(lattice.Point{X: p.X + by[0], Y: p.Y + by[1]}))
		}
	}
	return lattice.Hull(around)
}

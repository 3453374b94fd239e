package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// none is the group of a triangle before it has any, the twin of an edge on a border, and the first corner of a removed triangle.
const none = -1

// mesh is some triangles of a soup, with their neighbours. A half-edge h is the edge that starts at corner h%3 of triangle h/3.
type mesh struct {
	of     *soup.Soup
	soupID []int32    // numbers of the triangles in the soup
	corner [][3]int32 // vertices of the mesh; removed triangles start with none
	twin   []int32    // half-edges along the other side of half-edges
	group  []int32    // groups of triangles, by the numbers of their seeds
	at     []lattice.Vertex
	id     []uint32 // vertices in the soup of the vertices of the mesh
	out    []int32  // a half-edge from each vertex
	stays  []bool   // by vertex
}

func next(h int32) int32 { return h - h%3 + (h+1)%3 }
func prev(h int32) int32 { return h - h%3 + (h+2)%3 }

// from returns the vertex at the start of a half-edge.
func (m *mesh) from(h int32) int32 { return m.corner[h/3][h%3] }

// newMesh returns the mesh of the chosen triangles of a soup, without groups and vertices. Two triangles are neighbours if they lie
// on two sides of a common edge, and no third triangle has the edge.
func newMesh(s *soup.Soup, chosen func(i int) bool) *mesh {
	m := &mesh{of: s}
	local := make([]int32, len(s.Triangles))
	for i := range s.Triangles {
		if chosen(i) {
			local[i] = int32(len(m.soupID))
			m.soupID = append(m.soupID, int32(i))
		}
	}
	m.twin = make([]int32, 3*len(m.soupID))
	for h := range m.twin {
		m.twin[h] = none
	}
	half := func(e *soup.HalfEdge) int32 { return 3*local[e.Triangle] + int32(e.Corner) }
	for edge := range soup.SameEdge(s.Edges(chosen)) {
		if len(edge) == 2 && edge[0].Reversed != edge[1].Reversed {
			g, h := half(&edge[0]), half(&edge[1])
			m.twin[g], m.twin[h] = h, g
		}
	}
	return m
}

// plane is the plane of a seed; it faces up.
type plane struct {
	normal [3]int64
	at     lattice.Vertex
}

// holds reports whether a place is in the plane: no more than a unit above or below.
func (p *plane) holds(v lattice.Vertex) bool {
	dx, dy := v.Sub(p.at.Point)
	dz := int64(v.Z) - int64(p.at.Z)
	// The product has up to 95 bits. A product beyond 62 bits is out of all limits, and other products survive the overflow of sums.
	about := float64(float64(p.normal[0])*float64(dx)) + float64(float64(p.normal[1])*float64(dy)) + float64(float64(p.normal[2])*float64(dz))
	if math.Abs(about) > 1<<62 {
		return false
	}
	exact := p.normal[0]*dx + p.normal[1]*dy + p.normal[2]*dz
	return -p.normal[2] <= exact && exact <= p.normal[2]
}

// holdsAll reports whether the corners of a triangle are in the plane.
func (p *plane) holdsAll(t *soup.Triangle) bool {
	return p.holds(t.V[0]) && p.holds(t.V[1]) && p.holds(t.V[2])
}

// gather puts every triangle into a group. Groups start at the largest triangle left and spread over twins. Triangles of a group
// have the same ground and lie in the plane of the first one.
func (m *mesh) gather() {
	n := len(m.soupID)
	m.group = make([]int32, n)
	type candidate struct {
		area2    int64
		triangle int32
	}
	order := make([]candidate, n)
	for t := range order {
		m.group[t] = none
		v := &m.of.Triangles[m.soupID[t]].V
		order[t] = candidate{lattice.Orient(v[0].Point, v[1].Point, v[2].Point), int32(t)}
	}
	slices.SortFunc(order, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.area2, a.area2), cmp.Compare(a.triangle, b.triangle))
	})
	var front []int32
	for _, c := range order {
		if m.group[c.triangle] != none {
			continue
		}
		first := &m.of.Triangles[m.soupID[c.triangle]]
		p := plane{soup.Normal(first.V), first.V[0]}
		m.group[c.triangle] = c.triangle
		front = append(front[:0], c.triangle)
		for len(front) > 0 {
			t := front[len(front)-1]
			front = front[:len(front)-1]
			for h := 3 * t; h < 3*t+3; h++ {
				if m.twin[h] == none || m.group[m.twin[h]/3] != none {
					continue
				}
				o := m.twin[h] / 3
				if other := &m.of.Triangles[m.soupID[o]]; first.Area == other.Area && p.holdsAll(other) {
					m.group[o] = c.triangle
					front = append(front, o)
				}
			}
		}
	}
}

// number gives the mesh vertices, one for every fan: consecutive triangles around a vertex of the soup, joined over twins.
func (m *mesh) number() {
	m.corner = make([][3]int32, len(m.soupID))
	for t := range m.corner {
		m.corner[t] = [3]int32{none, none, none}
	}
	for h := range int32(3 * len(m.corner)) {
		if m.corner[h/3][h%3] != none {
			continue
		}
		v := int32(len(m.at))
		t := &m.of.Triangles[m.soupID[h/3]]
		m.at, m.id, m.out = append(m.at, t.V[h%3]), append(m.id, t.ID[h%3]), append(m.out, h)
		first := m.first(h)
		for g := first; ; {
			m.corner[g/3][g%3] = v
			if g = m.twin[prev(g)]; g == none || g == first {
				break
			}
		}
	}
	m.stays = make([]bool, len(m.at))
}

// first returns the half-edge from the same vertex that no other comes before counter-clockwise, or h if they go all around.
func (m *mesh) first(h int32) int32 {
	for g := h; ; {
		before := m.twin[g]
		if before == none {
			return g
		}
		if g = next(before); g == h {
			return h
		}
	}
}

// Package coplanar merges the floors of one plane. Extraction then meets few large triangles.
//
// Source: the project's own. Vertices are removed one by one, as in W. J. Schroeder, J. A. Zarge, W. E. Lorensen, Decimation of
// triangle meshes, SIGGRAPH 1992, but only where the surface stays the same.
//
// Idea: a group starts at the largest triangle left and spreads over shared edges, as long as corners lie in the plane of that
// seed (group.go). A vertex inside of a group goes, and so does a vertex in the middle of a straight border. The triangles around
// the vertex make room for fewer triangles with the same outline (remove.go). Shared edges stay shared, because later stages go from
// triangle to triangle over them.
//
// Input: any soup. Floors merge with floors of the same ground.
//
// Guarantees:
//  1. Floors cover the same area of the plan with the same borders: TestFloorsKeepAreasAndBorders.
//  2. The old surface lies within a unit of the plane of its group, measured upwards: TestFloorsStayFlat.
//  3. Two floors that share an edge before the merge share the edge, or a longer edge in its line, after the merge:
//     TestFloorsKeepAreasAndBorders.
//  4. The result does not depend on the order of triangles in the level: TestFloorsDoNotDependOnOrder.
//  5. Every removable vertex is removed, unless fewer than one in [few] is removable: TestFloorsAreFew,
//     TestFloorsOfTerrain.
//
// Degenerate cases: a surface that winds around a vertex several times keeps the vertex. An edge of more than two floors, and an
// edge with both floors on one side, is a border. A vertex with more than [most] triangles stays.
//
// Cost: O(n log n) for n triangles, where the logarithm comes from the seeds; memory O(n). Floors with few removable vertices,
// such as terrain, stay unchanged and cost one look at the corners of each triangle.
package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/soup"
)

// Floors returns a soup with the walkable triangles of s, or fewer that cover the same places, and perhaps with other triangles of s.
// The result may be s itself; s is not changed.
func Floors(s *soup.Soup) *soup.Soup {
	may, some, walkable := candidates(s)
	// A closed surface has half as many vertices as triangles.
	if some*2*few < walkable {
		return s
	}
	m := newMesh(s, func(i int) bool {
		t := &s.Triangles[i]
		return t.Walkable && (may[t.ID[0]] || may[t.ID[1]] || may[t.ID[2]])
	})
	m.gather()
	m.number()
	fans := make([]uint8, s.Vertices)
	for _, id := range m.id {
		fans[id] = min(fans[id]+1, 2)
	}
	for v, id := range m.id {
		m.stays[v] = !may[id] || fans[id] > 1
	}
	m.thin()
	return m.floors(walkable)
}

// few is the share of vertices, as a divisor, below which the merge is not worth a copy of the floors.
const few = 8

// candidates tells of the vertices of a soup whether they may go: the floors around a vertex have no more than two slopes. It
// returns also how many vertices may go, and how many triangles are walkable.
func candidates(s *soup.Soup) (may []bool, some, walkable int) {
	slopes := make([]slope, len(s.Triangles))
	type two struct{ first, second int32 } // triangles of different slopes at a vertex, counted from 1
	of := make([]two, s.Vertices)
	may = make([]bool, s.Vertices)
	for i := range s.Triangles {
		t := &s.Triangles[i]
		if !t.Walkable {
			continue
		}
		walkable++
		slopes[i] = slopeOf(t)
		for _, v := range t.ID {
			p := &of[v]
			switch {
			case p.first == 0:
				p.first, may[v] = int32(i)+1, true
				some++
			case !may[v] || slopes[p.first-1].near(&slopes[i]):
			case p.second == 0:
				p.second = int32(i) + 1
			case !slopes[p.second-1].near(&slopes[i]):
				may[v] = false
				some--
			}
		}
	}
	return may, some, walkable
}

// slope is the rise of a floor to the east and to the north. The slope of a seed whose plane contains the floor's corners, to
// within a unit, differs from it by at most tolerance.
type slope struct{ east, north, tolerance float32 }

// slopeOf returns the slope of a floor. Two planes within a unit of each other at three corners differ by at most two units over
// the least height of the triangle, which is the area over the longest side.
func slopeOf(t *soup.Triangle) slope {
	n := soup.Normal(t.V)
	up := float64(n[2])
	longest := math.Sqrt(float64(max(t.V[0].Distance2(t.V[1].Point), t.V[1].Distance2(t.V[2].Point), t.V[2].Distance2(t.V[0].Point))))
	const rounding = 1e-6 // of numbers of 32 bits, for slopes of up to 1
	by := 1 / up
	east, north := -float64(n[0])*by, -float64(n[1])*by
	return slope{float32(east), float32(north), float32(float64(2*longest*by) + float64(rounding*(1+math.Abs(east)+math.Abs(north))))}
}

// near reports whether two floors may be in the plane of one seed.
func (s *slope) near(o *slope) bool {
	limit := s.tolerance + o.tolerance
	return abs(s.east-o.east) <= limit && abs(s.north-o.north) <= limit
}

func abs(x float32) float32 { return max(x, -x) }

// floors returns the soup of the triangles of the mesh, and of those that are walkable and not in the mesh. The argument walkable is
// their number before vertices went.
func (m *mesh) floors(walkable int) *soup.Soup {
	s := m.of
	removed := slices.ContainsFunc(m.corner, func(c [3]int32) bool { return c[0] == none })
	if !removed {
		return s
	}
	out := &soup.Soup{Frame: s.Frame, Size: s.Size, Vertices: s.Vertices}
	made := make([]soup.Triangle, 0, len(m.corner))
	for t, c := range m.corner {
		if c[0] == none {
			continue
		}
		first := 0
		for k := range c {
			if m.id[c[k]] < m.id[c[first]] {
				first = k
			}
		}
		f := soup.Triangle{Area: s.Triangles[m.soupID[t]].Area, Walkable: true}
		for k := range c {
			v := c[(first+k)%3]
			f.V[k], f.ID[k] = m.at[v], m.id[v]
		}
		made = append(made, f)
	}
	order := func(a, b *soup.Triangle) int {
		return cmp.Or(cmp.Compare(a.ID[0], b.ID[0]), cmp.Compare(a.ID[1], b.ID[1]), cmp.Compare(a.ID[2], b.ID[2]))
	}
	slices.SortFunc(made, func(a, b soup.Triangle) int { return order(&a, &b) })
	out.Triangles = make([]soup.Triangle, 0, walkable-len(m.corner)+len(made))
	inMesh := m.soupID
	for i := range s.Triangles {
		t := &s.Triangles[i]
		if len(inMesh) > 0 && inMesh[0] == int32(i) {
			inMesh = inMesh[1:]
			continue
		}
		if !t.Walkable {
			continue
		}
		for len(made) > 0 && order(&made[0], t) < 0 {
			out.Triangles, made = append(out.Triangles, made[0]), made[1:]
		}
		out.Triangles = append(out.Triangles, *t)
	}
	out.Triangles = append(out.Triangles, made...)
	return out
}

package level

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// TurnOutward turns faces by their enclosed solids: triangles that share an edge with just one other are made
// to agree, and a closed connected part is made to face outward. An open part keeps the side of most of its
// area, and so does a part whose triangles cannot all agree. Vertices in the same place count as equal. It
// returns the number of turned triangles. A room modelled by its inside alone would become a block: such
// levels are right without it.
//
// Time and space are O(n) for n triangles.
func (l *Level) TurnOutward() (turned int) {
	if l.Validate() != nil {
		return 0
	}
	place := make(map[geom.Vec]uint32, len(l.Vertices)/2)
	id := func(v uint32) uint32 {
		p := l.Vertices[v]
		p.X, p.Y, p.Z = p.X+0, p.Y+0, p.Z+0 // -0 is 0
		n, ok := place[p]
		if !ok {
			n = uint32(len(place))
			place[p] = n
		}
		return n
	}
	corners := make([][3]uint32, len(l.Triangles))
	edges := make(map[[2]uint32][]int32, 2*len(l.Triangles))
	for i, t := range l.Triangles {
		c := [3]uint32{id(t.A), id(t.B), id(t.C)}
		corners[i] = c
		for k := range c {
			if a, b := c[k], c[(k+1)%3]; a != b {
				e := [2]uint32{min(a, b), max(a, b)}
				edges[e] = append(edges[e], int32(i))
			}
		}
	}
	visited, flipped := make([]bool, len(corners)), make([]bool, len(corners))
	for i := range corners {
		if visited[i] {
			continue
		}
		part, closed := l.agree(int32(i), corners, edges, visited, flipped)
		if l.facesInward(part, flipped, closed) {
			for _, t := range part {
				flipped[t] = !flipped[t]
			}
		}
	}
	for i, f := range flipped {
		if f {
			t := &l.Triangles[i]
			t.B, t.C = t.C, t.B
			turned++
		}
	}
	return turned
}

// agree visits the triangles connected to start over edges of two triangles, and marks those to flip for
// agreement. closed reports that every edge has two triangles, and all can agree.
func (l *Level) agree(start int32, corners [][3]uint32, edges map[[2]uint32][]int32, visited, flipped []bool) (part []int32, closed bool) {
	closed = true
	visited[start] = true
	part = append(part, start)
	for next := 0; next < len(part); next++ {
		t := part[next]
		c := corners[t]
		for k := range c {
			a, b := c[k], c[(k+1)%3]
			if a == b {
				continue
			}
			pair := edges[[2]uint32{min(a, b), max(a, b)}]
			if len(pair) != 2 || pair[0] == pair[1] {
				closed = false
				continue
			}
			o := pair[0] + pair[1] - t
			// Neighbours in agreement run along their edge in opposite directions.
			flip := flipped[t] != leads(corners[o], a, b)
			switch {
			case !visited[o]:
				visited[o], flipped[o] = true, flip
				part = append(part, o)
			case flipped[o] != flip:
				closed = false // a band with one side
			}
		}
	}
	return part, closed
}

// leads reports whether a triangle has an edge from a to b.
func leads(c [3]uint32, a, b uint32) bool {
	return c[0] == a && c[1] == b || c[1] == a && c[2] == b || c[2] == a && c[0] == b
}

// facesInward reports whether to turn the faces of a part: the volume decides for a closed part, the area
// already turned for agreement for an open part.
func (l *Level) facesInward(part []int32, flipped []bool, closed bool) bool {
	t := l.Triangles[part[0]]
	from := l.Vertices[t.A]
	volume, kept := 0.0, 0.0
	for _, i := range part {
		t := l.Triangles[i]
		a, b, c := l.Vertices[t.A].Sub(from), l.Vertices[t.B].Sub(from), l.Vertices[t.C].Sub(from)
		v, area := a.Dot(b.Cross(c)), b.Sub(a).Cross(c.Sub(a)).Norm()
		if math.IsNaN(v) || math.IsNaN(area) {
			continue
		}
		if flipped[i] {
			v, area = -v, -area
		}
		volume += v
		kept += area
	}
	if closed && volume != 0 {
		return volume < 0
	}
	return kept < 0
}

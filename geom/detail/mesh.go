package detail

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// none marks the lack of a half-edge, foreign one in another block.
const (
	none    = -1
	foreign = -2
)

// triangle is a triangle of the surface. low and high bound, in fixed-point units, how far the original
// floor is below and above it, wherever the two lie over each other. drift bounds in 1/driftScale units
// how far the original border is from each edge that is a border.
type triangle struct {
	corners   [3]uint32
	low, high int32
	drift     [3]uint8
}

// removed are the corners of a triangle that is no more.
var removed = [3]uint32{^uint32(0), ^uint32(0), ^uint32(0)}

// The states of a vertex.
const (
	fixed   uint8 = 1 << iota // not to be removed: its triangles are no single fan
	shared                    // its triangles are in several blocks
	waiting                   // in a queue
	changed                   // its triangles changed since its judgement
)

// mesh is a surface in the making. Triangle t has the half-edges 4t, 4t+1 and 4t+2; half-edge 4t+c starts at
// corner c of triangle t.
type mesh struct {
	at        []lattice.Vertex
	triangles []triangle
	opposite  []int32  // by half-edge: that of the neighbour, or none, or foreign
	states    []uint8  // by vertex
	first     []int32  // by vertex: one of its outgoing half-edges
	degrees   []int32  // by vertex: the number of its triangles
	apexes    []uint32 // by vertex: the neighbour that was the best apex
	limit     int32    // of low and high
}

// read copies the usable triangles of a surface, in canonical order along a curve. Equal vertices are merged,
// equal triangles too.
func read(t *lattice.TIN) *mesh {
	number := make([]uint32, len(t.Vertices)) // plus one; 0 for unused vertices
	used := make([]lattice.Vertex, 0, len(t.Vertices))
	usable := make([][3]uint32, 0, len(t.Triangles))
	n := uint32(len(t.Vertices))
	for _, c := range t.Triangles {
		if max(c[0], c[1], c[2]) >= n ||
			lattice.Orient(t.Vertices[c[0]].Point, t.Vertices[c[1]].Point, t.Vertices[c[2]].Point) <= 0 {
			continue
		}
		for k, v := range c {
			if number[v] == 0 {
				used = append(used, t.Vertices[v])
				number[v] = uint32(len(used))
			}
			c[k] = number[v] - 1
		}
		usable = append(usable, c)
	}
	m := &mesh{at: make([]lattice.Vertex, 0, len(used))}
	place := make([]uint32, len(used))
	for _, v := range order(used) {
		if n := len(m.at); n == 0 || m.at[n-1] != used[v] {
			m.at = append(m.at, used[v])
		}
		place[v] = uint32(len(m.at) - 1)
	}
	// Each triangle begins with its first vertex, and triangles are sorted by their vertices.
	start := make([]uint32, len(m.at)+1)
	for i := range usable {
		c := [3]uint32{place[usable[i][0]], place[usable[i][1]], place[usable[i][2]]}
		for c[0] > c[1] || c[0] > c[2] {
			c = [3]uint32{c[1], c[2], c[0]}
		}
		usable[i] = c
		start[c[0]+1]++
	}
	for v := range m.at {
		start[v+1] += start[v]
	}
	sorted, next := make([][3]uint32, len(usable)), slices.Clone(start)
	for _, c := range usable {
		sorted[next[c[0]]] = c
		next[c[0]]++
	}
	m.triangles = make([]triangle, 0, len(sorted))
	for v := range m.at {
		group := sorted[start[v]:start[v+1]]
		slices.SortFunc(group, func(a, b [3]uint32) int {
			return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
		})
		for i, c := range group {
			if i == 0 || c != group[i-1] {
				m.triangles = append(m.triangles, triangle{corners: c})
			}
		}
	}
	return m
}

// edge is a half-edge in the list of the smaller of its vertices.
type edge struct {
	other uint32
	half  int32
}

// chunk is the number of vertices or triangles in one unit of work.
const chunk = 4096

// join finds the neighbour of each half-edge. An edge with several triangles on one side has no neighbours,
// and its vertices are fixed. Time O(n), but O(d log d) for a vertex of d triangles.
func (m *mesh) join(ctx context.Context, jobs int) error {
	m.opposite = make([]int32, 4*len(m.triangles))
	m.states = make([]uint8, len(m.at))
	start := make([]uint32, len(m.at)+1)
	for i := range m.triangles {
		c := &m.triangles[i].corners
		start[c[0]+1] += 2
		start[min(c[1], c[2])+1]++
	}
	for v := range m.at {
		start[v+1] += start[v]
	}
	edges, place := make([]edge, start[len(m.at)]), slices.Clone(start)
	for i := range m.triangles {
		c := &m.triangles[i].corners
		add := func(v, other uint32, half int) {
			edges[place[v]] = edge{other, int32(half)}
			place[v]++
		}
		add(c[0], c[1], 4*i)
		add(c[0], c[2], 4*i+2)
		if c[1] < c[2] {
			add(c[1], c[2], 4*i+1)
		} else {
			add(c[2], c[1], 4*i+1)
		}
	}
	fix := make([]bool, len(edges)) // both ends of the edge
	err := par.For(ctx, jobs, (len(m.at)+chunk-1)/chunk, func(i int) error {
		for v := i * chunk; v < min((i+1)*chunk, len(m.at)); v++ {
			from, to := start[v], start[v+1]
			m.pair(uint32(v), edges[from:to], fix[from:to])
		}
		return nil
	})
	for i, f := range fix {
		if f {
			m.states[edges[i].other] |= fixed
			m.states[m.start(edges[i].half)] |= fixed
			m.states[m.start(next(edges[i].half))] |= fixed
		}
	}
	return err
}

// pair joins the edges whose smaller vertex is v.
func (m *mesh) pair(v uint32, edges []edge, fix []bool) {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.half, b.half))
	})
	for i := 0; i < len(edges); {
		end := i + 1
		for end < len(edges) && edges[end].other == edges[i].other {
			end++
		}
		a, b := edges[i].half, edges[end-1].half
		switch {
		case end == i+2 && (m.start(a) == v) != (m.start(b) == v):
			m.opposite[a], m.opposite[b] = b, a
		default:
			for k := i; k < end; k++ {
				m.opposite[edges[k].half] = none
				fix[k] = end > i+1
			}
		}
		i = end
	}
}

// next and previous return the half-edges after and before h in its triangle.
func next(h int32) int32 {
	if h&3 == 2 {
		return h - 2
	}
	return h + 1
}

func previous(h int32) int32 {
	if h&3 == 0 {
		return h + 2
	}
	return h - 1
}

// start returns the first vertex of a half-edge.
func (m *mesh) start(h int32) uint32 { return m.triangles[h>>2].corners[h&3] }

func (m *mesh) driftOf(h int32) *uint8 { return &m.triangles[h>>2].drift[h&3] }

package metric

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
	"github.com/meadow-nav/meadow/navmesh"
)

// view is a mesh prepared for measuring: the regions of all tiles in one list, as rings of their turning corners, and
// the graph of their adjacencies.
type view struct {
	mesh  *navmesh.Mesh
	base  []int // of each tile, the number of regions in the tiles before
	rings [][]lattice.Vertex
	area2 []int64 // twice the area, lattice units squared
	// component has the components of the mesh.
	component []uint32
	// next lists the adjacencies of each region by ascending neighbour.
	next [][]adjacency
}

// adjacency is the common edge of two regions: all portals between them.
type adjacency struct {
	to    int
	width int64 // length in lattice units, each portal rounded down
	x, y  float64
	// edge numbers the adjacency; both sides have the same number.
	edge int
}

// newView prepares a mesh that passes navmesh.Mesh.Check. Time O(n log k) for n corners and portals, at most k per
// region.
func newView(m *navmesh.Mesh) *view {
	v := &view{mesh: m}
	for i := range m.Tiles {
		t := &m.Tiles[i]
		base := len(v.rings)
		v.base = append(v.base, base)
		for r := range t.Regions {
			ring := turning(t, r)
			v.rings = append(v.rings, ring)
			v.area2 = append(v.area2, area2(ring))
			v.component = append(v.component, t.Regions[r].Component)
			v.next = append(v.next, adjacencies(t, r, base))
		}
	}
	edges := 0
	for r := range v.next {
		for k := range v.next[r] {
			a := &v.next[r][k]
			if a.to >= r {
				a.edge = edges
				edges++
				continue
			}
			a.edge = -1
			if back, ok := v.adjacent(a.to, r); ok {
				a.edge = back.edge
			}
		}
		// A portal without a back portal, found only in faulty meshes, joins no regions.
		v.next[r] = slices.DeleteFunc(v.next[r], func(a adjacency) bool { return a.edge < 0 || a.to == r })
	}
	return v
}

// turning returns the corners where a region turns.
func turning(t *navmesh.Tile, r int) []lattice.Vertex {
	corners := t.RegionCorners(r)
	n := len(corners)
	ring := make([]lattice.Vertex, 0, n)
	for i, c := range corners {
		a, b, d := t.Vertices[corners[(i+n-1)%n]], t.Vertices[c], t.Vertices[corners[(i+1)%n]]
		if turns(a.Point, b.Point, d.Point) {
			ring = append(ring, b)
		}
	}
	return ring
}

// area2 returns twice the area of a ring.
func area2(ring []lattice.Vertex) int64 {
	return points(ring).Area2()
}

// adjacencies joins the portals of a region to the same neighbour. The middle is the middle of the longest portal, of
// several the first.
func adjacencies(t *navmesh.Tile, r, base int) []adjacency {
	portals := t.RegionPortals(r)
	list := make([]adjacency, 0, len(portals))
	for i := range portals {
		p := &portals[i]
		a, b := t.Vertices[p.Left], t.Vertices[p.Right]
		list = append(list, adjacency{
			to:    base + int(p.To),
			width: shape.Root(a.Distance2(b.Point)),
			x:     (float64(a.X) + float64(b.X)) / 2,
			y:     (float64(a.Y) + float64(b.Y)) / 2,
		})
	}
	slices.SortStableFunc(list, func(a, b adjacency) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(b.width, a.width))
	})
	out := list[:0]
	for _, a := range list {
		if k := len(out) - 1; k >= 0 && out[k].to == a.to {
			out[k].width += a.width
			continue
		}
		out = append(out, a)
	}
	return out
}

// adjacent returns the adjacency of region r to region s.
func (v *view) adjacent(r, s int) (adjacency, bool) {
	i, found := slices.BinarySearchFunc(v.next[r], s, func(a adjacency, s int) int { return cmp.Compare(a.to, s) })
	if !found {
		return adjacency{}, false
	}
	return v.next[r][i], true
}

// edges counts the adjacencies, each once.
func (v *view) edges() int {
	n := 0
	for r := range v.next {
		for _, a := range v.next[r] {
			n = max(n, a.edge+1)
		}
	}
	return n
}

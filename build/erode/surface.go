package erode

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/navmesh"
)

// surface is a mesh as regions connected at portals, across tiles and layers.
type surface struct {
	regions []region
	items   []item // region after region, counter-clockwise
	layers  []*lattice.TIN
	heights []*lattice.Sampler // of the layers
	index   *planar.Index      // of the regions
	seams   *planar.Index      // of the portals between layers
	crossed []segment          // the portals of seams
	first   []int              // the first region of each tile
}

// region is a convex polygon.
type region struct {
	ring      []lattice.Point
	outline   lattice.Ring // ring, with the vertices of portals where cracks are healed
	z         []int32      // heights of the corners
	layer     int32
	class     int32
	from, end int32 // its items
	box       lattice.Box
}

// item is a part of a region's border, counter-clockwise: a wall, or a portal.
type item struct {
	segment
	region int32
	to     int32 // the region behind, none for a wall, gone for an item of a removed region
	back   int32 // the item in the opposite direction
}

const (
	none = -1
	gone = -2
)

type segment struct{ a, b lattice.Point }

func (s segment) box() lattice.Box { return lattice.BoxOf(s.a, s.b) }

func (s *surface) wall(i int32) bool { return s.items[i].to == none }

// after returns the next item around the region of item i.
func (s *surface) after(i int32) int32 {
	r := &s.regions[s.items[i].region]
	if i++; i == r.end {
		return r.from
	}
	return i
}

// newSurface converts a mesh to a surface, for an agent wider by the given number of units. classOf numbers the
// classes.
func newSurface(m *navmesh.Mesh, by float64, classOf func(slot, region int) int32) *surface {
	s := &surface{}
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		base, layer := int32(len(s.regions)), int32(len(s.layers))
		s.first = append(s.first, len(s.regions))
		for l := range t.Layers {
			s.layers = append(s.layers, &t.Layers[l].Floor)
			s.heights = append(s.heights, lattice.NewSampler(&t.Layers[l].Floor))
		}
		number := make([]int32, len(t.Portals)) // the items of the portals
		for i := range t.Regions {
			r := region{layer: layer + int32(t.Regions[i].Layer), class: classOf(slot, i), from: int32(len(s.items))}
			for _, v := range t.RegionCorners(i) {
				r.ring, r.z = append(r.ring, t.Vertices[v].Point), append(r.z, t.Vertices[v].Z)
			}
			r.box = lattice.BoxOf(r.ring...)
			r.outline = r.ring
			s.addBorder(t, i, &r, base, number)
			r.end = int32(len(s.items))
			s.regions = append(s.regions, r)
		}
		for i := range t.Portals {
			s.items[number[i]].back = number[t.Portals[i].Back]
		}
	}
	boxes := make([]lattice.Box, len(s.regions))
	for i := range s.regions {
		boxes[i] = s.regions[i].box
	}
	s.index = planar.NewIndex(boxes)
	climb := max(m.Agent.MaxClimb, 0)*lattice.UnitsPerMetre + crack
	s.heal(climb)
	if by > splinter && s.prune() {
		s.heal(climb)
	}
	var around []lattice.Box
	for i := range s.items {
		if k := &s.items[i]; k.to >= 0 && s.regions[k.region].layer < s.regions[k.to].layer {
			s.crossed = append(s.crossed, k.segment)
			around = append(around, k.box())
		}
	}
	s.seams = planar.NewIndex(around)
	return s
}

// addBorder adds the items of region i of a tile.
func (s *surface) addBorder(t *navmesh.Tile, i int, r *region, base int32, number []int32) {
	me, next := int32(len(s.regions)), t.Regions[i].FirstPortal
	end := next + t.Regions[i].PortalCount
	n := len(r.ring)
	for e := range n {
		at, corner := r.ring[e], r.ring[(e+1)%n]
		wall := func(to lattice.Point) {
			if at != to {
				s.items = append(s.items, item{segment: segment{at, to}, region: me, to: none, back: none})
			}
			at = to
		}
		for ; next < end && int(t.Portals[next].Edge) == e; next++ {
			p := &t.Portals[next]
			wall(t.Vertices[p.Right].Point)
			number[next] = int32(len(s.items))
			left := t.Vertices[p.Left].Point
			s.items = append(s.items, item{segment: segment{at, left}, region: me, to: base + int32(p.To)})
			at = left
		}
		wall(corner)
	}
}

// bound is a closed line of walls, with the floor on its left: each wall is followed by the next wall around the floor.
type bound struct {
	edges []edge
}

// edge is a straight part of a bound, of one wall or of several walls bent by rounding.
type edge struct {
	segment
	walls []int32 // items
	// fan lists the items from region to region around the end of the edge to the start of the next edge: portals, each
	// followed through.
	fan []int32
}

// bounds finds the closed lines of walls.
func (s *surface) bounds() []bound {
	done := make([]bool, len(s.items))
	var all []bound
	for first := range s.items {
		if done[first] || !s.wall(int32(first)) {
			continue
		}
		var b bound
		for i := int32(first); !done[i]; {
			done[i] = true
			e := edge{segment: s.items[i].segment, walls: []int32{i}}
			next := s.after(i)
			for !s.wall(next) {
				e.fan = append(e.fan, next)
				next = s.after(s.items[next].back)
			}
			b.edges = append(b.edges, e)
			i = next
		}
		all = append(all, b.straightened())
	}
	return all
}

// bend is the distance, in units, by which rounding moves a vertex from the straight line between its neighbours.
const bend = 2

// straightened removes vertices where rounding bent a straight line: each vertex would have a sector around it.
func (b bound) straightened() bound {
	const longest = 64
	n := len(b.edges)
	for i := range b.edges {
		before := &b.edges[(i+n-1)%n]
		if !isStraight(before.a, b.edges[i].b, []lattice.Point{b.edges[i].a}) {
			b.edges = slices.Concat(b.edges[i:], b.edges[:i])
			break
		}
	}
	var out bound
	for i := 0; i < n; {
		e := b.edges[i]
		passed := []lattice.Point{}
		j := i + 1
		for ; j < n && j < i+longest; j++ {
			next := &b.edges[j]
			passed = append(passed, next.a)
			if !isStraight(e.a, next.b, passed) {
				break
			}
			e.walls = append(slices.Clip(e.walls), next.walls...)
			e.b, e.fan = next.b, next.fan
		}
		out.edges = append(out.edges, e)
		i = j
	}
	return out
}

// isStraight reports whether the points between a and b are within a bend of the line, and in order.
func isStraight(a, b lattice.Point, between []lattice.Point) bool {
	last := int64(0)
	for _, p := range between {
		along := lattice.Dot(a, b, p)
		if along <= last || lattice.SegmentDistance2(p, a, b).CompareInt(bend*bend) > 0 {
			return false
		}
		last = along
	}
	return last < int64(a.Distance2(b))
}

package metric

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Efficiency is metric 9 (section 6.9): the edges of the obstructions per edge of a region, 0 to 1; more is better.
// Without Options.Free the straight stretches of the mesh's own border are counted. For a complete mesh the result is
// the same; an incomplete mesh is flattered less than by the source's definition.
type Efficiency struct {
	Value            Number `json:"value"`
	ObstructionEdges int    `json:"obstruction_edges"`
	RegionEdges      int    `json:"region_edges"`
}

func (v *view) efficiency(opt *Options, b *border) Efficiency {
	e := Efficiency{Value: unknown, ObstructionEdges: b.corners}
	if opt.Free != nil {
		e.ObstructionEdges = opt.Free.Edges
	}
	for _, ring := range v.rings {
		e.RegionEdges += len(ring)
	}
	if e.RegionEdges > 0 {
		e.Value = Number(float64(e.ObstructionEdges) / float64(e.RegionEdges))
	}
	return e
}

// border describes the border of a mesh: the floor's edges without portals.
type border struct {
	// corners is the number of corners of the border, notches the number of corners where the floor has an angle of
	// more than 180 degrees.
	corners, notches int
	// bound is the least possible number of convex regions of the floor.
	bound int
}

// borderSlack is the maximum distance of a border corner from a straight wall, in lattice units: corners that a
// generator constructs on a slanted wall are rounded, see build/join.
const borderSlack = 2

// border walks around the floor.
//
// The bound: let a floor have r notches and the Euler characteristic χ (1 for a floor without holes, one less for every
// hole). In a division into F convex regions the exterior angles of each region sum to 2π. At a border vertex of
// interior angle β with d regions the exterior angles sum to dπ-β. At a notch d is at least 2, and the sum exceeds the
// turn of the border by at least π; at other vertices the sum is no less than the turn. The turns of the border sum to
// 2πχ. Hence 2πF ≥ 2πχ + πr, and F ≥ χ + ⌈r/2⌉: the known ⌈r/2⌉+1 of floors without holes. Every component also has at
// least one region.
func (v *view) border() border {
	var b border
	chi := make([]int, v.mesh.Components)
	notches := make([]int, v.mesh.Components)
	for i := range v.mesh.Tiles {
		t := &v.mesh.Tiles[i]
		s := newSides(t)
		for r := range t.Regions {
			chi[t.Regions[r].Component]++ // faces
		}
		pairs := make([]int, len(chi))
		for p := range t.Portals {
			pairs[t.Regions[s.owner[s.of[p]]].Component]++
		}
		for c := range chi {
			chi[c] -= pairs[c] / 2 // inner edges; the border has as many edges as vertices
		}
		s.hubs(func(region int) { chi[t.Regions[region].Component]++ }) // inner vertices
		s.loops(func(region int, loop []lattice.Point) {
			corners := straightened(loop)
			b.corners += len(corners)
			notches[t.Regions[region].Component] += countNotches(corners)
		})
	}
	for c := range chi {
		b.notches += notches[c]
		b.bound += max(1, chi[c]+(notches[c]+1)/2)
	}
	return b
}

// NotchBound returns the number of notches of the floor that m covers, and the least number of convex regions in any
// mesh of the floor: see [Extras]. NotchBound treats m as a complete mesh of the floor. m must pass navmesh.Mesh.Check.
// Time O(n) for n corners and portals.
func NotchBound(m *navmesh.Mesh) (notches, bound int) {
	b := newView(m).border()
	return b.notches, b.bound
}

// sides are the stretches of the regions' edges, region after region and counter-clockwise: one for every portal and
// one for every stretch of wall before, between and after the portals.
type sides struct {
	t     *navmesh.Tile
	from  []lattice.Point // start of a side
	twin  []int           // the side in the region behind, none for wall
	owner []int           // the region
	first []int           // of every region, its first side, plus a final end
	of    []int           // of every portal, its side
}

const none = -1

func newSides(t *navmesh.Tile) *sides {
	s := &sides{t: t, of: make([]int, len(t.Portals))}
	portal := []int{} // of every side
	add := func(r, p int, from lattice.Point) {
		s.from = append(s.from, from)
		s.owner = append(s.owner, r)
		portal = append(portal, p)
	}
	for r := range t.Regions {
		s.first = append(s.first, len(s.from))
		corners := t.RegionCorners(r)
		portals := t.RegionPortals(r)
		k := 0
		for e, c := range corners {
			at := t.Vertices[c].Point
			for ; k < len(portals) && int(portals[k].Edge) == e; k++ {
				if right := t.Vertices[portals[k].Right].Point; right != at {
					add(r, none, at)
					at = right
				}
				p := int(t.Regions[r].FirstPortal) + k
				s.of[p] = len(s.from)
				add(r, p, at)
				at = t.Vertices[portals[k].Left].Point
			}
			if at != t.Vertices[corners[(e+1)%len(corners)]].Point {
				add(r, none, at)
			}
		}
	}
	s.first = append(s.first, len(s.from))
	s.twin = make([]int, len(portal))
	for i, p := range portal {
		s.twin[i] = none
		if p != none {
			s.twin[i] = s.of[t.Portals[p].Back]
		}
	}
	return s
}

// next returns the side after i around its region.
func (s *sides) next(i int) int {
	if r := s.owner[i]; i+1 < s.first[r+1] {
		return i + 1
	}
	return s.first[s.owner[i]]
}

// hubs calls found with a region at every vertex with floor all around.
func (s *sides) hubs(found func(region int)) {
	seen := make([]bool, len(s.twin))
	for i := range s.twin {
		if s.twin[i] == none || seen[i] {
			continue
		}
		k := i
		for k != none && !seen[k] {
			seen[k] = true
			k = s.twin[s.next(k)]
		}
		if k == i {
			found(s.owner[i])
		}
	}
}

// loops calls found with every closed walk along the walls, the floor on the left, and a region beside the walk.
func (s *sides) loops(found func(region int, loop []lattice.Point)) {
	seen := make([]bool, len(s.twin))
	for i := range s.twin {
		if s.twin[i] != none {
			continue
		}
		var loop []lattice.Point
		for k := i; !seen[k]; {
			seen[k] = true
			loop = append(loop, s.from[k])
			// Around the end of this stretch, through all portals that begin there. In a sound mesh the walk ends at a
			// wall; no walk is longer than all sides.
			k = s.next(k)
			for steps := 0; s.twin[k] != none && steps < len(s.twin); steps++ {
				k = s.next(s.twin[k])
			}
		}
		if len(loop) > 0 {
			found(s.owner[i], loop)
		}
	}
}

// straightened removes points of a loop within borderSlack of the segment from the last kept point to the next. The
// loop begins at the westernmost point, a corner.
func straightened(loop []lattice.Point) []lattice.Point {
	n := len(loop)
	start := 0
	for i, p := range loop {
		if p.Compare(loop[start]) < 0 {
			start = i
		}
	}
	var out []lattice.Point
	for i := range n {
		p, next := loop[(start+i)%n], loop[(start+i+1)%n]
		if len(out) > 0 && lattice.SegmentDistance2(p, out[len(out)-1], next).CompareInt(borderSlack*borderSlack) <= 0 {
			continue
		}
		out = append(out, p)
	}
	return slices.Clip(out)
}

// countNotches counts the corners of a loop where the floor has more than 180 degrees.
func countNotches(loop []lattice.Point) int {
	n, count := len(loop), 0
	for i, p := range loop {
		before, after := loop[(i+n-1)%n], loop[(i+1)%n]
		o := lattice.Orient(before, p, after)
		if o < 0 || o == 0 && lattice.Dot(p, before, after) > 0 {
			count++
		}
	}
	return count
}

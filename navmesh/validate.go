package navmesh

import (
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// floorReach is the maximum distance of a vertex from its floor, in lattice units: border points were rounded twice.
const floorReach = 4

// Validate lists the faults of m, tile by tile, at most [MaxFaults] faults; nil for a good mesh. All decisions are
// exact, and Validate never fails on any m. A fault from [Mesh.Check] is reported alone, because a faulty structure
// allows no further tests. Corner flags, clearances, passages and the laws of the floor (floorlaws.go) are tested only
// in tiles without other faults than steps at portals.
//
// Regions that share vertices, directly or through other regions, belong to one domain of the plan: any common stretch
// of border of two of them must have a portal. Regions of different domains share no vertices.
//
// Time is O(n log n) for n corners and portals, if few boxes of regions overlap, plus the time of [Tile.Derive].
func (m *Mesh) Validate() []Fault {
	if m == nil {
		return []Fault{errNil}
	}
	if err := m.Check(); err != nil {
		var f Fault
		errors.As(err, &f)
		return []Fault{f}
	}
	v := &validator{mesh: m}
	for i := range m.Tiles {
		v.tile(i)
	}
	v.links()
	return v.faults
}

// validator collects faults.
type validator struct {
	mesh   *Mesh
	faults []Fault
	// State of the current tile:
	*Tile
	slot   int
	owner  []uint32 // the region of every portal
	shaped []bool   // the regions that are valid polygons
	layers [][]int  // the regions of every layer
}

func (v *validator) full() bool { return len(v.faults) >= MaxFaults }

// add adds a fault of a region of the current tile at one of its points.
func (v *validator) add(kind FaultKind, region int, at lattice.Vertex, format string, args ...any) {
	if v.full() {
		return // avoids formatting
	}
	v.report(Fault{
		Kind: kind, Region: MakeRef(v.slot, region, v.Generation),
		At: v.mesh.Frame.ToWorld(at.Point, at.Z), Detail: fmt.Sprintf(format, args...),
	})
}

func (v *validator) report(f Fault) {
	if !v.full() {
		v.faults = append(v.faults, f)
	}
}

// tile checks one tile.
func (v *validator) tile(slot int) {
	v.slot, v.Tile = slot, &v.mesh.Tiles[slot]
	whole := v.elements()
	v.layers = make([][]int, len(v.Layers))
	for i := range v.Regions {
		v.layers[v.Regions[i].Layer] = append(v.layers[v.Regions[i].Layer], i)
	}
	v.overlaps()
	if whole {
		v.missing()
		v.derived()
		v.floorLaws()
	}
	v.floors()
}

// shape checks the border of region i.
func (v *validator) shape(i int) {
	fault, at := planar.Fault(v.regionRing(i))
	v.shaped[i] = fault == ""
	if fault != "" {
		v.add(BadShape, i, v.Vertices[v.RegionCorners(i)[at]], "%s at its corner %d", fault, at)
	}
}

// edges checks the portals of region i: each lies on its edge, they are in order, and portal ends at corners or at
// neighbouring portals share their vertex.
func (v *validator) edges(i int) {
	corners := v.RegionCorners(i)
	portals := v.RegionPortals(i)
	for j := range portals {
		p := &portals[j]
		from, to := corners[p.Edge], corners[(int(p.Edge)+1)%len(corners)]
		a, b := v.Vertices[from].Point, v.Vertices[to].Point
		right, left := v.Vertices[p.Right], v.Vertices[p.Left]
		switch {
		case !lattice.OnSegment(right.Point, a, b) || !lattice.OnSegment(left.Point, a, b):
			v.add(PortalOffEdge, i, right, "portal %d, to region %d, is not on edge %d from %v to %v", j, p.To, p.Edge, a, b)
		case a.Distance2(right.Point) >= a.Distance2(left.Point):
			v.add(PortalOffEdge, i, right, "portal %d, to region %d, does not run along edge %d from right to left", j, p.To, p.Edge)
		case right.Point == a && p.Right != from:
			v.add(PortalOffEdge, i, right, "portal %d, to region %d, begins at vertex %d, the corner there is vertex %d", j, p.To, p.Right, from)
		case left.Point == b && p.Left != to:
			v.add(PortalOffEdge, i, left, "portal %d, to region %d, ends at vertex %d, the corner there is vertex %d", j, p.To, p.Left, to)
		}
		if j == 0 {
			continue
		}
		q := &portals[j-1]
		end := v.Vertices[q.Left]
		switch {
		case q.Edge == p.Edge && a.Distance2(end.Point) > a.Distance2(right.Point):
			v.add(PortalOverlap, i, right, "portals %d and %d overlap or are not in order on edges %d and %d", j-1, j, q.Edge, p.Edge)
		case end.Point == right.Point && q.Left != p.Right:
			v.add(PortalOverlap, i, right, "portals %d and %d meet at two vertices, %d and %d", j-1, j, q.Left, p.Right)
		}
	}
}

// portal compares the heights of both sides of portal i.
func (v *validator) portal(i int) {
	p := &v.Portals[i]
	b := &v.Portals[p.Back]
	region := int(v.owner[i])
	left, right := v.Vertices[p.Left], v.Vertices[p.Right]
	backLeft, backRight := v.Vertices[b.Left], v.Vertices[b.Right]
	if int(p.Back) < i {
		return
	}
	// Both floors may be off by their error, and both heights were rounded.
	here, there := &v.Layers[v.Regions[region].Layer].Floor, &v.Layers[v.Regions[p.To].Layer].Floor
	limit := v.mesh.Agent.MaxClimb*lattice.UnitsPerMetre + float64(here.Error) + float64(there.Error) + 2
	for _, ends := range [][2]lattice.Vertex{{left, backRight}, {right, backLeft}} {
		if step := ends[0].Z - ends[1].Z; float64(max(step, -step)) > limit {
			v.add(PortalStep, region, ends[0], "portal %d, to region %d, has a step of %.3f m, more than %.3f m",
				i, p.To, float64(step)*lattice.Unit, limit*lattice.Unit)
		}
	}
}

// overlaps finds regions of one layer that share more than their borders.
func (v *validator) overlaps() {
	for _, all := range v.layers {
		var regions []int
		for _, i := range all {
			if v.shaped[i] {
				regions = append(regions, i)
			}
		}
		rings := make([]lattice.Ring, len(regions))
		boxes := make([]lattice.Box, len(regions))
		for k, i := range regions {
			rings[k] = v.regionRing(i)
			boxes[k] = rings[k].Box()
		}
		planar.NewIndex(boxes).Pairs(func(a, b int) bool {
			if planar.Overlap(rings[a], rings[b]) {
				v.add(Overlapping, regions[a], v.Vertices[v.RegionCorners(regions[a])[0]], "it overlaps region %d, which has a corner at %v",
					regions[b], rings[b][0])
			}
			return !v.full()
		})
	}
}

// missing finds common stretches of border of two regions of a domain without a portal.
func (v *validator) missing() {
	domain := v.domains()
	var sides []planar.Side
	var regions []int
	for i := range v.Regions {
		corners := v.RegionCorners(i)
		portals := v.RegionPortals(i)
		for e, c := range corners {
			at := v.Vertices[c].Point
			add := func(to lattice.Point) {
				sides = append(sides, planar.Side{A: at, B: to, Group: domain[i]})
				regions = append(regions, i)
			}
			for len(portals) > 0 && int(portals[0].Edge) == e {
				add(v.Vertices[portals[0].Right].Point)
				at = v.Vertices[portals[0].Left].Point
				portals = portals[1:]
			}
			add(v.Vertices[corners[(e+1)%len(corners)]].Point)
		}
	}
	planar.Match(sides, func(i, j int, a, b lattice.Point) {
		v.add(PortalMissing, regions[i], lattice.Vertex{Point: a, Z: v.Vertices[v.RegionCorners(regions[i])[0]].Z},
			"no portal to region %d between %v and %v", regions[j], a, b)
	}, nil)
}

// domains numbers the groups of regions that share vertices.
func (v *validator) domains() []int32 {
	joined := unionfind.New(len(v.Vertices))
	for i := range v.Regions {
		corners := v.RegionCorners(i)
		for _, c := range corners {
			joined.Union(int32(corners[0]), int32(c))
		}
		for _, q := range v.RegionPortals(i) {
			joined.Union(int32(corners[0]), int32(q.Left))
			joined.Union(int32(corners[0]), int32(q.Right))
		}
	}
	domain := make([]int32, len(v.Regions))
	for i := range domain {
		domain[i] = joined.Find(int32(v.RegionCorners(i)[0]))
	}
	return domain
}

// derived compares the clearances and the passages with the results of [Tile.Derive].
func (v *validator) derived() {
	t := Tile{
		Vertices: v.Vertices, Corners: v.Corners, Layers: v.Layers,
		Regions: slices.Clone(v.Regions), Portals: slices.Clone(v.Portals),
	}
	t.Derive()
	for i := range v.Portals {
		p, q := &v.Portals[i], &t.Portals[i]
		if p.Clearance != q.Clearance {
			v.add(BadClearance, int(v.owner[i]), v.Vertices[p.Right], "portal %d, to region %d, has a clearance of %d units, the walls leave %d",
				i, p.To, p.Clearance, q.Clearance)
		}
	}
	for i := range v.Regions {
		r := &v.Regions[i]
		n := max(r.PortalCount, 1) - 1
		have, want := v.Passages[r.FirstPassage:r.FirstPassage+n], t.Passages[r.FirstPassage:r.FirstPassage+n]
		if !slices.Equal(have, want) {
			v.add(BadPassages, i, v.Vertices[v.RegionCorners(i)[0]], "its passages are %v, the walls leave %v", have, want)
		}
	}
}

// floors checks that vertices of regions have floor. Layers without triangles are planar maps.
func (v *validator) floors() {
	for l, regions := range v.layers {
		floor := &v.Layers[l].Floor
		if len(floor.Triangles) == 0 || len(regions) == 0 {
			continue
		}
		sampler := lattice.NewSampler(floor)
		for _, i := range regions {
			for _, c := range v.RegionCorners(i) {
				p := v.Vertices[c]
				if _, ok := sampler.Height(float64(p.X), float64(p.Y)); ok {
					continue
				}
				if _, ok := sampler.HeightBelow(float64(p.X), float64(p.Y), float64(lattice.MaxCoord), floorReach); !ok {
					v.add(NoFloor, i, p, "layer %d has no floor within %d units of vertex %d", l, floorReach, c)
				}
			}
		}
	}
}

// links checks the ends of links.
func (v *validator) links() {
	for i := range v.mesh.Links {
		l := &v.mesh.Links[i]
		if detail := v.strays(l); detail != "" {
			v.report(Fault{
				Kind: LinkOffRegion, Region: l.From, At: v.mesh.Frame.ToWorld(l.Start[0].Point, l.Start[0].Z),
				Detail: fmt.Sprintf("link %d %s", i, detail),
			})
		}
		for _, end := range []struct {
			ref Ref
			at  [2]lattice.Vertex
		}{{l.From, l.Start}, {l.To, l.End}} {
			t, _, _ := v.mesh.Region(end.ref)
			ring := t.regionRing(end.ref.Index())
			for _, at := range end.at {
				if ring.Locate(at.Point) == lattice.Outside {
					v.report(Fault{
						Kind: LinkOffRegion, Region: end.ref, At: v.mesh.Frame.ToWorld(at.Point, at.Z),
						Detail: fmt.Sprintf("link %d, a %v, has an end outside of the region", i, l.Kind),
					})
					break
				}
			}
		}
	}
}

// strays describes a link of kind [Boundary] that belongs to no crossing; the result is empty for other links.
func (v *validator) strays(l *Link) string {
	if l.Kind != Boundary {
		return ""
	}
	_, from, _ := v.mesh.Region(l.From)
	_, to, _ := v.mesh.Region(l.To)
	for i := range v.mesh.Crossings {
		if c := &v.mesh.Crossings[i]; l.Mark == c.Mark+1 && c.From == from.Area && c.To == to.Area {
			return ""
		}
	}
	return fmt.Sprintf("leads over a boundary from %s to %s, for which its mark has no crossing", v.mesh.AreaName(from.Area), v.mesh.AreaName(to.Area))
}

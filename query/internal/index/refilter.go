package index

// Filters on changed Indexes.
//
// Idea: a changed Index has no mesh to make another Index from. The regions keep their numbers; portals that a filter
// closes go, the other portals are numbered anew, and corners, parts and separations follow from them.
//
// Guarantees: the answers are those of the filter on a mesh made from scratch (TestFilterOnChanged).
//
// Cost: O(n log n) for n regions and portals, and the clearances of all portals where the filter asks for a radius.

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// withoutPortals fills an Index with the regions of ix and the portals that are not cut, without turns.
func (ix *Index) withoutPortals(out *Index, cut func(r uint32, portal uint32) bool) {
	var b builder
	number := make([]uint32, ix.portalLimit) // in the builder
	for r := range uint32(ix.regionLimit) {
		reg := *ix.Region(r)
		first := reg.FirstPortal
		reg.FirstPortal = uint32(len(b.portals))
		for i, p := range ix.PortalsOf(ix.Region(r)) {
			if n := first + uint32(i); !cut(r, n) {
				number[n] = uint32(len(b.portals))
				b.portals = append(b.portals, p)
			}
		}
		reg.EndPortal = uint32(len(b.portals))
		b.regions = append(b.regions, reg)
		// Neighbouring walls on one side of the region become one.
		rims := ix.RimsOf(r)
		firstRim := len(b.rims)
		for i := range max(len(rims)-1, 0) {
			m := rims[i]
			if m.Portal != None && cut(r, uint32(m.Portal)) {
				m = rim{From: m.From, Portal: None}
			}
			if n := len(b.rims); m.Portal == None && n > firstRim && b.rims[n-1].Portal == None && !isRingCorner(reg.Ring, m.From) {
				continue
			}
			b.rims = append(b.rims, m)
		}
		if len(b.rims) > firstRim {
			b.rims = append(b.rims, rim{From: b.rims[firstRim].From, Portal: None})
		}
		b.endRim = append(b.endRim, len(b.rims))
		b.flags = append(b.flags, ix.fringeOf(r).flags)
	}
	for i := range b.portals {
		b.portals[i].Back = number[b.portals[i].Back]
		b.portals[i].LeftTurn, b.portals[i].RightTurn = NoTurn, NoTurn
	}
	for i := range b.rims {
		if p := &b.rims[i].Portal; *p != None {
			*p = int32(number[*p])
		}
	}
	base := ix.base
	out.fill(&b)
	out.base = base
	for r := range uint32(ix.regionLimit) {
		f, o := out.fringeOf(r), ix.fringeOf(r)
		f.base, f.floor = o.base, o.floor
	}
	out.markCorners()
}

func isRingCorner(ring []lattice.Vertex, p lattice.Point) bool {
	return slices.ContainsFunc(ring, func(v lattice.Vertex) bool { return v.Point == p })
}

// markCorners sets the turns of all portal ends that are corners to 0, for numberTurns.
func (ix *Index) markCorners() {
	var f fan
	for r := range uint32(ix.regionLimit) {
		reg := ix.Region(r)
		for p := reg.FirstPortal; p < reg.EndPortal; p++ {
			o := ix.Portal(p)
			if closed := f.around(ix, p); !closed && f.isCorner(o.Right) {
				o.RightTurn, ix.Portal(o.Back).LeftTurn = 0, 0
			}
		}
	}
}

// clearances returns the clearances of all portals of an Index, by number, as in navmesh.Portal.
func (ix *Index) clearances() []int32 {
	var t navmesh.Tile
	var numbers []uint32
	place := make([]uint32, ix.portalLimit)
	in := make([]uint32, ix.regionLimit)
	for r := range uint32(ix.regionLimit) {
		reg := ix.Region(r)
		if reg.Split || len(reg.Ring) == 0 {
			continue
		}
		in[r] = uint32(len(t.Regions))
		vertices := map[lattice.Point]uint32{}
		vertex := func(p lattice.Point) uint32 {
			n, ok := vertices[p]
			if !ok {
				n = uint32(len(t.Vertices))
				vertices[p] = n
				t.Vertices = append(t.Vertices, lattice.Vertex{Point: p})
			}
			return n
		}
		o := navmesh.Region{
			First: uint32(len(t.Corners)), Count: uint32(len(reg.Ring)),
			FirstPortal: uint32(len(t.Portals)), PortalCount: reg.EndPortal - reg.FirstPortal,
		}
		for _, v := range reg.Ring {
			t.Corners = append(t.Corners, vertex(v.Point))
		}
		t.Regions = append(t.Regions, o)
		for i, p := range ix.PortalsOf(reg) {
			n := reg.FirstPortal + uint32(i)
			place[n] = uint32(len(t.Portals))
			numbers = append(numbers, n)
			t.Portals = append(t.Portals, navmesh.Portal{
				To: p.To, Edge: uint32(edgeOf(reg.Ring, 0, p.Right, p.Left)), Left: vertex(p.Left), Right: vertex(p.Right), Back: p.Back,
			})
		}
	}
	for i := range t.Portals {
		p := &t.Portals[i]
		p.To, p.Back = in[p.To], place[p.Back]
	}
	t.Derive()
	list := make([]int32, ix.portalLimit)
	for i, n := range numbers {
		list[n] = t.Portals[i].Clearance
	}
	return list
}

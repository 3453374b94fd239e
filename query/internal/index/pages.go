package index

// Pages: the arrays of an Index, in pieces that snapshots share.
//
// Source: J. R. Driscoll, N. Sarnak, D. D. Sleator and R. E. Tarjan, Making data structures persistent, JCSS 38 (1989),
// the copying of paths, for trees of three levels.
//
// Idea: an array is a root of nodes of pages of 2^k elements. A changed Index copies the root, and the nodes and pages
// with changed elements, and shares all else. The pages of an Index of a mesh lie one behind the other in one array, and
// its readers use that array.
//
// Input: regions with their portals, region after region.
//
// Guarantees:
//  1. The portals of a region lie side by side in memory (TestPortalsLieTogether).
//  2. Changes of a copy never show in the original (TestOldSnapshotsStay).
//
// Degenerate cases: a region with more portals than a page starts at a page of its own, and its pages lie one behind the
// other; fringe.crowd holds them as one slice. Numbers that no portal has stand for portals without turns.
//
// Cost: three loads more than a flat array for each access, on changed Indexes only. A change copies about 0.7 kB for each
// page touched, 256 bytes for its node, and 8 bytes for every 256 regions and every 512 portals of the Index.

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

const (
	regionBits, portalBits = 3, 4
	regionsPerPage         = 1 << regionBits
	portalsPerPage         = 1 << portalBits
	fringesPerPage         = 32
)

type (
	regionPage [regionsPerPage]Region
	portalPage [portalsPerPage]Portal
	fringePage [fringesPerPage]*fringe
)

// fringe holds the data of a region that few searches read.
type fringe struct {
	border *border // nil on a whole mesh, and of a region as there
	hops   []int32
	crowd  []Portal // the portals, if too many for a page
	floor  *floor   // of a split region, see [Editor]
	base   uint32   // the region of the base that the region is a piece of, or the region itself
	flags  uint32   // navmesh.Region.Flags
}

// Region returns the region with a number below [Index.RegionLimit].
func (ix *Index) Region(r uint32) *Region {
	if int(r) < len(ix.flatRegions) {
		return &ix.flatRegions[r]
	}
	return ix.pagedRegion(r)
}

//go:noinline
func (ix *Index) pagedRegion(r uint32) *Region {
	return &ix.regions[r>>regionBits/fanout][r>>regionBits%fanout][r%regionsPerPage]
}

// Portal returns the portal with a number below [Index.PortalLimit].
func (ix *Index) Portal(p uint32) *Portal {
	if int(p) < len(ix.flatPortals) {
		return &ix.flatPortals[p]
	}
	return ix.pagedPortal(p)
}

//go:noinline
func (ix *Index) pagedPortal(p uint32) *Portal {
	return &ix.portals[p>>portalBits/fanout][p>>portalBits%fanout][p%portalsPerPage]
}

// fringeOf returns the further data of a region.
func (ix *Index) fringeOf(r uint32) *fringe {
	if int(r) < len(ix.flatFringes) {
		return &ix.flatFringes[r]
	}
	return ix.pagedFringe(r)
}

//go:noinline
func (ix *Index) pagedFringe(r uint32) *fringe {
	return ix.fringes[r/fringesPerPage/fanout][r/fringesPerPage%fanout][r%fringesPerPage]
}

// PortalPage is the number of portals on a page.
const PortalPage = portalsPerPage

// PortalsOn returns the portals with numbers on a page; nil for a page that no portal has had yet.
func (ix *Index) PortalsOn(page int) []Portal {
	if first := page * PortalPage; first < len(ix.flatPortals) {
		return ix.flatPortals[first:min(first+PortalPage, len(ix.flatPortals))]
	}
	if p := ix.portals.page(uint32(page)); p != nil {
		return p[:]
	}
	return nil
}

// SamePortals reports whether two Indexes share a page of portals.
func (ix *Index) SamePortals(o *Index, page int) bool {
	a, b := ix.portals.page(uint32(page)), o.portals.page(uint32(page))
	return a != nil && a == b
}

// SameHops reports whether two Indexes share their hops.
func (ix *Index) SameHops(o *Index) bool {
	return len(ix.Hops) == len(o.Hops) && (len(ix.Hops) == 0 || &ix.Hops[0] == &o.Hops[0])
}

// RegionLimit returns a bound: the numbers of all regions are less. No region may have a number below the bound.
func (ix *Index) RegionLimit() int { return ix.regionLimit }

// PortalLimit returns a bound: the numbers of all portals are less.
func (ix *Index) PortalLimit() int { return ix.portalLimit }

// PortalsOf returns the portals of a region; the first has the number r.FirstPortal.
func (ix *Index) PortalsOf(r *Region) []Portal {
	if int(r.EndPortal) <= len(ix.flatPortals) {
		return ix.flatPortals[r.FirstPortal:r.EndPortal]
	}
	return ix.pagedPortals(r)
}

//go:noinline
func (ix *Index) pagedPortals(r *Region) []Portal {
	first, n := r.FirstPortal%portalsPerPage, r.EndPortal-r.FirstPortal
	if first+n > portalsPerPage {
		return ix.crowdOf(r)
	}
	if n == 0 {
		return nil
	}
	return ix.portals.page(r.FirstPortal >> portalBits)[first : first+n]
}

// crowdOf is PortalsOf for regions with more portals than a page.
func (ix *Index) crowdOf(r *Region) []Portal {
	return ix.fringeOf(ix.Portal(ix.Portal(r.FirstPortal).Back).To).crowd
}

// RimsOf returns the border of region r.
func (ix *Index) RimsOf(r uint32) Rims {
	if ix.flatFringes != nil {
		return ix.flatRims[ix.firstRim[r]:ix.firstRim[r+1]]
	}
	return ix.pagedRims(r)
}

//go:noinline
func (ix *Index) pagedRims(r uint32) Rims {
	if b := ix.pagedFringe(r).border; b != nil {
		return ix.bordering(r, b)
	}
	return ix.flatRims[ix.firstRim[r]:ix.firstRim[r+1]]
}

// WallsOf returns the walls of region r.
func (ix *Index) WallsOf(r uint32) []Wall {
	if ix.flatFringes != nil {
		return ix.flatWalls[ix.firstWall[r]:ix.firstWall[r+1]]
	}
	return ix.pagedWalls(r)
}

//go:noinline
func (ix *Index) pagedWalls(r uint32) []Wall {
	if b := ix.pagedFringe(r).border; b != nil {
		return ix.walling(r, b)
	}
	return ix.flatWalls[ix.firstWall[r]:ix.firstWall[r+1]]
}

// Ring returns the corners of region r, counter-clockwise.
func (ix *Index) Ring(r uint32) []lattice.Vertex { return ix.Region(r).Ring }

// Base returns the region of the mesh that region r is, or is a piece of.
func (ix *Index) Base(r uint32) uint32 { return ix.fringeOf(r).base }

// MarksOf returns the marks of region r. The mesh must have marked regions.
func (ix *Index) MarksOf(r uint32) []navmesh.Marked { return ix.Marked[ix.Base(r)] }

// blank is the value of numbers that no portal has.
func blank(number uint32) Portal {
	return Portal{To: math.MaxUint32, Back: number, LeftTurn: NoTurn, RightTurn: NoTurn}
}

// builder collects the regions and portals of an Index. Portals are numbered region after region.
type builder struct {
	regions []Region
	portals []Portal
	// rims of all regions; region r has the rims before endRim[r].
	rims   Rims
	endRim []int
	flags  []uint32
	floors uint32 // layers of the tiles so far
}

// reserve makes room for the regions of a mesh. Regions have about one rim for each corner and portal.
func (b *builder) reserve(m *navmesh.Mesh) {
	regions, portals, corners := 0, 0, 0
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		regions, portals, corners = regions+len(t.Regions), portals+len(t.Portals), corners+len(t.Corners)
	}
	b.regions, b.flags = make([]Region, 0, regions), make([]uint32, 0, regions)
	b.endRim = make([]int, 0, regions)
	b.portals = make([]Portal, 0, portals)
	b.rims = make(Rims, 0, corners+portals+regions)
}

// fill makes the pages of ix. The portals of a region get numbers on one page, or on pages of their own.
func (ix *Index) fill(b *builder) {
	number := make([]uint32, len(b.portals)) // the new numbers
	limit := 0
	for i := range b.regions {
		r := &b.regions[i]
		n := int(r.EndPortal - r.FirstPortal)
		if n > portalsPerPage || limit%portalsPerPage+n > portalsPerPage {
			limit = pageEnd(limit, portalsPerPage)
		}
		for k := range n {
			number[int(r.FirstPortal)+k] = uint32(limit + k)
		}
		r.FirstPortal, r.EndPortal = uint32(limit), uint32(limit+n)
		if limit += n; n > portalsPerPage {
			limit = pageEnd(limit, portalsPerPage)
		}
	}
	ix.regionLimit, ix.portalLimit, ix.base = len(b.regions), limit, uint32(len(b.regions))

	portals := make([]Portal, pageEnd(limit, portalsPerPage))
	for i := range portals {
		portals[i] = blank(uint32(i))
	}
	for i, p := range b.portals {
		p.Back = number[p.Back]
		portals[number[i]] = p
	}
	for i := range b.rims {
		if p := &b.rims[i].Portal; *p != None {
			*p = int32(number[*p])
		}
	}
	regions := make([]Region, pageEnd(len(b.regions), regionsPerPage))
	copy(regions, b.regions)
	fringes := make([]fringe, len(regions))
	for i := range b.regions {
		r, f := &regions[i], &fringes[i]
		f.base, f.flags = uint32(i), b.flags[i]
		if r.EndPortal-r.FirstPortal > portalsPerPage {
			f.crowd = portals[r.FirstPortal:r.EndPortal:r.EndPortal]
		}
	}
	ix.flatRegions, ix.flatPortals, ix.flatFringes, ix.flatRims = regions, portals, fringes, b.rims
	ix.firstRim, ix.firstWall = make([]uint32, 1, len(b.regions)+1), make([]uint32, 1, len(b.regions)+1)
	walls := -len(b.regions) // the last rim of a border is no wall
	for i := range b.rims {
		if b.rims[i].Portal == None {
			walls++
		}
	}
	ix.flatWalls = make([]Wall, 0, max(walls, 0))
	for r, end := range b.endRim {
		ix.flatWalls = b.rims[ix.firstRim[r]:end].appendWalls(ix.flatWalls)
		ix.firstRim, ix.firstWall = append(ix.firstRim, uint32(end)), append(ix.firstWall, uint32(len(ix.flatWalls)))
	}
	for i := 0; i < len(regions); i += regionsPerPage {
		ix.regions.put(nil, uint32(i/regionsPerPage), (*regionPage)(regions[i:]))
	}
	for i := range b.regions {
		ix.fringes.own(nil, uint32(i/fringesPerPage))[i%fringesPerPage] = &fringes[i]
	}
	for i := 0; i < len(portals); i += portalsPerPage {
		ix.portals.put(nil, uint32(i/portalsPerPage), (*portalPage)(portals[i:]))
	}
}

// pageEnd rounds n up to a multiple of a page.
func pageEnd(n, page int) int { return (n + page - 1) / page * page }

// Package navmesh is the model of a navigation mesh: flat arrays of numbered elements, immutable
// once built, safe for any number of goroutines. It knows no generator and no search; build makes
// it, navfile stores it, query asks it.
package navmesh

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// Mesh is a navigation mesh. It is never changed after it was built or loaded.
type Mesh struct {
	Frame lattice.Frame
	Agent geom.Agent // the agent that the borders were made for
	Tiles []Tile     // indexed by Ref.Slot
	Links []Link     // off-mesh links, in order of the regions where they start
	Marks []Mark     // what regions and links are called
	// Areas are the names of the areas of regions by number, the first that of plain ground; nil where
	// nobody has said what the ground is.
	Areas []string
	// Methods are the ways to move that are known of, and Crossings what some of them take over boundaries.
	Methods   []Method
	Crossings []Crossing
	// Components is the number of parts that no portal and no link joins.
	Components int
}

// Tile is the unit of storage and of change. All indices are within the tile.
type Tile struct {
	Generation uint32 // below 2²⁰; a Ref made for another generation is stale
	Vertices   []lattice.Vertex
	// Corners lists the vertices of the regions, region after region, counter-clockwise.
	Corners []uint32
	Regions []Region
	Portals []Portal // region after region, in counter-clockwise order of their Edge
	// Passages holds the bottleneck trees, region after region: see Region.
	Passages []Passage
	// Marked lists the marks of the regions that have any, in the order of the regions.
	Marked []Marked
	Layers []Layer
}

// Layer is a floor of a tile that does not overlap itself.
type Layer struct {
	Floor lattice.TIN
}

// Region is a convex polygon to walk on: the corners [First, First+Count) of its tile, with its
// portals [FirstPortal, FirstPortal+PortalCount). A region with k > 0 portals has k-1 passages
// from FirstPassage: the edges of a tree over its portals in which the narrowest passage between
// two portals is the widest disc that can move from one to the other inside the region. Only walls
// of the region itself count, as for a portal's Clearance.
//
// Regions of one domain of the plan share the vertices where they meet; regions of different
// domains share none.
type Region struct {
	First, Count             uint32
	FirstPortal, PortalCount uint32
	FirstPassage             uint32
	Layer                    uint16
	Area                     uint8  // what the ground is, see Mesh.Areas; costs live in a query's filter
	Flags                    uint32 // who may enter, as bits; builders set DefaultFlags
	Component                uint32 // regions that can reach each other share it
}

// DefaultFlags is what a region gets when nothing else is said: everyone who asks for bit 0.
const DefaultFlags = 1

// Portal is the part of a region's edge through which another region is entered. It is an
// interval: it need not cover the edge, and an edge may have several portals.
type Portal struct {
	To uint32 // the region behind
	// Edge is the corner of the region, counted from Region.First, that the portal's edge starts at.
	Edge uint32
	// Left and Right are the vertices at its ends as someone sees them who walks out of the region.
	Left, Right uint32
	// Back is the portal of To that leads back here.
	Back uint32
	// LeftCorner and RightCorner say that a taut path can bend at that end: the free space
	// around it has an angle of more than 180 degrees. Decided exactly by the builder.
	LeftCorner, RightCorner bool
	// Clearance is the radius of the widest disc that fits through, in lattice units, rounded
	// down; Unbounded when nothing is near. It is the widest disc that is centred on the portal and
	// keeps clear of the walls of the two regions that it joins: walls farther away may be nearer,
	// so that no wider disc fits, but for this one they have to be asked too.
	Clearance int32
}

// Passage is an edge of a region's bottleneck tree between two of its portals, counted from
// Region.FirstPortal.
type Passage struct {
	A, B      uint32
	Clearance int32 // as in Portal
}

// Unbounded is the clearance where no border limits it.
const Unbounded int32 = 1<<31 - 1

// RegionCount returns the number of regions in all tiles.
func (m *Mesh) RegionCount() int {
	n := 0
	for i := range m.Tiles {
		n += len(m.Tiles[i].Regions)
	}
	return n
}

// Region returns the tile and the region that r names; ok is false for a stale or foreign r.
func (m *Mesh) Region(r Ref) (t *Tile, region *Region, ok bool) {
	if r.Slot() >= len(m.Tiles) {
		return nil, nil, false
	}
	t = &m.Tiles[r.Slot()]
	if r.Generation() != t.Generation || r.Index() >= len(t.Regions) {
		return nil, nil, false
	}
	return t, &t.Regions[r.Index()], true
}

// RegionCorners returns the vertex indices of region i of t, counter-clockwise.
func (t *Tile) RegionCorners(i int) []uint32 {
	r := &t.Regions[i]
	return t.Corners[r.First : r.First+r.Count]
}

// RegionPortals returns the portals of region i of t.
func (t *Tile) RegionPortals(i int) []Portal {
	r := &t.Regions[i]
	return t.Portals[r.FirstPortal : r.FirstPortal+r.PortalCount]
}

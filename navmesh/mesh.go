// Package navmesh is the model of a navigation mesh: flat arrays of numbered elements, immutable once built, safe for
// any number of goroutines. The package knows no generator and no search; package build makes a mesh, navfile stores a
// mesh, and query answers questions on a mesh.
package navmesh

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Mesh is a navigation mesh. A mesh never changes after it was built or loaded.
type Mesh struct {
	Frame lattice.Frame
	Agent geom.Agent // agent that the borders were made for
	Tiles []Tile     // indexed by Ref.Slot
	Links []Link     // off-mesh links, in order of their start regions
	Marks []Mark     // names of regions and links
	// Areas are the names of the areas of regions by number, plain ground first; nil for a mesh without named ground.
	Areas []string
	// Methods are the known ways to move, and Crossings the special ways of some methods over boundaries.
	Methods   []Method
	Crossings []Crossing
	// Components is the number of parts that no portal or link joins.
	Components int
	// Record holds a builder's notes on the build; nil for none. No query reads the bytes. Package meadow keeps its report there.
	Record []byte
}

// Tile is the unit of storage and of change. All indices are within the tile.
type Tile struct {
	Generation uint32 // below 2²⁰; a Ref to another generation is stale
	Vertices   []lattice.Vertex
	// Corners lists the vertices of the regions, region after region, counter-clockwise.
	Corners []uint32
	Regions []Region
	Portals []Portal // region after region, in counter-clockwise order of their Edge
	// Passages holds the bottleneck trees, region after region: see Region.
	Passages []Passage
	// Marked lists the marks of regions, in the order of the regions.
	Marked []Marked
	Layers []Layer
}

// Layer is a floor of a tile without overlaps.
type Layer struct {
	Floor lattice.TIN
}

// Region is a convex polygon to walk on: the corners [First, First+Count) of its tile, with its portals [FirstPortal,
// FirstPortal+PortalCount). A region with k > 0 portals has k-1 passages from FirstPassage: the edges of a tree over
// its portals. The narrowest passage between two portals is the widest disc that can move between the portals inside
// the region. Only walls of the region itself count, as for a portal's Clearance.
//
// Regions of the same domain of the plan share the vertices where they meet; regions of different domains share no
// vertices.
type Region struct {
	First, Count             uint32
	FirstPortal, PortalCount uint32
	FirstPassage             uint32
	Layer                    uint16
	Area                     uint8  // kind of ground, see Mesh.Areas; costs live in a query's filter
	Flags                    uint32 // permission bits; builders set DefaultFlags
	Component                uint32 // shared by regions that can reach each other
}

// DefaultFlags is the default of a region's flags: open to every agent that asks for bit 0.
const DefaultFlags = 1

// Portal is the part of a region's edge that leads to another region. A portal is an interval: it need not cover the
// edge, and an edge may have several portals.
type Portal struct {
	To uint32 // the region behind
	// Edge is the corner, counted from Region.First, where the portal's edge starts.
	Edge uint32
	// Left and Right are the vertices at the ends, as seen on the way out of the region.
	Left, Right uint32
	// Back is the portal of To that leads back.
	Back uint32
	// LeftCorner and RightCorner say that a taut path can bend at the left or right end: the free space around the end
	// has an angle of more than 180 degrees. The builder decides exactly.
	LeftCorner, RightCorner bool
	// Clearance is the radius of the widest disc that fits through, in lattice units, rounded down; Unbounded without a
	// wall nearby. The disc is centred on the portal and keeps clear of the walls of the two joined regions. Walls of
	// other regions may be nearer: a wider disc never fits, but whether this disc fits depends on them too.
	Clearance int32
}

// Passage is an edge of a region's bottleneck tree between two of its portals, counted from Region.FirstPortal.
type Passage struct {
	A, B      uint32
	Clearance int32 // as in Portal
}

// Unbounded is the clearance without a limiting border.
const Unbounded int32 = 1<<31 - 1

// RegionCount returns the number of regions in all tiles.
func (m *Mesh) RegionCount() int {
	if m == nil {
		return 0
	}
	n := 0
	for i := range m.Tiles {
		n += len(m.Tiles[i].Regions)
	}
	return n
}

// WithoutRecord returns a mesh that shares everything with m except the record, to compare meshes and their sizes. Time O(1).
func (m *Mesh) WithoutRecord() *Mesh {
	if m == nil {
		return nil
	}
	out := *m
	out.Record = nil
	return &out
}

// Region returns the tile and the region that r names; ok is false for a stale or foreign r.
func (m *Mesh) Region(r Ref) (t *Tile, region *Region, ok bool) {
	if m == nil || r.Slot() >= len(m.Tiles) {
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

// Package streamfile stores a navigation mesh in tiles, so that a program reads only the tiles that it needs.
// docs/formats/streamfile.md specifies every byte.
//
// Source: own; the tiles are clusters of the region graph, see cluster.go.
//
// Idea: a file is a header, an index and tiles. The index has the box of every tile, the borders between tiles, and what
// belongs to the mesh as a whole. A tile has its regions with the numbers that they have in the mesh, their portals and links
// into other tiles, and all height triangles near its regions. [Compose] makes an ordinary mesh of any set of tiles: regions
// and triangles are in the order of their numbers, and a portal into an absent tile is a wall.
//
// Input: a mesh with one tile of package navmesh, as builders make it; or bytes, which may come from anybody.
//
// Guarantees:
//  1. All tiles together compose to the mesh that was written, element by element (TestAllTilesAreTheMesh).
//  2. A part of the tiles composes to a mesh with the same regions, heights and clearances there, and Validate finds no
//     more faults (TestPartsAreValid).
//  3. [File.Bounds] never exceeds the cost of a path (TestBoundsAreLower).
//  4. Every changed bit is found: by Open or when its tile is read (TestEveryFlippedBitIsFound). So is every missing end
//     (TestEveryTruncationIsFound).
//  5. Hostile files with right checksums give an error or a mesh that [navmesh.Mesh.Check] accepts, in memory proportional to the
//     file (TestHostileTiles, FuzzStream).
//  6. Equal meshes and options give equal bytes (TestBytes).
//
// Degenerate cases: meshes of one tile and tiles of one region; regions without portals, layers without regions, and height
// triangles far from all regions, which go to the nearest region's tile. Meshes without regions are refused.
//
// Cost: Open reads the index alone. Compose takes time O(n log n) for n elements of its tiles, plus O(r) for r regions of the
// file.
package streamfile

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// magic is the beginning of every file. The line end reveals a transfer that converted text.
const magic = "MEADTIL\n"

// Version is the version of the format.
const Version = 1

// Sizes in bytes.
const (
	headerSize   = 64
	entrySize    = 56
	borderSize   = 56
	layerSize    = 4
	tileHead     = 48
	vertexSize   = 16
	regionSize   = 20
	cornerSize   = 4
	portalSize   = 28
	passageSize  = 12
	exitSize     = 8
	markedSize   = 8
	linkSize     = 84
	floorSize    = 12
	triangleSize = 16
)

// The counts in the head of a tile, in their order.
const (
	nRegions = iota
	nVertices
	nCorners
	nPortals
	nPassages
	nExits
	nMarked
	nLinks
	nFloors
	nFloorVertices
	nTriangles
	nReserved
	counts
)

var recordSizes = [counts]uint64{
	regionSize, vertexSize, cornerSize, portalSize, passageSize, exitSize, markedSize, linkSize, floorSize, vertexSize, triangleSize, 0,
}

var (
	le         = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

func pad(n uint64) uint64 { return (n + 7) &^ 7 }

// Entry describes a tile in the index of a file.
type Entry struct {
	Offset, Length int64 // of the tile in the file
	Regions        int
	// Box are the bounds of the regions seen from above, in lattice units of the frame. All heights of the floor in the
	// regions are between Low and High.
	Box       lattice.Box
	Low, High int32

	sum       uint32
	shortcuts bool // some link within the tile costs less than its length
}

// Border is where paths lead from one tile to another: all portals of two tiles, or the links from one to the other.
type Border struct {
	Tiles [2]int
	// Boxes are the bounds of the ends, seen from above: of the portals, or of the starts and of the ends of links.
	Boxes [2]lattice.Box
	// Cost is the least cost of a link, in lattice units; 0 for portals.
	Cost float64
	// OneWay says that the border is crossed from the first tile to the second only.
	OneWay bool
}

// element orders elements of several tiles by their number in the mesh.
type element struct {
	number uint32
	tile   int32 // in the list of tiles
	index  uint32
}

// Package navfile stores navigation meshes: the arrays of a navmesh.Mesh, little-endian, aligned as in memory, each
// with a checksum. docs/formats/navmesh.md specifies every byte.
//
// The same mesh gives the same bytes. In a mesh from Read every index is in range; hence no query on the mesh can fail
// for a missing element. For geometric faults, call the mesh's Validate.
package navfile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Version is the format version that Write writes. Read also reads version 3, which has no gap: the agent of such a
// mesh steps over gaps of up to [geom.LeastGap], the width filled by extraction at the time.
const Version = 4

// gapless is the version before agents had a gap, and gaplessMesh the size of its mesh section.
const (
	gapless     = 3
	gaplessMesh = 72
)

// magic is the beginning of every file. The line end reveals a transfer that converted text.
const magic = "MEADOW\r\n"

const (
	headerSize   = 32
	entrySize    = 32
	alignment    = 8
	maxSections  = 1 << 26 // more than any mesh needs; keeps sizes far from overflow
	optionalFrom = 1 << 31 // sections that a reader may skip without knowing them
)

// MaxRecord is the largest size of a mesh's record in bytes.
const MaxRecord = 1 << 24

// sectionID identifies the content of a section.
type sectionID uint32

const (
	secMesh      sectionID = 1
	secLinks     sectionID = 2
	secMarks     sectionID = 3
	secNames     sectionID = 4
	secAreas     sectionID = 5
	secMethods   sectionID = 6
	secCosts     sectionID = 7
	secMayCross  sectionID = 8
	secCrossings sectionID = 9
	secWords     sectionID = 10
	secTile      sectionID = 16
	secVertices  sectionID = 17
	secCorners   sectionID = 18
	secRegions   sectionID = 19
	secPortals   sectionID = 20
	secPassages  sectionID = 21
	secLayers    sectionID = 22
	secFloorVert sectionID = 23
	secFloorTris sectionID = 24
	secMarked    sectionID = 25
	secPolyhedra sectionID = 64 // reserved
	secPlan      sectionID = 65 // reserved
	secRecord    sectionID = optionalFrom
)

// kind describes a section: its name in errors and the size of its records.
type kind struct {
	name  string
	width int
}

// width returns the size of a section's records in a version of the format.
func width(id sectionID, version uint32) int {
	if id == secMesh && version == gapless {
		return gaplessMesh
	}
	return kinds[id].width
}

var kinds = map[sectionID]kind{
	secMesh:      {"mesh", 80},
	secLinks:     {"links", 88},
	secMarks:     {"marks", 12},
	secNames:     {"names", 1},
	secAreas:     {"areas", 4},
	secMethods:   {"methods", 8},
	secCosts:     {"costs", 8},
	secMayCross:  {"may cross", 4},
	secCrossings: {"crossings", 16},
	secWords:     {"words", 1},
	secTile:      {"tile", 8},
	secVertices:  {"vertices", 12},
	secCorners:   {"corners", 4},
	secRegions:   {"regions", 32},
	secPortals:   {"portals", 28},
	secPassages:  {"passages", 12},
	secLayers:    {"layers", 12},
	secFloorVert: {"floor vertices", 12},
	secFloorTris: {"floor triangles", 12},
	secMarked:    {"marked", 8},
	secPolyhedra: {"polyhedra", 1},
	secPlan:      {"plan", 1},
	secRecord:    {"record", 1},
}

// The sections of a file in their order: first those of the mesh, then those of each tile.
var (
	meshSections = []sectionID{
		secMesh, secLinks, secMarks, secNames, secAreas, secMethods, secCosts, secMayCross, secCrossings, secWords,
	}
	tileSections = [...]sectionID{secTile, secVertices, secCorners, secRegions, secPortals, secPassages, secLayers, secFloorVert, secFloorTris, secMarked}
)

var (
	le         = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// entry is a directory entry.
type entry struct {
	id     sectionID
	tile   uint32
	offset uint64
	length uint64
	sum    uint32
}

// name returns the name of the section, or the id of an unknown section.
func (e entry) name() string {
	if k, ok := kinds[e.id]; ok {
		return k.name
	}
	return fmt.Sprintf("section %d", e.id)
}

// ofTile reports whether the section belongs to a tile.
func (e entry) ofTile() bool { return e.id >= secTile && e.id < optionalFrom }

// String names the section for an error.
func (e entry) String() string {
	if e.ofTile() {
		return fmt.Sprintf("%s of tile %d", e.name(), e.tile)
	}
	return e.name()
}

// pad returns n rounded up to the alignment of sections.
func pad(n uint64) uint64 { return (n + alignment - 1) &^ (alignment - 1) }
